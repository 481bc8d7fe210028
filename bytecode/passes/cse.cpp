// Common subexpressions: of equal pure nodes the first stays. Loads are equal if they read the same Ref with no write
// between them. Control flow is left alone. Large constants are equal only if they share their memory. Reshapes that
// may be copies, and that results are or view, stay apart, as Python would see whether they share memory.
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"
#include "bytecode/passes/same_node.h"

namespace ember::bytecode {

namespace {

constexpr size_t kComparedBytes = 4096;

size_t mix(size_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 31);
}

bool same_payload(const Node& a, const Node& b) {
  if (a.payload.index() != b.payload.index()) return false;
  if (const auto* x = std::get_if<double>(&a.payload))
    return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(std::get<double>(b.payload));
  if (const auto* x = std::get_if<int64_t>(&a.payload)) return *x == std::get<int64_t>(b.payload);
  if (const auto* x = std::get_if<bool>(&a.payload)) return *x == std::get<bool>(b.payload);
  if (const auto* x = std::get_if<ops::Dim>(&a.payload)) return identical(*x, std::get<ops::Dim>(b.payload));
  const auto* x = std::get_if<ops::Tensor>(&a.payload);
  if (!x) return true;
  const auto& y = std::get<ops::Tensor>(b.payload);
  if (!(x->layout_ref() == y.layout_ref())) return false;
  if (x->data() == y.data()) return true;
  return x->contiguous() && x->layout().bytes() <= kComparedBytes &&
         std::memcmp(x->data(), y.data(), x->layout().bytes()) == 0;
}

bool shareable(const Node& node) {
  switch (node.kind) {
    case NodeKind::Apply:
      return node.op->flags.has(ops::Flag::Pure) && !node.op->has_effect() && node.outputs > 0;
    case NodeKind::If:
    case NodeKind::While:
    case NodeKind::Call:
    case NodeKind::Load:
    case NodeKind::State:
    case NodeKind::UpdateState:
    case NodeKind::Depend:
    case NodeKind::RandomKey:
      return false;
    default:
      return true;
  }
}

size_t hash_payload(const Node& node) {
  if (const auto* x = std::get_if<double>(&node.payload)) return std::bit_cast<uint64_t>(*x);
  if (const auto* x = std::get_if<int64_t>(&node.payload)) return static_cast<size_t>(*x);
  if (const auto* x = std::get_if<bool>(&node.payload)) return *x;
  if (const auto* x = std::get_if<ops::Dim>(&node.payload))
    return x->symbolic() ? x->expr : static_cast<size_t>(x->hint());
  const auto* x = std::get_if<ops::Tensor>(&node.payload);
  if (!x) return 0;
  if (!x->contiguous() || x->layout().bytes() > kComparedBytes) return reinterpret_cast<size_t>(x->data());
  return std::hash<std::string_view>()({static_cast<const char*>(x->data()), x->layout().bytes()});
}

class Cse {
 public:
  explicit Cse(Graph& graph) : graph_(graph), replaced_(graph) {}

  void run() {
    find_returned();
    std::vector<char> dead(graph_.nodes.size());
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      Node& node = graph_.nodes[n];
      replaced_.apply(node.inputs);
      if (may_write(node)) loads_.clear();
      const Node* first = node.kind == NodeKind::Load ? first_load(node)
                          : is_shareable(node)        ? first_equal(node)
                                                      : &node;
      if (first == &node) continue;
      for (size_t i = 0; i < node.outputs; ++i) replaced_.replace(node.output(i), first->output(i));
      dead[n] = true;
    }
    replaced_.apply(graph_.results);
    size_t n = 0;
    std::erase_if(graph_.nodes, [&](const Node&) { return dead[n++]; });
  }

 private:
  bool may_write(const Node& node) const {
    if (node.kind == NodeKind::Apply) return node.op->flags.has(ops::Flag::Memory);
    return has_effect(graph_, node) && node.kind != NodeKind::RandomKey;
  }

  // Results, and what they view.
  void find_returned() {
    for (const ValueId id : graph_.results) returned_.insert(id);
    for (size_t n = graph_.nodes.size(); n-- > 0;) {
      const Node& node = graph_.nodes[n];
      if (node.kind == NodeKind::Apply && node.op->view && is_returned(node)) returned_.insert(node.inputs[0]);
    }
  }

  bool is_returned(const Node& node) const {
    for (size_t i = 0; i < node.outputs; ++i)
      if (returned_.contains(node.output(i))) return true;
    return false;
  }

  bool is_shareable(const Node& node) const {
    const bool may_copy = node.kind == NodeKind::Apply && node.op->view && node.op->kernel;
    return shareable(node) && !(may_copy && is_returned(node));
  }

  const Node* first_load(const Node& node) { return loads_.emplace(node.inputs[0], &node).first->second; }

  const Node* first_equal(const Node& node) {
    const size_t key = hash(node);
    const auto [first, last] = seen_.equal_range(key);
    for (auto it = first; it != last; ++it)
      if (equal(*it->second, node)) return it->second;
    seen_.emplace(key, &node);
    return &node;
  }

  static bool swapped(const Node& node) {
    return node.kind == NodeKind::Apply && node.op->flags.has(ops::Flag::Commutative) && node.inputs.size() >= 2 &&
           node.inputs[1] < node.inputs[0];
  }

  // Input i with the operands of a commutative op in order.
  static ValueId input(const Node& node, size_t i) {
    return i < 2 && swapped(node) ? node.inputs[1 - i] : node.inputs[i];
  }

  static size_t hash(const Node& node) {
    size_t h = mix(static_cast<size_t>(node.kind), reinterpret_cast<uintptr_t>(node.op));
    h = mix(h, node.inputs.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) h = mix(h, input(node, i));
    h = mix(h, ops::hash(node.attrs));
    if (node.expr) h = mix(h, ops::hash(*node.expr));
    return mix(h, hash_payload(node));
  }

  bool equal(const Node& a, const Node& b) const {
    if (!same_but_inputs(a, b)) return false;
    for (size_t i = 0; i < a.inputs.size(); ++i)
      if (input(a, i) != input(b, i)) return false;
    for (size_t i = 0; i < a.outputs; ++i)
      if (!identical(graph_.type(a.output(i)), graph_.type(b.output(i)))) return false;
    return true;
  }

  std::unordered_set<ValueId> returned_;
  Graph& graph_;
  Replacements replaced_;
  std::unordered_map<ValueId, const Node*> loads_;
  std::unordered_multimap<size_t, const Node*> seen_;
};

}  // namespace

bool same_but_inputs(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.op != b.op || a.inputs.size() != b.inputs.size() || a.outputs != b.outputs) return false;
  if (!shareable(a) || !identical(a.attrs, b.attrs) || !same_payload(a, b)) return false;
  return a.expr == b.expr || (a.expr && b.expr && *a.expr == *b.expr);
}

void cse(Module& m) {
  for (Graph& graph : m.graphs) Cse(graph).run();
}

}  // namespace ember::bytecode
