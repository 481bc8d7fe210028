// Module files: what is saved comes back, and no damage of a file does more than an error.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "bytecode/code/bytes.h"
#include "bytecode/code/module_file.h"
#include "bytecode/transforms/transforms.h"
#include "tests/bytecode/code_support.h"

namespace ember::bytecode {
namespace {

std::vector<std::byte> sample() { return encode(*test::lowered(test::kSampleModule)); }

// True if decoding ends in one of the two errors that it may end in.
bool refused(std::span<const std::byte> bytes) {
  try {
    decode_module(bytes);
  } catch (const FileError&) {
    return true;
  } catch (const VerifyError&) {
    return true;
  }
  return false;
}

std::string message(std::span<const std::byte> bytes) {
  try {
    decode_module(bytes);
  } catch (const FileError& e) {
    return e.what();
  }
  return "";
}

TEST(ModuleFile, Checksum) {
  const char digits[] = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(digits, 9))), 0xE3069283u);
  EXPECT_EQ(crc32c({}), 0u);
}

TEST(ModuleFile, ComesBackEqual) {
  const CodeRef code = test::lowered(test::kSampleModule);
  const std::vector<std::byte> bytes = encode(*code);
  const CodeRef again = decode_module(bytes);
  EXPECT_EQ(disassemble(*again), disassemble(*code));
  EXPECT_EQ(encode(*again), bytes);
  ASSERT_EQ(again->constants.size(), 1u);
  EXPECT_EQ(again->constants[0].data_as<float>()[1], 2.0f);
}

TEST(ModuleFile, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = sample();
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_TRUE(refused(std::span(bytes).first(size))) << size;
}

TEST(ModuleFile, EveryChangedByteIsRefused) {
  std::vector<std::byte> bytes = sample();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
      bytes[i] ^= flip;
      EXPECT_TRUE(refused(bytes)) << i;
      bytes[i] ^= flip;
    }
  }
}

// With checksums made right again, a changed byte may mean another valid module; it must not do worse.
TEST(ModuleFile, ChangedBytesBehindTheChecksumsDoNoHarm) {
  const std::vector<std::byte> original = sample();
  for (size_t i = kTableEnd; i < original.size(); ++i) {
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x40}, std::byte{0xFF}}) {
      std::vector<std::byte> bytes = original;
      bytes[i] ^= flip;
      SectionEntry table[kSectionCount];
      std::memcpy(table, bytes.data() + sizeof(FileHeader), sizeof(table));
      for (SectionEntry& entry : table) entry.checksum = crc32c(std::span(bytes).subspan(entry.offset, entry.size));
      std::memcpy(bytes.data() + sizeof(FileHeader), table, sizeof(table));
      const uint32_t checksum = table_checksum(bytes);
      std::memcpy(bytes.data() + offsetof(FileHeader, checksum), &checksum, sizeof(checksum));
      const bool harmless = refused(bytes) || !disassemble(*decode_module(bytes)).empty();
      EXPECT_TRUE(harmless);
    }
  }
}

TEST(ModuleFile, ErrorsSayWhatIsWrong) {
  std::vector<std::byte> bytes = sample();
  EXPECT_EQ(message({}), "module file: this is no emberjit module");
  std::vector<std::byte> newer = bytes;
  newer[offsetof(FileHeader, version)] = std::byte{9};
  EXPECT_EQ(message(newer), "module file: version 9; this emberjit reads version 5");
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_NE(message(longer).find("bytes and has"), std::string::npos);
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(message(bytes), "module file: section state: checksum differs");
}

constexpr const char* kStep = R"(symbols s0=4
subgraph @step(%x: Tensor[Float32](s0,), %w: Ref[Float32](1,), %b: Ref[Float32](1,)) {
  %0 = Load(%w, U) : Tensor[Float32](1,)
  %1 = Load(%b, U) : Tensor[Float32](1,)
  %2 = Add(%0, %1)
  %3 = Assign(%w, %2, U)
  %4 = UpdateState(U, %3)
  Return(%2)
}
)";

TEST(ModuleFile, WhatIsWrittenIsState) {
  Module module = parse(kStep);
  const ops::Tensor one = ops::Tensor::full(ops::DType::Float32, {1}, 1);
  freeze(module, {{1, one}, {2, one}});
  const CodeRef code = lower(module);
  ASSERT_EQ(code->state.size(), 1u);
  EXPECT_EQ(code->state[0].first, 1u);
  EXPECT_EQ(code->functions[code->entry].param_names, (std::vector<std::string>{"x", "w"}));
  EXPECT_EQ(code->constants.size(), 1u);
  const CodeRef again = decode_module(encode(*code));
  EXPECT_EQ(encode(*again), encode(*code));
  EXPECT_EQ(again->state[0].second.data_as<float>()[0], 1.0f);
  EXPECT_NE(disassemble(*again).find("state w\n"), std::string::npos);
}

TEST(ModuleFile, StateIsOfParameters) {
  const auto refused_with = [](State state) {
    Code code;
    test::copy(*test::lowered(kStep), code);
    code.state = std::move(state);
    return refused(encode(code));
  };
  const ops::Tensor one = ops::Tensor::full(ops::DType::Float32, {1}, 1);
  EXPECT_FALSE(refused_with({{1, one}, {2, one}}));
  EXPECT_TRUE(refused_with({{3, one}}));
  EXPECT_TRUE(refused_with({{0, one}}));
  EXPECT_TRUE(refused_with({{2, one}, {1, one}}));
  EXPECT_TRUE(refused_with({{1, one}, {1, one}}));
  EXPECT_TRUE(refused_with({{1, ops::Tensor::full(ops::DType::Int32, {1}, 1)}}));
  EXPECT_TRUE(refused_with({{1, ops::Tensor::full(ops::DType::Float32, {1, 1}, 1)}}));
}

TEST(ModuleFile, SavesAndLoads) {
  const std::string path = ::testing::TempDir() + "emberjit_module_" + std::to_string(::getpid());
  const CodeRef code = test::lowered(test::kSampleModule);
  save(*code, path);
  save(*code, path);
  EXPECT_EQ(encode(*load(path)), encode(*code));
  ::unlink(path.c_str());
  EXPECT_THROW(load(path), FileError);
  EXPECT_THROW(load(::testing::TempDir()), FileError);
  EXPECT_THROW(save(*code, "/nonexistent/module"), FileError);
}

}  // namespace
}  // namespace ember::bytecode
