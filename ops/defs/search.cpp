// Where elements are: in a sequence that is in order, and those that are true. NaN is above all numbers.
#include <algorithm>

#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 12;  // searches that are worth a thread

template <class T>
auto comparable(T x) {
  if constexpr (is_half<T>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}

template <class T>
bool below(T a, T b) {
  const auto x = comparable(a), y = comparable(b);
  return x < y || (x == x && y != y);
}

// How many of n elements are below the value, or not above it.
template <bool Right, class T>
int64_t position_of(const T* sequence, int64_t n, T value) {
  const T* first = sequence;
  while (n > 0) {
    const int64_t half = n / 2;
    const bool later = Right ? !below(value, first[half]) : below(first[half], value);
    first = later ? first + half + 1 : first;
    n = later ? n - half - 1 : half;
  }
  return first - sequence;
}

// The elements of a view in row-major order and in a dtype: themselves, or a copy.
View row_major(const View& view, DType dtype, Tensor* copy) {
  if (view.layout->contiguous && view.layout->dtype == dtype) return view;
  *copy = Tensor::empty(dtype, view.layout->shape);
  copy_view(view, {copy->data(), &copy->layout()});
  return {copy->data(), &copy->layout()};
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
    const DType dtype = promote(c.in[0].layout->dtype, c.in[1].layout->dtype);
    dispatch_ordered(dtype, [&]<class T>() { right ? search<true, T>(c, dtype) : search<false, T>(c, dtype); });
  }
  template <bool Right, class T>
  static void search(const KernelCall& c, DType dtype) {
    Tensor copies[2];
    const View sequence = row_major(c.in[0], dtype, &copies[0]), values = row_major(c.in[1], dtype, &copies[1]);
    const Layout &in = *sequence.layout, &out = *c.out[0].layout;
    const int64_t n = in.shape[in.rank() - 1];
    const int64_t each = in.rank() == 1 ? out.numel : out.shape[out.rank() - 1];  // values that share a sequence
    auto* to = c.out[0].as<int64_t>();
    parallel_for(out.numel, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        to[i] = position_of<Right>(sequence.as<const T>() + i / each * n, n, values.as<const T>()[i]);
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
  static constexpr const char* signature = "input: tensor, size: int -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "The indices (int64, a row each) of the true elements of a Tensor of bools, in row-major order, of which there "
      "are "
      "`size`.";
  static constexpr const char* numpy = "np.argwhere(input)";
  static Types infer(const InferCall& c) {
    if (c.in[0].dtype != DType::Bool)
      type_error(about(name) + "the input must be bool, but got " + to_string(c.in[0]) + ".");
    return {Type::tensor(DType::Int64, Dims{c.attrs.integer(1), static_cast<int64_t>(c.in[0].dims.size())})};
  }
  static void kernel(const KernelCall& c) {
    Tensor copy;
    const View input = row_major(c.in[0], DType::Bool, &copy);
    const Layout& in = *input.layout;
    const int64_t size = c.attrs.integer(1);
    const auto rank = static_cast<int64_t>(in.rank());
    const int64_t width = rank ? in.shape[in.rank() - 1] : 1;
    const bool* x = input.as<const bool>();
    auto* to = c.out[0].as<int64_t>();
    std::vector<int64_t> at(in.rank());
    int64_t found = 0;
    for (int64_t row = 0; row < in.numel; row += width) {
      found += rank == 1 ? flat(x, width, to, size) : line(x + row, width, at, to + found * rank, size - found);
      for (int64_t d = rank - 1; d-- > 0 && ++at[static_cast<size_t>(d)] == in.shape[static_cast<size_t>(d)];) {
        at[static_cast<size_t>(d)] = 0;
      }
    }
    if (found != size) {
      value_error(about(name) + "there are not " + std::to_string(size) + " true elements.");
    }
  }
  // Without branches, which random elements would mislead.
  static int64_t flat(const bool* x, int64_t n, int64_t* to, int64_t size) {
    int64_t found = 0;
    for (int64_t i = 0; i < n && found < size; ++i) {
      to[found] = i;
      found += x[i];
    }
    return found;
  }
  static int64_t line(const bool* x, int64_t n, const std::vector<int64_t>& at, int64_t* to, int64_t size) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (!x[i]) continue;
      if (found++ == size) break;
      to = std::copy_n(at.begin(), at.size(), to);
      if (!at.empty()) to[-1] = i;
    }
    return found;
  }
  static Values batch(Batch& v) {
    type_error(about(v.op.name) + "each example of a batch could have another number of true elements.");
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(TruePositions);

}  // namespace
}  // namespace ember::ops
