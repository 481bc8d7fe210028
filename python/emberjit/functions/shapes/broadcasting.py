"""Elements again and again: shapes that broadcast, whole Tensors as tiles, each element repeated."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
repeat_interleave: ops.repeat_interleave(input, repeats, axis|dim)
""",
    as_graphs=True,
)

publish_ops(
    __name__,
    """
broadcast_to: ops.broadcast_to Tensor.broadcast_to(*shape) mint.broadcast_to numpy.broadcast_to(input as array, shape)
    ops.BroadcastTo(shape)(input)
tile: ops.tile(input, dims|reps) Tensor.tile(*dims) mint.tile numpy.tile(input as a, dims as reps) ops.Tile()(input, dims)
""",
)


@publish(
    """Tensor.repeat_interleave(repeats, axis as dim|axis, *, output_size)
    mint.repeat_interleave(input, repeats, axis as dim, *, output_size)""",
    numpy="np.repeat(input, repeats, axis)",
    samples="f32(2, 3), 2; f32(2, 3), 2, 1, 6; i32(4), (1, 0, 2, 3), 0; f32(0), 3",
)
def repeated_elements(input: Tensor, repeats: Any, axis: int | None = None, output_size: int | None = None) -> Any:
    """Each element repeated along an axis, or without one in row-major order.

    Args:
        repeats: how often: an int for all, or one for each position of the axis.
        output_size: the size of the axis in the result, which is checked.

    Raises:
        ValueError: repeats are negative or too few, axis is out of range, or output_size is another.
    """
    result = _ops.repeat_interleave(input, repeats, axis)
    size = result.shape[0 if axis is None else axis]
    if output_size is not None and output_size != size:
        raise ValueError(
            f"For 'repeat_interleave', 'output_size' must be {size}, the sum of repeats, but got {output_size}."
        )
    return result


@publish(
    "Tensor.expand_as(other|x) ops.expand_as",
    numpy="np.broadcast_to(input, other.shape)",
    samples="f32(2, 1), f32(3, 2, 4)",
    in_python=True,
)
def expand_as(input: Tensor, other: Tensor) -> Any:
    """Repeated along axes of size 1 to the shape of other. A view.

    Raises:
        ValueError: the shape does not broadcast to other's.
    """
    return _ops.broadcast_to(input, other.shape)


@publish(
    "Tensor.expand(*size) ops.expand(input as input_x, size) ops.Expand()(input as x, size as shape)",
    numpy="np.broadcast_to(input, [input.shape[i - len(size)] if n == -1 else n for i, n in enumerate(size)])",
    samples="f32(2, 1), (3, 2, 4); f32(3), (2, 3); f32(2, 1), (-1, 4)",
    in_python=True,
)
def expand(input: Tensor, size: Ints) -> Any:
    """Repeated along axes of size 1, and along new ones in front; -1 keeps a size. A view, which cannot be written.

    Raises:
        ValueError: the sizes do not fit.
    """
    return _ops.broadcast_to(input, size.tolist() if isinstance(size, core.Tensor) else size)


@publish(
    "Tensor.sum_to_size(*size)",
    numpy="""input.sum((*range(input.ndim - len(size)), *(i - len(size) for i, n in enumerate(size) if n == 1)),
    keepdims=True).reshape(size)""",
    samples="f32(2, 3), (1, 3); f32(2, 3), (3,); f32(4, 2, 3), (2, 1); i32(2, 3), (2, 3)",
)
def sum_to_size(input: Tensor, size: Ints) -> Any:
    """Summed to a shape that broadcasts to this one.

    Raises:
        ValueError: it does not.
    """
    sizes = (size,) if isinstance(size, int) else tuple(size)
    added = input.ndim - len(sizes)
    if added < 0 or any(n not in (1, input.shape[added + i]) for i, n in enumerate(sizes)):
        raise ValueError(f"For 'sum_to_size', a tensor of shape {tuple(input.shape)} can not be summed to {sizes}.")
    axes = tuple(i for i, n in enumerate(input.shape) if i < added or (sizes[i - added] == 1 and n != 1))
    return _ops.reshape(_ops.sum(input, axes, True), sizes) if axes else input


@publish(
    "Tensor.repeat(*repeats)",
    numpy="np.tile(input, repeats)",
    samples="f32(2, 3), (2, 1); i32(3), (2, 2); f32(2, 3), (1, 0); i32(), 3",
    in_python=True,
)
def repeat(input: Tensor, repeats: Ints) -> Any:
    """The whole Tensor again and again along each axis; more numbers than axes add axes in front.

    Args:
        repeats: how often, for each axis.

    Raises:
        TypeError: repeats are no ints.
        RuntimeError: there are fewer numbers than axes, or one is negative.
    """
    counts = ints_of("repeat", "repeats", repeats)
    if len(counts) < input.ndim or any(n < 0 for n in counts):
        raise RuntimeError(
            f"For 'repeat', 'repeats' must be a number, not negative, for each of {input.ndim} axes, but got {counts}: to "
            "repeat each element along one axis give 'axis', or use repeat_interleave()."
        )
    return _ops.tile(input, counts)


@publish(
    """Tensor.repeat(repeats, axis: int? = ...) numpy.repeat(input as a, repeats, axis)
    ops.repeat_elements(input as x, repeats as rep: int, axis: int = 0)""",
    numpy="np.repeat(input, repeats, axis)",
    samples="f32(2, 3), 2; f32(2, 3), 2, 1; i32(2, 3), (1, 2), 0; i32(3), [0, 2, 1]; i32(), 4",
    in_python=True,
)
def repeat_each(input: Tensor, repeats: Ints, axis: int | None = None) -> Any:
    """Each element again and again along an axis; None: all elements in a single one.

    Args:
        repeats: how often, a number for all or one for each.

    Raises:
        ValueError: axis is out of range, or repeats is negative, or of another length than the axis.
    """
    return _ops.repeat_interleave(input, ints_of("repeat", "repeats", repeats), axis)
