// Ops that put tensors together, take them apart along an axis, or repeat and pad them.
#include "ops/program/strided.h"
#include "ops/simd/strips.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

struct Concat {
  static constexpr const char* name = "concat";
  static constexpr const char* primitive = "Concat";
  static constexpr const char* signature = "tensors: tensors, axis: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::Moves;
  static constexpr const char* doc =
      "Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one.";
  static constexpr const char* numpy = "np.concatenate(tensors, axis)";
  static Types infer(const InferCall& c) {
    if (c.in.empty()) value_error(about(name) + "there must be at least one tensor.");
    const Type& first = c.in[0];
    if (first.dims.empty()) value_error(about(name) + "a tensor without dimensions cannot be joined; use stack.");
    size_t at = axis(c.attrs.integer(1), first.dims.size(), name);
    Type out = Type::tensor(first.dtype, first.dims);
    for (size_t i = 1; i < c.in.size(); ++i) {
      const Type& t = c.in[i];
      bool fits = t.dims.size() == out.dims.size();
      for (size_t d = 0; fits && d < out.dims.size(); ++d) fits = d == at || out.dims[d] == t.dims[d];
      if (!fits) {
        value_error(about(name) + "shapes " + to_string(hints(first.dims)) + " and " + to_string(hints(t.dims)) +
                    " must agree except along axis " + std::to_string(at) + ".");
      }
      out.dims[at] = out.dims[at] + t.dims[at];
      out.dtype = promote(out.dtype, t.dtype);
    }
    return {out};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    size_t at = axis(c.attrs.integer(1), out.rank(), name);
    auto item = static_cast<int64_t>(itemsize(out.dtype));
    char* target = c.out[0].as<char>();
    for (const View& in : c.in) {
      if (in.layout->dtype == out.dtype) {
        StridedCopy(out.dtype, in.layout->shape, in.layout->strides, out.strides).run_parallel(in.data, target);
      } else {
        LayoutRef part = layout(out.dtype, in.layout->shape, out.strides);
        copy_view(in, {target, part.get()});
      }
      target += in.layout->shape[at] * out.strides[at] * item;
    }
  }
  static Values grad(Grad& g) {
    size_t at = axis(g.attrs.integer(1), g.out_type().dims.size(), name);
    Values out;
    Dim begin = 0;
    for (size_t i = 0; i < g.operands(); ++i) {
      Dim end = begin + g.in_type(i).dims[at];
      out.push_back(g.needs(i) ? g.unbroadcast(slice_axis(g.b, g.ct(), at, begin, end), i) : Value());
      begin = end;
    }
    return out;
  }
  static Values batch(Batch& v) {
    Values in;
    for (size_t i = 0; i < v.operands(); ++i) in.push_back(v.in_batched(i));
    auto at = static_cast<int64_t>(axis(v.attrs.integer(1), v.b.dims(in[0]).size() - 1, name));
    return v.b.call_all(name, in, {{"axis", at + 1}});
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}, {{1, 3}}}, {}, {2}},
            {{{{2, 3}}, {{2, 1}}, {{2, 0}}}, {{"axis", int64_t{-1}}}, {3}},
            {{{{2}, DType::Int32}, {{2}}}, {}, {2}},
            {{{{2, 3}, DType::Bool}}, {}, {1}}};
  }
};
EMBER_OP(Concat);

struct Stack {
  static constexpr const char* name = "stack";
  static constexpr const char* primitive = "Stack";
  static constexpr const char* signature = "tensors: tensors, axis: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Joins tensors of one shape and dtype along a new axis.";
  static constexpr const char* numpy = "np.stack(tensors, axis)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    if (in.empty()) value_error(about(name) + "there must be at least one tensor.");
    Type first = b.type(in[0]);
    auto at = static_cast<int64_t>(axis(attrs.integer(1), first.dims.size() + 1, name));
    Values parts;
    for (const Value& v : in) {
      Type t = b.type(v);
      bool fits = t.dims.size() == first.dims.size();
      for (size_t d = 0; fits && d < t.dims.size(); ++d) fits = t.dims[d] == first.dims[d];
      if (!fits) {
        value_error(about(name) + "all shapes must be equal, but got " + to_string(hints(first.dims)) + " and " +
                    to_string(hints(t.dims)) + ".");
      }
      if (t.dtype != first.dtype) {
        type_error(about(name) + "all dtypes must be equal, but got " + std::string(ops::name(first.dtype)) + " and " +
                   std::string(ops::name(t.dtype)) + ".");
      }
      parts.push_back(b.expand_dims(v, at));
    }
    return b.call_all("concat", parts, {{"axis", at}});
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}, {{2, 3}}}, {}, {2}},
            {{{{2, 3}}, {{2, 3}}, {{2, 3}}}, {{"axis", int64_t{-1}}}, {3}},
            {{{{}, DType::Int32}, {{}, DType::Int32}}, {}, {2}}};
  }
};
EMBER_OP(Stack);

struct Split {
  static constexpr const char* name = "split";
  static constexpr const char* primitive = "Split";
  static constexpr const char* signature = "tensor: tensor, split_size_or_sections: ints, axis: int = 0 -> tensors";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Pieces along an axis: of one size, the last of which may be smaller, or of the given sizes. Views.";
  static constexpr const char* numpy =
      "np.split(tensor, np.cumsum(split_size_or_sections)[:-1] if len(split_size_or_sections) > 1 else "
      "range(split_size_or_sections[0], tensor.shape[axis], split_size_or_sections[0]), axis)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    Dims have = b.dims(in[0]);
    size_t at = axis(attrs.integer(2), have.size(), name);
    Values out;
    Dim begin = 0;
    for (Dim size : sections(have[at], attrs.ints(1))) {
      out.push_back(slice_axis(b, in[0], at, begin, begin + size));
      begin = begin + size;
    }
    return out;
  }
  static Ints sections(Dim whole, const Ints& sizes) {
    if (sizes.size() != 1) {
      Dim sum = 0;
      for (Dim size : sizes) {
        if (size < 0)
          value_error(about(name) + "a section must not be negative, but got " + std::to_string(size.hint()) + ".");
        sum = sum + size;
      }
      if (sum != whole) {
        value_error(about(name) + "the sum of 'split_size_or_sections' should be equal to " +
                    std::to_string(whole.hint()) + ", but got " + std::to_string(sum.hint()) + ".");
      }
      return sizes;
    }
    Dim size = sizes[0];
    if (size <= 0) {
      value_error(about(name) + "the value of 'split_size_or_sections' must be more than zero, but got " +
                  std::to_string(size.hint()) + ".");
    }
    if (whole <= size) return {whole};
    Ints out;
    Dim left = whole;
    for (; left > size; left = left - size) out.push_back(size);
    out.push_back(left);
    return out;
  }
  static std::vector<Sample> samples() {
    return {{{{{5, 2}}}, {{"split_size_or_sections", Ints{2}}}, {}},
            {{{{2, 5}}}, {{"split_size_or_sections", Ints{2, 3}}, {"axis", int64_t{-1}}}, {}},
            {{{{4}, DType::Int32}}, {{"split_size_or_sections", Ints{9}}}, {}}};
  }
};
EMBER_OP(Split);

// Repeats along one axis: each element `inner` times in a row, and the whole of that `outer` times. Never a view.
Value repeat(Builder& b, const Value& x, size_t at, Dim outer, Dim inner) {
  Dims have = b.dims(x);
  Dim before = product(have, 0, at);
  Dim after = product(have, at + 1, have.size());
  Value spread = b.reshape(x, {before, 1, have[at], 1, after});
  spread = b.broadcast_to(spread, {before, outer, have[at], inner, after});
  have[at] = have[at] * outer * inner;
  return b.reshape(b.call("identity", {spread}), have);
}

struct Tile {
  static constexpr const char* name = "tile";
  static constexpr const char* primitive = "Tile";
  static constexpr const char* signature = "input: tensor, dims: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Repeats the tensor dims[i] times along axis i, counted from the last.";
  static constexpr const char* numpy = "np.tile(input, dims)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    Dims times = dims_of(attrs.ints(1), name);
    Dims have = b.dims(in[0]);
    if (have.size() < times.size()) {
      Dims padded(times.size() - have.size(), Dim(1));
      for (Dim d : have) padded.push_back(d);
      have = padded;
    }
    const auto once = [](Dim n) { return n == 1; };
    Value x = b.reshape(in[0], have);
    if (std::all_of(times.begin(), times.end(), once)) return {b.call("identity", {x})};
    size_t lead = have.size() - times.size();
    for (size_t i = 0; i < times.size(); ++i) {
      if (times[i] != 1) x = repeat(b, x, lead + i, times[i], 1);
    }
    return {x};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"dims", Ints{2}}}, {}},
            {{{{2, 3}}}, {{"dims", Ints{2, 1, 3}}}, {}},
            {{{{2, 1}, DType::Int32}}, {{"dims", Ints{0, 2}}}, {}},
            {{{{}}}, {{"dims", Ints{3}}}, {}}};
  }
};
EMBER_OP(Tile);

struct RepeatInterleave {
  static constexpr const char* name = "repeat_interleave";
  static constexpr const char* primitive = "RepeatInterleave";
  static constexpr const char* signature = "input: tensor, repeats: ints, axis: int? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Repeats each element in place along an axis, or of the flattened tensor; `repeats` is one number, or one for "
      "each "
      "element of the axis.";
  static constexpr const char* numpy = "np.repeat(input, repeats if len(repeats) > 1 else repeats[0], axis)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    Value x = in[0];
    Dims times = repeats(attrs.ints(1));
    if (!attrs.has(2)) x = b.reshape(x, {product(b.dims(x), 0, b.dims(x).size())});
    Dims have = b.dims(x);
    size_t at = attrs.has(2) ? axis(attrs.integer(2), have.size(), name) : 0;
    if (attrs.ints(1).size() == 1) return {repeat(b, x, at, 1, times[0])};
    return {spread(b, x, at, attrs.ints(1))};
  }
  static Dims repeats(const Ints& counts) {
    for (Dim n : counts) {
      if (n < 0) value_error(about(name) + "'repeats' must not be negative, but got " + std::to_string(n.hint()) + ".");
    }
    if (counts.empty()) value_error(about(name) + "'repeats' must not be empty.");
    return {counts[0]};
  }
  static Value spread(Builder& b, const Value& x, size_t at, const Ints& counts) {
    Dim size = b.dims(x)[at];
    if (size != Dim(static_cast<int64_t>(counts.size()))) {
      value_error(about(name) + "'repeats' must be one number or " + std::to_string(size.hint()) + ", but got " +
                  std::to_string(counts.size()) + ".");
    }
    int64_t total = 0;
    for (Dim n : counts) {
      if (__builtin_add_overflow(total, pinned(n), &total))
        value_error(about(name) + "the sum of 'repeats' overflows.");
    }
    Tensor index = Tensor::empty(DType::Int64, {total});
    int64_t* next = index.data_as<int64_t>();
    for (size_t i = 0; i < counts.size(); ++i) next = std::fill_n(next, pinned(counts[i]), static_cast<int64_t>(i));
    return b.call("gather", {x, b.constant(index)}, {{"axis", static_cast<int64_t>(at)}});
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"repeats", Ints{2}}, {"axis", int64_t{1}}}, {}},
            {{{{2, 3}}}, {{"repeats", Ints{2}}}, {}},
            {{{{3, 2}}}, {{"repeats", Ints{0, 2, 1}}, {"axis", int64_t{0}}}, {}},
            {{{{2, 0}, DType::Int32}}, {{"repeats", Ints{3}}, {"axis", int64_t{0}}}, {}}};
  }
};
EMBER_OP(RepeatInterleave);

struct Pad {
  static constexpr const char* name = "pad";
  static constexpr const char* primitive = "PadV3";
  static constexpr const char* signature =
      "input_x: tensor, padding: ints, mode: str = 'constant', value: float? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::Moves;
  static constexpr const char* doc =
      "Adds `value` (None: 0) before and after: padding holds a pair of sizes for the last axis, then one for the axis "
      "before it, and so on. A negative size cuts off. The only mode is 'constant'.";
  static constexpr const char* numpy =
      "(lambda p: np.pad(input_x, [(max(a, 0), max(b, 0)) for a, b in p], constant_values=value or "
      "0)[tuple(slice(max(-a, "
      "0), n + max(a, 0) + b if b < 0 else None) for n, (a, b) in zip(input_x.shape, p))])([(0, 0)] * (input_x.ndim - "
      "len(padding) // 2) + list(zip(padding[::2], padding[1::2]))[::-1])";
  // Sizes before and after each axis.
  static std::pair<Dims, Dims> sides(const Ints& padding, size_t rank) {
    if (padding.size() % 2 != 0) {
      value_error(about(name) + "the size of padding must be divisible by 2, but got " +
                  std::to_string(padding.size()) + ".");
    }
    if (padding.size() > 2 * rank) {
      value_error(about(name) + "padding has " + std::to_string(padding.size() / 2) + " pairs for a tensor of " +
                  std::to_string(rank) + " dimensions.");
    }
    std::pair<Dims, Dims> out{Dims(rank, Dim(0)), Dims(rank, Dim(0))};
    for (size_t i = 0; i * 2 < padding.size(); ++i) {
      out.first[rank - 1 - i] = padding[2 * i];
      out.second[rank - 1 - i] = padding[2 * i + 1];
    }
    return out;
  }
  static Types infer(const InferCall& c) {
    if (c.attrs.text(2) != "constant") {
      value_error(about(name) + "the only mode is 'constant', but got '" + c.attrs.text(2) + "'.");
    }
    Dims out = c.in[0].dims;
    auto [before, after] = sides(c.attrs.ints(1), out.size());
    for (size_t d = 0; d < out.size(); ++d) {
      out[d] = out[d] + before[d] + after[d];
      if (out[d] < 0) {
        value_error(about(name) + "padding cuts more off axis " + std::to_string(d) + " than there is in shape " +
                    to_string(hints(c.in[0].dims)) + ".");
      }
    }
    return {Type::tensor(c.in[0].dtype, out)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& in = *c.in[0].layout;
    const Layout& out = *c.out[0].layout;
    const double value = c.attrs.has(3) ? c.attrs.number(3) : 0;
    const auto [before, after] = sides(c.attrs.ints(1), in.rank());
    const auto item = static_cast<int64_t>(itemsize(in.dtype));
    int64_t from = 0, to = 0;
    Shape part, starts;
    for (size_t d = 0; d < in.rank(); ++d) {
      int64_t skip = std::max<int64_t>(0, -before[d].hint());
      starts.push_back(std::max<int64_t>(0, before[d].hint()));
      int64_t count = std::min(in.shape[d] - skip, out.shape[d] - starts[d]);
      if (count <= 0) return fill(c.out[0], value);
      part.push_back(count);
      from += skip * in.strides[d];
      to += starts[d] * out.strides[d];
    }
    fill_around(c.out[0], starts, part, value);
    StridedCopy(in.dtype, part, in.strides, out.strides)
        .run_parallel(c.in[0].as<char>() + from * item, c.out[0].as<char>() + to * item);
  }
  // All but a part: along each axis what is before and after it, beside what the axes before have of it.
  static void fill_around(const View& out, const Shape& starts, const Shape& part, double value) {
    const Layout& layout = *out.layout;
    const size_t size = itemsize(layout.dtype);
    alignas(16) std::array<std::byte, kLargestItem> element;
    convert_elements(DType::Float64, layout.dtype, &value, 1, element.data());
    const Shape nowhere(layout.rank(), 0);
    Shape shape = layout.shape;
    int64_t offset = 0;
    for (size_t d = 0; d < layout.rank(); ++d) {
      const int64_t end = starts[d] + part[d];
      for (const auto& [first, count] : {std::pair(int64_t{0}, starts[d]), std::pair(end, layout.shape[d] - end)}) {
        shape[d] = count;
        char* to = out.as<char>() + (offset + first * layout.strides[d]) * static_cast<int64_t>(size);
        if (count > 0) StridedCopy(layout.dtype, shape, nowhere, layout.strides).run_parallel(element.data(), to);
      }
      shape[d] = part[d];
      offset += starts[d] * layout.strides[d];
    }
  }
  static Values grad(Grad& g) {
    Ints negated;
    for (Dim n : g.attrs.ints(1)) negated.push_back(Dim(0) - n);
    return {g.b.call(name, {g.ct()}, {{"padding", negated}})};
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"padding", Ints{1, 2}}}, {}},
            {{{{2, 3}}}, {{"padding", Ints{1, 0, 0, 1}}, {"value", 9.5}}, {}},
            {{{{2, 3}}}, {{"padding", Ints{-1, -1, 1, -1}}}, {}},
            {{{{2, 3}, DType::Int32}}, {{"padding", Ints{0, -3}}}, {}}};
  }
};
EMBER_OP(Pad);

}  // namespace
}  // namespace ember::ops
