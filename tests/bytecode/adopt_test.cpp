// A graph of one module among those of another: sizes, guards, effects, and what is refused.
#include <gtest/gtest.h>

#include "bytecode/graph/graph_builder.h"
#include "bytecode/graph/verify.h"
#include "bytecode/text/text.h"
#include "bytecode/transforms/transforms.h"
#include "ops/base/error.h"

namespace ember::bytecode {
namespace {

using ops::Dims;
using ops::DType;

const char* const kSaved = R"(
symbols s0=4, s1=3, d0=(s0 * s1)
guard s1 != 2
subgraph @f(%x: Tensor[Float32](s0, s1), %w: Ref[Float32](3,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Reshape(%x, shape=(d0,)) : Tensor[Float32](d0,)
  %3 = ReduceSum(%2)
  %4 = Add(%0, %3)
  Return(%4)
}
)";

// A module whose entry calls the saved one's with a Tensor of these sizes, and a Ref.
std::string adopted(Dims dims, const std::vector<int64_t>& symbols, DType dtype = DType::Float32) {
  Module module;
  module.entry = module.add_graph("g");
  const Module saved = parse(kSaved);
  GraphBuilder builder(module, module.entry);
  for (size_t i = 0; i < symbols.size(); ++i) dims[i] = size_symbol(module.symbols, symbols[i]);
  const Type x = Type::tensor(dtype, dims), w{ops::Kind::Ref, DType::Float32, Dims{3}};
  const ops::Value operands[] = {builder.param("x", x), builder.param("w", w)};
  const Type types[] = {x, w};
  const ops::Values results = builder.call(adopt(module, saved, types), operands);
  builder.finish(results);
  verify(module);
  return print(module);
}

TEST(Adopt, SizesBecomeTheOtherModules) {
  const std::string text = adopted(Dims{0, 0}, {7, 5});
  EXPECT_NE(text.find("Tensor[Float32](s0, s1)"), std::string::npos) << text;
  EXPECT_NE(text.find("(s0 * s1)"), std::string::npos) << text;
  EXPECT_NE(text.find("guard s1 != 2"), std::string::npos) << text;
  EXPECT_NE(text.find("Call(%para1_x, %para2_w, U"), std::string::npos) << text;
}

TEST(Adopt, SizesThatAreKnownAreNumbers) {
  const std::string text = adopted(Dims{7, 5}, {});
  EXPECT_NE(text.find("shape=(35,)"), std::string::npos) << text;
  EXPECT_EQ(text.find("guard"), std::string::npos) << text;
}

TEST(Adopt, OthersAreRefused) {
  EXPECT_THROW(adopted(Dims{7, 2}, {}), ops::OpError);
  EXPECT_THROW(adopted(Dims{7}, {}), ops::OpError);
  EXPECT_THROW(adopted(Dims{7, 5}, {}, DType::Float64), ops::OpError);
}

}  // namespace
}  // namespace ember::bytecode
