// Native reduction loops against the reference: an expression element by element, combined in 16 lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "ops/base/isa.h"
#include "ops/eager/eager.h"
#include "tiers/emit/strip_loop.h"

namespace ember::tiers {
namespace {

using ops::DType;
using ops::Ex;
using ops::ReduceKind;
using ops::Tensor;
using ops::Verb;

ops::Expr expression(DType in, DType out) {
  ops::ExprBuilder b;
  Ex x = b.input(0, in), y = b.input(1, in);
  Ex value = in == DType::Bool ? binary(Verb::Xor, x, y) : is_float(in) ? unary(Verb::Exp, x - y) * y : x * y - x;
  return b.finish({out == in ? value : convert(value, out)});
}

Tensor numbers(DType dtype, int64_t n, uint32_t seed) {
  std::mt19937 random(seed);
  Tensor t = Tensor::empty(dtype, {n});
  ops::dispatch(dtype, [&]<class T>() {
    for (int64_t i = 0; i < n; ++i) {
      double x = std::uniform_real_distribution<double>(-4, 4)(random);
      if constexpr (std::is_floating_point_v<T>) t.data_as<T>()[i] = static_cast<T>(x);
      if constexpr (std::is_integral_v<T>) t.data_as<T>()[i] = static_cast<T>(static_cast<int64_t>(x) > 0 ? x : -x);
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (n == 0) return;
      if (seed % 5 == 0) t.data_as<T>()[n / 3] = -0.0;
      if (seed % 5 == 1) t.data_as<T>()[n / 2] = NAN;
    }
  });
  return t;
}

// The lanes of n elements, or nothing if there is no native form.
bool run(const ops::Expr& expr, uint64_t uniform, ReduceKind kind, const Tensor& x, const Tensor& y, void* lanes) {
  std::string why;
  gc::Ref<CodeBlock> block = compile_reduce_loop(expr, uniform, kind, &why);
  if (!block) return false;
  void* places[] = {x.data(), y.data(), nullptr};
  reinterpret_cast<ops::ReduceLoop>(reinterpret_cast<uintptr_t>(block->address()))(x.numel(), places, lanes);
  return true;
}

uint64_t canonical(DType dtype, const std::byte* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, itemsize(dtype));
  if (dtype == DType::Float32 && (bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FC00000;
  if (dtype == DType::Float64 && (bits & INT64_MAX) > 0x7FF0000000000000) return 0x7FF8000000000000;
  return bits;
}

void check(DType in, DType out, ReduceKind kind, uint64_t uniform, int64_t n, int* compiled) {
  ops::Expr expr = expression(in, out);
  uint32_t seed = static_cast<uint32_t>(n + static_cast<int64_t>(kind));
  Tensor x = numbers(in, n, seed), y = numbers(in, uniform & 2 ? 1 : n, seed + 7);
  alignas(64) std::byte lanes[16 * 8], want[16 * 8];
  if (!run(expr, uniform, kind, x, y, lanes)) return;
  ++*compiled;
  Tensor whole = Tensor::empty(out, {n});
  ops::View operands[] = {{x.data(), &x.layout()}, {y.data(), &y.layout()}}, result{whole.data(), &whole.layout()};
  ops::run_expression_reference(expr, operands, {&result, 1});
  const ops::ReduceKernels& kernels = ops::reduce_kernels(kind, out);
  kernels.identity(want, 16);
  size_t size = itemsize(out);
  for (int64_t i = 0; i < n; ++i)
    kernels.merge(want + static_cast<size_t>(i % 16) * size, whole.data_as<std::byte>() + static_cast<size_t>(i) * size,
                  1);
  for (size_t j = 0; j < 16; ++j)
    EXPECT_EQ(canonical(out, lanes + j * size), canonical(out, want + j * size))
        << name(in) << " to " << name(out) << ", kind " << static_cast<int>(kind) << ", lane " << j << " of " << n;
}

class ReduceLoops : public testing::TestWithParam<ops::Isa> {};

TEST_P(ReduceLoops, KeepTheOrderOfSixteenLanes) {
  ops::Isa before = ops::isa();
  if (!ops::set_isa(GetParam())) GTEST_SKIP() << "the CPU lacks " << name(GetParam());
  const std::pair<DType, DType> dtypes[] = {{DType::Float32, DType::Float32}, {DType::Float64, DType::Float64},
                                            {DType::Float64, DType::Float32}, {DType::Float32, DType::Float64},
                                            {DType::Int32, DType::Int32},     {DType::Int64, DType::Int64},
                                            {DType::Bool, DType::Bool},       {DType::Float32, DType::Bool}};
  int compiled = 0;
  for (auto [in, out] : dtypes) {
    for (ReduceKind kind :
         {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max, ReduceKind::Min, ReduceKind::All, ReduceKind::Any}) {
      if (out != DType::Bool && (kind == ReduceKind::All || kind == ReduceKind::Any)) continue;
      for (uint64_t uniform : {0, 2})
        for (int64_t n : {0, 32, 96, 1024}) check(in, out, kind, uniform, n, &compiled);
    }
  }
  EXPECT_GT(compiled, 150);
  ops::set_isa(before);
}

INSTANTIATE_TEST_SUITE_P(Isas, ReduceLoops, testing::Values(ops::Isa::Avx2, ops::Isa::Avx512),
                         [](const auto& isa) { return std::string(ops::name(isa.param)); });

}  // namespace
}  // namespace ember::tiers
