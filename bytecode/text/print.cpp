// Printing. Values are numbered in order of appearance, so equal modules print equally whatever their value ids. A
// number or small constant with a single use is written where it is used, as the seeds do. Dims print as expressions of
// bounded depth; deeper ones go by the names that the `symbols` line gives.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_set>

#include "bytecode/text/format.h"
#include "bytecode/text/text.h"
#include "ops/program/strided.h"
#include "ops/tensor/convert.h"

namespace ember::bytecode {

namespace {

constexpr int64_t kFullElements = 64;
constexpr int64_t kInlineElements = 16;
constexpr size_t kTypeColumn = 44;

template <class T>
std::string shortest(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

std::string float_text(double value) {
  std::string text = shortest(value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 32 || byte == 127) {
      static constexpr char hex[] = "0123456789abcdef";
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string named(std::string_view text) {
  for (char c : text)
    if (!name_letter(c)) return quoted(text);
  return text.empty() ? quoted(text) : std::string(text);
}

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32; }, '?');
  return text;
}

std::string base64(const void* data, size_t size) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const uint8_t*>(data);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (size_t i = 0; i < size; i += 3) {
    const size_t n = std::min<size_t>(3, size - i);
    uint32_t group = bytes[i] << 16;
    if (n > 1) group |= bytes[i + 1] << 8;
    if (n > 2) group |= bytes[i + 2];
    for (size_t k = 0; k < 4; ++k) out += k <= n ? letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

// Whether there is a number that decimals do not give back.
template <class T>
bool beyond_decimals(const T* items, int64_t n) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else if constexpr (ops::is_complex_type<T>) {
    return true;
  } else {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return std::any_of(items, items + n, [](T item) { return std::isnan(static_cast<Wide>(item)); });
  }
}

template <class T>
std::string element(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "True" : "False";
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else if constexpr (std::is_same_v<T, double>)
    return shortest(value);
  else
    return shortest(ops::convert_value<float>(value));
}

class Printer {
 public:
  Printer(const Module& module, bool full_constants, Sources sources)
      : module_(module), full_(full_constants), sources_(sources) {}

  std::string run() {
    name_dims();
    name_graphs();
    const bool entered = module_.entry < module_.graphs.size();
    if (entered) out_ = "# IR entry: @" + graph_names_[module_.entry] + "\n";
    out_ += "# Total subgraphs: " + std::to_string(module_.graphs.size()) + "\n";
    if (entered) print_params(module_.graph(module_.entry));
    print_symbols();
    for (size_t i = 0; i < module_.graphs.size(); ++i) print_graph(static_cast<GraphId>(i));
    return std::move(out_);
  }

 private:
  void name_dims() {
    const auto& exprs = module_.symbols.exprs();
    dim_names_.resize(exprs.size());
    size_t count = 0;
    for (size_t i = 0; i < exprs.size(); ++i)
      if (exprs[i].op > ops::SymbolOp::Symbol) dim_names_[i] = "d" + std::to_string(count++);
  }

  void name_graphs() {
    std::unordered_set<std::string> names;
    for (const Graph& graph : module_.graphs) {
      std::string unique = graph.name;
      for (size_t i = 1; !names.insert(unique).second; ++i) unique = graph.name + "." + std::to_string(i);
      graph_names_.push_back(named(unique));
    }
  }

  std::string text(ops::ExprId id) const { return module_.symbols.text(id, dim_names_); }
  std::string dim(ops::Dim d) const { return d.symbolic() ? text(d.expr) : std::to_string(d.hint()); }

  template <class Dims>
  std::string dims(const Dims& list) const {
    std::string text = "(";
    for (size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + dim(list[i]);
    return text + (list.size() == 1 ? ",)" : ")");
  }

  std::string type(const Type& t) const {
    if (!t.is_tensor()) return to_string(t) + (t.expr ? "(" + text(t.expr) + ")" : "");
    return (t.kind == ops::Kind::Ref ? "Ref[" : "Tensor[") + std::string(name(t.dtype)) + "]" + dims(t.dims);
  }

  void print_symbols() {
    const auto& exprs = module_.symbols.exprs();
    std::string line;
    for (size_t i = 0; i < exprs.size(); ++i) {
      if (exprs[i].op == ops::SymbolOp::Const) continue;
      line += line.empty() ? "symbols " : ", ";
      const auto id = static_cast<ops::ExprId>(i);
      line += (exprs[i].op == ops::SymbolOp::Symbol ? text(id) + "=" + hint(exprs[i]) : dim_names_[i] + "=" + text(id));
    }
    if (!line.empty()) out_ += line + "\n";
    for (const ops::SymbolGuard& guard : module_.symbols.guards())
      out_ += "guard " + module_.symbols.text(guard, dim_names_) + "\n";
  }

  // A size is 2 or more.
  static std::string hint(const ops::SymbolExpr& symbol) {
    if (symbol.kind == ops::ScalarKind::Float) return "Float " + shortest(std::bit_cast<double>(symbol.hint));
    const char* kind = symbol.kind == ops::ScalarKind::Bool ? "Bool " : symbol.hint < 2 ? "Int " : "";
    return kind + std::to_string(symbol.hint);
  }

  void print_params(const Graph& graph) {
    out_ += "# Total params: " + std::to_string(graph.params.size()) + "\n# Params:\n";
    for (size_t i = 0; i < graph.params.size(); ++i) {
      const Type& t = graph.type(graph.params[i]);
      out_ += param(graph, i) + " : " + type(t) + (t.kind == ops::Kind::Ref ? " : has_default\n" : "\n");
    }
    out_ += "\n";
  }

  static std::string param(const Graph& graph, size_t i) {
    return "%para" + std::to_string(i + 1) + "_" + named(graph.param_names[i]);
  }

  void print_graph(GraphId id) {
    const Graph& graph = module_.graph(id);
    prepare(graph);
    out_ += graph.shared ? "shared subgraph @" : "subgraph @";
    out_ += graph_names_[id] + "(";
    for (size_t i = 0; i < graph.params.size(); ++i)
      out_ += (i ? ", " : "") + names_[graph.params[i]] + ": " + type(graph.type(graph.params[i]));
    out_ += ") {\n";
    for (const Node& node : graph.nodes) print_node(graph, node);
    out_ += "  Return(";
    for (size_t i = 0; i < graph.results.size(); ++i) out_ += (i ? ", " : "") + names_[graph.results[i]];
    out_ += ")\n}\n";
  }

  void prepare(const Graph& graph) {
    names_.assign(graph.types.size(), "");
    std::vector<uint32_t> uses(graph.types.size());
    for (const Node& node : graph.nodes)
      for (ValueId v : node.inputs)
        if (v != kNoId) ++uses[v];
    for (ValueId v : graph.results) ++uses[v];
    for (size_t i = 0; i < graph.params.size(); ++i) names_[graph.params[i]] = param(graph, i);
    size_t count = 0;
    for (const Node& node : graph.nodes) {
      if (node.kind == NodeKind::State)
        names_[node.output()] = "U";
      else if (is_inline(node) && uses[node.output()] == 1)
        names_[node.output()] = payload(node);
      else
        for (size_t i = 0; i < node.outputs; ++i) names_[node.output(i)] = "%" + std::to_string(count++);
    }
  }

  bool is_inline(const Node& node) const {
    if (node.kind == NodeKind::Scalar) return true;
    const auto* tensor = std::get_if<ops::Tensor>(&node.payload);
    return tensor && tensor->numel() <= kInlineElements;
  }

  std::string payload(const Node& node) const {
    if (const auto* b = std::get_if<bool>(&node.payload)) return *b ? "True" : "False";
    if (const auto* i = std::get_if<int64_t>(&node.payload)) return std::to_string(*i);
    if (const auto* d = std::get_if<double>(&node.payload)) return float_text(*d);
    if (const auto* d = std::get_if<ops::Dim>(&node.payload)) return dim(*d);
    return tensor(std::get<ops::Tensor>(node.payload));
  }

  std::string tensor(const ops::Tensor& constant) const {
    const ops::Tensor t = to_contiguous(constant);
    std::string text = "Tensor(shape=[";
    for (size_t i = 0; i < t.rank(); ++i) text += (i ? ", " : "") + std::to_string(t.shape()[i]);
    text += "], dtype=" + std::string(name(t.dtype()));
    if (t.numel() > kFullElements && !full_) return text + ", elided)";
    if (is_storage(t.dtype())) return text + ", data=\"" + base64(t.data(), t.layout().bytes()) + "\")";
    return ops::dispatch(t.dtype(), [&]<class T>() {
      const T* items = static_cast<const T*>(t.data());
      if (t.numel() > kFullElements || beyond_decimals(items, t.numel()))
        return text + ", data=\"" + base64(items, t.layout().bytes()) + "\")";
      std::string value;
      for (int64_t i = 0; i < t.numel(); ++i) value += (i ? ", " : "") + element(items[i]);
      return text + ", value=" + (t.rank() == 0 ? value : "[" + value + "]") + ")";
    });
  }

  std::string attribute(const ops::Attr& attr) const {
    if (const auto* b = std::get_if<bool>(&attr)) return *b ? "True" : "False";
    if (const auto* d = std::get_if<ops::Dim>(&attr)) return dim(*d);
    if (const auto* d = std::get_if<double>(&attr)) return float_text(*d);
    if (const auto* s = std::get_if<std::string>(&attr)) return quoted(*s);
    if (const auto* d = std::get_if<ops::DType>(&attr)) return std::string(name(*d));
    if (const auto* list = std::get_if<ops::Ints>(&attr)) return dims(*list);
    return "None";
  }

  void add_attributes(const Node& node, std::vector<std::string>& parts) const {
    const auto& params = node.op->signature.params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (is_operand(params[i].kind)) continue;
      const bool none_by_default = std::holds_alternative<std::monostate>(params[i].default_value);
      if (!node.attrs.has(i) && none_by_default) continue;
      parts.push_back(params[i].name + "=" + (node.attrs.has(i) ? attribute(node.attrs.values()[i]) : "None"));
    }
  }

  static std::string constant_bits(const ops::ExprNode& node) {
    return ops::dispatch(node.dtype, [&]<class T>() -> std::string {
      if constexpr (std::is_arithmetic_v<T>) {
        T value;
        std::memcpy(&value, &node.bits, sizeof value);
        if (!beyond_decimals(&value, 1)) return element(value);
      }
      char buffer[24];
      return "0x" + std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, node.bits, 16).ptr);
    });
  }

  static std::string expression(const ops::Expr& expr) {
    std::string text = "expr={";
    for (size_t i = 0; i < expr.nodes.size(); ++i) {
      const ops::ExprNode& node = expr.nodes[i];
      text += "v" + std::to_string(i) + " = " + std::string(info(node.verb).name) + "." + std::string(name(node.dtype));
      for (int k = 0; k < info(node.verb).operands; ++k) text += " v" + std::to_string(node.args[k]);
      if (node.verb == ops::Verb::Const) text += " " + constant_bits(node);
      if (node.verb == ops::Verb::Input || node.verb == ops::Verb::Lookup) text += " " + std::to_string(node.bits);
      text += "; ";
    }
    text += "return";
    for (ops::NodeId id : expr.outputs) text += " v" + std::to_string(id);
    return text + "}";
  }

  std::string callable(const Node& node) const {
    if (node.kind != NodeKind::Apply) return std::string(name(node.kind));
    return (find_kind(node.op->primitive) ? "ops." : "") + std::string(node.op->primitive);
  }

  void print_node(const Graph& graph, const Node& node) {
    const bool hidden = node.kind == NodeKind::State || (node.outputs == 1 && names_[node.output()][0] != '%');
    if (hidden) return;
    std::vector<std::string> parts;
    for (ValueId v : node.inputs) parts.push_back(v == kNoId ? "None" : names_[v]);
    if (!std::holds_alternative<std::monostate>(node.payload)) parts.push_back(payload(node));
    static constexpr const char* roles[][2] = {{"then=@", "else=@"}, {"condition=@", "body=@"}, {"graph=@", ""}};
    for (int i = 0; i < 2; ++i)
      if (node.graphs[i] != kNoId)
        parts.push_back(roles[static_cast<size_t>(node.kind) - static_cast<size_t>(NodeKind::If)][i] +
                        graph_names_[node.graphs[i]]);
    if (node.kind == NodeKind::FusedReduce) parts.push_back("reduce=" + std::string(node.op->primitive));
    if (node.op) add_attributes(node, parts);
    if (node.expr) parts.push_back(expression(*node.expr));

    std::string line = "  ";
    for (size_t i = 0; i < node.outputs; ++i) line += (i ? ", " : "") + names_[node.output(i)];
    line += (node.outputs ? " = " : "") + callable(node) + "(";
    for (size_t i = 0; i < parts.size(); ++i) line += (i ? ", " : "") + parts[i];
    line += ")";
    add_types(graph, node, line);
    add_source(node.source, line);
    out_ += line + "\n";
  }

  void add_source(const Source& source, std::string& line) const {
    if (source.line == 0 || sources_ == Sources::None) return;
    line += "   # " + printable(module_.files[source.file]) + ":" + std::to_string(source.line);
    if (source.path != 0 && sources_ == Sources::Paths) line += " [" + std::to_string(source.path) + "]";
    if (source.name != 0) line += " as " + printable(module_.names[source.name]);
  }

  void add_types(const Graph& graph, const Node& node, std::string& line) const {
    if (node.outputs == 0 || node.kind == NodeKind::UpdateState) return;
    if (line.size() < kTypeColumn) line.append(kTypeColumn - line.size(), ' ');
    line += " :";
    for (size_t i = 0; i < node.outputs; ++i) line += (i ? ", " : " ") + type(graph.type(node.output(i)));
  }

  const Module& module_;
  const bool full_;
  const Sources sources_;
  std::string out_;
  std::vector<std::string> dim_names_, graph_names_, names_;
};

}  // namespace

const NodeKind* find_kind(std::string_view text) {
  static constexpr NodeKind kinds[] = {
#define X(name, ...) NodeKind::name,
      EMBER_NODE_KINDS(X)
#undef X
  };
  for (const NodeKind& kind : kinds)
    if (name(kind) == text) return &kind;
  return nullptr;
}

const ops::Verb* find_verb(std::string_view text) {
  static constexpr ops::Verb verbs[] = {
#define X(name, ...) ops::Verb::name,
      EMBER_VERBS(X)
#undef X
  };
  for (const ops::Verb& verb : verbs)
    if (info(verb).name == text) return &verb;
  return nullptr;
}

std::string print(const Module& module, bool full_constants, Sources sources) {
  return Printer(module, full_constants, sources).run();
}

}  // namespace ember::bytecode
