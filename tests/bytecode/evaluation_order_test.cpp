// Where updates are lowered: as soon as nothing that comes before them in the graph could tell.
#include <gtest/gtest.h>

#include "bytecode/graph/verify.h"
#include "bytecode/lower/lower.h"
#include "bytecode/text/text.h"

namespace ember::bytecode {
namespace {

struct Case {
  const char* name;
  const char* body;  // of a graph of Refs %w and %v, %x, all of 4 by 4, a Bool %c
  // and indices %i
  const char* want;  // the numbers of the nodes, but for tokens, in their order
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"an update comes once its gradient and the last use of the weight are there",
     R"(
  %l = Load(%w, U)
  %k = Load(%v, U)
  %u = UpdateState(U, %l, %k)
  %h = MatMul(%x, %l)
  %y = MatMul(%h, %k)
  %dv = MatMul(%h, %y)
  %dh = MatMul(%y, %k)
  %dw = MatMul(%x, %dh)
  %nw = Sub(%l, %dw)
  %a = Assign(%w, %nw, %u)
  %t = UpdateState(%u, %a)
  %nv = Sub(%k, %dv)
  %b = Assign(%v, %nv, %t)
  %s = UpdateState(%t, %b)
  Return(%y))",
     "0 1 2 3 4 5 9 10 6 7 8"},
    {"what updates alone need comes along",
     R"(
  %l = Load(%w, U)
  %k = Load(%v, U)
  %u = UpdateState(U, %l, %k)
  %y = MatMul(%x, %l)
  %g = MatMul(%x, %y)
  %z = MatMul(%g, %x)
  %q = Mul(%k, %k)
  %n = Mul(%g, %q)
  %m = Sub(%l, %n)
  %a = Assign(%w, %m, %u)
  %s = UpdateState(%u, %a)
  Return(%z))",
     "0 1 2 3 5 6 7 8 4"},
    {"both results of a node are written together, after the last reader of either",
     R"(
  %l = Load(%w, U)
  %k = Load(%v, U)
  %u = UpdateState(U, %l, %k)
  %g = MatMul(%x, %x)
  %z = MatMul(%x, %k)
  %r = MatMul(%z, %x)
  %0, %1 = Fused(%l, %k, %g, expr={v0 = Input.Float32 0; v1 = Input.Float32 1; v2 = Input.Float32 2; v3 = Add.Float32 v0 v2; v4 = Sub.Float32 v1 v2; return v3 v4})
  %a = Assign(%w, %0, %u)
  %t = UpdateState(%u, %a)
  %b = Assign(%v, %1, %t)
  %s = UpdateState(%t, %b)
  Return(%r))",
     "0 1 2 3 5 6 7 4"},
    {"a write stays behind the one before it and who reads that",
     R"(
  %a = Assign(%w, %x, U)
  %t = UpdateState(U, %a)
  %l = Load(%w, %t)
  %u = UpdateState(%t, %l)
  %y = MatMul(%l, %x)
  %z = MatMul(%y, %x)
  %b = Assign(%w, %x, %u)
  %s = UpdateState(%u, %b)
  Return(%z))",
     "0 1 2 4 3"},
    {"readers of a view count",
     R"(
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %m = Transpose(%l, dims=(1, 0))
  %y = MatMul(%x, %x)
  %z = MatMul(%y, %m)
  %r = MatMul(%z, %x)
  %a = Assign(%w, %x, %u)
  %s = UpdateState(%u, %a)
  Return(%r))",
     "0 1 2 3 5 4"},
    {"an outside effect stays before it",
     R"(
  %y = MatMul(%x, %x)
  Print(%y, U, text="{}")
  %u = UpdateState(U)
  %z = MatMul(%y, %x)
  %a = Assign(%w, %x, %u)
  %s = UpdateState(%u, %a)
  Return(%z))",
     "0 1 3 2"},
    {"what may raise an error stays before it",
     R"(
  %g = Gather(%x, %i, axis=0, batch_dims=0)
  %z = MatMul(%x, %x)
  %a = Assign(%w, %x, U)
  %s = UpdateState(U, %a)
  Return(%g, %z))",
     "0 2 1"},
    {"graphs of their own stay before it",
     R"(
  %y = If(%c, %x, then=@yes, else=@no)
  %z = MatMul(%y, %x)
  %a = Assign(%w, %x, U)
  %s = UpdateState(U, %a)
  Return(%z)
}
subgraph @yes(%x: Tensor[Float32](4, 4)) {
  Return(%x)
}
subgraph @no(%x: Tensor[Float32](4, 4)) {
  %0 = Neg(%x)
  Return(%0))",
     "0 2 1"},
    {"what others need, too, stays where it is",
     R"(
  %y = MatMul(%x, %x)
  %g = MatMul(%y, %x)
  %z = MatMul(%y, %g)
  %a = Assign(%w, %g, U)
  %t = UpdateState(U, %a)
  %b = AssignAdd(%v, %x, %t)
  %s = UpdateState(%t, %b)
  Return(%z))",
     "4 0 1 3 2"},
};

class EvaluationOrder : public testing::TestWithParam<Case> {};

TEST_P(EvaluationOrder, OfUpdates) {
  const Module module = parse(std::string("subgraph @f(%x: Tensor[Float32](4, 4), %w: Ref[Float32](4, 4), "
                                          "%v: Ref[Float32](4, 4), %c: Bool, %i: Tensor[Int32](4,)) {") +
                              GetParam().body + "\n}");
  verify(module);
  const std::vector<Node>& nodes = module.graph(module.entry).nodes;
  const auto is_token = [&](uint32_t n) {
    return nodes[n].kind == NodeKind::State || nodes[n].kind == NodeKind::UpdateState;
  };
  std::vector<int> number;
  int count = 0;
  for (uint32_t n = 0; n < nodes.size(); ++n) number.push_back(is_token(n) ? -1 : count++);
  std::string order;
  for (uint32_t n : lowering::evaluation_order(module, module.entry))
    if (!is_token(n)) order += " " + std::to_string(number[n]);
  EXPECT_EQ(order, std::string(" ") + GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(Cases, EvaluationOrder, testing::ValuesIn(kCases));

}  // namespace
}  // namespace ember::bytecode
