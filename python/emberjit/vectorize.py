"""vmap: a function over a batch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import state, tree
from emberjit.capture.jit import compiled
from emberjit.pullback import SubGraph, tensors, with_tensors


def vmap(fn: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """The function that applies fn to each slice of its arguments at once.

    Args:
        fn: a function or Cell over Tensors.
        in_axes: the batch axis of the arguments: an int for all, or a tuple with an int, None (the same for every
            slice) or a nested tuple for each.
        out_axes: where the results get their batch axis, an int or a tuple.

    Raises:
        ValueError: no argument has a batch axis, or batch sizes differ.
        TypeError: axes of the wrong type.
    """
    if not callable(fn):
        raise TypeError(f"For 'vmap', the argument 'fn' must be a function or Cell, but got {fn!r}.")
    if not isinstance(in_axes, (int, tuple, list)):
        raise TypeError(f"For 'vmap', the argument 'in_axes' must be an int or a tuple, but got {in_axes!r}.")

    @functools.wraps(fn, updated=())
    def batched(*args: Any) -> Any:
        return _batched(fn, args, in_axes, out_axes)

    jitted = compiled(batched, "trace", eager=False)

    @functools.wraps(fn, updated=())
    def run(*args: Any) -> Any:
        if core.current_capture() is not None:
            return _batched(fn, args, in_axes, out_axes)
        return _by_slices(fn, args, in_axes, out_axes) if core.recording() else jitted(*args)

    return run


def _leaf_axes(arg: Any, axes: Any) -> list[Any]:
    if isinstance(axes, (tuple, list)) and isinstance(arg, (tuple, list)):
        return [axis for item, inner in zip(arg, axes) for axis in _leaf_axes(item, inner)]
    return [axes for leaf in tree.leaves(arg) if isinstance(leaf, core.Tensor)]


def _taken(args: tuple[Any, ...], in_axes: Any) -> tuple[list[Any], list[Any], list[int]]:
    """The Tensors of the arguments, their axes, and which have one."""
    per_argument = in_axes if isinstance(in_axes, (tuple, list)) else [in_axes] * len(args)
    if len(per_argument) != len(args):
        raise ValueError(f"For 'vmap', in_axes has {len(per_argument)} items for {len(args)} arguments.")
    leaves = tensors(args)
    axes = [axis for arg, a in zip(args, per_argument) for axis in _leaf_axes(arg, a)]
    _check_axes(leaves, axes)
    batched = [i for i, axis in enumerate(axes) if axis is not None]
    if not batched:
        raise ValueError("For 'vmap', at least one argument must have a batch axis.")
    sizes = {leaves[i].shape[axes[i]] for i in batched}
    if len(sizes) != 1:
        raise ValueError(f"For 'vmap', the batch axes have different sizes: {sorted(sizes)}.")
    return leaves, axes, batched


def _by_slices(fn: Callable[..., Any], args: tuple[Any, ...], in_axes: Any, out_axes: Any) -> Any:
    """Slice after slice, for a tape to follow."""
    leaves, axes, batched = _taken(args, in_axes)
    size = leaves[batched[0]].shape[axes[batched[0]]]
    values = [fn(*with_tensors(args, [_slice(x, axis, i) for x, axis in zip(leaves, axes)])) for i in range(size)]
    columns = list(zip(*(tensors(value) for value in values)))
    outs = list(out_axes) if isinstance(out_axes, (tuple, list)) else [out_axes] * len(columns)
    stack = core.op_table["stack"]
    return with_tensors(values[0], [column[0] if a is None else stack(column, a) for column, a in zip(columns, outs)])


def _batched(fn: Callable[..., Any], args: tuple[Any, ...], in_axes: Any, out_axes: Any) -> Any:
    capture = core.current_capture()
    leaves, axes, batched = _taken(args, in_axes)
    examples = [_slice(leaf, axis, 0) for leaf, axis in zip(leaves, axes)]
    with state.interpreting(state.current_reads()):
        graph = SubGraph(fn, with_tensors(args, examples), {})
    outs = list(out_axes) if isinstance(out_axes, (tuple, list)) else [out_axes] * len(graph.ordered)
    first = batched[0]
    transformed = capture.batched(graph.inner, axes, outs, leaves[first], axes[first])
    return graph.value(capture.call(transformed, leaves))


def _check_axes(leaves: list[Any], axes: list[Any]) -> None:
    if len(axes) != len(leaves):
        raise ValueError(f"For 'vmap', in_axes names {len(axes)} axes for {len(leaves)} Tensors.")
    for leaf, axis in zip(leaves, axes):
        if axis is None:
            continue
        if not isinstance(axis, int) or isinstance(axis, bool):
            raise TypeError(f"For 'vmap', an axis in in_axes must be an int or None, but got {axis!r}.")
        if not -leaf.ndim <= axis < leaf.ndim:
            raise ValueError(f"For 'vmap', in_axes has axis {axis} for a Tensor of shape {tuple(leaf.shape)}.")


def _slice(leaf: Any, axis: Any, i: int) -> Any:
    if axis is None:
        return leaf
    index: list[Any] = [slice(None)] * leaf.ndim
    index[axis] = i
    return leaf[tuple(index)]
