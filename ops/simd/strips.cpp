// Chooses strip kernels.
#include "ops/simd/strips.h"

#include <stdexcept>

namespace ember::ops {

const StripTable& strips(Isa isa) {
  static constexpr const StripTable& (*tables[])() = {
#define X(name, set) &strips_##set,
      EMBER_ISAS(X)
#undef X
  };
  return tables[static_cast<size_t>(isa)]();
}

StripFn strip(const StripTable& table, const Expr& expr, NodeId node) {
  const ExprNode& n = expr.nodes[node];
  const int operands = info(n.verb).operands;
  const DType of = expr.nodes[n.args[operands > 0 ? operands - 1 : 0]].dtype;
  const bool by_result = n.verb == Verb::Lookup || n.verb == Verb::Bitcast;
  const StripFn fn = n.verb == Verb::Convert
                         ? table.converts[static_cast<size_t>(of)][static_cast<size_t>(n.dtype)]
                         : table.verbs[static_cast<size_t>(n.verb)][static_cast<size_t>(by_result ? n.dtype : of)];
  if (!fn) throw std::logic_error("no kernel for " + std::string(info(n.verb).name) + " of " + std::string(name(of)));
  return fn;
}

void convert_elements(DType from, DType to, const void* in, int64_t n, void* out) {
  strips(isa()).converts[static_cast<size_t>(from)][static_cast<size_t>(to)](n, out, in, nullptr, nullptr);
}

StripFn copy_strip(const StripTable& table, DType dtype) {
  return table.converts[static_cast<size_t>(dtype)][static_cast<size_t>(dtype)];
}

}  // namespace ember::ops
