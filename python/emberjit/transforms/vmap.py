"""vmap: a function over a batch. What it makes is a jitted function, which is memoized. Of a CellList each Cell runs on its
slice, in one graph: its Parameters are read, written and differentiated by where they are, and none is copied."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import SubGraph, is_parameter, named
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.jit.transform import DIRECT, compiled
from emberjit.capture.session.session import follow
from emberjit.capture.state.results import from_spec
from emberjit.values import tree
from emberjit.values.cells import CellListMarker
from emberjit.values.memo import memoized
from emberjit.values.tree import tensors, with_tensors


def vmap(fn: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """The function that applies fn to each slice of its arguments at once.

    Random numbers differ between the slices.

    Args:
        fn: a function or Cell over Tensors, or a CellList of alike Cells, of which each gets one slice, and may write to
            its Parameters.
        in_axes: the batch axis of the arguments: an int for all, or a tuple with an int, None (the same for every
            slice) or, for a tuple, list or dict, a tuple or dict of such for each positional argument; keyword arguments
            beside a tuple are the same for every slice. Numbers always are.
        out_axes: where the results get their batch axis, in the same form. What is the same for every slice has none
            with None, else it is repeated; numbers become Tensors.

    Raises:
        RuntimeError: axes of the wrong type, number or range; no argument has a batch axis, or batch sizes differ.
        ValueError: a result that differs between the slices has no axis, or a Parameter is assigned what differs.

    Examples:
        >>> dot = ms.vmap(lambda x, y: (x * y).sum(), in_axes=(0, None))
        >>> print(dot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0])))
        [21. 43.]
    """
    if not callable(fn):
        raise RuntimeError(f"'VmapOperation' arg0 must be a 'Function' or 'Cell', but got {fn!r}.")
    axes = _checked(in_axes, "in_axes"), _checked(out_axes, "out_axes")
    return memoized(fn, ("vmap", *axes), lambda: _vectorized(fn, *axes))  # type: ignore[no-any-return]


class _ByName(tuple):  # type: ignore[type-arg]
    """The axes of a dict's values, with their keys."""


def _checked(axes: Any, what: str) -> Any:
    """Axes in a form that can be a key."""
    if type(axes) is int or axes is None:
        return axes
    if isinstance(axes, (tuple, list)):
        return tuple(_checked(inner, what) for inner in axes)
    if isinstance(axes, dict):
        return _ByName((key, _checked(inner, what)) for key, inner in axes.items())
    raise RuntimeError(f"The axis in vmap's '{what}' can only be of type Int or None, but got {axes!r}.")


def _spread(value: Any, axes: Any, what: str) -> Iterator[Any]:
    """The axis of each Tensor in a value."""
    if not isinstance(axes, tuple):
        yield from (axes for _ in tensors(value))
        return
    named = isinstance(axes, _ByName)
    if named:
        fits = isinstance(value, dict) and list(value) == [key for key, _ in axes]
    else:
        fits = isinstance(value, (tuple, list)) and len(value) == len(axes)
    if not fits:
        raise RuntimeError(f"The '{what}' of vmap have {axes!r} for {tree.described(value)}: the structures must agree.")
    for item, inner in zip(value.values() if named else value, (inner for _, inner in axes) if named else axes):
        yield from _spread(item, inner, what)


def _vectorized(fn: Callable[..., Any], in_axes: Any, out_axes: Any) -> Any:
    @functools.wraps(fn, updated=())
    def run(*args: Any, **kwargs: Any) -> Any:
        cells = _cells(fn)
        leaves, axes = _taken(args, kwargs, in_axes)
        batched = [(leaf, axis) for leaf, axis in zip(leaves, axes) if axis is not None]
        if not cells and not batched:
            raise RuntimeError(
                "The 'in_axes' of 'vmap' must name a batch axis of at least one Tensor while 'fn' is not a 'CellList', but "
                f"got {in_axes!r}."
            )
        _check_sizes(batched, cells)
        if core.current_capture() is not None:
            guard_object(fn)
            if not cells:
                return _batched(fn, (args, kwargs), leaves, axes, out_axes)
        return _by_slices(cells or [fn] * _size(*batched[0]), (args, kwargs), leaves, axes, out_axes)

    return compiled(run, DIRECT, eager=False)


def _taken(args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Any) -> tuple[list[Any], list[Any]]:
    """The Tensors of the arguments, and their batch axes."""
    several = isinstance(in_axes, tuple)
    if several and len(in_axes) != len(args):
        raise RuntimeError(
            "When vmap's 'in_axes' is a tuple or list, its size must be equal to the number of arguments of 'fn': "
            f"{len(args)}, but got size: {len(in_axes)}."
        )
    leaves = tensors((args, kwargs))
    axes = [*_spread(args, in_axes, "in_axes"), *_spread(kwargs, None if several else in_axes, "in_axes")]
    for leaf, axis in zip(leaves, axes):
        _check_range(axis, leaf.ndim, "in_axes")
    return leaves, axes


def _size(leaf: Any, axis: int) -> int:
    return leaf.shape[axis]  # type: ignore[no-any-return]


def _check_sizes(batched: list[tuple[Any, int]], cells: list[Any]) -> None:
    """All batches are of one size; a graph serves others than the one that it was captured with."""
    equal = all(core.same_size(*batched[0], *other) for other in batched[1:])
    if not equal or (cells and batched and _size(*batched[0]) != len(cells)):
        sizes = sorted({_size(*pair) for pair in batched} | ({len(cells)} - {0}))
        raise RuntimeError(f"The 'axis_size' of each argument of 'vmap' should be equal, but got {sizes}.")


def _check_range(axis: int | None, rank: int, what: str) -> None:
    if axis is not None and not -rank <= axis < rank:
        raise RuntimeError(f"The axis: {axis} in '{what}' is out of bounds for array of dimension [{-rank},{rank}).")


def _out(value: Any, out_axes: Any) -> list[Any]:
    """The axes of the Tensors of a result."""
    single = isinstance(out_axes, tuple) and len(out_axes) == 1 and not isinstance(value, (tuple, list, dict))
    axes = list(_spread(value, out_axes[0] if single else out_axes, "out_axes"))
    for leaf, axis in zip(tensors(value), axes):
        _check_range(axis, leaf.ndim + 1, "out_axes")
    return axes


def _by_slices(fns: list[Any], inputs: Any, leaves: list[Any], axes: list[Any], out_axes: Any) -> Any:
    """Slice after slice: for a tape to follow what a graph has no gradient of, and for Cells with own Parameters."""
    values = []
    numbers: dict[Any, Any] = {}
    for i, fn in enumerate(fns):
        args, kwargs = with_tensors(inputs, [_slice(leaf, axis, i) for leaf, axis in zip(leaves, axes)])
        values.append(_numbers_as_tensors(follow(fn, *args, **kwargs), numbers))
    columns = list(zip(*(tensors(value) for value in values)))
    outs = _out(values[0], out_axes)
    return with_tensors(values[0], [_joined(column, axis, i) for i, (column, axis) in enumerate(zip(columns, outs))])


def _slice(leaf: Any, axis: Any, i: int) -> Any:
    """What a function sees of an argument: a copy, of which it may assign elements; a Parameter without slices itself."""
    if axis is None:
        return leaf if is_parameter(leaf) else leaf.copy()
    index: list[Any] = [slice(None)] * leaf.ndim
    index[axis] = i
    return leaf[tuple(index)].copy()


def _joined(column: Sequence[Any], axis: int | None, number: int) -> Any:
    if axis is not None:
        return core.ops.stack(column, axis)
    capture = core.current_capture()
    if capture is not None and not all(capture.computes_alike(column[0], other) for other in column[1:]):
        raise ValueError(f"vmap: result {number} differs between the elements of the batch, so it needs an axis")
    return column[0]


def _batched(fn: Callable[..., Any], inputs: Any, leaves: list[Any], axes: list[Any], out_axes: Any) -> Any:
    capture = core.current_capture()
    outs: list[Any] = []

    def run(*args: Any, **kwargs: Any) -> Any:
        value = _numbers_as_tensors(follow(fn, *args, **kwargs), {})
        outs.extend(_out(value, out_axes))
        return value

    copied = [i for i, leaf in enumerate(leaves) if not is_parameter(leaf)]
    graph = SubGraph(named(fn), run, inputs[0], inputs[1], axes=axes, copied=copied)
    for i in graph.written:
        if axes[i] is None:
            raise core.CaptureError(
                "a function that vmap takes writes to a Parameter of which each slice is given the whole."
            )
        outs.append(axes[i])
    example = next((leaf, axis) for leaf, axis in zip(leaves, axes) if axis is not None)
    results = capture.call(capture.batched(graph.inner, axes, outs, *example), leaves)
    graph.write_back(results)
    return from_spec(graph.spec, results)


def _numbers_as_tensors(value: Any, known: dict[Any, Any]) -> Any:
    """A result with Tensors for its numbers, `known` of which are known."""
    return tree.rebuild(value, lambda leaf: _number_as_tensor(leaf, known))


def _number_as_tensor(leaf: Any, known: dict[Any, Any]) -> Any:
    if isinstance(leaf, core.Number):
        capture = core.current_capture()
        like = {"Bool": False, "Int": 0}.get(str(capture.type_of(leaf)), 0.0)
        return capture.convert(leaf, capture.type_of(core.Tensor(like)))
    if not isinstance(leaf, (bool, int, float)):
        return leaf
    key = type(leaf), repr(leaf)  # -0.0 is another number than 0.0
    if key not in known:
        known[key] = core.Tensor(leaf)
    return known[key]


def _cells(fn: Any) -> list[Any]:
    """The Cells of a CellList, of which each gets a slice; they are to be alike."""
    if not isinstance(fn, CellListMarker):
        return []
    cells: list[Any] = list(fn)  # type: ignore[call-overload]
    if len(cells) < 2:
        raise RuntimeError(
            "In the model ensembling parallel training scenario ('VmapOperation' arg0 is a 'CellList'), the size of "
            f"'CellList' must be greater than 1, but got {len(cells)}."
        )
    counts = [len(list(cell.get_parameters())) for cell in cells]
    if any(type(cell) is not type(cells[0]) for cell in cells) or len(set(counts)) > 1:
        raise RuntimeError("'VmapOperation' arg0 is a CellList, whose elements's inputs should be consistent.")
    return cells
