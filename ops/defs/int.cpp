// What a graph expects of values, for which whoever captured it runs Python instead where it is otherwise: int() of
// elements takes at most 31 bits, so that sums and products of a few such numbers are what Python computes with 64; a
// loop makes a trip.
#include <cmath>

#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr double kBound = 2147483648.0;

struct Int {
  static constexpr const char* name = "int_";
  static constexpr const char* primitive = "Int";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "input truncated to int64, as Python's int() does. OverflowError: an element is not finite, or not between -2^31 "
      "and 2^31.";
  static constexpr const char* numpy = "np.trunc(input).astype(np.int64)";
  static Types infer(const InferCall& c) {
    refuse_complex(c.in[0], name);
    return {Type::tensor(DType::Int64, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const View& in = c.in[0];
    dispatch(in.layout->dtype, [&]<class T>() {
      const LoopNest<2> nest(in.layout->shape, {&in.layout->strides, &c.out[0].layout->strides});
      nest.elements([&](const std::array<int64_t, 2>& at) {
        const auto element = convert_value<double>(in.as<T>()[at[0]]);
        if (!(std::fabs(std::trunc(element)) < kBound))
          throw OpError(OpError::Kind::Overflow, "int() of " + std::to_string(element) +
                                                     " takes more than the 31 bits that a graph expects of an integer "
                                                     "that Python computes with: compute with Tensors.");
        c.out[0].as<int64_t>()[at[1]] = static_cast<int64_t>(element);
      });
    });
  }
  static Values batch(Batch& v) { return {v.b.call(name, {v.in(0)})}; }
  static std::vector<Sample> samples() {
    return {{{{{3, 7}, DType::Float32, -9, 9}}, {}, {}},
            {{{{}, DType::Float64, -2e9, 2e9}}, {}, {}},
            {{{{5}, DType::Int64, -2147483647, 2147483647}}, {}, {}},
            {{{{2, 3}, DType::Float16, -900, 900}}, {}, {}}};
  }
};
EMBER_OP(Int);

struct Require {
  static constexpr const char* name = "require_";
  static constexpr const char* primitive = "Require";
  static constexpr const char* signature = "condition: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "condition as bool, of which all elements are true: of a loop on a Tensor, that it makes a trip, where without "
      "one a number would be of another class. OverflowError: one is false.";
  static constexpr const char* numpy = "condition != 0";
  static Types infer(const InferCall& c) { return {Type::tensor(DType::Bool, c.in[0].dims)}; }
  static void kernel(const KernelCall& c) {
    const View& in = c.in[0];
    dispatch(in.layout->dtype, [&]<class T>() {
      const LoopNest<2> nest(in.layout->shape, {&in.layout->strides, &c.out[0].layout->strides});
      nest.elements([&](const std::array<int64_t, 2>& at) {
        if (convert_value<double>(in.as<T>()[at[0]]) == 0)
          throw OpError(OpError::Kind::Overflow,
                        "a `while` on a Tensor makes no trip, so that a number that becomes a Tensor in it, or another "
                        "kind of number, stays what it was, which a graph cannot hold: let it be that from the start.");
        c.out[0].as<bool>()[at[1]] = true;
      });
    });
  }
  static Values batch(Batch& v) { return {v.b.call(name, {v.in(0)})}; }
  static std::vector<Sample> samples() {
    return {{{{{3, 7}, DType::Int32, 1, 9}}, {}, {}}, {{{{}, DType::Float64, 0.5, 2}}, {}, {}}};
  }
};
EMBER_OP(Require);

}  // namespace
}  // namespace ember::ops
