// A schedule of a program made ready to run on one thread: the table of pointers, buffers, and what native code takes
// over. Indices number the operands first (inputs, then outputs), whose pointers the caller sets.
#pragma once

#include <cstring>

#include "ops/base/isa.h"
#include "ops/program/program.h"

namespace ember::ops {

// Memory for buffers, per thread, aligned to a cache line; valid until the next call.
std::byte* strip_scratch(size_t bytes);

// n elements of `size` bytes; strides in bytes.
void copy_row(std::byte* to, int64_t to_stride, const std::byte* from, int64_t from_stride, int64_t n, size_t size);

class StripMachine {
 public:
  // With `extra` buffers more, each for a strip of any operand.
  StripMachine(const StripSchedule& schedule, size_t operands, size_t extra)
      : schedule_(schedule), isa_(static_cast<size_t>(ops::isa())), loop_(schedule.loops[isa_].get()) {
    const size_t pointers = operands + schedule.buffers + schedule.constants.size();
    const size_t table = pointers > kFew ? (pointers * sizeof(void*) + 63) / 64 * 64 : 0;
    const size_t held = (schedule.buffers + extra) * schedule.buffer_bytes;
    std::byte* memory = table + held ? strip_scratch(table + held) : nullptr;
    pointers_ = table ? reinterpret_cast<void**>(memory) : few_;
    memory += table;
    for (size_t i = 0; i < schedule.buffers; ++i) pointers_[operands + i] = memory + i * schedule.buffer_bytes;
    for (size_t i = 0; i < schedule.constants.size(); ++i) {
      pointers_[operands + schedule.buffers + i] = const_cast<void*>(schedule.constants[i].get());
    }
    extra_ = memory + schedule.buffers * schedule.buffer_bytes;
  }
  StripMachine(const StripMachine&) = delete;
  StripMachine& operator=(const StripMachine&) = delete;

  void** pointers() { return pointers_; }
  std::byte* extra(size_t i) const { return extra_ + i * schedule_.buffer_bytes; }
  bool native() const { return loop_ != nullptr; }
  size_t isa() const { return isa_; }
  bool uniform(size_t input) const { return input < 64 && (schedule_.uniform >> input & 1); }

  // Computes what depends on uniform inputs alone, spread over strips of up to `longest` elements.
  void prepare(int64_t longest) const;

  // n elements, at most a strip unless native.
  void compute(int64_t n) const {
    if (loop_) return loop_(n, pointers_);
    for (auto s = schedule_.steps.begin(); s != schedule_.steps.end(); ++s) {
      if (s->passes == 0) {
        execute(*s, n);
      } else if (!std::memchr(pointers_[s->a], s->when, static_cast<size_t>(n))) {
        s += s->passes;
      }
    }
  }

 private:
  static constexpr size_t kFew = 48;

  void execute(const StripStep& s, int64_t n) const {
    s.fn[isa_](n, pointers_[s.out], pointers_[s.a], pointers_[s.b], pointers_[s.c]);
  }

  const StripSchedule& schedule_;
  size_t isa_;
  StripLoop loop_;
  void* few_[kFew];
  void** pointers_;
  std::byte* extra_;
};

}  // namespace ember::ops
