// Reductions over any layout. Kept and reduced dimensions are coalesced; every chunk of every result is then one task,
// so that the split among threads never shows in the bits. Rows (reduced elements next to each other) are reduced where
// they lie, or are packed chunk by chunk; columns (kept elements next to each other) keep 16 lanes per column in cache
// and take whole rows. Chunk results fold as a tree, all results together.
#include "ops/reduce.h"

#include <cstring>
#include <memory>

#include "ops/kernels.h"
#include "ops/parallel.h"
#include "ops/walk.h"

namespace ember::ops {

const ReduceKernels& reduce_kernels(ReduceKind kind, DType compute) {
  const ReduceKernels* found = EMBER_KERNEL(reduce_kernels(kind, compute));
  if (!found) throw std::logic_error("no reduction over elements of this dtype");
  return *found;
}

DType reduce_dtype(ReduceKind kind, DType from) {
  return kind == ReduceKind::All || kind == ReduceKind::Any ? DType::Bool : compute_dtype(from);
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

constexpr int64_t kColumns = 256;   // columns whose lanes share the cache
constexpr int64_t kFewColumns = 8;  // fewer are packed as rows
constexpr int64_t kGrain = 1 << 15;
constexpr int64_t kFlight = 4;

using Fetch = void (*)(const std::byte* from, int64_t stride, int64_t count, void* to);

template <class From, class To>
void fetch(const std::byte* from, int64_t stride, int64_t count, void* to) {
  const From* source = reinterpret_cast<const From*>(from);
  To* target = static_cast<To*>(to);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<From, To>) {
      target[i] = source[i * stride];
    } else if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>) {
      target[i] = static_cast<To>(static_cast<float>(source[i * stride]));
    } else {
      target[i] = static_cast<To>(source[i * stride]);
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

struct Job {
  const ReduceKernels& kernels;
  const std::byte* data;
  DType from, compute;
  Walk kept, reduced;
  int64_t results, n, chunks;
  size_t from_size, size;
  Fetch fetch;
  std::byte* partial;  // [chunks][results] of the compute dtype

  int64_t chunk_size(int64_t chunk) const { return std::min(kReduceChunk, n - chunk * kReduceChunk); }
  const std::byte* at(int64_t offset) const { return data + offset * static_cast<int64_t>(from_size); }
  std::byte* result(int64_t chunk, int64_t index) const {
    return partial + (chunk * results + index) * static_cast<int64_t>(size);
  }
};

// The elements of one chunk side by side: where they lie, or packed into the buffer.
const void* chunk_elements(const Job& job, int64_t base, Odometer* at, int64_t count, std::byte* buffer) {
  if (job.from == job.compute && at->run() >= count && (job.reduced.inner_stride() == 1 || count == 1)) {
    return job.at(base + at->offset());
  }
  for (int64_t done = 0; done < count;) {
    const int64_t run = std::min(at->run(), count - done);
    job.fetch(job.at(base + at->offset()), job.reduced.inner_stride(), run,
              buffer + done * static_cast<int64_t>(job.size));
    at->advance(run);
    done += run;
  }
  return buffer;
}

// Tasks count chunks of one result, then results; up to four chunks of equal size run together.
void reduce_rows(const Job& job, int64_t begin, int64_t end) {
  alignas(64) std::byte buffers[kFlight][kReduceChunk * 8];
  const void* chunks[kFlight];
  int64_t tasks[kFlight];
  alignas(64) std::byte results[kFlight * 8];
  Odometer kept(job.kept), reduced(job.reduced);
  kept.seek(begin / job.chunks);
  for (int64_t task = begin; task < end;) {
    const int64_t count = job.chunk_size(task % job.chunks);
    int64_t flight = 0;
    while (flight < kFlight && task < end && job.chunk_size(task % job.chunks) == count) {
      reduced.seek(task % job.chunks * kReduceChunk);
      chunks[flight] = chunk_elements(job, kept.offset(), &reduced, count, buffers[flight]);
      tasks[flight++] = task++;
      if (task % job.chunks == 0) kept.advance(1);
    }
    job.kernels.chunks(chunks, flight, count, results);
    for (int64_t i = 0; i < flight; ++i) {
      std::memcpy(job.result(tasks[i] % job.chunks, tasks[i] / job.chunks),
                  results + i * static_cast<int64_t>(job.size), job.size);
    }
  }
}

// One chunk of `width` columns that start at `base`: rows go to their lanes as they come.
void reduce_columns(const Job& job, int64_t base, int64_t chunk, int64_t width, void* out) {
  alignas(64) std::byte lanes[kReduceLanes * kColumns * 8];
  alignas(64) std::byte row[kColumns * 8];
  const int64_t stride = width * static_cast<int64_t>(job.size);
  job.kernels.identity(lanes, kReduceLanes * width);
  Odometer at(job.reduced);
  at.seek(chunk * kReduceChunk);
  const int64_t count = job.chunk_size(chunk);
  for (int64_t i = 0; i < count; ++i) {
    const void* from = job.at(base + at.offset());
    if (job.from != job.compute) {
      job.fetch(static_cast<const std::byte*>(from), 1, width, row);
      from = row;
    }
    job.kernels.merge(lanes + i % kReduceLanes * stride, from, width);
    at.advance(1);
  }
  for (int64_t half = kReduceLanes / 2; half > 0; half /= 2) {
    job.kernels.merge(lanes, lanes + half * stride, half * width);
  }
  std::memcpy(out, lanes, static_cast<size_t>(stride));
}

void reduce_all_columns(const Job& job) {
  const int64_t inner = job.kept.inner_size();
  const int64_t blocks = (inner + kColumns - 1) / kColumns;
  const int64_t tasks = job.results / inner * blocks * job.chunks;
  const int64_t cost = std::min(inner, kColumns) * job.chunk_size(0);
  parallel_for(tasks, std::max<int64_t>(1, kGrain / cost), [&](int64_t begin, int64_t end) {
    Odometer kept(job.kept);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t chunk = task % job.chunks;
      const int64_t column = task / job.chunks % blocks * kColumns;
      const int64_t first = task / job.chunks / blocks * inner + column;
      kept.seek(first);
      reduce_columns(job, kept.offset(), chunk, std::min(kColumns, inner - column), job.result(chunk, first));
    }
  });
}

void fold_chunks(const Job& job) {
  for (int64_t step = 1; step < job.chunks; step *= 2) {
    for (int64_t c = 0; c + step < job.chunks; c += 2 * step) {
      job.kernels.merge(job.result(c, 0), job.result(c + step, 0), job.results);
    }
  }
}

void write_results(DType from, const std::byte* results, int64_t count, DType to, void* out) {
  if (from == to) {
    std::memcpy(out, results, static_cast<size_t>(count) * itemsize(to));
  } else if (to == DType::Float16) {
    for (int64_t i = 0; i < count; ++i) static_cast<Half*>(out)[i] = Half(reinterpret_cast<const float*>(results)[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      static_cast<BFloat16*>(out)[i] = BFloat16(reinterpret_cast<const float*>(results)[i]);
    }
  }
}

bool contains(const Axes& axes, size_t d) { return std::find(axes.begin(), axes.end(), d) != axes.end(); }

}  // namespace

void reduce(ReduceKind kind, const View& in, const Axes& axes, DType result, void* out) {
  const Layout& layout = *in.layout;
  const DType compute = reduce_dtype(kind, layout.dtype);
  Job job{reduce_kernels(kind, compute),
          in.as<std::byte>(),
          layout.dtype,
          compute,
          {},
          {},
          0,
          0,
          0,
          itemsize(layout.dtype),
          itemsize(compute),
          fetch_of(layout.dtype, compute),
          nullptr};
  for (size_t d = 0; d < layout.rank(); ++d) {
    (contains(axes, d) ? job.reduced : job.kept).add(layout.shape[d], layout.strides[d]);
  }
  job.results = job.kept.count();
  job.n = job.reduced.count();
  if (job.results == 0) return;
  job.chunks = std::max<int64_t>(1, (job.n + kReduceChunk - 1) / kReduceChunk);
  const bool direct = job.chunks == 1 && compute == result;
  std::unique_ptr<std::byte[]> partial;
  if (!direct) partial.reset(new std::byte[static_cast<size_t>(job.chunks * job.results) * job.size]);
  job.partial = direct ? static_cast<std::byte*>(out) : partial.get();
  if (job.n == 0) {
    job.kernels.identity(job.partial, job.results);
  } else if (job.kept.inner_stride() == 1 && job.kept.inner_size() >= kFewColumns && job.reduced.inner_stride() != 1) {
    reduce_all_columns(job);
  } else {
    parallel_for(job.results * job.chunks, std::max<int64_t>(kFlight, kGrain / job.chunk_size(0)),
                 [&](int64_t begin, int64_t end) { reduce_rows(job, begin, end); });
  }
  fold_chunks(job);
  if (!direct) write_results(compute, job.partial, job.results, result, out);
}

Axes reduced_axes(const Attrs& attrs, size_t index, size_t rank, std::string_view op_name) {
  Axes all;
  if (!attrs.has(index) || attrs.ints(index).empty()) {
    for (size_t d = 0; d < rank; ++d) all.push_back(d);
    return all;
  }
  Axes named = axes(attrs, index, std::max<size_t>(rank, 1), op_name);
  return rank == 0 ? Axes{} : named;
}

Dims reduced_dims(const Dims& dims, const Axes& axes, bool keepdims) {
  Dims out;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!contains(axes, d)) {
      out.push_back(dims[d]);
    } else if (keepdims) {
      out.push_back(1);
    }
  }
  return out;
}

Dim reduced_count(const Dims& dims, const Axes& axes) {
  Dim count = 1;
  for (size_t d : axes) count = count * dims[d];
  return count;
}

}  // namespace ember::ops
