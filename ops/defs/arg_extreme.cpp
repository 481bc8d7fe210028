// Where the largest or smallest element is: the first of equals, and the first NaN if there is one. Contiguous rows
// take the extreme of each chunk from the reduction's kernels and look for its index only where it beats what came
// before. Columns that lie side by side are searched together, row by row.
#include <array>
#include <cstring>
#include <limits>

#include "ops/base/parallel.h"
#include "ops/program/reduce.h"
#include "ops/table/movement.h"
#include "ops/table/rules.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

template <class T>
auto number(T x) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}

template <bool Larger, class N>
bool beats(N x, N best) {
  if (best != best) return false;
  return (Larger ? x > best : x < best) || x != x;
}

// The first of n elements for which f holds; there is one.
template <class N, class F>
int64_t first_of(const N* x, int64_t n, F f) {
  constexpr int64_t kBlock = 32;
  using Flag = std::conditional_t<sizeof(N) == 4, int32_t, int64_t>;
  int64_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    Flag any = 0;
    for (int64_t j = 0; j < kBlock; ++j) any |= static_cast<Flag>(f(x[i + j]));
    if (any != 0) break;
  }
  while (!f(x[i])) ++i;
  return i;
}

struct Job {
  const std::byte* data;
  StridedDims kept, reduced;
  int64_t n;
};

constexpr int64_t kRows = 16;  // together

template <bool Larger, class T>
struct Search {
  const Job& job;
  const ReduceKernels* kernels;  // for contiguous rows of T

  int64_t strided(const T* base) const {
    StridedIterator at(job.reduced);
    at.seek(0);
    int64_t where = 0;
    auto best = number(base[0]);
    const int64_t stride = job.reduced.inner_stride();
    for (int64_t i = 0; i < job.n;) {
      const int64_t run = std::min(at.run(), job.n - i);
      const T* from = base + at.offset();
      for (int64_t j = 0; j < run; ++j) {
        if (!beats<Larger>(number(from[j * stride]), best)) continue;
        best = number(from[j * stride]);
        where = i + j;
      }
      at.advance(run);
      i += run;
    }
    return where;
  }

  // The first of n elements that equals the extreme of them.
  static int64_t place(const T* x, int64_t n, decltype(number(T{})) best) {
    if (best != best) return first_of(x, n, [](T element) { return number(element) != number(element); });
    return first_of(x, n, [best](T element) { return number(element) == best; });
  }

  int64_t contiguous(const T* base) const {
    int64_t where = 0;
    auto best = number(base[0]);
    for (int64_t i = 0; i < job.n; i += kReduceChunk) {
      const int64_t count = std::min(kReduceChunk, job.n - i);
      const void* chunk = base + i;
      auto extreme = best;
      kernels->chunks(&chunk, 1, count, &extreme);
      if (i > 0 && !beats<Larger>(extreme, best)) continue;
      best = extreme;
      where = i + place(base + i, count, best);
    }
    return where;
  }

  // Of rows of one chunk the kernels find several extremes at once.
  void operator()(const T* const* rows, int64_t count, int64_t* where) const {
    if (!kernels || job.n > kReduceChunk) {
      for (int64_t r = 0; r < count; ++r) where[r] = kernels ? contiguous(rows[r]) : strided(rows[r]);
      return;
    }
    std::array<const void*, kRows> chunks;
    std::array<decltype(number(T{})), kRows> best;
    std::copy_n(rows, count, chunks.begin());
    kernels->chunks(chunks.data(), count, job.n, best.data());
    for (int64_t r = 0; r < count; ++r) where[r] = place(rows[r], job.n, best[static_cast<size_t>(r)]);
  }
};

struct Results {
  void* index;
  DType index_dtype;
  void* value;  // of the operand's dtype, or null

  template <class T>
  void set(int64_t i, int64_t where, T extreme) const {
    if (index_dtype == DType::Int64) {
      static_cast<int64_t*>(index)[i] = where;
    } else {
      static_cast<int32_t*>(index)[i] = static_cast<int32_t>(where);
    }
    if (value) static_cast<T*>(value)[i] = extreme;
  }
};

constexpr int64_t kColumns = 256, kFewColumns = 16;

// The columns from one on, at most kColumns, whose elements lie side by side.
template <bool Larger, class T>
void search_columns(const Job& job, const T* base, int64_t first, int64_t count, const Results& out) {
  using N = decltype(number(T{}));
  using Index = std::conditional_t<sizeof(N) == 4, int32_t, int64_t>;
  std::array<N, kColumns> best;
  std::array<Index, kColumns> where{};
  StridedIterator row(job.reduced);
  row.seek(0);
  for (int64_t c = 0; c < count; ++c) best[c] = number(base[c]);
  for (int64_t i = 0; i < job.n; ++i, row.advance(1)) {
    const T* from = base + row.offset();
    for (int64_t c = 0; c < count; ++c) {
      const N x = number(from[c]);
      const int is_number = best[c] == best[c], beats = Larger ? x > best[c] : x < best[c], is_nan = x != x;
      const bool better = (is_number & (beats | is_nan)) != 0;
      best[c] = better ? x : best[c];
      where[c] = better ? static_cast<Index>(i) : where[c];
    }
  }
  for (int64_t c = 0; c < count; ++c) out.set(first + c, where[c], static_cast<T>(best[c]));
}

template <bool Larger, class T>
void search_side_by_side(const Job& job, const Results& out) {
  const int64_t grain = std::max(kColumns, 16384 / job.n);
  parallel_for(job.kept.count(), grain, [&](int64_t begin, int64_t end) {
    StridedIterator kept(job.kept);
    kept.seek(begin);
    for (int64_t i = begin; i < end;) {
      const int64_t count = std::min({kept.run(), end - i, kColumns});
      search_columns<Larger>(job, reinterpret_cast<const T*>(job.data) + kept.offset(), i, count, out);
      kept.advance(count);
      i += count;
    }
  });
}

template <bool Larger, class T>
void search_all(const Job& job, DType dtype, const Results& out) {
  constexpr int64_t kLongest = std::numeric_limits<int32_t>::max();
  const bool side_by_side = job.kept.inner_stride() == 1 && job.kept.inner_size() >= kFewColumns;
  if (job.reduced.inner_stride() != 1 && side_by_side && job.n <= kLongest) {
    search_side_by_side<Larger, T>(job, out);
    return;
  }
  const bool contiguous = job.reduced.inner_stride() == 1 && job.reduced.sizes.size() <= 1 &&
                          (dtype == DType::Float32 || dtype == DType::Float64);
  const Search<Larger, T> search{
      job, contiguous ? &reduce_kernels(Larger ? ReduceKind::Max : ReduceKind::Min, dtype) : nullptr};
  parallel_for(job.kept.count(), std::max<int64_t>(1, 16384 / job.n), [&](int64_t begin, int64_t end) {
    StridedIterator kept(job.kept);
    kept.seek(begin);
    for (int64_t i = begin; i < end; i += kRows) {
      const int64_t count = std::min(kRows, end - i);
      std::array<const T*, kRows> rows;
      std::array<int64_t, kRows> where;
      for (size_t r = 0; r < static_cast<size_t>(count); ++r, kept.advance(1))
        rows[r] = reinterpret_cast<const T*>(job.data) + kept.offset();
      search(rows.data(), count, where.data());
      for (size_t r = 0; r < static_cast<size_t>(count); ++r) {
        StridedIterator at(job.reduced);
        at.seek(where[r]);
        out.set(i + static_cast<int64_t>(r), where[r], rows[r][at.offset()]);
      }
    }
  });
}

Axes searched_axes(const Attrs& attrs, size_t rank, std::string_view name) {
  Axes all;
  if (attrs.has(1)) {
    const size_t d = line_axis(attrs.integer(1), rank, name);
    if (rank != 0) all.push_back(d);
    return all;
  }
  for (size_t d = 0; d < rank; ++d) all.push_back(d);
  return all;
}

void check_index(DType index, int64_t n, std::string_view name) {
  if (index == DType::Int64 || n - 1 <= std::numeric_limits<int32_t>::max()) return;
  value_error("For '" + std::string(name) + "', indices of " + std::to_string(n) +
              " elements do not fit int32: ask for int64.");
}

template <bool Larger>
void run_search(const KernelCall& call, const Results& out) {
  const View& x = call.in[0];
  const Layout& layout = *x.layout;
  if (call.out[0].layout->numel == 0) return;
  const Axes axes = searched_axes(call.attrs, layout.rank(), Larger ? "argmax" : "argmin");
  Job job{x.as<std::byte>(), {}, {}, 1};
  for (size_t d = 0; d < layout.rank(); ++d) {
    const bool reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
    (reduced ? job.reduced : job.kept).add(layout.shape[d], layout.strides[d]);
  }
  job.n = job.reduced.count();
  check_index(out.index_dtype, job.n, Larger ? "argmax" : "argmin");
  dispatch_ordered(layout.dtype, [&]<class T>() { search_all<Larger, T>(job, layout.dtype, out); });
}

DType index_dtype(const Attrs& attrs, DType otherwise, std::string_view name) {
  const DType dtype = attrs.has(3) ? attrs.dtype(3) : otherwise;
  if (dtype == DType::Int32 || dtype == DType::Int64) return dtype;
  value_error("For '" + std::string(name) + "', an index is of int32 or int64, but 'dtype' is " +
              std::string(ember::ops::name(dtype)) + ".");
}

Type searched(const InferCall& call, DType index, std::string_view name) {
  const Type& x = call.in[0];
  refuse_complex(x, name);
  const Axes axes = searched_axes(call.attrs, x.dims.size(), name);
  if (reduced_count(x.dims, axes) == Dim(0)) {
    value_error("For '" + std::string(name) + "', there is no element to choose: input is " + to_string(x) + ".");
  }
  return Type::tensor(index, reduced_dims(x.dims, axes, call.attrs.flag(2)));
}

Types searched_with_value(const InferCall& call, std::string_view name) {
  const Type index = searched(call, DType::Int64, name);
  return {index, Type::tensor(call.in[0].dtype, index.dims)};
}

// The batch axis in front: a search over all axes becomes one over the flattened rest.
Values batch_search(Batch& batch) {
  Builder& b = batch.b;
  const Dims dims = b.dims(batch.in(0));
  const size_t rank = dims.size() - 1;
  Attrs attrs = batch.attrs;
  if (rank > 0 && attrs.has(1)) {
    attrs.set(1, static_cast<int64_t>(axis(attrs.integer(1), rank, batch.op.name)) + 1);
    return b.apply(batch.op, std::array{batch.in(0)}, attrs);
  }
  Axes rest;
  for (size_t d = 1; d <= rank; ++d) rest.push_back(d);
  attrs.set(1, int64_t{1});
  attrs.set(2, false);
  const Value flat = b.reshape(batch.in(0), Dims{batch.size, reduced_count(dims, rest)});
  Values out = b.apply(batch.op, std::array{flat}, attrs);
  for (Value& v : out) v = b.reshape(v, reduced_dims(dims, rest, batch.attrs.flag(2)));
  return out;
}

std::vector<Sample> search_samples(const char* axis_name, const char* keep_name, bool all) {
  std::vector<Sample> out{{{{{3, 4}}}, {{axis_name, int64_t{1}}}, {}},
                          {{{{2, 3, 9}}}, {{axis_name, int64_t{-2}}, {keep_name, true}}, {}},
                          {{{{5, 6}, DType::Int32}}, {{axis_name, int64_t{0}}}, {}}};
  if (!all) return out;
  out.push_back({{{{3, 4}}}, {}, {}});
  for (DType dtype : {DType::Int32, DType::Int64}) out.push_back({{{{3, 4}}}, {{"dtype", dtype}}, {}});
  return out;
}

struct Argmax {
  static constexpr const char* name = "argmax";
  static constexpr const char* primitive = "ArgMaxExt";
  static constexpr const char* signature =
      "input: tensor, dim: int? = None, keepdim: bool = False, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None.";
  static constexpr const char* numpy = "np.argmax(input, axis=dim, keepdims=keepdim).astype(dtype or np.int64)";
  static Types infer(const InferCall& call) {
    return {searched(call, index_dtype(call.attrs, DType::Int64, name), name)};
  }
  static void kernel(const KernelCall& call) {
    run_search<true>(call, {call.out[0].data, call.out[0].layout->dtype, nullptr});
  }
  static Values batch(Batch& batch) { return batch_search(batch); }
  static std::vector<Sample> samples() { return search_samples("dim", "keepdim", true); }
};
EMBER_OP(Argmax);

struct Argmin {
  static constexpr const char* name = "argmin";
  static constexpr const char* primitive = "ArgMinExt";
  static constexpr const char* signature =
      "input: tensor, axis: int? = None, keepdims: bool = False, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None.";
  static constexpr const char* numpy = "np.argmin(input, axis=axis, keepdims=keepdims).astype(dtype or np.int32)";
  static Types infer(const InferCall& call) {
    return {searched(call, index_dtype(call.attrs, DType::Int32, name), name)};
  }
  static void kernel(const KernelCall& call) {
    run_search<false>(call, {call.out[0].data, call.out[0].layout->dtype, nullptr});
  }
  static Values batch(Batch& batch) { return batch_search(batch); }
  static std::vector<Sample> samples() { return search_samples("axis", "keepdims", true); }
};
EMBER_OP(Argmin);

// The cotangent of the extreme goes to the element at the index.
Values gradient_at_index(Grad& g) {
  Builder& b = g.b;
  const Dims& dims = g.in_type(0).dims;
  if (dims.empty()) return {g.ct(1)};
  const Axes axes = searched_axes(g.attrs, dims.size(), g.op.name);
  const Value index = with_axes(b, g.out(0), dims, axes);
  return {b.call("place", {with_axes(b, g.ct(1), dims, axes), index},
                 {{"axis", static_cast<int64_t>(axes[0])}, {"size", Ints{dims[axes[0]]}}})};
}

struct ArgmaxWithValue {
  static constexpr const char* name = "argmax_with_value";
  static constexpr const char* primitive = "ArgMaxWithValue";
  static constexpr const char* signature = "input: tensor, axis: int = 0, keep_dims: bool = False -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The index (int64) of the largest element along `axis`, the first of equals, and the element.";
  static constexpr const char* numpy =
      "(np.argmax(input, axis=axis, keepdims=keep_dims), np.max(input, axis=axis, keepdims=keep_dims))";
  static constexpr const char* saves = "out0";
  static Types infer(const InferCall& call) { return searched_with_value(call, name); }
  static void kernel(const KernelCall& call) {
    run_search<true>(call, {call.out[0].data, DType::Int64, call.out[1].data});
  }
  static Values grad(Grad& g) { return gradient_at_index(g); }
  static Values batch(Batch& batch) { return batch_search(batch); }
  static std::vector<Sample> samples() { return search_samples("axis", "keep_dims", false); }
};
EMBER_OP(ArgmaxWithValue);

struct ArgminWithValue {
  static constexpr const char* name = "argmin_with_value";
  static constexpr const char* primitive = "ArgMinWithValue";
  static constexpr const char* signature = ArgmaxWithValue::signature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The index (int64) of the smallest element along `axis`, the first of equals, and the element.";
  static constexpr const char* numpy =
      "(np.argmin(input, axis=axis, keepdims=keep_dims), np.min(input, axis=axis, keepdims=keep_dims))";
  static constexpr const char* saves = "out0";
  static Types infer(const InferCall& call) { return searched_with_value(call, name); }
  static void kernel(const KernelCall& call) {
    run_search<false>(call, {call.out[0].data, DType::Int64, call.out[1].data});
  }
  static Values grad(Grad& g) { return gradient_at_index(g); }
  static Values batch(Batch& batch) { return batch_search(batch); }
  static std::vector<Sample> samples() { return ArgmaxWithValue::samples(); }
};
EMBER_OP(ArgminWithValue);

void narrow(const int64_t* from, int64_t stride, int64_t count, int32_t* to) {
  const auto lost = [](int64_t index) { return index ^ static_cast<int32_t>(index); };
  int64_t any = 0;
  for (int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<int32_t>(from[i * stride]);
    any |= lost(from[i * stride]);
  }
  if (any == 0) return;
  while (lost(*from) == 0) from += stride;
  value_error("For 'narrow_index', position " + std::to_string(*from) + " does not fit int32.");
}

struct NarrowIndex {
  static constexpr const char* name = "narrow_index";
  static constexpr const char* primitive = "NarrowIndex";
  static constexpr const char* signature = "index: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Positions, int64, as int32. One that has no room there is a ValueError.";
  static constexpr const char* numpy = "index.astype(np.int32)";
  static Types infer(const InferCall& call) {
    if (call.in[0].dtype != DType::Int64)
      type_error("For 'narrow_index', 'index' must be of int64, but is " + to_string(call.in[0]) + ".");
    return {Type::tensor(DType::Int32, call.in[0].dims)};
  }
  static void kernel(const KernelCall& call) {
    const Layout& layout = *call.in[0].layout;
    StridedDims all;
    for (size_t d = 0; d < layout.rank(); ++d) all.add(layout.shape[d], layout.strides[d]);
    parallel_for_throwing(layout.numel, 1 << 15, [&](int64_t begin, int64_t end) {
      StridedIterator at(all);
      at.seek(begin);
      for (int64_t i = begin, run = 0; i < end; i += run, at.advance(run)) {
        run = std::min(at.run(), end - i);
        narrow(call.in[0].as<const int64_t>() + at.offset(), all.inner_stride(), run, call.out[0].as<int32_t>() + i);
      }
    });
  }
  static Values batch(Batch& batch) { return {batch.b.apply(batch.op, std::array{batch.in(0)}, batch.attrs)}; }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}, DType::Int64, -9, 9}}, {}, {}}, {{{{}, DType::Int64, 0, 9}}, {}, {}}};
  }
};
EMBER_OP(NarrowIndex);

constexpr const char* kWithIndexSignature =
    "input: tensor, axis: int, keepdims: bool = False, initial: number? = None, where: tensor? = None -> tensor, "
    "tensor";

Values with_index(Builder& b, std::span<const Value> in, const Attrs& attrs, std::string_view name,
                  std::string_view larger, std::string_view search) {
  refuse_complex(b.type(in[0]), name);
  const Value x = limited(b, name, larger, in[0], in[1], in[2]);
  const Values results = b.call_all(search, std::array{x}, {{"axis", attrs.integer(1)}, {"keep_dims", attrs.flag(2)}});
  return {results[1], results[0]};
}

std::vector<Sample> with_index_samples() {
  const SampleOperand initial{{}, DType::Float32, -0.5, 0.5}, where{{3, 1}, DType::Bool};
  return {{{{{3, 4}}}, {{"axis", int64_t{1}}}, {}},
          {{{{2, 3, 4}}, initial, where}, {{"axis", int64_t{-2}}, {"keepdims", true}}, {}}};
}

struct MaxWithIndex {
  static constexpr const char* name = "max_with_index";
  static constexpr const char* primitive = "MaxWithIndex";
  static constexpr const char* signature = kWithIndexSignature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The largest element along `axis` and its index (int64), the first of equals. An element less than `initial` "
      "counts "
      "as that, and so does one where `where` is false, which needs `initial`.";
  static constexpr const char* numpy =
      "(lambda x: (np.max(x, axis=axis, keepdims=keepdims), np.argmax(x, axis=axis, keepdims=keepdims)))(input if "
      "initial "
      "is None else np.maximum(np.where(where, input, initial), initial))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return with_index(b, in, attrs, name, "maximum", "argmax_with_value");
  }
  static std::vector<Sample> samples() { return with_index_samples(); }
};
EMBER_OP(MaxWithIndex);

struct MinWithIndex {
  static constexpr const char* name = "min_with_index";
  static constexpr const char* primitive = "MinWithIndex";
  static constexpr const char* signature = kWithIndexSignature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The smallest element along `axis` and its index (int64), the first of equals. An element greater than `initial` "
      "counts as that, and so does one where `where` is false, which needs `initial`.";
  static constexpr const char* numpy =
      "(lambda x: (np.min(x, axis=axis, keepdims=keepdims), np.argmin(x, axis=axis, keepdims=keepdims)))(input if "
      "initial "
      "is None else np.minimum(np.where(where, input, initial), initial))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return with_index(b, in, attrs, name, "minimum", "argmin_with_value");
  }
  static std::vector<Sample> samples() { return with_index_samples(); }
};
EMBER_OP(MinWithIndex);

}  // namespace
}  // namespace ember::ops
