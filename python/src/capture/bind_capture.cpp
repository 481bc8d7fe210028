#include "python/src/capture/bind_capture.h"

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bytecode/code/code.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "bytecode/transforms/transforms.h"
#include "ops/foreign/foreign.h"
#include "python/src/calls/precision.h"
#include "python/src/capture/capture.h"
#include "python/src/capture/symbolic.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"
#include "python/src/guards/misses.h"
#include "python/src/jit/jit.h"
#include "python/src/jit/run.h"
#include "python/src/tensor/tensor_class.h"
#include "vm/state/hooks.h"

namespace py = pybind11;

namespace ember::python {
namespace {

bool is_leaf(PyObject* o) { return is_tensor(o) || is_number(o); }

// A Tensor or a number that captured code may compute with.
class LeafArgument : public py::object {
  PYBIND11_OBJECT(LeafArgument, object, is_leaf)
};

using CaptureClass = py::class_<Capture, std::shared_ptr<Capture>>;

template <class T>
std::vector<PyObject*> pointers(const std::vector<T>& objects) {
  std::vector<PyObject*> out;
  for (const T& o : objects) out.push_back(o.ptr());
  return out;
}

py::list list_of(std::vector<Object> objects) {
  py::list out;
  for (Object& o : objects) out.append(steal(std::move(o)));
  return out;
}

void trace_capture(const bytecode::Code& code, size_t guards, uint64_t started) {
  if (!vm::hooks().trace) return;
  double us = static_cast<double>(vm::ticks() - started) / vm::ticks_per_second() * 1e6;
  const bytecode::CodeFunction& fn = code.functions[code.entry];
  vm::hooks().trace("[capture f=" + fn.name + " functions=" + std::to_string(code.functions.size()) +
                    " words=" + std::to_string(fn.words.size()) + " guards=" + std::to_string(guards) +
                    " passes=" + std::to_string(static_cast<int64_t>(us)) + "us]");
}

using Axes = std::vector<std::optional<int64_t>>;

std::vector<int64_t> numbers(const Axes& axes) {
  std::vector<int64_t> out;
  for (auto a : axes) out.push_back(a.value_or(bytecode::kNotBatched));
  return out;
}

ops::Dim size_of(PyObject* tensor, int64_t axis) {
  const ops::Type type = type_of(tensor);
  return type.dims[ops::axis(axis, type.dims.size(), "vmap")];
}

using Guards = std::vector<std::tuple<std::string, py::object, py::object, py::object>>;

// Gives an entry its code; what is called under a tape makes it when it is known which gradients are wanted.
void compile(Entry& entry, const Capture& capture, const Flat& flat, const bytecode::PassHook& hook) {
  const bytecode::Module& captured = capture.module();
  if (flat.recorded()) {
    entry.differentiable = std::make_shared<vm::DifferentiableFunction>(
        std::make_shared<const bytecode::Module>(captured), captured.entry, flat.instrumented(), hook);
    return;
  }
  const uint64_t started = vm::ticks();
  entry.module =
      std::make_shared<const bytecode::Module>(bytecode::runnable(captured, captured.entry, flat.instrumented(), hook));
  const bytecode::CodeRef code = bytecode::lower(*entry.module);
  trace_capture(*code, entry.guards.size(), started);
  std::vector<vm::Overwrite> overwrites;
  for (const auto& [leaf, result] : entry.writes) overwrites.push_back({leaf, result});
  entry.function = gc::make<vm::Function>(code, std::move(overwrites));
}

using Effects = std::vector<std::tuple<std::string, py::object, py::object, py::object>>;

// What a capture has found beside its graph; see Entry.
struct Captured {
  std::vector<py::object> results;
  py::object tree;
  Guards guards;
  Writes writes;
  py::list errors, lines;
  Effects effects;
  std::vector<py::object> apart;
  std::vector<bool> own_memory;
  std::vector<size_t> pinned;  // leaves that are hidden inputs
  py::tuple unfolded;
};

// Numbers among the arguments that the guards let have one value only.
void hold_numbers(Entry& entry, const Capture& capture, const Flat& flat) {
  const bytecode::Module& module = capture.module();
  const bytecode::Graph& graph = module.graph(module.entry);
  for (const ops::SymbolGuard& guard : module.symbols.guards()) {
    const auto equal = module.symbols.equality(guard);
    if (!equal || !module.symbols.is_constant(equal->second)) continue;
    const ops::SymbolExpr& held = module.symbols.exprs()[equal->first];
    const ops::ExprId number = held.op == ops::SymbolOp::Bits ? held.a : equal->first;
    for (size_t leaf = 0; leaf < flat.leaves.size(); ++leaf)
      if (graph.type(graph.params[leaf]).expr == number)
        entry.held.push_back({leaf, Object::borrow(flat.leaves[leaf])});
  }
  std::ranges::sort(entry.held, {}, [](const auto& item) { return item.first; });
}

// Adds a finished capture to `jit` as an entry for these arguments.
std::shared_ptr<Entry> add_entry(py::object jit, Capture& capture, py::tuple args, py::dict kwargs,
                                 const Captured& captured, const bytecode::PassHook& hook) {
  Flat flat = flattened(args, kwargs, captured.unfolded.ptr());
  auto entry = std::make_shared<Entry>();
  entry->unfolded = flat.unfolded;
  entry->structure = flat.structure;
  for (PyObject* c : flat.constants) entry->constants.push_back(Object::borrow(c));
  entry->precision = Object::borrow(precision_rules());
  entry->tensor_classes = tensor_class_version();
  entry->writes = captured.writes;
  entry->writes_elements = capture.writes_elements();
  entry->needs_dense = capture.needs_dense();
  entry->own_memory = captured.own_memory;
  capture.finish(pointers(captured.results));
  entry->written = capture.written_hidden();
  entry->computed = capture.computed_inputs();
  for (size_t leaf : captured.pinned) entry->pinned.push_back({leaf, Object::borrow(flat.leaves[leaf])});
  for (const auto& [kind, owner, key, expected] : captured.guards)
    entry->guards.add(make_guard(kind, owner, key, expected));
  entry->guards.finish();
  for (const HiddenInput& h : capture.hidden_inputs()) entry->hidden.push_back(h.tensor);
  entry->outside = capture.outside_values();
  entry->aliases = capture.aliases();
  entry->results = ResultTree(captured.tree.ptr());
  entry->errors = Object::borrow(captured.errors.ptr());
  for (const auto& [kind, owner, operands, words] : captured.effects)
    entry->effects.emplace_back(kind, ResultTree(owner.ptr()), ResultTree(operands.ptr()), Object::borrow(words.ptr()));
  for (const py::object& o : captured.apart) entry->apart.push_back(Object::borrow(o.ptr()));
  entry->lines = Object::borrow(captured.lines.ptr());
  compile(*entry, capture, flat, hook);
  entry->in_python = (capture.checks_ints() || capture.needs_trips()) && captured.writes.empty() && !capture.acts();
  entry->op_by_op = Object::borrow(reinterpret_cast<PyJit*>(jit.ptr())->inner);
  hold_numbers(*entry, capture, flat);
  reinterpret_cast<PyJit*>(jit.ptr())->entries->add(entry);
  return entry;
}

void check_writes(const Capture& capture, py::tuple args, py::dict kwargs, py::tuple unfolded, const Writes& writes,
                  const std::vector<size_t>& pinned) {
  const Flat flat = flattened(args, kwargs, unfolded.ptr());
  std::vector<PyObject*> operands(flat.leaves.begin(), flat.leaves.end());
  for (const HiddenInput& h : capture.hidden_inputs()) operands.push_back(h.tensor.get());
  std::vector<Object> outside;
  for (const OutsideValue& o : capture.outside_values())
    if (outside.emplace_back(o.place.read(o.type))) operands.push_back(outside.back().get());
  const std::vector<size_t> written = capture.written_hidden();
  std::vector<std::pair<size_t, Object>> itself;
  for (size_t leaf : pinned) itself.emplace_back(leaf, Object::borrow(flat.leaves[leaf]));
  if ((flat.recorded() && writes_views(writes, written, operands, flat.leaves.size())) ||
      !writes_unaliased(writes, operands) || !assigns_unaliased(written, itself, operands, flat.leaves.size()) ||
      (capture.writes_elements() && any_share_memory(operands)))
    raise(capture_error,
          "a jitted function assigns elements of an argument, or a Parameter, that shares its memory with another "
          "Tensor: pass a copy().");
}

Object run_entry(const std::shared_ptr<Entry>& entry, py::tuple args, py::dict kwargs) {
  const Flat flat = flattened(args, kwargs, entry->unfolded.get());
  bool op_by_op = !admits(*entry, flat);  // another thread has changed a list among them
  Object result = op_by_op ? Object() : run(entry, flat, &op_by_op);
  if (result) return result;
  return check(PyObject_CallFunctionObjArgs(entry->op_by_op.get(), args.ptr(), kwargs.ptr(), nullptr));
}

void bind_graphs(CaptureClass& capture) {
  capture
      .def(
          "begin_graph",
          [](Capture& c, const std::string& name, const std::vector<py::object>& examples, const Axes& in_axes) {
            return bridged([&] { return list_of(c.begin_graph(name, pointers(examples), numbers(in_axes))); });
          },
          py::arg("name"), py::arg("examples"), py::arg("in_axes") = Axes())
      .def("end_graph",
           [](Capture& c, const std::vector<py::object>& results) {
             return bridged([&] { return c.end_graph(pointers(results)); });
           })
      .def("abandon_graph", &Capture::abandon_graph)
      .def("suspend_graph", &Capture::suspend_graph)
      .def("resume_graph", &Capture::resume_graph)
      .def("splice_graph", &Capture::splice_graph)
      .def("begin_shared",
           [](Capture& c, const std::string& name, const std::vector<py::object>& operands,
              const std::vector<bool>& known, bool keep) {
             const std::vector<char> marks(known.begin(), known.end());
             return bridged([&] { return list_of(c.begin_shared(name, pointers(operands), marks, keep)); });
           })
      .def("declare_like",
           [](Capture& c, const InnerGraph& before) { return bridged([&] { return c.declare_like(before); }); })
      .def("alike", &Capture::alike)
      .def("can_call", &Capture::can_call)
      .def("if_else",
           [](Capture& c, py::object condition, const InnerGraph& yes, const InnerGraph& no) {
             return bridged([&] { return list_of(c.if_else(condition.ptr(), yes, no)); });
           })
      .def("while_loop",
           [](Capture& c, const std::vector<py::object>& carried, const InnerGraph& condition, const InnerGraph& body) {
             return bridged([&] { return list_of(c.while_loop(pointers(carried), condition, body)); });
           })
      .def("call",
           [](Capture& c, const InnerGraph& graph, const std::vector<py::object>& operands) {
             return bridged([&] { return list_of(c.call(graph, pointers(operands))); });
           })
      .def("call_module",
           [](Capture& c, const bytecode::Module& module, const std::vector<py::object>& operands) {
             return bridged([&] { return list_of(c.call_module(module, pointers(operands))); });
           })
      .def("finish", [](Capture& c, const std::vector<py::object>& results) {
        return bridged([&] {
          c.finish(pointers(results));
          py::list hidden;
          for (const HiddenInput& h : c.hidden_inputs())
            hidden.append(py::reinterpret_borrow<py::object>(h.tensor.get()));
          return py::make_tuple(std::make_shared<bytecode::Module>(c.module()), hidden);
        });
      });
}

void bind_transforms(CaptureClass& capture) {
  capture
      .def("set_gradient", [](Capture& c, const InnerGraph& graph,
                              const InnerGraph& gradient) { bridged([&] { c.set_gradient(graph, gradient); }); })
      .def(
          "call_with_gradient",
          [](Capture& c, const InnerGraph& graph, const InnerGraph& gradient, const std::vector<py::object>& operands) {
            return bridged([&] { return list_of(c.call_with_gradient(graph, gradient, pointers(operands))); });
          })
      .def("linearise",
           [](Capture& c, const InnerGraph& graph, const std::vector<py::object>& operands,
              const std::vector<uint32_t>& wrt, const std::vector<py::object>& parameters, uint32_t differentiable) {
             return bridged([&] {
               auto [results, vjp] = c.linearise(graph, pointers(operands), wrt, pointers(parameters), differentiable);
               return py::make_tuple(list_of(std::move(results)), std::move(vjp));
             });
           })
      .def("pull",
           [](Capture& c, const CapturedVjp& vjp, const std::vector<py::object>& cotangents) {
             return bridged([&] { return list_of(c.vjp(vjp, pointers(cotangents))); });
           })
      .def("set_recompute", &Capture::set_recompute)
      .def("batched", [](Capture& c, const InnerGraph& graph, const Axes& in_axes, const Axes& out_axes,
                         TensorArgument example, int64_t axis) {
        return bridged(
            [&] { return c.batched(graph, numbers(in_axes), numbers(out_axes), size_of(example.ptr(), axis)); });
      });
}

void bind_values(CaptureClass& capture) {
  capture.def("stack", [](Capture& c) { return bridged([&] { return steal(c.wrap_value(c.builder().stack())); }); })
      .def("push",
           [](Capture& c, py::object stack, const std::vector<py::object>& values) {
             return bridged([&] { return steal(c.push(stack.ptr(), pointers(values))); });
           })
      .def("pop",
           [](Capture& c, py::object stack, const std::vector<py::object>& examples) {
             return bridged([&] { return list_of(c.pop(stack.ptr(), pointers(examples))); });
           })
      .def("truth", [](Capture& c, py::object o) { return bridged([&] { return steal(c.truth(o.ptr())); }); })
      .def("to_int", [](Capture& c, py::object o) { return bridged([&] { return steal(c.to_int(o.ptr())); }); })
      .def("has_written", [](const Capture& c, LeafArgument leaf) { return c.has_written(leaf.ptr()); })
      .def("require_trip", [](Capture& c, py::object o) { return bridged([&] { c.require_trip(o.ptr()); }); })
      .def("checks_ints", &Capture::checks_ints)
      .def("needs_trips", &Capture::needs_trips)
      .def("acts", &Capture::acts)
      .def("writes_memory", &Capture::writes_memory)
      .def("to_number", [](Capture& c, py::object o) { return bridged([&] { return steal(c.to_number(o.ptr())); }); })
      .def("type_of", [](Capture& c, py::object o) { return bridged([&] { return c.graph_type(o.ptr()); }); })
      .def("convert", [](Capture& c, py::object o,
                         const ops::Type& type) { return bridged([&] { return steal(c.convert(o.ptr(), type)); }); })
      .def("level", &Capture::level)
      .def("latest", &Capture::latest)
      .def("place",
           [](Capture& c, LeafArgument leaf) {
             return bridged([&]() -> std::optional<std::pair<uint64_t, uint32_t>> {
               const std::optional<Traced> traced = c.find_traced(leaf.ptr());
               if (!traced) return {};
               return std::pair(traced->level, traced->id);
             });
           })
      .def("share_memory",
           [](Capture& c, TensorArgument viewed, TensorArgument view) { c.share_memory(viewed.ptr(), view.ptr()); })
      .def("own_memory",
           [](Capture& c, const std::vector<py::object>& results) {
             return bridged([&] { return c.own_memory(pointers(results)); });
           })
      .def(
          "shares_memory",
          [](Capture& c, TensorArgument tensor, const std::vector<TensorArgument>& except) {
            return c.shares_memory(tensor.ptr(), pointers(except));
          },
          py::arg("tensor"), py::arg("except_") = std::vector<TensorArgument>())
      .def("computes_alike",
           [](Capture& c, TensorArgument a, TensorArgument b) {
             return bridged([&] { return c.computes_alike(a.ptr(), b.ptr()); });
           })
      .def("raising", &Capture::raising)
      .def("add_raise",
           [](Capture& c, const std::string& text, int64_t number, const std::vector<py::object>& operands) {
             bridged([&] { c.add_raise(text, number, pointers(operands)); });
           });
}

void bind_effects(CaptureClass& capture) {
  capture.def(py::init<std::string>())
      .def("add_input",
           [](Capture& c, py::object example, const std::string& name) {
             return bridged([&] { return steal(c.add_input(example.ptr(), name)); });
           })
      .def("source_place", &Capture::source_place)
      .def("add_outside",
           [](Capture& c, const std::string& kind, py::object owner, py::object key, py::object example,
              const std::string& name) {
             OutsidePlace place{Guard::kind_of(kind), Object::borrow(owner.ptr()), Object::borrow(key.ptr())};
             return bridged([&] { return steal(c.add_outside(std::move(place), example.ptr(), name)); });
           })
      .def("add_alias",
           [](Capture& c, const std::string& kind, py::object owner, py::object key, TensorArgument input) {
             OutsidePlace place{Guard::kind_of(kind), Object::borrow(owner.ptr()), Object::borrow(key.ptr())};
             bridged([&] { c.add_alias(std::move(place), input.ptr()); });
           })
      .def("writes_outside_tensor", &Capture::writes_outside_tensor)
      .def("add_array", [](Capture& c, py::object array) { return bridged([&] { return c.add_array(array.ptr()); }); })
      .def("writes", &Capture::writes)
      .def("hidden_inputs",
           [](const Capture& c) {
             py::list out;
             const std::vector<size_t> written = c.written_hidden();
             for (size_t i = 0; i < c.hidden_inputs().size(); ++i)
               out.append(py::make_tuple(py::reinterpret_borrow<py::object>(c.hidden_inputs()[i].tensor.get()),
                                         std::ranges::find(written, i) != written.end()));
             return out;
           })
      .def("written_inputs",
           [](Capture& c) {
             py::list out;
             for (auto& [leaf, tensor] : c.written_inputs()) out.append(py::make_tuple(leaf, steal(tensor)));
             return out;
           })
      .def_readwrite("refused", &Capture::refused)
      .def_readwrite("changes", &Capture::changes)
      .def("undo",
           [](Capture& c, size_t mark, uint64_t latest) {
             py::list out;
             for (auto& [tensor, value] : c.undo(mark, latest)) out.append(py::make_tuple(steal(tensor), steal(value)));
             return out;
           })
      .def("write", [](Capture& c, TensorArgument tensor,
                       TensorArgument value) { c.write(tensor.ptr(), as_tensor(value.ptr())->value); })
      .def("set_source", &Capture::set_source)
      .def_property_readonly("source_line", &Capture::source_line)
      .def("depends_on_matmul_precision", [](Capture& c) { return bytecode::depends_on_matmul_precision(c.module()); })
      .def("text", [](Capture& c) { return bytecode::print(c.module()); })
      .def("__enter__",
           [](std::shared_ptr<Capture> c) {
             c->entered.push_back(std::make_unique<CaptureScope>(c.get()));
             return c;
           })
      .def("__exit__", [](Capture& c, py::object error, py::args) {
        c.entered.pop_back();
        c.forget_inputs();
        if (!error.is_none()) c.close();
      });
}

// Of functions of shared libraries that a module calls, the libraries.
std::vector<std::string> libraries(const bytecode::Module& module) {
  std::vector<std::string> paths;
  for (const bytecode::Graph& graph : module.graphs)
    for (const bytecode::Node& node : graph.nodes)
      if (node.op && node.op->name == ops::kForeignCall) paths.push_back(node.attrs.text(1));
  return paths;
}

void bind_modules(py::module_& m) {
  py::class_<bytecode::Module, std::shared_ptr<bytecode::Module>>(m, "Module")
      .def(py::init([](const std::string& text) {
        return bridged([&] { return std::make_shared<bytecode::Module>(bytecode::parse(text)); });
      }))
      .def("__str__", [](const bytecode::Module& module) { return bytecode::print(module, true); })
      .def("without_sources",
           [](const bytecode::Module& module) { return bytecode::print(module, true, bytecode::Sources::None); })
      .def_property_readonly("params",
                             [](const bytecode::Module& module) { return module.graph(module.entry).param_names; })
      .def_property_readonly("results",
                             [](const bytecode::Module& module) { return module.graph(module.entry).results.size(); })
      .def_property_readonly("libraries", &libraries);
}

void bind_types(py::module_& m) {
  py::class_<ops::Type>(m, "Type")
      .def("__eq__", [](const ops::Type& a, const ops::Type& b) { return ops::identical(a, b); })
      .def("agrees",
           [](const ops::Type& a, const ops::Type& b) {
             return a.kind == b.kind && a.dtype == b.dtype && a.dims.size() == b.dims.size() &&
                    std::equal(a.dims.begin(), a.dims.end(), b.dims.begin());
           })
      .def("__str__", [](const ops::Type& t) { return to_string(t); })
      .def_property_readonly("is_tensor", &ops::Type::is_tensor)
      .def_property_readonly("is_float", [](const ops::Type& t) { return ops::is_float(t.dtype); });
  py::class_<InnerGraph>(m, "InnerGraph");
  py::class_<CapturedVjp>(m, "CapturedVjp");
  py::class_<Entry, std::shared_ptr<Entry>>(m, "Entry")
      .def("run", [](const std::shared_ptr<Entry>& e, py::tuple args, py::dict kwargs) {
        return bridged([&] { return steal(run_entry(e, args, kwargs)); });
      });
}

void bind_state(py::module_& m) {
  m.def("current_capture", []() -> std::shared_ptr<Capture> {
    return current_capture() ? current_capture()->shared_from_this() : nullptr;
  });
  m.def("call_now", [](py::object f, py::args args, py::kwargs kwargs) {
    CaptureScope none(nullptr);
    return f(*args, **kwargs);
  });
  m.def("same_size", [](TensorArgument a, int64_t i, TensorArgument b, int64_t k) {
    return bridged([&] { return size_of(a.ptr(), i) == size_of(b.ptr(), k); });
  });
}

// Numbers that are plain or symbolic, at least one of them symbolic.
bool are_symbolic(const std::vector<py::object>& numbers) {
  const auto known = [](const py::object& o) { return is_symbolic(o.ptr()) || is_plain_number(o.ptr()); };
  return std::ranges::all_of(numbers, known) &&
         std::ranges::any_of(numbers, [](const py::object& o) { return is_symbolic(o.ptr()); });
}

void bind_numbers(py::module_& m) {
  m.def("are_symbolic", are_symbolic);
  m.def("compute_number", [](py::object function, const std::vector<py::object>& operands) {
    return bridged([&] { return steal(compute_number(function.ptr(), pointers(operands))); });
  });
  m.def("least_or_greatest", [](py::object a, py::object b, bool least) {
    return bridged([&] { return steal(least_or_greatest(a.ptr(), b.ptr(), least)); });
  });
  m.def("number_as", [](const std::string& kind, py::object number) {
    const ops::Kind wanted = kind == "int" ? ops::Kind::Int : ops::Kind::Float;
    return bridged([&] { return steal(number_as(wanted, number.ptr())); });
  });
}

void bind_guards(py::module_& m) {
  m.def("content",
        [](py::object container) { return bridged([&] { return steal(check(content(container.ptr()).release())); }); });
  m.def("class_content", [](py::type cls) { return bridged([&] { return steal(class_content(cls.ptr())); }); });
  m.def("buffer_state", [](py::object owner, bool with_bytes) {
    return bridged([&] { return steal(buffer_state(owner.ptr(), with_bytes)); });
  });
  m.def("identical", [](py::object a, py::object b) { return bridged([&] { return identical(a.ptr(), b.ptr()); }); });
  m.def("is_outside", [](TensorArgument tensor) {
    const PyTensor* t = as_tensor(tensor.ptr());
    return t->origin == Origin::Outside && t->born == 0;
  });
  m.def("has_views", [](TensorArgument tensor) { return current_capture()->has_views(tensor.ptr()); });
  m.def("is_chosen", [](TensorArgument tensor) { return as_tensor(tensor.ptr())->origin == Origin::Chosen; });
  m.def("type_name", [](py::handle value) { return Py_TYPE(value.ptr())->tp_name; });
  m.def("holds", [](const std::string& kind, py::object owner, py::object key, py::object expected) {
    return make_guard(kind, owner, key, expected).holds();
  });
}

void bind_entries(py::module_& m) {
  m.def("trace", [](const std::string& line) {
    if (vm::hooks().trace) vm::hooks().trace(line);
  });
  m.def("misses", [](py::object jit, py::tuple args, py::dict kwargs) {
    return bridged([&] {
      const PyJit& of = *reinterpret_cast<PyJit*>(jit.ptr());
      return steal(misses(of, flattened(args, kwargs, of.unfolded)));
    });
  });
  m.def("drop_entry", [](py::object jit, size_t number) {
    Entries& entries = *reinterpret_cast<PyJit*>(jit.ptr())->entries;
    if (number < entries.all().size()) entries.drop(number);
  });
  m.def("hash_of_call", [](py::tuple args, py::dict kwargs, py::tuple unfolded) {
    return bridged([&] { return hash_of_call(flattened(args, kwargs, unfolded.ptr())); });
  });
  m.def("check_writes", [](const Capture& c, py::tuple args, py::dict kwargs, py::tuple unfolded, const Writes& writes,
                           const std::vector<size_t>& pinned) {
    bridged([&] { check_writes(c, args, kwargs, unfolded, writes, pinned); });
  });
  m.def(
      "add_entry",
      [](py::object jit, Capture& c, py::tuple args, py::dict kwargs, std::vector<py::object> results, py::object tree,
         Guards guards, Writes writes, py::list errors, py::list lines, Effects effects, std::vector<py::object> apart,
         std::vector<bool> own_memory, std::vector<size_t> pinned, py::tuple unfolded,
         std::function<void(std::string, std::string)> dump) {
        bytecode::PassHook hook;
        if (dump)
          hook = [dump](std::string_view pass, const bytecode::Module& module) {
            dump(std::string(pass), bytecode::print(module));
          };
        const Captured captured{std::move(results),    std::move(tree),   std::move(guards),  std::move(writes),
                                std::move(errors),     std::move(lines),  std::move(effects), std::move(apart),
                                std::move(own_memory), std::move(pinned), std::move(unfolded)};
        return bridged([&] { return add_entry(jit, c, args, kwargs, captured, hook); });
      },
      py::arg("jit"), py::arg("capture"), py::arg("args"), py::arg("kwargs"), py::kw_only(), py::arg("results"),
      py::arg("tree"), py::arg("guards"), py::arg("writes"), py::arg("errors"), py::arg("lines"), py::arg("effects"),
      py::arg("apart"), py::arg("own_memory"), py::arg("pinned"), py::arg("unfolded"), py::arg("dump"));
}

}  // namespace

Guard make_guard(const std::string& kind, py::object owner, py::object key, py::object expected) {
  return {Guard::kind_of(kind), Object::borrow(owner.ptr()), Object::borrow(key.ptr()),
          kind == "empty" ? Object() : Object::borrow(expected.ptr())};
}

Flat flattened(py::tuple args, py::dict kwargs, PyObject* unfolded) {
  Flat flat(unfolded);
  for (py::handle a : args) flatten(a.ptr(), &flat);
  for (auto [key, value] : kwargs) flatten_keyword(key.ptr(), value.ptr(), &flat);
  return flat;
}

void bind_capture(py::module_& m) {
  bind_types(m);
  bind_modules(m);
  CaptureClass capture(m, "Capture");
  bind_graphs(capture);
  bind_transforms(capture);
  bind_values(capture);
  bind_effects(capture);
  bind_state(m);
  bind_numbers(m);
  bind_guards(m);
  bind_entries(m);
}

}  // namespace ember::python
