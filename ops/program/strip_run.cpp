// Runs programs. Where every operand is dense in one memory order or uniform, strips are used in place. Otherwise the
// shape is normalised (dims of size 1 dropped, the others in the memory order of the first output, neighbours coalesced
// where all operands allow it); an operand is used in place where a strip is contiguous in it, else gathered into a
// buffer; a large one of another memory order is copied first. Strips end at rows if rows are long, unless what is not
// dense has short ones that come again and again: then they are whole periods, and those rows are gathered once.
// Elements are numbered in the order of the normalised shape, and a thread takes a range of numbers.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "ops/base/parallel.h"
#include "ops/expr/scalar.h"
#include "ops/program/program.h"
#include "ops/program/strided.h"
#include "ops/program/strip_machine.h"
#include "ops/simd/emitted.h"

namespace ember::ops {
namespace {

constexpr int64_t kLongRow = 128;
constexpr int64_t kLargeCopy = 16384;  // elements
constexpr int64_t kLongestPeriod = kStrip / 2;
constexpr size_t kMaskBits = 64;  // inputs beyond are never taken as uniform

// RowUniform: one value in each row. Periodic: a few elements that come again and again.
enum class Access : uint8_t { Flat, Uniform, RowUniform, Periodic, Strided };

// One operand in the normalised shape; strides in bytes.
struct StridedOperand {
  std::byte* data;
  std::array<int64_t, kMaxRank> strides;
  Access access;
  uint8_t size;
};

struct IterationSpace {
  size_t rank = 0;
  std::array<int64_t, kMaxRank> sizes{};
  std::span<StridedOperand> operands;  // inputs, then outputs
  bool by_rows = false;
  int64_t period = 1;  // of the periodic operands
};

// A position in the shape.
struct Position {
  std::array<int64_t, kMaxRank> at{};

  Position(const IterationSpace& space, int64_t number) {
    for (size_t d = space.rank; d-- > 0;) {
      at[d] = number % space.sizes[d];
      number /= space.sizes[d];
    }
  }
  int64_t offset(const IterationSpace& space, const StridedOperand& w) const {
    int64_t sum = 0;
    for (size_t d = 0; d < space.rank; ++d) sum += at[d] * w.strides[d];
    return sum;
  }
  // To the start of the next row; tells by how much that moves w.
  int64_t next_row(const IterationSpace& space, const StridedOperand& w) {
    const size_t inner = space.rank - 1;
    int64_t move = -at[inner] * w.strides[inner];
    at[inner] = 0;
    for (size_t d = inner; d-- > 0;) {
      move += w.strides[d];
      if (++at[d] < space.sizes[d]) return move;
      move -= at[d] * w.strides[d];
      at[d] = 0;
    }
    return move;
  }
};

template <class T>
void copy_items(std::byte* to, int64_t to_stride, const std::byte* from, int64_t from_stride, int64_t n) {
  for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(T));
}

}  // namespace

void copy_row(std::byte* to, int64_t to_stride, const std::byte* from, int64_t from_stride, int64_t n, size_t size) {
  const auto item = static_cast<int64_t>(size);
  if (to_stride == item && from_stride == item) {
    std::memcpy(to, from, static_cast<size_t>(n * item));
    return;
  }
  switch (size) {
    case 1:
      return copy_items<uint8_t>(to, to_stride, from, from_stride, n);
    case 2:
      return copy_items<uint16_t>(to, to_stride, from, from_stride, n);
    case 4:
      return copy_items<uint32_t>(to, to_stride, from, from_stride, n);
    case 8:
      return copy_items<uint64_t>(to, to_stride, from, from_stride, n);
    default:
      return copy_items<std::complex<double>>(to, to_stride, from, from_stride, n);
  }
}

namespace {

// Between n elements of a strided operand from `begin` on and a buffer.
template <bool Gather>
void transfer(const IterationSpace& space, const StridedOperand& w, int64_t begin, int64_t n, std::byte* buffer) {
  Position position(space, begin);
  const size_t inner = space.rank - 1;
  std::byte* data = w.data + position.offset(space, w);
  while (n > 0) {
    const int64_t row = std::min(n, space.sizes[inner] - position.at[inner]);
    if constexpr (Gather) {
      copy_row(buffer, w.size, data, w.strides[inner], row, w.size);
    } else {
      copy_row(data, w.strides[inner], buffer, w.size, row, w.size);
    }
    buffer += row * w.size;
    n -= row;
    if (n > 0) data += position.next_row(space, w);
  }
}

void fill(std::byte* to, const void* from, size_t size, int64_t n) {
  dispatch_width(size, [&]<class U>() { std::fill_n(reinterpret_cast<U*>(to), n, *static_cast<const U*>(from)); });
}

// A run of a schedule over a range of elements, on one thread.
class Worker {
 public:
  Worker(const Program& program, const StripSchedule& schedule, std::span<const View> in, std::span<const View> out,
         const IterationSpace* space)
      : program_(program),
        schedule_(schedule),
        in_(in),
        out_(out),
        space_(space),
        machine_(schedule, in.size() + out.size(), space ? in.size() + out.size() : 0),
        pointers_(machine_.pointers()) {}

  // For ranges of up to `longest` elements.
  void prepare(int64_t longest) {
    for (size_t i = 0; i < in_.size(); ++i) pointers_[i] = in_[i].data;
    machine_.prepare(std::min(longest, schedule_.strip));
    once_a_row_ = space_ && std::any_of(space_->operands.begin(), space_->operands.end(),
                                        [](const StridedOperand& w) { return w.access == Access::RowUniform; });
  }

  void run(int64_t begin, int64_t end) { space_ ? run_strided(begin, end) : run_flat(begin, end); }

 private:
  void* element(const View& v, size_t size, int64_t i) const {
    return v.as<std::byte>() + i * static_cast<int64_t>(size);
  }

  void run_flat(int64_t begin, int64_t end) {
    const int64_t strip = machine_.native() ? end - begin : schedule_.strip;
    for (int64_t at = begin; at < end; at += strip) {
      for (size_t i = 0; i < in_.size(); ++i) {
        const bool uniform = machine_.native() && machine_.uniform(i);
        pointers_[i] = element(in_[i], program_.input_size(i), uniform ? 0 : at);
      }
      for (size_t i = 0; i < out_.size(); ++i) {
        pointers_[in_.size() + i] = element(out_[i], program_.output_size(i), at);
      }
      machine_.compute(std::min(end - at, strip));
    }
  }

  // Where n elements of operand w from `at` on can be used in place, or null.
  void* direct(const StridedOperand& w, int64_t at, const Position& position) const {
    if (w.access == Access::Flat) return w.data + at * w.size;
    if (w.access == Access::Uniform) return w.data;
    if (w.access == Access::RowUniform) return w.data + position.offset(*space_, w);
    const bool row = space_->by_rows && w.strides[space_->rank - 1] == w.size;
    return row ? w.data + position.offset(*space_, w) : nullptr;
  }

  // Whether the buffers hold n elements of what is periodic, from `begin` on; they will.
  bool repeat(int64_t begin, int64_t n) {
    const int64_t phase = begin % space_->period;
    if (phase == phase_ && n <= repeated_) return true;
    phase_ = phase;
    repeated_ = n;
    return false;
  }

  // Strips are whole periods, so that what is periodic is gathered once.
  void run_strided(int64_t begin, int64_t end) {
    const size_t inner = space_->rank - 1;
    const bool whole = schedule_.strip >= space_->period;
    const int64_t strip = whole ? schedule_.strip / space_->period * space_->period : schedule_.strip;
    int64_t n = 0;
    for (int64_t at = begin; at < end; at += n) {
      const Position position(*space_, at);
      n = std::min(end - at, strip);
      if (space_->by_rows) n = std::min(n, space_->sizes[inner] - position.at[inner]);
      const bool repeated = whole && repeat(at, n);
      for (size_t i = 0; i < space_->operands.size(); ++i) {
        const StridedOperand& w = space_->operands[i];
        if (repeated && w.access == Access::Periodic) continue;
        pointers_[i] = direct(w, at, position);
        if (pointers_[i] || !w.data) continue;
        pointers_[i] = machine_.extra(i);
        if (i < in_.size()) transfer<true>(*space_, w, at, n, machine_.extra(i));
      }
      if (once_a_row_) machine_.prepare(n);
      machine_.compute(n);
      for (size_t i = in_.size(); i < space_->operands.size(); ++i) {
        const StridedOperand& w = space_->operands[i];
        if (!direct(w, at, position)) transfer<false>(*space_, w, at, n, static_cast<std::byte*>(pointers_[i]));
      }
    }
  }

  const Program& program_;
  const StripSchedule& schedule_;
  std::span<const View> in_, out_;
  const IterationSpace* space_;
  StripMachine machine_;
  void** pointers_;
  bool once_a_row_ = false;
  int64_t phase_ = -1, repeated_ = 0;  // of the periodic elements in the buffers
};

// The strides of a view broadcast to `shape`. An absent operand has no layout and is never read.
StridedOperand make_operand(const View& view, const Shape& shape) {
  StridedOperand w{};
  if (!view.layout) return w;
  const Layout& layout = *view.layout;
  w.data = view.as<std::byte>();
  w.size = static_cast<uint8_t>(itemsize(layout.dtype));
  const size_t lead = shape.size() - layout.rank();
  for (size_t d = 0; d < layout.rank(); ++d) {
    const bool repeated = layout.shape[d] == 1;
    w.strides[lead + d] = repeated ? 0 : layout.strides[d] * w.size;
  }
  return w;
}

// The dimensions in the memory order of the first output.
InlineVector<size_t, kMaxRank> order_of(const Layout& out) {
  InlineVector<size_t, kMaxRank> order;
  for (size_t d = 0; d < out.rank(); ++d) {
    if (out.shape[d] != 1) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return out.strides[a] > out.strides[b]; });
  return order;
}

// Of the last dimensions of the first output, dense in its order.
Shape dense_strides(const Shape& shape, const Layout& out) {
  const auto order = order_of(out);
  const size_t lead = out.rank() - shape.size();
  Shape strides(shape.size(), 1);
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i] - lead] = step;
    step *= out.shape[order[i]];
  }
  return strides;
}

void merge_dims(IterationSpace& space, const Layout& out) {
  const auto order = order_of(out);
  for (StridedOperand& w : space.operands) {
    const auto strides = w.strides;
    for (size_t i = 0; i < order.size(); ++i) w.strides[i] = strides[order[i]];
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const int64_t size = out.shape[order[i]];
    bool merges = space.rank > 0;
    for (const StridedOperand& w : space.operands) merges = merges && w.strides[space.rank - 1] == w.strides[i] * size;
    const size_t to = merges ? space.rank - 1 : space.rank++;
    space.sizes[to] = merges ? space.sizes[to] * size : size;
    for (StridedOperand& w : space.operands) w.strides[to] = w.strides[i];
  }
  if (space.rank == 0) {
    space.sizes[space.rank++] = 1;
    for (StridedOperand& w : space.operands) w.strides[0] = 0;
  }
}

Access access(const IterationSpace& space, const StridedOperand& w) {
  bool flat = true, uniform = true;
  int64_t dense = w.size;
  for (size_t d = space.rank; d-- > 0;) {
    flat = flat && (w.strides[d] == dense || space.sizes[d] == 1);
    uniform = uniform && w.strides[d] == 0;
    dense *= space.sizes[d];
  }
  return flat ? Access::Flat : uniform ? Access::Uniform : Access::Strided;
}

// How many elements come again and again, where an operand is dense along the last dimensions and varies along no
// other; 0 if it does not, or they are many.
int64_t period_of(const IterationSpace& space, const StridedOperand& w) {
  int64_t period = 1;
  size_t d = space.rank;
  for (; d > 0 && w.strides[d - 1] == period * w.size; --d) period *= space.sizes[d - 1];
  while (d > 0 && w.strides[d - 1] == 0) --d;
  return d == 0 && period <= kLongestPeriod ? period : 0;
}

// Of the inputs that are strided: the longest period and those that divide it. Answers whether nothing else is strided.
bool find_periods(IterationSpace& space, size_t inputs) {
  for (const StridedOperand& w : space.operands.first(inputs)) {
    if (w.access == Access::Strided) space.period = std::max(space.period, period_of(space, w));
  }
  for (StridedOperand& w : space.operands.first(inputs)) {
    if (w.access != Access::Strided) continue;
    const int64_t period = period_of(space, w);
    if (period > 0 && space.period % period == 0) w.access = Access::Periodic;
  }
  return std::none_of(space.operands.begin(), space.operands.end(),
                      [](const StridedOperand& w) { return w.access == Access::Strided; });
}

IterationSpace make_space(std::span<const View> in, std::span<const View> out, std::span<StridedOperand> operands) {
  IterationSpace space;
  space.operands = operands;
  const Layout& layout = *out[0].layout;
  for (size_t i = 0; i < operands.size(); ++i) {
    operands[i] = make_operand(i < in.size() ? in[i] : out[i - in.size()], layout.shape);
  }
  merge_dims(space, layout);
  for (size_t i = 0; i < operands.size(); ++i) {
    StridedOperand& w = operands[i];
    w.access = access(space, w);
    const bool may_be_uniform = i < std::min(in.size(), kMaskBits);
    if (w.access == Access::Uniform && !may_be_uniform) w.access = Access::Strided;
  }
  if (find_periods(space, in.size())) return space;
  space.by_rows = space.rank > 1 && space.sizes[space.rank - 1] >= kLongRow;
  for (size_t i = 0; space.by_rows && i < std::min(in.size(), kMaskBits); ++i) {
    StridedOperand& w = operands[i];
    const bool repeats = w.size > 0 && w.strides[space.rank - 1] == 0;
    if (w.access == Access::Strided && repeats) w.access = Access::RowUniform;
  }
  return space;
}

// A large operand with another innermost dimension than the strips is copied first, by tiles. Answers the
// copies, which must outlive the operands.
std::vector<Tensor> straighten(const IterationSpace& space, std::span<const View> in, const Layout& out) {
  std::vector<Tensor> copies;
  const int64_t count = out.numel;
  for (size_t i = 0; i < in.size(); ++i) {
    StridedOperand& w = space.operands[i];
    const int64_t step = w.strides[space.rank - 1];
    if (count < kLargeCopy || w.access != Access::Strided || step == 0 || step == w.size) continue;
    if (in[i].layout->numel != count) continue;
    const Layout& layout = *in[i].layout;
    copies.push_back(Tensor::empty(ops::layout(layout.dtype, layout.shape, dense_strides(layout.shape, out))));
    copy_view(in[i], {copies.back().data(), &copies.back().layout()});
    w.data = copies.back().data_as<std::byte>();
    w.access = Access::Flat;
  }
  return copies;
}

bool any_overlap(std::span<const View> in, std::span<const View> out) {
  return std::any_of(out.begin(), out.end(), [&](const View& o) {
    return std::any_of(in.begin(), in.end(),
                       [&](const View& i) { return i.layout && i.layout->numel > 0 && overlap(o, i); });
  });
}

}  // namespace

std::byte* strip_scratch(size_t bytes) {
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  static thread_local std::unique_ptr<std::byte, Free> block;
  static thread_local size_t capacity = 0;
  if (bytes > capacity) {
    block.reset();
    capacity = 0;
    block.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64})));
    capacity = bytes;
  }
  return block.get();
}

void StripMachine::prepare(int64_t longest) const {
  if (loop_) return;
  for (const StripStep& s : schedule_.once) execute(s, 1);
  for (const StripFill& f : schedule_.fills)
    fill(static_cast<std::byte*>(pointers_[f.to]), pointers_[f.from], f.size, longest);
}

namespace {

// How operands are gone through: all flat, in whatever order, or of one value; or by a space.
struct Route {
  bool flat = true;
  uint64_t uniform = 0;
  IterationSpace space;
  std::array<StridedOperand, 6> few;
  std::vector<StridedOperand> many;

  Route(std::span<const View> in, std::span<const View> out) {
    const int64_t count = out[0].layout->numel;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!in[i].layout) continue;
      const Layout& layout = *in[i].layout;
      if (layout.numel == 1 && count != 1 && i < kMaskBits) {
        uniform |= uint64_t{1} << i;
      } else {
        flat = flat && layout.contiguous && layout.numel == count;
      }
    }
    for (const View& v : out) flat = flat && v.layout->contiguous;
    if (flat) return;
    const size_t operands = in.size() + out.size();
    if (operands > few.size()) many.resize(operands);
    space = make_space(
        in, out,
        operands > few.size() ? std::span<StridedOperand>(many) : std::span<StridedOperand>(few).first(operands));
    for (size_t i = 0; i < std::min(in.size(), kMaskBits); ++i) {
      const Access access = space.operands[i].access;
      if (access == Access::Uniform || access == Access::RowUniform) uniform |= uint64_t{1} << i;
    }
    flat = std::all_of(space.operands.begin(), space.operands.end(),
                       [](const StridedOperand& w) { return w.access == Access::Flat || w.access == Access::Uniform; });
  }
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;
};

}  // namespace

class StripRun {
 public:
  StripRun(const Program& program, std::span<const View> in, std::span<const View> out)
      : program_(program), in_(in), out_(out), route_(in, out) {
    if (!route_.flat) copies_ = straighten(route_.space, in, *out[0].layout);
    schedule_ = direct_ = &program.schedule(route_.uniform, false);
    const bool emitted = direct_->loops[static_cast<size_t>(ops::isa())].get() != nullptr;
    if (direct_->late_reads && !emitted && any_overlap(in, out)) schedule_ = &program.schedule(route_.uniform, true);
  }
  StripRun(const StripRun&) = delete;
  StripRun& operator=(const StripRun&) = delete;

  void run() const {
    ask_for_loop();
    if (count() <= schedule_->grain) return run({0, 1, count(), 0});
    parallel_for(count(), schedule_->grain, [&](int64_t begin, int64_t end) { run({begin, 1, end - begin, 0}); });
  }

  void run(const Epilogue::Region& region) const {
    Worker worker(program_, *schedule_, in_, out_, route_.flat ? nullptr : &route_.space);
    worker.prepare(region.columns);
    for (int64_t i = 0; i < region.rows; ++i) {
      const int64_t begin = region.first + i * region.row_stride;
      worker.run(begin, begin + region.columns);
    }
  }

 private:
  int64_t count() const { return out_[0].layout->numel; }

  // A single step is as fast in strips.
  void ask_for_loop() const {
    const auto isa = static_cast<size_t>(ops::isa());
    if (direct_->steps.size() == 1 || direct_->loops[isa].filled() || WithoutEmitted::active()) return;
    const auto maker = emitted_kernels().hot_schedule.load(std::memory_order_relaxed);
    if (direct_->demand[isa].add(count()) && maker) maker(program_, *direct_);
  }

  const Program& program_;
  const std::span<const View> in_, out_;
  Route route_;
  std::vector<Tensor> copies_;
  const StripSchedule* direct_;  // its loop, once emitted, stores each vector after its last read
  const StripSchedule* schedule_;
};

uint64_t Program::uniform_in_run(std::span<const View> in, std::span<const View> out) {
  return out[0].layout->numel == 0 ? 0 : Route(in, out).uniform;
}

void Program::run(std::span<const View> in, std::span<const View> out) const {
  if (out[0].layout->numel != 0) StripRun(*this, in, out).run();
}

Epilogue::Epilogue(const Program& program, std::span<const View> in, std::span<const View> out)
    : run_(out[0].layout->numel == 0 ? nullptr : std::make_unique<const StripRun>(program, in, out)) {}
Epilogue::~Epilogue() = default;

void Epilogue::run(const Region& region) const {
  if (!run_ || region.rows * region.columns == 0) return;
  const bool one = region.columns == region.row_stride;
  run_->run(one ? Region{region.first, 1, region.rows * region.columns, 0} : region);
}

void Epilogue::run_all() const {
  if (run_) run_->run();
}

void run_expression_reference(const Expr& expr, std::span<const View> in, std::span<const View> out) {
  ScalarProgram scalar(expr);
  const Shape& shape = out[0].layout->shape;
  std::vector<StridedOperand> operands;
  for (size_t i = 0; i < in.size() + out.size(); ++i) {
    operands.push_back(make_operand(i < in.size() ? in[i] : out[i - in.size()], shape));
  }
  IterationSpace space;
  space.rank = shape.size();
  std::copy(shape.begin(), shape.end(), space.sizes.begin());
  std::vector<ScalarWord> values(in.size()), results(out.size());
  for (int64_t i = 0; i < out[0].layout->numel; ++i) {
    const Position position(space, i);
    for (size_t k = 0; k < in.size(); ++k) {
      values[k] = 0;
      if (operands[k].data)
        std::memcpy(&values[k], operands[k].data + position.offset(space, operands[k]), operands[k].size);
    }
    scalar.run(values, results);
    for (size_t k = 0; k < out.size(); ++k) {
      const StridedOperand& w = operands[in.size() + k];
      std::memcpy(w.data + position.offset(space, w), &results[k], w.size);
    }
  }
}

}  // namespace ember::ops
