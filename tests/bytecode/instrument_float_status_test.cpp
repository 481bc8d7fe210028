// instrument_float_status: which results are checked, and that nothing else changes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "bytecode/text/text.h"
#include "bytecode/transforms/transforms.h"
#include "ops/eager/float_status.h"
#include "tests/bytecode/recursive_graphs.h"

namespace ember::bytecode {
namespace {

const char* kGraphs = R"(
# IR entry: @entry
shared subgraph @half(%x: Tensor[Float64](2,)) {
  %0 = Mul(%x, 0.5)
  Return(%0)
}
subgraph @less(%x: Tensor[Float64](2,), %n: Int) {
  %0 = Less(%n, 3)
  Return(%0)
}
subgraph @trip(%x: Tensor[Float64](2,), %n: Int) {
  %0 = Exp(%x)
  %1 = Add(%n, 1)
  %2 = Call(%0, graph=@half) : Tensor[Float64](2,)
  Return(%2, %1)
}
subgraph @no(%x: Tensor[Float64](2,)) {
  Return(%x)
}
subgraph @entry(%x: Tensor[Float64](2,), %yes: Bool) {
  %0, %1 = While(%x, 0, condition=@less, body=@trip) : Tensor[Float64](2,), Int
  %2 = If(%yes, %0, then=@half, else=@no) : Tensor[Float64](2,)
  %3 = Greater(%2, 1.0)
  Return(%2, %3)
}
)";

std::vector<uint64_t> bits(const Datum& d) {
  std::vector<uint64_t> all;
  for (double x : numbers(d)) all.push_back(std::isnan(x) ? ~uint64_t{0} : std::bit_cast<uint64_t>(x));
  return all;
}

size_t notes(const Module& m) {
  const std::string text = print(m);
  size_t count = 0;
  for (size_t at = text.find("NoteFloatStatus"); at != std::string::npos; at = text.find("NoteFloatStatus", at + 1))
    ++count;
  return count;
}

TEST(InstrumentFloatStatus, LooksAtEachFloatOfEachGraph) {
  Module m = parse(kGraphs);
  instrument_float_status(m, true);
  EXPECT_NO_THROW(verify(m));
  EXPECT_EQ(notes(m), 2u) << print(m);  // of Mul and Exp, once each
}

TEST(InstrumentFloatStatus, LeavesModulesThatNobodyWatches) {
  Module m = parse(kGraphs);
  const std::string before = print(m);
  instrument_float_status(m, false);
  EXPECT_EQ(print(m), before);
}

TEST(InstrumentFloatStatus, SeesWhatIsComputedInBranchesAndLoops) {
  for (double start : {1.0, 2.0, 800.0}) {
    for (bool yes : {false, true}) {
      Module m = parse(kGraphs);
      const Data arguments = {tensor({2}, {start, 0}), yes};
      const Data want = evaluate(m, m.entry, arguments);
      instrument_float_status(m, true);
      ops::EagerBuilder b;
      const ops::Tensor flag = ops::Tensor::full(ops::DType::Float32, {8}, 0);
      b.call("clear_float_status", {flag});
      const Data have = run_checked(m, m.entry, arguments);
      const ops::Tensor seen = std::get<ops::Tensor>(b.call("get_float_status", {flag}));
      EXPECT_EQ(seen.data_as<float>()[0] != 0, !std::isfinite(numbers(want[0])[0])) << start;
      EXPECT_EQ(numbers(have[0]), numbers(want[0]));
    }
  }
}

TEST(InstrumentFloatStatus, SeesWhatGraphsThatCallThemselvesCompute) {
  for (double start : {0.5, 1e100}) {
    Module m;
    const GraphId f = tree(m), w = writing(m);
    m.entry = define(m, "entry", {float64({2}), parameter({2}), count()}, [&](GraphBuilder& b, auto p) {
      return ops::Values{b.call(f, std::array{p[0], p[2]})[0], b.call(w, p)[0]};
    });
    const Data arguments = {tensor({2}, {start, 0}), tensor({2}, {0.5, 0.6}), counts({}, {5})};
    const Data want = evaluate(m, m.entry, clone(arguments));
    instrument_float_status(m, true);
    ops::EagerBuilder b;
    const ops::Tensor flag = ops::Tensor::full(ops::DType::Float32, {8}, 0);
    b.call("clear_float_status", {flag});
    EXPECT_NO_THROW(verify(m));
    optimise(m);
    EXPECT_NO_THROW(verify(m));
    const Data have = evaluate(m, m.entry, clone(arguments));
    const ops::Tensor seen = std::get<ops::Tensor>(b.call("get_float_status", {flag}));
    EXPECT_EQ(seen.data_as<float>()[0] != 0, start > 1) << start;
    EXPECT_EQ(bits(have[0]), bits(want[0]));
    EXPECT_EQ(bits(have[1]), bits(want[1]));
  }
}

}  // namespace
}  // namespace ember::bytecode
