// What a product of operands of any rank and layout comes to: a batch of products of matrices.
#pragma once

#include <algorithm>

#include "ops/base/parallel.h"
#include "ops/tensor/layout.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {

// C[batch] = A[batch] B[batch]. Strides are in elements; C is contiguous.
struct Product {
  int64_t m, n, k;
  int64_t a_row, a_col, b_row, b_col;
  StridedDims a_batch, b_batch;
  int64_t batch = 1;
};

Product product_of(const Layout& a, const Layout& b, const Layout& out);

// A shared right operand turns the batch into more rows, where A's rows go on evenly from item to item.
void fold_batch(Product* p);

// Calls multiply(a, b, c) with the matrices of each item, in parallel where there are enough.
template <class A, class B, class C, class F>
void for_each_item(const Product& p, const A* a, const B* b, C* c, F multiply) {
  const auto items = [&](int64_t begin, int64_t end) {
    StridedIterator at_a(p.a_batch), at_b(p.b_batch);
    at_a.seek(begin);
    at_b.seek(begin);
    for (int64_t i = begin; i < end; ++i) {
      multiply(a + at_a.offset(), b + at_b.offset(), c + i * p.m * p.n);
      at_a.advance(1);
      at_b.advance(1);
    }
  };
  const int64_t work = std::max<int64_t>(1, p.m * p.n * p.k);
  if (p.batch >= threads() || work < (1 << 18)) {
    parallel_for_throwing(p.batch, std::max<int64_t>(1, (1 << 17) / work), items);
  } else {
    items(0, p.batch);
  }
}

}  // namespace ember::ops
