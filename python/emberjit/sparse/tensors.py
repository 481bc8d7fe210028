"""COOTensor, CSRTensor and RowTensor.

    COO  indices (n, rank), values (n,): element i is at indices[i]
    CSR  indptr (rows + 1,), indices (n, ), values (n, ...): row r has the elements indptr[r] to indptr[r + 1], each in its
         column indices[i]; further axes are dense

Elements that a COOTensor has several times at one position count together; coalesce() adds them up.
"""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_rank, check_shape
from emberjit.language.decorators import jit_class
from emberjit.publish.registry import find

_ops = core.ops
_WHOLE = (core.int16, core.int32, core.int64)


def _check_indices(name: str, argument: str, indices: core.Tensor, axes: int) -> None:
    check_instance(name, argument, indices, core.Tensor)
    if indices.dtype not in _WHOLE:
        raise TypeError(f"For '{name}', '{argument}' must be of int16, int32 or int64, but got {indices.dtype}.")
    check_rank(name, argument, indices, axes)


def _check_values(name: str, values: core.Tensor, count: int) -> None:
    check_instance(name, "values", values, core.Tensor)
    if values.ndim == 0 or values.shape[0] != count:
        raise ValueError(
            f"For '{name}', 'values' must be {count} as the indices are, but has the shape {tuple(values.shape)}."
        )


def _checked_shape(name: str, shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, (tuple, list)) or not all(isinstance(n, int) and not isinstance(n, bool) for n in shape):
        raise TypeError(f"For '{name}', 'shape' must be a tuple of ints, but got {shape!r}.")
    if any(n <= 0 for n in shape):
        raise ValueError(f"For '{name}', 'shape' must be positive, but got {tuple(shape)}.")
    return tuple(shape)


def added_at(size: int, at: core.Tensor, values: core.Tensor) -> Any:
    """Zeros of shape (size, *values.shape[1:]), to which values are added at whole numbers `at`."""
    return _ops.index_add(_ops.zeros((size, *values.shape[1:]), values.dtype), at, values, 0)


def row_pointers(rows: core.Tensor, height: int) -> Any:
    """Where each of `height` rows begins, and the last ends, among elements in the order of their `rows`."""
    counts = added_at(height, rows, _ops.ones_like(rows))
    return _ops.pad(_ops.cast(_ops.cumsum(counts, 0), rows.dtype), (1, 0))


def rows_of(indptr: core.Tensor, count: int) -> Any:
    """The row of each of `count` elements, by where rows begin."""
    begins = indptr[1:-1]
    return _ops.cast(_ops.cumsum(added_at(count + 1, begins, _ops.ones_like(begins)), 0)[:count], indptr.dtype)


class SparseTensor:
    """What COOTensor and CSRTensor share: stored elements, `values`, of a Tensor of `shape`.

    Examples:
        >>> x = ms.COOTensor(Tensor([[0, 1], [2, 2]]), Tensor([1.0, 2.0]), (3, 4))
        >>> print(isinstance(x, ms.SparseTensor), x.shape, x.size, x.dtype)
        True (3, 4) 2 Float32
    """

    values: Any
    shape: tuple[int, ...]

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """The number of stored elements."""
        return int(self.values.size)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self.values.itemsize)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def with_values(self, values: core.Tensor) -> Any:
        """The same positions with other elements."""
        raise NotImplementedError

    def at_positions(self, dense: core.Tensor) -> Any:
        """Of a Tensor that broadcasts to the shape the elements at the positions; of a number itself."""
        raise NotImplementedError

    def to_dense(self) -> Any:
        """The Tensor, with zeros where nothing is stored."""
        raise NotImplementedError

    def add(self, other: Any, *more: Any) -> Any:
        """The sum with another of the same kind."""
        raise NotImplementedError

    def astype(self, dtype: Any) -> Any:
        """With its elements converted."""
        return self.with_values(_ops.cast(self.values, dtype))

    def abs(self) -> Any:
        """With the absolute values of its elements."""
        return self.with_values(_ops.abs(self.values))

    def __neg__(self) -> Any:
        return self.with_values(-self.values)

    def __mul__(self, other: Any) -> Any:
        return self.with_values(self.values * self.at_positions(other))

    def __truediv__(self, other: Any) -> Any:
        return self.with_values(self.values / self.at_positions(other))

    def _same_kind(self, sign: str, other: Any) -> None:
        name = type(self).__name__
        if not isinstance(other, type(self)):
            raise TypeError(f"For '{sign}', the operands must be {name}s, but got {name} and {type(other).__name__}.")
        if other.shape != self.shape:
            raise ValueError(f"For '{sign}', the operands must have equal shapes, but got {self.shape} and {other.shape}.")


def unflattened(positions: core.Tensor, shape: tuple[int, ...]) -> Any:
    """The indices (n, rank) of positions among the elements of a shape in order."""
    axes = []
    for extent in reversed(shape):
        axes.append(positions % extent)
        positions = _ops.floor_div(positions, extent)
    return _ops.stack(axes[::-1], 1)


def flat_positions(indices: core.Tensor, shape: tuple[int, ...]) -> Any:
    """The positions, among the elements of a shape in order, of indices (n, rank)."""
    steps = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    wide = _ops.cast(indices, core.int64)
    return sum((wide[:, axis] * step for axis, step in enumerate(steps)), _ops.zeros((indices.shape[0],), core.int64))


@jit_class
class COOTensor(SparseTensor):
    """A sparse tensor of coordinates: element i, values[i], is at indices[i].

    Args:
        indices: int16, int32 or int64 of shape (n, rank), each within the shape.
        values: the elements, of shape (n,).
        shape: a tuple of positive ints.
        coo_tensor: another one to copy, in place of the rest.

    Raises:
        TypeError: an argument of another kind or dtype.
        ValueError: shapes that do not fit.

    Examples:
        >>> x = ms.COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([2.0, 3.0]), (2, 2))
        >>> print((x + x).to_dense())
        [[0. 4.]
         [6. 0.]]
    """

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, coo_tensor: Any = None):
        if coo_tensor is not None:
            check_instance("COOTensor", "coo_tensor", coo_tensor, COOTensor)
            indices, values, shape = coo_tensor.to_tuple()
        _check_indices("COOTensor", "indices", indices, 2)
        _check_values("COOTensor", values, indices.shape[0])
        self.indices, self.values, self.shape = indices, values, _checked_shape("COOTensor", shape)
        if indices.shape[1] != len(self.shape) or values.ndim != 1:
            raise ValueError(
                f"For 'COOTensor', 'indices' (n, rank) and 'values' (n,) must be those of the shape {self.shape}, but have "
                f"the shapes {tuple(indices.shape)} and {tuple(values.shape)}."
            )

    def with_values(self, values: core.Tensor) -> COOTensor:
        """The same positions with other elements."""
        return COOTensor(self.indices, values, self.shape)

    def at_positions(self, dense: core.Tensor) -> Any:
        """Of a Tensor that broadcasts to the shape the elements at the positions; of a number itself."""
        if not isinstance(dense, core.Tensor) or dense.ndim == 0:
            return dense
        whole = _ops.broadcast_to(dense, self.shape)
        return whole[tuple(self.indices[:, axis] for axis in range(self.ndim))]

    def to_tuple(self) -> tuple[Any, Any, tuple[int, ...]]:
        """(indices, values, shape)."""
        return self.indices, self.values, self.shape

    def to_dense(self) -> Any:
        """The Tensor, with zeros where nothing is stored and sums where several elements are."""
        flat = added_at(math.prod(self.shape), flat_positions(self.indices, self.shape), self.values)
        return _ops.reshape(flat, self.shape)

    def coalesce(self) -> COOTensor:
        """With one element at each position, the sum of those that are there, in the order of positions."""
        positions, which = find("mint", "unique")(flat_positions(self.indices, self.shape), True, True)
        indices = _ops.cast(unflattened(positions, self.shape), self.indices.dtype)
        return COOTensor(indices, added_at(indices.shape[0], which, self.values), self.shape)

    def to_csr(self) -> CSRTensor:
        """As a CSRTensor.

        Raises:
            ValueError: it has not two axes.
        """
        if self.ndim != 2:
            raise ValueError(f"For 'to_csr', a COOTensor must have two axes, but has the shape {self.shape}.")
        order = _ops.sort(flat_positions(self.indices, self.shape))[1]
        indices = self.indices[order]
        pointers = row_pointers(indices[:, 0], self.shape[0])
        return CSRTensor(pointers, indices[:, 1], self.values[order], self.shape)

    def add(self, other: Any, thresh: Any = 0) -> COOTensor:
        """The sum, without elements whose absolute value is below thresh.

        Raises:
            TypeError: other is no COOTensor.
            ValueError: it has another shape.
        """
        self._same_kind("add", other)
        indices = _ops.concat((self.indices, _ops.cast(other.indices, self.indices.dtype)), 0)
        total = COOTensor(indices, _ops.concat((self.values, other.values), 0), self.shape).coalesce()
        if not isinstance(thresh, core.Tensor) and thresh == 0:
            return total
        kept = _ops.greater_equal(_ops.abs(total.values), thresh)
        return COOTensor(total.indices[kept], total.values[kept], self.shape)

    def __add__(self, other: Any) -> Any:
        return self.to_dense() + other if isinstance(other, core.Tensor) else self.add(other)

    def __sub__(self, other: Any) -> Any:
        return self.to_dense() - other if isinstance(other, core.Tensor) else self.add(-other)

    def __repr__(self) -> str:
        return f"COOTensor(shape={list(self.shape)}, dtype={self.dtype}, indices={self.indices!r}, values={self.values!r})"


@jit_class
class CSRTensor(SparseTensor):
    """A sparse tensor of compressed rows: row r has the elements indptr[r] to indptr[r + 1] of values, in columns `indices`.

    Args:
        indptr: int16, int32 or int64 of shape (rows + 1,), ascending from 0 to n.
        indices: whole numbers of shape (n,) below the number of columns.
        values: the elements, of shape (n, ...).
        shape: a tuple of positive ints, (rows, columns, ...).
        csr_tensor: another one to copy, in place of the rest.

    Raises:
        TypeError: an argument of another kind or dtype.
        ValueError: shapes that do not fit.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 3]), Tensor([1, 0, 1]), Tensor([2.0, 3.0, 4.0]), (2, 2))
        >>> print(x.to_dense())
        [[0. 2.]
         [3. 4.]]
        >>> print(x.mm(ops.ones((2, 1))))
        [[2.]
         [7.]]
    """

    def __init__(
        self, indptr: Any = None, indices: Any = None, values: Any = None, shape: Any = None, csr_tensor: Any = None
    ):
        if csr_tensor is not None:
            check_instance("CSRTensor", "csr_tensor", csr_tensor, CSRTensor)
            indptr, indices, values, shape = csr_tensor.to_tuple()
        _check_indices("CSRTensor", "indptr", indptr, 1)
        _check_indices("CSRTensor", "indices", indices, 1)
        _check_values("CSRTensor", values, indices.shape[0])
        self.indptr, self.indices, self.values = indptr, indices, values
        self.shape = _checked_shape("CSRTensor", shape)
        if len(self.shape) < 2 or indptr.shape[0] != self.shape[0] + 1 or tuple(values.shape[1:]) != self.shape[2:]:
            raise ValueError(
                f"For 'CSRTensor', 'indptr' (rows + 1,) and 'values' (n, ...) must be those of the shape {self.shape}, but "
                f"have the shapes {tuple(indptr.shape)} and {tuple(values.shape)}."
            )

    @property
    def rows(self) -> Any:
        """The row of each stored element."""
        return rows_of(self.indptr, self.indices.shape[0])

    def with_values(self, values: core.Tensor) -> CSRTensor:
        """The same positions with other elements."""
        return CSRTensor(self.indptr, self.indices, values, self.shape)

    def at_positions(self, dense: core.Tensor) -> Any:
        """Of a Tensor that broadcasts to the shape the elements at the positions; of a number itself."""
        if not isinstance(dense, core.Tensor) or dense.ndim == 0:
            return dense
        return _ops.broadcast_to(dense, self.shape)[self.rows, self.indices]

    def to_tuple(self) -> tuple[Any, Any, Any, tuple[int, ...]]:
        """(indptr, indices, values, shape)."""
        return self.indptr, self.indices, self.values, self.shape

    def to_coo(self) -> COOTensor:
        """As a COOTensor.

        Raises:
            ValueError: it has not two axes.
        """
        if self.ndim != 2:
            raise ValueError(f"For 'to_coo', a CSRTensor must have two axes, but has the shape {self.shape}.")
        return COOTensor(_ops.stack((self.rows, _ops.cast(self.indices, self.indptr.dtype)), 1), self.values, self.shape)

    def to_dense(self) -> Any:
        """The Tensor, with zeros where nothing is stored."""
        rows, columns = self.shape[:2]
        flat = _ops.cast(self.rows, core.int64) * columns + self.indices
        return _ops.reshape(added_at(rows * columns, flat, self.values), self.shape)

    def mv(self, dense_vector: Any) -> Any:
        """The product with a vector of shape (columns, 1), of shape (rows, 1).

        Raises:
            ValueError: dense_vector has another shape.
        """
        check_shape("mv", "dense_vector", dense_vector, (self.shape[1], 1))
        return self.mm(dense_vector)

    def mm(self, matrix: Any) -> Any:
        """The product with a matrix of shape (columns, k), of shape (rows, k); of a CSRTensor a CSRTensor.

        Raises:
            ValueError: either has not two axes, or their sizes do not fit.
        """
        if self.ndim != 2 or len(matrix.shape) != 2 or matrix.shape[0] != self.shape[1]:
            raise ValueError(f"For 'mm', shapes must be (m, k) and (k, n), but are {self.shape} and {tuple(matrix.shape)}.")
        if isinstance(matrix, CSRTensor):
            return dense_to_csr(self.mm(matrix.to_dense()))
        terms = _ops.expand_dims(self.values, 1) * matrix[self.indices]
        return added_at(self.shape[0], self.rows, terms)

    def sum(self, axis: int) -> Any:
        """The sums of rows, (rows, 1), by axis 1, or of columns, (1, columns), by axis 0.

        Raises:
            ValueError: axis is neither, or the tensor has not two axes.
        """
        if self.ndim != 2 or axis not in (0, 1, -1, -2):
            raise ValueError(f"For 'sum', 'axis' must be 0 or 1 of a CSRTensor of two axes, but got {axis} of {self.shape}.")
        if axis % 2:
            return _ops.expand_dims(added_at(self.shape[0], self.rows, self.values), 1)
        return _ops.expand_dims(added_at(self.shape[1], self.indices, self.values), 0)

    def add(self, b: Any, alpha: Any = 1, beta: Any = 1) -> CSRTensor:
        """alpha * self + beta * b.

        Raises:
            TypeError: b is no CSRTensor.
            ValueError: it has another shape.
        """
        self._same_kind("add", b)
        first, second = self.to_coo(), b.to_coo()
        return first.with_values(alpha * first.values).add(second.with_values(beta * second.values)).to_csr()

    def __add__(self, other: Any) -> Any:
        return self.to_dense() + other if isinstance(other, core.Tensor) else self.add(other)

    def __sub__(self, other: Any) -> Any:
        return self.to_dense() - other if isinstance(other, core.Tensor) else self.add(other, 1, -1)

    def __repr__(self) -> str:
        parts = f"indptr={self.indptr!r}, indices={self.indices!r}, values={self.values!r}"
        return f"CSRTensor(shape={list(self.shape)}, dtype={self.dtype}, {parts})"


class RowTensor:
    """Rows of a Tensor: row indices[i] is values[i], the others are zeros.

    Args:
        indices: whole numbers of shape (n,).
        values: of shape (n, *shape[1:]).
        shape: a tuple of positive ints.
        row_tensor: another one to copy, in place of the rest.

    Raises:
        TypeError: an argument of another kind or dtype.
        ValueError: shapes that do not fit.

    Examples:
        >>> x = ms.RowTensor(Tensor([0, 2]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (3, 2))
        >>> print(x.indices, x.dense_shape)
        [0 2] (3, 2)
    """

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, row_tensor: Any = None):
        if row_tensor is not None:
            indices, values, shape = row_tensor.indices, row_tensor.values, row_tensor.dense_shape
        _check_indices("RowTensor", "indices", indices, 1)
        _check_values("RowTensor", values, indices.shape[0])
        self.indices, self.values, self.dense_shape = indices, values, _checked_shape("RowTensor", shape)
        if tuple(values.shape[1:]) != self.dense_shape[1:]:
            raise ValueError(
                f"For 'RowTensor', 'values' must be rows of the shape {self.dense_shape}, but have the shape "
                f"{tuple(values.shape)}."
            )


def _positions_of(tensor: core.Tensor, name: str) -> Any:
    if not isinstance(tensor, core.Tensor) or tensor.ndim != 2:
        raise ValueError(f"For '{name}', 'tensor' must be a Tensor of two axes, but got {tensor!r}.")
    return find("ops", "nonzero")(tensor)


def dense_to_coo(tensor: Any) -> COOTensor:
    """The elements of a matrix that are not 0, as a COOTensor with int64 indices.

    Args:
        tensor: a Tensor of two axes.

    Raises:
        ValueError: tensor is no Tensor of two axes.

    Examples:
        >>> x = ops.dense_to_sparse_coo(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> print(x.values)
        [2. 3.]
        >>> print(x.indices)
        [[0 1]
         [1 0]]
    """
    indices = _positions_of(tensor, "dense_to_sparse_coo")
    return COOTensor(indices, tensor[indices[:, 0], indices[:, 1]], tuple(tensor.shape))


def dense_to_csr(tensor: Any) -> CSRTensor:
    """The elements of a matrix that are not 0, as a CSRTensor with int64 indices.

    Args:
        tensor: a Tensor of two axes.

    Raises:
        ValueError: tensor is no Tensor of two axes.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> print(x.values)
        [2. 3.]
        >>> print(x.indptr, x.indices)
        [0 1 2] [1 0]
    """
    indices = _positions_of(tensor, "dense_to_sparse_csr")
    values = tensor[indices[:, 0], indices[:, 1]]
    return CSRTensor(row_pointers(indices[:, 0], tensor.shape[0]), indices[:, 1], values, tuple(tensor.shape))
