// Indexing element by element: each position of the index tensor names one element along an axis, and the position
// itself names the rest. Updates that meet one element apply in index order.
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 14;  // elements worth a thread

// Checks, and the axis: index has source's rank, and no size of it but the axis's is larger.
size_t element_axis(const Type& source, const Type& index, int64_t axis_attr, std::string_view op_name) {
  if (!is_int(index.dtype)) {
    type_error(about(op_name) + "indices must be integers, but got " + std::string(name(index.dtype)) + ".");
  }
  const Dims from = as_line(source.dims), picked = as_line(index.dims);
  size_t at = axis(axis_attr, from.size(), op_name);
  bool fits = picked.size() == from.size();
  for (size_t d = 0; fits && d < from.size(); ++d) {
    fits = d == at || identical(picked[d], from[d]) || picked[d] <= from[d];
  }
  if (!fits) {
    value_error(about(op_name) + "indices of shape " + to_string(hints(index.dims)) + " do not fit a tensor of shape " +
                to_string(hints(source.dims)) + " along axis " + std::to_string(at) + ".");
  }
  return at;
}

// Checks the operands of a scatter: updates have indices' shape and source's dtype.
void check_scatter(const InferCall& c, std::string_view op_name) {
  const Type &source = c.in[0], &index = c.in[1], &updates = c.in[2];
  element_axis(source, index, c.attrs.integer(3), op_name);
  const Dims places = as_line(index.dims), values = as_line(updates.dims);
  bool fits = places.size() == values.size();
  for (size_t d = 0; fits && d < places.size(); ++d) fits = places[d] == values[d];
  if (!fits) {
    value_error(about(op_name) + "updates must have the indices' shape " + to_string(hints(index.dims)) + ", but got " +
                to_string(hints(updates.dims)) + ".");
  }
  if (updates.dtype != source.dtype) {
    type_error(about(op_name) + "updates must be " + std::string(name(source.dtype)) + ", but got " +
               std::string(name(updates.dtype)) + ".");
  }
}

[[noreturn]] void refuse_first(const Indices& indices, const Layout& source, size_t at, std::string_view op_name) {
  const Shape& shape = indices.layout().shape;
  const int64_t size = source.shape[at];
  LoopNest<1>(shape, {&indices.layout().strides}).elements([&](const std::array<int64_t, 1>& offset) {
    const int64_t index = indices.data()[offset[0]];
    if (index < -size || index >= size) refuse_index(op_name, index, at, source.shape);
  });
  throw std::logic_error("all indices are within");
}

struct Picked {
  const int64_t* index;
  int64_t size, step;  // of source's axis
};

// Whether an index is out of range. Strides are those of the index, of the base within source, and of the other.
template <class F>
bool each_of_row(Picked picked, int64_t count, std::array<int64_t, 3> by, int64_t base, int64_t to, F f) {
  bool wrong = false;
  for (int64_t j = 0; j < count; ++j) {
    const int64_t index = picked.index[j * by[0]], at = index < 0 ? index + picked.size : index;
    if (static_cast<uint64_t>(at) < static_cast<uint64_t>(picked.size)) {
      f(base + j * by[1] + at * picked.step, to + j * by[2]);
    } else {
      wrong = true;
    }
  }
  return wrong;
}

// The same, quicker where all is contiguous and no index is negative or out of range.
template <class F>
bool each_of_line(Picked picked, int64_t count, std::array<int64_t, 3> by, int64_t base, int64_t to, F f) {
  if (picked.step != 1 || by != std::array<int64_t, 3>{1, 0, 1}) return each_of_row(picked, count, by, base, to, f);
  int64_t signs = 0;
  for (int64_t j = 0; j < count; ++j) signs |= picked.index[j] | (picked.size - 1 - picked.index[j]);
  if (signs < 0) return each_of_row(picked, count, by, base, to, f);
  for (int64_t j = 0; j < count; ++j) f(base + picked.index[j], to + j);
  return false;
}

// Calls f(offset within source, offset within other) for each element of index. `other` has index's shape. Elements
// that differ along another axis than the one picked from meet different ones of source, so threads share out the first
// such axis, and each keeps to the order of index.
template <class F>
void each_element(const Layout& of, const View& index, const Layout& to, int64_t axis_attr, std::string_view op_name,
                  F&& f) {
  const LayoutRef lines = as_line(of), other_lines = as_line(to), index_lines = as_line(*index.layout);
  const Layout& source = *lines;
  const Shape& other = other_lines->strides;
  const Indices indices({index.data, index_lines.get()});
  const size_t at = axis(axis_attr, source.rank(), op_name);
  const Shape &shape = index_lines->shape, &steps = indices.layout().strides;
  const int64_t size = source.shape[at], step = source.strides[at];
  Shape strides = source.strides;
  strides[at] = 0;
  size_t split = 0;
  while (split < shape.size() && (split == at || shape[split] == 1)) ++split;
  const bool alone = split == shape.size();
  if (alone) split = at;
  std::atomic<bool> outside = false;
  const auto run = [&](int64_t begin, int64_t end) {
    Shape part = shape;
    part[split] = end - begin;
    const LoopNest<3> nest(part, {&steps, &strides, &other});
    const int64_t* const first = indices.data() + begin * steps[split];
    const int64_t first_base = begin * strides[split], first_to = begin * other[split];
    bool wrong = false;
    nest.rows([&](const std::array<int64_t, 3>& at_row) {
      const std::array<int64_t, 3> by{nest.strides[0].back(), nest.strides[1].back(), nest.strides[2].back()};
      wrong |= each_of_line({first + at_row[0], size, step}, nest.shape.back(), by, first_base + at_row[1],
                            first_to + at_row[2], f);
    });
    if (wrong) outside = true;
  };
  const int64_t slice_size = index.layout->numel / std::max<int64_t>(1, shape[split]);
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, slice_size));
  alone ? run(0, shape[split]) : parallel_for(shape[split], grain, run);
  if (outside) refuse_first(indices, source, at, op_name);
}

struct GatherD {
  static constexpr const char* name = "gather_d";
  static constexpr const char* primitive = "GatherD";
  static constexpr const char* signature = "x: tensor, dim: int, index: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue | Flag::Moves;
  static constexpr const char* doc =
      "For each position of `index` the element of x there, with `dim` replaced by the index.";
  static constexpr const char* numpy =
      "np.take_along_axis(x[tuple(slice(None) if d == dim % x.ndim else slice(n) for d, n in enumerate(index.shape))], "
      "index, dim)";
  static constexpr const char* saves = "index";
  static Types infer(const InferCall& c) {
    element_axis(c.in[0], c.in[1], c.attrs.integer(1), name);
    return {Type::tensor(c.in[0].dtype, c.in[1].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& source = *c.in[0].layout;
    dispatch_width(itemsize(source.dtype), [&]<class U>() {
      each_element(source, c.in[1], *c.out[0].layout, c.attrs.integer(1), name,
                   [from = c.in[0].as<const U>(), to = c.out[0].as<U>()](int64_t i, int64_t j) { to[j] = from[i]; });
    });
  }
  static Values grad(Grad& g) {
    if (!g.needs(0)) return {{}, {}};
    Value zeros = g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims);
    return {g.b.call("tensor_scatter_elements", {zeros, g.in(1), g.ct()},
                     {{"axis", g.attrs.integer(1)}, {"reduction", std::string("add")}}),
            {}};
  }
  static Values batch(Batch& v) { return batch_lines(v, 1, 1); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}, {{3, 2}, DType::Int64, -4, 3}}, {{"dim", int64_t{1}}}, {}},
            {{{{3, 4}}, {{5, 2}, DType::Int32, 0, 2}}, {{"dim", int64_t{0}}}, {}}};
  }
};
EMBER_OP(GatherD);

struct TensorScatterElements {
  static constexpr const char* name = "tensor_scatter_elements";
  static constexpr const char* primitive = "TensorScatterElements";
  static constexpr const char* signature =
      "input_x: tensor, indices: tensor, updates: tensor, axis: int = 0, reduction: str = 'none' -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "input_x with `updates` written ('none') or added ('add') where gather_d would have read them, in index order.";
  static constexpr const char* numpy =
      "(lambda x, at: ((np.add.at(x, at, updates) if reduction == 'add' else x.__setitem__(at, updates)), "
      "x)[1])(input_x.copy(), tuple(indices if d == axis % input_x.ndim else g for d, g in "
      "enumerate(np.indices(indices.shape))))";
  static constexpr const char* saves = "indices";
  static bool adds(const Attrs& attrs) {
    const std::string& reduction = attrs.text(4);
    if (reduction == "add") return true;
    if (reduction == "none") return false;
    value_error(about(name) + "'reduction' must be 'none' or 'add', but got '" + reduction + "'.");
  }
  static Types infer(const InferCall& c) {
    adds(c.attrs);
    check_scatter(c, name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    copy_view(c.in[0], c.out[0]);
    const auto scatter = [&](auto write) {
      each_element(out, c.in[1], *c.in[2].layout, c.attrs.integer(3), name, write);
    };
    if (adds(c.attrs)) {
      dispatch(out.dtype, [&]<class T>() {
        scatter(
            [to = c.out[0].as<T>(), from = c.in[2].as<T>()](int64_t i, int64_t j) { to[i] = sum_of(to[i], from[j]); });
      });
    } else {
      dispatch_width(itemsize(out.dtype), [&]<class U>() {
        scatter([to = c.out[0].as<U>(), from = c.in[2].as<U>()](int64_t i, int64_t j) { to[i] = from[j]; });
      });
    }
  }
  static Values grad(Grad& g) {
    Values out(3);
    Builder::Named named = {{"axis", g.attrs.integer(3)}, {"reduction", g.attrs.text(4)}};
    if (adds(g.attrs)) {
      out[0] = g.ct();
    } else if (g.needs(0)) {
      Value zeros = g.b.zeros(g.in_type(2).dtype, g.in_type(2).dims);
      out[0] = g.b.call(name, {g.ct(), g.in(1), zeros}, named);
    }
    if (g.needs(2)) {
      out[2] = g.b.call("gather_d", {g.ct(), g.in(1)}, {{"dim", g.attrs.integer(3)}});
      if (!adds(g.attrs)) out[2] = g.b.select(stays(g, named), out[2], 0.0);
    }
    return out;
  }
  // Whether no later update is written where each is.
  static Value stays(Grad& g, const Builder::Named& named) {
    const Dims& dims = g.in_type(2).dims;
    Dim count = 1;
    for (const Dim& d : dims) count = count * d;
    const Value order = g.b.reshape(g.b.call("arange", {}, {{"start", Ints{count}}}), dims);
    const Value latest = g.b.call(name, {g.b.zeros(DType::Int64, g.in_type(0).dims), g.in(1), order}, named);
    return g.b.call("equal", {g.b.call("gather_d", {latest, g.in(1)}, {{"dim", g.attrs.integer(3)}}), order});
  }
  static Values batch(Batch& v) { return batch_lines(v, 3); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}, {{3, 2}, DType::Int64, 0, 3}, {{3, 2}}},
             {{"axis", int64_t{1}}, {"reduction", std::string("add")}},
             {}},
            {{{{1, 4}}, {{1, 1}, DType::Int32, 0, 3}, {{1, 1}}}, {{"axis", int64_t{1}}}, {}},
            {{{{2, 3}}, {{2, 5}, DType::Int64, -3, 2}, {{2, 5}}}, {{"axis", int64_t{1}}}, {}}};
  }
};
EMBER_OP(TensorScatterElements);

// What updates do to an element.
template <class T>
T quotient_of(T a, T b) {
  if constexpr (is_half<T>) {
    return T(static_cast<float>(a) / static_cast<float>(b));
  } else if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    if (b == 0) return 0;
    return std::is_signed_v<T> && b == static_cast<T>(-1) ? static_cast<T>(0 - static_cast<uint64_t>(a))
                                                          : static_cast<T>(a / b);
  } else {
    return a / b;
  }
}

template <bool Larger, class T>
T extreme_of(T a, T b) {
  if constexpr (is_half<T>) {
    return T(extreme_of<Larger>(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (a != a || a == b) return a == b && std::signbit(a) == Larger ? b : a;
    return b != b || (Larger ? a < b : b < a) ? b : a;
  } else {
    return (Larger ? a < b : b < a) ? b : a;
  }
}

struct TensorScatterReduce {
  static constexpr const char* name = "tensor_scatter_reduce";
  static constexpr const char* primitive = "TensorScatterReduce";
  static constexpr const char* signature =
      "input_x: tensor, indices: tensor, updates: tensor, axis: int, reduction: str -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "input_x with elements multiplied ('mul') or divided ('div') by `updates`, or the larger ('max') or smaller "
      "('min') of both, where gather_d would have read them, in index order. Quotients of integers are truncated; that "
      "by zero is 0.";
  static constexpr const char* numpy =
      "(lambda x, at: ({'mul': np.multiply, 'div': np.divide, 'max': np.maximum, 'min': np.minimum}[reduction].at(x, "
      "at, updates), x)[1])(input_x.copy(), tuple(indices if d == axis % input_x.ndim else g for d, g in "
      "enumerate(np.indices(indices.shape))))";
  static constexpr const char* saves = "input_x, indices, updates, out";
  static Types infer(const InferCall& c) {
    const std::string& reduction = c.attrs.text(4);
    const bool extreme = reduction == "max" || reduction == "min";
    if (!extreme && reduction != "mul" && reduction != "div") {
      value_error(about(name) + "'reduction' must be 'mul', 'div', 'max' or 'min', but got '" + reduction + "'.");
    }
    if (extreme) refuse_complex(c.in[0], name);
    check_scatter(c, name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    const std::string& reduction = c.attrs.text(4);
    copy_view(c.in[0], c.out[0]);
    const auto scatter = [&]<class T>(T*, auto reduce) {
      each_element(out, c.in[1], *c.in[2].layout, c.attrs.integer(3), name,
                   [reduce, to = c.out[0].as<T>(), from = c.in[2].as<T>()](int64_t i, int64_t j) {
                     to[i] = reduce(to[i], from[j]);
                   });
    };
    if (reduction == "mul" || reduction == "div") {
      dispatch(out.dtype, [&]<class T>() {
        T* const type = nullptr;
        if (reduction == "mul") return scatter(type, [](T a, T b) { return product_of(a, b); });
        scatter(type, [](T a, T b) { return quotient_of(a, b); });
      });
    } else {
      dispatch_ordered(out.dtype, [&]<class T>() {
        T* const type = nullptr;
        if (reduction == "max") return scatter(type, [](T a, T b) { return extreme_of<true>(a, b); });
        scatter(type, [](T a, T b) { return extreme_of<false>(a, b); });
      });
    }
  }
  static Values grad(Grad& g) {
    const std::string& reduction = g.attrs.text(4);
    return reduction == "mul" ? product_gradient(g) : reduction == "div" ? quotient_gradient(g) : extreme_gradient(g);
  }
  static Value scattered(Grad& g, std::string_view op, const Value& target, const Value& updates,
                         const char* reduction) {
    return g.b.call(op, {target, g.in(1), updates},
                    {{"axis", g.attrs.integer(3)}, {"reduction", std::string(reduction)}});
  }
  static Value gathered(Grad& g, const Value& v) {
    return g.b.call("gather_d", {v, g.in(1)}, {{"dim", g.attrs.integer(3)}});
  }
  static Value as_number(Grad& g, const Value& condition) { return g.b.cast(condition, g.in_type(0).dtype); }
  // An update's factor is the product of all others: that of what is not 0, if none of the others is.
  static Values product_gradient(Grad& g) {
    const Value ones = g.b.call("ones_like", {g.in(0)});
    const Value zero = g.b.call("equal", {g.in(2), 0.0}), other = g.b.select(zero, 1.0, g.in(2));
    const Value zeros = g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims);
    const Value count = gathered(g, scattered(g, "tensor_scatter_elements", zeros, as_number(g, zero), "add"));
    const Value product = g.b.div(gathered(g, scattered(g, name, g.in(0), other, "mul")), other);
    const Value alone = g.b.call("equal", {count, as_number(g, zero)});
    return {g.b.mul(g.ct(), scattered(g, name, ones, g.in(2), "mul")),
            {},
            g.b.mul(gathered(g, g.ct()), g.b.select(alone, product, 0.0))};
  }
  static Values quotient_gradient(Grad& g) {
    return {scattered(g, name, g.ct(), g.in(2), "div"),
            {},
            g.b.neg(g.b.div(gathered(g, g.b.mul(g.ct(), g.out())), g.in(2)))};
  }
  // Of equals each has the same share.
  static Values extreme_gradient(Grad& g) {
    const Value kept = g.b.call("equal", {g.in(0), g.out()});
    const Value taken = g.b.call("equal", {g.in(2), gathered(g, g.out())});
    const Value count = scattered(g, "tensor_scatter_elements", as_number(g, kept), as_number(g, taken), "add");
    const Value share = g.b.div(g.ct(), count);
    return {g.b.select(kept, share, 0.0), {}, g.b.select(taken, gathered(g, share), 0.0)};
  }
  static Values batch(Batch& v) { return batch_lines(v, 3); }
  static std::vector<Sample> samples() {
    const auto one = [](const char* reduction, DType dtype, Shape shape) {
      return Sample{{{{3, 4}, dtype, 1, 3}, {shape, DType::Int64, 0, 2}, {shape, dtype, 1, 3}},
                    {{"axis", int64_t{shape[0] == 5 ? 0 : 1}}, {"reduction", std::string(reduction)}},
                    {}};
    };
    return {one("mul", DType::Float32, {3, 2}), one("div", DType::Float32, {5, 4}), one("max", DType::Float32, {3, 6}),
            one("min", DType::Int32, {5, 4}),   one("mul", DType::Int32, {3, 2}),   one("min", DType::Float16, {3, 1})};
  }
};
EMBER_OP(TensorScatterReduce);

}  // namespace
}  // namespace ember::ops
