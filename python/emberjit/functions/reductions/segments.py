"""Reductions of groups of slices, and sequences of several lengths in one Tensor."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.limits import least, most

_ops = core.ops


def reduced_at(input: Tensor, index: Tensor, updates: Tensor, how: str) -> Any:
    """input, whose slices along the first axis are added to, or reduced with, updates at positions, in their order.

    Args:
        how: "add", "sub", "mul", "div", "max" or "min".

    Raises:
        IndexError: a position is out of range.
    """
    if how in ("add", "sub"):
        return _ops.gather_add(input, index, updates if how == "add" else _ops.neg(updates), 0)
    if input.ndim == 1:
        return _ops.tensor_scatter_reduce(input, index, updates, 0, how)
    count, block = updates.shape[0], math.prod(input.shape[1:])
    at = _ops.broadcast_to(_ops.expand_dims(index, 1), (count, block))
    flat, rows = (_ops.reshape(x, (x.shape[0], block)) for x in (input, updates))
    return _ops.reshape(_ops.tensor_scatter_reduce(flat, at, rows, 0, how), input.shape)


def _check_ids(function: str, x: Tensor, segment_ids: Tensor) -> None:
    rank = segment_ids.ndim
    if rank == 0 or tuple(segment_ids.shape) != tuple(x.shape[:rank]):
        raise ValueError(
            f"For '{function}', the shape of 'segment_ids' must be that of the input's first axes, but got "
            f"{tuple(segment_ids.shape)} and {tuple(x.shape)}."
        )


def _reduced(function: str, x: Tensor, segment_ids: Tensor, count: Any, how: str, start: Any) -> Any:
    """The slices of each segment reduced, beginning with a number; those of negative ids belong to none.

    Raises:
        ValueError: the shapes do not fit, or count is not positive.
        IndexError: an id is not below count.
    """
    _check_ids(function, x, segment_ids)
    count = int(count)
    if count < 1:
        raise ValueError(f"For '{function}', 'num_segments' must be positive, but got {count}.")
    rest, total = tuple(x.shape[segment_ids.ndim :]), math.prod(segment_ids.shape)
    ids = _ops.cast(_ops.reshape(segment_ids, (-1,)), core.int64)
    index = _ops.gather(_ops.arange(count), _ops.maximum(ids, 0), 0)  # which refuses those beyond, as they are
    at = _ops.select(ids < 0, -1, index) + 1
    start = start - (1 << 64) if start >= 1 << 63 and x.dtype == core.uint64 else start  # ops take ints of 64 bits
    none = _ops.full((count + 1, *rest), start, x.dtype)
    return reduced_at(none, at, _ops.reshape(x, (total, *rest)), how)[1:]


def _limit(function: str, how: str, start: Any, dtype: DType) -> Any:
    """What a reduction of a dtype starts from.

    Raises:
        TypeError: of complex numbers none is the largest.
    """
    if dtype in COMPLEXES and how in ("max", "min"):
        raise TypeError(f"For '{function}', the input must be of real numbers, but is of {dtype}.")
    return start(dtype)


def _declare_unsorted(word: str, how: str, start: Any, result: str, reference: tuple[str, str], operand: str) -> None:
    function = f"unsorted_segment_{word}"

    def reduced(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Any:
        limit = _limit(function, how, start, x.dtype)
        if how not in ("max", "min") or x.dtype not in FLOATS:
            return _reduced(function, x, segment_ids, num_segments, how, limit)
        extremes = _reduced(function, x, segment_ids, num_segments, how, math.inf if how == "min" else -math.inf)
        return _ops.select(_counts(x, segment_ids, int(num_segments)) > 0, extremes, limit)

    reduced.__name__ = function
    reduced.__doc__ = f"""{result}

    Args:
        segment_ids: integers, of the shape of x's first axes; slices of negative ids are left out.
        num_segments: an int, how many segments there are.

    Raises:
        TypeError: of complex numbers none is the largest.
        ValueError: the shapes do not fit, or num_segments is not positive.
        IndexError: an id is not below num_segments.
    """
    publish(
        f"""ops.{function}(x as {operand}, segment_ids, num_segments) Tensor.{function}
        ops.UnsortedSegment{word.title()}()(x as input_x, segment_ids, num_segments)""",
        numpy=f"(lambda y: (np.{reference[0]}.at(y, segment_ids, x), y)[1])("
        f"np.full((num_segments, *x.shape[segment_ids.ndim:]), {reference[1]}, x.dtype))",
        samples="f32(5, 4), i64(5) % 3, 3; i32(2, 3, 4), i32(2, 3) % 2, 2",
    )(reduced)


_declare_unsorted("sum", "add", lambda dtype: 0, "The sums of the slices of each segment.", ("add", "0"), "input_x")
_declare_unsorted(
    "prod",
    "mul",
    lambda dtype: 1,
    "The products of the slices of each segment; 1 where there is none.",
    ("multiply", "1"),
    "x",
)
_declare_unsorted(
    "max",
    "max",
    least,
    "The largest elements of the slices of each segment; the least number of the dtype where there is none.",
    ("maximum", "np.finfo(x.dtype).min if x.dtype.kind == 'f' else np.iinfo(x.dtype).min"),
    "x",
)
_declare_unsorted(
    "min",
    "min",
    most,
    "The smallest elements of the slices of each segment; the largest number of the dtype where there is none.",
    ("minimum", "np.finfo(x.dtype).max if x.dtype.kind == 'f' else np.iinfo(x.dtype).max"),
    "x",
)


def _number_of(function: str, segment_ids: Tensor) -> int:
    """How many segments ids in ascending order name.

    Raises:
        ValueError: they have not one axis, or are not in order, or negative.
    """
    check_rank(function, "segment_ids", segment_ids, 1)
    if segment_ids.shape[0] == 0:
        return 0
    ascending = _ops.all(_ops.less_equal(segment_ids[:-1], segment_ids[1:]))
    if not bool(_ops.logical_and(ascending, segment_ids[0] >= 0)):
        raise ValueError(f"For '{function}', 'segment_ids' must be in ascending order and not negative.")
    return int(segment_ids[-1]) + 1


def _counts(x: Tensor, segment_ids: Tensor, count: int) -> Any:
    """How many slices each segment has, as int64, in a shape that broadcasts to the reduced x."""
    ones = _ops.ones(segment_ids.shape, core.int64)
    return _ops.reshape(_reduced("segment", ones, segment_ids, count, "add", 0), (count, *[1] * (x.ndim - segment_ids.ndim)))


def _declare_sorted(word: str, how: str, start: Any, missing: int, result: str, reference: str) -> None:
    function = f"Segment{word}"

    def reduced(input_x: Tensor, segment_ids: Tensor) -> Any:
        count = _number_of(function, segment_ids)
        if count == 0:
            return _ops.zeros((0, *input_x.shape[1:]), input_x.dtype)
        totals = _reduced(function, input_x, segment_ids, count, how, _limit(function, how, start, input_x.dtype))
        counts = _counts(input_x, segment_ids, count)
        if word == "Mean":
            return _ops.cast(_ops.div(totals, _ops.maximum(counts, 1)), input_x.dtype)
        return _ops.select(counts > 0, totals, missing)

    reduced.__name__ = f"segment_{word.lower()}"
    reduced.__doc__ = f"""{result} of the slices of each segment; {missing} where there is none.

    There are as many segments as the largest id says.

    Args:
        segment_ids: integers in ascending order, as many as slices along the first axis.

    Raises:
        ValueError: the ids are not in order, or negative, or not as many.
    """
    publish(
        f"ops.{function}()(input_x, segment_ids)",
        numpy=f"np.stack([np.{reference}(input_x[segment_ids == i], 0) if (segment_ids == i).any() else "
        f"np.full(input_x.shape[1:], {missing}) for i in range(segment_ids.max() + 1)]).astype(input_x.dtype)",
        samples="f32(4, 3), i64(4) * 0 + 1; f32(5), i32(5) * 0; f32(2, 3), i64(2) * 0 + 2",
        in_python=True,
    )(reduced)


_declare_sorted("Sum", "add", lambda dtype: 0, 0, "The sums", "sum")
_declare_sorted("Mean", "add", lambda dtype: 0, 0, "The means", "mean")
_declare_sorted("Prod", "mul", lambda dtype: 1, 1, "The products", "prod")
_declare_sorted("Max", "max", least, 0, "The largest elements", "max")
_declare_sorted("Min", "min", most, 0, "The smallest elements", "min")


def _declare_sparse(word: str, root: bool, spellings: str, numbered: str) -> None:
    """Means, or sums by the root of counts, of slices that indices name; and these for a number of segments."""
    name = f"sparse_segment_{word.lower()}"

    def reduced(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Any:
        return of_segments(x, indices, segment_ids, _number_of(name, segment_ids))

    def of_segments(x: Tensor, indices: Tensor, segment_ids: Tensor, num_segments: Any) -> Any:
        count = int(num_segments)
        slices = _ops.gather(x, indices, 0)
        if count == 0:
            return _ops.zeros((0, *x.shape[1:]), x.dtype)
        total = _reduced(name, slices, segment_ids, count, "add", 0)
        counts = _ops.maximum(_counts(slices, segment_ids, count), 1)
        by = _ops.sqrt(_ops.cast(counts, core.float64)) if root else counts
        return _ops.cast(_ops.div(total, by), x.dtype)

    reduced.__name__, of_segments.__name__ = name, f"{name}_of_number"
    what = "sums by the square roots of the counts" if root else "means"
    documentation = """The {what} of the slices that indices name, of each segment; 0 where there is none.

    Args:
        indices: a 1-d Tensor of integers, positions along x's first axis.
        segment_ids: integers in ascending order, as many as indices.
{further}
    Raises:
        ValueError: the ids are not in order, or negative, or not as many.
        IndexError: an index is out of range.
    """
    reduced.__doc__ = documentation.format(what=what, further="")
    of_segments.__doc__ = documentation.format(what=what, further="        num_segments: how many segments there are.\n")
    term = f"(lambda y: y.sum(0) / max(len(y), 1) ** {0.5 if root else 1})(x[indices[segment_ids == i]])"
    samples = "f32(4, 3), i64(5) % 4, i64(5) * 0 + 1"
    publish(spellings, numpy=f"np.stack([{term} for i in range(segment_ids.max() + 1)])", samples=samples, in_python=True)(
        reduced
    )
    samples = f"{samples}, 3; f64(2), i32(3) % 2, i32(3) * 0, 2"
    publish(numbered, numpy=f"np.stack([{term} for i in range(num_segments)])", samples=samples, in_python=True)(of_segments)


_declare_sparse("Mean", False, "ops.sparse_segment_mean", "ops.SparseSegmentMeanWithNumSegments")
_declare_sparse("SqrtN", True, "ops.SparseSegmentSqrtN", "ops.SparseSegmentSqrtNWithNumSegments")


@publish(
    """ops.reverse_sequence Tensor.reverse_sequence(seq_lengths, seq_dim = 0, batch_dim)
    ops.ReverseSequence(seq_dim, batch_dim)(x, seq_lengths)""",
    numpy="""(lambda y: ([m.__setitem__(slice(n), m[:n][::-1].copy()) for m, n in
    zip(np.moveaxis(y, (batch_dim, seq_dim), (0, 1)), seq_lengths)], y)[1])(x.copy())""",
    samples="f32(3, 5), i64(3) % 6, 1; f32(5, 2, 3), i32(3) % 6, 0, 2; i32(4, 4), i64(4) % 5, -1, 0",
)
def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Any:
    """Of each example the first elements along an axis in reverse order, as many as its length; the others stay.

    Args:
        seq_lengths: integers, one for each index along batch_dim.
        seq_dim: the axis along which elements are reversed.
        batch_dim: the axis of the examples.

    Raises:
        TypeError: the lengths are no integers.
        ValueError: an axis is out of range, both are one, or there are not as many lengths as examples.
        IndexError: a length is larger than the axis.
    """
    along, batch = (checked_axis("reverse_sequence", x, axis) for axis in (seq_dim, batch_dim))
    if along == batch:
        raise ValueError(f"For 'reverse_sequence', 'seq_dim' and 'batch_dim' must be two axes, but both are {along}.")
    if seq_lengths.dtype in (*FLOATS, core.bool_):
        raise TypeError(f"For 'reverse_sequence', 'seq_lengths' must be integers, but got {seq_lengths.dtype}.")
    if tuple(seq_lengths.shape) != (x.shape[batch],):
        raise ValueError(
            f"For 'reverse_sequence', the shape of 'seq_lengths' must be {(x.shape[batch],)}, as axis {batch} of the input, "
            f"but got {tuple(seq_lengths.shape)}."
        )
    size = x.shape[along]
    lengths = _ops.reshape(_ops.cast(seq_lengths, core.int64), _spread(x, batch))
    position = _ops.reshape(_ops.arange(size), _spread(x, along))
    at = _ops.select(position < lengths, lengths - 1 - position, position)
    return _ops.gather_d(x, along, _ops.broadcast_to(at, x.shape))


def _spread(x: Tensor, axis: int) -> tuple[int, ...]:
    """The shape of x with size 1 along all axes but one."""
    return tuple(size if d == axis else 1 for d, size in enumerate(x.shape))


@publish(
    "ops.sequence_mask",
    numpy="np.arange(lengths.max() if maxlen is None else maxlen) < lengths[..., None]",
    samples="i64(3) % 5, 4; i32(2, 3) % 4, 3; i64(2) % 4, 6",
)
def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Any:
    """Of each length so many true elements and false ones after them, along a new last axis.

    Args:
        maxlen: the size of that axis, by default the largest length.

    Raises:
        ValueError: maxlen is negative.
    """
    if maxlen is not None and maxlen < 0:
        raise ValueError(f"For 'sequence_mask', 'maxlen' must not be negative, but got {maxlen}.")
    size = int(_ops.amax(lengths)) if maxlen is None else maxlen
    return _ops.less(_ops.arange(size), _ops.expand_dims(lengths, -1))
