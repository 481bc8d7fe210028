// Recursive descent over the text form. Only dims nest, and only to a fixed depth. Sizes are checked against what is
// really written before anything is allocated for them.
#include "bytecode/text/syntax.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "bytecode/text/format.h"
#include "ops/tensor/convert.h"

namespace ember::bytecode {

namespace {

constexpr int kDeepestDim = 64;

bool looks_float(const std::string& text) {
  return text.find_first_of(".en") != std::string::npos && text.find('x') == std::string::npos;
}

bool decode_base64(const std::string& text, std::byte* out, size_t size) {
  if (text.size() != (size + 2) / 3 * 4) return false;
  size_t written = 0;
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      uint32_t bits = 0;
      if (c >= 'A' && c <= 'Z')
        bits = static_cast<uint32_t>(c - 'A');
      else if (c >= 'a' && c <= 'z')
        bits = static_cast<uint32_t>(c - 'a' + 26);
      else if (c >= '0' && c <= '9')
        bits = static_cast<uint32_t>(c - '0' + 52);
      else if (c == '+')
        bits = 62;
      else if (c == '/')
        bits = 63;
      else if (c != '=' || i + 4 < text.size() || k < 2)
        return false;
      group = group << 6 | bits;
    }
    for (int shift = 16; shift >= 0 && written < size; shift -= 8) out[written++] = std::byte(group >> shift & 255);
  }
  return written == size;
}

}  // namespace

template <class T>
T SyntaxReader::read_number() {
  const Token token = lexer_.take();
  T value{};
  const char* end = token.text.data() + token.text.size();
  const bool usable = token.kind == Token::Kind::Number || token.kind == Token::Kind::Word;
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (!usable || error != std::errc() || stop != end) lexer_.fail("a number expected instead of '" + token.text + "'");
  return value;
}

double SyntaxReader::read_double() { return read_number<double>(); }

template <class T>
T SyntaxReader::read_element() {
  if constexpr (std::is_same_v<T, bool>) {
    if (lexer_.accept_word("True")) return true;
    if (lexer_.accept_word("False")) return false;
    lexer_.fail("True or False expected");
  } else if constexpr (std::is_arithmetic_v<T>) {
    return read_number<T>();
  } else if constexpr (ops::is_complex_type<T>) {
    lexer_.fail("a complex number is given by its bytes");
  } else {
    return T(read_number<float>());
  }
}

std::vector<GraphText> SyntaxReader::run(std::string* entry) {
  static constexpr std::string_view mark = " IR entry: @";
  std::vector<GraphText> graphs;
  while (true) {
    if (lexer_.peek().kind == Token::Kind::Comment) {
      const std::string comment = lexer_.peek().text;
      if (comment.compare(0, mark.size(), mark) == 0 && entry->empty()) {
        Lexer name(std::string_view(comment).substr(mark.size() - 1));
        if (name.peek().kind == Token::Kind::Graph) *entry = name.peek().text;
      }
      lexer_.skip_comments();
    } else if (lexer_.peek().kind == Token::Kind::End) {
      return graphs;
    } else if (lexer_.peek().kind == Token::Kind::Value) {
      skip_line();
    } else if (lexer_.accept_word("symbols")) {
      read_symbols();
    } else if (lexer_.accept_word("guard")) {
      read_guard();
    } else {
      const bool shared = lexer_.accept_word("shared");
      if (!lexer_.accept_word("subgraph")) lexer_.fail("'subgraph' expected");
      graphs.push_back(read_graph(shared));
    }
  }
}

// What the head tells of a parameter: its graph does so too.
void SyntaxReader::skip_line() {
  const uint32_t line = lexer_.peek().line;
  while (lexer_.peek().kind != Token::Kind::End && lexer_.peek().line == line)
    lexer_.peek().kind == Token::Kind::Comment ? lexer_.skip_comments() : void(lexer_.take());
}

void SyntaxReader::read_symbols() {
  do {
    const std::string name = lexer_.word();
    lexer_.expect("=");
    const bool is_symbol = name == "s" + std::to_string(module_.symbols.symbols());
    const ops::ExprId id = is_symbol ? read_symbol() : read_expr();
    if (!exprs_.emplace(name, id).second) lexer_.fail("'" + name + "' is named twice");
  } while (lexer_.accept(","));
}

ops::ExprId SyntaxReader::read_symbol() {
  if (lexer_.accept_word("Float"))
    return module_.symbols.symbol(ops::ScalarKind::Float, std::bit_cast<int64_t>(read_double()));
  const bool is_bool = lexer_.accept_word("Bool"), is_int = !is_bool && lexer_.accept_word("Int");
  const int64_t hint = read_number<int64_t>();
  if (is_bool && hint != (hint != 0)) lexer_.fail("the hint of a Bool must be 0 or 1");
  if (!is_bool && !is_int && hint < 2) lexer_.fail("the hint of a symbol must be 2 or more");
  return module_.symbols.symbol(is_bool ? ops::ScalarKind::Bool : ops::ScalarKind::Int, hint);
}

void SyntaxReader::read_guard() {
  using ops::SymbolOp;
  struct Relation {
    const char* text;
    SymbolOp op;
    bool outcome;
  };
  static constexpr Relation relations[] = {{"==", SymbolOp::Equal, true},     {"!=", SymbolOp::Equal, false},
                                           {"<=", SymbolOp::LessEqual, true}, {"<", SymbolOp::Less, true},
                                           {">=", SymbolOp::Less, false},     {">", SymbolOp::LessEqual, false}};
  const bool negated = lexer_.accept_word("not");
  const ops::ExprId a = read_expr();
  for (const Relation& relation : relations) {
    if (!lexer_.accept(relation.text)) continue;
    const ops::ExprId condition = binary(relation.op, a, read_expr());
    return module_.symbols.require(condition, relation.outcome != negated);
  }
  if (module_.symbols.exprs()[a].kind != ops::ScalarKind::Bool) lexer_.fail("a relation expected");
  module_.symbols.require(a, !negated);
}

GraphText SyntaxReader::read_graph(bool shared) {
  GraphText graph;
  graph.shared = shared;
  graph.line = lexer_.peek().line;
  const Token name = lexer_.take();
  if (name.kind != Token::Kind::Graph) lexer_.fail("the name of a graph expected");
  graph.name = name.text;
  lexer_.expect("(");
  while (!lexer_.accept(")")) {
    if (!graph.params.empty()) lexer_.expect(",");
    const Token param = lexer_.take();
    if (param.kind != Token::Kind::Value) lexer_.fail("the name of a parameter expected");
    lexer_.expect(":");
    graph.params.emplace_back(param.text, read_type());
  }
  lexer_.expect("{");
  while (!lexer_.accept_word("Return")) graph.body.push_back(read_statement());
  lexer_.expect("(");
  while (!lexer_.accept(")")) {
    if (!graph.results.empty()) lexer_.expect(",");
    graph.results.push_back(read_operand());
  }
  lexer_.expect("}");
  return graph;
}

Statement SyntaxReader::read_statement() {
  Statement s;
  lexer_.skip_comments();
  s.line = lexer_.peek().line;
  if (lexer_.peek().kind == Token::Kind::Value) {
    do {
      const Token output = lexer_.take();
      if (output.kind != Token::Kind::Value) lexer_.fail("the name of a result expected");
      s.outputs.push_back(output.text);
    } while (lexer_.accept(","));
    lexer_.expect("=");
  }
  read_callee(s);
  lexer_.expect("(");
  if (s.node.kind == NodeKind::Size) {
    const ops::ExprId id = read_expr();
    const ops::SymbolExpr& e = module_.symbols.exprs()[id];
    s.node.payload = e.kind == ops::ScalarKind::Int ? dim_of(module_.symbols, id) : ops::Dim(e.hint, id);
    lexer_.expect(")");
  } else {
    for (bool first = true; !lexer_.accept(")"); first = false) {
      if (!first) lexer_.expect(",");
      read_argument(s);
    }
  }
  if (s.node.kind == NodeKind::Constant || s.node.kind == NodeKind::Scalar) {
    if (s.operands.size() != 1 || s.operands[0].kind != Operand::Kind::Inline) lexer_.fail("one constant expected");
    s.node.payload = std::move(s.operands[0].payload);
    s.operands.clear();
  }
  if (lexer_.peek().is(":")) {
    lexer_.expect(":");
    do s.types.push_back(read_type());
    while (lexer_.peek().is(",") && lexer_.accept(","));
  }
  read_source(s);
  return s;
}

void SyntaxReader::read_callee(Statement& s) {
  std::string name = lexer_.word();
  const NodeKind* kind = find_kind(name);
  if (kind && *kind != NodeKind::Apply && *kind != NodeKind::State) {
    s.node.kind = *kind;
    return;
  }
  if (name.compare(0, 4, "ops.") == 0) name.erase(0, 4);
  s.node.op = ops::find_op(name);
  if (!s.node.op) lexer_.fail("there is no op '" + name + "'");
  for (const ops::Param& param : s.node.op->signature.params)
    s.node.attrs.set(s.node.attrs.values().size(), is_operand(param.kind) ? ops::Attr() : param.default_value);
}

void SyntaxReader::read_argument(Statement& s) {
  lexer_.skip_comments();
  if (lexer_.peek().kind != Token::Kind::Word) {
    s.operands.push_back(read_operand());
    return;
  }
  const std::string word = lexer_.word();
  if (lexer_.accept("="))
    read_keyword(s, word);
  else
    s.operands.push_back(word_operand(word));
}

void SyntaxReader::read_keyword(Statement& s, const std::string& key) {
  static constexpr const char* roles[][2] = {{"then", "else"}, {"condition", "body"}, {"graph", ""}};
  const NodeKind kind = s.node.kind;
  if (kind >= NodeKind::If && kind <= NodeKind::Call) {
    const auto& names = roles[static_cast<size_t>(kind) - static_cast<size_t>(NodeKind::If)];
    if (key != names[0] && key != names[1]) lexer_.fail("unknown key '" + key + "'");
    const Token graph = lexer_.take();
    if (graph.kind != Token::Kind::Graph) lexer_.fail("the name of a graph expected");
    s.graphs[key == names[0] ? 0 : 1] = graph.text;
  } else if (kind == NodeKind::FusedReduce && key == "reduce" && !s.node.op) {
    read_callee(s);
    s.node.kind = NodeKind::FusedReduce;
  } else if ((kind == NodeKind::Fused || kind == NodeKind::FusedReduce) && key == "expr") {
    s.node.expr = std::make_shared<const ops::Expr>(read_expression());
  } else if (s.node.op) {
    read_attribute(s, key);
  } else {
    lexer_.fail("unknown key '" + key + "'");
  }
}

void SyntaxReader::read_attribute(Statement& s, const std::string& key) {
  const auto& params = s.node.op->signature.params;
  for (size_t i = 0; i < params.size(); ++i)
    if (params[i].name == key && !is_operand(params[i].kind)) return s.node.attrs.set(i, read_attr(params[i]));
  lexer_.fail("'" + std::string(s.node.op->primitive) + "' has no attribute '" + key + "'");
}

void SyntaxReader::read_source(Statement& s) {
  const std::string comment = lexer_.trailing_comment();
  const size_t colon = comment.rfind(':');
  const size_t start = comment.find_first_not_of(' ');
  if (colon == std::string::npos || start >= colon) return;
  uint32_t line = 0, path = 0;
  const char* end = comment.data() + comment.size();
  auto [stop, error] = std::from_chars(comment.data() + colon + 1, end, line);
  if (error == std::errc() && std::string_view(stop, end).starts_with(" [")) {
    const auto [closing, wrong] = std::from_chars(stop + 2, end, path);
    if (wrong != std::errc() || closing == end || *closing != ']') return;
    stop = closing + 1;
  }
  constexpr std::string_view kAs = " as ";
  const std::string_view rest(stop, static_cast<size_t>(end - stop));
  if (error != std::errc() || (!rest.empty() && !rest.starts_with(kAs))) return;
  const auto index = [](auto& known, std::vector<std::string>& all, std::string text) {
    const auto [at, fresh] = known.emplace(text, static_cast<uint32_t>(all.size()));
    if (fresh) all.push_back(std::move(text));
    return at->second;
  };
  s.node.source = {index(files_, module_.files, comment.substr(start, colon - start)), line, 0, path};
  if (!rest.empty()) s.node.source.name = index(names_, module_.names, std::string(rest.substr(kAs.size())));
}

Operand SyntaxReader::read_operand() {
  lexer_.skip_comments();
  const Token::Kind kind = lexer_.peek().kind;
  if (kind == Token::Kind::Word) return word_operand(lexer_.word());
  Operand operand;
  if (kind == Token::Kind::Value) {
    operand.name = lexer_.take().text;
    return operand;
  }
  operand.kind = Operand::Kind::Inline;
  if (looks_float(lexer_.peek().text))
    operand.payload = read_double();
  else
    operand.payload = read_number<int64_t>();
  return operand;
}

Operand SyntaxReader::word_operand(const std::string& word) {
  Operand operand;
  if (word == "None") {
    operand.kind = Operand::Kind::None;
  } else if (word == "U") {
    operand.kind = Operand::Kind::State;
  } else {
    operand.kind = Operand::Kind::Inline;
    if (word == "True" || word == "False")
      operand.payload = word == "True";
    else if (word == "inf")
      operand.payload = std::numeric_limits<double>::infinity();
    else if (word == "nan")
      operand.payload = std::numeric_limits<double>::quiet_NaN();
    else if (word == "Tensor")
      operand.payload = read_tensor();
    else
      lexer_.fail("unknown operand '" + word + "'");
  }
  return operand;
}

ops::Attr SyntaxReader::read_attr(const ops::Param& param) {
  if (lexer_.accept_word("None")) return {};
  switch (param.kind) {
    case ops::ParamKind::Int:
      return read_dim();
    case ops::ParamKind::Float:
      return read_double();
    case ops::ParamKind::Bool:
      return read_element<bool>();
    case ops::ParamKind::Str: {
      const Token token = lexer_.take();
      if (token.kind != Token::Kind::String) lexer_.fail("a string expected");
      return token.text;
    }
    case ops::ParamKind::DType:
      return read_dtype();
    default:
      if (lexer_.peek().is("(")) return read_dims();
      return ops::Ints{read_dim()};
  }
}

ops::DType SyntaxReader::read_dtype() {
  ops::DType dtype;
  const std::string word = lexer_.word();
  if (!ops::parse_dtype(word, &dtype)) lexer_.fail("there is no dtype '" + word + "'");
  return dtype;
}

Type SyntaxReader::read_number_type(ops::Kind kind) {
  if (!lexer_.accept("(")) return Type::scalar(kind);
  const ops::ExprId id = read_expr();
  lexer_.expect(")");
  if (module_.symbols.exprs()[id].kind != ops::scalar_kind(kind)) lexer_.fail("a number of another kind");
  return Type::scalar(kind, id);
}

Type SyntaxReader::read_type() {
  const std::string word = lexer_.word();
  if (word == "Bool") return read_number_type(ops::Kind::Bool);
  if (word == "Int") return read_number_type(ops::Kind::Int);
  if (word == "Float") return read_number_type(ops::Kind::Float);
  if (word == "Token") return Type::token();
  if (word == "Stack") return Type::stack();
  if (word != "Tensor" && word != "Ref") lexer_.fail("there is no type '" + word + "'");
  lexer_.expect("[");
  Type type = Type::tensor(read_dtype(), {});
  lexer_.expect("]");
  if (word == "Ref") type.kind = ops::Kind::Ref;
  for (ops::Dim d : read_dims()) {
    if (d.hint() < 0) lexer_.fail("a negative dim");
    type.dims.push_back(d);
  }
  return type;
}

ops::Dim SyntaxReader::read_dim() {
  const ops::ExprId id = read_expr();
  if (module_.symbols.exprs()[id].kind != ops::ScalarKind::Int) lexer_.fail("a size that is no Int");
  return dim_of(module_.symbols, id);
}

ops::ExprId SyntaxReader::binary(ops::SymbolOp op, ops::ExprId a, ops::ExprId b) {
  const auto& exprs = module_.symbols.exprs();
  if (exprs[a].kind != exprs[b].kind || !takes(op, exprs[a].kind))
    lexer_.fail("an operation on numbers of kinds that it does not take");
  return module_.symbols.binary(op, a, b);
}

ops::ExprId SyntaxReader::read_call(const std::string& name, int depth) {
  static constexpr std::pair<const char*, ops::SymbolOp> functions[] = {
      {"min", ops::SymbolOp::Min},  {"max", ops::SymbolOp::Max},   {"neg", ops::SymbolOp::Neg},
      {"not", ops::SymbolOp::Not},  {"int", ops::SymbolOp::ToInt}, {"float", ops::SymbolOp::ToFloat},
      {"bits", ops::SymbolOp::Bits}};
  for (const auto& [function, op] : functions) {
    if (name != function) continue;
    const ops::ExprId a = read_expr(depth + 1);
    const bool two = op == ops::SymbolOp::Min || op == ops::SymbolOp::Max;
    if (two) lexer_.expect(",");
    const ops::ExprId b = two ? read_expr(depth + 1) : a;
    lexer_.expect(")");
    return binary(op, a, b);
  }
  lexer_.fail("'" + name + "' is no function of numbers that a text can hold");
}

ops::ExprId SyntaxReader::read_leaf(int depth) {
  if (lexer_.peek().kind != Token::Kind::Word) {
    if (looks_float(lexer_.peek().text))
      return module_.symbols.constant(ops::ScalarKind::Float, std::bit_cast<int64_t>(read_double()));
    return module_.symbols.constant(read_number<int64_t>());
  }
  const std::string word = lexer_.word();
  if (lexer_.accept("(")) return read_call(word, depth);
  if (word == "True" || word == "False") return module_.symbols.constant(ops::ScalarKind::Bool, word == "True");
  const auto known = exprs_.find(word);
  if (known == exprs_.end()) lexer_.fail("an unknown dim");
  return known->second;
}

ops::ExprId SyntaxReader::read_expr(int depth) {
  if (depth > kDeepestDim) lexer_.fail("a dim nests too deeply");
  if (!lexer_.accept("(")) return read_leaf(depth);
  static constexpr std::pair<const char*, ops::SymbolOp> signs[] = {
      {"+", ops::SymbolOp::Add},  {"-", ops::SymbolOp::Sub},   {"*", ops::SymbolOp::Mul},
      {"/", ops::SymbolOp::Div},  {"%", ops::SymbolOp::Mod},   {"<=", ops::SymbolOp::LessEqual},
      {"<", ops::SymbolOp::Less}, {"==", ops::SymbolOp::Equal}};
  const ops::ExprId a = read_expr(depth + 1);
  const std::string sign = lexer_.take().text;
  const ops::ExprId b = read_expr(depth + 1);
  lexer_.expect(")");
  for (const auto& [text, op] : signs)
    if (sign == text) return binary(op, a, b);
  lexer_.fail("unknown operation '" + sign + "'");
}

ops::Ints SyntaxReader::read_dims() {
  ops::Ints dims;
  lexer_.expect("(");
  while (!lexer_.accept(")")) {
    dims.push_back(read_dim());
    if (!lexer_.accept(",") && !lexer_.peek().is(")")) lexer_.fail("',' or ')' expected");
  }
  return dims;
}

uint16_t SyntaxReader::read_node_id() {
  const std::string word = lexer_.word();
  uint16_t id = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data() + 1, end, id);
  if (word[0] != 'v' || error != std::errc() || stop != end) lexer_.fail("a node of the expression expected");
  return id;
}

ops::Expr SyntaxReader::read_expression() {
  ops::Expr expr;
  lexer_.expect("{");
  while (!lexer_.accept_word("return")) {
    if (read_node_id() != expr.nodes.size()) lexer_.fail("nodes of an expression are numbered in order");
    lexer_.expect("=");
    expr.nodes.push_back(read_expr_node());
    if (expr.nodes.back().verb == ops::Verb::Input)
      expr.inputs = std::max(expr.inputs, static_cast<uint16_t>(expr.nodes.back().bits + 1));
    lexer_.expect(";");
  }
  while (!lexer_.accept("}")) expr.outputs.push_back(read_node_id());
  return expr;
}

ops::ExprNode SyntaxReader::read_expr_node() {
  ops::ExprNode node;
  const std::string word = lexer_.word();
  const size_t dot = std::min(word.find('.'), word.size() - 1);
  const ops::Verb* verb = find_verb(std::string_view(word).substr(0, dot));
  if (!verb || !ops::parse_dtype(std::string_view(word).substr(dot + 1), &node.dtype))
    lexer_.fail("there is no verb '" + word + "'");
  node.verb = *verb;
  for (int k = 0; k < info(*verb).operands; ++k) node.args[k] = read_node_id();
  if (*verb == ops::Verb::Input || *verb == ops::Verb::Lookup) node.bits = read_number<uint16_t>();
  if (*verb != ops::Verb::Const) return node;
  const std::string text = lexer_.peek().text;
  if (text.compare(0, 2, "0x") == 0) {
    lexer_.take();
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 2, end, node.bits, 16);
    if (error != std::errc() || stop != end) lexer_.fail("malformed bits");
    return node;
  }
  ops::dispatch(node.dtype, [&]<class T>() {
    if constexpr (ops::is_complex_type<T>) {
      lexer_.fail("there are no complex constants here");
    } else {
      const T value = read_element<T>();
      std::memcpy(&node.bits, &value, sizeof value);
    }
  });
  return node;
}

ops::Shape SyntaxReader::read_shape() {
  ops::Shape shape;
  lexer_.expect("[");
  while (!lexer_.accept("]")) {
    shape.push_back(read_number<int64_t>());
    if (!lexer_.accept(",") && !lexer_.peek().is("]")) lexer_.fail("',' or ']' expected");
  }
  return shape;
}

// Tensor(shape=[2], dtype=Float32, value=[1, 2]); the word is taken already.
ops::Tensor SyntaxReader::read_tensor() {
  const auto key = [&](const char* name) {
    if (!lexer_.accept_word(name)) lexer_.fail("'" + std::string(name) + "' expected");
    lexer_.expect("=");
  };
  lexer_.expect("(");
  key("shape");
  const ops::LayoutRef shape = ops::layout(ops::DType::Bool, read_shape());
  lexer_.expect(",");
  key("dtype");
  const ops::LayoutRef layout = ops::layout(read_dtype(), shape->shape);
  lexer_.expect(",");
  if (lexer_.accept_word("elided")) lexer_.fail("a constant whose elements were left out");
  ops::Tensor tensor;
  if (lexer_.accept_word("data")) {
    lexer_.expect("=");
    const Token data = lexer_.take();
    if (data.kind != Token::Kind::String || data.text.size() / 4 < layout->bytes() / 3)
      lexer_.fail("the data of a constant has another size");
    tensor = ops::Tensor::empty(layout);
    if (!decode_base64(data.text, static_cast<std::byte*>(tensor.data()), layout->bytes()))
      lexer_.fail("malformed data");
  } else {
    key("value");
    ops::dispatch(layout->dtype, [&]<class T>() {
      std::vector<T> items;
      const bool list = lexer_.accept("[");
      while (list ? !lexer_.accept("]") : items.empty()) {
        items.push_back(read_element<T>());
        if (list && !lexer_.accept(",") && !lexer_.peek().is("]")) lexer_.fail("',' or ']' expected");
      }
      if (static_cast<int64_t>(items.size()) != layout->numel) lexer_.fail("a constant has another number of elements");
      tensor = ops::Tensor::empty(layout);
      std::copy(items.begin(), items.end(), static_cast<T*>(tensor.data()));
    });
  }
  lexer_.expect(")");
  return tensor;
}

}  // namespace ember::bytecode
