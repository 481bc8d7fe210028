"""Sparse tensors: stored elements with their positions, over Tensors, so that what computes with them is captured,
differentiated and batched as other code of Tensors is."""

from __future__ import annotations

# Functions of one variable, and all functions, of emberjit.sparse.functions.
UNARY = (
    *("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp", "expm1", "floor", "inv"),
    *("isfinite", "isinf", "isnan", "log", "log1p", "neg", "relu", "relu6", "round", "sigmoid", "sin", "sinh", "softsign"),
    *("sqrt", "square", "tan", "tanh"),
)
NAMES = (
    *(f"{prefix}_{name}" for prefix in ("coo", "csr") for name in UNARY),
    *("coo2csr", "csr2coo", "csr_to_coo", "csr_to_dense", "csr_add", "csr_mul", "csr_div", "csr_mv", "csr_mm", "csr_gather"),
    *("csr_reduce_sum", "csr_softmax", "coo_add", "coo_concat", "dense_to_sparse_coo"),
    *("dense_to_sparse_csr", "make_coo_tensor", "make_csr_tensor", "make_row_tensor", "make_sparse_tensor"),
    *("make_row_tensor_inner", "coo_tensor_get_indices", "coo_tensor_get_values", "coo_tensor_get_dense_shape"),
    *("csr_tensor_get_indptr", "csr_tensor_get_indices", "csr_tensor_get_values", "csr_tensor_get_dense_shape"),
    *("row_tensor_add", "row_tensor_get_indices", "row_tensor_get_values", "row_tensor_get_dense_shape"),
)
PRIMITIVES = (  # of emberjit.sparse.primitives
    *("SparseAdd", "SparseAddmm", "SparseCountSparseOutput", "SparseDenseCwiseAdd", "SparseDenseCwiseDiv"),
    *("SparseDenseCwiseMul", "SparseMatrixSoftmax", "SparseReorder", "SparseReshape", "SparseSlice"),
    *("SparseSparseMaximum", "SparseSparseMinimum", "SparseTensorDenseAdd", "SparseTensorDenseMatmul"),
)
