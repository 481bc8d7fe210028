// Schedules programs. A node's value is in the strip of the first output that it is, else in a buffer that is free
// again after its last reader; a buffer is handed on within a step only between values of one size (ops/simd/strips.h).
#include "ops/program/program.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "gc/fork.h"
#include "ops/expr/predication.h"

namespace ember::ops {
namespace {

// kStrip copies of a constant, shared by all schedules that are alive.
class SpreadConstants {
 public:
  static SpreadConstants& get() {
    static auto& constants = *new SpreadConstants;
    return constants;
  }

  std::shared_ptr<const void> spread(uint64_t bits, size_t size) {
    std::lock_guard lock(mutex_);
    if (pool_.size() >= sweep_at_) sweep();
    std::weak_ptr<std::byte[]>& entry = pool_[{bits, size}];
    std::shared_ptr<std::byte[]> block = entry.lock();
    if (!block) {
      block.reset(new std::byte[size * kStrip]);
      for (int64_t i = 0; i < kStrip; ++i) std::memcpy(block.get() + static_cast<size_t>(i) * size, &bits, size);
      entry = block;
    }
    return block;
  }

 private:
  void sweep() {
    std::erase_if(pool_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = 2 * pool_.size() + 64;
  }

  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Constants};
  std::map<std::pair<uint64_t, size_t>, std::weak_ptr<std::byte[]>> pool_;
  size_t sweep_at_ = 64;
};

int weight(const ExprNode& n) {
  return is_composite(n.verb) ? 8 : n.verb == Verb::Div || n.verb == Verb::Rem || n.verb == Verb::Sqrt ? 3 : 1;
}

class Planner {
 public:
  Planner(const Expr& expr, uint64_t uniform, bool buffered)
      : predicated_(predicate(expr)), expr_(predicated_.expr), count_(expr.nodes.size()) {
    schedule_.uniform = uniform;
    schedule_.buffered = buffered;
    strip_of_.assign(count_, kNowhere);
    once_.assign(count_, kNowhere);
    last_.assign(count_, -1);
    uniform_.assign(count_, false);
  }

  StripSchedule make() {
    classify();
    for (size_t i = 0; i < count_; ++i) {
      if (uniform_[i]) add_uniform(i);
    }
    spread();
    auto next = predicated_.regions.begin();
    for (size_t i = 0; i < count_; ++i) {
      for (; next != predicated_.regions.end() && next->begin == i; ++next) open(*next);
      if (!uniform_[i]) add(i);
      while (!open_.empty() && open_.back().end == i + 1) close();
    }
    store_outputs();
    finish();
    return std::move(schedule_);
  }

 private:
  static constexpr StripIndex kNowhere = 0xFFFF;
  static constexpr StripIndex kConstants = 0x8000;  // until their indices are known

  const ExprNode& node(size_t i) const { return expr_.nodes[i]; }
  size_t size(size_t i) const { return itemsize(node(i).dtype); }
  int operands(size_t i) const { return info(node(i).verb).operands; }
  bool computed(size_t i) const { return operands(i) > 0; }

  void classify() {
    for (size_t i = 0; i < count_; ++i) {
      const ExprNode& n = node(i);
      uniform_[i] =
          n.verb == Verb::Const || (n.verb == Verb::Input && n.bits < 64 && (schedule_.uniform >> n.bits & 1));
      bool all = computed(i);
      for (int k = 0; k < operands(i); ++k) all = all && uniform_[n.args[k]];
      uniform_[i] = uniform_[i] || all;
      for (int k = 0; k < operands(i); ++k) last_[n.args[k]] = static_cast<int>(i);
    }
    for (NodeId id : expr_.outputs) last_[id] = static_cast<int>(count_);
  }

  StripIndex constant(const ExprNode& n) {
    const std::shared_ptr<const void> data = SpreadConstants::get().spread(n.bits, itemsize(n.dtype));
    auto at = std::find(schedule_.constants.begin(), schedule_.constants.end(), data);
    const size_t number = static_cast<size_t>(at - schedule_.constants.begin());
    if (at == schedule_.constants.end()) schedule_.constants.push_back(data);
    return static_cast<StripIndex>(kConstants + number);
  }

  StripIndex table(uint64_t number) {
    schedule_.constants.push_back({std::shared_ptr<void>(), lookup_table(number).data});
    return static_cast<StripIndex>(kConstants + schedule_.constants.size() - 1);
  }

  StripIndex buffer(size_t bytes) {
    schedule_.buffer_bytes = std::max(schedule_.buffer_bytes, bytes);
    if (!free_.empty()) {
      const StripIndex reused = free_.back();
      free_.pop_back();
      return reused;
    }
    return static_cast<StripIndex>(expr_.inputs + expr_.outputs.size() + schedule_.buffers++);
  }

  StripStep step(size_t i, StripIndex out, const std::vector<StripIndex>& indices) {
    const ExprNode& n = node(i);
    StripStep s{};
    for (Isa isa : kIsas) {
      if (isa <= best_isa()) s.fn[static_cast<size_t>(isa)] = strip(strips(isa), expr_, static_cast<NodeId>(i));
    }
    const auto arg = [&](int k) { return operands(i) > k ? indices[n.args[k]] : StripIndex{0}; };
    s.out = out;
    s.a = arg(0);
    s.b = n.verb == Verb::Lookup ? table(n.bits) : arg(1);
    s.c = arg(2);
    return s;
  }

  void add_uniform(size_t i) {
    const ExprNode& n = node(i);
    if (n.verb == Verb::Const) {
      once_[i] = strip_of_[i] = constant(n);
    } else if (n.verb == Verb::Input) {
      once_[i] = static_cast<StripIndex>(n.bits);
    } else {
      once_[i] = buffer(size(i));
      schedule_.once.push_back(step(i, once_[i], once_));
    }
  }

  bool needs_spreading(size_t i) const {
    if (!uniform_[i] || node(i).verb == Verb::Const) return false;
    if (std::find(expr_.outputs.begin(), expr_.outputs.end(), i) != expr_.outputs.end()) return true;
    for (size_t j = i + 1; j < count_; ++j) {
      const ExprNode& n = node(j);
      for (int k = 0; k < operands(j); ++k) {
        if (n.args[k] == i && !uniform_[j]) return true;
      }
    }
    return false;
  }

  void spread() {
    for (size_t i = 0; i < count_; ++i) {
      if (!needs_spreading(i)) continue;
      strip_of_[i] = node(i).verb == Verb::Input ? buffer(size(i)) : once_[i];
      schedule_.fills.push_back({once_[i], strip_of_[i], static_cast<uint8_t>(size(i))});
    }
  }

  void release(size_t i) {
    std::vector<NodeId> args(node(i).args.begin(), node(i).args.begin() + operands(i));
    std::sort(args.begin(), args.end());
    args.erase(std::unique(args.begin(), args.end()), args.end());
    for (NodeId a : args) {
      const bool in_buffer = strip_of_[a] >= expr_.inputs + expr_.outputs.size() && strip_of_[a] < kConstants;
      if (last_[a] == static_cast<int>(i) && !uniform_[a] && in_buffer) free_.push_back(strip_of_[a]);
    }
  }

  bool operands_have_size(size_t i) const {
    for (int k = 0; k < operands(i); ++k) {
      if (size(node(i).args[k]) != size(i)) return false;
    }
    return true;
  }

  void add(size_t i) {
    const ExprNode& n = node(i);
    if (n.verb == Verb::Input) {
      strip_of_[i] = static_cast<StripIndex>(n.bits);
      return;
    }
    schedule_.grain += weight(n);
    const bool hand_on = operands_have_size(i);
    if (hand_on) release(i);
    auto output = std::find(expr_.outputs.begin(), expr_.outputs.end(), i);
    const bool direct = output != expr_.outputs.end() && !schedule_.buffered;
    strip_of_[i] = direct ? static_cast<StripIndex>(expr_.inputs + (output - expr_.outputs.begin())) : buffer(size(i));
    if (!hand_on) release(i);
    for (int k = 0; k < operands(i); ++k) {
      schedule_.late_reads = schedule_.late_reads || (stored_ && strip_of_[n.args[k]] < expr_.inputs);
    }
    stored_ = stored_ || direct;
    schedule_.steps.push_back(step(i, strip_of_[i], strip_of_));
  }

  void open(const PredicatedRegion& g) {
    open_.push_back({schedule_.steps.size(), g.end});
    StripStep test{{}, 0, strip_of_[g.conditions[0]], 0, 0};
    test.when = g.when;
    schedule_.steps.push_back(test);
  }

  void close() {
    const size_t test = open_.back().step, passes = schedule_.steps.size() - test - 1;
    if (passes > UINT16_MAX) throw std::length_error("an expression of more than 65535 steps under a condition");
    schedule_.steps[test].passes = static_cast<uint16_t>(passes);
    if (passes == 0) schedule_.steps.pop_back();
    open_.pop_back();
  }

  void store_outputs() {
    for (size_t k = 0; k < expr_.outputs.size(); ++k) {
      const NodeId id = expr_.outputs[k];
      const StripIndex to = static_cast<StripIndex>(expr_.inputs + k);
      if (strip_of_[id] == to) continue;
      schedule_.late_reads = schedule_.late_reads || (stored_ && strip_of_[id] < expr_.inputs);
      StripStep s{{}, to, strip_of_[id], 0, 0};
      for (Isa isa : kIsas) {
        if (isa <= best_isa()) s.fn[static_cast<size_t>(isa)] = copy_strip(strips(isa), node(id).dtype);
      }
      schedule_.steps.push_back(s);
      stored_ = true;
    }
  }

  void finish() {
    const size_t first = expr_.inputs + expr_.outputs.size() + schedule_.buffers;
    for (auto* steps : {&schedule_.once, &schedule_.steps}) {
      for (StripStep& s : *steps) {
        for (StripIndex* p : {&s.a, &s.b, &s.c}) {
          if (*p >= kConstants) *p = static_cast<StripIndex>(*p - kConstants + first);
        }
      }
    }
    size_t widest = schedule_.buffer_bytes;
    for (size_t i = 0; i < count_; ++i) widest = std::max(widest, size(i));
    constexpr size_t kCacheBytes = 24 * 1024;
    const auto fits = static_cast<int64_t>(kCacheBytes / ((first + schedule_.constants.size()) * widest));
    schedule_.strip = std::clamp<int64_t>(fits / 64 * 64, 256, kStrip);
    schedule_.buffer_bytes = static_cast<size_t>(schedule_.strip) * widest + 64;
    schedule_.grain = std::max<int64_t>(kStrip, 65536 / (1 + schedule_.grain));
  }

  struct Opened {
    size_t step, end;  // the test, and the node after the last
  };

  const PredicatedExpr predicated_;
  const Expr& expr_;
  const size_t count_;
  StripSchedule schedule_;
  std::vector<Opened> open_;
  std::vector<StripIndex> strip_of_, once_;
  std::vector<int> last_;  // the last node that reads a node; count_ of outputs
  std::vector<bool> uniform_;
  std::vector<StripIndex> free_;
  bool stored_ = false;
};

}  // namespace

// All programs by hash; an entry goes when the last reference to its program goes.
class ProgramTable {
 public:
  static ProgramTable& get() {
    static auto& table = *new ProgramTable;
    return table;
  }

  gc::Ref<const Program> find_or_make(const Expr& expr) {
    const size_t h = hash(expr);
    std::lock_guard lock(mutex_);
    auto [it, end] = programs_.equal_range(h);
    for (; it != end; ++it) {
      if (!(it->second->expr() == expr) || !it->second->try_retain()) continue;
      gc::Ref<const Program> program(it->second);
      program->release();
      return program;
    }
    std::string why;
    if (!well_formed(expr, &why)) throw std::logic_error("malformed expression: " + why);
    gc::Ref<const Program> fresh(new Program(expr, h));
    programs_.emplace(h, fresh.get());
    return fresh;
  }

  void remove(const Program* program, size_t hash) {
    std::lock_guard lock(mutex_);
    auto [it, end] = programs_.equal_range(hash);
    while (it->second != program) ++it;
    programs_.erase(it);
  }

 private:
  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Programs};
  std::unordered_multimap<size_t, const Program*> programs_;
};

Program::Program(Expr expr, size_t hash) : expr_(std::move(expr)), hash_(hash), input_sizes_(expr_.inputs) {
  if (expr_.nodes.size() + expr_.outputs.size() > 0x4000) throw std::length_error("an expression too large to run");
  for (const ExprNode& n : expr_.nodes) {
    if (n.verb == Verb::Input) input_sizes_[n.bits] = static_cast<uint8_t>(itemsize(n.dtype));
  }
  for (NodeId id : expr_.outputs) output_sizes_.push_back(static_cast<uint8_t>(itemsize(expr_.nodes[id].dtype)));
}

Program::~Program() {
  for (const StripSchedule* p = plans_.load(); p;) delete std::exchange(p, p->next);
}

void Program::destroy() const noexcept {
  ProgramTable::get().remove(this, hash_);
  delete this;
}

const StripSchedule& Program::schedule(uint64_t uniform, bool buffered) const {
  const auto find = [&](const StripSchedule* p) {
    while (p && (p->uniform != uniform || p->buffered != buffered)) p = p->next;
    return p;
  };
  if (const StripSchedule* p = find(plans_.load(std::memory_order_acquire))) return *p;
  static auto& mutex = *new gc::ForkMutex<std::mutex>(gc::ForkRank::Schedules);
  std::lock_guard lock(mutex);
  if (const StripSchedule* p = find(plans_.load(std::memory_order_acquire))) return *p;
  auto schedule = std::make_unique<StripSchedule>(Planner(expr_, uniform, buffered).make());
  schedule->next = plans_.load(std::memory_order_relaxed);
  plans_.store(schedule.get(), std::memory_order_release);
  return *schedule.release();
}

gc::Ref<const Program> Program::of(const Expr& expr) { return ProgramTable::get().find_or_make(expr); }

}  // namespace ember::ops
