// Tokens of the text form. Comments are tokens too, since one at the end of a line names the node's source.
#pragma once

#include <string>
#include <string_view>

#include "bytecode/text/text.h"

namespace ember::bytecode {

struct Token {
  enum class Kind { End, Word, Number, String, Value, Graph, Punct, Comment } kind = Kind::End;
  std::string text;  // of a Value without %, of a Graph without @, of a String unescaped
  uint32_t line = 1;
  bool is(std::string_view punct) const { return kind == Kind::Punct && text == punct; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& peek() const { return token_; }
  void skip_comments();
  Token take();  // skips a comment before it
  bool accept(std::string_view punct);
  void expect(std::string_view punct);
  bool accept_word(std::string_view word);
  std::string word();
  // The comment at the end of the line where the last token was, or nothing.
  std::string trailing_comment();
  [[noreturn]] void fail(const std::string& message) const;

 private:
  void advance();
  std::string name();
  std::string string();
  void punctuation();

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  uint32_t last_line_ = 1;
  Token token_;
};

}  // namespace ember::bytecode
