#include "ops/foreign/foreign.h"

#include "ops/table/movement.h"

namespace ember::ops {
namespace {

struct ForeignCall {
  static constexpr const char* name = kForeignCall;
  static constexpr const char* primitive = "ForeignCall";
  static constexpr const char* signature = "operands: tensors, library: str, symbol: str, signature: str -> tensors";
  static constexpr Flags flags = Flag::Io;
  static constexpr const char* doc =
      "Calls a C function of a shared library. The signature names dtypes and sizes, as in 'float32[n], float32[n] -> "
      "float32[n]': operands and results with sizes are pointers, those without are values, and named sizes follow as "
      "int64_t. The library is loaded by the first call. Its gradient is not known: asking for one is a TypeError, "
      "unless "
      "the call stands in the construct of a Cell with a bprop.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return foreign_results(c); }
  static void kernel(const KernelCall& c) { call_foreign(c); }
  static Values grad(Grad& g) {
    type_error(about(name) + "the gradient of '" + g.attrs.text(2) + "' of the library '" + g.attrs.text(1) +
               "' is not known: call it in the construct of a Cell, whose bprop returns the gradients, or use "
               "stop_gradient() of its results if none is to flow.");
  }
  static std::vector<Sample> samples() {
    return {{{{{}, DType::Float64}},
             {{"library", std::string("libm.so.6")},
              {"symbol", std::string("cos")},
              {"signature", std::string("float64 -> float64")}},
             {1}}};
  }
};
EMBER_OP(ForeignCall);

}  // namespace
}  // namespace ember::ops
