// Attributes: what of a call is fixed when the graph is made (axes, sizes, names, modes). Values are stored in the
// order of the op's signature, one entry for every parameter, operands included (those entries stay empty). Ints are
// Dims, so that gradients of reshapes keep symbolic shapes; a rule that asks for the number of one guards it. A float
// is a double; one that differs from call to call is a SymbolicFloat until its op is recorded, as what it is composed
// of.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ops/tensor/dim.h"
#include "ops/tensor/dtype.h"
#include "ops/tensor/layout.h"
#include "ops/tensor/symbolic_float.h"

namespace ember::ops {

using Ints = std::vector<Dim>;
using Attr = std::variant<std::monostate, bool, Dim, double, std::string, DType, Ints, SymbolicFloat>;

class Attrs {
 public:
  Attrs() = default;
  explicit Attrs(std::vector<Attr> values) : values_(std::move(values)) {}

  bool has(size_t i) const { return i < values_.size() && !std::holds_alternative<std::monostate>(values_[i]); }
  bool flag(size_t i) const { return std::get<bool>(values_[i]); }
  Dim dim(size_t i) const { return std::get<Dim>(values_[i]); }
  int64_t integer(size_t i) const { return pinned(dim(i)); }
  SymbolicFloat real(size_t i) const;
  double number(size_t i) const { return pinned(real(i)); }
  const std::string& text(size_t i) const { return std::get<std::string>(values_[i]); }
  DType dtype(size_t i) const { return std::get<DType>(values_[i]); }
  const Ints& ints(size_t i) const { return std::get<Ints>(values_[i]); }
  Shape shape(size_t i) const;  // the numbers of ints(i)

  void set(size_t i, Attr value) {
    if (i >= values_.size()) values_.resize(i + 1);
    values_[i] = std::move(value);
  }
  const std::vector<Attr>& values() const { return values_; }

 private:
  std::vector<Attr> values_;
};

// The same with f(dim) in the place of each Dim.
template <class F>
Attrs map_dims(const Attrs& attrs, F f) {
  Attrs out = attrs;
  for (size_t i = 0; i < attrs.values().size(); ++i) {
    if (const Dim* dim = std::get_if<Dim>(&attrs.values()[i])) out.set(i, f(*dim));
    if (const Ints* ints = std::get_if<Ints>(&attrs.values()[i])) {
      Ints mapped;
      for (Dim dim : *ints) mapped.push_back(f(dim));
      out.set(i, std::move(mapped));
    }
  }
  return out;
}

// Whether f(dim) holds for each Dim.
template <class F>
bool all_dims(const Attrs& attrs, F f) {
  for (const Attr& attr : attrs.values()) {
    if (const Dim* dim = std::get_if<Dim>(&attr); dim && !f(*dim)) return false;
    if (const Ints* ints = std::get_if<Ints>(&attr))
      for (Dim dim : *ints)
        if (!f(dim)) return false;
  }
  return true;
}

bool has_symbolic_floats(const Attrs& attrs);
Attrs pin_floats(const Attrs& attrs);  // with their numbers, which are guarded

bool identical(const Attrs& a, const Attrs& b);
size_t hash(const Attrs& attrs);

}  // namespace ember::ops
