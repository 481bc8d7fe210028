// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). A random key is
// an Int: seed << 32 | counter. Element i of a random op has a block of its own: key = (seed, 0), counter = (the op's
// counter, draw, low half of i, high half of i), where draw is 0 for the first block. So each element is a pure
// function of seed, op and index, whatever computes it.
#pragma once

#include <cstdint>

namespace ember::ops {

// The rounds, over words in 64-bit lanes W whose upper halves are never read; product(a, b) multiplies lower halves.
template <class W, class Product>
[[gnu::always_inline]] inline void philox_rounds(W (&w)[4], uint32_t key0, uint32_t key1, Product product) {
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const W a = product(w[0], uint64_t{0xD2511F53}), b = product(w[2], uint64_t{0xCD9E8D57});
    w[0] = (b >> 32) ^ w[1] ^ uint64_t { key0 };
    w[1] = b;
    w[2] = (a >> 32) ^ w[3] ^ uint64_t { key1 };
    w[3] = a;
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
}

struct PhiloxBlock {
  uint32_t words[4];
  friend bool operator==(const PhiloxBlock&, const PhiloxBlock&) = default;
};

[[gnu::always_inline]] inline PhiloxBlock philox(PhiloxBlock counter, uint32_t key0, uint32_t key1) {
  uint64_t w[4] = {counter.words[0], counter.words[1], counter.words[2], counter.words[3]};
  philox_rounds(w, key0, key1, [](uint64_t a, uint64_t b) { return (a & 0xFFFFFFFF) * b; });
  return {{static_cast<uint32_t>(w[0]), static_cast<uint32_t>(w[1]), static_cast<uint32_t>(w[2]),
           static_cast<uint32_t>(w[3])}};
}

[[gnu::always_inline]] inline PhiloxBlock random_block(int64_t key, int64_t element, uint32_t draw = 0) {
  const auto bits = static_cast<uint64_t>(key), index = static_cast<uint64_t>(element);
  return philox({{static_cast<uint32_t>(bits), draw, static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32)}},
                static_cast<uint32_t>(bits >> 32), 0);
}

}  // namespace ember::ops
