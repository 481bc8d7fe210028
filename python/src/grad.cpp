#include "python/src/grad.h"

#include <pybind11/stl.h>

#include <memory>

#include "ops/eager.h"
#include "python/src/convert.h"
#include "python/src/dispatch.h"
#include "vm/tape.h"

namespace py = pybind11;

namespace ember::python {
namespace {

// Writing a Parameter while a tape keeps its value: it gets storage of its own first.
void separate(PyObject* parameter) {
  const ops::Tensor& t = real(parameter, "assign");
  ops::Tensor copy = ops::Tensor::empty(t.dtype(), t.shape());
  ops::copy_into(t, copy);
  as_tensor(parameter)->value = vm::Value(std::move(copy));
}

uint64_t variable_of(PyObject* o) { return o && is_tensor(o) ? as_tensor(o)->variable : 0; }

// One gradient computation: the scope opens with `with`, and the Parameters that it watches get their own variables
// back when it closes.
class PyTape {
 public:
  void enter() { scope_ = std::make_unique<vm::TapeScope>(); }

  void leave() {
    for (auto& [parameter, before] : watched_) as_tensor(parameter.get())->variable = before;
    watched_.clear();
    scope_.reset();
  }

  py::object watch(py::object value) {
    if (!is_tensor(value.ptr())) return value;
    PyTensor* t = as_tensor(value.ptr());
    return py::reinterpret_steal<py::object>(wrap(t->value, scope_->watch(t->variable)).release());
  }

  void watch_parameter(py::object parameter) {
    PyTensor* t = as_tensor(parameter.ptr());
    watched_.push_back({Object::borrow(parameter.ptr()), t->variable});
    t->variable = scope_->watch(t->variable);
    variables_.push_back({parameter.ptr(), t->variable});
  }

  py::list gradients(const std::vector<py::object>& outputs, const std::vector<py::object>& inputs) {
    std::vector<uint64_t> from, to;
    vm::TrackedValues cotangents;
    for (const py::object& o : outputs) {
      const ops::Tensor& t = real(o.ptr(), "grad");
      from.push_back(as_tensor(o.ptr())->variable);
      cotangents.push_back({ops::Tensor::full(t.dtype(), t.shape(), 1), 0});
    }
    for (const py::object& o : inputs) to.push_back(watched_variable(o.ptr()));
    vm::TrackedValues found = scope_->backward(from, cotangents, to);
    py::list out;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ops::Tensor& like = real(inputs[i].ptr(), "grad");
      bool none = ops::none(found[i].value);
      ops::Tensor g = none ? ops::Tensor::full(like.dtype(), like.shape(), 0) : std::get<ops::Tensor>(found[i].value);
      out.append(py::reinterpret_steal<py::object>(wrap(std::move(g), none ? 0 : found[i].variable).release()));
    }
    return out;
  }

 private:
  uint64_t watched_variable(PyObject* o) const {
    for (const auto& [object, variable] : variables_)
      if (object == o) return variable;
    return as_tensor(o)->variable;
  }

  std::unique_ptr<vm::TapeScope> scope_;
  std::vector<std::pair<Object, uint64_t>> watched_;
  std::vector<std::pair<PyObject*, uint64_t>> variables_;
};

}  // namespace

bool recording() { return vm::tape().recording(); }

Object record(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs) {
  bool writes = op.flags.has(ops::Flag::Memory);
  if (writes) separate(operands[0]);
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
    return wrap_results(op, std::move(values), variables.data());
  }
  ops::Values in;
  std::vector<uint64_t> variables;
  for (const vm::Tracked& t : tracked) {
    in.push_back(t.value);
    variables.push_back(t.variable);
  }
  ops::run(op, in, attrs);
  ops::Value after = real(operands[0], "assign");
  as_tensor(operands[0])->variable = vm::tape().record(op, in, variables, {&after, 1}, attrs);
  return Object::borrow(operands[0]);
}

void bind_grad(py::module_& m) {
  auto translated = [](auto f) {
    try {
      return f();
    } catch (...) {
      set_python_error();
      throw py::error_already_set();
    }
  };
  py::class_<PyTape>(m, "Tape")
      .def(py::init<>())
      .def("__enter__",
           [](py::object self) {
             self.cast<PyTape&>().enter();
             return self;
           })
      .def("__exit__", [](PyTape& t, py::args) { t.leave(); })
      .def("watch", &PyTape::watch)
      .def("watch_parameter", &PyTape::watch_parameter)
      .def("gradients",
           [translated](PyTape& t, const std::vector<py::object>& outputs, const std::vector<py::object>& inputs) {
             return translated([&] { return t.gradients(outputs, inputs); });
           });
}

}  // namespace ember::python
