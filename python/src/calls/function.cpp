#include "python/src/calls/function.h"

#include <structmember.h>

#include <array>
#include <memory>

#include "python/src/calls/caller.h"
#include "python/src/calls/dispatch.h"
#include "python/src/calls/overload.h"
#include "python/src/calls/precision.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/write.h"

namespace ember::python {
namespace {

constexpr size_t kResolutions = 4;

struct Definition {
  Callee callee;
  std::vector<std::unique_ptr<Overload>> overloads;
  std::array<std::shared_ptr<const Resolution>, kResolutions> resolutions;
  size_t oldest = 0;
};

struct PublicFunction {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *name, *qualname, *module;
  PyObject* load;     // load(function) calls define()
  PyObject* details;  // details(function) -> (documentation, inspect.Signature)
  bool method;
  Definition* definition;  // null: not loaded
};

PublicFunction* as_function(PyObject* o) { return reinterpret_cast<PublicFunction*>(o); }

Definition& definition_of(PyObject* self) {
  PublicFunction* function = as_function(self);
  if (!function->definition) check(PyObject_CallOneArg(function->load, self));
  if (!function->definition) raise(PyExc_RuntimeError, text(function->qualname) + " has no declaration");
  return *function->definition;
}

[[noreturn]] void no_overload(const Definition& definition, const CallArguments& arguments, const Mismatch& mismatch) {
  const Callee& callee = definition.callee;
  if (definition.overloads.size() == 1) ops::type_error(mismatch.text);
  std::string message = "Failed calling " + callee.name + " with \"" + text_of(arguments, callee) + "\".";
  message += "\nThe valid calling should be:";
  for (size_t i = 0; i < definition.overloads.size(); ++i)
    message += "\n\"" + text_of(*definition.overloads[i], callee) + "\"\n    " + mismatch.reasons[i];
  ops::type_error(message);
}

std::shared_ptr<const Resolution> resolve(Definition& definition, const CallArguments& arguments) {
  Mismatch mismatch;
  for (const std::unique_ptr<Overload>& overload : definition.overloads) {
    std::optional<Resolution> resolution = resolve(*overload, arguments, definition.callee, &mismatch);
    if (!resolution) continue;
    auto cached = std::make_shared<const Resolution>(std::move(*resolution));
    definition.resolutions[definition.oldest++ % kResolutions] = cached;
    return cached;
  }
  no_overload(definition, arguments, mismatch);
}

std::shared_ptr<const Resolution> find(Definition& definition, const CallArguments& arguments) {
  for (const std::shared_ptr<const Resolution>& resolution : definition.resolutions)
    if (resolution && resolution->admits(arguments)) return resolution;
  return resolve(definition, arguments);
}

Object tuple_of_rest(const CallArguments& arguments, int first) {
  Object rest = check(PyTuple_New(arguments.positional - first));
  for (Py_ssize_t i = first; i < arguments.positional; ++i)
    PyTuple_SET_ITEM(rest.get(), i - first, Py_NewRef(arguments.values[i]));
  return rest;
}

Object converted(const Overload& overload, size_t source, PyObject* value) {
  const Parameter& parameter = overload.parameters[static_cast<size_t>(overload.sources[source].parameter)];
  if (parameter.kind == ops::ParamKind::Tensor) return tensor_of_data(value);
  const std::optional<ops::DType> dtype = dtype_of(value);
  if (dtype) return dtype_object(*dtype);
  ops::type_error("the argument '" + text(parameter.name.get()) + "' must be a dtype, but got " + repr(value) + ".");
}

Object compute(Overload& overload, std::span<PyObject* const> values) {
  PyObject* target = overload.target.get();
  if (precision_rules()) {
    PyObject* rule = precision_rule(target);
    if (rule == Py_None) return check(PyObject_Vectorcall(target, values.data(), values.size(), nullptr));
    const PrecisionScope none(nullptr);
    return rule ? compute(overload, pointers(in_precision(rule, values))) : compute(overload, values);
  }
  bool graph = false;
  if (overload.compile && !current_capture()) {
    if (overload.called && !overload.graph) overload.graph = check(PyObject_CallOneArg(overload.compile.get(), target));
    graph = static_cast<bool>(overload.graph);
    overload.called = true;
  }
  if (overload.op && !graph) return call_op(*overload.op, values);
  if (graph) target = overload.graph.get();
  return check(PyObject_Vectorcall(target, values.data(), values.size(), nullptr));
}

Object in_dtype(const Object& result, PyObject* dtype) {
  static const ops::Op& cast = ops::op("cast");
  if (dtype == Py_None) return result;
  const std::array<PyObject*, 2> arguments{result.get(), dtype};
  return call_op(cast, arguments);
}

Object run_into_first(Overload& overload, std::span<PyObject* const> all, PyObject* tensor) {
  if (overload.op && run_in_place(*overload.op, all, tensor)) return Object::borrow(tensor);
  const Object result = compute(overload, all);
  if (!is_tensor(result.get()))
    ops::type_error("a function that writes in place must give a Tensor, but gives " + repr(result.get()) + ".");
  if (result.get() != tensor) write_result(tensor, result.get());
  return Object::borrow(tensor);
}

Object run(const Resolution& resolution, const CallArguments& arguments) {
  Overload& overload = *resolution.overload;
  const size_t count = overload.sources.size();
  std::array<PyObject*, kMaxSources> values;
  Object rest;
  std::vector<Object> operands;
  for (size_t s = 0; s < count; ++s) {
    const int argument = resolution.numbers[s];
    values[s] = argument < 0 ? overload.sources[s].constant.get() : arguments.values[argument];
  }
  if (resolution.variadic >= 0) {
    rest = tuple_of_rest(arguments, resolution.rest);
    values[static_cast<size_t>(resolution.variadic)] = rest.get();
  }
  for (int s : resolution.converted) {
    operands.push_back(converted(overload, static_cast<size_t>(s), values[static_cast<size_t>(s)]));
    values[static_cast<size_t>(s)] = operands.back().get();
  }
  const std::span<PyObject* const> all(values.data(), count);
  if (overload.in_place) return run_into_first(overload, all, arguments.values[resolution.written]);
  Object result = compute(overload, all);
  return resolution.result_dtype < 0 ? result : in_dtype(result, arguments.values[resolution.result_dtype]);
}

PyObject* call(PyObject* self, PyObject* const* args, size_t nargs, PyObject* keyword_names) {
  return guarded([&] {
    const CallArguments arguments{args, PyVectorcall_NARGS(nargs), keyword_names};
    Definition& definition = definition_of(self);
    const CalledAs called(definition.callee.name.c_str());
    return with_caller_name([&] { return run(*find(definition, arguments), arguments); }).release();
  });
}

PyObject* define(PyObject* self, PyObject* overloads) {
  return guarded([&] {
    auto definition = std::make_unique<Definition>();
    Object items = check(PySequence_Fast(overloads, "a tuple of overloads"));
    const bool of_tensor = text(as_function(self)->qualname).starts_with("Tensor.");
    definition->callee = {text(as_function(self)->name), as_function(self)->method, of_tensor,
                          PySequence_Fast_GET_SIZE(items.get()) > 1};
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
      definition->overloads.push_back(
          std::make_unique<Overload>(overload_from(PySequence_Fast_GET_ITEM(items.get(), i))));
    if (!as_function(self)->definition) as_function(self)->definition = definition.release();
    return Py_NewRef(Py_None);
  });
}

PyObject* function_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *name, *qualname, *module, *load, *details;
  int method = false;
  if (!PyArg_ParseTuple(args, "UUUOO|p", &name, &qualname, &module, &load, &details, &method)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  PublicFunction* function = as_function(self);
  function->vectorcall = call;
  function->name = Py_NewRef(name);
  function->qualname = Py_NewRef(qualname);
  function->module = Py_NewRef(module);
  function->load = Py_NewRef(load);
  function->details = Py_NewRef(details);
  function->method = method != 0;
  return self;
}

void dealloc(PyObject* self) {
  PublicFunction* function = as_function(self);
  for (PyObject* held : {function->name, function->qualname, function->module, function->load, function->details})
    Py_XDECREF(held);
  delete function->definition;
  Py_TYPE(self)->tp_free(self);
}

PyObject* bind_method(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

PyObject* function_repr(PyObject* self) { return PyUnicode_FromFormat("<function %U>", as_function(self)->qualname); }

// Copies are the function itself, and pickles its name.
PyObject* reduce(PyObject* self, PyObject*) { return Py_NewRef(as_function(self)->qualname); }

PyObject* detail(PyObject* self, Py_ssize_t which) {
  return guarded([&] {
    const Object details = check(PyObject_CallOneArg(as_function(self)->details, self));
    return Py_NewRef(PyTuple_GetItem(details.get(), which));
  });
}
PyObject* get_doc(PyObject* self, void*) { return detail(self, 0); }
PyObject* get_signature(PyObject* self, void*) { return detail(self, 1); }

PyMethodDef methods[] = {{"define", define, METH_O, "Gives the function its overloads."},
                         {"__reduce__", reduce, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {{"__name__", T_OBJECT, offsetof(PublicFunction, name), READONLY, nullptr},
                         {"__qualname__", T_OBJECT, offsetof(PublicFunction, qualname), READONLY, nullptr},
                         {"__module__", T_OBJECT, offsetof(PublicFunction, module), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef getset[] = {{"__doc__", get_doc, nullptr, nullptr, nullptr},
                        {"__signature__", get_signature, nullptr, nullptr, nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Function";
  type.tp_basicsize = sizeof(PublicFunction);
  type.tp_vectorcall_offset = offsetof(PublicFunction, vectorcall);
  type.tp_call = PyVectorcall_Call;
  type.tp_new = function_new;
  type.tp_dealloc = dealloc;
  type.tp_repr = function_repr;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR;
  type.tp_descr_get = bind_method;
  type.tp_methods = methods;
  type.tp_members = members;
  type.tp_getset = getset;
  return type;
}

}  // namespace

PyTypeObject FunctionType = make_type();

void add_functions(PyObject* module) {
  check(PyType_Ready(&FunctionType));
  check(PyModule_AddObjectRef(module, "Function", reinterpret_cast<PyObject*>(&FunctionType)));
}

}  // namespace ember::python
