// Losses against values that MindSpore 2.10 gives, and what they refuse.
#include "ops/base/parallel.h"
#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

Tensor floats(const Shape& shape, std::vector<float> values) {
  Tensor t = Tensor::empty(DType::Float32, shape);
  std::copy(values.begin(), values.end(), t.data_as<float>());
  return t;
}

Tensor ints(const Shape& shape, std::vector<int32_t> values) {
  Tensor t = Tensor::empty(DType::Int32, shape);
  std::copy(values.begin(), values.end(), t.data_as<int32_t>());
  return t;
}

std::vector<float> loss(std::string_view name, std::vector<Value> operands, const Builder::Named& attrs = {}) {
  EagerBuilder b;
  operands.resize(op(name).name == "mse_loss" ? 2 : 3);
  const Tensor t = to_contiguous(std::get<Tensor>(b.call_all(name, operands, attrs)[0]));
  return {t.data_as<float>(), t.data_as<float>() + t.numel()};
}

void expect_near(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6f * std::max(1.0f, std::fabs(want[i])));
}

const Tensor kLogits = floats({2, 3}, {1, 5, 5, 1, 2, 3});
const Tensor kWeight = floats({3}, {0.5f, 1, 2});
const Tensor kProbabilities = floats({2, 3}, {0.1f, 0.2f, 0.7f, 0, 0, 1});

TEST(Loss, CrossEntropyOfClasses) {
  const Tensor target = ints({2}, {0, 2});
  expect_near(loss("cross_entropy", {kLogits, target}), {2.5549345f});
  expect_near(loss("cross_entropy", {kLogits, ints({2}, {0, -100})}), {4.7022634f});
  expect_near(loss("cross_entropy", {kLogits, target}, {{"reduction", std::string("none")}}), {4.7022634f, 0.4076054f});
  expect_near(loss("cross_entropy", {kLogits, target, kWeight}, {{"label_smoothing", 0.1}}), {1.2450105f});
  expect_near(loss("cross_entropy", {kLogits, target}, {{"label_smoothing", 0.1}}), {2.4716012f});
  expect_near(loss("cross_entropy", {floats({3}, {1, 5, 5}), ints({}, {1})}), {0.70226336f});
}

TEST(Loss, CrossEntropyOfProbabilities) {
  expect_near(loss("cross_entropy", {kLogits, kProbabilities}), {0.7549344f});
  expect_near(loss("cross_entropy", {kLogits, kProbabilities, kWeight}, {{"label_smoothing", 0.1}}), {1.1096845f});
}

TEST(Loss, CrossEntropyOfImages) {
  std::vector<float> logits(16);
  for (size_t i = 0; i < 16; ++i) logits[i] = static_cast<float>(i);
  expect_near(loss("cross_entropy", {floats({2, 2, 2, 2}, logits), ints({2, 2, 2}, std::vector<int32_t>(8, 0))},
                   {{"reduction", std::string("none")}}),
              std::vector<float>(8, 4.01815f));
}

TEST(Loss, NllAndMse) {
  expect_near(loss("nll_loss", {kLogits, ints({2}, {0, 2})}), {-2});
  EXPECT_TRUE(std::isnan(loss("nll_loss", {kLogits, ints({2}, {-100, -100})})[0]));
  expect_near(loss("mse_loss", {kLogits, ints({3}, {0, 2, 4})}), {2.1666667f});
  expect_near(loss("mse_loss", {ints({2, 3}, {1, 5, 5, 1, 2, 3}), ints({2, 3}, {0, 2, 4, 1, 2, 3})}), {1.8333334f});
}

OpError::Kind refused(std::vector<Value> operands, const Builder::Named& attrs = {}) {
  try {
    loss("cross_entropy", std::move(operands), attrs);
  } catch (const OpError& error) {
    return error.kind;
  }
  ADD_FAILURE() << "nothing was raised";
  return OpError::Kind::Value;
}

TEST(Loss, RefusesWhatDoesNotFit) {
  using K = OpError::Kind;
  EXPECT_EQ(refused({kLogits, ints({2}, {0, 7})}), K::Index);
  EXPECT_EQ(refused({kLogits, ints({2}, {0, -1})}), K::Index);
  EXPECT_EQ(refused({kLogits, ints({3}, {0, 1, 2})}), K::Value);
  EXPECT_EQ(refused({kLogits, ints({2}, {0, 1}), floats({2}, {1, 1})}), K::Value);
  EXPECT_EQ(refused({kLogits, ints({2}, {0, 1})}, {{"reduction", std::string("x")}}), K::Value);
  EXPECT_EQ(refused({ints({2, 3}, {1, 2, 3, 4, 5, 6}), ints({2}, {0, 1})}), K::Type);
}

// Threads share out the items; the error is that of the first one.
TEST(Loss, NamesTheFirstWrongClass) {
  constexpr int64_t items = 100'000;
  std::vector<int32_t> classes(items, 1);
  for (int64_t i = items / 4; i < items; i += items / 8) classes[static_cast<size_t>(i)] = static_cast<int32_t>(i);
  const int before = threads();
  set_threads(4);
  try {
    loss("nll_loss", {floats({items, 3}, std::vector<float>(3 * items)), ints({items}, classes)});
    ADD_FAILURE() << "nothing was raised";
  } catch (const OpError& error) {
    EXPECT_NE(std::string(error.what()).find("index 25000 is"), std::string::npos) << error.what();
  }
  set_threads(before);
}

}  // namespace
}  // namespace ember::ops
