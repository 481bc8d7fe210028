// When to compile: as soon as the time a function has spent in the interpreter, times what native code is expected to
// save of it, passes the estimated cost of compiling (ski rental: never much worse than either choice). Small functions
// are compiled where they got hot, large ones by one background thread. A failure is reported and not tried again; an
// exit that is taken often gives up what it assumed, and the function is compiled anew. A program of elementwise steps,
// be it an eager op's or one that an interpreted function runs, is counted in elements too, and gets a loop by the same
// reckoning where it runs.
#include "tiers/policy.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "gc/fork.h"
#include "ops/base/pinned_isa.h"
#include "ops/program/program.h"
#include "tiers/dump/dump.h"
#include "tiers/emit/function_code.h"
#include "tiers/emit/strip_loop.h"
#include "tiers/tiers.h"
#include "vm/state/hooks.h"

namespace ember::tiers {
namespace {

constexpr double kFixedCost = 30e-6;  // seconds
constexpr double kCostPerStep = 4e-6;
constexpr double kCostPerVerb = 1.5e-6;  // of an expression
constexpr double kCostPerComposite = 60e-6;
constexpr double kExpectedSaving = 0.5;  // of the interpreter's time
constexpr double kInlineLimit = 1e-3;    // seconds of estimated cost above which the background thread compiles
constexpr double kVerbTime = 0.04e-9;    // in strips, an element
constexpr double kCompositeTime = 0.4e-9;
constexpr uint64_t kHotExit = 10;

// What is remembered of a bound function. It is listed while it has native code, for eviction.
class TierState final : public gc::Counted {
 public:
  explicit TierState(vm::FunctionBinding& function);
  ~TierState() override;
  vm::FunctionBinding& function;
  std::set<uint32_t> refuted;  // branches; of whoever set `busy`
  std::atomic<bool> busy{false};
  std::atomic<bool> failed{false};
};

struct Registry {
  gc::ForkMutex<gc::RecursiveMutex> mutex{gc::ForkRank::Functions};
  std::vector<TierState*> states;
};
Registry& registry() {
  static Registry* r = new Registry();
  return *r;
}

TierState::TierState(vm::FunctionBinding& f) : function(f) {
  std::lock_guard lock(registry().mutex);
  registry().states.push_back(this);
}
TierState::~TierState() {
  std::lock_guard lock(registry().mutex);
  std::erase(registry().states, this);
}

TierState& state_of(vm::FunctionBinding& function) {
  std::lock_guard lock(registry().mutex);
  if (!function.tier_state) function.tier_state = gc::make<TierState>(function);
  return static_cast<TierState&>(*function.tier_state);
}

double per_verb(const ops::Expr& expr, double primitive, double composite) {
  double sum = 0;
  for (const ops::ExprNode& node : expr.nodes) sum += is_composite(node.verb) ? composite : primitive;
  return sum;
}

double estimated_cost(const vm::FunctionBinding& function) {
  double cost = kFixedCost + kCostPerStep * static_cast<double>(function.steps().size());
  for (const vm::Step& step : function.steps()) {
    if (const vm::Step* loop = vm::loop_of(step))
      cost += per_verb(loop->operands->program->expr(), kCostPerVerb, kCostPerComposite);
  }
  return cost * options().eagerness;
}

void trace(const char* format, auto... values) {
  if (!vm::hooks().trace) return;
  char line[400];
  int n = std::snprintf(line, sizeof line, format, values...);
  vm::hooks().trace(std::string_view(line, static_cast<size_t>(std::min<int>(n, sizeof line - 1))));
}

const char* name_of(const vm::FunctionBinding& function) { return function.function().name.c_str(); }

// " at=FILE:LINE", or nothing.
std::string place(const vm::FunctionBinding& function, uint32_t pc) {
  const bytecode::Source source = function.code().source(function.number(), pc);
  return source.line ? " at=" + function.code().files[source.file] + ":" + std::to_string(source.line) : "";
}

// " held=True met=False" of a branch.
std::string assumed(const vm::FunctionBinding& function, const vm::Native& native, const vm::NativeExit& taken) {
  if (taken.reason != bytecode::DeoptReason::BranchNotTaken) return "";
  const uint32_t branch = function.steps()[function.step_at(taken.pc)].branch;
  const bool held = static_cast<const NativeFunction&>(native).speculation.branches[branch] == 1;
  return held ? " held=True met=False" : " held=False met=True";
}

Speculation assumptions(const vm::FunctionBinding& function, const TierState& state) {
  Speculation s = options().speculate ? speculate(function, state.refuted) : Speculation{};
  s.forced_exits = vm::hooks().deopt_every != 0 || vm::hooks().shadow;
  return s;
}

// The schedule that a loop serves keeps its code.
template <class Loop>
bool install(ops::LoopSlot<Loop>& slot, const std::function<gc::Ref<CodeBlock>(std::string*)>& compile,
             std::string* why_not) {
  static auto& mutex = *new gc::ForkMutex<std::mutex>(gc::ForkRank::Loops);
  std::lock_guard lock(mutex);
  if (slot.filled()) return true;
  gc::Ref<CodeBlock> block = compile(why_not);
  if (block) slot.set(reinterpret_cast<Loop>(reinterpret_cast<uintptr_t>(block->address())), block);
  return static_cast<bool>(block);
}

bool install_loop(const ops::Program& program, const ops::StripSchedule& schedule, std::string* why_not) {
  const auto compile = [&](std::string* why) { return compile_strip_loop(program.expr(), schedule.uniform, why); };
  return install(schedule.loops[static_cast<size_t>(ops::isa())], compile, why_not);
}

void install_strip_loop(const vm::FunctionBinding& function, const vm::PreparedOperands& operands) {
  const std::vector<ops::View> all = function.layouts(operands);
  const std::span<const ops::View> views(all);
  uint64_t uniform = ops::Program::uniform_in_run(views.first(operands.inputs), views.subspan(operands.inputs));
  const ops::StripSchedule& schedule = operands.program->schedule(uniform, false);
  std::string why;
  if (schedule.steps.size() > 1) install_loop(*operands.program, schedule, &why);  // one step is as fast in strips
}

void install_reduce_loops(const vm::FunctionBinding& function, const vm::PreparedOperands& operands) {
  const std::vector<ops::View> all = function.layouts(operands);
  const std::span<const ops::View> in = std::span(all).first(operands.inputs);
  uint64_t uniform = ops::Program::uniform_in_reduce(in, operands.reduction->space, operands.reduction->by.axes);
  const ops::StripSchedule& schedule = operands.program->schedule(uniform, false);
  std::string why;
  install_loop(*operands.program, schedule, &why);
  ops::ReduceKind kind = operands.reduction->by.kind;
  const auto compile = [&](std::string* w) { return compile_reduce_loop(operands.program->expr(), uniform, kind, w); };
  install(schedule.reductions[static_cast<size_t>(kind)][static_cast<size_t>(ops::isa())], compile, &why);
}

void start_compiling(vm::FunctionBinding& function, TierState& state);

// A callee's time is its caller's, so it is compiled with it.
template <class F>
void each_interpreted_callee(const vm::FunctionBinding& function, F&& f) {
  for (const vm::Step& step : function.steps()) {
    if (step.kind != vm::Handler::Call || step.operands->callee->has_native()) continue;
    TierState& state = state_of(*step.operands->callee);
    if (!state.failed) f(*step.operands->callee, state);
  }
}

void publish_or_throw(vm::FunctionBinding& function, TierState& state) {
  uint64_t start = vm::ticks();
  std::string why;
  const ops::PinnedIsa pinned;
  install_loops(function);
  gc::Ref<NativeFunction> native = compile_function(function, assumptions(function, state), &why);
  double spent = static_cast<double>(vm::ticks() - start) / vm::ticks_per_second();
  if (!native) {
    state.failed = true;
    trace("[abort f=%s reason=%s]", name_of(function), why.c_str());
    return;
  }
  trace("[tier f=%s T0->T1 calls=%llu emit=%.0fus code=%zuB exits=%zu]", name_of(function),
        static_cast<unsigned long long>(function.profile().calls.get()), spent * 1e6, native->code_bytes,
        native->exits.size());
  function.set_native(native);
  dump(function, *native);
  each_interpreted_callee(function, start_compiling);
}

// Where memory is short the function goes on without native code.
void publish(vm::FunctionBinding& function, TierState& state) noexcept {
  try {
    publish_or_throw(function, state);
  } catch (const std::exception& e) {
    state.failed = true;
    trace("[abort f=%s reason=%s]", name_of(function), e.what());
  }
}

// One thread, started when first needed; again after a fork. A fork waits for the job at hand, which never waits for
// Python's lock, so that the child finds nothing half made; for that its handler runs before those of the locks that a
// job takes. No further job begins until the fork is done.
class Compiler {
 public:
  static Compiler& instance() {
    static Compiler* c = new Compiler();
    return *c;
  }

  // False if there is no thread to be had.
  bool enqueue(vm::FunctionBinding& function) {
    std::lock_guard lock(mutex_);
    if (!start()) return false;
    queue_.push_back({gc::Ref<vm::Binding>(&function.owner()), &function});
    wake_.notify_one();
    return true;
  }

  void wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return queue_.empty() && !working_; });
  }

 private:
  Compiler() {
    CodeCache::instance();
    pthread_atfork([] { instance().pause(); }, [] { instance().go_on(); }, [] { instance().restart_after_fork(); });
  }

  bool start() {
    if (running_) return true;
    try {
      std::thread([this] { work(); }).detach();
    } catch (const std::exception&) {
      return false;
    }
    return running_ = true;
  }

  void pause() {
    std::unique_lock lock(mutex_);
    ++forks_;
    idle_.wait(lock, [&] { return !working_; });
  }

  void go_on() {
    std::lock_guard lock(mutex_);
    --forks_;
    wake_.notify_one();
  }

  // In a forked child, which has neither this thread nor those that were compiling where a function got hot.
  void restart_after_fork() {
    forks_ = 0;
    running_ = false;
    std::exchange(queue_, {});
    std::lock_guard lock(registry().mutex);
    for (TierState* state : registry().states) state->busy = false;
  }

  struct Job {
    gc::Ref<vm::Binding> keep;
    vm::FunctionBinding* function;
  };

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return !queue_.empty() && forks_ == 0; });
      Job job = queue_.front();
      queue_.pop_front();
      working_ = true;
      lock.unlock();
      TierState& state = state_of(*job.function);
      publish(*job.function, state);
      state.busy = false;
      lock.lock();
      working_ = false;
      idle_.notify_all();
      lock.unlock();
      job = {};  // what dies with the binding may wait for Python's lock
      lock.lock();
    }
  }

  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Compiler};
  gc::ForkCondition wake_{gc::ForkRank::Compiler}, idle_{gc::ForkRank::Compiler};
  std::deque<Job> queue_;
  bool running_ = false;
  bool working_ = false;
  int forks_ = 0;  // under way
};

// By whoever set `busy`.
void compile_claimed(vm::FunctionBinding& function, TierState& state) {
  const bool background = options().background && estimated_cost(function) > kInlineLimit;
  if (background && Compiler::instance().enqueue(function)) return;
  publish(function, state);
  state.busy = false;
}

void start_compiling(vm::FunctionBinding& function, TierState& state) {
  if (!state.busy.exchange(true)) compile_claimed(function, state);
}

}  // namespace

void install_loops(const vm::FunctionBinding& function) {
  for (const vm::Step& step : function.steps()) {
    const vm::Step* loop = vm::loop_of(step);
    if (!loop) continue;
    loop->kind == vm::Handler::Reduce ? install_reduce_loops(function, *loop->operands)
                                      : install_strip_loop(function, *loop->operands);
  }
}

void watch_forks() { Compiler::instance(); }

void on_hot(vm::FunctionBinding& function) {
  if (!options().enabled || ops::isa() == ops::Isa::Portable) {
    function.profile().hot_after.set(UINT64_MAX);
    return;
  }
  if (function.has_native()) return;
  TierState& state = state_of(function);
  if (state.failed) {
    function.profile().hot_after.set(UINT64_MAX);
    return;
  }
  double cost = estimated_cost(function) / kExpectedSaving;
  auto wanted = static_cast<uint64_t>(cost * vm::ticks_per_second());
  if (function.profile().interpreted_ticks.get() < wanted) {
    function.profile().hot_after.set(wanted);
    return;
  }
  start_compiling(function, state);
}

void on_hot_schedule(const ops::Program& program, const ops::StripSchedule& schedule) {
  ops::LoopDemand& demand = schedule.demand[static_cast<size_t>(ops::isa())];
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  if (!options().enabled || ops::isa() == ops::Isa::Portable) return demand.want(kNever);
  const double cost = kFixedCost + per_verb(program.expr(), kCostPerVerb, kCostPerComposite);
  if (cost > kInlineLimit) return demand.want(kNever);
  const double saved = per_verb(program.expr(), kVerbTime, kCompositeTime) * kExpectedSaving;  // an element
  const auto wanted = static_cast<int64_t>(cost * options().eagerness / saved);
  if (demand.done() < wanted) return demand.want(wanted);
  demand.want(kNever);
  const uint64_t start = vm::ticks();
  std::string why;
  const bool installed = install_loop(program, schedule, &why);
  const double spent = static_cast<double>(vm::ticks() - start) / vm::ticks_per_second();
  if (!installed) return trace("[abort loop verbs=%zu reason=%s]", program.expr().nodes.size(), why.c_str());
  trace("[loop verbs=%zu elements=%lld emit=%.0fus]", program.expr().nodes.size(),
        static_cast<long long>(demand.done()), spent * 1e6);
}

void on_exit(vm::FunctionBinding& function, const vm::Native& native, uint32_t exit) {
  const vm::NativeExit& taken = native.exits[exit];
  if (vm::hooks().trace)
    trace("[bailout kind=%s f=%s exit=%u pc=%u%s%s -> T0]", std::string(info(taken.reason).trace).c_str(),
          name_of(function), exit, taken.pc, assumed(function, native, taken).c_str(),
          place(function, taken.pc).c_str());
  if (taken.reason != bytecode::DeoptReason::BranchNotTaken || native.exit_counts[exit].get() < kHotExit) return;
  TierState& state = state_of(function);
  if (state.busy.exchange(true)) return;
  state.refuted.insert(function.steps()[function.step_at(taken.pc)].branch);
  compile_claimed(function, state);
}

bool evict_one() {
  std::lock_guard lock(registry().mutex);
  TierState* oldest = nullptr;
  for (TierState* s : registry().states) {
    if (!s->function.has_native()) continue;
    if (!oldest || s->function.profile().last_used.get() < oldest->function.profile().last_used.get()) oldest = s;
  }
  if (!oldest) return false;
  drop_native(oldest->function, bytecode::DeoptReason::Evicted);
  return true;
}

void drop_native(vm::FunctionBinding& function, bytecode::DeoptReason reason) {
  function.set_native(nullptr);
  function.profile().deopts[static_cast<size_t>(reason)].add();
  bytecode::deopt_counts()[static_cast<size_t>(reason)].fetch_add(1, std::memory_order_relaxed);
  function.profile().hot_after.set(2 * function.profile().interpreted_ticks.get() + 1);
  trace("[evict f=%s reason=%s]", name_of(function), std::string(info(reason).trace).c_str());
}

void drop_all(bytecode::DeoptReason reason) {
  std::lock_guard lock(registry().mutex);
  for (TierState* s : registry().states) {
    s->failed = false;
    if (s->function.has_native()) drop_native(s->function, reason);
  }
}

void wait_for_compiler() { Compiler::instance().wait(); }

gc::Ref<vm::Native> compile(vm::FunctionBinding& function, std::string* why_not) {
  const ops::PinnedIsa pinned;
  install_loops(function);
  gc::Ref<NativeFunction> native = compile_function(function, assumptions(function, state_of(function)), why_not);
  if (!native) return nullptr;
  function.set_native(native);
  dump(function, *native);
  each_interpreted_callee(function, [&](vm::FunctionBinding& callee, TierState&) { compile(callee, why_not); });
  return native;
}

}  // namespace ember::tiers
