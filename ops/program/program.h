// An expression prepared for running strip by strip: kernels chosen, strip buffers assigned by lifetimes. There is one
// program per expression, shared by all threads; it lives as long as somebody holds it, and so do the schedules,
// constants and native loops in it.
//
// An operand is uniform if it has one value for all elements (a scalar). What depends on uniform operands alone is
// computed once and spread, so there is one schedule per set of uniform operands.
// An output may alias an input of the same layout and element size; any other overlap is the caller's mistake.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "gc/ref.h"
#include "ops/base/isa.h"
#include "ops/program/reduce.h"
#include "ops/simd/strips.h"
#include "ops/table/call.h"

namespace ember::ops {

inline constexpr int64_t kStrip = 1024;  // elements of the longest strip

// Pointers to strips are numbered: inputs, outputs, buffers, constants.
using StripIndex = uint16_t;

struct StripStep {
  std::array<StripFn, std::size(kIsas)> fn;  // by Isa
  StripIndex out, a, b, c;
  uint16_t passes = 0;  // over so many steps, and has no fn, if no element of the bools in `a` is `when`
  bool when = false;
};

struct StripFill {  // spreads one value over a buffer
  StripIndex from, to;
  uint8_t size;
};

// Native code for all steps of a schedule: n elements, with the addresses of inputs, then outputs.
using StripLoop = void (*)(int64_t n, void* const* pointers);

// Native code that combines the one result of n elements in the lanes of simd/reduction.h: `lanes` holds 16 of the
// result's dtype afterwards. n is a multiple of kReduceStep.
using ReduceLoop = void (*)(int64_t n, void* const* pointers, void* lanes);
inline constexpr int64_t kReduceStep = 32;

// Where such code is installed, once, and kept; a copied schedule starts without.
template <class Loop>
class LoopSlot {
 public:
  LoopSlot() = default;
  LoopSlot(const LoopSlot&) {}
  LoopSlot& operator=(const LoopSlot&) { return *this; }
  Loop get() const { return WithoutEmitted::active() ? nullptr : loop_.load(std::memory_order_acquire); }
  bool filled() const { return loop_.load(std::memory_order_acquire) != nullptr; }
  void set(Loop loop, gc::Ref<const gc::Counted> code) {
    code_ = std::move(code);
    loop_.store(loop, std::memory_order_release);
  }

 private:
  std::atomic<Loop> loop_{nullptr};
  gc::Ref<const gc::Counted> code_;
};

// What strips of one schedule have done, in elements, and after how many tiers is asked for native code again.
class LoopDemand {
 public:
  LoopDemand() = default;
  LoopDemand(const LoopDemand&) {}
  LoopDemand& operator=(const LoopDemand&) { return *this; }
  // Whether so many more are enough to ask.
  bool add(int64_t elements) {
    return done_.fetch_add(elements, std::memory_order_relaxed) + elements >= wanted_.load(std::memory_order_relaxed);
  }
  int64_t done() const { return done_.load(std::memory_order_relaxed); }
  void want(int64_t elements) { wanted_.store(elements, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> done_{0}, wanted_{64 * kStrip};
};

struct StripSchedule {
  uint64_t uniform = 0;          // bit i: input i
  bool buffered = false;         // results are stored after the last read of the strip
  bool late_reads = false;       // an input is read after a result was stored: may need the buffered schedule
  std::vector<StripStep> once;   // uniform values, one element each
  std::vector<StripFill> fills;  // then spread
  std::vector<StripStep> steps;
  std::vector<std::shared_ptr<const void>> constants;
  size_t buffers = 0;
  size_t buffer_bytes = 0;  // of one buffer
  int64_t strip = kStrip;   // elements
  int64_t grain = 0;        // elements worth a thread
  const StripSchedule* next = nullptr;
  mutable std::array<LoopSlot<StripLoop>, std::size(kIsas)> loops;  // by Isa; filled by tiers
  mutable std::array<std::array<LoopSlot<ReduceLoop>, std::size(kIsas)>, kReduceKinds> reductions;
  mutable std::array<LoopDemand, std::size(kIsas)> demand;  // by Isa
};

class Program final : public gc::Counted {
 public:
  static gc::Ref<const Program> of(const Expr& expr);
  // Over operands broadcast to the outputs' shape, strip by strip, in parallel where it pays.
  void run(std::span<const View> in, std::span<const View> out) const;
  // Reduces the one result, of the compute dtype, over `axes` of the shape that operands are broadcast to. Elements
  // are stored only a chunk a thread at a time. `out` holds the kept axes, contiguous.
  void reduce(std::span<const View> in, const Shape& shape, ReduceKind kind, const Axes& axes, const View& out) const;
  // The operands that are uniform in what run() or reduce() hands to a schedule at once: which schedule it is. Layouts
  // suffice.
  static uint64_t uniform_in_run(std::span<const View> in, std::span<const View> out);
  static uint64_t uniform_in_reduce(std::span<const View> in, const Shape& shape, const Axes& axes);

  const Expr& expr() const { return expr_; }
  const StripSchedule& schedule(uint64_t uniform, bool buffered) const;
  size_t input_size(size_t i) const { return input_sizes_[i]; }
  size_t output_size(size_t i) const { return output_sizes_[i]; }

 private:
  friend class ProgramTable;
  Program(Expr expr, size_t hash);
  ~Program() override;
  void destroy() const noexcept override;

  Expr expr_;
  size_t hash_;
  std::vector<uint8_t> input_sizes_, output_sizes_;
  mutable std::atomic<const StripSchedule*> plans_{nullptr};
};

// A program fused to a kernel's result, region by region, while that is in cache: on each element once the result is
// final there. The program's shape has as many elements as that result.
class Epilogue {
 public:
  // Rows of elements in the memory order of the result.
  struct Region {
    int64_t first, rows, columns, row_stride;
  };
  Epilogue(const Program& program, std::span<const View> in, std::span<const View> out);
  ~Epilogue();
  void run(const Region& part) const;  // on this thread
  void run_all() const;                // for kernels that do not finish their result by regions

 private:
  std::unique_ptr<const class StripRun> run_;
};

// The program of an elementwise op for operands of these types (scalars promote weakly). The latest are kept.
gc::Ref<const Program> program(const Op& op, std::span<const Type> in, const Attrs& attrs);

// The reference: one element at a time, composites expanded, no vector kernels. For tests and shadow mode.
void run_expression_reference(const Expr& expr, std::span<const View> in, std::span<const View> out);

}  // namespace ember::ops
