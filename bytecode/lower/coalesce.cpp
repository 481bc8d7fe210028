// Copy coalescing: `t = ...; home = Move t` becomes `home = ...`.
//
// It is done when t is written by one instruction of the Move's own region that makes fresh memory or a scalar, nothing
// touches t's memory after the Move, and nothing touches home's memory between the two. The writing instruction itself
// may read home only in place: a fused expression with one output, of home's very type since it goes there, or a
// scalar instruction. Memory is that of the whole group, so a view of home that is still read keeps the copy.
#include <algorithm>

#include "bytecode/lower/lower.h"

namespace ember::bytecode::lowering {
namespace {

using Positions = std::vector<uint32_t>;

bool makes_fresh(const Step& step, const std::vector<CallSite>& calls) {
  const Makes makes = info(step.op).makes;
  return makes == Makes::Fresh || (makes == Makes::AsOp && !calls[step.wide].op->view);
}

class Coalescer {
 public:
  Coalescer(Draft& draft, const std::vector<CallSite>& calls)
      : draft_(draft),
        calls_(calls),
        names_(draft.types.size()),
        writers_(draft.types.size(), kNoWriter),
        touched_(draft.types.size()) {
    for (Virtual v = 0; v < names_.size(); ++v) names_[v] = v;
    for (Virtual v : draft.params) writers_[v] = kSeveralWriters;
    for (uint32_t at = 0; at < draft.steps.size(); ++at) scan(at);
    for (Virtual v : draft.results) touch(v, static_cast<uint32_t>(draft.steps.size() - 1));
  }

  void run() {
    std::vector<bool> dropped(draft_.steps.size());
    for (uint32_t at = 0; at < draft_.steps.size(); ++at)
      if (draft_.steps[at].op == Instruction::Move) dropped[at] = coalesce(at);
    rename();
    drop(dropped);
  }

 private:
  static constexpr uint32_t kNoWriter = ~0u, kSeveralWriters = ~0u - 1;

  void touch(Virtual v, uint32_t at) {
    if (v == kAbsent) return;
    Positions& positions = touched_[draft_.groups.find(v)];
    if (positions.empty() || positions.back() != at) positions.push_back(at);
  }
  void scan(uint32_t at) {
    for (Virtual v : draft_.steps[at].inputs) touch(v, at);
    for (Virtual v : draft_.steps[at].outputs) {
      touch(v, at);
      writers_[v] = writers_[v] == kNoWriter ? at : kSeveralWriters;
    }
  }
  Virtual name(Virtual v) {
    while (names_[v] != v) v = names_[v] = names_[names_[v]];
    return v;
  }
  bool touches_between(Virtual v, uint32_t from, uint32_t to) {
    const Positions& positions = touched_[draft_.groups.find(v)];
    const auto next = std::upper_bound(positions.begin(), positions.end(), from);
    return next != positions.end() && *next < to;
  }
  bool may_write(const Step& writer, Virtual home) {
    const uint32_t group = draft_.groups.find(home);
    const bool in_place =
        writer.op == Instruction::Verb || (writer.op == Instruction::Fused && writer.outputs.size() == 1);
    return std::all_of(writer.inputs.begin(), writer.inputs.end(), [&](Virtual v) {
      return v == kAbsent || draft_.groups.find(v) != group || (in_place && name(v) == home);
    });
  }
  bool coalesce(uint32_t at);
  void rename();
  void drop(const std::vector<bool>& dropped);

  Draft& draft_;
  const std::vector<CallSite>& calls_;
  std::vector<Virtual> names_;
  std::vector<uint32_t> writers_;   // by virtual register: the step that writes it
  std::vector<Positions> touched_;  // by group: ascending steps that read or write its memory
};

bool Coalescer::coalesce(uint32_t at) {
  const Step& move = draft_.steps[at];
  const Virtual home = move.outputs[0], source = name(move.inputs[0]);
  const uint32_t writer = writers_[source];
  if (writer >= kSeveralWriters || writers_[home] == kNoWriter || !identical(draft_.types[source], draft_.types[home]))
    return false;
  const Step& origin = draft_.steps[writer];
  if (origin.region != move.region || !makes_fresh(origin, calls_)) return false;
  if (touched_[draft_.groups.find(source)].back() > at) return false;
  if (touches_between(home, writer, at) || !may_write(origin, home)) return false;
  const Positions positions = std::move(touched_[draft_.groups.find(source)]);
  Positions& merged = touched_[draft_.groups.find(home)];
  const auto middle = merged.insert(merged.end(), positions.begin(), positions.end());
  std::inplace_merge(merged.begin(), middle, merged.end());
  draft_.groups.join(source, home);
  names_[source] = home;
  if (writers_[home] == at) writers_[home] = writer;
  return true;
}

void Coalescer::rename() {
  for (Step& step : draft_.steps) {
    for (Virtual& v : step.inputs)
      if (v != kAbsent) v = name(v);
    for (Virtual& v : step.outputs) v = name(v);
  }
  for (Virtual& v : draft_.results) v = name(v);
}

void Coalescer::drop(const std::vector<bool>& dropped) {
  std::vector<uint32_t> places;
  uint32_t kept = 0;
  for (size_t at = 0; at < dropped.size(); ++at) {
    places.push_back(kept);
    kept += !dropped[at];
  }
  for (size_t at = 0; at < dropped.size(); ++at) {
    if (dropped[at]) continue;
    Step step = std::move(draft_.steps[at]);
    if (step.op == Instruction::Jump || step.op == Instruction::Branch) step.wide = places[step.wide];
    draft_.steps[places[at]] = std::move(step);
  }
  draft_.steps.resize(kept);
}

}  // namespace

void coalesce(Draft& draft, const std::vector<CallSite>& calls) { Coalescer(draft, calls).run(); }

}  // namespace ember::bytecode::lowering
