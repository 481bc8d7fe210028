#include "ops/table/products.h"

#include <algorithm>

namespace ember::ops {

void refuse_operands(std::string_view name, const std::string& why, const Type& a, const Type& b) {
  value_error("For '" + std::string(name) + "', " + why + ": the operands are " + to_string(a) + " and " +
              to_string(b) + ".");
}

Dims leading(const Dims& dims) {
  Dims out;
  for (size_t d = 0; d + 2 < dims.size(); ++d) out.push_back(dims[d]);
  return out;
}

Dims check_product(const Type& a, const Type& b, bool transpose_a, bool transpose_b, std::string_view name) {
  const size_t ra = a.dims.size(), rb = b.dims.size();
  const size_t at_a = ra - (transpose_a ? 2 : 1), at_b = rb == 1 ? 0 : rb - (transpose_b ? 1 : 2);
  if (a.dims[at_a] != b.dims[at_b]) {
    refuse_operands(name,
                    "axis " + std::to_string(at_a) + " of the first operand must have the size of axis " +
                        std::to_string(at_b) + " of the second",
                    a, b);
  }
  try {
    return broadcast(leading(a.dims), leading(b.dims), name);
  } catch (const OpError&) {
    refuse_operands(name, "the sizes before the matrices cannot be broadcast", a, b);
  }
}

Dims product_dims(const Type& a, const Type& b, std::string_view name) {
  const size_t ra = a.dims.size(), rb = b.dims.size();
  if (ra == 0 || rb == 0) refuse_operands(name, "operands need at least one dimension", a, b);
  Dims dims = check_product(a, b, false, false, name);
  if (ra > 1) dims.push_back(a.dims[ra - 2]);
  if (rb > 1) dims.push_back(b.dims[rb - 1]);
  return dims;
}

Values batched_product(Batch& batch) {
  Builder& b = batch.b;
  const size_t ra = b.dims(batch.in(0)).size() - (batch.batched(0) ? 1 : 0);
  const size_t ro = b.dims(batch.in(1)).size() - (batch.batched(1) ? 1 : 0);
  const size_t rank = std::max<size_t>({ra, ro, 2});
  const auto operand = [&](size_t i, size_t own, bool column) {
    const Dims dims = b.dims(batch.in(i));
    Dims to;
    if (batch.batched(i)) {
      to.push_back(batch.size);
      for (size_t d = std::max<size_t>(own, 2); d < rank; ++d) to.push_back(1);
    }
    if (own == 1 && !column) to.push_back(1);
    for (size_t d = batch.batched(i) ? 1 : 0; d < dims.size(); ++d) to.push_back(dims[d]);
    if (own == 1 && column) to.push_back(1);
    return b.reshape(batch.in(i), to);
  };
  const Value out = b.call(batch.op.name, {operand(0, ra, false), operand(1, ro, true)});
  const Dims full = b.dims(out);
  Dims dims = leading(full);
  if (ra > 1) dims.push_back(full[full.size() - 2]);
  if (ro > 1) dims.push_back(full[full.size() - 1]);
  return {b.reshape(out, dims)};
}

}  // namespace ember::ops
