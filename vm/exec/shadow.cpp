#include "vm/exec/shadow.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "ops/base/isa.h"
#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/tensor/convert.h"
#include "vm/exec/interpreter.h"
#include "vm/exec/steps.h"
#include "vm/state/hooks.h"

namespace ember::vm {
namespace {

using bytecode::Decoded;
using ops::Kind;

constexpr uint32_t kEnd = ~0u;         // a pc: the function returned
constexpr uint32_t kRaised = ~0u - 1;  // a pc: a kernel raised an error
constexpr uint64_t kToEnd = ~uint64_t{0};

bool acts_outside(const FunctionBinding& function, std::set<const FunctionBinding*>* seen) {
  if (!seen->insert(&function).second) return false;
  return std::any_of(function.steps().begin(), function.steps().end(), [&](const Step& step) {
    if (step.kind == Handler::Call) return acts_outside(*step.operands->callee, seen);
    return step.kind == Handler::Kernel && step.operands->op->flags.has(ops::Flag::Io);
  });
}

// Registers that a path leaves unwritten are to be equal as well.
void clear(Frame& frame, const FunctionBinding& function) {
  const bytecode::CodeFunction& fn = function.function();
  std::vector<bool> is_param(fn.registers.size());
  for (Register r : fn.params) is_param[r] = true;
  for (size_t r = 0; r < fn.registers.size(); ++r) {
    const PlacedRegister& placed = function.reg(static_cast<Register>(r));
    if (placed.place == Place::Scalar && !is_param[r]) frame.slots[r] = 0;
    if (placed.place == Place::Arena || placed.place == Place::Result)
      std::memset(frame.pointer<void>(static_cast<Register>(r)), 0, placed.layout->bytes());
  }
}

// A call as it begins: parameters, and what the Refs among them hold.
class Start {
 public:
  Start(FunctionBinding& function, std::vector<uint64_t> params, const int64_t* numbers)
      : function(function), params_(std::move(params)), numbers_(numbers) {
    const bytecode::CodeFunction& fn = function.function();
    for (size_t i = 0; i < params_.size(); ++i) {
      if (fn.registers[fn.params[i]].kind != Kind::Ref) continue;
      const ops::Layout& layout = *function.reg(fn.params[i]).layout;
      int64_t low = 0, high = layout.numel == 0 ? 0 : 1;
      for (size_t d = 0; layout.numel > 0 && d < layout.rank(); ++d) {
        const int64_t reach = (layout.shape[d] - 1) * layout.strides[d];
        (reach < 0 ? low : high) += reach;
      }
      const auto item = static_cast<int64_t>(itemsize(layout.dtype));
      refs_.push_back(
          {i, low * item, copy(reinterpret_cast<std::byte*>(params_[i]) + low * item, (high - low) * item)});
    }
  }

  FunctionBinding& function;

 private:
  friend class Run;
  struct Ref {
    size_t param;
    int64_t low;  // bytes from the first element to the lowest
    gc::Ref<gc::Storage> contents;
  };
  static gc::Ref<gc::Storage> copy(const void* from, int64_t bytes) {
    gc::Ref<gc::Storage> block = gc::allocate(static_cast<size_t>(bytes));
    std::memcpy(block->data(), from, static_cast<size_t>(bytes));
    return block;
  }

  std::vector<uint64_t> params_;
  const int64_t* numbers_;
  std::vector<Ref> refs_;
};

// One repetition of the call, on a frame and copies of its own.
class Run {
 public:
  explicit Run(const Start& start) : function_(start.function), frame_(function_.acquire_frame()) {
    const bytecode::CodeFunction& fn = function_.function();
    std::vector<uint64_t> params = start.params_;
    for (const Start::Ref& ref : start.refs_) {
      size_t same = 0;
      while (start.params_[same] != start.params_[ref.param]) ++same;
      if (same < ref.param) {
        params[ref.param] = params[same];
        continue;
      }
      copies_.push_back(Start::copy(ref.contents->data(), static_cast<int64_t>(ref.contents->size())));
      params[ref.param] = reinterpret_cast<uint64_t>(copies_.back()->data()) - static_cast<uint64_t>(ref.low);
    }
    for (size_t i = 0; i < params.size(); ++i) frame_->slots[fn.params[i]] = params[i];
    frame_->numbers = start.numbers_;
    function_.enter(*frame_);
    clear(*frame_, function_);
  }
  ~Run() {
    frame_->trips_left = frame_->poll_trips = kFirstPoll;
    frame_->error = nullptr;
    function_.release_frame(std::move(frame_));
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  Frame& frame() { return *frame_; }

  void interpret() {
    const InterpreterOnly only;
    const ops::WithoutEmitted without;
    resume(*frame_, function_);
  }

  // Natively to the n-th deopt stress point; returns the pc there.
  uint32_t native(uint64_t n) {
    const gc::Ref<Native> native = function_.native();
    frame_->trips_left = ~0u;
    frame_->forced_left = n == kToEnd ? 0 : static_cast<uint32_t>(n);
    const uint32_t exit = native->entry_at(0)(frame_->slots, frame_.get());
    return exit == Native::kReturned ? kEnd : frame_->error ? kRaised : native->exits[exit].pc;
  }

  // Step by step to the same place, or to where `before` returns false to a step.
  template <class F>
  uint32_t reference(uint64_t n, F&& before) {
    const InterpreterOnly only;
    const ops::WithoutEmitted without;
    if (n == 1) return 0;
    uint64_t points = 1;
    const Step* const steps = function_.steps().data();
    for (const Step* step = steps + function_.step_at(0);; ++step) {
      const bool point = step->kind == Handler::Loop || step->kind == Handler::Branch;
      frame_->pc = step->pc;
      if ((point && ++points == n) || !before(*step)) return step->pc;
      if (step->kind == Handler::Return) return kEnd;
      try {
        const Step* to = single(*step, steps);
        if (to) step = to - 1;
      } catch (const ops::OpError&) {
        return kRaised;
      }
    }
  }

 private:
  // Answers where a jump goes, else null.
  const Step* single(const Step& s, const Step* steps) {
    switch (s.kind) {
      case Handler::Jump:
        return steps + s.target;
      case Handler::Branch:
        return frame_->slots[s.a] & 1 ? nullptr : steps + s.target;
      case Handler::Loop:
        return nullptr;
      default:
        execute(s, *frame_);
        return nullptr;
    }
  }

  FunctionBinding& function_;
  std::unique_ptr<Frame> frame_;
  std::vector<gc::Ref<gc::Storage>> copies_;
};

struct Elements {
  int64_t count = 0, first = 0;  // of those that differ
  double native = 0, interpreted = 0;
};

bool same_number(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
bool both_nan(const T& a, const T& b) {
  if constexpr (ops::is_complex_type<T>) return same_number(a.real(), b.real()) && same_number(a.imag(), b.imag());
  return std::isnan(ops::convert_value<double>(a)) && std::isnan(ops::convert_value<double>(b));
}

Elements compare(const void* native, const void* interpreted, const ops::Layout& layout) {
  if (layout.contiguous && std::memcmp(native, interpreted, layout.bytes()) == 0) return {};
  const ops::LayoutRef dense = ops::layout(layout.dtype, layout.shape);
  const gc::Ref<gc::Storage> x = gc::allocate(dense->bytes()), y = gc::allocate(dense->bytes());
  ops::copy_view({const_cast<void*>(native), &layout}, {x->data(), dense.get()});
  ops::copy_view({const_cast<void*>(interpreted), &layout}, {y->data(), dense.get()});
  Elements out;
  if (std::memcmp(x->data(), y->data(), dense->bytes()) == 0) return out;
  ops::dispatch_any(layout.dtype, [&]<class T>() {
    for (int64_t i = 0; i < layout.numel; ++i) {
      const T& p = static_cast<const T*>(x->data())[i];
      const T& q = static_cast<const T*>(y->data())[i];
      if (std::memcmp(&p, &q, sizeof p) == 0) continue;
      const auto a = ops::convert_value<double>(p), b = ops::convert_value<double>(q);
      if (both_nan(p, q)) continue;
      if (out.count++ == 0) out = {1, i, a, b};
    }
  });
  return out;
}

// The text of what differs in register r; nothing if it is equal. Stacks hold copies of registers, and are not
// compared.
std::optional<std::string> difference(const FunctionBinding& function, Register r, const Frame& native,
                                      const Frame& interpreted) {
  const ops::Type& type = function.function().registers[r];
  const uint64_t x = native.slots[r], y = interpreted.slots[r];
  char text[160];
  if (type.is_tensor()) {
    if (x == y) return std::nullopt;
    const ops::Layout& layout = *function.reg(r).layout;
    const Elements e = compare(native.pointer<void>(r), interpreted.pointer<void>(r), layout);
    if (e.count == 0) return std::nullopt;
    std::snprintf(text, sizeof text, "r%u differs in %lld of %lld elements, first in number %lld: %.17g, not %.17g", r,
                  static_cast<long long>(e.count), static_cast<long long>(layout.numel),
                  static_cast<long long>(e.first), e.native, e.interpreted);
  } else if (type.kind == Kind::Float) {
    if (same_number(std::bit_cast<double>(x), std::bit_cast<double>(y))) return std::nullopt;
    std::snprintf(text, sizeof text, "r%u is %.17g, not %.17g", r, std::bit_cast<double>(x), std::bit_cast<double>(y));
  } else {
    const uint64_t mask = type.kind == Kind::Bool ? 0xFF : type.kind == Kind::Int ? ~uint64_t{0} : 0;
    if (((x ^ y) & mask) == 0) return std::nullopt;
    std::snprintf(text, sizeof text, "r%u is %lld, not %lld", r, static_cast<long long>(x & mask),
                  static_cast<long long>(y & mask));
  }
  return text;
}

bool equal(const FunctionBinding& function, const Frame& native, const Frame& interpreted) {
  for (size_t r = 0; r < function.function().registers.size(); ++r)
    if (difference(function, static_cast<Register>(r), native, interpreted)) return false;
  return true;
}

// Looks for the wrong instruction of a call, whose random keys are those of `keys`.
class Search {
 public:
  Search(const Start& start, ops::KeyReplay& keys) : start_(start), function_(start.function), keys_(keys) {}

  // Nothing if the tiers agree.
  std::optional<std::string> run() {
    if (!differs(kToEnd)) return std::nullopt;
    uint64_t low = 0, high = 1;
    {
      Run counting(start_);
      keys_.rewind();
      counting.reference(kToEnd, [&](const Step& s) {
        high += s.kind == Handler::Loop || s.kind == Handler::Branch;
        return true;
      });
      ++high;
    }
    const uint64_t end = high;
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      (differs(middle) ? high : low) = middle;
    }
    return between(low, high == end ? kToEnd : high);
  }

 private:
  uint32_t native(Run& run, uint64_t n) {
    keys_.rewind();
    return run.native(n);
  }
  template <class F>
  uint32_t reference(Run& run, uint64_t n, F&& before) {
    keys_.rewind();
    return run.reference(n, before);
  }

  bool differs(uint64_t n) {
    if (n == 0) return false;
    Run a(start_), b(start_);
    const uint32_t at = native(a, n);
    return reference(b, n, [](const Step&) { return true; }) != at || !equal(function_, a.frame(), b.frame());
  }

  // The first instruction between two stress points that writes what differs at the second.
  std::string between(uint64_t low, uint64_t high) {
    Run a(start_), b(start_);
    std::vector<const Step*> steps;
    std::map<const Step*, uint64_t> times;
    uint64_t points = 1;
    const uint32_t there = native(a, high);
    const uint32_t here = reference(b, high, [&](const Step& s) {
      points += s.kind == Handler::Loop || s.kind == Handler::Branch;
      if (points >= low) steps.push_back(&s);
      ++times[&s];
      return true;
    });
    for (const Step* step : steps)
      for (Register r : written(step->pc))
        if (const auto what = difference(function_, r, a.frame(), b.frame())) return inside(*step, times[step], *what);
    const uint32_t first = steps.empty() ? 0 : steps.front()->pc;
    if (there == kRaised && here != kRaised) return describe(a.frame().pc, "it raised an error");
    if (here == kRaised && there != kRaised) return describe(b.frame().pc, "it raised no error");
    if (there != here) return describe(first, "it goes on at another place");
    return describe(first, "memory that neither this instruction nor those after it should write has changed");
  }

  std::vector<Register> written(uint32_t pc) const {
    const bytecode::CodeFunction& fn = function_.function();
    Decoded d = decode(fn, pc);
    const bool calls = d.op == bytecode::Instruction::Call || d.op == bytecode::Instruction::Apply;
    for (Register r : d.inputs)
      if (calls && r != kNoRegister && fn.registers[r].kind == Kind::Ref) d.outputs.push_back(r);
    return d.outputs;
  }

  // A call's own instructions are compared with the arguments that it had, the last of so many `times`.
  std::string inside(const Step& guilty, uint64_t times, const std::string& what) {
    if (guilty.kind == Handler::Call && guilty.operands->callee->has_native()) {
      Run run(start_);
      reference(run, kToEnd, [&](const Step& s) { return &s != &guilty || --times != 0; });
      std::vector<uint64_t> arguments;
      for (uint32_t i = 0; i < guilty.operands->inputs; ++i)
        arguments.push_back(run.frame().slots[guilty.operands->regs[i]]);
      const Start call(*guilty.operands->callee, std::move(arguments), run.frame().numbers);
      ops::KeyReplay keys;
      if (const auto difference = Search(call, keys).run()) return *difference;
    }
    return describe(guilty.pc, what);
  }

  std::string describe(uint32_t pc, const std::string& what) const {
    const bytecode::Code& code = function_.code();
    const uint32_t number = function_.number();
    const bytecode::Source source = code.source(number, pc);
    std::string text = "native code of " + function_.function().name + " differs from the interpreter: " + what + "\n" +
                       disassemble_instruction(code, number, pc);
    if (source.line != 0) text += "\n  at " + code.files[source.file] + ":" + std::to_string(source.line);
    return text;
  }

  const Start& start_;
  FunctionBinding& function_;
  ops::KeyReplay& keys_;
};

std::vector<uint64_t> parameters(const FunctionBinding& function, const Frame& frame) {
  std::vector<uint64_t> params;
  for (Register r : function.function().params) params.push_back(frame.slots[r]);
  return params;
}

template <class F>
std::exception_ptr raised(F&& run) {
  try {
    run();
    return nullptr;
  } catch (const ops::OpError&) {
    return std::current_exception();
  }
}

[[noreturn]] void fail(const std::string& text) {
  const std::string line = "shadow: " + text;
  std::fprintf(stderr, "%s\n", line.c_str());
  throw ShadowMismatch(line);
}

}  // namespace

void resume_in_shadow(Frame& frame, FunctionBinding& function) {
  std::set<const FunctionBinding*> looked_at;
  if (!function.has_native() && hooks().on_hot) hooks().on_hot(function);
  if (!function.has_native() || acts_outside(function, &looked_at)) return resume(frame, function);
  const Start start(function, parameters(function, frame), frame.numbers);
  ops::KeyReplay keys;
  Run reference(start);
  const std::exception_ptr expected = raised([&] { reference.interpret(); });
  keys.rewind();
  clear(frame, function);
  const std::exception_ptr error = raised([&] { resume(frame, function); });
  if (expected && error) std::rethrow_exception(error);
  if (!expected && !error && equal(function, frame, reference.frame())) return;
  fail(Search(start, keys)
           .run()
           .value_or("a call of " + function.function().name +
                     " differs from the interpreter's, but not when it is repeated"));
}

}  // namespace ember::vm
