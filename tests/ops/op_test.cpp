// The machinery of the op table: signatures, attributes, inference, expressions, eager runs, gradient and batching
// helpers.
#include "ops/table/op.h"

#include <gtest/gtest.h>

#include <thread>

#include "ops/eager/eager.h"
#include "ops/program/program.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using namespace ember::ops::testing;  // NOLINT

struct TestAxpy {
  static constexpr const char* name = "test_axpy";
  static constexpr const char* primitive = "TestAxpy";
  static constexpr const char* signature = "a: number, x: number, y: number -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "a * x + y, for these tests.";
  static constexpr const char* numpy = "a * x + y";
  static constexpr const char* saves = "a, x";
  static Ex apply(ExprBuilder&, std::span<const Ex> in, const Attrs&) { return in[0] * in[1] + in[2]; }
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.call("test_axpy", {g.ct(), g.in(1), 0.0}), 0),
            g.unbroadcast(g.b.call("test_axpy", {g.ct(), g.in(0), 0.0}), 1), g.unbroadcast(g.ct(), 2)};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}, {{2, 3}}, {{2, 3}}}, {}, {}}, {{{{3, 1}}, {{2, 1, 4}}, {{}}}, {}, {}}};
  }
};
EMBER_OP(TestAxpy);

struct TestTwice {
  static constexpr const char* name = "test_twice";
  static constexpr const char* primitive = "TestTwice";
  static constexpr const char* signature = "x: tensor, by: float = 2.0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "by * x + x, for these tests.";
  static constexpr const char* numpy = "by * x + x";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return {b.call("test_axpy", {attrs.number(1), in[0], in[0]})};
  }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {}, {}}, {{{{3}}}, {{"by", -1.5}}, {}}}; }
};
EMBER_OP(TestTwice);

struct TestPair {
  static constexpr const char* name = "test_pair";
  static constexpr const char* primitive = "TestPair";
  static constexpr const char* signature = "x: tensor, y: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "x * y + x, for these tests.";
  static constexpr const char* numpy = "x * y + x";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    return {b.call("test_axpy", {in[0], in[1], in[0]})};
  }
  static std::vector<Sample> samples() { return {{{{{2, 3}}, {{3}}}, {}, {}}}; }
};
EMBER_OP(TestPair);

struct TestForgetful {
  static constexpr const char* name = "test_forgetful";
  static constexpr const char* primitive = "TestForgetful";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Its gradient asks for what it did not save.";
  static constexpr const char* numpy = "x";
  static Ex apply(ExprBuilder&, std::span<const Ex> in, const Attrs&) { return in[0] + in[0]; }
  static Values grad(Grad& g) { return {g.in(0)}; }
  static std::vector<Sample> samples() { return {{{{{2}}}, {}, {}}}; }
};
EMBER_OP(TestForgetful);

std::string message_of(const std::function<void()>& f, OpError::Kind kind) {
  try {
    f();
  } catch (const OpError& e) {
    EXPECT_EQ(e.kind, kind) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no OpError";
  return "";
}

TEST(Signature, Parses) {
  Signature s = parse_signature(
      "input: tensor, rest: tensors, w: number? = None, key: random, axis: ints? = None, pad: ints = (1, -2), "
      "keepdims: bool = False, eps: float = 1e-5, mode: str = 'same', dtype: dtype = float32, n: int = -1 "
      "-> tensor, tensor");
  ASSERT_EQ(s.params.size(), 11U);
  EXPECT_EQ(s.results, 2);
  EXPECT_EQ(s.params[0].name, "input");
  EXPECT_EQ(s.params[1].kind, ParamKind::Tensors);
  EXPECT_TRUE(s.params[2].optional && s.params[2].has_default);
  EXPECT_EQ(s.params[3].kind, ParamKind::Random);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(s.params[4].default_value));
  EXPECT_EQ(std::get<Ints>(s.params[5].default_value)[1].hint(), -2);
  EXPECT_EQ(std::get<bool>(s.params[6].default_value), false);
  EXPECT_EQ(std::get<double>(s.params[7].default_value), 1e-5);
  EXPECT_EQ(std::get<std::string>(s.params[8].default_value), "same");
  EXPECT_EQ(std::get<DType>(s.params[9].default_value), DType::Float32);
  EXPECT_EQ(std::get<Dim>(s.params[10].default_value).hint(), -1);
  EXPECT_EQ(parse_signature("x: tensor -> tensors").results, -1);
  EXPECT_EQ(parse_signature("-> none").results, 0);
}

TEST(Signature, RefusesMistakes) {
  for (const char* text :
       {"", "x", "x: tensor", "x tensor -> tensor", "x: thing -> tensor", "x: tensor ->", "x: tensor -> tensor more",
        "x: tensor, -> tensor", "x: tensor, x: int -> tensor", "x: int = None -> tensor", "x: int = 1.5 -> tensor",
        "x: bool = 3 -> tensor", "x: str = 'open -> tensor", "x: ints = (1 -> tensor", "x: int = 1, y: int -> tensor",
        "x: tensor = 3 -> tensor", "x: tensor -> int", "x: dtype = what -> tensor"}) {
    EXPECT_THROW(parse_signature(text), std::logic_error) << text;
  }
}

TEST(Attrs, AreCompleted) {
  const Op& twice = op("test_twice");
  EXPECT_EQ(make_attrs(twice, {}).number(1), 2.0);
  EXPECT_EQ(make_attrs(twice, {{"by", int64_t{3}}}).number(1), 3.0);
  EXPECT_NE(message_of(
                [&] {
                  make_attrs(twice, {{"by", std::string("x")}});
                },
                OpError::Kind::Type)
                .find("'by'"),
            std::string::npos);
  EXPECT_NE(message_of(
                [&] {
                  make_attrs(twice, {{"bye", 2.0}});
                },
                OpError::Kind::Type)
                .find("'bye'"),
            std::string::npos);
  message_of([&] { make_attrs(twice, {{"x", 2.0}}); }, OpError::Kind::Type);
  message_of([&] { make_attrs(twice, {{"factor", 2.0}}); }, OpError::Kind::Type);
}

TEST(Attrs, CompareByBits) {
  double nan = std::nan("");
  EXPECT_TRUE(identical(Attrs({Attr(nan)}), Attrs({Attr(nan)})));
  EXPECT_FALSE(identical(Attrs({Attr(0.0)}), Attrs({Attr(-0.0)})));
  EXPECT_FALSE(identical(Attrs({Attr(int64_t{1})}), Attrs({Attr(true)})));
  EXPECT_FALSE(identical(Attrs({Attr(Ints{1, 2})}), Attrs({Attr(Ints{2, 1})})));
  EXPECT_NE(hash(Attrs({Attr(Ints{1, 2})})), hash(Attrs({Attr(Ints{2, 1})})));
}

TEST(OpTable, FindsByFunctionAndPrimitive) {
  EXPECT_EQ(find_op("test_axpy"), find_op("TestAxpy"));
  EXPECT_EQ(find_op("no_such_op"), nullptr);
  EXPECT_THROW(op("no_such_op"), std::logic_error);
  for (size_t i = 1; i < all_ops().size(); ++i) EXPECT_LT(all_ops()[i - 1].name, all_ops()[i].name);
}

std::string refusal(std::string_view name, std::string_view primitive) {
  Op op;
  op.name = name;
  op.primitive = primitive;
  try {
    register_op(std::move(op));
  } catch (const std::logic_error& e) {
    return e.what();
  }
  return "";
}

TEST(OpTable, RefusesATakenName) {
  EXPECT_EQ(refusal("test_axpy", "Test1"), "two ops are called 'test_axpy'");
  EXPECT_EQ(refusal("test_2", "TestTwice"), "two ops are called 'TestTwice'");
  EXPECT_EQ(refusal("again", "again"), "two ops are called 'again'");
}

Type f32(Dims dims) { return Type::tensor(DType::Float32, dims); }

Type infer_axpy(const Type& a, const Type& x, const Type& y) {
  return infer(op("test_axpy"), std::array{a, x, y}, {})[0];
}

TEST(Infer, PromotesAndBroadcasts) {
  Type i32 = Type::tensor(DType::Int32, {3});
  EXPECT_EQ(to_string(infer_axpy(i32, f32({2, 1}), f32({}))), "Tensor[Float32](2, 3)");
  EXPECT_EQ(to_string(infer_axpy(Type::scalar(Kind::Float), i32, i32)), "Tensor[Float32](3,)");
  EXPECT_EQ(to_string(infer_axpy(Type::scalar(Kind::Int), i32, i32)), "Tensor[Int32](3,)");
  Type half = Type::tensor(DType::Float16, {3});
  EXPECT_EQ(to_string(infer_axpy(Type::scalar(Kind::Float), half, half)), "Tensor[Float16](3,)");
}

TEST(Infer, NumbersAloneGiveANumber) {
  EXPECT_EQ(infer_axpy(Type::scalar(Kind::Int), Type::scalar(Kind::Int), Type::scalar(Kind::Int)).kind, Kind::Int);
  EXPECT_EQ(infer_axpy(Type::scalar(Kind::Int), Type::scalar(Kind::Float), Type::scalar(Kind::Int)).kind, Kind::Float);
  Values out = run(op("test_axpy"), Values{int64_t{3}, int64_t{4}, int64_t{5}}, {});
  EXPECT_EQ(std::get<int64_t>(out[0]), 17);
  EXPECT_EQ(std::get<double>(run(op("test_axpy"), Values{0.1, int64_t{1}, int64_t{0}}, {})[0]), 0.1);
}

TEST(Infer, ErrorsNameOpAndShapes) {
  std::string shapes = message_of([] { infer_axpy(f32({2, 3}), f32({4}), f32({})); }, OpError::Kind::Value);
  EXPECT_NE(shapes.find("For 'test_axpy', shapes (2, 3) and (4,) cannot be broadcast"), std::string::npos) << shapes;
  Type odd = Type::tensor(DType::UInt64, {}), with_sign = Type::tensor(DType::Int8, {});
  std::string types = message_of([&] { infer_axpy(odd, with_sign, odd); }, OpError::Kind::Type);
  EXPECT_NE(types.find("UInt64 and Int8"), std::string::npos) << types;
  std::string composed =
      message_of([&] { infer(op("test_twice"), std::array{Type::token()}, make_attrs(op("test_twice"), {})); },
                 OpError::Kind::Type);
  EXPECT_EQ(composed.find("For 'test_twice', 'x' must be given"), 0U) << composed;
  std::string step = message_of(
      [&] {
        infer(op("test_pair"), std::array{f32({2}), f32({3})}, {});
      },
      OpError::Kind::Value);
  EXPECT_EQ(step.find("For 'test_pair', shapes (2,) and (3,)"), 0U) << step;
  std::string count = message_of([] { infer(op("test_axpy"), std::array{f32({})}, {}); }, OpError::Kind::Type);
  EXPECT_NE(count.find("3 operands"), std::string::npos) << count;
  message_of([] { infer_axpy(Type::token(), f32({}), f32({})); }, OpError::Kind::Type);
  message_of([] { infer_axpy(f32(Dims(8, int64_t{1} << 20)), f32({}), f32({})); }, OpError::Kind::Value);
}

TEST(Infer, MessagesSaySizesAndNotSymbols) {
  SymbolTable table;
  SymbolScope scope(&table);
  const Types in = {f32({size_symbol(table, 2), size_symbol(table, 3)}),
                    f32({size_symbol(table, 4), size_symbol(table, 3)})};
  const std::string text = message_of([&] { infer(op("matmul"), in, {}); }, OpError::Kind::Value);
  EXPECT_NE(text.find("(2, 3)"), std::string::npos) << text;
  EXPECT_NE(text.find("(4, 3)"), std::string::npos) << text;
}

TEST(Infer, RecordsGuardsForSymbols) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim s = size_symbol(table, 3);
  EXPECT_EQ(to_string(infer_axpy(f32({2, s}), f32({s}), f32({})), table), "Tensor[Float32](2, s0)");
  EXPECT_TRUE(table.holds(table.evaluate(std::vector<int64_t>{7})));
  EXPECT_EQ(to_string(infer(op("test_twice"), std::array{f32({s})}, make_attrs(op("test_twice"), {}))[0], table),
            "Tensor[Float32](s0,)");
  infer_axpy(f32({s}), f32({3}), f32({}));
  EXPECT_FALSE(table.holds(table.evaluate(std::vector<int64_t>{7})));
  EXPECT_TRUE(table.holds(table.evaluate(std::vector<int64_t>{3})));
}

TEST(Axis, IsChecked) {
  EXPECT_EQ(axis(-1, 3, "x"), 2U);
  EXPECT_NE(message_of([] { axis(3, 3, "cumsum"); }, OpError::Kind::Value).find("'cumsum', axis 3"), std::string::npos);
  message_of([] { axis(std::numeric_limits<int64_t>::min(), 3, "x"); }, OpError::Kind::Value);
  Attrs twice({Attr(Ints{0, -3})});
  message_of([&] { axes(twice, 0, 3, "x"); }, OpError::Kind::Value);
  EXPECT_EQ(axes(Attrs({Attr()}), 0, 3, "x").size(), 3U);
  EXPECT_EQ(axes(Attrs({Attr(Ints{2, 0})}), 0, 3, "x")[0], 2U);
}

TEST(Expression, IsSharedAndRoundsHalfTypes) {
  Type half = Type::tensor(DType::Float16, {3});
  const gc::Ref<const Program> shared = program(op("test_axpy"), std::array{half, half, half}, {});
  Type other = Type::tensor(DType::Float16, {9, 9});
  EXPECT_EQ(shared, program(op("test_axpy"), std::array{other, half, half}, {}));
  const Expr& a = shared->expr();
  EXPECT_EQ(a.nodes[a.outputs[0]].dtype, DType::Float16);
  for (const ExprNode& node : a.nodes) {
    EXPECT_TRUE(node.dtype == DType::Float32 || (node.verb != Verb::Mul && node.verb != Verb::Add));
  }
}

TEST(Expression, NumbersTakeTheTensorsDtypeFirst) {
  Tensor x = Tensor::full(DType::Float16, {1}, 3.0);
  Tensor zero = Tensor::full(DType::Float16, {1}, 0.0);
  Tensor tenth = Tensor::full(DType::Float16, {1}, 0.1);
  Values by_number = run(op("test_axpy"), Values{0.1, x, zero}, {});
  Values by_tensor = run(op("test_axpy"), Values{tenth, x, zero}, {});
  EXPECT_TRUE(same_bits(by_number[0], by_tensor[0]));
}

TEST(Run, CachesByLayoutAndAttributes) {
  const Op& twice = op("test_twice");
  for (int round = 0; round < 3; ++round) {
    for (int64_t n : {1, 2, 5}) {
      for (double by : {2.0, 3.0}) {
        Tensor x = Tensor::full(DType::Float32, {n}, 2);
        Values out = run(twice, Values{x}, make_attrs(twice, {{"by", by}}));
        const auto& t = std::get<Tensor>(out[0]);
        ASSERT_EQ(t.numel(), n);
        EXPECT_EQ(t.data_as<float>()[n - 1], static_cast<float>(2 * by + 2));
      }
    }
  }
}

TEST(Run, WorksOnManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int64_t n = 1; n < 200; ++n) {
        Tensor x = Tensor::full(DType::Float32, {n}, i);
        Values out = run(op("test_axpy"), Values{2.0, x, x}, {});
        if (std::get<Tensor>(out[0]).data_as<float>()[n - 1] != static_cast<float>(3 * i)) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Run, ErrorsLeaveThingsUsable) {
  Tensor x = Tensor::full(DType::Float32, {2}, 1);
  Tensor y = Tensor::full(DType::Float32, {3}, 1);
  for (int i = 0; i < 3; ++i) message_of([&] { run(op("test_axpy"), Values{x, y, x}, {}); }, OpError::Kind::Value);
  EXPECT_EQ(std::get<Tensor>(run(op("test_axpy"), Values{x, x, x}, {})[0]).data_as<float>()[1], 2.0F);
  gc::set_limit(gc::stats().live + gc::stats().cached + (1 << 20));
  Tensor wide = Tensor::full(DType::Float32, {1}, 1).view(layout(DType::Float32, {1 << 28}, {0}));
  EXPECT_THROW(
      run(op("test_axpy"), Values{wide, x.view(layout(DType::Float32, {})), x.view(layout(DType::Float32, {}))}, {}),
      gc::OutOfMemory);
  gc::set_limit(0);
  EXPECT_NO_THROW(run(op("test_axpy"), Values{x, x, x}, {}));
}

TEST(Grad, AsksOnlyForWhatIsSaved) {
  Tape tape;
  Value x = tape.watch(Tensor::full(DType::Float32, {2}, 1));
  Values out = tape.apply(op("test_forgetful"), Values{x}, {});
  Values ct = {Tensor::full(DType::Float32, {2}, 1)};
  EXPECT_THROW(tape.backward(out, ct, Values{x}), std::logic_error);
}

TEST(Random, KeysFollowTheSeed) {
  process_stream().seed(5);
  int64_t first = next_random_key();
  EXPECT_EQ(first, int64_t{5} << 32);
  EXPECT_EQ(next_random_key(), first + 1);
  process_stream().seed(5);
  EXPECT_EQ(next_random_key(), first);
}

}  // namespace
}  // namespace ember::ops
