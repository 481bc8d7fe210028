// Packed copies of a function's Parameters and constants (ops/matmul/packed_cache.h): in each tier they are used, and
// never one that the function, or somebody else, has written since.
#include "ops/matmul/packed_cache.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bytecode/transforms/transforms.h"
#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/table/raised_error.h"
#include "tests/vm/programs.h"
#include "tiers/tiers.h"
#include "vm/state/hooks.h"

namespace ember::tiers {
namespace {

using ops::Tensor;
using vm::iota;
using vm::Program;

enum class Tier { Interpreter, Native, Shadow };

class PackedFunction : public testing::TestWithParam<Tier> {
 protected:
  void SetUp() override {
    if (GetParam() != Tier::Interpreter && ops::isa() == ops::Isa::Portable) GTEST_SKIP() << "the CPU has no AVX2";
    static const bool started = (start(), true);
    (void)started;
    options().enabled = false;
    vm::hooks().shadow = GetParam() == Tier::Shadow;
  }
  void TearDown() override { vm::hooks().shadow = false; }

  static std::vector<Tensor> call(Program& p, const std::vector<Tensor>& inputs) {
    std::vector<vm::Argument> arguments;
    for (const Tensor& t : inputs) arguments.push_back({&t, 0});
    std::string why;
    EXPECT_TRUE(GetParam() == Tier::Interpreter || compile(*p.function->bind(arguments), &why)) << why;
    std::vector<Tensor> results;
    for (const vm::Result& r : p.call(inputs)) results.push_back(r.tensor);
    return results;
  }
};

// Without a copy: of a Tensor that is seen once.
Tensor product(const Tensor& x, const Tensor& w) {
  Tensor copy = Tensor::empty(w.dtype(), w.shape());
  copy_into(w, copy);
  return std::get<Tensor>(ops::run(ops::op("matmul"), {{ops::Value(x), ops::Value(copy)}}, {})[0]);
}

void equal(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.layout().bytes()), 0);
}

uint64_t used() { return ops::packed_totals().used; }

const char* const kProduct = R"(
subgraph @f(%w: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40)) {
  %0 = Load(%w, U)
  %1 = MatMulExt(%x, %0)
  Return(%1)
}
)";

TEST_P(PackedFunction, UsesACopyUntilSomebodyWrites) {
  Program p(kProduct);
  const Tensor w = iota({40, 33}), x = iota({9, 40});
  for (int round = 0; round < 3; ++round) {
    const uint64_t before = used();
    for (int i = 0; i < 4; ++i) equal(call(p, {w, x})[0], product(x, w));
    EXPECT_EQ(used(), before + 2);
    const gc::WriteScope writing(*w.storage());
    w.data_as<float>()[5] += 1;
  }
}

TEST_P(PackedFunction, OfViewsHaveTheirOwn) {
  Program p(kProduct);
  const Tensor both = iota({41, 33}), x = iota({9, 40});
  const ops::LayoutRef layout = ops::layout(ops::DType::Float32, {40, 33});
  const Tensor first = both.view(layout), second = both.view(layout, 33 * sizeof(float));
  for (int i = 0; i < 4; ++i) {
    equal(call(p, {first, x})[0], product(x, first));
    equal(call(p, {second, x})[0], product(x, second));
  }
  EXPECT_EQ(ops::packed_stats(*both.storage()).copies, 2u);
}

TEST_P(PackedFunction, ATurnedParameterIsPackedAsWell) {
  Program p(R"(
subgraph @f(%w: Ref[Float32](33, 40), %x: Tensor[Float32](9, 40)) {
  %0 = Load(%w, U)
  %1 = Transpose(%0, dims=(1, 0))
  %2 = MatMulExt(%x, %1)
  Return(%2)
}
)");
  const Tensor w = iota({33, 40}), x = iota({9, 40});
  const Tensor transposed = w.view(ops::layout(ops::DType::Float32, {40, 33}, {1, 40}));
  const uint64_t before = used();
  for (int i = 0; i < 4; ++i) equal(call(p, {w, x})[0], product(x, transposed));
  EXPECT_EQ(used(), before + 2);
}

// What the function writes is not copied at all, before and after the write.
const char* const kWrites = R"(
subgraph @f(%w: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40), %v: Tensor[Float32](40, 33)) {
  %0 = Load(%w, U)
  %1 = MatMulExt(%x, %0)
  %2 = UpdateState(U, %1)
  %3 = AssignAdd(%w, %v, %2)
  %4 = UpdateState(%2, %3)
  %5 = Load(%w, %4)
  %6 = MatMulExt(%x, %5)
  Return(%1, %6)
}
)";

TEST_P(PackedFunction, WritesBetweenTwoUses) {
  Program p(kWrites), reads(kProduct);
  const Tensor w = iota({40, 33}), x = iota({9, 40}), v = iota({40, 33}, 2);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 3; ++i) call(reads, {w, x});  // there is a copy of w
    const Tensor before = product(x, w);
    const auto results = call(p, {w, x, v});
    equal(results[0], before);
    equal(results[1], product(x, w));
    equal(call(reads, {w, x})[0], product(x, w));
  }
}

// Two Parameters that share memory, of which one is written.
TEST_P(PackedFunction, WritesWhatAnotherParameterShows) {
  Program p(R"(
subgraph @f(%w: Ref[Float32](40, 33), %o: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40), %v: Tensor[Float32](40, 33)) {
  %3 = AssignAdd(%w, %v, U)
  %4 = UpdateState(U, %3)
  %5 = Load(%o, %4)
  %6 = MatMulExt(%x, %5)
  Return(%6)
}
)"),
      reads(kProduct);
  const Tensor w = iota({40, 33}), x = iota({9, 40}), v = iota({40, 33}, 2);
  for (int i = 0; i < 3; ++i) {
    call(reads, {w, x});
    const Tensor y = call(p, {w, w, x, v})[0];
    equal(y, product(x, w));
    equal(call(reads, {w, x})[0], product(x, w));
  }
}

// The write is in a function that is called, as is the use.
TEST_P(PackedFunction, CallsFunctionsThatWriteAndUse) {
  Program p(R"(
subgraph @f(%w: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40), %v: Tensor[Float32](40, 33)) {
  %1, %2 = Call(%w, %x, U, graph=@use)
  %3 = Call(%w, %v, %2, graph=@write)
  %4, %5 = Call(%w, %x, %3, graph=@use)
  Return(%1, %4)
}
shared subgraph @use(%w: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40), %u: Token) {
  %0 = Load(%w, %u)
  %1 = UpdateState(%u, %0)
  %2 = MatMulExt(%x, %0)
  Return(%2, %1)
}
shared subgraph @write(%w: Ref[Float32](40, 33), %v: Tensor[Float32](40, 33), %u: Token) {
  %1 = AssignAdd(%w, %v, %u)
  %2 = UpdateState(%u, %1)
  Return(%2)
}
)"),
      reads(R"(
subgraph @f(%w: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40)) {
  %1, %2 = Call(%w, %x, U, graph=@use)
  %3, %4 = Call(%w, %1, %x, %2, graph=@more)
  Return(%3)
}
shared subgraph @use(%w: Ref[Float32](40, 33), %x: Tensor[Float32](9, 40), %u: Token) {
  %0 = Load(%w, %u)
  %1 = UpdateState(%u, %0)
  %2 = MatMulExt(%x, %0)
  Return(%2, %1)
}
shared subgraph @more(%w: Ref[Float32](40, 33), %y: Tensor[Float32](9, 33), %x: Tensor[Float32](9, 40), %u: Token) {
  %0, %1 = Call(%w, %x, %u, graph=@use)
  %2 = Sub(%0, %y)
  Return(%2, %1)
}
)");
  const Tensor w = iota({40, 33}), x = iota({9, 40}), v = iota({40, 33}, 2);
  ASSERT_EQ(p.code->functions.size(), 3u);
  for (int round = 0; round < 3; ++round) {
    const uint64_t uses = used(), version = w.storage()->version();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(call(reads, {w, x})[0].data_as<float>()[7], 0.0f);
    EXPECT_EQ(w.storage()->version(), version);
    EXPECT_EQ(used(), uses + 4);
    const Tensor before = product(x, w);
    const auto results = call(p, {w, x, v});
    EXPECT_NE(w.storage()->version(), version);
    equal(results[0], before);
    equal(results[1], product(x, w));
  }
}

TEST_P(PackedFunction, AnErrorAfterAWriteLeavesNoCopy) {
  Program p(R"(
subgraph @f(%w: Ref[Float32](40, 33), %x: Tensor[Float32](1,), %v: Tensor[Float32](40, 33)) {
  %0 = AssignAdd(%w, %v, U)
  %1 = UpdateState(U, %0)
  Raise(%x, %1, text="ValueError: {0}", number=5)
  %3 = UpdateState(%1)
  %4 = Mul(%x, %x)
  %5 = Depend(%4, %3)
  Return(%5)
}
)"),
      reads(kProduct);
  const Tensor w = iota({40, 33}), x = iota({9, 40}), one = iota({1}), v = iota({40, 33}, 2);
  for (int i = 0; i < 3; ++i) call(reads, {w, x});
  EXPECT_EQ(ops::packed_stats(*w.storage()).copies, 1u);
  EXPECT_THROW(call(p, {w, one, v}), ops::RaisedError);
  equal(call(reads, {w, x})[0], product(x, w));
}

TEST_P(PackedFunction, ConstantsArePacked) {
  const Tensor w = iota({40, 33}), x = iota({9, 40});
  bytecode::Module module = bytecode::parse(kProduct);
  bytecode::freeze(module, {{0, w}});
  bytecode::optimise(module);
  const auto function = gc::make<vm::Function>(bytecode::lower(module));
  const vm::Argument argument{&x, 0};
  const uint64_t before = used();
  for (int i = 0; i < 4; ++i) {
    std::vector<vm::Result> results;
    ASSERT_TRUE(function->call({&argument, 1}, &results));
    equal(results[0].tensor, product(x, w));
  }
  EXPECT_EQ(used(), before + 2);
}

INSTANTIATE_TEST_SUITE_P(Tiers, PackedFunction, testing::Values(Tier::Interpreter, Tier::Native, Tier::Shadow),
                         [](const auto& tier) {
                           return std::string(tier.param == Tier::Interpreter ? "Interpreter"
                                              : tier.param == Tier::Native    ? "Native"
                                                                              : "Shadow");
                         });

}  // namespace
}  // namespace ember::tiers
