"""Cells of sparse matrices."""

from __future__ import annotations

from typing import Any

from emberjit.checks import check_instance
from emberjit.nn.cell import Cell
from emberjit.sparse import primitives
from emberjit.sparse.tensors import COOTensor


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix, in COO form as indices, values and a shape, and a dense one.

    Args:
        adjoint_st: whether the sparse matrix is transposed first.
        adjoint_dt: whether the dense matrix is.
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.product = primitives.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(self, indices: Any, values: Any, sparse_shape: Any, dense: Any) -> Any:
        return self.product(indices, values, sparse_shape, dense)


class SparseToDense(Cell):
    """A sparse matrix, a COOTensor, as a Tensor.

    Raises:
        TypeError: when called: something else.
    """

    _stateless = True

    def construct(self, sparse_tensor: Any) -> Any:
        return check_instance("SparseToDense", "sparse_tensor", sparse_tensor, COOTensor).to_dense()
