// What steps do that call into ops or other functions. The interpreter's handlers and native code share it.
#include "vm/exec/steps.h"

#include <bit>
#include <cstring>

#include "ops/base/interrupt.h"
#include "ops/base/timeline.h"
#include "ops/eager/eager.h"
#include "ops/program/program.h"
#include "ops/tensor/convert.h"
#include "vm/exec/depth.h"
#include "vm/exec/interpreter.h"
#include "vm/exec/scalar_steps.h"

namespace ember::vm {
namespace {

constexpr size_t kViews = 24;

// Calls f(inputs, outputs) with views of the operands over the frame.
template <class F>
void with_views(const PreparedOperands& operands, const Frame& frame, F&& f) {
  const FunctionBinding& function = *frame.function;
  size_t n = operands.regs.size();
  ops::View small[kViews];
  std::vector<ops::View> large(n > kViews ? n : 0);
  ops::View* views = n > kViews ? large.data() : small;
  for (size_t i = 0; i < n; ++i) {
    Register r = operands.regs[i];
    if (r == kNoRegister) continue;
    const PlacedRegister& reg = function.reg(r);
    views[i].layout = reg.layout.get();
    views[i].data = reg.place != Place::Scalar ? frame.pointer<void>(r) : const_cast<uint64_t*>(&frame.slots[r]);
  }
  f(std::span<const ops::View>(views, operands.inputs),
    std::span<const ops::View>(views + operands.inputs, n - operands.inputs));
}

// Of a tensor that lies in an argument or a constant.
const gc::Storage* storage_of(const Frame& frame, Register r) {
  if (r == kNoRegister) return nullptr;
  const PlacedRegister& placed = frame.function->reg(r);
  const PlacedRegister& root = placed.place == Place::Alias ? frame.function->reg(placed.parent) : placed;
  if (root.place == Place::Constant) return frame.function->code().constants[root.index].storage().get();
  return root.place == Place::Param ? frame.storages[root.index] : nullptr;
}

// KernelCall::cacheable.
const gc::Storage* cached_right_operand(const PreparedOperands& operands, const Frame& frame) {
  return operands.inputs > 1 ? storage_of(frame, operands.regs[1]) : nullptr;
}

template <class To>
void item(const PreparedOperands& operands, Frame& frame) {
  const ops::Layout& layout = *frame.function->reg(operands.regs[0]).layout;
  const void* data = frame.pointer<void>(operands.regs[0]);
  To value = ops::dispatch(layout.dtype, [&]<class T>() {
    T element;
    std::memcpy(&element, data, sizeof element);
    return ops::convert_value<To>(element);
  });
  frame.slots[operands.regs[1]] = 0;
  std::memcpy(&frame.slots[operands.regs[1]], &value, sizeof value);
}

[[gnu::noinline]] void copy_view(const ops::View& from, const ops::View& to) {
  static const ops::Op& cast = ops::op("cast");
  if (from.layout->dtype == to.layout->dtype && from.layout->contiguous) {
    std::memmove(to.data, from.data, to.layout->bytes());
    return;
  }
  ops::Attrs attrs;
  attrs.set(1, to.layout->dtype);
  const ops::Type type = ops::Type::tensor(from.layout->dtype, {});
  ops::program(cast, {&type, 1}, attrs)->run({&from, 1}, {&to, 1});
}

const ops::StackEntry* entry(const Frame& frame, Register stack) { return frame.pointer<const ops::StackEntry>(stack); }

// Only the values on a stack know their types.
bool fits(const ops::StackItem& item, const ops::Type& type, const ops::Layout* layout) {
  switch (type.kind) {
    case ops::Kind::Bool:
      return std::holds_alternative<bool>(item);
    case ops::Kind::Int:
      return std::holds_alternative<int64_t>(item);
    case ops::Kind::Float:
      return std::holds_alternative<double>(item);
    case ops::Kind::Stack:
      return std::holds_alternative<ops::Stack>(item);
    default: {
      const auto* tensor = std::get_if<ops::Tensor>(&item);
      return tensor && tensor->dtype() == layout->dtype && tensor->shape() == layout->shape;
    }
  }
}

[[gnu::noinline]] ops::Attrs dynamic_attrs(const PreparedOperands& operands, const Frame& frame) {
  return map_dims(*operands.dynamic, [&](ops::Dim d) { return d.symbolic() ? ops::Dim(frame.numbers[d.expr]) : d; });
}

[[gnu::noinline]] void run_with_epilogue(const PreparedOperands& operands, Frame& frame) {
  const PreparedOperands& last = *operands.epilogue->operands;
  with_views(operands, frame, [&](auto in, auto out) {
    with_views(last, frame, [&](auto last_in, auto last_out) {
      const ops::Epilogue epilogue(*last.program, last_in, last_out);
      operands.kernel({in, out, *operands.attrs, &epilogue, cached_right_operand(operands, frame)});
    });
  });
}

// Of a fused step, in their order.
std::string verbs_of(const PreparedOperands& operands) {
  std::string names;
  for (const ops::ExprNode& node : operands.program->expr().nodes)
    if (node.verb != ops::Verb::Input && node.verb != ops::Verb::Const)
      names += (names.empty() ? "" : " ") + std::string(ops::info(node.verb).name);
  return "Fused {" + names + "}";
}

}  // namespace

uint64_t place_of(const Frame& frame) { return uint64_t{frame.function->number()} << 32 | frame.pc; }

#define EMBER_RUN(name) \
  template <>           \
  void run_operands<Handler::name>(const PreparedOperands& operands, Frame& frame)

EMBER_RUN(Kernel) {
  const ops::TimedSpan span(
      "step", [&] { return std::string(operands.op->name); }, place_of(frame));
  const ops::Uninterrupted whole(operands.in_place);
  if (operands.epilogue) return run_with_epilogue(operands, frame);
  const gc::Storage* cached = cached_right_operand(operands, frame);
  const auto run = [&](const ops::Attrs& attrs) {
    with_views(operands, frame, [&](auto in, auto out) {
      if (operands.kernel)
        operands.kernel({in, out, attrs, nullptr, cached});
      else
        ops::run_kernel(*operands.op, in, out, attrs, cached);
    });
  };
  operands.dynamic ? run(dynamic_attrs(operands, frame)) : run(*operands.attrs);
}

EMBER_RUN(View) {
  const Register in = operands.regs[0], out = operands.regs[1];
  int64_t offset = 0;
  ops::LayoutRef layout;
  const ops::Layout& of = *frame.function->reg(in).layout;
  if (operands.dynamic) {
    operands.op->view(of, dynamic_attrs(operands, frame), &layout, &offset);
  } else if (operands.op) {
    operands.op->view(of, *operands.attrs, &layout, &offset);
  }
  frame.slots[out] = frame.slots[in] + static_cast<uint64_t>(offset);
}

EMBER_RUN(Program) {
  const ops::TimedSpan span(
      "step", [&] { return verbs_of(operands); }, place_of(frame));
  const ops::Uninterrupted whole(operands.in_place);
  with_views(operands, frame, [&](auto in, auto out) { operands.program->run(in, out); });
}

EMBER_RUN(Reduce) {
  const ops::TimedSpan span(
      "step", [&] { return verbs_of(operands) + " reduced"; }, place_of(frame));
  with_views(operands, frame, [&](auto in, auto out) {
    operands.program->reduce(in, operands.reduction->space, operands.reduction->by.kind, operands.reduction->by.axes,
                             out[0]);
  });
}

EMBER_RUN(ItemBool) { item<bool>(operands, frame); }
EMBER_RUN(ItemInt) { item<int64_t>(operands, frame); }
EMBER_RUN(ItemFloat) { item<double>(operands, frame); }

EMBER_RUN(MoveTensor) {
  with_views(operands, frame, [&](auto in, auto out) { copy_view(in[0], out[0]); });
}
EMBER_RUN(ToTensor) { run_operands<Handler::MoveTensor>(operands, frame); }

EMBER_RUN(Call) {
  const bytecode::CodeFunction& fn = frame.function->function();
  const NestedCall nested(frame);
  FunctionBinding& callee = *operands.callee;
  const bytecode::CodeFunction& to = callee.function();
  std::unique_ptr<Frame> inner = callee.acquire_frame();
  for (uint32_t i = 0; i < operands.inputs; ++i) {
    inner->slots[to.params[i]] = frame.slots[operands.regs[i]];
    inner->storages[i] = storage_of(frame, operands.regs[i]);
  }
  inner->numbers = frame.numbers;
  callee.enter(*inner);
  resume(*inner, callee);
  for (size_t i = 0; i < to.results.size(); ++i) {
    Register out = operands.regs[operands.inputs + i];
    Register result = to.results[i];
    if (!fn.registers[out].is_tensor()) {
      frame.slots[out] = inner->slots[result];
      continue;
    }
    copy_view({inner->pointer<void>(result), callee.reg(result).layout.get()},
              {frame.pointer<void>(out), frame.function->reg(out).layout.get()});
  }
  frame.stacks.insert(frame.stacks.end(), inner->stacks.begin(), inner->stacks.end());
  callee.release_frame(std::move(inner));
}

EMBER_RUN(Number) { frame.slots[operands.regs[0]] = static_cast<uint64_t>(frame.numbers[operands.number]); }

EMBER_RUN(Push) {
  const bytecode::CodeFunction& fn = frame.function->function();
  std::vector<ops::StackItem> items;
  for (uint32_t i = 1; i < operands.inputs; ++i) {
    Register r = operands.regs[i];
    uint64_t bits = frame.slots[r];
    switch (fn.registers[r].kind) {
      case ops::Kind::Bool:
        items.emplace_back((bits & 1) != 0);
        break;
      case ops::Kind::Int:
        items.emplace_back(static_cast<int64_t>(bits));
        break;
      case ops::Kind::Float:
        items.emplace_back(std::bit_cast<double>(bits));
        break;
      case ops::Kind::Stack:
        items.emplace_back(ops::Stack(entry(frame, r)));
        break;
      default: {
        const ops::Layout& layout = *frame.function->reg(r).layout;
        ops::Tensor copy = ops::Tensor::empty(layout.dtype, layout.shape);
        copy_view({frame.pointer<void>(r), &layout}, {copy.data(), &copy.layout()});
        items.emplace_back(std::move(copy));
      }
    }
  }
  frame.stacks.push_back(ops::push(ops::Stack(entry(frame, operands.regs[0])), std::move(items)));
  frame.slots[operands.regs[operands.inputs]] = reinterpret_cast<uint64_t>(frame.stacks.back().get());
}

EMBER_RUN(Pop) {
  const bytecode::CodeFunction& fn = frame.function->function();
  const ops::StackEntry* top = entry(frame, operands.regs[0]);
  Register below = operands.regs[operands.inputs];
  bool expected = !top || top->items().size() == operands.regs.size() - operands.inputs - 1;
  for (size_t i = operands.inputs + 1; top && expected && i < operands.regs.size(); ++i)
    expected = fits(top->items()[i - operands.inputs - 1], fn.registers[operands.regs[i]],
                    frame.function->reg(operands.regs[i]).layout.get());
  if (!expected) ops::value_error("vm: a Pop expects other values than were pushed");
  for (size_t i = operands.inputs + 1; i < operands.regs.size(); ++i) {
    Register r = operands.regs[i];
    const ops::StackItem* item = top ? &top->items()[i - operands.inputs - 1] : nullptr;
    if (fn.registers[r].is_tensor()) {
      if (item) {
        const auto& tensor = std::get<ops::Tensor>(*item);
        copy_view({tensor.data(), &tensor.layout()}, {frame.pointer<void>(r), frame.function->reg(r).layout.get()});
      } else {
        std::memset(frame.pointer<void>(r), 0, frame.function->reg(r).layout->bytes());
      }
      continue;
    }
    uint64_t bits = 0;
    if (item && std::holds_alternative<bool>(*item)) bits = std::get<bool>(*item);
    if (item && std::holds_alternative<int64_t>(*item)) bits = static_cast<uint64_t>(std::get<int64_t>(*item));
    if (item && std::holds_alternative<double>(*item)) bits = std::bit_cast<uint64_t>(std::get<double>(*item));
    if (item && std::holds_alternative<ops::Stack>(*item))
      bits = reinterpret_cast<uint64_t>(std::get<ops::Stack>(*item).get());
    frame.slots[r] = bits;
  }
  frame.slots[below] = reinterpret_cast<uint64_t>(top ? top->below().get() : nullptr);
}

#undef EMBER_RUN

// What a step keeps on the stack is in functions of their own, so that calls within calls keep only their own.
void execute(const Step& step, Frame& frame) {
  switch (step.kind) {
#define X(name)       \
  case Handler::name: \
    return run_scalar<Handler::name>(step, frame.slots);
    EMBER_SCALAR_HANDLERS(X)
#undef X
#define X(name)       \
  case Handler::name: \
    return run_operands<Handler::name>(*step.operands, frame);
    EMBER_OPERAND_HANDLERS(X)
#undef X
#define X(name) case Handler::name:
    EMBER_CONTROL_HANDLERS(X)
#undef X
    break;
  }
  ops::value_error("vm: a step that is not executed by itself");
}

uint32_t execute_for_native(const Step* step, Frame* frame) noexcept {
  try {
    frame->pc = step->pc;
    execute(*step, *frame);
    return 0;
  } catch (...) {
    frame->error = std::current_exception();
    return 1;
  }
}

}  // namespace ember::vm
