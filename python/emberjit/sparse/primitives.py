"""Primitives of sparse tensors that are given, and give, what they consist of: positions, elements and shapes."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int
from emberjit.functions.arguments import ints_of
from emberjit.primitives.primitive import Primitive, prim_attr_register
from emberjit.sparse.functions import csr_softmax, sparse_dense_product
from emberjit.sparse.tensors import COOTensor, CSRTensor, flat_positions, unflattened
from emberjit.tensors.indexing import true_positions

_ops = core.ops


def _coo(name: str, indices: Any, values: Any, shape: Any) -> COOTensor:
    return COOTensor(indices, values, ints_of(name, "shape", shape))


class SparseAdd(Primitive):
    """The sum of two sparse tensors, without elements whose absolute value is below thresh: (indices, values, shape).

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x1_indices: positions of the first one's elements, of shape (elements, axes).
        x1_values: its elements.
        x1_shape: its shape, a Tensor or a tuple of ints.
        x2_indices, x2_values, x2_shape: those of the second one.
        thresh: the least absolute value that is kept, a Tensor of one number or a number.

    Examples:
        >>> at, shape = Tensor([[0, 1]]), Tensor([2, 2])
        >>> indices, values, _ = ops.SparseAdd()(at, Tensor([2.0]), shape, at, Tensor([3.0]), shape, Tensor(0.0))
        >>> print(indices, values)
        [[0 1]] [5.]
    """

    def __call__(
        self, x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any, x2_shape: Any, thresh: Any
    ) -> Any:
        total = _coo(self.name, x1_indices, x1_values, x1_shape).add(
            _coo(self.name, x2_indices, x2_values, x2_shape), thresh
        )
        return total.indices, total.values, x1_shape


class _OfBoth(Primitive):
    """(indices, values) where either of two sparse tensors has an element; the other's is 0 there, if it has none."""

    how: str

    def __call__(
        self, x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any, x2_shape: Any
    ) -> Any:
        first, second = _coo(self.name, x1_indices, x1_values, x1_shape), _coo(self.name, x2_indices, x2_values, x2_shape)
        if first.shape != second.shape:
            raise ValueError(f"For '{self.name}', both must have one shape, but they are {first.shape} and {second.shape}.")
        indices = _ops.concat((first.indices, second.indices), 0)
        absent = _ops.zeros_like(first.values), _ops.zeros_like(second.values)
        left = COOTensor(indices, _ops.concat((first.values, absent[1]), 0), first.shape).coalesce()
        right = COOTensor(indices, _ops.concat((absent[0], second.values), 0), first.shape).coalesce()
        return left.indices, core.op_table[self.how](left.values, right.values)


class SparseSparseMaximum(_OfBoth):
    """The larger elements of two sparse tensors: (indices, values).

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x1_indices: positions of the first one's elements, of shape (elements, axes).
        x1_values: its elements.
        x1_shape: its shape, a Tensor or a tuple of ints.
        x2_indices, x2_values, x2_shape: those of the second one, of the same shape.

    Raises:
        ValueError: the shapes differ.

    Examples:
        >>> first, second, shape = Tensor([[0, 1]]), Tensor([[1, 0]]), Tensor([2, 2])
        >>> indices, values = ops.SparseSparseMaximum()(first, Tensor([2.0]), shape, second, Tensor([-3.0]), shape)
        >>> print(values)
        [2. 0.]
    """

    how = "maximum"


class SparseSparseMinimum(_OfBoth):
    """The smaller elements of two sparse tensors: (indices, values).

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x1_indices: positions of the first one's elements, of shape (elements, axes).
        x1_values: its elements.
        x1_shape: its shape, a Tensor or a tuple of ints.
        x2_indices, x2_values, x2_shape: those of the second one, of the same shape.

    Raises:
        ValueError: the shapes differ.

    Examples:
        >>> first, second, shape = Tensor([[0, 1]]), Tensor([[1, 0]]), Tensor([2, 2])
        >>> indices, values = ops.SparseSparseMinimum()(first, Tensor([2.0]), shape, second, Tensor([-3.0]), shape)
        >>> print(values)
        [ 0. -3.]
    """

    how = "minimum"


def _elementwise(name: str, how: str, sign: str, shown: str) -> type[Primitive]:
    def call(self: Primitive, x1_indices: core.Tensor, x1_values: core.Tensor, x1_shape: Any, x2: Any) -> Any:
        sparse = _coo(self.name, x1_indices, x1_values, x1_shape)
        return core.op_table[how](x1_values, sparse.at_positions(x2))

    documentation = f"""The stored elements of a sparse tensor {sign} those of a Tensor that broadcasts to it.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x1_indices: the positions of the sparse tensor's elements, of shape (elements, axes).
        x1_values: its elements.
        x1_shape: its shape, a Tensor or a tuple of ints.
        x2: the Tensor.

    Returns:
        a Tensor of x1_values' shape: the elements at x1_indices.

    Examples:
        >>> print(ops.{name}()(Tensor([[0, 1], [1, 0]]), Tensor([2.0, 4.0]), (2, 2), Tensor([[8.0, 0.5]])))
        {shown}
    """
    return type(name, (Primitive,), {"__call__": call, "__doc__": documentation, "__module__": __name__})


SparseDenseCwiseAdd = _elementwise("SparseDenseCwiseAdd", "add", "plus", "[ 2.5 12. ]")
SparseDenseCwiseMul = _elementwise("SparseDenseCwiseMul", "mul", "times", "[ 1. 32.]")
SparseDenseCwiseDiv = _elementwise("SparseDenseCwiseDiv", "div", "by", "[4.  0.5]")


class SparseReshape(Primitive):
    """(indices, shape) of a sparse tensor in another shape, of which one size may be -1.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        indices: the positions of elements, of shape (elements, axes).
        shape: the shape, a Tensor or a tuple of ints.
        new_shape: the other shape.

    Raises:
        ValueError: the shapes have different numbers of elements.

    Examples:
        >>> indices, shape = ops.SparseReshape()(Tensor([[0, 1], [1, 2]]), Tensor([2, 3]), Tensor([3, -1]))
        >>> print(indices)
        [[0 1]
         [2 1]]
        >>> print(shape)
        [3 2]
    """

    def __call__(self, indices: Any, shape: Any, new_shape: Any) -> Any:
        old, new = ints_of(self.name, "shape", shape), list(ints_of(self.name, "new_shape", new_shape))
        if min(new, default=0) < -1 or new.count(-1) > 1:
            raise ValueError(f"For '{self.name}', sizes must not be negative, but for one of -1, but got {tuple(new)}.")
        count, known = math.prod(old), math.prod(size for size in new if size != -1)
        if new.count(-1) == 1 and known and count % known == 0:
            new[new.index(-1)] = count // known
        if -1 in new or math.prod(new) != count:
            raise ValueError(f"For '{self.name}', a shape of {count} elements, {old}, cannot become {tuple(new)}.")
        positions = unflattened(flat_positions(indices, old), tuple(new))
        return _ops.cast(positions, indices.dtype), core.Tensor(new, core.int64)


class SparseReorder(Primitive):
    """(indices, values) of a sparse tensor in the order of positions.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        indices: the positions of elements, of shape (elements, axes).
        values: the elements.
        shape: the shape, a Tensor or a tuple of ints.

    Examples:
        >>> indices, values = ops.SparseReorder()(Tensor([[1, 0], [0, 1]]), Tensor([2.0, 3.0]), (2, 2))
        >>> print(indices)
        [[0 1]
         [1 0]]
        >>> print(values)
        [3. 2.]
    """

    def __call__(self, indices: Any, values: Any, shape: Any) -> Any:
        sparse = _coo(self.name, indices, values, shape)
        order = _ops.sort(flat_positions(indices, sparse.shape))[1]
        return _ops.gather(indices, order, 0), _ops.gather(values, order, 0)


class SparseTensorDenseMatmul(Primitive):
    """The product of a sparse matrix and another.

    Args:
        adjoint_st: whether the sparse one is transposed and conjugated first.
        adjoint_dt: whether the other is.

    Inputs:
        indices: the positions of the sparse matrix's elements, of shape (elements, 2).
        values: its elements.
        sparse_shape: its shape, a Tensor or a tuple of ints.
        dense: the other matrix.

    Returns:
        a Tensor.

    Raises:
        TypeError: dense is no Tensor.
        ValueError: sizes do not fit.

    Examples:
        >>> indices = Tensor([[0, 1], [1, 0]])
        >>> print(ops.SparseTensorDenseMatmul()(indices, Tensor([1.0, 2.0]), (2, 2), Tensor([[3.0], [4.0]])))
        [[4.]
         [6.]]
    """

    @prim_attr_register
    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        self.adjoint_st, self.adjoint_dt = adjoint_st, adjoint_dt

    def __call__(self, indices: Any, values: Any, sparse_shape: Any, dense: Any) -> Any:
        sparse = _coo(self.name, indices, values, sparse_shape)
        return sparse_dense_product(self.name, sparse, dense, self.adjoint_st, self.adjoint_dt)


class SparseAddmm(Primitive):
    """alpha times the product of a sparse matrix and another, plus beta times a third.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x1_indices: the positions of the sparse matrix's elements, of shape (elements, 2).
        x1_values: its elements.
        x1_shape: its shape, a Tensor or a tuple of ints.
        x2: the matrix that it is multiplied with.
        x3: the matrix that is added.
        alpha: the product's factor.
        beta: x3's factor.

    Returns:
        a Tensor.

    Raises:
        TypeError: x2 is no Tensor.
        ValueError: sizes do not fit.

    Examples:
        >>> indices, x2, x3 = Tensor([[0, 1], [1, 0]]), Tensor([[3.0], [4.0]]), Tensor([[1.0], [1.0]])
        >>> print(ops.SparseAddmm()(indices, Tensor([1.0, 2.0]), (2, 2), x2, x3, Tensor(1.0), Tensor(10.0)))
        [[14.]
         [16.]]
    """

    def __call__(self, x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any, x3: Any, alpha: Any, beta: Any) -> Any:
        return sparse_dense_product(self.name, _coo(self.name, x1_indices, x1_values, x1_shape), x2) * alpha + x3 * beta


class SparseTensorDenseAdd(Primitive):
    """A sparse tensor plus a Tensor.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x1_indices: the positions of the sparse tensor's elements, of shape (elements, axes).
        x1_values: its elements.
        x1_shape: its shape, a Tensor or a tuple of ints.
        x2: a Tensor of this shape.

    Returns:
        a Tensor of this shape.

    Examples:
        >>> x2 = Tensor([[1.0, 1.0], [1.0, 1.0]])
        >>> print(ops.SparseTensorDenseAdd()(Tensor([[0, 1]]), Tensor([2.0]), (2, 2), x2))
        [[1. 3.]
         [1. 1.]]
    """

    def __call__(self, x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
        return _coo(self.name, x1_indices, x1_values, x1_shape).to_dense() + x2


class SparseMatrixSoftmax(Primitive):
    """The softmax of each row's stored elements: (shape, batch pointers, row pointers, columns, values).

    Args:
        dtype: of the values.

    Inputs:
        x_dense_shape: the shape, a Tensor or a tuple of two ints.
        x_batch_pointers: where batches begin, which is returned as it is.
        x_row_pointers: where each row begins among the elements, and the last ends.
        x_col_indices: the column of each element.
        x_values: the elements.

    Examples:
        >>> pointers, columns = Tensor([0, 2, 3], ms.int32), Tensor([0, 1, 0], ms.int32)
        >>> batches, values = Tensor([0, 3], ms.int32), Tensor([1.0, 1.0, 3.0])
        >>> print(ops.SparseMatrixSoftmax(ms.float32)(Tensor([2, 2]), batches, pointers, columns, values)[4])
        [0.5 0.5 1. ]
    """

    @prim_attr_register
    def __init__(self, dtype: Any):
        self.dtype = dtype

    def __call__(
        self, x_dense_shape: Any, x_batch_pointers: Any, x_row_pointers: Any, x_col_indices: Any, x_values: Any
    ) -> Any:
        matrix = CSRTensor(x_row_pointers, x_col_indices, x_values, ints_of(self.name, "x_dense_shape", x_dense_shape))
        values = csr_softmax(matrix, self.dtype).values
        return x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, values


class SparseCountSparseOutput(Primitive):
    """(indices, counts, shape): how often, or with which sum of weights, a value is in each row of a sparse tensor.

    Args:
        binary_output: whether counts are 1.
        minlength: the least number of values counted, from 0 on; -1 for none.
        maxlength: the most; values from it on are not counted; -1 for none.

    Inputs:
        indices: the positions of elements, of shape (elements, axes).
        values: the elements, ints that are not negative.
        dense_shape: the shape, a Tensor or a tuple of ints.
        weights: what each element counts, of the shape of `values`.

    Raises:
        TypeError: a length is no int.
        ValueError: a value is negative, or shapes do not fit.

    Examples:
        >>> at, values = Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([2, 2, 1])
        >>> indices, counts, shape = ops.SparseCountSparseOutput()(at, values, Tensor([2, 2]), Tensor([1, 1, 1]))
        >>> print(counts, shape)
        [2 1] [2 3]
    """

    @prim_attr_register
    def __init__(self, binary_output: bool = False, minlength: int = -1, maxlength: int = -1):
        for name, length in (("minlength", minlength), ("maxlength", maxlength)):
            check_int("SparseCountSparseOutput", name, length, -1)
        self.binary_output, self.minlength, self.maxlength = binary_output, minlength, maxlength

    def __call__(self, indices: Any, values: Any, dense_shape: Any, weights: Any) -> Any:
        rows = _coo(self.name, indices, weights, dense_shape).shape[:-1]
        largest = int(_ops.amax(values)) if values.shape[0] else -1
        if values.shape[0] and (least := int(_ops.amin(values))) < 0:
            raise ValueError(f"For '{self.name}', 'values' must not be negative, but one is {least}.")
        width = max(largest + 1, self.minlength, 1)
        places = _ops.concat((indices[:, :-1], _ops.cast(_ops.expand_dims(values, 1), indices.dtype)), 1)
        if self.maxlength > 0:
            width, kept = min(width, self.maxlength), values < self.maxlength
            places, weights = places[kept], weights[kept]
        sums = COOTensor(places, weights, (*rows, width)).coalesce()
        counts = _ops.ones_like(sums.values) if self.binary_output else sums.values
        return sums.indices, counts, core.Tensor((*rows, width), core.int64)


class SparseSlice(Primitive):
    """The elements of a sparse tensor within a region: (indices, values, shape), the indices counted from its start.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        indices, values, shape: of the sparse tensor.
        start: the first position along each axis, a Tensor or a tuple of ints.
        size: of the region along each axis.

    Raises:
        ValueError: start or size is not of as many axes as the sparse tensor has.

    Examples:
        >>> at = Tensor([[0, 1], [1, 0]])
        >>> indices, values, shape = ops.SparseSlice()(at, Tensor([2.0, 3.0]), Tensor([2, 2]), (1, 0), (1, 2))
        >>> print(indices, values, shape)
        [[0 0]] [3.] [1 2]
    """

    def __call__(self, indices: Any, values: Any, shape: Any, start: Any, size: Any) -> Any:
        sizes, starts, extents = (
            ints_of(self.name, name, value) for name, value in (("shape", shape), ("start", start), ("size", size))
        )
        if not len(sizes) == len(starts) == len(extents) == indices.shape[1]:
            raise ValueError(
                f"For '{self.name}', 'shape', 'start' and 'size' must have an item for each axis, {indices.shape[1]}, but "
                f"are {sizes}, {starts} and {extents}."
            )
        kept = tuple(max(min(first + extent, full) - first, 0) for first, extent, full in zip(starts, extents, sizes))
        moved = indices - core.Tensor(list(starts), indices.dtype)
        inside = _ops.logical_and(moved >= 0, moved < core.Tensor(list(kept), indices.dtype))
        rows = true_positions(_ops.all(inside, 1))[:, 0]
        return _ops.gather(moved, rows, 0), _ops.gather(values, rows, 0), core.Tensor(list(kept), core.int64)
