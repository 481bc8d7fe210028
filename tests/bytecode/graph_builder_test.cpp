// What records graphs: an unfinished one can become a part of another.
#include "tests/bytecode/graphs.h"
#include "tests/bytecode/pass_text.h"

namespace ember::bytecode {
namespace {

TEST(GraphBuilder, SplicesAGraphInTheOrderOfEffects) {
  Module m;
  const GraphId outer = m.add_graph("outer"), inner = m.add_graph("inner");
  GraphBuilder out(m, outer), in(m, inner);
  const ops::Value x = out.param("x", float64({2})), w = out.param("w", parameter({2}));
  const ops::Value before = out.load(w);
  const ops::Value v = in.param("lifted0", parameter({2})), y = in.param("lifted1", float64({2}));
  const ops::Value product = in.mul(in.load(v), y);

  const std::vector<ValueId> arguments = {out.id(w), out.id(x)};
  const std::vector<ValueId> now = out.splice(inner, arguments);
  const auto moved = [&](const ops::Value& value) { return ops::Value(ops::GraphValue{now[in.id(value)]}); };
  const ops::Value sum = out.add(moved(product), before);
  out.finish(std::vector<ops::Value>{sum, out.load(w), moved(y)});
  dce(m);
  verify(m);
  EXPECT_EQ(print(m), same(R"(
subgraph @outer(%x: Tensor[Float64](2,), %w: Ref[Float64](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Load(%w, %1)
  %3 = UpdateState(%1, %2)
  %4 = Mul(%2, %x)
  %5 = Add(%4, %0)
  %6 = Load(%w, %3)
  %7 = UpdateState(%3, %6)
  %8 = Depend(%5, %7)
  Return(%8, %6, %x)
})"));
}

}  // namespace
}  // namespace ember::bytecode
