// Attributes: what of a call is fixed when the graph is made (axes, sizes, names, modes). Values are stored in the
// order of the op's signature, one entry for every parameter, operands included (those entries stay empty). Sizes are
// Dims, so that gradients of reshapes keep symbolic shapes.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ops/tensor/dim.h"
#include "ops/tensor/dtype.h"
#include "ops/tensor/layout.h"

namespace ember::ops {

using Ints = std::vector<Dim>;
using Attr = std::variant<std::monostate, bool, int64_t, double, std::string, DType, Ints>;

class Attrs {
 public:
  Attrs() = default;
  explicit Attrs(std::vector<Attr> values) : values_(std::move(values)) {}

  bool has(size_t i) const { return i < values_.size() && !std::holds_alternative<std::monostate>(values_[i]); }
  bool flag(size_t i) const { return std::get<bool>(values_[i]); }
  int64_t integer(size_t i) const { return std::get<int64_t>(values_[i]); }
  double number(size_t i) const { return std::get<double>(values_[i]); }
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

bool identical(const Attrs& a, const Attrs& b);
size_t hash(const Attrs& attrs);

}  // namespace ember::ops
