"""Combinations of elements: grids of coordinates, products, choices."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice
from emberjit.functions.arguments import unpacked
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops

_CHUNK = 1 << 20  # what is computed between looks for an interrupt


_MOST_CHOSEN = 62  # the ways to choose more, or to leave more, are no 64-bit number


@publish(
    """ops.meshgrid(*inputs, indexing) ops.Meshgrid(indexing)(inputs) mint.meshgrid(*inputs as tensors, indexing = None)""",
    numpy="[*np.meshgrid(*inputs, indexing=indexing, sparse=sparse)]",
    samples="(f32(2), f32(3)); (f32(2), f32(3), f32(4)), 'ij'; (i32(2), i32(3)), 'xy', True; (f32(3),)",
    in_python=True,
)
def meshgrid(inputs: Any, indexing: str | None = "xy", sparse: bool = False) -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views.

    Args:
        inputs: coordinates along each axis, Tensors of one axis or none.
        indexing: "ij" or None: the first input runs along the first axis; "xy": the first two are exchanged.
        sparse: whether the results keep size 1 along the other axes.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: an input has more axes, or indexing is something else.
    """
    tensors = unpacked(tuple(inputs))
    check_choice("meshgrid", "indexing", indexing, "xy", "ij", None)
    shapes = [tuple(x.shape) for x in tensors if x.ndim > 1]
    if shapes:
        raise ValueError(f"For 'meshgrid', each input must have at most one axis, but one is of shape {shapes[0]}.")
    order = [*range(len(tensors))]
    if indexing == "xy" and len(tensors) > 1:
        order[:2] = [1, 0]
    whole = tuple(tensors[i].size for i in order)
    grids = []
    for i, x in enumerate(tensors):
        own = _ops.reshape(x, tuple(-1 if at == i else 1 for at in order))
        grids.append(own if sparse else _ops.broadcast_to(own, whole))
    return tuple(grids)


@publish(
    "numpy.meshgrid(*inputs as xi, sparse, indexing)",
    numpy="[*np.meshgrid(*inputs, indexing=indexing, sparse=sparse)]",
    samples="(f32(2), f32(3)); (f32(2), f32(3), f32(4)), 'ij'; (i32(2), i32(3)), 'xy', True; (f32(2, 2), f32(3))",
    in_python=True,
)
def numpy_meshgrid(inputs: Any, indexing: str = "xy", sparse: bool = False) -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views.

    Args:
        inputs: coordinates along each axis: Tensors, whose elements count in row-major order.
        indexing: "ij": the first input runs along the first axis; "xy": the first two are exchanged.
        sparse: whether the results keep size 1 along the other axes.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: indexing is something else.
    """
    lines = [_ops.reshape(x, (-1,)) if isinstance(x, core.Tensor) and x.ndim > 1 else x for x in unpacked(tuple(inputs))]
    return meshgrid(lines, indexing, sparse)


@publish(
    "ops.cartesian_prod(*inputs)",
    numpy="np.stack(np.meshgrid(*inputs, indexing='ij'), -1).reshape(-1, len(inputs))",
    samples="(f32(2), f32(3)); (i32(2), i32(3), i32(2)); (f32(4),)",
    in_python=True,
)
def cartesian_prod(inputs: Any) -> Any:
    """All combinations of one element of each input, as rows, those of the last input changing the fastest.

    Args:
        inputs: of one axis each.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: there are none, or one has another number of axes.
    """
    tensors = unpacked(tuple(inputs))
    for x in tensors:
        if x.ndim != 1:
            raise ValueError(f"For 'cartesian_prod', each input must have one axis, but one is of shape {tuple(x.shape)}.")
    return _ops.stack([_ops.reshape(x, (-1,)) for x in meshgrid(tensors, "ij")], -1)


@publish(
    "ops.combinations",
    numpy="""input[np.array([*getattr(__import__('itertools'), 'combinations' + '_with_replacement' * with_replacement)(
        range(len(input)), r)], int).reshape(-1, r)]""",
    samples="f32(4); i32(3), 3; f32(3), 2, True; f32(2), 4",
    in_python=True,
)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """All ways to choose r elements, as rows, in the order of their positions.

    Args:
        input: of one axis.
        r: how many to choose.
        with_replacement: whether an element may be chosen again.

    Raises:
        ValueError: input has another number of axes, or r is negative.
    """
    if input.ndim != 1 or r < 0:
        raise ValueError(
            f"For 'combinations', the input must have one axis and 'r' must not be negative, but the shape is "
            f"{tuple(input.shape)} and r {r}."
        )
    choose: Callable[..., Any] = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    import numpy as np

    size = input.shape[0]
    places_of = size + r - 1 if with_replacement else size
    few = min(r, places_of - r)
    count = math.comb(max(places_of, 0), r) if r > 0 and few <= _MOST_CHOSEN else 0
    if few > _MOST_CHOSEN or count * r >= 1 << 63:
        raise ValueError(f"For 'combinations', the ways to choose {r} of {size} elements are more than memory holds.")
    places = _ops.zeros((count * r,), core.int64)
    flat = itertools.chain.from_iterable(choose(range(size), r)) if count else iter(())
    for start in range(0, count * r, _CHUNK):
        chunk = np.fromiter(itertools.islice(flat, _CHUNK), np.int64)
        places[start : start + chunk.size] = core.Tensor(chunk)
    return _ops.gather(input, _ops.reshape(places, (count, r) if r else (0,)), 0)
