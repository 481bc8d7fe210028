#include "vm/exec/function.h"

#include <algorithm>
#include <mutex>

#include "gc/fork.h"
#include "ops/base/interrupt.h"
#include "ops/base/pinned_isa.h"
#include "ops/base/timeline.h"
#include "ops/eager/eager.h"
#include "vm/exec/interpreter.h"
#include "vm/exec/shadow.h"
#include "vm/state/hooks.h"

namespace ember::vm {

Hooks& hooks() {
  static Hooks instance;
  return instance;
}

// One tuple of argument layouts and the code bound to it.
class Specialisation {
 public:
  std::vector<uint64_t> key;  // layout ids; 0 for scalars
  gc::Ref<Binding> binding;
  FunctionBinding* function = nullptr;

  bool matches(std::span<const Argument> arguments, bool written_unaliased) const {
    if (binding->options().written_unaliased != written_unaliased) return false;
    for (size_t i = 0; i < key.size(); ++i)
      if (arguments[i].tensor && arguments[i].tensor->layout().id != key[i]) return false;
    return true;
  }
};

namespace {

constexpr size_t kMaxSpecialisations = 256;

// Of every function's specialisations. Calls take it under Python's lock.
gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Specialisations};

// Symbol values from the parameters' dims; false if a dtype, rank, constant size or guard disagrees.
bool solve(const bytecode::Code& code, std::span<const Argument> arguments, std::vector<int64_t>* dims) {
  const bytecode::CodeFunction& fn = code.functions[code.entry];
  std::vector<int64_t> symbols(code.symbols.symbols(), -1);
  const std::vector<ops::DimExpr>& exprs = code.symbols.exprs();
  for (size_t i = 0; i < fn.params.size(); ++i) {
    const ops::Type& type = fn.registers[fn.params[i]];
    if (!type.is_tensor()) continue;
    const ops::Tensor& t = *arguments[i].tensor;
    if (t.dtype() != type.dtype || t.rank() != type.dims.size()) return false;
    for (size_t axis = 0; axis < t.rank(); ++axis) {
      const ops::Dim& d = type.dims[axis];
      int64_t size = t.shape()[axis];
      bool symbol = d.symbolic() && exprs[d.expr].op == ops::DimOp::Symbol;
      if (!symbol) {
        if (!d.symbolic() && size != d.value) return false;
        continue;
      }
      int64_t& value = symbols[exprs[d.expr].a];
      if (value >= 0 && value != size) return false;
      if (size < 2) return false;
      value = size;
    }
  }
  for (size_t i = 0; i < exprs.size(); ++i)
    if (exprs[i].op == ops::DimOp::Symbol && symbols[exprs[i].a] < 0) symbols[exprs[i].a] = exprs[i].value;
  *dims = code.symbols.evaluate(symbols);
  for (size_t i = 0; i < fn.params.size(); ++i) {
    const ops::Dims& sizes = fn.registers[fn.params[i]].dims;
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (sizes[axis].symbolic() && (*dims)[sizes[axis].expr] != arguments[i].tensor->shape()[axis]) return false;
  }
  return code.symbols.holds(*dims);
}

// The whole block: two may cover the same memory if one was made from memory of outside.
Memory memory_of(const ops::Tensor& t) {
  const auto* begin = static_cast<const std::byte*>(t.storage()->data());
  return {begin, begin + t.storage()->size()};
}
bool overlap(const Memory& a, const Memory& b) {
  return std::less<>()(a.begin, b.end) && std::less<>()(b.begin, a.end);
}
bool before(const Memory& a, const Memory& b) { return std::less<>()(a.begin, b.begin); }

std::vector<Memory> joined(std::vector<Memory> all) {
  std::sort(all.begin(), all.end(), before);
  std::vector<Memory> out;
  for (const Memory& m : all) {
    if (out.empty() || !overlap(out.back(), m))
      out.push_back(m);
    else
      out.back().end = std::max(out.back().end, m.end, std::less<>());
  }
  return out;
}

// A plain argument that shares memory with another that is written is copied, so that it keeps its value of call time.
void separate(const FunctionBinding& function, std::span<const Argument> arguments, std::vector<ops::Tensor>* copies,
              std::vector<Argument>* separated) {
  const bytecode::CodeFunction& fn = function.function();
  const auto written = [&](size_t i) {
    return std::ranges::any_of(function.written_params(), [&](Register r) {
      const size_t param = function.reg(r).index;
      return param != i && overlap(memory_of(*arguments[param].tensor), memory_of(*arguments[i].tensor));
    });
  };
  separated->assign(arguments.begin(), arguments.end());
  copies->reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (fn.registers[fn.params[i]].kind != ops::Kind::Tensor) continue;
    if (!written(i)) continue;
    const ops::Tensor& t = *arguments[i].tensor;
    ops::Tensor copy(gc::allocate(t.storage()->size()), t.layout_ref(), t.offset());
    std::copy_n(static_cast<const std::byte*>(t.storage()->data()), t.storage()->size(),
                static_cast<std::byte*>(copy.storage()->data()));
    copies->push_back(copy);
    (*separated)[i].tensor = &copies->back();
  }
}

void collect(const FunctionBinding& function, const Frame& frame, std::span<const Argument> arguments,
             std::vector<Result>* results) {
  const bytecode::CodeFunction& fn = function.function();
  results->clear();
  for (const BoundResult& plan : function.bound().results) {
    Result result;
    result.kind = fn.registers[plan.reg].kind;
    if (ops::is_scalar(result.kind)) {
      result.bits = frame.slots[plan.reg];
    } else if (result.kind == ops::Kind::Stack) {
      result.stack = ops::Stack(frame.pointer<const ops::StackEntry>(plan.reg));
    } else {
      const BoundRegister& root = function.reg(plan.root);
      const ops::LayoutRef& layout = function.reg(plan.reg).layout;
      result.tensor = root.place == Place::Param ? arguments[root.index].tensor->view(layout, plan.offset)
                                                 : ops::Tensor(frame.results[root.index], layout, plan.offset);
    }
    results->push_back(std::move(result));
  }
}

// While one lives, what a call writes is being written.
class WritingParams {
 public:
  WritingParams(const FunctionBinding& function, std::span<const Argument> arguments)
      : function_(function), arguments_(arguments) {
    for (Register r : function_.written_params()) storage(r).share();
  }
  ~WritingParams() {
    for (Register r : function_.written_params()) storage(r).unshare();
  }
  WritingParams(const WritingParams&) = delete;
  WritingParams& operator=(const WritingParams&) = delete;

 private:
  const gc::Storage& storage(Register r) const { return *arguments_[function_.reg(r).index].tensor->storage(); }

  const FunctionBinding& function_;
  const std::span<const Argument> arguments_;
};

void run_call(FunctionBinding& function, std::span<const Argument> arguments, std::vector<Result>* results) {
  const bytecode::CodeFunction& fn = function.function();
  std::unique_ptr<Frame> frame = function.acquire_frame();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& a = arguments[i];
    frame->slots[fn.params[i]] = a.tensor ? reinterpret_cast<uint64_t>(a.tensor->data()) : a.bits;
    frame->storages[i] = a.tensor ? a.tensor->storage().get() : nullptr;
  }
  function.enter(*frame);
  Profile& profile = function.profile();
  bool native = function.has_native();
  const ops::TimedSpan span(native ? "native code" : "interpreter", [&] { return function.function().name; });
  const uint64_t start = frame->polled_at;
  {
    const WritingParams writing(function, arguments);
    hooks().shadow ? resume_in_shadow(*frame, function) : resume(*frame, function);
  }
  uint64_t end = ticks();
  profile.calls.add();
  profile.last_used.set(end);
  if (native) {
    profile.native_calls.add();
    profile.native_ticks.add(end - start);
  } else {
    profile.interpreted_ticks.add(end - frame->polled_at);
  }
  collect(function, *frame, arguments, results);
  function.release_frame(std::move(frame));
  if (!native && hooks().on_hot && profile.interpreted_ticks.get() >= profile.hot_after.get()) hooks().on_hot(function);
}

void run_separated(FunctionBinding& function, std::span<const Argument> arguments, std::vector<Result>* results) {
  if (function.written_params().empty()) return run_call(function, arguments, results);
  std::vector<ops::Tensor> copies;
  std::vector<Argument> separated;
  separate(function, arguments, &copies, &separated);
  run_call(function, separated, results);
}

// The tensors are held: without the lock, other threads may drop or replace them.
void run_unlocked(FunctionBinding& function, std::span<const Argument> arguments, std::vector<Result>* results) {
  std::vector<ops::Tensor> tensors;
  std::vector<Argument> held(arguments.begin(), arguments.end());
  tensors.reserve(held.size());
  for (Argument& a : held)
    if (a.tensor) a.tensor = &tensors.emplace_back(*a.tensor);
  const auto run = [&] { run_separated(function, held, results); };
  ops::embedding().unlocked([](void* f) { (*static_cast<decltype(run)*>(f))(); },
                            const_cast<void*>(static_cast<const void*>(&run)));
}

}  // namespace

Function::Function(bytecode::CodeRef code, std::vector<Overwrite> overwrites)
    : code_(std::move(code)), overwrites_(std::move(overwrites)) {
  const bool writes = std::any_of(code_->calls.begin(), code_->calls.end(),
                                  [](const bytecode::CallSite& call) { return call.op->flags.has(ops::Flag::Memory); });
  for (size_t i = 0; writes && i < entry().params.size(); ++i)
    if (entry().registers[entry().params[i]].kind == ops::Kind::Ref) written_.push_back(i);
  for (const Overwrite& o : overwrites_) written_.push_back(o.param);
  if (written_.empty()) return;
  for (const ops::Tensor& constant : code_->constants) constants_.push_back(memory_of(constant));
  constants_ = joined(std::move(constants_));
}
Function::~Function() = default;

FunctionBinding* Function::bind(std::span<const Argument> arguments) {
  std::unique_ptr<Specialisation> evicted;
  std::lock_guard lock(mutex);
  Specialisation* found = find(arguments, &evicted);
  return found ? found->function : nullptr;
}

bool Function::written_unaliased(std::span<const Argument> arguments) const {
  std::vector<Memory> written;
  for (size_t i : written_) written.push_back(memory_of(*arguments[i].tensor));
  std::sort(written.begin(), written.end(), before);
  auto constant = constants_.begin();
  for (size_t i = 0; i < written.size(); ++i) {
    if (i > 0 && overlap(written[i - 1], written[i])) return false;
    while (constant != constants_.end() && !std::less<>()(written[i].begin, constant->end)) ++constant;
    if (constant != constants_.end() && overlap(*constant, written[i])) return false;
  }
  return true;
}

// What the caller destroys, without the lock, is `evicted`.
Specialisation* Function::find(std::span<const Argument> arguments, std::unique_ptr<Specialisation>* evicted) {
  const bool unaliased = written_unaliased(arguments);
  for (size_t i = 0; i < specialisations_.size(); ++i) {
    if (!specialisations_[i]->matches(arguments, unaliased)) continue;
    if (i >= 4) std::swap(specialisations_[i], specialisations_[i / 2]);
    return specialisations_[i >= 4 ? i / 2 : i].get();
  }
  return add(arguments, unaliased, evicted);
}

// Native code was there, but for other shapes: the call goes on in the interpreter.
void Function::count_shape_change() {
  FunctionBinding& last = *specialisations_.front()->function;
  if (!last.has_native()) return;
  constexpr auto kReason = static_cast<size_t>(bytecode::DeoptReason::ShapeChanged);
  last.profile().deopts[kReason].add();
  bytecode::deopt_counts()[kReason].fetch_add(1, std::memory_order_relaxed);
  if (hooks().trace) hooks().trace("[bailout kind=shape f=" + entry().name + " exit=entry pc=0 -> T0]");
}

Specialisation* Function::add(std::span<const Argument> arguments, bool written_unaliased,
                              std::unique_ptr<Specialisation>* evicted) {
  std::vector<int64_t> dims;
  if (!solve(*code_, arguments, &dims)) return nullptr;
  if (!specialisations_.empty()) count_shape_change();
  auto added = std::make_unique<Specialisation>();
  std::vector<ops::LayoutRef> layouts;
  for (const Argument& a : arguments) {
    layouts.push_back(a.tensor ? a.tensor->layout_ref() : nullptr);
    added->key.push_back(a.tensor ? a.tensor->layout().id : 0);
  }
  BindOptions options{!hooks().shadow, written_unaliased, overwrites_};
  added->binding = gc::make<Binding>(code_, std::move(dims), std::move(options));
  added->function = &added->binding->function(code_->entry, layouts);
  if (specialisations_.size() >= kMaxSpecialisations) {
    *evicted = std::move(specialisations_.back());
    specialisations_.pop_back();
    ++evictions_;
  }
  specialisations_.insert(specialisations_.begin(), std::move(added));
  return specialisations_.front().get();
}

std::vector<PinnedSpecialisation> Function::specialisations() const {
  std::lock_guard lock(mutex);
  std::vector<PinnedSpecialisation> all;
  for (const auto& s : specialisations_) all.push_back({s->binding, s->function});
  return all;
}

size_t Function::evictions() const {
  std::lock_guard lock(mutex);
  return evictions_;
}

bool Function::call(std::span<const Argument> arguments, std::vector<Result>* results) {
  gc::Ref<Binding> keep;  // another thread may evict it
  std::unique_ptr<Specialisation> evicted;
  FunctionBinding* function = nullptr;
  {
    std::lock_guard lock(mutex);
    Specialisation* found = find(arguments, &evicted);
    if (!found) return false;
    keep = found->binding;
    function = found->function;
  }
  const ops::PinnedIsa pinned;
  const bool locked = function->runs_under_gil() || !ops::embedding().unlocked;
  locked ? run_separated(*function, arguments, results) : run_unlocked(*function, arguments, results);
  return true;
}

}  // namespace ember::vm
