// Reductions of expressions. The shape is split into kept and reduced dimensions, neighbours merged where all operands
// allow it; a chunk of a result, or a row of results, is evaluated strip by strip with operands in place,
// loaded once where they are uniform, or gathered.
#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/program/element_source.h"
#include "ops/program/program.h"
#include "ops/program/strip_machine.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr int64_t kFewResults = 8;  // a shorter row is reduced result by result

// An operand broadcast to the shape. Sizes of the walks are the same for all operands.
struct BroadcastOperand {
  const std::byte* data = nullptr;
  int64_t size = 0;
  StridedDims kept, reduced;
};

struct ReductionSpace {
  std::vector<BroadcastOperand> operands;
  StridedDims kept, reduced;  // sizes alone
  bool by_row = false;

  bool uniform(const BroadcastOperand& o) const {
    if (by_row) return o.kept.strides.back() == 0;
    return std::all_of(o.reduced.strides.begin(), o.reduced.strides.end(), [](int64_t s) { return s == 0; });
  }
  uint64_t uniform_mask() const {
    uint64_t mask = 0;
    for (size_t i = 0; i < std::min<size_t>(operands.size(), 64); ++i) {
      if (operands[i].size > 0 && uniform(operands[i])) mask |= uint64_t{1} << i;
    }
    return mask;
  }
  // Whether the rows of all elements of a result follow each other, of this operand; or are one and the same.
  bool rows_follow(const BroadcastOperand& o) const {
    const int64_t inside = o.kept.inner_stride(), across = o.reduced.inner_stride();
    return o.size == 0 || (across == 0 && (inside == 0 || inside == 1)) || (inside == 1 && across == kept.inner_size());
  }
  // Rows of `strip` elements in all that may be evaluated at once.
  int64_t together(int64_t strip) const {
    const bool follow =
        reduced.sizes.size() == 1 &&
        std::all_of(operands.begin(), operands.end(), [&](const BroadcastOperand& o) { return rows_follow(o); });
    return follow ? rows_together(strip, kept.inner_size()) : 1;
  }
};

int64_t stride_of(const View& view, const Shape& shape, size_t d) {
  const Layout& layout = *view.layout;
  const size_t lead = shape.size() - layout.rank();
  return d < lead || layout.shape[d - lead] == 1 ? 0 : layout.strides[d - lead];
}

ReductionSpace reduction_space(std::span<const View> in, const Shape& shape, const Axes& axes) {
  ReductionSpace space;
  space.operands.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    if (!in[i].layout) continue;
    space.operands[i].data = in[i].as<std::byte>();
    space.operands[i].size = static_cast<int64_t>(itemsize(in[i].layout->dtype));
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const bool reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
    space.by_row = !reduced;
    StridedDims& sizes = reduced ? space.reduced : space.kept;
    const auto strided = [&](BroadcastOperand& o) -> StridedDims& { return reduced ? o.reduced : o.kept; };
    bool merges = !sizes.sizes.empty();
    for (size_t i = 0; i < in.size() && merges; ++i) {
      if (in[i].layout) merges = strided(space.operands[i]).strides.back() == shape[d] * stride_of(in[i], shape, d);
    }
    const auto add = [&](StridedDims& w, int64_t stride) {
      if (merges) {
        w.sizes.back() *= shape[d];
        w.strides.back() = stride;
      } else {
        w.sizes.push_back(shape[d]);
        w.strides.push_back(stride);
      }
    };
    add(sizes, 0);
    for (size_t i = 0; i < in.size(); ++i) {
      add(strided(space.operands[i]), in[i].layout ? stride_of(in[i], shape, d) : 0);
    }
  }
  space.by_row = space.by_row && space.kept.inner_size() >= kFewResults;
  return space;
}

class ExpressionSource final : public ElementSource {
 public:
  ExpressionSource(const ReductionSpace& space, const StripSchedule& schedule, ReduceKind kind, DType compute)
      : space_(space),
        schedule_(schedule),
        machine_(schedule, space.operands.size() + 1, space.operands.size()),
        kernels_(reduce_kernels(kind, compute)),
        loop_(schedule.reductions[static_cast<size_t>(kind)][machine_.isa()].get()),
        item_(static_cast<int64_t>(itemsize(compute))),
        together_(space.together(schedule.strip)) {
    for (const BroadcastOperand& o : space.operands)
      cursors_.push_back({StridedIterator(o.kept), StridedIterator(o.reduced)});
  }

  const void* chunk(int64_t result, int64_t first, int64_t count, std::byte* buffer) override {
    for (Cursor& c : cursors_) {
      c.kept.move_to(result);
      c.reduced.seek(first);
    }
    evaluate(&Cursor::reduced, &Cursor::kept, &BroadcastOperand::reduced, count, buffer);
    return buffer;
  }

  const void* rows(int64_t result, int64_t index, int64_t count, int64_t width, std::byte* buffer) override {
    for (Cursor& c : cursors_) {
      c.kept.move_to(result);
      c.reduced.move_to(index);
    }
    if (together_ == 1 || width < space_.kept.inner_size()) {
      evaluate(&Cursor::kept, &Cursor::reduced, &BroadcastOperand::kept, width, buffer);
    } else {
      evaluate_rows(result, count, width, buffer);
    }
    return buffer;
  }

  bool combine(int64_t result, int64_t first, int64_t count, void* out) override {
    const int64_t whole = count / kReduceStep * kReduceStep;
    if (!loop_ || whole == 0) return false;
    for (size_t i = 0; i < cursors_.size(); ++i) {
      Cursor& c = cursors_[i];
      c.kept.move_to(result);
      c.reduced.seek(first);
      const BroadcastOperand& o = space_.operands[i];
      const bool contiguous = o.reduced.inner_stride() == 1 && c.reduced.run() >= count;
      if (o.size > 0 && !machine_.uniform(i) && !contiguous) return false;
      machine_.pointers()[i] = address(o, c.kept.offset() + c.reduced.offset());
    }
    alignas(64) std::byte lanes[kReduceLanes * 8];
    loop_(whole, machine_.pointers(), lanes);
    if (count > whole) combine_tail(whole, count - whole, lanes);
    fold_lanes(kernels_, lanes, 1, static_cast<size_t>(item_));
    std::memcpy(out, lanes, static_cast<size_t>(item_));
    return true;
  }

 private:
  struct Cursor {
    StridedIterator kept, reduced;
  };

  static void* address(const BroadcastOperand& o, int64_t offset) {
    return const_cast<std::byte*>(o.data) + offset * o.size;
  }

  void combine_tail(int64_t done, int64_t left, std::byte* lanes) {
    alignas(64) std::byte tail[kReduceStep * 8];
    void** pointers = machine_.pointers();
    for (size_t i = 0; i < cursors_.size(); ++i) {
      if (machine_.uniform(i)) continue;
      pointers[i] = static_cast<std::byte*>(pointers[i]) + done * space_.operands[i].size;
    }
    pointers[cursors_.size()] = tail;
    machine_.prepare(left);
    machine_.compute(left);
    for (int64_t at = 0; at < left; at += kReduceLanes) {
      kernels_.merge(lanes, tail + at * item_, std::min(kReduceLanes, left - at));
    }
  }

  // `count` elements of one strided row, from the cursors on.
  void evaluate(StridedIterator Cursor::*along, StridedIterator Cursor::*across, StridedDims BroadcastOperand::*strided,
                int64_t count, std::byte* buffer) {
    void** pointers = machine_.pointers();
    for (int64_t done = 0, n = 0; done < count; done += n) {
      n = std::min(count - done, schedule_.strip);
      for (size_t i = 0; i < cursors_.size(); ++i) {
        const BroadcastOperand& o = space_.operands[i];
        StridedIterator& at = cursors_[i].*along;
        const int64_t base = (cursors_[i].*across).offset();
        const int64_t stride = (o.*strided).inner_stride();
        const bool contiguous = machine_.uniform(i) || (stride == 1 && at.run() >= n);
        pointers[i] = contiguous ? address(o, base + at.offset()) : machine_.extra(i);
        if (contiguous && done + n == count) continue;
        for (int64_t copied = 0; copied < n;) {
          const int64_t run = std::min(std::max<int64_t>(1, at.run()), n - copied);
          if (!contiguous && o.size > 0) {
            copy_row(machine_.extra(i) + copied * o.size, o.size,
                     static_cast<std::byte*>(address(o, base + at.offset())), stride * o.size, run,
                     static_cast<size_t>(o.size));
          }
          at.advance(run);
          copied += run;
        }
      }
      pointers[cursors_.size()] = buffer + done * item_;
      if (done == 0) machine_.prepare(n);
      machine_.compute(n);
    }
  }

  // Rows that follow each other. Operands with one row for all are replicated in a buffer.
  void evaluate_rows(int64_t result, int64_t count, int64_t width, std::byte* buffer) {
    void** pointers = machine_.pointers();
    for (size_t i = 0; i < cursors_.size(); ++i) {
      const BroadcastOperand& o = space_.operands[i];
      const int64_t row = width * o.size;
      void* first = address(o, cursors_[i].kept.offset() + cursors_[i].reduced.offset());
      const bool repeats = !machine_.uniform(i) && o.size > 0 && o.reduced.inner_stride() == 0;
      pointers[i] = repeats ? machine_.extra(i) : first;
      for (int64_t r = 0; repeats && repeated_ != result && r < together_; ++r) {
        std::memcpy(machine_.extra(i) + r * row, first, static_cast<size_t>(row));
      }
    }
    repeated_ = result;
    pointers[cursors_.size()] = buffer;
    machine_.prepare(count * width);
    machine_.compute(count * width);
  }

  const ReductionSpace& space_;
  const StripSchedule& schedule_;
  StripMachine machine_;
  const ReduceKernels& kernels_;
  ReduceLoop loop_;
  int64_t item_;
  int64_t together_;
  int64_t repeated_ = -1;  // the first of the results whose rows are replicated
  std::vector<Cursor> cursors_;
};

}  // namespace

uint64_t Program::uniform_in_reduce(std::span<const View> in, const Shape& shape, const Axes& axes) {
  return reduction_space(in, shape, axes).uniform_mask();
}

void Program::reduce(std::span<const View> in, const Shape& shape, ReduceKind kind, const Axes& axes,
                     const View& out) const {
  const ReductionSpace space = reduction_space(in, shape, axes);
  const StripSchedule& chosen = schedule(space.uniform_mask(), false);
  const DType compute = expr_.nodes[expr_.outputs[0]].dtype;
  ReduceJob job{kind, compute, space.kept.count(), space.reduced.count(), 0, 1, chosen.grain, {}};
  if (space.by_row) {
    job.row = space.kept.inner_size();
    job.together = space.together(chosen.strip);
  }
  job.source = [&] { return std::make_unique<ExpressionSource>(space, chosen, kind, compute); };
  run_reduction(job, out.layout->dtype, out.data);
}

}  // namespace ember::ops
