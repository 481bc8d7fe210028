// The choice of instruction set: never more than the CPU has.
#include "ops/isa.h"

#include <gtest/gtest.h>

namespace ember::ops {
namespace {

TEST(Isa, NamesParseBack) {
  for (Isa each : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
    Isa parsed = Isa::Portable;
    EXPECT_TRUE(parse_isa(name(each), &parsed));
    EXPECT_EQ(parsed, each);
  }
  Isa parsed = Isa::Avx2;
  EXPECT_FALSE(parse_isa("sse9", &parsed));
  EXPECT_EQ(parsed, Isa::Avx2);
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
