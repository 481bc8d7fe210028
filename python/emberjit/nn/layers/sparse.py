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

    Inputs:
        indices: rows and columns of the values, a Tensor (n, 2) of int32 or int64.
        values: a Tensor (n,).
        sparse_shape: the sparse matrix's shape, a tuple of two ints.
        dense: a Tensor of two axes.

    Returns:
        A Tensor, the product.

    Raises:
        ValueError: when called: indices have not two axes.

    Examples:
        >>> product = nn.SparseTensorDenseMatmul()
        >>> indices, values = Tensor([[0, 1], [1, 2]]), Tensor([1.0, 2.0])
        >>> print(product(indices, values, (2, 3), Tensor([[1.0], [2.0], [3.0]])))
        [[2.]
         [6.]]
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.product = primitives.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(self, indices: Any, values: Any, sparse_shape: Any, dense: Any) -> Any:
        return self.product(indices, values, sparse_shape, dense)


class SparseToDense(Cell):
    """A sparse matrix as a Tensor, with zeros where it has no values.

    Args:
        auto_prefix, flags: as of nn.Cell; there are no Parameters to name.

    Inputs:
        sparse_tensor: a COOTensor.

    Returns:
        A new Tensor of its shape and dtype.

    Raises:
        TypeError: when called: something else.

    Examples:
        >>> sparse = ms.COOTensor(Tensor([[0, 1], [1, 2]]), Tensor([1, 2], ms.float32), (2, 3))
        >>> print(nn.SparseToDense()(sparse))
        [[0. 1. 0.]
         [0. 0. 2.]]
    """

    _stateless = True

    def construct(self, sparse_tensor: Any) -> Any:
        return check_instance("SparseToDense", "sparse_tensor", sparse_tensor, COOTensor).to_dense()
