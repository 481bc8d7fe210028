// The constant tables that Lookup verbs read: 2 / pi in parts, for reducing arguments of sine and cosine.
//
// An argument x = m * 2^E is reduced modulo four quarter turns. Bits of 2 / pi that contribute only multiples of four
// are skipped, so entry e of the tables holds the bits that count for exponent e + kFirst, scaled by 2^(e + kFirst).
// Smaller exponents use entry 0. The parts are so short that their product with m is exact.
#pragma once

#include "ops/expr/expr.h"

namespace ember::ops {

enum Table : uint64_t { kTurnsHigh, kTurnsLow, kTurns0, kTurns1, kTurns2, kTurns3, kTables };

inline constexpr int kFirstFloat = 25;   // exponent of entry 0 for float32 arguments
inline constexpr int kFirstDouble = 54;  // and for float64
inline constexpr size_t kTurnsFloat = 128 - kFirstFloat;
inline constexpr size_t kTurnsDouble = 1024 - kFirstDouble;

struct TurnsFloat {
  double part[2][kTurnsFloat];  // 29 bits, 53 bits
};
struct TurnsDouble {
  double part[4][kTurnsDouble];  // 53 bits each
};
extern const TurnsFloat kTurnsOfFloat;
extern const TurnsDouble kTurnsOfDouble;

}  // namespace ember::ops
