// Numbers as Python's format() writes them: its format specification mini-language, for bool, int and float.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ops/tensor/dtype.h"

namespace ember::ops {

// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
struct FormatSpec {
  bool empty = false;      // the whole text: str() of the number
  std::string fill = " ";  // a code point
  char align = '>';        // < > ^, or = for padding behind the sign
  char sign = '-';         // - + or a space: what stands before what is not negative
  bool positive_zero = false;
  bool alternate = false;
  int width = 0;
  char grouping = 0;   // , or _
  int precision = -1;  // -1: none
  char type = 0;       // 0: none
};

// How numbers of dtype Bool, Int64 or Float64 are written; nothing where Python refuses the text for them, whatever
// their value, or may write them otherwise elsewhere: the types c and n. Widths and precisions are below 10,000. Beside
// Python's there is the type s, by which str() of the number is written as strings are.
std::optional<FormatSpec> parse_format_spec(std::string_view text, DType dtype);

std::string python_format(bool value, const FormatSpec& spec);
std::string python_format(int64_t value, const FormatSpec& spec);
std::string python_format(double value, const FormatSpec& spec);

}  // namespace ember::ops
