// As in CPython a number is written in three parts, sign, digits and the rest, which padding and groups then put apart.
// std::to_chars rounds exact values, half to even, and knows no locale, as CPython's own conversion.
#include "ops/text/python_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ops/text/number_text.h"

namespace ember::ops {
namespace {

constexpr size_t kMaxDigits = 4;  // of a width or precision
constexpr int kDefaultPrecision = 6;

bool is_in(char c, std::string_view set) { return c != 0 && set.find(c) != std::string_view::npos; }
bool is_of_float(char type) { return is_in(type, "eEfFgG%"); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t code_point_bytes(std::string_view text) {
  size_t n = 1;
  while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) ++n;
  return n;
}

class SpecParser {
 public:
  explicit SpecParser(std::string_view text) : text_(text) {}

  std::optional<FormatSpec> parse() {
    spec_.empty = text_.empty();
    const bool of_text = text_.ends_with('s');
    const bool has_align = take_align(of_text);
    if (is_in(peek(), "+- ")) spec_.sign = take(), signed_ = true;
    spec_.positive_zero = take_if('z');
    spec_.alternate = take_if('#');
    if (!has_fill_ && take_if('0')) {
      spec_.fill = "0";
      if (!has_align && !of_text) spec_.align = '=';
    }
    bool fits = take_number(&spec_.width);
    if (is_in(peek(), ",_")) spec_.grouping = take();
    if (take_if('.')) fits = fits && is_digit(peek()) && take_number(&spec_.precision);
    if (!text_.empty()) spec_.type = take();
    if (!fits || !text_.empty() || (of_text && !can_be_of_text())) return {};
    return spec_;
  }

 private:
  char peek() const { return text_.empty() ? '\0' : text_.front(); }
  char take() {
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }
  bool take_if(char c) {
    const bool there = peek() == c && !text_.empty();
    if (there) take();
    return there;
  }
  bool take_align(bool of_text) {
    const size_t bytes = text_.empty() ? 0 : code_point_bytes(text_);
    has_fill_ = bytes < text_.size() && is_in(text_[bytes], "<>=^");
    if (has_fill_) {
      spec_.fill = text_.substr(0, bytes);
      text_.remove_prefix(bytes);
    }
    const bool has_align = is_in(peek(), "<>=^");
    spec_.align = has_align ? take() : of_text ? '<' : '>';
    return has_align;
  }
  bool take_number(int* out) {
    size_t digits = 0;
    while (digits < text_.size() && is_digit(text_[digits])) ++digits;
    if (digits > kMaxDigits) return false;
    std::from_chars(text_.data(), text_.data() + digits, *out);
    text_.remove_prefix(digits);
    return true;
  }
  bool can_be_of_text() const {
    return !signed_ && !spec_.positive_zero && !spec_.alternate && !spec_.grouping && spec_.align != '=';
  }

  std::string_view text_;
  FormatSpec spec_;
  bool has_fill_ = false, signed_ = false;
};

bool can_group(const FormatSpec& spec) {
  return spec.type == 0 || spec.type == 'd' || is_of_float(spec.type) ||
         (spec.grouping == '_' && is_in(spec.type, "boxX"));
}

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

// The text between what pads it on both sides.
std::string padded(const std::string& text, const FormatSpec& spec) {
  const int padding = std::max(0, spec.width - static_cast<int>(text.size()));
  const int left = spec.align == '<' ? 0 : spec.align == '^' ? padding / 2 : padding;
  return repeated(spec.fill, left) + text + repeated(spec.fill, padding - left);
}

std::string written_as_text(const std::string& text, const FormatSpec& spec) {
  return padded(spec.precision < 0 ? text : text.substr(0, static_cast<size_t>(spec.precision)), spec);
}

// Digits with zeros before them up to a width, and separators between groups; no group is without a digit.
std::string grouped(const std::string& digits, int width, const FormatSpec& spec) {
  const int count = static_cast<int>(digits.size());
  if (!spec.grouping) return std::string(static_cast<size_t>(std::max(0, width - count)), '0') + digits;
  const int size = is_in(spec.type, "boxX") ? 4 : 3;
  std::string out;
  for (int left = count; left > 0 || width > 0;) {
    if (!out.empty()) {
      out.insert(0, 1, spec.grouping);
      --width;
    }
    const int length = std::min(size, std::max({left, width, 1}));
    const int taken = std::min(left, length);
    out.insert(0, std::string(static_cast<size_t>(length - taken), '0') +
                      digits.substr(static_cast<size_t>(left - taken), static_cast<size_t>(taken)));
    left -= taken;
    width -= length;
  }
  return out;
}

std::string placed(bool negative, const std::string& prefix, const std::string& digits, const std::string& rest,
                   const FormatSpec& spec) {
  std::string before = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  before += prefix;
  const int others = static_cast<int>(before.size() + rest.size());
  const bool by_zeros = spec.fill == "0" && spec.align == '=';
  const std::string number = (digits.empty() ? "" : grouped(digits, by_zeros ? spec.width - others : 0, spec)) + rest;
  if (spec.align != '=') return padded(before + number, spec);
  return before + repeated(spec.fill, spec.width - static_cast<int>(before.size() + number.size())) + number;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

std::string with_digits(double size, std::chars_format format, int precision) {
  std::string text(static_cast<size_t>(precision) + 330, '\0');
  text.resize(static_cast<size_t>(std::to_chars(text.data(), text.data() + text.size(), size, format, precision).ptr -
                                  text.data()));
  return text;
}

// "1.50e+10" without zeros at the end of the fraction, nor a point where nothing follows.
std::string trimmed(const std::string& text) {
  const size_t e = std::min(text.find('e'), text.size());
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return mantissa + text.substr(e);
}

std::string with_point(const std::string& text) {
  if (text.find('.') != std::string::npos) return text;
  const size_t e = std::min(text.find('e'), text.size());
  return text.substr(0, e) + "." + text.substr(e);
}

// By significant digits; without a type one digit at least follows the point.
std::string general(double size, const FormatSpec& spec) {
  const int digits = std::max(1, spec.precision < 0 ? kDefaultPrecision : spec.precision);
  const std::string scientific = with_digits(size, std::chars_format::scientific, digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  const bool wants_fraction = spec.type == 0;
  if (exponent < -4 || exponent >= digits - (wants_fraction ? 1 : 0))
    return spec.alternate ? scientific : trimmed(scientific);
  const std::string fixed = with_digits(size, std::chars_format::fixed, digits - 1 - exponent);
  if (spec.alternate) return fixed;
  const std::string text = trimmed(fixed);
  return wants_fraction && text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string magnitude(double size, const FormatSpec& spec) {
  if (!std::isfinite(size)) return std::isnan(size) ? "nan" : "inf";
  std::string text;
  const int precision = spec.precision < 0 ? kDefaultPrecision : spec.precision;
  if (spec.type == 0 && spec.precision < 0) {
    text = scalar_text(size, DType::Float64);
  } else if (is_in(spec.type, "fF%")) {
    text = with_digits(size, std::chars_format::fixed, precision);
  } else if (is_in(spec.type, "eE")) {
    text = with_digits(size, std::chars_format::scientific, precision);
  } else {
    text = general(size, spec);
  }
  return spec.alternate ? with_point(text) : text;
}

bool is_zero(const std::string& text) {
  return is_digit(text[0]) && text.substr(0, text.find('e')).find_first_of("123456789") == std::string::npos;
}

}  // namespace

std::optional<FormatSpec> parse_format_spec(std::string_view text, DType dtype) {
  std::optional<FormatSpec> spec = SpecParser(text).parse();
  if (!spec || spec->type == 's') return spec;
  const bool integral = dtype != DType::Float64;
  const bool as_float = !integral || is_of_float(spec->type);
  if (spec->type != 0 && !is_of_float(spec->type) && !(integral && is_in(spec->type, "bdoxX"))) return {};
  if (!as_float && (spec->precision >= 0 || spec->positive_zero)) return {};
  return spec->grouping && !can_group(*spec) ? std::nullopt : spec;
}

std::string python_format(bool value, const FormatSpec& spec) {
  const std::string text = value ? "True" : "False";
  if (spec.empty) return text;
  return spec.type == 's' ? written_as_text(text, spec) : python_format(int64_t{value}, spec);
}

std::string python_format(int64_t value, const FormatSpec& spec) {
  if (spec.type == 's') return written_as_text(std::to_string(value), spec);
  if (is_of_float(spec.type)) return python_format(static_cast<double>(value), spec);
  const int base = spec.type == 'b' ? 2 : spec.type == 'o' ? 8 : is_in(spec.type, "xX") ? 16 : 10;
  const uint64_t size = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  char buffer[64];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof buffer, size, base).ptr);
  std::string prefix = spec.alternate && base != 10 ? std::string("0") + spec.type : "";
  return placed(value < 0, prefix, spec.type == 'X' ? upper(digits) : digits, "", spec);
}

std::string python_format(double value, const FormatSpec& spec) {
  if (spec.type == 's') return written_as_text(scalar_text(value, DType::Float64), spec);
  if (spec.type == '%') value *= 100;
  std::string text = magnitude(std::fabs(value), spec);
  const bool negative = std::signbit(value) && !std::isnan(value) && !(spec.positive_zero && is_zero(text));
  if (spec.type == '%') text += '%';
  if (is_in(spec.type, "EFG")) text = upper(text);
  const size_t digits = static_cast<size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  return placed(negative, "", text.substr(0, digits), text.substr(digits), spec);
}

}  // namespace ember::ops
