// Shared by the tests of kernels: fixed random tensors in several layouts, bits compared with NaNs made canonical, and
// runs for every instruction set and several thread counts.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <initializer_list>
#include <random>
#include <vector>

#include "ops/base/isa.h"
#include "ops/base/parallel.h"
#include "ops/table/op.h"
#include "ops/tensor/convert.h"
#include "ops/tensor/tensor.h"

namespace ember::ops::testing {

inline View view(const Tensor& t) { return {t.data(), &t.layout()}; }

template <class T>
uint64_t bits_of(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return std::isnan(x) ? 0x7fc00000u : std::bit_cast<uint32_t>(x);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::isnan(x) ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(x);
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return std::isnan(static_cast<float>(x)) ? 0xffffu : x.bits;
  } else if constexpr (is_complex_type<T>) {
    return bits_of(x.real()) * 31 + bits_of(x.imag());
  } else {
    return static_cast<uint64_t>(x);
  }
}

template <class T>
T make(double x) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(x));
  } else if constexpr (std::is_same_v<T, bool>) {
    return x > 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<int64_t>(x * 50));
  } else {
    return static_cast<T>(x);
  }
}

enum class Order { RowMajor, Transposed, Gaps, Reversed, SecondLast };  // SecondLast: axis 1 varies fastest
inline constexpr Order kOrders[] = {Order::RowMajor, Order::Transposed, Order::Gaps, Order::Reversed,
                                    Order::SecondLast};

// A tensor of this shape laid out in this order, its elements normal random numbers.
template <class T>
Tensor random_tensor(const Shape& shape, uint32_t seed, Order order = Order::RowMajor) {
  const size_t rank = shape.size();
  Shape strides(rank, 0);
  int64_t stride = order == Order::Gaps ? 3 : 1;
  int64_t offset = 0;
  for (size_t i = 0; i < rank; ++i) {
    const bool second_last = order == Order::SecondLast && rank > 1;
    const size_t last = second_last ? i == 0 ? 1 : i < rank - 1 ? rank - i : 0 : rank - 1 - i;
    const size_t d = order == Order::Transposed ? i : last;
    strides[d] = order == Order::Reversed ? -stride : stride;
    if (order == Order::Reversed && shape[d] > 0) offset += (shape[d] - 1) * stride;
    stride *= std::max<int64_t>(shape[d], 1);
  }
  Tensor memory = Tensor::empty(dtype_of<T>, {stride});
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  for (int64_t i = 0; i < stride; ++i) memory.data_as<T>()[i] = make<T>(normal(engine));
  return memory.view(layout(dtype_of<T>, shape, strides), offset * static_cast<int64_t>(sizeof(T)));
}

template <class T>
T& element(const Tensor& t, int64_t logical) {
  int64_t offset = 0;
  for (size_t d = t.rank(); d-- > 0;) {
    offset += logical % t.shape()[d] * t.layout().strides[d];
    logical /= t.shape()[d];
  }
  return t.data_as<T>()[offset];
}

template <class T>
std::vector<T> elements(const Tensor& t) {
  std::vector<T> all;
  for (int64_t i = 0; i < t.numel(); ++i) all.push_back(element<T>(t, i));
  return all;
}

// Fails at the first of n elements that has other bits.
template <class T>
void expect_bits(const T* got, const T* want, int64_t n) {
  int64_t i = 0;
  while (i < n && bits_of(got[i]) == bits_of(want[i])) ++i;
  if (i < n)
    ADD_FAILURE() << std::hex << "bits " << bits_of(got[i]) << ", not " << bits_of(want[i]) << std::dec
                  << ", at element " << i;
}

template <class F>
void for_each_isa_and_thread_count(F f, std::initializer_list<int> counts = {1, 2, 3}) {
  const Isa before = isa();
  const int threads_before = threads();
  for (Isa set : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
    if (!set_isa(set)) continue;
    for (int count : counts) {
      set_threads(count);
      SCOPED_TRACE(std::string(name(set)) + ", " + std::to_string(count) + " threads");
      f();
    }
  }
  set_isa(before);
  set_threads(threads_before);
}

}  // namespace ember::ops::testing
