#include "python/src/autograd/grad.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "ops/eager/eager.h"
#include "python/src/calls/dispatch.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/shared_memory.h"
#include "vm/autograd/tape.h"

namespace py = pybind11;

namespace ember::python {
namespace {

using Variables = std::vector<uint64_t>;
using Objects = std::vector<py::object>;

uint64_t variable_of(PyObject* o) { return o && is_tensor(o) ? as_tensor(o)->variable : 0; }

ops::Value tensor_value(const py::object& o) {
  if (!is_tensor(o.ptr())) raise(PyExc_TypeError, "a gradient must be a Tensor or None, not " + repr(o.ptr()));
  return real(o.ptr(), "grad");
}

py::object wrapped(const vm::Tracked& t) {
  if (ops::none(t.value)) return py::none();
  return py::reinterpret_steal<py::object>(wrap(std::get<ops::Tensor>(t.value), t.variable).release());
}

vm::Tracked tracked(const py::object& o) {
  if (o.is_none()) return {};
  return {tensor_value(o), variable_of(o.ptr())};
}

// One gradient computation: the scope opens and closes with Python's `with`. The Parameters that it watches have its
// variables while it is open, and during its backward passes, which can be asked for as long as the object lives.
//
// What the list of the tape calls is held by the objects that are open on that list, for the garbage collector to see:
// a vjp may be kept by an object whose `bprop` the tape holds. The list itself has their numbers.
class PyTape {
 public:
  void enter() {
    outer_ = open_;
    const bool shares_list = outer_ && recording();
    functions_ = shares_list ? outer_->functions_ : check(PyList_New(0));
    scope_ = std::make_unique<vm::TapeScope>();
    open_ = this;
  }

  void leave() {
    open_ = std::exchange(outer_, nullptr);
    inputs_.clear();
    exchange_variables();
    scope_->close();
  }

  // A function that the list of the innermost open tape calls.
  class ListedFunction {
   public:
    explicit ListedFunction(const py::function& function)
        : list_(open_->functions_.get()), number_(PyList_GET_SIZE(list_)) {
      check(PyList_Append(list_, function.ptr()));
    }
    py::object operator()(const py::object& argument) const {
      if (number_ >= PyList_GET_SIZE(list_)) raise(PyExc_RuntimeError, kCollected);
      return py::reinterpret_borrow<py::object>(PyList_GET_ITEM(list_, number_))(argument);
    }

   private:
    PyObject* list_;  // lives as long as what is open on the tape's list
    Py_ssize_t number_;
  };

  int traverse(visitproc visit, void* arg) {
    Py_VISIT(functions_.get());
    for (const py::object& input : inputs_) Py_VISIT(input.ptr());
    for (const auto& [parameter, other] : watched_) Py_VISIT(parameter.get());
    return 0;
  }

  void clear() {
    scope_.reset();
    inputs_.clear();
    watched_.clear();
    functions_ = Object();
  }

  // The same value as another variable.
  py::object watch(const TensorArgument& tensor) {
    note_parameters(std::array{tensor.ptr()});
    py::object same = wrapped({tensor_value(tensor), scope_->watch(variable_of(tensor.ptr()))});
    for (const py::object& other : inputs_) join_rings(std::array{other.ptr()}, same.ptr());
    return inputs_.emplace_back(std::move(same));
  }

  void watch_parameter(const TensorArgument& parameter) {
    note_parameters(std::array{parameter.ptr()});
    PyTensor* t = as_tensor(parameter.ptr());
    watched_.push_back({Object::borrow(parameter.ptr()), scope_->watch(t->variable)});
    std::swap(t->variable, watched_.back().second);
  }

  py::list gradients(const Variables& outputs, const Objects& cotangents, const Variables& inputs) {
    if (!scope_) raise(PyExc_RuntimeError, kCollected);
    vm::TrackedValues tracked_cotangents;
    for (const py::object& o : cotangents) tracked_cotangents.push_back(tracked(o));
    exchange_variables();
    py::list out;
    try {
      for (const vm::Tracked& t : scope_->backward(outputs, tracked_cotangents, inputs)) out.append(wrapped(t));
    } catch (...) {
      exchange_variables();
      throw;
    }
    exchange_variables();
    return out;
  }

  Variables outside() const { return scope_->outside(); }

 private:
  void exchange_variables() {
    for (auto& [parameter, other] : watched_) std::swap(as_tensor(parameter.get())->variable, other);
  }

  static constexpr const char* kCollected = "a vjp was called by what dies with it";
  static thread_local PyTape* open_;  // the innermost

  PyTape* outer_ = nullptr;  // while it is open
  Object functions_;         // a Python list; outlives the scope
  std::unique_ptr<vm::TapeScope> scope_;
  Objects inputs_;                                    // until it closes
  std::vector<std::pair<Object, uint64_t>> watched_;  // with the variable that it does not have now
};

thread_local PyTape* PyTape::open_ = nullptr;

// Python's `with` around something that lives between its braces.
template <class Scope>
class PyScope {
 public:
  void enter() { scope_.emplace(); }
  void leave() { scope_.reset(); }

 private:
  std::optional<Scope> scope_;
};

// The random keys drawn under the first `with` come again under each later one.
class PyKeys {
 public:
  void enter() { replay_.emplace(std::move(keys_)); }
  void leave() {
    keys_ = replay_->keys();
    replay_.reset();
  }

 private:
  std::vector<int64_t> keys_;
  std::optional<ops::KeyReplay> replay_;
};

// The Parameters that ops under the first `with` take; under each later one they are as they were then, and what they
// become is forgotten.
class PyParameters {
 public:
  void enter() {
    if (!noted_) {
      outer_ = std::exchange(noting, this);
      return;
    }
    exchange();
  }

  void leave() {
    if (noting == this) {
      noting = outer_;
      noted_ = true;
      return;
    }
    exchange();
  }

  void note(PyObject* parameter) {
    const auto same = [&](const Saved& saved) { return saved.parameter.get() == parameter; };
    if (std::none_of(saved_.begin(), saved_.end(), same))
      saved_.push_back({Object::borrow(parameter), as_tensor(parameter)->value, as_tensor(parameter)->variable});
    if (outer_) outer_->note(parameter);
  }

  static thread_local PyParameters* noting;

 private:
  struct Saved {
    Object parameter;
    vm::Value value;
    uint64_t variable;
  };

  void exchange() {
    for (Saved& saved : saved_) {
      std::swap(as_tensor(saved.parameter.get())->value, saved.value);
      std::swap(as_tensor(saved.parameter.get())->variable, saved.variable);
    }
  }

  std::vector<Saved> saved_;
  PyParameters* outer_ = nullptr;
  bool noted_ = false;
};
thread_local PyParameters* PyParameters::noting = nullptr;

vm::Tracked zeros(const ops::Layout& layout) { return {ops::Tensor::full(layout.dtype, layout.shape, 0), 0}; }

// Notes results that were computed apart: as new Tensors, whose cotangents `backward` turns into those of variables.
py::list record_call(const Variables& variables, const Objects& results, const py::function& backward) {
  ops::Values values;
  std::vector<ops::LayoutRef> layouts;
  for (const py::object& o : results) {
    values.push_back(tensor_value(o));
    layouts.push_back(std::get<ops::Tensor>(values.back()).layout_ref());
  }
  const vm::BackwardFn run = [function = PyTape::ListedFunction(backward), layouts](
                                 std::span<const vm::Tracked> cotangents, std::span<vm::Tracked>) {
    return calling_python([&] {
      py::list tensors;
      for (size_t i = 0; i < layouts.size(); ++i)
        tensors.append(wrapped(ops::none(cotangents[i].value) ? zeros(*layouts[i]) : cotangents[i]));
      vm::TrackedValues results;
      for (const py::handle& o : py::list(function(tensors)))
        results.push_back(tracked(py::reinterpret_borrow<py::object>(o)));
      return results;
    });
  };
  const vm::VariableId first = vm::tape().record(run, variables, values);
  py::list out;
  for (size_t i = 0; i < values.size(); ++i) out.append(wrapped({values[i], first == 0 ? 0 : first + i}));
  return out;
}

template <class Scope>
void bind_scope(py::module_& m, const char* name) {
  py::class_<Scope>(m, name)
      .def(py::init<>())
      .def("__enter__",
           [](py::object self) {
             self.cast<Scope&>().enter();
             return self;
           })
      .def("__exit__", [](Scope& s, py::args) { s.leave(); });
}

bool hook(const TensorArgument& tensor, const py::function& function) {
  const uint64_t variable = variable_of(tensor.ptr());
  if (variable == 0 || !recording()) return false;
  vm::tape().hook(variable, [hook = PyTape::ListedFunction(function)](const vm::Tracked& cotangent) {
    return calling_python([&] { return tracked(hook(wrapped(cotangent))); });
  });
  return true;
}

// Null for an object that has no tape yet or any more.
PyTape* constructed(PyObject* self) {
  const auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  return held.holder_constructed() ? static_cast<PyTape*>(held.value_ptr()) : nullptr;
}

}  // namespace

void note_parameters(std::span<PyObject* const> operands) {
  if (!PyParameters::noting) return;
  for (PyObject* o : operands)
    if (o && is_parameter(o)) PyParameters::noting->note(o);
}

bool recording() { return vm::tape().recording(); }
bool recorded(PyObject* tensor) { return recording() && vm::tape().tracks(as_tensor(tensor)->variable); }

Object record(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs) {
  bool writes = op.flags.has(ops::Flag::Memory);
  const ops::Tensor before = writes ? give_own_storage(operands[0]) : ops::Tensor();
  vm::TrackedValues tracked;
  for (PyObject* o : operands) tracked.push_back({operand_value(o), variable_of(o)});
  for (const ops::Param& p : op.signature.params)
    if (p.kind == ops::ParamKind::Random) tracked.push_back({ops::next_random_key(), 0});
  if (!writes) {
    vm::TrackedValues results = vm::tape().apply(op, tracked, attrs);
    ops::Values values;
    std::vector<uint64_t> variables;
    for (vm::Tracked& r : results) {
      values.push_back(std::move(r.value));
      variables.push_back(r.variable);
    }
    return wrap_results(op, operands, std::move(values), variables.data());
  }
  ops::Values in;
  std::vector<uint64_t> variables;
  for (const vm::Tracked& t : tracked) {
    in.push_back(t.value);
    variables.push_back(t.variable);
  }
  ops::run(op, in, attrs);
  const ops::Value after = real(operands[0], "assign");
  const bool cut = is_parameter(operands[0]);
  track_written(operands[0], before, cut ? 0 : vm::tape().record(op, in, variables, {&after, 1}, attrs));
  return Object::borrow(operands[0]);
}

bool tape_saves_tensors() { return vm::tape().saves_tensors(); }

void bind_grad(py::module_& m) {
  const auto collectable = [](PyHeapTypeObject* heap_type) {
    PyTypeObject& type = heap_type->ht_type;
    type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
      Py_VISIT(Py_TYPE(self));
      PyTape* tape = constructed(self);
      return tape ? tape->traverse(visit, arg) : 0;
    };
    type.tp_clear = [](PyObject* self) {
      if (PyTape* tape = constructed(self)) tape->clear();
      return 0;
    };
  };
  py::class_<PyTape>(m, "Tape", py::custom_type_setup(collectable))
      .def(py::init<>())
      .def("__enter__",
           [](py::object self) {
             self.cast<PyTape&>().enter();
             return self;
           })
      .def("__exit__", [](PyTape& t, py::args) { t.leave(); })
      .def("watch", [](PyTape& t, const TensorArgument& o) { return bridged([&] { return t.watch(o); }); })
      .def("watch_parameter", &PyTape::watch_parameter)
      .def("outside", &PyTape::outside)
      .def("gradients", [](PyTape& t, const Variables& outputs, const Objects& cotangents, const Variables& inputs) {
        return bridged([&] { return t.gradients(outputs, cotangents, inputs); });
      });
  bind_scope<PyScope<vm::TapePause>>(m, "Pause");
  bind_scope<PyKeys>(m, "RandomKeys");
  bind_scope<PyParameters>(m, "ParametersTaken");
  m.def("variable", [](const py::object& o) { return variable_of(o.ptr()); });
  m.def("recording", &recording);
  m.def("recorded", [](const py::object& o) { return is_tensor(o.ptr()) && recorded(o.ptr()); });
  m.def("record_call", [](const Variables& variables, const Objects& results, const py::function& backward) {
    return bridged([&] { return record_call(variables, results, backward); });
  });
  m.def("hook", &hook);
  m.def("hold_hooks",
        [](const TensorArgument& tensor, const py::object& hooks) { hold_hooks(tensor.ptr(), hooks.ptr()); });
  m.def("hooks_of", [](const TensorArgument& tensor) {
    PyObject* hooks = as_tensor(tensor.ptr())->hooks;
    return hooks ? py::reinterpret_borrow<py::object>(hooks) : py::none();
  });
}

}  // namespace ember::python
