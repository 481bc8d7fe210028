// Which registers of the arena hold images channels-last (ops/kernels/images.h). Ops that name `images` gain where
// their operands and results lie so; values that elementwise instructions combine, or ops of Flag::SameImageOrder, are
// best alike; what comes from outside, goes there, or is a view's parent lies plane by plane. So values are grouped by
// the elementwise instructions that join them, and a group lies channels-last if more of its bytes pass through such
// ops than meet what lies by planes, or ops that would rather have it so. Layouts never show in a result's bits.
#include <algorithm>
#include <numeric>

#include "ops/base/division.h"
#include "ops/kernels/images.h"
#include "ops/program/reduce.h"
#include "vm/bind/binding.h"
#include "vm/bind/passes.h"

namespace ember::vm {
namespace {

using bytecode::Instruction;

constexpr int64_t kVector = 16;       // channels that kernels take at once
constexpr int64_t kLongestLine = 48;  // of pixels, where each channel is for itself

// Whether rows of so many channels leave at most a sixth of the vectors empty.
bool fills_vectors(int64_t channels) { return 6 * channels >= 5 * kVector * ops::ceil_div(channels, kVector); }

class Assignment {
 public:
  explicit Assignment(const BoundFunction& bound)
      : bound_(bound), owner_(*bound.binding), code_(*bound.code), fn_(*bound.function) {
    groups_.resize(fn_.registers.size());
    std::iota(groups_.begin(), groups_.end(), Register{0});
    gain_.resize(fn_.registers.size());
    images_.resize(fn_.registers.size());
  }

  // By register.
  std::vector<bool> channels_last() {
    std::vector<bool> last(fn_.registers.size());
    find_images();
    for (const BoundInstruction& d : bound_.instructions) join(d);
    for (const BoundInstruction& d : bound_.instructions) weigh(d);
    for (size_t r = 0; r < last.size(); ++r) last[r] = images_[r] && gain_[group(static_cast<Register>(r))] > 0;
    return last;
  }

 private:
  const bytecode::CallSite& call(const BoundInstruction& d) const { return code_.calls[d.word.wide()]; }
  bool takes_images(const BoundInstruction& d) const {
    return d.op == Instruction::Apply && !call(d).op->images.empty();
  }
  bool wants_one_order(const BoundInstruction& d) const {
    return takes_images(d) && call(d).op->flags.has(ops::Flag::SameImageOrder);
  }
  bool elementwise(const BoundInstruction& d) const {
    return d.op == Instruction::Fused || (d.op == Instruction::Apply && call(d).op->elementwise());
  }
  bool tensor(Register r) const { return r != kNoRegister && fn_.registers[r].is_tensor(); }
  bool image(Register r) const { return r != kNoRegister && images_[r]; }
  ops::Shape shape(Register r) const { return owner_.shape(fn_.registers[r]); }
  int64_t bytes(Register r) const {
    return ops::element_count(shape(r)) * static_cast<int64_t>(ops::itemsize(fn_.registers[r].dtype));
  }

  // Values that may lie either way.
  void find_images() {
    for (const BoundInstruction& d : bound_.instructions) {
      for (size_t i = 0; i < d.outputs.size(); ++i) {
        const Register r = d.outputs[i];
        const bool either = elementwise(d) || (takes_images(d) && call(d).op->image_out >> i & 1);
        images_[r] = either && bound_.registers[r].writers == 1 && has_two_orders(r);
      }
    }
    for (const BoundInstruction& d : bound_.instructions) {
      const bool reads_any = d.op == Instruction::Fused || d.op == Instruction::FusedReduce ||
                             (d.op == Instruction::Apply && !call(d).op->view);
      for (Register r : d.inputs) {
        if (r != kNoRegister && !reads_any) images_[r] = false;
      }
    }
    for (Register r : fn_.results) images_[r] = false;
  }

  bool has_two_orders(Register r) const {
    if (!tensor(r) || fn_.registers[r].dims.size() < 3 || fn_.registers[r].dims.size() > 5) return false;
    const ops::Shape s = shape(r);
    const int64_t all = ops::element_count(s);
    return all > 0 && fills_vectors(s[1]) && all > s[0] * s[1];
  }

  Register group(Register r) {
    while (groups_[r] != r) r = groups_[r] = groups_[groups_[r]];
    return r;
  }

  // Operands and results of a shape that one instruction goes through side by side.
  void join(const BoundInstruction& d) {
    if (!elementwise(d) && d.op != Instruction::FusedReduce && !wants_one_order(d)) return;
    const std::vector<Register> whole = side_by_side(d);
    for (Register r : whole) {
      if (image(r)) groups_[group(r)] = group(whole[0]);
    }
  }

  ops::Shape broadcast(const std::vector<Register>& registers) const {
    ops::Shape space;
    for (Register r : registers) {
      if (tensor(r)) space = ops::broadcast_shapes(space, shape(r));
    }
    return space;
  }

  // The registers of such an instruction that have its whole shape, images first.
  std::vector<Register> side_by_side(const BoundInstruction& d) const {
    std::vector<Register> all(d.inputs.begin(), d.inputs.end()), whole;
    if (d.op != Instruction::FusedReduce) all.insert(all.end(), d.outputs.begin(), d.outputs.end());
    const ops::Shape space = wants_one_order(d) ? shape(d.outputs[0]) : broadcast(all);
    for (Register r : all) {
      if (tensor(r) && shape(r) == space) whole.push_back(r);
    }
    std::stable_partition(whole.begin(), whole.end(), [&](Register r) { return image(r); });
    return whole;
  }

  void weigh(const BoundInstruction& d) {
    if (elementwise(d) || d.op == Instruction::FusedReduce || wants_one_order(d)) {
      const std::vector<Register> whole = side_by_side(d);
      if (whole.empty() || !image(whole[0])) return;
      const bool by_channel =
          d.op != Instruction::FusedReduce || reduces_to_channels(code_.fused[d.word.wide()].reduction, whole);
      for (Register r : whole) {
        if (!by_channel || !image(r)) gain_[group(whole[0])] -= bytes(r);
      }
      return;
    }
    if (d.op != Instruction::Apply) return;
    const ops::Op& op = *call(d).op;
    const int64_t sign = takes_images(d) && !gains(d) ? -1 : 1;
    for (size_t i = 0; i < d.inputs.size(); ++i) {
      const Register r = d.inputs[i];
      if (!image(r)) continue;
      const bool named = i < 32 && op.image_in >> i & 1;
      if (named) {
        gain_[group(r)] += sign * bytes(r);
      } else if (!reduces_to_channels({&op, call(d).attrs}, {r})) {
        gain_[group(r)] -= bytes(r);
      }
    }
    for (Register r : d.outputs) {
      if (image(r)) gain_[group(r)] += sign * bytes(r);
    }
  }

  // Whether an op that names `images` is better off by pixels. With weights (outputs, channels of a group, sizes)
  // beside them it reads images in either order, but wants many channels in a group. If a group is one channel, or
  // there are no weights, operands that lie by planes would be turned first.
  bool gains(const BoundInstruction& d) const {
    const ops::Op& op = *call(d).op;
    const size_t rank = fn_.registers[d.inputs[0]].dims.size();
    int64_t channels = 0, line = 0;
    bool alike = true;
    const auto look = [&](Register r, bool named, bool operand) {
      if (!tensor(r) || fn_.registers[r].dims.size() != rank) return;
      const ops::Shape s = shape(r);
      if (named) {
        line = std::max(line, s[rank - 1]);
        alike = alike && (!operand || image(r));
      } else {
        channels = s[1];
      }
    };
    for (size_t i = 0; i < d.inputs.size(); ++i) look(d.inputs[i], op.image_in >> i & 1, true);
    for (size_t i = 0; i < d.outputs.size(); ++i) look(d.outputs[i], op.image_out >> i & 1, false);
    if (channels > 1) return fills_vectors(channels);
    return alike && (channels == 0 || line <= kLongestLine);
  }

  // Whether it is a reduction over all of a pixel's images and places, or over the places alone.
  bool reduces_to_channels(const bytecode::Reduction& by, const std::vector<Register>& operands) const {
    if (operands.empty()) return false;
    const ops::Type& type = fn_.registers[operands[0]];
    ops::Attrs storage;
    const auto reduction = ops::reduction(*by.op, type, owner_.evaluate(by.attrs, &storage));
    if (!reduction) return false;
    const auto reduces = [&](size_t d) {
      return std::find(reduction->axes.begin(), reduction->axes.end(), d) != reduction->axes.end();
    };
    bool places = !reduces(1);
    for (size_t d = 2; d < type.dims.size(); ++d) places = places && reduces(d);
    return places;
  }

  const BoundFunction& bound_;
  const Binding& owner_;
  const bytecode::Code& code_;
  const bytecode::CodeFunction& fn_;
  std::vector<bool> images_;
  std::vector<Register> groups_;
  std::vector<int64_t> gain_;  // of a group lying channels-last, in bytes
};

}  // namespace

BoundFunction choose_layouts(BoundFunction bound) {
  if (!bound.decoded->takes_images) return bound;
  const std::vector<bool> last = Assignment(bound).channels_last();
  for (size_t r = 0; r < last.size(); ++r) {
    ops::LayoutRef& layout = bound.registers[r].layout;
    if (last[r]) layout = ops::layout(layout->dtype, layout->shape, ops::channels_last_strides(layout->shape));
  }
  return bound;
}

}  // namespace ember::vm
