// Reductions against a scalar reading of their definition, bit for bit.
#include "ops/program/reduce.h"

#include "tests/ops/kernel_test.h"
#include "tests/ops/reduce_reference.h"

namespace ember::ops {
namespace {

using testing::bits_of;
using testing::element;
using testing::expected;
using testing::Order;

// What each result must be, in the result's dtype.
template <class T, class A, class R>
std::vector<R> wanted(ReduceKind kind, const Tensor& t, const Axes& axes) {
  Shape kept, reduced;
  std::vector<int64_t> kept_step, reduced_step;
  int64_t step = t.numel();
  for (size_t d = 0; d < t.rank(); ++d) {
    const bool is_reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
    step = t.shape()[d] ? step / t.shape()[d] : 0;
    (is_reduced ? reduced : kept).push_back(t.shape()[d]);
    (is_reduced ? reduced_step : kept_step).push_back(step);
  }
  auto index = [](const Shape& shape, const std::vector<int64_t>& by, int64_t i) {
    int64_t at = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      at += i % shape[d] * by[d];
      i /= shape[d];
    }
    return at;
  };
  int64_t results = 1, n = 1;
  for (int64_t size : kept) results *= size;
  for (int64_t size : reduced) n *= size;
  std::vector<R> out;
  for (int64_t r = 0; r < results; ++r) {
    std::vector<A> x;
    for (int64_t i = 0; i < n; ++i) {
      const T value = element<T>(t, index(kept, kept_step, r) + index(reduced, reduced_step, i));
      if constexpr (std::is_class_v<T>) {
        x.push_back(static_cast<A>(static_cast<float>(value)));
      } else {
        x.push_back(static_cast<A>(value));
      }
    }
    out.push_back(static_cast<R>(expected<A>(kind, x)));
  }
  return out;
}

template <class R>
void compare(ReduceKind kind, const Tensor& t, const Axes& axes, const std::vector<R>& want) {
  Tensor out = Tensor::empty(dtype_of<R>, {static_cast<int64_t>(want.size())});
  reduce(kind, testing::view(t), axes, dtype_of<R>, out.data());
  for (size_t r = 0; r < want.size(); ++r) {
    ASSERT_EQ(bits_of(out.data_as<R>()[r]), bits_of(R(want[r]))) << "result " << r << " of " << to_string(t.shape());
  }
}

struct Case {
  Shape shape;
  Axes axes;
};
const Case kCases[] = {{{}, {}},
                       {{1}, {0}},
                       {{17}, {0}},
                       {{5000}, {0}},
                       {{7, 1024}, {1}},
                       {{9, 1500}, {1}},
                       {{1500, 9}, {0}},
                       {{1100, 270}, {0}},
                       {{33, 40}, {0}},
                       {{3, 5, 7}, {1}},
                       {{3, 50, 70}, {0, 2}},
                       {{3, 5, 7}, {}},
                       {{0, 4}, {0}},
                       {{4, 0}, {0}},
                       {{6, 2, 600}, {0, 1, 2}},
                       {{5, 3}, {1}},
                       {{70, 1}, {1}},
                       {{9, 2}, {1}},
                       {{11, 8}, {1}},
                       {{7, 15}, {1}},
                       {{6, 31}, {1}},
                       {{5, 257}, {1}},
                       {{2, 1025, 11}, {1}}};

template <class T, class A, class R>
void check_all(std::initializer_list<ReduceKind> kinds) {
  for (ReduceKind kind : kinds) {
    for (const Case& c : kCases) {
      for (Order order : testing::kOrders) {
        SCOPED_TRACE("kind " + std::to_string(int(kind)) + " order " + std::to_string(int(order)));
        const Tensor t = testing::random_tensor<T>(c.shape, 7, order);
        const auto want = wanted<T, A, R>(kind, t, c.axes);
        testing::for_each_isa_and_thread_count([&] { compare<R>(kind, t, c.axes, want); });
      }
    }
  }
}

TEST(Reduce, Float32) {
  check_all<float, float, float>({ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max, ReduceKind::Min});
}
TEST(Reduce, Float64) { check_all<double, double, double>({ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max}); }
TEST(Reduce, Float16) { check_all<Half, float, Half>({ReduceKind::Sum, ReduceKind::Max}); }
TEST(Reduce, BFloat16) { check_all<BFloat16, float, BFloat16>({ReduceKind::Sum, ReduceKind::Min}); }
TEST(Reduce, Integers) {
  check_all<int8_t, int8_t, int8_t>({ReduceKind::Sum, ReduceKind::Max});
  check_all<uint16_t, uint16_t, uint16_t>({ReduceKind::Prod, ReduceKind::Min});
  check_all<int64_t, int64_t, int64_t>({ReduceKind::Sum, ReduceKind::Min});
}
TEST(Reduce, Bools) {
  check_all<bool, bool, bool>({ReduceKind::All, ReduceKind::Any, ReduceKind::Sum, ReduceKind::Prod});
  check_all<float, bool, bool>({ReduceKind::All, ReduceKind::Any});
  check_all<Half, bool, bool>({ReduceKind::All});
}

TEST(Reduce, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> rows = {{0.0f, -0.0f}, {-0.0f, 0.0f}, {-0.0f, -0.0f}, {nan, 1}, {1, nan},
                                                {-nan, inf},   {inf, -inf},   {-inf, -inf},   {inf, 3}};
  for (const auto& row : rows) {
    for (int64_t size : {2, 40, 1500}) {
      for (int64_t columns : {1, 20}) {
        const Tensor t = Tensor::full(DType::Float32, {size, columns}, row[0]);
        for (int64_t c = 0; c < columns; ++c) element<float>(t, (size - 1) * columns + c) = row[1];
        for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max, ReduceKind::Min}) {
          const auto want = wanted<float, float, float>(kind, t, {0});
          testing::for_each_isa_and_thread_count([&] { compare<float>(kind, t, {0}, want); });
        }
      }
    }
    for (int64_t n : {1, 2, 9, 40}) {
      const Tensor t = Tensor::full(DType::Float32, {6, n}, row[0]);
      for (int64_t r = 0; r < 6; ++r) element<float>(t, (r + 1) * n - 1) = row[1];
      for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max, ReduceKind::Min}) {
        const auto want = wanted<float, float, float>(kind, t, {1});
        testing::for_each_isa_and_thread_count([&] { compare<float>(kind, t, {1}, want); });
      }
    }
  }
}

TEST(Reduce, StripsGiveTheSame) {
  const Tensor t = testing::random_tensor<float>({123457}, 3);
  for (int64_t n : {0, 1, 1024, 1025, 5 * 1024, 7 * 1024 + 3, 123457}) {
    Reducer reducer(ReduceKind::Sum, DType::Float32);
    for (int64_t i = 0; i < n; i += 1024) reducer.feed(t.data_as<float>() + i, std::min<int64_t>(1024, n - i));
    float got = -1;
    reducer.finish(&got);
    const std::vector<float> x(t.data_as<float>(), t.data_as<float>() + n);
    EXPECT_EQ(bits_of(got), bits_of(expected<float>(ReduceKind::Sum, x))) << n;
  }
}

}  // namespace
}  // namespace ember::ops
