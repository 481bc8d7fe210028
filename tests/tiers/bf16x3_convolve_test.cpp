// bf16x3 convolutions, on tiles (emulated where the CPU has none): each against the products of its definition, bit
// by bit, and the float32 ones against float64, where they must not be further off than sequential FMA.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "ops/base/parallel.h"
#include "ops/kernels/images.h"
#include "ops/matmul/packed_cache.h"
#include "ops/program/strided.h"
#include "tests/ops/conv_case.h"
#include "tests/ops/kernel_test.h"
#include "tests/tiers/bf16x3_reference.h"
#include "tests/tiers/pretend_amx.h"

namespace ember::tiers {
namespace {

using amx::Precision;
using ops::BFloat16;
using ops::DType;
using ops::Half;
using ops::Ints;
using ops::MatmulPrecision;
using ops::Shape;
using ops::Tensor;
using ops::testing::bits_of;
using ops::testing::element;
using ops::testing::Order;
using ops::testing::position;
using ops::testing::Three;
using ops::testing::volume;
using Case = ops::testing::ConvCase;

using Numbers = std::vector<float>;

// The element of `sizes` at `at`, or -1 beyond them.
int64_t index_of(const Three& at, const Three& sizes) {
  int64_t index = 0;
  for (size_t d = 0; d < 3; ++d) {
    if (at[d] < 0 || at[d] >= sizes[d]) return -1;
    index = index * sizes[d] + at[d];
  }
  return index;
}

// A tap's channels are filled up with zeros to whole steps.
int64_t filled(int64_t channels) { return (channels + ops::kBf16Step - 1) / ops::kBf16Step * ops::kBf16Step; }

// In so many terms, or for 0 sequential FMA, to whose bits zeros add nothing.
Numbers product(int64_t m, int64_t n, int64_t k, int terms, const Numbers& a, const Numbers& b) {
  return terms == 0 ? amx::fma_reference(m, n, k, a, b) : amx::bf16x3_reference(m, n, k, terms, a, b);
}

// Of how many terms an item, a group of an image, is.
using Terms = std::function<int(int64_t image, int64_t group)>;

// Three tensors of logical order. One of them is the result.
struct Operands {
  Numbers x, w, y;
};

void forward(const Case& c, const Terms& terms, Operands* t) {
  const int64_t taps = volume(c.kernel), pixels = volume(c.out()), plane = volume(c.in), k = taps * filled(c.ic());
  t->y.assign(static_cast<size_t>(c.n * c.oc * pixels), 0);
  for (int64_t image = 0; image < c.n; ++image) {
    for (int64_t g = 0; g < c.groups; ++g) {
      Numbers a, b(static_cast<size_t>(k * c.columns()));
      for (int64_t o = 0; o < pixels; ++o) {
        for (int64_t tap = 0; tap < taps; ++tap) {
          Three at = position(o, c.out());
          for (size_t d = 0; d < 3; ++d)
            at[d] = at[d] * c.stride[d] + position(tap, c.kernel)[d] * c.dilation[d] - c.before[d];
          const int64_t index = index_of(at, c.in);
          for (int64_t i = 0; i < c.ic(); ++i) {
            const int64_t channel = image * c.c + g * c.ic() + i;
            a.push_back(index < 0 ? 0 : t->x[static_cast<size_t>(channel * plane + index)]);
          }
          a.resize(a.size() + static_cast<size_t>(filled(c.ic()) - c.ic()));
        }
      }
      for (int64_t tap = 0; tap < taps; ++tap) {
        for (int64_t i = 0; i < c.ic(); ++i) {
          for (int64_t j = 0; j < c.columns(); ++j) {
            const int64_t oc = g * c.columns() + j;
            b[static_cast<size_t>((tap * filled(c.ic()) + i) * c.columns() + j)] =
                t->w[static_cast<size_t>((oc * c.ic() + i) * taps + tap)];
          }
        }
      }
      const Numbers product_of = product(pixels, c.columns(), k, terms(image, g), a, b);
      for (int64_t o = 0; o < pixels; ++o) {
        for (int64_t j = 0; j < c.columns(); ++j) {
          t->y[static_cast<size_t>((image * c.oc + g * c.columns() + j) * pixels + o)] =
              product_of[static_cast<size_t>(o * c.columns() + j)];
        }
      }
    }
  }
}

// Elements that the same taps reach are rows of one product.
void backward_input(const Case& c, const Terms& terms, Operands* t) {
  const int64_t taps = volume(c.kernel), pixels = volume(c.out()), plane = volume(c.in);
  std::map<std::vector<int64_t>, std::vector<int64_t>> places;
  for (int64_t i = 0; i < plane; ++i) {
    std::vector<int64_t> reached_by;
    for (int64_t tap = taps; tap-- > 0;) {
      bool reached = true;
      for (size_t d = 0; d < 3; ++d) {
        const int64_t from = position(i, c.in)[d] + c.before[d] - position(tap, c.kernel)[d] * c.dilation[d];
        reached = reached && from % c.stride[d] == 0;
      }
      if (reached) reached_by.push_back(tap);
    }
    places[reached_by].push_back(i);
  }
  t->x.assign(static_cast<size_t>(c.n * c.c * plane), 0);
  for (int64_t item = 0; item < c.n * c.groups; ++item) {
    const int64_t image = item / c.groups, g = item % c.groups;
    for (const auto& [reached_by, elements] : places) {
      Numbers a, b;
      for (int64_t i : elements) {
        for (int64_t tap : reached_by) {
          Three at = position(i, c.in);
          for (size_t d = 0; d < 3; ++d) {
            const int64_t from = at[d] + c.before[d] - position(tap, c.kernel)[d] * c.dilation[d];
            at[d] = from < 0 ? -1 : from / c.stride[d];
          }
          const int64_t index = index_of(at, c.out());
          for (int64_t o = 0; o < c.columns(); ++o) {
            const int64_t channel = image * c.oc + g * c.columns() + o;
            a.push_back(index < 0 ? 0 : t->y[static_cast<size_t>(channel * pixels + index)]);
          }
          a.resize(a.size() + static_cast<size_t>(filled(c.columns()) - c.columns()));
        }
      }
      for (int64_t tap : reached_by) {
        for (int64_t o = 0; o < c.columns(); ++o) {
          for (int64_t j = 0; j < c.ic(); ++j)
            b.push_back(t->w[static_cast<size_t>(((g * c.columns() + o) * c.ic() + j) * taps + tap)]);
        }
        b.resize(b.size() + static_cast<size_t>((filled(c.columns()) - c.columns()) * c.ic()));
      }
      const auto rows = static_cast<int64_t>(elements.size()),
                 k = static_cast<int64_t>(reached_by.size()) * filled(c.columns());
      const Numbers product_of = product(rows, c.ic(), k, terms(image, g), a, b);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t j = 0; j < c.ic(); ++j) {
          const int64_t to = (image * c.c + g * c.ic() + j) * plane + elements[static_cast<size_t>(r)];
          t->x[static_cast<size_t>(to)] = product_of[static_cast<size_t>(r * c.ic() + j)];
        }
      }
    }
  }
}

// The rows of B of a product: what the taps of a group's channels read, for each output of an image.
Numbers read_by_taps(const Case& c, const Operands& t, int64_t item) {
  const int64_t taps = volume(c.kernel), pixels = volume(c.out()), plane = volume(c.in);
  Numbers b;
  for (int64_t o = 0; o < pixels; ++o) {
    for (int64_t i = 0; i < c.ic(); ++i) {
      for (int64_t tap = 0; tap < taps; ++tap) {
        Three at = position(o, c.out());
        for (size_t d = 0; d < 3; ++d)
          at[d] = at[d] * c.stride[d] + position(tap, c.kernel)[d] * c.dilation[d] - c.before[d];
        const int64_t index = index_of(at, c.in);
        b.push_back(index < 0 ? 0 : t.x[static_cast<size_t>((item * c.ic() + i) * plane + index)]);
      }
    }
  }
  return b;
}

// Terms: one product over all images. Chains, of all items if of one: an image each, folded.
void backward_weight(const Case& c, const Terms& terms, Operands* t) {
  const int64_t pixels = volume(c.out()), wide = volume(c.kernel) * c.ic(), k = c.n * pixels;
  int fewest = 3;
  for (int64_t item = 0; item < c.n * c.groups; ++item)
    fewest = std::min(fewest, terms(item / c.groups, item % c.groups));
  t->w.clear();
  for (int64_t g = 0; g < c.groups; ++g) {
    Numbers a(static_cast<size_t>(c.columns() * k)), b;
    std::vector<Numbers> images;
    for (int64_t image = 0; image < c.n; ++image) {
      const int64_t item = image * c.groups + g;
      const auto first = t->y.begin() + item * c.columns() * pixels;
      const Numbers slopes(first, first + c.columns() * pixels), read = read_by_taps(c, *t, item);
      for (int64_t j = 0; j < c.columns(); ++j)
        std::copy_n(slopes.begin() + j * pixels, pixels, a.begin() + j * k + image * pixels);
      b.insert(b.end(), read.begin(), read.end());
      if (fewest == 0) images.push_back(product(c.columns(), wide, pixels, 0, slopes, read));
    }
    for (; images.size() > 1; images.resize((images.size() + 1) / 2)) {
      for (size_t i = 0; 2 * i < images.size(); ++i) {
        Numbers sum = images[2 * i];
        for (size_t j = 0; 2 * i + 1 < images.size() && j < sum.size(); ++j) sum[j] += images[2 * i + 1][j];
        images[i] = sum;
      }
    }
    const Numbers group = fewest == 0 ? images[0] : product(c.columns(), wide, k, fewest, a, b);
    t->w.insert(t->w.end(), group.begin(), group.end());
  }
}

template <class T>
Numbers numbers(const Tensor& t) {
  Numbers out;
  for (int64_t i = 0; i < t.numel(); ++i) out.push_back(static_cast<float>(element<T>(t, i)));
  return out;
}

// An op of the three: which of its operands are images, weights and the output.
struct Which {
  const char* name;
  const char* size;  // the attribute that tells the result's sizes
  void (*reference)(const Case&, const Terms&, Operands*);
  Shape (Case::*shapes[3])() const;  // of operands and result
};
const Which kForward{"conv_forward", nullptr, &forward, {&Case::x, &Case::w, &Case::y}};
const Which kBackwardInput{"conv_backward_input", "input_size", &backward_input, {&Case::y, &Case::w, &Case::x}};
const Which kBackwardWeight{"conv_backward_weight", "kernel_size", &backward_weight, {&Case::x, &Case::y, &Case::w}};

// Images, the operands' and the result's, are NHWC if `nhwc`. cacheable: b's storage, of which there may be
// copies.
Tensor call(const Which& which, const Case& c, const Tensor& a, const Tensor& b, bool nhwc = false,
            const gc::Storage* cacheable = nullptr) {
  const ops::Op& op = ops::op(which.name);
  Ints stride, dilation, pad, sizes;
  for (size_t d = 3 - c.axes; d < 3; ++d) {
    stride.push_back(c.stride[d]);
    dilation.push_back(c.dilation[d]);
    pad.insert(pad.end(), {c.before[d], c.after[d]});
    sizes.push_back(&which == &kBackwardInput ? c.in[d] : c.kernel[d]);
  }
  std::vector<std::pair<std::string_view, ops::Attr>> named{
      {"stride", stride}, {"pad", pad}, {"dilation", dilation}, {"groups", c.groups}};
  if (which.size) named.push_back({which.size, sizes});
  const ops::Attrs attrs = ops::make_attrs(op, named);
  const auto in_order = [&](const Tensor& t, bool image) { return ops::images_in_order(t, nhwc && image); };
  const Tensor in[] = {nhwc ? in_order(a, true) : a, nhwc ? in_order(b, (op.image_in & 2) != 0) : b};
  const Tensor out = in_order(Tensor::full(a.dtype(), (c.*which.shapes[2])(), 7), op.image_out != 0);
  const ops::View views[] = {ops::testing::view(in[0]), ops::testing::view(in[1])}, result = ops::testing::view(out);
  op.kernel({views, {&result, 1}, attrs, nullptr, cacheable});
  return ops::to_contiguous(out);
}

template <class T>
void expect_bits(const Tensor& got, const Numbers& want) {
  for (int64_t i = 0; i < got.numel(); ++i)
    ASSERT_EQ(bits_of(element<T>(got, i)), bits_of(T(want[static_cast<size_t>(i)]))) << "element " << i;
}

template <class T>
Numbers reference(const Which& which, const Case& c, const Terms& terms, const Tensor& a, const Tensor& b) {
  Operands t;
  (&which == &kBackwardInput ? t.y : t.x) = numbers<T>(a);
  (&which == &kBackwardWeight ? t.y : t.w) = numbers<T>(b);
  which.reference(c, terms, &t);
  return &which == &kForward ? t.y : &which == &kBackwardInput ? t.x : t.w;
}

// On tiles, and by the vector code of each instruction set, each on several threads.
template <class T>
void check(const Which& which, const Case& c, int terms, Order order = Order::RowMajor) {
  SCOPED_TRACE(which.name);
  const Tensor a = ops::testing::random_tensor<T>((c.*which.shapes[0])(), 1, order);
  const Tensor b = ops::testing::random_tensor<T>((c.*which.shapes[1])(), 2, order);
  const Numbers want = reference<T>(
      which, c, [&](int64_t, int64_t) { return terms; }, a, b);
  const int before = ops::threads();
  for (int count : {1, 7}) {
    SCOPED_TRACE(std::to_string(count) + " threads");
    ops::set_threads(count);
    expect_bits<T>(call(which, c, a, b), want);
  }
  ops::set_threads(before);
  const ops::WithoutEmitted vectors_only;
  bool nhwc = false;
  ops::testing::for_each_isa_and_thread_count([&] {
    expect_bits<T>(call(which, c, a, b, nhwc), want);
    nhwc = !nhwc;
  });
}

class SplitConvolve : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(amx::AmxEmulator::configured(), 0); }

  const amx::PretendAmx pretended_;
};

// Large enough for one term.
const Case kCases[] = {
    {2, 2, 32, 50, 1, {1, 8, 7}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 3, 48, 56, 1, {1, 14, 15}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 0}, {0, 1, 1}},
    {2, 1, 53, 53, 1, {1, 9, 10}, {1, 2, 3}, {1, 1, 1}, {1, 3, 2}, {0, 2, 1}, {0, 0, 3}},
    {2, 2, 128, 64, 2, {1, 7, 12}, {1, 3, 3}, {1, 1, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 1, 32, 600, 1, {1, 7, 8}, {1, 1, 2}},
    {2, 1, 600, 32, 1, {1, 7, 8}, {1, 1, 2}},
    {2, 2, 49, 51, 1, {1, 20, 21}, {1, 3, 4}, {1, 2, 3}, {1, 3, 2}, {0, -1, 2}, {0, 4, -2}},
    {2, 2, 49, 51, 1, {1, 14, 12}, {1, 1, 1}, {1, 2, 2}},
    {2, 9, 58, 90, 1, {1, 6, 6}, {1, 1, 1}},
    {2, 6, 64, 64, 1, {1, 9, 9}, {1, 1, 1}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 1, 64, 64, 1, {1, 64, 1}, {1, 1, 1}, {1, 1, 2}, {1, 1, 1}, {0, 0, 1}, {0, 0, 1}},
    {2, 2, 64, 64, 1, {1, 5, 57}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {1, 3, 64, 50, 1, {1, 1, 70}, {1, 1, 9}, {1, 1, 2}, {1, 1, 1}, {0, 0, 2}, {0, 0, 1}},
    {1, 1, 49, 50, 1, {1, 1, 1100}, {1, 1, 2}},
    {3, 2, 49, 51, 1, {3, 4, 5}, {2, 3, 2}, {1, 1, 1}, {1, 1, 2}, {1, 0, 1}, {0, 1, 1}},
    {3, 1, 49, 51, 1, {6, 5, 7}, {2, 2, 2}, {2, 1, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
};
const Case kStem{2, 2, 3, 64, 1, {1, 40, 38}, {1, 7, 7}, {1, 2, 2}, {1, 1, 1}, {0, 3, 3}, {0, 3, 3}};
// Large enough for three terms in all directions.
const Case kThreeParts{2, 2, 48, 50, 1, {1, 14, 13}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}};

TEST_F(SplitConvolve, FollowsTheDefinition) {
  const Precision precision(MatmulPrecision::BFloat16);
  for (const Case& c : kCases) {
    SCOPED_TRACE("case " + std::to_string(&c - kCases));
    for (const Which* which : {&kForward, &kBackwardInput, &kBackwardWeight}) check<float>(*which, c, 1);
  }
}

TEST_F(SplitConvolve, TakesCopiesOfPackedWeights) {
  const Precision precision(MatmulPrecision::BFloat16);
  for (const Case& c : {kCases[0], kCases[3], Case{2, 7, 64, 70, 1, {1, 30, 31}, {1, 3, 3}}}) {
    const Tensor x = ops::testing::random_tensor<float>(c.x(), 1), w = ops::testing::random_tensor<float>(c.w(), 2);
    const Tensor want = call(kForward, c, x, w);
    const uint64_t before = ops::packed_totals().used;
    for (int i = 0; i < 4; ++i) {
      const Tensor got = call(kForward, c, x, w, false, w.storage().get());
      EXPECT_EQ(std::memcmp(got.data(), want.data(), got.layout().bytes()), 0);
    }
    EXPECT_EQ(ops::packed_totals().used, before + 2);
  }
}

// More than are read at once in the gradient of the weights.
TEST_F(SplitConvolve, GoesThroughManyImages) {
  const Precision precision(MatmulPrecision::BFloat16);
  const Case c{2, 43, 64, 33, 1, {1, 28, 29}, {1, 1, 2}};
  const Tensor x = ops::testing::random_tensor<float>(c.x(), 1), y = ops::testing::random_tensor<float>(c.y(), 2);
  const Numbers want = reference<float>(
      kBackwardWeight, c, [](int64_t, int64_t) { return 1; }, x, y);
  expect_bits<float>(call(kBackwardWeight, c, x, y), want);
}

TEST_F(SplitConvolve, IsWhatThePrecisionSays) {
  for (const Which* which : {&kForward, &kBackwardInput, &kBackwardWeight}) {
    check<float>(*which, kThreeParts, 3, Order::Transposed);
    check<BFloat16>(*which, kThreeParts, 1);
    const Precision precision(MatmulPrecision::Ieee);
    check<float>(*which, kThreeParts, 0);
    check<BFloat16>(*which, kThreeParts, 0);
  }
  check<Half>(kForward, kThreeParts, 3);
  const Precision precision(MatmulPrecision::BFloat16);
  check<Half>(kForward, kThreeParts, 1);
}

TEST(SplitConvolveWithoutAmx, IsTheChainUnlessBFloat16IsAskedFor) {
  if (ops::amx()) GTEST_SKIP() << "the machine has AMX";
  for (const Which* which : {&kForward, &kBackwardInput, &kBackwardWeight}) {
    check<float>(*which, kThreeParts, 0);
    check<BFloat16>(*which, kThreeParts, 0);
    const Precision precision(MatmulPrecision::BFloat16);
    check<float>(*which, kThreeParts, 1);
    check<BFloat16>(*which, kThreeParts, 1);
  }
}

TEST_F(SplitConvolve, IsTheChainWhereChannelsFillTooLittle) {
  check<float>(kForward, kStem, 0);
  check<float>(kBackwardWeight, kStem, 0);
  check<float>(kForward, {2, 1, 47, 64, 1, {1, 24, 24}, {1, 3, 3}}, 0);
  check<float>(kForward, {2, 1, 96, 128, 2, {1, 24, 24}, {1, 3, 3}}, 0);
  check<float>(kBackwardInput, {2, 1, 64, 47, 1, {1, 24, 24}, {1, 3, 3}}, 0);
}

TEST_F(SplitConvolve, IsTheChainWhereGroupsAreSmall) {
  check<float>(kForward, {2, 1, 64, 64, 64, {1, 24, 24}, {1, 3, 3}}, 0);
  check<float>(kBackwardWeight, {2, 1, 64, 64, 64, {1, 24, 24}, {1, 3, 3}}, 0);
  check<float>(kForward, {2, 1, 64, 128, 4, {1, 24, 24}, {1, 3, 3}}, 0);
  check<BFloat16>(kForward, {2, 1, 62, 62, 2, {1, 12, 12}, {1, 3, 3}}, 0);
}

TEST_F(SplitConvolve, UsesTheTiles) {
  if (ops::has_amx()) GTEST_SKIP() << "the CPU does it itself";
  const Case c{2, 2, 64, 64, 1, {1, 16, 16}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}};
  const Tensor x = ops::testing::random_tensor<float>(c.x(), 1), w = ops::testing::random_tensor<float>(c.w(), 2);
  const Tensor y = ops::testing::random_tensor<float>(c.y(), 3);
  const auto products = [&](const Which& which, const Tensor& a, const Tensor& b) {
    const int64_t before = amx::AmxEmulator::products();
    call(which, c, a, b);
    return amx::AmxEmulator::products() - before;
  };
  const int64_t every = int64_t{2 * 16 * 16 / 16} * (64 / 16) * (9 * 64 / 32) * 6;
  EXPECT_EQ(products(kForward, x, w), every);
  EXPECT_EQ(products(kBackwardInput, y, w), every);
  EXPECT_EQ(products(kBackwardWeight, x, y), every);
}

// Two images in two groups. What is done to operands befalls the second group of the first image, and where b are
// weights also that of the second one.
const Case kItems{2, 2, 128, 128, 2, {1, 10, 9}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}};

struct Item {
  float* first;
  int64_t count;

  float& last() const { return first[count - 1]; }
  void scale(float by) const {
    for (int64_t i = 0; i < count; ++i) first[i] *= by;
  }
};

void check_item(const Which& which, const std::function<void(Item, Item)>& spoil, int terms, int terms_of_second = 3) {
  const Tensor a = ops::testing::random_tensor<float>((kItems.*which.shapes[0])(), 1);
  const Tensor b = ops::testing::random_tensor<float>((kItems.*which.shapes[1])(), 2);
  const int64_t of_a = a.numel() / 4, of_b = b.numel() / (&which == &kBackwardWeight ? 4 : 2);
  spoil({a.data_as<float>() + of_a, of_a}, {b.data_as<float>() + of_b, of_b});
  const Terms expected = [&](int64_t image, int64_t group) {
    if (group == 0) return 3;
    return image == 0 ? terms : terms_of_second;
  };
  const Numbers want = reference<float>(which, kItems, expected, a, b);
  for (bool nhwc : {false, true}) expect_bits<float>(call(which, kItems, a, b, nhwc), want);
}

TEST_F(SplitConvolve, IsTheChainForItemsThatPartsCannotHold) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float largest = std::bit_cast<float>(0x7F7F7FFF), too_large = std::bit_cast<float>(0x7F7F8000);
  const ops::WithoutEmitted vectors_only;
  for (const Which* which : {&kForward, &kBackwardInput, &kBackwardWeight}) {
    SCOPED_TRACE(which->name);
    const int terms_of_second = which == &kBackwardWeight ? 3 : 0;
    for (float x : {kInfinity, std::nanf(""), -too_large, 1e-42f}) {
      check_item(
          *which, [x](Item a, Item) { a.last() = x; }, 0);
    }
    for (float x : {-kInfinity, too_large, 0x1p-103f}) {
      check_item(
          *which, [x](Item, Item b) { b.first[0] = x; }, 0, terms_of_second);
    }
    check_item(
        *which, [largest](Item a, Item) { a.first[0] = largest; }, 0);
    check_item(
        *which, [largest](Item a, Item b) { a.first[0] = largest, b.scale(0x1p-14f); },
        which == &kBackwardWeight ? 0 : 3);  // whose sums are over both images
    check_item(
        *which, [](Item a, Item b) { a.last() = 0x1p-102f, b.last() = -0x1p-102f; }, 3);
    check_item(
        *which, [](Item a, Item b) { a.scale(0x1p-50f), b.scale(0x1p-60f); }, 0);
    check_item(
        *which, [](Item a, Item b) { a.scale(0x1p-40f), b.scale(0x1p-40f); }, 3);
    check_item(
        *which, [](Item a, Item) { a.scale(0); }, 3);
  }
}

TEST_F(SplitConvolve, IsTheChainForItemsWhoseSumsMayOverflow) {
  const ops::WithoutEmitted vectors_only;
  for (const Which* which : {&kForward, &kBackwardInput, &kBackwardWeight}) {
    SCOPED_TRACE(which->name);
    check_item(
        *which, [](Item a, Item b) { a.scale(0x1p61f), b.scale(0x1p61f); }, 0);
    check_item(
        *which, [](Item a, Item b) { a.scale(0x1p50f), b.scale(0x1p50f); }, 3);
  }
}

// Elements first, first + step, ... of an item.
void scale_some(Item item, int64_t first, int64_t step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) item.first[first + i * step] *= 0x1p-60f;
}

TEST_F(SplitConvolve, IsTheChainForItemsWithARowAndAColumnThatAreSmall) {
  const int64_t pixels = volume(kItems.in), taps = volume(kItems.kernel), channels = kItems.ic();
  const auto small_pixel = [=](Item images) { scale_some(images, 5, pixels, channels); };
  const auto small_channel = [=](Item images) { scale_some(images, 0, 1, pixels); };
  const auto small_output = [=](Item weights) { scale_some(weights, 0, 1, channels * taps); };
  const auto small_tap = [=](Item weights) { scale_some(weights, 2, channels * taps, channels); };
  const ops::WithoutEmitted vectors_only;
  check_item(
      kForward, [=](Item a, Item b) { small_pixel(a), small_output(b); }, 0);
  check_item(
      kForward, [=](Item a, Item b) { small_channel(a), small_output(b); }, 3);
  check_item(
      kBackwardInput, [=](Item a, Item b) { small_pixel(a), small_tap(b); }, 0);
  check_item(
      kBackwardInput, [=](Item a, Item b) { small_pixel(a), small_output(b); }, 3);
  check_item(
      kBackwardWeight, [=](Item a, Item b) { small_channel(a), small_channel(b); }, 0);
  check_item(
      kBackwardWeight, [=](Item a, Item b) { small_pixel(a), small_channel(b); }, 3);
}

// Of stride 2: a tap reads every other column of an image, whose channel has larger elements in the others.
TEST_F(SplitConvolve, IsTheChainForWeightsOfATapThatReadsSmallNumbers) {
  const Case c{2, 2, 64, 64, 1, {1, 25, 25}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}};
  const Tensor x = ops::testing::random_tensor<float>(c.x(), 1), y = ops::testing::random_tensor<float>(c.y(), 2);
  const ops::WithoutEmitted vectors_only;
  for (int terms : {3, 0}) {
    const Numbers want = reference<float>(
        kBackwardWeight, c, [=](int64_t, int64_t) { return terms; }, x, y);
    for (bool nhwc : {false, true}) expect_bits<float>(call(kBackwardWeight, c, x, y, nhwc), want);
    for (int64_t image = 0; image < 2; ++image) {
      for (int64_t i = 0; i < 25 * 25; ++i) x.data_as<float>()[image * 64 * 25 * 25 + i] *= i % 25 % 2 ? 0x1p-60f : 1;
      for (int64_t i = 0; i < 13 * 13; ++i) y.data_as<float>()[image * 64 * 13 * 13 + i] *= 0x1p-60f;
    }
  }
}

// The last column is cropped.
TEST_F(SplitConvolve, IsTheChainForAnItemThoughNoOutputReadsTheNumber) {
  const Case c{2, 1, 64, 50, 1, {1, 30, 31}, {1, 1, 3}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, -1}};
  const Tensor x = ops::testing::random_tensor<float>(c.x(), 1), w = ops::testing::random_tensor<float>(c.w(), 2);
  for (int terms : {3, 0}) {
    const Numbers want = reference<float>(
        kForward, c, [=](int64_t, int64_t) { return terms; }, x, w);
    expect_bits<float>(call(kForward, c, x, w), want);
    x.data_as<float>()[30] = std::numeric_limits<float>::infinity();
  }
}

TEST_F(SplitConvolve, GrowsByWhatIsUsedAgain) {
  EXPECT_EQ(ops::bf16_terms(DType::Float32, 3136, 64, 576), 0);
  EXPECT_EQ(ops::bf16_terms(DType::Float32, 3136, 64, 576, 3136 * 64 + 64 * 576), 3);
  EXPECT_EQ(ops::bf16_terms(DType::Float32, 3136, 47, 576, 3136 * 64 + 47 * 576), 0);
}

Tensor widened(const Tensor& t, double (*f)(double)) {
  const Tensor wide = Tensor::empty(DType::Float64, t.shape());
  for (int64_t i = 0; i < t.numel(); ++i) wide.data_as<double>()[i] = f(t.data_as<float>()[i]);
  return wide;
}

// How far the elements are from those in float64, each by the sum of its terms' magnitudes: the root of the mean
// square.
double error(const Tensor& got, const Tensor& exact, const Tensor& terms) {
  double squares = 0;
  for (int64_t i = 0; i < got.numel(); ++i) {
    squares += std::pow((got.data_as<float>()[i] - exact.data_as<double>()[i]) / terms.data_as<double>()[i], 2);
  }
  return std::sqrt(squares / static_cast<double>(got.numel()));
}

TEST_F(SplitConvolve, IsNoFurtherFromFloat64ThanTheChain) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform;
  std::lognormal_distribution<float> lognormal(0, 3);
  const std::pair<const char*, std::function<float()>> kinds[] = {{"normal", [&] { return normal(random); }},
                                                                  {"uniform", [&] { return uniform(random); }},
                                                                  {"lognormal", [&] { return lognormal(random); }}};
  const Case three_by_three{2, 2, 64, 64, 1, {1, 14, 14}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}};
  const Case one_by_one{2, 2, 256, 256, 1, {1, 14, 14}, {1, 1, 1}};
  const std::tuple<const char*, const Which*, Case> convolutions[] = {
      {"3x3x64", &kForward, three_by_three},
      {"3x3x64, input", &kBackwardInput, three_by_three},
      {"3x3x64, weights", &kBackwardWeight, three_by_three},
      {"1x1x256", &kForward, one_by_one},
      {"1x1x256, input", &kBackwardInput, one_by_one},
      {"1x1x256, weights", &kBackwardWeight, one_by_one},
  };
  const ops::WithoutEmitted vectors_only;
  const auto magnitude = [](double x) { return std::fabs(x); };
  for (const auto& [kind, draw] : kinds) {
    for (const auto& [what, which, c] : convolutions) {
      const Tensor a = Tensor::empty(DType::Float32, (c.*which->shapes[0])());
      const Tensor b = Tensor::empty(DType::Float32, (c.*which->shapes[1])());
      for (const Tensor& t : {a, b})
        for (int64_t i = 0; i < t.numel(); ++i) t.data_as<float>()[i] = draw();
      const Tensor exact =
          call(*which, c, widened(a, [](double x) { return x; }), widened(b, [](double x) { return x; }));
      const Tensor magnitudes = call(*which, c, widened(a, magnitude), widened(b, magnitude));
      const double split = error(call(*which, c, a, b), exact, magnitudes);
      const Precision precision(MatmulPrecision::Ieee);
      const double fma = error(call(*which, c, a, b), exact, magnitudes);
      EXPECT_LT(split, fma) << kind << ", " << what;
      RecordProperty(std::string(kind) + ", " + what, std::to_string(split / fma));
    }
  }
}

}  // namespace
}  // namespace ember::tiers
