// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). A random key is
// an Int: seed << 32 | counter. Element i of a random op has a block of its own: key = (seed, 0), counter = (the op's
// counter, 0, low half of i, high half of i). So each element is a pure function of seed, op and index, whatever
// computes it.
#pragma once

#include <array>
#include <cstdint>

namespace ember::ops {

using PhiloxBlock = std::array<uint32_t, 4>;

inline PhiloxBlock philox(PhiloxBlock counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t{0xD2511F53} * counter[0];
    uint64_t b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

inline PhiloxBlock random_block(int64_t key, int64_t element) {
  auto bits = static_cast<uint64_t>(key);
  auto index = static_cast<uint64_t>(element);
  return philox({static_cast<uint32_t>(bits), 0, static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32)},
                static_cast<uint32_t>(bits >> 32), 0);
}

}  // namespace ember::ops
