// Which values lie channels-last, and that they hold what the graph says.

#include <cstring>
#include <string>

#include "ops/kernels/images.h"
#include "tests/bytecode/evaluate.h"
#include "tests/vm/programs.h"

namespace ember::vm {
namespace {

// Of the only specialisation.
size_t channels_last(const Program& p) {
  const FunctionBinding& f = *p.function->specialisations().at(0).function;
  size_t count = 0;
  for (size_t r = 0; r < f.function().registers.size(); ++r) {
    const ops::LayoutRef& layout = f.reg(static_cast<Register>(r)).layout;
    count += layout && ops::channels_last(*layout);
  }
  return count;
}

// Runs the program, compares it with the evaluator, and returns how many registers lie channels-last.
size_t run(const char* text) {
  const bytecode::Module module = bytecode::parse(text);
  std::vector<ops::Tensor> inputs;
  bytecode::Data data;
  for (bytecode::ValueId p : module.graph(module.entry).params) {
    const ops::Tensor t = iota(ops::hints(module.graph(module.entry).type(p).dims));
    for (int64_t i = 0; i < t.numel(); ++i) t.data_as<float>()[i] = static_cast<float>(i * 37 % 101 - 50) / 16;
    inputs.push_back(t);
    data.push_back(t);
  }
  const Program p(text);
  const std::vector<Result> got = p.call(inputs);
  const bytecode::Data want = bytecode::Evaluator(module).run(module.entry, data);
  for (size_t i = 0; i < want.size(); ++i) {
    const auto& expected = std::get<ops::Tensor>(want[i]);
    EXPECT_TRUE(got[i].tensor.contiguous());
    EXPECT_EQ(std::memcmp(got[i].tensor.data(), expected.data(), expected.layout().bytes()), 0) << "result " << i;
  }
  return channels_last(p);
}

TEST(Layouts, ValuesBetweenConvolutionsLieChannelsLast) {
  EXPECT_EQ(run(R"(
subgraph @f(%x: Tensor[Float32](2, 3, 6, 5), %v: Tensor[Float32](16, 3, 3, 3), %w: Tensor[Float32](16, 16, 3, 3)) {
  %0 = ConvForward(%x, %v, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = ReLU(%0)
  %2 = ConvForward(%1, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %3 = Tanh(%2)
  %4 = Add(%3, %1)
  %5 = ConvForward(%4, %w, stride=(1,), pad=(0,), dilation=(1,), groups=1)
  Return(%5)
}
)"),
            4u);
}

TEST(Layouts, FewChannelsOnePixelAndResultsLieByPlanes) {
  EXPECT_EQ(run(R"(
subgraph @f(%x: Tensor[Float32](2, 7, 3, 3), %v: Tensor[Float32](7, 7, 3, 3), %w: Tensor[Float32](16, 7, 3, 3)) {
  %0 = ConvForward(%x, %v, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = ConvForward(%0, %w, stride=(1,), pad=(0,), dilation=(1,), groups=1)
  %2 = Tanh(%1)
  %3 = ConvForward(%0, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  Return(%2, %3)
}
)"),
            0u);
}

TEST(Layouts, ShortRowsOfChannelsLieByPlanes) {
  EXPECT_EQ(run(R"(
subgraph @f(%x: Tensor[Float32](2, 32, 6, 5), %w: Tensor[Float32](32, 4, 3, 3), %v: Tensor[Float32](24, 32, 3, 3),
            %u: Tensor[Float32](32, 24, 3, 3)) {
  %0 = ConvForward(%x, %w, stride=(1,), pad=(1,), dilation=(1,), groups=8)
  %1 = ReLU(%0)
  %2 = ConvForward(%1, %w, stride=(1,), pad=(1,), dilation=(1,), groups=8)
  %3 = ConvForward(%2, %v, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %4 = ConvForward(%3, %u, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  Return(%4)
}
)"),
            0u);
}

TEST(Layouts, ChannelsForThemselvesLieChannelsLastIfLinesAreShort) {
  const auto depthwise = [](const std::string& width) {
    return run((R"(
subgraph @f(%x: Tensor[Float32](1, 16, 3, )" +
                width + R"(), %v: Tensor[Float32](16, 16, 3, 3), %w: Tensor[Float32](16, 1, 3, 3)) {
  %0 = ConvForward(%x, %v, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = ConvForward(%0, %w, stride=(1,), pad=(1,), dilation=(1,), groups=16)
  %2 = ConvForward(%1, %v, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  Return(%2)
}
)")
                   .c_str());
  };
  EXPECT_EQ(depthwise("48"), 2u);
  EXPECT_EQ(depthwise("49"), 0u);
}

TEST(Layouts, PoolsOfWhatLiesByPlanesGiveSuch) {
  EXPECT_EQ(run(R"(
subgraph @f(%x: Tensor[Float32](2, 16, 6, 6), %w: Tensor[Float32](16, 16, 3, 3)) {
  %0 = AvgPoolForward(%x, kernel_size=(2,), stride=(2,), pad=(0,), dilation=(1,), ceil_mode=False,
                      count_include_pad=True, divisor_override=0)
  %1 = ConvForward(%0, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %2 = AvgPoolForward(%1, kernel_size=(2,), stride=(1,), pad=(0,), dilation=(1,), ceil_mode=False,
                      count_include_pad=True, divisor_override=0)
  %3 = ConvForward(%2, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  Return(%3)
}
)"),
            2u);
}

TEST(Layouts, WhatViewsReadLiesByPlanes) {
  EXPECT_EQ(run(R"(
subgraph @f(%x: Tensor[Float32](2, 16, 4, 4), %w: Tensor[Float32](16, 16, 3, 3)) {
  %0 = ConvForward(%x, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = Reshape(%0, shape=(2, 256))
  %2 = Tanh(%0)
  %3 = ConvForward(%2, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %4 = ConvForward(%2, %w, stride=(1,), pad=(0,), dilation=(1,), groups=1)
  %5 = ReduceSum(%3, axis=(0, 2, 3), keep_dims=False)
  Return(%1, %4, %5)
}
)"),
            2u);
}

TEST(Layouts, ReductionsOverChannelsKeepPlanes) {
  EXPECT_EQ(run(R"(
subgraph @f(%x: Tensor[Float32](2, 16, 4, 4), %w: Tensor[Float32](16, 16, 3, 3)) {
  %0 = ConvForward(%x, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = ReduceSum(%0, axis=(1,), keep_dims=False)
  %2 = ReduceSum(%0, axis=(0, 1, 2, 3), keep_dims=False)
  Return(%1, %2)
}
)"),
            0u);
}

}  // namespace
}  // namespace ember::vm
