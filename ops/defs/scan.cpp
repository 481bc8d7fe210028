// Scans: each element of a result comes of the operands' elements there and of the result before it. They go along the
// axis from the first element to the last, whatever the layout or the threads.
#include "ops/base/division.h"
#include "ops/base/interrupt.h"
#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr int64_t kRows = 2;  // in flight: lines of rows whose length is a power of 2 share few places of the cache
constexpr int64_t kTogether = 1024;  // columns
constexpr int64_t kGrain = 1 << 15;  // elements that are worth a thread
constexpr int64_t kStep = 1 << 20;   // elements between looks for an interrupt

// What is read of an element, what is known after the first of a line, and after the next, the index-th.
template <class T>
struct Sum {
  const T* from;
  T* x;
  T load(int64_t at) const { return from[at]; }
  T first(T value) const { return value; }
  T next(T sum, T value, int64_t) const { return sum_of(sum, value); }
  void store(int64_t at, T sum) const { x[at] = sum; }
  T stored(int64_t at) const { return x[at]; }
};

template <class T>
struct Product : Sum<T> {
  T next(T product, T value, int64_t) const { return product_of(product, value); }
};

template <class T>
struct Recurrence {
  const T *factor, *term;
  T* x;
  std::pair<T, T> load(int64_t at) const { return {factor[at], term[at]}; }
  T first(const std::pair<T, T>& value) const { return value.second; }
  T next(T before, const std::pair<T, T>& value, int64_t) const {
    return sum_of(product_of(value.first, before), value.second);
  }
  void store(int64_t at, T now) const { x[at] = now; }
  T stored(int64_t at) const { return x[at]; }
};

template <class T, bool Larger>
struct Extreme {
  const T* from;
  T* x;
  int64_t* which;
  struct State {
    T value;
    int64_t index;
  };
  static bool reaches(auto value, auto best) {
    return value != value || (best == best && (Larger ? value >= best : value <= best));
  }
  T load(int64_t at) const { return from[at]; }
  State first(T value) const { return {value, 0}; }
  State next(State before, T value, int64_t index) const {
    bool later;
    if constexpr (is_half<T>) {
      later = reaches(static_cast<float>(value), static_cast<float>(before.value));
    } else {
      later = reaches(value, before.value);
    }
    return {later ? value : before.value, later ? index : before.index};
  }
  void store(int64_t at, State now) const {
    x[at] = now.value;
    which[at] = now.index;
  }
  State stored(int64_t at) const { return {x[at], which[at]}; }
};

// Rows of n elements, one after the other. All loads precede the stores: one waits for stores before it whose addresses
// have the same last 12 bits, as those of rows have.
template <int64_t Rows, class Scan>
void scan_rows(const Scan& scan, int64_t first, int64_t n) {
  decltype(scan.load(0)) values[Rows];
  decltype(scan.stored(0)) states[Rows];
  for (int64_t r = 0; r < Rows; ++r) scan.store(first + r * n, states[r] = scan.first(scan.load(first + r * n)));
  for (int64_t i = 1; i < n;) {
    for (const int64_t end = std::min(n, i + kStep); i < end; ++i) {
      for (int64_t r = 0; r < Rows; ++r) values[r] = scan.load(first + r * n + i);
      for (int64_t r = 0; r < Rows; ++r) states[r] = scan.next(states[r], values[r], i);
      for (int64_t r = 0; r < Rows; ++r) scan.store(first + r * n + i, states[r]);
    }
    if (i < n) give_way();
  }
}

// Down columns of n elements that are neighbours.
template <class Scan>
void scan_columns(const Scan& scan, int64_t first, int64_t step, int64_t n, int64_t columns) {
  for (int64_t c = first; c < first + columns; ++c) scan.store(c, scan.first(scan.load(c)));
  Pace pace;
  for (int64_t i = 1; i < n; ++i, first += step) {
    pace.worked(columns);
    for (int64_t c = first; c < first + columns; ++c)
      scan.store(c + step, scan.next(scan.stored(c), scan.load(c + step), i));
  }
}

template <class Scan>
void scan_lines(const Scan& scan, const Layout& out, size_t at) {
  const int64_t step = out.strides[at], size = out.shape[at], blocks = out.numel / (step * size);
  const int64_t across = ceil_div(step, kTogether), grain = ceil_div(kGrain, size * std::min(step, kTogether));
  if (step == 1)
    return parallel_for(blocks, grain, [&](int64_t begin, int64_t end) {
      int64_t b = begin;
      for (; b + kRows <= end; b += kRows) scan_rows<kRows>(scan, b * size, size);
      for (; b < end; ++b) scan_rows<1>(scan, b * size, size);
    });
  parallel_for(blocks * across, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % across * kTogether, width = std::min(kTogether, step - first);
      scan_columns(scan, i / across * step * size + first, step, size, width);
    }
  });
}

Value turned(Builder& b, const Value& v, size_t at) {
  return b.call("flip", {v}, {{"dims", Ints{static_cast<int64_t>(at)}}});
}

// Each element at the next index, and a number at the first.
Value delayed(Builder& b, const Value& v, size_t at, double first = 0) {
  const Dims dims = b.dims(v);
  Ints padding(2 * (dims.size() - at), 0);
  padding[padding.size() - 2] = 1;
  return slice_axis(b, b.call("pad", {v}, {{"padding", padding}, {"value", first}}), at, 0, dims[at]);
}

// Cotangents that follow a recurrence backwards: u[i] = ct[i] + factor[i + 1] * u[i + 1].
Value backwards(Builder& b, const Value& factor, const Value& ct, size_t at) {
  const Value next = delayed(b, turned(b, factor, at), at);
  const Value back = b.call("linear_recurrence", {next, turned(b, ct, at)}, {{"axis", static_cast<int64_t>(at)}});
  return turned(b, back, at);
}

struct CumSum {
  static constexpr const char* name = "cumsum";
  static constexpr const char* primitive = "CumSum";
  static constexpr const char* signature = "x: tensor, axis: int, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Sums of all elements up to each along an axis, one after the other, in dtype (None: the operand's).";
  static constexpr const char* numpy = "np.cumsum(x.astype(dtype or x.dtype), axis, dtype or x.dtype)";
  static Types infer(const InferCall& c) {
    DType dtype = c.attrs.has(2) ? c.attrs.dtype(2) : c.in[0].dtype;
    if (dtype == DType::Bool) type_error(about(name) + "the dtype must be a number's, but got Bool.");
    line_axis(c.attrs.integer(1), c.in[0].dims.size(), name);
    return {Type::tensor(dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    const size_t at = line_axis(c.attrs.integer(1), out.rank(), name);
    if (out.rank() == 0) return copy_view(c.in[0], c.out[0]);
    if (out.numel == 0) return;
    Tensor copy;
    const View x = row_major(c.in[0], out.dtype, &copy);
    dispatch(out.dtype, [&]<class T>() { scan_lines(Sum<T>{x.as<const T>(), c.out[0].as<T>()}, out, at); });
  }
  static Values grad(Grad& g) {
    if (g.in_type(0).dims.empty()) return {g.unbroadcast(g.ct(), 0)};
    const size_t at = axis(g.attrs.integer(1), g.in_type(0).dims.size(), name);
    const Value sums = g.b.call(name, {turned(g.b, g.ct(), at)}, {{"axis", static_cast<int64_t>(at)}});
    return {g.unbroadcast(turned(g.b, sums, at), 0)};
  }
  static Values batch(Batch& v) { return batch_lines(v, 1); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {{"axis", int64_t{0}}}, {}},
            {{{{3, 4}}}, {{"axis", int64_t{-1}}}, {}},
            {{{{3}, DType::Int8}}, {{"axis", int64_t{0}}, {"dtype", DType::Int64}}, {}}};
  }
};
EMBER_OP(CumSum);

struct CumProd {
  static constexpr const char* name = "cumprod";
  static constexpr const char* primitive = "RunningProduct";
  static constexpr const char* signature = "x: tensor, axis: int -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Products of all elements up to each along an axis, one after the other.";
  static constexpr const char* numpy = "np.cumprod(x, axis, x.dtype)";
  static constexpr const char* saves = "x, out";
  static Types infer(const InferCall& c) {
    if (c.in[0].dtype == DType::Bool)
      type_error(about(name) + "the operand must be numbers, but is " + to_string(c.in[0]));
    axis(c.attrs.integer(1), c.in[0].dims.size(), name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    const size_t at = axis(c.attrs.integer(1), out.rank(), name);
    if (out.numel == 0) return;
    Tensor copy;
    const View x = row_major(c.in[0], out.dtype, &copy);
    dispatch(out.dtype, [&]<class T>() { scan_lines(Product<T>{{x.as<const T>(), c.out[0].as<T>()}}, out, at); });
  }
  static Values grad(Grad& g) {
    const size_t at = axis(g.attrs.integer(1), g.in_type(0).dims.size(), name);
    return {g.b.mul(backwards(g.b, g.in(0), g.ct(), at), delayed(g.b, g.out(), at, 1))};
  }
  static Values batch(Batch& v) {
    auto at = static_cast<int64_t>(axis(v.attrs.integer(1), v.b.dims(v.in(0)).size() - 1, name));
    return v.b.apply(v.op, {{v.in(0)}}, with(v.attrs, 1, at + 1));
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {{"axis", int64_t{0}}}, {}},
            {{{{3, 4}}}, {{"axis", int64_t{-1}}}, {}},
            {{{{2, 0}}}, {{"axis", int64_t{1}}}, {}},
            {{{{5}, DType::Int32}}, {{"axis", int64_t{0}}}, {}},
            {{{{9}, DType::Float16}}, {{"axis", int64_t{0}}}, {}}};
  }
};
EMBER_OP(CumProd);

struct LinearRecurrence {
  static constexpr const char* name = "linear_recurrence";
  static constexpr const char* primitive = "LinearRecurrence";
  static constexpr const char* signature = "factor: tensor, term: tensor, axis: int -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "y[i] = factor[i] * y[i - 1] + term[i] along an axis, rounded after each step; y[0] is term[0].";
  static constexpr const char* numpy =
      "(lambda f, y: ([y.__setitem__(i, (f[i] * y[i - 1] + y[i]).astype(y.dtype)) for i in range(1, len(y))], "
      "np.moveaxis(y, 0, axis))[1])(np.moveaxis(factor, axis, 0), np.moveaxis(term, axis, 0).copy())";
  static constexpr const char* saves = "factor, out";
  static Types infer(const InferCall& c) {
    const Type &factor = c.in[0], &term = c.in[1];
    bool same = factor.dims.size() == term.dims.size();
    for (size_t d = 0; same && d < factor.dims.size(); ++d) same = factor.dims[d] == term.dims[d];
    if (!same || factor.dtype != term.dtype || factor.dtype == DType::Bool) {
      type_error(about(name) + "factor and term must be numbers of one shape and dtype, but got " + to_string(factor) +
                 " and " + to_string(term) + ".");
    }
    axis(c.attrs.integer(2), term.dims.size(), name);
    return {Type::tensor(term.dtype, term.dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    const size_t at = axis(c.attrs.integer(2), out.rank(), name);
    if (out.numel == 0) return;
    Tensor copies[2];
    const View factor = row_major(c.in[0], out.dtype, &copies[0]), term = row_major(c.in[1], out.dtype, &copies[1]);
    dispatch(out.dtype, [&]<class T>() {
      scan_lines(Recurrence<T>{factor.as<const T>(), term.as<const T>(), c.out[0].as<T>()}, out, at);
    });
  }
  static Values grad(Grad& g) {
    const size_t at = axis(g.attrs.integer(2), g.in_type(0).dims.size(), name);
    const Value term = backwards(g.b, g.in(0), g.ct(), at);
    return {g.needs(0) ? g.b.mul(term, delayed(g.b, g.out(), at)) : Value{}, term};
  }
  static Values batch(Batch& v) { return batch_lines(v, 2); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}, {{3, 4}}}, {{"axis", int64_t{0}}}, {}},
            {{{{3, 4}}, {{3, 4}}}, {{"axis", int64_t{-1}}}, {}},
            {{{{2, 0}}, {{2, 0}}}, {{"axis", int64_t{1}}}, {}},
            {{{{5}, DType::Int32}, {{5}, DType::Int32}}, {{"axis", int64_t{0}}}, {}},
            {{{{9}, DType::Float16}, {{9}, DType::Float16}}, {{"axis", int64_t{0}}}, {}}};
  }
};
EMBER_OP(LinearRecurrence);

template <class Op, bool Larger>
struct RunningExtreme {
  static constexpr const char* signature = "input: tensor, axis: int -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* saves = "out1";
  static Types infer(const InferCall& c) {
    refuse_complex(c.in[0], Op::name);
    line_axis(c.attrs.integer(1), c.in[0].dims.size(), Op::name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims), Type::tensor(DType::Int64, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    const size_t at = line_axis(c.attrs.integer(1), out.rank(), Op::name);
    if (out.numel == 0) return;
    Tensor copy;
    const View x = row_major(c.in[0], out.dtype, &copy);
    auto* which = c.out[1].as<int64_t>();
    if (out.rank() == 0) {
      *which = 0;
      return copy_view(c.in[0], c.out[0]);
    }
    dispatch_ordered(out.dtype, [&]<class T>() {
      scan_lines(Extreme<T, Larger>{x.as<const T>(), c.out[0].as<T>(), which}, out, at);
    });
  }
  // Each cotangent goes to the element that was the extreme.
  static Values grad(Grad& g) {
    const Value zeros = g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims);
    return {g.b.call("tensor_scatter_elements", {zeros, g.out(1), g.ct()},
                     {{"axis", g.attrs.integer(1)}, {"reduction", std::string("add")}})};
  }
  static Values batch(Batch& v) { return batch_lines(v, 1); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {{"axis", int64_t{0}}}, {}},
            {{{{3, 40}, DType::Int32, -5, 5}}, {{"axis", int64_t{-1}}}, {}},
            {{{{20}, DType::Float16}}, {{"axis", int64_t{0}}}, {}},
            {{{{3, 0}}}, {{"axis", int64_t{0}}}, {}}};
  }
};

struct Cummax : RunningExtreme<Cummax, true> {
  static constexpr const char* name = "cummax";
  static constexpr const char* primitive = "Cummax";
  static constexpr const char* doc =
      "The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which "
      "prevails, the last.";
  static constexpr const char* numpy =
      "(lambda y: (y, np.maximum.accumulate(np.where((input == y) | (input != input), np.arange(input.shape[axis])"
      ".reshape([-1 if d == axis % input.ndim else 1 for d in range(input.ndim)]), 0), axis)))"
      "(np.maximum.accumulate(input, axis))";
};
EMBER_OP(Cummax);

struct Cummin : RunningExtreme<Cummin, false> {
  static constexpr const char* name = "cummin";
  static constexpr const char* primitive = "Cummin";
  static constexpr const char* doc =
      "The smallest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which "
      "prevails, the last.";
  static constexpr const char* numpy =
      "(lambda y: (y, np.maximum.accumulate(np.where((input == y) | (input != input), np.arange(input.shape[axis])"
      ".reshape([-1 if d == axis % input.ndim else 1 for d in range(input.ndim)]), 0), axis)))"
      "(np.minimum.accumulate(input, axis))";
};
EMBER_OP(Cummin);

}  // namespace
}  // namespace ember::ops
