// Matrix multiplication against sequential FMA per element, bit for bit.
#include "ops/matmul/gemm.h"

#include "ops/simd/emitted.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::Order;

struct Size {
  int64_t m, n, k;
};
const Size kSizes[] = {{1, 1, 1},     {1, 7, 5},     {3, 1, 9},      {1, 200, 300},  {200, 1, 300}, {13, 31, 17},
                       {14, 32, 256}, {29, 65, 257}, {6, 16, 8},     {100, 70, 0},   {0, 3, 2},     {2, 0, 2},
                       {31, 70, 600}, {9, 9, 1},     {40, 2100, 30}, {2030, 17, 20}, {2, 70, 90},   {3, 70, 90},
                       {7, 4200, 5},  {100, 3, 300}, {37, 8, 90},    {150, 5, 70}};

std::vector<float> sequential_fma(const Tensor& a, const Tensor& b) {
  const int64_t m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
  const std::vector<float> left = testing::elements<float>(a), right = testing::elements<float>(b);
  std::vector<float> c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      const float factor = left.data()[i * k + p];
      for (int64_t j = 0; j < n; ++j) {
        float& sum = c.data()[i * n + j];
        sum = std::fma(factor, right.data()[p * n + j], sum);
      }
    }
  }
  return c;
}

void check_once(const Tensor& a, const Tensor& b, const std::vector<float>& want, const gc::Storage* cacheable) {
  const int64_t m = a.shape()[0], k = a.shape()[1], n = b.shape()[1], ldc = n + 3;
  std::vector<float> c(static_cast<size_t>(m * ldc + 1), -7.0f);
  const Shape &a_step = a.layout().strides, &b_step = b.layout().strides;
  run_gemm({m, n, k, a.data_as<float>(), a_step[0], a_step[1], b.data_as<float>(), b_step[0], b_step[1], c.data(), ldc,
            nullptr, 0, cacheable});
  const float outside[] = {-7, -7, -7};
  for (int64_t i = 0; i < m && !::testing::Test::HasFailure(); ++i) {
    testing::expect_bits(c.data() + i * ldc, want.data() + i * n, n);
    testing::expect_bits(c.data() + i * ldc + n, outside, 3);
    if (::testing::Test::HasFailure()) ADD_FAILURE() << "in row " << i;
  }
}

// Without a packed copy, when one is made, and with it.
void check(const Tensor& a, const Tensor& b, const std::vector<float>& want) {
  check_once(a, b, want, nullptr);
  for (int i = 0; i < 3; ++i) check_once(a, b, want, b.storage().get());
}

TEST(Gemm, IsOneChainPerElement) {
  for (const Size& s : kSizes) {
    for (Order order_a : testing::kOrders) {
      for (Order order_b : testing::kOrders) {
        SCOPED_TRACE(std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k));
        const Tensor a = testing::random_tensor<float>({s.m, s.k}, 1, order_a);
        const Tensor b = testing::random_tensor<float>({s.k, s.n}, 2, order_b);
        const auto want = sequential_fma(a, b);
        testing::for_each_isa_and_thread_count(
            [&] { order_a == Order::RowMajor ? check(a, b, want) : check_once(a, b, want, nullptr); });
      }
    }
  }
}

TEST(Gemm, RowsThatAreAPageApart) {
  const Tensor b = testing::random_tensor<float>({1024, 1030}, 2);
  for (int64_t rows : {9, 25, 28}) {
    const Tensor a = testing::random_tensor<float>({rows, 1024}, 1);
    const auto want = sequential_fma(a, b);
    testing::for_each_isa_and_thread_count([&] { check_once(a, b, want, nullptr); });
  }
}

TEST(Gemm, SpecialValuesFollowTheChain) {
  const float inf = std::numeric_limits<float>::infinity();
  for (float special : {inf, -inf, std::numeric_limits<float>::quiet_NaN(), 1e-42f, -0.0f, 3e38f}) {
    const Tensor a = testing::random_tensor<float>({15, 33}, 1);
    const Tensor b = testing::random_tensor<float>({33, 34}, 2);
    a.data_as<float>()[40] = special;
    b.data_as<float>()[50] = special;
    const auto want = sequential_fma(a, b);
    testing::for_each_isa_and_thread_count([&] { check(a, b, want); });
  }
}

TEST(Gemm, AnInstalledKernelIsUsed) {
  static int calls = 0;
  static const GemmKernel original = gemm_kernel();
  GemmKernel counting = original;
  counting.run = [](const Tile<float>& tile) {
    ++calls;
    original.run(tile);
  };
  const int before = threads();
  set_threads(1);
  auto& installed = emitted_kernels().gemm[static_cast<size_t>(isa())];
  installed.store(&counting);
  const Tensor a = testing::random_tensor<float>({30, 40}, 1);
  const Tensor b = testing::random_tensor<float>({40, 50}, 2);
  check(a, b, sequential_fma(a, b));
  installed.store(nullptr);
  set_threads(before);
  EXPECT_GT(calls, 0);
}

}  // namespace
}  // namespace ember::ops
