// Pattern matching: softmax(query @ key' * scale, masked) @ value, as users write it, becomes one Attention node where
// nobody else reads the intermediate values. The scale is a factor, a divisor or absent; the mask is added, or chosen
// with Select or MaskedFill, or -inf above the diagonal; heads of key and value are repeated or not:
//
//   %s = BatchMatMul(%q, %k, transpose_b=True)
//   %a = Mul(%s, 0.125)
//   %m = MaskedFill(%a, %mask, -inf)            ->    %o = Attention(%q, %k, %v, %mask, scale=0.125, fill=-inf)
//   %p = Softmax(%m)
//   %o = BatchMatMul(%p, %v)
//
// The op is defined as these steps (ops/defs/attention.cpp), so no bit changes; where products are bf16x3
// (ops/matmul/bf16x3_gemm.h) whatever the symbols, which its kernel does not make, there is no node. The node replaces
// the last product; the other nodes are left to dce.
//
// Before differentiation the operands of the node may have two uses at most: then cotangents are the same sum in any
// order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "bytecode/graph/call_cycles.h"
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"
#include "bytecode/transforms/transforms.h"
#include "ops/kernels/attention.h"
#include "ops/table/builder.h"

namespace ember::bytecode {

namespace {

constexpr int64_t kLeastLength = 8;  // of queries; fewer are done faster by products of vectors

const ops::Op* known(std::string_view name) { return &ops::op(name); }
bool is(const Node* node, const ops::Op* op) { return node && node->kind == NodeKind::Apply && node->op == op; }

// Of symbols the guard is that which the products have stated.
bool equal_dims(std::span<const ops::Dim> a, std::span<const ops::Dim> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](ops::Dim x, ops::Dim y) { return x.hint() == y.hint() && x == y; });
}

bool equal_types(const Type& a, const Type& b) {
  return a.kind == b.kind && a.dtype == b.dtype &&
         equal_dims({a.dims.begin(), a.dims.size()}, {b.dims.begin(), b.dims.size()});
}

struct MatrixOperand {
  ValueId value = kNoId;
  bool transposed = false;  // read with its last two axes exchanged; of a mask: read negated
};

struct Match {
  MatrixOperand query, key, value, mask;
  double scale = 1, fill = -std::numeric_limits<double>::infinity();
  bool divide = false, causal = false;
  ops::ExprId size = 0;  // the expression of sizes that the scale is, if it is one
};

class Matcher {
 public:
  Matcher(const Graph& graph, bool differentiated)
      : graph_(graph), differentiated_(differentiated), def_(defining_nodes(graph)), uses_(use_counts(graph)) {}

  std::optional<Match> match(const Node& last) const {
    const std::optional<Product> out = product(last);
    if (!out || out->left.transposed) return {};
    const Node* softmax = inner(out->left.value);
    static const ops::Op* const op = known("Softmax");
    if (!is(softmax, op)) return {};
    const ValueId masked = softmax->inputs[0];
    const int64_t rank = static_cast<int64_t>(graph_.type(masked).dims.size()), axis = softmax->attrs.integer(1);
    if (axis != -1 && axis != rank - 1) return {};
    Match m;
    m.value = out->right;
    const ValueId scaled = mask(masked, m);
    const ValueId scores = scaled == kNoId ? kNoId : scale(scaled, m);
    const std::optional<Product> product_of_scores = scores == kNoId ? std::nullopt : product(*inner(scores));
    if (!product_of_scores || product_of_scores->left.transposed) return {};
    m.query = product_of_scores->left;
    m.key = product_of_scores->right;
    m.key.transposed = !m.key.transposed;
    peel(m.key);
    peel(m.value);
    peel_repeats(m);
    return fits(m) ? std::optional(m) : std::nullopt;
  }

 private:
  struct Product {
    MatrixOperand left, right;
  };

  const Node* defining_node(ValueId id) const {
    return id == kNoId || def_[id] == kNoId ? nullptr : &graph_.nodes[def_[id]];
  }
  // The defining node of a value with a single use.
  const Node* inner(ValueId id) const { return id != kNoId && uses_[id] == 1 ? defining_node(id) : nullptr; }

  static std::optional<Product> product(const Node& node) {
    static const ops::Op *const plain = known("MatMulExt"), *const batch = known("BatchMatMulExt");
    static const ops::Op *const matmul = known("MatMul"), *const batch_matmul = known("BatchMatMul");
    if (is(&node, plain) || is(&node, batch)) return Product{{node.inputs[0]}, {node.inputs[1]}};
    if (!is(&node, matmul) && !is(&node, batch_matmul)) return {};
    return Product{{node.inputs[0], node.attrs.flag(2)}, {node.inputs[1], node.attrs.flag(3)}};
  }

  std::optional<double> number(ValueId id) const {
    const Node* node = defining_node(id);
    if (!node) return {};
    if (const auto* x = std::get_if<double>(&node->payload)) return *x;
    const auto* i = std::get_if<int64_t>(&node->payload);
    if (i && node->kind == NodeKind::Scalar && std::llabs(*i) < int64_t{1} << 53) return static_cast<double>(*i);
    return {};
  }

  bool same_type(ValueId a, ValueId b) const { return equal_types(graph_.type(a), graph_.type(b)); }

  // The scores before masking, which may be `id` itself; kNoId if the node is no mask of attention.
  ValueId mask(ValueId id, Match& m) const {
    static const ops::Op *const add = known("Add"), *const select = known("Select"), *const fill = known("MaskedFill");
    const Node* node = inner(id);
    if (is(node, add)) {
      const bool first = is_scores(node->inputs[0]);
      const ValueId scores = node->inputs[first ? 0 : 1], added = node->inputs[first ? 1 : 0];
      const Type& type = graph_.type(added);
      if (type.kind != ops::Kind::Tensor || type.dtype != graph_.type(id).dtype || !same_type(scores, id)) return kNoId;
      m.causal = is_causal_mask(added, id);
      if (!m.causal) m.mask = {added};
      return scores;
    }
    const bool selects = is(node, select);
    if (!selects && !is(node, fill)) return id;
    const ValueId condition = node->inputs[selects ? 0 : 1];
    const bool scores_first = selects && number(node->inputs[2]).has_value();
    const ValueId scores = node->inputs[selects ? (scores_first ? 1 : 2) : 0];
    const std::optional<double> value = number(node->inputs[selects ? (scores_first ? 2 : 1) : 2]);
    const Type& type = graph_.type(condition);
    if (!value || type.kind != ops::Kind::Tensor || type.dtype != ops::DType::Bool || !same_type(scores, id)) {
      return kNoId;
    }
    m.mask = {condition, scores_first};
    m.fill = *value;
    return scores;
  }

  ValueId scale(ValueId id, Match& m) const {
    static const ops::Op *const mul = known("Mul"), *const div = known("Div");
    const Node* node = inner(id);
    if (!is(node, mul) && !is(node, div)) return node ? id : kNoId;
    m.divide = node->op == div;
    const bool first = !m.divide && factor(node->inputs[0]).has_value();
    const std::optional<Factor> scaling = factor(node->inputs[first ? 0 : 1]);
    const ValueId scores = node->inputs[first ? 1 : 0];
    if (!scaling || !inner(scores) || !same_type(scores, id)) return kNoId;
    m.scale = scaling->value;
    m.size = scaling->size;
    return scores;
  }

  struct Factor {
    double value;
    ops::ExprId size = 0;
  };
  std::optional<Factor> factor(ValueId id) const {
    if (const std::optional<double> known = number(id)) return Factor{*known};
    const Node* node = defining_node(id);
    const auto* dim = node ? std::get_if<ops::Dim>(&node->payload) : nullptr;
    if (!dim || !dim->symbolic()) return {};
    const bool whole = graph_.type(id).kind == ops::Kind::Int;
    return Factor{whole ? static_cast<double>(dim->hint()) : std::bit_cast<double>(dim->hint()), dim->expr};
  }

  // Whether an operand of an addition is the scaled product.
  bool is_scores(ValueId id) const {
    Match ignored;
    const ValueId scores = scale(id, ignored);
    return scores != kNoId && product(*inner(scores)).has_value();
  }

  // -inf above the diagonal, zeros elsewhere.
  bool is_causal_mask(ValueId id, ValueId scores) const {
    static const ops::Op *const triu = known("Triu"), *const full = known("FillV2");
    const Node* node = defining_node(id);
    if (!is(node, triu) || node->attrs.integer(1) != 1) return false;
    const Node* filled = defining_node(node->inputs[0]);
    if (!is(filled, full) || number(filled->inputs[0]) != -std::numeric_limits<double>::infinity()) return false;
    const ops::Dims &dims = graph_.type(id).dims, &score_dims = graph_.type(scores).dims;
    return dims.size() == 2 && equal_dims({dims.begin(), 2}, {score_dims.end() - 2, 2});
  }

  bool is_transpose(const Node* node) const {
    static const ops::Op* const transpose = known("Transpose");
    if (!is(node, transpose) || !node->attrs.has(1)) return false;
    const ops::Ints& order = node->attrs.ints(1);
    const int64_t rank = static_cast<int64_t>(order.size());
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t from = d == rank - 1 ? rank - 2 : d == rank - 2 ? rank - 1 : d;
      if (rank < 2 || (order[static_cast<size_t>(d)].hint() + rank) % rank != from) return false;
    }
    return true;
  }

  void peel(MatrixOperand& operand) const {
    const Node* node = inner(operand.value);
    if (operand.transposed && is_transpose(node)) operand = {node->inputs[0], false};
  }

  // How often a node repeats heads; 0 if it does not.
  int64_t repeats(const Node* node) const {
    static const ops::Op* const repeat = known("RepeatInterleave");
    if (!is(node, repeat) || node->attrs.ints(1).size() != 1 || !node->attrs.has(2)) return 0;
    const int64_t rank = static_cast<int64_t>(graph_.type(node->output()).dims.size()), axis = node->attrs.integer(2);
    const ops::Dim times = node->attrs.ints(1)[0];
    return rank > 2 && (axis + rank) % rank == rank - 3 && !times.symbolic() ? times.hint() : 0;
  }

  void peel_repeats(Match& m) const {
    const Node *k = inner(m.key.value), *v = inner(m.value.value);
    if (m.key.transposed || m.value.transposed || repeats(k) == 0 || repeats(k) != repeats(v)) return;
    m.key.value = k->inputs[0];
    m.value.value = v->inputs[0];
  }

  // Whether the op takes these operands without broadcasting, and a gradient's sums stay as they are.
  bool fits(const Match& m) const {
    const Type &q = graph_.type(m.query.value), &k = graph_.type(m.key.value), &v = graph_.type(m.value.value);
    const size_t rank = q.dims.size();
    for (const Type* type : {&q, &k, &v}) {
      if (type->kind != ops::Kind::Tensor || !is_float(type->dtype) || type->dims.size() != rank) return false;
    }
    if (rank < 2 || (!q.dims[rank - 2].symbolic() && q.dims[rank - 2].hint() < kLeastLength)) return false;
    const size_t heads = rank > 2 ? rank - 3 : 0, after = rank > 2 ? rank - 2 : 0;
    if (!equal_dims({q.dims.begin(), heads}, {k.dims.begin(), heads})) return false;
    if (!equal_dims({k.dims.begin(), after}, {v.dims.begin(), after})) return false;
    if (uses_bf16x3(m)) return false;
    if (!differentiated_) return true;
    for (const MatrixOperand& operand : {m.query, m.key, m.value, m.mask})
      if (operand.value != kNoId && uses_[operand.value] > 2) return false;
    return true;
  }

  // Whether some product is bf16x3 whatever the symbols are.
  bool uses_bf16x3(const Match& m) const {
    const auto size = [&](const MatrixOperand& operand, size_t axis) {  // axis 0 is the last but one
      const ops::Dims& dims = graph_.type(operand.value).dims;
      const ops::Dim d = dims[dims.size() - (operand.transposed ? axis + 1 : 2 - axis)];
      return d.symbolic() ? 1 : d.hint();
    };
    return ops::attention_uses_bf16x3(graph_.type(m.query.value).dtype,
                                      {size(m.query, 0), size(m.key, 0), size(m.query, 1), size(m.value, 1)},
                                      differentiated_);
  }

  const Graph& graph_;
  const bool differentiated_;
  const std::vector<uint32_t> def_, uses_;
};

class Recogniser {
 public:
  Recogniser(Graph& graph, bool differentiated) : graph_(graph), differentiated_(differentiated) {}

  void run() {
    const std::vector<std::optional<Match>> by_node = matches();
    if (by_node.empty()) return;
    std::vector<Node> old = std::move(graph_.nodes);
    graph_.nodes.clear();
    for (size_t n = 0; n < old.size(); ++n) {
      if (by_node[n]) become(old[n], *by_node[n]);
      graph_.nodes.push_back(std::move(old[n]));
    }
  }

 private:
  // By node; empty if there is none.
  std::vector<std::optional<Match>> matches() const {
    static const ops::Op* const softmax = known("Softmax");
    std::vector<std::optional<Match>> matches;
    if (std::none_of(graph_.nodes.begin(), graph_.nodes.end(), [](const Node& n) { return is(&n, softmax); })) {
      return matches;
    }
    const Matcher matcher(graph_, differentiated_);
    for (const Node& node : graph_.nodes) matches.push_back(matcher.match(node));
    if (std::none_of(matches.begin(), matches.end(), [](const auto& m) { return m.has_value(); })) matches.clear();
    return matches;
  }

  void become(Node& node, const Match& m) {
    std::vector<ValueId> inputs;
    for (const MatrixOperand& operand : {m.query, m.key, m.value})
      inputs.push_back(operand.transposed ? transposed(operand.value, node.source) : operand.value);
    inputs.push_back(m.mask.transposed ? apply("LogicalNot", m.mask.value, {}, node.source) : m.mask.value);
    const ops::Op& op = ops::op("Attention");
    const ops::Attrs attrs =
        ops::make_attrs(op, {{"scale", m.scale}, {"divide", m.divide}, {"causal", m.causal}, {"fill", m.fill}});
    Types in;
    for (ValueId v : inputs) in.push_back(v == kNoId ? Type::token() : graph_.type(v));
    if (!equal_types(ops::infer(op, in, attrs).at(0), graph_.type(node.output()))) return;
    if (m.size) ops::SymbolScope::current()->pin(m.size);
    node.op = &op;
    node.inputs = std::move(inputs);
    node.attrs = attrs;
  }

  ValueId transposed(ValueId v, const Source& source) {
    const size_t rank = graph_.type(v).dims.size();
    ops::Ints order;
    for (size_t d = 0; d < rank; ++d) order.push_back(static_cast<int64_t>(d));
    std::swap(order[rank - 2], order[rank - 1]);
    return apply("Transpose", v, {{"dims", order}}, source);
  }

  ValueId apply(std::string_view name, ValueId v, const ops::Builder::Named& attrs, const Source& source) {
    Node node;
    node.op = &ops::op(name);
    node.inputs = {v};
    node.attrs = ops::make_attrs(*node.op, attrs);
    node.source = source;
    const Types types = ops::infer(*node.op, {&graph_.type(v), 1}, node.attrs);
    return graph_.add_node(std::move(node), types);
  }

  Graph& graph_;
  const bool differentiated_;
};

}  // namespace

void recognise_attention(Module& m) {
  for (Graph& graph : m.graphs) Recogniser(graph, false).run();
}

bool depends_on_matmul_precision(const Module& m) {
  static const ops::Op *const softmax = known("Softmax"), *const attention = known("Attention");
  return std::any_of(m.graphs.begin(), m.graphs.end(), [](const Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const Node& n) { return is(&n, softmax) || is(&n, attention); });
  });
}

void recognise_attention_before_gradient(Module& m, GraphId f) {
  if (has_float_status(m)) return;
  const ops::SymbolScope scope(&m.symbols);
  for (GraphId id : reachable_graphs(m, f)) Recogniser(m.graph(id), true).run();
}

}  // namespace ember::bytecode
