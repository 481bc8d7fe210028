"""Shapes and the order of elements: views where the elements can stay where they are."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis

_ops = core.op_table

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
diagonal: ops.diagonal Tensor.diagonal(offset, dim1 as axis1|dim1, dim2 as axis2|dim2) mint.diagonal
    numpy.diagonal(input as a, offset, dim1 as axis1, dim2 as axis2)
concat: ops.concat ops.cat ops.Concat(axis)(tensors) ops.SequenceConcat(axis)(tensors)
    mint.concat(tensors, axis as dim) mint.cat(tensors, axis as dim)
expand_dims: ops.expand_dims(input_x|input, axis|dim) ops.unsqueeze(input_x as input, axis as dim)
    Tensor.expand_dims(axis|dim) Tensor.unsqueeze(axis as dim|axis) mint.unsqueeze(input_x as input, axis as dim)
    ops.ExpandDims()(input_x, axis)
flatten: ops.flatten(input, order, *, start_dim, end_dim) nn.Flatten(start_dim = 1, end_dim)(input)
    mint.nn.Flatten(start_dim = 1, end_dim)(input)
    Tensor.flatten(order, *, start_dim = 0, end_dim) Tensor.flatten(start_dim = 0, end_dim)
    mint.flatten(input, start_dim = 0, end_dim) mint.nn.functional.flatten(input, start_dim = 0, end_dim)
flip: ops.flip(input, dims|axis) Tensor.flip(*dims) mint.flip ops.ReverseV2(dims as axis|dims)(input)
    ops.reverse(input as x, dims as axis) Tensor.reverse(dims as axis)
reshape: ops.reshape Tensor.reshape(*shape) Tensor.view(*shape) mint.reshape numpy.reshape(input as x, shape as new_shape)
    ops.Reshape()(input, shape) ops.FlattenGrad()(input as x, shape)
split: ops.split Tensor.split(split_size_or_sections|split_size, axis|dim)
    mint.split(tensor, split_size_or_sections, axis as dim)
squeeze: ops.squeeze(input, axis|dim) Tensor.squeeze(axis|dim) mint.squeeze(input, axis as dim)
    numpy.squeeze(input as a, axis) ops.Squeeze(axis)(input)
stack: ops.stack ops.Stack(axis)(tensors) ops.SequenceStack(axis)(tensors) ops.Pack(axis)(tensors as x)
    mint.stack(tensors, axis as dim)
swapaxes: ops.swapaxes Tensor.swapaxes mint.swapaxes ops.TransposeExtView()(input, axis0 as dim0, axis1 as dim1)
    Tensor.transpose(axis0 as dim0, axis1 as dim1) Tensor.swapdims(axis0 as dim0, axis1 as dim1)
    ops.swapdims(input, axis0 as dim0, axis1 as dim1)
    mint.swapdims(input, axis0 as dim0, axis1 as dim1) numpy.swapaxes(input as x, axis0 as axis1, axis1 as axis2)
tile: ops.tile(input, dims|reps) Tensor.tile(*dims) mint.tile numpy.tile(input as a, dims as reps) ops.Tile()(input, dims)
transpose: ops.transpose(input, dims|input_perm) ops.permute(input, dims as axis|dims) Tensor.permute(*dims|axis)
    mint.permute ops.Transpose()(input, dims) ops.TransposeView()(input, dims as input_perm)
tril: ops.tril Tensor.tril mint.tril numpy.tril(input as m, diagonal as k) ops.Tril(diagonal)(input) Tensor.tril_
triu: ops.triu Tensor.triu mint.triu numpy.triu(input as m, diagonal as k) ops.Triu(diagonal)(input) Tensor.triu_
""",
)


@publish("ops.Flatten()(input)", numpy="input.reshape(len(input), input[0].size)", samples="f32(2, 3, 4); f32(3); i32(2, 0)")
def flatten_rows(input: Tensor) -> Any:
    """A matrix of the slices along the first axis.

    Raises:
        ValueError: input has no axis.
    """
    rows = input.shape[checked_axis("Flatten", input, 0)]
    return _ops["reshape"](input, (rows, math.prod(input.shape[1:])))


@publish(
    "Tensor.transpose(*axes) numpy.transpose(input as a, axes)",
    numpy="np.transpose(input, axes)",
    samples="f32(2, 3, 4); f32(2, 3, 4), (2, 0, 1)",
    in_python=True,
)
def transposed(input: Tensor, axes: Ints | None = None) -> Any:
    """Axes in another order; without arguments reversed. A view. Two ints are two axes to exchange."""
    return _ops["transpose"](input, axes or tuple(range(input.ndim))[::-1])


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
    found = _ops["repeat_interleave"](input, repeats, axis)
    size = found.shape[0 if axis is None else axis]
    if output_size is not None and output_size != size:
        raise ValueError(
            f"For 'repeat_interleave', 'output_size' must be {size}, the sum of repeats, but got {output_size}."
        )
    return found


@publish("mint.transpose", numpy="np.swapaxes(input, dim0, dim1)", samples="f32(2, 3, 4), 0, -1", in_python=True)
def swapped(input: Tensor, dim0: int, dim1: int) -> Any:
    """Two axes exchanged. A view.

    Raises:
        ValueError: an axis is out of range.
    """
    return _ops["swapaxes"](input, dim0, dim1)


@publish(
    "Tensor.ravel ops.ravel mint.ravel numpy.ravel(input as x)", numpy="input.ravel()", samples="f32(2, 3)", in_python=True
)
def ravel(input: Tensor) -> Any:
    """All elements in one axis: a view where they are in order."""
    return _ops["reshape"](input, (-1,))


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
    return _ops["broadcast_to"](input, other.shape)


@publish(
    "Tensor.view_as Tensor.reshape_as ops.view_as",
    numpy="input.reshape(other.shape)",
    samples="f32(2, 3), f32(6)",
    in_python=True,
)
def view_as(input: Tensor, other: Tensor) -> Any:
    """The same elements under the shape of other.

    Raises:
        ValueError: other has another number of elements.
    """
    return _ops["reshape"](input, other.shape)


@publish(
    "ops.chunk Tensor.chunk(chunks, axis|dim) mint.chunk(input, chunks, axis as dim)",
    numpy="(lambda n, one: np.split(input, range(one, n, one), axis))(input.shape[axis], -(-input.shape[axis] // chunks))",
    samples="f32(4, 5), 2; f32(4, 5), 3, 1; f32(5), 4",
    in_python=True,
)
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of one size along an axis; the last may be smaller. Views.

    Raises:
        ValueError: chunks is not positive, or axis is out of range.
    """
    if chunks < 1:
        raise ValueError(f"For 'chunk', 'chunks' must be positive, but got {chunks}.")
    size = -(-input.shape[checked_axis("chunk", input, axis)] // chunks)
    return tuple(_ops["split"](input, size, axis)) if size else (input,) * chunks


def _slices(function: str, tensor: Any, axis: int) -> tuple[Any, ...]:
    at = checked_axis(function, tensor, axis)
    return tuple(_ops["select_at"](tensor, i, at) for i in [*range(tensor.shape[at])])


@publish(
    "ops.unbind Tensor.unbind(dim|axis) mint.unbind",
    numpy="[*np.moveaxis(input, dim, 0)]",
    samples="f32(2, 3); f32(2, 3), -1",
    in_python=True,
)
def unbind(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views.

    Raises:
        ValueError: the axis is out of range.
    """
    return _slices("unbind", input, dim)


@publish(
    "ops.unstack",
    numpy="[*np.moveaxis(input_x, axis, 0)]",
    samples="f32(2, 3); f32(2, 3), -1",
    in_python=True,
)
def unstack(input_x: Tensor, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views.

    Raises:
        ValueError: the axis is out of range.
    """
    return _slices("unstack", input_x, axis)


@publish(
    "ops.Unstack(axis, num)(input_x) ops.Unpack(axis)(input_x as x) ops.SequenceUnstack(axis)(input_x)",
    numpy="[*np.moveaxis(input_x, axis, 0)]",
    samples="f32(2, 3); f32(2, 3), -1, 3",
    in_python=True,
)
def unstack_all(input_x: Tensor, axis: int = 0, num: int | None = None) -> tuple[Any, ...]:
    """The slices along an axis, `num` of them. Views.

    Raises:
        ValueError: num is given, and not the size of the axis.
    """
    if num is not None and num != input_x.shape[axis]:
        raise ValueError(f"For 'Unstack', 'num' must be the size of axis {axis}, {input_x.shape[axis]}, but got {num}.")
    return _slices("Unstack", input_x, axis)


@publish(
    "ops.Split(axis, output_num)(input_x)",
    numpy="np.split(input_x, output_num, axis)",
    samples="f32(4, 3), 0, 2; f32(4, 3), 1, 3",
    in_python=True,
)
def split_evenly(input_x: Tensor, axis: int = 0, output_num: int = 1) -> Any:
    """output_num pieces of one size along an axis. Views.

    Raises:
        ValueError: the axis is out of range, or does not divide by output_num.
    """
    size = input_x.shape[checked_axis("Split", input_x, axis)]
    if output_num < 1 or size % output_num:
        raise ValueError(f"For 'Split', an axis of size {size} can not be split into {output_num} equal pieces.")
    return _ops["split"](input_x, size // output_num, axis)


@publish(
    "Tensor.narrow(dim as axis|dim, start, length) ops.narrow(input, dim as axis, start, length) mint.narrow",
    numpy="np.take(input, range(start, start + length), dim)",
    samples="f32(3, 5), 1, 2, 2; f32(4, 3), 0, 0, 4; i32(6), -1, 1, 3",
    in_python=True,
)
def narrow(input: Tensor, dim: int, start: int, length: int) -> Any:
    """The elements from start on along an axis, as many as length. A view.

    Raises:
        ValueError: dim is out of range, or the part reaches beyond the axis.
    """
    at = checked_axis("narrow", input, dim)
    size = input.shape[at]
    first = start + size if start < 0 else start
    if not 0 <= first <= first + length <= size:
        raise ValueError(
            f"For 'narrow', {length} elements from {start} on reach beyond the axis {dim} of {tuple(input.shape)}."
        )
    return input[along(at, slice(first, first + length))]


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
    return _ops["broadcast_to"](input, size.tolist() if isinstance(size, core.Tensor) else size)


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
    return _ops["reshape"](_ops["sum"](input, axes, True), sizes) if axes else input


@publish(
    "Tensor.resize(*new_shape)",
    numpy="np.append(input.ravel(), np.zeros(99, input.dtype))[: math.prod(new_shape)].reshape(new_shape)",
    samples="f32(2, 3), (3, 2); f32(2, 3), (2, 5); i32(4), (1, 2); f32(3), (0,)",
    in_python=True,
)
def resize(input: Tensor, new_shape: Ints) -> Any:
    """The elements in their order under another shape: those that there are too many of are left out, missing ones are 0.

    Raises:
        ValueError: a negative size.
    """
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    if any(n < 0 for n in shape):
        raise ValueError(f"For 'resize', 'new_shape' must not hold negative sizes, but got {shape}.")
    size = 1
    for n in shape:
        size *= n
    flat = _ops["reshape"](input, (-1,))
    return _ops["reshape"](_ops["pad"](flat, (0, size - flat.shape[0])), shape)


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
    return _ops["transpose"](input, tuple(placed[axis] if axis in placed else next(rest) for axis in range(input.ndim)))


@publish("Tensor.t ops.t mint.t", numpy="input.T", samples="f32(2, 3); f32(4)", in_python=True)
def matrix_transposed(input: Tensor) -> Any:
    """A matrix with its axes exchanged, a view; what has fewer axes itself.

    Raises:
        ValueError: input has more than two axes.
    """
    if input.ndim > 2:
        raise ValueError(f"For 't', the input must have at most two axes, but its shape is {tuple(input.shape)}.")
    return _ops["swapaxes"](input, 0, 1) if input.ndim == 2 else input


@publish(
    "numpy.expand_dims",
    numpy="np.expand_dims(a, axis)",
    samples="f32(2, 3), 1; f32(2, 3), -1; f32(2, 3), (0, 2); i32(3), (-1, 0)",
    in_python=True,
)
def expand_dims_all(a: Tensor, axis: Ints) -> Any:
    """With new axes of size 1. A view.

    Args:
        axis: where they are in the result.

    Raises:
        ValueError: an axis is out of range, or twice there.
    """
    axes = ints_of("expand_dims", "axis", axis)
    rank = a.ndim + len(axes)
    places = sorted(d + rank if d < 0 else d for d in axes)
    if len({*places}) < len(places) or any(not 0 <= d < rank for d in places):
        raise ValueError(f"For 'expand_dims', 'axis' must name different axes of {rank}, but got {axis}.")
    for d in places:
        a = _ops["expand_dims"](a, d)
    return a


@publish(
    """Tensor.unflatten ops.unflatten(input, dim as axis, sizes as unflattened_size) mint.unflatten
    nn.Unflatten(dim as axis, sizes as unflattened_size)(input as input_x)""",
    numpy="input.reshape((*input.shape[:dim % input.ndim], *sizes, *input.shape[dim % input.ndim + 1:]))",
    samples="f32(2, 12), 1, (3, 4); f32(6, 2), -2, (2, -1)",
    in_python=True,
)
def unflatten(input: Tensor, dim: int, sizes: Ints) -> Any:
    """An axis as several. A view.

    Raises:
        ValueError: dim is out of range, or the sizes do not fit.
    """
    at = checked_axis("unflatten", input, dim)
    return _ops["reshape"](
        input, (*input.shape[:at], *((sizes,) if isinstance(sizes, int) else sizes), *input.shape[at + 1 :])
    )
