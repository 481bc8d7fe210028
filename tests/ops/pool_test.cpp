// Pooling and its gradients against naive loops.
#include "ops/op.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::bits_of;
using testing::element;

struct Case {
  int64_t planes, h, w, kh, kw, sh, sw, dh, dw, top, bottom, left, right;
  bool ceil;
  int64_t size(int64_t in, int64_t before, int64_t after, int64_t k, int64_t s, int64_t d) const {
    const int64_t room = in + before + after - d * (k - 1) - 1;
    int64_t n = (ceil ? (room + s - 1) / s : room / s) + 1;
    if (ceil && (n - 1) * s >= in + before) --n;
    return n;
  }
  int64_t oh() const { return size(h, top, bottom, kh, sh, dh); }
  int64_t ow() const { return size(w, left, right, kw, sw, dw); }
};

const Case kCases[] = {
    {6, 6, 5, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, false},    {4, 7, 7, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, false},
    {4, 7, 8, 3, 2, 2, 3, 1, 1, 1, 1, 1, 0, true},     {2, 9, 9, 3, 3, 1, 2, 2, 1, 0, 1, 1, 1, false},
    {3, 5, 5, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, true},     {0, 5, 5, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, false},
    {40, 30, 30, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, false},
};

// The elements of a window that lie within the plane, by index.
std::vector<int64_t> window(const Case& c, int64_t o) {
  std::vector<int64_t> out;
  for (int64_t k = 0; k < c.kh * c.kw; ++k) {
    const int64_t h = o / c.ow() * c.sh + k / c.kw * c.dh - c.top, w = o % c.ow() * c.sw + k % c.kw * c.dw - c.left;
    if (h >= 0 && h < c.h && w >= 0 && w < c.w) out.push_back(h * c.w + w);
  }
  return out;
}

int64_t divisor(const Case& c, int64_t o, bool with_padding) {
  if (!with_padding) return static_cast<int64_t>(window(c, o).size());
  const int64_t h = o / c.ow() * c.sh - c.top, w = o % c.ow() * c.sw - c.left;
  return (std::min(h + c.kh, c.h + c.bottom) - h) * (std::min(w + c.kw, c.w + c.right) - w);
}

Attrs attrs_of(const Op& op, const Case& c, std::vector<std::pair<std::string_view, Attr>> more) {
  more.push_back({"kernel_size", Ints{c.kh, c.kw}});
  more.push_back({"stride", Ints{c.sh, c.sw}});
  more.push_back({"pad", Ints{c.top, c.bottom, c.left, c.right}});
  more.push_back({"dilation", Ints{c.dh, c.dw}});
  more.push_back({"ceil_mode", c.ceil});
  return make_attrs(op, more);
}

void run(const Op& op, const Attrs& attrs, std::vector<Tensor> in, std::vector<Tensor> out) {
  std::vector<View> from, to;
  Types types;
  for (const Tensor& t : in) {
    from.push_back(testing::view(t));
    types.push_back(Type::tensor(t.dtype(), dims(t.shape())));
  }
  for (const Tensor& t : out) to.push_back(testing::view(t));
  const Types inferred = op.infer({types, attrs});
  ASSERT_EQ(inferred.size(), out.size());
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(hints(inferred[i].dims), out[i].shape());
  op.kernel({from, to, attrs});
}

template <class T>
void check_max(const Case& c, const Tensor& x) {
  const int64_t in = c.h * c.w, out = c.oh() * c.ow();
  const Shape shape{1, c.planes, c.oh(), c.ow()};
  const Tensor y = Tensor::empty(dtype_of<T>, shape), index = Tensor::empty(DType::Int64, shape);
  const Tensor dy = testing::random_tensor<T>(shape, 2, testing::Order::Transposed);
  const Tensor dx = Tensor::empty(dtype_of<T>, {1, c.planes, c.h, c.w});
  const Op& op = ops::op("max_pool2d_with_indices");
  run(op, attrs_of(op, c, {}), {x}, {y, index});
  const Op& backward = ops::op("max_pool2d_backward");
  run(backward, make_attrs(backward, {{"input_size", Ints{c.h, c.w}}}), {dy, index}, {dx});
  std::vector<T> want_dx(static_cast<size_t>(c.planes * in), T(0));
  for (int64_t i = 0; i < c.planes * out; ++i) {
    const int64_t plane = i / out * in;
    int64_t best = -1;
    for (int64_t at : window(c, i % out)) {
      if (best < 0 || (element<T>(x, plane + best) == element<T>(x, plane + best) &&
                       !(element<T>(x, plane + at) <= element<T>(x, plane + best)))) {
        best = at;
      }
    }
    ASSERT_EQ(index.data_as<int64_t>()[i], best) << i;
    ASSERT_EQ(bits_of(y.data_as<T>()[i]), bits_of(element<T>(x, plane + best))) << i;
    T& to = want_dx[static_cast<size_t>(plane + best)];
    to = static_cast<T>(to + element<T>(dy, i));
  }
  for (int64_t i = 0; i < dx.numel(); ++i) {
    ASSERT_EQ(bits_of(dx.data_as<T>()[i]), bits_of(want_dx[static_cast<size_t>(i)])) << i;
  }
}

template <class T>
void check_average(const Case& c, const Tensor& x, bool with_padding) {
  if (c.dh != 1 || c.dw != 1) return;
  const int64_t in = c.h * c.w, out = c.oh() * c.ow();
  const Shape shape{1, c.planes, c.oh(), c.ow()};
  const Tensor y = Tensor::empty(dtype_of<T>, shape), dx = Tensor::empty(dtype_of<T>, {1, c.planes, c.h, c.w});
  const Tensor dy = testing::random_tensor<T>(shape, 2);
  const Op& op = ops::op("avg_pool2d_forward");
  run(op, attrs_of(op, c, {{"count_include_pad", with_padding}}), {x}, {y});
  const Op& backward = ops::op("avg_pool2d_backward");
  run(backward, attrs_of(backward, c, {{"count_include_pad", with_padding}, {"input_size", Ints{c.h, c.w}}}), {dy},
      {dx});
  std::vector<T> want_dx(static_cast<size_t>(c.planes * in), T(0));
  for (int64_t i = 0; i < c.planes * out; ++i) {
    const T n = static_cast<T>(divisor(c, i % out, with_padding));
    T sum = 0;
    for (int64_t at : window(c, i % out)) {
      sum += element<T>(x, i / out * in + at);
      want_dx[static_cast<size_t>(i / out * in + at)] += element<T>(dy, i) / n;
    }
    ASSERT_EQ(bits_of(y.data_as<T>()[i]), bits_of(sum / n)) << i;
  }
  for (int64_t i = 0; i < dx.numel(); ++i) {
    ASSERT_EQ(bits_of(dx.data_as<T>()[i]), bits_of(want_dx[static_cast<size_t>(i)])) << i;
  }
}

TEST(Pool, IsItsDefinition) {
  testing::for_each_isa_and_thread_count([] {
    for (const Case& c : kCases) {
      SCOPED_TRACE("case " + std::to_string(&c - kCases));
      for (testing::Order order : testing::kOrders) {
        const Shape shape{1, c.planes, c.h, c.w};
        check_max<float>(c, testing::random_tensor<float>(shape, 1, order));
        check_max<int32_t>(c, testing::random_tensor<int32_t>(shape, 1, order));
        check_average<float>(c, testing::random_tensor<float>(shape, 1, order), true);
        check_average<double>(c, testing::random_tensor<double>(shape, 1, order), false);
      }
    }
  });
}

TEST(Pool, TheFirstMaximumWinsAndNanIsOne) {
  const Case c = kCases[0];
  const Tensor x = Tensor::full(DType::Float32, {1, c.planes, c.h, c.w}, 1);
  check_max<float>(c, x);
  x.data_as<float>()[1] = x.data_as<float>()[5] = std::numeric_limits<float>::quiet_NaN();
  x.data_as<float>()[8] = std::numeric_limits<float>::infinity();
  check_max<float>(c, x);
  check_max<float>(c, Tensor::full(DType::Float32, {1, c.planes, c.h, c.w}, -INFINITY));
}

TEST(Pool, RefusesWhatDoesNotFit) {
  const Op& op = ops::op("max_pool2d_with_indices");
  const auto refused = [&](const Shape& x, const Ints& kernel, const Ints& stride, const Ints& pad) {
    const Type in[] = {Type::tensor(DType::Float32, dims(x))};
    EXPECT_THROW(op.infer({in, make_attrs(op, {{"kernel_size", kernel}, {"stride", stride}, {"pad", pad}})}), OpError);
  };
  refused({3, 5, 5}, {2}, {2}, {0, 0, 0, 0});
  refused({1, 3, 5, 5}, {6}, {2}, {0, 0, 0, 0});
  refused({1, 3, 5, 5}, {2}, {0}, {0, 0, 0, 0});
  refused({1, 3, 5, 5}, {2}, {2}, {2, 2, 2, 2});
  refused({1, 3, 5, 5}, {2, 2, 2}, {2}, {0, 0, 0, 0});
}

}  // namespace
}  // namespace ember::ops
