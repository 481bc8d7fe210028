"""ATen's views, joins, and reads and writes by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import emberjit as ms
from emberjit import mint, ops
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.tensors.indexing import updated
from emberjit.torch_backend.table import Expected, aten


@aten("aten.view.default", "aten._unsafe_view.default", "aten.reshape.default")
def view(to: Expected, x: Tensor, size: Ints) -> Any:
    return ops.reshape(x, tuple(size))


@aten("aten.permute.default")
def permute(to: Expected, x: Tensor, dims: Ints) -> Any:
    return mint.permute(x, tuple(dims))


@aten("aten.transpose.int")
def transpose(to: Expected, x: Tensor, dim0: int, dim1: int) -> Any:
    return mint.transpose(x, dim0, dim1) if x.ndim else x


@aten("aten.t.default")
def t(to: Expected, x: Tensor) -> Any:
    return mint.transpose(x, 0, 1) if x.ndim == 2 else x


@aten("aten.expand.default")
def expand(to: Expected, x: Tensor, size: Ints, implicit: bool = False) -> Any:
    leading = len(size) - x.ndim
    known = [x.shape[i - leading] if isinstance(n, int) and n == -1 else n for i, n in enumerate(size)]
    return ops.broadcast_to(x, tuple(known))


@aten("aten.unsqueeze.default")
def unsqueeze(to: Expected, x: Tensor, dim: int) -> Any:
    return mint.unsqueeze(x, dim)


@aten("aten.squeeze.dim", "aten.squeeze.dims", "aten.squeeze.default")
def squeeze(to: Expected, x: Tensor, dims: Ints | None = None) -> Any:
    axes = range(x.ndim) if dims is None else [dims] if isinstance(dims, int) else dims
    ones = {dim % x.ndim for dim in axes if x.ndim and x.shape[dim] == 1}
    return ops.reshape(x, tuple(n for i, n in enumerate(x.shape) if i not in ones)) if ones else x


def _bounds(start: Any, end: Any) -> tuple[Any, Any]:
    whole = end is None or (type(end) is int and end >= 1 << 62)
    return start, None if whole else end


def _at(x: Tensor, dim: int, index: Any) -> tuple[Any, ...]:
    return (*[slice(None)] * (dim % x.ndim), index)


@aten("aten.slice.Tensor")
def slice_(to: Expected, x: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    start, end = _bounds(start, end)
    if start in (None, 0) and end is None and step == 1:
        return x
    return x[_at(x, dim, slice(start, end, step))]


@aten("aten.select.int")
def select(to: Expected, x: Tensor, dim: int, index: Any) -> Any:
    return x[_at(x, dim, index)]


@aten("aten.slice_scatter.default")
def slice_scatter(
    to: Expected, x: Tensor, source: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Any:
    start, end = _bounds(start, end)
    if start in (None, 0) and end is None and step == 1:
        return source
    return updated(x, _at(x, dim, slice(start, end, step)), source)


@aten("aten.select_scatter.default")
def select_scatter(to: Expected, x: Tensor, source: Tensor, dim: int, index: Any) -> Any:
    return updated(x, _at(x, dim, index), source)


@aten("aten.cat.default")
def cat(to: Expected, tensors: Sequence[Tensor], dim: int = 0) -> Any:
    parts = [to.cast(x) for x in tensors if not (x.ndim == 1 and x.shape[0] == 0)] or list(tensors)
    return mint.cat(parts, dim) if len(parts) > 1 else parts[0]


@aten("aten.stack.default")
def stack(to: Expected, tensors: Sequence[Tensor], dim: int = 0) -> Any:
    return mint.stack([to.cast(x) for x in tensors], dim)


@aten("aten.split_with_sizes.default")
def split_with_sizes(to: Expected, x: Tensor, sizes: Ints, dim: int = 0) -> Any:
    return mint.split(x, list(sizes), dim)


@aten("aten.split.Tensor")
def split(to: Expected, x: Tensor, size: Ints, dim: int = 0) -> Any:
    return mint.split(x, size, dim)


@aten("aten.unbind.int")
def unbind(to: Expected, x: Tensor, dim: int = 0) -> Any:
    return mint.unbind(x, dim)


@aten("aten.flip.default")
def flip(to: Expected, x: Tensor, dims: Ints) -> Any:
    return mint.flip(x, tuple(dims))


@aten("aten.roll.default")
def roll(to: Expected, x: Tensor, shifts: Ints, dims: Ints = ()) -> Any:
    return mint.roll(x, tuple(shifts), tuple(dims)) if dims else mint.roll(x, shifts[0])


@aten("aten.repeat.default")
def repeat(to: Expected, x: Tensor, repeats: Ints) -> Any:
    return mint.tile(x, tuple(repeats))


@aten("aten.constant_pad_nd.default")
def constant_pad_nd(to: Expected, x: Tensor, pad: Ints, value: Number = 0) -> Any:
    return mint.nn.functional.pad(x, tuple(pad), mode="constant", value=value)


@aten("aten.tril.default")
def tril(to: Expected, x: Tensor, diagonal: int = 0) -> Any:
    return mint.tril(x, diagonal)


@aten("aten.triu.default")
def triu(to: Expected, x: Tensor, diagonal: int = 0) -> Any:
    return mint.triu(x, diagonal)


@aten("aten.index.Tensor")
def index(to: Expected, x: Tensor, indices: Sequence[Tensor | None]) -> Any:
    return x[tuple(slice(None) if i is None else i for i in indices)]


def _added(x: Tensor, axis: int, at: Tensor, values: Tensor, region: Any) -> Any:
    size = x.shape[axis]
    rows = ops.reshape(mint.where(at < 0, at + size, at), (-1,))
    values = ops.reshape(ops.broadcast_to(values, region), (*x.shape[:axis], -1, *x.shape[axis + 1 :]))
    return mint.index_add(x, axis, rows, values)


def _places(size: Ints, stride: Ints, offset: int | None) -> Any:
    """Where elements lie in memory."""
    places = np.full((1,) * len(size), offset or 0, np.int64)
    for axis, (n, step) in enumerate(zip(size, stride)):
        places = places + (np.arange(n) * step).reshape((-1, *(1,) * (len(size) - 1 - axis)))
    return places.reshape(-1)


@aten("aten.as_strided.default")
def as_strided(to: Expected, x: Tensor, size: Ints, stride: Ints, offset: int | None = None) -> Any:
    """Elements by their places in memory, which lie in the order of `to.order`."""
    assert to.order is not None
    memory, places = ops.reshape(mint.permute(x, to.order), (-1,)), _places(size, stride, offset)
    is_whole = places.size == memory.size and (places == np.arange(places.size)).all()
    return ops.reshape(memory if is_whole else mint.index_select(memory, 0, Tensor(places)), tuple(size))


@aten("aten.as_strided_scatter.default")
def as_strided_scatter(to: Expected, x: Tensor, source: Tensor, size: Ints, stride: Ints, offset: int | None = None) -> Any:
    assert to.order is not None
    dense = mint.permute(x, to.order)
    places = Tensor(_places(size, stride, offset))
    memory = mint.scatter(ops.reshape(dense, (-1,)), 0, places, ops.reshape(to.cast(source), (-1,)))
    return mint.permute(ops.reshape(memory, dense.shape), tuple(to.order.index(axis) for axis in range(x.ndim)))


@aten("aten.index_put.default", "aten._unsafe_index_put.default")
def index_put(to: Expected, x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Any:
    if indices[0] is not None and indices[0].dtype in (ms.bool_, ms.uint8):
        mask = ops.reshape(indices[0] != 0, (*indices[0].shape, *(1,) * (x.ndim - indices[0].ndim)))
        value = ops.reshape(to.cast(values), ())
        return mint.where(mask, x + value if accumulate else value, x)
    axes = [axis for axis, item in enumerate(indices) if item is not None]
    positions = [item for item in indices if item is not None]
    if accumulate and len(axes) == 1:
        return _added(x, axes[0], positions[0], to.cast(values), index(to, x, indices).shape)
    if None not in indices:
        return mint.index_put(x, tuple(indices), to.cast(values), accumulate)
    order = [*axes, *(axis for axis in range(x.ndim) if axis not in axes)]
    region = index(to, x, indices)
    values = ops.broadcast_to(to.cast(values), region.shape)
    moved = region.ndim - (x.ndim - len(axes))
    if axes == list(range(axes[0], axes[-1] + 1)):
        first = axes[0]
        values = mint.permute(values, (*range(first, first + moved), *range(first), *range(first + moved, values.ndim)))
    result = mint.index_put(mint.permute(x, tuple(order)), tuple(positions), values, accumulate)
    return mint.permute(result, tuple(order.index(axis) for axis in range(x.ndim)))


@aten("aten.index_select.default")
def index_select(to: Expected, x: Tensor, dim: int, at: Tensor) -> Any:
    return mint.index_select(x, dim, at)


def _from_0(x: Tensor, dim: int, at: Tensor) -> Any:
    """Positions of which negative ones are out of range, as these ops have it."""
    return mint.where(at < 0, x.shape[dim], at) if x.ndim else at


@aten("aten.gather.default")
def gather(to: Expected, x: Tensor, dim: int, at: Tensor, sparse_grad: bool = False) -> Any:
    return mint.gather(x, dim, _from_0(x, dim, at))


@aten("aten.scatter.src", "aten.scatter.value")
def scatter(to: Expected, x: Tensor, dim: int, at: Tensor, source: Number) -> Any:
    filled = source if isinstance(source, Tensor) else mint.full(at.shape, source, dtype=x.dtype)
    return mint.scatter(x, dim, _from_0(x, dim, at), filled)


@aten("aten.scatter_add.default")
def scatter_add(to: Expected, x: Tensor, dim: int, at: Tensor, source: Tensor) -> Any:
    return mint.scatter_add(x, dim, _from_0(x, dim, at), source)


@aten("aten.embedding.default")
def embedding(
    to: Expected, weight: Tensor, at: Tensor, padding_idx: int = -1, scale: bool = False, sparse: bool = False
) -> Any:
    return mint.nn.functional.embedding(_from_0(weight, 0, at), weight)
