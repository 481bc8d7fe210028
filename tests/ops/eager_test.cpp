// What happens while an op runs: a signal's handler runs others, or another thread chooses another instruction set.
#include "ops/eager/eager.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "ops/base/interrupt.h"
#include "ops/base/isa.h"
#include "ops/base/parallel.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

Tensor leaky(const Tensor& x, double alpha) {
  const Op& leaky_relu = op("leaky_relu");
  const Value operand = x;
  return std::get<Tensor>(run(leaky_relu, {&operand, 1}, make_attrs(leaky_relu, {{"alpha", alpha}})).at(0));
}

bool identical_bits(const Tensor& a, const Tensor& b) {
  return std::memcmp(a.data(), b.data(), static_cast<size_t>(a.layout().bytes())) == 0;
}

TEST(Eager, AHandlerMayRunMoreOpsThanThereArePlans) {
  static int asked, before;
  asked = 0;
  before = threads();
  set_threads(1);
  const Tensor x = Tensor::full(DType::Float32, {6'000'000}, -1);
  embedding().wants_to_stop = [] {
    static bool inside = false;
    if (inside || asked > 3) return false;
    inside = true;
    const Tensor small = Tensor::full(DType::Float32, {2}, -1);
    for (int i = 0; i < 4000; ++i) leaky(small, 2.0 + 4000.0 * asked + i);
    inside = false;
    ++asked;
    return false;
  };
  std::vector<double> wrong;
  for (int i = 0; i < 60 && asked <= 3; ++i) {
    const double alpha = 0.25 + i;
    const Tensor y = leaky(x, alpha);
    for (int64_t j = 0; j < y.numel(); ++j)
      if (y.data_as<float>()[j] != -static_cast<float>(alpha)) wrong.push_back(y.data_as<float>()[j]);
  }
  embedding().wants_to_stop = nullptr;
  set_threads(before);
  EXPECT_GT(asked, 0);
  EXPECT_TRUE(wrong.empty()) << wrong.size() << " are wrong, one is " << wrong.front();
}

TEST(Eager, AProductKeepsItsInstructionSet) {
  const Isa before = isa();
  const Op& matmul = op("matmul");
  const Value operands[] = {testing::random_tensor<float>({150, 170}, 1), testing::random_tensor<float>({170, 190}, 2)};
  const auto product = [&] { return std::get<Tensor>(run(matmul, operands, make_attrs(matmul, {})).at(0)); };
  const Tensor want = product();
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done)
      for (const Isa isa : kIsas) set_isa(isa);
  });
  int wrong = 0;
  for (int i = 0; i < 300; ++i) wrong += !identical_bits(product(), want);
  done = true;
  other.join();
  set_isa(before);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ember::ops
