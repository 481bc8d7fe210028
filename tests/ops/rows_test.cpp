// Softmax, log-softmax and layer normalisation against their definition, step by step in scalar code. The exponential
// and the logarithm are those of the portable strip kernels, which tests of their own cover.
#include "ops/simd/strips.h"
#include "tests/ops/kernel_test.h"
#include "tests/ops/reduce_reference.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using testing::bits_of;
using testing::element;
using testing::expected;

template <class T>
T verb(Verb verb, T x) {
  T y;
  strips_portable().verbs[static_cast<size_t>(verb)][static_cast<size_t>(dtype_of<T>)](1, &y, &x, nullptr, nullptr);
  return y;
}

template <class T>
std::vector<T> softmax(std::vector<T> x, bool log) {
  const T max = expected<T>(ReduceKind::Max, x);
  std::vector<T> e;
  for (T v : x) e.push_back(verb(Verb::Exp, static_cast<T>(v - max)));
  const T sum = expected<T>(ReduceKind::Sum, e);
  const T total = log ? verb(Verb::Log, sum) : T{1} / sum;
  for (size_t i = 0; i < x.size(); ++i) x[i] = log ? (x[i] - max) - total : e[i] * total;
  return x;
}

template <class T, class A>
void check_softmax(const Tensor& t, size_t axis, bool log) {
  const Op& called = op(log ? "log_softmax" : "softmax");
  Attrs attrs;
  attrs.set(1, static_cast<int64_t>(axis));
  int64_t inner = 1;
  for (size_t d = axis + 1; d < t.rank(); ++d) inner *= t.shape()[d];
  const int64_t n = t.shape()[axis];
  std::vector<T> want(static_cast<size_t>(t.numel()));
  for (int64_t row = 0; n > 0 && row < t.numel() / n; ++row) {
    const int64_t base = row / inner * inner * n + row % inner;
    std::vector<A> x;
    for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<A>(element<T>(t, base + i * inner)));
    x = softmax(x, log);
    for (int64_t i = 0; i < n; ++i)
      want[static_cast<size_t>(base + i * inner)] = static_cast<T>(x[static_cast<size_t>(i)]);
  }
  testing::for_each_isa_and_thread_count([&] {
    const Tensor out = Tensor::empty(dtype_of<T>, t.shape());
    const View in = testing::view(t), result = testing::view(out);
    called.kernel({{&in, 1}, {&result, 1}, attrs});
    for (int64_t i = 0; i < t.numel(); ++i) {
      ASSERT_EQ(bits_of(out.data_as<T>()[i]), bits_of(want[static_cast<size_t>(i)]))
          << i << " of " << to_string(t.shape());
    }
  });
}

template <class T, class A>
void check_softmax_all() {
  const std::pair<Shape, size_t> cases[] = {
      {{1}, 0},        {{3, 5}, 1},    {{3, 5}, 0},      {{40, 10}, 1},  {{2, 3000}, 1}, {{1030, 3}, 0},
      {{2, 40, 9}, 1}, {{0, 4}, 1},    {{4, 0}, 1},      {{7, 1024}, 1}, {{4099, 1}, 1}, {{1025, 2}, 1},
      {{300, 7}, 1},   {{130, 17}, 1}, {{90, 23}, 1},    {{41, 25}, 1},  {{20, 63}, 1},  {{17, 65}, 1},
      {{9, 511}, 1},   {{5, 64}, 0},   {{2, 40, 65}, 1}, {{2100, 37}, 0}};
  for (const auto& [shape, axis] : cases) {
    for (testing::Order order : testing::kOrders) {
      const Tensor t = testing::random_tensor<T>(shape, 5, order);
      check_softmax<T, A>(t, axis, false);
      check_softmax<T, A>(t, axis, true);
    }
  }
}

TEST(Softmax, Float32) { check_softmax_all<float, float>(); }
TEST(Softmax, Float64) { check_softmax_all<double, double>(); }
TEST(Softmax, Float16) { check_softmax_all<Half, float>(); }
TEST(Softmax, BFloat16) { check_softmax_all<BFloat16, float>(); }

TEST(Softmax, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity();
  for (int64_t n : {33, 64, 79, 1040}) {
    for (float special : {inf, -inf, std::numeric_limits<float>::quiet_NaN(), 1e30f, -1e30f, -95.f, -104.f}) {
      const Tensor t = testing::random_tensor<float>({3, n}, 1);
      t.data_as<float>()[n + 7] = special;
      for (int64_t i = 2 * n; i < 3 * n; i += 3) t.data_as<float>()[i] = special;
      for (size_t axis : {0, 1}) {
        check_softmax<float, float>(t, axis, false);
        check_softmax<float, float>(t, axis, true);
      }
    }
    check_softmax<float, float>(Tensor::full(DType::Float32, {2, n}, -inf), 1, false);
  }
}

template <class T>
void check_layer_norm(int64_t rows, int64_t n, bool with_weight, bool with_bias) {
  const Tensor x = testing::random_tensor<T>({rows, n}, 1, testing::Order::Transposed);
  const Tensor weight = testing::random_tensor<T>({n}, 2, testing::Order::Gaps);
  const Tensor bias = testing::random_tensor<T>({n}, 3);
  const Op& called = op("LayerNorm");
  const Attrs attrs = make_attrs(called, {{"epsilon", 1e-3}});
  testing::for_each_isa_and_thread_count([&] {
    const Tensor y = Tensor::empty(dtype_of<T>, {rows, n}), mean = Tensor::empty(dtype_of<T>, {rows, 1}),
                 variance = Tensor::empty(dtype_of<T>, {rows, 1});
    const View in[] = {testing::view(x), with_weight ? testing::view(weight) : View{},
                       with_bias ? testing::view(bias) : View{}};
    const View out[] = {testing::view(y), testing::view(mean), testing::view(variance)};
    called.kernel({in, out, attrs});
    for (int64_t r = 0; r < rows; ++r) {
      std::vector<T> row, squares;
      for (int64_t i = 0; i < n; ++i) row.push_back(element<T>(x, r * n + i));
      const T m = expected<T>(ReduceKind::Sum, row) / static_cast<T>(n);
      for (T v : row) squares.push_back((v - m) * (v - m));
      const T v = expected<T>(ReduceKind::Sum, squares) / static_cast<T>(n);
      const T rstd = T{1} / std::sqrt(v + static_cast<T>(1e-3));
      ASSERT_EQ(bits_of(mean.data_as<T>()[r]), bits_of(m));
      ASSERT_EQ(bits_of(variance.data_as<T>()[r]), bits_of(v));
      for (int64_t i = 0; i < n; ++i) {
        T want = (row[static_cast<size_t>(i)] - m) * rstd;
        if (with_weight || with_bias) {
          want = std::fma(want, with_weight ? element<T>(weight, i) : T{1}, with_bias ? element<T>(bias, i) : T{0});
        }
        ASSERT_EQ(bits_of(y.data_as<T>()[r * n + i]), bits_of(want)) << r << ", " << i;
      }
    }
  });
}

TEST(LayerNorm, IsItsDefinition) {
  for (int64_t n : {1, 7, 64, 1024, 2050}) {
    check_layer_norm<float>(5, n, true, true);
    check_layer_norm<double>(3, n, true, false);
    check_layer_norm<float>(3, n, false, true);
    check_layer_norm<float>(2, n, false, false);
  }
  for (int64_t n : {1, 2, 3, 17, 23, 25, 63, 65, 255, 511}) {
    check_layer_norm<float>(4099 / n + 1, n, true, true);
    check_layer_norm<double>(4099 / n + 1, n, false, false);
  }
  check_layer_norm<float>(0, 8, true, true);
}

TEST(Compositions, GiveTheBitsOfTheirKernels) {
  size_t compared = 0;
  for (const Op& op : all_ops()) {
    if (!op.kernel || !op.compose) continue;
    for (const Sample& sample : op.samples()) {
      const testing::Call call = testing::make_call(op, sample);
      EagerBuilder b;
      const Values fast = run(op, call.operands, call.attrs), slow = op.compose(b, call.operands, call.attrs);
      ASSERT_EQ(fast.size(), slow.size());
      for (size_t i = 0; i < fast.size(); ++i) {
        EXPECT_TRUE(testing::same_bits(fast[i], slow[i])) << op.name << ", result " << i;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace ember::ops
