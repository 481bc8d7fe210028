"""Indexing by Tensors, lists and masks, as NumPy does it (advanced indexing): which axes Tensors index, and where their
result's axes go. What is not indexed by them is a basic index, of which the ops gather_axes and scatter_axes see the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from emberjit import _emberjit as core
from emberjit.values.dtypes import FLOATS

_ops = core.ops


def checked_axis(function: str, tensor: core.Tensor, axis: Any) -> int:
    """An axis, an int or a Tensor of one, counted from the first.

    Raises:
        ValueError: it is out of range.
    """
    rank: int = tensor.ndim
    at = axis.item() if isinstance(axis, core.Tensor) else axis
    if isinstance(at, (float, str)):
        raise TypeError(f"For '{function}', the axis must be an int, but got {axis!r}.")
    if not -rank <= at < rank:
        raise ValueError(
            f"For '{function}', axis {at} is out of range for a tensor of {rank} dimensions; it must be in "
            f"[{-rank}, {rank})."
        )
    return int(at % rank)


def along_axis(function: str, x: core.Tensor, axis: int, change: Callable[[Any, int], Any]) -> Any:
    """What is done along an axis, counted from the first; with a Tensor without axes as with a vector of it.

    Raises:
        ValueError: axis is out of range.
    """
    if x.ndim == 0 and axis in (0, -1):
        return _ops.reshape(change(_ops.reshape(x, (1,)), 0), ())
    return change(x, checked_axis(function, x, axis))


def as_positions(positions: core.Tensor, dtype: core.dtype = core.int32) -> Any:
    """Positions (int64) in the dtype asked for.

    Raises:
        ValueError: one does not fit int32.
    """
    return _ops.narrow_index(positions) if dtype == core.int32 else _ops.cast(positions, dtype)


def along(axis: int, item: Any) -> tuple[Any, ...]:
    """The index of an item along an axis, counted from the first."""
    return (*[slice(None)] * axis, item)


class _Added(NamedTuple):
    """What a bool indexes: a new axis of size 1, True by its only position, False by none."""

    index: Any


class _Plan(NamedTuple):
    """How an index reads: the rest of the index, as basic one; which axes of its result Tensors choose; where their result's
    axes go."""

    basic: tuple[Any, ...]
    axes: tuple[int, ...]
    indices: tuple[Any, ...]
    to: int


def true_positions(mask: core.Tensor) -> Any:
    """The indices (int64, a row each) of the true elements."""
    dtype = core.int32 if mask.size < 1 << 31 else core.int64
    return _ops.true_positions(mask, int(_ops.sum(mask, None, False, dtype)))


def _is_of_axes(index: Any) -> bool:
    """Whether a list has what indexes one axis each, as a tuple has."""
    return isinstance(index, list) and any(
        item is None or item is Ellipsis or isinstance(item, (slice, list)) or getattr(item, "ndim", 0) for item in index
    )


class ShapeIndexError(core.IndexRangeError, ValueError):  # type: ignore[misc]
    """A mask of a shape that does not fit: an IndexError as NumPy has it, and a ValueError as MindSpore has it."""


class _Index:
    """The items of an index into a Tensor, and what they select.

    Args:
        name: of what the user does, for errors.
    """

    def __init__(self, name: str, x: core.Tensor, index: Any):
        self.name, self.x = name, x
        self.index = tuple(index) if isinstance(index, tuple) or _is_of_axes(index) else (index,)

    def refuse(self, problem: str) -> NoReturn:
        raise core.IndexRangeError(f"For '{self.name}', {problem}")

    def items(self) -> list[Any]:
        """The items, masks as positions, without Ellipsis."""
        items: list[Any] = []
        for item in self.index:
            is_tensor = isinstance(item, (core.Tensor, list)) or hasattr(item, "__array__")
            index = self.tensor(item) if is_tensor else item
            if isinstance(index, bool) or (is_tensor and index.dtype == core.bool_ and index.ndim == 0):
                items.append(_Added(core.Tensor([0] * bool(index), core.int64)))
            elif is_tensor:
                items.extend(self.positions(index, items))
            elif not (item is None or item is Ellipsis or isinstance(item, (slice, int))):
                self.refuse(
                    f"a Tensor of shape {tuple(self.x.shape)} cannot be indexed by a {type(item).__name__}, {item!r}: use "
                    "ints, slices, None, ..., and Tensors, lists or arrays of ints or bools."
                )
            else:
                items.append(item)
        used = sum(_takes_axis(item) for item in items)
        if used > self.x.ndim:
            self.refuse(f"there are too many indices, {used}, for shape {tuple(self.x.shape)}.")
        if sum(item is Ellipsis for item in items) > 1:
            self.refuse("an index can have only one ellipsis (...).")
        filler = [slice(None)] * (self.x.ndim - used)
        at = next((i for i, item in enumerate(items) if item is Ellipsis), len(items))
        return [*items[:at], *filler, *items[at + 1 :]]

    def tensor(self, item: Any) -> Any:
        if isinstance(item, core.Tensor):
            return item
        try:
            index = core.Tensor(item)
        except (TypeError, ValueError):
            self.refuse(f"an index must be of ints or bools, but {item!r} is not.")
        return index if index.size or index.dtype == core.bool_ else _ops.cast(index, core.int64)

    def positions(self, index: core.Tensor, before: list[Any]) -> list[Any]:
        """An index of integers itself, a mask as the positions of its true elements along each of its axes."""
        if index.dtype != core.bool_:
            if index.dtype in FLOATS:
                self.refuse(
                    f"a Tensor of shape {tuple(self.x.shape)} is indexed by a Tensor of {index.dtype}: an index must be of "
                    "integers or bools, to which astype() converts it."
                )
            return [index]
        if core.is_captured(index):
            raise core.CaptureError(
                f"For '{self.name}', indexing by a mask gives a Tensor whose shape depends on values, which cannot be "
                "captured into a graph: use where() or select(), or index outside."
            )
        if not any(item is Ellipsis for item in before):
            first = sum(map(_takes_axis, before))
            expected = tuple(self.x.shape[first : first + index.ndim])
            if tuple(index.shape) != expected:
                raise ShapeIndexError(
                    f"For '{self.name}', a mask of shape {tuple(index.shape)} does not fit the axes that it indexes, of "
                    f"shape {expected} in {tuple(self.x.shape)}."
                )
        positions = true_positions(index)
        return [positions[:, axis] for axis in range(index.ndim)]

    def plan(self) -> _Plan:
        items = self.items()
        advanced = [i for i, item in enumerate(items) if isinstance(item, (core.Tensor, int, _Added))]
        added = [i for i in advanced if isinstance(items[i], _Added)]
        basic = tuple(None if i in added else slice(None) if i in advanced else item for i, item in enumerate(items))
        together = bool(advanced) and advanced == list(range(advanced[0], advanced[-1] + 1))
        indexers = (items[i].index if isinstance(items[i], _Added) else items[i] for i in advanced)
        indices = tuple(item if isinstance(item, core.Tensor) else core.Tensor(item, core.int64) for item in indexers)
        return _Plan(basic, tuple(advanced), indices, advanced[0] if together else 0)


def _takes_axis(item: Any) -> bool:
    return not (item is None or item is Ellipsis or isinstance(item, _Added))


def get(x: core.Tensor, index: Any) -> Any:
    """x[index], where the index holds Tensors, lists or arrays of integers, or bools.

    Raises:
        IndexError: an index of another type, a position, a mask's shape or the number of indices does not fit.
        CaptureError: a mask whose elements are not known while a graph is captured.
    """
    masked = isinstance(index, core.Tensor) and index.dtype == core.bool_ and x.shape == index.shape
    if masked and not core.is_captured(index):
        positions = true_positions(_ops.reshape(index, (-1,)))
        return _ops.gather(_ops.reshape(x, (-1,)), _ops.reshape(positions, (-1,)), 0)
    plan = _Index("tensor getitem", x, index).plan()
    if not plan.axes:
        return x[plan.basic]
    return _ops.gather_axes(x[plan.basic], plan.indices, plan.axes, plan.to)


def updated(x: core.Tensor, index: Any, value: Any) -> Any:
    """x with x[index] = value, where the index holds what it may for get.

    Raises:
        IndexError, CaptureError: as get.
        ValueError: the value does not broadcast to what is indexed.
    """
    if isinstance(index, core.Tensor) and index.dtype == core.bool_ and _spreads(x, index, value):
        return _ops.masked_fill(x, _ops.reshape(index, (*index.shape, *([1] * (x.ndim - index.ndim)))), value)
    plan = _Index("tensor setitem", x, index).plan()
    if not plan.axes:
        whole = _ops.identity(x)
        whole[plan.basic] = value
        return whole
    values = value if isinstance(value, core.Tensor) else core.Tensor(value, x.dtype)
    region = _ops.scatter_axes(x[plan.basic], values, plan.indices, plan.axes, plan.to)
    if all(item == slice(None) for item in plan.basic):
        return region
    added = tuple(axis for axis, item in enumerate(plan.basic) if item is None)
    whole = _ops.identity(x)
    whole[tuple(item for item in plan.basic if item is not None)] = _ops.squeeze(region, added) if added else region
    return whole


def _spreads(x: core.Tensor, mask: core.Tensor, value: Any) -> bool:
    """Whether a value is the same for all that a mask chooses."""
    if mask.ndim > x.ndim or tuple(mask.shape) != tuple(x.shape[: mask.ndim]):
        return False
    return isinstance(value, (int, float, core.Number)) or (isinstance(value, core.Tensor) and value.ndim == 0)
