// Assignments, printing and foreign functions.
#include "ops/eager/print.h"

#include <cmath>

#include <gtest/gtest.h>

#include "ops/eager/eager.h"
#include "ops/foreign/foreign.h"
#include "ops/table/raised_error.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using namespace ember::ops::testing;  // NOLINT

Tensor count(const Shape& shape, DType dtype = DType::Float32) {
  Tensor t = Tensor::empty(dtype, shape);
  dispatch(dtype, [&]<class T>() {
    for (int64_t i = 0; i < t.numel(); ++i) t.data_as<T>()[i] = convert_value<T>(i);
  });
  return t;
}

Values call(std::string_view name, const Values& operands, const Builder::Named& attrs = {}) {
  EagerBuilder b;
  return b.call_all(name, operands, attrs);
}

OpError::Kind refusal(std::string_view name, const Values& operands, const Builder::Named& attrs = {}) {
  try {
    call(name, operands, attrs);
  } catch (const OpError& e) {
    EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    return e.kind;
  }
  ADD_FAILURE() << name << " was not refused";
  return OpError::Kind::Value;
}

TEST(Assign, WritesAndAnswersTheParameter) {
  Tensor p = Tensor::full(DType::Float32, {2, 3}, 0);
  uint64_t version = p.storage()->version();
  Values out = call("assign", {p, count({2, 3}, DType::Int32)});
  EXPECT_EQ(std::get<Tensor>(out.at(0)).data(), p.data());
  EXPECT_NE(p.storage()->version(), version);
  call("assign_add", {p, count({2, 3})});
  EXPECT_EQ(element(p, 5), 10);
  call("assign_sub", {p, count({2, 3})});
  EXPECT_EQ(element(p, 5), 5);
}

TEST(Assign, ReadsSharedMemoryBeforeItWrites) {
  Tensor p = count({4});
  Tensor reversed = p.view(layout(DType::Float32, {4}, {-1}), 12);
  call("assign", {p, reversed});
  EXPECT_EQ(element(p, 0), 3);
  EXPECT_EQ(element(p, 3), 0);
  call("assign_add", {p, reversed});
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(element(p, i), 3);
  call("assign_add", {p, p});
  EXPECT_EQ(element(p, 0), 6);
}

TEST(Assign, KernelAloneIsSafeToo) {
  Tensor p = count({4});
  LayoutRef reversed = layout(DType::Float32, {4}, {-1});
  View target{p.data(), &p.layout()};
  View value{p.data_as<char>() + 12, reversed.get()};
  const Op& assign = op("assign");
  View in[] = {target, value};
  assign.kernel({in, {&target, 1}, make_attrs(assign, {})});
  EXPECT_EQ(element(p, 1), 2);
  EXPECT_EQ(element(p, 2), 1);
}

TEST(Assign, RefusesOtherShapesAndWiderDtypes) {
  Tensor p = count({2, 3});
  EXPECT_EQ(refusal("assign", {p, count({3})}), OpError::Kind::Value);
  EXPECT_EQ(refusal("assign", {p, 1.0}), OpError::Kind::Value);
  EXPECT_EQ(refusal("assign", {p, count({2, 3}, DType::Float64)}), OpError::Kind::Type);
  EXPECT_EQ(refusal("assign_add", {count({2}, DType::Int32), count({2})}), OpError::Kind::Type);
  EXPECT_EQ(element(p, 5), 5);
}

TEST(Assign, IntegersWrap) {
  Tensor p = Tensor::full(DType::Int8, {1}, 127);
  call("assign_add", {p, Tensor::full(DType::Int8, {1}, 1)});
  EXPECT_EQ(element(p, 0), -128);
  call("assign_sub", {p, Tensor::full(DType::Int8, {1}, 1)});
  EXPECT_EQ(element(p, 0), 127);
}

TEST(Print, FillsTheTextInOrder) {
  std::string seen;
  set_print_sink([&](const std::string& text) { seen += text; });
  call("print_", {count({2}), count({2})}, {{"text", std::string("a {} {{b}} {s}\n")}});
  call("print_", {count({})});
  set_print_sink({});
  EXPECT_EQ(seen,
            "a Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+00]) {b} [0. 1.]\n"
            "Tensor(shape=[], dtype=Float32, value= 0)\n");
  EXPECT_EQ(refusal("print_", {count({2})}, {{"text", std::string("{} {}")}}), OpError::Kind::Value);
}

TEST(Print, FormatsNumbers) {
  std::string seen;
  set_print_sink([&](const std::string& text) { seen += text; });
  const Tensor n = Tensor::scalar<int64_t>(-42), x = Tensor::scalar(0.5), yes = Tensor::scalar(true);
  call("print_", {n, x, yes, n}, {{"text", std::string("{:} {{:}} {:8.3e}|{:}>{:*>6s}<\n")}});
  call("print_", {count({2, 2}, DType::Float64)}, {{"text", std::string("{:.1f}\n")}});
  set_print_sink({});
  EXPECT_EQ(seen, "-42 {:} 5.000e-01|True>***-42<\n[[0.0 1.0] [2.0 3.0]]\n");
}

TEST(Print, RefusesWhatIsNoNumber) {
  const auto kind = [](const Tensor& x, const std::string& text) { return refusal("print_", {x}, {{"text", text}}); };
  EXPECT_EQ(kind(Tensor::scalar(1.0F), "{:}"), OpError::Kind::Value);
  EXPECT_EQ(kind(Tensor::scalar(1.0), "{:d}"), OpError::Kind::Value);
  EXPECT_EQ(kind(Tensor::scalar<int64_t>(1), "{:c}"), OpError::Kind::Value);
  EXPECT_EQ(kind(Tensor::scalar(1.0), "{:} {:}"), OpError::Kind::Value);
}

TEST(Raise, NamesTheErrorAndKeepsItsOperands) {
  const Op& raise = op("raise_");
  const Tensor a = count({2}), b = Tensor::scalar<int64_t>(7);
  const View in[] = {{a.data(), &a.layout()}, {b.data(), &b.layout()}};
  const Attrs attrs =
      make_attrs(raise, {{"text", std::string("KeyError: {1}, {0!r} {{0}} {1!s} {")}, {"number", int64_t{3}}});
  try {
    raise.kernel({in, {}, attrs});
    FAIL();
  } catch (const RaisedError& e) {
    EXPECT_STREQ(
        e.what(),
        "KeyError: 7, Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+00]) {0} {1!s} {");
    EXPECT_EQ(e.number, 3);
    ASSERT_EQ(e.operands.size(), 2u);
    EXPECT_EQ(element(e.operands[0], 1), 1);
    EXPECT_NE(e.operands[0].data(), a.data());
  }
  EXPECT_EQ(refusal("raise_", {count({2})}, {{"text", std::string("{1}")}}), OpError::Kind::Value);
}

Builder::Named foreign(const std::string& symbol, const std::string& signature,
                       const std::string& library = "libc.so.6") {
  return {{"library", library}, {"symbol", symbol}, {"signature", signature}};
}

TEST(Foreign, CallsByValue) {
  Tensor x = Tensor::scalar(2.0), y = Tensor::scalar(10.0);
  Values out = call("foreign_call", {x, y}, foreign("pow", "float64, float64 -> float64", "libm.so.6"));
  EXPECT_EQ(element(std::get<Tensor>(out.at(0)), 0), 1024);
  Values small = call("foreign_call", {Tensor::scalar<int32_t>('a')}, foreign("toupper", "int32 -> int32"));
  EXPECT_EQ(element(std::get<Tensor>(small.at(0)), 0), 'A');
}

// bcopy(from, to, bytes): operand, result, size.
TEST(Foreign, CallsWithPointersAndSizes) {
  Tensor x = count({5}, DType::UInt8);
  Tensor reversed = x.view(layout(DType::UInt8, {5}, {-1}), 4);
  Tensor out = std::get<Tensor>(call("foreign_call", {reversed}, foreign("bcopy", "uint8[n] -> uint8[n]")).at(0));
  EXPECT_TRUE(same_bits(out, reversed));
}

TEST(Foreign, RefusesWhatDoesNotFit) {
  Tensor x = count({5}, DType::UInt8);
  constexpr auto kValue = OpError::Kind::Value;
  EXPECT_EQ(refusal("foreign_call", {x}, foreign("bcopy", "uint8[n] -> uint8[n]", "libnothing.so")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x}, foreign("bcopy", "uint8[n] -> uint8[n]", "")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x}, foreign("no_such_symbol", "uint8[n] -> uint8[n]")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x}, foreign(std::string("bcopy\0x", 7), "uint8[n] -> uint8[n]")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x}, foreign("bcopy", "uint8[4] -> uint8[4]")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x}, foreign("bcopy", "int8[n] -> int8[n]")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x}, foreign("bcopy", "uint8[n, m] -> uint8[n]")), kValue);
  EXPECT_EQ(refusal("foreign_call", {x, x}, foreign("bcopy", "uint8[n] -> uint8[n]")), OpError::Kind::Type);
}

TEST(Foreign, RefusesMalformedSignatures) {
  for (const char* text :
       {"", "->x", "float32", "float32 ->float32,", "float32[n] -> float32[m]", "float31 -> float32",
        "float32[n -> float32", "float32[-1] -> float32", "float16 -> float32", "float32[1,1,1,1,1,1,1,1,1] -> float32",
        "float32 -> float32, float32", "float32[9x] ->", "float32{n}[n] ->", "float32{n -> float32",
        "float32{n} -> float32{n}", "float32{n, n} -> float32", "complex64 -> complex64",
        "float32{a,b,c,d}[1,1,1,1,1] -> float32", "float32[99999999999999999999] ->"}) {
    EXPECT_THROW(parse_foreign_signature(text), OpError) << text;
  }
  ForeignSignature s = parse_foreign_signature("float32[n,3], bool -> float32[n], int64[3, n]");
  EXPECT_EQ(s.operands.size(), 2U);
  EXPECT_EQ(s.results.size(), 2U);
  EXPECT_EQ(s.names, std::vector<std::string>{"n"});
  EXPECT_TRUE(parse_foreign_signature("float32[n] ->").results.empty());
}

TEST(Foreign, SignaturesAsText) {
  for (const char* text : {"Float32[n, 3], Bool -> Float32[n], Int64[3, n]", "Float64{b, c}, Float32{c}[] -> Float64[]",
                           "Float32[n] -> ", " -> Int64"})
    EXPECT_EQ(to_string(parse_foreign_signature(text)), text);
  const ForeignSignature s = parse_foreign_signature("float32{b}[n], float64, int32 -> float32[n], int64[]");
  EXPECT_EQ(to_string(backward_of(s)),
            "Float32{b}[n], Float64, Int32, Float32{b}[n], Int64{b}[], Float32{b}[n] -> Float32[n], Float64[]");
  EXPECT_EQ(to_string(backward_of(parse_foreign_signature("float64, int8 -> float64"))),
            "Float64, Int8, Float64, Float64 -> Float64");
}

TEST(Foreign, LoopsOverAxes) {
  const Tensor x = Tensor::scalar(2.0), y = count({2, 3}, DType::Float64);
  const Values out = call("foreign_call", {x, y}, foreign("pow", "float64, float64{a, b} -> float64", "libm.so.6"));
  const Tensor& powers = std::get<Tensor>(out.at(0));
  EXPECT_EQ(powers.layout().shape, (Shape{2, 3}));
  for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(element(powers, i), std::exp2(i));
}

}  // namespace
}  // namespace ember::ops
