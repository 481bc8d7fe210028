// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). A random key is
// an Int: seed << 32 | counter. Element i of a random op has a block of its own: key = (seed, 0), counter = (the op's
// counter, 0, low half of i, high half of i). So each element is a pure function of seed, op and index, whatever
// computes it.
#pragma once

#include <cstdint>

namespace ember::ops {

inline constexpr uint32_t kPhiloxFirst = 0xD2511F53, kPhiloxSecond = 0xCD9E8D57;
inline constexpr uint32_t kPhiloxStep0 = 0x9E3779B9, kPhiloxStep1 = 0xBB67AE85;

struct PhiloxBlock {
  uint32_t words[4];
  friend bool operator==(const PhiloxBlock&, const PhiloxBlock&) = default;
};

[[gnu::always_inline]] inline PhiloxBlock philox(PhiloxBlock counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint32_t* w = counter.words;
    const uint64_t a = uint64_t{kPhiloxFirst} * w[0], b = uint64_t{kPhiloxSecond} * w[2];
    counter = {{static_cast<uint32_t>(b >> 32) ^ w[1] ^ key0, static_cast<uint32_t>(b),
                static_cast<uint32_t>(a >> 32) ^ w[3] ^ key1, static_cast<uint32_t>(a)}};
    key0 += kPhiloxStep0;
    key1 += kPhiloxStep1;
  }
  return counter;
}

[[gnu::always_inline]] inline PhiloxBlock random_block(int64_t key, int64_t element) {
  const auto bits = static_cast<uint64_t>(key), index = static_cast<uint64_t>(element);
  return philox({{static_cast<uint32_t>(bits), 0, static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32)}},
                static_cast<uint32_t>(bits >> 32), 0);
}

}  // namespace ember::ops
