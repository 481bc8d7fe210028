// What holds of a bound function after every pass.
//
//   layouts    every tensor that is read or written has one, of its dtype and with its dims as numbers
//   aliases    lie within their parent, which is no alias; one instruction writes them
//   epilogues  stand behind their kernel with nothing between that has an effect or is jumped to; what they read is
//              there before the kernel, is its result as it lies, or is a number that is brought there
//   updates    only of Parameters of the entry whose memory is nobody else's; the value is made by an elementwise
//              instruction, and until it is assigned there are numbers, views and updates alone; or by updates of the
//              Parameter, and from the first to the assignment nothing reads what it was
//   memory     blocks of the arena that are live at a time lie apart, unless one takes the other's place
#include <algorithm>
#include <map>
#include <queue>

#include "bytecode/graph/verify.h"
#include "vm/bind/binding.h"

namespace ember::vm {

using bytecode::Instruction;

namespace {

constexpr int64_t kAlignment = 64;

struct Extent {  // bytes from the first element, the end excluded
  int64_t low = 0, high = 0;
};

Extent extent(const ops::Layout& layout) {
  if (layout.numel == 0) return {};
  const auto item = static_cast<int64_t>(itemsize(layout.dtype));
  Extent e{0, item};
  for (size_t d = 0; d < layout.rank(); ++d) {
    const int64_t reach = (layout.shape[d] - 1) * layout.strides[d] * item;
    (reach < 0 ? e.low : e.high) += reach;
  }
  return e;
}

class Verifier {
 public:
  explicit Verifier(const BoundFunction& bound)
      : bound_(bound), targets_(bound.decoded->jump_targets), writer_(bound.registers.size(), kNoInstruction) {}

  void run() {
    for (uint32_t i = 0; i < bound_.instructions.size(); ++i)
      for (Register r : bound_.instructions[i].outputs) writer_[r] = i;
    for (Register r : bound_.function->params) check_register(r);
    for (const BoundInstruction& d : bound_.instructions) {
      for (Register r : d.outputs) check_register(r);
      for (Register r : d.inputs)
        if (r != kNoRegister && bound_.tensor(r)) require(bound_.registers[r].layout.get(), r, "has no layout");
    }
    for (uint32_t i = 0; i < bound_.instructions.size(); ++i) check_instruction(i);
    check_results();
    if (bound_.arena_bytes) check_arena();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw bytecode::VerifyError("bound function " + bound_.function->name + ": " + what);
  }
  void require(bool holds, Register r, const char* what) const {
    if (!holds) fail("r" + std::to_string(r) + " " + what);
  }
  void require(bool holds, const BoundInstruction& d, const char* what) const {
    if (!holds) fail("pc " + std::to_string(d.pc) + ": " + what);
  }

  const BoundRegister& reg(Register r) const { return bound_.registers[r]; }

  void check_register(Register r) const {
    const ops::Type& type = bound_.function->registers[r];
    const BoundRegister& at = reg(r);
    if (!type.is_tensor()) return require(at.place == Place::Scalar && !at.layout, r, "is no tensor, but has memory");
    require(at.layout.get(), r, "has no layout");
    require(at.place != Place::Scalar, r, "is a tensor in a slot");
    require(at.layout->dtype == type.dtype && at.layout->shape == bound_.binding->shape(type), r,
            "has a layout that its type does not allow");
    if (at.place == Place::Alias) check_alias(r);
  }

  void check_alias(Register r) const {
    const BoundRegister& alias = reg(r);
    require(alias.parent < bound_.registers.size() && bound_.tensor(alias.parent), r, "is an alias of no tensor");
    const BoundRegister& parent = reg(alias.parent);
    require(parent.layout && parent.place != Place::Alias, r, "is an alias of what has no memory of its own");
    require(alias.writers == 1, r, "is an alias that is written twice");
    const Extent inner = extent(*alias.layout), outer = extent(*parent.layout);
    const bool within = outer.low <= inner.low + alias.offset && inner.high + alias.offset <= outer.high;
    require(within || alias.dynamic || alias.layout->numel == 0, r, "reaches beyond its parent");
  }

  void check_instruction(uint32_t i) const {
    const BoundInstruction& d = bound_.instructions[i];
    if (d.epilogue != kNoInstruction) {
      require(d.epilogue < bound_.instructions.size(), d, "its epilogue does not exist");
      const BoundInstruction& epilogue = bound_.instructions[d.epilogue];
      require(epilogue.runs == Runs::Epilogue && epilogue.with == i, d, "its epilogue runs elsewhere");
    }
    switch (d.runs) {
      case Runs::Step:
        return;
      case Runs::Alias:
        return require(d.outputs.size() == 1 && reg(d.outputs[0]).place == Place::Alias, d, "makes no alias");
      case Runs::Constant:
        return require(d.op == Instruction::Const && reg(d.outputs[0]).place == Place::Constant, d, "is no constant");
      case Runs::Epilogue:
        return check_epilogue(d, i);
      case Runs::Early:
        require(d.op == Instruction::Scalar || d.op == Instruction::Size, d, "is brought forward, but is no number");
        return require(d.with < i && bound_.instructions[d.with].epilogue != kNoInstruction, d,
                       "is brought before what has no epilogue");
      case Runs::Updated:
        return check_update(d, i);
    }
  }

  void check_epilogue(const BoundInstruction& d, uint32_t at) const {
    require(d.op == Instruction::Fused, d, "is an epilogue, but not elementwise");
    require(d.with < at && bound_.instructions[d.with].epilogue == at, d, "is the epilogue of no kernel");
    const BoundInstruction& kernel = bound_.instructions[d.with];
    require(kernel.op == Instruction::Apply && kernel.runs == Runs::Step &&
                bound_.op(kernel).flags.has(ops::Flag::SupportsEpilogue),
            kernel, "has an epilogue, but runs none");
    const Register result = kernel.outputs[0];
    for (Register r : d.outputs)
      require(reg(r).writers == 1 && reg(r).place != Place::Alias && reg(r).live.begin <= kernel.pc, d,
              "its result is not live from the kernel on");
    for (uint32_t j = d.with + 1; j <= at; ++j) {
      const BoundInstruction& between = bound_.instructions[j];
      require(!targets_.contains(between.pc), between, "is jumped to, between a kernel and its epilogue");
      const bool effect = between.op == Instruction::Apply && bound_.op(between).has_effect();
      require(!effect && between.runs != Runs::Updated && !bound_.steps_in_others_memory(between), between,
              "has an effect between a kernel and its epilogue");
    }
    for (Register r : d.inputs) {
      if (r == kNoRegister) continue;
      if (bound_.root(r) != result)
        require(there_before(bound_.root(r), d.with), d, "reads what is not there when its kernel runs");
      else
        require(bound_.whole(r) && reg(r).layout->numel == reg(result).layout->numel, d,
                "reads a part of its kernel's result");
    }
  }

  bool there_before(Register r, uint32_t kernel) const {
    if (reg(r).place == Place::Param || reg(r).place == Place::Constant || writer_[r] == kNoInstruction) return true;
    const BoundInstruction& from = bound_.instructions[writer_[r]];
    return reg(r).writers == 1 && (writer_[r] < kernel || (from.runs == Runs::Early && from.with <= kernel));
  }

  void check_update(const BoundInstruction& d, uint32_t at) const {
    const BindOptions& options = bound_.binding->options();
    require(options.reuse_memory && options.written_unaliased && bound_.number == bound_.code->entry, d,
            "updates a Parameter whose memory others may share");
    require(bound_.assigns(d), d, "updates, but assigns nothing");
    const Register ref = d.inputs[0], value = d.inputs[1];
    require(reg(ref).place == Place::Param && reg(value).place == Place::Alias && reg(value).parent == ref &&
                reg(value).offset == 0 && reg(value).layout == reg(ref).layout,
            d, "its value does not lie in the Parameter");
    const uint32_t writer = writer_[value];
    if (writer < at && bound_.updates(bound_.instructions[writer])) return check_regions(d, at);
    require(writer < at && bound_.instructions[writer].op == Instruction::Fused &&
                bound_.instructions[writer].runs == Runs::Step,
            d, "its value is not the result of an elementwise step before it");
    for (uint32_t j = writer + 1; j < at; ++j) {
      const BoundInstruction& between = bound_.instructions[j];
      require((is_number(between) || between.runs == Runs::Alias || between.runs == Runs::Updated) &&
                  !targets_.contains(between.pc),
              between, "may see a Parameter that is updated too early");
    }
  }

  // The register whose value a view or load shows: itself if it is neither.
  Register shown(Register r) const {
    while (writer_[r] != kNoInstruction) {
      const BoundInstruction& d = bound_.instructions[writer_[r]];
      const bool view = d.op == Instruction::Apply && bound_.op(d).view;
      if (reg(r).place != Place::Alias || (d.op != Instruction::Load && !view)) return r;
      r = d.inputs[0];
    }
    return r;
  }

  void check_regions(const BoundInstruction& assign, uint32_t at) const {
    const Register ref = assign.inputs[0];
    uint32_t first = at;
    for (Register r = assign.inputs[1];
         writer_[r] != kNoInstruction && bound_.updates(bound_.instructions[writer_[r]]);) {
      require(bound_.root(r) == ref && writer_[r] < first, assign, "its value is not made in the Parameter");
      first = writer_[r];
      r = bound_.instructions[first].inputs[0];
    }
    require(shown(bound_.instructions[first].inputs[0]) == ref, assign, "its value is not made of the Parameter");
    for (uint32_t i = first + 1; i < at; ++i) {
      const BoundInstruction& d = bound_.instructions[i];
      const bool leaves = d.op == Instruction::Branch || d.op == Instruction::Jump || d.op == Instruction::Return;
      require(!targets_.contains(d.pc) && !leaves, d, "is jumped to or leaves, between an update and what assigns it");
      for (Register r : d.inputs)
        require(r == kNoRegister || !bound_.tensor(r) || shown(r) != ref, d,
                "reads what a Parameter was before it was updated");
    }
  }

  // A result that lies in the argument that it overwrites.
  void check_overwrite(Register value) const {
    const BoundInstruction& writer = bound_.instructions[writer_[value]];
    const BindOptions& options = bound_.binding->options();
    const Register param = bound_.root(value);
    require(options.reuse_memory && options.written_unaliased && bound_.number == bound_.code->entry, writer,
            "overwrites an argument whose memory others may share");
    require(bound_.whole(value) && reg(value).layout == reg(param).layout, value, "is a part of what it overwrites");
    require(bound_.ends_after(writer, param), writer, "overwrites an argument too early");
    for (const BoundResult& other : bound_.results)
      require(other.reg == value || other.root != param, value, "overwrites an argument that another result shows");
  }

  void check_results() const {
    for (const BoundResult& result : bound_.results) {
      if (!bound_.tensor(result.reg)) continue;
      const BoundRegister& root = reg(result.root);
      const uint32_t writer = writer_[result.reg];
      if (root.place == Place::Param && writer != kNoInstruction &&
          bound_.instructions[writer].op == Instruction::Fused)
        check_overwrite(result.reg);
      require(result.root == bound_.root(result.reg), result.reg, "is a result in another's memory");
      require(root.place == Place::Param || root.place == Place::Result, result.reg,
              "is a result that the frame holds");
      const bool own_block =
          root.index < bound_.result_blocks.size() && bound_.result_blocks[root.index] == result.root;
      require(root.place == Place::Param || own_block, result.reg, "is a result without a block");
    }
  }

  void check_arena() const {
    const bool reuse = bound_.binding->options().reuse_memory;
    std::vector<Register> order;
    for (size_t r = 0; r < bound_.registers.size(); ++r)
      if (bound_.registers[r].place == Place::Arena) order.push_back(static_cast<Register>(r));
    // What takes another's place comes behind it.
    std::stable_sort(order.begin(), order.end(), [&](Register a, Register b) {
      const auto key = [&](Register r) { return std::pair(reg(r).live.begin, reg(r).in_place_of != kNoRegister); };
      return key(a) < key(b);
    });
    std::map<int64_t, Register> live;  // by offset
    using Ending = std::pair<uint32_t, Register>;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings;
    const auto remove = [&](Register r) {
      const auto it = live.find(reg(r).offset);
      if (it != live.end() && it->second == r) live.erase(it);
    };
    for (Register r : order) {
      for (; reuse && !endings.empty() && endings.top().first < reg(r).live.begin; endings.pop())
        remove(endings.top().second);
      check_block(r);
      if (reg(r).in_place_of != kNoRegister) {
        check_in_place(r);
        remove(reg(r).in_place_of);
      }
      if (reg(r).layout->bytes() == 0) continue;
      const auto [at, added] = live.emplace(reg(r).offset, r);
      const auto next = std::next(at);
      const bool before = at != live.begin() && end_of(std::prev(at)->second) > reg(r).offset;
      const bool behind = next != live.end() && next->first < end_of(r);
      require(added && !before && !behind, r, "overlaps another live one");
      endings.push({reg(r).live.end, r});
    }
  }

  int64_t end_of(Register r) const { return reg(r).offset + static_cast<int64_t>(reg(r).layout->bytes()); }

  size_t lines(Register r) const { return (reg(r).layout->bytes() + kAlignment - 1) / kAlignment; }

  void check_block(Register r) const {
    require(reg(r).live.begin <= reg(r).live.end, r, "ends before it begins");
    require(reg(r).offset >= 0 && reg(r).offset % kAlignment == 0, r, "is not aligned");
    require(end_of(r) <= static_cast<int64_t>(*bound_.arena_bytes), r, "lies beyond the arena");
  }

  void check_in_place(Register r) const {
    const Register of = reg(r).in_place_of;
    require(of < bound_.registers.size() && reg(of).place == Place::Arena && reg(of).offset == reg(r).offset &&
                lines(of) == lines(r) && reg(of).live.end == reg(r).live.begin,
            r, "takes the place of what does not end there");
    const BoundInstruction& d = bound_.instructions[writer_[r]];
    const auto reads = [&](Register in) { return in != kNoRegister && bound_.tensor(in) && bound_.root(in) == of; };
    const auto operand = std::find_if(d.inputs.begin(), d.inputs.end(), reads);
    require((d.op == Instruction::Fused || (bound_.updates(d) && operand == d.inputs.begin())) &&
                d.outputs.size() == 1 && reg(r).writers == 1 &&
                std::count_if(d.inputs.begin(), d.inputs.end(), reads) == 1 && reg(*operand).layout == reg(r).layout &&
                bound_.whole(*operand),
            r, "takes the place of what its instruction still reads");
  }

  const BoundFunction& bound_;
  const std::set<uint32_t>& targets_;
  std::vector<uint32_t> writer_;  // by register, the last
};

}  // namespace

void verify(const BoundFunction& bound) { Verifier(bound).run(); }

}  // namespace ember::vm
