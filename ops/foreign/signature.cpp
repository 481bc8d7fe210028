#include "ops/foreign/signature.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "ops/table/movement.h"

namespace ember::ops {
namespace {

class SignatureParser {
 public:
  explicit SignatureParser(const std::string& text) : text_(text) {}

  ForeignSignature parse() {
    constexpr std::string_view kAot = "aot ";
    out_.aot = text_.starts_with(kAot);
    if (out_.aot) at_ = kAot.size();
    if (!at("->")) out_.operands = values(true);
    if (!take("->")) fail("expected '->'");
    skip();
    if (at_ != text_.size()) out_.results = values(false);
    for (const std::string& loop : out_.loops)
      if (std::ranges::count(out_.names, loop)) fail("'" + loop + "' is a size and a loop");
    if (at_ != text_.size()) fail("unexpected text");
    for (const ForeignValue& v : out_.results) {
      if (v.by_value && out_.results.size() > 1) fail("a result by value must be the only one");
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    value_error(about(kForeignCall) + "in signature '" + text_ + "' at " + std::to_string(at_) + ": " + what + ".");
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at(std::string_view token) {
    skip();
    return std::string_view(text_).substr(at_).starts_with(token);
  }
  bool take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string word() {
    skip();
    size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (at_ == start) fail("expected a name or a number");
    return text_.substr(start, at_ - start);
  }

  std::vector<ForeignValue> values(bool binds) {
    std::vector<ForeignValue> out;
    do {
      out.push_back(value(binds));
    } while (take(","));
    return out;
  }

  ForeignValue value(bool binds) {
    ForeignValue out;
    std::string dtype = word();
    if (!parse_dtype(dtype, &out.dtype)) fail("unknown dtype '" + dtype + "'");
    if (binds && take("{")) out.loops = loops();
    if (!take("[")) {
      if (out_.aot) fail("'aot' has pointers alone");
      if (!ffi_type_of(out.dtype)) fail(dtype + " cannot be passed by value");
      return out;
    }
    out.by_value = false;
    while (!take("]")) {
      out.sizes.push_back(size(binds));
      if (!at("]") && !take(",")) fail("expected ',' or ']'");
    }
    if (out.sizes.size() + out.loops.size() > kMaxRank) fail("more than 8 dimensions");
    return out;
  }

  std::vector<size_t> loops() {
    std::vector<size_t> out;
    while (!take("}")) {
      const std::string name = word();
      const size_t loop = position(out_.loops, name);
      if (std::ranges::count(out, loop)) fail("'" + name + "' twice");
      out.push_back(loop);
      if (!at("}") && !take(",")) fail("expected ',' or '}'");
    }
    return out;
  }

  static size_t position(std::vector<std::string>& names, const std::string& name) {
    const auto it = std::ranges::find(names, name);
    if (it != names.end()) return static_cast<size_t>(it - names.begin());
    names.push_back(name);
    return names.size() - 1;
  }

  std::variant<int64_t, size_t> size(bool binds) {
    std::string text = word();
    if (std::isdigit(static_cast<unsigned char>(text[0]))) {
      int64_t number = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size()) fail("'" + text + "' is no size");
      return number;
    }
    if (!binds && !std::ranges::count(out_.names, text)) fail("no operand has the size '" + text + "'");
    return position(out_.names, text);
  }

  const std::string& text_;
  size_t at_ = 0;
  ForeignSignature out_;
};

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string text_of(const ForeignSignature& s, const ForeignValue& v) {
  std::string out(name(v.dtype));
  std::vector<std::string> loops, sizes;
  for (const size_t loop : v.loops) loops.push_back(s.loops[loop]);
  if (!loops.empty()) out += "{" + joined(loops) + "}";
  if (v.by_value) return out;
  for (const auto& size : v.sizes) {
    const size_t* named = std::get_if<size_t>(&size);
    sizes.push_back(named ? s.names[*named] : std::to_string(std::get<int64_t>(size)));
  }
  return out + "[" + joined(sizes) + "]";
}

}  // namespace

ffi_type* ffi_type_of(DType dtype) {
  switch (dtype) {
    case DType::Bool:
    case DType::UInt8:
      return &ffi_type_uint8;
    case DType::Int8:
      return &ffi_type_sint8;
    case DType::Int16:
      return &ffi_type_sint16;
    case DType::Int32:
      return &ffi_type_sint32;
    case DType::Int64:
      return &ffi_type_sint64;
    case DType::UInt16:
      return &ffi_type_uint16;
    case DType::UInt32:
      return &ffi_type_uint32;
    case DType::UInt64:
      return &ffi_type_uint64;
    case DType::Float32:
      return &ffi_type_float;
    case DType::Float64:
      return &ffi_type_double;
    default:
      return nullptr;
  }
}

ForeignSignature parse_foreign_signature(const std::string& text) { return SignatureParser(text).parse(); }

std::string to_string(const ForeignSignature& s) {
  std::vector<std::string> operands, results;
  for (const ForeignValue& v : s.operands) operands.push_back(text_of(s, v));
  for (const ForeignValue& v : s.results) results.push_back(text_of(s, v));
  return (s.aot ? "aot " : "") + joined(operands) + " -> " + joined(results);
}

}  // namespace ember::ops
