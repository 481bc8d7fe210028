"""Elements by their coordinates, and ranges side by side: results whose sizes depend on values."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import DType, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import true_positions

_ops = core.ops


def _check_coordinates(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[int, ...]:
    ranks = [x.ndim for x in (x_indices, x_values, x_shape)]
    if ranks != [2, 1, 1]:
        raise ValueError(f"For 'Coalesce', 'x_indices' must have 2 axes, 'x_values' and 'x_shape' 1, but they have {ranks}.")
    count, shape = x_values.shape[0], tuple(int(size) for size in x_shape)
    if tuple(x_indices.shape) != (len(shape), count):
        raise ValueError(
            f"For 'Coalesce', 'x_indices' must be of shape {(len(shape), count)}, a column for each of 'x_values', but is "
            f"of {tuple(x_indices.shape)}."
        )
    limits = _ops.reshape(x_shape, (-1, 1))
    wrong = _ops.logical_or(_ops.less(x_indices, 0), _ops.greater_equal(x_indices, limits))
    if count and bool(_ops.any(wrong)):
        raise ValueError(f"For 'Coalesce', 'x_indices' must be below 'x_shape', {shape}, and not negative.")
    return shape


@publish(
    "ops.coalesce ops.Coalesce",
    numpy="""(lambda n, k, i, v: (np.stack(np.unravel_index(k, n)), np.bincount(i, v).astype(v.dtype), np.array(n)))(
    x_shape.tolist(), *np.unique(np.ravel_multi_index(tuple(x_indices), x_shape.tolist()), return_inverse=True),
    x_values)""",
    samples="""i64(2, 5) % 3, f32(5), i64(2) * 0 + 3; i64(3, 9) % 2, f64(9), i64(3) * 0 + 2""",
    in_python=True,
)
def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> Any:
    """(the coordinates that differ in row-major order, the sum of the values at each, x_shape): a sparse Tensor without
    duplicates.

    Args:
        x_indices: (axes, values), int64, the coordinates of each value.
        x_values: (values,).
        x_shape: (axes,), int64.

    Raises:
        ValueError: the shapes do not fit, or a coordinate is out of range.
    """
    shape = _check_coordinates(x_indices, x_values, x_shape)
    if x_values.shape[0] == 0:
        return x_indices, x_values, x_shape
    place = _ops.zeros(x_values.shape, core.int64)
    for axis, size in enumerate(shape):
        place = place * size + x_indices[axis]
    ordered, order = _ops.sort(place)
    first = _ops.concat((_ops.ones((1,), core.bool_), _ops.not_equal(ordered[1:], ordered[:-1])))
    starts = _ops.reshape(true_positions(first), (-1,))
    group = _ops.cumsum(first, 0, core.int64) - 1
    nothing = _ops.zeros(starts.shape, x_values.dtype)
    sums = _ops.gather_add(nothing, group, _ops.gather(x_values, order, 0), 0)
    return _ops.gather(x_indices, _ops.gather(order, starts, 0), 1), sums, x_shape


@publish(
    "ops.RaggedRange(Tsplits)(starts, limits, deltas)",
    numpy="""(lambda r: (np.cumsum([0] + [len(x) for x in r]).astype(np.int64), np.concatenate(r).astype(starts.dtype)))(
    [np.arange(*row) for row in zip(*np.atleast_1d(starts, limits, deltas))])""",
    samples="i32(3), i32(3) + 4, i32(3) * 0 + 2, int64; f32(2) * 0 + 3, f32(2) * 0, f32(2) * 0 - 0.5, int64",
    in_python=True,
)
def ragged_range(starts: Tensor, limits: Tensor, deltas: Tensor, Tsplits: DType) -> Any:
    """(where each range begins, and the end; the ranges start, start + delta, ... below limit, one after the other).

    Args:
        starts, limits, deltas: of one shape, with at most one axis. With a negative delta a range is above its limit.
        Tsplits: the dtype of the first result: int32 or int64.

    Raises:
        TypeError: Tsplits is another.
        ValueError: the shapes differ, or a delta is 0.
    """
    if Tsplits not in (core.int32, core.int64):
        raise TypeError(f"For 'RaggedRange', 'Tsplits' must be int32 or int64, but got {Tsplits}.")
    shapes = [tuple(x.shape) for x in (starts, limits, deltas)]
    if shapes[0] != shapes[1] or shapes[0] != shapes[2] or len(shapes[0]) > 1:
        raise ValueError(f"For 'RaggedRange', operands must have one shape of at most one axis, but have {shapes}.")
    if bool(_ops.any(_ops.equal(deltas, 0))):
        raise ValueError("For 'RaggedRange', 'deltas' must not be 0.")
    start, limit, delta = (_ops.reshape(x, (-1,)) for x in (starts, limits, deltas))
    first, last, step = (_ops.cast(x, core.float64) for x in (start, limit, delta))
    steps = _ops.ceil((last - first) / step)
    lengths = _ops.cast(_ops.maximum(steps, 0), core.int64)
    ends = _ops.cumsum(lengths, 0)
    total = int(ends[-1]) if ends.shape[0] else 0
    at = _ops.arange(0, total, 1)
    row = _ops.search_sorted(ends, at, True)
    offset = at - _ops.gather(ends - lengths, row, 0)
    values = _ops.gather(start, row, 0) + _ops.cast(offset, start.dtype) * _ops.gather(delta, row, 0)
    splits = _ops.concat((_ops.zeros((1,), core.int64), ends))
    return _ops.cast(splits, Tsplits), values
