#include "python/src/capture/capture.h"

#include "python/src/conversion/convert.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <set>

#include "bytecode/code/code.h"
#include "bytecode/graph/mod_ref.h"
#include "bytecode/passes/passes.h"
#include "bytecode/transforms/transforms.h"
#include "ops/eager/eager.h"
#include "ops/eager/viewed.h"
#include "python/src/calls/caller.h"

namespace ember::python {

using bytecode::Graph;
using bytecode::GraphBuilder;
using bytecode::GraphId;
using bytecode::ValueId;

namespace {

thread_local Capture* current = nullptr;
std::atomic<uint64_t> levels{0};

ops::Type example_type(PyObject* example) {
  if (PyBool_Check(example)) return ops::Type::scalar(ops::Kind::Bool);
  if (PyLong_Check(example)) return ops::Type::scalar(ops::Kind::Int);
  if (PyFloat_Check(example)) return ops::Type::scalar(ops::Kind::Float);
  if (is_number(example)) return ops::Type::scalar(as_number(example)->kind);
  if (!is_tensor(example)) raise(PyExc_TypeError, "a graph takes Tensors and numbers, not " + repr(example));
  ops::Type type = type_of(example);
  if (type.kind == ops::Kind::Stack) return type;
  return {is_parameter(example) ? ops::Kind::Ref : ops::Kind::Tensor, type.dtype, type.dims};
}

}  // namespace

PyObject* capture_error = nullptr;
Capture* current_capture() { return current; }
void refuse_current_capture() {
  if (current) current->refused = true;
}
uint64_t current_level() { return current ? current->level() : 0; }

CaptureScope::CaptureScope(Capture* capture) : previous_(current) { current = capture; }
CaptureScope::~CaptureScope() { current = previous_; }

bool captured(PyObject* o) { return is_number(o) || (is_tensor(o) && as_tensor(o)->value.pending()); }

ops::Tensor TracedTensor::force(const char* wanted) {
  raise(capture_error, std::string("'") + wanted +
                           "' needs the elements of a Tensor that is still being captured into a graph; do it "
                           "outside the jitted function, or return the Tensor first.");
}

Capture::Capture(std::string name) {
  module_.entry = module_.add_graph(std::move(name));
  push_level(module_.entry, 0);
}

void Capture::push_level(GraphId graph, size_t declared) {
  auto level = std::make_unique<Level>();
  level->number = ++levels;
  level_numbers_.push_back(level->number);
  level->builder = std::make_unique<GraphBuilder>(module_, graph);
  level->declared = declared;
  level->raising = raising_;
  levels_.push_back(std::move(level));
}

Capture::~Capture() { close(); }

void Capture::close() {
  suspended_.clear();
  while (!levels_.empty()) levels_.pop_back();
}

void Capture::set_source(const std::string& file, uint32_t line) {
  followed_ = {module_.file(file), line};
  module_.symbols.set_place(followed_.file, line);
  builder().set_source(followed_);
}

std::string Capture::source_place() const {
  return followed_.line == 0 ? "" : module_.files[followed_.file] + ":" + std::to_string(followed_.line);
}

void Capture::set_source_to_caller() {
  const Caller c = caller(followed_.line == 0);
  bytecode::Source source = followed_;
  if (source.line == 0 && c.line != 0) source = {module_.file(c.file), c.line};
  if (source.line == 0) return;
  source.name = module_.name(c.name);
  builder().set_source(source);
}

Traced Capture::own(const ops::Value& v) { return {level(), builder().id(v)}; }

Object Capture::wrap_value(const ops::Value& v) {
  ops::Type type = builder().type(v);
  if (!ops::is_scalar(type.kind)) {
    Object tensor = wrap(vm::Value(gc::Ref<vm::Pending>(new TracedTensor(shared_from_this(), own(v), type))));
    as_tensor(tensor.get())->origin = Origin::Chosen;
    return tensor;
  }
  Object number = new_number(type.kind);
  PyNumber* n = as_number(number.get());
  n->capture = shared_from_this();
  n->traced = own(v);
  n->bits = type.kind == ops::Kind::Bool ? 1 : kNoBound;
  return number;
}

std::vector<Object> Capture::wrap_all(const ops::Values& values) {
  std::vector<Object> out;
  for (const ops::Value& v : values) out.push_back(wrap_value(v));
  return out;
}

ops::Type Capture::input_type(PyObject* example, const std::string& name) {
  ops::Type type = example_type(example);
  type.kind = type.kind == ops::Kind::Ref ? ops::Kind::Tensor : type.kind;
  for (size_t i = 0; i < type.dims.size(); ++i)
    type.dims[i] = size_symbol(module_.symbols, type.dims[i].hint(), name + ".shape[" + std::to_string(i) + "]");
  return type;
}

Object Capture::wrap_input(Traced traced, const ops::Type& type, PyObject* example) {
  auto* value = new TracedTensor(shared_from_this(), traced, type);
  Object input = wrap(vm::Value(gc::Ref<vm::Pending>(value)));
  as_tensor(input.get())->origin = Origin::Input;
  const vm::Value& content = as_tensor(example)->value;
  if (!content.pending() && content.tensor_now().layout().contiguous) value->layout = content.tensor_now().layout_ref();
  return input;
}

Object Capture::add_input(PyObject* example, const std::string& name) {
  const ops::Type type = input_type(example, name);
  if (ops::is_scalar(type.kind)) return add_number(example, type.kind, name);
  const Traced traced = own(builder().param(name, type));
  Object input = wrap_input(traced, type, example);
  inputs_.push_back({input, traced});
  return input;
}

bool Capture::add_array(PyObject* array) {
  Py_buffer view;
  if (PyObject_GetBuffer(array, &view, PyBUF_STRIDED_RO)) {
    PyErr_Clear();
    return false;
  }
  const void* const memory = view.buf;
  PyBuffer_Release(&view);
  const std::optional<ops::Tensor> shared = memory_of_array(array);
  if (!shared || shared->data() != memory) return false;
  Object tensor = wrap(*shared);
  as_tensor(tensor.get())->born = 0;  // what it reads is from outside
  arrays_.emplace(array, std::move(tensor));
  return true;
}

PyObject* Capture::find_array(PyObject* array) const {
  const auto it = arrays_.find(array);
  return it == arrays_.end() ? nullptr : it->second.get();
}

Traced Capture::hidden(PyObject* tensor) {
  auto it = hidden_index_.find(tensor);
  if (it == hidden_index_.end()) {
    it = hidden_index_.emplace(tensor, hidden_.size()).first;
    Graph& entry = module_.graph(module_.entry);
    std::string name =
        is_parameter(tensor) ? text(as_parameter(tensor)->name) : "captured" + std::to_string(hidden_.size());
    // Sizes of what comes from outside are taken as fixed: a weight of another shape is captured anew.
    ops::Type type = type_of(tensor);
    type.kind = is_parameter(tensor) ? ops::Kind::Ref : ops::Kind::Tensor;
    ValueId id = entry.add_param(std::move(name), type);
    hidden_.push_back({Object::borrow(tensor), id});
  }
  return {levels_.front()->number, hidden_[it->second].param};
}

ValueId Capture::local_id(size_t depth, Traced traced) {
  Level& level = *levels_[depth];
  if (traced.level == level.number) return traced.id;
  auto known = level.local.find(traced);
  if (known != level.local.end()) return known->second;
  if (depth == 0)
    raise(capture_error, "a Tensor was used outside the branch or function of the graph that computed it");
  const Level& above = *levels_[depth - 1];
  const Traced outer{above.number, local_id(depth - 1, traced)};
  known = level.local.find(outer);
  if (known == level.local.end()) {
    const ops::Type type = above.builder->graph().type(outer.id);
    const ops::Value param = level.builder->param("lifted" + std::to_string(level.lifted.size()), type);
    level.lifted.push_back(outer);
    known = level.local.emplace(outer, level.builder->id(param)).first;
  }
  return level.local.emplace(traced, known->second).first->second;
}

ops::Value Capture::lift(PyObject* o) {
  if (!o || o == Py_None) return {};
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o)) {
    int64_t value = PyLong_AsLongLong(o);
    if (value == -1 && PyErr_Occurred()) throw PythonError();
    return value;
  }
  if (PyFloat_Check(o)) return PyFloat_AS_DOUBLE(o);
  if (is_number(o)) {
    if (as_number(o)->capture.get() != this) raise(PyExc_RuntimeError, "a number of another graph was used");
    const Traced traced = as_number(o)->expr ? traced_of(as_number(o)->expr) : as_number(o)->traced;
    return ops::GraphValue{local_id(levels_.size() - 1, traced)};
  }
  if (!is_tensor(o)) raise(PyExc_TypeError, "a graph takes Tensors and numbers, not " + repr(o));
  const std::optional<Traced> traced = find_traced(o);
  if (!traced) return real(o, "a graph");
  return ops::GraphValue{local_id(levels_.size() - 1, *traced)};
}

std::optional<Traced> Capture::find_traced(PyObject* o) {
  if (is_number(o)) return as_number(o)->expr ? std::nullopt : std::optional(as_number(o)->traced);
  vm::Value& value = as_tensor(o)->value;
  if (value.pending()) {
    auto* traced = dynamic_cast<TracedTensor*>(value.pending_value());
    if (!traced) real(o, "a graph");
    if (traced->capture.get() != this) raise(PyExc_RuntimeError, "a Tensor of another graph was used");
    return traced->traced;
  }
  if (made_here(o) && !is_parameter(o)) return {};
  return hidden(o);
}

ops::Values Capture::lift_all(std::span<PyObject* const> objects) {
  ops::Values values;
  for (PyObject* o : objects) values.push_back(lift(o));
  return values;
}

Object Capture::apply(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs) {
  ops::Values values = lift_all(operands);
  for (const ops::Param& p : op.signature.params)
    if (p.kind == ops::ParamKind::Random) values.push_back(builder().next_random());
  set_source_to_caller();
  if (op.flags.has(ops::Flag::RaisesOnValue)) {
    check_unchanged();
    note_path();
  }
  ops::Values results = builder().apply(op, values, attrs);
  raising_ += op.flags.has(ops::Flag::RaisesOnValue);
  if (results.empty()) return Object::borrow(Py_None);
  std::vector<Object> wrapped = wrap_all(results);
  for (const Object& result : wrapped)
    if (is_tensor(result.get())) as_tensor(result.get())->origin = Origin::Made;
  share_viewed(op, operands, values, attrs, wrapped);
  if (op.signature.results == 1) {
    return wrapped[0];
  }
  Object tuple = check(PyTuple_New(static_cast<Py_ssize_t>(wrapped.size())));
  for (size_t i = 0; i < wrapped.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), wrapped[i].release());
  return tuple;
}

void Capture::check_unchanged() const {
  if (!changes) return;
  const Object module = check(PyImport_ImportModule("emberjit.capture.session.errors"));
  const Object type = check(PyObject_GetAttrString(module.get(), "ErrorAfterEffect"));
  raise(type.get(), "an error that elements decide comes after an effect.");
}

void Capture::note_path() {
  bytecode::Source source = builder().source();
  if (source.line == 0) return;
  const Object module = check(PyImport_ImportModule("emberjit.capture.state.raised"));
  const Object path = check(PyObject_CallMethod(module.get(), "note_path", nullptr));
  source.path = static_cast<uint32_t>(PyLong_AsUnsignedLong(path.get()));
  builder().set_source(source);
}

void Capture::write(PyObject* tensor, vm::Value now) {
  writes_elements_ = true;
  vm::Value renewed = this->renewed(std::move(now), tensor);
  writes_.push_back({Object::borrow(tensor), std::exchange(as_tensor(tensor)->value, std::move(renewed))});
}

bool Capture::made_here(PyObject* tensor) const {
  return std::binary_search(level_numbers_.begin(), level_numbers_.end(), as_tensor(tensor)->born);
}

void Capture::add_raise(const std::string& text, int64_t number, std::span<PyObject* const> operands) {
  static const ops::Op& op = ops::op("raise_");
  ops::Values values = lift_all(operands);
  for (ops::Value& v : values) {
    const ops::Type type = builder().type(v);
    if (ops::is_scalar(type.kind)) v = builder().to_tensor(v, type.dtype);
  }
  check_unchanged();
  set_source_to_caller();
  builder().apply(op, values, ops::make_attrs(op, {{"text", text}, {"number", number}}));
  ++raising_;
}

std::vector<std::pair<Object, Object>> Capture::undo(size_t mark, uint64_t latest) {
  std::vector<std::pair<Object, Object>> undone;
  std::vector<Write> kept;
  std::set<PyObject*> inner;
  for (size_t i = mark; i < writes_.size(); ++i) {
    PyObject* tensor = writes_[i].tensor.get();
    TracedTensor* before = traced_tensor(writes_[i].before);
    if (inner.count(tensor) || (before ? before->traced.level : as_tensor(tensor)->born) > latest) {
      inner.insert(tensor);
      kept.push_back(writes_[i]);
      continue;
    }
    auto same = [&](const auto& pair) { return pair.first.get() == tensor; };
    if (std::any_of(undone.begin(), undone.end(), same)) continue;
    if (before) {
      TracedTensor* now = traced_tensor(tensor);
      before->memory = std::move(now->memory);
      before->view = std::move(now->view);
    }
    undone.emplace_back(writes_[i].tensor, wrap(std::exchange(as_tensor(tensor)->value, writes_[i].before)));
  }
  writes_.resize(mark);
  writes_.insert(writes_.end(), kept.begin(), kept.end());
  return undone;
}

std::vector<std::pair<size_t, Object>> Capture::written_inputs() const {
  std::vector<std::pair<size_t, Object>> written;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    PyObject* input = inputs_[i].value.get();
    if (!is_tensor(input)) continue;
    if (traced_tensor(input)->traced != inputs_[i].traced) written.emplace_back(i, inputs_[i].value);
  }
  return written;
}

bool Capture::writes_outside_tensor() const {
  return std::ranges::any_of(outside_tensors_,
                             [&](const Input& o) { return traced_tensor(o.value.get())->traced != o.traced; });
}

void Capture::forget_inputs() {
  writes_.clear();
  inputs_.clear();
  outside_tensors_.clear();
}

Object Capture::truth(PyObject* o) {
  ops::Value v = lift(o);
  if (!ops::is_scalar(builder().type(v).kind)) v = builder().item(v);
  if (builder().type(v).kind != ops::Kind::Bool) v = builder().call("not_equal", {v, int64_t{0}});
  return wrap_value(v);
}

Object Capture::to_number(PyObject* o) {
  return wrap_value(builder().item(builder().call("stop_gradient", {lift(o)})));
}

Object Capture::to_int(PyObject* o) {
  set_source_to_caller();
  if (is_number(o) && as_number(o)->expr) return bounded(o);
  ops::Value element = lift(o);
  if (is_number(o)) element = builder().to_tensor(element, ops::DType::Int64);
  const bool fits = !is_float(builder().type(element).dtype) && itemsize(builder().type(element).dtype) < 4;
  checks_ints_ |= !fits;
  Object number =
      wrap_value(builder().item(fits ? builder().cast(element, ops::DType::Int64) : builder().call("int_", {element})));
  as_number(number.get())->bits = kIntBits;
  return number;
}

void Capture::require_trip(PyObject* condition) {
  set_source_to_caller();
  builder().call("require_", {builder().to_tensor(lift(truth(condition).get()), ops::DType::Bool)});
  needs_trips_ = true;
}

namespace {

template <class Is>
bool any_node(const bytecode::Module& module, const Is& is) {
  return std::ranges::any_of(module.graphs,
                             [&](const bytecode::Graph& graph) { return std::ranges::any_of(graph.nodes, is); });
}

bool applies(const bytecode::Node& node) { return node.kind == bytecode::NodeKind::Apply; }

}  // namespace

bool Capture::acts() const {
  return any_node(module_, [](const bytecode::Node& node) {
    return node.kind == bytecode::NodeKind::RandomKey ||
           (applies(node) && node.op->has_effect() && !node.op->flags.has(ops::Flag::Raises));
  });
}

bool Capture::writes_memory() const {
  return any_node(module_,
                  [](const bytecode::Node& node) { return applies(node) && node.op->flags.has(ops::Flag::Memory); });
}

ops::Type Capture::graph_type(PyObject* o) {
  if (!is_tensor(o)) return example_type(o);
  const vm::Value& value = as_tensor(o)->value;
  return value.pending() ? value.pending_value()->type() : builder().type(lift(o));
}

Object Capture::convert(PyObject* o, const ops::Type& type) {
  ops::Value v = lift(o);
  const ops::Type from = builder().type(v);
  if (type.is_tensor()) {
    if (ops::is_scalar(from.kind)) v = builder().to_tensor(v, type.dtype);
    return wrap_value(builder().broadcast_to(builder().cast(v, type.dtype), type.dims));
  }
  if (!ops::is_scalar(from.kind)) v = builder().item(v);
  if (builder().type(v).kind != type.kind && type.kind == ops::Kind::Float) v = builder().call("mul", {v, 1.0});
  if (builder().type(v).kind != type.kind)
    raise(PyExc_TypeError, "a value of type " + to_string(from) + " cannot become " + to_string(type));
  return wrap_value(v);
}

std::vector<Object> Capture::begin_graph(const std::string& name, std::span<PyObject* const> examples,
                                         std::span<const int64_t> in_axes) {
  std::vector<ops::Type> types;
  for (PyObject* example : examples) types.push_back(example_type(example));
  for (size_t i = 0; i < in_axes.size(); ++i) {
    if (in_axes[i] == bytecode::kNotBatched) continue;
    types[i].kind = ops::Kind::Tensor;
    types[i].dims.erase(ops::axis(in_axes[i], types[i].dims.size(), "vmap"));
  }
  push_level(module_.add_graph(name), examples.size());
  std::vector<Object> params;
  for (size_t i = 0; i < types.size(); ++i)
    params.push_back(wrap_value(builder().param("x" + std::to_string(i), types[i])));
  return params;
}

InnerGraph Capture::end_graph(std::span<PyObject* const> results) {
  bound_integers(results);
  ops::Values values = lift_all(results);
  Level& level = *levels_.back();
  level.builder->finish(values);
  InnerGraph inner;
  inner.graph = level.builder->graph_id();
  inner.declared = level.declared;
  inner.lifted = level.lifted;
  inner.raises = raising_ != level.raising;
  levels_.pop_back();
  return inner;
}

void Capture::abandon_graph() { levels_.pop_back(); }

uint64_t Capture::suspend_graph() {
  suspended_.push_back(std::move(levels_.back()));
  levels_.pop_back();
  return suspended_.back()->number;
}

void Capture::resume_graph(uint64_t number) {
  const auto it = std::find_if(suspended_.begin(), suspended_.end(),
                               [&](const std::unique_ptr<Level>& level) { return level->number == number; });
  levels_.push_back(std::move(*it));
  suspended_.erase(it);
}

void Capture::splice_graph(uint64_t number) {
  resume_graph(number);
  const std::unique_ptr<Level> inner = std::move(levels_.back());
  levels_.pop_back();
  std::vector<ValueId> arguments;
  for (const Traced& t : inner->lifted) arguments.push_back(local_id(levels_.size() - 1, t));
  const std::vector<ValueId> now = builder().splice(inner->builder->graph_id(), arguments);
  Level& level = *levels_.back();
  for (ValueId v = 0; v < now.size(); ++v) level.local.emplace(Traced{number, v}, now[v]);
  for (const auto& [traced, id] : inner->local) level.local.emplace(traced, now[id]);
}

// Gives both graphs the same lifted values in the same order. Lifted parameters stand after the declared ones.
void Capture::unify_lifted(InnerGraph& a, InnerGraph& b) {
  std::vector<Traced> all = a.lifted;
  for (const Traced& t : b.lifted)
    if (std::find(all.begin(), all.end(), t) == all.end()) all.push_back(t);
  for (InnerGraph* inner : {&a, &b}) {
    Graph& graph = module_.graph(inner->graph);
    std::vector<ValueId> params(graph.params.begin(), graph.params.begin() + inner->declared);
    std::vector<std::string> names(graph.param_names.begin(), graph.param_names.begin() + inner->declared);
    for (const Traced& t : all) {
      auto at = std::find(inner->lifted.begin(), inner->lifted.end(), t);
      ValueId id = at == inner->lifted.end()
                       ? graph.add_param("unused", builder().graph().type(t.id))
                       : graph.params[inner->declared + static_cast<size_t>(at - inner->lifted.begin())];
      params.push_back(id);
      names.push_back("lifted" + std::to_string(names.size() - inner->declared));
    }
    graph.params = std::move(params);
    graph.param_names = std::move(names);
    inner->lifted = all;
  }
}

std::vector<ops::Value> Capture::lifted_values(const std::vector<Traced>& lifted) {
  std::vector<ops::Value> values;
  for (const Traced& t : lifted) values.push_back(ops::GraphValue{local_id(levels_.size() - 1, t)});
  return values;
}

std::vector<Object> Capture::if_else(PyObject* condition, InnerGraph then_graph, InnerGraph else_graph) {
  ops::Value test = lift(condition);
  unify_lifted(then_graph, else_graph);
  return wrap_all(builder().if_else(test, lifted_values(then_graph.lifted), then_graph.graph, else_graph.graph));
}

std::vector<Object> Capture::while_loop(std::span<PyObject* const> carried, InnerGraph condition, InnerGraph body) {
  bound_integers(carried);
  unify_lifted(condition, body);
  ops::Values initial = lift_all(carried);
  return wrap_all(builder().while_loop(initial, lifted_values(body.lifted), condition.graph, body.graph));
}

Object Capture::push(PyObject* stack, std::span<PyObject* const> values) {
  return wrap_value(builder().push(lift(stack), lift_all(values)));
}

std::vector<Object> Capture::pop(PyObject* stack, std::span<PyObject* const> examples) {
  ops::Types types;
  for (PyObject* example : examples) types.push_back(type_of(example));
  return wrap_all(builder().pop(lift(stack), types));
}

std::vector<size_t> Capture::written_hidden() const {
  const std::vector<char> written = bytecode::find_mod_ref(module_).written[module_.entry];
  const std::vector<ValueId>& params = module_.graph(module_.entry).params;
  std::vector<size_t> positions;
  for (size_t i = 0; i < hidden_.size(); ++i)
    if (written[std::find(params.begin(), params.end(), hidden_[i].param) - params.begin()]) positions.push_back(i);
  return positions;
}

void Capture::finish(std::span<PyObject* const> results) {
  try {
    ops::Values values;
    const std::map<PyObject*, ops::Value> owned = owned_roots(results);
    for (PyObject* result : results) values.push_back(as_result(result, owned));
    builder().finish(values);
    order_params();
  } catch (...) {
    close();
    throw;
  }
  close();
}

}  // namespace ember::python
