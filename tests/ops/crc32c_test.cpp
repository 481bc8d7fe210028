#include "ops/base/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ember::ops {
namespace {

uint32_t checksum(std::string_view text) { return crc32c(std::as_bytes(std::span(text))); }

// RFC 3720, B.4.
TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(checksum("123456789"), 0xE3069283U);
  EXPECT_EQ(checksum(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(checksum(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(checksum(rising), 0x46DD794EU);
  EXPECT_EQ(checksum(""), 0U);
}

TEST(Crc32c, FollowsTheDefinitionAtEveryLength) {
  std::string text;
  for (int length = 0; length < 40; ++length, text += static_cast<char>(length * 37)) {
    uint32_t crc = ~uint32_t{0};
    for (const char c : text) {
      crc ^= static_cast<uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
    }
    EXPECT_EQ(checksum(text), ~crc) << length;
  }
}

}  // namespace
}  // namespace ember::ops
