// Eight bytes at a time, each by a table of its place.
// Method: M. E. Kounavis, F. L. Berry, "Novel table lookup-based algorithms for high-performance CRC generation"
// (2008).
#include "ops/base/crc32c.h"

#include <array>
#include <cstring>

#include "ops/base/interrupt.h"

namespace ember::ops {
namespace {

constexpr size_t kBytes = 8;
constexpr int64_t kStep = 1 << 22;  // words between looks for an interrupt
using Tables = std::array<std::array<uint32_t, 256>, kBytes>;

constexpr Tables make_tables() {
  constexpr uint32_t kPolynomial = 0x82F63B78;  // reflected
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t i = 1; i < kBytes; ++i)
    for (size_t byte = 0; byte < 256; ++byte)
      tables[i][byte] = tables[i - 1][byte] >> 8 ^ tables[0][tables[i - 1][byte] & 0xFF];
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

uint32_t crc32c(std::span<const std::byte> data) {
  uint32_t crc = ~uint32_t{0};
  const auto words = static_cast<int64_t>(data.size() / kBytes);
  in_steps(words, kStep, [&](int64_t begin, int64_t end) {
    for (int64_t w = begin; w < end; ++w) {
      uint64_t word;
      std::memcpy(&word, data.data() + w * static_cast<int64_t>(kBytes), kBytes);
      word ^= crc;
      crc = 0;
      for (size_t i = 0; i < kBytes; ++i) crc ^= kTables[kBytes - 1 - i][word >> (8 * i) & 0xFF];
    }
  });
  for (size_t at = data.size() / kBytes * kBytes; at < data.size(); ++at)
    crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<uint32_t>(data[at])) & 0xFF];
  return ~crc;
}

}  // namespace ember::ops
