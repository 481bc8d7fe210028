"""Medians, quantiles and other elements of an order. NaN is larger than all."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import FLOATS, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis

_ops = core.ops


def at_position(input: Tensor, axis: int, keepdims: bool, position: Number) -> Any:
    """Of the elements in order along an axis those at a position, a number or Tensor, and their indices."""
    shape = tuple(1 if d == axis % input.ndim else size for d, size in enumerate(input.shape))
    at = _ops.add(_ops.zeros(shape, core.int64), position)
    pair = _ops.order_statistic(input, at, axis)
    return pair if keepdims else tuple(_ops.squeeze(tensor, axis) for tensor in pair)


def _size_and_missing(name: str, input: Tensor, axis: int) -> tuple[int, Any]:
    """The size of an axis, and how many elements along it are NaN.

    Raises:
        ValueError: the axis is out of range, or its size 0.
    """
    size = input.shape[checked_axis(name, input, axis)]
    if size == 0:
        raise ValueError(f"For '{name}', the axis {axis} of an input of shape {tuple(input.shape)} has no elements.")
    return size, _ops.isnan(input).astype(core.int64).sum(axis, keepdims=True) if input.dtype in FLOATS else 0


@publish(
    "ops.median Tensor.median(axis|dim, keepdims|keepdim) mint.median(input, axis as dim: int = ..., keepdims as keepdim)",
    numpy="""(lambda at: tuple(x if keepdims else x.squeeze(axis) for x in (np.take_along_axis(input, at, axis), at)))(
    np.take(np.argsort(input, axis, kind='stable'), [(input.shape[axis] - 1) // 2], axis))""",
    samples="f32(3, 5); i32(4, 6), 0; f32(3, 4), -1, True; i64(9), 0",
)
def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> Any:
    """(medians along an axis, the lower of two; their indices as int64). NaN, and the first index of one, if there is one.

    Args:
        keepdims: whether the axis stays, of size 1.

    Raises:
        ValueError: axis is out of range, or of size 0.
    """
    if input.ndim == 0:
        return input, _ops.zeros((), core.int64)
    size, missing = _size_and_missing("median", input, axis)
    position: Any = (size - 1) // 2
    if input.dtype in FLOATS:
        position = _ops.select(missing > 0, size - missing, position)
    return at_position(input, axis, keepdims, position)


@publish(
    "ops.nanmedian Tensor.nanmedian",
    numpy="""(lambda at: tuple(x if keepdims else x.squeeze(axis) for x in (np.take_along_axis(input, at, axis), at)))(
    np.take(np.argsort(input, axis, kind='stable'), [(input.shape[axis] - 1) // 2], axis))""",
    samples="f32(3, 5); i32(4, 6), 0; f32(3, 4), -1, True",
)
def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> Any:
    """(medians along an axis of what is not NaN, the lower of two; their indices as int64); NaN where there is nothing else.

    Args:
        keepdims: whether the axis stays, of size 1.

    Raises:
        ValueError: axis is out of range, or of size 0.
    """
    if input.dtype not in FLOATS or input.ndim == 0:
        return median(input, axis, keepdims)
    size, missing = _size_and_missing("nanmedian", input, axis)
    return at_position(input, axis, keepdims, _ops.maximum((size - missing - 1) // 2, 0))


@publish("mint.median(input)", numpy="np.sort(input, None)[(input.size - 1) // 2]", samples="f32(3, 5); i32(4, 6); i64(9)")
def median_of_all(input: Tensor) -> Any:
    """The median of all elements, the lower of two; NaN if there is one.

    Raises:
        ValueError: there are no elements.
    """
    return median(_ops.reshape(input, (-1,)), 0)[0]


@publish(
    "ops.Median(global_median, axis, keep_dims, ignore_nan)(x)",
    numpy="""(lambda at: tuple(y if keep_dims else y.squeeze(axis) for y in (np.take_along_axis(x, at, axis), at)))(
    np.take(np.argsort(x, axis, kind='stable'), [(x.shape[axis] - 1) // 2], axis))""",
    samples="f32(3, 5); i32(4, 6), False, 1; f32(3, 4), False, -1, True, True",
)
def median_either_way(
    x: Tensor, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False
) -> Any:
    """(medians along an axis, or of all elements, the lower of two; their indices as int64). The median of no floats is NaN.

    Args:
        global_median: whether of all elements; the index is that among all.
        keep_dims: whether the axis stays, of size 1.
        ignore_nan: whether NaN is left out; otherwise it is the median, if there is one.

    Raises:
        ValueError: axis is out of range, or there are no elements.
    """
    if x.size == 0 and x.dtype in FLOATS and (global_median or x.ndim == 1):
        shape = (1,) * (keep_dims and not global_median)
        return _ops.full(shape, math.nan, x.dtype), _ops.zeros(shape, core.int64)
    middle = nanmedian if ignore_nan else median
    return middle(_ops.reshape(x, (-1,)), 0) if global_median else middle(x, axis, keep_dims)


def _fractions(function: str, q: Any) -> Any:
    """Fractions as a Tensor.

    Raises:
        TypeError: they are neither numbers nor a Tensor of floats.
        ValueError: they have more than one axis, or a number is not from 0 to 1.
    """
    numbers = [q] if isinstance(q, (int, float)) else q if isinstance(q, (tuple, list)) else None
    if isinstance(q, core.Tensor):
        if q.dtype not in FLOATS:
            raise TypeError(f"For '{function}', 'q' must be a number or a Tensor of floats, but got {q.dtype}.")
        if q.ndim > 1:
            raise ValueError(f"For '{function}', 'q' must have at most one axis, but its shape is {tuple(q.shape)}.")
        if core.is_captured(q):
            return _ops.select(_ops.logical_and(q >= 0, q <= 1), q, math.nan)
        numbers = q.tolist() if q.ndim else [q.tolist()]
    elif numbers is None:
        raise TypeError(f"For '{function}', 'q' must be a number or a Tensor of floats, but got {q!r}.")
    for number in numbers or ():
        if not 0 <= number <= 1:
            raise ValueError(f"For '{function}', 'q' must be from 0 to 1, but got {number}.")
    return q if isinstance(q, core.Tensor) else core.Tensor(q, core.float64)


def _quantile(function: str, input: Tensor, q: Any, axis: int | None, keepdims: bool, ignore: bool) -> Any:
    if input.dtype not in (core.float32, core.float64):
        raise TypeError(f"For '{function}', the input must be float32 or float64, but got {input.dtype}.")
    fractions = _fractions(function, q)
    whole = axis is None or input.ndim == 0
    x = _ops.reshape(input, (-1,)) if whole else input
    at = checked_axis(function, x, 0 if axis is None else axis)
    size = x.shape[at]
    if size == 0:
        raise ValueError(f"For '{function}', there are no elements along axis {axis} of shape {tuple(input.shape)}.")
    last = size - _ops.sum(_ops.cast(_ops.isnan(x), core.int64), at, True) - 1
    ordered = _ops.sort(x, at)[0]
    spread = _ops.reshape(fractions, tuple(-1 if d == at else 1 for d in range(x.ndim)))
    share = _ops.cast(spread, core.float64)
    if ignore:
        place = share * _ops.cast(_ops.maximum(last, 0), core.float64)
    else:
        place = _ops.select(last < size - 1, size - 1.0, share * (size - 1))
    low = _ops.floor(place)
    shape = tuple(fractions.size if d == at else n for d, n in enumerate(x.shape))
    lower = _ops.gather_d(ordered, at, _ops.broadcast_to(_ops.cast(low, core.int64), shape))
    upper = _ops.gather_d(ordered, at, _ops.broadcast_to(_ops.cast(_ops.ceil(place), core.int64), shape))
    share = _ops.cast(place - low, x.dtype)
    step = upper - lower
    between = _ops.select(share < 0.5, lower + step * share, upper - step * (1 - share))
    result = _ops.select(_ops.equal(lower, upper), lower, between)
    if fractions.ndim:
        result = _ops.transpose(result, (at, *(d for d in range(x.ndim) if d != at)))
        result = _ops.expand_dims(result, at + 1) if keepdims and not whole else result
        return _ops.reshape(result, (-1, *[1] * input.ndim)) if keepdims and whole else result
    if whole:
        return _ops.reshape(result, (1,) * input.ndim if keepdims else ())
    return result if keepdims else _ops.squeeze(result, at)


_QUANTILE = """The quantiles along an axis, of the two nearest elements in between{}.

    Args:
        q: fractions from 0 to 1: a number, or a Tensor of at most one axis, which comes first in the result.
        axis: None for all elements.
        keepdims: whether the axis stays, of size 1.

    Raises:
        TypeError: the input is neither float32 nor float64, or q of another type.
        ValueError: axis or a number in q is out of range, or there are no elements.
        IndexError: in a graph, a number in q is out of range.
    """


def _declare_quantile(name: str, ignore: bool, text: str) -> None:
    def quantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        return _quantile(name, input, q, axis, keepdims, ignore)

    quantile.__name__, quantile.__doc__ = name, _QUANTILE.format(text)
    publish(
        f"ops.{name} Tensor.{name}",
        numpy=f"np.{name}(input, q, axis=axis, keepdims=keepdims)",
        samples="f32(3, 5), 0.5; f32(4, 6), 0.3, 0; f64(3, 4), f64(2) * 0 + [0.25, 1.0], -1, True; f32(7), 1.0, 0",
        in_python=True,
    )(quantile)


_declare_quantile("quantile", False, "; NaN if there is one")


_declare_quantile("nanquantile", True, ", of what is not NaN; NaN where there is nothing else")


@publish(
    "ops.Quantile(dim, keep_dims, ignore_nan)(input, q)",
    numpy="np.quantile(input, q, axis=dim, keepdims=keep_dims)",
    samples="f32(3, 5), f32(2) * 0 + [0.25, 1.0], 1; f32(7), 0.5, None, True",
    in_python=True,
)
def quantile_either_way(
    input: Tensor, q: Any, dim: int | None = None, keep_dims: bool = False, ignore_nan: bool = False
) -> Any:
    """The quantiles along an axis, of the two nearest elements in between.

    Args:
        q: fractions from 0 to 1: a number, or a Tensor of at most one axis, which comes first in the result.
        dim: the axis; None for all elements.
        keep_dims: whether the axis stays, of size 1.
        ignore_nan: whether NaN is left out; otherwise what has one is NaN.

    Raises:
        TypeError: the input is neither float32 nor float64, or q of another type.
        ValueError: dim or a number in q is out of range, or there are no elements.
    """
    return _quantile("Quantile", input, q, dim, keep_dims, ignore_nan)


@publish(
    "ops.kthvalue Tensor.kthvalue mint.kthvalue",
    numpy="""(lambda at: tuple(x if keepdim else x.squeeze(dim) for x in (np.take_along_axis(input, at, dim), at)))(
    np.take(np.argsort(input, dim, kind='stable'), [k - 1], dim))""",
    samples="f32(3, 5), 2; i32(4, 6), 1, 0; f32(3, 4), 4, -1, True",
)
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """(the k-th smallest elements along an axis, their indices as int64).

    Of equals the lower index comes first; NaN is the largest.

    Args:
        k: from 1 to the size of the axis.
        keepdim: whether the axis stays, of size 1.

    Raises:
        ValueError: dim or k is out of range.
    """
    size = input.shape[checked_axis("kthvalue", input, dim)] if input.ndim else 1
    if not 1 <= k <= size:
        raise ValueError(f"For 'kthvalue', 'k' must be from 1 to {size}, the size of the axis, but got {k}.")
    return at_position(input, dim, keepdim, k - 1) if input.ndim else (input, _ops.zeros((), core.int64))


@publish(
    "ops.NthElement(reverse)(input, n)",
    numpy="np.take(np.sort(input, -1), -1 - n if reverse else n, -1)",
    samples="f32(3, 5), 1; i32(6), 0, True",
)
def nth_element(input: Tensor, n: Any, reverse: bool = False) -> Any:
    """The n-th smallest elements along the last axis, or largest, counted from 0; NaN is the largest.

    Args:
        n: an int, or a 0-d Tensor of one.
        reverse: whether to count from the largest.

    Raises:
        ValueError: n is not from 0 to below the size of the axis.
    """
    size, k = input.shape[checked_axis("NthElement", input, -1)], int(n)
    if not 0 <= k < size:
        raise ValueError(f"For 'NthElement', 'n' must be from 0 to {size - 1}, but got {k}.")
    return at_position(input, -1, False, size - 1 - k if reverse else k)[0]
