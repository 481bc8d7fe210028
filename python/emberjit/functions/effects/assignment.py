"""Tensors that are assigned to Parameters, in the order of the program."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
assign: ops.assign ops.Assign
assign_add: ops.assign_add ops.AssignAdd
assign_sub: ops.assign_sub ops.AssignSub
""",
)


@publish("ops.depend ops.Depend", numpy="value", samples="f32(2), f32(3)", in_python=True)
def depend(value: Any, expr: Any) -> Any:
    """Answers value; effects before it stay before what uses it, as they do anyway."""
    return value


def _label(tensor: core.Tensor) -> str:
    return f"Parameter '{tensor.name}'" if isinstance(tensor, core.Parameter) else "a Tensor"


@publish("Tensor.set_data", in_python=True)
def set_data(input: Any, data: Any, slice_shape: bool = False) -> Any:
    """Gives a Parameter another value of the same dtype and shape.

    Args:
        data: a Tensor, or what Tensor() takes.
        slice_shape: whether data may have another shape.

    Returns:
        input.

    Raises:
        ValueError: another shape, unless slice_shape.
        TypeError: no Tensor.

    Examples:
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> _ = weight.set_data(Tensor([3.0, 4.0]))
        >>> print(weight.asnumpy())
        [3. 4.]
    """
    if not isinstance(data, core.Tensor):
        data = core.Tensor(data)
    if tuple(data.shape) != tuple(input.shape) and not slice_shape:
        raise ValueError(
            f"Can not change the shape of {_label(input)} from {tuple(input.shape)} to {tuple(data.shape)}: "
            "give data of the same shape, or set slice_shape."
        )
    if data.dtype != input.dtype:
        data = _ops.cast(data, input.dtype)
    if core.current_capture() is None:
        input._replace(core.Tensor(data))
    elif tuple(data.shape) == tuple(input.shape):
        _ops.assign(input, data)
    else:
        raise core.CaptureError(f"the shape of {_label(input)} is changed, which a graph cannot do.")
    return input
