// Control flow and definition before use, in one pass over the words. Jumps go forwards, but for the one that closes a
// loop, and no jump enters a loop elsewhere than at its header. So a register is defined at a point on all paths if it
// is on all forward ones, and the paths that meet at a target are all known when the pass reaches it.
#include <algorithm>
#include <map>

#include "bytecode/code/verify_code.h"
#include "bytecode/graph/verify.h"

namespace ember::bytecode {
namespace {

constexpr size_t kMaxPendingBytes = size_t{64} << 20;

class Flow {
 public:
  Flow(const Code& code, const CodeFunction& function)
      : code_(code), f_(function), defined_(function.registers.size()) {
    for (Register param : f_.params) defined_[param] = true;
  }

  void run() {
    const uint32_t words = static_cast<uint32_t>(f_.words.size());
    while (pc_ < words) {
      arrive();
      const Decoded d = decode(f_, pc_);
      check_fields(d);
      check_table(d);
      for (Register r : d.inputs) check_read(d, r);
      for (Register r : d.outputs) check(r < defined_.size(), "writes a register that does not exist");
      for (Register r : d.outputs) defined_[r] = true;
      go_on(d);
      check(pending_.empty() || pending_.begin()->first >= d.next, "is jumped into");
      pc_ = d.next;
    }
    pc_ = words - 1;
    check(returned_, "the function does not end in Return");
    check(loops_.empty(), "a loop is not closed");
    check(branches_ == f_.branches && loop_count_ == f_.loops, "loops or branches are counted wrongly");
  }

 private:
  struct Meeting {
    std::vector<bool> defined;
    uint32_t first_source;
  };

  void check(bool condition, const char* rule) const {
    if (!condition) throw VerifyError("function " + f_.name + ", pc " + std::to_string(pc_) + ": " + rule);
  }
  void check_read(const Decoded& d, Register r) const {
    if (r == kNoRegister && d.op == Instruction::Apply) return;
    check(r < defined_.size(), "reads a register that does not exist");
    check(defined_[r], "reads a register that some path leaves unwritten");
  }
  void arrive();
  void go_on(const Decoded& d);
  void jump(uint32_t target);
  void check_fields(const Decoded& d) const;
  void check_table(const Decoded& d) const;

  const Code& code_;
  const CodeFunction& f_;
  std::vector<bool> defined_;
  std::map<uint32_t, Meeting> pending_;
  std::vector<uint32_t> loops_;  // headers of the loops around pc
  uint32_t pc_ = 0;
  uint32_t loop_count_ = 0;
  uint32_t branches_ = 0;
  bool reached_ = true;
  bool returned_ = false;
};

void Flow::arrive() {
  const auto meeting = pending_.find(pc_);
  check(meeting != pending_.end() || reached_, "can't be reached");
  if (meeting == pending_.end()) return;
  check(loops_.empty() || meeting->second.first_source >= loops_.back(), "a loop is entered beside its header");
  for (size_t r = 0; reached_ && r < defined_.size(); ++r)
    if (!meeting->second.defined[r]) defined_[r] = false;
  if (!reached_) defined_ = std::move(meeting->second.defined);
  reached_ = true;
  pending_.erase(meeting);
}

void Flow::go_on(const Decoded& d) {
  switch (d.op) {
    case Instruction::Return:
      check(d.next == f_.words.size(), "returns before the end");
      for (Register result : f_.results) check(defined_[result], "a result that some path leaves unwritten");
      returned_ = true;
      break;
    case Instruction::Loop:
      check(d.word.wide() == loop_count_++, "loops are not numbered in order");
      loops_.push_back(d.pc);
      break;
    case Instruction::Branch:
      check(d.word.flags() == static_cast<uint8_t>(branches_++), "branches are not numbered in order");
      jump(d.word.wide());
      break;
    case Instruction::Jump:
      reached_ = false;
      if (d.word.wide() > d.pc) {
        jump(d.word.wide());
      } else {
        check(!loops_.empty() && loops_.back() == d.word.wide(), "a jump back to no header of its loop");
        loops_.pop_back();
      }
      break;
    default:
      break;
  }
}

void Flow::jump(uint32_t target) {
  check(target > pc_ && target < f_.words.size(), "a jump out of the function");
  const auto [meeting, fresh] = pending_.try_emplace(target, Meeting{{}, pc_});
  if (fresh) {
    check(pending_.size() * (defined_.size() / 8 + 1) <= kMaxPendingBytes, "too many open branches");
    meeting->second.defined = defined_;
    return;
  }
  for (size_t r = 0; r < defined_.size(); ++r)
    if (!defined_[r]) meeting->second.defined[r] = false;
}

void Flow::check_fields(const Decoded& d) const {
  const Word w = d.word;
  const Format format = info(d.op).format;
  const bool branch = d.op == Instruction::Branch, verb = format == Format::Verb;
  check(branch || verb || w.flags() == 0, "flags where there are none");
  const bool has_a = format != Format::None && format != Format::Wide;
  check(has_a || w.a() == 0, "a register too much");
  if (format == Format::None || format == Format::To) check(w.b() == 0 && w.c() == 0, "a register too much");
  if (format == Format::ToFrom) check(w.c() == 0, "a register too much");
  if (format == Format::List && (d.op == Instruction::Push || d.op == Instruction::Pop))
    check(w.wide() == 0, "a number too much");
  if (!verb) return;
  check(!d.inputs.empty() && static_cast<ops::Verb>(w.flags()) != ops::Verb::Lookup, "a verb that scalars do not have");
  check(d.inputs.size() > 1 || w.c() == 0, "a register too much");
  check(d.inputs.size() < 3 || f_.words[d.pc + 1].bits >> 16 == 0, "a register too much");
}

void Flow::check_table(const Decoded& d) const {
  const auto entries = [&]() -> size_t {
    switch (d.op) {
      case Instruction::Const:
        return code_.constants.size();
      case Instruction::Scalar:
        return code_.scalars.size();
      case Instruction::Size:
        return code_.symbols.exprs().size();
      case Instruction::Apply:
        return code_.calls.size();
      case Instruction::Fused:
      case Instruction::FusedReduce:
        return code_.fused.size();
      case Instruction::Call:
        return code_.functions.size();
      default:
        return ~size_t{0};
    }
  };
  check(d.word.wide() < entries(), "a table entry that does not exist");
}

}  // namespace

void verify_flow(const Code& code, const CodeFunction& function) { Flow(code, function).run(); }

}  // namespace ember::bytecode
