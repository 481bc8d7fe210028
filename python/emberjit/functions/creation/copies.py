"""Copies of Tensors and of Parameters."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
identity: ops.Identity
""",
)


@publish("Tensor.copy Tensor.value", numpy="input", samples="f32(2, 3)", in_python=True)
def copied(input: Tensor) -> Any:
    """A plain Tensor with memory of its own."""
    return _ops.identity(input) if core.is_captured(input) else core.Tensor(input)


@publish("Tensor.clone mint.clone", numpy="input", samples="f32(2, 3)", in_python=True)
def clone(input: Tensor, init: Any = "same", name: str | None = None) -> Any:
    """A copy. Of a Parameter a new Parameter.

    Args:
        init: of a Parameter: "same" copies, "zeros" or "ones" fill, a number fills.
        name: of the new Parameter; the same if None.
    """
    if not isinstance(input, core.Parameter):
        return copied(input)
    data = input if init == "same" else _ops.full_like(input, {"zeros": 0, "ones": 1}.get(init, init))
    return core.Parameter(data, name or input.name, input.requires_grad)


@publish("ops.IdentityN", numpy="x", samples="(f32(2), i32(3)); [f32(2)]", in_python=True)
def identities(x: Any) -> Any:
    """Copies of Tensors, a tuple.

    Raises:
        TypeError: x is no tuple or list.
    """
    if not isinstance(x, (tuple, list)):
        raise TypeError(f"For 'IdentityN', 'x' must be a tuple or list of Tensors, but got {type(x).__name__}.")
    return tuple(_ops.identity(item) for item in x)


@publish("ops.deepcopy", numpy="input_x", samples="f32(2, 3); i32()", in_python=True)
def deepcopy(input_x: Tensor) -> Any:
    """A copy with memory of its own."""
    return _ops.identity(input_x)
