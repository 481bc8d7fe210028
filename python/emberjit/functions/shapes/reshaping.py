"""The same elements under another shape: views where they are in order."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import holds_tensors, ints_of
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.ops

publish_ops(
    __name__,
    """
expand_dims: ops.expand_dims(input_x|input, axis|dim) ops.unsqueeze(input_x as input, axis as dim)
    Tensor.expand_dims(axis|dim) Tensor.unsqueeze(axis as dim|axis) mint.unsqueeze(input_x as input, axis as dim)
    ops.ExpandDims()(input_x, axis)
flatten: ops.flatten(input, order, *, start_dim, end_dim) nn.Flatten(start_dim = 1, end_dim)(input)
    mint.nn.Flatten(start_dim = 1, end_dim)(input)
    Tensor.flatten(order, *, start_dim = 0, end_dim) Tensor.flatten(start_dim = 0, end_dim)
    mint.flatten(input, start_dim = 0, end_dim) mint.nn.functional.flatten(input, start_dim = 0, end_dim)
reshape: ops.reshape Tensor.reshape(*shape) Tensor.view(*shape) mint.reshape numpy.reshape(input as x, shape as new_shape)
    ops.Reshape()(input, shape) ops.FlattenGrad()(input as x, shape)
squeeze: ops.squeeze(input, axis|dim) Tensor.squeeze(axis|dim) mint.squeeze(input, axis as dim)
    numpy.squeeze(input as a, axis) ops.Squeeze(axis)(input)
""",
)


@publish("ops.Flatten()(input)", numpy="input.reshape(len(input), input[0].size)", samples="f32(2, 3, 4); f32(3); i32(2, 0)")
def flatten_rows(input: Tensor) -> Any:
    """A matrix of the slices along the first axis.

    Raises:
        ValueError: input has no axis.
    """
    rows = input.shape[checked_axis("Flatten", input, 0)]
    return _ops.reshape(input, (rows, math.prod(input.shape[1:])))


@publish(
    "Tensor.ravel ops.ravel mint.ravel numpy.ravel(input as x)", numpy="input.ravel()", samples="f32(2, 3)", in_python=True
)
def ravel(input: Tensor) -> Any:
    """All elements in one axis: a view where they are in order."""
    return _ops.reshape(input, (-1,))


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
    return _ops.reshape(input, other.shape)


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
    flat = _ops.reshape(input, (-1,))
    return _ops.reshape(_ops.pad(flat, (0, size - flat.shape[0])), shape)


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
        a = _ops.expand_dims(a, d)
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
    return _ops.reshape(input, (*input.shape[:at], *((sizes,) if isinstance(sizes, int) else sizes), *input.shape[at + 1 :]))


def at_least(rank: int, input: Number) -> Any:
    """A Tensor with `rank` axes or more, of which new ones are where NumPy has them. A view."""
    x = as_tensor(input)
    if x.ndim >= rank:
        return x
    if rank == 3 and x.ndim == 2:
        return _ops.reshape(x, (*x.shape, 1))
    return _ops.reshape(x, {1: (1,), 2: (1, -1), 3: (1, -1, 1)}[rank])


def _declare_at_least(rank: int) -> None:
    new = {1: "", 2: " a new one in front of it", 3: " new ones around it, or one behind two"}[rank]

    def of_all(inputs: Any) -> Any:
        if isinstance(inputs, (tuple, list)) and holds_tensors(inputs):
            return tuple(at_least(rank, item) for item in inputs)
        return at_least(rank, inputs)

    def of_each(inputs: Any) -> Any:
        results = [at_least(rank, item) for item in inputs]
        return results[0] if len(results) == 1 else results

    for function, spelling, samples in (
        (of_all, f"ops.atleast_{rank}d", "f32(2); i32(); f32(2, 3); f32(2, 3, 1, 4); (f32(2), f32())"),
        (of_each, f"numpy.atleast_{rank}d(*inputs as arys = ())", "(); (f32(2),); (i32(), f32(2, 3)); (f32(2, 3, 1, 4),)"),
    ):
        function.__name__ = f"{function.__name__}_at_least_{rank}d"
        function.__doc__ = f"""With at least {rank} axes:{new or " one for a number"}. Several Tensors one by one. Views."""
        of_sequence = f"[np.atleast_{rank}d(x) for x in inputs]"
        reference = f"{of_sequence} if isinstance(inputs, tuple) else np.atleast_{rank}d(inputs)"
        publish(spelling, numpy=reference, samples=samples, in_python=True)(function)


for _rank in (1, 2, 3):
    _declare_at_least(_rank)
