#include "tiers/environment.h"

#include <algorithm>
#include <cstdlib>

#include "ops/base/isa.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "tiers/symbols/symbols.h"

namespace ember::tiers {

const std::vector<Variable>& environment_variables() {
  static const std::vector<Variable> all = {
      {"EMBERJIT_JIT", {"0", "1"}},
      {"EMBERJIT_TRACE", {"0", "1"}},
      {"EMBERJIT_SHADOW", {"0", "1"}},
      {"EMBERJIT_WARN", {"0", "1"}},
      {"EMBERJIT_SYMBOLS", {std::begin(kSymbolFormats), std::end(kSymbolFormats)}},
      {"EMBERJIT_DUMP", {}},
      {"EMBERJIT_ISA", {std::begin(ops::kIsaNames), std::end(ops::kIsaNames)}},
      {"EMBERJIT_GUARD_PAGES", {"before", "after"}},
      {"EMBERJIT_MATMUL_PRECISION", {std::begin(ops::kMatmulPrecisions), std::end(ops::kMatmulPrecisions)}}};
  return all;
}

std::string environment_problem() {
  for (const Variable& variable : environment_variables()) {
    const char* text = std::getenv(variable.name.c_str());
    const std::vector<std::string>& values = variable.values;
    if (!text || !*text || values.empty() || std::find(values.begin(), values.end(), text) != values.end()) continue;
    std::string out = variable.name + " must be one of [";
    for (const std::string& value : values) out += (&value == &values[0] ? "'" : ", '") + value + "'";
    return out + "], but is '" + text + "'.";
  }
  return "";
}

}  // namespace ember::tiers
