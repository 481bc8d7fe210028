#include "python/src/calls/dispatch.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ops/eager/eager.h"
#include "python/src/calls/caller.h"
#include "python/src/calls/precision.h"
#include "python/src/capture/capture.h"
#include "python/src/capture/symbolic.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/shared_memory.h"
#include "python/src/tensor/write.h"

namespace ember::python {
bool is_scalar(PyObject* o) { return PyFloat_Check(o) || PyLong_Check(o) || PyComplex_CheckExact(o) || is_number(o); }

namespace {

[[noreturn]] void wrong_type(const ops::Op& op, const ops::Param& param, const char* wanted, PyObject* value) {
  ops::type_error("For '" + std::string(op.name) + "', the argument '" + param.name + "' must be " + wanted +
                  ", but got " + repr(value) + " of type " + Py_TYPE(value)->tp_name + ".");
}

ops::Dim integer(const ops::Op& op, const ops::Param& param, PyObject* value) {
  if (is_symbolic(value) && as_number(value)->kind == ops::Kind::Int) {
    const ops::Dim dim = dim_of(as_number(value)->capture->symbols(), as_number(value)->expr);
    return dim == -1 ? ops::Dim(ops::pinned(dim)) : dim;  // which means something of its own to some ops
  }
  Object index = Object::own(PyNumber_Index(value));
  if (!index) {
    PyErr_Clear();
    wrong_type(op, param, "an int", value);
  }
  int64_t number = PyLong_AsLongLong(index.get());
  if (number == -1 && PyErr_Occurred()) throw PythonError();
  return number;
}

ops::Attr symbolic_float(PyObject* value) {
  const Object number = number_as(ops::Kind::Float, value);
  if (!is_symbolic(number.get())) return PyFloat_AS_DOUBLE(number.get());
  const ops::ExprId expr = as_number(number.get())->expr;
  const int64_t hint = as_number(number.get())->capture->symbols().exprs()[expr].hint;
  return ops::SymbolicFloat(std::bit_cast<double>(hint), expr);
}

bool truth(PyObject* value) {
  const int answer = PyObject_IsTrue(value);  // of a number of a graph: pins it
  check(answer);
  return answer != 0;
}

ops::Ints integers(const ops::Op& op, const ops::Param& param, PyObject* value) {
  ops::Ints ints;
  if (!PyTuple_Check(value) && !PyList_Check(value)) {
    if (is_tensor(value) && type_of(value).dims.size() == 1) {
      note_elements_read(value);
      Object list = to_list(real(value, param.name.c_str()));
      return integers(op, param, list.get());
    }
    ints.push_back(integer(op, param, value));
    return ints;
  }
  Object items = check(PySequence_Fast(value, "a tuple"));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
    ints.push_back(integer(op, param, Object::borrow(PySequence_Fast_GET_ITEM(items.get(), i)).get()));
  return ints;
}

// An operand as Tensor or number; NumPy arrays and lists become tensors.
Object operand(const ops::Op& op, const ops::Param& param, PyObject* value) {
  if (is_tensor(value)) {
    const bool assigns = op.flags.has(ops::Flag::Assigns);
    if (param.kind == ops::ParamKind::Ref && current_capture() && !is_parameter(value) && !assigns)
      wrong_type(op, param, "a Parameter", value);
    return Object::borrow(value);
  }
  if (param.kind == ops::ParamKind::Ref) wrong_type(op, param, "a Parameter or Tensor", value);
  if (is_scalar(value)) return Object::borrow(value);
  bool arraylike = PyList_Check(value) || PyTuple_Check(value) || PyObject_CheckBuffer(value) ||
                   PyObject_HasAttrString(value, "__array__");
  if (!arraylike || PyUnicode_Check(value) || PyBytes_Check(value))
    wrong_type(op, param, param.kind == ops::ParamKind::Number ? "a Tensor or a number" : "a Tensor", value);
  return tensor_of_data(value);
}

void add_operands(const ops::Op& op, const ops::Param& param, PyObject* value, std::vector<Object>* operands) {
  if (param.kind != ops::ParamKind::Tensors) {
    operands->push_back(operand(op, param, value));
    return;
  }
  if (!PyTuple_Check(value) && !PyList_Check(value)) wrong_type(op, param, "a tuple or list of Tensors", value);
  Object items = check(PySequence_Fast(value, "a tuple"));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
    operands->push_back(operand(op, param, Object::borrow(PySequence_Fast_GET_ITEM(items.get(), i)).get()));
}

// Python's arguments by position in the signature; null where left out.
std::vector<PyObject*> bind(const ops::Op& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
  const std::vector<ops::Param>& params = op.signature.params;
  std::vector<PyObject*> bound(params.size(), nullptr);
  size_t visible = params.size();
  while (visible > 0 && params[visible - 1].kind == ops::ParamKind::Random) --visible;
  if (static_cast<size_t>(positional) > visible)
    ops::type_error(std::string(op.name) + "() takes " + std::to_string(visible) + " positional arguments but " +
                    std::to_string(positional) + " were given");
  for (Py_ssize_t i = 0; i < positional; ++i) bound[i] = args[i];
  Py_ssize_t keywords = keyword_names ? PyTuple_GET_SIZE(keyword_names) : 0;
  for (Py_ssize_t k = 0; k < keywords; ++k) {
    std::string name = text(PyTuple_GET_ITEM(keyword_names, k));
    size_t i = 0;
    while (i < visible && params[i].name != name) ++i;
    if (i == visible) ops::type_error(std::string(op.name) + "() got an unexpected keyword argument '" + name + "'");
    if (bound[i]) ops::type_error(std::string(op.name) + "() got multiple values for argument '" + name + "'");
    bound[i] = args[positional + k];
  }
  return bound;
}

}  // namespace

// A Tensor as a plain number has no gradient.
static void refuse_lost_gradient(const ops::Op& op, const ops::Param& param, PyObject* value) {
  if (is_tensor(value) && recorded(value))
    ops::type_error("For '" + std::string(op.name) + "', the argument '" + param.name +
                    "' is a plain number, through which no gradient flows to the Tensor that is given: give float(" +
                    param.name + ") or stop_gradient(" + param.name + ") if none is to.");
}

ops::Attr attribute(const ops::Op& op, const ops::Param& param, PyObject* value) {
  switch (param.kind) {
    case ops::ParamKind::Int:
      return integer(op, param, value);
    case ops::ParamKind::Float: {
      refuse_lost_gradient(op, param, value);
      if (op.composed() && is_symbolic(value)) return symbolic_float(value);
      double number = PyFloat_AsDouble(value);
      if (number == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        wrong_type(op, param, "a float", value);
      }
      return number;
    }
    case ops::ParamKind::Bool:
      if (!PyBool_Check(value) && !(is_number(value) && as_number(value)->kind == ops::Kind::Bool))
        wrong_type(op, param, "a bool", value);
      return truth(value);
    case ops::ParamKind::Str:
      if (!PyUnicode_Check(value)) wrong_type(op, param, "a str", value);
      return text(value);
    case ops::ParamKind::DType: {
      std::optional<ops::DType> dtype = dtype_of(value);
      if (!dtype) wrong_type(op, param, "a dtype", value);
      return *dtype;
    }
    default:
      return integers(op, param, value);
  }
}

Arguments read_arguments(const ops::Op& op, std::span<PyObject* const> bound) {
  Arguments out;
  std::vector<ops::Attr> attrs(bound.size());
  for (size_t i = 0; i < bound.size(); ++i) {
    const ops::Param& param = op.signature.params[i];
    if (param.kind == ops::ParamKind::Random) continue;
    PyObject* value = bound[i];
    bool absent = !value || (value == Py_None && param.optional);
    if (absent && !value && !param.has_default)
      ops::type_error(std::string(op.name) + "() missing required argument: '" + param.name + "'");
    if (is_operand(param.kind)) {
      if (!absent) {
        add_operands(op, param, value, &out.operands);
      } else if (const double* d = std::get_if<double>(&param.default_value)) {
        out.operands.push_back(check(PyFloat_FromDouble(*d)));
      } else if (const ops::Dim* n = std::get_if<ops::Dim>(&param.default_value)) {
        out.operands.push_back(check(PyLong_FromLongLong(n->hint())));
      } else {
        out.operands.push_back({});
      }
    } else {
      attrs[i] = !value ? param.default_value : absent ? ops::Attr() : attribute(op, param, value);
    }
  }
  out.attrs = ops::Attrs(std::move(attrs));
  return out;
}

Arguments parse(const ops::Op& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
  return with_caller_name([&] { return read_arguments(op, bind(op, args, positional, keyword_names)); });
}

ops::Value operand_value(PyObject* o) {
  if (!o || o == Py_None) return {};
  if (is_tensor(o)) return real(o, "an op");
  if (PyBool_Check(o)) return o == Py_True;
  if (PyFloat_Check(o)) return PyFloat_AS_DOUBLE(o);
  if (PyLong_Check(o)) {
    int64_t value = PyLong_AsLongLong(o);
    if (value == -1 && PyErr_Occurred()) throw PythonError();
    return value;
  }
  raise(PyExc_TypeError, "an op takes Tensors and numbers, not " + repr(o));
}

Object wrap_results(const ops::Op& op, std::span<PyObject* const> operands, ops::Values results,
                    const uint64_t* variables) {
  auto one = [&](size_t i) -> Object {
    ops::Tensor* t = std::get_if<ops::Tensor>(&results[i]);
    if (!t) return number(results[i]);
    Object tensor = wrap(std::move(*t), variables ? variables[i] : 0);
    join_rings(operands, tensor.get());
    return tensor;
  };
  if (results.empty()) return Object::borrow(Py_None);
  if (op.signature.results == 1) return one(0);
  Object tuple = check(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  for (size_t i = 0; i < results.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), one(i).release());
  return tuple;
}

namespace {

Object apply(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs) {
  if (Capture* capture = current_capture()) {
    if (!op.has_effect() || op.flags.has(ops::Flag::Io)) return capture->apply(op, operands, attrs);
    if (!op.flags.has(ops::Flag::Memory)) {
      capture->apply(op, operands, attrs);
      return Object::borrow(operands[0]);
    }
    if (!is_parameter(operands[0])) {
      const ops::Type written = capture->graph_type(operands[0]);
      const ops::Type variable{ops::Kind::Ref, written.dtype, written.dims};
      ops::infer(op, std::array{variable, capture->graph_type(operands[1])}, attrs);
      write_result(operands[0], capture->convert(operands[1], written).get());
      return Object::borrow(operands[0]);
    }
    capture->check_writable(operands[0]);
    capture->apply(op, operands, attrs);
    capture->renew_views(operands[0]);
    return Object::borrow(operands[0]);
  }
  note_parameters(operands);
  if (recording()) return record(op, operands, attrs);
  if (op.flags.has(ops::Flag::Memory)) prepare_assign(operands[0], tape_saves_tensors());
  ops::Values values;
  values.reserve(operands.size() + 1);
  for (PyObject* o : operands) values.push_back(operand_value(o));
  for (const ops::Param& p : op.signature.params)
    if (p.kind == ops::ParamKind::Random) values.push_back(ops::next_random_key());
  ops::Values results = ops::run(op, values, attrs);
  if (op.flags.has(ops::Flag::Memory)) return Object::borrow(operands[0]);
  return wrap_results(op, operands, std::move(results));
}

}  // namespace

static bool wide(ops::DType dtype) { return part_dtype(dtype) == ops::DType::Float64; }

// Complex numbers have no kind of scalar: they become tensors, of complex128 beside an operand of 64 bits a part, or
// where the result is asked for in such a dtype.
static Object apply_all(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs) {
  if (PyObject* rule = precision_rules() ? precision_rule(op_object(op).get()) : nullptr) {
    const PrecisionScope none(nullptr);
    const std::vector<Object> held = in_precision(rule, operands);
    return apply_all(op, pointers(held), attrs);
  }
  const auto complex_number = [](PyObject* o) { return o && PyComplex_CheckExact(o); };
  if (std::none_of(operands.begin(), operands.end(), complex_number)) return apply(op, operands, attrs);
  const std::vector<ops::Attr>& attributes = attrs.values();
  const bool exact = std::any_of(operands.begin(), operands.end(),
                                 [](PyObject* o) { return o && is_tensor(o) && wide(type_of(o).dtype); }) ||
                     std::any_of(attributes.begin(), attributes.end(), [](const ops::Attr& attr) {
                       const ops::DType* dtype = std::get_if<ops::DType>(&attr);
                       return dtype && wide(*dtype);
                     });
  std::vector<Object> converted;
  std::vector<PyObject*> tensors(operands.begin(), operands.end());
  for (PyObject*& o : tensors) {
    if (!complex_number(o)) continue;
    converted.push_back(tensor_of_data(o, exact ? ops::DType::Complex128 : ops::DType::Complex64));
    o = converted.back().get();
  }
  return apply(op, tensors, attrs);
}

Object dispatch(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs) {
  return with_caller_name([&] { return apply_all(op, operands, attrs); });
}

Object call_op(const ops::Op& op, std::span<PyObject* const> bound) {
  const Arguments arguments = read_arguments(op, bound);
  return apply_all(op, pointers(arguments.operands), arguments.attrs);
}

Object dispatch(const ops::Op& op, std::initializer_list<PyObject*> operands) {
  static const ops::Attrs none;
  return dispatch(op, std::span<PyObject* const>(operands.begin(), operands.size()), none);
}

Object call(const char* name, std::initializer_list<PyObject*> operands,
            const std::vector<std::pair<std::string_view, ops::Attr>>& attrs) {
  const ops::Op& op = ops::op(name);
  std::vector<PyObject*> list(operands);
  return dispatch(op, list, ops::make_attrs(op, attrs));
}

}  // namespace ember::python
