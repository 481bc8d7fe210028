#include "ops/foreign/foreign.h"

#include "ops/table/movement.h"

namespace ember::ops {
namespace {

struct ForeignCall {
  static constexpr const char* name = kForeignCall;
  static constexpr const char* primitive = "ForeignCall";
  static constexpr const char* signature =
      "operands: tensors, library: str, symbol: str, signature: str, backward: str = '' -> tensors";
  static constexpr const char* saves = "operands, out";
  static constexpr Flags flags = Flag::Io;
  static constexpr const char* doc =
      "Calls a C function of a shared library. The signature names dtypes and sizes, as in 'float32[n], float32[n] "
      "-> float32[n]': operands and results with sizes are pointers, those without are values, and named sizes "
      "follow as int64_t. The function is called for each index of axes that are named in braces, 'float64{n} -> "
      "float64', and so for each element under vmap. The library is loaded by the first call. `backward` is the "
      "symbol of its gradient: its operands are the function's, the results and their cotangents, its results the "
      "gradients of the floating operands, 'float32[n], float32[n], float32[n], float32[n] -> float32[n], "
      "float32[n]', as pointers but for one of one operand by value. Without it, asking for a gradient is a "
      "TypeError, unless the call stands in the construct of a Cell with a bprop.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return foreign_results(c); }
  static void kernel(const KernelCall& c) { call_foreign(c); }
  static Values grad(Grad& g) { return foreign_gradient(g); }
  static Values batch(Batch& b) { return foreign_batch(b); }
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
