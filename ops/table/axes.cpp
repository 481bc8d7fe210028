#include "ops/table/axes.h"

#include <algorithm>

#include "ops/table/op.h"

namespace ember::ops {

Axes reduced_axes(const Attrs& attrs, size_t index, size_t rank, std::string_view op_name) {
  Axes all;
  if (!attrs.has(index) || attrs.ints(index).empty()) {
    for (size_t d = 0; d < rank; ++d) all.push_back(d);
    return all;
  }
  Axes named = axes(attrs, index, std::max<size_t>(rank, 1), op_name);
  return rank == 0 ? Axes{} : named;
}

Dims reduced_dims(const Dims& dims, const Axes& axes, bool keepdims) {
  Dims out;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!contains(axes, d)) {
      out.push_back(dims[d]);
    } else if (keepdims) {
      out.push_back(1);
    }
  }
  return out;
}

Dim reduced_count(const Dims& dims, const Axes& axes) {
  Dim count = 1;
  for (size_t d : axes) count = count * dims[d];
  return count;
}

}  // namespace ember::ops
