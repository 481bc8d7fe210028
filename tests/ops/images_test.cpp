// Kernels give the same bits for NHWC images as for NCHW ones, whichever operands and results are NHWC, for every
// instruction set and number of threads.
#include "ops/kernels/images.h"

#include "ops/program/program.h"
#include "ops/program/strided.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::view;
using Named = std::vector<std::pair<std::string_view, Attr>>;

struct Kernel {
  const Op* op;
  std::vector<Tensor> operands;
  Attrs attrs;

  std::vector<Tensor> results(uint32_t nhwc) const {
    Types types;
    for (const Tensor& t : operands) {
      Dims dims;
      for (int64_t size : t.shape()) dims.push_back(size);
      types.push_back(Type::tensor(t.dtype(), dims));
    }
    std::vector<Tensor> out;
    for (const Type& type : infer(*op, types, attrs)) {
      const Tensor t = Tensor::full(type.dtype, hints(type.dims), 7);
      out.push_back(images_in_order(t, nhwc >> out.size() & 1));
    }
    return out;
  }
  // Bit i: operand or result i is NHWC.
  std::vector<Tensor> run(uint32_t in_nhwc, uint32_t out_nhwc) const {
    std::vector<Tensor> in, out = results(out_nhwc);
    std::vector<View> in_views, out_views;
    for (const Tensor& t : operands) in.push_back(images_in_order(t, in_nhwc >> in.size() & 1));
    for (const Tensor& t : in) in_views.push_back(view(t));
    for (const Tensor& t : out) out_views.push_back(view(t));
    op->kernel({in_views, out_views, attrs});
    for (Tensor& t : out) t = to_contiguous(t);
    return out;
  }
};

void expect_same_bits(const Tensor& got, const Tensor& want) {
  dispatch(want.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < want.numel(); ++i) {
      ASSERT_EQ(testing::bits_of(got.data_as<T>()[i]), testing::bits_of(want.data_as<T>()[i])) << "element " << i;
    }
  });
}

void check(const Kernel& kernel) {
  const std::vector<Tensor> want = kernel.run(0, 0);
  testing::for_each_isa_and_thread_count([&] {
    for (uint32_t in = 0; in <= kernel.op->image_in; ++in) {
      for (uint32_t out = 0; out <= kernel.op->image_out; ++out) {
        if ((in | kernel.op->image_in) != kernel.op->image_in || (out | kernel.op->image_out) != kernel.op->image_out) {
          continue;
        }
        SCOPED_TRACE(std::string(kernel.op->name) + " of " + to_string(kernel.operands[0].shape()) + ", operands " +
                     std::to_string(in) + ", results " + std::to_string(out));
        const std::vector<Tensor> got = kernel.run(in, out);
        for (size_t i = 0; i < want.size(); ++i) expect_same_bits(got[i], want[i]);
      }
    }
  });
}

Kernel kernel(std::string_view name, std::vector<Tensor> operands, const Named& named) {
  return {&op(name), std::move(operands), make_attrs(op(name), named)};
}

Ints sizes_of(const Tensor& t) { return Ints(t.shape().begin() + 2, t.shape().end()); }

// Few different numbers, so that windows hold equal ones.
template <class T>
Tensor coarse(const Shape& shape, uint32_t seed) {
  const Tensor t = testing::random_tensor<T>(shape, seed);
  for (int64_t i = 0; i < t.numel(); ++i) {
    if constexpr (std::is_floating_point_v<T>) t.data_as<T>()[i] = i % 37 == 5 ? T(NAN) : std::round(t.data_as<T>()[i]);
  }
  return t;
}

struct Convolution {
  Shape x, w;
  Named attrs;
};
const Convolution kConvolutions[] = {
    {{2, 40, 7, 9}, {70, 40, 3, 3}, {{"pad", Ints{1}}}},
    {{3, 3, 11, 10}, {24, 3, 5, 5}, {{"stride", Ints{2}}, {"pad", Ints{2, 1, 0, 2}}}},
    {{2, 36, 8, 7}, {80, 9, 3, 3}, {{"stride", Ints{2, 3}}, {"groups", int64_t{4}}, {"pad", Ints{1}}}},
    {{2, 37, 9, 8}, {37, 1, 3, 3}, {{"dilation", Ints{2}}, {"groups", int64_t{37}}, {"pad", Ints{2}}}},
    {{2, 20, 6, 5}, {60, 1, 3, 2}, {{"stride", Ints{2}}, {"groups", int64_t{20}}}},
    {{2, 24, 12, 13}, {33, 24, 1, 1}, {}},
    {{2, 24, 12, 13}, {36, 8, 1, 1}, {{"groups", int64_t{3}}}},
    {{1, 64, 14, 14}, {32, 64, 1, 1}, {{"stride", Ints{2}}}},
    {{2, 9, 3, 3}, {10, 9, 3, 3}, {}},
    {{2, 12, 6, 6}, {5, 12, 3, 3}, {{"pad", Ints{-1, 0, 1, -1}}}},
    {{2, 16, 70}, {17, 16, 5}, {{"stride", Ints{2}}, {"dilation", Ints{3}}}},
    {{2, 9, 4, 5, 6}, {12, 9, 2, 3, 2}, {{"pad", Ints{1}}}},
    {{1, 1, 5, 5}, {1, 1, 3, 3}, {}},
    {{0, 16, 5, 5}, {8, 16, 3, 3}, {}},
    {{2, 16, 0, 4}, {8, 16, 3, 3}, {{"pad", Ints{2}}}},
    {{2, 0, 4, 4}, {8, 0, 3, 3}, {}},
    {{9, 8, 5, 5}, {16, 8, 3, 3}, {{"pad", Ints{1}}}},
};

template <class T>
void check_convolutions() {
  for (const Convolution& c : kConvolutions) {
    const Tensor x = testing::random_tensor<T>(c.x, 1), w = testing::random_tensor<T>(c.w, 2);
    const Kernel forward = kernel("conv_forward", {x, w}, c.attrs);
    check(forward);
    const Tensor dy = testing::random_tensor<T>(forward.results(0)[0].shape(), 3);
    Named attrs = c.attrs;
    attrs.emplace_back("input_size", sizes_of(x));
    check(kernel("conv_backward_input", {dy, w}, attrs));
    attrs.back() = {"kernel_size", sizes_of(w)};
    check(kernel("conv_backward_weight", {x, dy}, attrs));
  }
}

TEST(Images, ConvolutionsOfFloat32) { check_convolutions<float>(); }
TEST(Images, ConvolutionsOfFloat64) { check_convolutions<double>(); }
TEST(Images, ConvolutionsOfFloat16) { check_convolutions<Half>(); }

struct Pooling {
  Shape x;
  Named attrs;
};
const Pooling kPoolings[] = {
    {{2, 17, 9, 8}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"pad", Ints{1}}}},
    {{3, 64, 6, 7}, {{"kernel_size", Ints{2, 3}}, {"stride", Ints{1, 2}}, {"ceil_mode", true}}},
    {{2, 8, 5, 5}, {{"kernel_size", Ints{5}}, {"stride", Ints{1}}}},
    {{2, 20, 13}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"pad", Ints{1, 0}}}},
    {{1, 9, 4, 5, 6}, {{"kernel_size", Ints{2}}, {"stride", Ints{2}}, {"pad", Ints{1}}}},
    {{0, 8, 4, 4}, {{"kernel_size", Ints{2}}, {"stride", Ints{2}}}},
};

template <class T>
void check_maxima() {
  for (const Pooling& p : kPoolings) {
    const Kernel forward = kernel("max_pool_with_indices", {coarse<T>(p.x, 4)}, p.attrs);
    check(forward);
    const Tensor index = forward.run(0, 0)[1], dy = testing::random_tensor<T>(index.shape(), 5);
    check(kernel("max_pool_backward", {dy, index}, {{"input_size", sizes_of(forward.operands[0])}}));
  }
}

TEST(Images, Maxima) {
  check_maxima<float>();
  check_maxima<double>();
  check_maxima<int32_t>();
  check_maxima<BFloat16>();
}

TEST(Images, Averages) {
  for (const Pooling& p : kPoolings) {
    const Kernel forward = kernel("avg_pool_forward", {testing::random_tensor<float>(p.x, 4)}, p.attrs);
    check(forward);
    const Tensor dy = testing::random_tensor<float>(forward.results(0)[0].shape(), 5);
    Named attrs = p.attrs;
    attrs.emplace_back("input_size", sizes_of(forward.operands[0]));
    check(kernel("avg_pool_backward", {dy}, attrs));
  }
  for (int64_t size : {1, 3, 7}) {
    const Tensor x = testing::random_tensor<float>({2, 19, 5, 6}, 6);
    const Tensor dy = testing::random_tensor<float>({2, 19, size, size}, 7);
    check(kernel("adaptive_avg_pool_forward", {x}, {{"output_size", Ints{size, size}}}));
    check(kernel("adaptive_avg_pool_backward", {dy}, {{"input_size", Ints{5, 6}}}));
  }
}

template <class T>
void check_batch_norms() {
  for (const Shape& shape : {Shape{3, 17, 9, 8}, Shape{2, 64, 40, 30}, Shape{5, 600, 3, 3}, Shape{2, 9, 70},
                             Shape{1, 8, 3, 4, 5}, Shape{4, 12, 1, 1}, Shape{2, 9, 0, 3}}) {
    const Tensor x = testing::random_tensor<T>(shape, 1), dy = testing::random_tensor<T>(shape, 2);
    const Tensor weight = testing::random_tensor<T>({shape[1]}, 3), bias = testing::random_tensor<T>({shape[1]}, 4);
    const Kernel forward = kernel("batch_norm_with_statistics", {x, weight, bias}, {});
    check(forward);
    const std::vector<Tensor> y = forward.run(0, 0);
    check(kernel("batch_norm_gradient", {dy, x, weight, y[1], y[2]}, {}));
  }
}

TEST(Images, BatchNorms) {
  check_batch_norms<float>();
  check_batch_norms<double>();
  check_batch_norms<BFloat16>();
}

// x * scale + y, and whether that is above x: of images in either format, and a number for each channel, each image
// or each pixel.
TEST(Images, ElementwiseProgramsTakeAnyOrder) {
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), y = b.input(1, DType::Float32), scale = b.input(2, DType::Float32);
  const Ex sum = fma(x, scale, y);
  const gc::Ref<const Program> program = Program::of(b.finish({sum, lt(x, sum)}));
  for (const Shape& shape : {Shape{2, 64, 9, 7}, Shape{3, 200, 5, 6}, Shape{2, 700, 3, 3}, Shape{4, 33, 31},
                             Shape{1, 9, 4, 3, 5}, Shape{2, 48, 24, 24}, Shape{0, 9, 4, 4}}) {
    for (int form = 0; form < 4; ++form) {
      Shape small(shape.size(), 1);
      for (size_t d = 0; d < shape.size(); ++d) {
        if (form == 3 ? d != 1 : d == static_cast<size_t>(1 - form)) small[d] = shape[d];
      }
      const Tensor scales = testing::random_tensor<float>(small, 3);
      const Tensor a = testing::random_tensor<float>(shape, 1), c = testing::random_tensor<float>(shape, 2);
      const auto run = [&](bool a_last, bool c_last, bool out_last) {
        const Tensor in[] = {images_in_order(a, a_last), images_in_order(c, c_last), scales};
        const Tensor out[] = {images_in_order(Tensor::full(DType::Float32, shape, 7), out_last),
                              images_in_order(Tensor::full(DType::Bool, shape, 0), out_last)};
        const View in_views[] = {view(in[0]), view(in[1]), view(in[2])}, out_views[] = {view(out[0]), view(out[1])};
        program->run(in_views, out_views);
        return std::vector<Tensor>{to_contiguous(out[0]), to_contiguous(out[1])};
      };
      const std::vector<Tensor> want = run(false, false, false);
      testing::for_each_isa_and_thread_count([&] {
        for (int mask = 0; mask < 8; ++mask) {
          SCOPED_TRACE(to_string(shape) + ", form " + std::to_string(form) + ", orders " + std::to_string(mask));
          const std::vector<Tensor> got = run(mask & 1, mask & 2, mask & 4);
          for (size_t i = 0; i < want.size(); ++i) expect_same_bits(got[i], want[i]);
        }
      });
    }
  }
}

}  // namespace
}  // namespace ember::ops
