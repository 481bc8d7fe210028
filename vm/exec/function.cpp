#include "vm/exec/function.h"

#include <algorithm>
#include <mutex>
#include <set>

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

// The code bound to one key.
class Specialisation {
 public:
  std::vector<uint64_t> key;
  gc::Ref<Binding> binding;
  FunctionBinding* function = nullptr;
};

namespace {

constexpr size_t kMaxSpecialisations = 1024;

// Of every function's specialisations. Calls take it under Python's lock.
gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Specialisations};

// The expressions that sizes and attributes of a code are made of, but for attributes and numbers that are read in each
// call.
std::vector<ops::ExprId> used_exprs(const bytecode::Code& code) {
  std::set<ops::ExprId> used;
  const auto note = [&](ops::Dim d) {
    if (d.symbolic()) used.insert(d.expr);
    return true;
  };
  for (const bytecode::CodeFunction& fn : code.functions) {
    for (const ops::Type& type : fn.registers) std::ranges::for_each(type.dims, note);
  }
  for (const bytecode::CallSite& call : code.calls) {
    ops::Attrs attrs = call.attrs;
    for (size_t i = 0; i < attrs.values().size(); ++i)
      if (call.op->dynamic_attrs >> i & 1) attrs.set(i, {});
    all_dims(attrs, note);
  }
  for (const bytecode::FusedSite& site : code.fused) all_dims(site.reduction.attrs, note);
  return {used.begin(), used.end()};
}

ops::Types param_types(const bytecode::CodeFunction& entry) {
  ops::Types types;
  for (Register param : entry.params) types.push_back(entry.registers[param]);
  return types;
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
  for (const BoundResult& bound : function.results()) {
    Result result;
    result.kind = fn.registers[bound.reg].kind;
    if (ops::is_scalar(result.kind)) {
      result.bits = frame.slots[bound.reg];
    } else if (result.kind == ops::Kind::Stack) {
      result.stack = ops::Stack(frame.pointer<const ops::StackEntry>(bound.reg));
    } else {
      const PlacedRegister& root = function.reg(bound.root);
      const ops::LayoutRef& layout = function.reg(bound.reg).layout;
      const auto offset = static_cast<int64_t>(frame.slots[bound.reg] - frame.slots[bound.root]);
      result.tensor = root.place == Place::Param ? arguments[root.index].tensor->view(layout, offset)
                                                 : ops::Tensor(frame.results[root.index], layout, offset);
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

// One call: of which function, its arguments, its numbers by expression.
struct Call {
  FunctionBinding& function;
  std::span<const Argument> arguments;
  const int64_t* numbers;
};

void run_call(const Call& call, std::vector<Result>* results) {
  FunctionBinding& function = call.function;
  const std::span<const Argument> arguments = call.arguments;
  const bytecode::CodeFunction& fn = function.function();
  std::unique_ptr<Frame> frame = function.acquire_frame();
  frame->numbers = call.numbers;
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

void run_separated(const Call& call, std::vector<Result>* results) {
  if (call.function.written_params().empty()) return run_call(call, results);
  std::vector<ops::Tensor> copies;
  std::vector<Argument> separated;
  separate(call.function, call.arguments, &copies, &separated);
  run_call({call.function, separated, call.numbers}, results);
}

// The tensors are held: without the lock, other threads may drop or replace them.
void run_unlocked(const Call& call, std::vector<Result>* results) {
  std::vector<ops::Tensor> tensors;
  std::vector<Argument> held(call.arguments.begin(), call.arguments.end());
  tensors.reserve(held.size());
  for (Argument& a : held)
    if (a.tensor) a.tensor = &tensors.emplace_back(*a.tensor);
  const auto run = [&] { run_separated({call.function, held, call.numbers}, results); };
  ops::embedding().unlocked([](void* f) { (*static_cast<decltype(run)*>(f))(); },
                            const_cast<void*>(static_cast<const void*>(&run)));
}

}  // namespace

Function::Function(bytecode::CodeRef code, std::vector<Overwrite> overwrites)
    : code_(std::move(code)),
      prologue_(code_->symbols, param_types(entry()), [&] { return used_exprs(*code_); }),
      overwrites_(std::move(overwrites)) {
  const bool writes = std::any_of(code_->calls.begin(), code_->calls.end(),
                                  [](const bytecode::CallSite& call) { return call.op->flags.has(ops::Flag::Memory); });
  for (size_t i = 0; writes && i < entry().params.size(); ++i)
    if (entry().registers[entry().params[i]].kind == ops::Kind::Ref) written_.push_back(i);
  for (const Overwrite& o : overwrites_) written_.push_back(o.param);
  if (hooks().on_function) hooks().on_function(*code_);
  if (written_.empty()) return;
  for (const ops::Tensor& constant : code_->constants) constants_.push_back(memory_of(constant));
  constants_ = joined(std::move(constants_));
}
Function::~Function() = default;

FunctionBinding* Function::bind(std::span<const Argument> arguments) {
  Key key = key_of(arguments);
  std::vector<int64_t> values;
  if (!decide(&key, arguments, &values)) return nullptr;
  Unused unused;
  std::lock_guard lock(mutex);
  Specialisation* specialisation = find(std::move(key), arguments, values, &unused);
  return specialisation ? specialisation->function : nullptr;
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

size_t Function::KeyHash::operator()(const Key& key) const {
  uint64_t hash = key.size();
  for (uint64_t part : key) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash;
}

Function::Key Function::key_of(std::span<const Argument> arguments) const {
  Key key;
  key.reserve(arguments.size() + 1 + prologue_.keyed().size());
  for (const Argument& a : arguments) key.push_back(a.tensor ? a.tensor->layout().id : 0);
  key.push_back(written_unaliased(arguments));
  return key;
}

std::vector<int64_t> Function::early(const Key& key, std::span<const Argument> arguments) {
  std::lock_guard lock(mutex);
  const auto known = early_.find(key);
  if (known != early_.end()) return known->second;
  std::vector<int64_t> values = prologue_.early(arguments);
  if (early_.size() >= kMaxSpecialisations) early_.clear();
  if (!values.empty()) early_.emplace(key, values);
  return values;
}

// The embedding computes some of the numbers, so the lock is not held.
bool Function::decide(Key* key, std::span<const Argument> arguments, std::vector<int64_t>* values) {
  if (!prologue_.has_late()) return true;
  *values = early(*key, arguments);
  if (values->empty() || !prologue_.late(arguments, *values)) return false;
  for (ops::ExprId id : prologue_.keyed()) key->push_back(static_cast<uint64_t>((*values)[id]));
  return true;
}

Specialisation* Function::find(Key key, std::span<const Argument> arguments, const std::vector<int64_t>& values,
                               Unused* unused) {
  if (by_use_.empty() || by_use_.front()->key != key) {
    if (!by_use_.empty()) by_use_.front()->binding->take_idle_arenas(&unused->arenas);
    const auto it = by_key_.find(key);
    if (it == by_key_.end()) {
      std::vector<int64_t> bound = values.empty() ? prologue_.early(arguments) : values;
      if (bound.empty()) return nullptr;
      return add(std::move(key), arguments, std::move(bound), unused);
    }
    by_use_.splice(by_use_.begin(), by_use_, it->second);
  }
  return by_use_.front().get();
}

// Native code was there, but for other shapes: the call goes on in the interpreter.
void Function::count_shape_change() {
  if (by_use_.empty() || !by_use_.front()->function->has_native()) return;
  constexpr auto kReason = static_cast<size_t>(bytecode::DeoptReason::ShapeChanged);
  by_use_.front()->function->profile().deopts[kReason].add();
  bytecode::deopt_counts()[kReason].fetch_add(1, std::memory_order_relaxed);
  if (hooks().trace) hooks().trace("[bailout kind=shape f=" + entry().name + " exit=entry pc=0 -> T0]");
}

std::unique_ptr<Specialisation> Function::evict() {
  std::unique_ptr<Specialisation> evicted = std::move(by_use_.back());
  by_use_.pop_back();
  by_key_.erase(evicted->key);
  ++evictions_;
  return evicted;
}

Specialisation* Function::add(Key key, std::span<const Argument> arguments, std::vector<int64_t> values,
                              Unused* unused) {
  count_shape_change();
  auto added = std::make_unique<Specialisation>();
  std::vector<ops::LayoutRef> layouts;
  for (const Argument& a : arguments) layouts.push_back(a.tensor ? a.tensor->layout_ref() : nullptr);
  BindOptions options{!hooks().shadow, key[arguments.size()] != 0, overwrites_, prologue_.dynamic()};
  added->key = key;
  if (!decoded_) decoded_ = gc::make<DecodedCode>(code_);
  added->binding = gc::make<Binding>(decoded_, std::move(values), std::move(options));
  added->function = &added->binding->function(code_->entry, layouts);
  if (by_use_.size() >= kMaxSpecialisations) unused->evicted = evict();
  by_use_.push_front(std::move(added));
  by_key_.emplace(std::move(key), by_use_.begin());
  return by_use_.front().get();
}

std::vector<PinnedSpecialisation> Function::specialisations() const {
  std::lock_guard lock(mutex);
  std::vector<PinnedSpecialisation> all;
  for (const auto& s : by_use_) all.push_back({s->binding, s->function});
  return all;
}

size_t Function::evictions() const {
  std::lock_guard lock(mutex);
  return evictions_;
}

Prologue::Refusal Function::refusal(std::span<const Argument> arguments) const {
  return prologue_.refusal(arguments, entry().param_names);
}

bool Function::complete(std::span<Argument> arguments) {
  if (!prologue_.computes()) return true;
  Key key = key_of(arguments);
  std::vector<int64_t> values;
  if (!decide(&key, arguments, &values)) return false;
  prologue_.complete(arguments, values);
  return true;
}

bool Function::call(std::span<const Argument> arguments, std::vector<Result>* results) {
  Key key = key_of(arguments);
  std::vector<int64_t> values;
  if (!decide(&key, arguments, &values)) return false;
  std::vector<Argument> completed;
  if (prologue_.computes()) {
    completed.assign(arguments.begin(), arguments.end());
    prologue_.complete(completed, values);
    arguments = completed;
  }
  gc::Ref<Binding> keep;  // another thread may evict it
  FunctionBinding* function = nullptr;
  {
    Unused unused;
    std::lock_guard lock(mutex);
    Specialisation* specialisation = find(std::move(key), arguments, values, &unused);
    if (!specialisation) return false;
    keep = specialisation->binding;
    function = specialisation->function;
  }
  const ops::PinnedIsa pinned;
  const bool locked = function->runs_under_gil() || !ops::embedding().unlocked;
  const Call running{*function, arguments, values.data()};
  locked ? run_separated(running, results) : run_unlocked(running, results);
  return true;
}

}  // namespace ember::vm
