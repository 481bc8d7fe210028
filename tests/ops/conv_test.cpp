// Convolution and its gradients against naive loops in the order of their definition.
#include "ops/op.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::bits_of;
using testing::element;

struct Case {
  int64_t n, c, h, w, oc, kh, kw, sh, sw, dh, dw, top, bottom, left, right, groups;
  int64_t oh() const { return (h + top + bottom - dh * (kh - 1) - 1) / sh + 1; }
  int64_t ow() const { return (w + left + right - dw * (kw - 1) - 1) / sw + 1; }
  int64_t ic() const { return c / groups; }
};

const Case kCases[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1},   {2, 3, 5, 6, 4, 3, 3, 1, 1, 1, 1, 0, 0, 0, 0, 1},
    {3, 2, 8, 8, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1},   {2, 4, 9, 7, 6, 3, 2, 2, 3, 1, 2, 1, 0, 2, 1, 2},
    {2, 3, 7, 7, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 3},   {2, 3, 9, 8, 6, 3, 3, 2, 2, 2, 1, 2, 2, 1, 1, 3},
    {1, 5, 40, 60, 7, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1}, {1, 2, 12, 12, 3, 5, 5, 3, 3, 1, 1, 4, 4, 4, 4, 1},
    {9, 1, 6, 6, 20, 2, 2, 1, 1, 1, 1, 0, 1, 0, 1, 1},  {0, 2, 5, 5, 3, 3, 3, 1, 1, 1, 1, 0, 0, 0, 0, 1},
    {5, 2, 20, 20, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 3, 3, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1},
};

Attrs attrs_of(const Op& op, const Case& c, const char* size, Ints values) {
  std::vector<std::pair<std::string_view, Attr>> named{{"stride", Ints{c.sh, c.sw}},
                                                       {"pad", Ints{c.top, c.bottom, c.left, c.right}},
                                                       {"dilation", Ints{c.dh, c.dw}},
                                                       {"groups", c.groups}};
  if (size) named.push_back({size, std::move(values)});
  return make_attrs(op, named);
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
    for (int64_t i = 0; i < out.numel(); ++i) {
      ASSERT_EQ(bits_of(out.data_as<T>()[i]), bits_of(want[static_cast<size_t>(i)]))
          << called.name << ", element " << i;
    }
  });
}

// The input's index for an output and a tap, or -1 for padding.
int64_t source(int64_t o, int64_t k, int64_t stride, int64_t dilation, int64_t pad, int64_t size) {
  const int64_t at = o * stride + k * dilation - pad;
  return at >= 0 && at < size ? at : -1;
}

template <class T, class A>
void check_forward(const Case& c, const Tensor& x, const Tensor& w) {
  std::vector<T> want;
  for (int64_t n = 0; n < c.n; ++n) {
    for (int64_t oc = 0; oc < c.oc; ++oc) {
      for (int64_t i = 0; i < c.oh() * c.ow(); ++i) {
        A acc = 0;
        for (int64_t k = 0; k < c.kh * c.kw; ++k) {
          for (int64_t ic = 0; ic < c.ic(); ++ic) {
            const int64_t h = source(i / c.ow(), k / c.kw, c.sh, c.dh, c.top, c.h);
            const int64_t v = source(i % c.ow(), k % c.kw, c.sw, c.dw, c.left, c.w);
            const int64_t channel = oc / (c.oc / c.groups) * c.ic() + ic;
            const T pixel = h < 0 || v < 0 ? T() : element<T>(x, ((n * c.c + channel) * c.h + h) * c.w + v);
            acc = std::fma(static_cast<A>(element<T>(w, (oc * c.ic() + ic) * c.kh * c.kw + k)), static_cast<A>(pixel),
                           acc);
          }
        }
        want.push_back(static_cast<T>(acc));
      }
    }
  }
  const Op& called = op("conv2d_forward");
  compare<T>(called, attrs_of(called, c, nullptr, {}), x, w, {c.n, c.oc, c.oh(), c.ow()}, want);
}

// The convolution of dy, zeros put between its elements, with the turned weights: a chain over kh, kw, output channel.
template <class T>
void check_backward_input(const Case& c, const Tensor& dy, const Tensor& w) {
  const int64_t oc_group = c.oc / c.groups;
  std::vector<T> want;
  for (int64_t i = 0; i < c.n * c.c * c.h * c.w; ++i) {
    const int64_t v = i % c.w, h = i / c.w % c.h, channel = i / (c.w * c.h) % c.c, n = i / (c.w * c.h * c.c);
    T acc = 0;
    for (int64_t k = 0; k < c.kh * c.kw; ++k) {
      const int64_t kh = c.kh - 1 - k / c.kw, kw = c.kw - 1 - k % c.kw;
      const int64_t at_h = h + c.top - kh * c.dh, at_w = v + c.left - kw * c.dw;
      const bool inside = at_h >= 0 && at_w >= 0 && at_h % c.sh == 0 && at_w % c.sw == 0 && at_h / c.sh < c.oh() &&
                          at_w / c.sw < c.ow();
      for (int64_t o = 0; o < oc_group; ++o) {
        const int64_t oc = channel / c.ic() * oc_group + o;
        const T weight = element<T>(w, ((oc * c.ic() + channel % c.ic()) * c.kh + kh) * c.kw + kw);
        const T y = inside ? element<T>(dy, ((n * c.oc + oc) * c.oh() + at_h / c.sh) * c.ow() + at_w / c.sw) : T(0);
        acc = std::fma(weight, y, acc);
      }
    }
    want.push_back(acc);
  }
  const Op& called = op("conv2d_backward_input");
  compare<T>(called, attrs_of(called, c, "input_size", Ints{c.h, c.w}), dy, w, {c.n, c.c, c.h, c.w}, want);
}

template <class T>
void check_backward_weight(const Case& c, const Tensor& x, const Tensor& dy) {
  std::vector<T> want;
  for (int64_t i = 0; i < c.oc * c.ic() * c.kh * c.kw; ++i) {
    const int64_t kw = i % c.kw, kh = i / c.kw % c.kh, ic = i / (c.kw * c.kh) % c.ic(), oc = i / (c.kw * c.kh * c.ic());
    const int64_t channel = oc / (c.oc / c.groups) * c.ic() + ic;
    std::vector<T> images;
    for (int64_t n = 0; n < c.n; ++n) {
      T acc = 0;
      for (int64_t p = 0; p < c.oh() * c.ow(); ++p) {
        const int64_t h = source(p / c.ow(), kh, c.sh, c.dh, c.top, c.h);
        const int64_t v = source(p % c.ow(), kw, c.sw, c.dw, c.left, c.w);
        const T pixel = h < 0 || v < 0 ? T(0) : element<T>(x, ((n * c.c + channel) * c.h + h) * c.w + v);
        acc = std::fma(element<T>(dy, (n * c.oc + oc) * c.oh() * c.ow() + p), pixel, acc);
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
  const Op& called = op("conv2d_backward_weight");
  compare<T>(called, attrs_of(called, c, "kernel_size", Ints{c.kh, c.kw}), x, dy, {c.oc, c.ic(), c.kh, c.kw}, want);
}

template <class T>
void check_all() {
  for (const Case& c : kCases) {
    for (testing::Order order : {testing::Order::RowMajor, testing::Order::Transposed}) {
      SCOPED_TRACE("case " + std::to_string(&c - kCases));
      const Tensor x = testing::random_tensor<T>({c.n, c.c, c.h, c.w}, 1, order);
      const Tensor w = testing::random_tensor<T>({c.oc, c.ic(), c.kh, c.kw}, 2, order);
      const Tensor dy = testing::random_tensor<T>({c.n, c.oc, c.oh(), c.ow()}, 3, order);
      check_forward<T, T>(c, x, w);
      check_backward_input<T>(c, dy, w);
      check_backward_weight<T>(c, x, dy);
    }
  }
}

TEST(Conv2d, Float32) { check_all<float>(); }
TEST(Conv2d, Float64) { check_all<double>(); }

TEST(Conv2d, HalfTypesRoundOnce) {
  const Case c = kCases[1];
  check_forward<Half, float>(c, testing::random_tensor<Half>({c.n, c.c, c.h, c.w}, 1),
                             testing::random_tensor<Half>({c.oc, c.ic(), c.kh, c.kw}, 2));
  check_forward<BFloat16, float>(c, testing::random_tensor<BFloat16>({c.n, c.c, c.h, c.w}, 1),
                                 testing::random_tensor<BFloat16>({c.oc, c.ic(), c.kh, c.kw}, 2));
}

TEST(Conv2d, PaddingTakesPartAsZeros) {
  for (size_t i : {2, 4}) {
    const Case c = kCases[i];
    const Tensor x = testing::random_tensor<float>({c.n, c.c, c.h, c.w}, 1);
    const Tensor w = testing::random_tensor<float>({c.oc, c.ic(), c.kh, c.kw}, 2);
    w.data_as<float>()[0] = std::numeric_limits<float>::infinity();
    check_forward<float, float>(c, x, w);
  }
}

TEST(Conv2d, RefusesWhatDoesNotFit) {
  const Op& called = op("conv2d_forward");
  const auto refused = [&](const Shape& x, const Shape& w, std::vector<std::pair<std::string_view, Attr>> named) {
    const Type in[] = {Type::tensor(DType::Float32, dims(x)), Type::tensor(DType::Float32, dims(w))};
    EXPECT_THROW(called.infer({in, make_attrs(called, named)}), OpError) << to_string(x) << to_string(w);
  };
  refused({2, 3, 5}, {4, 3, 3, 3}, {});
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
