// Elementwise semantics as data: a list of verb nodes in evaluation order.
//
// An op's apply() runs once against an ExprBuilder; the list it records is what every tier executes. The interpreter
// runs it strip by strip with one vector kernel a node, the native emitter turns it into one loop, the oracle evaluates
// it element by element, and fusion concatenates lists. Nodes refer only to earlier nodes. A node's dtype is that of
// its result; a bool result is a byte 0 or 1 in memory. half types never appear inside: an input of one is converted to
// float32, and a result rounded by a Convert to it (and a Convert back, where an expression goes on: that is what keeps
// fusion from changing bits).
#pragma once

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "ops/expr/verbs.h"
#include "ops/tensor/dtype.h"

namespace ember::ops {

using NodeId = uint16_t;

struct ExprNode {
  Verb verb = Verb::Input;
  DType dtype = DType::Float32;
  std::array<NodeId, 3> args{};
  uint64_t bits = 0;  // Input: its index; Const: the value's bits, zero-extended; Lookup: the table's number
  friend bool operator==(const ExprNode&, const ExprNode&) = default;
};

struct Expr {
  std::vector<ExprNode> nodes;
  std::vector<NodeId> outputs;
  uint16_t inputs = 0;

  DType input_dtype(size_t i) const;
  friend bool operator==(const Expr&, const Expr&) = default;
};

size_t hash(const Expr& expr);
std::string to_string(const Expr& expr);  // one line a node: "v3 = Fma.Float32 v0 v1 v2"
std::string verbs(const Expr& expr);      // "{Mul Add}", without inputs and constants
bool well_formed(const Expr& expr, std::string* why);

class ExprBuilder;

// A node under construction, with arithmetic. Operands of one operation have one dtype; numbers take the other's.
class Ex {
 public:
  Ex() = default;
  Ex(ExprBuilder* builder, NodeId id, DType dtype) : builder_(builder), id_(id), dtype_(dtype) {}
  bool absent() const { return builder_ == nullptr; }  // an optional operand that is None
  ExprBuilder& builder() const { return *builder_; }
  NodeId id() const { return id_; }
  DType dtype() const { return dtype_; }
  Ex constant(double value) const;  // of this node's dtype

 private:
  ExprBuilder* builder_ = nullptr;
  NodeId id_ = 0;
  DType dtype_ = DType::Float32;
};

// Hash-conses: the same verb on the same operands is one node.
class ExprBuilder {
 public:
  Ex input(uint16_t index, DType dtype);
  Ex constant(DType dtype, double value);
  Ex constant_bits(DType dtype, uint64_t bits);
  Ex emit(Verb verb, DType result, Ex a, Ex b = {}, Ex c = {}, uint64_t bits = 0);
  Ex append(const Expr& expr, const std::vector<Ex>& inputs, size_t output = 0);  // concatenates
  Expr finish(const std::vector<Ex>& outputs);

 private:
  Ex add(const ExprNode& node);
  void grow();

  Expr expr_;
  std::vector<std::pair<size_t, NodeId>> seen_;  // open addressing, a power of two
};

Ex operator+(Ex a, Ex b);
Ex operator-(Ex a, Ex b);
Ex operator*(Ex a, Ex b);
Ex operator/(Ex a, Ex b);
Ex operator-(Ex a);
inline Ex operator+(Ex a, double b) { return a + a.constant(b); }
inline Ex operator+(double a, Ex b) { return b.constant(a) + b; }
inline Ex operator-(Ex a, double b) { return a - a.constant(b); }
inline Ex operator-(double a, Ex b) { return b.constant(a) - b; }
inline Ex operator*(Ex a, double b) { return a * a.constant(b); }
inline Ex operator*(double a, Ex b) { return b.constant(a) * b; }
inline Ex operator/(Ex a, double b) { return a / a.constant(b); }
inline Ex operator/(double a, Ex b) { return b.constant(a) / b; }
Ex unary(Verb verb, Ex a);
Ex binary(Verb verb, Ex a, Ex b);
Ex fma(Ex a, Ex b, Ex c);
Ex select(Ex condition, Ex yes, Ex no);
Ex convert(Ex a, DType dtype);  // itself if it has the dtype
Ex eq(Ex a, Ex b);
Ex ne(Ex a, Ex b);
Ex lt(Ex a, Ex b);
Ex le(Ex a, Ex b);

// Replaces composite verbs by the primitive ones of their scheme (ops/expr/math.h), for the native emitter and the
// oracle.
Expr expand(const Expr& expr);

// The table of a Lookup node: `size` entries of `dtype`.
struct LookupTable {
  DType dtype;
  const void* data;
  size_t size;
};
size_t lookup_tables();  // how many there are
const LookupTable& lookup_table(uint64_t number);

}  // namespace ember::ops
