#include <gtest/gtest.h>

#include <cstring>

#include "ops/base/parallel.h"
#include "tests/vm/programs.h"
#include "vm/state/hooks.h"

namespace ember::vm {
namespace {

using ops::DType;
using ops::Tensor;

struct Case {
  const char* name;
  const char* text;
  std::vector<ops::Shape> shapes;
  int epilogues;  // that are wanted
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"bias and activation",
     R"(
subgraph @f(%x: Tensor[Float32](130, 70), %w: Tensor[Float32](70, 90), %b: Tensor[Float32](90,)) {
  %0 = MatMulExt(%x, %w)
  %1 = Add(%0, %b)
  %2 = Exp(%1)
  Return(%2)
})",
     {{130, 70}, {70, 90}, {90}},
     1},
    {"an operand of the product is read again",
     R"(
subgraph @f(%a: Tensor[Float32](64, 64), %w: Tensor[Float32](64, 64)) {
  %z = Neg(%a)
  %0 = MatMulExt(%z, %w)
  %1 = Add(%0, %z)
  %2 = Neg(%1)
  %3 = MatMulExt(%2, %2)
  %4 = Sub(%2, %3)
  Return(%4)
})",
     {{64, 64}, {64, 64}},
     2},
    {"the product is a result too",
     R"(
subgraph @f(%x: Tensor[Float32](50, 33), %w: Tensor[Float32](33, 40)) {
  %0 = MatMulExt(%x, %w)
  %1 = Neg(%0)
  %2 = Exp(%1)
  Return(%0, %2)
})",
     {{50, 33}, {33, 40}},
     1},
    {"a reshape between",
     R"(
subgraph @f(%x: Tensor[Float32](6, 20, 33), %w: Tensor[Float32](33, 40)) {
  %0 = MatMulExt(%x, %w)
  %1 = Reshape(%0, shape=(6, 20, 4, 10))
  %2 = Mul(%1, %1)
  %3 = Reshape(%0, shape=(6, 20, 4, 10))
  %4 = Add(%2, %3)
  Return(%4)
})",
     {{6, 20, 33}, {33, 40}},
     1},
    {"a transposition between",
     R"(
subgraph @f(%x: Tensor[Float32](60, 33), %w: Tensor[Float32](33, 40)) {
  %0 = MatMulExt(%x, %w)
  %1 = Transpose(%0, dims=(1, 0))
  %2 = Exp(%1)
  %3 = Neg(%2)
  Return(%3)
})",
     {{60, 33}, {33, 40}},
     0},
    {"another reader between",
     R"(
subgraph @f(%x: Tensor[Float32](64, 64)) {
  %0 = MatMulExt(%x, %x)
  %1 = Softmax(%0)
  %2 = Exp(%0)
  %3 = Neg(%2)
  %4 = MatMulExt(%1, %3)
  Return(%4)
})",
     {{64, 64}},
     1},
    {"gates",
     R"(
subgraph @f(%a: Tensor[Float32](64, 64), %b: Tensor[Float32](64, 64)) {
  %h = MatMulExt(%a, %b)
  %g = MatMulExt(%h, %b)
  %s = Sigmoid(%h)
  %t = Neg(%s)
  %r = MatMulExt(%t, %g)
  Return(%r)
})",
     {{64, 64}, {64, 64}},
     1},
    {"numbers",
     R"(
subgraph @f(%x: Tensor[Float32](60, 33), %w: Tensor[Float32](33, 40)) {
  %0 = MatMulExt(%x, %w)
  %1 = Mul(%0, 0.5)
  %2 = Add(%1, 3)
  %3 = Exp(%2)
  Return(%3)
})",
     {{60, 33}, {33, 40}},
     1},
    {"batch normalisation",
     R"(
subgraph @f(%x: Tensor[Float32](3, 5, 20, 20), %w: Tensor[Float32](5,), %b: Tensor[Float32](5,)) {
  %0, %m, %v = BatchNormWithStatistics(%x, %w, %b)
  %1 = Exp(%0)
  %2 = Add(%1, %x)
  Return(%2, %m, %v)
})",
     {{3, 5, 20, 20}, {5}, {5}},
     1},
    {"convolutions",
     R"(
subgraph @f(%x: Tensor[Float32](3, 9, 12, 13), %v: Tensor[Float32](70, 9, 3, 3), %w: Tensor[Float32](70, 35, 3, 3),
            %u: Tensor[Float32](40, 70, 1, 1), %b: Tensor[Float32](70,)) {
  %c = Reshape(%b, shape=(70, 1, 1))
  %0 = ConvForward(%x, %v, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = Mul(%0, %c)
  %2 = ReLU(%1)
  %3 = ConvForward(%2, %w, stride=(1,), pad=(1,), dilation=(1,), groups=2)
  %4 = Add(%3, %2)
  %5 = ReLU(%4)
  %6 = ConvForward(%5, %u, stride=(1,), pad=(0,), dilation=(1,), groups=1)
  %7 = Neg(%6)
  %8 = Exp(%7)
  %9 = ConvBackwardInput(%8, %u, input_size=(12, 13), stride=(1,), pad=(0,), dilation=(1,), groups=1)
  %10 = Mul(%9, %5)
  %11 = Add(%10, %c)
  %12 = ConvBackwardInput(%11, %w, input_size=(23, 25), stride=(2,), pad=(1,), dilation=(1,), groups=2)
  %13 = Neg(%12)
  %14 = Exp(%13)
  Return(%14)
})",
     {{3, 9, 12, 13}, {70, 9, 3, 3}, {70, 35, 3, 3}, {40, 70, 1, 1}, {70}},
     5},
    {"convolution of each channel",
     R"(
subgraph @f(%x: Tensor[Float32](2, 40, 9, 13), %v: Tensor[Float32](40, 1, 3, 3), %w: Tensor[Float32](80, 1, 3, 3),
            %u: Tensor[Float32](16, 80, 3, 3)) {
  %0 = ConvForward(%x, %v, stride=(1,), pad=(1,), dilation=(1,), groups=40)
  %1 = Neg(%0)
  %2 = ReLU(%1)
  %3 = ConvForward(%2, %w, stride=(1,), pad=(1,), dilation=(1,), groups=40)
  %4 = Neg(%3)
  %5 = ReLU(%4)
  %6 = ConvForward(%5, %u, stride=(2,), pad=(1,), dilation=(1,), groups=1)
  %7 = Neg(%6)
  %8 = Exp(%7)
  Return(%8)
})",
     {{2, 40, 9, 13}, {40, 1, 3, 3}, {80, 1, 3, 3}, {16, 80, 3, 3}},
     3},
    {"two products",
     R"(
subgraph @f(%x: Tensor[Float32](60, 33), %w: Tensor[Float32](33, 40), %v: Tensor[Float32](33, 40)) {
  %0 = MatMulExt(%x, %w)
  %1 = MatMulExt(%x, %v)
  %2 = Exp(%0)
  %3 = Mul(%2, %1)
  Return(%3)
})",
     {{60, 33}, {33, 40}, {33, 40}},
     1},
    {"batches and a shared column",
     R"(
subgraph @f(%x: Tensor[Float32](3, 40, 20), %w: Tensor[Float32](3, 20, 50), %c: Tensor[Float32](3, 40, 1)) {
  %0 = MatMulExt(%x, %w)
  %1 = Mul(%0, %c)
  %2 = Sub(%1, %c)
  Return(%2)
})",
     {{3, 40, 20}, {3, 20, 50}, {3, 40, 1}},
     1},
    {"a vector, and nothing to sum",
     R"(
subgraph @f(%x: Tensor[Float32](2000,), %w: Tensor[Float32](2000, 1500), %e: Tensor[Float32](40, 0),
            %g: Tensor[Float32](0, 30)) {
  %0 = MatMulExt(%x, %w)
  %1 = Exp(%0)
  %2 = Neg(%1)
  %3 = MatMulExt(%w, %2)
  %4 = Abs(%3)
  %5 = Neg(%4)
  %6 = MatMulExt(%e, %g)
  %7 = Exp(%6)
  %8 = Neg(%7)
  Return(%5, %8)
})",
     {{2000}, {2000, 1500}, {40, 0}, {0, 30}},
     3},
    {"other dtypes",
     R"(
subgraph @f(%x: Tensor[Float32](60, 33), %w: Tensor[Float32](33, 40)) {
  %a = Cast(%x, dtype=Float16)
  %b = Cast(%w, dtype=Float16)
  %0 = MatMulExt(%a, %b)
  %1 = Exp(%0)
  %2 = Cast(%1, dtype=Float32)
  %c = Cast(%x, dtype=Float64)
  %d = Cast(%w, dtype=Float64)
  %3 = MatMulExt(%c, %d)
  %4 = Neg(%3)
  %5 = Cast(%4, dtype=Float32)
  Return(%2, %5)
})",
     {{60, 33}, {33, 40}},
     2},
};

class Epilogues : public testing::TestWithParam<Case> {
 protected:
  ~Epilogues() override {
    ops::set_threads(threads_);
    hooks().shadow = false;
  }
  static Tensor values(const ops::Shape& shape, int seed) {
    Tensor t = Tensor::empty(DType::Float32, shape);
    for (int64_t i = 0; i < t.numel(); ++i)
      t.data_as<float>()[i] = static_cast<float>((i * 37 + seed * 11) % 101 - 50) / 64.0f;
    return t;
  }

  const int threads_ = ops::threads();
};

// Bound for shadow mode, every step runs by itself.
TEST_P(Epilogues, GiveTheBitsOfStepsApart) {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < GetParam().shapes.size(); ++i)
    inputs.push_back(values(GetParam().shapes[i], static_cast<int>(i)));
  const Program apart(GetParam().text);
  hooks().shadow = true;
  const std::vector<Result> expected = apart.call(inputs);
  hooks().shadow = false;
  for (int threads : {1, 2, 3, 7}) {
    ops::set_threads(threads);
    const Program p(GetParam().text);
    for (int call = 0; call < 2; ++call) {
      const std::vector<Result> results = p.call(inputs);
      ASSERT_EQ(results.size(), expected.size());
      for (size_t i = 0; i < results.size(); ++i) {
        const Tensor &got = results[i].tensor, &wanted = expected[i].tensor;
        ASSERT_EQ(got.shape(), wanted.shape());
        EXPECT_EQ(std::memcmp(got.data(), wanted.data(), got.layout().bytes()), 0)
            << threads << " threads, result " << i;
      }
    }
    int epilogues = 0;
    for (const Step& step : p.function->specialisations().at(0).function->steps())
      epilogues += step.kind == Handler::Kernel && step.operands->epilogue;
    EXPECT_EQ(epilogues, GetParam().epilogues);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Epilogues, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace ember::vm
