// What a fused node recomputes instead of loading it, and what it loads. Three products stand for all that a program
// does between its forward and its backward part.
#include <gtest/gtest.h>

#include "tests/bytecode/pass_text.h"

namespace ember::bytecode {
namespace {

// `forward` makes values of %p, among them %y, and `backward` uses them once the products that end in %t are done.
std::string fused(const std::string& forward, const std::string& backward, const std::string& results,
                  const std::string& size = "8") {
  const std::string type = ": Tensor[Float32](" + size + ", " + size + "), ";
  return after(fuse, "subgraph @f(%x" + type + "%w" + type + "%b: Tensor[Float32](" + size + ",), %c: Ref[Float32](" +
                         size + ", " + size + ")) {\n%p = MatMul(%x, %w)\n" + forward +
                         "%t0 = MatMul(%y, %x)\n%t1 = MatMul(%t0, %x)\n%t = MatMul(%t1, %x)\n" + backward + "Return(" +
                         results + ")\n}");
}

size_t count(const std::string& text, std::string_view part) {
  size_t occurrences = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++occurrences;
  return occurrences;
}

// The operands of the last node with an expression.
std::string reads(const std::string& text) {
  const size_t end = text.rfind(", expr="), from = text.rfind("Fused(", end) + 6;
  return text.substr(from, end - from);
}

TEST(Rematerialise, ComputesAgainWhatIsMadeOfKeptValues) {
  const std::string text =
      fused("%a = Add(%p, %b)\n%y = Mul(%p, %a)\n", "%d = Mul(%t, %y)\n%e = MatMul(%d, %p)\n", "%e");
  EXPECT_EQ(count(text, "Add.Float32"), 2u) << text;
  EXPECT_EQ(reads(text), "%0, %para3_b, %4") << text;
}

TEST(Rematerialise, ComputesNothingThatOnlyCopiesAreReadOf) {
  const std::string text =
      fused("%y = Add(%p, %b)\n%m = Less(%b, %y)\n", "%e = Select(%m, %t, %b)\n%g = MatMul(%e, %y)\n", "%g");
  EXPECT_EQ(count(text, " = Add("), 1u) << text;
  EXPECT_EQ(count(text, "Fused("), 1u) << text;
  EXPECT_EQ(reads(text), "%para3_b, %1, %4") << text;
}

TEST(Rematerialise, ReadsWhatIsKeptAnyway) {
  const std::string text =
      fused("%y = Add(%p, %b)\n", "%d = Mul(%t, %y)\n%e = MatMul(%d, %y)\n%g = MatMul(%e, %p)\n", "%g");
  EXPECT_EQ(count(text, "Fused("), 0u) << text;
}

TEST(Rematerialise, KeepsNoMoreThanItSaves) {
  const std::string text = fused("%q = MatMul(%w, %w)\n%y = Mul(%p, %q)\n", "%d = Mul(%t, %y)\n", "%d");
  EXPECT_EQ(count(text, "Fused("), 0u) << text;
}

// A mask is smaller than what it is made of, but that is kept nearly as long.
TEST(Rematerialise, KeepsWhatWasKeptLongForLittleLonger) {
  const std::string forward = "%y = Add(%p, %b)\n%m = Less(%b, %y)\n", backward = "%e = Select(%m, %t, %b)\n";
  const std::string text = fused(forward, "%g = MatMul(%t, %y)\n%h = MatMul(%g, %g)\n" + backward, "%e, %h");
  EXPECT_EQ(count(text, "Fused("), 1u) << text;
  EXPECT_EQ(reads(text), "%para3_b, %1, %4") << text;
  const std::string gone = fused(forward, backward, "%e");
  EXPECT_EQ(count(gone, "Select("), 1u) << gone;
}

TEST(Rematerialise, KeepsWhatTakesLongToCompute) {
  const auto text = [](const std::string& op, const std::string& size) {
    return fused("%y = " + op + "(%p)\n", "%d = Mul(%t, %y)\n%g = MatMul(%d, %p)\n", "%g", size);
  };
  EXPECT_EQ(count(text("Neg", "8"), "Fused("), 1u);
  EXPECT_EQ(count(text("Exp", "8"), "Fused("), 0u);
  EXPECT_EQ(count(text("Exp", "4096"), "Fused("), 1u);
  EXPECT_EQ(count(text("Tanh", "4096"), "Fused("), 0u);
}

TEST(Rematerialise, LeavesWhatTheUnitBeforeReads) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](8, 8)) {
  %0 = Neg(%x)
  %1 = MatMul(%0, %0)
  %2 = Add(%1, %0)
  Return(%2)
})";
  EXPECT_EQ(after(fuse, text), same(text));
}

// %c is written before a copy would read it.
TEST(Rematerialise, ReadsNoLoadAfterAWrite) {
  const std::string forward = "%l = Load(%c, U)\n%u = UpdateState(U, %l)\n%y = Mul(%p, %l)\n";
  const std::string backward = "%d = Mul(%t, %y)\n%g = MatMul(%d, %p)\n";
  EXPECT_EQ(count(fused(forward, backward, "%g"), "Fused("), 1u);
  const std::string write = "%z = Assign(%c, %t, %u)\n%v = UpdateState(%u, %z)\n";
  EXPECT_EQ(count(fused(forward, write + backward, "%g"), "Fused("), 0u);
}

TEST(Rematerialise, FeedsAReductionOfWhatOthersComputeAgain) {
  const std::string text = after(fuse, R"(
subgraph @f(%x: Tensor[Float32](4, 3), %m: Tensor[Float32](4, 1)) {
  %0 = Sub(%x, %m)
  %1 = Mul(%0, %0)
  %2 = ReduceSum(%1, axis=(1,), keep_dims=True)
  %3 = Sqrt(%2)
  %4 = Div(%0, %3)
  Return(%4)
})");
  EXPECT_EQ(count(text, "FusedReduce("), 1u) << text;
  EXPECT_EQ(count(text, "Sub.Float32"), 2u) << text;
  EXPECT_EQ(reads(text), "%para1_x, %para2_m, %1") << text;
}

TEST(Rematerialise, ReadsNoMoreThanAFusedNodeMay) {
  const auto text = [](int values) {
    std::string forward = "%y = Neg(%p)\n", backward = "%d0 = Add(%t, %p)\n", results = "%y";
    for (int i = 0; i < values; ++i) {
      const std::string n = std::to_string(i);
      for (const char* name : {"%q", "%k"}) forward += name + n + " = MatMul(%y, %w)\n";
      forward += "%s" + n + " = Mul(%q" + n + ", %k" + n + ")\n%r" + n + " = MatMul(%s" + n + ", %w)\n";
      backward += "%d" + std::to_string(i + 1) + " = Add(%d" + n + ", %s" + n + ")\n";
      results += ", %q" + n + ", %k" + n + ", %r" + n;
    }
    return fused(forward, backward, results + ", %d" + std::to_string(values));
  };
  EXPECT_EQ(count(text(10), "Mul.Float32"), 10u);
  EXPECT_EQ(count(text(20), "Mul.Float32"), 0u);
}

}  // namespace
}  // namespace ember::bytecode
