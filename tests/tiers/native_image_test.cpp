// Native code as data: what is written comes back, and no damage of a file does more than an error.
#include "tiers/dump/native_image.h"

#include <gtest/gtest.h>

#include "bytecode/code/module_file.h"

namespace ember::tiers {
namespace {

NativeImage sample() {
  NativeImage image;
  image.function = 2;
  image.params = {"x: Float32 (64, 3)", "n: Int"};
  image.address = 0x7f0000001000;
  image.end = 6;
  image.code = {0xB8, 7, 0, 0, 0, 0xC3, 0, 0, 0x80, 0x3F};
  image.steps = {{0, 0}, {3, 5}};
  image.entries = {{0, 0}};
  image.exits = {{3, 5, "branch"}};
  image.branches = {1, -1, 0};
  image.names = {{0x1234, "step 0"}};
  image.loops = {{0, "", {0xC3}}, {3, "no native form", {}}};
  return image;
}

TEST(NativeImage, ComesBack) {
  const std::vector<std::byte> bytes = encode(sample());
  const NativeImage again = decode_image(bytes);
  EXPECT_EQ(encode(again), bytes);
  EXPECT_EQ(again.exits[0].reason, "branch");
  EXPECT_EQ(again.branches, sample().branches);
  EXPECT_EQ(again.names, sample().names);
}

TEST(NativeImage, DamageIsAnError) {
  const std::vector<std::byte> good = encode(sample());
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW(decode_image(std::span(good).first(size)), bytecode::FileError) << size;
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> bad = good;
    bad[i] ^= std::byte{1};
    EXPECT_THROW(decode_image(bad), bytecode::FileError) << i;
  }
}

TEST(NativeImage, PlacesLieWithinTheCode) {
  const auto refused = [](auto&& change) {
    NativeImage image = sample();
    change(image);
    EXPECT_THROW(decode_image(encode(image)), bytecode::FileError);
  };
  refused([](NativeImage& image) { image.end = 11; });
  refused([](NativeImage& image) { image.steps[1].offset = 7; });
  refused([](NativeImage& image) { std::swap(image.steps[0].offset, image.steps[1].offset); });
  refused([](NativeImage& image) { image.entries[0].offset = 7; });
  refused([](NativeImage& image) { image.exits[0].offset = 7; });
}

}  // namespace
}  // namespace ember::tiers
