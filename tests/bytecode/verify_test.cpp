// The verifier turns down every kind of broken module, and says why.
#include "bytecode/graph/verify.h"

#include <gtest/gtest.h>

#include <functional>

#include "bytecode/text/text.h"

namespace ember::bytecode {
namespace {

constexpr const char* kGood = R"(
symbols s0=4
subgraph @f(%x: Tensor[Float32](s0, 3), %w: Ref[Float32](3,), %c: Bool) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Mul(%x, %0)                                     # user.py:3
  %3 = Assign(%w, Tensor(shape=[3], dtype=Float32, value=[1, 2, 3]), %1)
  %4 = UpdateState(%1, %3)
  %5, %6 = If(%c, %2, %w, %4, then=@yes, else=@no)
  %7 = ReduceSum(%5, axis=(0,), keep_dims=False)
  %8 = While(%7, 3, condition=@test, body=@next)
  %9 = Size(s0)
  %10 = ToTensor(%9) : Tensor[Int64]()
  %11 = Fused(%7, expr={v0 = Input.Float32 0; v1 = Neg.Float32 v0; return v1})
  %12 = Depend(%11, %6)
  Return(%12, %8, %10)
}
subgraph @yes(%a: Tensor[Float32](s0, 3), %w: Ref[Float32](3,), %u: Token) { Return(%a, %u) }
subgraph @no(%a: Tensor[Float32](s0, 3), %w: Ref[Float32](3,), %u: Token) { Return(%a, %u) }
subgraph @test(%v: Tensor[Float32](3,), %n: Int) { %0 = Less(0, %n) Return(%0) }
subgraph @next(%v: Tensor[Float32](3,), %n: Int) { %0 = Neg(%v) Return(%0) }
)";

Node& find(Module& m, NodeKind kind, size_t skip = 0) {
  for (Node& node : m.graphs[0].nodes)
    if (node.kind == kind && skip-- == 0) return node;
  throw std::logic_error("no such node");
}

struct Broken {
  const char* message;
  std::function<void(Module&)> change;
};

const Broken kBroken[] = {
    {"entry graph", [](Module& m) { m.entry = 9; }},
    {"returns an unknown value", [](Module& m) { m.graphs[0].results[0] = 999; }},
    {"returns a value that no node makes",
     [](Module& m) {
       m.graphs[0].types.push_back(Type::scalar(ops::Kind::Int));
       m.graphs[0].results[0] = static_cast<ValueId>(m.graphs[0].types.size() - 1);
     }},
    {"returns a Ref", [](Module& m) { m.graphs[0].results[0] = m.graphs[0].params[1]; }},
    {"differ in number", [](Module& m) { m.graphs[0].param_names.pop_back(); }},
    {"made twice", [](Module& m) { m.graphs[0].params[1] = m.graphs[0].params[0]; }},
    {"made twice", [](Module& m) { find(m, NodeKind::Depend).first_output = find(m, NodeKind::Fused).output(); }},
    {"without type", [](Module& m) { find(m, NodeKind::Size).first_output = 999; }},
    {"no earlier node makes", [](Module& m) { find(m, NodeKind::Load).inputs[0] = find(m, NodeKind::Size).output(); }},
    {"no earlier node makes", [](Module& m) { find(m, NodeKind::Load).inputs[0] = kNoId; }},
    {"can't be absent", [](Module& m) { find(m, NodeKind::Apply).inputs[0] = kNoId; }},
    {"op is missing", [](Module& m) { find(m, NodeKind::Apply).op = nullptr; }},
    {"op is missing or too much", [](Module& m) { find(m, NodeKind::Load).op = ops::find_op("Mul"); }},
    {"payload", [](Module& m) { find(m, NodeKind::Load).payload = true; }},
    {"payload", [](Module& m) { find(m, NodeKind::Size).payload = {}; }},
    {"graph too much", [](Module& m) { find(m, NodeKind::Load).graphs[0] = 1; }},
    {"only a While carries", [](Module& m) { find(m, NodeKind::Load).carried = 1; }},
    {"expression is missing", [](Module& m) { find(m, NodeKind::Fused).expr = nullptr; }},
    {"malformed expression",
     [](Module& m) {
       ops::Expr expr = *find(m, NodeKind::Fused).expr;
       expr.nodes[1].args[0] = 1;
       find(m, NodeKind::Fused).expr = std::make_shared<const ops::Expr>(expr);
     }},
    {"looks up a table",
     [](Module& m) {
       ops::ExprBuilder b;
       const ops::Ex index = convert(b.input(0, ops::DType::Float32), ops::DType::Int32);
       const ops::Expr expr = b.finish({b.emit(ops::Verb::Lookup, ops::DType::Float64, index, {}, {}, 0)});
       find(m, NodeKind::Fused).expr = std::make_shared<const ops::Expr>(expr);
     }},
    {"another dtype",
     [](Module& m) {
       ops::Expr expr = *find(m, NodeKind::Fused).expr;
       expr.nodes[0].dtype = expr.nodes[1].dtype = ops::DType::Float64;
       find(m, NodeKind::Fused).expr = std::make_shared<const ops::Expr>(expr);
     }},
    {"another number of inputs", [](Module& m) { find(m, NodeKind::Fused).inputs.push_back(m.graphs[0].params[0]); }},
    {"unknown source file",
     [](Module& m) {
       find(m, NodeKind::Load).source = {7, 1};
     }},
    {"unknown name",
     [](Module& m) {
       find(m, NodeKind::Load).source = {0, 1, 7};
     }},
    {"not those that its rule infers",
     [](Module& m) { m.graphs[0].types[find(m, NodeKind::Apply).output()].dtype = ops::DType::Float64; }},
    {"not those that its rule infers",
     [](Module& m) { m.graphs[0].types[find(m, NodeKind::Apply).output()].dims[1] = 5; }},
    {"guard that is not stated", [](Module& m) { m.graphs[0].types[find(m, NodeKind::Apply).output()].dims[0] = 4; }},
    {"a negative dim", [](Module& m) { m.graphs[0].types[m.graphs[0].params[0]].dims[1] = -3; }},
    {"expression is unknown", [](Module& m) { m.graphs[0].types[m.graphs[0].params[0]].dims[0] = ops::Dim(4, 99); }},
    {"dims of what is no tensor", [](Module& m) { m.graphs[0].types[m.graphs[0].params[2]].dims.push_back(1); }},
    {"wrong dtype", [](Module& m) { m.graphs[0].types[m.graphs[0].params[2]].dtype = ops::DType::Int8; }},
    {"missing or of another kind", [](Module& m) { find(m, NodeKind::Apply, 2).attrs.set(1, int64_t{0}); }},
    {"the token as its last input", [](Module& m) { find(m, NodeKind::Apply, 1).inputs.pop_back(); }},
    {"used up", [](Module& m) { find(m, NodeKind::Apply, 1).inputs.back() = find(m, NodeKind::State).output(); }},
    {"does not name an effect", [](Module& m) { find(m, NodeKind::UpdateState, 1).inputs.pop_back(); }},
    {"takes a token first",
     [](Module& m) { find(m, NodeKind::UpdateState).inputs[0] = find(m, NodeKind::Load).output(); }},
    {"second first token",
     [](Module& m) {
       Node state = find(m, NodeKind::State);
       const Type token = Type::token();
       m.graphs[0].add_node(state, std::span(&token, 1));
     }},
    {"Load takes a Ref", [](Module& m) { find(m, NodeKind::Load).inputs[0] = m.graphs[0].params[0]; }},
    {"condition of an If is a Bool", [](Module& m) { find(m, NodeKind::If).inputs[0] = m.graphs[0].params[0]; }},
    {"does not exist", [](Module& m) { find(m, NodeKind::If).graphs[1] = 77; }},
    {"takes 3 values and is given 2",
     [](Module& m) {
       auto& inputs = find(m, NodeKind::If).inputs;
       inputs.erase(inputs.begin() + 2);
     }},
    {"input 0 is", [](Module& m) { m.graphs[1].types[m.graphs[1].params[0]].dims[1] = 9; }},
    {"result of the else graph", [](Module& m) { m.graphs[2].results.pop_back(); }},
    {"carries more than its inputs", [](Module& m) { find(m, NodeKind::While).carried = 9; }},
    {"carried value", [](Module& m) { m.graphs[4].results.push_back(m.graphs[4].params[1]); }},
    {"returns one Bool", [](Module& m) { m.graphs[3].results[0] = m.graphs[3].params[1]; }},
    {"names its type", [](Module& m) { m.graphs[0].types[find(m, NodeKind::ToTensor).output()].dims.push_back(1); }},
};

TEST(Verify, AcceptsAGoodModule) { EXPECT_NO_THROW(verify(parse(kGood))); }

TEST(Verify, TurnsDownEachKindOfBrokenModule) {
  for (const Broken& broken : kBroken) {
    Module m = parse(kGood);
    broken.change(m);
    try {
      verify(m);
      ADD_FAILURE() << "accepted: " << broken.message;
    } catch (const VerifyError& e) {
      EXPECT_NE(std::string(e.what()).find(broken.message), std::string::npos)
          << "wanted: " << broken.message << "\ngot: " << e.what();
    }
  }
}

}  // namespace
}  // namespace ember::bytecode
