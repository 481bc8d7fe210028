// Result types, and the expressions of elementwise ops.
//
// An elementwise call has a computation dtype, promoted from its operands as the op's flags say. Every operand is an
// input of the expression in the dtype it has in memory, is converted to the computation dtype (half types: to
// float32), and the result is rounded to it at the end. A number beside tensors takes the computation dtype first, so x
// * 0.1 is the same as x * Tensor(0.1, x.dtype). A call of numbers alone has a number as its result, computed as Python
// does, in Bool, Int64 and Float64. With NoPromote the expression's own dtype is the result's.
//
// A composed op has the types that its steps give: it runs against a builder whose values are only types.
//
// A refusal ends with the operands that were passed, unless the rule has told their shapes itself.
#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "gc/fork.h"
#include "ops/eager/eager.h"
#include "ops/expr/complex.h"
#include "ops/program/program.h"
#include "ops/table/builder.h"

namespace ember::ops {
namespace {

std::string quoted(const Op& op) { return "'" + std::string(op.name) + "'"; }

bool absent(const Type& t) { return t.kind == Kind::Token; }

const Param* operand_param(const Op& op, size_t position, size_t operands) {
  size_t others = 0;
  for (const Param& p : op.signature.params) others += is_operand(p.kind) && p.kind != ParamKind::Tensors;
  size_t listed = operands - others;
  for (const Param& p : op.signature.params) {
    if (!is_operand(p.kind)) continue;
    size_t width = p.kind == ParamKind::Tensors ? listed : 1;
    if (position < width) return &p;
    position -= width;
  }
  return nullptr;
}

void check_count(const Op& op, size_t count) {
  size_t least = 0;
  bool open = false;
  for (const Param& p : op.signature.params) {
    if (!is_operand(p.kind)) continue;
    open |= p.kind == ParamKind::Tensors;
    least += p.kind != ParamKind::Tensors;
  }
  if (count < least || (!open && count > least)) {
    type_error("For " + quoted(op) + ", " + std::to_string(least) + (open ? " or more" : "") +
               " operands are expected, " + std::to_string(count) + " are given.");
  }
}

void check_operands(const Op& op, std::span<const Type> in) {
  check_count(op, in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const Param& p = *operand_param(op, i, in.size());
    auto wants = [&](const char* what) {
      type_error("For " + quoted(op) + ", '" + p.name + "' must be " + what + ", but is " + to_string(in[i]) + ".");
    };
    if (absent(in[i])) {
      if (!p.optional) wants("given");
    } else if (p.kind == ParamKind::Random) {
      if (in[i].kind != Kind::Int) wants("a random key");
    } else if (p.kind == ParamKind::Ref) {
      if (in[i].kind != Kind::Ref) wants("a Parameter");
    } else if (p.kind != ParamKind::Number && is_scalar(in[i].kind) && !op.elementwise()) {
      wants("a tensor");
    }
  }
}

bool only_scalars(std::span<const Type> in) {
  return std::none_of(in.begin(), in.end(), [](const Type& t) { return t.is_tensor(); });
}

// The promoted dtype of the operands from `first` on.
void promoted(std::span<const Type> in, size_t first, DType* out) {
  bool any = false;
  for (size_t i = first; i < in.size(); ++i) {
    if (!in[i].is_tensor()) continue;
    *out = any ? promote(*out, in[i].dtype) : in[i].dtype;
    any = true;
  }
  Kind strongest = Kind::Tensor;
  for (size_t i = first; i < in.size(); ++i) {
    if (is_scalar(in[i].kind)) strongest = std::max(strongest, in[i].kind);
  }
  if (strongest == Kind::Tensor) return;
  ScalarKind kind = scalar_kind(strongest);
  *out = any ? promote(*out, kind) : only_scalars(in) ? slot_dtype(strongest) : default_dtype(kind);
}

DType computation_dtype(const Op& op, std::span<const Type> in) {
  DType dtype = DType::Float32;
  try {
    promoted(in, op.flags.has(Flag::KeepFirst) ? 1 : 0, &dtype);
  } catch (const std::invalid_argument& e) {
    type_error("For " + quoted(op) + ", " + e.what() + ".");
  }
  if (op.flags.has(Flag::FloatResult) && !is_inexact(dtype)) {
    return only_scalars(in) ? DType::Float64 : DType::Float32;
  }
  return dtype;
}

// Operand i as apply() sees it.
Ex operand(ExprBuilder& b, const Op& op, const Type& type, uint16_t i, DType computation) {
  if (absent(type)) return {};
  bool scalar = is_scalar(type.kind);
  DType dtype = scalar ? slot_dtype(type.kind) : type.dtype;
  Ex x = b.input(i, dtype);
  if (op.flags.has(Flag::Logical)) return convert(convert(x, compute_dtype(dtype)), DType::Bool);
  bool keeps = op.flags.has(Flag::NoPromote) || (op.flags.has(Flag::KeepFirst) && i == 0);
  if (keeps) return convert(x, compute_dtype(dtype));
  DType wide = compute_dtype(computation);
  x = convert(convert(x, compute_dtype(dtype)), wide);
  return scalar && wide != computation ? convert(convert(x, computation), wide) : x;
}

Ex applied(ExprBuilder& b, const Op& op, std::span<const Ex> operands, const Attrs& attrs) {
  try {
    return op.apply(b, operands, attrs);
  } catch (const NotOfComplex& e) {
    type_error("For " + quoted(op) + ", " + e.what() + ".");
  }
}

Expr build_expression(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  DType computation = computation_dtype(op, in);
  ExprBuilder b;
  std::vector<Ex> operands;
  for (size_t i = 0; i < in.size(); ++i)
    operands.push_back(operand(b, op, in[i], static_cast<uint16_t>(i), computation));
  const Ex result = applied(b, op, operands, attrs);
  bool round = !op.flags.has(Flag::NoPromote) && compute_dtype(computation) != computation &&
               result.dtype() == compute_dtype(computation);
  Expr expr = b.finish({round ? convert(result, computation) : result});
  expr.inputs = static_cast<uint16_t>(in.size());
  std::string why;
  if (!well_formed(expr, &why)) throw std::logic_error("the expression of " + quoted(op) + ": " + why);
  return expr;
}

// The programs of the latest calls, in two generations: when the young one is full it becomes the old one, whose
// programs go unless they are asked for again.
class CallCache {
 public:
  using ProgramRef = gc::Ref<const Program>;

  ProgramRef get(const Op& op, std::span<const Type> in, const Attrs& attrs) {
    std::vector<uint16_t> kinds;
    size_t key = hash(attrs) + op.number;
    for (const Type& t : in) {
      uint16_t kind =
          static_cast<uint16_t>((t.is_tensor() ? 0 : static_cast<int>(t.kind)) << 8 | static_cast<int>(t.dtype));
      kinds.push_back(kind);
      key = (key ^ kind) * 0x9E3779B97F4A7C15;
    }
    ProgramRef program;
    {
      std::lock_guard lock(mutex_);
      if (ProgramRef young = find(young_, key, op, kinds, attrs)) return young;
      program = find(old_, key, op, kinds, attrs);
    }
    if (!program) program = Program::of(build_expression(op, in, attrs));
    Generation dropped;
    std::lock_guard lock(mutex_);
    if (ProgramRef young = find(young_, key, op, kinds, attrs)) return young;
    if (young_.size() == kGeneration) dropped = std::exchange(old_, std::exchange(young_, {}));
    return young_.emplace(key, Call{op.number, std::move(kinds), attrs, program})->second.program;
  }

 private:
  static constexpr size_t kGeneration = 1024;

  struct Call {
    uint16_t op;
    std::vector<uint16_t> kinds;
    Attrs attrs;
    ProgramRef program;
  };
  using Generation = std::unordered_multimap<size_t, Call>;

  static ProgramRef find(const Generation& calls, size_t key, const Op& op, const std::vector<uint16_t>& kinds,
                         const Attrs& attrs) {
    auto [first, last] = calls.equal_range(key);
    for (auto it = first; it != last; ++it) {
      const Call& call = it->second;
      if (call.op == op.number && call.kinds == kinds && identical(call.attrs, attrs)) return call.program;
    }
    return {};
  }

  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Calls};
  Generation young_, old_;
};

Type infer_elementwise(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  gc::Ref<const Program> called = program(op, in, attrs);
  DType dtype = called->expr().nodes[called->expr().outputs[0]].dtype;
  if (only_scalars(in)) {
    for (Kind kind : {Kind::Bool, Kind::Int, Kind::Float}) {
      if (dtype == slot_dtype(kind)) return Type::scalar(kind);
    }
  }
  Dims dims;
  for (const Type& t : in) {
    if (t.is_tensor()) dims = broadcast(dims, t.dims, op.name);
  }
  return Type::tensor(dtype, dims);
}

Types infer_types(const Op& op, std::span<const Type> in, const Attrs& attrs);

// Values are numbers of types; nothing is computed.
class TypeBuilder final : public Builder {
 public:
  Value add(const Type& t) {
    if (absent(t)) return {};
    types_.push_back(t);
    return GraphValue{static_cast<uint32_t>(types_.size() - 1)};
  }
  Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) override {
    Types in;
    for (const Value& v : operands) in.push_back(type(v));
    Values out;
    for (const Type& t : infer_types(op, in, attrs)) out.push_back(add(t));
    return out;
  }
  Type type(const Value& v) const override {
    const GraphValue* value = std::get_if<GraphValue>(&v);
    return value ? types_.at(value->id) : type_of(v);
  }
  Value size(Dim dim) override { return add(size_type(dim)); }
  Value next_random() override { return add(Type::scalar(Kind::Int)); }
  Value constant(const Tensor& t) override { return t; }

 private:
  Types types_;
};

Types infer_composed(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  TypeBuilder b;
  Values operands;
  for (const Type& t : in) operands.push_back(b.add(t));
  Types out;
  try {
    for (const Value& v : op.compose(b, operands, attrs)) out.push_back(b.type(v));
  } catch (const OpError& e) {
    throw OpError(e.kind, in_name_of(op.name, e.what()));
  }
  return out;
}

void refuse_storage(const Op& op, std::span<const Type> in) {
  if (op.view || op.flags.has(Flag::Moves)) return;
  for (const Type& t : in) {
    if (!t.is_tensor() || !is_storage(t.dtype)) continue;
    type_error("For " + quoted(op) + ", " + std::string(name(t.dtype)) +
               " is a dtype of storage: convert the operand first, as by astype(" +
               (t.dtype == DType::Int4 ? "int8" : "float32") + ").");
  }
}

Types infer_unchecked(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  if (op.elementwise() || op.infer) refuse_storage(op, in);
  if (op.elementwise()) return {infer_elementwise(op, in, attrs)};
  return op.infer ? op.infer({in, attrs}) : infer_composed(op, in, attrs);
}

Types infer_types(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  check_operands(op, in);
  try {
    Types out = infer_unchecked(op, in, attrs);
    for (const Type& t : out) element_count(hints(t.dims));
    return out;
  } catch (const std::invalid_argument& e) {
    value_error("For " + quoted(op) + ", " + e.what() + ".");
  } catch (const std::length_error& e) {
    value_error("For " + quoted(op) + ", " + e.what() + ".");
  }
}

std::string with_operands(std::string message, const Op& op, std::span<const Type> in) {
  constexpr size_t kMax = 6;
  std::string all;
  bool told = true;
  for (size_t i = 0; i < in.size(); ++i) {
    const Param* param = operand_param(op, i, in.size());
    if (absent(in[i]) || !param || param->kind == ParamKind::Random) continue;
    if (in[i].is_tensor()) told &= message.find(to_string(hints(in[i].dims))) != std::string::npos;
    if (i < kMax) all += (all.empty() ? "" : ", ") + param->name + " is " + to_string(in[i]);
  }
  if (told) return message;
  if (message.ends_with('.')) message.pop_back();
  return message + " (" + all + (in.size() > kMax ? ", ..." : "") + ").";
}

}  // namespace

gc::Ref<const Program> program(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  static CallCache& cache = *new CallCache;
  return cache.get(op, in, attrs);
}

Types infer(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  try {
    return infer_types(op, in, attrs);
  } catch (const OpError& e) {
    throw OpError(e.kind, with_operands(e.what(), op, in));
  }
}

}  // namespace ember::ops
