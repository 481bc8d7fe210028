// Tensors as text, against what MindSpore 2.10 and NumPy 1.26 print.
#include "ops/text/format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/text/number_text.h"

namespace ember::ops {
namespace {

template <class T>
Tensor tensor(const Shape& shape, const std::vector<double>& values) {
  Tensor t = Tensor::empty(dtype_of<T>, shape);
  for (size_t i = 0; i < values.size(); ++i) t.data_as<T>()[i] = static_cast<T>(static_cast<float>(values[i]));
  return t;
}

template <class T>
Tensor count(const Shape& shape) {
  Tensor t = Tensor::empty(dtype_of<T>, shape);
  for (int64_t i = 0; i < t.numel(); ++i) t.data_as<T>()[i] = static_cast<T>(i);
  return t;
}

std::string repr(const Tensor& t) { return format(t, true); }
std::string str(const Tensor& t) { return format(t, false); }

TEST(Format, ReprIsMindSpores) {
  EXPECT_EQ(repr(count<float>({2, 3})),
            "Tensor(shape=[2, 3], dtype=Float32, value=\n[[ 0.00000000e+00,  1.00000000e+00,  2.00000000e+00],\n"
            " [ 3.00000000e+00,  4.00000000e+00,  5.00000000e+00]])");
  EXPECT_EQ(repr(tensor<float>({}, {1.5})), "Tensor(shape=[], dtype=Float32, value= 1.5)");
  EXPECT_EQ(repr(count<int64_t>({3})), "Tensor(shape=[3], dtype=Int64, value= [0, 1, 2])");
  EXPECT_EQ(repr(tensor<int8_t>({1, 2}, {-1, 100})), "Tensor(shape=[1, 2], dtype=Int8, value=\n[[ -1, 100]])");
  EXPECT_EQ(repr(count<float>({0})), "Tensor(shape=[0], dtype=Float32, value= )");
  EXPECT_EQ(repr(count<float>({2, 0, 3})), "Tensor(shape=[2, 0, 3], dtype=Float32, value=\n)");
  EXPECT_EQ(repr(tensor<Half>({3}, {NAN, INFINITY, -INFINITY})),
            "Tensor(shape=[3], dtype=Float16, value= [        nan,         inf,        -inf])");
  EXPECT_EQ(repr(tensor<BFloat16>({2}, {1.5, 2.25})), "Tensor(shape=[2], dtype=BFloat16, value= [ 1.5, 2.25])");
}

TEST(Format, ReprBreaksVectorsAndCutsLongAxes) {
  EXPECT_EQ(
      repr(count<uint8_t>({26})),
      "Tensor(shape=[26], dtype=UInt8, value= [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, "
      "17, 18, 19, 20, 21, 22, 23, \n 24, 25])");
  EXPECT_EQ(repr(count<float>({12})).substr(195), " 9.00000000e+00,  1.00000000e+01,  1.10000000e+01\n ])");
  EXPECT_EQ(repr(count<int64_t>({1001})),
            "Tensor(shape=[1001], dtype=Int64, value= [   0,    1,    2 ...  998,  999, 1000])");
  EXPECT_EQ(repr(count<int64_t>({2, 7, 2})),
            "Tensor(shape=[2, 7, 2], dtype=Int64, value=\n[[[ 0,  1],\n  [ 2,  3],\n  [ 4,  5],\n  ...\n  [ 8,  9],\n"
            "  [10, 11],\n  [12, 13]],\n [[14, 15],\n  [16, 17],\n  [18, 19],\n  ...\n  [22, 23],\n  [24, 25],\n"
            "  [26, 27]]])");
}

TEST(Format, StrIsNumpys) {
  EXPECT_EQ(str(count<float>({2, 3})), "[[0. 1. 2.]\n [3. 4. 5.]]");
  EXPECT_EQ(str(count<int32_t>({2, 1, 2})), "[[[0 1]]\n\n [[2 3]]]");
  EXPECT_EQ(str(count<float>({0, 3})), "[]");
  EXPECT_EQ(str(tensor<float>({}, {1})), "1.0");
  EXPECT_EQ(str(tensor<float>({}, {1e20})), "1e+20");
  Tensor flags = Tensor::empty(DType::Bool, {2});
  flags.data_as<bool>()[0] = true;
  flags.data_as<bool>()[1] = false;
  EXPECT_EQ(str(flags), "[ True False]");
  EXPECT_EQ(str(tensor<float>({5}, {1e-9, 1e20, NAN, INFINITY, -INFINITY})), "[1.e-09 1.e+20    nan    inf   -inf]");
  EXPECT_EQ(str(tensor<float>({2}, {0.1, -2.5})), "[ 0.1 -2.5]");
  EXPECT_EQ(str(tensor<Half>({1}, {65504})), "[65504.]");
  EXPECT_EQ(str(tensor<BFloat16>({2}, {1.5, 2})), "[1.500000 2.000000]");
  EXPECT_EQ(str(count<float>({1001})), "[   0.    1.    2. ...  998.  999. 1000.]");
  EXPECT_EQ(str(count<float>({20})),
            "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n 18. 19.]");
}

TEST(Format, TakesAnyStrides) {
  Tensor t = count<int32_t>({2, 3});
  EXPECT_EQ(str(t.view(layout(DType::Int32, {3, 2}, {1, 3}))), "[[0 3]\n [1 4]\n [2 5]]");
  EXPECT_EQ(str(t.view(layout(DType::Int32, {3}, {-1}), 8)), "[2 1 0]");
}

TEST(NumberText, FindsTheShortestDigits) {
  EXPECT_EQ(scalar_text(0.1, DType::Float64), "0.1");
  EXPECT_EQ(scalar_text(static_cast<double>(0.1F), DType::Float32), "0.1");
  EXPECT_EQ(scalar_text(1.0 / 3, DType::Float64), "0.3333333333333333");
  EXPECT_EQ(scalar_text(5e-324, DType::Float64), "5e-324");
  EXPECT_EQ(scalar_text(0x1p-24, DType::Float16), "6e-08");
  EXPECT_EQ(scalar_text(-0.0, DType::Float32), "-0.0");
  EXPECT_EQ(positional(1.0 / 3, DType::Float64, 8), "0.33333333");
  EXPECT_EQ(scientific(123456789.0, DType::Float64, 3), "1.235e+08");
}

}  // namespace
}  // namespace ember::ops
