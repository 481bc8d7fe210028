// The product of operands of any rank and dtype against a sequential sum per element.
#include <limits>

#include "ops/table/op.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::bits_of;
using testing::element;

// The element of an operand that the result's element at `batch`, row, column needs.
int64_t logical(const Shape& shape, const Shape& batch, int64_t at, int64_t row, int64_t column) {
  int64_t index = 0, step = shape[shape.size() - 2] * shape[shape.size() - 1];
  for (size_t d = batch.size(); d-- > 0; at /= batch[d]) {
    const size_t missing = batch.size() + 2 - shape.size();
    if (d < missing) break;
    if (shape[d - missing] != 1) index += at % batch[d] * step;
    step *= shape[d - missing];
  }
  return index + row * shape[shape.size() - 1] + column;
}

template <class T, class A>
void check(const Shape& a_shape, const Shape& b_shape) {
  const Op& matmul = op("matmul");
  for (testing::Order order : testing::kOrders) {
    const Tensor a = testing::random_tensor<T>(a_shape, 1, order);
    const Tensor b = testing::random_tensor<T>(b_shape, 2, order);
    const Attrs attrs;
    const Types in{Type::tensor(dtype_of<T>, dims(a_shape)), Type::tensor(dtype_of<T>, dims(b_shape))};
    const Shape shape = hints(matmul.infer({in, attrs})[0].dims);
    Shape batch;
    for (size_t d = 0; d + 2 < shape.size(); ++d) batch.push_back(shape[d]);
    const int64_t m = shape[shape.size() - 2], n = shape[shape.size() - 1], k = a_shape[a_shape.size() - 1];
    const Tensor out = Tensor::empty(dtype_of<T>, shape);
    std::vector<T> want;
    for (int64_t i = 0; i < out.numel(); ++i) {
      A acc = 0;
      for (int64_t p = 0; p < k; ++p) {
        const A x = static_cast<A>(element<T>(a, logical(a_shape, batch, i / (m * n), i / n % m, p)));
        const A y = static_cast<A>(element<T>(b, logical(b_shape, batch, i / (m * n), p, i % n)));
        if constexpr (std::is_floating_point_v<A>) {
          acc = std::fma(x, y, acc);
        } else {
          acc += x * y;
        }
      }
      want.push_back(static_cast<T>(acc));
    }
    testing::for_each_isa_and_thread_count([&] {
      const View views[] = {testing::view(a), testing::view(b)};
      const View result = testing::view(out);
      matmul.kernel({views, {&result, 1}, attrs});
      for (int64_t i = 0; i < out.numel(); ++i) {
        ASSERT_EQ(bits_of(out.data_as<T>()[i]), bits_of(want[static_cast<size_t>(i)]))
            << i << " of " << to_string(shape);
      }
    });
  }
}

template <class T, class A>
void check_all() {
  check<T, A>({3, 4}, {4, 5});
  check<T, A>({33, 70}, {70, 20});
  check<T, A>({2, 3, 4}, {4, 5});
  check<T, A>({2, 3, 4}, {2, 4, 5});
  check<T, A>({2, 1, 3, 4}, {5, 4, 2});
  check<T, A>({1, 4}, {3, 4, 1});
  check<T, A>({70, 2, 3}, {70, 3, 2});
  check<T, A>({2, 0}, {0, 3});
  check<T, A>({0, 2}, {2, 3});
}

template <class T>
Tensor bytes(const Shape& shape, uint64_t seed, testing::Order order) {
  const Tensor tensor = testing::random_tensor<T>(shape, seed, order);
  tensor.data_as<T>()[0] = std::numeric_limits<T>::lowest();
  for (size_t d = 0; d < 2; ++d) {
    if (shape[d] > 1) tensor.data_as<T>()[tensor.layout().strides[d]] = std::numeric_limits<T>::lowest();
  }
  return tensor;
}

// Of bytes, in int32.
template <class A, class B>
void check_bytes(int64_t m, int64_t n, int64_t k) {
  const Op& matmul = op("matmul_integer");
  for (testing::Order order : testing::kOrders) {
    const Tensor a = bytes<A>({m, k}, 1, order), b = bytes<B>({k, n}, 2, order);
    const Tensor out = Tensor::empty(DType::Int32, {m, n});
    std::vector<int32_t> want;
    for (int64_t i = 0; i < m * n; ++i) {
      uint32_t sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum += static_cast<uint32_t>(element<A>(a, i / n * k + p) * element<B>(b, p * n + i % n));
      want.push_back(static_cast<int32_t>(sum));
    }
    testing::for_each_isa_and_thread_count([&] {
      const Attrs attrs;
      const View views[] = {testing::view(a), testing::view(b)};
      const View result = testing::view(out);
      matmul.kernel({views, {&result, 1}, attrs});
      for (int64_t i = 0; i < m * n; ++i)
        ASSERT_EQ(out.data_as<int32_t>()[i], want[static_cast<size_t>(i)]) << i << " of " << m << " " << n << " " << k;
    });
  }
}

template <class A, class B>
void check_all_bytes() {
  for (int64_t m : {1, 4, 7, 200}) {
    for (int64_t n : {1, 15, 64}) {
      for (int64_t k : {1, 31, 515}) check_bytes<A, B>(m, n, k);
    }
  }
  check_bytes<A, B>(9, 2100, 40);
}

TEST(MatMulInteger, OfEitherSign) {
  check_all_bytes<int8_t, int8_t>();
  check_all_bytes<uint8_t, int8_t>();
  check_all_bytes<int8_t, uint8_t>();
  check_all_bytes<uint8_t, uint8_t>();
}

TEST(MatMul, Float32) { check_all<float, float>(); }
TEST(MatMul, Float64) { check_all<double, double>(); }
TEST(MatMul, Float16) { check_all<Half, float>(); }
TEST(MatMul, BFloat16) { check_all<BFloat16, float>(); }
TEST(MatMul, Integers) {
  check_all<int8_t, uint64_t>();
  check_all<int64_t, uint64_t>();
}

TEST(MatMul, RefusesWhatDoesNotFit) {
  const Op& matmul = op("matmul");
  const auto of = [](DType dtype, const Shape& shape) { return Type::tensor(dtype, dims(shape)); };
  const auto kind = [&](const Type& a, const Type& b) {
    try {
      const Type in[] = {a, b};
      matmul.infer({in, {}});
    } catch (const OpError& error) {
      EXPECT_NE(std::string(error.what()).find("matmul"), std::string::npos) << error.what();
      return error.kind;
    }
    return OpError::Kind::Index;
  };
  using K = OpError::Kind;
  EXPECT_EQ(kind(of(DType::Float32, {2, 3}), of(DType::Float32, {2, 3})), K::Value);
  EXPECT_EQ(kind(of(DType::Float32, {}), of(DType::Float32, {2, 3})), K::Value);
  EXPECT_EQ(kind(of(DType::Float32, {2, 2, 3}), of(DType::Float32, {3, 3, 1})), K::Value);
  EXPECT_EQ(kind(of(DType::Float32, {2, 3}), of(DType::Float16, {3, 2})), K::Type);
  EXPECT_EQ(kind(of(DType::Bool, {2, 3}), of(DType::Bool, {3, 2})), K::Type);
}

}  // namespace
}  // namespace ember::ops
