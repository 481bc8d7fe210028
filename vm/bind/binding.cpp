#include "vm/bind/binding.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "gc/fork.h"
#include "vm/bind/passes.h"

namespace ember::vm {
namespace {

// One of each kind for the process: they are taken for a moment, or under Python's lock.
gc::ForkMutex<gc::RecursiveMutex> bindings_mutex{gc::ForkRank::Bindings};
gc::ForkMutex<std::mutex> native_mutex{gc::ForkRank::Native};

struct Arenas {
  gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Arenas};
  std::unordered_set<FunctionBinding*> owners;
  Arenas() { gc::add_idle_memory(free_idle_arenas); }
};
Arenas& arenas() {
  static Arenas& all = *new Arenas;
  return all;
}

// The 0-d layout of a scalar in its slot.
const ops::LayoutRef& slot_layout(ops::Kind kind) {
  static const ops::LayoutRef layouts[] = {ops::layout(ops::DType::Bool, {}), ops::layout(ops::DType::Int64, {}),
                                           ops::layout(ops::DType::Float64, {})};
  return layouts[static_cast<int>(kind) - static_cast<int>(ops::Kind::Bool)];
}

bool soon_done(const FunctionBinding& function) {
  constexpr size_t kBytes = size_t{64} << 10;  // that steps read and write
  constexpr size_t kStep = 256;                // as many as one costs beside
  size_t bytes = 0;
  for (const Step& step : function.steps()) {
    if (step.kind == Handler::Loop || step.kind == Handler::Call) return false;
    bytes += kStep;
    if (step.kind != Handler::Kernel && step.kind != Handler::Program && step.kind != Handler::Reduce) continue;
    if (step.operands->op && step.operands->op->flags.has(ops::Flag::Io)) return false;
    const auto count = [&](const PreparedOperands& operands) {
      for (Register r : operands.regs)
        bytes += r != kNoRegister && function.reg(r).layout ? function.reg(r).layout->bytes() : 0;
    };
    count(*step.operands);
    if (step.operands->epilogue) count(*step.operands->epilogue->operands);
  }
  return bytes <= kBytes;
}

}  // namespace

Binding::Binding(gc::Ref<DecodedCode> decoded, std::vector<int64_t> dims, BindOptions options)
    : decoded_(std::move(decoded)), dims_(std::move(dims)), options_(std::move(options)) {}

FunctionBinding& Binding::function(uint32_t number, std::span<const ops::LayoutRef> params) {
  std::lock_guard lock(bindings_mutex);
  std::vector<uint64_t> key;
  for (const ops::LayoutRef& p : params) key.push_back(p ? p->id : 0);
  std::unique_ptr<FunctionBinding>& slot = functions_[{number, key}];
  if (!slot) {
    slot = std::make_unique<FunctionBinding>(*this, number);
    try {
      slot->bind(params);
    } catch (...) {
      functions_.erase({number, key});
      throw;
    }
  }
  return *slot;
}

ops::Shape Binding::shape(const ops::Type& type) const {
  ops::Shape shape;
  for (const ops::Dim& d : type.dims) shape.push_back(dim(d));
  return shape;
}

const ops::Attrs& Binding::evaluate(const ops::Attrs& attrs, ops::Attrs* storage) const {
  if (!has_symbols(attrs)) return attrs;
  *storage = map_dims(attrs, [&](ops::Dim d) { return ops::Dim(dim(d)); });
  return *storage;
}

void Binding::take_idle_arenas(std::vector<gc::Ref<gc::Storage>>* memory) {
  std::lock_guard lock(bindings_mutex);
  for (const auto& [key, function] : functions_) function->take_idle_arenas(memory);
}

FunctionBinding::FunctionBinding(Binding& owner, uint32_t number) : owner_(owner), number_(number) {
  std::lock_guard lock(arenas().mutex);
  arenas().owners.insert(this);
}
FunctionBinding::~FunctionBinding() {
  {
    std::lock_guard lock(arenas().mutex);
    arenas().owners.erase(this);
  }
  drop_idle_frames();
}

void FunctionBinding::bind(std::span<const ops::LayoutRef> params) {
  const bytecode::CodeFunction& fn = function();
  profile_ = std::make_unique<Profile>(fn.loops, fn.branches);
  BoundFunction bound = vm::bind(owner_, number_, params);
  prepared_ = prepare(bound);
  written_params_ = bound.written_params();
  results_ = std::move(bound.results);
  result_blocks_ = std::move(bound.result_blocks);
  registers_.assign(std::move_iterator(bound.registers.begin()), std::move_iterator(bound.registers.end()));
  for (size_t r = 0; r < registers_.size(); ++r) {
    const ops::Kind kind = fn.registers[r].kind;
    if (ops::is_scalar(kind)) registers_[r].layout = slot_layout(kind);
    if (registers_[r].place != Place::Alias) continue;
    const Place of = reg(registers_[r].parent).place;
    if (of == Place::Param || of == Place::Result) entry_aliases_.push_back(static_cast<Register>(r));
  }
  arena_bytes_ = *bound.arena_bytes;
  arena_offset_ = (registers_.size() * sizeof(uint64_t) + 63) / 64 * 64;
  runs_under_gil_ = soon_done(*this);
}

BoundFunction FunctionBinding::bound() const {
  std::vector<ops::LayoutRef> params;
  for (Register r : function().params)
    params.push_back(function().registers[r].is_tensor() ? registers_[r].layout : nullptr);
  return vm::bind(owner_, number_, params);
}

std::vector<ops::View> FunctionBinding::layouts(const PreparedOperands& operands) const {
  std::vector<ops::View> views;
  for (Register r : operands.regs) views.push_back({nullptr, r == kNoRegister ? nullptr : registers_[r].layout.get()});
  return views;
}

std::unique_ptr<Frame> FunctionBinding::acquire_frame() {
  for (std::atomic<Frame*>& slot : idle_) {
    Frame* idle = slot.load(std::memory_order_relaxed) ? slot.exchange(nullptr, std::memory_order_acquire) : nullptr;
    if (!idle) continue;
    idle->pc = 0;
    std::unique_ptr<Frame> frame(idle);
    if (!frame->memory) place(*frame);
    return frame;
  }
  auto frame = std::make_unique<Frame>();
  frame->function = this;
  frame->results.resize(result_blocks_.size());
  frame->storages.resize(function().params.size());
  place(*frame);
  return frame;
}

void FunctionBinding::place(Frame& frame) const {
  frame.memory = gc::allocate(arena_offset_ + arena_bytes());
  frame.slots = static_cast<uint64_t*>(frame.memory->data());
  std::fill_n(frame.slots, registers_.size(), 0);
  for (size_t r = 0; r < registers_.size(); ++r) {
    const PlacedRegister& reg = registers_[r];
    if (reg.place == Place::Arena)
      frame.slots[r] = reinterpret_cast<uint64_t>(frame.slots) + arena_offset_ + reg.offset;
    else if (reg.place == Place::Constant)
      frame.slots[r] = reinterpret_cast<uint64_t>(code().constants[reg.index].data());
  }
  for (size_t r = 0; r < registers_.size(); ++r)
    if (registers_[r].place == Place::Alias) frame.slots[r] = frame.slots[registers_[r].parent] + registers_[r].offset;
}

void FunctionBinding::release_frame(std::unique_ptr<Frame> frame) {
  constexpr size_t kLarge = size_t{1} << 20;
  // Large frames of called functions go at once, so that calls one after the other take the same memory.
  const bool called = number_ != owner_.code().entry;
  if (called && arena_offset_ + arena_bytes() > kLarge) return;
  for (gc::Ref<gc::Storage>& block : frame->results) block = nullptr;
  std::ranges::fill(frame->storages, nullptr);
  frame->stacks.clear();
  if (frame->native.get() != current_native_.load(std::memory_order_acquire)) frame->native = nullptr;
  for (std::atomic<Frame*>& slot : idle_) {
    Frame* none = nullptr;
    if (slot.load(std::memory_order_relaxed) ||
        !slot.compare_exchange_strong(none, frame.get(), std::memory_order_release, std::memory_order_relaxed))
      continue;
    frame.release();
    return;
  }
}

void FunctionBinding::drop_idle_frames() {
  for (std::atomic<Frame*>& slot : idle_) std::unique_ptr<Frame>(slot.exchange(nullptr, std::memory_order_acquire));
}

void FunctionBinding::take_idle_arenas(std::vector<gc::Ref<gc::Storage>>* memory) {
  for (std::atomic<Frame*>& slot : idle_) {
    std::unique_ptr<Frame> frame(slot.exchange(nullptr, std::memory_order_acquire));
    if (!frame) continue;
    memory->push_back(std::move(frame->memory));
    Frame* none = nullptr;
    if (slot.compare_exchange_strong(none, frame.get(), std::memory_order_release)) frame.release();
  }
}

void free_idle_arenas() {
  std::vector<gc::Ref<gc::Storage>> memory;
  std::lock_guard lock(arenas().mutex);
  for (FunctionBinding* owner : arenas().owners) owner->take_idle_arenas(&memory);
}

void FunctionBinding::enter(Frame& frame) const {
  for (size_t i = 0; i < result_blocks_.size(); ++i) {
    const Register r = result_blocks_[i];
    frame.results[i] = gc::allocate(registers_[r].layout->bytes());
    frame.slots[r] = reinterpret_cast<uint64_t>(frame.results[i]->data());
  }
  for (Register r : entry_aliases_) frame.slots[r] = frame.slots[registers_[r].parent] + registers_[r].offset;
  frame.polled_at = ticks();
}

gc::Ref<Native> FunctionBinding::native() const {
  if (!has_native()) return nullptr;
  std::lock_guard lock(native_mutex);
  return native_;
}

Native* FunctionBinding::native_for(Frame& frame) const {
  if (frame.native.get() != current_native_.load(std::memory_order_acquire)) frame.native = native();
  return frame.native.get();
}

// Idle frames go, since they may keep the code from before alive.
void FunctionBinding::set_native(gc::Ref<Native> native) {
  {
    std::lock_guard lock(native_mutex);
    std::swap(native_, native);
    current_native_.store(native_.get(), std::memory_order_release);
  }
  drop_idle_frames();
}

std::vector<const FunctionBinding*> with_callees(const FunctionBinding& entry) {
  std::vector<const FunctionBinding*> all = {&entry};
  for (size_t i = 0; i < all.size(); ++i) {
    for (const Step& step : all[i]->steps()) {
      if (step.kind != Handler::Call) continue;
      const FunctionBinding* callee = step.operands->callee;
      if (std::find(all.begin(), all.end(), callee) == all.end()) all.push_back(callee);
    }
  }
  return all;
}

}  // namespace ember::vm
