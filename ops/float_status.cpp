// The ops clear and read the status, and tell it of a result.
#include "ops/float_status.h"

#include <atomic>
#include <cmath>

#include "ops/movement.h"
#include "ops/strided.h"

namespace ember::ops {
namespace {

thread_local int kernels = 0;  // that run others
std::atomic<bool> watching{false};
std::atomic<bool> seen{false};

bool finite(const View& view) {
  bool all = true;
  const auto look = [&]<class T>() {
    StridedWalk<1> walk(view.layout->shape, {&view.layout->strides});
    walk.elements([&](const std::array<int64_t, 1>& at) {
      const T& element = view.as<T>()[at[0]];
      if constexpr (is_half<T>)
        all &= std::isfinite(static_cast<float>(element));
      else if constexpr (!std::is_integral_v<T>)
        all &= std::isfinite(element);
    });
  };
  if (is_float(view.layout->dtype)) dispatch(view.layout->dtype, look);
  return all;
}

Types check_flag(const InferCall& c, std::string_view op_name) {
  const DType dtype = c.in[0].dtype;
  if (dtype != DType::Float32 && dtype != DType::Float16)
    type_error(about(op_name) + "'x' must be a Tensor of Float16 or Float32, but got " + std::string(name(dtype)) +
               ".");
  return {c.in[0]};
}

struct ClearFloatStatus {
  static constexpr const char* name = "clear_float_status";
  static constexpr const char* primitive = "NPUClearFloatStatus";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* doc =
      "Clears the float status: from now on results are looked at. Answers zeros like x.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return check_flag(c, name); }
  static void kernel(const KernelCall& c) {
    seen = false;
    watching = true;
    fill(c.out[0], 0);
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(ClearFloatStatus);

struct GetFloatStatus {
  static constexpr const char* name = "get_float_status";
  static constexpr const char* primitive = "GetFloatStatus";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* doc =
      "The float status, in a Tensor like x: ones if a result was not finite since it was cleared, zeros if all were. "
      "Results are not looked at any longer.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return check_flag(c, name); }
  static void kernel(const KernelCall& c) {
    watching = false;
    fill(c.out[0], seen ? 1 : 0);
  }
  static std::vector<Sample> samples() { return {{{{{8}}}, {}, {}}}; }
};
EMBER_OP(GetFloatStatus);

struct NoteFloatStatus {
  static constexpr const char* name = "note_float_status";
  static constexpr const char* primitive = "NoteFloatStatus";
  static constexpr const char* signature = "x: tensor -> none";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* doc = "Lets the float status look at a Tensor.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall&) { return {}; }
  static void kernel(const KernelCall& c) { note_floats(c.in[0]); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {}, {}}}; }
};
EMBER_OP(NoteFloatStatus);

}  // namespace

bool watching_floats() { return kernels == 0 && watching.load(std::memory_order_relaxed); }

WithinKernel::WithinKernel() { ++kernels; }
WithinKernel::~WithinKernel() { --kernels; }

void note_floats(const View& result) {
  if (watching_floats() && !seen.load(std::memory_order_relaxed) && !finite(result)) seen = true;
}

}  // namespace ember::ops
