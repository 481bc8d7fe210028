// Interned layouts and the copying of strided tensors.
#include "ops/tensor/layout.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <thread>

#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/tensor/tensor.h"

namespace ember::ops {
namespace {

TEST(Layout, EqualOnesAreOne) {
  LayoutRef a = layout(DType::Float32, {2, 3});
  LayoutRef b = layout(DType::Float32, {2, 3}, {3, 1});
  EXPECT_EQ(a.get(), b.get());
  EXPECT_NE(a->id, layout(DType::Float32, {2, 3}, {1, 2})->id);
  EXPECT_NE(a->id, layout(DType::Int32, {2, 3})->id);
  EXPECT_NE(a->id, layout(DType::Float32, {3, 2})->id);
}

TEST(Layout, IdsAreNeverUsedAgain) {
  std::set<uint64_t> seen;
  size_t before = live_layouts();
  for (int i = 0; i < 1000; ++i) {
    LayoutRef fresh = layout(DType::Float32, {91, 17, 3});
    EXPECT_TRUE(seen.insert(fresh->id).second);
  }
  EXPECT_EQ(live_layouts(), before);
}

TEST(Layout, ThreadsAgree) {
  LayoutRef kept = layout(DType::Int8, {5, 5, 5});
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  size_t before = live_layouts();
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        if (layout(DType::Int8, {5, 5, 5}).get() != kept.get()) ++wrong;
        LayoutRef a = layout(DType::Int8, {7, i % 3});
        LayoutRef b = layout(DType::Int8, {7, i % 3});
        if (a.get() != b.get()) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(live_layouts(), before);
}

TEST(Layout, KnowsContiguity) {
  EXPECT_TRUE(layout(DType::Float32, {2, 3})->contiguous);
  EXPECT_FALSE(layout(DType::Float32, {2, 3}, {1, 2})->contiguous);
  EXPECT_TRUE(layout(DType::Float32, {2, 1, 3}, {3, 99, 1})->contiguous);
  EXPECT_FALSE(layout(DType::Float32, {2, 3}, {0, 1})->contiguous);
  EXPECT_TRUE(layout(DType::Float32, {0, 3}, {7, 7})->contiguous);
  EXPECT_TRUE(layout(DType::Float32, {})->contiguous);
  EXPECT_EQ(layout(DType::Float64, {2, 3})->bytes(), 48U);
}

TEST(Layout, RefusesImpossibleShapes) {
  EXPECT_THROW(layout(DType::Float32, {-1}), std::invalid_argument);
  EXPECT_THROW(layout(DType::Float32, {int64_t{1} << 40, int64_t{1} << 40}), std::invalid_argument);
  EXPECT_THROW(layout(DType::Float32, {0, int64_t{1} << 40, int64_t{1} << 40}), std::invalid_argument);
  EXPECT_THROW(layout(DType::Float32, {2, 2}, {1}), std::invalid_argument);
  EXPECT_THROW(Shape(9, 1), std::length_error);
}

TEST(Layout, ShapesPrintAndBroadcast) {
  EXPECT_EQ(to_string(Shape{}), "()");
  EXPECT_EQ(to_string(Shape{4}), "(4,)");
  EXPECT_EQ(to_string(Shape{2, 3}), "(2, 3)");
  EXPECT_EQ(to_string(broadcast_shapes({2, 1, 3}, {5, 1})), "(2, 5, 3)");
  EXPECT_EQ(to_string(broadcast_shapes({}, {0})), "(0,)");
  EXPECT_EQ(to_string(broadcast_shapes({1}, {0})), "(0,)");
  EXPECT_THROW(broadcast_shapes({2}, {3}), std::invalid_argument);
}

Tensor counting(DType dtype, const Shape& shape) {
  Tensor t = Tensor::empty(dtype, shape);
  dispatch(dtype, [&]<class T>() {
    for (int64_t i = 0; i < t.numel(); ++i) t.data_as<T>()[i] = static_cast<T>(static_cast<float>(i));
  });
  return t;
}

TEST(Tensor, CopiesAnyStrides) {
  Tensor t = counting(DType::Float32, {2, 3, 4});
  Tensor transposed = t.view(layout(DType::Float32, {4, 3, 2}, {1, 4, 12}));
  Tensor flat = to_contiguous(transposed);
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < 3; ++b) {
      for (int64_t c = 0; c < 2; ++c)
        EXPECT_EQ(flat.data_as<float>()[a * 6 + b * 2 + c], static_cast<float>(c * 12 + b * 4 + a));
    }
  }
  Tensor back = Tensor::empty(DType::Float32, {2, 3, 4});
  copy_into(flat, back.view(layout(DType::Float32, {4, 3, 2}, {1, 4, 12})));
  for (int i = 0; i < 24; ++i) EXPECT_EQ(back.data_as<float>()[i], static_cast<float>(i));
  Tensor reversed = to_contiguous(t.view(layout(DType::Float32, {24}, {-1}), 23 * 4));
  EXPECT_EQ(reversed.data_as<float>()[0], 23.0F);
  Tensor spread = to_contiguous(t.view(layout(DType::Float32, {3, 4}, {0, 1})));
  EXPECT_EQ(spread.data_as<float>()[9], 1.0F);
}

TEST(Tensor, LargeCopiesAreTheSameOnManyThreads) {
  int before = threads();
  Tensor t = counting(DType::Int32, {700, 500});
  Tensor transposed = t.view(layout(DType::Int32, {500, 700}, {1, 500}));
  for (int count : {1, 3}) {
    set_threads(count);
    Tensor flat = to_contiguous(transposed);
    int wrong = 0;
    for (int64_t i = 0; i < flat.numel(); ++i) wrong += flat.data_as<int32_t>()[i] != i % 700 * 500 + i / 700;
    EXPECT_EQ(wrong, 0);
  }
  set_threads(before);
}

TEST(Tensor, CopiesBetweenAllDtypes) {
  for (size_t a = 0; a < kDTypes; ++a) {
    for (size_t b = 0; b < kDTypes; ++b) {
      Tensor from = Tensor::empty(static_cast<DType>(a), {2, 3});
      copy_into(counting(DType::Float32, {2, 3}), from);
      Tensor to = Tensor::empty(static_cast<DType>(b), {2, 3});
      Tensor seen = Tensor::empty(DType::Float64, {2, 3});
      copy_into(from, to);
      copy_into(to, seen);
      bool boolean = a == 0 || b == 0;
      for (int i = 0; i < 6; ++i) EXPECT_EQ(seen.data_as<double>()[i], boolean ? i != 0 : i);
    }
  }
}

TEST(Tensor, OverlappingCopiesReadFirst) {
  Tensor t = counting(DType::Int32, {6});
  LayoutRef five = layout(DType::Int32, {5});
  copy_into(t.view(five), t.view(five, 4));
  for (int i = 1; i < 6; ++i) EXPECT_EQ(t.data_as<int32_t>()[i], i - 1);
}

TEST(Tensor, CopyRefusesAnotherShape) {
  EXPECT_THROW(copy_into(counting(DType::Int8, {2}), counting(DType::Int8, {3})), std::invalid_argument);
}

TEST(Tensor, EmptyAndScalar) {
  Tensor none = Tensor::empty(DType::Float32, {0, 3});
  copy_into(none, Tensor::empty(DType::Int8, {0, 3}));
  EXPECT_EQ(Tensor::scalar(2.5F).data_as<float>()[0], 2.5F);
  EXPECT_EQ(Tensor::full(DType::BFloat16, {3}, 1.0).data_as<BFloat16>()[2].bits, 0x3F80);
}

}  // namespace
}  // namespace ember::ops
