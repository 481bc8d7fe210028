"""vmap: a function over a batch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import state, tree
from emberjit.capture.jit import compiled


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
        return _batched(fn, args, in_axes, out_axes) if core.current_capture() is not None else jitted(*args)

    return run


def _leaf_axes(arg: Any, axes: Any) -> list[Any]:
    if isinstance(axes, (tuple, list)) and isinstance(arg, (tuple, list)):
        return [axis for item, inner in zip(arg, axes) for axis in _leaf_axes(item, inner)]
    return [axes for leaf in tree.leaves(arg) if isinstance(leaf, core.Tensor)]


def _batched(fn: Callable[..., Any], args: tuple[Any, ...], in_axes: Any, out_axes: Any) -> Any:
    capture = core.current_capture()
    per_argument = in_axes if isinstance(in_axes, (tuple, list)) else [in_axes] * len(args)
    if len(per_argument) != len(args):
        raise ValueError(f"For 'vmap', in_axes has {len(per_argument)} items for {len(args)} arguments.")
    leaves = [leaf for arg in args for leaf in tree.leaves(arg) if isinstance(leaf, core.Tensor)]
    axes = [axis for arg, a in zip(args, per_argument) for axis in _leaf_axes(arg, a)]
    _check_axes(leaves, axes)
    batched = [i for i, axis in enumerate(axes) if axis is not None]
    if not batched:
        raise ValueError("For 'vmap', at least one argument must have a batch axis.")
    sizes = {leaves[i].shape[axes[i]] for i in batched}
    if len(sizes) != 1:
        raise ValueError(f"For 'vmap', the batch axes have different sizes: {sorted(sizes)}.")
    examples = [_slice(leaf, axis) for leaf, axis in zip(leaves, axes)]
    params = iter(capture.begin_graph(getattr(fn, "__name__", type(fn).__name__), examples))
    results: list[Any] = []
    try:
        inputs = [tree.rebuild(a, lambda leaf: next(params) if isinstance(leaf, core.Tensor) else leaf) for a in args]
        with state.interpreting(state.current_reads()):
            value = state.call(fn, *inputs)
        spec = tree.result_spec(value, results)
        inner = capture.end_graph(results)
    except BaseException:
        capture.abandon_graph()
        raise
    outs = list(out_axes) if isinstance(out_axes, (tuple, list)) else [out_axes] * len(results)
    first = batched[0]
    transformed = capture.batched(inner, axes, outs, leaves[first], axes[first])
    return tree.from_spec(spec, capture.call(transformed, leaves, []))


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


def _slice(leaf: Any, axis: Any) -> Any:
    if axis is None:
        return leaf
    index: list[Any] = [slice(None)] * leaf.ndim
    index[axis] = 0
    return leaf[tuple(index)]
