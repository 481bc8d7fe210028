// Building, comparing and checking expressions. The builder keeps a hash table from node to id, so that an operation
// written twice is one node; finish() keeps every Input (their dtypes are part of the expression) and of the rest only
// what an output needs. Node bits beyond the size of a dtype are zero, so equal nodes are equal in memory.
#include "ops/expr/expr.h"

#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "ops/expr/complex.h"
#include "ops/expr/lookup.h"

namespace ember::ops {
namespace {

constexpr NodeId kEmpty = 0xFFFF;

size_t mix(size_t h, uint64_t v) {
  h ^= v;
  h *= 0x9E3779B97F4A7C15u;
  return h ^ (h >> 29);
}

size_t hash(const ExprNode& n) {
  size_t h = mix(static_cast<size_t>(n.verb) << 8 | static_cast<size_t>(n.dtype), n.bits);
  return mix(h, uint64_t{n.args[0]} << 32 | uint64_t{n.args[1]} << 16 | n.args[2]);
}

uint64_t constant_bits_of(DType dtype, double value) {
  return dispatch(dtype, [&]<class T>() -> uint64_t {
    if constexpr (!std::is_arithmetic_v<T>) {
      throw std::logic_error("expressions hold no constants of " + std::string(name(dtype)));
    } else {
      const T item = static_cast<T>(value);
      uint64_t bits = 0;
      std::memcpy(&bits, &item, sizeof(T));
      return bits;
    }
  });
}

bool compares(Verb v) { return v == Verb::Eq || v == Verb::Ne || v == Verb::Lt || v == Verb::Le; }

// What is wrong with node `i`, or null.
const char* fault(const Expr& e, size_t i) {
  const ExprNode& n = e.nodes[i];
  if (static_cast<size_t>(n.verb) >= kVerbs || static_cast<size_t>(n.dtype) >= kDTypes) return "no such verb or dtype";
  const size_t size = itemsize(n.dtype);
  const bool leaf = n.verb == Verb::Input || n.verb == Verb::Const;
  if (n.verb == Verb::Input) return n.bits < e.inputs ? nullptr : "no such input";
  if (leaf && !accepts(Operands::Elements, n.dtype)) return "a constant of a dtype that has none";
  if (leaf && n.dtype == DType::Bool && n.bits > 1) return "a bool other than 0 and 1";
  if (leaf) return size == 8 || n.bits >> (size * 8) == 0 ? nullptr : "a constant wider than its dtype";
  const int operands = info(n.verb).operands;
  for (int k = 0; k < operands; ++k) {
    if (n.args[k] >= i) return "an operand that is not earlier";
  }
  for (int k = operands; k < 3; ++k) {
    if (n.args[k] != 0) return "an operand too many";
  }
  const DType of = e.nodes[n.args[n.verb == Verb::Select ? 1 : 0]].dtype;
  if (!accepts(info(n.verb).accepts, of)) return "an operand of a dtype that the verb does not take";
  if (n.verb == Verb::Select && e.nodes[n.args[0]].dtype != DType::Bool) return "a condition that is not a bool";
  for (int k = 1; k < operands; ++k) {
    if (e.nodes[n.args[k]].dtype != of) return "operands of several dtypes";
  }
  if (n.verb == Verb::Lookup) {
    return n.bits < lookup_tables() && lookup_table(n.bits).dtype == n.dtype ? nullptr : "no such table";
  }
  if (n.bits != 0) return "bits on a verb without";
  if (n.verb == Verb::Convert) return is_complex(n.dtype) ? "a conversion to a complex dtype" : nullptr;
  if (n.verb == Verb::Bitcast) {
    return size == itemsize(of) && accepts(Operands::Numbers, n.dtype) && of != DType::Bool ? nullptr
                                                                                            : "a cast of other size";
  }
  const DType result = compares(n.verb) ? DType::Bool : n.verb == Verb::Complex ? complex_dtype(of) : part_dtype(of);
  return n.dtype == result ? nullptr : "a result of the wrong dtype";
}

void write_constant(std::ostream& out, const ExprNode& n) {
  dispatch(n.dtype, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      T item;
      std::memcpy(&item, &n.bits, sizeof(T));
      if constexpr (std::is_floating_point_v<T>) out << std::setprecision(sizeof(T) == 4 ? 9 : 17);
      out << +item;
    }
  });
}

}  // namespace

DType Expr::input_dtype(size_t i) const {
  for (const ExprNode& n : nodes) {
    if (n.verb == Verb::Input && n.bits == i) return n.dtype;
  }
  throw std::logic_error("expression without input " + std::to_string(i));
}

size_t hash(const Expr& expr) {
  size_t h = expr.inputs;
  for (const ExprNode& n : expr.nodes) h = mix(h, hash(n));
  for (NodeId id : expr.outputs) h = mix(h, id);
  return h;
}

std::string verbs(const Expr& expr) {
  std::string all;
  for (const ExprNode& node : expr.nodes)
    if (node.verb > Verb::Const) all += (all.empty() ? "" : " ") + std::string(info(node.verb).name);
  return "{" + all + "}";
}

std::string to_string(const Expr& expr) {
  std::ostringstream out;
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    const ExprNode& n = expr.nodes[i];
    out << 'v' << i << " = " << info(n.verb).name << '.' << name(n.dtype);
    for (int k = 0; k < info(n.verb).operands; ++k) out << " v" << n.args[k];
    if (n.verb == Verb::Input || n.verb == Verb::Lookup) out << " #" << n.bits;
    if (n.verb == Verb::Const) write_constant(out << ' ', n);
    out << '\n';
  }
  out << "return";
  for (NodeId id : expr.outputs) out << " v" << id;
  out << '\n';
  return out.str();
}

bool well_formed(const Expr& expr, std::string* why) {
  auto wrong = [&](const std::string& text) {
    if (why) *why = text;
    return false;
  };
  if (expr.nodes.size() > kEmpty) return wrong("too many nodes");
  if (expr.outputs.empty()) return wrong("no outputs");
  std::vector<bool> seen(expr.inputs);
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    if (const char* text = fault(expr, i)) return wrong("v" + std::to_string(i) + " has " + text);
    const ExprNode& n = expr.nodes[i];
    if (n.verb != Verb::Input) continue;
    if (seen[n.bits]) return wrong("input " + std::to_string(n.bits) + " occurs twice");
    seen[n.bits] = true;
  }
  for (NodeId id : expr.outputs) {
    if (id >= expr.nodes.size()) return wrong("an output that is no node");
  }
  return true;
}

Ex Ex::constant(double value) const { return builder_->constant(dtype_, value); }

Ex ExprBuilder::input(uint16_t index, DType dtype) {
  expr_.inputs = std::max<uint16_t>(expr_.inputs, index + 1);
  return add({Verb::Input, dtype, {}, index});
}

Ex ExprBuilder::constant(DType dtype, double value) {
  if (is_complex(dtype)) return complex(constant(part_dtype(dtype), value), constant(part_dtype(dtype), 0));
  return constant_bits(dtype, constant_bits_of(dtype, value));
}

Ex ExprBuilder::constant_bits(DType dtype, uint64_t bits) { return add({Verb::Const, dtype, {}, bits}); }

Ex ExprBuilder::emit(Verb verb, DType result, Ex a, Ex b, Ex c, uint64_t bits) {
  return add({verb, result, {a.id(), b.id(), c.id()}, bits});
}

// The parts of what Complex made are what it was made of.
Ex ExprBuilder::add(const ExprNode& node) {
  if (node.verb == Verb::RealPart || node.verb == Verb::ImagPart) {
    const ExprNode& whole = expr_.nodes[node.args[0]];
    if (whole.verb == Verb::Complex) return Ex(this, whole.args[node.verb == Verb::ImagPart], node.dtype);
  }
  if (expr_.nodes.size() * 2 >= seen_.size()) grow();
  const size_t h = hash(node);
  size_t at = h & (seen_.size() - 1);
  for (; seen_[at].second != kEmpty; at = (at + 1) & (seen_.size() - 1)) {
    const NodeId id = seen_[at].second;
    if (seen_[at].first == h && expr_.nodes[id] == node) return Ex(this, id, node.dtype);
  }
  if (expr_.nodes.size() >= kEmpty) throw std::length_error("an expression of more than 65535 nodes");
  const NodeId id = static_cast<NodeId>(expr_.nodes.size());
  expr_.nodes.push_back(node);
  seen_[at] = {h, id};
  return Ex(this, id, node.dtype);
}

void ExprBuilder::grow() {
  const size_t size = std::max<size_t>(64, seen_.size() * 2);
  seen_.assign(size, {0, kEmpty});
  for (size_t id = 0; id < expr_.nodes.size(); ++id) {
    const size_t h = hash(expr_.nodes[id]);
    size_t at = h & (size - 1);
    while (seen_[at].second != kEmpty) at = (at + 1) & (size - 1);
    seen_[at] = {h, static_cast<NodeId>(id)};
  }
}

Ex ExprBuilder::append(const Expr& expr, const std::vector<Ex>& inputs, size_t output) {
  std::vector<Ex> appended(expr.nodes.size());
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    ExprNode n = expr.nodes[i];
    if (n.verb == Verb::Input) {
      appended[i] = inputs.at(n.bits);
      continue;
    }
    for (int k = 0; k < info(n.verb).operands; ++k) n.args[k] = appended[n.args[k]].id();
    appended[i] = add(n);
  }
  return appended[expr.outputs.at(output)];
}

Expr ExprBuilder::finish(const std::vector<Ex>& outputs) {
  std::vector<bool> live(expr_.nodes.size());
  for (Ex out : outputs) live[out.id()] = true;
  for (size_t i = expr_.nodes.size(); i-- > 0;) {
    const ExprNode& n = expr_.nodes[i];
    if (n.verb == Verb::Input) live[i] = true;
    for (int k = 0; live[i] && k < info(n.verb).operands; ++k) live[n.args[k]] = true;
  }
  Expr result;
  result.inputs = expr_.inputs;
  std::vector<NodeId> moved(expr_.nodes.size());
  for (size_t i = 0; i < expr_.nodes.size(); ++i) {
    if (!live[i]) continue;
    ExprNode n = expr_.nodes[i];
    for (int k = 0; k < info(n.verb).operands; ++k) n.args[k] = moved[n.args[k]];
    moved[i] = static_cast<NodeId>(result.nodes.size());
    result.nodes.push_back(n);
  }
  for (Ex out : outputs) result.outputs.push_back(moved[out.id()]);
  return result;
}

Ex unary(Verb verb, Ex a) {
  return is_complex(a.dtype()) ? complex_unary(verb, a) : a.builder().emit(verb, a.dtype(), a);
}
Ex binary(Verb verb, Ex a, Ex b) {
  return is_complex(a.dtype()) ? complex_binary(verb, a, b) : a.builder().emit(verb, a.dtype(), a, b);
}
static Ex compare(Verb verb, Ex a, Ex b) {
  return is_complex(a.dtype()) ? complex_binary(verb, a, b) : a.builder().emit(verb, DType::Bool, a, b);
}
Ex operator+(Ex a, Ex b) { return binary(Verb::Add, a, b); }
Ex operator-(Ex a, Ex b) { return binary(Verb::Sub, a, b); }
Ex operator*(Ex a, Ex b) { return binary(Verb::Mul, a, b); }
Ex operator/(Ex a, Ex b) { return binary(Verb::Div, a, b); }
Ex operator-(Ex a) { return unary(Verb::Neg, a); }
Ex fma(Ex a, Ex b, Ex c) { return is_complex(a.dtype()) ? a * b + c : a.builder().emit(Verb::Fma, a.dtype(), a, b, c); }
Ex select(Ex condition, Ex yes, Ex no) {
  if (is_complex(yes.dtype())) return complex_select(condition, yes, no);
  return condition.builder().emit(Verb::Select, yes.dtype(), condition, yes, no);
}
Ex convert(Ex a, DType dtype) {
  if (a.dtype() == dtype) return a;
  if (is_complex(a.dtype()) || is_complex(dtype)) return complex_convert(a, dtype);
  return a.builder().emit(Verb::Convert, dtype, a);
}
Ex eq(Ex a, Ex b) { return compare(Verb::Eq, a, b); }
Ex ne(Ex a, Ex b) { return compare(Verb::Ne, a, b); }
Ex lt(Ex a, Ex b) { return compare(Verb::Lt, a, b); }
Ex le(Ex a, Ex b) { return compare(Verb::Le, a, b); }

}  // namespace ember::ops
