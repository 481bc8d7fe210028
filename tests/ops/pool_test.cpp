// Pooling and its gradients against naive loops.
#include <array>

#include "ops/table/op.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::bits_of;
using testing::element;

// Depth, height and width.
using Three = std::array<int64_t, 3>;

int64_t volume(const Three& sizes) { return sizes[0] * sizes[1] * sizes[2]; }
Three position(int64_t index, const Three& sizes) {
  return {index / sizes[2] / sizes[1], index / sizes[2] % sizes[1], index % sizes[2]};
}

// Of images with `axes` sizes; those that they lack are the outer ones.
struct Case {
  size_t axes;
  int64_t channels;
  Three in, kernel, stride, dilation = {1, 1, 1}, before = {0, 0, 0}, after = {0, 0, 0};
  bool ceil = false;

  Three out() const {
    Three sizes;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t room = in[d] + before[d] + after[d] - dilation[d] * (kernel[d] - 1) - 1;
      sizes[d] = (ceil ? (room + stride[d] - 1) / stride[d] : room / stride[d]) + 1;
      if (ceil && (sizes[d] - 1) * stride[d] >= in[d] + before[d]) --sizes[d];
    }
    return sizes;
  }
  Ints sizes(const Three& of) const { return Ints(of.begin() + (3 - static_cast<int64_t>(axes)), of.end()); }
  Shape shape(const Three& of) const {
    Shape all{1, channels};
    for (size_t d = 3 - axes; d < 3; ++d) all.push_back(of[d]);
    return all;
  }
};

const Case kCases[] = {
    {2, 6, {1, 6, 5}, {1, 2, 2}, {1, 2, 2}},
    {2, 4, {1, 7, 7}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {2, 4, {1, 7, 8}, {1, 3, 3}, {1, 2, 3}, {1, 1, 1}, {0, 1, 1}, {0, 1, 0}, true},
    {2, 2, {1, 9, 9}, {1, 3, 3}, {1, 1, 2}, {1, 2, 1}, {0, 0, 1}, {0, 1, 1}},
    {2, 3, {1, 5, 5}, {1, 2, 2}, {1, 2, 2}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, true},
    {2, 0, {1, 5, 5}, {1, 2, 2}, {1, 2, 2}},
    {2, 40, {1, 30, 30}, {1, 2, 2}, {1, 2, 2}},
    {2, 19, {1, 6, 9}, {1, 3, 2}, {1, 2, 2}, {1, 1, 1}, {0, 1, 0}, {0, 0, 1}},
    {1, 5, {1, 1, 17}, {1, 1, 4}, {1, 1, 3}, {1, 1, 2}, {0, 0, 2}, {0, 0, 1}, true},
    {1, 5, {1, 1, 19}, {1, 1, 3}, {1, 1, 2}, {1, 1, 1}, {0, 0, 1}, {0, 0, 1}},
    {3, 3, {5, 6, 7}, {2, 3, 2}, {2, 1, 2}, {1, 1, 1}, {1, 0, 1}, {0, 1, 1}, true},
    {3, 2, {7, 6, 9}, {3, 2, 3}, {1, 2, 2}, {2, 1, 3}, {1, 1, 0}, {1, 0, 1}},
};

// The elements of a window that lie within the image, by index.
std::vector<int64_t> window(const Case& c, int64_t output) {
  const Three o = position(output, c.out());
  std::vector<int64_t> elements;
  for (int64_t k = 0; k < volume(c.kernel); ++k) {
    const Three tap = position(k, c.kernel);
    int64_t index = 0;
    bool inside = true;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t at = o[d] * c.stride[d] + tap[d] * c.dilation[d] - c.before[d];
      inside = inside && at >= 0 && at < c.in[d];
      index = index * c.in[d] + at;
    }
    if (inside) elements.push_back(index);
  }
  return elements;
}

int64_t divisor(const Case& c, int64_t output, bool with_padding) {
  if (!with_padding) return static_cast<int64_t>(window(c, output).size());
  const Three o = position(output, c.out());
  int64_t size = 1;
  for (size_t d = 0; d < 3; ++d) {
    const int64_t start = o[d] * c.stride[d] - c.before[d];
    size *= std::min(start + c.kernel[d], c.in[d] + c.after[d]) - start;
  }
  return size;
}

Attrs attrs_of(const Op& op, const Case& c, std::vector<std::pair<std::string_view, Attr>> more) {
  Ints pad;
  for (size_t d = 3 - c.axes; d < 3; ++d) pad.insert(pad.end(), {c.before[d], c.after[d]});
  more.push_back({"kernel_size", c.sizes(c.kernel)});
  more.push_back({"stride", c.sizes(c.stride)});
  more.push_back({"pad", pad});
  more.push_back({"dilation", c.sizes(c.dilation)});
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
  const int64_t in = volume(c.in), out = volume(c.out());
  const Shape shape = c.shape(c.out());
  const Tensor y = Tensor::empty(dtype_of<T>, shape), index = Tensor::empty(DType::Int64, shape);
  const Tensor dy = testing::random_tensor<T>(shape, 2, testing::Order::Transposed);
  const Tensor dx = Tensor::empty(dtype_of<T>, c.shape(c.in));
  const Op& op = ops::op("max_pool_with_indices");
  run(op, attrs_of(op, c, {}), {x}, {y, index});
  const Op& backward = ops::op("max_pool_backward");
  run(backward, make_attrs(backward, {{"input_size", c.sizes(c.in)}}), {dy, index}, {dx});
  std::vector<T> want_dx(static_cast<size_t>(c.channels * in), T(0));
  for (int64_t i = 0; i < c.channels * out; ++i) {
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
  if (c.dilation != Three{1, 1, 1}) return;
  const int64_t in = volume(c.in), out = volume(c.out());
  const Shape shape = c.shape(c.out());
  const Tensor y = Tensor::empty(dtype_of<T>, shape), dx = Tensor::empty(dtype_of<T>, c.shape(c.in));
  const Tensor dy = testing::random_tensor<T>(shape, 2);
  const Op& op = ops::op("avg_pool_forward");
  run(op, attrs_of(op, c, {{"count_include_pad", with_padding}}), {x}, {y});
  const Op& backward = ops::op("avg_pool_backward");
  run(backward, attrs_of(backward, c, {{"count_include_pad", with_padding}, {"input_size", c.sizes(c.in)}}), {dy},
      {dx});
  std::vector<T> want_dx(static_cast<size_t>(c.channels * in), T(0));
  for (int64_t i = 0; i < c.channels * out; ++i) {
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
        const Shape shape = c.shape(c.in);
        check_max<float>(c, testing::random_tensor<float>(shape, 1, order));
        check_max<int32_t>(c, testing::random_tensor<int32_t>(shape, 1, order));
        check_average<float>(c, testing::random_tensor<float>(shape, 1, order), true);
        check_average<double>(c, testing::random_tensor<double>(shape, 1, order), false);
      }
    }
  });
}

// Windows as even as they can be, which share elements where the sizes do not divide.
TEST(Pool, AdaptiveWindowsCoverTheImage) {
  const Three in{5, 4, 7}, out{2, 4, 3};
  const Tensor x = testing::random_tensor<float>({2, 3, 5, 4, 7}, 1),
               y = Tensor::empty(DType::Float32, {2, 3, 2, 4, 3});
  const Tensor dy = testing::random_tensor<float>({2, 3, 2, 4, 3}, 2, testing::Order::Reversed);
  const Tensor dx = Tensor::empty(DType::Float32, {2, 3, 5, 4, 7});
  const Op &op = ops::op("adaptive_avg_pool_forward"), &backward = ops::op("adaptive_avg_pool_backward");
  testing::for_each_isa_and_thread_count([&] {
    run(op, make_attrs(op, {{"output_size", Ints{2, 4, 3}}}), {x}, {y});
    run(backward, make_attrs(backward, {{"input_size", Ints{5, 4, 7}}}), {dy}, {dx});
    std::vector<float> want_dx(static_cast<size_t>(dx.numel()), 0);
    for (int64_t i = 0; i < y.numel(); ++i) {
      const Three o = position(i % volume(out), out);
      std::vector<int64_t> read;
      for (int64_t at = 0; at < volume(in); ++at) {
        const Three p = position(at, in);
        bool inside = true;
        for (size_t d = 0; d < 3; ++d) {
          inside = inside && p[d] * out[d] > o[d] * in[d] - out[d] && p[d] * out[d] < (o[d] + 1) * in[d];
        }
        if (inside) read.push_back(i / volume(out) * volume(in) + at);
      }
      const float n = static_cast<float>(read.size());
      float sum = 0;
      for (int64_t at : read) {
        sum += element<float>(x, at);
        want_dx[static_cast<size_t>(at)] += element<float>(dy, i) / n;
      }
      ASSERT_EQ(bits_of(y.data_as<float>()[i]), bits_of(sum / n)) << i;
    }
    for (int64_t i = 0; i < dx.numel(); ++i) {
      ASSERT_EQ(bits_of(dx.data_as<float>()[i]), bits_of(want_dx[static_cast<size_t>(i)])) << i;
    }
  });
}

TEST(Pool, TheFirstMaximumWinsAndNanIsOne) {
  const Case c = kCases[0];
  const Tensor x = Tensor::full(DType::Float32, c.shape(c.in), 1);
  check_max<float>(c, x);
  x.data_as<float>()[1] = x.data_as<float>()[5] = std::numeric_limits<float>::quiet_NaN();
  x.data_as<float>()[8] = std::numeric_limits<float>::infinity();
  check_max<float>(c, x);
  check_max<float>(c, Tensor::full(DType::Float32, c.shape(c.in), -INFINITY));
}

TEST(Pool, RefusesWhatDoesNotFit) {
  const Op& op = ops::op("max_pool_with_indices");
  const auto refused = [&](const Shape& x, const Ints& kernel, const Ints& stride, const Ints& pad) {
    const Type in[] = {Type::tensor(DType::Float32, dims(x))};
    EXPECT_THROW(op.infer({in, make_attrs(op, {{"kernel_size", kernel}, {"stride", stride}, {"pad", pad}})}), OpError);
  };
  refused({3, 5}, {2}, {2}, {0});
  refused({3, 5, 5}, {2}, {2}, {0, 0, 0, 0});
  refused({1, 3, 5, 5}, {6}, {2}, {0, 0, 0, 0});
  refused({1, 3, 5, 5}, {2}, {0}, {0, 0, 0, 0});
  refused({1, 3, 5, 5}, {2}, {2}, {2, 2, 2, 2});
  refused({1, 3, 5, 5}, {2, 2, 2}, {2}, {0, 0, 0, 0});
}

}  // namespace
}  // namespace ember::ops
