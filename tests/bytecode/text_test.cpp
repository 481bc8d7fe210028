// The text form: what prints parses back to the same text, and what is wrong is an error with its line.
#include "bytecode/text/text.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bytecode/graph/graph_builder.h"

namespace ember::bytecode {
namespace {

void expect_round_trip(const std::string& text) {
  const std::string once = print(parse(text), true);
  EXPECT_EQ(print(parse(once), true), once);
}

TEST(Text, PrintsAsTheHeaderShows) {
  Module m;
  GraphBuilder b(m, m.add_graph("f"));
  const ops::Dim s = size_symbol(m.symbols, 2);
  const ops::Value x = b.param("x", Type::tensor(ops::DType::Float32, {s, 3}));
  Type ref = Type::tensor(ops::DType::Float32, {3});
  ref.kind = ops::Kind::Ref;
  const ops::Value w = b.param("conv.weight", ref);
  b.set_source({m.file("user.py"), 12});
  const ops::Value y = b.mul(x, b.load(w));
  b.set_source({});
  b.finish(std::vector<ops::Value>{b.sum(y, {0}, false), b.size(s * 4)});
  const std::string text = print(m);
  EXPECT_TRUE(
      text.starts_with("# IR entry: @f\n# Total subgraphs: 1\n# Total params: 2\n# Params:\n"
                       "%para1_x : Tensor[Float32](s0, 3)\n"
                       "%para2_conv.weight : Ref[Float32](3,) : has_default\n"
                       "\nsymbols s0=2, d0=(s0 * 4)\n"))
      << text;
  EXPECT_NE(text.find("subgraph @f(%para1_x: Tensor[Float32](s0, 3), %para2_conv.weight: Ref[Float32](3,)) {\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  %0 = Load(%para2_conv.weight, U)           : Tensor[Float32](3,)   # user.py:12\n"
                      "  %1 = UpdateState(U, %0)   # user.py:12\n"
                      "  %2 = Mul(%para1_x, %0)                     : Tensor[Float32](s0, 3)   # user.py:12\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Size((s0 * 4))"), std::string::npos) << text;
  EXPECT_EQ(print(parse(text)), text);
}

TEST(Text, RoundTripsTheNamesOfCalls) {
  const std::string text = "subgraph @f(%x: Tensor[Float32](2,)) { %0 = Neg(%x)  # a as b.py:12 as Layer\nReturn(%0) }";
  Module m = parse(text);
  const Source source = m.graphs[0].nodes[0].source;
  EXPECT_EQ(m.files.at(source.file), "a as b.py");
  EXPECT_EQ(source.line, 12u);
  EXPECT_EQ(m.names.at(source.name), "Layer");
  EXPECT_NE(print(m).find("   # a as b.py:12 as Layer\n"), std::string::npos);
  m.graphs[0].nodes[0].source.path = 7;
  EXPECT_NE(print(m).find("   # a as b.py:12 as Layer\n"), std::string::npos);
  const std::string with_path = print(m, true, Sources::Paths);
  EXPECT_NE(with_path.find("   # a as b.py:12 [7] as Layer\n"), std::string::npos);
  EXPECT_EQ(parse(with_path).graphs[0].nodes[0].source, m.graphs[0].nodes[0].source);
  expect_round_trip(text);
}

TEST(Text, RoundTripsControlFlow) {
  expect_round_trip(R"(
# IR entry: @main
subgraph @yes(%a: Tensor[Float32](2,), %u: Token) { Return(%a, %u) }
subgraph @no(%a: Tensor[Float32](2,), %u: Token) {
  %0 = RandomKey(%u)
  %1 = UpdateState(%u, %0)
  Return(%a, %1)
}
subgraph @main(%c: Bool, %x: Tensor[Float32](2,)) {
  %0, %1 = If(%c, %x, U, then=@yes, else=@no)
  %2 = While(%0, 3, condition=@small, body=@next)
  %3 = Depend(%2, %1)
  Return(%3)
}
subgraph @small(%x: Tensor[Float32](2,), %n: Int) { %0 = Less(%n, 2) Return(%0) }
subgraph @next(%x: Tensor[Float32](2,), %n: Int) { %0 = Neg(%x) Return(%0) }
)");
}

TEST(Text, RoundTripsConstantsOfEveryDtype) {
  const std::pair<const char*, const char*> values[] = {{"Bool", "True, False"},
                                                        {"Int8", "-128, 127"},
                                                        {"Int64", "-9223372036854775808, 9223372036854775807"},
                                                        {"UInt64", "18446744073709551615, 0"},
                                                        {"Float16", "0.1, -inf"},
                                                        {"BFloat16", "-0, 3e+38"},
                                                        {"Float32", "1e-45, 3.4028235e+38"},
                                                        {"Float64", "5e-324, 0.1"}};
  for (const auto& [dtype, items] : values) {
    const std::string text =
        "subgraph @f() { Return(Tensor(shape=[2, 1], dtype=" + std::string(dtype) + ", value=[" + items + "])) }";
    expect_round_trip(text);
  }
  expect_round_trip("subgraph @f() { Return(True, -3, 0.1, -inf, nan, 1e+300, -0.0) }");
}

TEST(Text, KeepsTheBitsOfNaNs) {
  Module m;
  GraphBuilder b(m, m.add_graph("f"));
  const ops::Tensor t = ops::Tensor::empty(ops::DType::Float32, {100});
  for (uint32_t i = 0; i < 100; ++i) t.data_as<uint32_t>()[i] = 0x7FC00000u + i;
  b.finish(std::vector<ops::Value>{b.constant(t)});
  const Module back = parse(print(m, true));
  const auto& copy = std::get<ops::Tensor>(back.graphs[0].nodes[0].payload);
  EXPECT_EQ(std::memcmp(copy.data(), t.data(), 400), 0);
  EXPECT_THROW(parse(print(m)), ParseError);  // elided
}

TEST(Text, RoundTripsAttributesNamesAndSymbols) {
  expect_round_trip(R"(
symbols s0=5, s1=7, d0=(s0 * 4), d1=((s1 + s0) % 3)
guard s0 != 3
guard (s0 * 4) >= 2
shared subgraph @"odd name\x01\"\\"(%"a b": Tensor[Float32](s0, 2), %s: Tensor[Int32](s1,)) {
  %0 = Reshape(%"a b", shape=((s0 * 2),))
  %1 = Cast(%0, dtype=Float64)
  %2 = ReduceSum(%"a b", axis=(0, -1), keep_dims=True)
  %3 = Stack()
  %4 = Push(%3, %1, 2)
  %5, %6, %7 = Pop(%4) : Stack, Tensor[Float64]((s0 * 2),), Int
  Return(%1, %2, %6)
})");
}

TEST(Text, RoundTripsDeepDims) {
  std::string text = "symbols s0=2";
  for (int i = 0; i < 40; ++i)
    text += ", d" + std::to_string(i) + "=(" + (i ? "d" + std::to_string(i - 1) : "s0") + " + " + (i % 2 ? "s0" : "1") +
            ")";
  expect_round_trip(text + "\nsubgraph @f(%x: Tensor[Float32](d39,)) { Return(%x) }");
}

void expect_error(const std::string& text, const std::string& message) {
  try {
    parse(text);
    ADD_FAILURE() << "parsed: " << text;
  } catch (const ParseError& e) {
    EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
  }
}

TEST(Text, RoundTripsNumbersOfCalls) {
  const std::string text = R"(
symbols s0=6, s1=Int 1, s2=Float 0.5, s3=Bool 1, d0=(s0 / 2), d1=(s1 + -3), d2=(s2 < 1.5), d3=max(s0, s1)
guard s1 < s0
guard s1 > -2
guard s2 != 0.0
guard not (s2 < 1.5)
guard s3
subgraph @f(%x: Tensor[Float32](s0,), %n: Int(s1), %a: Float(s2), %b: Bool(s3), %c: Float((s2 * float(s0)))) {
  %0 = StridedSlice(%x, begin=(min(s0, s1),), end=(d3,), strides=(1,))
  %1 = Size(neg(d1))
  %2 = Size((1.0 / float(s0)))
  Return(%0, %1, %2, %c)
})";
  expect_round_trip(text);
  const Module m = parse(text);
  EXPECT_EQ(m.symbols.symbols(), 4u);
  EXPECT_GE(m.symbols.guards().size(), 5u) << "and what its sizes need";
  const Graph& f = m.graph(m.entry);
  EXPECT_EQ(f.type(f.nodes[2].output()).kind, ops::Kind::Float);
}

TEST(Text, NamesTheLineOfAnError) {
  expect_error("", "a module without graphs");
  expect_error("subgraph @f() {\n  %0 = Nonsense()\n  Return(%0)\n}", "line 2: there is no op 'Nonsense'");
  expect_error("subgraph @f() {\n\n  Return(%0)\n}", "there is no value %0");
  expect_error("subgraph @f(%x: Tensor[Float33](2,)) { Return(%x) }", "there is no dtype 'Float33'");
  expect_error("subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](3,)) {\n %0 = Add(%x, %y)\n Return(%0)\n}",
               "line 2: ");
  expect_error("subgraph @f(%x: Tensor[Float32](2,)) {\n %0 = Neg(%x) : Tensor[Float32](3,)\n Return(%0)\n}",
               "line 2: the declared types");
  expect_error("subgraph @f(%x: Int) { %0 = Call(%x, graph=@g) Return(%0) }", "there is no graph @g");
  expect_error("subgraph @f() { Return() } subgraph @f() { Return() }", "two graphs are called @f");
  expect_error("symbols s0=1", "2 or more");
  expect_error("subgraph @f(%x: Tensor[Float32](s7,)) { Return(%x) }", "unknown dim");
  expect_error("subgraph @f() { Return(Tensor(shape=[1000000000000], dtype=Float32, value=[1])) }",
               "number of elements");
  expect_error("subgraph @f() { Return(Tensor(shape=[3], dtype=Float32, data=\"AAAA\")) }", "another size");
  expect_error("subgraph @f() { Return(\"unfinished", "a string without end");
  expect_error("subgraph @f(%x: Tensor[Float32](" + std::string(100000, '(') + "2", "nests too deeply");
}

TEST(Text, NeedsTypesWhereCallsGoInACycle) {
  expect_error(R"(subgraph @f(%x: Int) { %0 = Call(%x, graph=@f) Return(%0) })", "types of results are needed");
  expect_round_trip(R"(subgraph @f(%x: Int) { %0 = Call(%x, graph=@f) : Int Return(%0) })");
}

}  // namespace
}  // namespace ember::bytecode
