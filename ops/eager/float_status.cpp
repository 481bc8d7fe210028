#include "ops/eager/float_status.h"

#include <atomic>
#include <cmath>

#include "ops/program/strided.h"

namespace ember::ops {
namespace {

thread_local int kernels = 0;  // that run others
std::atomic<bool> watching{false};
std::atomic<bool> seen{false};

bool finite(const View& view) {
  bool all = true;
  const auto look = [&]<class T>() {
    LoopNest<1> nest(view.layout->shape, {&view.layout->strides});
    nest.elements([&](const std::array<int64_t, 1>& at) {
      const T& element = view.as<T>()[at[0]];
      if constexpr (is_half<T>)
        all &= std::isfinite(static_cast<float>(element));
      else if constexpr (is_complex_type<T>)
        all &= std::isfinite(element.real()) && std::isfinite(element.imag());
      else if constexpr (!std::is_integral_v<T>)
        all &= std::isfinite(element);
    });
  };
  if (is_inexact(view.layout->dtype)) dispatch(view.layout->dtype, look);
  return all;
}

}  // namespace

bool watching_floats() { return kernels == 0 && watching.load(std::memory_order_relaxed); }

void clear_float_status() {
  seen = false;
  watching = true;
}

bool read_float_status() {
  watching = false;
  return seen;
}

WithinKernel::WithinKernel() { ++kernels; }
WithinKernel::~WithinKernel() { --kernels; }

void note_floats(const View& result) {
  if (watching_floats() && !seen.load(std::memory_order_relaxed) && !finite(result)) seen = true;
}

}  // namespace ember::ops
