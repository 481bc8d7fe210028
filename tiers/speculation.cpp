#include "tiers/speculation.h"

namespace ember::tiers {
namespace {

constexpr uint64_t kSureBranch = 16;  // times one side was taken, and never the other

}  // namespace

Speculation speculate(const vm::FunctionBinding& function, const std::set<uint32_t>& refuted) {
  Speculation s;
  const uint32_t branches = function.function().branches;
  const vm::Profile& profile = function.profile();
  s.branches.assign(branches, -1);
  for (uint32_t b = 0; b < branches; ++b) {
    if (refuted.contains(b)) continue;
    uint64_t yes = profile.taken[b].get(), no = profile.not_taken[b].get();
    if (yes >= kSureBranch && no == 0) s.branches[b] = 1;
    if (no >= kSureBranch && yes == 0) s.branches[b] = 0;
  }
  return s;
}

}  // namespace ember::tiers
