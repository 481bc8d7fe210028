"""Elements along an axis in reverse order, shifted and turned. `flip` needs axes; that of numpy takes all by default."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
flip: ops.flip(input, dims|axis) Tensor.flip(*dims) mint.flip ops.ReverseV2(dims as axis|dims)(input)
    ops.reverse(input as x, dims as axis) Tensor.reverse(dims as axis)
""",
)


@publish(
    """ops.roll ops.Roll(shifts, dims)(input) Tensor.roll mint.roll
    numpy.roll(input as a, shifts as shift, dims as axis) nn.Roll(shifts as shift, dims as axis = ...)(input as input_x)""",
    numpy="np.roll(input, shifts, dims)",
    samples="f32(5), 2; i32(2, 3), -1; f32(3, 4), (1, 2), (0, 1); f32(3, 4), 1, (0, 1); f32(3, 4), (1, 2), 1",
)
def roll(input: Tensor, shifts: Ints, dims: Ints | None = None) -> Any:
    """Elements moved along axes; those that pass the end come in at the front.

    Args:
        shifts: how far, along each of the axes.
        dims: the axes; None: along all of them as if they were a single one.

    Raises:
        ValueError: an axis is out of range, or there are other numbers of shifts and axes, neither one.
    """
    if dims is None:
        flat = _ops.reshape(input, (-1,))
        return _ops.reshape(roll(flat, sum(ints_of("roll", "shifts", shifts)), 0), input.shape)
    steps, axes = ints_of("roll", "shifts", shifts), ints_of("roll", "dims", dims)
    if len(steps) != len(axes) and (1 not in (len(steps), len(axes)) or not (steps and axes)):
        raise ValueError(f"For 'roll', there must be as many 'shifts' as 'dims', but got {shifts} and {dims}.")
    count, result = max(len(steps), len(axes)), input
    for step, axis in zip(steps * count if len(steps) == 1 else steps, axes * count if len(axes) == 1 else axes):
        at = checked_axis("roll", input, axis)
        size = input.shape[at]
        start = (size - step if step > 0 else -step) if abs(step) < size else -step % max(size, 1)
        if start:
            parts = (result[along(at, slice(start, None))], result[along(at, slice(0, start))])
            result = _ops.concat(parts, at)
    return _ops.identity(input) if result is input else result


@publish(
    "ops.Shift(periods, axis)(x, fill_value)",
    numpy="""(np.concatenate([np.full((min(periods, 3), 4), fill_value, x.dtype), x[:-periods]]) if axis == 0 else
    np.concatenate([x[:, -periods:], np.full((3, min(-periods, 4)), fill_value, x.dtype)], 1))""",
    samples="f32(3, 4), 7, 1, 0; f32(3, 4), 0.5, -1, -1; i32(3, 4), 0, -6",
)
def shift(x: Tensor, fill_value: Number, periods: int = 1, axis: int = -1) -> Any:
    """Elements moved along an axis; those that pass an end are lost, and a number comes in at the other.

    Args:
        fill_value: the number.
        periods: how far, towards the end; a negative one towards the front.

    Raises:
        ValueError: the axis is out of range.
    """
    at = checked_axis("Shift", x, axis)
    size = x.shape[at]
    step = max(-size, min(periods, size))
    padding = [0, 0] * (x.ndim - at)
    padding[-2:] = max(step, 0), max(-step, 0)
    return _ops.pad(x[along(at, slice(max(-step, 0), size - max(step, 0)))], tuple(padding), "constant", fill_value)


@publish(
    "ops.rot90 Tensor.rot90 numpy.rot90(input as a, k = 1, dims as axes = (0, 1))",
    numpy="np.rot90(input, k, dims)",
    samples="f32(2, 3), 1, (0, 1); f32(2, 3), 2, (0, 1); i32(2, 3, 4), -1, (1, 2); f32(2, 3), 4, [1, 0]",
)
def rot90(input: Tensor, k: int, dims: Ints) -> Any:
    """Turned by 90 degrees in the plane of two axes, from the first towards the second.

    Args:
        k: how often.
        dims: the two axes.

    Raises:
        ValueError: dims are not two different axes in range.
    """
    axes = ints_of("rot90", "dims", dims)
    at = [checked_axis("rot90", input, axis) for axis in axes]
    if len(at) != 2 or at[0] == at[1]:
        raise ValueError(f"For 'rot90', 'dims' must be two different axes, but got {dims}.")
    turns = int(k) % 4
    flipped = {0: (), 1: (at[1],), 2: tuple(at), 3: (at[0],)}[turns]
    rotated = _ops.flip(input, flipped) if flipped else _ops.identity(input)
    return _ops.swapaxes(rotated, *at) if turns % 2 else rotated


@publish("ops.fliplr Tensor.fliplr numpy.fliplr(input as m)", numpy="np.fliplr(input)", samples="f32(2, 3); i32(2, 2, 3)")
def fliplr(input: Tensor) -> Any:
    """The second axis in reverse order.

    Raises:
        ValueError: input has fewer than two axes.
    """
    checked_axis("fliplr", input, 1)
    return _ops.flip(input, 1)


@publish("ops.flipud Tensor.flipud numpy.flipud(input as m)", numpy="np.flipud(input)", samples="f32(2, 3); i32(2)")
def flipud(input: Tensor) -> Any:
    """The first axis in reverse order.

    Raises:
        ValueError: input has no axes.
    """
    checked_axis("flipud", input, 0)
    return _ops.flip(input, 0)


@publish("numpy.flip", numpy="np.flip(m, axis)", samples="f32(2, 3); f32(2, 3), 1; i32(2, 3), (0, -1)")
def numpy_flip(m: Tensor, axis: Ints | None = None) -> Any:
    """Axes in reverse order; None: all of them.

    Raises:
        ValueError: an axis is out of range.
    """
    return _ops.flip(m, tuple(range(m.ndim)) if axis is None else axis) if m.ndim else m
