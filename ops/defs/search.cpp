// Where elements are: in a sequence that is in order, and those that are true. NaN is above all numbers.
#include <algorithm>
#include <array>
#include <numeric>

#include "ops/base/interrupt.h"
#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 12;     // searches that are worth a thread
constexpr size_t kTogether = 16;        // searches that take their steps together
constexpr int64_t kElements = 1 << 15;  // elements to look at that are

template <class T>
bool below(T x, T y) {
  return (x < y) | ((x == x) & (y != y));
}

// The searches take their steps together, whose loads so overlap, and have no branches, which random values would
// mislead. later(k, x): whether the k-th goes on after an element.
template <class T, class F>
void halve(const T* sequence, int64_t n, int64_t count, int64_t* to, F later) {
  std::array<const T*, kTogether> first;
  first.fill(sequence);
  while (n > 1) {
    const int64_t half = n / 2;
#pragma GCC unroll 16
    for (size_t k = 0; k < kTogether; ++k) first[k] += half & -static_cast<int64_t>(later(k, first[k][half - 1]));
    n -= half;
  }
  for (size_t k = 0; k < static_cast<size_t>(count); ++k)
    to[k] = first[k] - sequence + (n == 1 && later(k, *first[k]) ? 1 : 0);
}

// How many of n elements are below each of some values, or not above it.
template <bool Right, class T>
void search_together(const T* sequence, int64_t n, const T* values, int64_t count, int64_t* to) {
  std::array<T, kTogether> keys;
  bool nan = false;
  for (size_t k = 0; k < kTogether; ++k) {
    keys[k] = values[std::min(static_cast<int64_t>(k), count - 1)];
    nan |= keys[k] != keys[k];
  }
  if (nan) {
    const auto later = [&](size_t k, T x) { return Right ? !below(keys[k], x) : below(x, keys[k]); };
    return halve(sequence, n, count, to, later);
  }
  halve(sequence, n, count, to, [&](size_t k, T x) { return Right ? x <= keys[k] : x < keys[k]; });
}

struct SearchSorted {
  static constexpr const char* name = "search_sorted";
  static constexpr const char* primitive = "SearchSortedExt";
  static constexpr const char* signature = "sequence: tensor, values: tensor, right: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "The indices (int64) at which values keep `sequence` in order along its last axis: before equal elements, or "
      "after "
      "them (`right`). The sequence has one axis, or the first axes of values.";
  static constexpr const char* numpy =
      "np.searchsorted(sequence, values, 'right' if right else 'left') if sequence.ndim == 1 else np.stack([np."
      "searchsorted(s, v, 'right' if right else 'left') for s, v in zip(sequence.reshape(-1, sequence.shape[-1]), "
      "values.reshape(-1, values.shape[-1]))]).reshape(values.shape)";
  static Types infer(const InferCall& c) {
    const Type &sequence = c.in[0], &values = c.in[1];
    refuse_complex(sequence, name);
    refuse_complex(values, name);
    const size_t rank = sequence.dims.size();
    bool fits = rank == 1 || (rank > 1 && rank == values.dims.size());
    for (size_t d = 0; fits && d + 1 < rank; ++d) fits = sequence.dims[d] == values.dims[d];
    if (!fits) {
      value_error(about(name) + "the sequence must have one axis, or all axes of the values but the last, but got " +
                  to_string(sequence) + " and " + to_string(values) + ".");
    }
    return {Type::tensor(DType::Int64, values.dims)};
  }
  static void kernel(const KernelCall& c) {
    const bool right = c.attrs.flag(2);
    const DType common = promote(c.in[0].layout->dtype, c.in[1].layout->dtype);
    const DType dtype = is_half_dtype(common) ? DType::Float32 : common;
    dispatch_ordered(dtype, [&]<class T>() {
      if constexpr (!is_half<T>) right ? search<true, T>(c, dtype) : search<false, T>(c, dtype);
    });
  }
  template <bool Right, class T>
  static void search(const KernelCall& c, DType dtype) {
    Tensor copies[2];
    const View sequence = row_major(c.in[0], dtype, &copies[0]), values = row_major(c.in[1], dtype, &copies[1]);
    const Layout &in = *sequence.layout, &out = *c.out[0].layout;
    const int64_t n = in.shape[in.rank() - 1];
    const int64_t queries = in.rank() == 1 ? out.numel : out.shape[out.rank() - 1];  // values that share a sequence
    auto* to = c.out[0].as<int64_t>();
    parallel_for(out.numel, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end;) {
        const int64_t run = std::min({int64_t{kTogether}, queries - i % queries, end - i});
        search_together<Right>(sequence.as<const T>() + i / queries * n, n, values.as<const T>() + i, run, to + i);
        i += run;
      }
    });
  }
  static Values batch(Batch& v) {
    const size_t rank = v.b.dims(v.in(0)).size() - v.batched(0);
    if (!v.batched(0) && rank == 1) return v.b.apply(v.op, {{v.in(0), v.in(1)}}, v.attrs);
    const Value values = v.in_batched(1);
    const Dims all = v.b.dims(values);
    if (rank > 1) return v.b.apply(v.op, {{v.in_batched(0), values}}, v.attrs);
    const Value flat = v.b.reshape(values, Dims{v.size, product(all, 1, all.size())});
    return {v.b.reshape(v.b.apply(v.op, {{v.in_batched(0), flat}}, v.attrs)[0], all)};
  }
  static std::vector<Sample> samples() {
    return {{{{{1}}, {{3, 4}}}, {}, {}},
            {{{{1}, DType::Float16}, {{7}, DType::Float16}}, {{"right", true}}, {}},
            {{{{2, 1}, DType::Int32, -2, 2}, {{2, 5}, DType::Int32, -3, 3}}, {{"right", true}}, {}},
            {{{{0}}, {{3}}}, {}, {}}};
  }
};
EMBER_OP(SearchSorted);

struct TruePositions {
  static constexpr const char* name = "true_positions";
  static constexpr const char* primitive = "TruePositions";
  static constexpr const char* signature = "input: tensor, size: int, batch_dims: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "The indices (int64, a row each) of the first `size` true elements of a Tensor of bools, in row-major order; "
      "rows of "
      "-1 where there are fewer. Of each part along the first batch_dims axes.";
  static constexpr const char* numpy =
      "np.stack([np.pad(np.argwhere(x)[:size], ((0, max(0, size - x.sum())), (0, 0)), constant_values=-1) for x in "
      "input.reshape(math.prod(input.shape[:batch_dims]), *input.shape[batch_dims:])]).reshape("
      "*input.shape[:batch_dims], size, input.ndim - batch_dims)";
  static Types infer(const InferCall& c) {
    const Type& x = c.in[0];
    if (x.dtype != DType::Bool) type_error(about(name) + "the input must be bool, but got " + to_string(x) + ".");
    const int64_t size = c.attrs.integer(1), batched = c.attrs.integer(2);
    const auto rank = static_cast<int64_t>(x.dims.size());
    if (size < 0 || batched < 0 || batched > rank) {
      value_error(about(name) + "'size' must not be negative and 'batch_dims' from 0 to " + std::to_string(rank) +
                  ", but got " + std::to_string(size) + " and " + std::to_string(batched) + ".");
    }
    Dims dims;
    for (int64_t d = 0; d < batched; ++d) dims.push_back(x.dims[static_cast<size_t>(d)]);
    dims.push_back(size);
    dims.push_back(rank - batched);
    return {Type::tensor(DType::Int64, dims)};
  }
  static void kernel(const KernelCall& c) {
    Tensor copy;
    const View input = row_major(c.in[0], DType::Bool, &copy);
    const Shape& all = input.layout->shape;
    const Shape shape(std::span<const int64_t>(all.begin() + c.attrs.integer(2), all.end()));
    int64_t elements = 1;
    for (int64_t n : shape) elements *= n;
    const int64_t size = c.attrs.integer(1), rows = c.out[0].layout->numel;
    const auto rank = static_cast<int64_t>(shape.size());
    auto* to = c.out[0].as<int64_t>();
    if (rows > 0 && elements > 0 && rows == size && rank == 1)
      return find_in_pieces(input.as<const bool>(), elements, to, size);
    std::fill_n(to, rows, int64_t{-1});
    if (rows == 0 || elements == 0) return;
    const int64_t parts = rows / (size * rank);
    parallel_for_throwing(parts, std::max<int64_t>(1, kElements / elements), [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        find(input.as<const bool>() + part * elements, elements, shape, size, to + part * size * rank);
      }
    });
  }
  static void find(const bool* x, int64_t n, const Shape& shape, int64_t size, int64_t* to) {
    const size_t rank = shape.size();
    if (rank == 1) return find_flat(x, n, to, size);
    const int64_t width = shape[rank - 1];
    std::vector<int64_t> at(rank);
    int64_t count = 0;
    Pace pace;
    for (int64_t row = 0; row < n && count < size; row += width) {
      pace.worked(width);
      for (int64_t i = 0; i < width && count < size; ++i) {
        if (!x[row + i]) continue;
        at[rank - 1] = i;
        to = std::copy(at.begin(), at.end(), to);
        ++count;
      }
      for (size_t d = rank - 1; d-- > 0 && ++at[d] == shape[d];) at[d] = 0;
    }
  }
  // Without branches, which random elements would mislead. Writes below `size` only, and maybe one more than there are.
  static void find_flat(const bool* x, int64_t n, int64_t* to, int64_t size, int64_t first = 0) {
    constexpr int64_t kStep = 8;
    int64_t count = 0, i = 0;
    for (; i + kStep <= n && count + kStep <= size; i += kStep) {
      for (int64_t j = i; j < i + kStep; ++j) {
        to[count] = first + j;
        count += x[j];
      }
    }
    for (; i < n && count < size; ++i) {
      to[count] = first + i;
      count += x[i];
    }
    if (count < size) to[count] = -1;
  }
  // Each piece finds as many as it has, so that it keeps to its own part of the result.
  static void find_in_pieces(const bool* x, int64_t n, int64_t* to, int64_t size) {
    const int64_t pieces = (n + kElements - 1) / kElements;
    std::vector<int64_t> before(static_cast<size_t>(pieces) + 1);
    parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        before[static_cast<size_t>(p) + 1] = std::count(x + p * kElements, x + std::min(n, (p + 1) * kElements), true);
      }
    });
    std::partial_sum(before.begin(), before.end(), before.begin());
    const int64_t all = std::min(size, before.back());
    std::fill_n(to + all, size - all, int64_t{-1});
    parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t first = std::min(size, before[static_cast<size_t>(p)]);
        const int64_t last = std::min(size, before[static_cast<size_t>(p) + 1]);
        find_flat(x + p * kElements, std::min(kElements, n - p * kElements), to + first, last - first, p * kElements);
      }
    });
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, with(v.attrs, 2, v.attrs.integer(2) + 1)); }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}, DType::Bool}}, {{"size", int64_t{4}}}, {}},
            {{{{9}, DType::Bool}}, {{"size", int64_t{9}}}, {}},
            {{{{2, 3, 5}, DType::Bool}}, {{"size", int64_t{3}}, {"batch_dims", int64_t{1}}}, {}},
            {{{{2, 0}, DType::Bool}}, {{"size", int64_t{1}}}, {}}};
  }
};
EMBER_OP(TruePositions);

}  // namespace
}  // namespace ember::ops
