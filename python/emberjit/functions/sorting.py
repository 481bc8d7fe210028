"""Order: sorting, the largest, medians, distinct elements. Of equals the lower index comes first; NaN is larger than all."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import FLOATS, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import as_positions, checked_axis

_ops = core.op_table

publish_ops(
    __name__,
    """
topk: mint.topk
""",
)


def _int32(found: Any) -> Any:
    values, indices = found
    return values, as_positions(indices)


@publish(
    """ops.sort(input as input_x, axis, descending) ops.Sort(axis, descending)(input as x)
    Tensor.sort(axis|dim, descending, *, stable)""",
    numpy="""(lambda at: (np.take_along_axis(input, at, axis), at))(
    np.argsort(-input if descending else input, axis, kind='stable'))""",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def sort(input: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: axis is out of range.
    """
    return _int32(_ops["sort"](input, axis, descending))


@publish(
    "mint.sort(input, *, axis as dim, descending, stable)",
    numpy="""(lambda at: (np.take_along_axis(input, at, axis), at))(
    np.argsort(-input if descending else input, axis, kind='stable'))""",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def wide_sort(input: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int64), of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: axis is out of range.
    """
    return _ops["sort"](input, axis, descending)


@publish(
    "ops.argsort(input, axis, descending) Tensor.argsort(axis|dim, descending, *, stable)",
    numpy="np.argsort(-input if descending else input, axis, kind='stable')",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def argsort(input: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The indices (int32) of the elements in order along an axis, of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: axis is out of range.
    """
    return sort(input, axis, descending, stable)[1]


@publish(
    "mint.argsort(input, dim, descending, stable)",
    numpy="np.argsort(-input if descending else input, dim, kind='stable')",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def wide_argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The indices (int64) of the elements in order along an axis, of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: dim is out of range.
    """
    return _ops["sort"](input, dim, descending)[1]


@publish(
    "ops.msort Tensor.msort",
    numpy="np.sort(input, 0)",
    samples="f32(5, 3); i32(40)",
)
def msort(input: Tensor) -> Any:
    """The elements in ascending order along the first axis; NaN is the largest."""
    return _ops["sort"](input, 0)[0]


@publish(
    """ops.topk Tensor.topk(k, dim, largest, sorted) ops.TopK(sorted)(input as input_x, k)
    ops.top_k(input as input_x, k, sorted) Tensor.top_k(k, sorted)""",
    numpy="""(lambda axis, at: (np.take_along_axis(input, at, axis), at))(-1 if dim is None else dim,
    np.take(np.argsort(-input if largest else input, -1 if dim is None else dim, kind='stable'), range(k),
    -1 if dim is None else dim))""",
    samples="f32(3, 5), 2; i32(20, 3), 4, 0; f16(3, 40), 3, -1, False; i64(9), 9, 0, True, False",
)
def topk(input: Tensor, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True) -> Any:
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.

    Args:
        dim: the axis, by default the last.
        largest: whether the largest or the smallest.
        sorted: they are in order, whether it is asked for or not.

    Raises:
        ValueError: dim is out of range, or there are no k elements.
    """
    return _int32(_ops["topk"](input, k, -1 if dim is None else dim, largest, sorted))


def at_position(input: Tensor, axis: int, keepdims: bool, position: Any) -> Any:
    """Of the elements in order along an axis those at a position, a number or Tensor, and their indices."""
    shape = tuple(1 if d == axis % input.ndim else size for d, size in enumerate(input.shape))
    at = _ops["add"](_ops["zeros"](shape, core.int64), position)
    picked = _ops["order_statistic"](input, at, axis)
    return picked if keepdims else tuple(_ops["squeeze"](found, axis) for found in picked)


def _size_and_missing(name: str, input: Tensor, axis: int) -> tuple[int, Any]:
    """The size of an axis, and how many elements along it are NaN.

    Raises:
        ValueError: the axis is out of range, or its size 0.
    """
    size = input.shape[checked_axis(name, input, axis)]
    if size == 0:
        raise ValueError(f"For '{name}', the axis {axis} of an input of shape {tuple(input.shape)} has no elements.")
    return size, _ops["isnan"](input).astype(core.int64).sum(axis, keepdims=True) if input.dtype in FLOATS else 0


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
        return input, _ops["zeros"]((), core.int64)
    size, missing = _size_and_missing("median", input, axis)
    position: Any = (size - 1) // 2
    if input.dtype in FLOATS:
        position = _ops["select"](missing > 0, size - missing, position)
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
    return at_position(input, axis, keepdims, _ops["maximum"]((size - missing - 1) // 2, 0))


@publish("mint.median(input)", numpy="np.sort(input, None)[(input.size - 1) // 2]", samples="f32(3, 5); i32(4, 6); i64(9)")
def median_of_all(input: Tensor) -> Any:
    """The median of all elements, the lower of two; NaN if there is one.

    Raises:
        ValueError: there are no elements.
    """
    return median(_ops["reshape"](input, (-1,)), 0)[0]


def _written(size: int, index: Tensor, values: Tensor) -> Tensor:
    return _ops["tensor_scatter_elements"](_ops["zeros"]((size,), values.dtype), index, values)  # type: ignore[no-any-return]


@publish(
    "ops.unique ops.Unique()(input as x)",
    numpy="""(lambda y, first, inverse: (y[np.argsort(first)], np.argsort(np.argsort(first))[inverse].reshape(input.shape)))(
    *np.unique(input, return_index=True, return_inverse=True))""",
    samples="i32(12); i64(3, 40); f32(3, 4); b1(5)",
    in_python=True,
)
def unique(input: Tensor) -> Any:
    """(the distinct elements in the order of their first occurrence, 1-d; which of them each element is).

    Each NaN is distinct. The second is of int64 if the input is, else of int32.
    """
    kind = core.int64 if input.dtype == core.int64 else core.int32
    flat = _ops["reshape"](input, (-1,))
    size = flat.shape[0]
    if size == 0:
        return flat, _ops["zeros"](input.shape, kind)
    values, order = _ops["sort"](flat)
    differs = _ops["not_equal"](values[1:], values[:-1])
    group = _ops["concat"]((_ops["zeros"]((1,), core.int64), _ops["cumsum"](differs, 0, core.int64)))
    count = int(group[-1]) + 1
    first, at = _ops["sort"](_written(count, _ops["flip"](group, 0), _ops["flip"](order, 0)))
    inverse = _written(size, order, _written(count, at, _ops["arange"](count))[group])
    return flat[first], _ops["reshape"](as_positions(inverse, kind), input.shape)


@publish(
    "numpy.unique(input as x, return_inverse)",
    numpy="""(lambda y, first, inverse: (y[np.argsort(first)], np.argsort(np.argsort(first))[inverse])
    if return_inverse else y[np.argsort(first)])(*np.unique(input, return_index=True, return_inverse=True))""",
    samples="i32(12); i32(30), True",
    in_python=True,
)
def unique_by_occurrence(input: Tensor, return_inverse: bool = False) -> Any:
    """The distinct elements in the order of their first occurrence, 1-d. Each NaN is distinct.

    Args:
        return_inverse: whether to give which of them each element is, too.
    """
    found = unique(input)
    return found if return_inverse else found[0]


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
        return _ops["full"](shape, math.nan, x.dtype), _ops["zeros"](shape, core.int64)
    middle = nanmedian if ignore_nan else median
    return middle(_ops["reshape"](x, (-1,)), 0) if global_median else middle(x, axis, keep_dims)
