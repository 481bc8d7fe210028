// Which Tensors of a capture have memory in common: views and what they view, and what a condition or a loop may have
// chosen. In a graph Tensors share nothing, so what would show that is refused, or the results get what they need.
#include <algorithm>
#include <map>
#include <set>

#include "ops/table/viewed.h"
#include "python/src/capture.h"
#include "python/src/dispatch.h"

namespace ember::python {

void Capture::share_viewed(const ops::Op& op, std::span<PyObject* const> operands, const ops::Values& values,
                           const ops::Attrs& attrs, const std::vector<Object>& results) {
  ops::Types types;
  for (const ops::Value& v : values) types.push_back(ops::none(v) ? ops::Type::token() : builder().type(v));
  const std::vector<int> viewed = ops::viewed_operands(op, types, attrs);
  for (size_t i = 0; i < viewed.size(); ++i)
    if (viewed[i] >= 0 && is_tensor(operands[static_cast<size_t>(viewed[i])]) && is_tensor(results[i].get()))
      share_memory(operands[static_cast<size_t>(viewed[i])], results[i].get());
}

void Capture::share_memory(PyObject* viewed, PyObject* view) {
  auto& memory = dynamic_cast<TracedTensor*>(as_tensor(view)->value.pending_value())->memory;
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
  auto found = outer_memory_.find(tensor);
  if (found == outer_memory_.end()) return {};
  return {&found->second, 1};
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
  std::map<const char*, size_t> holders;
  const auto hold = [&](PyObject* o) {
    if (is_tensor(o))
      for (const auto& token : memory_of(o)) ++holders[token.get()];
  };
  for (const Input& input : inputs_) hold(input.value.get());
  for (const auto& [tensor, token] : outer_memory_) ++holders[token.get()];
  for (PyObject* result : results) hold(result);
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

void Capture::check_unshared(PyObject* tensor) const {
  if (shares_memory(tensor))
    raise(
        capture_error,
        "a Tensor that shares its memory with another (a slice, a reshape, what a condition on a Tensor chose) is "
        "written while the function is being captured into a graph, where Tensors share nothing: make a copy() of it.");
}

Capture::View Capture::view_of(PyObject* tensor) const {
  static constexpr std::string_view kDense[] = {"reshape", "squeeze", "expand_dims", "flatten"};
  View view;
  const auto* traced = dynamic_cast<const TracedTensor*>(as_tensor(tensor)->value.pending_value());
  if (!traced || traced->traced.level != level()) return view;
  const std::vector<bytecode::Node>& nodes = module_.graph(levels_.back()->builder->graph_id()).nodes;
  const auto made = [&](bytecode::ValueId id) {
    const auto node = std::ranges::find_if(
        nodes, [&](const bytecode::Node& n) { return id >= n.first_output && id < n.first_output + n.outputs; });
    return node == nodes.end() ? nullptr : &*node;
  };
  const bytecode::Node* node = made(traced->traced.id);
  bool viewed = false;
  for (; node && node->kind == bytecode::NodeKind::Apply && node->op->view; node = made(node->inputs[0])) {
    viewed = true;
    view.reordered |= std::ranges::find(kDense, node->op->name) == std::end(kDense);
  }
  view.of_parameter = viewed && node && node->kind == bytecode::NodeKind::Load;
  return view;
}

}  // namespace ember::python
