"""Indexing by Tensors, lists and masks, as NumPy does it (advanced indexing), composed of ops.

The indexed axes are brought to the front and merged into one, along which a single gather reads, or a single scatter writes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from emberjit import _emberjit as core

_ops = core.op_table


class _Plan(NamedTuple):
    """How an index reads: the rest of the index, as basic one; which axes of its result Tensors choose; where their result's
    axes go."""

    basic: tuple[Any, ...]
    axes: list[int]
    indices: list[Any]
    to: int


def _positions(mask: Any) -> list[Any]:
    """For each axis of a mask the indices of its true elements."""
    if core.is_captured(mask):
        raise core.CaptureError(
            "indexing by a mask gives a Tensor whose shape depends on values, which cannot be captured into a graph: use "
            "where() or select(), or index outside."
        )
    return [core.Tensor(found) for found in mask.asnumpy().nonzero()]


def _as_tensor(item: Any) -> Any:
    if isinstance(item, core.Tensor):
        return item
    made = core.Tensor(item)
    return made if made.size or made.dtype == core.bool_ else _ops["cast"](made, core.int64)


def _is_advanced(item: Any) -> bool:
    return isinstance(item, (core.Tensor, list)) or hasattr(item, "__array_interface__")


def _items(x: Any, index: Any) -> list[Any]:
    """The index's items, masks as positions, without Ellipsis."""
    items: list[Any] = []
    for item in index if isinstance(index, tuple) else (index,):
        if not _is_advanced(item):
            if isinstance(item, bool) or not (item is None or item is Ellipsis or isinstance(item, (slice, int))):
                raise TypeError(
                    f"a Tensor cannot be indexed by a {type(item).__name__}: use ints, slices, None, ..., Tensors, lists."
                )
            items.append(item)
            continue
        tensor = _as_tensor(item)
        if tensor.dtype == core.bool_:
            items.extend(_checked_mask(x, tensor, items))
        elif tensor.dtype in (core.float16, core.bfloat16, core.float32, core.float64):
            raise IndexError(f"a Tensor used as index must hold integers or bools, but holds {tensor.dtype}.")
        else:
            items.append(tensor)
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > x.ndim:
        raise IndexError(f"too many indices for a Tensor of {x.ndim} dimensions: {used}")
    filler = [slice(None)] * (x.ndim - used)
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    at = next((i for i, item in enumerate(items) if item is Ellipsis), None)
    return [*items, *filler] if at is None else [*items[:at], *filler, *items[at + 1 :]]


def _checked_mask(x: Any, mask: Any, before: list[Any]) -> list[Any]:
    first = sum(item is not None for item in before if item is not Ellipsis)
    if Ellipsis not in [item for item in before if not isinstance(item, core.Tensor)]:
        wanted = tuple(x.shape[first : first + mask.ndim])
        if tuple(mask.shape) != wanted:
            raise IndexError(
                f"a mask of shape {tuple(mask.shape)} does not fit the axes that it indexes, of shape {wanted}."
            )
    return _positions(mask)


def _plan(x: Any, index: Any) -> _Plan:
    items = _items(x, index)
    chosen = [i for i, item in enumerate(items) if isinstance(item, (core.Tensor, int)) and not isinstance(item, bool)]
    basic = tuple(slice(None) if i in chosen else item for i, item in enumerate(items))
    together = chosen == list(range(chosen[0], chosen[-1] + 1))
    indices = [
        item if isinstance(item, core.Tensor) else core.Tensor(item, core.int64) for item in (items[i] for i in chosen)
    ]
    return _Plan(basic, chosen, indices, chosen[0] if together else 0)


def _merged(sizes: list[int], indices: list[Any]) -> Any:
    """One index into axes of these sizes, merged; what is out of range anywhere is out of range there."""
    if len(indices) == 1:
        return indices[0]
    total = math.prod(sizes)
    merged: Any = None
    for size, index in zip(sizes, indices):
        index = _ops["cast"](index, core.int64)
        outside = _ops["logical_or"](index < -size, index >= size)
        index = _ops["select"](outside, total * total, _ops["select"](index < 0, index + size, index))
        merged = index if merged is None else merged * size + index
    return _ops["select"](merged >= total, total, merged)


def _front(rank: int, axes: list[int]) -> list[int]:
    return [*axes, *(axis for axis in range(rank) if axis not in axes)]


def _inverse(order: list[int]) -> list[int]:
    return sorted(range(len(order)), key=order.__getitem__)


def get(x: Any, index: Any) -> Any:
    """x[index], where the index holds Tensors, lists or arrays of integers or bools.

    Raises:
        IndexError: a position, a mask's shape or the number of indices does not fit.
        TypeError: an index of another type, or a mask whose elements are not known while a graph is captured.
    """
    plan = _plan(x, index)
    source = x[plan.basic]
    sizes = [source.shape[axis] for axis in plan.axes]
    order = _front(source.ndim, plan.axes)
    rest = [source.shape[axis] for axis in order[len(plan.axes) :]]
    rows = _ops["reshape"](_ops["transpose"](source, tuple(order)), (math.prod(sizes), *rest))
    merged = _merged(sizes, plan.indices)
    found = _ops["gather"](rows, merged, 0)
    return found if plan.to == 0 else _ops["transpose"](found, tuple(_placed(merged.ndim, len(rest), plan.to)))


def _placed(indexed: int, rest: int, to: int) -> list[int]:
    """The order of axes that puts the first `indexed` ones before axis `to` of the rest."""
    return [*range(indexed, indexed + to), *range(indexed), *range(indexed + to, indexed + rest)]


def updated(x: Any, index: Any, value: Any) -> Any:
    """x with x[index] = value, where the index holds Tensors, lists or arrays of integers or bools.

    Raises:
        IndexError: as get.
        ValueError: the value does not broadcast to what is indexed.
    """
    if isinstance(index, core.Tensor) and index.dtype == core.bool_ and _spreads(x, index, value):
        mask = _ops["reshape"](index, (*index.shape, *([1] * (x.ndim - index.ndim))))
        return _ops["cast"](_ops["select"](mask, value, x), x.dtype)
    plan = _plan(x, index)
    source = x[plan.basic]
    sizes = [source.shape[axis] for axis in plan.axes]
    order = _front(source.ndim, plan.axes)
    rest = [source.shape[axis] for axis in order[len(plan.axes) :]]
    turned = _ops["transpose"](source, tuple(order))
    rows = _ops["reshape"](turned, (math.prod(sizes), math.prod(rest)))
    merged = _merged(sizes, plan.indices)
    count = math.prod(merged.shape)
    placed = _placed(merged.ndim, len(rest), plan.to)
    shape = [*merged.shape, *rest]
    given = value if isinstance(value, core.Tensor) else core.Tensor(value, x.dtype)
    given = _ops["broadcast_to"](_ops["cast"](given, x.dtype), tuple(shape[axis] for axis in placed))
    given = _ops["reshape"](_ops["transpose"](given, tuple(_inverse(placed))), (count, math.prod(rest)))
    at = _ops["broadcast_to"](_ops["reshape"](_ops["cast"](merged, core.int64), (count, 1)), (count, math.prod(rest)))
    written = _ops["tensor_scatter_elements"](rows, at, given, 0)
    region = _ops["transpose"](_ops["reshape"](written, turned.shape), tuple(_inverse(order)))
    if all(item == slice(None) for item in plan.basic):
        return region
    added = tuple(axis for axis, item in enumerate(plan.basic) if item is None)
    whole = x * 1
    whole[tuple(item for item in plan.basic if item is not None)] = _ops["squeeze"](region, added) if added else region
    return whole


def _spreads(x: Any, mask: Any, value: Any) -> bool:
    """Whether a value is the same for all that a mask chooses."""
    if mask.ndim > x.ndim or tuple(mask.shape) != tuple(x.shape[: mask.ndim]):
        return False
    return isinstance(value, (int, float, core.Number)) or (isinstance(value, core.Tensor) and value.ndim == 0)
