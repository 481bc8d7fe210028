// Products of 8-bit integers, summed in int32 (matmul/int8_gemm.h): what quantised networks multiply.
#include "ops/matmul/int8_gemm.h"
#include "ops/matmul/product.h"
#include "ops/table/products.h"

namespace ember::ops {
namespace {

bool is_byte(const Type& type) { return type.dtype == DType::Int8 || type.dtype == DType::UInt8; }

struct MatMulInteger {
  static constexpr const char* name = "matmul_integer";
  static constexpr const char* primitive = "MatMulInteger";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "The matrix product of operands of int8 or uint8, each of either, in int32, whose sums wrap. Batches broadcast, "
      "and "
      "a 1-d operand is a row or column that vanishes again, as in np.matmul. TypeError: an operand has another dtype.";
  static constexpr const char* numpy = "np.matmul(input.astype(np.int32), other.astype(np.int32))";

  static Types infer(const InferCall& call) {
    const Type &a = call.in[0], &b = call.in[1];
    if (!is_byte(a) || !is_byte(b)) {
      type_error("For '" + std::string(name) + "', operands must be int8 or uint8, but are " + to_string(a) + " and " +
                 to_string(b) + ".");
    }
    return {Type::tensor(DType::Int32, product_dims(a, b, name))};
  }

  static void kernel(const KernelCall& call) {
    if (call.out[0].layout->numel == 0) return;
    const Layout &a = *call.in[0].layout, &b = *call.in[1].layout;
    Product p = product_of(a, b, *call.out[0].layout);
    fold_batch(&p);
    const gc::Storage* const cacheable = p.batch == 1 ? call.cacheable : nullptr;
    for_each_item(p, call.in[0].as<uint8_t>(), call.in[1].as<uint8_t>(), call.out[0].as<int32_t>(),
                  [&](const uint8_t* x, const uint8_t* y, int32_t* out) {
                    run_int8_gemm({p.m,
                                   p.n,
                                   p.k,
                                   {x, a.dtype == DType::Int8, p.a_row, p.a_col},
                                   {y, b.dtype == DType::Int8, p.b_row, p.b_col},
                                   out,
                                   cacheable});
                  });
  }

  static Values batch(Batch& batch) { return batched_product(batch); }

  static std::vector<Sample> samples() {
    const auto of = [](Shape a, DType a_dtype, Shape b, DType b_dtype) {
      const auto operand = [](Shape shape, DType dtype) {
        return dtype == DType::Int8 ? SampleOperand{shape, dtype, -128, 127} : SampleOperand{shape, dtype, 0, 255};
      };
      return Sample{{operand(a, a_dtype), operand(b, b_dtype)}, {}, {}};
    };
    constexpr DType kSigned = DType::Int8, kUnsigned = DType::UInt8;
    return {of({3, 4}, kSigned, {4, 5}, kSigned),
            of({3, 4}, kUnsigned, {4, 5}, kSigned),
            of({3, 5}, kSigned, {5, 4}, kUnsigned),
            of({7, 33}, kUnsigned, {33, 19}, kUnsigned),
            of({4}, kSigned, {4}, kSigned),
            of({5}, kUnsigned, {5, 3}, kSigned),
            of({2, 3, 4}, kSigned, {4}, kUnsigned),
            of({2, 1, 3, 4}, kSigned, {5, 4, 2}, kSigned),
            of({2, 3, 4}, kUnsigned, {4, 5}, kUnsigned),
            of({3, 0}, kSigned, {0, 5}, kSigned)};
  }
};
EMBER_OP(MatMulInteger);

}  // namespace
}  // namespace ember::ops
