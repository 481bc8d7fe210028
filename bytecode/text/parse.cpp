// From syntax to a module. Graphs are made callees first, so that types left out can be inferred; where graphs call in
// a cycle, the calls must declare theirs. The result is verified, so whatever parses is a valid module.
#include <algorithm>

#include "bytecode/graph/node_types.h"
#include "bytecode/graph/verify.h"
#include "bytecode/text/syntax.h"
#include "bytecode/text/text.h"

namespace ember::bytecode {

namespace {

std::string without_position(const std::string& name) {
  if (name.compare(0, 4, "para") != 0) return name;
  const size_t end = name.find_first_not_of("0123456789", 4);
  return end == std::string::npos || end == 4 || name[end] != '_' ? name : name.substr(end + 1);
}

[[noreturn]] void fail(uint32_t line, const std::string& message) {
  throw ParseError("line " + std::to_string(line) + ": " + message);
}

class Assembler {
 public:
  Assembler(Module& module, std::vector<GraphText> graphs) : module_(module), texts_(std::move(graphs)) {
    for (const GraphText& text : texts_) {
      if (!ids_.emplace(text.name, static_cast<GraphId>(ids_.size())).second)
        fail(text.line, "two graphs are called @" + text.name);
      module_.add_graph(text.name);
    }
    made_.resize(texts_.size());
  }

  void run(const std::string& entry) {
    if (texts_.empty()) fail(1, "a module without graphs");
    module_.entry = entry.empty() ? 0 : find(entry, 1);
    std::vector<char> begun(texts_.size());
    for (GraphId root = 0; root < texts_.size(); ++root) make_from(root, begun);
  }

 private:
  GraphId find(const std::string& name, uint32_t line) const {
    const auto known = ids_.find(name);
    if (known == ids_.end()) fail(line, "there is no graph @" + name);
    return known->second;
  }

  // Depth first without recursion: a graph is made when all it reaches are made or under way.
  void make_from(GraphId root, std::vector<char>& begun) {
    std::vector<GraphId> stack = {root};
    while (!stack.empty()) {
      const GraphId id = stack.back();
      if (begun[id]) {
        stack.pop_back();
        if (!made_[id]) make(id);
        continue;
      }
      begun[id] = true;
      for (const Statement& s : texts_[id].body)
        for (const std::string& name : s.graphs)
          if (!name.empty() && !begun[find(name, s.line)]) stack.push_back(find(name, s.line));
    }
  }

  void make(GraphId id) {
    const GraphText& text = texts_[id];
    Graph& graph = module_.graph(id);
    graph.shared = text.shared;
    names_.clear();
    state_ = kNoId;
    for (const auto& [name, type] : text.params) define(name, graph.add_param(without_position(name), type), text.line);
    for (const Statement& s : text.body) {
      try {
        make_node(graph, s);
      } catch (const ops::OpError& e) {
        fail(s.line, e.what());
      }
    }
    for (const Operand& result : text.results) graph.results.push_back(value(graph, result, text.line));
    made_[id] = true;
  }

  void define(const std::string& name, ValueId id, uint32_t line) {
    if (!names_.emplace(name, id).second) fail(line, "%" + name + " is made twice");
  }

  ValueId value(Graph& graph, const Operand& operand, uint32_t line) {
    if (operand.kind == Operand::Kind::None) return kNoId;
    Node node;
    Type type = Type::token();
    if (operand.kind == Operand::Kind::State) {
      if (state_ != kNoId) return state_;
      node.kind = NodeKind::State;
      return state_ = graph.add_node(std::move(node), std::span(&type, 1));
    }
    if (operand.kind == Operand::Kind::Inline) {
      node.payload = operand.payload;
      node.kind = std::holds_alternative<ops::Tensor>(node.payload) ? NodeKind::Constant : NodeKind::Scalar;
      type = node_types(module_, graph, node)[0];
      return graph.add_node(std::move(node), std::span(&type, 1));
    }
    const auto known = names_.find(operand.name);
    if (known == names_.end()) fail(line, "there is no value %" + operand.name + " yet");
    return known->second;
  }

  void make_node(Graph& graph, const Statement& s) {
    Node node = s.node;
    for (const Operand& operand : s.operands) node.inputs.push_back(value(graph, operand, s.line));
    bool known = true;
    for (int i = 0; i < 2; ++i) {
      if (s.graphs[i].empty()) continue;
      node.graphs[i] = find(s.graphs[i], s.line);
      known = known && made_[node.graphs[i]];
    }
    if (node.kind == NodeKind::While)
      node.carried = static_cast<uint16_t>(std::min<size_t>(s.outputs.size(), UINT16_MAX));
    Types types = s.types;
    if (known) {
      const Types inferred = node_types(module_, graph, node, s.types);
      if (types.empty()) types = inferred;
      if (!std::equal(types.begin(), types.end(), inferred.begin(), inferred.end(), agree))
        fail(s.line, "the declared types are not those that follow");
    }
    if (types.size() != s.outputs.size())
      fail(s.line, known ? "the node has " + std::to_string(types.size()) + " results" : "types of results are needed");
    const ValueId first = graph.add_node(std::move(node), types);
    for (size_t i = 0; i < types.size(); ++i) define(s.outputs[i], first + static_cast<ValueId>(i), s.line);
  }

  Module& module_;
  std::vector<GraphText> texts_;
  std::unordered_map<std::string, GraphId> ids_;
  std::vector<char> made_;
  std::unordered_map<std::string, ValueId> names_;
  ValueId state_ = kNoId;
};

}  // namespace

Module parse(std::string_view text) {
  Module module;
  const ops::SymbolScope scope(&module.symbols);
  SyntaxReader reader(text, module);
  try {
    std::string entry;
    std::vector<GraphText> graphs = reader.run(&entry);
    Assembler(module, std::move(graphs)).run(entry);
    verify(module);
  } catch (const ParseError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    fail(reader.line(), e.what());
  }
  return module;
}

}  // namespace ember::bytecode
