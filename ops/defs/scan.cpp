// Running sums. Each goes along its axis from the first element to the last, whatever the layout or the threads.
#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr int64_t kRows = 8;         // in flight
constexpr int64_t kTogether = 1024;  // columns
constexpr int64_t kGrain = 1 << 15;  // elements that are worth a thread

// Rows of n elements, one after the other.
template <class T>
void sum_rows(T* x, int64_t n, int64_t rows) {
  T sums[kRows];
  for (int64_t r = 0; r < rows; ++r) sums[r] = x[r * n];
  for (int64_t i = 1; i < n; ++i) {
    for (int64_t r = 0; r < kRows; ++r) {
      if (r < rows) x[r * n + i] = sums[r] = sum_of(sums[r], x[r * n + i]);
    }
  }
}

// Down columns of n elements that are neighbours.
template <class T>
void sum_columns(T* x, int64_t step, int64_t n, int64_t columns) {
  for (int64_t i = 1; i < n; ++i, x += step) {
    for (int64_t c = 0; c < columns; ++c) x[step + c] = sum_of(x[c], x[step + c]);
  }
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
    axis(c.attrs.integer(1), c.in[0].dims.size(), name);
    return {Type::tensor(dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    size_t at = axis(c.attrs.integer(1), out.rank(), name);
    copy_view(c.in[0], c.out[0]);
    if (out.numel == 0) return;
    const int64_t step = out.strides[at], size = out.shape[at], blocks = out.numel / (step * size);
    dispatch(out.dtype, [&]<class T>() {
      T* const data = c.out[0].as<T>();
      const int64_t across = ceil_div(step, kTogether), grain = ceil_div(kGrain, size * std::min(step, kTogether));
      if (step == 1)
        return parallel_for(blocks, grain, [&](int64_t begin, int64_t end) {
          for (int64_t b = begin; b < end; b += kRows) sum_rows(data + b * size, size, std::min(kRows, end - b));
        });
      parallel_for(blocks * across, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t first = i % across * kTogether, width = std::min(kTogether, step - first);
          sum_columns(data + i / across * step * size + first, step, size, width);
        }
      });
    });
  }
  static Values grad(Grad& g) {
    auto at = static_cast<int64_t>(axis(g.attrs.integer(1), g.in_type(0).dims.size(), name));
    auto turn = [&](const Value& v) { return g.b.call("flip", {v}, {{"dims", Ints{at}}}); };
    return {g.unbroadcast(turn(g.b.call(name, {turn(g.ct())}, {{"axis", at}})), 0)};
  }
  static Values batch(Batch& v) {
    auto at = static_cast<int64_t>(axis(v.attrs.integer(1), v.b.dims(v.in(0)).size() - 1, name));
    return v.b.apply(v.op, {{v.in(0)}}, with(v.attrs, 1, at + 1));
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {{"axis", int64_t{0}}}, {}},
            {{{{3, 4}}}, {{"axis", int64_t{-1}}}, {}},
            {{{{3}, DType::Int8}}, {{"axis", int64_t{0}}, {"dtype", DType::Int64}}, {}}};
  }
};
EMBER_OP(CumSum);

}  // namespace
}  // namespace ember::ops
