// Where registers lie in the arena: they are served in order of their first write from the best-fitting hole that those
// have left whose lives have ended. The result of an elementwise instruction takes the memory of an operand of its very
// layout that dies there. A loop's registers live as long as the code says (bytecode/code/live_ranges.h).
#include <algorithm>
#include <queue>
#include <tuple>

#include "vm/bind/binding.h"
#include "vm/bind/passes.h"

namespace ember::vm {
namespace {

constexpr size_t kAlignment = 64;

size_t rounded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Free holes by offset and by size, sorted; neighbours are joined. There are few at a time, so they lie in vectors.
class Holes {
 public:
  size_t take(size_t bytes) {
    const auto best = std::ranges::lower_bound(by_size_, Pair(bytes, 0));
    if (best == by_size_.end()) return extend(bytes);
    const auto [size, offset] = *best;
    erase(offset, size);
    if (size > bytes) insert(offset + bytes, size - bytes);
    return offset;
  }

  void give(size_t offset, size_t bytes) {
    if (bytes == 0) return;
    const auto next = std::ranges::lower_bound(by_offset_, Pair(offset, 0));
    const Pair after = next == by_offset_.end() ? Pair() : *next;
    const Pair before = next == by_offset_.begin() ? Pair() : *std::prev(next);
    if (after.second > 0 && after.first == offset + bytes) {
      bytes += after.second;
      erase(after.first, after.second);
    }
    if (before.second > 0 && before.first + before.second == offset) {
      offset = before.first;
      bytes += before.second;
      erase(before.first, before.second);
    }
    insert(offset, bytes);
  }

  size_t end() const { return end_; }

 private:
  using Pair = std::pair<size_t, size_t>;

  size_t extend(size_t bytes) {
    size_t offset = end_;
    if (!by_offset_.empty() && by_offset_.back().first + by_offset_.back().second == end_) {
      offset = by_offset_.back().first;
      erase(offset, by_offset_.back().second);
    }
    end_ = offset + bytes;
    return offset;
  }
  void insert(size_t offset, size_t size) {
    by_offset_.insert(std::ranges::lower_bound(by_offset_, Pair(offset, size)), {offset, size});
    by_size_.insert(std::ranges::lower_bound(by_size_, Pair(size, offset)), {size, offset});
  }
  void erase(size_t offset, size_t size) {
    by_offset_.erase(std::ranges::lower_bound(by_offset_, Pair(offset, size)));
    by_size_.erase(std::ranges::lower_bound(by_size_, Pair(size, offset)));
  }

  std::vector<Pair> by_offset_, by_size_;
  size_t end_ = 0;
};

class MemoryPlan {
 public:
  explicit MemoryPlan(BoundFunction& bound)
      : bound_(bound), reuse_(bound.binding->options().reuse_memory), handed_on_(bound.registers.size()) {}

  size_t run() {
    for (const auto& [begin, in_epilogue, r, writer] : order_of_writes()) {
      bytecode::LiveRange& live = bound_.registers[r].live;
      live.end = std::max(live.end, begin);
      free_before(begin);
      place(r, bound_.instructions[writer]);
      live_.push({live.end, r});
    }
    return holes_.end();
  }

 private:
  using Write = std::tuple<uint32_t, bool, Register, uint32_t>;  // pc, whether by an epilogue, register, instruction

  std::vector<Write> order_of_writes() const {
    std::vector<Write> order;
    std::vector<bool> seen(bound_.registers.size());
    for (uint32_t i = 0; i < bound_.instructions.size(); ++i) {
      for (Register r : bound_.instructions[i].outputs) {
        if (bound_.registers[r].place != Place::Arena || seen[r]) continue;
        seen[r] = true;
        order.push_back({bound_.registers[r].live.begin, bound_.instructions[i].runs == Runs::Epilogue, r, i});
      }
    }
    std::stable_sort(order.begin(), order.end());
    return order;
  }

  void free_before(uint32_t pc) {
    for (; reuse_ && !live_.empty() && live_.top().first < pc; live_.pop()) {
      const Register ended = live_.top().second;
      if (!handed_on_[ended]) holes_.give(bound_.registers[ended].offset, rounded(bytes(ended)));
    }
  }

  void place(Register r, const BoundInstruction& writer) {
    BoundRegister& reg = bound_.registers[r];
    const Register operand = reuse_ && reg.writers == 1 ? dying_operand(writer) : kNoRegister;
    if (operand == kNoRegister || handed_on_[operand] || rounded(bytes(operand)) != rounded(bytes(r))) {
      reg.offset = static_cast<int64_t>(holes_.take(rounded(bytes(r))));
      return;
    }
    reg.in_place_of = operand;
    reg.offset = bound_.registers[operand].offset;
    handed_on_[operand] = true;
  }

  // The operand whose memory the result of an elementwise instruction, or of an update, may take: of the arena, read
  // only once, with the result's very layout.
  Register dying_operand(const BoundInstruction& d) const {
    const bool updates = bound_.updates(d);
    if ((d.op != bytecode::Instruction::Fused && !updates) || d.outputs.size() != 1) return kNoRegister;
    const uint32_t pc = d.runs == Runs::Epilogue ? bound_.instructions[d.with].pc : d.pc;
    const uint32_t begin = bound_.registers[d.outputs[0]].live.begin;
    for (Register in : std::span(d.inputs).first(updates ? 1 : d.inputs.size())) {
      if (in == kNoRegister || !bound_.tensor(in)) continue;
      const Register root = bound_.root(in);
      const BoundRegister& reg = bound_.registers[root];
      const auto same_root = [&](Register other) {
        return other != kNoRegister && bound_.tensor(other) && bound_.root(other) == root;
      };
      if (reg.place == Place::Arena && reg.live.end == pc && begin == pc && reg.writers == 1 &&
          bound_.registers[in].layout == bound_.registers[d.outputs[0]].layout && bound_.whole(in) &&
          std::count_if(d.inputs.begin(), d.inputs.end(), same_root) == 1)
        return root;
    }
    return kNoRegister;
  }

  size_t bytes(Register r) const { return bound_.registers[r].layout->bytes(); }

  BoundFunction& bound_;
  const bool reuse_;
  Holes holes_;
  std::vector<bool> handed_on_;  // by register: its memory went on to a result
  using Ending = std::pair<uint32_t, Register>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> live_;
};

}  // namespace

BoundFunction plan_memory(BoundFunction bound) {
  bound.arena_bytes = MemoryPlan(bound).run();
  return bound;
}

}  // namespace ember::vm
