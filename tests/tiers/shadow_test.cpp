// Shadow mode finds a wrong kernel of native code wherever it runs, names the instruction, and does effects once.
#include "vm/exec/shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "ops/eager/eager.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/matmul/gemm.h"
#include "ops/simd/emitted.h"
#include "tests/vm/programs.h"
#include "tiers/emit/strip_loop.h"
#include "tiers/tiers.h"
#include "vm/state/hooks.h"

namespace ember::tiers {
namespace {

using ops::Tensor;
using vm::iota;

constexpr int64_t kCount = 1000;  // too many elements to be inline

const char* const kNested = R"(
subgraph @f(%x: Tensor[Float32](1000,), %w: Ref[Float32](1000,), %n: Int) {
  %0, %1, %2 = While(%x, %n, U, %w, condition=@more, body=@body)
  %3 = Depend(%0, %2)
  Return(%3)
}
subgraph @more(%t: Tensor[Float32](1000,), %i: Int, %u: Token, %w: Ref[Float32](1000,)) {
  %0 = Less(0, %i)
  Return(%0)
}
subgraph @body(%t: Tensor[Float32](1000,), %i: Int, %u: Token, %w: Ref[Float32](1000,)) {
  %v = Load(%w, %u)
  %a = UpdateState(%u, %v)
  %b = Add(%v, 1.0)
  %0 = Assign(%w, %b, %a)
  %1 = UpdateState(%a, %0)
  %2 = Call(%t, graph=@inner)
  %3 = ReduceMax(%2, axis=None, keep_dims=False)
  %4 = Less(%3, 0.0)
  %5 = Item(%4)
  %6 = If(%5, %2, then=@low, else=@high)
  %7 = Sub(%i, 1)
  Return(%6, %7, %1)
}
shared subgraph @inner(%t: Tensor[Float32](1000,)) {
  %0 = Mul(%t, 0.5)
  %1 = Add(%0, 3.25)                     # model.py:7
  %2 = ReduceSum(%1, axis=None, keep_dims=True)
  %3 = Sub(%1, %2)
  Return(%3)
}
subgraph @low(%t: Tensor[Float32](1000,)) {
  %0 = Sub(%t, 2.0)
  Return(%0)
}
subgraph @high(%t: Tensor[Float32](1000,)) {
  Return(%t)
}
)";

// The loop that is replaced, and the first element of the input for which the one in its place is wrong.
ops::StripLoop right_loop = nullptr;
float fatal = 0;

void wrong_loop(int64_t n, void* const* places) {
  right_loop(n, places);
  if (*static_cast<float*>(places[0]) == fatal) static_cast<float*>(places[3])[2] *= 2;
}

class Shadow : public testing::Test {
 protected:
  void SetUp() override {
    if (ops::isa() == ops::Isa::Portable) GTEST_SKIP() << "the CPU has no AVX2";
    static const bool started = (start(), true);
    (void)started;
    options() = {.enabled = true, .eagerness = 0, .background = false, .speculate = false};
    vm::hooks().shadow = true;
  }
  void TearDown() override {
    vm::hooks().shadow = false;
    options() = {.enabled = false};
  }

  static std::vector<vm::Result> call(vm::Program& p, const Tensor& x, const Tensor& w, int64_t n) {
    vm::Argument arguments[] = {{&x, 0}, {&w, 0}, {nullptr, static_cast<uint64_t>(n)}};
    std::vector<vm::Result> results;
    EXPECT_TRUE(p.function->call(arguments, &results));
    return results;
  }
  static std::string complaint(const std::function<void()>& run) {
    testing::internal::CaptureStderr();
    try {
      run();
    } catch (const vm::ShadowMismatch& e) {
      EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string(e.what()) + "\n");
      return e.what();
    }
    testing::internal::GetCapturedStderr();
    return "";
  }
  static const vm::PreparedOperands* find(const vm::FunctionBinding& f, vm::Handler kind) {
    for (const vm::Step& s : f.steps())
      if (s.kind == kind) return s.operands;
    return nullptr;
  }
};

TEST_F(Shadow, IsSilentAndDoesEffectsOnce) {
  vm::Program p(kNested);
  Tensor w = Tensor::full(ops::DType::Float32, {kCount}, 0);
  const std::vector<vm::Result> first = call(p, iota({kCount}), w, 4);
  EXPECT_EQ(w.data_as<float>()[17], 4.0f);
  Tensor x = iota({kCount});
  vm::Argument arguments[] = {{&x, 0}, {&w, 0}, {nullptr, 4}};
  EXPECT_TRUE(p.function->bind(arguments)->has_native());
  vm::hooks().shadow = false;
  const std::vector<vm::Result> plain = call(p, iota({kCount}), w, 4);
  EXPECT_EQ(w.data_as<float>()[17], 8.0f);
  EXPECT_EQ(std::memcmp(first[0].tensor.data(), plain[0].tensor.data(), kCount * sizeof(float)), 0);
}

TEST_F(Shadow, NamesTheInstructionOfACalleeInALaterTrip) {
  vm::Program p(kNested);
  Tensor x = iota({kCount}), w = Tensor::full(ops::DType::Float32, {kCount}, 0);
  vm::Argument arguments[] = {{&x, 0}, {&w, 0}, {nullptr, 4}};
  vm::FunctionBinding* f = p.function->bind(arguments);
  vm::FunctionBinding* inner = find(*f, vm::Handler::Call)->callee;
  std::string why;
  ASSERT_TRUE(compile(*inner, &why)) << why;
  const vm::PreparedOperands* operands = find(*inner, vm::Handler::Program);
  const ops::StripSchedule& schedule = operands->program->schedule(0b110, false);
  auto& slot = schedule.loops[static_cast<size_t>(ops::isa())];
  ASSERT_TRUE(slot.get());
  const Tensor after_two = call(p, x, w, 2)[0].tensor;
  std::memset(w.data(), 0, kCount * sizeof(float));
  fatal = after_two.data_as<float>()[0];
  const gc::Ref<CodeBlock> right = compile_strip_loop(operands->program->expr(), 0b110, &why);
  right_loop = reinterpret_cast<ops::StripLoop>(reinterpret_cast<uintptr_t>(right->address()));
  slot.set(wrong_loop, {});
  const std::string said = complaint([&] { call(p, x, w, 4); });
  slot.set(right_loop, right);
  EXPECT_EQ(w.data_as<float>()[17], 4.0f);
  EXPECT_NE(said.find("native code of inner differs from the interpreter: "), std::string::npos) << said;
  EXPECT_NE(said.find(" differs in 1 of 1000 elements, first in number 2: "), std::string::npos) << said;
  EXPECT_NE(said.find("= Fused {Convert Mul Convert Add} "), std::string::npos) << said;
  EXPECT_NE(said.find("\n  at model.py:7"), std::string::npos) << said;
}

void wrong_gemm(const ops::Tile<float>& tile) {
  for (int64_t i = 0; i < tile.rows; ++i)
    for (int64_t j = 0; j < tile.columns; ++j) tile.c[i * tile.c_row + j] = 1;
}

TEST_F(Shadow, NamesAMatmulWhoseKernelIsWrong) {
  vm::Program p(R"(
subgraph @f(%a: Tensor[Float32](40, 40), %b: Tensor[Float32](40, 40)) {
  %0 = Neg(%a)
  %1 = MatMul(%0, %b)
  %2 = Exp(%1)
  Return(%2)
}
)");
  auto& installed = ops::emitted_kernels().gemm[static_cast<size_t>(ops::isa())];
  const ops::GemmKernel* const right = installed.load();
  const ops::GemmKernel wrong{ops::gemm_kernel().mr, ops::gemm_kernel().nr, wrong_gemm};
  installed.store(&wrong);
  const std::string said = complaint([&] { p.run({iota({40, 40}), iota({40, 40})}); });
  installed.store(right);
  EXPECT_NE(said.find("= Apply MatMulExt "), std::string::npos) << said;
  EXPECT_EQ(complaint([&] { p.run({iota({40, 40}), iota({40, 40})}); }), "");
}

void wrong_split(int64_t, const uint32_t*, const uint32_t*, float* c, int64_t ldc, int64_t rows, int64_t columns,
                 bool) {
  for (int64_t i = 0; i < rows * ops::kBf16Tile; ++i) std::fill_n(c + i * ldc, columns * ops::kBf16Tile, 1.0f);
}

TEST_F(Shadow, NamesAMatmulOfPartsWhoseKernelIsWrong) {
  vm::Program p(R"(
subgraph @f(%a: Tensor[Float32](200, 130), %b: Tensor[Float32](130, 200)) {
  %0 = MatMul(%a, %b)
  Return(%0)
}
)");
  const auto rows = [](const ops::Bf16x3Rows&, int64_t) {};
  const ops::Bf16x3Kernel wrong{[](int64_t) {}, [] {}, wrong_split, wrong_split, rows, rows};
  ops::emitted_kernels().bf16x3.store(&wrong);
  const std::string said = complaint([&] { p.run({iota({200, 130}), iota({130, 200})}); });
  ops::emitted_kernels().bf16x3.store(nullptr);
  EXPECT_NE(said.find("= Apply MatMulExt "), std::string::npos) << said;
}

TEST_F(Shadow, KeepsTheRandomStream) {
  vm::Program p(R"(
subgraph @f(%x: Tensor[Float32](1000,)) {
  %0 = RandomKey(U)
  %1 = UpdateState(U, %0)
  %2 = Dropout(%x, %0, p=0.5, training=True)
  %3 = Depend(%2, %1)
  Return(%3)
}
)");
  ops::process_stream().seed(5);
  const Tensor first = p.run({iota({kCount})}), second = p.run({iota({kCount})});
  const int64_t next = ops::next_random_key();
  ops::process_stream().seed(5);
  EXPECT_EQ(ops::next_random_key() + 2, next);
  EXPECT_NE(std::memcmp(first.data(), second.data(), kCount * sizeof(float)), 0);
}

TEST_F(Shadow, PassesErrorsOn) {
  vm::Program p(R"(
subgraph @f(%x: Tensor[Float32](4,), %i: Tensor[Int64](2,)) {
  %0 = Gather(%x, %i, axis=0)
  Return(%0)
}
)");
  EXPECT_THROW(p.run({iota({4}), Tensor::full(ops::DType::Int64, {2}, 9)}), ops::OpError);
  EXPECT_EQ(p.run({iota({4}), Tensor::full(ops::DType::Int64, {2}, 3)}).data_as<float>()[0], 3.0f);
}

}  // namespace
}  // namespace ember::tiers
