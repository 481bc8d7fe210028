"""Tensors as sets: distinct elements, which belong to another, what is common. Each NaN is distinct. `unique` of ops and
numpy keeps the order of first occurrence, that of mint and Tensor sorts."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.publish.kinds import DType, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions, checked_axis, true_positions
from emberjit.tensors.operands import as_tensor, promoted

_ops = core.ops


def _written(size: int, index: Tensor, values: Tensor) -> Tensor:
    return _ops.tensor_scatter_elements(_ops.zeros((size,), values.dtype), index, values)


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
    flat = _ops.reshape(input, (-1,))
    size = flat.shape[0]
    if size == 0:
        return flat, _ops.zeros(input.shape, kind)
    values, order = _ops.sort(flat)
    differs = _ops.not_equal(values[1:], values[:-1])
    group = _ops.concat((_ops.zeros((1,), core.int64), _ops.cumsum(differs, 0, core.int64)))
    count = int(group[-1]) + 1
    first, at = _ops.sort(_written(count, _ops.flip(group, 0), _ops.flip(order, 0)))
    inverse = _written(size, order, _written(count, at, _ops.arange(count))[group])
    return flat[first], _ops.reshape(as_positions(inverse, kind), input.shape)


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
    results = unique(input)
    return results if return_inverse else results[0]


def _flat(value: Number) -> Any:
    return _ops.reshape(as_tensor(value), (-1,))


def _where(mask: Tensor) -> Any:
    """The positions of the true elements of one axis."""
    return _ops.reshape(true_positions(mask), (-1,))


def _belongs(x: Tensor, members: Tensor) -> Any:
    """Whether each element is among the members."""
    if members.shape[0] == 0:
        return _ops.zeros(x.shape, core.bool_)
    ordered = _ops.sort(members)[0]
    at = _ops.minimum(_ops.search_sorted(ordered, x), members.shape[0] - 1)
    return _ops.equal(_ops.gather(ordered, at, 0), x)


@publish(
    "numpy.isin",
    numpy="np.isin(element, test_elements, invert=invert)",
    samples="i32(3, 4), i32(5); f32(4), [0.5], True; i64(6), []; i32(7), i64(2, 2)",
)
def isin(element: Number, test_elements: Number, invert: bool = False) -> Any:
    """Whether each element is among others.

    Args:
        invert: whether to tell if it is not.
    """
    x = as_tensor(element)
    mask = _belongs(x, _flat(test_elements))
    return _ops.logical_not(mask) if invert else mask


@publish(
    "numpy.in1d",
    numpy="np.isin(ar1, ar2, invert=invert).ravel()",
    samples="i32(3, 4), i32(5); f32(4), [0.5], True; i64(6), []",
)
def in1d(ar1: Number, ar2: Number, invert: bool = False) -> Any:
    """Whether each element is among others, in one axis.

    Args:
        invert: whether to tell if it is not.
    """
    return isin(_flat(ar1), ar2, invert)


@publish(
    "numpy.intersect1d",
    numpy="np.intersect1d(ar1, ar2, assume_unique, return_indices)",
    samples="i32(9), i32(9); i64(20), i64(20), False, True; f32(3), f32(4)",
    in_python=True,
)
def intersect1d(ar1: Number, ar2: Number, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The distinct elements of both, in ascending order.

    Args:
        assume_unique: whether the elements of each are distinct, which changes nothing.
        return_indices: whether to give (the elements, where each is first in ar1, and in ar2, as int32).
    """
    first, second = _flat(ar1), _flat(ar2)
    values = unique_by_value(first)
    common = values[_where(_belongs(values, second))]
    if not return_indices:
        return common
    places = []
    for x in (first, second):
        ordered, order = _ops.sort(x)
        places.append(as_positions(_ops.gather(order, _ops.search_sorted(ordered, common), 0)))
    return (common, *places)


@publish(
    "numpy.setdiff1d",
    numpy="np.setdiff1d(ar1, ar2, assume_unique)",
    samples="i32(9), i32(9); i64(20), i64(3); i32(5) * 0 + [4, 1, 3, 9, 2], [3, 8], True",
    in_python=True,
)
def setdiff1d(ar1: Number, ar2: Number, assume_unique: bool = False) -> Any:
    """The distinct elements of ar1 that are not in ar2, in ascending order.

    Args:
        assume_unique: whether the elements of ar1 are distinct, which then keep their order.
    """
    values = _flat(ar1) if assume_unique else unique_by_value(_flat(ar1))
    return values[_where(_ops.logical_not(_belongs(values, _flat(ar2))))]


@publish("numpy.union1d", numpy="np.union1d(ar1, ar2)", samples="i32(9), i32(3, 3); f32(3), f32(4)", in_python=True)
def union1d(ar1: Number, ar2: Number) -> Any:
    """The distinct elements of either, in ascending order."""
    first, second = _flat(ar1), _flat(ar2)
    return unique_by_value(_ops.concat(promoted([first, second]), 0))


@publish(
    "ops.ListDiff(out_idx)(x, y)",
    numpy="(lambda keep: (x[keep], np.nonzero(keep)[0]))(~np.isin(x, y))",
    samples="i32(9), i32(4); i64(9), i64(2), int64",
    in_python=True,
)
def list_diff(x: Tensor, y: Tensor, out_idx: DType = core.int32) -> Any:
    """(the elements of x that are not in y, in their order, their positions).

    Args:
        x: one axis.
        y: one axis, of x's dtype.
        out_idx: the dtype of positions, int32 or int64.

    Raises:
        TypeError: the dtypes are not one, or out_idx is another.
        ValueError: x or y has not one axis.
    """
    if x.dtype != y.dtype or out_idx not in (core.int32, core.int64):
        raise TypeError(
            f"For 'ListDiff', 'x' and 'y' must be of one dtype and 'out_idx' int32 or int64, but got {x.dtype}, {y.dtype} "
            f"and {out_idx}."
        )
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(
            f"For 'ListDiff', 'x' and 'y' must have one axis, but their shapes are {tuple(x.shape)} and {tuple(y.shape)}."
        )
    at = _where(_ops.logical_not(_belongs(x, y)))
    return _ops.gather(x, at, 0), as_positions(at, out_idx)


@publish(
    "ops.unique_with_pad Tensor.unique_with_pad ops.UniqueWithPad",
    numpy="""(lambda y, first, inverse: (np.concatenate((y[np.argsort(first)], np.full(len(x) - len(y), pad_num, x.dtype))),
    np.argsort(np.argsort(first))[inverse]))(*np.unique(x, return_index=True, return_inverse=True))""",
    samples="i32(12), 0; i64(7), -1; f32(3), 2",
    in_python=True,
)
def unique_with_pad(x: Tensor, pad_num: Number) -> Any:
    """(the distinct elements in the order of their first occurrence, filled up to x's size; which each is).

    Args:
        x: one axis.
        pad_num: what fills up.

    Raises:
        ValueError: x has not one axis.
    """
    check_rank("unique_with_pad", "x", x, 1)
    values, inverse = unique(x)
    fill = _ops.broadcast_to(_ops.cast(_flat(pad_num), x.dtype), (x.shape[0] - values.shape[0],))
    return _ops.concat((values, fill), 0), inverse


def _rows(x: Tensor, at: int) -> Any:
    """The slices along an axis as rows."""
    front = _ops.transpose(x, (at, *(d for d in range(x.ndim) if d != at)))
    return _ops.reshape(front, (x.shape[at], -1)) if x.size else _ops.zeros((x.shape[at], 1), x.dtype)


def _runs(x: Tensor, dim: int | None) -> tuple[Tensor, int, Any]:
    """(x, the axis of slices that are compared, whether each differs from the one before it)."""
    if dim is None:
        x, at = _ops.reshape(x, (-1,)), 0
    else:
        at = checked_axis("unique_consecutive", x, dim)
    rows = x if dim is None else _rows(x, at)
    differs = _ops.not_equal(rows[1:], rows[:-1])
    differs = differs if dim is None else _ops.any(differs, 1)
    return x, at, _ops.pad(differs, (1, 0), "constant", 1) if x.shape[at] else differs


@publish(
    """ops.unique_consecutive Tensor.unique_consecutive mint.unique_consecutive
    ops.UniqueConsecutive(return_inverse, return_counts, dim)(input as x)""",
    numpy="""(lambda x, at, rows: (lambda new: (lambda out: out if len(out) > 1 else out[0])((np.compress(new, x, at),
    *([(np.cumsum(new) - 1).reshape(input.shape if dim is None else -1)] if return_inverse else []),
    *([np.diff(np.append(np.nonzero(new)[0], len(new)))] if return_counts else []))))(
    np.append(True, (rows[1:] != rows[:-1]).any(1))))(*(lambda x, at: (x, at, np.moveaxis(x, at, 0).reshape(x.shape[at],
    -1)))(input.ravel() if dim is None else input, dim or 0))""",
    samples="i32(12) // 6; i32(3, 8) // 8, True; i32(20) // 8, True, True; i32(8, 2) // 9, False, True, 0",
    in_python=True,
)
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct.

    Args:
        return_inverse: whether to give which of them each element is (int64), too.
        return_counts: whether to give how many equal ones follow each other (int64), too.
        dim: the axis; None for all elements.

    Raises:
        ValueError: dim is out of range.
    """
    x, at, starts = _runs(input, dim)
    first = _where(starts)
    results = [_ops.gather(x, first, at)]
    if return_inverse:
        inverse = _ops.cumsum(starts, 0, core.int64) - 1
        results.append(_ops.reshape(inverse, input.shape) if dim is None else inverse)
    if return_counts:
        last = _ops.full((min(first.shape[0], 1),), x.shape[at], core.int64)
        results.append(_ops.concat((first[1:], last), 0) - first)
    return tuple(results) if len(results) > 1 else results[0]


@publish(
    "mint.unique Tensor.unique",
    numpy="""(lambda y, inverse, counts: (y, *((inverse.reshape(input.shape if dim is None else -1),) if return_inverse
    else ()), *((counts,) if return_counts else ())))(*np.unique(input, False, True, True, dim))""",
    samples="""i32(12); i64(3, 40), True, True; f32(3, 4), True, True, True; i32(30), True, False, True;
    i32(9, 2) // 6, True, True, True, 0; i32(2, 8) // 6, False, True, False, -1""",
    in_python=True,
)
def unique_by_value(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The distinct elements, or slices along an axis, in ascending order; slices are ordered by their first elements that
    differ. Each NaN is distinct.

    Args:
        sorted: they are in order, whether it is asked for or not.
        return_inverse: whether to give which of them each element, or slice, is (int64), too.
        return_counts: whether to give how often each occurs (int64), too.
        dim: the axis; None for all elements, 1-d.

    Raises:
        ValueError: dim is out of range.
    """
    if dim is None and not (return_inverse or return_counts):
        return unique_consecutive(_ops.sort(_ops.reshape(input, (-1,)))[0])
    x, at = (_ops.reshape(input, (-1,)), 0) if dim is None else (input, checked_axis("unique", input, dim))
    rows, order = _rows(x, at), _ops.arange(x.shape[at])
    for column in range(rows.shape[1] - 1, -1, -1):
        order = _ops.gather(order, _ops.sort(_ops.gather(rows[:, column], order, 0))[1], 0)
    values, ranks, counts = unique_consecutive(_ops.gather(x, order, at), True, True, at)
    results = [values]
    if return_inverse:
        inverse = _ops.tensor_scatter_elements(_ops.zeros_like(ranks), order, ranks)
        results.append(_ops.reshape(inverse, input.shape) if dim is None else inverse)
    if return_counts:
        results.append(counts)
    return tuple(results) if len(results) > 1 else results[0]
