// A register whose first access comes before a loop's header and whose last is inside is live on the back edge, since
// loops are entered at their headers only.
#include "bytecode/code/live_ranges.h"

#include <algorithm>

namespace ember::bytecode {

void LiveRangeScan::nest() {
  std::sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) { return a.header < b.header; });
  for (size_t i = 1; i < loops_.size(); ++i) {
    uint32_t parent = static_cast<uint32_t>(i - 1);
    while (parent != kNoId && loops_[parent].latch < loops_[i].header) parent = loops_[parent].parent;
    loops_[i].parent = parent;
  }
}

uint32_t LiveRangeScan::innermost(uint32_t at) const {
  const auto after = std::upper_bound(loops_.begin(), loops_.end(), at,
                                      [](uint32_t position, const Loop& loop) { return position < loop.header; });
  if (after == loops_.begin()) return kNoId;
  uint32_t loop = static_cast<uint32_t>(after - loops_.begin() - 1);
  while (loop != kNoId && loops_[loop].latch < at) loop = loops_[loop].parent;
  return loop;
}

std::vector<LiveRange> LiveRangeScan::finish() {
  nest();
  for (LiveRange& range : live_ranges_) {
    if (range.begin == ~0u) continue;
    uint32_t loop = innermost(range.end);
    for (; loop != kNoId && loops_[loop].header > range.begin; loop = loops_[loop].parent)
      range.end = loops_[loop].latch;
  }
  return std::move(live_ranges_);
}

std::vector<LiveRange> live_ranges_of(const CodeFunction& function) {
  LiveRangeScan scan(function.registers.size());
  const uint32_t last = static_cast<uint32_t>(function.words.size()) - 1;
  for (Register param : function.params) {
    scan.touch(param, 0);
    scan.touch(param, last);
  }
  for (Register result : function.results) scan.touch(result, last);
  for (uint32_t pc = 0; pc < function.words.size();) {
    const Decoded d = decode(function, pc);
    for (Register r : d.inputs)
      if (r != kNoRegister) scan.touch(r, pc);
    for (Register r : d.outputs) scan.touch(r, pc);
    if (d.op == Instruction::Jump && d.word.wide() <= pc) scan.loop(d.word.wide(), pc);
    pc = d.next;
  }
  return scan.finish();
}

}  // namespace ember::bytecode
