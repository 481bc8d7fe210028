// Movement, joining and indexing: what the table's tests can't know. Values by hand, views that share memory, symbolic
// sizes, and refusals.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "tests/ops/kernel_test.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using namespace ember::ops::testing;  // NOLINT

Tensor count(const Shape& shape) {
  Tensor t = Tensor::empty(DType::Float32, shape);
  for (int64_t i = 0; i < t.numel(); ++i) t.data_as<float>()[i] = static_cast<float>(i);
  return t;
}

Tensor indices(const std::vector<int64_t>& values) {
  Tensor t = Tensor::empty(DType::Int64, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), t.data_as<int64_t>());
  return t;
}

std::vector<double> elements(const Value& v) {
  Tensor t = to_contiguous(std::get<Tensor>(v));
  std::vector<double> out;
  for (int64_t i = 0; i < t.numel(); ++i) out.push_back(element(t, i));
  return out;
}

Tensor call(std::string_view name, std::initializer_list<Value> operands, const Builder::Named& attrs = {}) {
  EagerBuilder b;
  return std::get<Tensor>(b.call(name, operands, attrs));
}

OpError::Kind refusal(std::string_view name, std::initializer_list<Value> operands, const Builder::Named& attrs = {}) {
  try {
    call(name, operands, attrs);
  } catch (const OpError& e) {
    EXPECT_NE(std::string(e.what()).find(name == "select_at" ? "index" : name), std::string::npos) << e.what();
    return e.kind;
  }
  ADD_FAILURE() << name << " was not refused";
  return OpError::Kind::Value;
}

using Doubles = std::vector<double>;

TEST(Movement, ViewsShareMemory) {
  Tensor x = count({4, 6});
  for (const Tensor& v :
       {call("reshape", {x}, {{"shape", Ints{2, 12}}}), call("transpose", {x}, {{"dims", Ints{1, 0}}}),
        call("expand_dims", {x}, {{"axis", int64_t{1}}}), call("diagonal", {x}),
        call("broadcast_to", {x}, {{"shape", Ints{3, 4, 6}}}),
        call("swapaxes", {x}, {{"axis0", int64_t{0}}, {"axis1", int64_t{1}}}),
        call("select_at", {x}, {{"index", int64_t{2}}}),
        call("strided_slice", {x}, {{"begin", Ints{3}}, {"end", Ints{0}}, {"strides", Ints{-2}}})}) {
    EXPECT_EQ(v.storage(), x.storage());
  }
  EXPECT_NE(call("flip", {x}, {{"dims", Ints{0}}}).storage(), x.storage());
}

TEST(Movement, ReshapeCopiesOnlyWhereItMust) {
  Tensor transposed = call("transpose", {count({2, 3, 4})}, {{"dims", Ints{2, 0, 1}}});
  Tensor split = call("reshape", {transposed}, {{"shape", Ints{2, 2, 6}}});
  EXPECT_EQ(split.storage(), transposed.storage());
  EXPECT_EQ(elements(split)[1], 4);
  Tensor joined = call("reshape", {transposed}, {{"shape", Ints{-1}}});
  EXPECT_NE(joined.storage(), transposed.storage());
  EXPECT_EQ(elements(joined), elements(transposed));
}

TEST(Movement, ShapesStaySymbolic) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim n = size_symbol(table, 6);
  const Op& reshape = op("reshape");
  auto shape_of = [&](const Dims& have, const Ints& want) {
    Type in = Type::tensor(DType::Float32, have);
    return infer(reshape, {&in, 1}, make_attrs(reshape, {{"shape", want}}))[0].dims;
  };
  Dims out = shape_of({n, 28, 28}, {n, -1});
  EXPECT_TRUE(identical(out[0], n));
  EXPECT_TRUE(identical(out[1], Dim(784)));
  out = shape_of({n, 28, 28}, {-1, 784});
  EXPECT_TRUE(identical(out[0], n));
  EXPECT_TRUE(table.guards().empty());
  EXPECT_EQ(shape_of({n, 4}, {3, -1})[1].hint(), 8);
  EXPECT_FALSE(table.guards().empty());
}

TEST(Movement, SliceSizesStaySymbolic) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim n = size_symbol(table, 6);
  const Op& slice = op("strided_slice");
  Type in = Type::tensor(DType::Float32, {n, n});
  Attrs attrs = make_attrs(slice, {{"begin", Ints{1, 0}}, {"end", Ints{n, n}}, {"strides", Ints{1, 1}}});
  Dims out = infer(slice, {&in, 1}, attrs)[0].dims;
  EXPECT_TRUE(identical(out[0], n - 1));
  EXPECT_TRUE(identical(out[1], n));
}

TEST(Movement, RefusesImpossibleShapes) {
  Tensor x = count({2, 3});
  constexpr auto kValue = OpError::Kind::Value;
  EXPECT_EQ(refusal("reshape", {x}, {{"shape", Ints{4, 2}}}), kValue);
  EXPECT_EQ(refusal("reshape", {x}, {{"shape", Ints{-1, -1}}}), kValue);
  EXPECT_EQ(refusal("reshape", {x}, {{"shape", Ints{-1, 4}}}), kValue);
  EXPECT_EQ(refusal("reshape", {count({0, 3})}, {{"shape", Ints{0, -1}}}), kValue);
  EXPECT_EQ(refusal("reshape", {x}, {{"shape", Ints(9, 1)}}), kValue);
  EXPECT_EQ(refusal("transpose", {x}, {{"dims", Ints{0, 0}}}), kValue);
  EXPECT_EQ(refusal("transpose", {x}, {{"dims", Ints{0}}}), kValue);
  EXPECT_EQ(refusal("broadcast_to", {x}, {{"shape", Ints{2, 4}}}), kValue);
  EXPECT_EQ(refusal("broadcast_to", {x}, {{"shape", Ints{3}}}), kValue);
  EXPECT_EQ(refusal("expand_dims", {x}, {{"axis", int64_t{4}}}), kValue);
  EXPECT_EQ(refusal("squeeze", {x}, {{"axis", Ints{5}}}), kValue);
  EXPECT_EQ(refusal("concat", {x, count({1, 2})}), kValue);
  EXPECT_EQ(refusal("stack", {x, call("cast", {x}, {{"dtype", DType::Int32}})}), OpError::Kind::Type);
  EXPECT_EQ(refusal("pad", {x}, {{"padding", Ints{1}}}), kValue);
  EXPECT_EQ(refusal("pad", {x}, {{"padding", Ints{-2, -2}}}), kValue);
  EXPECT_EQ(refusal("split", {x}, {{"split_size_or_sections", Ints{0}}}), kValue);
  EXPECT_EQ(refusal("select_at", {x}, {{"index", int64_t{2}}}), OpError::Kind::Index);
  EXPECT_EQ(refusal("tril", {count({3})}), kValue);
}

TEST(Movement, HugeSizesAreRefusedNotOverflown) {
  int64_t huge = int64_t{1} << 62;
  EXPECT_ANY_THROW(call("zeros", {}, {{"size", Ints{huge, 8}}}));
  EXPECT_ANY_THROW(call("broadcast_to", {count({1})}, {{"shape", Ints{huge, huge}}}));
  EXPECT_ANY_THROW(call("tile", {count({2})}, {{"dims", Ints{huge}}}));
  EXPECT_ANY_THROW(call("pad", {count({2})}, {{"padding", Ints{huge, huge}}}));
  EXPECT_ANY_THROW(call("one_hot", {indices({1}), {}, {}}, {{"depth", huge}}));
  EXPECT_ANY_THROW(call("reshape", {count({2})}, {{"shape", Ints{huge, huge, 2}}}));
}

TEST(Indexing, SlicesByPythonsRules) {
  Tensor x = count({6});
  auto slice = [&](int64_t begin, int64_t end, int64_t step) {
    return elements(call("strided_slice", {x}, {{"begin", Ints{begin}}, {"end", Ints{end}}, {"strides", Ints{step}}}));
  };
  EXPECT_EQ(slice(1, 4, 1), (Doubles{1, 2, 3}));
  EXPECT_EQ(slice(-2, 99, 1), (Doubles{4, 5}));
  EXPECT_EQ(slice(0, -1, 2), (Doubles{0, 2, 4}));
  EXPECT_EQ(slice(-1, -7, -1), (Doubles{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(slice(4, 0, -2), (Doubles{4, 2}));
  EXPECT_EQ(slice(99, 1, -3), (Doubles{5, 2}));
  EXPECT_EQ(slice(3, -1, -1), (Doubles{}));
  EXPECT_EQ(slice(4, 2, 1), (Doubles{}));
  EXPECT_EQ(slice(-99, 2, 1), (Doubles{0, 1}));
}

TEST(Indexing, UpdatesLeaveTheOperandAlone) {
  Tensor x = count({2, 3});
  Builder::Named column = {{"begin", Ints{0, 1}}, {"end", Ints{2, 2}}, {"strides", Ints{1, 1}}};
  EXPECT_EQ(elements(call("slice_update", {x, 9.5}, column)), (Doubles{0, 9.5, 2, 3, 9.5, 5}));
  EXPECT_EQ(elements(x), (Doubles{0, 1, 2, 3, 4, 5}));
  Builder::Named back = {{"begin", Ints{0, -1}}, {"end", Ints{1, -4}}, {"strides", Ints{1, -1}}};
  EXPECT_EQ(elements(call("slice_update", {x, count({3})}, back)), (Doubles{2, 1, 0, 3, 4, 5}));
  EXPECT_EQ(refusal("slice_update", {x, count({2})}, back), OpError::Kind::Value);
}

TEST(Indexing, GathersAndScatters) {
  Tensor x = count({3, 2});
  EXPECT_EQ(elements(call("gather", {x, indices({2, -3})}, {{"axis", int64_t{0}}})), (Doubles{4, 5, 0, 1}));
  EXPECT_EQ(refusal("gather", {x, indices({3})}, {{"axis", int64_t{0}}}), OpError::Kind::Index);
  EXPECT_EQ(refusal("gather", {x, count({1})}, {{"axis", int64_t{0}}}), OpError::Kind::Type);
  EXPECT_EQ(refusal("gather", {count({0, 2}), indices({0})}, {{"axis", int64_t{0}}}), OpError::Kind::Index);
  EXPECT_EQ(call("gather", {x, indices({})}, {{"axis", int64_t{1}}}).shape(), (Shape{3, 0}));
}

TEST(Indexing, DuplicatesAddInIndexOrder) {
  Tensor x = Tensor::full(DType::Float32, {1}, 0);
  Tensor y = Tensor::empty(DType::Float32, {3});
  y.data_as<float>()[0] = 1e8F;
  y.data_as<float>()[1] = -1e8F;
  y.data_as<float>()[2] = 1;
  Tensor zeros = indices({0, 0, 0});
  EXPECT_EQ(elements(call("index_add", {x, zeros, y}, {{"axis", int64_t{0}}})), (Doubles{1}));
  std::swap(y.data_as<float>()[1], y.data_as<float>()[2]);
  EXPECT_EQ(elements(call("index_add", {x, zeros, y}, {{"axis", int64_t{0}}})), (Doubles{0}));
  Builder::Named add = {{"axis", int64_t{0}}, {"reduction", std::string("add")}};
  EXPECT_EQ(elements(call("tensor_scatter_elements", {x, zeros, y}, add)), (Doubles{0}));
}

TEST(Joining, ByHand) {
  Tensor x = count({2, 2});
  EXPECT_EQ(elements(call("tile", {x}, {{"dims", Ints{1, 2}}})), (Doubles{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(elements(call("repeat_interleave", {x}, {{"repeats", Ints{2}}, {"axis", int64_t{0}}})),
            (Doubles{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(elements(call("pad", {x}, {{"padding", Ints{1, 0, 0, 1}}, {"value", 9.0}})),
            (Doubles{9, 0, 1, 9, 2, 3, 9, 9, 9}));
  EXPECT_EQ(elements(call("triu", {x})), (Doubles{0, 1, 0, 3}));
  EXPECT_EQ(elements(call("cumsum", {x}, {{"axis", int64_t{0}}})), (Doubles{0, 1, 2, 4}));
  Tensor mixed = call("concat", {x, call("ones", {}, {{"shape", Ints{1, 2}}, {"dtype", DType::Int32}})});
  EXPECT_EQ(elements(mixed), (Doubles{0, 1, 2, 3, 1, 1}));
  EagerBuilder b;
  Values parts = b.call_all("split", {{count({5})}}, {{"split_size_or_sections", Ints{2}}});
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(elements(parts[2]), (Doubles{4}));
}

template <class T>
void check_cumsum() {
  const std::pair<Shape, int64_t> cases[] = {{{19, 70}, 1}, {{19, 70}, 0}, {{3, 40, 1100}, 1}, {{2, 1}, 1}};
  for (const auto& [shape, at] : cases) {
    const Tensor x = random_tensor<T>(shape, 1, Order::Transposed), want = Tensor::empty(dtype_of<T>, shape);
    const int64_t step = want.layout().strides[static_cast<size_t>(at)], size = shape[static_cast<size_t>(at)];
    T* sums = want.data_as<T>();
    copy_view(view(x), view(want));
    for (int64_t i = 0; i < want.numel(); ++i) {
      if (i / step % size > 0) sums[i] = sum_of(sums[i - step], sums[i]);
    }
    for_each_isa_and_thread_count([&, at = at] {
      const Tensor y = call("cumsum", {x}, {{"axis", at}});
      EXPECT_EQ(std::memcmp(y.data(), sums, static_cast<size_t>(y.numel()) * sizeof(T)), 0);
    });
  }
}

TEST(CumSum, GoesAlongItsAxisOneByOne) {
  check_cumsum<float>();
  check_cumsum<double>();
  check_cumsum<int32_t>();
  check_cumsum<uint8_t>();
  check_cumsum<Half>();
}

TEST(Strided, CopiesLikeALoop) {
  Tensor x = count({3, 5, 70});
  for (const Ints& order : {Ints{0, 1, 2}, Ints{2, 1, 0}, Ints{1, 2, 0}, Ints{2, 0, 1}, Ints{0, 2, 1}}) {
    Tensor transposed = call("transpose", {x}, {{"dims", order}});
    Tensor out = Tensor::empty(DType::Float32, transposed.shape());
    copy_view({transposed.data(), &transposed.layout()}, {out.data(), &out.layout()});
    EXPECT_TRUE(same_bits(out, transposed));
  }
}

}  // namespace
}  // namespace ember::ops
