// The graph IR: SSA values made by typed nodes in evaluation order, structured control flow, effects ordered by tokens.
//
// A Module holds the graphs of one capture; graphs name each other by index, so they may call in cycles, and the module
// owns them all. Dims of all graphs of a module are expressions over its one SymbolTable.
// Invariants (verify.h is their executable form):
//   - a node's inputs are parameters of its graph or results of earlier nodes of it; sub-graphs see nothing else than
//     their own parameters;
//   - both graphs of an If take the inputs after the condition and return the node's results; the graphs of a While
//     take all its inputs; the first (the condition) returns one Bool, the second returns the `carried` first ones
//     anew;
//   - an effect takes the state token as its last input, and Update makes the next token; If, While and Call pass the
//     token in and out like any value, as the last input and the last result (of a While as the last carried one). The
//     condition graph of a While takes the token but returns none. A read of a Ref is a Load under a token;
//   - Refs are parameters: what a write returns only orders it, and no graph returns one. An absent operand is kNoId;
//   - a stack is an immutable value without type of its elements (ops/tensor/stack.h): Pop states what it expects on
//   top, and
//     gets zeros of these types, and an empty stack, from an empty one. Gradients of loops keep what they need in it.
// Text form: bytecode/text/text.h.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ops/expr/expr.h"
#include "ops/table/op.h"
#include "ops/tensor/attr.h"
#include "ops/tensor/type.h"

namespace ember::bytecode {

using ops::Type;
using ops::Types;
using ValueId = uint32_t;
using GraphId = uint32_t;
inline constexpr uint32_t kNoId = ~0u;

// name in the text form, inputs, meaning
#define EMBER_NODE_KINDS(X)                                             \
  X(Apply, "an op of the table; printed under the op's primitive name") \
  X(Constant, "a tensor fixed at capture")                              \
  X(Scalar, "a Python number fixed at capture")                         \
  X(Size, "the value of an expression of sizes")                        \
  X(Item, "the one element of a tensor as Bool, Int or Float")          \
  X(ToTensor, "a scalar as a 0-d tensor of the result's dtype")         \
  X(If, "condition, operands; one of two graphs")                       \
  X(While, "carried and invariant operands; condition and body graphs") \
  X(Call, "operands of a graph")                                        \
  X(State, "U, the first token")                                        \
  X(UpdateState, "token, nodes that come before; the next token")       \
  X(Load, "Ref, token; its value at that moment")                       \
  X(Depend, "value, what must come before; the value")                  \
  X(TensorMove, "a copy that later writes do not reach")                \
  X(RandomKey, "token; the next key of the random stream")              \
  X(Stack, "an empty stack")                                            \
  X(Push, "stack, values; the stack with them on top of it")            \
  X(Pop, "stack; the one below its top, and the values of the top")     \
  X(NonEmpty, "whether the stack has a top, a Bool")                    \
  X(Fused, "an expression over broadcast operands; made by fusion")     \
  X(FusedReduce, "a reduction of an expression; made by fusion")

enum class NodeKind : uint8_t {
#define X(name, ...) name,
  EMBER_NODE_KINDS(X)
#undef X
};

// Where the user called what became a node, and by which name, if that is not the op's: errors are told in it.
struct Source {
  uint32_t file = 0;  // index into Module::files
  uint32_t line = 0;  // 0: unknown
  uint32_t name = 0;  // index into Module::names; 0: the op's
  uint32_t path = 0;  // of calls that lead to the line, as the capture counts them, in this process; 0: unknown
  friend bool operator==(const Source&, const Source&) = default;
};

// The reduction of a FusedReduce node: a reduce op of the table ("ReduceSum", "ReduceMax", "ReduceMin") over axes of
// the expression's broadcast shape.
struct Reduction {
  const ops::Op* op = nullptr;
  ops::Attrs attrs;
};

struct Node {
  NodeKind kind = NodeKind::Apply;
  uint16_t outputs = 1;
  ValueId first_output = kNoId;
  std::vector<ValueId> inputs;
  const ops::Op* op = nullptr;  // Apply; FusedReduce: the reduction
  ops::Attrs attrs;             // Apply; FusedReduce: the reduction's
  std::variant<std::monostate, ops::Tensor, bool, int64_t, double, ops::Dim> payload;  // Constant, Scalar, Size
  std::shared_ptr<const ops::Expr> expr;                                               // Fused, FusedReduce
  GraphId graphs[2] = {kNoId, kNoId};  // If: then, else; While: condition, body; Call: callee, none
  uint16_t carried = 0;                // While
  Source source;

  ValueId output(size_t i = 0) const { return first_output + static_cast<ValueId>(i); }
};

class Graph {
 public:
  std::string name;
  std::vector<ValueId> params;
  std::vector<std::string> param_names;
  std::vector<Node> nodes;
  std::vector<ValueId> results;
  std::vector<Type> types;  // by ValueId
  bool shared = false;      // lazy_inline: keep as a sub-graph
  // For the transforms, and not in the text form. The gradient of a call, instead of that of the nodes: it takes the
  // cotangents of the results, the first operands (as many as it returns cotangents), the results, the other operands.
  GraphId gradient = kNoId;
  bool recompute = false;  // its gradient computes values of it again instead of keeping them

  ValueId add_param(std::string param_name, Type type);
  // Appends the node, gives it value ids, and returns the first.
  ValueId add_node(Node node, std::span<const Type> output_types);
  const Type& type(ValueId id) const { return types[id]; }
};

// Of the entry's parameters, by position, those that hold what calls have left there, and what that is at first.
using State = std::vector<std::pair<uint32_t, ops::Tensor>>;

struct Module {
  ops::SymbolTable symbols;
  std::vector<Graph> graphs;
  GraphId entry = 0;
  std::vector<std::string> files;
  std::vector<std::string> names = {""};
  State state;

  Graph& graph(GraphId id) { return graphs[id]; }
  const Graph& graph(GraphId id) const { return graphs[id]; }
  GraphId add_graph(std::string graph_name);
  uint32_t file(const std::string& path);
  uint32_t name(const std::string& called);
};

// True if running the node can be seen from outside: DCE keeps it, CSE leaves it alone. The node is one of `graph`.
bool has_effect(const Graph& graph, const Node& node);
bool takes_token(const Graph& graph, const Node& node);
std::string_view name(NodeKind kind);

}  // namespace ember::bytecode
