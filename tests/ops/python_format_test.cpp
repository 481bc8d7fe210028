// Numbers as Python's format() writes them: what CPython 3.11 gives.
#include "ops/text/python_format.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ember::ops {
namespace {

template <class T>
std::string formatted(T value, std::string_view spec) {
  const std::optional<FormatSpec> how = parse_format_spec(spec, dtype_of<T>);
  return how ? python_format(value, *how) : "refused";
}

template <class T>
struct Case {
  T value;
  const char* spec;
  const char* text;
};

template <class T>
void expect(std::initializer_list<Case<T>> cases) {
  for (const Case<T>& c : cases) EXPECT_EQ(formatted(c.value, c.spec), c.text) << c.value << " by '" << c.spec << "'";
}

TEST(PythonFormat, Ints) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  expect<int64_t>({{0, "", "0"},
                   {-7, "", "-7"},
                   {kLeast, "d", "-9223372036854775808"},
                   {kLeast, "x", "-8000000000000000"},
                   {kLeast, ",", "-9,223,372,036,854,775,808"},
                   {42, ">6", "    42"},
                   {42, "<6d", "42    "},
                   {42, "*^7", "**42***"},
                   {42, "é>4", "éé42"},
                   {-42, "=6", "-   42"},
                   {-42, "06d", "-00042"},
                   {42, "<06", "420000"},
                   {42, "*<06", "42****"},
                   {42, "+", "+42"},
                   {42, " ", " 42"},
                   {255, "#x", "0xff"},
                   {255, "#010X", "0X000000FF"},
                   {-5, "#b", "-0b101"},
                   {8, "#o", "0o10"},
                   {1234567, "_", "1_234_567"},
                   {0x12345678, "_x", "1234_5678"},
                   {1234, "08,", "0,001,234"},
                   {1234, "010,", "00,001,234"},
                   {1, "03,", "001"},
                   {1, "05,", "0,001"},
                   {3, ".2f", "3.00"},
                   {3, "%", "300.000000%"},
                   {1234567, "e", "1.234567e+06"},
                   {1234567, "g", "1.23457e+06"},
                   {42, ">5s", "   42"},
                   {12345, "6.3s", "123   "},
                   {42, "05s", "42000"}});
}

TEST(PythonFormat, Floats) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  expect<double>({{0.1, "", "0.1"},
                  {-0.0, "", "-0.0"},
                  {1e16, "", "1e+16"},
                  {1e15, "", "1000000000000000.0"},
                  {1e-4, "", "0.0001"},
                  {1e-5, "", "1e-05"},
                  {5e-324, "", "5e-324"},
                  {0.1, "25", "                      0.1"},
                  {1e20, "#", "1.e+20"},
                  {2.5, ".0f", "2"},
                  {0.125, ".2f", "0.12"},
                  {1e22, "f", "10000000000000000000000.000000"},
                  {1.0, "#.0f", "1."},
                  {1234.5, "e", "1.234500e+03"},
                  {1234.5, ".0E", "1E+03"},
                  {1234.5, "#.0e", "1.e+03"},
                  {1e-100, ".3e", "1.000e-100"},
                  {0.0001, "g", "0.0001"},
                  {0.00001, "g", "1e-05"},
                  {999999.5, "g", "1e+06"},
                  {1.0, "#g", "1.00000"},
                  {1.0, ".0g", "1"},
                  {0.0, ".1", "0e+00"},
                  {10.0, ".2", "1e+01"},
                  {10.0, ".3", "10.0"},
                  {12.0, "#.3", "12.0"},
                  {0.5, "%", "50.000000%"},
                  {0.5, "#.0%", "50.%"},
                  {-0.001, ".2f", "-0.00"},
                  {-0.001, "z.2f", "0.00"},
                  {-0.0, "z", "0.0"},
                  {-1e-10, "+z.1f", "+0.0"},
                  {-1.5, "z", "-1.5"},
                  {1234567.891, ",.2f", "1,234,567.89"},
                  {1234.5, "012,.1f", "00,001,234.5"},
                  {-1234.5, "=+10", "-   1234.5"},
                  {kNan, "", "nan"},
                  {-kNan, "+", "+nan"},
                  {kInf, "F", "INF"},
                  {-kInf, "010,", "-000000inf"},
                  {kNan, "06%", "00nan%"},
                  {1e-7, ">8.4s", "    1e-0"}});
}

TEST(PythonFormat, Bools) {
  expect<bool>({{true, "", "True"},
                {false, "", "False"},
                {true, ">3", "  1"},
                {false, "d", "0"},
                {true, ".1f", "1.0"},
                {true, "#x", "0x1"},
                {false, ">7s", "  False"}});
}

TEST(PythonFormat, RefusesWhatPythonDoes) {
  for (const char* spec : {"q",  "5.", ".",  "5d5", ",_", "_,",  ",x", "=5s", "+s",    "#s",
                           ",s", "zs", "d ", "<<<", "{",  "-5-", "c",  "n",   "12345", ".12345f"}) {
    EXPECT_EQ(formatted(int64_t{1}, spec), "refused") << spec;
    EXPECT_EQ(formatted(1.0, spec), "refused") << spec;
  }
  for (const char* spec : {".2", ".2d", "z", "zx", "z.1"}) EXPECT_EQ(formatted(int64_t{1}, spec), "refused") << spec;
  for (const char* spec : {"d", "x", "b", "o", "X", "_x"}) EXPECT_EQ(formatted(1.0, spec), "refused") << spec;
}

}  // namespace
}  // namespace ember::ops
