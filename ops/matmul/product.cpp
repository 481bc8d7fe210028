#include "ops/matmul/product.h"

namespace ember::ops {
namespace {

// Leading dimensions of an operand as the result sees them: broadcast sizes have stride 0.
Shape batch_strides(const Layout& layout, size_t matrix_rank, const Shape& batch) {
  Shape strides(batch.size(), 0);
  const size_t own = layout.rank() - std::min(layout.rank(), matrix_rank);
  for (size_t d = 0; d < own; ++d) {
    if (layout.shape[d] != 1) strides[batch.size() - own + d] = layout.strides[d];
  }
  return strides;
}

}  // namespace

Product product_of(const Layout& a, const Layout& b, const Layout& out) {
  Product p;
  const bool a_vector = a.rank() == 1, b_vector = b.rank() == 1;
  p.m = a_vector ? 1 : a.shape[a.rank() - 2];
  p.k = a.shape[a.rank() - 1];
  p.n = b_vector ? 1 : b.shape[b.rank() - 1];
  p.a_row = a_vector ? 0 : a.strides[a.rank() - 2];
  p.a_col = a.strides[a.rank() - 1];
  p.b_row = b.strides[b_vector ? 0 : b.rank() - 2];
  p.b_col = b_vector ? 0 : b.strides[b.rank() - 1];
  Shape batch;
  for (size_t d = 0; d + (a_vector ? 0 : 1) + (b_vector ? 0 : 1) < out.rank(); ++d) batch.push_back(out.shape[d]);
  const Shape sa = batch_strides(a, 2, batch), sb = batch_strides(b, 2, batch);
  for (size_t d = 0; d < batch.size(); ++d) {
    p.a_batch.sizes.push_back(batch[d]);
    p.a_batch.strides.push_back(sa[d]);
    p.b_batch.sizes.push_back(batch[d]);
    p.b_batch.strides.push_back(sb[d]);
  }
  p.batch = p.a_batch.count();
  return p;
}

void fold_batch(Product* p) {
  StridedDims rows;
  for (size_t d = 0; d < p->a_batch.sizes.size(); ++d) {
    if (p->b_batch.strides[d] != 0 && p->b_batch.sizes[d] != 1) return;
    rows.add(p->a_batch.sizes[d], p->a_batch.strides[d]);
  }
  rows.add(p->m, p->a_row);
  if (p->batch == 0 || rows.sizes.size() > 1) return;
  p->m *= p->batch;
  p->a_row = rows.inner_stride();
  p->a_batch = p->b_batch = {};
  p->batch = 1;
}

}  // namespace ember::ops
