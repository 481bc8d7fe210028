// Parses "input: tensor, axis: ints? = None, keepdims: bool = False -> tensor" (ops/table/op.h) and fills in
// attributes. A malformed signature is a mistake of this program, so it is a logic_error; wrong attributes are the
// caller's, so they are OpErrors.
#include <cctype>
#include <charconv>
#include <set>

#include "ops/table/op.h"

namespace ember::ops {
namespace {

constexpr std::pair<std::string_view, ParamKind> kKinds[] = {
    {"tensor", ParamKind::Tensor}, {"tensors", ParamKind::Tensors}, {"number", ParamKind::Number},
    {"ref", ParamKind::Ref},       {"random", ParamKind::Random},   {"int", ParamKind::Int},
    {"float", ParamKind::Float},   {"bool", ParamKind::Bool},       {"str", ParamKind::Str},
    {"dtype", ParamKind::DType},   {"ints", ParamKind::Ints},
};

std::string_view name(ParamKind kind) { return kKinds[static_cast<size_t>(kind)].first; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Signature parse() {
    Signature signature;
    while (!at("->")) {
      if (!signature.params.empty()) expect(",");
      signature.params.push_back(param());
    }
    expect("->");
    signature.results = results();
    skip();
    if (at_ != text_.size()) fail("unexpected text");
    check(signature);
    return signature;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("signature '" + std::string(text_) + "', at " + std::to_string(at_) + ": " + what);
  }

  void check(const Signature& signature) const {
    bool defaulted = false;
    std::set<std::string> names;
    for (const Param& p : signature.params) {
      if (!names.insert(p.name).second) fail("'" + p.name + "' twice");
      if (p.kind == ParamKind::Random) continue;
      if (defaulted && !p.has_default) fail("'" + p.name + "' needs a default, since one before it has one");
      defaulted = p.has_default;
    }
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at(std::string_view token) {
    skip();
    return text_.substr(at_, token.size()) == token;
  }
  bool take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail("expected '" + std::string(token) + "'");
  }

  std::string_view word() {
    skip();
    size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (start == at_) fail("expected a name");
    return text_.substr(start, at_ - start);
  }

  Param param() {
    Param p;
    p.name = word();
    expect(":");
    std::string_view kind = word();
    bool known = false;
    for (const auto& [text, value] : kKinds) {
      if (text != kind) continue;
      p.kind = value;
      known = true;
    }
    if (!known) fail("unknown kind '" + std::string(kind) + "'");
    p.optional = take("?");
    p.has_default = take("=");
    if (p.has_default) p.default_value = value(p);
    return p;
  }

  Attr value(const Param& p) {
    if (take("None")) {
      if (!p.optional) fail("None for '" + p.name + "', which is not optional");
      return {};
    }
    switch (p.kind) {
      case ParamKind::Bool:
        if (take("True")) return true;
        if (take("False")) return false;
        break;
      case ParamKind::Int:
        return static_cast<int64_t>(number(true));
      case ParamKind::Float:
      case ParamKind::Number:
        return number(false);
      case ParamKind::Str:
        return quoted();
      case ParamKind::DType:
        if (DType dtype; parse_dtype(word(), &dtype)) return dtype;
        break;
      case ParamKind::Ints:
        return ints();
      default:
        break;
    }
    fail("this default does not fit '" + p.name + "'");
  }

  double number(bool whole) {
    skip();
    double value = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected a number");
    if (whole && value != static_cast<double>(static_cast<int64_t>(value))) fail("expected a whole number");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  std::string quoted() {
    skip();
    char quote = at_ < text_.size() ? text_[at_] : ' ';
    size_t end = text_.find(quote, at_ + 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) fail("expected a quoted text");
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  Ints ints() {
    if (!take("(")) return {Dim(static_cast<int64_t>(number(true)))};
    Ints values;
    while (!take(")")) {
      values.push_back(static_cast<int64_t>(number(true)));
      if (!at(")")) expect(",");
    }
    return values;
  }

  int results() {
    if (take("none")) return 0;
    if (take("tensors")) return -1;
    int count = 0;
    do {
      if (word() != "tensor") fail("a result is 'tensor', 'tensors' or 'none'");
      ++count;
    } while (take(","));
    return count;
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool fits(const Param& p, const Attr& attr) {
  switch (p.kind) {
    case ParamKind::Int:
      return std::holds_alternative<Dim>(attr);
    case ParamKind::Float:
      return std::holds_alternative<double>(attr) || std::holds_alternative<SymbolicFloat>(attr);
    case ParamKind::Bool:
      return std::holds_alternative<bool>(attr);
    case ParamKind::Str:
      return std::holds_alternative<std::string>(attr);
    case ParamKind::DType:
      return std::holds_alternative<DType>(attr);
    default:
      return std::holds_alternative<Ints>(attr);
  }
}

Attr coerce(const Op& op, const Param& p, const Attr& attr) {
  if (std::holds_alternative<std::monostate>(attr) && p.optional) return attr;
  if (const Dim* whole = std::get_if<Dim>(&attr)) {
    if (p.kind == ParamKind::Float) return static_cast<double>(pinned(*whole));
    if (p.kind == ParamKind::Ints) return Ints{*whole};
  }
  if (!fits(p, attr)) {
    type_error("For '" + std::string(op.name) + "', '" + p.name + "' must be of type " + std::string(name(p.kind)) +
               (p.optional ? " or None." : "."));
  }
  return attr;
}

}  // namespace

Signature parse_signature(std::string_view text) { return Parser(text).parse(); }

Attrs make_attrs(const Op& op, const std::vector<std::pair<std::string_view, Attr>>& named) {
  const std::vector<Param>& params = op.signature.params;
  for (const auto& entry : named) {
    bool known = std::any_of(params.begin(), params.end(),
                             [&](const Param& p) { return p.name == entry.first && !is_operand(p.kind); });
    if (!known)
      type_error("For '" + std::string(op.name) + "', there is no attribute '" + std::string(entry.first) + "'.");
  }
  std::vector<Attr> values(params.size());
  for (size_t i = 0; i < params.size(); ++i) {
    const Param& p = params[i];
    if (is_operand(p.kind)) continue;
    auto attribute = std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == p.name; });
    if (attribute != named.end()) {
      values[i] = coerce(op, p, attribute->second);
    } else if (p.has_default) {
      values[i] = p.default_value;
    } else {
      type_error("For '" + std::string(op.name) + "', '" + p.name + "' is missing.");
    }
  }
  return Attrs(std::move(values));
}

}  // namespace ember::ops
