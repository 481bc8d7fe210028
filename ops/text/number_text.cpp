// Shortest digits come from std::to_chars for float and double, and from trying for float16. A bound on precision that
// cuts digits off rounds the exact value, half to even.
#include "ops/text/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "ops/tensor/convert.h"

namespace ember::ops {
namespace {

constexpr int kPrecision = 8;

std::string printed(const char* format, int precision, double value) {
  char buffer[512];
  int length = std::snprintf(buffer, sizeof buffer, format, precision, value);
  return {buffer, static_cast<size_t>(length)};
}

template <class T>
std::string float_text(T value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  return {buffer, end};
}

// The shortest digits that read back as a positive half, by trying; midpoints read back as the even neighbour.
Digits half_digits(double value) {
  int binary = std::max(std::ilogb(value), -14);
  double above = std::ldexp(1.0, binary - 11);
  double below = value == std::ldexp(1.0, binary) && binary > -14 ? above / 2 : above;
  bool even = std::fmod(value, above * 4) == 0;
  std::string exact = printed("%.*e", 40, value);
  int exponent = std::stoi(exact.substr(exact.find('e') + 1));
  exact.erase(1, 1);
  for (size_t length = 1;; ++length) {
    int64_t low = std::stoll(exact.substr(0, length));
    auto number = [&](int64_t n) {
      return std::stod(std::to_string(n) + "e" + std::to_string(exponent + 1 - static_cast<int>(length)));
    };
    double down = value - number(low);
    double up = number(low + 1) - value;
    bool low_fits = down < below || (even && down == below);
    bool high_fits = up < above || (even && up == above);
    if (!low_fits && !high_fits) continue;
    bool rises = !low_fits || (high_fits && (up < down || (up == down && low % 2 != 0)));
    std::string digits = std::to_string(low + (rises ? 1 : 0));
    return {false, digits, exponent + static_cast<int>(digits.size() - length)};
  }
}

std::string join(bool negative, const std::string& whole, std::string fraction) {
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (negative ? "-" : "") + whole + "." + fraction;
}

std::string exponent_text(int exponent, size_t least_digits) {
  std::string digits = std::to_string(std::abs(exponent));
  if (digits.size() < least_digits) digits.insert(0, least_digits - digits.size(), '0');
  return (exponent < 0 ? "e-" : "e+") + digits;
}

struct Parts {
  std::string whole, fraction;
};

Parts split(const std::string& text) {
  size_t point = text.find('.');
  return {text.substr(0, point), text.substr(point + 1)};
}

std::string padded(std::string text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace

Digits shortest_digits(double value, DType dtype) {
  Digits out{false, "0", 0};
  if (value != 0 && dtype == DType::Float16) {
    out = half_digits(std::fabs(value));
  } else if (value != 0) {
    double size = std::fabs(value);
    std::string text = dtype == DType::Float64 ? float_text(size) : float_text(static_cast<float>(size));
    size_t e = text.find('e');
    out.exponent = std::stoi(text.substr(e + 1));
    out.digits = text.substr(0, 1) + (e > 1 ? text.substr(2, e - 2) : "");
  }
  out.negative = std::signbit(value);
  while (out.digits.size() > 1 && out.digits.back() == '0') out.digits.pop_back();
  return out;
}

std::string positional(double value, DType dtype, int precision) {
  Digits d = shortest_digits(value, dtype);
  auto length = static_cast<int>(d.digits.size());
  if (precision >= 0 && length - 1 - d.exponent > precision) {
    Parts rounded = split(printed("%.*f", precision, std::fabs(value)));
    return join(d.negative, rounded.whole, rounded.fraction);
  }
  if (d.exponent < 0) {
    return join(d.negative, "0", std::string(static_cast<size_t>(-d.exponent - 1), '0') + d.digits);
  }
  auto whole = static_cast<size_t>(d.exponent) + 1;
  std::string digits = d.digits;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  return join(d.negative, digits.substr(0, whole), digits.substr(whole));
}

std::string scientific(double value, DType dtype, int precision) {
  Digits d = shortest_digits(value, dtype);
  if (precision >= 0 && static_cast<int>(d.digits.size()) - 1 > precision) {
    std::string text = printed("%.*e", precision, std::fabs(value));
    size_t e = text.find('e');
    Parts rounded = split(text.substr(0, e));
    return join(d.negative, rounded.whole, rounded.fraction) + exponent_text(std::stoi(text.substr(e + 1)), 2);
  }
  return join(d.negative, d.digits.substr(0, 1), d.digits.substr(1)) + exponent_text(d.exponent, 2);
}

std::string scalar_text(double value, DType dtype) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  double size = std::fabs(value);
  if (size == 0 || (size >= 1e-4 && size < 1e16)) {
    std::string text = positional(value, dtype, -1);
    return text.back() == '.' ? text + "0" : text;
  }
  std::string text = scientific(value, dtype, -1);
  size_t e = text.find('e');
  return text[e - 1] == '.' ? text.erase(e - 1, 1) : text;
}

bool FloatFormat::wants_exponent(const std::vector<double>& finite) const {
  double high = 0, low = INFINITY;
  for (double v : finite) {
    if (v == 0) continue;
    high = std::max(high, std::fabs(v));
    low = std::min(low, std::fabs(v));
  }
  if (high == 0) return false;
  double ratio = dispatch(dtype_, [&]<class T>() { return convert_value<double>(convert_value<T>(high / low)); });
  return high >= 1e8 || low < 1e-4 || ratio > 1000;
}

FloatFormat::FloatFormat(const std::vector<double>& values, DType dtype) : dtype_(dtype) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  exponent_ = wants_exponent(finite);
  for (double v : finite) {
    std::string text = exponent_ ? scientific(v, dtype_, kPrecision) : positional(v, dtype_, kPrecision);
    size_t e = text.find('e');
    Parts parts = split(text.substr(0, e));
    left_ = std::max(left_, parts.whole.size());
    fraction_ = std::max(fraction_, parts.fraction.size());
    if (exponent_) exponent_digits_ = std::max(exponent_digits_, text.size() - e - 2);
  }
  right_ = exponent_ ? exponent_digits_ + 2 + fraction_ : fraction_;
  for (double v : values) {
    if (std::isfinite(v)) continue;
    size_t length = scalar_text(v, dtype_).size();
    if (length > right_ + 1) left_ = std::max(left_, length - right_ - 1);
  }
}

std::string FloatFormat::text(double value) const {
  if (!std::isfinite(value)) return padded(scalar_text(value, dtype_), left_ + right_ + 1);
  if (!exponent_) {
    Parts parts = split(positional(value, dtype_, kPrecision));
    Digits d = shortest_digits(value, dtype_);
    if (static_cast<int>(d.digits.size()) <= d.exponent) parts.whole = printed("%.*f", 0, value);
    return padded(parts.whole, left_) + "." + parts.fraction + std::string(right_ - parts.fraction.size(), ' ');
  }
  std::string text = printed("%.*e", static_cast<int>(fraction_), value);
  size_t e = text.find('e');
  std::string digits = text.substr(0, e) + (fraction_ == 0 ? "." : "");
  return padded(digits, left_ + 1 + fraction_) + exponent_text(std::stoi(text.substr(e + 1)), exponent_digits_);
}

}  // namespace ember::ops
