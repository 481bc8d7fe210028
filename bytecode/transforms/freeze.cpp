// Parameters become constants: Refs first turn into plain tensors wherever they are passed, their loads into the tensor
// itself; then a Constant node defines the parameter's value. Refs that are written stay, and become state.
#include <set>

#include "bytecode/transforms/transforms.h"

namespace ember::bytecode {
namespace {

class Freezer {
 public:
  explicit Freezer(Module& module) : module_(module) {}

  bool is_written(size_t position) {
    seen_.clear();
    return is_written(module_.entry, position);
  }

  // The parameter at `position` holds a tensor from now on, in this graph and all that it is passed to.
  void replace_ref_by_tensor(GraphId id, size_t position) {
    if (!done_.insert({id, position}).second) return;
    const ValueId ref = module_.graph(id).params[position];
    module_.graph(id).types[ref].kind = ops::Kind::Tensor;
    for (size_t n = 0; n < module_.graph(id).nodes.size(); ++n) visit(id, n, ref);
  }

 private:
  bool is_written(GraphId id, size_t position) {
    if (!seen_.insert({id, position}).second) return false;
    const ValueId ref = module_.graph(id).params[position];
    const auto writes = [&](const Node& node, size_t input) {
      if (node.inputs[input] != ref || node.kind == NodeKind::Load) return false;
      if (node.kind == NodeKind::If && input > 0)
        return is_written(node.graphs[0], input - 1) || is_written(node.graphs[1], input - 1);
      if (node.kind == NodeKind::While && input >= node.carried)
        return is_written(node.graphs[0], input) || is_written(node.graphs[1], input);
      return node.kind != NodeKind::Call || is_written(node.graphs[0], input);
    };
    for (const Node& node : module_.graph(id).nodes)
      for (size_t i = 0; i < node.inputs.size(); ++i)
        if (writes(node, i)) return true;
    return false;
  }

  void visit(GraphId id, size_t n, ValueId ref) {
    Node& node = module_.graph(id).nodes[n];
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] != ref) continue;
      if (node.kind == NodeKind::Load) {
        node.kind = NodeKind::Depend;
      } else if (node.kind == NodeKind::If && i > 0) {
        replace_ref_by_tensor(node.graphs[0], i - 1);
        replace_ref_by_tensor(node.graphs[1], i - 1);
      } else if (node.kind == NodeKind::While && i >= node.carried) {
        replace_ref_by_tensor(node.graphs[0], i);
        replace_ref_by_tensor(node.graphs[1], i);
      } else if (node.kind == NodeKind::Call) {
        replace_ref_by_tensor(node.graphs[0], i);
      }
    }
  }

  Module& module_;
  std::set<std::pair<GraphId, size_t>> done_, seen_;
};

}  // namespace

void freeze(Module& module, const State& values) {
  Freezer freezer(module);
  std::vector<Node> nodes;
  std::set<uint32_t> removed;
  for (const auto& [position, value] : values) {
    const Graph& entry = module.graph(module.entry);
    const bool ref = entry.type(entry.params[position]).kind == ops::Kind::Ref;
    if (ref && freezer.is_written(position)) {
      module.state.emplace_back(position - static_cast<uint32_t>(removed.size()), value);
      continue;
    }
    if (ref) freezer.replace_ref_by_tensor(module.entry, position);
    Node node;
    node.kind = NodeKind::Constant;
    node.payload = value;
    node.first_output = entry.params[position];
    nodes.push_back(std::move(node));
    removed.insert(position);
  }
  Graph& entry = module.graph(module.entry);
  entry.nodes.insert(entry.nodes.begin(), std::make_move_iterator(nodes.begin()), std::make_move_iterator(nodes.end()));
  for (auto position = removed.rbegin(); position != removed.rend(); ++position) {
    entry.params.erase(entry.params.begin() + *position);
    entry.param_names.erase(entry.param_names.begin() + *position);
  }
}

}  // namespace ember::bytecode
