// Convolution and its gradients against naive loops in the order of their definition.
#include "ops/table/op.h"
#include "tests/ops/conv_case.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::elements;
using testing::position;
using testing::Three;
using testing::volume;
using Case = testing::ConvCase;

const Case kCases[] = {
    {2, 1, 1, 1, 1, {1, 1, 1}, {1, 1, 1}},
    {2, 2, 3, 4, 1, {1, 5, 6}, {1, 3, 3}},
    {2, 3, 2, 5, 1, {1, 8, 8}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 2, 4, 6, 2, {1, 9, 7}, {1, 3, 2}, {1, 2, 3}, {1, 1, 2}, {0, 1, 2}, {0, 0, 1}},
    {2, 2, 3, 3, 3, {1, 7, 7}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 2, 3, 6, 3, {1, 9, 8}, {1, 3, 3}, {1, 2, 2}, {1, 2, 1}, {0, 2, 1}, {0, 2, 1}},
    {2, 1, 5, 7, 1, {1, 40, 60}, {1, 1, 1}},
    {2, 1, 2, 3, 1, {1, 12, 12}, {1, 5, 5}, {1, 3, 3}, {1, 1, 1}, {0, 4, 4}, {0, 4, 4}},
    {2, 9, 1, 20, 1, {1, 6, 6}, {1, 2, 2}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 1, 1}},
    {2, 0, 2, 3, 1, {1, 5, 5}, {1, 3, 3}},
    {2, 5, 2, 3, 1, {1, 20, 20}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 2, 2, 2, 1, {1, 3, 3}, {1, 1, 1}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 2, 3, 3, 1, {1, 5, 5}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, -1, 1}, {0, 1, -2}},
    {2, 2, 2, 3, 1, {1, 0, 4}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 2, 1}, {0, 2, 1}},
    {2, 2, 0, 3, 1, {1, 4, 4}, {1, 3, 3}},
    {2, 2, 3, 0, 1, {1, 4, 4}, {1, 3, 3}},
    {1, 2, 3, 4, 1, {1, 1, 70}, {1, 1, 5}},
    {1, 3, 4, 6, 2, {1, 1, 33}, {1, 1, 3}, {1, 1, 2}, {1, 1, 3}, {0, 0, 4}, {0, 0, 1}},
    {1, 2, 5, 10, 5, {1, 1, 67}, {1, 1, 4}, {1, 1, 1}, {1, 1, 2}, {0, 0, 3}, {0, 0, 3}},
    {3, 2, 3, 4, 1, {4, 5, 6}, {3, 3, 3}},
    {3, 2, 3, 5, 1, {12, 11, 13}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {3, 1, 2, 3, 1, {24, 25, 26}, {2, 3, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 0}, {0, 1, 1}},
    {3, 3, 4, 6, 2, {5, 6, 7}, {2, 3, 2}, {2, 1, 3}, {1, 2, 1}, {1, 0, 2}, {0, 2, 1}},
    {3, 2, 3, 6, 3, {5, 4, 7}, {3, 2, 3}, {1, 2, 1}, {2, 1, 2}, {2, 1, 2}, {1, 0, 2}},
    {3, 1, 2, 3, 1, {1, 1, 1}, {1, 1, 1}},
    {3, 2, 3, 4, 1, {9, 8, 10}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 2, 4, 6, 2, {1, 15, 14}, {1, 3, 4}, {1, 4, 6}, {1, 6, 4}, {0, 3, 2}, {0, 1, 5}},
    {2, 2, 3, 4, 1, {1, 9, 9}, {1, 1, 2}, {1, 3, 4}},
    {1, 2, 3, 4, 1, {1, 1, 9}, {1, 1, 2}, {1, 1, int64_t{1} << 40}},
    {3, 5, 3, 2, 1, {3, 3, 3}, {3, 3, 3}},
    {2, 2, 40, 70, 1, {1, 5, 6}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 1, 400, 20, 1, {1, 3, 3}, {1, 2, 2}},
    {2, 1, 150, 3, 1, {1, 4, 5}, {1, 3, 3}, {1, 2, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 1, 36, 80, 4, {1, 6, 5}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 1, 37, 37, 37, {1, 6, 7}, {1, 3, 9}, {1, 1, 1}, {1, 1, 1}, {0, 1, 4}, {0, 1, 4}},
    {2, 2, 35, 70, 35, {1, 6, 5}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 2, 6, 8, 2, {1, 12, 13}, {1, 1, 1}},
    {1, 2, 2, 3, 1, {1, 1, 1100}, {1, 1, 3}},
    {2, 2, 20, 20, 1, {1, 9, 7}, {1, 3, 2}, {1, 2, 3}, {1, 1, 2}, {0, 1, 2}, {0, 0, 1}},
    {2, 1, 40, 32, 2, {1, 9, 8}, {1, 3, 3}, {1, 2, 2}, {1, 2, 1}, {0, 2, 1}, {0, 2, 1}},
    {2, 2, 17, 19, 1, {1, 5, 5}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, -1, 1}, {0, 1, -2}},
    {3, 2, 16, 18, 1, {5, 6, 7}, {2, 3, 2}, {2, 1, 3}, {1, 2, 1}, {1, 0, 2}, {0, 2, 1}},
    {3, 1, 18, 20, 1, {6, 5, 6}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 1, 20, 18, 1, {1, 15, 14}, {1, 3, 4}, {1, 4, 6}, {1, 6, 4}, {0, 3, 2}, {0, 1, 5}},
    {1, 2, 20, 33, 1, {1, 1, 9}, {1, 1, 3}, {1, 1, 2}, {1, 1, 3}, {0, 0, 4}, {0, 0, 1}},
    {2, 2, 5, 5, 5, {1, 9, 60}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 1, 3, 6, 3, {1, 8, 50}, {1, 3, 5}, {1, 1, 3}, {1, 2, 2}, {0, 1, 3}, {0, 1, 2}},
    {3, 1, 2, 2, 2, {4, 5, 70}, {2, 3, 3}, {1, 2, 1}, {1, 1, 2}, {0, 1, 2}, {0, 1, 2}},
    {2, 2, 3, 4, 1, {1, 4, 16}, {1, 1, 1}, {1, 2, 2}, {1, 1, 1}, {0, 5, 5}, {0, 5, 5}},
    {2, 2, 3, 4, 1, {1, 8, 40}, {1, 1, 3}, {1, 2, 3}, {1, 1, 1}, {0, 3, 9}, {0, 3, 9}},
    {2, 1, 20, 24, 1, {1, 4, 6}, {1, 1, 1}, {1, 3, 2}, {1, 1, 1}, {0, 7, 5}, {0, 7, 5}},
    {1, 2, 3, 2, 1, {1, 1, 9}, {1, 1, 1}, {1, 1, 4}, {1, 1, 1}, {0, 0, 11}, {0, 0, 3}},
    {3, 1, 2, 3, 1, {3, 4, 17}, {1, 2, 1}, {2, 3, 2}, {1, 1, 1}, {5, 4, 3}, {3, 4, 5}},
    {2, 1, 8, 1, 1, {1, 7, 130}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
};

Attrs attrs_of(const Op& op, const Case& c, const char* size = nullptr, const Three& values = {}) {
  Ints stride, dilation, pad, sizes;
  for (size_t d = 3 - c.axes; d < 3; ++d) {
    stride.push_back(c.stride[d]);
    dilation.push_back(c.dilation[d]);
    pad.insert(pad.end(), {c.before[d], c.after[d]});
    sizes.push_back(values[d]);
  }
  std::vector<std::pair<std::string_view, Attr>> named{
      {"stride", stride}, {"pad", pad}, {"dilation", dilation}, {"groups", c.groups}};
  if (size) named.push_back({size, sizes});
  return make_attrs(op, named);
}

// Where an output and a tap read the input, or -1 for padding.
int64_t source(const Case& c, const Three& o, const Three& k) {
  int64_t index = 0;
  for (size_t d = 0; d < 3; ++d) {
    const int64_t at = o[d] * c.stride[d] + k[d] * c.dilation[d] - c.before[d];
    if (at < 0 || at >= c.in[d]) return -1;
    index = index * c.in[d] + at;
  }
  return index;
}
// Whether some output, in the image or outside of it, reads an element of the input by a tap; and which, or -1.
bool meets(const Case& c, const Three& i, const Three& k) {
  for (size_t d = 0; d < 3; ++d) {
    if ((i[d] + c.before[d] - k[d] * c.dilation[d]) % c.stride[d] != 0) return false;
  }
  return true;
}
int64_t reader(const Case& c, const Three& i, const Three& k) {
  const Three out = c.out();
  int64_t index = 0;
  for (size_t d = 0; d < 3; ++d) {
    const int64_t at = i[d] + c.before[d] - k[d] * c.dilation[d];
    if (at < 0 || at / c.stride[d] >= out[d]) return -1;
    index = index * out[d] + at / c.stride[d];
  }
  return index;
}

template <class T>
void compare(const Op& called, const Attrs& attrs, const Tensor& a, const Tensor& b, const Shape& shape,
             const std::vector<T>& want) {
  const Type in[] = {Type::tensor(a.dtype(), dims(a.shape())), Type::tensor(b.dtype(), dims(b.shape()))};
  ASSERT_EQ(hints(called.infer({in, attrs})[0].dims), shape);
  testing::for_each_isa_and_thread_count([&] {
    const Tensor out = Tensor::empty(a.dtype(), shape);
    const View views[] = {testing::view(a), testing::view(b)};
    const View result = testing::view(out);
    called.kernel({views, {&result, 1}, attrs});
    SCOPED_TRACE(called.name);
    testing::expect_bits(out.data_as<T>(), want.data(), out.numel());
  });
}

template <class T, class A>
void check_forward(const Case& c, const Tensor& x, const Tensor& w) {
  const Three out = c.out();
  const int64_t taps = volume(c.kernel), pixels = volume(out);
  const std::vector<T> images = elements<T>(x), weights = elements<T>(w);
  std::vector<T> want;
  for (int64_t m = 0; m < c.n * c.oc * pixels; ++m) {
    const int64_t n = m / pixels / c.oc, oc = m / pixels % c.oc;
    A acc = 0;
    for (int64_t k = 0; k < taps; ++k) {
      const int64_t at = source(c, position(m % pixels, out), position(k, c.kernel));
      for (int64_t ic = 0; ic < c.ic(); ++ic) {
        const int64_t channel = oc / (c.oc / c.groups) * c.ic() + ic;
        const T pixel = at < 0 ? T() : images.data()[(n * c.c + channel) * volume(c.in) + at];
        acc = std::fma(static_cast<A>(weights.data()[(oc * c.ic() + ic) * taps + k]), static_cast<A>(pixel), acc);
      }
    }
    want.push_back(static_cast<T>(acc));
  }
  const Op& called = op("conv_forward");
  compare<T>(called, attrs_of(called, c), x, w, c.y(), want);
}

// Sequential FMA over the flipped taps by which an output could read the element, then over the output channels;
// outputs past the ends are zeros.
template <class T>
void check_backward_input(const Case& c, const Tensor& dy, const Tensor& w) {
  const int64_t oc_group = c.oc / c.groups, taps = volume(c.kernel), pixels = volume(c.in), outputs = volume(c.out());
  const std::vector<T> cotangents = elements<T>(dy), weights = elements<T>(w);
  std::vector<T> want;
  for (int64_t i = 0; i < c.n * c.c * pixels; ++i) {
    const int64_t channel = i / pixels % c.c, n = i / pixels / c.c;
    T acc = 0;
    for (int64_t k = taps; k-- > 0;) {
      const Three pixel = position(i % pixels, c.in), tap = position(k, c.kernel);
      if (!meets(c, pixel, tap)) continue;
      const int64_t at = reader(c, pixel, tap);
      for (int64_t o = 0; o < oc_group; ++o) {
        const int64_t oc = channel / c.ic() * oc_group + o;
        const T weight = weights.data()[(oc * c.ic() + channel % c.ic()) * taps + k];
        acc = std::fma(weight, at < 0 ? T(0) : cotangents.data()[(n * c.oc + oc) * outputs + at], acc);
      }
    }
    want.push_back(acc);
  }
  const Op& called = op("conv_backward_input");
  compare<T>(called, attrs_of(called, c, "input_size", c.in), dy, w, c.x(), want);
}

template <class T>
void check_backward_weight(const Case& c, const Tensor& x, const Tensor& dy) {
  const Three out = c.out();
  const int64_t taps = volume(c.kernel), pixels = volume(out);
  const std::vector<T> inputs = elements<T>(x), cotangents = elements<T>(dy);
  std::vector<T> want;
  for (int64_t i = 0; i < c.oc * c.ic() * taps; ++i) {
    const int64_t oc = i / taps / c.ic(), channel = oc / (c.oc / c.groups) * c.ic() + i / taps % c.ic();
    std::vector<T> images;
    for (int64_t n = 0; n < c.n; ++n) {
      T acc = 0;
      for (int64_t p = 0; p < pixels; ++p) {
        const int64_t at = source(c, position(p, out), position(i % taps, c.kernel));
        const T pixel = at < 0 ? T(0) : inputs.data()[(n * c.c + channel) * volume(c.in) + at];
        acc = std::fma(cotangents.data()[(n * c.oc + oc) * pixels + p], pixel, acc);
      }
      images.push_back(acc);
    }
    while (images.size() > 1) {
      std::vector<T> next;
      for (size_t j = 0; j < images.size(); j += 2) {
        next.push_back(j + 1 < images.size() ? images[j] + images[j + 1] : images[j]);
      }
      images = next;
    }
    want.push_back(images.empty() ? T(0) : images[0]);
  }
  const Op& called = op("conv_backward_weight");
  compare<T>(called, attrs_of(called, c, "kernel_size", c.kernel), x, dy, c.w(), want);
}

template <class T>
void check_all() {
  for (const Case& c : kCases) {
    for (testing::Order order : {testing::Order::RowMajor, testing::Order::Transposed}) {
      SCOPED_TRACE("case " + std::to_string(&c - kCases));
      const Tensor x = testing::random_tensor<T>(c.x(), 1, order);
      const Tensor w = testing::random_tensor<T>(c.w(), 2, order);
      const Tensor dy = testing::random_tensor<T>(c.y(), 3, order);
      check_forward<T, T>(c, x, w);
      check_backward_input<T>(c, dy, w);
      check_backward_weight<T>(c, x, dy);
    }
  }
}

TEST(Conv, Float32) { check_all<float>(); }
TEST(Conv, Float64) { check_all<double>(); }

// Groups of one channel, whose outputs are computed line by line.
template <class T>
void check_lines(int64_t width) {
  const int64_t stride = 1 + width % 3, columns = 1 + width / 3 % 4, kernel = 1 + 2 * (width / 12 % 3);
  const Case c{2,
               3,
               2,
               2 * columns,
               2,
               {1, 1 + width % 11, width},
               {1, 3, kernel},
               {1, 1 + width % 2, stride},
               {1, 1, 1},
               {0, 1, kernel / 2},
               {0, 1, kernel / 2}};
  SCOPED_TRACE("width " + std::to_string(width));
  const Tensor x = testing::random_tensor<T>(c.x(), 1), w = testing::random_tensor<T>(c.w(), 2);
  const Tensor dy = testing::random_tensor<T>(c.y(), 3);
  if (width % 4 == 0) w.template data_as<T>()[0] = std::numeric_limits<T>::infinity();
  check_forward<T, T>(c, x, w);
  check_backward_input<T>(c, dy, w);
}

TEST(Conv, LinesOfEveryWidth) {
  for (int64_t width = 1; width <= 200; ++width) {
    check_lines<float>(width);
    check_lines<double>(width);
  }
}

TEST(Conv, HalfTypesRoundOnce) {
  for (size_t i : {1, 16, 19}) {
    const Case& c = kCases[i];
    check_forward<Half, float>(c, testing::random_tensor<Half>(c.x(), 1), testing::random_tensor<Half>(c.w(), 2));
    check_forward<BFloat16, float>(c, testing::random_tensor<BFloat16>(c.x(), 1),
                                   testing::random_tensor<BFloat16>(c.w(), 2));
  }
}

TEST(Conv, PaddingTakesPartAsZeros) {
  for (size_t i : {2, 4, 17, 18, 20, 22, 23}) {
    SCOPED_TRACE(i);
    const Case& c = kCases[i];
    const Tensor x = testing::random_tensor<float>(c.x(), 1), w = testing::random_tensor<float>(c.w(), 2);
    const Tensor dy = testing::random_tensor<float>(c.y(), 3);
    w.data_as<float>()[0] = std::numeric_limits<float>::infinity();
    check_forward<float, float>(c, x, w);
    check_backward_input<float>(c, dy, w);
    dy.data_as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    check_backward_weight<float>(c, x, dy);
  }
}

TEST(Conv, RefusesWhatDoesNotFit) {
  const Op& called = op("conv_forward");
  const auto refused = [&](const Shape& x, const Shape& w, std::vector<std::pair<std::string_view, Attr>> named) {
    const Type in[] = {Type::tensor(DType::Float32, dims(x)), Type::tensor(DType::Float32, dims(w))};
    EXPECT_THROW(called.infer({in, make_attrs(called, named)}), OpError) << to_string(x) << to_string(w);
  };
  refused({2, 3, 5}, {4, 3, 3, 3}, {});
  refused({2, 3}, {4, 3}, {});
  refused({2, 3, 1, 1, 1, 1}, {4, 3, 1, 1, 1, 1}, {});
  refused({2, 3, 5, 5}, {4, 3, 3, 3}, {{"pad", Ints{1, 1, 1}}});
  refused({2, 3, 5, 5}, {4, 3, 3, 0}, {});
  refused({2, 3, 5, 5}, {4, 2, 3, 3}, {});
  refused({2, 3, 2, 5}, {4, 3, 3, 3}, {});
  refused({2, 4, 5, 5}, {3, 2, 3, 3}, {{"groups", int64_t{2}}});
  refused({2, 3, 5, 5}, {4, 3, 3, 3}, {{"groups", int64_t{0}}});
  refused({2, 3, 5, 5}, {4, 3, 3, 3}, {{"stride", Ints{0}}});
  refused({2, 3, 5, 5}, {4, 3, 3, 3}, {{"dilation", Ints{1, 0}}});
  refused({2, 3, 5, 5}, {4, 3, 3, 3}, {{"stride", Ints{1, 1, 1}}});
}

}  // namespace
}  // namespace ember::ops
