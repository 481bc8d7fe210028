// Copies of strided memory. Where source and destination run along different dimensions (a transposition), the copy
// goes by square tiles, so that both sides stay within the cache.
#include "ops/program/strided.h"

#include <cstring>
#include <stdexcept>

#include "ops/base/parallel.h"
#include "ops/simd/kernels.h"
#include "ops/simd/strips.h"

namespace ember::ops {
namespace {

constexpr int64_t kTile = 32;
constexpr int64_t kGrain = 1 << 16;  // elements worth a thread
constexpr int64_t kPiece = 2016;     // bytes

// Two dimensions of a copy, strides in bytes.
struct Plane {
  int64_t rows, cols;
  int64_t from_row, from_col, to_row, to_col;
};

constexpr int64_t kBlock = 16;  // bytes

// A block at least, without a call; the last one overlaps the one before it.
inline void copy_short(std::byte* to, const std::byte* from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += kBlock) {
    const int64_t at = std::min(i, bytes - kBlock);
    std::memcpy(to + at, from + at, kBlock);
  }
}

// From the end on: a load waits for stores before it whose addresses have the same last 12 bits.
void copy_backwards(std::byte* to, const std::byte* from, int64_t bytes) {
  struct Line {
    std::byte bytes[64];
  };
  constexpr int64_t kLine = sizeof(Line);
  for (; bytes >= kLine; bytes -= kLine) {
    Line line;
    std::memcpy(&line, from + bytes - kLine, sizeof line);
    std::memcpy(to + bytes - kLine, &line, sizeof line);
  }
  std::memcpy(to, from, static_cast<size_t>(bytes));
}

// In pieces that the C library copies by vectors: it copies longer ones by `rep movsb`, which some CPUs (Zen 3) do at a
// tenth of the speed where source and target are not aligned alike.
void copy_bytes(std::byte* to, const std::byte* from, int64_t bytes) {
  constexpr uintptr_t kPage = 4096;
  constexpr int64_t kShort = 256;
  if (bytes <= kShort) return copy_short(to, from, bytes);
  const uintptr_t ahead = (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from)) % kPage;
  if (bytes > kPiece && ahead > 0 && ahead < kPage / 2) return copy_backwards(to, from, bytes);
  for (int64_t i = 0; i < bytes; i += kPiece) {
    std::memcpy(to + i, from + i, static_cast<size_t>(std::min(kPiece, bytes - i)));
  }
}

// Copies elements as wide as U.
template <class U>
struct Copier {
  static constexpr int64_t from_size = sizeof(U), to_size = sizeof(U);

  static void row(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step, int64_t count) {
    if (from_step == from_size && to_step == to_size && count * to_size >= kBlock) {
      copy_bytes(to, from, count * to_size);
    } else if (from_step == 0 && to_step == to_size) {
      std::fill_n(reinterpret_cast<U*>(to), count, *reinterpret_cast<const U*>(from));
    } else if (from_step == -from_size && to_step == to_size) {
      for (int64_t i = 0; i < count; ++i) reinterpret_cast<U*>(to)[i] = reinterpret_cast<const U*>(from)[-i];
    } else {
      for (int64_t i = 0; i < count; ++i)
        *reinterpret_cast<U*>(to + i * to_step) = *reinterpret_cast<const U*>(from + i * from_step);
    }
  }

  // Whether a kernel transposed the plane, whose columns are contiguous in `from` and whose rows are in `to`.
  static bool transpose(const Plane& p, const std::byte* from, std::byte* to) {
    if constexpr (sizeof(U) == sizeof(float)) {
      if (p.to_col != to_size) return false;
      kernels().of<float>().transpose(p.cols, p.rows, reinterpret_cast<const float*>(from), p.from_col / from_size,
                                      reinterpret_cast<float*>(to), p.to_row / to_size);
      return true;
    }
    return false;
  }
};

void copy_elements(size_t itemsize, const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                   int64_t count) {
  dispatch_width(itemsize, [&]<class U>() { Copier<U>::row(from, from_step, to, to_step, count); });
}

// Copies elements of one dtype as another: the strip kernels convert contiguous elements, in pieces that stay in L1.
class Converter {
 public:
  const int64_t from_size, to_size;

  Converter(DType from, DType to)
      : from_size(static_cast<int64_t>(itemsize(from))),
        to_size(static_cast<int64_t>(itemsize(to))),
        convert_(strips(isa()).converts[static_cast<size_t>(from)][static_cast<size_t>(to)]) {}

  void row(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step, int64_t count) const {
    alignas(16) std::array<std::byte, kPiece * kLargestItem> gathered, converted;
    if (from_step == 0) {
      convert_(1, converted.data(), from, nullptr, nullptr);
      return copy_elements(static_cast<size_t>(to_size), converted.data(), 0, to, to_step, count);
    }
    for (int64_t i = 0; i < count; i += kPiece) {
      const int64_t n = std::min(kPiece, count - i);
      const std::byte* const source = from + i * from_step;
      std::byte* const target = to + i * to_step;
      if (from_step != from_size)
        copy_elements(static_cast<size_t>(from_size), source, from_step, gathered.data(), from_size, n);
      std::byte* const out = to_step == to_size ? target : converted.data();
      convert_(n, out, from_step == from_size ? source : gathered.data(), nullptr, nullptr);
      if (to_step != to_size) copy_elements(static_cast<size_t>(to_size), out, to_size, target, to_step, n);
    }
  }
  bool transpose(const Plane&, const std::byte*, std::byte*) const { return false; }

 private:
  static constexpr int64_t kPiece = 256;
  const StripFn convert_;
};

template <class Copy>
void copy_plane(const Copy& copy, const Plane& p, const std::byte* from, std::byte* to) {
  if (p.from_row == -copy.from_size && p.from_col != -copy.from_size) {  // from its last row on
    const Plane turned{p.rows, p.cols, -p.from_row, p.from_col, -p.to_row, p.to_col};
    return copy_plane(copy, turned, from + (p.rows - 1) * p.from_row, to + (p.rows - 1) * p.to_row);
  }
  if (p.from_row != copy.from_size || p.from_col == copy.from_size) {
    for (int64_t r = 0; r < p.rows; ++r)
      copy.row(from + r * p.from_row, p.from_col, to + r * p.to_row, p.to_col, p.cols);
    return;
  }
  for (int64_t r0 = 0; r0 < p.rows; r0 += kTile) {
    for (int64_t c0 = 0; c0 < p.cols; c0 += kTile) {
      const Plane tile{
          std::min(kTile, p.rows - r0), std::min(kTile, p.cols - c0), p.from_row, p.from_col, p.to_row, p.to_col};
      const std::byte* const source = from + r0 * p.from_row + c0 * p.from_col;
      std::byte* const target = to + r0 * p.to_row + c0 * p.to_col;
      if (copy.transpose(tile, source, target)) continue;
      for (int64_t r = 0; r < tile.rows; ++r)
        copy.row(source + r * p.from_row, p.from_col, target + r * p.to_row, p.to_col, tile.cols);
    }
  }
}

template <class Copy>
void copy_nest(const Copy& copy, LoopNest<2> nest, const std::byte* from, std::byte* to) {
  Plane plane{
      1, nest.shape.back(), 0, nest.strides[0].back() * copy.from_size, 0, nest.strides[1].back() * copy.to_size};
  auto pop = [&] {
    nest.shape.erase(nest.shape.size() - 1);
    for (Shape& s : nest.strides) s.erase(s.size() - 1);
  };
  pop();
  if (!nest.shape.empty()) {
    plane.rows = nest.shape.back();
    plane.from_row = nest.strides[0].back() * copy.from_size;
    plane.to_row = nest.strides[1].back() * copy.to_size;
    pop();
  }
  if (nest.shape.empty()) {
    if (!nest.empty) copy_plane(copy, plane, from, to);
    return;
  }
  nest.elements([&](const std::array<int64_t, 2>& at) {
    copy_plane(copy, plane, from + at[0] * copy.from_size, to + at[1] * copy.to_size);
  });
}

// Split along the outermost dimension.
template <class Copy>
void copy_in_parallel(const Copy& copy, const LoopNest<2>& nest, const std::byte* from, std::byte* to) {
  if (nest.empty) return;
  int64_t slice_size = 1;
  for (size_t d = 1; d < nest.shape.size(); ++d) slice_size *= nest.shape[d];
  parallel_for(nest.shape[0], std::max<int64_t>(1, kGrain / slice_size), [&](int64_t begin, int64_t end) {
    LoopNest<2> part = nest;
    part.shape[0] = end - begin;
    copy_nest(copy, part, from + begin * nest.strides[0][0] * copy.from_size,
              to + begin * nest.strides[1][0] * copy.to_size);
  });
}

void move_dimension(LoopNest<2>& nest, size_t from, size_t to) {
  for (Shape* s : {&nest.shape, &nest.strides[0], &nest.strides[1]}) {
    int64_t item = (*s)[from];
    s->erase(from);
    s->insert(to, item);
  }
}

// The source's unit stride, forwards or backwards, where another dimension has it, next to the innermost.
LoopNest<2> nest_of(const Shape& shape, const Shape& from_strides, const Shape& to_strides) {
  LoopNest<2> nest(shape, {&from_strides, &to_strides});
  const size_t last = nest.shape.size() - 1;
  if (std::abs(nest.strides[0][last]) == 1) return nest;
  for (size_t d = 0; d < last; ++d) {
    if (std::abs(nest.strides[0][d]) != 1) continue;
    move_dimension(nest, d, last - 1);
    break;
  }
  return nest;
}

std::pair<const char*, const char*> extent(const View& v) {
  const char* low = v.as<char>();
  const char* high = low;
  auto item = static_cast<int64_t>(itemsize(v.layout->dtype));
  if (v.layout->numel == 0) return {low, low};
  for (size_t d = 0; d < v.layout->rank(); ++d) {
    int64_t reach = (v.layout->shape[d] - 1) * v.layout->strides[d] * item;
    (reach < 0 ? low : high) += reach;
  }
  return {low, high + item};
}

}  // namespace

StridedCopy::StridedCopy(DType dtype, const Shape& shape, const Shape& from_strides, const Shape& to_strides)
    : nest_(nest_of(shape, from_strides, to_strides)), itemsize_(itemsize(dtype)) {}

void StridedCopy::run(const void* from, void* to) const {
  dispatch_width(itemsize_, [&]<class U>() {
    copy_nest(Copier<U>(), nest_, static_cast<const std::byte*>(from), static_cast<std::byte*>(to));
  });
}

void StridedCopy::run_parallel(const void* from, void* to) const {
  dispatch_width(itemsize_, [&]<class U>() {
    copy_in_parallel(Copier<U>(), nest_, static_cast<const std::byte*>(from), static_cast<std::byte*>(to));
  });
}

Shape broadcast_strides(const Layout& layout, const Shape& shape) {
  Shape strides;
  size_t lead = shape.size() - layout.rank();
  for (size_t d = 0; d < shape.size(); ++d) {
    strides.push_back(d < lead || layout.shape[d - lead] == 1 ? 0 : layout.strides[d - lead]);
  }
  return strides;
}

void copy_view(const View& from, const View& to) {
  Shape strides = broadcast_strides(*from.layout, to.layout->shape);
  if (from.layout->dtype == to.layout->dtype) {
    StridedCopy(to.layout->dtype, to.layout->shape, strides, to.layout->strides).run_parallel(from.data, to.data);
    return;
  }
  copy_in_parallel(Converter(from.layout->dtype, to.layout->dtype),
                   nest_of(to.layout->shape, strides, to.layout->strides), from.as<const std::byte>(),
                   to.as<std::byte>());
}

void fill(const View& out, double value) {
  const size_t size = itemsize(out.layout->dtype);
  alignas(16) std::array<std::byte, kLargestItem> element;
  convert_elements(DType::Float64, out.layout->dtype, &value, 1, element.data());
  parallel_for(out.layout->numel, kGrain, [&](int64_t begin, int64_t end) {
    const auto step = static_cast<int64_t>(size);
    copy_elements(size, element.data(), 0, out.as<std::byte>() + begin * step, step, end - begin);
  });
}

View row_major(const View& view, DType dtype, Tensor* copy) {
  if (view.layout->contiguous && view.layout->dtype == dtype) return view;
  *copy = Tensor::empty(dtype, view.layout->shape);
  copy_view(view, {copy->data(), &copy->layout()});
  return {copy->data(), &copy->layout()};
}

Indices::Indices(const View& view) : view_(view) {
  if (view.layout->dtype == DType::Int64) return;
  converted_ = Tensor::empty(DType::Int64, view.layout->shape);
  view_ = {converted_.data(), &converted_.layout()};
  copy_view(view, view_);
}

bool overlap(const View& a, const View& b) {
  auto [a_low, a_high] = extent(a);
  auto [b_low, b_high] = extent(b);
  return a_low < b_high && b_low < a_high;
}

namespace {

void copy_disjoint(const Tensor& from, const Tensor& to) {
  copy_view({from.data(), &from.layout()}, {to.data(), &to.layout()});
}

}  // namespace

Tensor clone(const Tensor& t, DType dtype) {
  Tensor copy = Tensor::empty(dtype, t.shape());
  copy_into(t, copy);
  return copy;
}

Tensor to_contiguous(const Tensor& t) { return t.contiguous() ? t : clone(t); }

void copy_into(const Tensor& from, const Tensor& to) {
  if (!(from.shape() == to.shape())) {
    throw std::invalid_argument("a tensor of shape " + to_string(from.shape()) +
                                " cannot be copied into one of shape " + to_string(to.shape()));
  }
  if (to.numel() == 0) return;
  if (from.storage() != to.storage()) return copy_disjoint(from, to);
  if (from.offset() == to.offset() && &from.layout() == &to.layout()) return;
  copy_disjoint(clone(from), to);
}

}  // namespace ember::ops
