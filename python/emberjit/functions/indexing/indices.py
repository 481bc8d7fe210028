"""Indices themselves: of triangles, diagonals and grids, and between flat ones and those by axes."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_room, check_steps
from emberjit.functions.indexing.gather import within
from emberjit.publish.kinds import DType, Ints, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import true_positions
from emberjit.tensors.operands import as_tensor

_ops = core.ops


def _triangle(function: str, upper: bool, rows: int, columns: int, offset: int) -> Any:
    """The indices (int64, a row each) of the elements of a matrix on a diagonal and on one side of it.

    Raises:
        ValueError: a size is negative.
    """
    if rows < 0 or columns < 0:
        raise ValueError(f"For '{function}', sizes must not be negative, but got {rows} and {columns}.")

    def clipped(end: int) -> int:  # the sum of those below end, each within [0, columns]
        least, most = max(end, 0), min(max(end, 0), columns)
        return most * (most - 1) // 2 + (least - most) * columns

    first = offset + (not upper)
    below = clipped(rows + first) - clipped(first)
    mask = (_ops.less if upper else _ops.greater_equal)(
        _ops.expand_dims(_ops.arange(rows), 1) + (offset - 1 if upper else offset), _ops.arange(columns)
    )
    return _ops.true_positions(mask, rows * columns - below if upper else below)


def _declare_triangle(side: str, upper: bool) -> None:
    name, word = f"{side}_indices", "above" if upper else "below"
    shape = "the row and the column of each element of a matrix"

    def triangle(row: int, col: int, offset: int = 0, dtype: DType = core.int64) -> Any:
        if dtype not in (core.int32, core.int64):
            raise TypeError(f"For '{name}', 'dtype' must be int32 or int64, but got {dtype}.")
        check_room(name, "rows or columns", max(row, col), dtype)
        return _ops.cast(_ops.transpose(_triangle(name, upper, row, col, offset), (1, 0)), dtype)

    def pair(n: int, k: int = 0, m: int | None = None) -> Any:
        columns = n if m is None else m
        check_room(name, "rows or columns", max(n, columns), core.int32)
        at = _ops.cast(_triangle(name, upper, n, columns, k), core.int32)
        return at[:, 0], at[:, 1]

    def of_matrix(arr: Tensor, k: int = 0) -> Any:
        if arr.ndim != 2:
            raise ValueError(f"For '{name}_from', 'arr' must be a matrix, but its shape is {tuple(arr.shape)}.")
        return pair(arr.shape[0], k, arr.shape[1])

    triangle.__name__, pair.__name__, of_matrix.__name__ = name, f"{name}_pair", f"{name}_from"
    triangle.__doc__ = f"""A matrix of two rows: {shape} on a diagonal and {word} it, in row-major order.

    Args:
        row, col: the sizes of the matrix.
        offset: how far the diagonal is above the main one.
        dtype: int32 or int64.

    Raises:
        TypeError: dtype is another.
        ValueError: a size is negative.
    """
    pair.__doc__ = f"""({shape} on a diagonal and {word} it, apart, int32), in row-major order.

    Args:
        n, m: the sizes of the matrix, by default m is n.
        k: how far the diagonal is above the main one.

    Raises:
        ValueError: a size is negative.
    """
    of_matrix.__doc__ = f"""({shape} arr on a diagonal and {word} it, apart, int32), in row-major order.

    Args:
        k: how far the diagonal is above the main one.

    Raises:
        ValueError: arr is no matrix.
    """
    publish(
        f"ops.{name}(row, col, offset, *, dtype) ops.{side.title()}Indices(row, col, offset, dtype = int32)()",
        numpy=f"np.array(np.{name}(row, offset, col))",
        samples="3, 4; 4, 3, -1; 2, 5, 2, int32; 0, 3; 3, 2, -7; 2, 2, 9",
    )(triangle)
    publish(f"numpy.{name}", numpy=f"np.{name}(n, k, m)", samples="3; 4, -1; 2, 1, 5", in_python=True)(pair)
    publish(f"numpy.{name}_from", numpy=f"np.{name}_from(arr, k)", samples="f32(3, 4); f32(2, 2), 1", in_python=True)(
        of_matrix
    )


_declare_triangle("tril", False)


_declare_triangle("triu", True)


@publish("numpy.diag_indices", numpy="np.diag_indices(n, ndim)", samples="3; 2, 3", in_python=True)
def diag_indices(n: int, ndim: int = 2) -> Any:
    """The indices (int32) of the main diagonal of a Tensor of some axes of size n, a Tensor for each axis."""
    check_steps("diag_indices", "ndim", ndim)
    return (_ops.arange(n, dtype=core.int32),) * ndim


@publish(
    "numpy.indices",
    numpy="np.indices(dimensions, dtype, sparse)",
    samples="(2, 3); (2, 3, 4), int64; (2, 3), int32, True",
    in_python=True,
)
def grid_indices(dimensions: Ints, dtype: DType = core.int32, sparse: bool = False) -> Any:
    """The index along each axis of every element of a shape: stacked; or in a tuple, each of size 1 along the other axes.

    Args:
        sparse: whether to give that tuple.
    """
    shape = (dimensions,) if isinstance(dimensions, int) else tuple(dimensions)
    indices = [
        _ops.reshape(_ops.arange(n, dtype=dtype), tuple(-1 if d == axis else 1 for d in range(len(shape))))
        for axis, n in enumerate(shape)
    ]
    return tuple(indices) if sparse else _ops.stack([_ops.broadcast_to(one, shape) for one in indices], 0)


@publish(
    "numpy.ix_(*args = ())", numpy="np.ix_(*args)", samples="(i64(2), i64(3)); ([0, 2], [True, False, True])", in_python=True
)
def ix_(args: Any) -> Any:
    """Indices along each of several axes, in shapes that broadcast to all their combinations; bools stand for where they are
    true.

    Args:
        args: Tensors of one axis, of ints or bools.

    Raises:
        ValueError: one has not one axis.
    """
    out = []
    for axis, one in enumerate(args):
        index = as_tensor(one)
        if index.ndim != 1:
            raise ValueError(f"For 'ix_', each argument must have one axis, but got shape {tuple(index.shape)}.")
        index = true_positions(index) if index.dtype == core.bool_ else index
        out.append(_ops.reshape(index, tuple(-1 if d == axis else 1 for d in range(len(args)))))
    return tuple(out)


def _order(function: str, order: str) -> bool:
    """Whether the first axis varies fastest.

    Raises:
        ValueError: order is unknown.
    """
    check_choice(function, "order", order, "C", "F")
    return order == "F"


def _unravelled(function: str, indices: Tensor, shape: Any, first_fastest: bool) -> list[Any]:
    """The index along each axis of elements of a shape, which are limited to those that it has."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if not sizes or any(n < 1 for n in sizes):
        raise ValueError(f"For '{function}', all sizes of the shape must be positive, but got {sizes}.")
    rest = _ops.clip(_ops.cast(indices, core.int64), 0, math.prod(sizes) - 1)
    out = []
    for n in sizes if first_fastest else reversed(sizes):
        out.append(_ops.floor_mod(rest, n))
        rest = _ops.floor_div(rest, n)
    return out if first_fastest else out[::-1]


@publish(
    "numpy.unravel_index",
    numpy="np.unravel_index(indices, shape, order)",
    samples="i64(5) % 12, (3, 4); i32(2, 3) % 12, (3, 2, 2), 'F'; 7, (3, 4)",
    in_python=True,
)
def unravel_index(indices: Number, shape: Ints, order: str = "C") -> Any:
    """The index along each axis of elements that are counted in row-major order; of the nearest if out of range.

    Args:
        indices: Tensors of integers, whose dtype is the result's; else that is int32.
        order: "F" if they are counted so that the first axis varies fastest.

    Raises:
        ValueError: order is unknown, or the shape has no elements.
    """
    columns = _unravelled("unravel_index", as_tensor(indices), shape, _order("unravel_index", order))
    kind = indices.dtype if isinstance(indices, core.Tensor) else core.int32
    return tuple(_ops.cast(one, kind) for one in columns)


@publish(
    "ops.UnravelIndex()(indices, dims)",
    numpy="np.array(np.unravel_index(indices, dims))",
    samples="i64(5) % 12, i64(2) * 0 + [3, 4]; i32() % 12, i32(3) * 0 + [3, 2, 2]",
    in_python=True,
)
def stacked_unravel_index(indices: Tensor, dims: Tensor) -> Any:
    """The indices along each axis, a row each, of elements that are counted in row-major order.

    Args:
        dims: the shape, a 1-d Tensor of integers.

    Raises:
        ValueError: an index is out of range, or the shape has no elements.
    """
    sizes = tuple(dims.tolist())
    size = math.prod(sizes)
    if indices.size and not 0 <= int(_ops.amin(indices)) <= int(_ops.amax(indices)) < size:
        raise ValueError(f"For 'UnravelIndex', indices must be from 0 to {size - 1}, as {sizes} has {size} elements.")
    return _ops.cast(_ops.stack(_unravelled("UnravelIndex", indices, sizes, False), 0), indices.dtype)


@publish(
    "numpy.ravel_multi_index",
    numpy="np.ravel_multi_index(tuple(multi_index), dims, mode, order)",
    samples="(i64(4), i64(4)), (3, 4); [i32(2, 3), i32(3)], (3, 5), 'wrap', 'F'; i64(2, 4) % 3, (3, 4), 'raise'",
    in_python=True,
)
def ravel_multi_index(multi_index: Any, dims: Ints, mode: str = "clip", order: str = "C") -> Any:
    """The numbers (int64) of elements counted in row-major order, given an index along each axis.

    Args:
        multi_index: a tuple or list of Tensors, which broadcast, or a Tensor whose slices along its first axis are meant.
        dims: the shape.
        mode: of indices out of range: "clip" takes the nearest, "wrap" counts on from the other end, "raise" refuses.
        order: "F" if the first axis varies fastest.

    Raises:
        ValueError: there is not one index for each axis, or mode or order is unknown.
        IndexError: an index is out of range, and mode is "raise".
    """
    sizes = (dims,) if isinstance(dims, int) else tuple(dims)
    indices = (
        multi_index if isinstance(multi_index, (tuple, list)) else [multi_index[i] for i in range(multi_index.shape[0])]
    )
    if len(indices) != len(sizes):
        raise ValueError(
            f"For 'ravel_multi_index', there must be {len(sizes)} indices, one for each axis, but got {len(indices)}."
        )
    columns = [within("ravel_multi_index", as_tensor(one), n, mode) for one, n in zip(indices, sizes)]
    if _order("ravel_multi_index", order):
        columns, sizes = columns[::-1], sizes[::-1]
    return _ops.flat_positions(columns, sizes, tuple(range(len(sizes))))


@publish("ops.InvertPermutation", numpy="tuple(np.argsort(input_x).tolist())", samples="(2, 0, 1); (0,); ()", in_python=True)
def invert_permutation(input_x: Any) -> Any:
    """Of a tuple of ints where each of 0, 1, ... stands in it.

    Args:
        input_x: a tuple or list of ints.

    Raises:
        TypeError: it is no tuple or list of ints.
        ValueError: it is no permutation.
    """
    if not isinstance(input_x, (tuple, list)) or not all(isinstance(i, int) and not isinstance(i, bool) for i in input_x):
        raise TypeError(f"For 'InvertPermutation', 'input_x' must be a tuple of ints, but got {input_x!r}.")
    if sorted(input_x) != list(range(len(input_x))):
        raise ValueError(
            f"For 'InvertPermutation', 'input_x' must hold each of 0 to {len(input_x) - 1} once, but got {input_x}."
        )
    return tuple(input_x.index(i) for i in range(len(input_x)))
