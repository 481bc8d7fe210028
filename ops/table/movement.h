// Shape rules that movement ops share.
#pragma once

#include "ops/table/builder.h"

namespace ember::ops {

// "For 'reshape', ": how every message of these ops begins.
std::string about(std::string_view op_name);

// Of an index that may count from the end, but not so far.
[[noreturn]] void refuse_index(std::string_view op_name, int64_t index, size_t axis, const Shape& shape);

Ints ints_of(const Dims& dims);
Dims dims_of(const Ints& ints, std::string_view op_name);  // at most 8 sizes, none negative

Ints inverse_permutation(const Ints& order);  // of axes counted from the first

std::string text(const Ints& ints);  // "(2, 3)"

// The sizes that `shape`, with at most one -1, stands for.
Dims resolve_reshape(const Dims& have, const Ints& shape);

// The product of the dims in [begin, end).
Dim product(const Dims& dims, size_t begin, size_t end);

// x[begin:end] along one axis.
Value slice_axis(Builder& b, const Value& x, size_t axis, Dim begin, Dim end);

// `attrs` of a call with one attribute replaced.
Attrs with(const Attrs& attrs, size_t index, Attr value);

// To ops along an axis a tensor without axes is a line of one element, whose axis is 0.
size_t line_axis(int64_t value, size_t rank, std::string_view op_name);
Dims as_line(const Dims& dims);
LayoutRef as_line(const Layout& layout);

// The batching rule of an op along the axis that an attribute names. Results have the rank of operand `like`.
Values batch_lines(Batch& batch, size_t axis_index, size_t like = 0);
// An operand with its batch axis, and one after it.
Value batched_line(Batch& batch, size_t operand);

}  // namespace ember::ops
