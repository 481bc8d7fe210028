// Whole functions in native code against the interpreter: results, effects, exits and their reasons.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <thread>

#include "ops/base/interrupt.h"
#include "ops/base/isa.h"
#include "tests/vm/programs.h"
#include "tiers/code_cache.h"
#include "tiers/policy.h"
#include "tiers/tiers.h"
#include "vm/state/hooks.h"

namespace ember::tiers {
namespace {

using bytecode::DeoptReason;
using ops::Tensor;
using vm::iota;
using vm::Program;

const char* const kLoop = R"(
subgraph @f(%x: Tensor[Float32](3,), %w: Ref[Float32](3,)) {
  %0, %1 = While(%x, U, %w, condition=@cond, body=@body)
  %2 = Depend(%0, %1)
  Return(%2)
}
subgraph @cond(%t: Tensor[Float32](3,), %u: Token, %w: Ref[Float32](3,)) {
  %0 = ReduceSum(%t, axis=None, keep_dims=False)
  %1 = Less(%0, 1000.0)
  %2 = Item(%1)
  Return(%2)
}
subgraph @body(%t: Tensor[Float32](3,), %u: Token, %w: Ref[Float32](3,)) {
  %0 = Load(%w, %u)
  %1 = UpdateState(%u, %0)
  %2 = Add(%0, 1.0)
  %3 = Assign(%w, %2, %1)
  %4 = UpdateState(%1, %3)
  %5 = ReduceMax(%t, axis=None, keep_dims=False)
  %6 = Less(%5, 100.0)
  %7 = Item(%6)
  %8 = If(%7, %t, then=@slow, else=@fast)
  Return(%8, %4)
}
subgraph @slow(%t: Tensor[Float32](3,)) {
  %0 = Mul(%t, 2.0)
  Return(%0)
}
subgraph @fast(%t: Tensor[Float32](3,)) {
  %0 = Mul(%t, 3.0)
  Return(%0)
}
)";

const char* const kScalar = R"(
subgraph @f(%x: Tensor[Float32](4,), %k: Float) {
  %0 = Mul(%x, %k)
  Return(%0)
}
)";

class Native : public testing::Test {
 protected:
  void SetUp() override {
    if (ops::isa() == ops::Isa::Portable) GTEST_SKIP() << "the CPU has no AVX2";
    static const bool started = (start(), true);
    (void)started;
    options().enabled = false;
  }
  void TearDown() override { vm::hooks().deopt_every = 0; }

  static vm::FunctionBinding& compiled(Program& p, const std::vector<Tensor>& inputs) {
    std::vector<vm::Argument> arguments;
    for (const Tensor& t : inputs) arguments.push_back({&t, 0});
    vm::FunctionBinding* f = p.function->bind(arguments);
    std::string why;
    EXPECT_TRUE(compile(*f, &why)) << why;
    return *f;
  }
  static uint64_t count(const vm::FunctionBinding& f, DeoptReason reason) {
    return f.profile().deopts[static_cast<size_t>(reason)].get();
  }
};

struct LoopResult {
  std::vector<float> y, w;
  bool operator==(const LoopResult&) const = default;
};

LoopResult run_loop(Program& p, Tensor w) {
  Tensor y = p.run({iota({3}, 1), w});
  return {{y.data_as<float>(), y.data_as<float>() + 3}, {w.data_as<float>(), w.data_as<float>() + 3}};
}

TEST_F(Native, LoopsWithEffectsGiveTheInterpretersBits) {
  Program interpreted(kLoop), native(kLoop);
  LoopResult want = run_loop(interpreted, iota({3}));
  Tensor w = iota({3});
  vm::FunctionBinding& f = compiled(native, {iota({3}, 1), w});
  EXPECT_EQ(run_loop(native, iota({3})), want);
  EXPECT_EQ(f.profile().native_calls.get(), 1u);
  EXPECT_GT(want.w[0], 3.0f);
}

TEST_F(Native, ForcedExitsAtEveryChanceNeverRepeatAnEffect) {
  Program interpreted(kLoop);
  LoopResult want = run_loop(interpreted, iota({3}));
  for (uint32_t every = 1; every <= 12; ++every) {
    vm::hooks().deopt_every = every;
    Program native(kLoop);
    Tensor w = iota({3});
    vm::FunctionBinding& f = compiled(native, {iota({3}, 1), w});
    EXPECT_EQ(run_loop(native, iota({3})), want) << "an exit every " << every;
    EXPECT_GT(count(f, DeoptReason::Forced), 0u);
  }
}

TEST_F(Native, ThreadsCompileTogether) {
  options().enabled = true;
  Program interpreted(kLoop), shared(kLoop);
  const LoopResult want = run_loop(interpreted, iota({3}));
  std::atomic<int> wrong{0};
  const auto work = [&] {
    Program own(kLoop);
    Tensor w = iota({3});
    compiled(own, {iota({3}, 1), w});
    compiled(shared, {iota({3}, 1), w});
    for (int i = 0; i < 400; ++i) wrong += !(run_loop(i % 2 ? own : shared, iota({3})) == want);
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  }
  wait_for_compiler();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Native, LeavesAtASpeculatedBranchInTheMiddleOfALoop) {
  Program interpreted(kLoop), native(kLoop);
  LoopResult want = run_loop(interpreted, iota({3}));
  Tensor small = iota({3}, 1), w = iota({3});
  std::vector<vm::Argument> arguments = {{&small, 0}, {&w, 0}};
  vm::FunctionBinding* f = native.function->bind(arguments);
  uint32_t branches = f->function().branches;
  for (uint32_t b = 0; b < branches; ++b)
    for (int i = 0; i < 20; ++i) f->profile().taken[b].add();
  std::string why;
  ASSERT_TRUE(compile(*f, &why)) << why;
  EXPECT_EQ(run_loop(native, iota({3})), want);
  EXPECT_GE(count(*f, DeoptReason::BranchNotTaken), 1u);
  const gc::Ref<vm::Native> code = f->native();
  ASSERT_TRUE(code);
  for (const vm::NativeExit& exit : code->exits) {
    if (exit.reason == DeoptReason::BranchNotTaken) {
      EXPECT_GT(exit.pc, 0u);
    }
  }
}

TEST_F(Native, ANumberMayChangeFromCallToCall) {
  Program p(kScalar);
  Tensor x = iota({4}, 1);
  auto call = [&](double k) {
    vm::Argument arguments[] = {{&x, 0}, {nullptr, std::bit_cast<uint64_t>(k)}};
    std::vector<vm::Result> results;
    EXPECT_TRUE(p.function->call(arguments, &results));
    return results[0].tensor.data_as<float>()[3];
  };
  for (int i = 0; i < 12; ++i) EXPECT_EQ(call(2.5), 10.0f);
  vm::Argument arguments[] = {{&x, 0}, {nullptr, std::bit_cast<uint64_t>(2.5)}};
  vm::FunctionBinding* f = p.function->bind(arguments);
  std::string why;
  ASSERT_TRUE(compile(*f, &why)) << why;
  const uint64_t before = f->profile().native_calls.get();
  EXPECT_EQ(call(2.5), 10.0f);
  EXPECT_EQ(call(-1.0), -4.0f);
  EXPECT_EQ(f->profile().native_calls.get(), before + 2);
}

TEST_F(Native, AnotherShapeGoesBackToTheInterpreter) {
  Program p("symbols s0=4\nsubgraph @f(%x: Tensor[Float32](s0,)) {\n  %0 = Neg(%x)\n  Return(%0)\n}\n");
  vm::FunctionBinding& f = compiled(p, {iota({4})});
  EXPECT_EQ(p.run({iota({7})}).data_as<float>()[6], -6.0f);
  EXPECT_EQ(count(f, DeoptReason::ShapeChanged), 1u);
}

TEST_F(Native, AnErrorInACalleeIsRaisedWithItsReason) {
  Program p(R"(
subgraph @f(%x: Tensor[Float32](4,), %i: Tensor[Int64](2,)) {
  %0 = Gather(%x, %i, axis=0)
  Return(%0)
}
)");
  Tensor x = iota({4}), good = Tensor::full(ops::DType::Int64, {2}, 1), bad = Tensor::full(ops::DType::Int64, {2}, 9);
  vm::FunctionBinding& f = compiled(p, {x, good});
  EXPECT_EQ(p.run({x, good}).data_as<float>()[0], 1.0f);
  EXPECT_THROW(p.run({x, bad}), ops::OpError);
  EXPECT_EQ(count(f, DeoptReason::KernelFailed), 1u);
  EXPECT_EQ(p.run({x, good}).data_as<float>()[1], 1.0f);
}

TEST_F(Native, ACalleeIsCompiledWithItsCaller) {
  Program p(R"(
subgraph @f(%x: Tensor[Float32](4,)) {
  %0 = Call(%x, graph=@g)
  %1 = Call(%0, graph=@g)
  Return(%1)
}
shared subgraph @g(%x: Tensor[Float32](4,)) {
  %0 = Mul(%x, %x)
  Return(%0)
}
)");
  vm::FunctionBinding& f = compiled(p, {iota({4})});
  int callees = 0;
  for (const vm::Step& step : f.steps()) {
    if (step.kind != vm::Handler::Call) continue;
    EXPECT_TRUE(step.operands->callee->has_native());
    ++callees;
  }
  EXPECT_EQ(callees, 2);
  EXPECT_EQ(p.run({iota({4})}).data_as<float>()[3], 81.0f);
}

TEST_F(Native, AnInterruptStopsALoop) {
  Program p(kLoop);
  Tensor w = iota({3});
  vm::FunctionBinding& f = compiled(p, {iota({3}, 1), w});
  static int asked;
  asked = 0;
  ops::embedding().wants_to_stop = [] { return ++asked > 0; };
  Tensor zero = Tensor::full(ops::DType::Float32, {3}, 0);
  std::vector<vm::Argument> arguments = {{&zero, 0}, {&w, 0}};
  std::vector<vm::Result> results;
  EXPECT_THROW(p.function->call(arguments, &results), ops::Interrupted);
  ops::embedding().wants_to_stop = nullptr;
  EXPECT_EQ(count(f, DeoptReason::Interrupted), 1u);
}

TEST_F(Native, EvictionAndAChangedInstructionSetTakeTheCodeAway) {
  Program p(kScalar);
  Tensor x = iota({4}, 1);
  vm::Argument arguments[] = {{&x, 0}, {nullptr, 0}};
  vm::FunctionBinding* f = p.function->bind(arguments);
  std::string why;
  ASSERT_TRUE(compile(*f, &why)) << why;
  while (f->has_native()) ASSERT_TRUE(evict_one());
  EXPECT_EQ(count(*f, DeoptReason::Evicted), 1u);
  ASSERT_TRUE(compile(*f, &why)) << why;
  ASSERT_TRUE(tiers::set_isa(ops::isa()));
  EXPECT_FALSE(f->has_native());
  EXPECT_EQ(count(*f, DeoptReason::ConfigChanged), 1u);
}

}  // namespace
}  // namespace ember::tiers
