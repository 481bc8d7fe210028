"""ONNX's ops on shapes: movement of elements, joining, cutting, indexing, and constants."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.onnx import values
from emberjit.onnx.table import Input, Ints, Number, Row, Value, op
from emberjit.onnx.values import Known, Narrow


@op("Shape")
def shape(x: Value, *, start: int = 0, end: int | None = None) -> Any:
    return Known(values.sizes(x)[start:end], dtypes.int64)


@op("Size")
def size(x: Value) -> Any:
    return Known(math.prod(values.sizes(x)), dtypes.int64)


@op("Identity")
def identity(x: Value) -> Any:
    return x


@op("Reshape", moves=True)
def reshape(x: Tensor, to: Row = None, *, allowzero: int = 0, shape: Ints = None) -> Any:
    to = shape if to is None else to
    if not allowzero:
        to = tuple(x.shape[i] if n == 0 and type(n) is int else n for i, n in enumerate(to))
    return x.reshape(tuple(to))


@op("Flatten", moves=True)
def flatten(x: Tensor, *, axis: int = 1) -> Any:
    axis = axis if axis == x.ndim else values.within(axis, x.ndim)
    return x.reshape((math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))


@op("Squeeze", moves=True)
def squeeze(x: Tensor, at: Row = None, *, axes: Ints = None) -> Any:
    axes = axes if at is None else at
    if axes is None:
        axes = [i for i, n in enumerate(x.shape) if n == 1]
    gone = {values.within(axis, x.ndim) for axis in axes}
    if any(x.shape[i] != 1 for i in gone):
        raise ValueError(f"the axes {tuple(axes)} of a tensor of shape {x.shape} are not of size 1")
    return x.reshape(tuple(n for i, n in enumerate(x.shape) if i not in gone))


@op("Unsqueeze", moves=True)
def unsqueeze(x: Tensor, at: Row = None, *, axes: Any = None) -> Any:
    axes = axes if at is None else at
    rank = x.ndim + len(axes)
    new = {values.within(axis, rank) for axis in axes}
    if len(new) != len(axes):
        raise ValueError(f"the axes {tuple(axes)} are not different")
    rest = iter(x.shape)
    return x.reshape(tuple(1 if i in new else next(rest) for i in range(rank)))


@op("Transpose", moves=True)
def transpose(x: Tensor, *, perm: Ints = None) -> Any:
    return mint.permute(x, tuple(perm) if perm is not None else tuple(reversed(range(x.ndim))))


@op("Concat")
def concat(*parts: Tensor, axis: int = 1) -> Any:
    return mint.cat(list(parts), axis)


@op("Split", moves=True)
def split(
    x: Tensor, at: Row = None, *, axis: int = 0, split: Ints = None, num_outputs: int | None = None, outputs: int
) -> Any:
    lengths = split if at is None else at
    if num_outputs not in (None, outputs):
        raise ValueError(f"'num_outputs' is {num_outputs}, but there are {outputs} outputs")
    if lengths is None:
        length = -(-x.shape[axis] // (num_outputs or outputs))
        lengths = [min(length, max(0, x.shape[axis] - i * length)) for i in range(num_outputs or outputs)]
    return tuple(mint.split(x, list(lengths), axis))


@op("Expand", moves=True)
def expand(x: Tensor, to: Row) -> Any:
    return mint.broadcast_to(x, broadcast(tuple(x.shape), to))


def broadcast(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """The shape of two together."""
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + tuple(b))
    return tuple(m if n == 1 else n for m, n in pairs)


@op("Tile", moves=True)
def tile(x: Tensor, repeats: Row) -> Any:
    return mint.tile(x, tuple(repeats))


@op("Slice", moves=True)
def slice_(
    x: Tensor,
    first: Row = None,
    last: Row = None,
    at: Row = None,
    steps: Row = None,
    *,
    starts: Ints = None,
    ends: Ints = None,
    axes: Ints = None,
) -> Any:
    first, last = (starts if first is None else first), (ends if last is None else last)
    at = at if at is not None else axes if axes is not None else range(len(first))
    if not len(at) == len(first) == len(last):
        raise ValueError(f"there are {len(at)} axes, {len(first)} starts and {len(last)} ends")
    key = [slice(None)] * x.ndim
    flipped = []
    for axis, start, end, step in zip(at, first, last, steps or itertools.repeat(1)):
        axis = values.within(axis, x.ndim)
        if step < 0:
            flipped.append(axis)
        key[axis] = cut(x.shape[axis], start, end, step)
    return (mint.flip(x, flipped) if flipped else x)[tuple(key)]


def cut(n: Any, start: Any, end: Any, step: int) -> slice:
    """The slice of an axis of n; for a negative step, of the axis turned round."""
    if step > 0:
        return slice(_within(n, start, 0, n), _within(n, end, 0, n), step)
    start, end = _within(n, start, -1, n - 1), _within(n, end, -1, n - 1)
    return slice(n - 1 - start, n - 1 - end, -step)


def _within(n: Any, at: Any, low: Any, high: Any) -> Any:
    at = at + n if at < 0 else at
    return max(low, min(at, high))


@op("Gather", moves=True)
def gather(x: Tensor, at: Value, *, axis: int = 0) -> Any:
    axis = values.within(axis, x.ndim)
    if isinstance(at, Known) and not isinstance(at.items, tuple):
        return mint.select(x, axis, _checked(at.items, x.shape[axis]))
    index = values.tensor(at)
    rows = mint.index_select(x, axis, _positive(index, x.shape[axis]).reshape((-1,)))
    return rows.reshape((*x.shape[:axis], *index.shape, *x.shape[axis + 1 :]))


def _checked(at: Any, n: Any) -> Any:
    if not -n <= at < n:
        raise IndexError(f"the index {at} is outside an axis of size {n}")
    return at


def _positive(index: Tensor, n: Any) -> Any:
    return mint.where(index < 0, index + n, index)


@op("GatherElements")
def gather_elements(x: Tensor, at: Tensor, *, axis: int = 0) -> Any:
    axis = values.within(axis, x.ndim)
    key = tuple(slice(0, n) if i != axis else slice(None) for i, n in enumerate(at.shape))
    return mint.gather(x[key], axis, _positive(at, x.shape[axis]))


@op("GatherND")
def gather_nd(x: Tensor, at: Tensor, *, batch_dims: int = 0) -> Any:
    outer = tuple(x.shape[:batch_dims])
    if not batch_dims:
        return ops.gather_nd(x, _positions(at, x.shape))
    count = math.prod(outer)
    flat = x.reshape((count, *x.shape[batch_dims:]))
    at = _positions(at.reshape((count, *at.shape[batch_dims:])), flat.shape[1:])
    rows = mint.arange(count, dtype=at.dtype).reshape((count, *(1,) * (at.ndim - 1)))
    rows = mint.broadcast_to(rows, (*at.shape[:-1], 1))
    result = ops.gather_nd(flat, mint.cat([rows, at], -1))
    return result.reshape((*outer, *result.shape[1:]))


def _positions(at: Tensor, shape: Any) -> Any:
    """Indices without negative ones."""
    return mint.where(at < 0, at + Tensor(list(shape[: at.shape[-1]]), at.dtype), at)


@op("ScatterElements", "Scatter")
def scatter_elements(x: Tensor, at: Tensor, updates: Tensor, *, axis: int = 0, reduction: str = "none") -> Any:
    axis = values.within(axis, x.ndim)
    at = _positive(at, x.shape[axis])
    if reduction == "none":
        return mint.scatter(x, axis, at, updates)
    if reduction == "add":
        return mint.scatter_add(x, axis, at, updates)
    index = [mint.arange(n, dtype=at.dtype).reshape((-1, *(1,) * (at.ndim - 1 - i))) for i, n in enumerate(at.shape)]
    index[axis] = at
    where = mint.stack([mint.broadcast_to(coordinate, tuple(at.shape)) for coordinate in index], -1)
    return scatter_nd(x, where, updates, reduction=reduction)


@op("ScatterND")
def scatter_nd(x: Tensor, at: Tensor, updates: Tensor, *, reduction: str = "none") -> Any:
    change = {
        "none": ops.tensor_scatter_update,
        "add": ops.tensor_scatter_add,
        "mul": ops.tensor_scatter_mul,
        "max": ops.tensor_scatter_max,
        "min": ops.tensor_scatter_min,
    }[reduction]
    return change(x, _positions(at, x.shape), updates)


@op("TensorScatter")
def tensor_scatter(past: Tensor, update: Tensor, at: Input = None, *, axis: int = -2, mode: str = "linear") -> Any:
    axis = values.within(axis, past.ndim)
    n, length = past.shape[axis], update.shape[axis]
    start = mint.zeros((past.shape[0],), dtype=dtypes.int64) if at is None else at
    index = start.reshape((-1, 1)) + mint.arange(length, dtype=dtypes.int64)
    index = index % n if mode == "circular" else index
    index = index.reshape((past.shape[0], *(length if i == axis else 1 for i in range(1, past.ndim))))
    return mint.scatter(past, axis, mint.broadcast_to(index, tuple(update.shape)), update)


@op("Pad", moves=True)
def pad(
    x: Tensor,
    to: Row = None,
    number: Value = None,
    at: Row = None,
    *,
    mode: str = "constant",
    pads: Ints = None,
    paddings: Ints = None,
    value: float = 0.0,
) -> Any:
    to = to if to is not None else pads if pads is not None else paddings
    axes = range(x.ndim) if at is None else [values.within(axis, x.ndim) for axis in at]
    fill = Tensor(value, x.dtype) if number is None else values.tensor(number).reshape(())
    for i, axis in enumerate(axes):
        x = padded(x, axis, to[i], to[len(axes) + i], mode, fill)
    return x


def padded(x: Tensor, axis: int, before: Any, after: Any, mode: str, fill: Tensor) -> Any:
    """A tensor with more, or fewer, elements before and after an axis: `fill`, or its own as `mode` says."""
    n = x.shape[axis]
    start, end = max(0, -before), n - max(0, -after)
    if (start, end) != (0, n):
        x, n = mint.narrow(x, axis, start, end - start), end - start
    before, after = max(0, before), max(0, after)
    if not before and not after:
        return x
    if mode == "constant":
        blocks = [
            mint.broadcast_to(fill, (*x.shape[:axis], m, *x.shape[axis + 1 :])).astype(x.dtype) for m in (before, after)
        ]
        return mint.cat([*(blocks[:1] if before else []), x, *(blocks[1:] if after else [])], axis)
    before, after, n = int(before), int(after), int(n)
    at = np.arange(-before, n + after)
    if mode == "edge":
        at = at.clip(0, n - 1)
    elif mode == "wrap":
        at %= n
    else:
        period = max(1, 2 * n - 2)
        at %= period
        at = np.where(at < n, at, period - at)
    return mint.index_select(x, axis, Tensor(at))


@op("CenterCropPad", moves=True)
def center_crop_pad(x: Tensor, to: Row, *, axes: Ints = None) -> Any:
    axes = range(x.ndim) if axes is None else [values.within(axis, x.ndim) for axis in axes]
    for axis, n in zip(axes, to):
        more = n - x.shape[axis]
        before = more // 2 if more > 0 else -(-more // 2)
        x = padded(x, axis, before, more - before, "constant", Tensor(0, x.dtype))
    return x


@op("DepthToSpace")
def depth_to_space(x: Tensor, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    b, rest = blocksize, c // blocksize**2
    if mode == "DCR":
        x = mint.permute(x.reshape((n, b, b, rest, h, w)), (0, 3, 4, 1, 5, 2))
    else:
        x = mint.permute(x.reshape((n, rest, b, b, h, w)), (0, 1, 4, 2, 5, 3))
    return x.reshape((n, rest, h * b, w * b))


@op("SpaceToDepth")
def space_to_depth(x: Tensor, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    b = blocksize
    x = mint.permute(x.reshape((n, c, h // b, b, w // b, b)), (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4))
    return x.reshape((n, c * b * b, h // b, w // b))


@op("ReverseSequence")
def reverse_sequence(x: Tensor, lengths: Tensor, *, batch_axis: int = 1, time_axis: int = 0) -> Any:
    at = mint.arange(x.shape[time_axis], dtype=dtypes.int64).reshape((1, -1))
    length = lengths.astype(dtypes.int64).reshape((-1, 1))
    at = mint.where(at < length, length - 1 - at, at)
    at = at if batch_axis == 0 else mint.transpose(at, 0, 1)
    at = at.reshape((*at.shape, *(1,) * (x.ndim - 2)))
    return mint.gather(x, time_axis, mint.broadcast_to(at, tuple(x.shape)))


@op("OneHot")
def one_hot(at: Tensor, depth: Number, pair: Tensor, *, axis: int = -1) -> Any:
    depth = int(depth)
    axis = values.within(axis, at.ndim + 1)
    at = at.astype(dtypes.int64)
    index = mint.unsqueeze(mint.where(at < 0, at + depth, at), axis)
    codes = mint.arange(depth, dtype=dtypes.int64).reshape((-1, *(1,) * (at.ndim - axis)))
    return mint.where(index == codes, pair[1], pair[0])


@op("EyeLike")
def eye_like(x: Tensor, *, dtype: int | None = None, k: int = 0) -> Any:
    rows, columns = x.shape
    at = mint.arange(columns).reshape((1, -1)) - mint.arange(rows).reshape((-1, 1))
    return (at == k).astype(x.dtype if dtype is None else values.TYPES[dtype])


@op("Constant")
def constant(
    *,
    value: Any = None,
    value_float: float | None = None,
    value_floats: Sequence[float] | None = None,
    value_int: int | None = None,
    value_ints: Ints = None,
    sparse_value: Any = None,
) -> Any:
    for one in (value, sparse_value):
        if one is not None:
            return one
    if value_floats is not None or value_float is not None:
        return values.constant(np.array(value_float if value_floats is None else value_floats, np.float32))
    return values.constant(np.array(value_int if value_ints is None else value_ints, np.int64))


@op("ConstantOfShape")
def constant_of_shape(sizes: Row, *, value: Any = None) -> Any:
    if isinstance(value, Narrow):
        return Narrow(mint.broadcast_to(value.values.reshape(()), tuple(sizes)), value.type)
    fill = Tensor(0, dtypes.float32) if value is None else values.tensor(value).reshape(())
    return mint.broadcast_to(fill, tuple(sizes))


@op("Range")
def range_(start: Value, limit: Value, delta: Value) -> Any:
    dtype = values.tensor(start).dtype
    first, last, step = (values.number(value) for value in (start, limit, delta))
    if isinstance(first, int) and isinstance(step, int):
        count = max(0, -((first - last) // step))
        return (mint.arange(count, dtype=dtypes.int64) * step + first).astype(dtype)
    count = max(0, math.ceil((last - first) / step))
    return (mint.arange(count, dtype=dtypes.float64) * step + first).astype(dtype)


@op("Compress")
def compress(x: Tensor, keep: Row, *, axis: int | None = None) -> Any:
    at = [i for i, flag in enumerate(keep) if flag]
    x, axis = (x.reshape((-1,)), 0) if axis is None else (x, axis)
    return mint.index_select(x, axis, Tensor(np.array(at, np.int64)))


@op("NonZero")
def non_zero(x: Tensor) -> Any:
    return mint.transpose(mint.nonzero(x), 0, 1)
