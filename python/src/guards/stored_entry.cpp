#include "python/src/guards/stored_entry.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "bytecode/code/module_file.h"
#include "bytecode/text/text.h"
#include "python/src/calls/precision.h"
#include "python/src/capture/bind_capture.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"
#include "python/src/jit/jit.h"
#include "python/src/tensor/tensor_class.h"

namespace py = pybind11;

namespace ember::python {
namespace {

using GivenGuard = std::tuple<std::string, py::object, py::object, py::object>;
using GivenEffect = std::tuple<std::string, py::object, py::object, py::object>;

py::handle or_none(PyObject* o) { return o ? o : Py_None; }

// Why no other process can have an entry; empty: it can.
std::string obstacle(const Entry& entry) {
  if (entry.differentiable && !entry.outside.empty())
    return "a tape records the call, which reads numbers from outside";
  if (entry.differentiable && std::ranges::any_of(entry.differentiable->module().graphs, [](const bytecode::Graph& g) {
        return g.gradient != bytecode::kNoId || g.recompute;
      }))
    return "a tape records the call, which has gradients of its own, or computes anew";
  if (!entry.aliases.empty()) return "a Tensor from outside is found in two places";
  if (entry.precision) return "rules of precision hold";
  if (entry.tensor_classes != 0) return "the class of Tensors has been changed";
  if (PyTuple_GET_SIZE(entry.unfolded.get()) != 0) return "objects among the arguments are taken apart";
  if (PyList_Size(entry.errors.get()) != 0) return "the graph raises errors of the program's";
  return {};
}

py::dict state_of(const std::shared_ptr<Entry>& e) {
  py::dict state;
  const std::string why = obstacle(*e);
  state["obstacle"] = why;
  if (!why.empty()) return state;
  py::list paths;
  if (e->differentiable) {
    state["code"] = py::bytes();
    state["text"] =
        py::bytes(bytecode::print(e->differentiable->module(), /*full_constants=*/true, bytecode::Sources::Paths));
  } else {
    const std::vector<std::byte> code = bytecode::encode(e->function->code());
    state["code"] = py::bytes(reinterpret_cast<const char*>(code.data()), code.size());
    state["text"] = py::bytes(e->module ? bytecode::print(*e->module, /*full_constants=*/true) : e->text);
    for (const bytecode::CodeFunction& function : e->function->code().functions)
      for (const bytecode::SourceMark& mark : function.sources) paths.append(mark.source.path);
  }
  state["paths"] = paths;
  state["structure"] = e->structure;
  py::list constants, held, pinned, hidden, outside, computed;
  for (const Object& o : e->constants) constants.append(py::handle(o.get()));
  for (const auto& [leaf, value] : e->held) held.append(py::make_tuple(leaf, py::handle(value.get())));
  for (const auto& [leaf, value] : e->pinned) pinned.append(py::make_tuple(leaf, py::handle(value.get())));
  for (const Object& o : e->hidden) hidden.append(py::handle(o.get()));
  for (const OutsideValue& o : e->outside)
    outside.append(py::make_tuple(Guard::name_of(o.place.kind), or_none(o.place.owner.get()),
                                  or_none(o.place.key.get()), py::handle(reinterpret_cast<PyObject*>(o.type))));
  for (const ops::Kind kind : e->computed) computed.append(static_cast<int>(kind));
  state["constants"] = constants;
  state["held"] = held;
  state["pinned"] = pinned;
  state["hidden"] = hidden;
  state["outside"] = outside;
  state["computed"] = computed;
  state["written"] = e->written;
  state["writes"] = e->writes;
  state["own_memory"] = e->own_memory;
  state["flags"] = std::vector<bool>{e->writes_elements, e->needs_dense, e->in_python};
  return state;
}

// What has been read from a file is checked against the code that it is for: nothing is asked for that is not there.
struct Limits {
  size_t leaves, results, containers;
};

void expect(bool fits) {
  if (!fits) throw bytecode::FileError("module file: what goes with the code does not fit it");
}

void expect_fit(const ResultTree& tree, const Limits& limits, size_t* kept) {
  using Way = ResultTree::Way;
  const Recursion deeper(" while results are checked");
  if (tree.way == Way::Result) expect(tree.number < limits.results);
  if (tree.way == Way::Given) expect(tree.number < limits.leaves);
  if (tree.way == Way::Container) expect(tree.number < limits.containers);
  for (const ResultTree& part : tree.parts) expect_fit(part, limits, kept);
  if (tree.way == Way::Again) expect(tree.number < *kept);
  if (tree.way == Way::Keep) ++*kept;
}

// How many parameters and results an entry's graph has.
std::pair<size_t, size_t> arity(const Entry& entry) {
  if (!entry.differentiable) return {entry.function->entry().params.size(), entry.function->entry().results.size()};
  const bytecode::Module& module = entry.differentiable->module();
  const bytecode::Graph& graph = module.graph(module.entry);
  return {graph.params.size(), graph.results.size()};
}

void expect_fit(const Entry& entry, const Flat& flat) {
  const auto [params, results] = arity(entry);
  const Limits limits{flat.leaves.size(), results, flat.containers.size()};
  expect(params == limits.leaves + entry.hidden.size() + entry.outside.size() + entry.computed.size());
  expect(entry.own_memory.size() == limits.results);
  for (const size_t i : entry.written) expect(i < entry.hidden.size());
  size_t kept = 0;
  expect_fit(entry.results, limits, &kept);
  for (const Effect& effect : entry.effects) {
    expect_fit(effect.owner, limits, &kept);
    expect_fit(effect.operands, limits, &kept);
  }
}

// Types of Tensors, and numbers: a graph that is called under a tape serves the call that it was captured for.
std::string leaves_of(const Flat& flat) {
  std::string out;
  for (PyObject* leaf : flat.leaves)
    out += (is_tensor(leaf) ? to_string(type_of(leaf)) : std::string(py::repr(leaf))) + ";";
  return out;
}

// Of the arguments of a call what an entry is found by; the leaves for calls under a tape.
py::tuple call_of(py::object jit, py::tuple args, py::dict kwargs) {
  return bridged([&] {
    const Flat flat = flattened(args, kwargs, reinterpret_cast<PyJit*>(jit.ptr())->unfolded);
    py::list constants;
    for (PyObject* o : flat.constants) constants.append(py::handle(o));
    const bool plain = !precision_rules() && tensor_class_version() == 0 && PyTuple_GET_SIZE(flat.unfolded.get()) == 0;
    return py::make_tuple(flat.structure, constants, plain, flat.recorded() ? leaves_of(flat) : "");
  });
}

void take_numbers(Entry& entry, py::dict state, const Flat& flat) {
  for (const auto& [leaf, value] : state["pinned"].cast<std::vector<std::pair<size_t, py::object>>>()) {
    expect(leaf < flat.leaves.size());
    entry.pinned.push_back({leaf, Object::borrow(value.ptr())});
  }
  for (const auto& [leaf, value] : state["held"].cast<std::vector<std::pair<size_t, py::object>>>()) {
    expect(leaf < flat.leaves.size() && is_number(value.ptr()));
    entry.held.push_back({leaf, Object::borrow(value.ptr())});
  }
  for (const int kind : state["computed"].cast<std::vector<int>>()) {
    expect(kind >= static_cast<int>(ops::Kind::Bool) && kind <= static_cast<int>(ops::Kind::Float));
    entry.computed.push_back(static_cast<ops::Kind>(kind));
  }
  entry.written = state["written"].cast<std::vector<size_t>>();
  entry.writes = state["writes"].cast<Writes>();
  entry.own_memory = state["own_memory"].cast<std::vector<bool>>();
  const auto flags = state["flags"].cast<std::vector<bool>>();
  expect(flags.size() == 3);
  entry.writes_elements = flags[0];
  entry.needs_dense = flags[1];
  entry.in_python = flags[2];
}

void take_objects(Entry& entry, py::dict state) {
  for (py::handle o : state["hidden"]) {
    expect(is_tensor(o.ptr()));
    entry.hidden.push_back(Object::borrow(o.ptr()));
  }
  for (const auto& [kind, owner, key, type] : state["outside"].cast<std::vector<GivenGuard>>()) {
    expect(PyType_Check(type.ptr()));
    entry.outside.push_back({{Guard::kind_of(kind), Object::borrow(owner.ptr()), Object::borrow(key.ptr())},
                             reinterpret_cast<PyTypeObject*>(type.ptr()),
                             {}});
  }
  for (const auto& [kind, owner, key, expected] : state["guards"].cast<std::vector<GivenGuard>>())
    entry.guards.add(make_guard(kind, owner, key, expected));
  entry.guards.finish();
  entry.results = ResultTree(state["tree"].ptr());
  for (const auto& [kind, owner, operands, words] : state["effects"].cast<std::vector<GivenEffect>>())
    entry.effects.emplace_back(kind, ResultTree(owner.ptr()), ResultTree(operands.ptr()), Object::borrow(words.ptr()));
  for (py::handle o : state["apart"]) entry.apart.push_back(Object::borrow(o.ptr()));
  entry.errors = check(PyList_New(0));
  entry.lines = Object::borrow(state["lines"].ptr());
}

bool serves(Entry& entry, const Flat& flat) {
  if (!admits(entry, flat) || !entry.guards.hold()) return false;
  if (entry.differentiable) return true;
  std::pmr::vector<PyObject*> operands(flat.leaves.begin(), flat.leaves.end());
  for (const Object& hidden : entry.hidden) operands.push_back(hidden.get());
  std::pmr::vector<Object> outside;
  if (!read_outside(entry, &outside, &operands)) return false;
  std::vector<vm::Argument> arguments;
  for (PyObject* operand : operands) arguments.push_back(argument(operand));
  arguments.resize(arguments.size() + entry.computed.size());
  return entry.function->bind(arguments) != nullptr;
}

void take_code(Entry& entry, py::dict state, const Flat& flat) {
  std::string text = state["text"].cast<std::string>();
  if (flat.recorded()) {
    const auto module = std::make_shared<const bytecode::Module>(bytecode::parse(text));
    entry.differentiable =
        std::make_shared<vm::DifferentiableFunction>(module, module->entry, flat.instrumented(), bytecode::PassHook());
    return;
  }
  entry.text = std::move(text);
  std::vector<vm::Overwrite> overwrites;
  for (const auto& [leaf, result] : entry.writes) {
    expect(leaf < flat.leaves.size() && result < entry.own_memory.size());
    overwrites.push_back({leaf, result});
  }
  const auto code = state["code"].cast<std::string_view>();
  const auto paths = state["paths"].cast<std::vector<uint32_t>>();
  entry.function = gc::make<vm::Function>(bytecode::decode_module(std::as_bytes(std::span(code)), paths), overwrites);
}

// Adds an entry for a call of this structure, unless another thread has added one that serves it; None if it does not
// serve this one.
std::shared_ptr<Entry> restore(py::object jit, py::tuple args, py::dict kwargs, py::dict state) {
  auto* owner = reinterpret_cast<PyJit*>(jit.ptr());
  const Flat flat = flattened(args, kwargs, owner->unfolded);
  for (const std::shared_ptr<Entry>& known : owner->entries->all())
    if (!known->differentiable && serves(*known, flat)) return known;
  if (flat.recorded() && state["leaves"].cast<std::string_view>() != leaves_of(flat)) return nullptr;
  auto entry = std::make_shared<Entry>();
  entry->unfolded = flat.unfolded;
  entry->structure = state["structure"].cast<std::string>();
  for (PyObject* o : flat.constants) entry->constants.push_back(Object::borrow(o));
  entry->op_by_op = Object::borrow(owner->inner);
  take_numbers(*entry, state, flat);
  take_objects(*entry, state);
  take_code(*entry, state, flat);
  expect_fit(*entry, flat);
  if (!serves(*entry, flat)) return nullptr;
  owner->entries->add(entry);
  return entry;
}

}  // namespace

void bind_stored_entries(py::module_& m) {
  m.def("entry_state", [](const std::shared_ptr<Entry>& e) { return bridged([&] { return state_of(e); }); });
  m.def("call_of", &call_of);
  m.def("restore_entry", [](py::object jit, py::tuple args, py::dict kwargs, py::dict state) {
    return bridged([&] { return restore(jit, args, kwargs, state); });
  });
}

}  // namespace ember::python
