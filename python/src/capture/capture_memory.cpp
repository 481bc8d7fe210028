// Which Tensors of a capture have memory in common: views and what they view, and what a condition or a loop may have
// chosen. In a graph Tensors share nothing, so what would show that is refused, or the results get what they need.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "bytecode/passes/same_node.h"
#include "ops/eager/viewed.h"
#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/tensor/shared_memory.h"

namespace ember::python {

TracedTensor* Capture::traced_tensor(const vm::Value& value) const {
  auto* traced = dynamic_cast<TracedTensor*>(value.pending_value());
  return traced && traced->capture.get() == this ? traced : nullptr;
}

TracedTensor* Capture::traced_tensor(PyObject* tensor) const { return traced_tensor(as_tensor(tensor)->value); }

namespace {

bool fixed(const ops::Attrs& attrs) {
  return all_dims(attrs, [](ops::Dim d) { return !d.symbolic(); });
}

bool fixed(const ops::Dims& dims) {
  return std::ranges::none_of(dims, [](const ops::Dim& d) { return d.symbolic(); });
}

ops::LayoutRef row_major(const ops::Type& type) { return ops::layout(type.dtype, hints(type.dims)); }

}  // namespace

// What Python makes, a view or a copy. Layouts of arguments and of Tensors from outside are known where they are
// row-major; then each call has to see to it.
Capture::Sharing Capture::view_made(const ops::Viewed& viewed, PyObject* base, ops::LayoutRef* layout) {
  const TracedTensor* traced = traced_tensor(base);
  const bool outer = !traced || as_tensor(base)->origin == Origin::Input;
  *layout = traced ? traced->layout : as_tensor(base)->value.tensor_now().layout_ref();
  for (const ops::ViewStep& step : viewed.steps) {
    if (!step.op->written) return Sharing::Possible;
    const bool certain = *layout && ((*layout)->contiguous || (!outer && fixed(step.from.dims)));
    if (!ops::always_views(step)) {
      if (!certain) return Sharing::Possible;
      needs_dense_ |= outer;
    }
    if (!*layout) continue;
    ops::LayoutRef next;
    int64_t offset = 0;
    if ((*layout)->contiguous && step.op->flags.has(ops::Flag::SameOrder)) {
      next = row_major(step.to);
    } else if (fixed(step.from.dims) && fixed(step.attrs) && !step.op->view(**layout, step.attrs, &next, &offset)) {
      return Sharing::None;
    }
    *layout = next;
  }
  return Sharing::Known;
}

void Capture::share_viewed(const ops::Op& op, std::span<PyObject* const> operands, const ops::Values& values,
                           const ops::Attrs& attrs, const std::vector<Object>& results) {
  ops::Types types;
  for (const ops::Value& v : values) types.push_back(ops::none(v) ? ops::Type::token() : builder().type(v));
  const std::vector<ops::Viewed> viewed = ops::views_of(op, types, attrs);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!is_tensor(results[i].get())) continue;
    TracedTensor* result = traced_tensor(results[i].get());
    PyObject* base = nullptr;
    if (i < viewed.size() && viewed[i].operand >= 0) base = operands[static_cast<size_t>(viewed[i].operand)];
    const Sharing sharing = base && is_tensor(base) ? view_made(viewed[i], base, &result->layout) : Sharing::None;
    if (sharing == Sharing::None) {
      result->layout = row_major(result->type());
      continue;
    }
    share_memory(base, results[i].get());
    if (sharing == Sharing::Possible) {
      result->layout = {};
      continue;
    }
    result->view = ViewOf{Object::borrow(base), viewed[i].steps};
    join(as_tensor(base), as_tensor(results[i].get()));
  }
}

PyObject* Capture::root_of(PyObject* tensor, size_t* depth) const {
  for (const TracedTensor* t = traced_tensor(tensor); t && t->view; t = traced_tensor(tensor)) {
    tensor = t->view->base.get();
    if (depth) ++*depth;
  }
  return tensor;
}

std::vector<PyObject*> Capture::views_of(PyObject* root) const {
  std::vector<std::pair<size_t, PyObject*>> by_depth;
  for (PyTensor* t = as_tensor(root)->next; t && t != as_tensor(root); t = t->next) {
    auto* member = reinterpret_cast<PyObject*>(t);
    size_t depth = 0;
    if (root_of(member, &depth) == root) by_depth.emplace_back(depth, member);
  }
  std::ranges::stable_sort(by_depth, {}, [](const auto& pair) { return pair.first; });
  std::vector<PyObject*> views;
  for (const auto& [depth, member] : by_depth) views.push_back(member);
  return views;
}

// Whether it has, or may have, memory of an argument that is written.
bool Capture::views_written_input(PyObject* tensor) const {
  const auto memory = memory_of(tensor);
  return std::ranges::any_of(inputs_, [&](const Input& input) {
    PyObject* argument = input.value.get();
    if (argument == tensor || !is_tensor(argument) || traced_tensor(argument)->traced == input.traced) return false;
    return std::ranges::any_of(memory_of(argument),
                               [&](const auto& token) { return std::ranges::find(memory, token) != memory.end(); });
  });
}

// Whoever else has memory of these may be a Tensor that would have to show the write.
void Capture::check_writable(PyObject* tensor) const {
  PyObject* root = root_of(tensor);
  std::map<char*, std::pair<long, long>> holders;  // of each token: those of the family, all
  const auto hold = [&](PyObject* o) {
    for (const auto& token : memory_of(o)) {
      auto& [own, all] = holders[token.get()];
      ++own;
      all = token.use_count();
    }
  };
  hold(root);
  for (PyObject* view : views_of(root)) hold(view);
  const bool shared =
      std::ranges::any_of(holders, [](const auto& one) { return one.second.first < one.second.second; });
  if (shared)
    raise(
        capture_error,
        "a Tensor that may share its memory with another (what a condition on a Tensor chose, a reshape that may be a "
        "copy) is written while the function is being captured into a graph, where Tensors share nothing: make a "
        "copy() of it.");
}

vm::Value Capture::renewed(vm::Value now, PyObject* tensor) const {
  auto* from = dynamic_cast<TracedTensor*>(now.pending_value());
  gc::Ref<vm::Pending> pending(new TracedTensor(from->capture, from->traced, from->type()));
  auto* fresh = static_cast<TracedTensor*>(pending.get());
  if (TracedTensor* before = traced_tensor(tensor)) {
    fresh->memory = std::move(before->memory);
    fresh->view = std::move(before->view);
    fresh->layout = before->layout;
    fresh->rewritten = fresh->view.has_value();
  } else if (const auto token = outer_memory_.find(tensor); token != outer_memory_.end()) {
    fresh->memory = {token->second};
  }
  return vm::Value(std::move(pending));
}

void Capture::write_elements(PyObject* tensor, PyObject* updated) {
  check_writable(tensor);
  PyObject* root = root_of(tensor);
  if (!is_parameter(root) && !traced_tensor(root) && !made_here(root))
    raise(capture_error,
          "elements of a Tensor from outside the captured function are assigned: make it a Parameter, or pass it as an "
          "argument.");
  const Object new_value = traced_tensor(updated) ? Object::borrow(updated) : wrap_value(contents(updated));
  Object value = new_value;
  for (PyObject* at = tensor; at != root;) {
    const ViewOf view = *traced_tensor(at)->view;
    value = wrap_value(ops::written_through(builder(), view.steps, contents(view.base.get()), lift(value.get())));
    at = view.base.get();
  }
  if (is_parameter(root))
    apply(ops::op("assign"), std::array{root, value.get()}, ops::make_attrs(ops::op("assign"), {}));
  else
    write(root, as_tensor(value.get())->value);
  renew_views(root);
  if (tensor != root) write(tensor, as_tensor(new_value.get())->value);
}

ops::Value Capture::contents(PyObject* tensor) {
  const ops::Value value = lift(tensor);
  return builder().type(value).kind == ops::Kind::Ref ? builder().load(value) : value;
}

std::map<PyObject*, std::set<PyObject*>> Capture::families(std::span<PyObject* const> results) const {
  std::map<PyObject*, std::set<PyObject*>> families;
  for (PyObject* o : results)
    if (is_tensor(o) && !is_parameter(root_of(o))) families[root_of(o)].insert(o);
  return families;
}

// Of reshapes that may be copies: whether Python would share their memory with what else it sees is not known where
// results view one, nor where the layout of what they reshape is the graph's own.
void Capture::check_certain(std::span<PyObject* const> results) const {
  std::set<const char*> outside;
  const auto note = [&](PyObject* o, std::set<const char*>& tokens) {
    for (const auto& token : memory_of(o)) tokens.insert(token.get());
  };
  for (const Input& input : inputs_)
    if (is_tensor(input.value.get())) note(input.value.get(), outside);
  for (const Input& input : outside_tensors_) note(input.value.get(), outside);
  for (const auto& [tensor, token] : outer_memory_) outside.insert(token.get());
  const auto by_root = families(results);
  for (const auto& [root, family] : by_root) {
    const TracedTensor* traced = traced_tensor(root);
    if (!traced || traced->traced.level != level() || !viewing_node(traced->traced.id)) continue;
    std::set<const char*> others;
    for (const auto& [other, members] : by_root)
      if (other != root) note(other, others);
    for (const auto& token : memory_of(root)) {
      const bool seen = outside.contains(token.get()), returned = others.contains(token.get());
      if (seen ? family.size() > 1 : returned)
        raise(capture_error,
              "a reshape that may share its memory with another Tensor is returned, and that one or a view of it too: "
              "return a copy().");
    }
  }
}

// Of Tensors that view each other, and are returned: what they view has memory that nothing else is computed into.
std::map<PyObject*, ops::Value> Capture::owned_roots(std::span<PyObject* const> results) {
  std::map<PyObject*, ops::Value> owned;
  for (const auto& [root, family] : families(results)) {
    const bool created = traced_tensor(root) ? as_tensor(root)->origin != Origin::Input : made_here(root);
    if (family.size() < 2 || !created) continue;
    owned[root] = builder().call("own", {lift(root)}, {{"number", static_cast<int64_t>(owned.size())}});
  }
  return owned;
}

// As Python returns it.
ops::Value Capture::as_result(PyObject* o, const std::map<PyObject*, ops::Value>& owned) {
  if (const auto it = owned.find(o); it != owned.end()) return it->second;
  if (is_tensor(o) && is_parameter(o)) return contents(o);
  const TracedTensor* traced = is_tensor(o) ? traced_tensor(o) : nullptr;
  if (!traced || !traced->view || !(traced->rewritten || owned.contains(root_of(o)))) return lift(o);
  PyObject* base = traced->view->base.get();
  return ops::apply_steps(builder(), traced->view->steps, is_parameter(base) ? contents(base) : as_result(base, owned));
}

void Capture::renew(PyObject* view) {
  const ViewOf& how = *traced_tensor(view)->view;
  const ops::Value now = ops::apply_steps(builder(), how.steps, contents(how.base.get()));
  write(view, as_tensor(wrap_value(now).get())->value);
  traced_tensor(view)->rewritten = false;
}

void Capture::renew_views(PyObject* base) {
  relies_on_views_ |= !views_of(base).empty();
  for (PyObject* view : views_of(base)) renew(view);
}

void Capture::share_memory(PyObject* viewed, PyObject* view) {
  auto& memory = traced_tensor(view)->memory;
  const vm::Value& value = as_tensor(viewed)->value;
  if (!value.pending()) {
    std::shared_ptr<char>& outer = outer_memory_[viewed];
    if (!outer) outer = std::make_shared<char>();
  }
  for (const auto& token : memory_of(viewed))
    if (std::find(memory.begin(), memory.end(), token) == memory.end()) memory.push_back(token);
}

std::span<const std::shared_ptr<char>> Capture::memory_of(PyObject* tensor) const {
  vm::Value& value = as_tensor(tensor)->value;
  if (value.pending()) {
    auto* traced = dynamic_cast<TracedTensor*>(value.pending_value());
    return traced ? std::span<const std::shared_ptr<char>>(traced->memory) : std::span<const std::shared_ptr<char>>();
  }
  auto token = outer_memory_.find(tensor);
  if (token == outer_memory_.end()) return {};
  return {&token->second, 1};
}

bool Capture::shares_memory(PyObject* tensor, std::span<PyObject* const> except) const {
  std::set<std::shared_ptr<char>> known;
  for (PyObject* other : except) {
    const auto memory = memory_of(other);
    known.insert(memory.begin(), memory.end());
  }
  const auto memory = memory_of(tensor);
  return std::any_of(memory.begin(), memory.end(),
                     [&](const auto& token) { return token.use_count() > 1 && !known.contains(token); });
}

std::vector<bool> Capture::own_memory(std::span<PyObject* const> results) const {
  check_certain(results);
  std::map<const char*, size_t> holders;
  const auto hold = [&](PyObject* o) {
    if (is_tensor(o))
      for (const auto& token : memory_of(o)) ++holders[token.get()];
  };
  for (const Input& input : inputs_) hold(input.value.get());
  for (const Input& input : outside_tensors_) hold(input.value.get());
  for (const auto& [tensor, token] : outer_memory_) ++holders[token.get()];
  for (PyObject* result : results) hold(result);
  for (PyObject* result : results)
    if (is_tensor(result) && views_written_input(result))
      raise(capture_error, "a view of an argument of which elements are assigned is returned: return a copy().");
  for (PyObject* result : results)
    if (is_tensor(result) && view_of(result).of_parameter)
      raise(capture_error,
            "a view of a Parameter is returned, which in a graph has memory of its own: return a copy().");
  std::vector<bool> own;
  for (PyObject* result : results)
    own.push_back(is_tensor(result) &&
                  std::ranges::all_of(memory_of(result), [&](const auto& token) { return holders[token.get()] == 1; }));
  return own;
}

// What makes a value in the graph of this level.
const bytecode::Node* Capture::node_of(bytecode::ValueId id) const {
  const std::vector<bytecode::Node>& nodes = module_.graph(levels_.back()->builder->graph_id()).nodes;
  const auto after = std::ranges::upper_bound(nodes, id, {}, &bytecode::Node::first_output);
  if (after == nodes.begin()) return nullptr;
  const bytecode::Node& node = *std::prev(after);
  return id < node.first_output + node.outputs ? &node : nullptr;
}

bool Capture::computes_alike(PyObject* a, PyObject* b) {
  if (a == b) return true;
  const auto left = find_traced(a), right = find_traced(b);
  if (!left || !right || left->level != level() || right->level != level()) return false;
  using Pair = std::pair<bytecode::ValueId, bytecode::ValueId>;
  std::vector<Pair> pending{{left->id, right->id}};
  std::set<Pair> compared;
  while (!pending.empty()) {
    const auto [x, y] = pending.back();
    pending.pop_back();
    if (x == y || !compared.emplace(x, y).second) continue;
    const bytecode::Node *one = node_of(x), *other = node_of(y);
    if (!one || !other || !bytecode::same_but_inputs(*one, *other) || one->inputs.size() != other->inputs.size() ||
        x - one->first_output != y - other->first_output)
      return false;
    for (size_t i = 0; i < one->inputs.size(); ++i) pending.emplace_back(one->inputs[i], other->inputs[i]);
  }
  return true;
}

// The op that makes a value, if it views its operand.
const bytecode::Node* Capture::viewing_node(bytecode::ValueId id) const {
  const bytecode::Node* node = node_of(id);
  return node && node->kind == bytecode::NodeKind::Apply && node->op->view ? node : nullptr;
}

Capture::View Capture::view_of(PyObject* tensor) const {
  View view;
  const TracedTensor* traced = traced_tensor(tensor);
  if (!traced || traced->traced.level != level()) return view;
  bytecode::ValueId id = traced->traced.id;
  bool viewed = false;
  for (const bytecode::Node* node = viewing_node(id); node; node = viewing_node(id)) {
    viewed = true;
    view.reordered |= !node->op->flags.has(ops::Flag::SameOrder);
    id = node->inputs[0];
  }
  const bytecode::Node* node = node_of(id);
  view.of_parameter = viewed && node && node->kind == bytecode::NodeKind::Load;
  return view;
}

}  // namespace ember::python
