// Copy coalescing: `t = f(x); d = Move t` becomes `d = f(x)`, and t is renamed d.
//
// It is done if t and d do not interfere: t is defined once, in the region of the Move, by an instruction that makes
// memory of its own or a scalar; nothing accesses t's memory after the Move, nor d's between the definition and the
// Move. The defining instruction itself may read d only in place: a fused expression with one output, of d's very type
// since it goes there, or a scalar instruction. Memory is that of the whole alias set, so a view of d that is still
// read keeps the copy.
#include <algorithm>

#include "bytecode/lower/lower.h"

namespace ember::bytecode::lowering {
namespace {

using Positions = std::vector<uint32_t>;

bool makes_fresh(const VirtualInstruction& instruction, const std::vector<CallSite>& calls) {
  const Makes makes = info(instruction.op).makes;
  return makes == Makes::Fresh || (makes == Makes::AsOp && !calls[instruction.wide].op->view);
}

class Coalescer {
 public:
  Coalescer(VirtualCode& virtual_code, const std::vector<CallSite>& calls)
      : code_(virtual_code),
        calls_(calls),
        names_(virtual_code.types.size()),
        writers_(virtual_code.types.size(), kNoWriter),
        touched_(virtual_code.types.size()) {
    for (Virtual v = 0; v < names_.size(); ++v) names_[v] = v;
    for (Virtual v : virtual_code.params) writers_[v] = kSeveralWriters;
    for (uint32_t at = 0; at < virtual_code.instructions.size(); ++at) scan(at);
    for (Virtual v : virtual_code.results) touch(v, static_cast<uint32_t>(virtual_code.instructions.size() - 1));
  }

  void run() {
    std::vector<bool> dropped(code_.instructions.size());
    for (uint32_t at = 0; at < code_.instructions.size(); ++at)
      if (code_.instructions[at].op == Instruction::Move) dropped[at] = coalesce(at);
    rename();
    drop(dropped);
  }

 private:
  static constexpr uint32_t kNoWriter = ~0u, kSeveralWriters = ~0u - 1;

  void touch(Virtual v, uint32_t at) {
    if (v == kAbsent) return;
    Positions& positions = touched_[code_.alias_sets.find(v)];
    if (positions.empty() || positions.back() != at) positions.push_back(at);
  }
  void scan(uint32_t at) {
    for (Virtual v : code_.instructions[at].inputs) touch(v, at);
    for (Virtual v : code_.instructions[at].outputs) {
      touch(v, at);
      writers_[v] = writers_[v] == kNoWriter ? at : kSeveralWriters;
    }
  }
  Virtual name(Virtual v) {
    while (names_[v] != v) v = names_[v] = names_[names_[v]];
    return v;
  }
  bool touches_between(Virtual v, uint32_t from, uint32_t to) {
    const Positions& positions = touched_[code_.alias_sets.find(v)];
    const auto next = std::upper_bound(positions.begin(), positions.end(), from);
    return next != positions.end() && *next < to;
  }
  bool may_write(const VirtualInstruction& writer, Virtual destination) {
    const uint32_t alias_set = code_.alias_sets.find(destination);
    const bool in_place =
        writer.op == Instruction::Verb || (writer.op == Instruction::Fused && writer.outputs.size() == 1);
    return std::all_of(writer.inputs.begin(), writer.inputs.end(), [&](Virtual v) {
      return v == kAbsent || code_.alias_sets.find(v) != alias_set || (in_place && name(v) == destination);
    });
  }
  bool coalesce(uint32_t at);
  void rename();
  void drop(const std::vector<bool>& dropped);

  VirtualCode& code_;
  const std::vector<CallSite>& calls_;
  std::vector<Virtual> names_;
  std::vector<uint32_t> writers_;   // by virtual register: the instruction that defines it
  std::vector<Positions> touched_;  // by alias set: the instructions that access its memory, ascending
};

bool Coalescer::coalesce(uint32_t at) {
  const VirtualInstruction& move = code_.instructions[at];
  const Virtual destination = move.outputs[0], source = name(move.inputs[0]);
  const uint32_t writer = writers_[source];
  if (writer >= kSeveralWriters || writers_[destination] == kNoWriter ||
      !identical(code_.types[source], code_.types[destination]))
    return false;
  const VirtualInstruction& origin = code_.instructions[writer];
  if (origin.region != move.region || !makes_fresh(origin, calls_)) return false;
  if (touched_[code_.alias_sets.find(source)].back() > at) return false;
  if (touches_between(destination, writer, at) || !may_write(origin, destination)) return false;
  const Positions positions = std::move(touched_[code_.alias_sets.find(source)]);
  Positions& merged = touched_[code_.alias_sets.find(destination)];
  const auto middle = merged.insert(merged.end(), positions.begin(), positions.end());
  std::inplace_merge(merged.begin(), middle, merged.end());
  code_.alias_sets.join(source, destination);
  names_[source] = destination;
  if (writers_[destination] == at) writers_[destination] = writer;
  return true;
}

void Coalescer::rename() {
  for (VirtualInstruction& instruction : code_.instructions) {
    for (Virtual& v : instruction.inputs)
      if (v != kAbsent) v = name(v);
    for (Virtual& v : instruction.outputs) v = name(v);
  }
  for (Virtual& v : code_.results) v = name(v);
}

void Coalescer::drop(const std::vector<bool>& dropped) {
  std::vector<uint32_t> new_index;
  uint32_t kept = 0;
  for (size_t at = 0; at < dropped.size(); ++at) {
    new_index.push_back(kept);
    kept += !dropped[at];
  }
  for (size_t at = 0; at < dropped.size(); ++at) {
    if (dropped[at]) continue;
    VirtualInstruction instruction = std::move(code_.instructions[at]);
    if (instruction.op == Instruction::Jump || instruction.op == Instruction::Branch)
      instruction.wide = new_index[instruction.wide];
    code_.instructions[new_index[at]] = std::move(instruction);
  }
  code_.instructions.resize(kept);
}

}  // namespace

void coalesce(VirtualCode& virtual_code, const std::vector<CallSite>& calls) { Coalescer(virtual_code, calls).run(); }

}  // namespace ember::bytecode::lowering
