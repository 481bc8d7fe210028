// The syntax tree of the text form: graphs, statements and operands by name. syntax.cpp reads text into
// these, parse.cpp makes a module of them.
#pragma once

#include <unordered_map>

#include "bytecode/text/lexer.h"

namespace ember::bytecode {

struct Operand {
  enum class Kind { Value, None, State, Inline } kind = Kind::Value;
  std::string name;
  decltype(Node::payload) payload;  // of an Inline
};

struct Statement {
  uint32_t line = 0;
  std::vector<std::string> outputs;
  Node node;  // without inputs and graphs
  std::vector<Operand> operands;
  std::string graphs[2];
  Types types;  // as declared
};

struct GraphText {
  uint32_t line = 0;
  std::string name;
  bool shared = false;
  std::vector<std::pair<std::string, Type>> params;
  std::vector<Statement> body;
  std::vector<Operand> results;
};

class SyntaxReader {
 public:
  SyntaxReader(std::string_view text, Module& module) : lexer_(text), module_(module) {}
  std::vector<GraphText> run(std::string* entry);
  uint32_t line() const { return lexer_.peek().line; }

 private:
  void skip_line();
  void read_symbols();
  void read_guard();
  GraphText read_graph(bool shared);
  Statement read_statement();
  void read_callee(Statement& s);
  void read_argument(Statement& s);
  void read_keyword(Statement& s, const std::string& key);
  void read_attribute(Statement& s, const std::string& key);
  void read_source(Statement& s);
  Operand read_operand();
  Operand word_operand(const std::string& word);
  ops::Attr read_attr(const ops::Param& param);
  Type read_type();
  Type read_number_type(ops::Kind kind);
  ops::Dim read_dim();
  ops::ExprId read_symbol();
  ops::ExprId read_expr(int depth = 0);
  ops::ExprId read_leaf(int depth);
  ops::ExprId read_call(const std::string& name, int depth);
  ops::ExprId binary(ops::SymbolOp op, ops::ExprId a, ops::ExprId b);
  ops::Ints read_dims();
  ops::Expr read_expression();
  ops::ExprNode read_expr_node();
  uint16_t read_node_id();
  ops::DType read_dtype();
  ops::Tensor read_tensor();
  ops::Shape read_shape();
  template <class T>
  T read_element();
  template <class T>
  T read_number();
  double read_double();

  Lexer lexer_;
  Module& module_;
  std::unordered_map<std::string, ops::ExprId> exprs_;
  std::unordered_map<std::string, uint32_t> files_;
  std::unordered_map<std::string, uint32_t> names_ = {{"", 0}};
};

}  // namespace ember::bytecode
