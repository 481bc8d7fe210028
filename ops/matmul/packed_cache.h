// The cache of packed operands, for those whose contents stay the same from call to call, as weights in inference do. A
// copy is made when an operand is packed with the same key a second time at the same version (gc/storage.h): weights
// that a training step changes each time, and results that are new each time, are never copied.
//
// A copy is used only while its storage has the version that it was made of, and goes with that version: no other
// contents, of this block or of one made later in its place, ever have it. Memory that is shared with the outside is
// never copied. All copies together take at most packed_limit() bytes: the one that has not been used for longest goes
// first (LRU), but only one that has not been used since the newcomer was first packed, so that more weights than fit
// do not thrash. When memory is short all go. Results never depend on whether there is a copy.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "gc/storage.h"

namespace ember::ops {

// What determines the bytes of a copy beside the contents: who packs, from where in the storage, and how.
struct PackedKey {
  enum class Of : uint8_t { Columns, Convolution, Bf16x3, Bf16x3Weights, Int8Columns };
  Of of;
  const void* first;
  std::array<int64_t, 8> numbers{};
  bool operator==(const PackedKey&) const = default;
};

// The copy of `bytes` bytes that pack(memory) makes; null if none is cached. storage may be null.
gc::Ref<gc::Storage> find_or_pack(const gc::Storage* storage, const PackedKey& form, int64_t bytes,
                                  const std::function<void(void*)>& pack);

struct PackedStats {
  size_t copies = 0, bytes = 0;
  uint64_t used = 0;  // how often a copy took the place of packing
};
PackedStats packed_stats(const gc::Storage& of);  // copies of its present contents

struct PackedTotals : PackedStats {
  uint64_t inserted = 0, evicted = 0;  // evicted: to make room for others
  size_t limit = 0;
};
PackedTotals packed_totals();
void set_packed_limit(size_t bytes);  // at first 256 MiB, or an eighth of the machine's memory if less; drops all

}  // namespace ember::ops
