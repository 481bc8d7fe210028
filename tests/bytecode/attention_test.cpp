// Attention as it is recognised, text in and text out. That no bit changes is tested in tests/python/test_attention.py.
#include <gtest/gtest.h>

#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "ops/matmul/bf16x3_gemm.h"

namespace ember::bytecode {
namespace {

TEST(RecogniseAttention, LeavesOneNodeWithTheLastProductsValue) {
  Module m = parse(R"(
subgraph @f(%q: Tensor[Float32](4, 20, 8), %k: Tensor[Float32](2, 30, 8), %v: Tensor[Float32](2, 6, 30), %seen: Tensor[Bool](20, 30)) {
  %0 = RepeatInterleave(%k, repeats=(2,), axis=0)
  %1 = Transpose(%v, dims=(0, 2, 1))
  %2 = RepeatInterleave(%1, repeats=(2,), axis=-3)
  %3 = BatchMatMul(%q, %0, transpose_a=False, transpose_b=True)
  %4 = Div(%3, 3)
  %5 = Select(%seen, %4, -inf)
  %6 = Softmax(%5, axis=2)
  %7 = MatMulExt(%6, %2)
  Return(%7, %7)
})");
  const ops::SymbolScope scope(&m.symbols);
  recognise_attention(m);
  verify(m);
  dce(m);
  EXPECT_EQ(print(m), print(parse(R"(
subgraph @f(%q: Tensor[Float32](4, 20, 8), %k: Tensor[Float32](2, 30, 8), %v: Tensor[Float32](2, 6, 30), %seen: Tensor[Bool](20, 30)) {
  %0 = Transpose(%v, dims=(0, 2, 1))
  %1 = LogicalNot(%seen)
  %2 = Attention(%q, %k, %0, %1, scale=3.0, divide=True, causal=False, fill=-inf)
  Return(%2, %2)
})")));
}

bool recognised(const std::string& sizes_of_query, const std::string& sizes_of_key) {
  Module m = parse("symbols s0=64\nsubgraph @f(%q: Tensor[Float32](" + sizes_of_query + "), %k: Tensor[Float32](" +
                   sizes_of_key + R"(), %v: Tensor[Float32]()" + sizes_of_key + R"()) {
  %0 = BatchMatMul(%q, %k, transpose_a=False, transpose_b=True)
  %1 = Softmax(%0, axis=-1)
  %2 = MatMulExt(%1, %v)
  Return(%2)
})");
  const ops::SymbolScope scope(&m.symbols);
  recognise_attention(m);
  return print(m).find("Attention") != std::string::npos;
}

TEST(RecogniseAttention, LeavesProductsOfPartsWhateverTheSymbolsAre) {
  EXPECT_TRUE(recognised("2, 64, 64", "2, 64, 64"));
  ops::set_matmul_precision(ops::MatmulPrecision::BFloat16);
  EXPECT_FALSE(recognised("2, 64, 64", "2, 64, 64"));
  EXPECT_TRUE(recognised("2, s0, 64", "2, s0, 64"));
  EXPECT_TRUE(recognised("2, 64, 31", "2, 64, 31"));
  EXPECT_TRUE(recognised("2, s0, 31", "2, s0, 31"));
  ops::set_matmul_precision(ops::MatmulPrecision::Float32);
}

}  // namespace
}  // namespace ember::bytecode
