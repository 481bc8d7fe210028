"""What is known of a Tensor: its shape, rank, size and strides. `size` of numpy also takes data, and axes to count along."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.functions.creation.arrays import asarray
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


@publish("ops.shape ops.Shape ops.shape_(input_x as x: object)", numpy="input_x.shape", samples="f32(2, 3)", in_python=True)
def shape(input_x: Tensor) -> Any:
    """The shape of a Tensor, a tuple of ints."""
    return input_x.shape


@publish("ops.rank ops.Rank Tensor.dim Tensor.ndimension", numpy="input_x.ndim", samples="f32(2, 3)", in_python=True)
def rank(input_x: Tensor) -> Any:
    """The number of axes of a Tensor, an int."""
    return input_x.ndim


@publish(
    "ops.size ops.Size ops.numel(input_x as input) Tensor.numel Tensor.nelement",
    numpy="input_x.size",
    samples="f32(2, 3)",
    in_python=True,
)
def size(input_x: Tensor) -> Any:
    """The number of elements of a Tensor, an int."""
    return input_x.size


@publish(
    "numpy.size", numpy="np.size(a, axis)", samples="f32(2, 3); f32(2, 3), 1; f32(2, 3), (0, 1); [1, 2]", in_python=True
)
def size_along(a: Any, axis: Ints | None = None) -> Any:
    """The number of elements, an int, or of those along axes.

    Args:
        a: a Tensor, or data for one.

    Raises:
        ValueError: an axis is out of range.
    """
    shape = asarray(a).shape
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    count = 1
    for at in axes:
        if not -len(shape) <= at < len(shape):
            raise ValueError(f"For 'size', axis {at} is out of range for a tensor of {len(shape)} dimensions.")
        count *= shape[at]
    return count


@publish(
    "Tensor.stride",
    numpy="(4, 1) if dim is None else (4, 1)[dim]",
    samples="f32(3, 4); f32(3, 4), 0; f32(3, 4), -1",
    in_python=True,
)
def stride(input: Tensor, dim: int | None = None) -> Any:
    """Elements from one index to the next, of each axis or of one.

    Raises:
        IndexError: dim is out of range.
    """
    steps = tuple(n // input.itemsize for n in input.strides)
    if dim is None:
        return steps
    if not -len(steps) <= dim < len(steps):
        raise core.IndexRangeError(f"For 'stride', 'dim' must be in [{-len(steps)}, {len(steps)}), but got {dim}.")
    return steps[dim]


@publish(
    "ops.TensorShape()(input_x) ops.dyn_shape(input_x) ops.DynamicShape(dtype)(input_x)",
    numpy="np.array(input_x.shape, np.int64)",
    samples="f32(2, 3); f32(2, 0), 9; i32()",
    in_python=True,
)
def shape_tensor(input_x: Tensor, dtype: int = 9) -> Any:
    """The shape as a Tensor of int64.

    Args:
        dtype: has no effect.
    """
    return core.Tensor([*input_x.shape], core.int64)


@publish("ops.is_tensor", numpy="isinstance(obj, np.ndarray)", samples="f32(2); 3", in_python=True)
def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""
    return isinstance(obj, core.Tensor)


@publish("numpy.isscalar", numpy="np.isscalar(element)", samples="3; 2.5; 'a'; f32(2); [1]; True; None", in_python=True)
def isscalar(element: Any) -> bool:
    """Whether an object is a number or a str, and neither a Tensor nor a sequence."""
    return isinstance(element, (int, float, complex, str, bytes, core.Number))


@publish(
    "ops.is_sequence_value_unknown", numpy="any(size < 0 for size in shape)", samples="(2, 3); (); (-1, 3)", in_python=True
)
def is_sequence_value_unknown(shape: Any) -> bool:
    """Whether a shape has an unknown size, as those of placeholders; graphs know sizes where they are read.

    Raises:
        TypeError: shape is no tuple or list.
    """
    check_instance("is_sequence_value_unknown", "shape", shape, (tuple, list))
    return any(isinstance(size, int) and size < 0 for size in shape)


@publish("ops.ConvertToDynamic(is_dynamic_rank)(input)", numpy="input", samples="f32(2, 3); i32(), True; f32(4), True")
def hidden_shape(input: Tensor, is_dynamic_rank: bool = False) -> Any:
    """A copy; in a graph of MindSpore's its shape is unknown.

    Args:
        is_dynamic_rank: also the rank, there. Here shapes are symbolic, and ranks known.
    """
    return _ops.identity(input)
