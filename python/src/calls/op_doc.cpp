// Documentation of ops.add and its kin, written out from the table: signature, kinds of arguments, dtypes, errors.
#include "python/src/calls/op_doc.h"

#include <string_view>

#include "ops/text/number_text.h"

namespace ember::python {
namespace {

using ops::Flag;
using ops::ParamKind;

const char* kind_text(ParamKind kind) {
  switch (kind) {
    case ParamKind::Tensor:
      return "Tensor";
    case ParamKind::Tensors:
      return "tuple or list of Tensors";
    case ParamKind::Number:
      return "Tensor or number";
    case ParamKind::Ref:
      return "Parameter, written in place";
    case ParamKind::Int:
      return "int";
    case ParamKind::Float:
      return "float";
    case ParamKind::Bool:
      return "bool";
    case ParamKind::Str:
      return "str";
    case ParamKind::DType:
      return "dtype";
    default:
      return "int or tuple of ints";
  }
}

std::string default_text(const ops::Attr& attr) {
  if (const bool* flag = std::get_if<bool>(&attr)) return *flag ? "True" : "False";
  if (const ops::Dim* whole = std::get_if<ops::Dim>(&attr)) return std::to_string(whole->hint());
  if (const double* number = std::get_if<double>(&attr)) return ops::scalar_text(*number, ops::DType::Float64);
  if (const std::string* text = std::get_if<std::string>(&attr)) return "'" + *text + "'";
  if (const ops::DType* dtype = std::get_if<ops::DType>(&attr)) return "'" + std::string(ops::name(*dtype)) + "'";
  const ops::Ints* ints = std::get_if<ops::Ints>(&attr);
  if (!ints) return "None";
  std::string out;
  for (const ops::Dim& d : *ints) out += (out.empty() ? "" : ", ") + std::to_string(d.hint());
  return ints->size() == 1 ? out : "(" + out + ")";
}

std::string arguments(const ops::Op& op) {
  std::string out;
  for (const ops::Param& p : op.signature.params) {
    if (p.kind == ParamKind::Random) continue;
    out += "\n    " + p.name;
    out += std::string(": ") + kind_text(p.kind) + (p.optional ? " or None" : "");
    if (p.has_default) out += "; by default " + default_text(p.default_value);
  }
  return out;
}

const char* elementwise_text(const ops::Flags& flags) {
  if (flags.has(Flag::Compare)) return "a bool Tensor; shapes broadcast, dtypes promote before the comparison";
  if (flags.has(Flag::Logical)) return "a bool Tensor; shapes broadcast, operands are taken as bools";
  if (flags.has(Flag::FloatResult))
    return "a Tensor of floating point; shapes broadcast, dtypes promote, and integers and bools count as float32";
  if (flags.has(Flag::NoPromote)) return "a Tensor";
  if (flags.has(Flag::KeepFirst)) return "a Tensor; shapes broadcast, the operands after the first promote";
  return "a Tensor; shapes broadcast, dtypes promote";
}

std::string result_text(const ops::Op& op) {
  if (op.flags.has(Flag::Memory)) return "the Parameter";
  if (op.elementwise()) return elementwise_text(op.flags);
  const int count = op.signature.results;
  if (count == 0) return "None";
  if (count == 1) return "a Tensor";
  return count < 0 ? "a tuple of Tensors" : "a tuple of " + std::to_string(count) + " Tensors";
}

}  // namespace

std::string text_signature(const ops::Op& op) {
  std::string out;
  for (const ops::Param& p : op.signature.params) {
    if (p.kind == ParamKind::Random) continue;
    out += (out.empty() ? "" : ", ") + p.name;
    if (p.has_default) out += "=" + default_text(p.default_value);
  }
  return "(" + out + ")";
}

std::string documentation(const ops::Op& op) {
  std::string out(op.doc);
  const std::string listed = arguments(op);
  if (!listed.empty()) out += "\n\nArgs:" + listed;
  out += "\n\nReturns:\n    " + result_text(op) + ".";
  out += "\n\nRaises:\n    TypeError: an argument of another kind, or a dtype that the op does not take.";
  out += "\n    ValueError: shapes or values of arguments that do not fit.";
  const bool indexes =
      std::ranges::count_if(op.signature.params, [](const ops::Param& p) { return is_operand(p.kind); }) > 1;
  if (op.flags.has(Flag::RaisesOnValue) && indexes && !op.has_effect())
    out += "\n    IndexError: an index that is out of range.";
  if (!op.numpy.empty()) out += "\n\nIn NumPy: " + std::string(op.numpy);
  return out + "\n";
}

}  // namespace ember::python
