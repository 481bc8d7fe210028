// The emulator itself: how it reads instructions, what it refuses, and its arithmetic.
#include "tests/tiers/amx_emulator.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "ops/base/isa.h"
#include "tiers/assembler.h"
#include "tiers/code_cache.h"

namespace ember::amx {
namespace {

using namespace Xbyak::util;
using tiers::Assembler;

struct Configuration {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(Configuration) == 64);

class Amx : public testing::Test {
 protected:
  void SetUp() override {
    if (ops::has_amx()) GTEST_SKIP() << "the CPU does it itself";
  }

  // Runs what `emit` writes between a configuration and its release, with `memory` in rdi.
  void run(const std::function<void(Assembler&)>& emit, void* memory) {
    Assembler a(ops::Isa::Avx2);
    for (const Xbyak::Reg64& r : {rbx, rbp, r12, r13, r14, r15}) a.push(r);
    a.mov(rax, reinterpret_cast<uint64_t>(&configuration_));
    a.ldtilecfg(a.ptr[rax]);
    emit(a);
    a.tilerelease();
    for (const Xbyak::Reg64& r : {r15, r14, r13, r12, rbp, rbx}) a.pop(r);
    a.ret();
    const gc::Ref<tiers::CodeBlock> code = tiers::CodeCache::instance().add(a.finish(), {"tiles"});
    reinterpret_cast<void (*)(void*)>(reinterpret_cast<uintptr_t>(code->address()))(memory);
  }

  const AmxEmulator emulator_;
  Configuration configuration_;
};

struct Memory {
  uint8_t from[16 * 8 * 64], to[16 * 8 * 64];
};

TEST_F(Amx, ReadsEveryFormOfAddress) {
  const Xbyak::Reg64 registers[] = {rax, rcx, rdx, rbx, rbp, rsi, r8, r9, r10, r11, r12, r13, r14, r15};
  Memory memory;
  for (size_t i = 0; i < sizeof memory.from; ++i) memory.from[i] = static_cast<uint8_t>(i * 7 + i / 64);
  int tile = 0;
  for (const Xbyak::Reg64& base : registers) {
    for (const Xbyak::Reg64& index : registers) {
      if (base.getIdx() == index.getIdx()) continue;
      for (int scale : {1, 2, 4, 8}) {
        for (int64_t displacement : {0, 8, -128, 5000}) {
          std::memset(memory.to, 0, sizeof memory.to);
          const Xbyak::Tmm t(tile = (tile + 1) % 8);
          run(
              [&](Assembler& a) {
                a.mov(base, reinterpret_cast<uint64_t>(memory.from) - static_cast<uint64_t>(displacement));
                a.mov(index, 64);
                a.tileloadd(t, a.ptr[base + index * scale + static_cast<int>(displacement)]);
                a.mov(base, reinterpret_cast<uint64_t>(memory.to) - static_cast<uint64_t>(displacement));
                a.tilestored(a.ptr[base + index * scale + static_cast<int>(displacement)], t);
              },
              nullptr);
          for (int r = 0; r < 16; ++r) {
            const int at = r * 64 * scale;
            ASSERT_EQ(std::memcmp(memory.to + at, memory.from + at, 64), 0)
                << base.toString() << " " << index.toString() << " " << scale << " " << displacement;
          }
        }
      }
    }
  }
}

TEST_F(Amx, TilesAreTheThreadsUntilTheyAreReleased) {
  Memory memory;
  std::memset(memory.from, 1, sizeof memory.from);
  run(
      [&](Assembler& a) {
        a.mov(rax, 64);
        a.tileloadd(Xbyak::Tmm(3), a.ptr[rdi + rax]);
        a.tilezero(Xbyak::Tmm(3));
        a.lea(rdi, a.ptr[rdi + sizeof memory.from]);
        a.tilestored(a.ptr[rdi + rax], Xbyak::Tmm(3));
      },
      &memory);
  for (int i = 0; i < 1024; ++i) ASSERT_EQ(memory.to[i], 0);
  EXPECT_EQ(AmxEmulator::configured(), 0);
}

TEST_F(Amx, RefusesWhatHardwareRefuses) {
  const auto nothing = [](Assembler&) {};
  const auto expect = [&](const char* why) { EXPECT_DEATH(run(nothing, nullptr), why); };
  configuration_.rows[2] = 17;
  expect("more than 16 rows");
  configuration_ = {};
  configuration_.row_bytes[7] = 65;
  expect("more than 64 bytes a row");
  configuration_ = {};
  configuration_.row_bytes[7] = 0;
  expect("rows without bytes");
  configuration_ = {};
  configuration_.palette = 2;
  expect("palette beyond 1");
  configuration_ = {};
  configuration_.reserved[5] = 1;
  expect("reserved bytes");
  configuration_ = {};
  configuration_.rows[8] = 1;
  expect("rows of a tile that does not exist");
  configuration_ = {};
  const auto product = [](Assembler& a) { a.tdpbf16ps(Xbyak::Tmm(0), Xbyak::Tmm(1), Xbyak::Tmm(2)); };
  EXPECT_DEATH(run([&](Assembler& a) { a.tilerelease(), product(a); }, nullptr), "without a configuration");
  EXPECT_DEATH(run([&](Assembler& a) { a.tdpbf16ps(Xbyak::Tmm(0), Xbyak::Tmm(1), Xbyak::Tmm(1)); }, nullptr),
               "a tile twice");
  configuration_.rows[1] = 8;
  EXPECT_DEATH(run(product, nullptr), "rows of C are not those of A");
  configuration_ = {};
  configuration_.row_bytes[1] = 32;
  EXPECT_DEATH(run(product, nullptr), "columns of A are not the rows of B");
  configuration_ = {};
  configuration_.row_bytes[2] = 32;
  EXPECT_DEATH(run(product, nullptr), "columns of C are not those of B");
  configuration_ = {};
  configuration_.rows[2] = 0;
  configuration_.row_bytes[2] = 0;
  EXPECT_DEATH(run(product, nullptr), "leaves out");
}

TEST_F(Amx, LeavesOtherInstructionsToOthers) { EXPECT_EXIT(__builtin_trap(), testing::KilledBySignal(SIGILL), ""); }

// Rounded once to 24 bits, however far the exponent goes; what is then subnormal is zero.
float rounded(__float128 exact) {
  if (exact == 0) return 0;
  int exponent = 0;
  __float128 scaled = exact < 0 ? -exact : exact;
  while (scaled >= 2) scaled /= 2, ++exponent;
  while (scaled < 1) scaled *= 2, --exponent;
  const __float128 units = scaled * (1 << 23);
  int64_t whole = static_cast<int64_t>(units);
  const __float128 rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)) ++whole;
  const double magnitude = std::ldexp(static_cast<double>(whole), exponent - 23);
  if (magnitude < 0x1p-126) return 0;
  return static_cast<float>(exact < 0 ? -magnitude : magnitude);
}
__float128 flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? 0 : static_cast<__float128>(x); }

TEST_F(Amx, RoundsOnceAndTakesSubnormalsForZeros) {
  std::mt19937 random(1);
  const auto number = [&](uint32_t mask, int lowest, int highest) {
    const uint32_t exponent = static_cast<uint32_t>(std::uniform_int_distribution<int>(lowest, highest)(random));
    return std::bit_cast<float>(((static_cast<uint32_t>(random()) & 0x807FFFFF) | exponent << 23) & mask);
  };
  for (int i = 0; i < 200000; ++i) {
    const bool tiny = i % 2 == 0;
    const float a = number(0xFFFF0000, tiny ? 50 : 100, tiny ? 70 : 150);
    const float b = number(0xFFFF0000, tiny ? 50 : 100, tiny ? 70 : 150);
    const float c = number(0xFFFFFFFF, tiny ? 0 : 80, tiny ? 20 : 170);
    const float want = rounded(static_cast<__float128>(a) * b + flushed(c));
    ASSERT_EQ(std::fabs(tile_fma(a, b, c)), std::fabs(want)) << a << " " << b << " " << c;
    const float d = number(0xFFFFFFFF, tiny ? 0 : 80, tiny ? 20 : 170);
    ASSERT_EQ(tile_add(c, d), rounded(flushed(c) + flushed(d))) << c << " " << d;
  }
  EXPECT_EQ(tile_fma(0x1p-70f, 0x1p-70f, 0), 0);
  EXPECT_EQ(tile_add(0x1p-126f, -0x1.8p-126f), 0);
  EXPECT_EQ(tile_fma(1, 1, 0x1p-24f), 1);
  EXPECT_EQ(tile_fma(1, 1, 0x1.8p-23f), 0x1.000004p0f);
}

}  // namespace
}  // namespace ember::amx
