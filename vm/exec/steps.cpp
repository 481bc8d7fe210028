// What steps do that call into ops or other functions. The interpreter's handlers and native code share it.
#include "vm/exec/steps.h"

#include <bit>
#include <cstring>

#include "ops/eager/eager.h"
#include "ops/program/program.h"
#include "vm/exec/depth.h"
#include "vm/exec/interpreter.h"

namespace ember::vm {
namespace {

constexpr size_t kViews = 24;

// Calls f(inputs, outputs) with the site's views over the frame.
template <class F>
void with_views(const StepSite& site, const Frame& frame, F&& f) {
  const bytecode::CodeFunction& fn = frame.function->function();
  size_t n = site.regs.size();
  ops::View small[kViews];
  std::vector<ops::View> large(n > kViews ? n : 0);
  ops::View* views = n > kViews ? large.data() : small;
  for (size_t i = 0; i < n; ++i) {
    Register r = site.regs[i];
    views[i].layout = site.views[i].layout;
    if (r == kNoRegister) continue;
    bool in_memory = fn.registers[r].is_tensor();
    views[i].data = in_memory ? frame.pointer<void>(r) : const_cast<uint64_t*>(&frame.slots[r]);
  }
  f(std::span<const ops::View>(views, site.inputs), std::span<const ops::View>(views + site.inputs, n - site.inputs));
}

// Of a tensor that lies in an argument or a constant.
const gc::Storage* storage_of(const Frame& frame, Register r) {
  if (r == kNoRegister) return nullptr;
  const RegisterPlan& plan = frame.function->reg(r);
  const RegisterPlan& root = plan.place == Place::Alias ? frame.function->reg(plan.parent) : plan;
  if (root.place == Place::Constant) return frame.function->code().constants[root.index].storage().get();
  return root.place == Place::Param ? frame.storages[root.index] : nullptr;
}

// KernelCall::kept.
const gc::Storage* kept_operand(const StepSite& site, const Frame& frame) {
  return site.inputs > 1 ? storage_of(frame, site.regs[1]) : nullptr;
}

template <class To>
void item(const StepSite& site, Frame& frame) {
  const ops::Layout& layout = *site.views[0].layout;
  const void* data = frame.pointer<void>(site.regs[0]);
  To value = ops::dispatch(layout.dtype, [&]<class T>() {
    T element;
    std::memcpy(&element, data, sizeof element);
    if constexpr (std::is_same_v<T, ops::Half> || std::is_same_v<T, ops::BFloat16>)
      return static_cast<To>(static_cast<float>(element));
    else
      return static_cast<To>(element);
  });
  frame.slots[site.regs[1]] = 0;
  std::memcpy(&frame.slots[site.regs[1]], &value, sizeof value);
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

void call_function(const StepSite& site, Frame& caller) {
  const bytecode::CodeFunction& fn = caller.function->function();
  const NestedCall nested(caller);
  FunctionBinding& callee = *site.callee;
  const bytecode::CodeFunction& to = callee.function();
  std::unique_ptr<Frame> frame = callee.acquire_frame();
  for (uint32_t i = 0; i < site.inputs; ++i) {
    frame->slots[to.params[i]] = caller.slots[site.regs[i]];
    frame->storages[i] = storage_of(caller, site.regs[i]);
  }
  callee.enter(*frame);
  resume(*frame, callee);
  for (size_t i = 0; i < to.results.size(); ++i) {
    Register out = site.regs[site.inputs + i];
    Register result = to.results[i];
    if (!fn.registers[out].is_tensor()) {
      caller.slots[out] = frame->slots[result];
      continue;
    }
    copy_view({frame->pointer<void>(result), callee.reg(result).layout.get()},
              {caller.pointer<void>(out), site.views[site.inputs + i].layout});
  }
  caller.stacks.insert(caller.stacks.end(), frame->stacks.begin(), frame->stacks.end());
  callee.release_frame(std::move(frame));
}

const ops::StackEntry* entry(const Frame& frame, Register stack) { return frame.pointer<const ops::StackEntry>(stack); }

void push(const StepSite& site, Frame& frame) {
  const bytecode::CodeFunction& fn = frame.function->function();
  std::vector<ops::StackItem> items;
  for (uint32_t i = 1; i < site.inputs; ++i) {
    Register r = site.regs[i];
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
        const ops::Layout& layout = *site.views[i].layout;
        ops::Tensor copy = ops::Tensor::empty(layout.dtype, layout.shape);
        copy_view({frame.pointer<void>(r), &layout}, {copy.data(), &copy.layout()});
        items.emplace_back(std::move(copy));
      }
    }
  }
  frame.stacks.push_back(ops::push(ops::Stack(entry(frame, site.regs[0])), std::move(items)));
  frame.slots[site.regs[site.inputs]] = reinterpret_cast<uint64_t>(frame.stacks.back().get());
}

// Only the values on a stack know their types.
bool fits(const ops::StackItem& item, const ops::Type& type, const ops::View& view) {
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
      return tensor && tensor->dtype() == view.layout->dtype && tensor->shape() == view.layout->shape;
    }
  }
}

void pop(const StepSite& site, Frame& frame) {
  const bytecode::CodeFunction& fn = frame.function->function();
  const ops::StackEntry* top = entry(frame, site.regs[0]);
  Register below = site.regs[site.inputs];
  bool expected = !top || top->items().size() == site.regs.size() - site.inputs - 1;
  for (size_t i = site.inputs + 1; top && expected && i < site.regs.size(); ++i)
    expected = fits(top->items()[i - site.inputs - 1], fn.registers[site.regs[i]], site.views[i]);
  if (!expected) ops::value_error("vm: a Pop expects other values than were pushed");
  for (size_t i = site.inputs + 1; i < site.regs.size(); ++i) {
    Register r = site.regs[i];
    const ops::StackItem* item = top ? &top->items()[i - site.inputs - 1] : nullptr;
    if (fn.registers[r].is_tensor()) {
      if (item) {
        const auto& tensor = std::get<ops::Tensor>(*item);
        copy_view({tensor.data(), &tensor.layout()}, {frame.pointer<void>(r), site.views[i].layout});
      } else {
        std::memset(frame.pointer<void>(r), 0, site.views[i].layout->bytes());
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

[[gnu::noinline]] void run_with_epilogue(const StepSite& site, Frame& frame) {
  const StepSite& last = *site.epilogue->site;
  with_views(site, frame, [&](auto in, auto out) {
    with_views(last, frame, [&](auto last_in, auto last_out) {
      const ops::Epilogue epilogue(*last.program, last_in, last_out);
      site.kernel({in, out, site.attrs, &epilogue, kept_operand(site, frame)});
    });
  });
}

}  // namespace

void run_kernel_step(const StepSite& site, Frame& frame) {
  if (site.epilogue) return run_with_epilogue(site, frame);
  const gc::Storage* kept = kept_operand(site, frame);
  with_views(site, frame, [&](auto in, auto out) {
    if (site.kernel)
      site.kernel({in, out, site.attrs, nullptr, kept});
    else
      ops::run_kernel(*site.op, in, out, site.attrs, kept);
  });
}

void run_program_step(const StepSite& site, Frame& frame) {
  with_views(site, frame, [&](auto in, auto out) { site.program->run(in, out); });
}

namespace {

// Calls do not come here, so that what other steps keep on the stack is not there once for each call within another.
[[gnu::noinline]] void execute_other(const Step& step, Frame& frame) {
  const StepSite& site = *step.site;
  switch (step.kind) {
    case Handler::Kernel:
      return run_kernel_step(site, frame);
    case Handler::Program:
      return run_program_step(site, frame);
    case Handler::Reduce:
      return with_views(site, frame, [&](auto in, auto out) {
        site.program->reduce(in, site.space, site.reduction.kind, site.reduction.axes, out[0]);
      });
    case Handler::ItemBool:
      return item<bool>(site, frame);
    case Handler::ItemInt:
      return item<int64_t>(site, frame);
    case Handler::ItemFloat:
      return item<double>(site, frame);
    case Handler::ToTensor:
    case Handler::MoveTensor:
      return with_views(site, frame, [&](auto in, auto out) { copy_view(in[0], out[0]); });
    case Handler::Push:
      return push(site, frame);
    case Handler::Pop:
      return pop(site, frame);
    default:
      ops::value_error("vm: a step that is not executed by itself");
  }
}

}  // namespace

void execute(const Step& step, Frame& frame) {
  step.kind == Handler::Call ? call_function(*step.site, frame) : execute_other(step, frame);
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
