"""Functions that look for elements, by position, order or value: indexing, searching, sorting and sets.

Positions are of int64. Source: the Python array API standard, "Indexing", "Searching", "Sorting" and "Set Functions".
"""

from __future__ import annotations

from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.array_api.array import Array, operands_in, tensor_in
from emberjit.array_api.dtypes import COMPLEX_FLOATS, INDEX, INTEGERS, REAL, Axes, checked
from emberjit.array_api.elements import in_one_dtype
from emberjit.array_api.manipulation import axes_of
from emberjit.functions.sorting import searching, sets
from emberjit.tensors.indexing import along, checked_axis, true_positions

__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "count_nonzero",
    "isin",
    "nonzero",
    "searchsorted",
    "sort",
    "take",
    "take_along_axis",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "where",
]

_ops = core.ops


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """The parts of x along an axis at indices.

    Args:
        indices: an array of integers; negative ones count from the end.
        axis: may be None of an array of one axis.

    Raises:
        TypeError: indices are not of integers.
        IndexError: an index is out of range.
        ValueError: axis is out of range, or None of several axes.
    """
    tensor, at = tensor_in("take", x), tensor_in("take", indices)
    checked("take", at.dtype, INTEGERS)
    if axis is None and tensor.ndim != 1:
        raise ValueError(f"For 'take', 'axis' must be given of an array of shape {tuple(tensor.shape)}.")
    return Array(tensor[along(checked_axis("take", tensor, 0 if axis is None else axis), at)])


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """For each position of `indices` the element of x there, but along an axis at the index.

    Args:
        indices: an array of integers, of as many axes as x; other axes than `axis` broadcast.

    Raises:
        TypeError: indices are not of integers.
        ValueError: axis is out of range, or the shapes do not fit.
        IndexError: an index is out of range.
    """
    tensor, index = tensor_in("take_along_axis", x), tensor_in("take_along_axis", indices)
    checked("take_along_axis", index.dtype, INTEGERS)
    at = checked_axis("take_along_axis", tensor, axis)
    if index.ndim != tensor.ndim:
        raise ValueError(f"For 'take_along_axis', axes must be as many, but shapes are {x.shape} and {indices.shape}.")
    key: list[Any] = [_along(axis, tensor.shape[axis], tensor.ndim) for axis in range(tensor.ndim)]
    key[at] = index
    return Array(tensor[tuple(key)])


def _along(axis: int, size: int, rank: int) -> Any:
    """0, 1, ... along one of several axes."""
    return _ops.reshape(_ops.arange(0, size, 1), (*[1] * axis, size, *[1] * (rank - axis - 1)))


def _position(op: str, x: Array, axis: int | None, keepdims: bool) -> Array:
    tensor = tensor_in(op, x)
    checked(op, tensor.dtype, REAL)
    flat = _ops.reshape(tensor, (-1,)) if axis is None else tensor
    at = 0 if axis is None else checked_axis(op, tensor, axis)
    if flat.shape[at] == 0:
        raise ValueError(f"For '{op}', there is no element along the axis in an array of shape {x.shape}.")
    index = _ops.cast(core.op_table[op](flat, at, False), INDEX)
    reduced = axes_of(op, axis, tensor.ndim)
    shape = tuple(1 if i in reduced else size for i, size in enumerate(tensor.shape))
    return Array(_ops.reshape(index, shape) if keepdims else index)


def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The position of the largest real number along an axis, or among all; of equals the first. NaN is the largest.

    Args:
        keepdims: whether the axis stays, of size 1; without an axis all do.

    Raises:
        TypeError: x is not of real numbers.
        ValueError: axis is out of range, or there is no element.
    """
    return _position("argmax", x, axis, keepdims)


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The position of the smallest real number along an axis, or among all; of equals the first. See argmax."""
    return _position("argmin", x, axis, keepdims)


def count_nonzero(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """How many elements are not 0, along axes, or of all. NaN is not 0.

    Args:
        axis: one or several; None: all.
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range, or there twice.
    """
    tensor = tensor_in("count_nonzero", x)
    axes = axes_of("count_nonzero", axis, tensor.ndim)
    ones = _ops.cast(_ops.cast(tensor, core.bool_), INDEX)
    return Array(_ops.reduce_sum(ones, axes, keepdims) if axes else ones)


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """The positions of elements that are not 0, in row-major order: one array for each axis.

    Raises:
        ValueError: x has no axes.
    """
    tensor = tensor_in("nonzero", x)
    if tensor.ndim == 0:
        raise ValueError("For 'nonzero', 'x' must have an axis.")
    positions = true_positions(_ops.cast(tensor, core.bool_))
    return tuple(Array(positions[:, axis]) for axis in range(tensor.ndim))


def where(condition: Array, x1: Array | complex, x2: Array | complex, /) -> Array:
    """x1 where a condition is true, else x2, after broadcasting, in the dtype they promote to.

    Args:
        condition: an array of bools.
        x1, x2: arrays, of which one may be a number.

    Raises:
        TypeError: condition is not of bools, or no dtype holds both.
        ValueError: the shapes do not broadcast.
    """
    chosen = tensor_in("where", condition)
    checked("where", chosen.dtype, (core.bool_,))
    return Array(_ops.select(chosen, *in_one_dtype("where", operands_in("where", x1, x2))))


def searchsorted(x1: Array, x2: Array | float, /, *, side: str = "left", sorter: Array | None = None) -> Array:
    """The positions at which values, put there, keep a sequence of real numbers in order.

    Args:
        x1: the sequence, an array of one axis, in ascending order.
        x2: the values: an array, or a number.
        side: "left": before equal elements; "right": after them.
        sorter: an array of integers that puts x1 in order; None: it is.

    Raises:
        TypeError: x1 or x2 is not of real numbers, or sorter not of integers.
        ValueError: side is another, or x1 has not one axis.
    """
    sequence, values = in_one_dtype("searchsorted", operands_in("searchsorted", x1, x2), REAL)
    if sequence.ndim != 1:
        raise ValueError(f"For 'searchsorted', 'x1' must have one axis, but its shape is {tuple(sequence.shape)}.")
    if side not in ("left", "right"):
        raise ValueError(f"For 'searchsorted', 'side' must be 'left' or 'right', but got {side!r}.")
    order = None if sorter is None else tensor_in("searchsorted", sorter)
    if order is not None:
        checked("searchsorted", order.dtype, INTEGERS)
        order = _ops.cast(order, INDEX)
    return Array(searching.searchsorted(sequence, values, side=side, sorter=order))


def _in_order(name: str, x: Array, axis: int, descending: bool) -> Any:
    tensor = tensor_in(name, x)
    checked(name, tensor.dtype, REAL)
    return _ops.sort(tensor, checked_axis(name, tensor, axis), descending)


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The real numbers along an axis in order, NaN as the largest.

    Args:
        descending: whether the largest is the first.
        stable: whether equals keep their order, which they do either way.

    Raises:
        TypeError: x is not of real numbers.
        ValueError: axis is out of range.
    """
    return Array(_in_order("sort", x, axis, descending)[0])


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The positions of the real numbers along an axis in order. See sort."""
    return Array(_ops.cast(_in_order("argsort", x, axis, descending)[1], INDEX))


def isin(x1: Array | float, x2: Array | float, /, *, invert: bool = False) -> Array:
    """Whether each element of x1 is among those of x2. NaN is not.

    Args:
        x1, x2: arrays, of which one may be a number.
        invert: whether to tell if it is not.

    Raises:
        TypeError: no dtype holds both, or they are complex.
    """
    elements, others = in_one_dtype("isin", operands_in("isin", x1, x2), REAL)
    return Array(sets.isin(elements, others, invert))


class UniqueAll(NamedTuple):
    """Distinct elements, the first position of each, which of them each element of x is, and how often each is there."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """Distinct elements, and how often each is there."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """Distinct elements, and which of them each element of x is."""

    values: Array
    inverse_indices: Array


def _ordered(flat: Tensor) -> Any:
    """The positions of elements in order, equals by position; of complex numbers by real, then imaginary part."""
    if flat.dtype not in COMPLEX_FLOATS:
        return _ops.sort(flat, 0, False)[1]
    order = _ops.sort(_ops.imag(flat), 0, False)[1]
    return order[_ops.sort(_ops.real(flat)[order], 0, False)[1]]


def unique_all(x: Array, /) -> UniqueAll:
    """The distinct elements in ascending order; each NaN is distinct.

    Returns:
        values, indices (of the first of each, in row-major order), inverse_indices (of x's shape), counts.
    """
    tensor = tensor_in("unique_all", x)
    flat = _ops.reshape(tensor, (-1,))
    size = flat.shape[0]
    order = _ops.cast(_ordered(flat), INDEX)
    values = flat[order]
    first = _ops.concat([_ops.ones((min(size, 1),), core.bool_), _ops.not_equal(values[1:], values[:-1])], 0)
    starts = true_positions(first)[:, 0]
    ends = _ops.concat([starts[1:], _ops.full((min(size, 1),), size, INDEX)], 0)
    group = _ops.sub(_ops.cumsum(first, 0, INDEX), 1)
    inverse = _ops.tensor_scatter_elements(_ops.zeros((size,), INDEX), order, group)
    return UniqueAll(
        Array(values[starts]),
        Array(order[starts]),
        Array(_ops.reshape(inverse, tuple(tensor.shape))),
        Array(_ops.sub(ends, starts)),
    )


def unique_counts(x: Array, /) -> UniqueCounts:
    """The distinct elements in ascending order, and how often each is there. See unique_all."""
    unique = unique_all(x)
    return UniqueCounts(unique.values, unique.counts)


def unique_inverse(x: Array, /) -> UniqueInverse:
    """The distinct elements in ascending order, and which of them each element is. See unique_all."""
    unique = unique_all(x)
    return UniqueInverse(unique.values, unique.inverse_indices)


def unique_values(x: Array, /) -> Array:
    """The distinct elements in ascending order. See unique_all."""
    return unique_all(x).values
