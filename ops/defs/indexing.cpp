// Basic indexing: regions that starts, ends and steps describe. Reading one is a view; writing one makes a new tensor,
// so that x[a:b] = v is a value like any other, and the gradient of reading.
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

struct Range {
  Dim start, count;
  int64_t step;
};

// Python's rule for begin:end:step on an axis of `size` elements.
Range normalise(Dim size, Dim begin, Dim end, int64_t step, std::string_view op_name) {
  if (step == 0) value_error(about(op_name) + "a stride must not be 0.");
  bool down = step < 0;
  Dim low = down ? -1 : 0;
  Dim high = down ? size - 1 : size;
  auto clamp = [&](Dim at) {
    if (identical(at, low) || identical(at, high) || (!down && identical(at, size))) return at;
    if (at < 0) {
      at = at + size;
      return at < low ? low : at;
    }
    return at > high ? high : at;
  };
  Dim from =
      !down && identical(begin, Dim(0)) ? begin : clamp(begin.hint() == -1 && !begin.symbolic() ? size - 1 : begin);
  Dim to = down && identical(end, Dim(-1)) ? size - 1 : clamp(end);
  if (down) {
    if (from <= to) return {from, 0, step};
    return {from, (from - to - step - 1) / -step, step};
  }
  if (to <= from) return {from, 0, step};
  return {from, step == 1 ? to - from : (to - from + step - 1) / step, step};
}

using Ranges = InlineVector<Range, kMaxRank>;

// Attributes first, first + 1 and first + 2 are begin, end and strides.
Ranges ranges(const Dims& have, const Attrs& attrs, size_t first, std::string_view op_name) {
  const Ints& begin = attrs.ints(first);
  const Ints& end = attrs.ints(first + 1);
  const Ints& step = attrs.ints(first + 2);
  if (begin.size() != end.size() || begin.size() != step.size() || begin.size() > have.size()) {
    value_error(about(op_name) + "'begin', 'end' and 'strides' must have one length, at most " +
                std::to_string(have.size()) + ", but got " + std::to_string(begin.size()) + ", " +
                std::to_string(end.size()) + " and " + std::to_string(step.size()) + ".");
  }
  Ranges out;
  for (size_t d = 0; d < have.size(); ++d) {
    out.push_back(d < begin.size() ? normalise(have[d], begin[d], end[d], pinned(step[d]), op_name)
                                   : Range{0, have[d], 1});
  }
  return out;
}

LayoutRef region(const Layout& whole, const Ranges& parts, int64_t* offset_bytes) {
  Shape shape, strides;
  int64_t offset = 0;
  bool empty = false;
  for (size_t d = 0; d < parts.size(); ++d) {
    shape.push_back(pinned(parts[d].count));
    strides.push_back(whole.strides[d] * parts[d].step);
    offset += pinned(parts[d].start) * whole.strides[d];
    empty = empty || pinned(parts[d].count) == 0;
  }
  *offset_bytes = empty ? 0 : offset * static_cast<int64_t>(itemsize(whole.dtype));
  return layout(whole.dtype, shape, strides);
}

Builder::Named batched_region(const Attrs& attrs, size_t first, Dim size) {
  auto longer = [&](size_t i, Dim front) {
    Ints out = attrs.ints(first + i);
    out.insert(out.begin(), front);
    return out;
  };
  return {{"begin", longer(0, 0)}, {"end", longer(1, size)}, {"strides", longer(2, 1)}};
}

Builder::Named same_region(const Attrs& attrs, size_t first) {
  return {{"begin", attrs.ints(first)}, {"end", attrs.ints(first + 1)}, {"strides", attrs.ints(first + 2)}};
}

Dims counts(const Ranges& parts) {
  Dims out;
  for (const Range& r : parts) out.push_back(r.count);
  return out;
}

struct StridedSlice {
  static constexpr const char* name = "strided_slice";
  static constexpr const char* primitive = "StridedSlice";
  static constexpr const char* signature = "input_x: tensor, begin: ints, end: ints, strides: ints -> tensor";
  static constexpr const char* dynamic = "begin, end";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The region begin[i]:end[i]:strides[i] of each axis i, by Python's rules for slices; axes not named stay whole. "
      "To "
      "reach the first element by a negative stride, end is below -size. A view.";
  static constexpr const char* numpy = "input_x[tuple(slice(*s) for s in zip(begin, end, strides))]";
  static Types infer(const InferCall& c) {
    return {Type::tensor(c.in[0].dtype, counts(ranges(c.in[0].dims, c.attrs, 1, name)))};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    *out = region(in, ranges(dims(in.shape), attrs, 1, name), offset);
    return true;
  }
  static Value written(Builder& b, const Value& in, const Value& view, const Attrs& attrs) {
    return b.call("slice_update", {in, view}, same_region(attrs, 1));
  }
  static Values grad(Grad& g) {
    return {written(g.b, g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims), g.ct(), g.attrs)};
  }
  static Values batch(Batch& v) { return {v.b.call(name, {v.in(0)}, batched_region(v.attrs, 1, v.size))}; }
  static std::vector<Sample> samples() {
    return {{{{{5, 4}}}, {{"begin", Ints{1, 0}}, {"end", Ints{4, 4}}, {"strides", Ints{2, 1}}}, {}},
            {{{{5, 4}}}, {{"begin", Ints{-1}}, {"end", Ints{-9}}, {"strides", Ints{-2}}}, {}},
            {{{{5, 4}}}, {{"begin", Ints{3, 2}}, {"end", Ints{1, -1}}, {"strides", Ints{1, 1}}}, {}},
            {{{{3}, DType::Int32}}, {{"begin", Ints{-2}}, {"end", Ints{99}}, {"strides", Ints{1}}}, {}}};
  }
};
EMBER_OP(StridedSlice);

struct SliceUpdate {
  static constexpr const char* name = "slice_update";
  static constexpr const char* primitive = "SliceUpdate";
  static constexpr const char* signature =
      "input_x: tensor, value: number, begin: ints, end: ints, strides: ints -> tensor";
  static constexpr const char* dynamic = "begin, end";
  static constexpr Flags flags = Flag::Pure | Flag::Moves | Flag::Updates;
  static constexpr const char* doc =
      "input_x with the region that strided_slice would read replaced by `value`, which is broadcast and takes "
      "input_x's "
      "dtype.";
  static constexpr const char* numpy =
      "(lambda x: (x.__setitem__(tuple(slice(*s) for s in zip(begin, end, strides)), value), x)[1])(input_x.copy())";
  static Types infer(const InferCall& c) {
    Dims part = counts(ranges(c.in[0].dims, c.attrs, 2, name));
    const Dims& value = c.in[1].dims;
    bool fits = value.size() <= part.size();
    for (size_t i = 0; fits && i < value.size(); ++i) {
      Dim want = part[part.size() - value.size() + i];
      fits = identical(value[i], want) || value[i] == 1 || value[i] == want;
    }
    if (!fits) {
      value_error(about(name) + "a value of shape " + to_string(hints(value)) +
                  " cannot be broadcast to a region of shape " + to_string(hints(part)) + ".");
    }
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    if (c.in[0].data != c.out[0].data) copy_view(c.in[0], c.out[0]);
    int64_t offset = 0;
    LayoutRef part = region(*c.out[0].layout, ranges(dims(c.out[0].layout->shape), c.attrs, 2, name), &offset);
    copy_view(c.in[1], {c.out[0].as<char>() + offset, part.get()});
  }
  static Values grad(Grad& g) {
    Builder::Named named = same_region(g.attrs, 2);
    Value rest = g.needs(0) ? g.b.call(name, {g.ct(), 0.0}, named) : Value();
    return {rest, g.needs(1) ? g.unbroadcast(g.b.call("strided_slice", {g.ct()}, named), 1) : Value()};
  }
  static Values batch(Batch& v) {
    Value whole = v.in_batched(0);
    Value value = v.in(1);
    if (v.batched(1)) {
      Dims have = v.b.dims(value);
      size_t rank = v.b.dims(whole).size();
      while (have.size() < rank) have.insert(1, 1);
      value = v.b.reshape(value, have);
    }
    return {v.b.call(name, {whole, value}, batched_region(v.attrs, 2, v.size))};
  }
  static std::vector<Sample> samples() {
    return {{{{{5, 4}}, {{2, 4}}}, {{"begin", Ints{1, 0}}, {"end", Ints{4, 4}}, {"strides", Ints{2, 1}}}, {}},
            {{{{5, 4}}, {{4}}}, {{"begin", Ints{-1}}, {"end", Ints{-9}}, {"strides", Ints{-2}}}, {}},
            {{{{5, 4}}, {{}, DType::Float32, 0, 0, true, 1.5}},
             {{"begin", Ints{0, 1}}, {"end", Ints{9, 2}}, {"strides", Ints{1, 1}}},
             {}},
            {{{{3}, DType::Int32}, {{1}, DType::Float32}},
             {{"begin", Ints{1}}, {"end", Ints{3}}, {"strides", Ints{1}}},
             {}}};
  }
};
EMBER_OP(SliceUpdate);

struct Slice {
  static constexpr const char* name = "slice";
  static constexpr const char* primitive = "Slice";
  static constexpr const char* signature = "input_x: tensor, begin: ints, size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "size[i] elements from begin[i] on of each axis i; a size of -1 means all the rest. A view.";
  static constexpr const char* numpy =
      "input_x[tuple(slice(b, None if n == -1 else b + n) for b, n in zip(begin, size))]";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    Dims have = b.dims(in[0]);
    const Ints& begin = attrs.ints(1);
    const Ints& size = attrs.ints(2);
    if (begin.size() != have.size() || size.size() != have.size()) {
      value_error(about(name) + "'begin' and 'size' must have a number for each of the " + std::to_string(have.size()) +
                  " axes.");
    }
    Ints end;
    for (size_t d = 0; d < have.size(); ++d) {
      bool rest = !size[d].symbolic() && size[d].hint() == -1;
      Dim stop = rest ? have[d] : begin[d] + size[d];
      bool inside = begin[d] >= 0 && begin[d] <= stop && (identical(stop, have[d]) || stop <= have[d]);
      if (!inside) {
        value_error(about(name) + "'begin' " + std::to_string(begin[d].hint()) + " and 'size' " +
                    std::to_string(size[d].hint()) + " reach beyond axis " + std::to_string(d) + " of shape " +
                    to_string(hints(have)) + ".");
      }
      end.push_back(stop);
    }
    return {b.call("strided_slice", {in[0]}, {{"begin", begin}, {"end", end}, {"strides", Ints(begin.size(), 1)}})};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 5}}}, {{"begin", Ints{1, 2}}, {"size", Ints{2, -1}}}, {}},
            {{{{4}, DType::Int32}}, {{"begin", Ints{4}}, {"size", Ints{0}}}, {}}};
  }
};
EMBER_OP(Slice);

struct SelectAt {
  static constexpr const char* name = "select_at";
  static constexpr const char* primitive = "SelectAt";
  static constexpr const char* signature = "input: tensor, index: int, axis: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The element at `index` of an axis, without that axis: input[index] for axis 0. A view.";
  static constexpr const char* numpy = "np.take(input, index, axis)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    Dims have = b.dims(in[0]);
    size_t at = axis(attrs.integer(2), have.size(), name);
    Dim index = attrs.dim(1);
    if (index < Dim(0) - have[at] || index >= have[at]) {
      index_error(about(name) + "index " + std::to_string(index.hint()) + " is out of bounds for axis " +
                  std::to_string(at) + " with size " + std::to_string(have[at].hint()) + " of shape " +
                  to_string(hints(have)) + ".");
    }
    if (index < 0) index = index + have[at];
    Value one = slice_axis(b, in[0], at, index, index + 1);
    have.erase(at);
    return {b.reshape(one, have)};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 5}}}, {{"index", int64_t{1}}}, {}},
            {{{{4, 5}}}, {{"index", int64_t{-1}}, {"axis", int64_t{1}}}, {}}};
  }
};
EMBER_OP(SelectAt);

// What triu and tril share: matrices of the last two axes with zeros on one side of a diagonal.
template <bool kUpper>
struct Triangle {
  static constexpr const char* signature = "input: tensor, diagonal: int = 0 -> tensor";
  static constexpr const char* dynamic = "diagonal";
  static constexpr Flags flags = Flag::Pure | Flag::Moves;
  static Types infer(const InferCall& c) {
    if (c.in[0].dims.size() < 2) {
      value_error(about(kUpper ? "triu" : "tril") + "the operand must have at least 2 dimensions, but got shape " +
                  to_string(hints(c.in[0].dims)) + ".");
    }
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    int64_t cols = out.shape[out.rank() - 1];
    int64_t rows = out.shape[out.rank() - 2];
    int64_t diagonal = std::clamp(c.attrs.integer(1), -rows - 1, cols + 1);
    copy_view(c.in[0], c.out[0]);
    size_t item = itemsize(out.dtype);
    for (int64_t line = 0; line * cols < out.numel; ++line) {
      int64_t first = line % rows + diagonal;
      int64_t begin = kUpper ? 0 : std::clamp<int64_t>(first + 1, 0, cols);
      int64_t end = kUpper ? std::clamp<int64_t>(first, 0, cols) : cols;
      char* at = c.out[0].as<char>() + static_cast<size_t>(line * cols + begin) * item;
      std::fill_n(at, static_cast<size_t>(end - begin) * item, 0);
    }
  }
  static Values grad(Grad& g) { return g.b.apply(g.op, {{g.ct()}}, g.attrs); }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {}, {}},
            {{{{2, 3, 2}}}, {{"diagonal", int64_t{1}}}, {}},
            {{{{4, 3}, DType::Int32}}, {{"diagonal", int64_t{-2}}}, {}},
            {{{{3, 3}}}, {{"diagonal", int64_t{99}}}, {}}};
  }
};

struct Triu : Triangle<true> {
  static constexpr const char* name = "triu";
  static constexpr const char* primitive = "Triu";
  static constexpr const char* doc = "The matrices of the last two axes with zeros below the given diagonal.";
  static constexpr const char* numpy = "np.triu(input, diagonal)";
};
EMBER_OP(Triu);

struct Tril : Triangle<false> {
  static constexpr const char* name = "tril";
  static constexpr const char* primitive = "Tril";
  static constexpr const char* doc = "The matrices of the last two axes with zeros above the given diagonal.";
  static constexpr const char* numpy = "np.tril(input, diagonal)";
};
EMBER_OP(Tril);

}  // namespace

Value slice_axis(Builder& b, const Value& x, size_t axis, Dim begin, Dim end) {
  Ints first(axis, 0);
  Dims have = b.dims(x);
  Ints last(have.begin(), have.begin() + axis);
  first.push_back(begin);
  last.push_back(end);
  return b.call("strided_slice", {x}, {{"begin", first}, {"end", last}, {"strides", Ints(axis + 1, 1)}});
}

}  // namespace ember::ops
