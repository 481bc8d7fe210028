// bf16x3 products as matmul computes them, on tiles (emulated where the CPU has none): each against its definition, bit
// by bit, and the float32 one against float64, where it must not be further off than sequential FMA.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "ops/base/parallel.h"
#include "ops/matmul/packed_cache.h"
#include "tests/ops/kernel_test.h"
#include "tests/tiers/bf16x3_reference.h"
#include "tests/tiers/pretend_amx.h"

namespace ember::tiers {
namespace {

using amx::Precision;
using ops::BFloat16;
using ops::DType;
using ops::Half;
using ops::MatmulPrecision;
using ops::Shape;
using ops::Tensor;
using ops::testing::bits_of;
using ops::testing::element;
using ops::testing::Order;

using Numbers = std::vector<float>;

template <class T>
Numbers numbers(const Tensor& t, int64_t first, int64_t count) {
  Numbers out;
  for (int64_t i = 0; i < count; ++i) out.push_back(static_cast<float>(element<T>(t, first + i)));
  return out;
}
template <class T>
Numbers numbers(const Tensor& t) {
  return numbers<T>(t, 0, t.numel());
}

template <class T>
void expect_bits(const Tensor& got, const Numbers& want) {
  for (int64_t i = 0; i < got.numel(); ++i) {
    ASSERT_EQ(bits_of(element<T>(got, i)), bits_of(T(want[static_cast<size_t>(i)]))) << "element " << i;
  }
}

template <class F>
void for_each_thread_count(F f) {
  const int before = ops::threads();
  for (int count : {1, 2, 3, 7}) {
    SCOPED_TRACE(std::to_string(count) + " threads");
    ops::set_threads(count);
    f();
  }
  ops::set_threads(before);
}

class SplitMatmul : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(amx::AmxEmulator::configured(), 0); }

  const amx::PretendAmx pretended_;
};

template <class T>
ops::Bf16x3Matrix<T> matrix(const Tensor& t, size_t lanes) {
  static constexpr int64_t kStart[] = {0};
  const ops::Layout& l = t.layout();
  return {t.data_as<T>(), l.shape[lanes], l.strides[lanes], l.strides[1 - lanes], std::max<int64_t>(l.shape[lanes], 1),
          kStart};
}

template <class T>
void check_sizes(int64_t m, int64_t n, int64_t k, int terms, Order order_a, Order order_b) {
  SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " in " + std::to_string(terms) +
               " terms");
  const Tensor a = ops::testing::random_tensor<T>({m, k}, 1, order_a);
  const Tensor b = ops::testing::random_tensor<T>({k, n}, 2, order_b);
  const Tensor c = Tensor::empty(ops::dtype_of<T>, {m, n});
  const Numbers want = amx::bf16x3_reference(m, n, k, terms, numbers<T>(a), numbers<T>(b));
  for_each_thread_count([&] {
    run_bf16x3(ops::Bf16x3Product<T>{matrix<T>(a, 0), matrix<T>(b, 1), k, terms, c.data_as<T>()});
    expect_bits<T>(c, want);
  });
}

template <class T>
void check_kept(int64_t n, int64_t k, int terms, float largest) {
  SCOPED_TRACE(std::to_string(n) + "x" + std::to_string(k) + " in " + std::to_string(terms) + " terms");
  constexpr int64_t kRows = 20;
  const Tensor a = ops::testing::random_tensor<T>({kRows, k}, 1, Order::RowMajor);
  const Tensor b = ops::testing::random_tensor<T>({k, n}, 2, Order::RowMajor);
  b.data_as<T>()[k * n / 2] = T(largest);
  const Tensor want = Tensor::empty(ops::dtype_of<T>, {kRows, n}), c = Tensor::empty(ops::dtype_of<T>, {kRows, n});
  ops::Bf16x3Product<T> product{matrix<T>(a, 0), matrix<T>(b, 1), k, terms, want.data_as<T>()};
  run_bf16x3(product);
  product.c = c.data_as<T>();
  product.cacheable = b.storage().get();
  const uint64_t before = ops::packed_totals().used;
  for (int i = 0; i < 4; ++i) {
    run_bf16x3(product);
    EXPECT_EQ(std::memcmp(c.data(), want.data(), c.layout().bytes()), 0);
  }
  EXPECT_EQ(ops::packed_totals().used, before + 2);
}

TEST_F(SplitMatmul, TakesCopiesOfPackedColumns) {
  for (float largest : {1.0f, std::numeric_limits<float>::infinity()}) {
    for (auto [n, k] : {std::pair<int64_t, int64_t>{70, 1100}, {33, 40}, {2100, 33}}) {
      check_kept<float>(n, k, 1, largest);
      check_kept<float>(n, k, 3, largest);
      check_kept<BFloat16>(n, k, 1, largest);
    }
  }
}

TEST_F(SplitMatmul, FollowsTheDefinitionAtEverySize) {
  for (int64_t m : {1, 15, 16, 17, 33, 70}) {
    for (int64_t n : {1, 16, 31, 32, 50}) {
      for (int64_t k : {1, 31, 32, 33, 100}) {
        check_sizes<float>(m, n, k, 1, Order::RowMajor, Order::RowMajor);
        check_sizes<float>(m, n, k, 3, Order::RowMajor, Order::RowMajor);
        check_sizes<BFloat16>(m, n, k, 1, Order::RowMajor, Order::RowMajor);
      }
    }
  }
}

TEST_F(SplitMatmul, FollowsTheDefinitionInEveryLayout) {
  for (Order a : ops::testing::kOrders) {
    for (Order b : ops::testing::kOrders) {
      check_sizes<float>(37, 50, 70, 3, a, b);
      check_sizes<BFloat16>(50, 37, 70, 1, a, b);
    }
  }
}

TEST_F(SplitMatmul, FollowsTheDefinitionOverBlocks) {
  check_sizes<float>(5, 70, 1100, 3, Order::RowMajor, Order::Transposed);
  check_sizes<float>(130, 290, 520, 1, Order::RowMajor, Order::RowMajor);
  check_sizes<float>(2070, 3, 40, 3, Order::RowMajor, Order::RowMajor);
  check_sizes<BFloat16>(3, 4100, 40, 1, Order::Transposed, Order::RowMajor);
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  const ops::Op& matmul = ops::op("matmul");
  const ops::Attrs attrs;
  const ops::Types in{ops::Type::tensor(a.dtype(), ops::dims(a.shape())),
                      ops::Type::tensor(b.dtype(), ops::dims(b.shape()))};
  const Tensor out = Tensor::empty(a.dtype(), hints(matmul.infer({in, attrs})[0].dims));
  const ops::View views[] = {ops::testing::view(a), ops::testing::view(b)}, result = ops::testing::view(out);
  matmul.kernel({views, {&result, 1}, attrs});
  return out;
}

// The product of two matrices, or of each pair of them; for 0 terms sequential FMA.
template <class T>
Numbers reference(const Tensor& a, const Tensor& b, std::vector<int> terms) {
  const int64_t m = a.shape()[a.rank() - 2], k = a.shape()[a.rank() - 1], n = b.shape()[b.rank() - 1];
  Numbers out;
  for (int64_t i = 0; i < a.numel() / (m * k); ++i) {
    const Numbers x = numbers<T>(a, i * m * k, m * k), y = numbers<T>(b, b.rank() == 2 ? 0 : i * k * n, k * n);
    const int p = terms[static_cast<size_t>(i) % terms.size()];
    const Numbers c = p == 0 ? amx::fma_reference(m, n, k, x, y) : amx::bf16x3_reference(m, n, k, p, x, y);
    out.insert(out.end(), c.begin(), c.end());
  }
  return out;
}

template <class T>
void check_product(const Shape& a_shape, const Shape& b_shape, int terms) {
  const Tensor a = ops::testing::random_tensor<T>(a_shape, 1), b = ops::testing::random_tensor<T>(b_shape, 2);
  const Numbers want = reference<T>(a, b, {terms});
  expect_bits<T>(multiply(a, b), want);
  const ops::WithoutEmitted vectors_only;
  expect_bits<T>(multiply(a, b), want);
}

TEST_F(SplitMatmul, IsWhatThePrecisionSays) {
  const Shape a = {200, 130}, b = {130, 195};
  {
    const Precision precision(MatmulPrecision::Ieee);
    check_product<float>(a, b, 0);
    check_product<BFloat16>(a, b, 0);
    check_product<Half>(a, b, 0);
  }
  check_product<float>(a, b, 3);
  check_product<BFloat16>(a, b, 1);
  check_product<Half>(a, b, 3);
  const Precision precision(MatmulPrecision::BFloat16);
  check_product<float>(a, b, 1);
  check_product<BFloat16>(a, b, 1);
  check_product<Half>(a, b, 1);
}

TEST(SplitMatmulWithoutAmx, IsTheChainUnlessBFloat16IsAskedFor) {
  if (ops::amx()) GTEST_SKIP() << "the machine has AMX";
  const Shape a = {200, 130}, b = {130, 195};
  check_product<float>(a, b, 0);
  check_product<BFloat16>(a, b, 0);
  const Precision precision(MatmulPrecision::BFloat16);
  check_product<float>(a, b, 1);
  check_product<BFloat16>(a, b, 1);
}

TEST_F(SplitMatmul, TakesAllRowsOverOneMatrixTogether) {
  check_product<float>({3, 70, 130}, {130, 200}, 3);
  check_product<float>({3, 70, 130}, {3, 130, 200}, 0);
  check_product<float>({2, 200, 130}, {2, 130, 200}, 3);
  check_product<BFloat16>({7, 5, 64}, {64, 40}, 1);
}

TEST_F(SplitMatmul, DoesNotAskHowABatchLies) {
  const Tensor rows = ops::testing::random_tensor<float>({3, 2, 40, 130}, 1);
  const Tensor b = ops::testing::random_tensor<float>({130, 200}, 2);
  Shape strides = rows.layout().strides, shape = rows.shape();
  std::swap(strides[0], strides[1]);
  std::swap(shape[0], shape[1]);
  const Tensor transposed = rows.view(ops::layout(DType::Float32, shape, strides), 0);
  expect_bits<float>(multiply(transposed, b), reference<float>(transposed, b, {3}));

  const Tensor a = ops::testing::random_tensor<float>({3, 70, 130}, 1);
  const Tensor one = ops::testing::random_tensor<float>({130, 200}, 2);
  const Tensor repeated = one.view(ops::layout(DType::Float32, {3, 130, 200}, {0, 200, 1}), 0);
  expect_bits<float>(multiply(a, repeated), reference<float>(a, repeated, {0}));
}

// The second of three items is spoilt, and multiplied in `terms`; the others stay in three.
void check_item(const std::function<void(float*, float*)>& spoil, int terms) {
  const Tensor a = ops::testing::random_tensor<float>({3, 200, 130}, 1);
  const Tensor b = ops::testing::random_tensor<float>({3, 130, 200}, 2);
  spoil(a.data_as<float>() + 200 * 130, b.data_as<float>() + 130 * 200);
  expect_bits<float>(multiply(a, b), reference<float>(a, b, {3, terms, 3}));
}

TEST_F(SplitMatmul, IsTheChainForItemsThatPartsCannotHold) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float largest = std::bit_cast<float>(0x7F7F7FFF), too_large = std::bit_cast<float>(0x7F7F8000);
  for (float x : {kInfinity, std::nanf(""), -too_large, 1e-42f}) check_item([x](float* a, float*) { a[129] = x; }, 0);
  for (float x : {-kInfinity, too_large, 0x1p-103f}) check_item([x](float*, float* b) { b[130 * 200 - 1] = x; }, 0);
  check_item([](float* a, float* b) { a[5] = 0x1p-102f, b[0] = -0x1p-102f; }, 3);
  check_item([](float* a, float* b) { a[5] = 0, b[0] = -0.0f; }, 3);
  const auto scale = [](float* x, float by) {
    for (int64_t i = 0; i < 130 * 200; ++i) x[i] *= by;
  };
  check_item([largest](float* a, float*) { a[0] = largest; }, 0);
  check_item([&](float* a, float* b) { a[0] = largest, scale(b, 0x1p-12f); }, 3);
  check_item([&](float* a, float* b) { scale(a, 0x1p-50f), scale(b, 0x1p-60f); }, 0);
  check_item([&](float* a, float* b) { scale(a, 0x1p-40f), scale(b, 0x1p-40f); }, 3);
  check_item([&](float* a, float*) { scale(a, 0); }, 3);
}

TEST_F(SplitMatmul, UsesTheTiles) {
  if (ops::has_amx()) GTEST_SKIP() << "the CPU does it itself";
  const int64_t before = amx::AmxEmulator::products();
  check_product<float>({192, 128}, {128, 192}, 3);
  EXPECT_EQ(amx::AmxEmulator::products() - before, int64_t{192 / 16} * (192 / 16) * (128 / 32) * 6);
}

TEST_F(SplitMatmul, GrowsIntoPartsAndNeverOut) {
  EXPECT_EQ(ops::bf16_terms(DType::Float32, 160, 160, 128), 3);
  EXPECT_EQ(ops::bf16_terms(DType::Float32, 159, 160, 128), 0);
  EXPECT_EQ(ops::bf16_terms(DType::Float32, 160, 160, 127), 0);
  EXPECT_EQ(ops::bf16_terms(DType::BFloat16, 32, 32, 32), 1);
  EXPECT_EQ(ops::bf16_terms(DType::BFloat16, 31, 32, 32), 0);
  EXPECT_EQ(ops::bf16_terms(DType::Float32, int64_t{1} << 40, int64_t{1} << 40, int64_t{1} << 40), 3);
  for (int64_t m = 1; m < 3000; m = m * 3 / 2 + 1) {
    for (int64_t n = 1; n < 3000; n = n * 3 / 2 + 1) {
      if (ops::bf16_terms(DType::Float32, m, n, 500) == 0) continue;
      EXPECT_EQ(ops::bf16_terms(DType::Float32, m + 1, n, 500), 3);
      EXPECT_EQ(ops::bf16_terms(DType::Float32, m, n + 1, 501), 3);
    }
  }
}

// How far the elements of C are from A B in float64, each by the sum of its terms' magnitudes: the root of the mean
// square. (By C's norm lognormal data would tell of the few largest elements alone.)
double error(const Numbers& c, const Numbers& a, const Numbers& b, int64_t size, int64_t k) {
  double squares = 0;
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j < size; ++j) {
      double sum = 0, terms = 0;
      for (int64_t p = 0; p < k; ++p) {
        const double product = double{a[static_cast<size_t>(i * k + p)]} * b[static_cast<size_t>(p * size + j)];
        sum += product;
        terms += std::fabs(product);
      }
      squares += std::pow((c[static_cast<size_t>(i * size + j)] - sum) / terms, 2);
    }
  }
  return std::sqrt(squares / static_cast<double>(size * size));
}

TEST_F(SplitMatmul, IsNoFurtherFromFloat64ThanTheChain) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform;
  std::lognormal_distribution<float> lognormal(0, 3);
  const std::pair<const char*, std::function<float()>> kinds[] = {{"normal", [&] { return normal(random); }},
                                                                  {"uniform", [&] { return uniform(random); }},
                                                                  {"lognormal", [&] { return lognormal(random); }}};
  constexpr int64_t kSize = 48;
  for (const auto& [kind, draw] : kinds) {
    for (int64_t k : {16, 17, 32, 64, 100, 128, 256, 512, 1000, 1024, 2048, 4096, 8192}) {
      const Tensor a = Tensor::empty(DType::Float32, {kSize, k}), b = Tensor::empty(DType::Float32, {k, kSize});
      const Tensor c = Tensor::empty(DType::Float32, {kSize, kSize});
      for (const Tensor& t : {a, b})
        for (int64_t i = 0; i < t.numel(); ++i) t.data_as<float>()[i] = draw();
      run_bf16x3(ops::Bf16x3Product<float>{matrix<float>(a, 0), matrix<float>(b, 1), k, 3, c.data_as<float>()});
      const Numbers x = numbers<float>(a), y = numbers<float>(b);
      const double split = error(numbers<float>(c), x, y, kSize, k);
      const double fma = error(amx::fma_reference(kSize, kSize, k, x, y), x, y, kSize, k);
      EXPECT_LE(split, fma) << kind << ", k = " << k;
      RecordProperty(std::string(kind) + "_" + std::to_string(k), std::to_string(split / fma));
    }
  }
}

}  // namespace
}  // namespace ember::tiers
