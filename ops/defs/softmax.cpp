// Softmax and log-softmax. A few rows stay in L1 between their steps, which are those of the composition beside each
// kernel: maximum, exponentials, their sum in the order of simd/reduction.h, then the scaling.
#include "ops/base/scratch.h"
#include "ops/kernels/widen.h"
#include "ops/matmul/panels.h"
#include "ops/table/movement.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

constexpr size_t kAxis = 1;
constexpr int64_t kBlock = 1024;    // elements, and so rows, that are taken at a time and stay in L1
constexpr int64_t kSpreadRow = 64;  // shorter rows are taken many at a time
constexpr size_t kDeepest = 64;     // of the tree of a row's chunks
constexpr int64_t kManyRows = 24;

template <class T>
struct Rows {
  const RowKernels<T>& row = row_kernels<T>();

  void softmax(const T* x, T* y, int64_t rows, int64_t n) const {
    T factor[kBlock];
    exponentials(x, y, rows, n, factor, factor);
    for (int64_t r = 0; r < rows; ++r) factor[r] = T{1} / factor[r];
    row.scale(y, factor, rows, n);
  }
  void log_softmax(const T* x, T* y, int64_t rows, int64_t n) const {
    T greatest[kBlock], total[kBlock];
    exponentials(x, y, rows, n, greatest, total);
    row.log(total, rows);
    row.shift(x, greatest, total, y, rows, n);
  }

 private:
  void exponentials(const T* x, T* y, int64_t rows, int64_t n, T* greatest, T* total) const {
    if (n < kSpreadRow) {
      reduce_rows(ReduceKind::Max, dtype_of<T>, x, rows, n, greatest);
      row.short_exp(x, greatest, y, rows, n);
      return reduce_rows(ReduceKind::Sum, dtype_of<T>, y, rows, n, total);
    }
    const auto block = static_cast<uintptr_t>(rows * n) * sizeof(T);
    for (int64_t r = 0; r < rows; ++r) greatest[r] = row.max(x + r * n, n);
    for (int64_t r = 0; r < rows; ++r) total[r] = exponentials(x + r * n, greatest[r], y + r * n, n, block);
  }
  T exponentials(const T* x, T greatest, T* y, int64_t n, uintptr_t block) const {
    T sums[kDeepest];
    size_t top = 0;
    for (int64_t chunk = 0; chunk * kReduceChunk < n; ++chunk, ++top) {
      const int64_t first = chunk * kReduceChunk;
      sums[top] = row.exp(x + first, greatest, y + first, std::min(kReduceChunk, n - first), block);
      for (int64_t bit = chunk; bit & 1; bit >>= 1, --top) sums[top - 1] += sums[top];
    }
    for (; top > 1; --top) sums[top - 2] += sums[top - 1];
    return sums[0];
  }
};

// The same down the columns of panels.
template <class T>
struct Columns {
  const Panels<T> panels;

  void softmax(T* x, int64_t n) const {
    T column[Panels<T>::kMaxColumns];
    panels.panel.max(x, n, column);
    panels.exponentials(x, column, x, n, column);
    for (int64_t c = 0; c < panels.columns; ++c) column[c] = T{1} / column[c];
    panels.panel.scale(x, column, n);
  }
  void log_softmax(T* x, T* y, int64_t n) const {
    T greatest[Panels<T>::kMaxColumns], total[Panels<T>::kMaxColumns];
    panels.panel.max(x, n, greatest);
    panels.exponentials(x, greatest, y, n, total);
    panels.row.log(total, panels.columns);
    panels.panel.subtract(x, greatest, n);
    panels.panel.subtract(x, total, n);
  }
};

// The dimension along which many strided rows are adjacent, or the axis.
size_t side_of(const Layout& in, size_t axis) {
  for (size_t d = 0; d < in.rank(); ++d)
    if (d != axis && in.strides[d] == 1 && in.shape[d] >= kManyRows) return d;
  return axis;
}

template <bool Log>
void run_rows(const KernelCall& call) {
  const LayoutRef from = as_line(*call.in[0].layout), to = as_line(*call.out[0].layout);
  const View in{call.in[0].data, from.get()}, out{call.out[0].data, to.get()};
  if (out.layout->numel == 0) return;
  if (is_half_dtype(in.layout->dtype)) return run_in_float32(call, &run_rows<Log>);
  const size_t d = axis(call.attrs.integer(kAxis), in.layout->rank(), "softmax");
  const auto run = [&]<class T>() {
    if (const size_t side = side_of(*in.layout, d); side != d) {
      const Columns<T> kernels;
      return for_each_panel<T>(in, out, d, side, Log ? 2 : 1, [&](T* x, T* y, int64_t n) {
        Log ? kernels.log_softmax(x, y, n) : kernels.softmax(x, n);
      });
    }
    const Rows<T> kernels;
    for_each_row<T>(in, out, d, kBlock, [&](const T* x, T* y, int64_t rows, int64_t n) {
      Log ? kernels.log_softmax(x, y, rows, n) : kernels.softmax(x, y, rows, n);
    });
  };
  in.layout->dtype == DType::Float32 ? run.template operator()<float>() : run.template operator()<double>();
}

Types infer_rows(const InferCall& call, std::string_view name) {
  const Type& x = call.in[0];
  if (!is_float(x.dtype)) {
    type_error("For '" + std::string(name) + "', the input must be of floating point, but is " + to_string(x) + ".");
  }
  line_axis(call.attrs.integer(kAxis), x.dims.size(), name);
  return {Type::tensor(x.dtype, x.dims)};
}

// e = exp(x - max) and what divides it.
struct Exponentials {
  Value shifted, e, sum;
};
Exponentials exponentials(Builder& b, const Value& x, const Axes& axes) {
  const Value shifted = b.sub(x, reduce_with(b, "reduce_max", x, axes, true));
  const Value e = b.exp(shifted);
  return {shifted, e, reduce_sum(b, e, axes, true)};
}

Axes axis_of(const Attrs& attrs, const Dims& dims, std::string_view name) {
  return dims.empty() ? Axes() : Axes{axis(attrs.integer(kAxis), dims.size(), name)};
}

std::vector<Sample> row_samples() {
  return {{{{{3, 5}}}, {}, {}},
          {{{{2, 3, 4}}}, {{"axis", int64_t{1}}}, {}},
          {{{{2, 1500}}}, {{"axis", int64_t{-1}}}, {}},
          {{{{3, 4}, DType::Float16}}, {}, {}},
          {{{{3, 4}, DType::BFloat16}}, {}, {}},
          {{{{0, 4}}}, {}, {}},
          {{{{}}}, {{"axis", int64_t{0}}}, {}}};
}

struct Softmax {
  static constexpr const char* name = "softmax";
  static constexpr const char* primitive = "Softmax";
  static constexpr const char* signature = "input: tensor, axis: int = -1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element.";
  static constexpr const char* numpy =
      "np.exp(input - input.max(axis, keepdims=True)) / np.exp(input - input.max(axis, keepdims=True)).sum(axis, "
      "keepdims=True)";
  static constexpr const char* saves = "out";
  static Types infer(const InferCall& call) { return infer_rows(call, name); }
  static void kernel(const KernelCall& call) { run_rows<false>(call); }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type type = b.type(in[0]);
    if (as_line(type.dims)[line_axis(attrs.integer(kAxis), type.dims.size(), name)] == Dim(0)) return {in[0]};
    return {in_float32(b, in[0], [&](const Value& x) {
      const auto [shifted, e, sum] = exponentials(b, x, axis_of(attrs, type.dims, name));
      return b.mul(e, b.div(1.0, sum));
    })};
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value weighted = b.mul(g.ct(), g.out());
    const Value total = reduce_sum(b, weighted, axis_of(g.attrs, g.in_type(0).dims, name), true);
    return {b.mul(b.sub(g.ct(), total), g.out())};
  }
  static Values batch(Batch& batch) { return batch_lines(batch, kAxis); }
  static std::vector<Sample> samples() { return row_samples(); }
};
EMBER_OP(Softmax);

struct LogSoftmax {
  static constexpr const char* name = "log_softmax";
  static constexpr const char* primitive = "LogSoftmax";
  static constexpr const char* signature = "logits: tensor, axis: int = -1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element.";
  static constexpr const char* numpy =
      "logits - logits.max(axis, keepdims=True) - np.log(np.exp(logits - logits.max(axis, keepdims=True)).sum(axis, "
      "keepdims=True))";
  static constexpr const char* saves = "out";
  static Types infer(const InferCall& call) { return infer_rows(call, name); }
  static void kernel(const KernelCall& call) { run_rows<true>(call); }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type type = b.type(in[0]);
    if (as_line(type.dims)[line_axis(attrs.integer(kAxis), type.dims.size(), name)] == Dim(0)) return {in[0]};
    return {in_float32(b, in[0], [&](const Value& x) {
      const auto [shifted, e, sum] = exponentials(b, x, axis_of(attrs, type.dims, name));
      return b.sub(shifted, b.call("log", {sum}));
    })};
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value total = reduce_sum(b, g.ct(), axis_of(g.attrs, g.in_type(0).dims, name), true);
    return {b.sub(g.ct(), b.mul(b.exp(g.out()), total))};
  }
  static Values batch(Batch& batch) { return batch_lines(batch, kAxis); }
  static std::vector<Sample> samples() { return row_samples(); }
};
EMBER_OP(LogSoftmax);

}  // namespace
}  // namespace ember::ops
