// Indexing by tensors, and its adjoints. Indices count from the end where negative; one outside the axis is an
// IndexError, found before anything is written. Where several updates meet one element they apply in index order.
#include <atomic>
#include <cstring>
#include <vector>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

void require_indices(const Type& t, std::string_view op_name) {
  if (!is_int(t.dtype)) {
    type_error(about(op_name) + "indices must be integers, but got " + std::string(name(t.dtype)) + ".");
  }
}

// The indices into an axis in row-major order, within [0, size): those that are given, where they are.
class Positions {
 public:
  Positions(const View& view, const Shape& source, size_t axis, std::string_view op_name) : indices_(view) {
    const int64_t size = source[axis], count = view.layout->numel;
    data_ = indices_.data();
    if (indices_.layout().contiguous && within(size, count)) return;
    counted_.reserve(static_cast<size_t>(count));
    LoopNest<1>(view.layout->shape, {&indices_.layout().strides}).elements([&](const std::array<int64_t, 1>& at) {
      const int64_t index = indices_.data()[at[0]];
      if (index < -size || index >= size) refuse_index(op_name, index, axis, source);
      counted_.push_back(index < 0 ? index + size : index);
    });
    data_ = counted_.data();
  }
  Positions(const Positions&) = delete;
  const int64_t* data() const { return data_; }

 private:
  // The sign of what is combined is that of an index, or of its distance from the last one, that is negative.
  bool within(int64_t size, int64_t count) const {
    std::atomic<bool> outside = false;
    parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
      int64_t signs = 0;
      for (int64_t i = begin; i < end; ++i) signs |= data_[i] | (size - 1 - data_[i]);
      if (signs < 0) outside = true;
    });
    return !outside;
  }

  const Indices indices_;
  std::vector<int64_t> counted_;
  const int64_t* data_;
};

Shape part(const Shape& shape, size_t begin, size_t end) {
  return Shape(std::span<const int64_t>(shape.begin() + begin, end - begin));
}

int64_t count(const Shape& shape) {
  int64_t out = 1;
  for (int64_t size : shape) out *= size;
  return out;
}

// How a gather runs through its source: axes before `axis` (the first batch_dims of them shared with the indices), the
// axis itself, and the block after it.
struct Geometry {
  size_t axis, batch_dims;
  int64_t size;                // of the axis
  int64_t step;                // its stride
  int64_t indices;             // per batch
  int64_t outer;               // positions before the axis, per batch
  int64_t block;               // elements after the axis
  std::vector<int64_t> bases;  // offset of each position before the axis

  Geometry(const Layout& source, const Layout& index, size_t axis, size_t batch_dims)
      : axis(axis), batch_dims(batch_dims) {
    size = source.shape[axis];
    step = source.strides[axis];
    indices = count(part(index.shape, batch_dims, index.rank()));
    outer = count(part(source.shape, batch_dims, axis));
    block = count(part(source.shape, axis + 1, source.rank()));
    Shape shape = part(source.shape, 0, axis);
    Shape strides = part(source.strides, 0, axis);
    LoopNest<1>(shape, {&strides}).elements([&](const std::array<int64_t, 1>& at) { bases.push_back(at[0]); });
  }
};

struct GatherShape {
  size_t axis, batch_dims;
};

GatherShape gather_shape(const Dims& params, const Dims& indices, int64_t axis_attr, int64_t batch_attr,
                         std::string_view op_name) {
  size_t at = axis(axis_attr, params.size(), op_name);
  auto rank = static_cast<int64_t>(indices.size());
  int64_t batch = batch_attr < 0 ? batch_attr + rank : batch_attr;
  if (batch < 0 || batch > rank || batch > static_cast<int64_t>(at)) {
    value_error(about(op_name) + "batch_dims " + std::to_string(batch_attr) + " must lie between 0 and axis " +
                std::to_string(at) + " and the indices' " + std::to_string(rank) + " dimensions.");
  }
  for (int64_t d = 0; d < batch; ++d) {
    if (params[d] == indices[d]) continue;
    value_error(about(op_name) + "the first " + std::to_string(batch) + " sizes of " + to_string(hints(params)) +
                " and " + to_string(hints(indices)) + " must be equal.");
  }
  if (params.size() + indices.size() > kMaxRank + 1 + static_cast<size_t>(batch)) {
    value_error(about(op_name) + "the result would have more than 8 dimensions.");
  }
  return {at, static_cast<size_t>(batch)};
}

Dims gathered(const Dims& params, const Dims& indices, const GatherShape& g) {
  Dims out;
  for (size_t d = 0; d < g.axis; ++d) out.push_back(params[d]);
  for (size_t d = g.batch_dims; d < indices.size(); ++d) out.push_back(indices[d]);
  for (size_t d = g.axis + 1; d < params.size(); ++d) out.push_back(params[d]);
  return out;
}

struct Gather {
  static constexpr const char* name = "gather";
  static constexpr const char* primitive = "Gather";
  static constexpr const char* signature =
      "input_params: tensor, input_indices: tensor, axis: int, batch_dims: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue | Flag::Moves;
  static constexpr const char* doc =
      "Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together.";
  static constexpr const char* numpy =
      "np.take(input_params, input_indices, axis) if batch_dims == 0 else np.stack([np.take(p, i, axis - 1) for p, i "
      "in "
      "zip(input_params, input_indices)])";
  static constexpr const char* saves = "input_indices";
  static Types infer(const InferCall& c) {
    require_indices(c.in[1], name);
    const Dims source = as_line(c.in[0].dims);
    GatherShape g = gather_shape(source, c.in[1].dims, c.attrs.integer(2), c.attrs.integer(3), name);
    return {Type::tensor(c.in[0].dtype, gathered(source, c.in[1].dims, g))};
  }
  static void kernel(const KernelCall& c) {
    const LayoutRef line = as_line(*c.in[0].layout);
    const Layout &source = *line, &index = *c.in[1].layout;
    GatherShape shape =
        gather_shape(dims(source.shape), dims(index.shape), c.attrs.integer(2), c.attrs.integer(3), name);
    const Positions at(c.in[1], source.shape, shape.axis, name);
    if (c.out[0].layout->numel == 0) return;
    Geometry g(source, index, shape.axis, shape.batch_dims);
    Shape block = part(source.shape, g.axis + 1, source.rank());
    StridedCopy copy(source.dtype, block, part(source.strides, g.axis + 1, source.rank()), row_major_strides(block));
    dispatch_width(itemsize(source.dtype), [&]<class U>() {
      int64_t rows = static_cast<int64_t>(g.bases.size()) * g.indices;
      parallel_for(rows, std::max<int64_t>(1, kGrain / g.block), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end;) {
          const int64_t position = row / g.indices, first = row % g.indices,
                        run = std::min(g.indices - first, end - row);
          const int64_t* picked = at.data() + position / g.outer * g.indices + first;
          const U* from = c.in[0].as<U>() + g.bases[static_cast<size_t>(position)];
          U* to = c.out[0].as<U>() + row * g.block;
          for (int64_t i = 0; g.block == 1 && i < run; ++i) to[i] = from[picked[i] * g.step];
          for (int64_t i = 0; g.block != 1 && i < run; ++i) copy.run(from + picked[i] * g.step, to + i * g.block);
          row += run;
        }
      });
    });
  }
  static Values grad(Grad& g) {
    if (!g.needs(0)) return {{}, {}};
    Value zeros = g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims);
    return {g.b.call("gather_add", {zeros, g.in(1), g.ct()},
                     {{"axis", g.attrs.integer(2)}, {"batch_dims", g.attrs.integer(3)}}),
            {}};
  }
  static Values batch(Batch& v) {
    const Value source = batched_line(v, 0);
    size_t rank = v.b.dims(source).size() - 1;
    auto at = static_cast<int64_t>(axis(v.attrs.integer(2), rank, name));
    int64_t shared = v.attrs.integer(3);
    if (!v.batched(1) && shared == 0) return {v.b.call(name, {source, v.in(1)}, {{"axis", at + 1}})};
    return {v.b.call(name, {source, v.in_batched(1)},
                     {{"axis", at + 1}, {"batch_dims", shared < 0 ? shared : shared + 1}})};
  }
  static std::vector<Sample> samples() {
    SampleOperand index{{3}, DType::Int32, -2, 1};
    return {{{{{4, 2}}, index}, {{"axis", int64_t{0}}}, {}},
            {{{{2, 4}}, {{2, 2}, DType::Int64, 0, 3}}, {{"axis", int64_t{1}}}, {}},
            {{{{2, 4, 3}}, {{2, 2}, DType::Int64, 0, 3}}, {{"axis", int64_t{1}}, {"batch_dims", int64_t{1}}}, {}},
            {{{{4}, DType::Float16}, {{}, DType::Int64, 0, 3}}, {{"axis", int64_t{0}}}, {}}};
  }
};
EMBER_OP(Gather);

struct GatherAdd {
  static constexpr const char* name = "gather_add";
  static constexpr const char* primitive = "GatherAdd";
  static constexpr const char* signature =
      "input: tensor, indices: tensor, updates: tensor, axis: int, batch_dims: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "input with `updates` added where gather would have read them: the adjoint of gather. Updates of one element are "
      "added in index order.";
  static constexpr const char* numpy =
      "(lambda x: (np.add.at(np.moveaxis(x, axis, 0), indices, np.moveaxis(updates, list(range(axis, axis + "
      "indices.ndim)), list(range(indices.ndim)))), x)[1])(input.copy()) if batch_dims == 0 else None";
  static constexpr const char* saves = "indices";
  static Types infer(const InferCall& c) {
    require_indices(c.in[1], name);
    const Type& source = c.in[0];
    const Dims line = as_line(source.dims);
    GatherShape g = gather_shape(line, c.in[1].dims, c.attrs.integer(3), c.attrs.integer(4), name);
    Dims want = gathered(line, c.in[1].dims, g);
    const bool scalars = source.dims.empty() && want.size() == 1;
    const Dims updates = scalars ? as_line(c.in[2].dims) : c.in[2].dims;
    bool fits = want.size() == updates.size();
    for (size_t d = 0; fits && d < want.size(); ++d) fits = want[d] == updates[d];
    if (!fits) {
      value_error(about(name) + "updates must have the shape " + to_string(hints(want)) + ", but got " +
                  to_string(hints(c.in[2].dims)) + ".");
    }
    if (c.in[2].dtype != source.dtype) {
      type_error(about(name) + "updates must be " + std::string(ops::name(source.dtype)) + ", but got " +
                 std::string(ops::name(c.in[2].dtype)) + ".");
    }
    return {Type::tensor(source.dtype, source.dims)};
  }
  static void kernel(const KernelCall& c) {
    const LayoutRef line = as_line(*c.out[0].layout);
    const Layout &out = *line, &index = *c.in[1].layout;
    GatherShape shape = gather_shape(dims(out.shape), dims(index.shape), c.attrs.integer(3), c.attrs.integer(4), name);
    const Positions at(c.in[1], out.shape, shape.axis, name);
    copy_view(c.in[0], c.out[0]);
    if (c.in[2].layout->numel == 0) return;
    Tensor whole;
    const View updates = row_major(c.in[2], out.dtype, &whole);
    Geometry g(out, index, shape.axis, shape.batch_dims);
    dispatch(out.dtype, [&]<class T>() { add<T>(g, at, updates.as<T>(), c.out[0].as<T>()); });
  }
  // Threads share out positions before the axis, or columns of the block where there is only one position.
  template <class T>
  static void add(const Geometry& g, const Positions& at, const T* updates, T* out) {
    auto run = [&](int64_t position, int64_t first, int64_t last) {
      const int64_t* picked = at.data() + position / g.outer * g.indices;
      T* base = out + g.bases[static_cast<size_t>(position)];
      if (g.block == 1) {
        const T* from = updates + position * g.indices;
        for (int64_t i = 0; i < g.indices; ++i) base[picked[i] * g.step] = sum_of(base[picked[i] * g.step], from[i]);
        return;
      }
      for (int64_t i = 0; i < g.indices; ++i) {
        T* to = base + picked[i] * g.step;
        const T* from = updates + (position * g.indices + i) * g.block;
        for (int64_t j = first; j < last; ++j) to[j] = sum_of(to[j], from[j]);
      }
    };
    auto positions = static_cast<int64_t>(g.bases.size());
    if (positions == 1) {
      parallel_for(g.block, std::max<int64_t>(16, kGrain / g.indices), [&](int64_t b, int64_t e) { run(0, b, e); });
    } else {
      parallel_for(positions, std::max<int64_t>(1, kGrain / (g.indices * g.block)), [&](int64_t b, int64_t e) {
        for (int64_t position = b; position < e; ++position) run(position, 0, g.block);
      });
    }
  }
  static Values grad(Grad& g) {
    Values out(3);
    out[0] = g.ct();
    if (!g.needs(2)) return out;
    out[2] = g.b.call("gather", {g.ct(), g.in(1)}, {{"axis", g.attrs.integer(3)}, {"batch_dims", g.attrs.integer(4)}});
    return out;
  }
  static Values batch(Batch& v) {
    const Value source = batched_line(v, 0);
    auto at = static_cast<int64_t>(axis(v.attrs.integer(3), v.b.dims(source).size() - 1, name));
    int64_t shared = v.attrs.integer(4);
    const Value input = v.in_batched(0), indices = v.in_batched(1);
    Value updates = v.in_batched(2);
    if (v.b.dims(input).size() == 1) updates = v.b.reshape(updates, v.b.dims(indices));
    const Value added = v.b.call(name, {source, indices, updates},
                                 {{"axis", at + 1}, {"batch_dims", shared < 0 ? shared : shared + 1}});
    return {v.b.reshape(added, v.b.dims(input))};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 2}}, {{3}, DType::Int32, 0, 1}, {{3, 2}}}, {{"axis", int64_t{0}}}, {}},
            {{{{2, 4}}, {{2, 2}, DType::Int64, 0, 3}, {{2, 2, 2}}}, {{"axis", int64_t{1}}}, {}}};
  }
};
EMBER_OP(GatherAdd);

struct IndexAdd {
  static constexpr const char* name = "index_add";
  static constexpr const char* primitive = "IndexAdd";
  static constexpr const char* signature =
      "x: tensor, indices: tensor, y: tensor, axis: int, use_lock: bool = True, check_index_bound: bool = True -> "
      "tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "x with the slices of y added at `indices` along an axis, in index order. The last two arguments change nothing.";
  static constexpr const char* numpy =
      "(lambda z: (np.add.at(np.moveaxis(z, axis, 0), indices, np.moveaxis(y, axis, 0)), z)[1])(x.copy())";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    if (b.dims(in[1]).size() != 1) value_error(about(name) + "indices must have one dimension.");
    return {b.call("gather_add", {in[0], in[1], in[2]}, {{"axis", attrs.integer(3)}})};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 2}}, {{3}, DType::Int32, 0, 3}, {{3, 2}}}, {{"axis", int64_t{0}}}, {}},
            {{{{2, 4}}, {{2}, DType::Int64, 0, 3}, {{2, 2}}}, {{"axis", int64_t{-1}}}, {}}};
  }
};
EMBER_OP(IndexAdd);

struct IndexCounts {
  static constexpr const char* name = "index_counts";
  static constexpr const char* primitive = "IndexCounts";
  static constexpr const char* signature = "indices: tensor, size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue | Flag::NoGradient;
  static constexpr const char* doc =
      "How often each index (int64) of an axis of `size` elements is there. Negative ones count from its end.";
  static constexpr const char* numpy = "np.bincount(indices % size[0], minlength=size[0])";
  static constexpr int64_t kSmall = 1024;
  static Types infer(const InferCall& c) {
    require_indices(c.in[0], name);
    if (c.in[0].dims.size() != 1) value_error(about(name) + "indices must have one dimension.");
    const Dims dims = dims_of(c.attrs.ints(1), name);
    if (dims.size() != 1) value_error(about(name) + "'size' must be one number.");
    return {Type::tensor(DType::Int64, dims)};
  }
  // Each thread has a table of its own, and several of few elements: an increment waits for the one before it of the
  // same element.
  static void kernel(const KernelCall& c) {
    const int64_t size = c.out[0].layout->numel, n = c.in[0].layout->numel;
    auto* out = c.out[0].as<int64_t>();
    std::fill_n(out, size, 0);
    if (n == 0) return;
    const Positions at(c.in[0], c.out[0].layout->shape, 0, name);
    const int64_t parts = std::clamp<int64_t>(n / std::max(size, kGrain), 1, threads()), part_size = ceil_div(n, parts);
    if (parts == 1 && size > kSmall) return count<1>(at.data(), n, size, out);
    const int64_t tables = size > kSmall ? 1 : 4;
    std::vector<int64_t> counts(static_cast<size_t>(parts * tables * size));
    parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t first = p * part_size, some = std::min(part_size, n - first);
        int64_t* own = counts.data() + p * tables * size;
        tables == 1 ? count<1>(at.data() + first, some, size, own) : count<4>(at.data() + first, some, size, own);
      }
    });
    for (int64_t t = 0; t < parts * tables; ++t)
      for (int64_t i = 0; i < size; ++i) out[i] += counts[static_cast<size_t>(t * size + i)];
  }
  template <int Tables>
  static void count(const int64_t* at, int64_t n, int64_t size, int64_t* counts) {
    int64_t i = 0;
    for (; i + Tables <= n; i += Tables)
      for (int64_t t = 0; t < Tables; ++t) ++counts[t * size + at[i + t]];
    for (; i < n; ++i) ++counts[at[i]];
  }
  static Values batch(Batch& v) {
    const Value indices = v.in_batched(0), ones = v.b.call("ones_like", {indices}, {{"dtype", DType::Int64}});
    const Value zeros = v.b.zeros(DType::Int64, Dims{v.size, v.attrs.ints(1)[0]});
    return {v.b.call("gather_add", {zeros, indices, ones}, {{"axis", int64_t{1}}, {"batch_dims", int64_t{1}}})};
  }
  static std::vector<Sample> samples() {
    return {{{{{9}, DType::Int64, 0, 3}}, {{"size", Ints{4}}}, {}},
            {{{{7}, DType::Int32, -5, 4}}, {{"size", Ints{5}}}, {}},
            {{{{0}, DType::Int32}}, {{"size", Ints{2}}}, {}}};
  }
};
EMBER_OP(IndexCounts);

}  // namespace
}  // namespace ember::ops
