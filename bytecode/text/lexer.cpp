// Splits text into tokens, one ahead of the parser. Anything unknown is an error with its line.
#include "bytecode/text/lexer.h"

#include <cctype>

#include "bytecode/text/format.h"

namespace ember::bytecode {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return name_letter(c) && !digit(c) && c != '.'; }

int hex_digit(char c) {
  if (digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void Lexer::fail(const std::string& message) const {
  throw ParseError("line " + std::to_string(token_.line) + ": " + message);
}

Token Lexer::take() {
  skip_comments();
  Token token = std::move(token_);
  last_line_ = token.line;
  advance();
  return token;
}

void Lexer::skip_comments() {
  while (token_.kind == Token::Kind::Comment) advance();
}

bool Lexer::accept(std::string_view punct) {
  skip_comments();
  if (!token_.is(punct)) return false;
  take();
  return true;
}

void Lexer::expect(std::string_view punct) {
  if (!accept(punct)) fail("'" + std::string(punct) + "' expected");
}

bool Lexer::accept_word(std::string_view word) {
  skip_comments();
  if (token_.kind != Token::Kind::Word || token_.text != word) return false;
  take();
  return true;
}

std::string Lexer::word() {
  skip_comments();
  if (token_.kind != Token::Kind::Word) fail("a name expected");
  return take().text;
}

std::string Lexer::trailing_comment() {
  if (token_.kind != Token::Kind::Comment || token_.line != last_line_) return "";
  std::string text = std::move(token_.text);
  advance();
  return text;
}

void Lexer::advance() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  token_ = Token{Token::Kind::End, "", line_};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  const size_t start = at_;
  if (c == '#') {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    token_.kind = Token::Kind::Comment;
    token_.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
  } else if (letter(c)) {
    while (at_ < text_.size() && name_letter(text_[at_])) ++at_;
    token_.kind = Token::Kind::Word;
    token_.text = text_.substr(start, at_ - start);
  } else if (digit(c) || (c == '-' && name_letter(next))) {
    for (++at_; at_ < text_.size(); ++at_) {
      const bool exponent = text_[at_ - 1] == 'e' && (text_[at_] == '+' || text_[at_] == '-');
      if (!name_letter(text_[at_]) && !exponent) break;
    }
    token_.kind = Token::Kind::Number;
    token_.text = text_.substr(start, at_ - start);
  } else if (c == '"') {
    token_.kind = Token::Kind::String;
    token_.text = string();
  } else if ((c == '%' || c == '@') && (name_letter(next) || next == '"')) {
    token_.kind = c == '%' ? Token::Kind::Value : Token::Kind::Graph;
    ++at_;
    token_.text = name();
  } else {
    punctuation();
  }
}

std::string Lexer::name() {
  const size_t start = at_;
  while (at_ < text_.size() && name_letter(text_[at_])) ++at_;
  std::string text(text_.substr(start, at_ - start));
  if (at_ < text_.size() && text_[at_] == '"') text += string();
  return text;
}

std::string Lexer::string() {
  std::string text;
  for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
    if (text_[at_] != '\\') {
      text += text_[at_];
      continue;
    }
    const char escape = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    if (escape == 'x' && at_ + 3 < text_.size()) {
      const int high = hex_digit(text_[at_ + 2]), low = hex_digit(text_[at_ + 3]);
      if (high < 0 || low < 0) fail("a malformed escape");
      text += static_cast<char>(high * 16 + low);
      at_ += 3;
    } else if (escape == '"' || escape == '\\') {
      text += escape;
      ++at_;
    } else {
      fail("an unknown escape");
    }
  }
  if (at_ >= text_.size() || text_[at_] != '"') fail("a string without end");
  ++at_;
  return text;
}

void Lexer::punctuation() {
  static constexpr std::string_view marks[] = {"==", "!=", ">=", "<=", "(", ")", "[", "]", "{", "}", ",",
                                               ":",  ";",  "=",  "<",  ">", "+", "-", "*", "/", "%"};
  for (std::string_view mark : marks) {
    if (text_.substr(at_, mark.size()) != mark) continue;
    token_.kind = Token::Kind::Punct;
    token_.text = mark;
    at_ += mark.size();
    return;
  }
  fail("an unexpected character");
}

}  // namespace ember::bytecode
