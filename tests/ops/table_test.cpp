// Every op of the table, by its samples: it runs, gives what infer() says, reads any strides, batches like a loop, and
// its gradient is the slope that finite differences measure. A new op is tested unasked.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ops/program/strided.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using namespace ember::ops::testing;  // NOLINT

class OpTable : public ::testing::TestWithParam<const Op*> {
 protected:
  const Op& op() const { return *GetParam(); }

  template <class F>
  void each_sample(F&& f) {
    std::vector<Sample> samples = op().samples();
    ASSERT_TRUE(!samples.empty() || op().flags.has(Flag::Io));
    for (size_t i = 0; i < samples.size(); ++i) {
      SCOPED_TRACE("sample " + std::to_string(i));
      f(samples[i]);
    }
  }
  bool writes() const { return op().flags.has(Flag::Memory); }
  bool draws() const {
    for (const Param& p : op().signature.params) {
      if (p.kind == ParamKind::Random) return true;
    }
    return false;
  }
  // Steps that draw their own keys give another result every time.
  bool repeats() const { return op().flags.has(Flag::Pure) || draws() || writes(); }
};

Types types_of(const Op& op, const Values& operands) {
  Types types;
  for (const Value& v : operands) types.push_back(type_of(v));
  size_t at = 0;
  for (const Param& p : op.signature.params) {
    if (p.kind == ParamKind::Ref) types[at].kind = Kind::Ref;
    at += is_operand(p.kind);
  }
  return types;
}

TEST_P(OpTable, HasDocumentation) {
  EXPECT_FALSE(op().doc.empty());
  EXPECT_FALSE(op().primitive.empty());
}

TEST_P(OpTable, RunsAsInferred) {
  each_sample([&](const Sample& sample) {
    Call call = make_call(op(), sample);
    Types expected = infer(op(), types_of(op(), call.operands), call.attrs);
    Values results = call.run();
    ASSERT_EQ(results.size(), expected.size());
    int declared = op().signature.results;
    EXPECT_TRUE(declared < 0 || results.size() == static_cast<size_t>(declared));
    for (size_t i = 0; i < results.size(); ++i) {
      Type actual = type_of(results[i]);
      if (expected[i].kind == Kind::Ref) actual.kind = Kind::Ref;
      EXPECT_TRUE(identical(actual, expected[i])) << to_string(actual) << " is not " << to_string(expected[i]);
    }
  });
}

TEST_P(OpTable, GivesTheSameTwiceAndForAnyStrides) {
  if (!repeats()) GTEST_SKIP() << "its result changes by design";
  each_sample([&](const Sample& sample) {
    Values first = make_call(op(), sample).run();
    Values second = make_call(op(), sample).run();
    Call strided = make_call(op(), sample);
    for (Value& v : strided.operands) {
      if (Tensor* t = std::get_if<Tensor>(&v)) *t = scattered(*t);
    }
    Values third = strided.run();
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(same_bits(first[i], second[i])) << "result " << i << " differs between two runs";
      EXPECT_TRUE(same_bits(first[i], third[i])) << "result " << i << " depends on strides";
    }
  });
}

Tensor stack_of(const std::vector<Tensor>& parts) {
  Shape shape = parts[0].shape();
  shape.insert(0, static_cast<int64_t>(parts.size()));
  Tensor out = Tensor::empty(parts[0].dtype(), shape);
  int64_t bytes = static_cast<int64_t>(parts[0].layout().bytes());
  for (size_t i = 0; i < parts.size(); ++i)
    copy_into(parts[i], out.view(parts[i].layout_ref(), bytes * static_cast<int64_t>(i)));
  return out;
}

Tensor part_of(const Tensor& t, int64_t i) {
  Tensor whole = to_contiguous(t);
  Shape shape = t.shape();
  shape.erase(0);
  LayoutRef part = layout(t.dtype(), shape);
  return whole.view(part, i * static_cast<int64_t>(part->bytes()));
}

// Runs the sample for three seeds with the operands of `mask` batched, the others shared. Of an op that draws, the
// items draw different numbers, of which the first are those that the op draws alone.
void check_batch(const Op& op, const Sample& sample, uint32_t mask, bool draws) {
  constexpr int64_t kSize = 3;
  std::vector<Call> calls;
  for (uint64_t seed = 0; seed < kSize; ++seed) {
    calls.push_back(make_call(op, sample, seed));
    for (size_t i = 0; i < calls[0].operands.size(); ++i) {
      if (!(mask >> i & 1)) calls.back().operands[i] = calls[0].operands[i];
    }
  }
  Values operands = calls[0].operands;
  auto batched = std::make_unique<bool[]>(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    batched[i] = mask >> i & 1;
    if (!batched[i]) continue;
    std::vector<Tensor> parts;
    for (const Call& call : calls) parts.push_back(std::get<Tensor>(call.operands[i]));
    operands[i] = stack_of(parts);
  }
  EagerBuilder b;
  Batch rule(b, op, operands, {batched.get(), operands.size()}, kSize, calls[0].attrs);
  Values together = batch(rule);
  for (int64_t n = 0; n < kSize; ++n) {
    Values alone = calls[static_cast<size_t>(n)].run();
    ASSERT_EQ(together.size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      const Tensor* all = std::get_if<Tensor>(&together[i]);
      ASSERT_TRUE(all && all->rank() > 0 && all->shape()[0] == kSize) << "result " << i << " has no batch axis";
      Tensor part = part_of(*all, n);
      EXPECT_TRUE(identical(type_of(part), type_of(alone[i])));
      EXPECT_TRUE((draws && n > 0) || same_bits(part, std::get<Tensor>(alone[i])))
          << "result " << i << " of item " << n << " is not that of the loop; batched operands " << mask;
    }
  }
}

TEST_P(OpTable, BatchesLikeALoop) {
  if (op().has_effect() && !op().batch) GTEST_SKIP() << "effects are not batched";
  if (!repeats()) GTEST_SKIP() << "its result changes by design";
  each_sample([&](const Sample& sample) {
    Call call = make_call(op(), sample);
    uint32_t all = 0;
    for (size_t i = 0; i < call.operands.size() && i < 31; ++i) {
      if (std::holds_alternative<Tensor>(call.operands[i])) all |= 1U << i;
    }
    for (uint32_t mask = 1; mask <= all; ++mask) {
      if ((mask & all) == mask) check_batch(op(), sample, mask, draws());
    }
  });
}

double dot(const Tensor& a, const Tensor& b) {
  Tensor x = to_contiguous(a);
  Tensor y = to_contiguous(b);
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += element(x, i) * element(y, i);
  return sum;
}

// The sample in float64, with the loss sum(weights * results).
class Slope {
 public:
  Slope(const Op& op, const Sample& sample) : call_(make_call(op, sample, 5, true)) {
    Values results = call_.run();
    bool any = false;
    for (size_t i = 0; i < call_.operands.size(); ++i) any |= differentiable(i);
    for (size_t i = 0; i < results.size(); ++i) {
      const Tensor* t = std::get_if<Tensor>(&results[i]);
      bool counts = t && is_float(t->dtype());
      EXPECT_TRUE(!any || !counts || t->dtype() == DType::Float64) << "result " << i << " is " << name(t->dtype());
      weights_.push_back(counts ? Value(random_tensor(t->dtype(), t->shape(), -1, 1, 100 + i)) : Value());
    }
  }

  const Call& call() const { return call_; }
  bool differentiable(size_t i) const {
    const Tensor* t = std::get_if<Tensor>(&call_.operands[i]);
    return t && is_float(t->dtype()) && t->numel() > 0;
  }

  Values by_rules() {
    Tape tape;
    Values in, out, ct;
    for (const Value& v : call_.operands) in.push_back(tape.watch(v));
    out = tape.apply(*call_.op, in, call_.attrs);
    return tape.backward(out, weights_, in);
  }

  double by_differences(size_t i, const Tensor& direction) {
    constexpr double kStep = 1e-5;
    return (loss(i, direction, kStep) - loss(i, direction, -kStep)) / (2 * kStep);
  }

  double size() const { return size_; }

 private:
  double loss(size_t i, const Tensor& direction, double step) {
    Call moved = call_;
    Tensor at = Tensor::empty(DType::Float64, direction.shape());
    Tensor from = to_contiguous(std::get<Tensor>(call_.operands[i]));
    for (int64_t k = 0; k < at.numel(); ++k) {
      at.data_as<double>()[k] = element(from, k) + step * element(direction, k);
    }
    moved.operands[i] = at;
    Values results = moved.run();
    double sum = 0;
    for (size_t k = 0; k < results.size(); ++k) {
      if (!none(weights_[k])) sum += dot(std::get<Tensor>(results[k]), std::get<Tensor>(weights_[k]));
    }
    size_ = std::max(size_, std::fabs(sum));
    return sum;
  }

  Call call_;
  Values weights_;
  double size_ = 0;
};

// A central difference with step h errs by h^2 times the third derivative, and by the loss's rounding over h: about
// 1e-10 and 1e-11 of the sizes at hand, so 1e-6 leaves room for steep functions and finds any wrong rule.
TEST_P(OpTable, GradientIsTheSlope) {
  if (op().flags.has(Flag::NoGradient) || op().has_effect()) GTEST_SKIP() << "no gradient";
  if (!repeats()) GTEST_SKIP() << "its result changes by design";
  static const std::set<std::string_view> refused = {"geqrf", "betainc", "betainc_elements", "igamma_slope",
                                                     "zeta_slope"};
  if (refused.contains(op().name)) GTEST_SKIP() << "its gradient by some operand is an error";
  each_sample([&](const Sample& sample) {
    Slope slope(op(), sample);
    Values gradients = slope.by_rules();
    for (size_t i = 0; i < gradients.size(); ++i) {
      if (!slope.differentiable(i)) continue;
      const auto& operand = std::get<Tensor>(slope.call().operands[i]);
      for (uint64_t seed = 0; seed < 3; ++seed) {
        Tensor direction = random_tensor(DType::Float64, operand.shape(), -1, 1, 1000 + seed);
        double measured = slope.by_differences(i, direction);
        double claimed = 0;
        if (const Tensor* g = std::get_if<Tensor>(&gradients[i])) {
          ASSERT_EQ(to_string(g->shape()), to_string(operand.shape())) << "operand " << i;
          ASSERT_EQ(g->dtype(), operand.dtype()) << "operand " << i;
          claimed = dot(*g, direction);
        }
        double tolerance = 1e-6 * (1 + std::fabs(measured) + slope.size());
        EXPECT_NEAR(claimed, measured, tolerance) << "operand " << i;
      }
    }
  });
}

std::vector<const Op*> table() {
  std::vector<const Op*> ops;
  for (const Op& op : all_ops()) ops.push_back(&op);
  return ops;
}

INSTANTIATE_TEST_SUITE_P(All, OpTable, ::testing::ValuesIn(table()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace ember::ops
