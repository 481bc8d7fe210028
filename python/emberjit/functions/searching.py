"""Where values stand in a sequence that is in order, and how many there are of each: bins, counts and histograms."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import FLOATS, DType, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions
from emberjit.tensors.operands import as_tensor

_ops = core.op_table

_INDEX_TYPES = (core.int32, core.int64)


def _index_type(function: str, parameter: str, dtype: Any) -> Any:
    """A dtype of indices.

    Raises:
        ValueError: it is neither int32 nor int64.
    """
    if dtype not in _INDEX_TYPES:
        raise ValueError(f"For '{function}', '{parameter}' must be int32 or int64, but got {dtype}.")
    return dtype


def _search(function: str, sequence: Tensor, values: Any, right: bool, sorter: Any) -> Any:
    """Indices (int64) at which values keep the sequence in order.

    Raises:
        ValueError: the shapes do not fit.
        TypeError: sorter is not of integers.
    """
    if sorter is not None:
        if tuple(sorter.shape) != tuple(sequence.shape):
            raise ValueError(
                f"For '{function}', the shape of 'sorter' must be that of the sequence, {tuple(sequence.shape)}, but got "
                f"{tuple(sorter.shape)}."
            )
        sequence = _ops["gather_d"](sequence, -1, sorter)
    return _ops["search_sorted"](sequence, as_tensor(values), right)


def _is_right(function: str, right: bool, side: str | None) -> bool:
    if side not in (None, "left", "right"):
        raise ValueError(f"For '{function}', 'side' must be 'left' or 'right', but got '{side}'.")
    if side == "left" and right:
        raise ValueError(f"For '{function}', 'side' is 'left', which 'right' = True contradicts: give one of them.")
    return right or side == "right"


@publish(
    """ops.searchsorted(sorted_sequence, values, *, out_int32, right, side, sorter)
    mint.searchsorted(sorted_sequence, values, *, out_int32, right, side, sorter)
    Tensor.searchsorted(values as v, side: str = 'left', sorter, out_int32 := True)
    numpy.searchsorted(sorted_sequence as a, values as v, side: str = 'left', sorter)""",
    numpy="np.searchsorted(sorted_sequence, values, 'right' if right else side or 'left', sorter)",
    samples="""f32(1), f32(2, 3); i32(4) * 0, i32(7); f32(1), f32(3), True, True; f32(1), 0.5;
    i64(3) * 0 + 1, i32(5), False, False, 'right'""",
)
def searchsorted(
    sorted_sequence: Tensor,
    values: Number,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Any:
    """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all.

    Args:
        sorted_sequence: in ascending order; of one axis, or with the first axes of values.
        out_int32: whether the indices are int32.
        right: whether to stand after equal elements, and not before them.
        side: "right" or "left" says the same.
        sorter: indices that put the sequence in order.

    Raises:
        ValueError: side is another word, or contradicts right, or the shapes do not fit.
    """
    found = _search("searchsorted", sorted_sequence, values, _is_right("searchsorted", right, side), sorter)
    return as_positions(found) if out_int32 else found


@publish(
    "ops.SearchSorted(dtype, right)(sorted_sequence, values)",
    numpy="np.searchsorted(sorted_sequence, values, 'right' if right else 'left')",
    samples="f32(1), f32(2, 3); i32(4) * 0, i32(7), int32, True",
)
def search_sorted(sorted_sequence: Tensor, values: Tensor, dtype: DType = core.int64, right: bool = False) -> Any:
    """The indices at which values, put there, keep a sequence in order along its last axis. NaN is above all.

    Args:
        sorted_sequence: in ascending order; of one axis, or with the first axes of values.
        dtype: of the indices, int32 or int64.
        right: whether to stand after equal elements, and not before them.

    Raises:
        ValueError: dtype is another, or the shapes do not fit.
    """
    return as_positions(
        _search("SearchSorted", sorted_sequence, values, right, None), _index_type("SearchSorted", "dtype", dtype)
    )


@publish(
    """ops.LowerBound(out_type)(sorted_x, values, right := False)
    ops.UpperBound(out_type)(sorted_x, values, right := True)""",
    numpy="np.stack([np.searchsorted(s, v, 'right' if right else 'left') for s, v in zip(sorted_x, values)])",
    samples="f32(2, 1), f32(2, 3); i32(3, 4) * 0, i32(3, 7), int64, True",
)
def row_bounds(sorted_x: Tensor, values: Tensor, out_type: DType = core.int32, right: bool = False) -> Any:
    """Of each row the indices at which values, put there, keep it in order: before equal elements, or after them.

    Args:
        sorted_x: a matrix whose rows are in ascending order.
        values: a matrix of as many rows.
        out_type: of the indices, int32 or int64.

    Raises:
        ValueError: out_type is another, or the operands are not matrices of as many rows.
    """
    if sorted_x.ndim != 2 or values.ndim != 2:
        raise ValueError(
            f"For 'LowerBound' and 'UpperBound', both operands must be matrices, but their shapes are "
            f"{tuple(sorted_x.shape)} and {tuple(values.shape)}."
        )
    return as_positions(
        _search("LowerBound", sorted_x, values, right, None), _index_type("LowerBound", "out_type", out_type)
    )


@publish(
    "ops.bucketize(input, boundaries, *, right) ops.Bucketize(boundaries)(input, right := True)",
    numpy="np.searchsorted(np.array(boundaries, np.float64), input, 'right' if right else 'left')",
    samples="f32(2, 3), (-1.0, 0.0, 1.0); i32(7), (-2, 0, 4), True; f32(3), []",
)
def bucketize(input: Tensor, boundaries: Any, right: bool = False) -> Any:
    """The index (int32) of the interval that each element lies in.

    Args:
        boundaries: a tuple or list of numbers in ascending order.
        right: whether an interval has its left boundary, and not its right one.

    Raises:
        TypeError: boundaries is no tuple or list of numbers.
    """
    if not isinstance(boundaries, (tuple, list)) or not all(isinstance(b, (int, float)) for b in boundaries):
        raise TypeError(f"For 'bucketize', 'boundaries' must be a tuple or list of numbers, but got {boundaries!r}.")
    if not boundaries:
        return _ops["zeros"](input.shape, core.int32)
    exact = core.float64 if any(isinstance(b, float) for b in boundaries) else core.int64
    return as_positions(_ops["search_sorted"](core.Tensor(list(boundaries), exact), input, right))


@publish(
    "numpy.digitize",
    numpy="np.digitize(x, bins, right)",
    samples="f32(2, 3), [-1.0, 0.0, 1.0]; i32(7), [4, 0, -2], True; i32(4), [3, 1]; 0.5, [0.0, 1.0]; f32(2), f32(1)",
)
def digitize(x: Number, bins: Any, right: bool = False) -> Any:
    """The index (int32) of the bin that each element lies in.

    Args:
        bins: boundaries in ascending or descending order, one axis.
        right: whether a bin has its upper boundary, and not its lower one.

    Raises:
        ValueError: bins has not one axis.
    """
    edges = as_tensor(bins)
    if edges.ndim != 1:
        raise ValueError(f"For 'digitize', 'bins' must have one axis, but its shape is {tuple(edges.shape)}.")
    size = edges.shape[0]
    found = _ops["search_sorted"](edges, as_tensor(x), not right)
    if size > 1:
        descending = size - _ops["search_sorted"](_ops["flip"](edges, 0), as_tensor(x), not right)
        found = _ops["select"](edges[0] > edges[-1], descending, found)
    return as_positions(found)


def _checked_counts(function: str, input: Tensor, weights: Any, minlength: int) -> int:
    """How many bins values have.

    Raises:
        TypeError: the input is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or minlength is negative.
    """
    if input.dtype in FLOATS or input.dtype in (core.bool_, core.complex64, core.complex128):
        raise TypeError(f"For '{function}', the input must be of integers, but got {input.dtype}.")
    if input.ndim != 1:
        raise ValueError(f"For '{function}', the input must have one axis, but its shape is {tuple(input.shape)}.")
    if weights is not None and tuple(weights.shape) != tuple(input.shape):
        raise ValueError(
            f"For '{function}', the shape of 'weights' must be that of the input, {tuple(input.shape)}, but got "
            f"{tuple(weights.shape)}."
        )
    if minlength < 0:
        raise ValueError(f"For '{function}', 'minlength' must not be negative, but got {minlength}.")
    if input.shape[0] == 0:
        return minlength
    lowest = int(_ops["amin"](input))
    if lowest < 0:
        raise ValueError(f"For '{function}', the input must not have negative elements, but got {lowest}.")
    return max(int(_ops["amax"](input)) + 1, minlength)


def counted(index: Tensor, size: int, weights: Any, dtype: Any) -> Any:
    """How often each index is there, or the sums of the weights that have it, in their order.

    Raises:
        IndexError: an index is not below size.
    """
    at = _ops["reshape"](index, (-1,))
    if weights is None:
        return _ops["cast"](_ops["index_counts"](at, (size,)), dtype)
    given = _ops["cast"](_ops["reshape"](weights, (-1,)), dtype)
    return _ops["gather_add"](_ops["zeros"]((size,), dtype), at, given, 0)


@publish(
    "mint.bincount",
    numpy="np.bincount(input, weights, minlength)",
    samples="i32(9) % 5; i64(9) % 5, f32(9); i64(3) % 3, None, 6; i32(0)",
    in_python=True,
)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there (int64), or the sums of their weights.

    Args:
        input: integers that are not negative, one axis.
        weights: of the input's shape; sums are of their dtype if that is a floating one, else float64.
        minlength: how many counts there are at least.

    Raises:
        TypeError: the input is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or minlength is negative.
    """
    size = _checked_counts("bincount", input, weights, minlength)
    dtype = core.int64 if weights is None else weights.dtype if weights.dtype in FLOATS else core.float64
    return counted(input, size, weights, dtype)


@publish(
    "ops.bincount Tensor.bincount",
    numpy="np.bincount(input, weights, minlength).astype(np.float32 if weights is None else weights.dtype)",
    samples="i32(9) % 5; i64(9) % 5, f32(9); i64(3) % 3, None, 6; i32(0)",
    in_python=True,
)
def float_bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there, as float32, or the sums of their weights.

    Args:
        input: integers that are not negative, one axis.
        weights: of the input's shape.
        minlength: how many counts there are at least.

    Raises:
        TypeError: the input is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or minlength is negative.
    """
    size = _checked_counts("bincount", input, weights, minlength)
    return counted(input, size, weights, core.float32 if weights is None else weights.dtype)


@publish(
    "numpy.bincount",
    numpy="np.bincount(x, weights, minlength) if length is None else np.bincount(x, weights, length)[:length]",
    samples="i32(9) % 5; i64(9) % 5, f32(9), 2; i64(3) % 3, None, 6; i64(5) % 4, None, 0, 2",
    in_python=True,
)
def numpy_bincount(x: Number, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    """How often each integer from 0 to the largest element is there (float32), or the sums of their weights.

    Args:
        x: integers that are not negative, one axis.
        weights: of x's shape.
        minlength: how many counts there are at least.
        length: how many there are.

    Raises:
        TypeError: x is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or a length is negative.
    """
    found = bincount(as_tensor(x), None if weights is None else as_tensor(weights), max(minlength, length or 0))
    found = found if length is None else found[:length]
    return _ops["cast"](found, core.float32) if weights is None else found


@publish(
    "ops.Bincount()(array, size, weights)",
    numpy="np.bincount(array[array < size], weights[array < size], size).astype(weights.dtype)",
    samples="i32(9) % 5, 4, f32(9); i32(9) % 5, 7, f32(9)",
    in_python=True,
)
def sized_bincount(array: Tensor, size: Number, weights: Tensor) -> Any:
    """The sums of the weights of each integer below a size; without weights, how often each is there.

    Args:
        array: integers that are not negative; those from size on do not count.
        size: an int, or a 0-d Tensor of one.
        weights: of the array's shape, or without elements.

    Raises:
        ValueError: the array has negative elements, size is negative, or the shapes do not fit.
    """
    bins = int(size)
    if bins < 0:
        raise ValueError(f"For 'Bincount', 'size' must not be negative, but got {bins}.")
    flat = _ops["reshape"](array, (-1,))
    given = _ops["reshape"](weights, (-1,)) if weights.size else None
    _checked_counts("Bincount", flat, given, 0)
    return counted(_ops["minimum"](flat, bins), bins + 1, given, weights.dtype)[:bins]
