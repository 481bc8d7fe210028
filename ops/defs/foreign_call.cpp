#include "ops/foreign/foreign.h"

namespace ember::ops {
namespace {

struct ForeignCall {
  static constexpr const char* name = kForeignCall;
  static constexpr const char* primitive = "ForeignCall";
  static constexpr const char* signature = "operands: tensors, library: str, symbol: str, signature: str -> tensors";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* doc =
      "Calls a C function of a shared library. The signature names dtypes and sizes, as in 'float32[n], float32[n] -> "
      "float32[n]': operands and results with sizes are pointers, those without are values, and named sizes follow as "
      "int64_t.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return foreign_results(c); }
  static void kernel(const KernelCall& c) { call_foreign(c); }
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
