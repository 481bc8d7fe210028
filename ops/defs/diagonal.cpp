// The diagonals of matrices, which two axes of a tensor are: of [[1 2 3] [4 5 6]] 1 5, with offset 1 2 6, with -1 4.
#include <algorithm>

#include "ops/table/axes.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

struct Matrix {
  size_t row, column;   // its axes
  int64_t down, right;  // where the diagonal begins
  Dim length;
  Axes others;
};

Matrix matrix_of(const Dims& dims, const Attrs& attrs, std::string_view name) {
  Matrix m{axis(attrs.integer(2), dims.size(), name), axis(attrs.integer(3), dims.size(), name), 0, 0, 0, {}};
  if (m.row == m.column)
    value_error(about(name) + "'dim1' and 'dim2' must be two axes, but both are " + std::to_string(m.row) + ".");
  const int64_t offset = attrs.integer(1);
  m.down = std::max<int64_t>(-offset, 0);
  m.right = std::max<int64_t>(offset, 0);
  const Dim rows = dims[m.row] - Dim(m.down), columns = dims[m.column] - Dim(m.right);
  m.length = columns < rows ? columns : rows;
  if (m.length < Dim(0)) m.length = 0;
  for (size_t d = 0; d < dims.size(); ++d)
    if (d != m.row && d != m.column) m.others.push_back(d);
  return m;
}

struct Diagonal {
  static constexpr const char* name = "diagonal";
  static constexpr const char* primitive = "Diagonal";
  static constexpr const char* signature = "input: tensor, offset: int = 0, dim1: int = 0, dim2: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view.";
  static constexpr const char* numpy = "np.diagonal(input, offset, dim1, dim2)";
  static Types infer(const InferCall& c) {
    const Matrix m = matrix_of(c.in[0].dims, c.attrs, name);
    Dims out;
    for (size_t d : m.others) out.push_back(c.in[0].dims[d]);
    out.push_back(m.length);
    return {Type::tensor(c.in[0].dtype, out)};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    const Matrix m = matrix_of(dims(in.shape), attrs, name);
    Shape shape, strides;
    for (size_t d : m.others) {
      shape.push_back(in.shape[d]);
      strides.push_back(in.strides[d]);
    }
    shape.push_back(pinned(m.length));
    strides.push_back(in.strides[m.row] + in.strides[m.column]);
    const int64_t first = m.down * in.strides[m.row] + m.right * in.strides[m.column];
    *out = layout(in.dtype, shape, strides);
    *offset = pinned(m.length) == 0 ? 0 : first * static_cast<int64_t>(itemsize(in.dtype));
    return true;
  }
  // With the matrices last, each row has the element of the diagonal that is in it, or none, along all columns.
  static Value written(Builder& b, const Value& in, const Value& view, const Attrs& attrs) {
    const Dims have = b.dims(in);
    const Matrix m = matrix_of(have, attrs, name);
    const Dim rows = have[m.row], columns = have[m.column];
    Ints order;
    for (size_t d : m.others) order.push_back(static_cast<int64_t>(d));
    order.push_back(static_cast<int64_t>(m.row));
    order.push_back(static_cast<int64_t>(m.column));
    Dims padded = b.dims(view);
    const size_t last = padded.size() - 1;
    Ints begin(padded.size(), Dim(0)), end(padded.begin(), padded.end());
    begin[last] = m.down;
    end[last] = Dim(m.down) + m.length;
    padded[last] = rows;
    const Value spread = b.call("slice_update", {b.zeros(b.type(in).dtype, padded), view},
                                {{"begin", begin}, {"end", end}, {"strides", Ints(padded.size(), Dim(1))}});
    const Value row = b.reshape(b.call("arange", {}, {{"start", Ints{rows}}}), {rows, Dim(1)});
    const Value column = b.call("arange", {}, {{"start", Ints{columns}}});
    const Value on = b.call("equal", {column, b.add(row, attrs.integer(1))});
    const Value whole = b.select(on, b.expand_dims(spread, -1), b.transpose(in, order));
    return b.transpose(whole, inverse_permutation(order));
  }
  static Values grad(Grad& g) {
    return {written(g.b, g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims), g.ct(), g.attrs)};
  }
  static Values batch(Batch& v) {
    const size_t rank = v.b.dims(v.in(0)).size() - 1;
    Attrs attrs = v.attrs;
    for (size_t i : {size_t{2}, size_t{3}})
      attrs.set(i, static_cast<int64_t>(axis(v.attrs.integer(i), rank, name)) + 1);
    return v.b.apply(v.op, {{v.in(0)}}, attrs);
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 3}}}, {}, {}},
            {{{{3, 5}}}, {{"offset", int64_t{1}}}, {}},
            {{{{4, 3}}}, {{"offset", int64_t{-2}}, {"dim1", int64_t{-2}}, {"dim2", int64_t{-1}}}, {}},
            {{{{2, 3, 4}}}, {{"dim1", int64_t{2}}, {"dim2", int64_t{0}}}, {}},
            {{{{2, 3}, DType::Int32}}, {{"offset", int64_t{5}}}, {}}};
  }
};
EMBER_OP(Diagonal);

}  // namespace
}  // namespace ember::ops
