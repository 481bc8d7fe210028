// Attention: softmax(query @ key' * scale, masked) @ value for each head, in the bits of the ops that it is made of.
// The steps go by panels: as many queries as a tile of C has columns, with their scores transposed, one row for each
// key. So a product's result is the next one's packed operand, and softmax works down the columns. A panel keeps whole
// rows of scores; nothing larger than some panels is ever stored.
//
// Keys behind the last that a panel's queries see have the probability +0. They are left out where that shows in no
// bit: where everything that they would be multiplied with is finite, and no result is -0 (to which +0 added is
// +0).
#pragma once

#include <array>

#include "ops/simd/kernels.h"
#include "ops/table/call.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {

struct AttentionForm {
  double scale = 1;
  bool divide = false;  // by scale, instead of multiplying with it
  bool causal = false;  // -inf is added to the scores of keys behind the query
  double fill = 0;      // the score where a bool mask holds
};

// query: (..., heads, length, depth); key: (..., groups, keys, depth); value: (..., groups, keys, width). One group of
// keys and values serves heads / groups heads in a row. Of two dimensions there is one head. The mask, absent or
// broadcast to (..., heads, length, keys), is bool or is added. float32 or float64; `half` is the type that every step
// rounds to, if the operands were widened from one.
struct AttentionCall {
  View query, key, value, mask;
  AttentionForm form;
  DType half = DType::Float32;
};

struct AttentionSizes {
  int64_t queries, keys, depth, width;
};
// Whether products of these sizes, with those of the gradient or without, are bf16x3, which panels do not compute.
// Monotonic: true for larger sizes where it is for smaller ones.
bool attention_uses_bf16x3(DType dtype, const AttentionSizes& sizes, bool backward);

void attend(const AttentionCall& call, const View& out);
// From the result's cotangent those of query and, for each head of its own, of key and value.
void attend_backward(const AttentionCall& call, const View& cotangent, const View& query, const View& key,
                     const View& value);

}  // namespace ember::ops
