// The choice of instruction set: never more than the CPU has.
#include "ops/base/isa.h"

#include <gtest/gtest.h>

namespace ember::ops {
namespace {

TEST(Isa, NamesParseBack) {
  Isa parsed = Isa::Portable;
  bool tiles = true;
  for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
    EXPECT_TRUE(parse_isa(name(isa), &parsed, &tiles));
    EXPECT_EQ(parsed, isa);
    EXPECT_FALSE(tiles);
  }
  EXPECT_TRUE(parse_isa("amx", &parsed, &tiles));
  EXPECT_EQ(parsed, Isa::Avx512);
  EXPECT_TRUE(tiles);
  EXPECT_FALSE(parse_isa("sse9", &parsed, &tiles));
  EXPECT_EQ(parsed, Isa::Avx512);
}

TEST(Isa, TilesAreUsedOnlyWhereThereAreSome) {
  const bool before = amx();
  EXPECT_EQ(set_amx(true), has_amx());
  EXPECT_EQ(amx(), has_amx());
  EXPECT_EQ(isa_name(), has_amx() ? "amx" : name(isa()));
  EXPECT_TRUE(set_amx(false));
  EXPECT_FALSE(amx());
  EXPECT_EQ(isa_name(), name(isa()));
  EXPECT_EQ(set_amx(before), true);
}

TEST(Isa, FollowsTheCpu) {
#if defined(__x86_64__)
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(best_isa(), avx512 ? Isa::Avx512 : avx2 ? Isa::Avx2 : Isa::Portable);
#else
  EXPECT_EQ(best_isa(), Isa::Portable);
#endif
}

TEST(Isa, LowersButNeverRaises) {
  Isa before = isa();
  EXPECT_LE(before, best_isa());
  EXPECT_TRUE(set_isa(Isa::Portable));
  EXPECT_EQ(isa(), Isa::Portable);
  for (Isa more : {Isa::Avx2, Isa::Avx512}) {
    Isa current = isa();
    bool has = more <= best_isa();
    EXPECT_EQ(set_isa(more), has);
    EXPECT_EQ(isa(), has ? more : current);
  }
  set_isa(before);
}

}  // namespace
}  // namespace ember::ops
