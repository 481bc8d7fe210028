"""Axes in another order. Views. `transpose` of mint exchanges two axes, those of ops and numpy take an order of all, that of
Tensor either."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
swapaxes: ops.swapaxes Tensor.swapaxes mint.swapaxes ops.TransposeExtView()(input, axis0 as dim0, axis1 as dim1)
    Tensor.transpose(axis0 as dim0, axis1 as dim1) Tensor.swapdims(axis0 as dim0, axis1 as dim1)
    ops.swapdims(input, axis0 as dim0, axis1 as dim1)
    mint.swapdims(input, axis0 as dim0, axis1 as dim1) numpy.swapaxes(input as x, axis0 as axis1, axis1 as axis2)
transpose: ops.transpose(input, dims|input_perm) ops.permute(input, dims as axis|dims) Tensor.permute(*dims|axis)
    mint.permute ops.Transpose()(input, dims) ops.TransposeView()(input, dims as input_perm)
""",
)


@publish(
    "Tensor.transpose(*axes) numpy.transpose(input as a, axes)",
    numpy="np.transpose(input, axes)",
    samples="f32(2, 3, 4); f32(2, 3, 4), (2, 0, 1)",
    in_python=True,
)
def transposed(input: Tensor, axes: Ints | None = None) -> Any:
    """Axes in another order; without arguments reversed. A view. Two ints are two axes to exchange."""
    return _ops.transpose(input, axes or tuple(range(input.ndim))[::-1])


@publish("mint.transpose", numpy="np.swapaxes(input, dim0, dim1)", samples="f32(2, 3, 4), 0, -1", in_python=True)
def swapped(input: Tensor, dim0: int, dim1: int) -> Any:
    """Two axes exchanged. A view.

    Raises:
        ValueError: an axis is out of range.
    """
    return _ops.swapaxes(input, dim0, dim1)


@publish(
    """Tensor.movedim ops.movedim(input as x, source, destination) mint.movedim
    ops.moveaxis(input as x, source, destination) Tensor.moveaxis numpy.moveaxis(input as a, source, destination)""",
    numpy="np.moveaxis(input, source, destination)",
    samples="f32(2, 3, 4), 0, 2; f32(2, 3, 4), (0, 1), (-1, 0)",
    in_python=True,
)
def movedim(input: Tensor, source: Ints, destination: Ints) -> Any:
    """Axes at other places; those that are not named keep their order. A view.

    Raises:
        ValueError: an axis is out of range or named twice, or there are not as many of both.
    """
    sources, targets = ((axes,) if isinstance(axes, int) else tuple(axes) for axes in (source, destination))
    if len(sources) != len(targets):
        raise ValueError(
            f"For 'movedim', there must be as many 'source' as 'destination', but got {source} and {destination}."
        )
    placed = {checked_axis("movedim", input, to): checked_axis("movedim", input, at) for to, at in zip(targets, sources)}
    if len(set(placed.values())) < len(sources):
        raise ValueError(f"For 'movedim', an axis is named twice: source is {source}, destination {destination}.")
    rest = iter(axis for axis in range(input.ndim) if axis not in placed.values())
    return _ops.transpose(input, tuple(placed[axis] if axis in placed else next(rest) for axis in range(input.ndim)))


@publish("Tensor.t ops.t mint.t", numpy="input.T", samples="f32(2, 3); f32(4)", in_python=True)
def matrix_transposed(input: Tensor) -> Any:
    """A matrix with its axes exchanged, a view; what has fewer axes itself.

    Raises:
        ValueError: input has more than two axes.
    """
    if input.ndim > 2:
        raise ValueError(f"For 't', the input must have at most two axes, but its shape is {tuple(input.shape)}.")
    return _ops.swapaxes(input, 0, 1) if input.ndim == 2 else input


@publish(
    "numpy.rollaxis",
    numpy="np.rollaxis(x, axis, start)",
    samples="f32(2, 3, 4), 2; f32(2, 3, 4), 0, 3; i32(2, 3, 4), 1, -1; f32(2, 3, 4), -1, 1",
    in_python=True,
)
def rollaxis(x: Tensor, axis: int, start: int = 0) -> Any:
    """An axis moved before another; the others keep their order. A view.

    Args:
        axis: which is moved.
        start: before which; the number of axes: to the end.

    Raises:
        ValueError: either is out of range.
    """
    at, rank = checked_axis("rollaxis", x, axis), x.ndim
    to = rank if start == rank else checked_axis("rollaxis", x, start)
    order = [other for other in range(rank) if other != at]
    order.insert(to - (at < to), at)
    return _ops.transpose(x, tuple(order))
