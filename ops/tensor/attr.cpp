// Comparison and hashing of attributes. Floats compare by their bits, so that NaN is itself and -0 is not +0.
#include "ops/tensor/attr.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace ember::ops {
namespace {

bool identical(const Attr& a, const Attr& b) {
  if (a.index() != b.index()) return false;
  if (const double* x = std::get_if<double>(&a)) {
    return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(std::get<double>(b));
  }
  if (const Ints* x = std::get_if<Ints>(&a)) {
    const Ints& y = std::get<Ints>(b);
    return x->size() == y.size() &&
           std::equal(x->begin(), x->end(), y.begin(), [](Dim p, Dim q) { return ops::identical(p, q); });
  }
  if (std::holds_alternative<std::monostate>(a)) return true;
  if (const bool* x = std::get_if<bool>(&a)) return *x == std::get<bool>(b);
  if (const Dim* x = std::get_if<Dim>(&a)) return ops::identical(*x, std::get<Dim>(b));
  if (const DType* x = std::get_if<DType>(&a)) return *x == std::get<DType>(b);
  if (const SymbolicFloat* x = std::get_if<SymbolicFloat>(&a)) return x->expr == std::get<SymbolicFloat>(b).expr;
  return std::get<std::string>(a) == std::get<std::string>(b);
}

size_t hash_of(Dim dim) { return static_cast<size_t>(dim.symbolic() ? 0 : dim.hint()) * 31 + dim.expr; }

size_t hash_of(const Attr& attr) {
  if (const bool* x = std::get_if<bool>(&attr)) return *x ? 2 : 1;
  if (const Dim* x = std::get_if<Dim>(&attr)) return hash_of(*x);
  if (const double* x = std::get_if<double>(&attr)) return std::bit_cast<uint64_t>(*x);
  if (const DType* x = std::get_if<DType>(&attr)) return static_cast<size_t>(*x);
  if (const std::string* x = std::get_if<std::string>(&attr)) return std::hash<std::string>()(*x);
  if (const SymbolicFloat* x = std::get_if<SymbolicFloat>(&attr)) return x->expr;
  size_t hash = 0;
  for (Dim dim : std::get<Ints>(attr)) {
    hash = hash * 0x9E3779B97F4A7C15 + hash_of(dim) + 1;
  }
  return hash;
}

}  // namespace

SymbolicFloat Attrs::real(size_t i) const {
  const SymbolicFloat* symbolic = std::get_if<SymbolicFloat>(&values_[i]);
  return symbolic ? *symbolic : SymbolicFloat(std::get<double>(values_[i]));
}

Shape Attrs::shape(size_t i) const {
  Shape shape;
  for (Dim dim : ints(i)) shape.push_back(pinned(dim));
  return shape;
}

bool has_symbolic_floats(const Attrs& attrs) {
  return std::ranges::any_of(attrs.values(), [](const Attr& a) { return std::holds_alternative<SymbolicFloat>(a); });
}

Attrs pin_floats(const Attrs& attrs) {
  Attrs out = attrs;
  for (size_t i = 0; i < attrs.values().size(); ++i)
    if (std::holds_alternative<SymbolicFloat>(attrs.values()[i])) out.set(i, attrs.number(i));
  return out;
}

bool identical(const Attrs& a, const Attrs& b) {
  if (a.values().size() != b.values().size()) return false;
  for (size_t i = 0; i < a.values().size(); ++i) {
    if (!identical(a.values()[i], b.values()[i])) return false;
  }
  return true;
}

size_t hash(const Attrs& attrs) {
  size_t hash = 0;
  for (size_t i = 0; i < attrs.values().size(); ++i) {
    const Attr& attr = attrs.values()[i];
    if (std::holds_alternative<std::monostate>(attr)) continue;
    hash = (hash ^ (hash_of(attr) + i)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace ember::ops
