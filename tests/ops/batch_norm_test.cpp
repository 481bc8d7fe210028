// Batch normalisation and its gradient, by blocks of channels, give the bits of the ops that they are composed of.
#include <limits>

#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "tests/ops/kernel_test.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using testing::Order;

constexpr double kEps = 1e-3;

Attrs with_eps(const Op& op) { return make_attrs(op, {{"eps", kEps}}); }

template <class T>
Tensor positive(const Shape& shape, uint32_t seed) {
  const Tensor t = testing::random_tensor<T>(shape, seed);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data_as<T>()[i] = testing::make<T>(std::abs(static_cast<double>(static_cast<float>(t.data_as<T>()[i]))) + 0.1);
  return t;
}

void agrees(const Op& op, const Values& operands) {
  EagerBuilder b;
  const Attrs attrs = with_eps(op);
  const Values slow = op.compose(b, operands, attrs);
  testing::for_each_isa_and_thread_count([&] {
    const Values fast = run(op, operands, attrs);
    ASSERT_EQ(fast.size(), slow.size());
    for (size_t i = 0; i < fast.size(); ++i) {
      EXPECT_TRUE(testing::same_bits(fast[i], slow[i]))
          << op.name << ", result " << i << " of " << to_string(std::get<Tensor>(operands[0]).shape());
    }
  });
}

template <class T>
void check(const Tensor& x, const Tensor& ct) {
  const Shape channels{x.shape()[1]};
  const Tensor weight = testing::random_tensor<T>(channels, 3), bias = testing::random_tensor<T>(channels, 4);
  agrees(op("batch_norm_with_statistics"), {x, weight, bias});
  agrees(op("batch_norm_gradient"), {ct, x, weight, testing::random_tensor<T>(channels, 5), positive<T>(channels, 6)});
}

template <class T>
void check_shapes() {
  const Shape shapes[] = {{1, 1},         {5, 3},       {1030, 7},      {2, 3, 5},       {3, 70, 7, 7},
                          {2, 5, 33, 40}, {1, 2, 1, 1}, {4, 130, 2, 2}, {2, 3, 4, 5, 6}, {1, 1, 130, 130},
                          {0, 3, 4, 4},   {2, 0, 3, 3}, {2, 3, 0, 4},   {9, 2, 64, 16},  {3, 17, 16, 16}};
  for (const Shape& shape : shapes) check<T>(testing::random_tensor<T>(shape, 1), testing::random_tensor<T>(shape, 2));
}

TEST(BatchNorm, Float32) { check_shapes<float>(); }
TEST(BatchNorm, Float64) { check_shapes<double>(); }
TEST(BatchNorm, Float16) { check_shapes<Half>(); }
TEST(BatchNorm, BFloat16) { check_shapes<BFloat16>(); }

TEST(BatchNorm, AnyLayout) {
  for (Order order : testing::kOrders)
    check<float>(testing::random_tensor<float>({3, 6, 9, 20}, 1, order),
                 testing::random_tensor<float>({3, 6, 9, 20}, 2, order));
}

TEST(BatchNorm, NansAndInfinitiesStayInTheirChannel) {
  const Tensor x = testing::random_tensor<float>({2, 40, 9, 9}, 1);
  x.data_as<float>()[100] = std::numeric_limits<float>::infinity();
  x.data_as<float>()[900] = std::numeric_limits<float>::quiet_NaN();
  x.data_as<float>()[1800] = std::numeric_limits<float>::max();
  check<float>(x, testing::random_tensor<float>({2, 40, 9, 9}, 2));
}

// The statistics against float64.
TEST(BatchNorm, IsCloseToFloat64) {
  const Shape shape{4, 10, 31, 29}, channels{10};
  const Tensor x = testing::random_tensor<float>(shape, 1), weight = testing::random_tensor<float>(channels, 2),
               bias = testing::random_tensor<float>(channels, 3);
  const Op& norm = op("batch_norm_with_statistics");
  const auto wide = [](const Tensor& t) {
    const Tensor out = Tensor::empty(DType::Float64, t.shape());
    copy_into(t, out);
    return out;
  };
  const Values narrow = run(norm, std::array<Value, 3>{x, weight, bias}, with_eps(norm));
  const Values exact = run(norm, std::array<Value, 3>{wide(x), wide(weight), wide(bias)}, with_eps(norm));
  for (size_t i = 0; i < narrow.size(); ++i) {
    const Tensor &got = std::get<Tensor>(narrow[i]), &want = std::get<Tensor>(exact[i]);
    for (int64_t k = 0; k < got.numel(); ++k)
      ASSERT_NEAR(got.data_as<float>()[k], want.data_as<double>()[k], 4e-6) << "result " << i << ", " << k;
  }
}

}  // namespace
}  // namespace ember::ops
