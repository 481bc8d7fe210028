// AMX in software, for CPUs without it: while one lives, a tile instruction that the CPU refuses (SIGILL) is decoded
// where it stands, done on tiles that each thread has in memory, and passed over. So the very bytes that would run on
// hardware run here. What hardware would refuse ends the process with a message: a configuration or operands that are
// not allowed, tiles used while there is no configuration. On a CPU with AMX nothing is refused, hence nothing
// emulated.
#pragma once

#include <cstdint>

namespace ember::amx {

class AmxEmulator {
 public:
  AmxEmulator();
  ~AmxEmulator();
  AmxEmulator(const AmxEmulator&) = delete;
  AmxEmulator& operator=(const AmxEmulator&) = delete;

  static int64_t products();    // TDPBF16PS emulated so far, in all threads
  static int64_t configured();  // threads that have a configuration now
};

// c = fma(a, b, c) and a + b as tiles compute them: to nearest, subnormal numbers as zeros.
float tile_fma(float a, float b, float c);
float tile_add(float a, float b);

}  // namespace ember::amx
