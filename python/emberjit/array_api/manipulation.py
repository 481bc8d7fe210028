"""Functions that move elements: they join, reorder, repeat and reshape arrays, of one dtype or the one these promote to.

Source: the Python array API standard, "Manipulation Functions".
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.array_api.array import Array, tensor_in
from emberjit.array_api.dtypes import INTEGERS, checked
from emberjit.array_api.elements import in_one_dtype
from emberjit.functions.shapes import flips_and_rolls
from emberjit.tensors.indexing import checked_axis

__all__ = [
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]

_ops = core.ops


class AxisError(IndexError, ValueError):
    """An axis that an array has not, or that is there twice: a ValueError, and an IndexError as the standard has it."""


def axes_of(name: str, axis: Any, rank: int) -> tuple[int, ...]:
    """Axes, an int or several, counted from the first; None: all.

    Raises:
        AxisError: one is out of range, or there twice.
    """
    if axis is None:
        return tuple(range(rank))
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (operator.index(axis),)
    if any(not -rank <= i < rank for i in axes) or len({i % rank for i in axes}) < len(axes):
        raise AxisError(f"For '{name}', axes must be different ones in [{-rank}, {rank}), but got {axis}.")
    return tuple(i % rank for i in axes)


def _several(name: str, arrays: Sequence[Array]) -> list[Tensor]:
    tensors = [tensor_in(name, x) for x in arrays]
    if not tensors:
        raise ValueError(f"For '{name}', there must be one array at least.")
    return in_one_dtype(name, tensors)


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Array:
    """Arrays joined along an axis, in the dtype they promote to; without an axis all elements in row-major order.

    Raises:
        ValueError: there are none, axis is out of range, or other sizes differ.
    """
    tensors = _several("concat", arrays)
    if axis is None:
        tensors, axis = [_ops.reshape(tensor, (-1,)) for tensor in tensors], 0
    return Array(_ops.concat(tensors, checked_axis("concat", tensors[0], axis)))


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Array:
    """Arrays of one shape joined along a new axis, in the dtype they promote to.

    Raises:
        ValueError: there are none, axis is out of range, or shapes differ.
    """
    return Array(_ops.stack(_several("stack", arrays), axis))


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The parts along an axis, without it.

    Raises:
        ValueError: axis is out of range.
    """
    tensor = tensor_in("unstack", x)
    at = checked_axis("unstack", tensor, axis)
    return tuple(Array(tensor[(*[slice(None)] * at, i)]) for i in range(tensor.shape[at]))


def expand_dims(x: Array, /, axis: int | Sequence[int]) -> Array:
    """x with new axes of size 1, where axis says they are in the result.

    Raises:
        IndexError: an axis is out of range, or there twice.
    """
    tensor = tensor_in("expand_dims", x)
    rank = tensor.ndim + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    for at in sorted(axes_of("expand_dims", axis, rank)):
        tensor = _ops.expand_dims(tensor, at)
    return Array(tensor)


def squeeze(x: Array, /, axis: int | Sequence[int]) -> Array:
    """x without axes of size 1.

    Raises:
        ValueError: an axis is out of range, or of another size.
    """
    tensor = tensor_in("squeeze", x)
    axes = axes_of("squeeze", axis, tensor.ndim)
    if any(tensor.shape[at] != 1 for at in axes):
        raise ValueError(f"For 'squeeze', axes {axis} must be of size 1, but the shape is {tuple(tensor.shape)}.")
    return Array(_ops.reshape(tensor, tuple(size for at, size in enumerate(tensor.shape) if at not in axes)))


def flip(x: Array, /, *, axis: int | Sequence[int] | None = None) -> Array:
    """x with the elements along axes in reverse; along all without axes.

    Raises:
        ValueError: an axis is out of range, or there twice.
    """
    tensor = tensor_in("flip", x)
    axes = axes_of("flip", axis, tensor.ndim)
    return Array(_ops.flip(tensor, axes) if axes else _ops.identity(tensor))


def moveaxis(x: Array, source: int | Sequence[int], destination: int | Sequence[int], /) -> Array:
    """x with axes moved from `source` to `destination`; the others stay in order.

    Raises:
        ValueError: an axis is out of range or there twice, or there are not as many of both.
    """
    tensor = tensor_in("moveaxis", x)
    froms, tos = (axes_of("moveaxis", axes, tensor.ndim) for axes in (source, destination))
    if len(froms) != len(tos):
        raise ValueError(f"For 'moveaxis', there must be as many axes of both, but got {source} and {destination}.")
    order = [axis for axis in range(tensor.ndim) if axis not in froms]
    for to, axis in sorted(zip(tos, froms)):
        order.insert(to, axis)
    return Array(_ops.transpose(tensor, tuple(order)))


def permute_dims(x: Array, /, axes: Sequence[int]) -> Array:
    """x with its axes in another order.

    Raises:
        ValueError: axes are not all of x.
    """
    tensor = tensor_in("permute_dims", x)
    order = axes_of("permute_dims", tuple(axes), tensor.ndim)
    if len(order) != tensor.ndim:
        raise ValueError(f"For 'permute_dims', 'axes' must name all {tensor.ndim} axes, but got {axes}.")
    return Array(_ops.transpose(tensor, order))


def repeat(x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Each element repeated along an axis; without one all elements, in row-major order.

    Args:
        repeats: how often: an int, or an array of ints, without axes or with one for each position of the axis.

    Raises:
        TypeError: repeats are not of integers.
        ValueError: they are negative, or not as many as positions, or axis is out of range.
    """
    tensor = tensor_in("repeat", x)
    if axis is None:
        tensor, axis = _ops.reshape(tensor, (-1,)), 0
    at = checked_axis("repeat", tensor, axis)
    if isinstance(repeats, Array):
        checked("repeat", repeats.dtype, INTEGERS)
        counts = repeats.tensor.tolist()
        repeats = tuple(counts) if isinstance(counts, list) else counts
    if isinstance(repeats, tuple) and len(repeats) < 2:
        repeats = repeats[0] if repeats else () if tensor.shape[at] else 0
    return Array(_ops.repeat_interleave(tensor, repeats, at))


def reshape(x: Array, /, shape: Sequence[int], *, copy: bool | None = None) -> Array:
    """The elements of x in row-major order in another shape.

    Args:
        shape: one size may be -1, which the others and the number of elements say.
        copy: True: the memory is the result's own. False: it is shared. None: shared where it can be.

    Raises:
        ValueError: the number of elements is another, or copy is False where memory cannot be shared.
    """
    tensor = tensor_in("reshape", x)
    if copy is False and not tensor.is_contiguous():
        raise ValueError("For 'reshape', 'copy' must not be False: the elements are not in order in memory.")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return Array(_ops.reshape(_ops.identity(tensor) if copy else tensor, sizes))


def roll(x: Array, /, shift: int | Sequence[int], *, axis: int | Sequence[int] | None = None) -> Array:
    """x with the elements along axes moved on, those beyond the end to the beginning; without axes in row-major order.

    Args:
        shift: by how many positions: one number for all axes, or one for each.

    Raises:
        ValueError: an axis is out of range, or there are not as many shifts as axes.
    """
    tensor = tensor_in("roll", x)
    if axis is None:
        flat = _ops.reshape(tensor, (-1,))
        return Array(_ops.reshape(flips_and_rolls.roll(flat, shift, 0), tuple(tensor.shape)))
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    shifts = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
    if len(shifts) != len(axes):
        raise ValueError(f"For 'roll', there must be as many shifts as axes, but got {shift} and {axis}.")
    for one, at in zip(shifts, axes):
        tensor = flips_and_rolls.roll(tensor, one, checked_axis("roll", tensor, at))
    return Array(tensor)


def tile(x: Array, repetitions: Sequence[int], /) -> Array:
    """x repeated along its axes, counted from the last; with more repetitions than axes those are added in front.

    Raises:
        ValueError: a number is negative.
    """
    tensor = tensor_in("tile", x)
    times = tuple(repetitions)
    times = (1,) * (tensor.ndim - len(times)) + times
    return Array(_ops.tile(tensor, times) if times else _ops.identity(tensor))
