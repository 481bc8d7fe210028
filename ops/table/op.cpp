// The table itself, and the small helpers of shape rules. Ops register before main; the first look-up sorts the table,
// and from then on it never changes, so a reference to an Op stays good.
#include "ops/table/op.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ops/expr/complex.h"

namespace ember::ops {
namespace {

struct Table {
  std::vector<Op> ops;
  std::unordered_set<std::string_view> names;
  std::unordered_map<std::string_view, const Op*> by_name;
  bool sealed = false;
};

Table& table() {
  static Table& table = *new Table;
  return table;
}

void claim(Table& table, std::string_view name) {
  if (!table.names.insert(name).second) throw std::logic_error("two ops are called '" + std::string(name) + "'");
}

const Table& sealed() {
  static const bool done = [] {
    Table& t = table();
    t.sealed = true;
    std::sort(t.ops.begin(), t.ops.end(), [](const Op& a, const Op& b) { return a.name < b.name; });
    for (size_t i = 0; i < t.ops.size(); ++i) {
      t.ops[i].number = static_cast<uint16_t>(i);
      t.by_name.emplace(t.ops[i].name, &t.ops[i]);
      t.by_name.emplace(t.ops[i].primitive, &t.ops[i]);
    }
    return true;
  }();
  (void)done;
  return table();
}

// Sets the bit of the operand or result that is called `what`.
void mark(const Op& op, std::string_view what, uint32_t* in, uint32_t* out) {
  if (what.substr(0, 3) == "out" && what.find_first_not_of("0123456789", 3) == std::string_view::npos) {
    size_t result = what.size() == 3 ? 0 : std::stoul(std::string(what.substr(3)));
    *out |= op.signature.results < 0 ? ~uint32_t{0} : 1U << std::min<size_t>(result, 31);
    return;
  }
  size_t position = 0;
  for (const Param& p : op.signature.params) {
    if (!is_operand(p.kind)) continue;
    if (p.name == what) {
      *in |= p.kind == ParamKind::Tensors ? ~uint32_t{0} << position : uint32_t{1} << position;
      return;
    }
    ++position;
  }
  throw std::logic_error("op '" + std::string(op.name) + "' names '" + std::string(what) + "', which it has not");
}

uint32_t dynamic_attrs(const Op& op) {
  uint32_t mask = 0;
  for (std::string_view name : split_names(op.dynamic)) {
    const auto named = [&](const Param& p) {
      return p.name == name && (p.kind == ParamKind::Int || p.kind == ParamKind::Ints);
    };
    const auto param = std::ranges::find_if(op.signature.params, named);
    if (param == op.signature.params.end() || op.apply || op.compose)
      throw std::logic_error("op '" + std::string(op.name) + "' has no dynamic attribute '" + std::string(name) + "'");
    mask |= 1u << (param - op.signature.params.begin());
  }
  return mask;
}

}  // namespace

std::vector<std::string_view> split_names(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const size_t end = std::min(list.find(", "), list.size());
    names.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return names;
}

void register_op(Op op) {
  Table& t = table();
  claim(t, op.name);
  claim(t, op.primitive);
  if (t.sealed) throw std::logic_error("op '" + std::string(op.name) + "' comes too late");
  for (std::string_view saved : split_names(op.saves)) mark(op, saved, &op.saved_in, &op.saved_out);
  for (std::string_view image : split_names(op.images)) mark(op, image, &op.image_in, &op.image_out);
  op.dynamic_attrs = dynamic_attrs(op);
  t.ops.push_back(std::move(op));
}

std::span<const Op> all_ops() { return sealed().ops; }

const Op* find_op(std::string_view name) {
  const Table& t = sealed();
  auto it = t.by_name.find(name);
  return it == t.by_name.end() ? nullptr : it->second;
}

const Op& op(std::string_view name) {
  const Op* op = find_op(name);
  if (!op) throw std::logic_error("there is no op '" + std::string(name) + "'");
  return *op;
}

size_t axis(int64_t value, size_t rank, std::string_view op_name) {
  auto n = static_cast<int64_t>(rank);
  if (value < -n || value >= n) {
    value_error("For '" + std::string(op_name) + "', axis " + std::to_string(value) +
                " is out of range for a tensor of " + std::to_string(n) + " dimensions; it must be in [" +
                std::to_string(-n) + ", " + std::to_string(n) + ").");
  }
  return static_cast<size_t>(value < 0 ? value + n : value);
}

InlineVector<size_t, kMaxRank> axes(const Attrs& attrs, size_t index, size_t rank, std::string_view op_name) {
  InlineVector<size_t, kMaxRank> out;
  bool all = !attrs.has(index);
  if (!all) {
    for (Dim number : attrs.ints(index)) {
      size_t canonical = axis(pinned(number), rank, op_name);
      if (std::find(out.begin(), out.end(), canonical) != out.end()) {
        value_error("For '" + std::string(op_name) + "', axis " + std::to_string(number.hint()) + " is given twice.");
      }
      out.push_back(canonical);
    }
    all = out.empty();
  }
  for (size_t i = 0; all && i < rank; ++i) out.push_back(i);
  return out;
}

void refuse_complex(const Type& type, std::string_view op_name) {
  if (is_complex(type.dtype)) type_error("For '" + std::string(op_name) + "', " + NotOfComplex::kWhy + ".");
}

void refuse_lost_part(const Type& value, DType target, std::string_view op_name) {
  if (!is_complex(value.dtype) || is_complex(target)) return;
  type_error("For '" + std::string(op_name) + "', complex values cannot become " + std::string(name(target)) +
             ": take real() of them.");
}

Dims broadcast(const Dims& a, const Dims& b, std::string_view op_name) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  const auto known_one = [](Dim d) { return identical(d, 1); };
  Dims out = longer;
  size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    Dim x = longer[lead + i];
    Dim y = shorter[i];
    if (identical(x, y) || known_one(y)) continue;
    if (known_one(x)) {
      out[lead + i] = y;
    } else if (x.hint() == y.hint() && x == y) {  // may be known already, and then nothing else needs to be
      if (!y.symbolic()) out[lead + i] = y;
    } else if (y == Dim(1)) {
      continue;
    } else if (x == Dim(1)) {
      out[lead + i] = y;
    } else {
      value_error("For '" + std::string(op_name) + "', shapes " + to_string(hints(a)) + " and " + to_string(hints(b)) +
                  " cannot be broadcast; sizes must be equal or 1, compared from the last dimension.");
    }
  }
  return out;
}

}  // namespace ember::ops
