#include "tiers/speculation.h"

namespace ember::tiers {
namespace {

constexpr uint64_t kSureScalar = 8;   // calls in a row with one value
constexpr uint64_t kSureBranch = 16;  // times one side was taken, and never the other

}  // namespace

Speculation speculate(const vm::FunctionBinding& function, const Refuted& refuted) {
  Speculation s;
  const bytecode::CodeFunction& fn = function.function();
  const vm::Profile& profile = function.profile();
  size_t scalar = 0;
  for (vm::Register r : fn.params) {
    if (!ops::is_scalar(fn.registers[r].kind)) continue;
    const vm::Profile::ScalarProfile& seen = profile.scalars[scalar++];
    if (!refuted.scalars && seen.repeats.get() >= kSureScalar) s.scalars.push_back({r, seen.value.get()});
  }
  s.branches.assign(fn.branches, -1);
  for (uint32_t b = 0; b < fn.branches; ++b) {
    if (refuted.branches.contains(b)) continue;
    uint64_t yes = profile.taken[b].get(), no = profile.not_taken[b].get();
    if (yes >= kSureBranch && no == 0) s.branches[b] = 1;
    if (no >= kSureBranch && yes == 0) s.branches[b] = 0;
  }
  return s;
}

}  // namespace ember::tiers
