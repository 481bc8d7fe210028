// Types: text and comparison.
#include "ops/tensor/type.h"

namespace ember::ops {
namespace {

std::string to_string(const Dims& dims, const SymbolTable& symbols) {
  std::string text = "(";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != 0) text += ", ";
    bool named = dims[i].symbolic() && dims[i].expr < symbols.exprs().size();
    text += named ? symbols.text(dims[i].expr) : std::to_string(dims[i].hint());
  }
  return text + (dims.size() == 1 ? ",)" : ")");
}

// The type without its dims.
std::string word(const Type& type) {
  switch (type.kind) {
    case Kind::Bool:
      return "Bool";
    case Kind::Int:
      return "Int";
    case Kind::Float:
      return "Float";
    case Kind::Token:
      return "Token";
    case Kind::Stack:
      return "Stack";
    default:
      break;
  }
  return (type.kind == Kind::Ref ? "Ref[" : "Tensor[") + std::string(name(type.dtype)) + "]";
}

}  // namespace

Shape hints(const Dims& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.hint());
  return shape;
}

Dims dims(const Shape& shape) {
  Dims dims;
  for (int64_t size : shape) dims.push_back(size);
  return dims;
}

bool identical(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  if (!a.is_tensor()) return true;
  return a.dtype == b.dtype && a.dims.size() == b.dims.size() &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), [](Dim x, Dim y) { return identical(x, y); });
}

std::string to_string(const Type& type) {
  return type.is_tensor() ? word(type) + to_string(hints(type.dims)) : word(type);
}

std::string to_string(const Type& type, const SymbolTable& symbols) {
  if (type.is_tensor()) return word(type) + to_string(type.dims, symbols);
  return type.expr ? word(type) + "(" + symbols.text(type.expr) + ")" : word(type);
}

}  // namespace ember::ops
