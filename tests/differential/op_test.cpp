// Every op of the table as a graph of one node, from its samples: as they are, with an axis of no or one element, and
// with one so long that the work is shared among threads.
#include <cmath>

#include "bytecode/graph/graph_builder.h"
#include "ops/base/isa.h"
#include "tests/differential/tiers_agree.h"
#include "tests/ops/samples.h"

namespace ember::differential {
namespace {

using ops::Op;
using ops::Sample;
using ops::Value;
using ops::Values;

bool outside(const Op& op) { return op.flags.has(ops::Flag::Io); }

bytecode::Type type_of_operand(const Op& op, size_t i, size_t n, const Value& v) {
  bytecode::Type type = ops::type_of(v);
  if (bytecode::operand_param(op, i, n)->kind == ops::ParamKind::Ref) type.kind = ops::Kind::Ref;
  return type;
}

bytecode::Module graph_of(const ops::testing::Call& call) {
  bytecode::Module module;
  const bytecode::GraphId id = module.add_graph("f");
  bytecode::GraphBuilder b(module, id);
  Values operands;
  const size_t n = call.operands.size();
  for (size_t i = 0; i < n; ++i) {
    const Value& v = call.operands[i];
    operands.push_back(none(v) ? v : b.param("p" + std::to_string(i), type_of_operand(*call.op, i, n, v)));
  }
  b.finish(b.apply(*call.op, operands, call.attrs));
  return module;
}

Data arguments_of(const ops::testing::Call& call, Strides strides) {
  Data arguments;
  const size_t n = call.operands.size();
  for (size_t i = 0; i < n; ++i) {
    const Value& v = call.operands[i];
    const bool ref = !none(v) && bytecode::operand_param(*call.op, i, n)->kind == ops::ParamKind::Ref;
    const Strides own = ref && strides == Strides::Expanded ? Strides::Contiguous : strides;
    if (const auto* t = std::get_if<ops::Tensor>(&v)) arguments.push_back(with_strides(*t, own));
    if (const auto* b = std::get_if<bool>(&v)) arguments.push_back(*b);
    if (const auto* x = std::get_if<int64_t>(&v)) arguments.push_back(*x);
    if (const auto* x = std::get_if<double>(&v)) arguments.push_back(*x);
  }
  return arguments;
}

// The sample with every axis of `size` elements having `other` ones.
Sample resized(Sample sample, int64_t size, int64_t other) {
  for (ops::SampleOperand& operand : sample.operands)
    for (int64_t& d : operand.shape)
      if (d == size) d = other;
  return sample;
}

int64_t most_elements(const Sample& sample) {
  int64_t most = 0;
  for (const ops::SampleOperand& operand : sample.operands) most = std::max(most, element_count(operand.shape));
  return most;
}

std::vector<int64_t> sizes_of(const Sample& sample) {
  std::vector<int64_t> sizes;
  for (const ops::SampleOperand& operand : sample.operands)
    for (int64_t d : operand.shape)
      if (std::find(sizes.begin(), sizes.end(), d) == sizes.end()) sizes.push_back(d);
  return sizes;
}

class OneOp : public ::testing::TestWithParam<const Op*> {
 protected:
  const Op& op() const { return *GetParam(); }

  // False if the op does not take operands of these shapes.
  bool check(const Sample& sample, const std::string& what, std::span<const Strides> layouts, const Effort& effort) {
    std::optional<Subject> subject;
    std::optional<ops::testing::Call> call;
    try {
      call.emplace(ops::testing::make_call(op(), sample, 3));
      subject.emplace(graph_of(*call));
    } catch (const ops::OpError&) {
      return false;
    }
    for (Strides strides : layouts) {
      expect_agreement(*subject, arguments_of(*call, strides), effort, what + ", " + std::string(name(strides)));
      if (HasFailure()) break;
    }
    return true;
  }
};

TEST_P(OneOp, AgreesInEveryTier) {
  if (outside(op())) GTEST_SKIP() << "has an effect on the outside";
  const std::vector<Sample> samples = op().samples();
  constexpr int64_t kLarge = 40'000;
  for (size_t i = 0; i < samples.size() && !HasFailure(); ++i) {
    const Sample& sample = samples[i];
    const std::string what = "sample " + std::to_string(i);
    EXPECT_TRUE(check(sample, what, kStrides, {{1, 2}, 2}));
    for (int64_t size : sizes_of(sample)) {
      for (int64_t other : {0, 1}) {
        if (HasFailure()) return;
        check(resized(sample, size, other), what + ", " + std::to_string(size) + " -> " + std::to_string(other),
              std::span(kStrides).first(1), {});
      }
    }
    if (i > 0 && case_factor() == 1) continue;
    for (int64_t size : sizes_of(sample)) {
      if (size < 2 || HasFailure()) continue;
      int64_t large = size;
      while (large < kLarge && most_elements(resized(sample, size, 2 * large)) <= kLarge) large *= 2;
      const Strides layouts[] = {Strides::Contiguous, Strides::Transposed};
      const bool fits = check(resized(sample, size, large + 1), what + ", large", layouts, {{1, 2, 3}, 0});
      if (fits && case_factor() == 1) break;
    }
  }
}

std::vector<const Op*> table() {
  std::vector<const Op*> ops;
  for (const Op& op : ops::all_ops()) ops.push_back(&op);
  return ops;
}

INSTANTIATE_TEST_SUITE_P(All, OneOp, ::testing::ValuesIn(table()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace ember::differential
