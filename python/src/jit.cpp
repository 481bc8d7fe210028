#include "python/src/jit.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory_resource>
#include <span>

#include "ops/base/interrupt.h"
#include "ops/eager/eager.h"
#include "ops/eager/float_status.h"
#include "ops/program/strided.h"
#include "ops/table/raised_error.h"
#include "python/src/break_driver.h"
#include "python/src/convert.h"
#include "python/src/dispatch.h"
#include "python/src/frame_eval.h"
#include "python/src/graph_errors.h"
#include "python/src/precision.h"
#include "python/src/results.h"
#include "python/src/shared_memory.h"
#include "python/src/tensor_class.h"
#include "python/src/write.h"
#include "vm/state/profile.h"

namespace ember::python {
namespace {

PyObject* plainly;  // what a miss returns that leaves the call to the function

PyJit* as_jit(PyObject* o) { return reinterpret_cast<PyJit*>(o); }

}  // namespace

bool admits(const Entry& entry, const Flat& flat) {
  if (entry.structure != flat.structure || entry.precision.get() != precision_rules()) return false;
  if (entry.tensor_classes != tensor_class_version()) return false;
  for (size_t i = 0; i < entry.constants.size(); ++i)
    if (!same(entry.constants[i].get(), flat.constants[i])) return false;
  for (const auto& [leaf, value] : entry.held)
    if (!same(value.get(), flat.leaves[leaf])) return false;
  for (const auto& [leaf, value] : entry.pinned)
    if (!same(value.get(), flat.leaves[leaf])) return false;
  return std::ranges::none_of(entry.apart, [&](const Object& o) {
    return std::ranges::find(flat.containers, o.get()) != flat.containers.end();
  });
}

vm::Argument argument(PyObject* o) {
  vm::Argument a;
  if (is_tensor(o)) {
    a.tensor = &real(o, "an argument of a jitted function");
  } else if (PyBool_Check(o)) {
    a.bits = o == Py_True;
  } else if (PyFloat_Check(o)) {
    double d = PyFloat_AS_DOUBLE(o);
    std::memcpy(&a.bits, &d, sizeof d);
  } else {
    a.bits = static_cast<uint64_t>(PyLong_AsLongLong(o));
    if (PyErr_Occurred()) throw PythonError();
  }
  return a;
}

namespace {

// The value of a call, once its effects have been replayed.
Object finish(const Entry& entry, Results& results) {
  Object value = build(entry.results, results);
  if (entry.effects.empty()) return value;
  std::vector<Change> changes;
  for (const Effect& effect : entry.effects) {
    Object owner = build(effect.owner, results);
    changes.emplace_back(std::move(owner), build(effect.operands, results));
  }
  replay(entry.effects, changes);
  return value;
}

// Whether two have memory in common, maybe as arrays of NumPy's.
bool overlap(const gc::Storage* a, const gc::Storage* b) {
  if (!a || !b) return false;
  const auto* first = static_cast<const std::byte*>(a->data());
  const auto* second = static_cast<const std::byte*>(b->data());
  return a == b || (std::less<>()(first, second + b->size()) && std::less<>()(second, first + a->size()));
}

void prepare_writes(const Entry& entry, const Flat& flat) {
  const bool saved = tape_saves_tensors();
  for (size_t i : entry.written) prepare_assign(entry.hidden[i].get(), saved);
  for (const auto& [leaf, result] : entry.writes) prepare_write(flat.leaves[leaf]);
}

Object pack(PyObject* callable, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
  const WithoutFrames unwatched;
  Object tuple = check(PyTuple_New(positional));
  for (Py_ssize_t i = 0; i < positional; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
  Object kwargs = check(PyDict_New());
  for (Py_ssize_t k = 0; keyword_names && k < PyTuple_GET_SIZE(keyword_names); ++k)
    check(PyDict_SetItem(kwargs.get(), PyTuple_GET_ITEM(keyword_names, k), args[positional + k]));
  return check(PyObject_CallFunctionObjArgs(callable, tuple.get(), kwargs.get(), nullptr));
}

// What a graph gives for a call; NULL if none serves it, or if it is to run `op_by_op`.
Object by_graph(PyJit* jit, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names, bool* op_by_op) {
  if (jit->entries->all().empty()) return {};
  Flat flat(jit->unfolded);
  flat.leaves.reserve(static_cast<size_t>(positional));
  for (Py_ssize_t i = 0; i < positional; ++i) flatten(args[i], &flat);
  for (Py_ssize_t k = 0; keyword_names && k < PyTuple_GET_SIZE(keyword_names); ++k)
    flatten_keyword(PyTuple_GET_ITEM(keyword_names, k), args[positional + k], &flat);
  const auto serve = [&](const std::shared_ptr<Entry>& entry) -> Object {
    if (!admits(*entry, flat) || !entry->guards.hold()) return {};
    Object result = run(entry, flat, op_by_op);
    if (!result || *op_by_op) return {};
    ++jit->hits;
    if (entry->used) jit->entries->use(entry);
    return result;
  };
  if (const std::shared_ptr<Entry> latest = jit->entries->latest())
    if (Object result = serve(latest); result || *op_by_op) return result;
  Entries::Found others;
  jit->entries->find(flat, &others);
  for (const std::shared_ptr<Entry>& entry : others)
    if (Object result = serve(entry); result || *op_by_op) return result;
  return {};
}

PyObject* call(PyObject* self, PyObject* const* args, size_t nargs, PyObject* keyword_names) {
  return guarded([&] {
    check_stack(" in a jitted function");
    PyJit* jit = as_jit(self);
    Py_ssize_t positional = PyVectorcall_NARGS(nargs);
    if (current_capture()) return pack(jit->inner, args, positional, keyword_names).release();
    const bool plain = jit->plain_calls > 0;
    jit->plain_calls -= plain;
    if (plain || (jit->in_python && is_traced(jit->function))) {
      ++jit->python_calls;
      return PyObject_Vectorcall(jit->function, args, nargs, keyword_names);
    }
    bool op_by_op = false;
    Object result = by_graph(jit, args, positional, keyword_names, &op_by_op);
    if (const Object driver = Object::borrow(jit->driver); !result && !op_by_op && driver.get() != Py_None)
      result = by_driver(driver.get(), args, positional, keyword_names);
    if (result) return result.release();
    result = pack(op_by_op ? jit->inner : jit->miss, args, positional, keyword_names);
    if (result.get() != plainly) return result.release();
    ++jit->python_calls;
    return PyObject_Vectorcall(jit->function, args, nargs, keyword_names);
  });
}

PyObject* jit_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *miss, *inner, *function;
  int in_python = false;
  if (!PyArg_ParseTuple(args, "OOO|p", &miss, &inner, &function, &in_python)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  PyJit* jit = as_jit(self);
  jit->vectorcall = call;
  jit->entries = new Entries;
  jit->miss = Py_NewRef(miss);
  jit->inner = Py_NewRef(inner);
  jit->function = Py_NewRef(function);
  jit->unfolded = check(PyTuple_New(0)).release();
  jit->driver = Py_NewRef(Py_None);
  jit->in_python = in_python != 0;
  return self;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  PyJit* jit = as_jit(self);
  Py_VISIT(jit->miss);
  Py_VISIT(jit->inner);
  Py_VISIT(jit->function);
  Py_VISIT(jit->unfolded);
  Py_VISIT(jit->driver);
  Py_VISIT(jit->dict);
  if (!jit->entries) return 0;
  for (const std::shared_ptr<Entry>& e : jit->entries->all()) {
    for (const Object& o : e->constants) Py_VISIT(o.get());
    Py_VISIT(e->unfolded.get());
    for (const Object& o : e->hidden) Py_VISIT(o.get());
    for (const OutsideNumber& number : e->outside) Py_VISIT(number.place.owner.get());
    for (const auto& [leaf, value] : e->pinned) Py_VISIT(value.get());
    for (const auto& [leaf, value] : e->held) Py_VISIT(value.get());
    Py_VISIT(e->precision.get());
    Py_VISIT(e->op_by_op.get());
    if (const int stopped = e->guards.visit(visit, arg)) return stopped;
    if (const int stopped = e->results.visit(visit, arg)) return stopped;
    Py_VISIT(e->errors.get());
    Py_VISIT(e->lines.get());
    for (const Object& o : e->apart) Py_VISIT(o.get());
    for (const Effect& effect : e->effects) {
      for (const ResultTree* tree : {&effect.owner, &effect.operands})
        if (const int stopped = tree->visit(visit, arg)) return stopped;
    }
  }
  return 0;
}

int clear(PyObject* self) {
  PyJit* jit = as_jit(self);
  if (jit->entries) {
    const Entries dropped = std::exchange(*jit->entries, Entries());
  }
  Py_CLEAR(jit->miss);
  Py_CLEAR(jit->inner);
  Py_CLEAR(jit->function);
  Py_CLEAR(jit->unfolded);
  Py_CLEAR(jit->driver);
  Py_CLEAR(jit->dict);
  return 0;
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (as_jit(self)->weakrefs) PyObject_ClearWeakRefs(self);
  clear(self);
  delete as_jit(self)->entries;
  Py_TYPE(self)->tp_free(self);
}

PyObject* bind_method(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

PyObject* get_hits(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_jit(self)->hits); }
PyObject* get_python_calls(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_jit(self)->python_calls); }
int set_python_calls(PyObject* self, PyObject* value, void*) {
  as_jit(self)->python_calls = value ? PyLong_AsUnsignedLongLong(value) : 0;
  return PyErr_Occurred() ? -1 : 0;
}
PyObject* get_plain_calls(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_jit(self)->plain_calls); }
int set_plain_calls(PyObject* self, PyObject* value, void*) {
  const int64_t calls = value ? PyLong_AsLongLong(value) : 0;
  if (PyErr_Occurred()) return -1;
  as_jit(self)->plain_calls = static_cast<uint64_t>(calls);
  return 0;
}

PyObject* get_unfolded(PyObject* self, void*) { return Py_NewRef(as_jit(self)->unfolded); }
int set_unfolded(PyObject* self, PyObject* value, void*) {
  if (!value || !PyTuple_CheckExact(value)) return PyErr_SetString(PyExc_TypeError, "a tuple of classes"), -1;
  Py_SETREF(as_jit(self)->unfolded, Py_NewRef(value));
  return 0;
}

PyObject* get_driver(PyObject* self, void*) { return Py_NewRef(as_jit(self)->driver); }
int set_driver(PyObject* self, PyObject* value, void*) {
  if (!value || (value != Py_None && !is_driver(value)))
    return PyErr_SetString(PyExc_TypeError, "a Driver, or None"), -1;
  Py_SETREF(as_jit(self)->driver, Py_NewRef(value));
  return 0;
}

PyGetSetDef getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"hits", get_hits, nullptr, "How many calls a graph ran.", nullptr},
    {"python_calls", get_python_calls, set_python_calls, "How many calls ran in Python.", nullptr},
    {"plain_calls", get_plain_calls, set_plain_calls, "How many calls to come only call the function; negative: all.",
     nullptr},
    {"unfolded", get_unfolded, set_unfolded, "A tuple: the classes of arguments that are taken apart (flat.h).",
     nullptr},
    {"driver", get_driver, set_driver, "What runs it between graphs, if it breaks, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Jit";
  type.tp_basicsize = sizeof(PyJit);
  type.tp_vectorcall_offset = offsetof(PyJit, vectorcall);
  type.tp_call = PyVectorcall_Call;
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_dictoffset = offsetof(PyJit, dict);
  type.tp_weaklistoffset = offsetof(PyJit, weakrefs);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL |
                  Py_TPFLAGS_METHOD_DESCRIPTOR;
  type.tp_descr_get = bind_method;
  type.tp_getset = getset;
  type.tp_new = jit_new;
  return type;
}

}  // namespace

PyTypeObject JitType = make_type();

bool any_share_memory(std::span<PyObject* const> operands) {
  return std::any_of(operands.begin(), operands.end(), [&](PyObject* o) {
    const auto also = [&](PyObject* other) { return other != o && overlap(memory_of(other), memory_of(o)); };
    return std::any_of(operands.begin(), operands.end(), also);
  });
}

bool writes_views(const Writes& writes, std::span<const size_t> written, std::span<PyObject* const> operands,
                  size_t leaves) {
  return std::any_of(written.begin(), written.end(), [&](size_t i) { return shares_memory(operands[leaves + i]); }) ||
         std::any_of(writes.begin(), writes.end(), [&](const auto& w) { return shares_memory(operands[w.first]); });
}

bool writes_unaliased(const Writes& writes, std::span<PyObject* const> operands) {
  return std::all_of(writes.begin(), writes.end(), [&](const auto& write) {
    const gc::Storage* written = memory_of(operands[write.first]);
    return std::count_if(operands.begin(), operands.end(),
                         [&](PyObject* o) { return overlap(memory_of(o), written); }) == 1;
  });
}

bool assigns_unaliased(std::span<const size_t> written, std::span<const std::pair<size_t, Object>> pinned,
                       std::span<PyObject* const> operands, size_t leaves) {
  for (size_t leaf = 0; leaf < leaves && !written.empty(); ++leaf) {
    PyObject* given = operands[leaf];
    if (!is_tensor(given) || !is_parameter(given)) continue;
    const bool pins = std::ranges::any_of(pinned, [&](const auto& pin) { return pin.first == leaf; });
    if (!pins && std::ranges::any_of(written, [&](size_t i) { return operands[leaves + i] == given; })) return false;
  }
  return std::ranges::none_of(written, [&](size_t i) {
    PyObject* parameter = operands[leaves + i];
    return has_aliases(parameter) &&
           std::ranges::any_of(operands, [&](PyObject* o) { return o != parameter && may_alias(parameter, o); });
  });
}

namespace {

bool is_dense(PyObject* o) { return !is_tensor(o) || real(o, "an argument").layout().contiguous; }

// Whether a result lies in the argument that it overwrites.
bool lies_in(const ops::Tensor& result, PyObject* argument) {
  const ops::Tensor& target = real(argument, "an argument of a jitted function");
  return result.data() == target.data() && result.layout_ref() == target.layout_ref();
}

// What is going to be overwritten.
void keep_results(const Entry& entry, Results* results, const Flat& flat) {
  for (const auto& [leaf, written] : entry.writes) {
    const bool there = !flat.recorded() && lies_in(results->values[written].tensor, flat.leaves[leaf]);
    for (size_t i = 0; i < results->values.size(); ++i) {
      ops::Tensor& t = results->values[i].tensor;
      const bool overwritten = t.defined() && t.storage().get() == memory_of(flat.leaves[leaf]);
      if (overwritten && !(there && i == written)) t = ops::clone(t);
    }
  }
}

// Memory that nobody else has, nor has had the address of.
bool is_sole(const ops::Tensor& tensor) {
  return tensor.contiguous() && tensor.offset() == 0 && tensor.storage()->count() == 1 && !tensor.storage()->changing();
}

// Where nobody can tell, an argument takes the memory of its new elements.
void write(const Entry& entry, const Results& results, const Flat& flat) {
  for (const auto& [leaf, result] : entry.writes) {
    if (flat.recorded()) {
      replace_elements(flat.leaves[leaf], results.values[result].tensor, results.variable(result));
      continue;
    }
    const ops::Tensor& written = real(flat.leaves[leaf], "an argument of a jitted function");
    const ops::Tensor& made = results.values[result].tensor;
    if (lies_in(made, flat.leaves[leaf])) continue;
    if (!shares_memory(flat.leaves[leaf]) && is_sole(written) && is_sole(made)) {
      as_tensor(flat.leaves[leaf])->value = vm::Value(made);
      continue;
    }
    const ops::Uninterrupted whole;
    overwrite(written, made);
  }
}

bool run_code(const Entry& entry, const std::pmr::vector<PyObject*>& operands, Results* results) {
  std::pmr::vector<vm::Argument> arguments(operands.get_allocator());
  arguments.reserve(operands.size() + entry.computed.size());
  for (PyObject* o : operands) arguments.push_back(argument(o));
  arguments.resize(operands.size() + entry.computed.size());
  return entry.function->call(arguments, &results->values);
}

vm::TrackedResult tracked_result(PyObject* o) {
  vm::TrackedResult p;
  if (is_tensor(o)) {
    p.value.tensor = real(o, "an argument of a jitted function");
    p.variable = as_tensor(o)->variable;
    return p;
  }
  p.value.kind = PyBool_Check(o) ? ops::Kind::Bool : PyFloat_Check(o) ? ops::Kind::Float : ops::Kind::Int;
  p.value.bits = argument(o).bits;
  return p;
}

// A call that a tape may record.
bool run_recorded(const std::shared_ptr<Entry>& entry, std::span<PyObject* const> operands, Results* results,
                  bool* op_by_op) {
  vm::TrackedResults given, made;
  for (PyObject* o : operands) given.push_back(tracked_result(o));
  for (ops::Kind kind : entry->computed) given.emplace_back().value.kind = kind;
  const size_t leaves = operands.size() - entry->hidden.size() - entry->outside.size();
  const auto contents = [entry, leaves](size_t operand) {
    return tracked_result(entry->hidden[operand - leaves].get());
  };
  const vm::DifferentiableFunction::Outcome outcome = entry->differentiable->call(given, contents, &made);
  *op_by_op = outcome == vm::DifferentiableFunction::Outcome::OpByOp;
  if (outcome != vm::DifferentiableFunction::Outcome::Ran) return false;
  for (vm::TrackedResult& p : made) {
    results->values.push_back(std::move(p.value));
    results->variables.push_back(p.variable);
  }
  return true;
}

}  // namespace

Object run(const std::shared_ptr<Entry>& entry, const Flat& flat, bool* op_by_op) {
  std::array<std::byte, 512> local;
  std::pmr::monotonic_buffer_resource memory(local.data(), local.size());
  std::pmr::vector<PyObject*> operands(&memory);
  operands.reserve(flat.leaves.size() + entry->hidden.size() + entry->outside.size());
  operands.assign(flat.leaves.begin(), flat.leaves.end());
  for (const Object& hidden : entry->hidden) operands.push_back(hidden.get());
  std::pmr::vector<Object> numbers(&memory);
  numbers.reserve(entry->outside.size());
  for (const OutsideNumber& number : entry->outside) {
    if (!numbers.emplace_back(number.place.read(number.type))) return {};
    operands.push_back(numbers.back().get());
  }
  note_parameters(operands);
  if (flat.recorded() && writes_views(entry->writes, entry->written, operands, flat.leaves.size())) return {};
  prepare_writes(*entry, flat);
  if (!writes_unaliased(entry->writes, operands)) return {};
  if (!assigns_unaliased(entry->written, entry->pinned, operands, flat.leaves.size())) return {};
  if (entry->writes_elements && any_share_memory(operands)) return {};
  if (entry->needs_dense && !std::ranges::all_of(operands, is_dense)) return {};
  Results results{{}, {}, {}, *entry, flat, operands, {}};
  try {
    const bool ran =
        flat.recorded() ? run_recorded(entry, operands, &results, op_by_op) : run_code(*entry, operands, &results);
    if (!ran) return {};
  } catch (const ops::RaisedError& raised) {
    raise_user_error(*entry, raised, flat);
  } catch (const ops::OpError& error) {
    if (error.kind != ops::OpError::Kind::Overflow || !entry->in_python) raise_with_lines(*entry, error);
    *op_by_op = true;
    return {};
  }
  keep_results(*entry, &results, flat);
  write(*entry, results, flat);
  return finish(*entry, results);
}

void add_jit(PyObject* module) {
  check(PyType_Ready(&JitType));
  check(PyModule_AddObjectRef(module, "Jit", reinterpret_cast<PyObject*>(&JitType)));
  plainly = check(PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type))).release();
  check(PyModule_AddObjectRef(module, "PLAINLY", plainly));
}

}  // namespace ember::python
