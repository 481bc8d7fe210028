// Results that lie in the Parameters that they are assigned to give the bits of steps apart, which shadow mode runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "tests/vm/programs.h"
#include "vm/state/hooks.h"

namespace ember::vm {
namespace {

using ops::DType;
using ops::Tensor;

constexpr int64_t kSize = 48;

struct Case {
  const char* name;
  const char* body;  // of a graph of Refs %w, %v, %m and plain %x, %y, all of kSize by kSize; its last state is %s
  const char* result;
  int assignments;  // that are left to do
  int epilogues;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"a step",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = Sub(%l, %x)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%z", 0, 0},
    {"three results at once",
     R"(
  %l = Load(%w, U)
  %k = Load(%v, U)
  %j = Load(%m, U)
  %u = UpdateState(U, %l, %k, %j)
  %0 = Mul(%k, 0.875)
  %1 = Add(%0, %x)
  %2 = Mul(%x, %x)
  %3 = Add(%2, %j)
  %4 = Sqrt(%3)
  %5 = Div(%1, %4)
  %6 = Sub(%l, %5)
  %a = Assign(%v, %1, %u)
  %b = UpdateState(%u, %a)
  %c = Assign(%m, %3, %b)
  %d = UpdateState(%b, %c)
  %e = Assign(%w, %6, %d)
  %s = UpdateState(%d, %e))",
     "%z", 0, 0},
    {"a part",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %part = StridedSlice(%x, begin=(0,), end=(2,), strides=(1,))
  %n = SliceUpdate(%l, %part, begin=(5,), end=(7,), strides=(1,))
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%z", 0, 0},
    {"two parts and what they make",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %part = StridedSlice(%x, begin=(0,), end=(2,), strides=(1,))
  %m1 = SliceUpdate(%l, %part, begin=(5,), end=(7,), strides=(1,))
  %n = SliceUpdate(%m1, 2.0, begin=(6, 3), end=(40, 9), strides=(3, 2))
  %p = MatMulExt(%n, %y)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%p", 0, 0},
    {"a part of itself",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %part = StridedSlice(%l, begin=(0,), end=(47,), strides=(1,))
  %n = SliceUpdate(%l, %part, begin=(1,), end=(48,), strides=(1,))
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%z", 1, 0},
    {"a part and the old value between",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = SliceUpdate(%l, 1.0, begin=(1,), end=(48,), strides=(1,))
  %p = MatMulExt(%l, %n)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%p", 1, 0},
    {"a part and the old value before",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %p = MatMulExt(%l, %y)
  %n = SliceUpdate(%l, 1.0, begin=(1,), end=(48,), strides=(1,))
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%p", 0, 0},
    {"a part and the whole is a result",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = SliceUpdate(%l, 1.0, begin=(1,), end=(48,), strides=(1,))
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%n", 1, 0},
    {"a part that an epilogue would read too early",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %p = MatMulExt(%x, %y)
  %n = SliceUpdate(%l, 1.0, begin=(1,), end=(48,), strides=(1,))
  %q = Add(%p, %n)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%q", 0, 0},
    {"a part and then all of it",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = SliceUpdate(%l, 1.0, begin=(1,), end=(48,), strides=(1,))
  %a = Assign(%w, %n, %u)
  %b = UpdateState(%u, %a)
  %c = Assign(%w, %y, %b)
  %s = UpdateState(%b, %c)
  %p = MatMulExt(%n, %y))",
     "%p", 2, 0},
    {"the turned value",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %t = Transpose(%l, dims=(1, 0))
  %n = Sub(%t, %x)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%z", 1, 0},
    {"the new value is a result",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = Sub(%l, %x)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%n", 1, 0},
    {"the old value is read afterwards",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = Sub(%l, %x)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a)
  %k = Load(%w, %s)
  %p = MatMulExt(%l, %y)
  %q = Mul(%k, %p))",
     "%q", 0, 1},
    {"each from the other",
     R"(
  %l = Load(%w, U)
  %k = Load(%v, U)
  %u = UpdateState(U, %l, %k)
  %0 = Mul(%k, 2.0)
  %1 = Mul(%l, 3.0)
  %2 = Add(%1, %x)
  %a = Assign(%w, %0, %u)
  %b = UpdateState(%u, %a)
  %c = Assign(%v, %2, %b)
  %s = UpdateState(%b, %c))",
     "%z", 2, 0},
    {"after a product",
     R"(
  %p = MatMulExt(%x, %y)
  %q = MatMulExt(%y, %y)
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %0 = Mul(%p, 0.125)
  %n = Sub(%l, %0)
  %a = Assign(%w, %n, %u)
  %b = UpdateState(%u, %a)
  %k = Load(%v, %b)
  %c = UpdateState(%b, %k)
  %1 = Mul(%q, 0.125)
  %2 = Sub(%k, %1)
  %d = Assign(%v, %2, %c)
  %s = UpdateState(%c, %d))",
     "%z", 0, 0},
    {"after a product that reads it",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %p = MatMulExt(%x, %l)
  %n = Sub(%l, %p)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%z", 0, 0},
    {"another product reads it before",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %p = MatMulExt(%x, %y)
  %q = MatMulExt(%l, %y)
  %n = Sub(%l, %p)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%q", 0, 0},
    {"from what another step wrote",
     R"(
  %p = MatMulExt(%x, %y)
  %q = MatMulExt(%y, %y)
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = Sub(%l, %p)
  %a = Assign(%w, %n, %u)
  %b = UpdateState(%u, %a)
  %k = Load(%w, %b)
  %j = Load(%v, %b)
  %c = UpdateState(%b, %k, %j)
  %0 = Mul(%q, %k)
  %1 = Sub(%j, %0)
  %d = Assign(%v, %1, %c)
  %s = UpdateState(%c, %d))",
     "%z", 0, 0},
    {"each from the other at once",
     R"(
  %l = Load(%w, U)
  %k = Load(%v, U)
  %u = UpdateState(U, %l, %k)
  %0 = Mul(%k, 2.0)
  %1 = Mul(%l, 3.0)
  %2 = Add(%1, %x)
  %3 = Add(%0, %2)
  %a = Assign(%w, %0, %u)
  %b = UpdateState(%u, %a)
  %c = Assign(%v, %2, %b)
  %s = UpdateState(%b, %c))",
     "%3", 0, 0},
    {"before an error may be raised",
     R"(
  %p = MatMulExt(%x, %y)
  %i = Cast(%x, dtype=Int32)
  %g = Gather(%y, %i, axis=0)
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = Sub(%l, %p)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a))",
     "%g", 0, 0},
};

std::string program(const Case& c) {
  std::string text = "\nsubgraph @f(";
  for (const char* ref : {"%w", "%v", "%m"}) text += std::string(ref) + ": Ref[Float32](48, 48), ";
  return text + "%x: Tensor[Float32](48, 48), %y: Tensor[Float32](48, 48)) {" + c.body +
         "\n  %z = Neg(%y)\n  %r = Depend(" + c.result + ", %s)\n  Return(%r)\n}\n";
}

void fill(const Tensor& t, int seed) {
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data_as<float>()[i] = static_cast<float>((i * 37 + seed * 11) % 101 - 20) / 128.0f;
}

// The memory of the Refs, which are views of it, and the result.
using Bytes = std::vector<float>;

struct Operands {
  // Refs start `step` elements after each other.
  explicit Operands(int64_t step) : memory(Tensor::empty(DType::Float32, {3 * kSize * kSize})) {
    fill(memory, 1);
    const ops::LayoutRef square = ops::layout(DType::Float32, {kSize, kSize});
    for (int64_t r = 0; r < 3; ++r)
      tensors.push_back(step == kApart ? Tensor::empty(DType::Float32, {kSize, kSize})
                                       : memory.view(square, r * step * static_cast<int64_t>(sizeof(float))));
    for (int i = 0; i < 2; ++i) tensors.push_back(Tensor::empty(DType::Float32, {kSize, kSize}));
    for (int i = 0; i < 5; ++i)
      if (step == kApart || i > 2) fill(tensors[static_cast<size_t>(i)], i);
  }
  static constexpr int64_t kApart = -1;

  Bytes call(const Program& p) {
    std::vector<Result> results = p.call(tensors);
    Bytes all;
    for (const Tensor& t : {tensors[0], tensors[1], tensors[2], results.at(0).tensor})
      all.insert(all.end(), t.data_as<float>(), t.data_as<float>() + t.numel());
    return all;
  }

  Tensor memory;
  std::vector<Tensor> tensors;
};

class Updates : public testing::TestWithParam<Case> {
 protected:
  ~Updates() override {
    ops::set_threads(threads_);
    hooks().shadow = false;
  }
  const int threads_ = ops::threads();
};

TEST_P(Updates, GiveTheBitsOfStepsApart) {
  const std::string text = program(GetParam());
  for (int64_t step : {Operands::kApart, int64_t{0}, kSize * kSize / 2, int64_t{1}}) {
    hooks().shadow = true;
    const Bytes wanted = Operands(step).call(Program(text.c_str()));
    hooks().shadow = false;
    for (int threads : {1, 2, 3, 7}) {
      ops::set_threads(threads);
      const Program p(text.c_str());
      for (int call = 0; call < 2; ++call) {
        const Bytes got = Operands(step).call(p);
        ASSERT_EQ(std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(float)), 0)
            << threads << " threads, a step of " << step;
      }
    }
  }
}

int count(const Program& p, bool (*wanted)(const Step&)) {
  const FunctionBinding& bound = *p.function->specialisations().at(0).function;
  return static_cast<int>(std::count_if(bound.steps().begin(), bound.steps().end(), wanted));
}

bool assigns(const Step& s) { return s.kind == Handler::Kernel && s.operands->op->flags.has(ops::Flag::Assigns); }

TEST_P(Updates, AreDoneInPlaceWhereNobodySeesIt) {
  const Program p(program(GetParam()).c_str());
  Operands(Operands::kApart).call(p);
  EXPECT_EQ(count(p, assigns), GetParam().assignments);
  EXPECT_EQ(count(p, [](const Step& s) { return s.kind == Handler::Kernel && s.operands->epilogue != nullptr; }),
            GetParam().epilogues);
}

// Refs that came to share memory take another specialisation.
TEST(UpdatesOfMemory, AreApartWhereRefsShareIt) {
  const Program p(program(kCases[1]).c_str());
  Operands(Operands::kApart).call(p);
  EXPECT_EQ(count(p, assigns), 0);
  Operands(0).call(p);
  EXPECT_EQ(p.function->specialisations().size(), 2u);
  EXPECT_EQ(count(p, assigns), 3);
}

// A plain argument made from memory of outside, which is a Ref's, turned.
TEST(UpdatesOfMemory, AreMadeOfValuesOfCallTime) {
  const std::string text = program(kCases[0]);
  const auto call = [&] {
    Operands operands(Operands::kApart);
    const Tensor& w = operands.tensors[0];
    const gc::Ref<gc::Storage> outside = gc::adopt(w.data(), w.layout().bytes(), [] {});
    operands.tensors[3] = Tensor(outside, ops::layout(DType::Float32, {kSize, kSize}, {1, kSize}), 0);
    return operands.call(Program(text.c_str()));
  };
  hooks().shadow = true;
  const Bytes wanted = call();
  hooks().shadow = false;
  EXPECT_EQ(call(), wanted);
}

// The magnitude of Bools is the Bools themselves, so that one loop stores the old value beside the new one.
TEST(UpdatesOfMemory, AreApartFromTheOldValueBesideThem) {
  const char* text = R"(
subgraph @f(%w: Ref[Bool](64), %x: Tensor[Bool](64)) {
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = LogicalXor(%l, %x)
  %c = Abs(%l)
  %d = LogicalAnd(%n, %c)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a)
  %r = Depend(%c, %s)
  Return(%r, %d)
}
)";
  const Program p(text);
  const Tensor w = Tensor::empty(DType::Bool, {64}), x = Tensor::empty(DType::Bool, {64});
  for (int i = 0; i < 64; ++i) {
    w.data_as<bool>()[i] = i % 2 == 1;
    x.data_as<bool>()[i] = i % 3 == 1;
  }
  const std::vector<Result> results = p.call({w, x});
  EXPECT_EQ(count(p, assigns), 1);
  for (int i = 0; i < 64; ++i) {
    const bool old = i % 2 == 1, other = i % 3 == 1;
    EXPECT_EQ(w.data_as<bool>()[i], old != other);
    EXPECT_EQ(results.at(0).tensor.data_as<bool>()[i], old);
    EXPECT_EQ(results.at(1).tensor.data_as<bool>()[i], old != other && old);
  }
}

struct OverwriteCase {
  const char* name;
  const char* body;  // of a graph of %x and %y, kSize by kSize, whose first result overwrites %x
  const char* results;
  bool in_place;
};
void PrintTo(const OverwriteCase& c, std::ostream* out) { *out << c.name; }

const OverwriteCase kOverwriteCases[] = {
    {"a sum", "%n = Add(%x, %y)", "%n", true},
    {"not read", "%n = Mul(%y, 2.0)", "%n", true},
    {"another result beside", "%n = Add(%x, %y)\n  %m = Neg(%y)", "%n, %m", true},
    {"another result of the new value", "%n = Add(%x, %y)\n  %t = Transpose(%n, dims=(1, 0))", "%n, %t", false},
    {"turned", "%t = Transpose(%x, dims=(1, 0))\n  %n = Sub(%t, %y)", "%n", false},
    {"the old value is a result", "%n = Add(%x, %y)\n  %v = Reshape(%x, shape=(2304))", "%n, %v", false},
    {"read by a product afterwards", "%n = Add(%x, %y)\n  %p = MatMulExt(%x, %y)", "%n, %p", false},
    {"read by a product", "%p = MatMulExt(%x, %y)\n  %m = Neg(%p)\n  %n = Add(%x, %y)", "%n, %m", true},
    {"after a product", "%p = MatMulExt(%y, %y)\n  %n = Add(%x, %p)", "%n", false},
    {"before an error may be raised", "%i = Cast(%y, dtype=Int32)\n  %n = Add(%x, %y)\n  %g = Gather(%y, %i, axis=0)",
     "%n, %g", false},
    {"an operand", "%n = Identity(%y)", "%n", false},
};

class Overwrites : public testing::TestWithParam<OverwriteCase> {};

Bytes contents(const Tensor& t) {
  const Tensor dense = ops::clone(t);
  return {dense.data_as<float>(), dense.data_as<float>() + dense.numel()};
}

// The contents of all results of a call, in shadow mode or not.
std::vector<Bytes> results_of(const Program& p, const std::vector<Tensor>& operands) {
  std::vector<Bytes> all;
  for (const Result& r : p.call(operands)) all.push_back(contents(r.tensor));
  return all;
}

std::vector<Bytes> expected_of(const std::string& text, const std::vector<Tensor>& operands) {
  hooks().shadow = true;
  std::vector<Bytes> all = results_of(Program(text.c_str(), {{0, 0}}), operands);
  hooks().shadow = false;
  return all;
}

TEST_P(Overwrites, LieInTheArgumentWhereNothingElseSeesIt) {
  const OverwriteCase& c = GetParam();
  const std::string text =
      std::string("\nsubgraph @f(%x: Tensor[Float32](48, 48), %y: Tensor[Float32](48, 48)) {\n  ") + c.body +
      "\n  Return(" + c.results + ")\n}\n";
  const Program p(text.c_str(), {{0, 0}});
  for (int call = 0; call < 3; ++call) {
    std::vector<Tensor> arguments;
    for (int seed : {3, 4}) fill(arguments.emplace_back(Tensor::empty(DType::Float32, {kSize, kSize})), seed);
    const Bytes x = contents(arguments[0]), y = contents(arguments[1]);
    const std::vector<Bytes> expected = expected_of(text, arguments);
    const std::vector<Result> results = p.call(arguments);
    EXPECT_EQ(results[0].tensor.data() == arguments[0].data(), c.in_place);
    EXPECT_EQ(contents(arguments[0]), c.in_place ? expected[0] : x);
    EXPECT_EQ(contents(arguments[1]), y);
    for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(contents(results[i].tensor), expected[i]) << "result " << i;
    const std::vector<Tensor> twice = {arguments[1], arguments[1]};
    const std::vector<Bytes> wanted = expected_of(text, {arguments[1], ops::clone(arguments[1])});
    EXPECT_EQ(results_of(p, twice), wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Overwrites, testing::ValuesIn(kOverwriteCases), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

INSTANTIATE_TEST_SUITE_P(All, Updates, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

}  // namespace
}  // namespace ember::vm
