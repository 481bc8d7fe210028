"""Values between the elements of axes: where the elements of a resized axis lie in the original, and interpolation there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from emberjit import _emberjit as core

_ops = core.ops
_SHARP, _THIRD_ORDER = -0.75, -0.5  # free coefficients of cubic convolution


def positions(old: Any, new: Any, rule: str, scale: float | None = None) -> Any:
    """Where the elements of an axis resized from `old` to `new` lie in the original one (float64).

    Args:
        rule: "corners", the first and last elements stay where they are; "half_pixel", the outer edges of pixels do, in
            whose middles elements lie; "middle", the same, with element i from i to i + 1; "start", the first element
            does.
        scale: how much larger the axis is to be taken for, instead of new / old.
    """
    at = _ops.cast(_ops.arange(new), core.float64)
    if rule == "corners":
        return at * (old - 1) / max(new - 1, 1)
    if rule != "start":
        at = at + 0.5
    at = at * old / new if scale is None else at / scale
    return at - 0.5 if rule == "half_pixel" else at


def bounded(at: core.Tensor, size: Any) -> Any:
    """Indices of an axis for whole numbers, the nearest for those outside; 0 for NaN."""
    return _ops.cast(_ops.select(at >= 0, _ops.minimum(at, size - 1), 0.0), core.int64)


def _cubic_weights(part: core.Tensor, free: float) -> list[Any]:
    """The weights of the four elements around a position that lies `part` behind the second: cubic convolution.

    Method: R. Keys, Cubic convolution interpolation for digital image processing (1981).
    """

    def near(t: core.Tensor) -> Any:
        return ((free + 2) * t - (free + 3)) * t * t + 1

    def far(t: core.Tensor) -> Any:
        return ((free * t - 5 * free) * t + 8 * free) * t - 4 * free

    return [far(part + 1), near(part), near(1 - part), far(2 - part)]


def taps(at: core.Tensor, kind: str) -> list[tuple[Any, Any]]:
    """The elements that interpolation at positions reads, as whole numbers, with their weights; None is weight 1.

    Args:
        kind: "nearest" (below), "linear" or "cubic".
    """
    first = _ops.floor(at)
    if kind == "nearest":
        return [(first, None)]
    part = at - first
    if kind == "linear":
        return [(first, 1 - part), (first + 1, part)]
    return [(first + i, weight) for i, weight in enumerate(_cubic_weights(part, _SHARP), -1)]


def _inner_cubic(at: core.Tensor, size: Any) -> list[tuple[Any, Any]]:
    """Taps of cubic convolution of third order among the elements that there are: weights of others go to these."""
    first = _ops.floor(at)
    rows: list[tuple[Any, Any]] = []
    total: Any = 0
    for i, weight in enumerate(_cubic_weights(at - first, _THIRD_ORDER), -1):
        inside = _ops.logical_and(first + i >= 0, first + i <= size - 1)
        rows.append((first + i, _ops.select(inside, weight, 0.0)))
        total = total + rows[-1][1]
    return [(place, weight / total) for place, weight in rows]


def along_axis(x: core.Tensor, axis: int, at: core.Tensor, kind: str) -> Any:
    """x interpolated at positions along an axis, beyond whose ends stand the last elements, or of kind "inner cubic"
    none."""
    total: Any = None
    for place, weight in _inner_cubic(at, x.shape[axis]) if kind == "inner cubic" else taps(at, kind):
        value = _ops.gather(x, bounded(place, x.shape[axis]), axis)
        if weight is not None:
            value = value * _ops.cast(weight, x.dtype).reshape((-1,) + (1,) * (x.ndim - axis - 1))
        total = value if total is None else total + value
    return total


def times(first: core.Tensor, second: core.Tensor) -> Any:
    """The product of two weights, of which None is 1."""
    return second if first is None else first if second is None else first * second


def at_points(
    read: Callable[..., Any],
    axes: list[tuple[Any, Any]],
    kind: str,
    zeros: bool,
    index_of: Callable[[Any, Any], Any] = bounded,
) -> Any:
    """What interpolation along several axes gives at points.

    Args:
        read: gives the elements at flat indices, times weights, which may be None; with `zeros` 0 where a third argument,
            whether points are inside, is false.
        axes: positions along each axis and its size; the positions broadcast.
        zeros: whether zeros stand outside of the axes.
        index_of: gives the index that stands for a whole number, given the axis's size.
    """
    total: Any = None
    for combination in product(*(taps(at, kind) for at, _ in axes)):
        index: Any = None
        weight: Any = None
        inside: Any = None
        for (place, factor), (_, size) in zip(combination, axes):
            weight = times(weight, factor)
            there = _ops.logical_and(place >= 0, place <= size - 1)
            inside = there if inside is None else _ops.logical_and(inside, there)
            own = index_of(place, size)
            index = own if index is None else index * size + own
        value = read(index, weight, inside) if zeros else read(index, weight)
        total = value if total is None else total + value
    return total
