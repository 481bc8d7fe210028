// Products and convolutions that a machine with AMX makes as bf16x3, their gradients, and attention of such
// sizes, in every tier.
#include <cmath>

#include "bytecode/text/text.h"
#include "bytecode/transforms/transforms.h"
#include "tests/differential/tiers_agree.h"
#include "tests/tiers/pretend_amx.h"

namespace ember::differential {
namespace {

using ops::MatmulPrecision;

const Effort kEffort{.threads = {1, 3}, .most_exits = 1};

// Of the first argument's first half the elements are times `scale`.
Data random_arguments(const bytecode::Module& module, float scale) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  Data out;
  const bytecode::Graph& graph = module.graph(module.entry);
  for (bytecode::ValueId p : graph.params) {
    const ops::Tensor t = ops::Tensor::empty(ops::DType::Float32, ops::hints(graph.type(p).dims));
    for (int64_t i = 0; i < t.numel(); ++i) t.data_as<float>()[i] = normal(random);
    for (int64_t i = 0; out.empty() && i < t.numel() / 2; ++i) t.data_as<float>()[i] *= scale;
    out.push_back(t);
  }
  return out;
}

void check(bytecode::Module module, const std::string& what, float scale = 1) {
  Subject subject(module);
  EXPECT_TRUE(expect_agreement(subject, random_arguments(module, scale), kEffort, what));
}

constexpr const char* kDense = R"(
subgraph @f(%x: Tensor[Float32](3, 70, 130), %w: Tensor[Float32](195, 130), %b: Tensor[Float32](195,)) {
  %0 = Dense(%x, %w, %b)
  %1 = Tanh(%0)
  %2 = MatMulExt(%1, %w)
  %3 = ReduceSum(%2, axis=None, keep_dims=False)
  Return(%3)
}
)";
constexpr const char* kAttention = R"(
subgraph @f(%q: Tensor[Float32](1, 200, 128), %k: Tensor[Float32](1, 192, 128), %v: Tensor[Float32](1, 192, 200)) {
  %0 = BatchMatMul(%q, %k, transpose_a=False, transpose_b=True)
  %1 = Mul(%0, 0.1)
  %2 = Softmax(%1, axis=-1)
  %3 = MatMulExt(%2, %v)
  Return(%3)
}
)";
constexpr const char* kConvolution = R"(
subgraph @f(%x: Tensor[Float32](1, 48, 12, 12), %w: Tensor[Float32](64, 48, 3, 3)) {
  %0 = ConvForward(%x, %w, pad=(1, 1, 1, 1))
  %1 = Tanh(%0)
  %2 = ReduceSum(%1, axis=None, keep_dims=False)
  Return(%2)
}
)";

class Split : public testing::TestWithParam<MatmulPrecision> {
  const amx::PretendAmx pretended_;
  const amx::Precision precision_{GetParam()};
};

TEST_P(Split, DenseAgrees) { check(bytecode::parse(kDense), "dense"); }

TEST_P(Split, GradientOfDenseAgrees) {
  bytecode::Module module = bytecode::parse(kDense);
  module.entry = bytecode::grad(module, module.entry, {.wrt = {0, 1, 2}});
  check(std::move(module), "gradient of dense");
}

TEST_P(Split, GradientOfConvolutionAgrees) {
  bytecode::Module module = bytecode::parse(kConvolution);
  module.entry = bytecode::grad(module, module.entry, {.wrt = {0, 1}});
  check(std::move(module), "gradient of a convolution");
}

TEST_P(Split, AttentionAgrees) { check(bytecode::parse(kAttention), "attention"); }

// Items, or all, are the chain; what is fused with a product follows either.
TEST_P(Split, ScalesOutOfRangeAgree) {
  for (float scale : {0x1p-99f, 0x1p120f, 0x1p127f}) {
    const std::string by = " by " + std::to_string(std::ilogb(scale));
    check(bytecode::parse(kDense), "dense" + by, scale);
    check(bytecode::parse(kConvolution), "convolution" + by, scale);
    check(bytecode::parse(kAttention), "attention" + by, scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Split,
                         testing::Values(MatmulPrecision::Ieee, MatmulPrecision::Float32, MatmulPrecision::BFloat16),
                         [](const auto& p) { return std::string(ops::kMatmulPrecisions[size_t(p.param)]); });

}  // namespace
}  // namespace ember::differential
