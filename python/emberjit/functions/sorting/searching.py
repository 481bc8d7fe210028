"""Where values stand in a sequence that is in order, and in which bin they lie."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_index_type, check_rank
from emberjit.publish.kinds import DType, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions
from emberjit.tensors.operands import as_tensor

_ops = core.ops


def _search(function: str, sequence: Tensor, values: Number, right: bool, sorter: Tensor | None) -> Any:
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
        sequence = _ops.gather_d(sequence, -1, sorter)
    return _ops.search_sorted(sequence, as_tensor(values), right)


def _is_right(function: str, right: bool, side: str | None) -> bool:
    check_choice(function, "side", side, None, "left", "right")
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
    indices = _search("searchsorted", sorted_sequence, values, _is_right("searchsorted", right, side), sorter)
    return as_positions(indices) if out_int32 else indices


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
    indices = _search("SearchSorted", sorted_sequence, values, right, None)
    check_index_type("SearchSorted", "dtype", dtype)
    return as_positions(indices, dtype)


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
    indices = _search("LowerBound", sorted_x, values, right, None)
    check_index_type("LowerBound", "out_type", out_type)
    return as_positions(indices, out_type)


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
        return _ops.zeros(input.shape, core.int32)
    exact = core.float64 if any(isinstance(b, float) for b in boundaries) else core.int64
    return as_positions(_ops.search_sorted(core.Tensor(list(boundaries), exact), input, right))


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
    check_rank("digitize", "bins", edges, 1)
    size = edges.shape[0]
    indices = _ops.search_sorted(edges, as_tensor(x), not right)
    if size > 1:
        descending = size - _ops.search_sorted(_ops.flip(edges, 0), as_tensor(x), not right)
        indices = _ops.select(edges[0] > edges[-1], descending, indices)
    return as_positions(indices)
