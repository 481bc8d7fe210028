// Native strip loops against the reference: every elementwise op of the table, lengths with every tail, uniform
// operands.
#include "tiers/emit/strip_loop.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "ops/base/isa.h"
#include "ops/eager/eager.h"
#include "ops/program/program.h"
#include "tiers/tiers.h"

namespace ember::tiers {
namespace {

using ops::DType;
using ops::Tensor;

// The dtype of an input; float32 for one that the expression does not read.
DType dtype_of_input(const ops::Expr& expr, uint16_t i) {
  for (const ops::ExprNode& node : expr.nodes)
    if (node.verb == ops::Verb::Input && node.bits == i) return node.dtype;
  return DType::Float32;
}

void fill(Tensor& t, std::mt19937_64& random) {
  static const double special[] = {0.0,  -0.0, 1.0, -1.0,   INFINITY, -INFINITY, NAN,   1e-40,  3e38,
                                   -0.5, 88.8, 1e9, 1e-310, 5e-324,   -1.7e308,  1e150, -65504, 6e-8};
  for (int64_t i = 0; i < t.numel(); ++i) {
    double x = std::uniform_real_distribution<double>(-6, 6)(random);
    if (random() % 8 == 0 && is_float(t.dtype())) x = special[random() % std::size(special)];
    ops::dispatch(t.dtype(), [&]<class T>() {
      if constexpr (std::is_same_v<T, ops::Half> || std::is_same_v<T, ops::BFloat16>)
        t.data_as<T>()[i] = T(static_cast<float>(x));
      else if constexpr (std::is_same_v<T, bool>)
        t.data_as<T>()[i] = x > 0;
      else if constexpr (std::is_floating_point_v<T>)
        t.data_as<T>()[i] = static_cast<T>(x);
      else
        t.data_as<T>()[i] = static_cast<T>(static_cast<int64_t>(x));
    });
  }
}

template <class T>
bool nan(const Tensor& t, int64_t i) {
  return std::isnan(static_cast<float>(t.data_as<T>()[i]));
}

// Equal bits, with all NaNs alike.
bool equal(const Tensor& a, const Tensor& b) {
  size_t size = itemsize(a.dtype());
  for (int64_t i = 0; i < a.numel(); ++i) {
    if (std::memcmp(a.data_as<char>() + i * size, b.data_as<char>() + i * size, size) == 0) continue;
    bool nans =
        (a.dtype() == DType::Float32 && std::isnan(a.data_as<float>()[i]) && std::isnan(b.data_as<float>()[i])) ||
        (a.dtype() == DType::Float64 && std::isnan(a.data_as<double>()[i]) && std::isnan(b.data_as<double>()[i])) ||
        (a.dtype() == DType::Float16 && nan<ops::Half>(a, i) && nan<ops::Half>(b, i)) ||
        (a.dtype() == DType::BFloat16 && nan<ops::BFloat16>(a, i) && nan<ops::BFloat16>(b, i));
    if (!nans) return false;
  }
  return true;
}

// Runs the loop over n elements; operands in `uniform` have one.
void check(const ops::Op& op, const ops::Expr& expr, uint64_t uniform, int64_t n, int* compiled) {
  std::string why;
  gc::Ref<CodeBlock> block = compile_strip_loop(expr, uniform, &why);
  if (!block) return;
  ++*compiled;
  std::mt19937_64 random(static_cast<uint64_t>(n) * 31 + uniform);
  std::vector<Tensor> in, out, want;
  std::vector<ops::View> in_views, want_views;
  std::vector<void*> places;
  for (uint16_t i = 0; i < expr.inputs; ++i) {
    in.push_back(Tensor::empty(dtype_of_input(expr, i), {uniform >> i & 1 ? 1 : n}));
    fill(in.back(), random);
  }
  for (const Tensor& t : in) {
    places.push_back(t.data());
    in_views.push_back({t.data(), &t.layout()});
  }
  for (ops::NodeId id : expr.outputs) {
    DType dtype = expr.nodes[id].dtype;
    out.push_back(Tensor::full(dtype, {n + 8}, 1));
    want.push_back(Tensor::full(dtype, {n}, 0));
  }
  for (size_t o = 0; o < out.size(); ++o) {
    places.push_back(out[o].data());
    want_views.push_back({want[o].data(), &want[o].layout()});
  }
  ops::run_expression_reference(expr, in_views, want_views);
  reinterpret_cast<ops::StripLoop>(reinterpret_cast<uintptr_t>(block->address()))(n, places.data());
  for (size_t o = 0; o < out.size(); ++o) {
    Tensor got = out[o].view(ops::layout(out[o].dtype(), {n}));
    EXPECT_TRUE(equal(got, want[o])) << op.name << " of " << name(dtype_of_input(expr, 0)) << ", n=" << n
                                     << ", uniform=" << uniform << "\n"
                                     << to_string(expr);
    size_t size = itemsize(got.dtype());
    Tensor ones = Tensor::full(got.dtype(), {8}, 1);
    EXPECT_EQ(std::memcmp(out[o].data_as<char>() + static_cast<size_t>(n) * size, ones.data(), 8 * size), 0)
        << op.name << " wrote past the end, n=" << n;
  }
}

class StripLoops : public testing::TestWithParam<ops::Isa> {};

TEST_P(StripLoops, GiveTheReferencesBitsForEveryElementwiseOp) {
  ops::Isa before = ops::isa();
  if (!ops::set_isa(GetParam())) GTEST_SKIP() << "the CPU lacks " << name(GetParam());
  int compiled = 0;
  for (const ops::Op& op : ops::all_ops()) {
    if (!op.elementwise()) continue;
    for (DType dtype :
         {DType::Float32, DType::Float64, DType::Int32, DType::Int64, DType::Bool, DType::Float16, DType::BFloat16}) {
      for (const ops::Sample& sample : op.samples()) {
        ops::Types types;
        for (const auto& operand : sample.operands)
          types.push_back(operand.absent ? ops::Type::token() : ops::Type::tensor(dtype, {}));
        std::vector<std::pair<std::string_view, ops::Attr>> named;
        for (const auto& [key, value] : sample.attrs) named.push_back({key, value});
        gc::Ref<const ops::Program> program;
        try {
          program = ops::program(op, types, ops::make_attrs(op, named));
        } catch (const ops::OpError&) {
          continue;
        }
        const ops::Expr& expr = program->expr();
        for (int64_t n : {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 70}) check(op, expr, 0, n, &compiled);
        check(op, expr, 1, 19, &compiled);
        if (expr.inputs > 1) check(op, expr, 2, 19, &compiled);
      }
    }
  }
  EXPECT_GT(compiled, 1000);
  ops::set_isa(before);
}

// Runs x * factor + 2.5 often enough for native code; how often it was run before there was some, or 0.
int runs_until_native(float factor) {
  ops::ExprBuilder b;
  const ops::Ex x = b.input(0, DType::Float32);
  const gc::Ref<const ops::Program> program = ops::Program::of(b.finish({x * factor + 2.5}));
  const Tensor in = Tensor::empty(DType::Float32, {10000}), first = Tensor::empty(DType::Float32, {10000});
  for (int64_t i = 0; i < in.numel(); ++i) in.data_as<float>()[i] = static_cast<float>(i) * 0.37f;
  const ops::View read{in.data(), &in.layout()}, written{first.data(), &first.layout()};
  program->run({&read, 1}, {&written, 1});
  const auto& loop = program->schedule(0, false).loops[static_cast<size_t>(ops::isa())];
  for (int i = 1; i < 1000; ++i) {
    if (loop.get()) return i;
    const Tensor out = Tensor::empty(DType::Float32, {10000});
    const ops::View again{out.data(), &out.layout()};
    program->run({&read, 1}, {&again, 1});
    EXPECT_TRUE(equal(out, first)) << "after " << i << " runs";
  }
  return 0;
}

TEST(LoopDemand, ProgramsOnTheirOwnGetNativeCodeOnceItPays) {
  if (ops::isa() == ops::Isa::Portable) GTEST_SKIP() << "the CPU has no AVX2";
  static const bool started = (start(), true);
  (void)started;
  const Options before = options();
  options() = {.enabled = true};
  EXPECT_GT(runs_until_native(1.25f), 6) << "after fewer elements than are ever enough";
  options().eagerness = 0;
  EXPECT_EQ(runs_until_native(1.5f), 7);
  options().enabled = false;
  EXPECT_EQ(runs_until_native(1.75f), 0);
  options() = before;
}

INSTANTIATE_TEST_SUITE_P(Isas, StripLoops, testing::Values(ops::Isa::Avx2, ops::Isa::Avx512),
                         [](const auto& isa) { return std::string(ops::name(isa.param)); });

}  // namespace
}  // namespace ember::tiers
