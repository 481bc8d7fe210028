// The type of a value in a graph: a tensor of some dtype and dims, a mutable reference to one (a Parameter), a Python
// scalar, a token that orders effects, or a stack of values (ops/tensor/stack.h).
#pragma once

#include <string>
#include <vector>

#include "ops/tensor/dtype.h"
#include "ops/tensor/layout.h"

namespace ember::ops {

enum class Kind : uint8_t { Tensor, Ref, Bool, Int, Float, Token, Stack };

inline bool is_scalar(Kind k) { return k == Kind::Bool || k == Kind::Int || k == Kind::Float; }
inline ScalarKind scalar_kind(Kind k) {
  return k == Kind::Bool ? ScalarKind::Bool : k == Kind::Int ? ScalarKind::Int : ScalarKind::Float;
}
inline Kind kind_of(ScalarKind k) {
  return k == ScalarKind::Bool ? Kind::Bool : k == ScalarKind::Int ? Kind::Int : Kind::Float;
}
// The dtype in which a scalar lives in its 8-byte slot: Bool, Int64, Float64.
inline DType slot_dtype(Kind k) {
  return k == Kind::Bool ? DType::Bool : k == Kind::Int ? DType::Int64 : DType::Float64;
}

struct Type {
  Kind kind = Kind::Tensor;
  DType dtype = DType::Float32;  // for Tensor and Ref
  Dims dims;                     // for Tensor and Ref
  ExprId expr = 0;               // of a parameter that is a number: the expression of it, or 0

  static Type tensor(DType dtype, Dims dims) { return {Kind::Tensor, dtype, dims, 0}; }
  static Type scalar(Kind kind) { return scalar(kind, 0); }
  static Type scalar(Kind kind, ExprId expr) { return {kind, slot_dtype(kind), {}, expr}; }
  static Type token() { return {Kind::Token, DType::Bool, {}, 0}; }
  static Type stack() { return {Kind::Stack, DType::Bool, {}, 0}; }
  bool is_tensor() const { return kind == Kind::Tensor || kind == Kind::Ref; }
};

using Types = std::vector<Type>;

Shape hints(const Dims& dims);  // the numbers, without the expressions
Dims dims(const Shape& shape);
bool identical(const Type& a, const Type& b);
std::string to_string(const Type& type);  // "Tensor[Float32](2, 3)": what messages say
// "Tensor[Float32](2, s0)", with the table's expressions for symbolic dims.
std::string to_string(const Type& type, const SymbolTable& symbols);

}  // namespace ember::ops
