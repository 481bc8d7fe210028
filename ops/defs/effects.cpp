// Ops that write a Parameter or print. The result of a write is the Parameter itself, so no kernel makes it. A value
// that shares memory with the parameter is read before anything is written.
#include "ops/eager/print.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "ops/text/format.h"
#include "ops/text/python_format.h"

namespace ember::ops {
namespace {

// Whether one has the shape () and the other (1,).
bool single(const Dims& a, const Dims& b) {
  const auto ones = [](const Dims& dims) { return std::ranges::all_of(dims, [](Dim d) { return d == Dim(1); }); };
  return a.size() + b.size() == 1 && ones(a) && ones(b);
}

Types check_assignment(const InferCall& c, std::string_view op_name, bool takes_single = false) {
  const Type& variable = c.in[0];
  const Type& value = c.in[1];
  if (!std::ranges::equal(value.dims, variable.dims) && !(takes_single && single(value.dims, variable.dims))) {
    value_error(about(op_name) + "'value' must have the shape of 'variable', " + to_string(hints(variable.dims)) +
                ", but got " + to_string(hints(value.dims)) + ".");
  }
  DType both =
      value.is_tensor() ? promote(variable.dtype, value.dtype) : promote(variable.dtype, scalar_kind(value.kind));
  if (both != variable.dtype) {
    type_error(about(op_name) + "a value of dtype " + std::string(name(both)) +
               " cannot be kept in a variable of dtype " + std::string(name(variable.dtype)) + ".");
  }
  return {variable};
}

// The value with the variable's dtype, in memory of its own where it would be overwritten while it is read.
View disjoint(const View& value, const View& variable, Tensor& room) {
  bool same = value.data == variable.data && value.layout == variable.layout;
  if (value.layout->dtype == variable.layout->dtype && (same || !overlap(value, variable))) return value;
  room = Tensor::empty(variable.layout->dtype, value.layout->shape);
  View copy{room.data(), &room.layout()};
  copy_view(value, copy);
  return copy;
}

// variable = step(variable, value), element by element, or of one element, which a value of another rank is.
template <class Step>
void accumulate(const KernelCall& c, Step&& step) {
  Tensor room;
  View value = disjoint(c.in[1], c.in[0], room);
  const Layout& target = *c.in[0].layout;
  const bool alike = value.layout->shape.size() == target.shape.size();
  LoopNest<2> nest(target.shape, {&target.strides, alike ? &value.layout->strides : &target.strides});
  dispatch(target.dtype, [&]<class T>() {
    nest.elements([&](const std::array<int64_t, 2>& at) {
      T& element = c.in[0].as<T>()[at[0]];
      element = step(element, value.as<T>()[at[1]]);
    });
  });
}

void require_numeric(const Type& variable, std::string_view op_name) {
  if (variable.dtype == DType::Bool) type_error(about(op_name) + "'variable' must hold numbers, but holds Bool.");
}

struct Assign {
  static constexpr const char* name = "assign";
  static constexpr const char* primitive = "Assign";
  static constexpr const char* signature = "variable: ref, value: number -> tensor";
  static constexpr Flags flags = Flag::Memory | Flag::Assigns | Flag::Moves;
  static constexpr const char* doc =
      "Writes value into a Parameter of the same shape. The value's dtype must promote to the Parameter's. A jitted "
      "function "
      "that reads the Parameter in another thread meanwhile may see some elements of before and some of after; "
      "set_data "
      "exchanges them all at once.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return check_assignment(c, name); }
  static void kernel(const KernelCall& c) {
    Tensor room;
    copy_view(disjoint(c.in[1], c.in[0], room), c.in[0]);
  }
  static Values grad(Grad& g) { return {{}, g.unbroadcast(g.ct(), 1)}; }
  static std::vector<Sample> samples() { return {{{{{2, 3}}, {{2, 3}}}, {}, {}}}; }
};
EMBER_OP(Assign);

struct AssignAdd {
  static constexpr const char* name = "assign_add";
  static constexpr const char* primitive = "AssignAdd";
  static constexpr const char* signature = "variable: ref, value: number -> tensor";
  static constexpr Flags flags = Flag::Memory;
  static constexpr const char* doc =
      "Adds value to a Parameter of the same shape, where () and (1,) count as one, in the Parameter's dtype.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    require_numeric(c.in[0], name);
    return check_assignment(c, name, true);
  }
  static void kernel(const KernelCall& c) {
    accumulate(c, []<class T>(T a, T b) { return sum_of(a, b); });
  }
  static Values grad(Grad& g) { return {g.ct(), g.unbroadcast(g.ct(), 1)}; }
  static std::vector<Sample> samples() { return {{{{{2, 3}}, {{2, 3}}}, {}, {}}}; }
};
EMBER_OP(AssignAdd);

template <class T>
T negated(T x) {
  if constexpr (is_half<T>) {
    return T(-static_cast<float>(x));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(-static_cast<uint64_t>(x));
  } else {
    return -x;
  }
}

struct AssignSub {
  static constexpr const char* name = "assign_sub";
  static constexpr const char* primitive = "AssignSub";
  static constexpr const char* signature = "variable: ref, value: number -> tensor";
  static constexpr Flags flags = Flag::Memory;
  static constexpr const char* doc =
      "Takes value from a Parameter of the same shape, where () and (1,) count as one, in the Parameter's dtype.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    require_numeric(c.in[0], name);
    return check_assignment(c, name, true);
  }
  static void kernel(const KernelCall& c) {
    accumulate(c, []<class T>(T a, T b) { return sum_of(a, negated(b)); });
  }
  static Values grad(Grad& g) { return {g.ct(), g.unbroadcast(g.b.neg(g.ct()), 1)}; }
  static std::vector<Sample> samples() { return {{{{{2, 3}}, {{2, 3}}}, {}, {}}}; }
};
EMBER_OP(AssignSub);

struct Print {
  static constexpr const char* name = "print_";
  static constexpr const char* primitive = "Print";
  static constexpr const char* signature = "input_x: tensors, text: str = '' -> none";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient | Flag::Moves;
  static constexpr const char* doc =
      "Writes `text` to standard output, each {} in it replaced by the next operand as repr gives it, each {s} as str "
      "does, and {{ by a brace. {:SPEC} stands for a number, an operand of dtype Int64, Float64 or Bool, as Python's "
      "format(number, SPEC) gives it, and with the type s as format(str(number), SPEC); if the operand has axes, as in "
      "vmap, so is each of its elements, in brackets. SPEC has no braces, and neither c nor n as its type. An empty "
      "text stands for every operand on a line of its own.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    if (c.attrs.text(1).empty()) return {};
    size_t holes = 0;
    expand(c.attrs.text(1), [&](std::string_view hole) {
      if (holes < c.in.size() && hole.starts_with(':')) check_number(c.in[holes], hole.substr(1));
      ++holes;
      return std::string();
    });
    if (holes != c.in.size()) {
      value_error(about(name) + "the text has room for " + std::to_string(holes) + " operands, but there are " +
                  std::to_string(c.in.size()) + ".");
    }
    return {};
  }
  static void kernel(const KernelCall& c) {
    size_t next = 0;
    auto operand = [&](std::string_view hole) {
      const View& v = c.in[next++];
      Tensor copy = Tensor::empty(v.layout->dtype, v.layout->shape);
      copy_view(v, {copy.data(), &copy.layout()});
      if (!hole.starts_with(':')) return format(copy, hole.empty());
      return numbers_text(copy, *parse_format_spec(hole.substr(1), copy.dtype()));
    };
    std::string out;
    if (c.attrs.text(1).empty()) {
      while (next < c.in.size()) out += operand("") + "\n";
    } else {
      out = expand(c.attrs.text(1), operand);
    }
    print(out);
  }
  static std::vector<Sample> samples() { return {{{}, {}, {0}}}; }

 private:
  // The text with each hole replaced by operand(what is between its braces).
  template <class F>
  static std::string expand(const std::string& text, F&& operand) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      const std::string_view rest = std::string_view(text).substr(i);
      const size_t end = text[i] == '{' ? rest.find('}') : rest.npos;
      if (rest.starts_with("{{") || rest.starts_with("}}")) {
        out += text[i++];
      } else if (rest.starts_with("{}") || rest.starts_with("{s}") || (rest.starts_with("{:") && end != rest.npos)) {
        out += operand(rest.substr(1, end - 1));
        i += end;
      } else {
        out += text[i];
      }
    }
    return out;
  }
  static void check_number(const Type& type, std::string_view spec) {
    const bool is_number = type.dtype == DType::Int64 || type.dtype == DType::Float64 || type.dtype == DType::Bool;
    if (is_number && parse_format_spec(spec, type.dtype)) return;
    value_error(about(name) + "{:" + std::string(spec) + "} in the text does not format an operand of dtype " +
                std::string(ops::name(type.dtype)) +
                ": only numbers of dtype Int64, Float64 or Bool, by what format() takes for these.");
  }
  // Of the elements from `at` on; t is dense.
  static std::string numbers_text(const Tensor& t, const FormatSpec& how, size_t axis = 0, int64_t at = 0) {
    if (axis == t.rank()) {
      if (t.dtype() == DType::Bool) return python_format(t.data_as<bool>()[at], how);
      if (t.dtype() == DType::Int64) return python_format(t.data_as<int64_t>()[at], how);
      return python_format(t.data_as<double>()[at], how);
    }
    std::string out;
    for (int64_t i = 0; i < t.shape()[axis]; ++i)
      out += (i ? " " : "") + numbers_text(t, how, axis + 1, at + i * t.layout().strides[axis]);
    return "[" + out + "]";
  }
};
EMBER_OP(Print);

}  // namespace
}  // namespace ember::ops
