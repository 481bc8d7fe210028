// Reductions over any layout. Kept and reduced dimensions are coalesced; every chunk of every result is then one task,
// so that the split among threads never shows in the bits. Rows (contiguous reduced elements) are reduced in
// place, or gathered chunk by chunk; columns (contiguous kept elements) keep 16 lanes per column in cache
// and take whole rows. Chunk results fold as a tree, all results together.
#include "ops/program/reduce.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/program/element_source.h"
#include "ops/program/rows.h"
#include "ops/simd/strips.h"
#include "ops/table/op.h"
#include "ops/tensor/convert.h"

namespace ember::ops {

const ReduceKernels& reduce_kernels(ReduceKind kind, DType compute) {
  const ReduceKernels* reduction = kernels().reduce(kind, compute);
  if (!reduction) throw std::logic_error("no reduction over elements of this dtype");
  return *reduction;
}

DType reduce_dtype(ReduceKind kind, DType from) {
  return kind == ReduceKind::All || kind == ReduceKind::Any ? DType::Bool : compute_dtype(from);
}

void fold_lanes(const ReduceKernels& kernels, void* lanes, int64_t n, size_t size) {
  const int64_t row = n * static_cast<int64_t>(size);
  for (int64_t half = kReduceLanes / 2; half > 0; half /= 2)
    kernels.merge(lanes, static_cast<std::byte*>(lanes) + half * row, half * n);
}

void fold_chunks(const ReduceKernels& kernels, void* chunks, int64_t count, int64_t n, size_t size) {
  const int64_t row = n * static_cast<int64_t>(size);
  std::byte* const first = static_cast<std::byte*>(chunks);
  for (int64_t step = 1; step < count; step *= 2) {
    for (int64_t c = 0; c + step < count; c += 2 * step) kernels.merge(first + c * row, first + (c + step) * row, n);
  }
}

Reducer::Reducer(ReduceKind kind, DType compute) : kernels_(reduce_kernels(kind, compute)) {}

void Reducer::feed(const void* strip, int64_t count) {
  kernels_.chunks(&strip, 1, count, stack_[depth_].data());
  for (uint64_t bit = chunks_; bit & 1; bit >>= 1) {
    kernels_.merge(stack_[depth_ - 1].data(), stack_[depth_].data(), 1);
    --depth_;
  }
  ++depth_;
  ++chunks_;
}

void Reducer::finish(void* out) {
  kernels_.identity(out, 1);
  if (depth_ == 0) return;
  while (depth_ > 1) {
    kernels_.merge(stack_[depth_ - 2].data(), stack_[depth_ - 1].data(), 1);
    --depth_;
  }
  kernels_.merge(out, stack_[0].data(), 1);
  depth_ = 0;
  chunks_ = 0;
}

namespace {

constexpr int64_t kColumnBytes = 8192;  // of a row of columns whose lanes share the cache
constexpr int64_t kLeastColumns = 64;   // of a task
constexpr int64_t kFewColumns = 8;      // fewer are packed as rows
constexpr int64_t kGrain = 1 << 15;
constexpr int64_t kFlight = 4;
constexpr int64_t kTogether = 256;  // elements of rows that are reduced at once in place

// A job with its chunks' results, [chunks][results] of the compute dtype.
struct Chunks {
  const ReduceJob& job;
  const ReduceKernels& kernels;
  int64_t count;
  size_t size;
  std::byte* partial;

  int64_t length(int64_t chunk) const { return std::min(kReduceChunk, job.n - chunk * kReduceChunk); }
  std::byte* result(int64_t chunk, int64_t index) const {
    return partial + (chunk * job.results + index) * static_cast<int64_t>(size);
  }
};

// Bytes on the stack where they are at most Few, which takes no time, else from the heap.
template <int64_t Few>
class Room {
 public:
  explicit Room(int64_t bytes) {
    if (bytes > Few) many_ = Scratch<std::byte>(bytes);
    data_ = bytes > Few ? static_cast<std::byte*>(many_) : few_;
  }
  std::byte* data() { return data_; }

 private:
  alignas(64) std::byte few_[Few];
  Scratch<std::byte> many_;
  std::byte* data_;
};

// Tasks count chunks of one result, then results; up to four chunks of equal size run together.
void reduce_rows(const Chunks& chunks, int64_t begin, int64_t end) {
  const int64_t chunk_bytes = kReduceChunk * static_cast<int64_t>(chunks.size);
  Room<32768> buffers(kFlight * chunk_bytes);
  const void* elements[kFlight];
  int64_t tasks[kFlight];
  alignas(64) std::byte results[kFlight * kLargestItem];
  const auto source = chunks.job.source();
  for (int64_t task = begin; task < end;) {
    const int64_t count = chunks.length(task % chunks.count);
    int64_t flight = 0;
    for (; flight < kFlight && task < end && chunks.length(task % chunks.count) == count; ++task) {
      const int64_t result = task / chunks.count, chunk = task % chunks.count;
      if (source->combine(result, chunk * kReduceChunk, count, chunks.result(chunk, result))) continue;
      elements[flight] = source->chunk(result, chunk * kReduceChunk, count, buffers.data() + flight * chunk_bytes);
      tasks[flight++] = task;
    }
    chunks.kernels.chunks(elements, flight, count, results);
    for (int64_t i = 0; i < flight; ++i) {
      std::memcpy(chunks.result(tasks[i] % chunks.count, tasks[i] / chunks.count),
                  results + i * static_cast<int64_t>(chunks.size), chunks.size);
    }
  }
}

// Of rows in place, those that a lane takes four at a time, so that lanes are loaded and stored less often.
// Answers how many rows are done.
int64_t reduce_fours(const Chunks& chunks, ElementSource& source, int64_t first, int64_t chunk, int64_t width,
                     std::byte* lanes, std::byte* buffer) {
  const int64_t stride = width * static_cast<int64_t>(chunks.size), count = chunks.length(chunk);
  const auto row = [&](int64_t i) { return source.rows(first, chunk * kReduceChunk + i, 1, width, buffer); };
  int64_t i = 0;
  if (row(0) == buffer) return i;
  for (; i + 4 * kReduceLanes <= count; i += 4 * kReduceLanes) {
    for (int64_t lane = 0; lane < kReduceLanes; ++lane) {
      const void* rows[4];
      for (int64_t r = 0; r < 4; ++r) rows[r] = row(i + r * kReduceLanes + lane);
      chunks.kernels.merge_four(lanes + lane * stride, rows, width);
    }
  }
  return i;
}

// One chunk of `width` columns from `first` on: rows go to their lanes as they come, whole ones several at a time.
void reduce_columns(const Chunks& chunks, ElementSource& source, int64_t first, int64_t chunk, int64_t width,
                    std::byte* lanes, std::byte* buffer) {
  const int64_t stride = width * static_cast<int64_t>(chunks.size);
  chunks.kernels.identity(lanes, kReduceLanes * width);
  const int64_t count = chunks.length(chunk);
  const int64_t together = width == chunks.job.row ? chunks.job.together : 1;
  int64_t i = together == 1 ? reduce_fours(chunks, source, first, chunk, width, lanes, buffer) : 0;
  for (int64_t n = 0; i < count; i += n) {
    n = std::min(together, count - i);
    const void* rows = source.rows(first, chunk * kReduceChunk + i, n, width, buffer);
    chunks.kernels.merge(lanes + i % kReduceLanes * stride, rows, n * width);
  }
  fold_lanes(chunks.kernels, lanes, width, chunks.size);
  std::memcpy(chunks.result(chunk, first), lanes, static_cast<size_t>(stride));
}

void reduce_all_columns(const Chunks& chunks) {
  const int64_t row = chunks.job.row;
  const auto blocks_of = [&](int64_t width) { return ceil_div(row, width); };
  const auto tasks_of = [&](int64_t width) { return chunks.job.results / row * blocks_of(width) * chunks.count; };
  int64_t width = kColumnBytes / std::max<int64_t>(8, static_cast<int64_t>(chunks.size));
  while (width > kLeastColumns && tasks_of(width) < 2 * threads()) width /= 2;
  const int64_t blocks = blocks_of(width), tasks = tasks_of(width);
  const int64_t cost = std::min(row, width) * chunks.length(0);
  parallel_for_throwing(tasks, std::max<int64_t>(1, chunks.job.elements_a_task / cost),
                        [&](int64_t begin, int64_t end) {
                          const auto source = chunks.job.source();
                          Room<16384> lanes(kReduceLanes * std::min(width, row) * static_cast<int64_t>(chunks.size));
                          alignas(64) std::byte buffer[kColumnBytes];
                          for (int64_t task = begin; task < end; ++task) {
                            const int64_t column = task / chunks.count % blocks * width;
                            const int64_t first = task / chunks.count / blocks * row + column;
                            reduce_columns(chunks, *source, first, task % chunks.count, std::min(width, row - column),
                                           lanes.data(), buffer);
                          }
                        });
}

void write_results(DType from, const std::byte* results, int64_t count, DType to, void* out) {
  if (from != to) return convert_elements(from, to, results, count, out);
  std::memcpy(out, results, static_cast<size_t>(count) * itemsize(to));
}

using Fetch = void (*)(const std::byte* from, int64_t stride, int64_t count, void* to);

template <class From, class To>
void fetch(const std::byte* from, int64_t stride, int64_t count, void* to) {
  const From* source = reinterpret_cast<const From*>(from);
  To* target = static_cast<To*>(to);
  if (!std::is_same_v<From, To> && stride == 1) return convert_elements(dtype_of<From>, dtype_of<To>, from, count, to);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<From, To>) {
      target[i] = source[i * stride];
    } else {
      target[i] = convert_value<To>(source[i * stride]);
    }
  }
}

Fetch fetch_of(DType from, DType compute) {
  return dispatch(from, [&]<class From>() -> Fetch {
    if (compute == DType::Bool) return &fetch<From, bool>;
    if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>) return &fetch<From, float>;
    return &fetch<From, From>;
  });
}

// The elements of a tensor.
class ViewSource final : public ElementSource {
 public:
  ViewSource(const View& view, DType compute, const StridedDims& kept, const StridedDims& reduced)
      : data_(view.as<std::byte>()),
        item_(static_cast<int64_t>(itemsize(view.layout->dtype))),
        converts_(view.layout->dtype != compute),
        fetch_(fetch_of(view.layout->dtype, compute)),
        size_(static_cast<int64_t>(itemsize(compute))),
        kept_(kept),
        reduced_(reduced),
        inner_(reduced.inner_stride()) {}

  const void* chunk(int64_t result, int64_t first, int64_t count, std::byte* buffer) override {
    kept_.move_to(result);
    reduced_.move_to(first);
    if (!converts_ && reduced_.run() >= count && (inner_ == 1 || count == 1)) {
      const void* at = data_ + (kept_.offset() + reduced_.offset()) * item_;
      reduced_.advance(count);
      return at;
    }
    for (int64_t done = 0; done < count;) {
      const int64_t run = std::min(reduced_.run(), count - done);
      fetch_(data_ + (kept_.offset() + reduced_.offset()) * item_, inner_, run, buffer + done * size_);
      reduced_.advance(run);
      done += run;
    }
    return buffer;
  }

  const void* rows(int64_t result, int64_t index, int64_t count, int64_t width, std::byte* buffer) override {
    kept_.move_to(result);
    reduced_.move_to(index);
    const std::byte* from = data_ + (kept_.offset() + reduced_.offset()) * item_;
    if (!converts_) return from;
    fetch_(from, 1, count * width, buffer);
    return buffer;
  }

 private:
  const std::byte* data_;
  int64_t item_;
  bool converts_;
  Fetch fetch_;
  int64_t size_;
  StridedIterator kept_, reduced_;
  int64_t inner_;
};

}  // namespace

// Of rows of n <= 1,024 contiguous elements of `size` bytes, with row stride `step` in elements.
static void reduce_contiguous(const ReduceKernels& kernels, const void* x, int64_t rows, int64_t step, int64_t n,
                              int64_t size, void* out) {
  if (n == 1 && step == 1) {
    kernels.identity(out, rows);
    kernels.merge(out, x, rows);
    return;
  }
  constexpr int64_t kBlock = 64;
  const void* starts[kBlock];
  for (int64_t first = 0; first < rows; first += kBlock) {
    const int64_t count = std::min(kBlock, rows - first);
    for (int64_t i = 0; i < count; ++i) starts[i] = static_cast<const std::byte*>(x) + (first + i) * step * size;
    kernels.chunks(starts, count, n, static_cast<std::byte*>(out) + first * size);
  }
}

// Neighbours fold, then what is left of them, and so on, until chunks[0] is the result.
template <class U>
static void fold_line(const ReduceKernels& kernels, U* chunks, int64_t count) {
  const Scratch<U> odd(count / 2);
  while (count > 1) {
    const int64_t pairs = count / 2;
    for (int64_t i = 0; i < pairs; ++i) {
      odd[i] = chunks[2 * i + 1];
      chunks[i] = chunks[2 * i];
    }
    if (count % 2 != 0) chunks[pairs] = chunks[count - 1];
    kernels.merge(chunks, odd, pairs);
    count -= pairs;
  }
}

// Whether all of n > 1,024 contiguous bools are true, or any: looks no further than the first that decides.
static bool decided(ReduceKind kind, const bool* x, int64_t n) {
  constexpr int64_t kPiece = 1 << 16;
  const bool all = kind == ReduceKind::All;
  std::atomic<bool> met = false;
  const auto look = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && !met.load(std::memory_order_relaxed); i += kPiece)
      if (std::memchr(x + i, all ? 0 : 1, static_cast<size_t>(std::min(kPiece, end - i)))) met = true;
  };
  look(0, std::min(kPiece, n));
  if (n > kPiece && !met) parallel_for(n - kPiece, kPiece, [&](int64_t b, int64_t e) { look(kPiece + b, kPiece + e); });
  return met != all;
}

// One result of n > 1,024 contiguous elements.
template <class T>
static void reduce_line(const ReduceKernels& kernels, const T* x, int64_t n, T* out) {
  const int64_t whole = n / kReduceChunk, chunks = ceil_div(n, kReduceChunk);
  const Scratch<T> partial(chunks);
  parallel_for(whole, kGrain / kReduceChunk, [&](int64_t begin, int64_t end) {
    reduce_contiguous(kernels, x + begin * kReduceChunk, end - begin, kReduceChunk, kReduceChunk, sizeof(T),
                      partial + begin);
  });
  if (whole < chunks) {
    const void* const rest = x + whole * kReduceChunk;
    kernels.chunks(&rest, 1, n - whole * kReduceChunk, partial + whole);
  }
  fold_line<T>(kernels, partial, chunks);
  *out = partial[0];
}

void reduce_rows(ReduceKind kind, DType dtype, const void* x, int64_t rows, int64_t n, void* out) {
  const auto size = static_cast<int64_t>(itemsize(dtype));
  if (n <= kReduceChunk) return reduce_contiguous(reduce_kernels(kind, dtype), x, rows, n, n, size, out);
  for (int64_t r = 0; r < rows; ++r) {
    Reducer reducer(kind, dtype);
    const std::byte* row = static_cast<const std::byte*>(x) + r * n * size;
    for (int64_t i = 0; i < n; i += kReduceChunk) reducer.feed(row + i * size, std::min(kReduceChunk, n - i));
    reducer.finish(static_cast<std::byte*>(out) + r * size);
  }
}

int64_t rows_together(int64_t elements, int64_t row) {
  const auto rows = static_cast<uint64_t>(std::clamp<int64_t>(elements / row, 1, kReduceLanes));
  return static_cast<int64_t>(std::bit_floor(rows));
}

void run_reduction(const ReduceJob& job, DType result, void* out) {
  if (job.results == 0) return;
  Chunks chunks{job, reduce_kernels(job.kind, job.compute), std::max<int64_t>(1, ceil_div(job.n, kReduceChunk)),
                itemsize(job.compute), nullptr};
  const bool direct = chunks.count == 1 && job.compute == result;
  std::unique_ptr<std::byte[]> partial;
  if (!direct) partial.reset(new std::byte[static_cast<size_t>(chunks.count * job.results) * chunks.size]);
  chunks.partial = direct ? static_cast<std::byte*>(out) : partial.get();
  if (job.n == 0) {
    chunks.kernels.identity(chunks.partial, job.results);
  } else if (job.row > 0) {
    reduce_all_columns(chunks);
  } else {
    parallel_for_throwing(job.results * chunks.count,
                          std::max<int64_t>(kFlight, job.elements_a_task / chunks.length(0)),
                          [&](int64_t begin, int64_t end) { reduce_rows(chunks, begin, end); });
  }
  fold_chunks(chunks.kernels, chunks.partial, chunks.count, job.results, chunks.size);
  if (!direct) write_results(job.compute, chunks.partial, job.results, result, out);
}

void reduce(ReduceKind kind, const View& in, const Axes& axes, DType result, void* out) {
  const Layout& layout = *in.layout;
  StridedDims kept, reduced;
  for (size_t d = 0; d < layout.rank(); ++d) {
    (contains(axes, d) ? reduced : kept).add(layout.shape[d], layout.strides[d]);
  }
  const DType compute = reduce_dtype(kind, layout.dtype);
  const bool dense = kept.sizes.size() <= 1 && reduced.sizes.size() <= 1 && reduced.inner_stride() == 1;
  const int64_t n = reduced.count();
  if (dense && layout.dtype == compute && compute == result && n > 0 && n <= kReduceChunk) {
    const ReduceKernels& kernels = reduce_kernels(kind, compute);
    const auto size = static_cast<int64_t>(itemsize(compute));
    const int64_t step = kept.sizes.empty() ? 0 : kept.inner_stride();
    return parallel_for(kept.count(), std::max(kFlight, kGrain / n), [&](int64_t begin, int64_t end) {
      const std::byte* first = in.as<std::byte>() + begin * step * size;
      reduce_contiguous(kernels, first, end - begin, step, n, size, static_cast<std::byte*>(out) + begin * size);
    });
  }
  const bool line = dense && layout.dtype == compute && compute == result && kept.count() == 1 && n > kReduceChunk;
  if (line && (kind == ReduceKind::All || kind == ReduceKind::Any)) {
    *static_cast<bool*>(out) = decided(kind, in.as<const bool>(), n);
    return;
  }
  if (line) {
    return dispatch(compute, [&]<class T>() {
      reduce_line(reduce_kernels(kind, compute), in.as<const T>(), n, static_cast<T*>(out));
    });
  }
  ReduceJob job{kind, compute, kept.count(), n, 0, 1, kGrain, {}};
  if (kept.inner_stride() == 1 && kept.inner_size() >= kFewColumns && reduced.inner_stride() != 1) {
    job.row = kept.inner_size();
    const bool rows_follow = reduced.sizes.size() == 1 && reduced.inner_stride() == job.row;
    if (rows_follow) job.together = rows_together(kTogether, job.row);
  }
  job.source = [&] { return std::make_unique<ViewSource>(in, compute, kept, reduced); };
  run_reduction(job, result, out);
}

std::optional<Reduction> reduction(const Op& op, const Type& operand, const Attrs& attrs) {
  if (!op.reduces) return std::nullopt;
  return Reduction{*op.reduces, operand.dtype, reduce_dtype(*op.reduces, operand.dtype),
                   reduced_axes(attrs, 1, operand.dims.size(), op.name)};
}

}  // namespace ember::ops
