// Type objects of Tensor and Parameter, their allocation and conversion to C++.
#include "python/src/tensor/tensor.h"

#include "ops/text/format.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/shared_memory.h"
#include "python/src/tensor/tensor_class.h"
#include "python/src/tensor/tensor_docs.h"

namespace ember::python {

void take_options(const char* interface, const char* const* names, std::span<PyObject* const> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    Object options = check(PyImport_ImportModule("emberjit.options"));
    check(PyObject_CallMethod(options.get(), "take", "ssO", interface, names[i], values[i]));
  }
}

namespace {

constexpr int kFreeTensors = 256;
PyTensor* free_tensors[kFreeTensors];
int free_count = 0;

PyTensor* allocate_plain() {
  if (free_count > 0) {
    PyTensor* t = free_tensors[--free_count];
    PyObject_Init(reinterpret_cast<PyObject*>(t), &TensorType);
    return t;
  }
  return PyObject_GC_New(PyTensor, &TensorType);
}

void construct(PyTensor* t, vm::Value value, uint64_t variable) {
  new (&t->value) vm::Value(std::move(value));
  t->variable = variable;
  t->born = current_level();
  t->origin = Origin::Outside;
  t->weakrefs = t->hooks = nullptr;
  t->next = t->previous = nullptr;
}

int tensor_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_tensor(self)->hooks);
  return 0;
}

int tensor_clear(PyObject* self) {
  Py_CLEAR(as_tensor(self)->hooks);
  return 0;
}

// What a Tensor has besides its memory, which is then free.
void destroy(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (as_tensor(self)->weakrefs) PyObject_ClearWeakRefs(self);
  Py_CLEAR(as_tensor(self)->hooks);
  leave_ring(as_tensor(self));
  as_tensor(self)->value.~Value();
}

void tensor_dealloc(PyObject* self) {
  destroy(self);
  if (Py_TYPE(self) == &TensorType && free_count < kFreeTensors)
    free_tensors[free_count++] = as_tensor(self);
  else
    Py_TYPE(self)->tp_free(self);
}

int parameter_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_parameter(self)->dict);
  Py_VISIT(as_parameter(self)->name);
  return tensor_traverse(self, visit, arg);
}

int parameter_clear(PyObject* self) {
  Py_CLEAR(as_parameter(self)->dict);
  Py_CLEAR(as_parameter(self)->name);
  return tensor_clear(self);
}

void parameter_dealloc(PyObject* self) {
  destroy(self);
  Py_CLEAR(as_parameter(self)->dict);
  Py_CLEAR(as_parameter(self)->name);
  Py_TYPE(self)->tp_free(self);
}

[[noreturn]] void refuse_unknown(const std::string& wanted) {
  raise(PyExc_ValueError,
        wanted +
            " needs a Tensor with a shape and elements, but is given one of unknown shape, which only "
            "describes an argument: see Cell.set_inputs.");
}

class Unknown final : public vm::Pending {
 public:
  ops::Type type() const override { refuse_unknown("an op"); }
  ops::Tensor force(const char* wanted) override { refuse_unknown("'" + std::string(wanted) + "'"); }
};

// Makes an instance of emberjit.values.placeholders.Placeholder, whose __init__ takes the same arguments.
PyObject* allocate_placeholder(PyTypeObject* type) {
  Object module = check(PyImport_ImportModule("emberjit.values.placeholders"));
  Object placeholder = check(PyObject_GetAttrString(module.get(), "Placeholder"));
  auto* own = reinterpret_cast<PyTypeObject*>(placeholder.get());
  if (type != &TensorType && !PyType_IsSubtype(type, own))
    raise(PyExc_TypeError, "Tensor: a subclass cannot be of unknown shape.");
  return type == &TensorType ? own->tp_alloc(own, 0) : type->tp_alloc(type, 0);
}

PyObject* allocate(PyTypeObject* type, const vm::Value& value) {
  if (is_unknown(value)) return allocate_placeholder(type);
  return type == &TensorType ? reinterpret_cast<PyObject*>(allocate_plain()) : type->tp_alloc(type, 0);
}

PyObject* tensor_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    auto [value, variable] = tensor_from_arguments(args, kwargs);
    PyObject* self = allocate(type, value);
    if (!self) throw PythonError();
    construct(as_tensor(self), std::move(value), variable);
    return self;
  });
}

PyObject* parameter_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    static const char* names[] = {"default_input",      "name",           "requires_grad", "layerwise_parallel",
                                  "parallel_optimizer", "storage_format", "device",        nullptr};
    PyObject *data = nullptr, *name = Py_None, *layerwise = nullptr, *parallel = nullptr, *format = nullptr;
    PyObject* device = nullptr;
    int requires_grad = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OpOOOO:Parameter", const_cast<char**>(names), &data, &name,
                                     &requires_grad, &layerwise, &parallel, &format, &device))
      throw PythonError();
    take_options("Parameter", names + 3, std::array{layerwise, parallel, format, device});
    if (name != Py_None && !PyUnicode_Check(name))
      raise(PyExc_ValueError, "For 'Parameter', the 'name' must be a str or None, but got " + repr(name) + ".");
    ops::Tensor value = copy_of_data(data);
    Object self = check(type->tp_alloc(type, 0));
    construct(as_tensor(self.get()), vm::Value(std::move(value)), 0);
    as_parameter(self.get())->name = name == Py_None ? PyUnicode_FromString("Parameter") : Py_NewRef(name);
    as_parameter(self.get())->dict = nullptr;
    as_parameter(self.get())->requires_grad = requires_grad != 0;
    return self.release();
  });
}

std::string format_tensor(PyObject* self, bool as_repr) {
  return ops::format(real(self, as_repr ? "repr" : "str"), as_repr);
}

PyObject* tensor_repr(PyObject* self) {
  return guarded([&] { return PyUnicode_FromString(format_tensor(self, true).c_str()); });
}
PyObject* tensor_str(PyObject* self) {
  return guarded([&] { return PyUnicode_FromString(format_tensor(self, false).c_str()); });
}
PyObject* parameter_repr(PyObject* self) {
  return guarded([&] {
    PyParameter* p = as_parameter(self);
    const ops::Tensor& t = real(self, "repr");
    std::string shape = to_string(t.shape());
    std::string line = "Parameter (name=" + text(p->name) + ", shape=" + shape +
                       ", dtype=" + std::string(name(t.dtype())) +
                       ", requires_grad=" + (p->requires_grad ? "True" : "False") + ")";
    return PyUnicode_FromString(line.c_str());
  });
}

// Not by the sequence protocol, whose end is an IndexError, which a capture would count as refused.
PyObject* tensor_iterator(PyObject* self) { return PyObject_CallMethod(self, "__iter__", nullptr); }

PyTypeObject tensor_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Tensor";
  type.tp_basicsize = sizeof(PyTensor);
  type.tp_dealloc = tensor_dealloc;
  type.tp_repr = tensor_repr;
  type.tp_str = tensor_str;
  type.tp_as_number = &tensor_number_methods;
  type.tp_as_mapping = &tensor_mapping_methods;
  type.tp_as_sequence = &tensor_sequence_methods;
  type.tp_as_buffer = &tensor_buffer_procs;
  type.tp_hash = tensor_hash;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_doc = docs::kTensor;
  type.tp_traverse = tensor_traverse;
  type.tp_clear = tensor_clear;
  type.tp_richcompare = tensor_compare;
  type.tp_iter = tensor_iterator;
  type.tp_weaklistoffset = offsetof(PyTensor, weakrefs);
  type.tp_methods = tensor_methods;
  type.tp_getset = tensor_getset;
  type.tp_new = tensor_new;
  return type;
}

PyTypeObject parameter_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Parameter";
  type.tp_basicsize = sizeof(PyParameter);
  type.tp_dealloc = parameter_dealloc;
  type.tp_repr = parameter_repr;
  type.tp_str = parameter_repr;
  type.tp_hash = tensor_hash;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_doc = docs::kParameter;
  type.tp_traverse = parameter_traverse;
  type.tp_clear = parameter_clear;
  type.tp_richcompare = tensor_compare;
  type.tp_dictoffset = offsetof(PyParameter, dict);
  type.tp_getset = parameter_getset;
  type.tp_base = &TensorType;
  type.tp_new = parameter_new;
  return type;
}

}  // namespace

PyTypeObject TensorType = tensor_type();
PyTypeObject ParameterType = parameter_type();

Object wrap(vm::Value value, uint64_t variable) {
  PyTensor* t = allocate_plain();
  if (!t) throw PythonError();
  construct(t, std::move(value), variable);
  return Object::own(reinterpret_cast<PyObject*>(t));
}

vm::Value unknown() { return vm::Value(gc::Ref<vm::Pending>(new Unknown)); }
bool is_unknown(const vm::Value& value) { return dynamic_cast<Unknown*>(value.pending_value()) != nullptr; }

const ops::Tensor& real(PyObject* tensor, const char* wanted) { return as_tensor(tensor)->value.tensor(wanted); }

ops::Type type_of(PyObject* tensor) {
  PyTensor* t = as_tensor(tensor);
  if (t->value.pending()) return t->value.pending_value()->type();
  const ops::Tensor& real = t->value.tensor_now();
  return ops::Type::tensor(real.dtype(), ops::dims(real.shape()));
}

bool has_hooks(PyObject* tensor) {
  PyObject* hooks = as_tensor(tensor)->hooks;
  return hooks && PyDict_GET_SIZE(hooks) != 0;
}

void hold_hooks(PyObject* tensor, PyObject* hooks) {
  Py_XSETREF(as_tensor(tensor)->hooks, Py_NewRef(hooks));
  if (!PyObject_GC_IsTracked(tensor)) PyObject_GC_Track(tensor);
}

void add_tensor_types(PyObject* module) {
  check(PyType_Ready(&TensorClassType));
  Py_SET_TYPE(&TensorType, &TensorClassType);
  check(PyType_Ready(&TensorType));
  check(PyType_Ready(&ParameterType));
  check(PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(&TensorType)));
  check(PyModule_AddObjectRef(module, "Parameter", reinterpret_cast<PyObject*>(&ParameterType)));
}

}  // namespace ember::python
