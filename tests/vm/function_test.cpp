#include "vm/exec/function.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "ops/base/interrupt.h"
#include "ops/table/raised_error.h"
#include "tests/vm/programs.h"

namespace ember::vm {
namespace {

using ops::Tensor;

TEST(Function, RunsElementwise) {
  Program p(R"(
symbols s0=2
subgraph @f(%a: Tensor[Float32](s0, 3), %b: Tensor[Float32](s0, 3), %c: Tensor[Float32](s0, 3)) {
  %0 = Mul(%a, %b)
  %1 = Add(%0, %c)
  Return(%1)
}
)");
  Tensor a = iota({2, 3}), b = iota({2, 3}, 2), c = iota({2, 3}, -1);
  Tensor y = p.run({a, b, c});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(y.data_as<float>()[i], float(i) * float(i + 2) + float(i - 1));
}

TEST(Function, ServesOtherShapesWithTheSameCode) {
  Program p(R"(
symbols s0=2
subgraph @f(%a: Tensor[Float32](s0, 3)) {
  %0 = Mul(%a, %a)
  Return(%0)
}
)");
  for (int64_t rows : {2, 5, 7}) {
    Tensor y = p.run({iota({rows, 3})});
    EXPECT_EQ(y.shape(), (ops::Shape{rows, 3}));
    EXPECT_EQ(y.data_as<float>()[rows * 3 - 1], float((rows * 3 - 1) * (rows * 3 - 1)));
  }
  EXPECT_EQ(p.function->specialisations().size(), 3u);
}

TEST(Function, RefusesWhatItsTypesDoNotAdmit) {
  Program p(R"(
subgraph @f(%a: Tensor[Float32](2, 3)) {
  %0 = Neg(%a)
  Return(%0)
}
)");
  Tensor wrong = iota({3, 3});
  Argument argument{&wrong, 0};
  std::vector<Result> results;
  EXPECT_FALSE(p.function->call({&argument, 1}, &results));
}

// Bytecode that no graph would give, as in a hostile file: what is popped isn't what was pushed.
void refuses_pop(const std::string& pushed, const std::string& outputs, const std::string& types) {
  const std::string text = "subgraph @main(%x: Tensor[Float32](3,), %n: Int) {\n  %s = Stack()\n  %t = Push(%s, " +
                           pushed + ")\n  " + outputs + " = Pop(%t) : " + types + "\n  Return(%a)\n}\n";
  const bytecode::CodeRef code = bytecode::lower(bytecode::parse(text));
  bytecode::verify(*code);
  const auto function = gc::make<Function>(code);
  const ops::Tensor x = iota({3});
  std::vector<Result> results;
  EXPECT_THROW(function->call(std::vector<Argument>{{&x, 0}, {nullptr, 7}}, &results), ops::OpError) << text;
}

TEST(Function, PopsWhatWasPushed) {
  refuses_pop("%x", "%r, %a", "Stack, Int");
  refuses_pop("%x", "%r, %a", "Stack, Tensor[Float32](4,)");
  refuses_pop("%x", "%r, %a", "Stack, Tensor[Int32](3,)");
  refuses_pop("%x", "%r, %a, %b", "Stack, Tensor[Float32](3,), Int");
  refuses_pop("%n", "%r, %a", "Stack, Tensor[Float32](3,)");
  refuses_pop("%n", "%r, %a", "Stack, Bool");
  refuses_pop("%n", "%r, %s1, %a", "Stack, Stack, Int");
}

// What comes before an error has happened, in both tiers.
TEST(Function, RaisesWhatItHolds) {
  Program p(R"(
subgraph @f(%w: Ref[Float32](1,), %x: Tensor[Float32](1,)) {
  %0 = AssignAdd(%w, %x, U)
  %1 = UpdateState(U, %0)
  %2 = Less(%x, 3.0)
  %3 = Item(%2)
  %u1 = If(%3, %x, %1, then=@pass, else=@raise)
  %4 = Mul(%x, %x)
  %5 = Depend(%4, %u1)
  Return(%5)
}
subgraph @pass(%x: Tensor[Float32](1,), %u: Token) {
  Return(%u)
}
subgraph @raise(%x: Tensor[Float32](1,), %u: Token) {
  Raise(%x, %u, text="ValueError: {0}", number=5)          # user.py:4
  %1 = UpdateState(%u)
  Return(%1)
}
)");
  Tensor w = iota({1}), good = iota({1}, 2), bad = iota({1}, 4);
  EXPECT_EQ(p.run({w, good}).data_as<float>()[0], 4.0f);
  try {
    p.run({w, bad});
    FAIL();
  } catch (const ops::RaisedError& e) {
    EXPECT_STREQ(e.what(), "ValueError: [4.]\n  at user.py:4");
    EXPECT_EQ(e.number, 5);
    EXPECT_EQ(e.operands.at(0).data_as<float>()[0], 4.0f);
  }
  EXPECT_EQ(w.data_as<float>()[0], 6.0f);
}

// Functions that are called, and that call themselves, write a Parameter of the caller's.
TEST(Function, WritesOfCalleesAreItsOwn) {
  Program p(R"(
subgraph @f(%w: Ref[Float32](2,), %r: Ref[Float32](2,), %x: Tensor[Float32](2,), %n: Tensor[Float32](1,)) {
  %u = Call(%r, %w, %x, %n, U, graph=@g)
  %0 = Mul(%x, 2.0)
  %1 = Depend(%0, %u)
  Return(%1)
}
shared subgraph @g(%r: Ref[Float32](2,), %w: Ref[Float32](2,), %x: Tensor[Float32](2,), %n: Tensor[Float32](1,), %u: Token) {
  %0 = Less(%n, 1.0)
  %1 = Item(%0)
  %2 = If(%1, %r, %w, %x, %n, %u, then=@end, else=@more)
  Return(%2)
}
subgraph @end(%r: Ref[Float32](2,), %w: Ref[Float32](2,), %x: Tensor[Float32](2,), %n: Tensor[Float32](1,), %u: Token) {
  %0 = Load(%r, %u)
  %1 = UpdateState(%u, %0)
  %2 = Assign(%w, %0, %1)
  %3 = UpdateState(%1, %2)
  Return(%3)
}
subgraph @more(%r: Ref[Float32](2,), %w: Ref[Float32](2,), %x: Tensor[Float32](2,), %n: Tensor[Float32](1,), %u: Token) {
  %0 = Sub(%n, 1.0)
  %1 = Call(%r, %w, %x, %0, %u, graph=@g) : Token
  Return(%1)
}
)");
  Tensor w = iota({2}), r = iota({2}, 5), n = iota({1}, 3);
  const uint64_t written = w.storage()->version(), read = r.storage()->version();
  const Tensor y = p.run({w, r, w, n});  // %x shows %w's memory, and keeps what that holds when the call begins
  EXPECT_EQ(y.data_as<float>()[1], 2.0f);
  EXPECT_EQ(w.data_as<float>()[1], 6.0f);
  EXPECT_NE(w.storage()->version(), written);
  EXPECT_EQ(r.storage()->version(), read);
}

TEST(Function, LoopsOverATensorCondition) {
  Program p(R"(
subgraph @f(%x: Tensor[Float32](1,)) {
  %0 = While(%x, condition=@cond, body=@body)
  Return(%0)
}
subgraph @cond(%t: Tensor[Float32](1,)) {
  %0 = Less(%t, 100.0)
  %1 = Item(%0)
  Return(%1)
}
subgraph @body(%t: Tensor[Float32](1,)) {
  %0 = Mul(%t, 2.0)
  Return(%0)
}
)");
  Tensor x = iota({1}, 3);
  EXPECT_EQ(p.run({x}).data_as<float>()[0], 192.0f);
  EXPECT_EQ(x.data_as<float>()[0], 3.0f);
}

// A long loop, while another thread's calls evict what it runs on.
TEST(Function, LetsTheLockGoButForBriefCalls) {
  static int unlocked;
  unlocked = 0;
  ops::embedding().unlocked = [](void (*run)(void*), void* context) {
    ++unlocked;
    run(context);
  };
  Program p(R"(
symbols s0=2
subgraph @f(%a: Tensor[Float32](s0, 3)) {
  %0 = Neg(%a)
  Return(%0)
}
)");
  for (int64_t rows : {2, 3, 5000}) EXPECT_EQ(p.run({iota({rows, 3})}).data_as<float>()[3], -3);
  ops::embedding().unlocked = nullptr;
  EXPECT_EQ(unlocked, 1);
}

TEST(Function, IdleFramesGiveTheirMemoryBack) {
  Program p(R"(
symbols s0=2
subgraph @f(%a: Tensor[Float32](s0, s0)) {
  %0 = MatMul(%a, %a)
  %1 = MatMul(%0, %0)
  %2 = ReduceSum(%1, axis=None, keep_dims=False)
  Return(%2)
}
)");
  std::vector<float> sums;
  const auto run = [&](int64_t rows) { return p.run({iota({rows, rows})}).data_as<float>()[0]; };
  const size_t before = gc::stats().live;
  for (int64_t rows = 200; rows < 220; ++rows) sums.push_back(run(rows));
  EXPECT_GT(gc::stats().live, before + 200 * 200 * sizeof(float));
  EXPECT_LT(gc::stats().live, before + 4 * 220 * 220 * sizeof(float)) << "of the shape used last";
  gc::trim();
  EXPECT_LT(gc::stats().live, before + 200 * 200 * sizeof(float));
  for (int64_t rows = 200; rows < 220; ++rows) EXPECT_EQ(run(rows), sums[static_cast<size_t>(rows - 200)]);
  gc::trim();
  gc::set_limit(gc::stats().live + gc::stats().cached + (4 << 20));
  for (int64_t rows = 200; rows < 220; ++rows) EXPECT_EQ(run(rows), sums[static_cast<size_t>(rows - 200)]);
  gc::set_limit(0);
}

TEST(Function, KeepsASpecialisationThatRuns) {
  Program p(R"(
symbols s0=2
subgraph @f(%x: Tensor[Float32](s0,), %n: Int) {
  %0, %1 = While(%x, %n, condition=@more, body=@body)
  Return(%0)
}
subgraph @more(%t: Tensor[Float32](s0,), %i: Int) {
  %0 = Less(0, %i)
  Return(%0)
}
subgraph @body(%t: Tensor[Float32](s0,), %i: Int) {
  %0 = Add(%t, 1.0)
  %1 = Sub(%i, 1)
  Return(%0, %1)
}
)");
  const auto call = [&](int64_t size, int64_t trips) {
    const Tensor x = iota({size});
    const Argument arguments[] = {{&x, 0}, {nullptr, static_cast<uint64_t>(trips)}};
    std::vector<Result> results;
    EXPECT_TRUE(p.function->call(arguments, &results));
    return results[0].tensor.data_as<float>()[1];
  };
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int64_t size = 10; !done; size = size < 3000 ? size + 1 : 10) EXPECT_EQ(call(size, 1), 2.0f);
  });
  for (int round = 0; round < 4; ++round) EXPECT_EQ(call(3, 100'000), 100'001.0f);
  done = true;
  other.join();
  EXPECT_GT(p.function->evictions(), 0u);
}

}  // namespace
}  // namespace ember::vm
