// What binding decides, seen as text, and what its verifier refuses.
#include "vm/bind/bound.h"

#include <functional>

#include "bytecode/graph/verify.h"
#include "tests/vm/programs.h"

namespace ember::vm {
namespace {

// The program's entry, bound to the hints of its parameters' dims.
BoundFunction bound(const Program& p) {
  const bytecode::CodeFunction& entry = p.function->entry();
  std::vector<ops::Tensor> tensors;
  for (Register r : entry.params)
    if (entry.registers[r].is_tensor())
      tensors.push_back(ops::Tensor::empty(entry.registers[r].dtype, ops::hints(entry.registers[r].dims)));
  std::vector<Argument> arguments;
  auto tensor = tensors.begin();
  for (Register r : entry.params) arguments.push_back({entry.registers[r].is_tensor() ? &*tensor++ : nullptr, 0});
  return p.function->bind(arguments)->bound();
}

// Without what fills up lines.
std::string text(const char* program) {
  std::string out;
  bool blank = true;
  for (char c : to_string(bound(Program(program)))) {
    if (!(blank && c == ' ')) out += c;
    blank = c == ' ' || c == '\n';
  }
  return out;
}

constexpr const char* kViews = R"(symbols s0=4
subgraph @f(%x: Tensor[Float32](s0, 6)) {
  %0 = Exp(%x)
  %1 = Transpose(%0, dims=(1, 0))
  %2 = MatMulExt(%0, %1)
  %3 = Constant(Tensor(shape=[2], dtype=Float32, value=[1, 2]))
  %4 = ReduceSum(%3, axis=None, keep_dims=False)
  %5 = Add(%2, %4)
  Return(%5)
})";

TEST(Bound, ViewsAndConstantsAreNoSteps) {
  EXPECT_EQ(text(kViews), R"(function f(r0 x: Float32(4, 6) parameter 0) -> (r5 result 0), arena of 192 bytes
0 r1 = Fused {Exp} r0 : Float32(4, 6) arena+0 live 0-4
2 r2 = Apply Transpose r1 (dims=(1, 0)) : Float32(6, 4) strides (1, 6) in r1
4 r3 = Apply MatMulExt r1, r2 : Float32(4, 4) arena+128 live 4-7
6 r4 = Const #0 : Float32() constant 0
7 r5 = Fused {Add} r3, r4 : Float32(4, 4) result 0
9 Return r5
)");
}

constexpr const char* kChain = R"(
subgraph @f(%x: Tensor[Float32](32, 64)) {
  %0 = Exp(%x)
  %1 = Softmax(%0)
  %2 = Neg(%1)
  %3 = Softmax(%2)
  %4 = Transpose(%3, dims=(1, 0))
  Return(%4)
})";

TEST(Bound, ResultsTakeThePlaceOfOperandsThatDie) {
  EXPECT_EQ(text(kChain), R"(function f(r0 x: Float32(32, 64) parameter 0) -> (r5 result 0), arena of 16384 bytes
0 r1 = Fused {Exp} r0 : Float32(32, 64) arena+0 live 0-2
2 r2 = Apply Softmax r1 (axis=-1) : Float32(32, 64) arena+8192 live 2-4
4 r3 = Fused {Neg} r2 : Float32(32, 64) arena+8192 live 4-6 in place of r2
6 r4 = Apply Softmax r3 (axis=-1) : Float32(32, 64) result 0
8 r5 = Apply Transpose r4 (dims=(1, 0)) : Float32(64, 32) strides (1, 64) in r4
10 Return r5
)");
}

TEST(Bound, APartIsNotTakenForTheWhole) {
  EXPECT_EQ(text(R"(
subgraph @f(%x: Tensor[Float32](16, 64)) {
  %0 = Softmax(%x)
  %1 = StridedSlice(%0, begin=(0,), end=(4,), strides=(1,))
  %2 = Neg(%1)
  %3 = Softmax(%2)
  Return(%3)
})"),
            R"(function f(r0 x: Float32(16, 64) parameter 0) -> (r4 result 0), arena of 5120 bytes
0 r1 = Apply Softmax r0 (axis=-1) : Float32(16, 64) arena+0 live 0-4
2 r2 = Apply StridedSlice r1 (begin=(0,), end=(4,), strides=(1,)) : Float32(4, 64) in r1
4 r3 = Fused {Neg} r2 : Float32(4, 64) arena+4096 live 4-6
6 r4 = Apply Softmax r3 (axis=-1) : Float32(4, 64) result 0
8 Return r4
)");
}

constexpr const char* kEpilogue = R"(
subgraph @f(%x: Tensor[Float32](64, 64)) {
  %0 = MatMulExt(%x, %x)
  %1 = Mul(%0, 0.5)
  %2 = Exp(%1)
  %3 = MatMulExt(%2, %x)
  Return(%3)
})";

TEST(Bound, ElementwiseWorkRunsWithinTheKernelBeforeIt) {
  EXPECT_EQ(text(kEpilogue), R"(function f(r0 x: Float32(64, 64) parameter 0) -> (r4 result 0), arena of 16384 bytes
0 r1 = Apply MatMulExt r0, r0 : Float32(64, 64) arena+0 live 0-0; with epilogue 3
2 r2 = Scalar 0.5 : Float; before 0
3 r3 = Fused {Convert Mul Exp} r1, r2 : Float32(64, 64) arena+0 live 0-5 in place of r1; epilogue of 0
5 r4 = Apply MatMulExt r3, r0 : Float32(64, 64) result 0
7 Return r4
)");
}

constexpr const char* kUpdate = R"(
subgraph @f(%w: Ref[Float32](8, 8), %g: Tensor[Float32](8, 8)) {
  %l = Load(%w, U)
  %u = UpdateState(U, %l)
  %n = Sub(%l, %g)
  %a = Assign(%w, %n, %u)
  %s = UpdateState(%u, %a)
  %0 = Depend(%g, %s)
  %1 = Neg(%0)
  Return(%1)
})";

TEST(Bound, UpdatesOfParametersAreWrittenAtOnce) {
  EXPECT_EQ(
      text(kUpdate),
      R"(function f(r0 w: Float32(8, 8) parameter 0, r1 g: Float32(8, 8) parameter 1) -> (r4 result 0), arena of 0 bytes
0 r2 = Load r0 : Float32(8, 8) in r0
1 r3 = Fused {Sub} r2, r1 : Float32(8, 8) in r0
3 Apply Assign r0, r3 : updated in place
5 r4 = Fused {Neg} r1 : Float32(8, 8) result 0
7 Return r4
)");
}

TEST(Bound, ImagesBetweenConvolutionsLieChannelsLast) {
  EXPECT_EQ(
      text(R"(
subgraph @f(%x: Tensor[Float32](2, 16, 6, 5), %w: Tensor[Float32](16, 16, 3, 3)) {
  %0 = ConvForward(%x, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %1 = Tanh(%0)
  %2 = ConvForward(%1, %w, stride=(1,), pad=(1,), dilation=(1,), groups=1)
  %3 = Add(%2, %1)
  %4 = ConvForward(%3, %w, stride=(1,), pad=(0,), dilation=(1,), groups=1)
  Return(%4)
})"),
      R"(function f(r0 x: Float32(2, 16, 6, 5) parameter 0, r1 w: Float32(16, 16, 3, 3) parameter 1) -> (r6 result 0), arena of 7680 bytes
0 r2 = Apply ConvForward r0, r1 (stride=(1,), pad=(1,), dilation=(1,), groups=1) : Float32(2, 16, 6, 5) channels-last arena+0 live 0-2
2 r3 = Fused {Tanh} r2 : Float32(2, 16, 6, 5) channels-last arena+0 live 2-6 in place of r2
4 r4 = Apply ConvForward r3, r1 (stride=(1,), pad=(1,), dilation=(1,), groups=1) : Float32(2, 16, 6, 5) channels-last arena+3840 live 4-6
6 r5 = Fused {Add} r4, r3 : Float32(2, 16, 6, 5) channels-last arena+3840 live 6-8 in place of r4
8 r6 = Apply ConvForward r5, r1 (stride=(1,), pad=(0,), dilation=(1,), groups=1) : Float32(2, 16, 4, 3) result 0
10 Return r6
)");
}

struct Corruption {
  const char* name;
  const char* program;
  void (*corrupt)(BoundFunction& bound);
  const char* message;
};
void PrintTo(const Corruption& c, std::ostream* out) { *out << c.name; }

BoundInstruction& running(BoundFunction& bound, Runs runs) {
  return *std::ranges::find_if(bound.instructions, [&](const BoundInstruction& d) { return d.runs == runs; });
}
BoundRegister& placed(BoundFunction& bound, Place place, int which = 0) {
  return *std::ranges::find_if(bound.registers,
                               [&](const BoundRegister& r) { return r.place == place && which-- == 0; });
}

const Corruption kCorruptions[] = {
    {"a tensor without layout", kChain, [](BoundFunction& b) { placed(b, Place::Arena).layout = nullptr; },
     "has no layout"},
    {"another dtype", kChain,
     [](BoundFunction& b) {
       placed(b, Place::Arena).layout = ops::layout(ops::DType::Float64, {32, 64});
     },
     "a layout that its type does not allow"},
    {"other dims", kChain,
     [](BoundFunction& b) {
       placed(b, Place::Arena).layout = ops::layout(ops::DType::Float32, {64, 32});
     },
     "a layout that its type does not allow"},
    {"an alias beyond its parent", kViews, [](BoundFunction& b) { placed(b, Place::Alias).offset = 4; },
     "reaches beyond its parent"},
    {"an alias of an alias", kViews,
     [](BoundFunction& b) {
       BoundRegister& alias = placed(b, Place::Alias);
       alias.parent = static_cast<Register>(&alias - b.registers.data());
     },
     "is an alias of what has no memory of its own"},
    {"two at one place", kViews,
     [](BoundFunction& b) { placed(b, Place::Arena, 1).offset = placed(b, Place::Arena).offset; },
     "overlaps another live one"},
    {"an arena too short", kViews, [](BoundFunction& b) { b.arena_bytes = 64; }, "lies beyond the arena"},
    {"the place of what is read again", kChain,
     [](BoundFunction& b) {
       std::ranges::find_if(b.registers, [](const BoundRegister& r) {
         return r.in_place_of != kNoRegister;
       })->live.begin += 1;
     },
     "takes the place of what does not end there"},
    {"an unaligned block", kChain, [](BoundFunction& b) { placed(b, Place::Arena).offset = 8; }, "is not aligned"},
    {"an epilogue of nobody", kEpilogue, [](BoundFunction& b) { running(b, Runs::Epilogue).with = 0x10000; },
     "its epilogue runs elsewhere"},
    {"a kernel that forgets its epilogue", kEpilogue,
     [](BoundFunction& b) { b.instructions[running(b, Runs::Epilogue).with].epilogue = kNoInstruction; },
     "is brought before what has no epilogue"},
    {"a number that comes too late", kEpilogue, [](BoundFunction& b) { running(b, Runs::Early).runs = Runs::Step; },
     "reads what is not there when its kernel runs"},
    {"an epilogue whose result lives too late", kEpilogue,
     [](BoundFunction& b) {
       const BoundInstruction& d = running(b, Runs::Epilogue);
       b.registers[d.outputs[0]].live = {d.pc, d.pc + 1};
     },
     "its result is not live from the kernel on"},
    {"an update whose value lies elsewhere", kUpdate,
     [](BoundFunction& b) { b.registers[running(b, Runs::Updated).inputs[1]].parent = 1; },
     "its value does not lie in the Parameter"},
    {"an update by what assigns nothing", kUpdate,
     [](BoundFunction& b) { running(b, Runs::Step).runs = Runs::Updated; }, "assigns nothing"},
    {"a result without a block", kChain, [](BoundFunction& b) { b.result_blocks.clear(); },
     "is a result without a block"},
};

class Corrupted : public testing::TestWithParam<Corruption> {};

TEST_P(Corrupted, IsRefused) {
  const Program p(GetParam().program);
  BoundFunction b = bound(p);
  verify(b);
  GetParam().corrupt(b);
  try {
    verify(b);
    FAIL() << "the verifier accepts it";
  } catch (const bytecode::VerifyError& e) {
    EXPECT_NE(std::string(e.what()).find(GetParam().message), std::string::npos) << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Bound, Corrupted, testing::ValuesIn(kCorruptions), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace ember::vm
