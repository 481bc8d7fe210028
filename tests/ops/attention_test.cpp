// Attention's kernels against the composition that defines them, bit for bit.
#include <cmath>
#include <limits>

#include "ops/base/parallel.h"
#include "tests/ops/kernel_test.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using testing::for_each_isa_and_thread_count;
using testing::same_bits;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Case {
  Shape query, key, value;
  Tensor mask;
  Builder::Named attrs;
};

Tensor drawn(const Shape& shape, uint64_t seed, DType dtype = DType::Float32) {
  return testing::random_tensor(dtype, shape, -2, 2, seed);
}

Shape result_shape(const Case& c) {
  Shape shape = c.query;
  shape[shape.size() - 1] = c.value[c.value.size() - 1];
  return shape;
}

Values operands_of(const Case& c, DType dtype = DType::Float32) {
  return {drawn(c.query, 1, dtype), drawn(c.key, 2, dtype), drawn(c.value, 3, dtype),
          c.mask.defined() ? Value(c.mask) : Value()};
}

void expect_same(const Op& op, const Values& operands, const Attrs& attrs) {
  EagerBuilder b;
  const Values want = op.compose(b, operands, attrs);
  for_each_isa_and_thread_count(
      [&] {
        const Values got = run(op, operands, attrs);
        for (size_t i = 0; i < want.size(); ++i) ASSERT_TRUE(same_bits(got[i], want[i])) << op.name << " result " << i;
      },
      {1, 2, 3, 7});
}

// Both kernels, with these operands.
void check(const Values& operands, const Builder::Named& named, const Tensor& cotangent) {
  const Op &forward = op("attention"), &backward = op("attention_backward");
  expect_same(forward, operands, make_attrs(forward, named));
  Values with = operands;
  with.insert(with.begin(), cotangent);
  expect_same(backward, with, make_attrs(backward, named));
}

void check(const Case& c, DType dtype = DType::Float32) {
  SCOPED_TRACE(to_string(c.query) + " " + to_string(c.key) + " " + to_string(c.value));
  check(operands_of(c, dtype), c.attrs, drawn(result_shape(c), 4, dtype));
}

// (length, keys), added to the scores: what is behind `seen(row)` is hidden.
template <class F>
Tensor hiding(int64_t length, int64_t keys, F seen, float hidden = -kInf) {
  Tensor mask = Tensor::full(DType::Float32, {length, keys}, 0);
  for (int64_t i = 0; i < length; ++i) {
    for (int64_t j = seen(i); j < keys; ++j) mask.data_as<float>()[i * keys + j] = hidden;
  }
  return mask;
}

Tensor as_bools(const Tensor& mask) {
  Tensor out = Tensor::empty(DType::Bool, mask.shape());
  for (int64_t i = 0; i < mask.numel(); ++i) out.data_as<bool>()[i] = mask.data_as<float>()[i] != 0;
  return out;
}

TEST(Attention, OfEveryLength) {
  for (int64_t length = 1; length <= 67; ++length) {
    const int64_t keys = 68 - length, depth = 1 + length % 19, width = 1 + length * 7 % 23;
    check({{length, depth}, {keys, depth}, {keys, width}, {}, {{"scale", 0.3}}});
    check({{length, depth}, {length, depth}, {length, width}, {}, {{"causal", true}}});
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Attention, OfManyKeysAndDeepHeads) {
  for (bool causal : {false, true}) {
    check({{33, 9}, {1500, 9}, {1500, 18}, {}, {{"causal", causal}}});
    check({{70, 5}, {5000, 5}, {5000, 3}, {}, {{"causal", causal}}});
    check({{7, 800}, {30, 800}, {30, 401}, {}, {{"causal", causal}, {"scale", 0.01}}});
  }
}

TEST(Attention, OfZeroSizes) {
  for (const Case& c :
       {Case{{0, 4}, {5, 4}, {5, 3}, {}, {}}, Case{{6, 4}, {0, 4}, {0, 3}, {}, {}},
        Case{{6, 0}, {5, 0}, {5, 3}, {}, {}}, Case{{6, 4}, {5, 4}, {5, 0}, {}, {}},
        Case{{0, 2, 6, 4}, {0, 1, 5, 4}, {0, 1, 5, 3}, {}, {}}, Case{{2, 0, 6, 4}, {2, 0, 5, 4}, {2, 0, 5, 3}, {}, {}},
        Case{{6, 4}, {0, 4}, {0, 3}, {}, {{"causal", true}}}}) {
    check(c);
  }
}

TEST(Attention, OfGroupsAndEveryDtype) {
  for (DType dtype : {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16}) {
    SCOPED_TRACE(name(dtype));
    for (bool divide : {false, true}) {
      const Builder::Named attrs = {{"scale", 2.7}, {"divide", divide}, {"causal", divide}};
      check({{2, 6, 20, 7}, {2, 2, 20, 7}, {2, 2, 20, 5}, {}, attrs}, dtype);
      check({{6, 20, 7}, {6, 21, 7}, {6, 21, 5}, {}, attrs}, dtype);
    }
  }
}

TEST(Attention, OfMasks) {
  const int64_t length = 50, keys = 45;
  const Tensor masks[] = {hiding(length, keys, [keys](int64_t i) { return std::min(keys, i + 1); }),
                          hiding(length, keys, [](int64_t i) { return i * 13 % 46; }),
                          hiding(length, keys, [](int64_t) { return 20; }),
                          hiding(length, keys, [](int64_t i) { return i == 30 ? 0 : 20; }),
                          hiding(length, keys, [](int64_t) { return 0; }),
                          hiding(
                              length, keys, [](int64_t i) { return i % 40; }, -1e9f),
                          hiding(
                              length, keys, [](int64_t i) { return i % 40; }, kNaN),
                          hiding(
                              length, keys, [](int64_t i) { return i % 40; }, kInf)};
  for (const Tensor& mask : masks) {
    for (bool causal : {false, true}) {
      const Case added{{3, length, 8}, {3, keys, 8}, {3, keys, 6}, mask, {{"causal", causal}}};
      check(added);
      Case replaced = added;
      replaced.mask = as_bools(mask);
      check(replaced);
      replaced.attrs.emplace_back("fill", -1e9);
      check(replaced);
    }
  }
  const Tensor by_head = testing::random_tensor(DType::Bool, {2, 1, 1, 9}, 0, 1, 7);
  check({{2, 4, 20, 3}, {2, 2, 9, 3}, {2, 2, 9, 3}, by_head, {}});
  const Tensor by_row = testing::random_tensor(DType::Float32, {4, 20, 1}, -2, 2, 7);
  check({{2, 4, 20, 3}, {2, 2, 9, 3}, {2, 2, 9, 3}, by_row, {}});
}

// Numbers that keys which a query does not see must not hide, wherever they stand.
TEST(Attention, OfSpecialNumbers) {
  const Case c{{40, 6}, {40, 6}, {40, 6}, {}, {{"causal", true}}};
  Case masked = c;
  masked.mask = as_bools(hiding(40, 40, [](int64_t i) { return i + 1; }));
  for (float special : {kInf, -kInf, kNaN, 3e38f, 1e-45f, -0.0f}) {
    for (size_t operand = 0; operand < 4; ++operand) {
      for (int64_t at : {0, 100, 239}) {
        Values operands = operands_of(c);
        const Tensor cotangent = drawn(result_shape(c), 4);
        const Tensor& changed = operand < 3 ? std::get<Tensor>(operands[operand]) : cotangent;
        changed.data_as<float>()[at] = special;
        check(operands, c.attrs, cotangent);
        operands[3] = masked.mask;
        check(operands, {}, cotangent);
      }
    }
  }
}

// Products that vanish leave -0, and the +0 of a key that is not seen makes it +0.
TEST(Attention, OfVanishingNumbers) {
  for (float sign : {-1.0f, 1.0f}) {
    const Case c{{40, 3}, {40, 3}, {40, 3}, {}, {{"causal", true}}};
    const Values operands = operands_of(c);
    const Tensor& value = std::get<Tensor>(operands[2]);
    for (int64_t i = 0; i < value.numel(); ++i) value.data_as<float>()[i] = i < 60 ? -1e-45f : sign;
    check(operands, c.attrs, Tensor::full(DType::Float32, result_shape(c), -1e-45));
    const Tensor& query = std::get<Tensor>(operands[0]);
    for (int64_t i = 0; i < query.numel(); ++i) query.data_as<float>()[i] = -1e-40f;
    check(operands, c.attrs, Tensor::full(DType::Float32, result_shape(c), sign * 1e-30));
  }
}

// Heads that several threads share out among them: their number is no multiple of the threads'.
TEST(Attention, OfFewHeads) {
  const int64_t length = 270, keys = 250;
  const Tensor mask = hiding(length, keys, [](int64_t i) { return i * 13 % 251; });
  for (const Shape& heads : {Shape{}, Shape{2}, Shape{1, 3}}) {
    const auto of = [&](int64_t rows, int64_t columns, int64_t divided) {
      Shape shape = heads;
      if (shape.size() > 0) shape[shape.size() - 1] /= divided;
      shape.push_back(rows);
      shape.push_back(columns);
      return shape;
    };
    const int64_t shared = heads.size() > 0 ? heads[heads.size() - 1] : 1;
    for (bool causal : {false, true}) {
      Case c{of(length, 19, 1), of(keys, 19, shared), of(keys, 17, shared), {}, {{"causal", causal}, {"scale", 0.3}}};
      check(c);
      c.mask = causal ? mask : as_bools(mask);
      check(c);
    }
  }
}

TEST(Attention, OfFewHeadsInEveryDtype) {
  for (DType dtype : {DType::Float64, DType::Float16, DType::BFloat16}) {
    SCOPED_TRACE(name(dtype));
    check({{1, 270, 19}, {1, 250, 19}, {1, 250, 17}, {}, {{"causal", true}}}, dtype);
  }
}

// A panel that finds that its keys must not be left out, while others are made.
TEST(Attention, OfFewHeadsWithSpecialNumbers) {
  const Case c{{270, 19}, {250, 19}, {250, 17}, {}, {{"causal", true}}};
  for (float special : {kInf, kNaN, -0.0f}) {
    for (size_t operand = 0; operand < 4; ++operand) {
      const Values operands = operands_of(c);
      const Tensor cotangent = drawn(result_shape(c), 4);
      const Tensor& changed = operand < 3 ? std::get<Tensor>(operands[operand]) : cotangent;
      changed.data_as<float>()[150 * 17] = special;
      check(operands, c.attrs, cotangent);
    }
  }
}

TEST(Attention, RefusesWhatDoesNotFit) {
  const auto refuses = [](const Values& operands, const std::string& what) {
    try {
      run(op("attention"), operands, make_attrs(op("attention"), {}));
      ADD_FAILURE() << "accepted: " << what;
    } catch (const OpError& e) {
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("'attention'"), std::string::npos) << e.what();
    }
  };
  const Tensor x = drawn({4, 6, 5}, 1), ints = Tensor::full(DType::Int32, {4, 6, 5}, 1);
  refuses({ints, ints, ints, Value()}, "floating-point");
  refuses({x, drawn({4, 6, 5}, 1, DType::Float64), x, Value()}, "one floating-point dtype");
  refuses({drawn({5}, 1), drawn({5}, 1), drawn({5}, 1), Value()}, "two or more dimensions");
  refuses({x, drawn({6, 5}, 1), x, Value()}, "same two or more dimensions");
  refuses({x, x, drawn({4, 7, 5}, 1), Value()}, "key and value must agree");
  refuses({x, drawn({4, 6, 3}, 1), x, Value()}, "last axis");
  refuses({x, drawn({3, 6, 5}, 1), drawn({3, 6, 5}, 1), Value()}, "must divide");
  refuses({drawn({2, 4, 6, 5}, 1), drawn({3, 4, 6, 5}, 1), drawn({3, 4, 6, 5}, 1), Value()}, "before the heads");
  refuses({x, x, x, drawn({5, 6}, 1)}, "must broadcast");
  refuses({x, x, x, drawn({1, 4, 6, 6}, 1)}, "must broadcast");
  refuses({x, x, x, Tensor::full(DType::Int32, {6, 6}, 0)}, "mask must be bool");
}

}  // namespace
}  // namespace ember::ops
