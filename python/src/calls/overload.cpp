#include "python/src/calls/overload.h"

#include <algorithm>
#include <array>

#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

using ops::ParamKind;

constexpr Py_ssize_t kListed = 8;  // items of a sequence that a message names

bool has_index(PyObject* o) { return is_number(o) || PyIndex_Check(o); }

bool has_float(PyObject* o) {
  if (PyComplex_Check(o)) return false;  // NumPy's would lose a part
  const PyNumberMethods* number = Py_TYPE(o)->tp_as_number;
  return is_number(o) || has_index(o) || (number && number->nb_float);
}

bool is_sequence(PyObject* o) { return PyTuple_Check(o) || PyList_Check(o); }

bool is_data(PyObject* o) {
  if (is_tensor(o) || is_sequence(o)) return true;
  return !PyUnicode_Check(o) && !PyBytes_Check(o) &&
         (PyObject_CheckBuffer(o) || PyObject_HasAttrString(o, "__array__"));
}

bool accepts(ParamKind kind, PyObject* value, bool strict) {
  const bool plain = !strict || !(is_tensor(value) || PyBool_Check(value));
  switch (kind) {
    case ParamKind::Tensor:
    case ParamKind::Number:
      return is_data(value) || is_scalar(value);
    case ParamKind::Ref:
      return is_tensor(value);
    case ParamKind::Tensors:
      return is_sequence(value);
    case ParamKind::Int:
      return plain && has_index(value);
    case ParamKind::Float:
      return plain && has_float(value);
    case ParamKind::Bool:
      return PyBool_Check(value) || is_number(value);
    case ParamKind::Str:
      return PyUnicode_Check(value);
    case ParamKind::DType:
      return dtype_of(value).has_value();
    default:
      return is_sequence(value) || (plain && has_index(value));
  }
}

// As a listed signature says it.
const char* listed(const std::optional<ParamKind>& kind) {
  static const char* const kinds[] = {"Tensor",
                                      "tuple of Tensor, list of Tensor",
                                      "Number, Tensor",
                                      "Tensor",
                                      "",
                                      "int",
                                      "float",
                                      "bool",
                                      "str",
                                      "mindspore.dtype",
                                      "int, tuple of int, list of int"};
  return kind ? kinds[static_cast<size_t>(*kind)] : "object";
}

std::string listed_type(PyObject* value);

std::string listed_types(PyObject* sequence) {
  std::string out;
  for (Py_ssize_t i = 0; i < std::min(PySequence_Fast_GET_SIZE(sequence), kListed); ++i)
    out += (i == 0 ? "" : ", ") + listed_type(Object::borrow(PySequence_Fast_GET_ITEM(sequence, i)).get());
  return "<" + out + (PySequence_Fast_GET_SIZE(sequence) > kListed ? ", ...>" : ">");
}

std::string listed_type(PyObject* value) {
  const Recursion level(" in nested lists");
  if (is_tensor(value)) return "Tensor";
  if (PyTuple_Check(value)) return "Tuple" + listed_types(value);
  if (PyList_Check(value)) return "List" + listed_types(value);
  if (value == Py_None) return "None";
  if (PyUnicode_Check(value)) return "string";
  if (Py_TYPE(value) == &DTypeType) return "mindspore.dtype";
  for (PyTypeObject* plain : {&PyBool_Type, &PyLong_Type, &PyFloat_Type})
    if (Py_TYPE(value) == plain) return plain->tp_name;
  return repr(reinterpret_cast<PyObject*>(Py_TYPE(value)));
}

const char* wanted(ParamKind kind) {
  static const char* const kinds[] = {"a Tensor",
                                      "a tuple or list of Tensors",
                                      "a Tensor or a number",
                                      "a Parameter or Tensor",
                                      "",
                                      "an int",
                                      "a float",
                                      "a bool",
                                      "a str",
                                      "a dtype",
                                      "an int or a tuple of ints"};
  return kinds[static_cast<size_t>(kind)];
}

// The number of an argument by parameter, -1 where none is given; false, with the reason, if names do not fit.
class ArgumentMatch {
 public:
  ArgumentMatch(const Overload& overload, const CallArguments& arguments, const Callee& callee)
      : overload_(overload), call_(arguments), callee_(callee), numbers_(overload.parameters.size(), -1) {}

  bool bind(std::string* why) {
    why_ = why;
    return positional() && keywords() && complete();
  }
  int operator[](size_t parameter) const { return numbers_[parameter]; }
  int rest() const { return rest_; }

 private:
  bool fail(std::string text) {
    *why_ = callee_.name + "() " + std::move(text);
    return false;
  }

  bool positional() {
    Py_ssize_t next = 0;
    for (size_t p = 0; p < numbers_.size() && next < call_.positional; ++p) {
      const Parameter& parameter = overload_.parameters[p];
      if (parameter.passed == Passed::ByKeyword) break;
      numbers_[p] = static_cast<int>(next++);
      if (parameter.passed != Passed::Variadic) continue;
      rest_ = numbers_[p];
      if (parameter.kind && call_.positional == next && is_one(call_.values[rest_])) rest_ = -1;
      next = call_.positional;
    }
    if (next == call_.positional) return true;
    return fail("takes " + std::to_string(next - callee_.method) + " positional arguments but " +
                std::to_string(call_.positional - callee_.method) + " were given");
  }

  // All of a variadic parameter in one tuple, list or Tensor.
  static bool is_one(PyObject* o) { return is_sequence(o) || is_tensor(o); }

  bool keywords() {
    for (Py_ssize_t k = 0; k < call_.count() - call_.positional; ++k) {
      PyObject* keyword = PyTuple_GET_ITEM(call_.keyword_names, k);
      size_t p = 0;
      while (p < numbers_.size() && !overload_.parameters[p].called(keyword)) ++p;
      if (p == numbers_.size() && by_numpy(keyword, call_.values[call_.positional + k])) continue;
      if (p == numbers_.size()) return fail("got an unexpected keyword argument '" + text(keyword) + "'");
      if (numbers_[p] >= 0) return fail("got multiple values for argument '" + name_of(p) + "'");
      numbers_[p] = static_cast<int>(call_.positional + k);
    }
    return true;
  }

  // np.sum(tensor) and its kin call the Tensor's method with options of arrays' methods, None unless they are given.
  bool by_numpy(PyObject* keyword, PyObject* value) const {
    return callee_.method && value == Py_None && (text(keyword) == "out" || text(keyword) == "dtype");
  }

  bool complete() {
    for (size_t p = 0; p < numbers_.size(); ++p)
      if (numbers_[p] < 0 && overload_.parameters[p].required)
        return fail("missing required argument: '" + name_of(p) + "'");
    return true;
  }

  std::string name_of(size_t p) const { return text(overload_.parameters[p].name.get()); }

  const Overload& overload_;
  const CallArguments& call_;
  const Callee& callee_;
  std::vector<int> numbers_;
  int rest_ = -1;  // the first argument of a variadic parameter, if they are not in one already
  std::string* why_ = nullptr;
};

bool types_fit(const Overload& overload, const CallArguments& arguments, const ArgumentMatch& match,
               const Callee& callee, std::string* why) {
  for (size_t p = 0; p < overload.parameters.size(); ++p) {
    const Parameter& parameter = overload.parameters[p];
    if (p == 0 && callee.of_tensor && match[0] >= 0 && !is_tensor(arguments.values[match[0]])) {
      *why = "For '" + callee.name + "', a method of Tensor, the object must be a Tensor, but got " +
             repr(arguments.values[match[0]]) + " of type " + Py_TYPE(arguments.values[match[0]])->tp_name + ".";
      return false;
    }
    if (match[p] < 0 || !parameter.kind || (parameter.passed == Passed::Variadic && match.rest() >= 0)) continue;
    PyObject* value = arguments.values[match[p]];
    const bool lone = !overload.op && parameter.kind == ParamKind::Tensor && is_scalar(value);
    if (value == Py_None ? parameter.optional : !lone && accepts(*parameter.kind, value, callee.several)) continue;
    *why = "For '" + callee.name + "', the argument '" + text(parameter.name.get()) + "' must be " +
           wanted(*parameter.kind) + (parameter.optional ? " or None" : "") + ", but got " + repr(value) + " of type " +
           Py_TYPE(value)->tp_name + ".";
    return false;
  }
  return true;
}

bool is_converted(const Parameter& parameter, PyObject* value) {
  if (value == Py_None) return false;
  if (parameter.kind == ParamKind::Tensor) return !is_tensor(value);
  return parameter.kind == ParamKind::DType && Py_TYPE(value) != &DTypeType;
}

Resolution make_resolution(Overload& overload, const CallArguments& arguments, const ArgumentMatch& match) {
  Resolution resolution;
  resolution.keyword_names = Object::borrow(arguments.keyword_names);
  resolution.positional = arguments.positional;
  for (Py_ssize_t i = 0; i < arguments.count(); ++i) resolution.types.push_back(Py_TYPE(arguments.values[i]));
  resolution.overload = &overload;
  if (overload.in_place) resolution.written = match[0];
  if (overload.result_dtype >= 0) resolution.result_dtype = match[static_cast<size_t>(overload.result_dtype)];
  for (size_t s = 0; s < overload.sources.size(); ++s) {
    const int p = overload.sources[s].parameter;
    const int number = p < 0 ? -1 : match[static_cast<size_t>(p)];
    resolution.numbers.push_back(number);
    if (number < 0) continue;
    const Parameter& parameter = overload.parameters[static_cast<size_t>(p)];
    if (parameter.passed == Passed::Variadic && match.rest() >= 0) {
      resolution.variadic = static_cast<int>(s);
      resolution.rest = match.rest();
    } else if ((!overload.op || overload.compile) && is_converted(parameter, arguments.values[number])) {
      resolution.converted.push_back(static_cast<int>(s));
    }
  }
  return resolution;
}

std::optional<ParamKind> kind_of(const std::string& name) {
  static const char* const names[] = {"tensor", "tensors", "number", "ref",   "random", "int",
                                      "float",  "bool",    "str",    "dtype", "ints"};
  const auto it = std::find(std::begin(names), std::end(names), name);
  if (it == std::end(names)) return {};
  return static_cast<ParamKind>(it - std::begin(names));
}

Parameter parameter_from(PyObject* description) {
  PyObject *name, *aliases, *kind;
  int optional, required, passed;
  if (!PyArg_ParseTuple(description, "UO!Uppi", &name, &PyTuple_Type, &aliases, &kind, &optional, &required, &passed))
    throw PythonError();
  Parameter out;
  const auto interned = [](PyObject* string) {
    Py_INCREF(string);
    PyUnicode_InternInPlace(&string);
    return Object::own(string);
  };
  out.name = interned(name);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(aliases); ++i)
    out.aliases.push_back(interned(PyTuple_GET_ITEM(aliases, i)));
  out.kind = kind_of(text(kind));
  out.optional = optional != 0;
  out.required = required != 0;
  out.passed = static_cast<Passed>(passed);
  return out;
}

}  // namespace

bool Parameter::called(PyObject* keyword) const {
  const auto is = [keyword](const Object& one) { return one.get() == keyword; };
  if (is(name) || std::any_of(aliases.begin(), aliases.end(), is)) return true;
  const auto equals = [keyword](const Object& one) { return PyUnicode_Compare(one.get(), keyword) == 0; };
  return !PyUnicode_CHECK_INTERNED(keyword) && (equals(name) || std::any_of(aliases.begin(), aliases.end(), equals));
}

bool Resolution::admits(const CallArguments& arguments) const {
  if (arguments.positional != positional || arguments.keyword_names != keyword_names.get()) return false;
  for (size_t i = 0; i < types.size(); ++i)
    if (Py_TYPE(arguments.values[i]) != types[i]) return false;
  return true;
}

std::optional<Resolution> resolve(Overload& overload, const CallArguments& arguments, const Callee& callee,
                                  Mismatch* mismatch) {
  ArgumentMatch match(overload, arguments, callee);
  std::string why;
  const bool bound = match.bind(&why);
  if (bound && types_fit(overload, arguments, match, callee, &why)) return make_resolution(overload, arguments, match);
  mismatch->reasons.push_back(why);
  if (bound > mismatch->fitting) *mismatch = {bound, std::move(why), std::move(mismatch->reasons)};
  return {};
}

std::string text_of(const Overload& overload, const Callee& callee) {
  std::string out;
  bool by_keyword = false;
  for (size_t p = callee.method; p < overload.parameters.size(); ++p) {
    const Parameter& parameter = overload.parameters[p];
    if (!out.empty()) out += ", ";
    if (parameter.passed == Passed::ByKeyword && !std::exchange(by_keyword, true)) out += "*, ";
    if (parameter.passed == Passed::Variadic) out += "*";
    out += text(parameter.name.get()) + "=<" + (parameter.optional ? "None, " : "") + listed(parameter.kind) + ">";
  }
  return (callee.of_tensor ? "Tensor." : "") + callee.name + "(" + out + ")";
}

std::string text_of(const CallArguments& arguments, const Callee& callee) {
  std::string out;
  for (Py_ssize_t i = callee.method; i < arguments.count(); ++i) {
    const Py_ssize_t keyword = i - arguments.positional;
    out += (out.empty() ? "" : ", ") +
           (keyword < 0 ? "" : text(PyTuple_GET_ITEM(arguments.keyword_names, keyword)) + "=") +
           listed_type(arguments.values[i]);
  }
  return callee.name + "(" + out + ")";
}

Overload overload_from(PyObject* description) {
  PyObject *parameters, *sources, *target, *compile;
  int in_place;
  Overload out;
  if (!PyArg_ParseTuple(description, "O!O!OOip", &PyTuple_Type, &parameters, &PyTuple_Type, &sources, &target, &compile,
                        &out.result_dtype, &in_place))
    throw PythonError();
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parameters); ++i)
    out.parameters.push_back(parameter_from(PyTuple_GET_ITEM(parameters, i)));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sources); ++i) {
    int parameter;
    PyObject* constant = nullptr;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(sources, i), "i|O", &parameter, &constant)) throw PythonError();
    out.sources.push_back({parameter, Object::borrow(constant)});
  }
  if (Py_TYPE(target) == &OpType) {
    out.op = &op_of(target);
    out.sources.resize(out.op->signature.params.size());  // random keys are last, and given by nobody
  }
  out.target = Object::borrow(target);
  if (out.sources.size() > kMaxSources) raise(PyExc_ValueError, "a function has too many parameters");
  out.in_place = in_place != 0;
  if (compile != Py_None) out.compile = Object::borrow(compile);
  return out;
}

}  // namespace ember::python
