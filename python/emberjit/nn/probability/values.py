"""Parameters of distributions and bijectors: Tensors of a floating dtype, within their domains."""

from __future__ import annotations

from typing import Any

from emberjit import ops
from emberjit._emberjit import Parameter, Tensor, float32
from emberjit.checks import check_instance
from emberjit.publish.kinds import FLOATS
from emberjit.tensors.operands import broadcast_shape


def together(*tensors: Any) -> tuple[Any, ...]:
    """Tensors in the shape that all broadcast to."""
    shape = broadcast_shape("probability", tensors)
    return tuple(ops.broadcast_to(tensor, shape) for tensor in tensors)


def floating(owner: str, name: str, value: Any, dtype: Any) -> Any:
    """A parameter as it is kept: a Parameter itself, anything else as a Tensor of the dtype.

    Raises:
        TypeError: it is no number, Tensor, list or array of them.
    """
    if isinstance(value, Parameter) and value.dtype == dtype:
        return value
    if isinstance(value, (str, bool)) or value is None:
        raise TypeError(f"For '{owner}', '{name}' must be a number or a Tensor, but got {value!r}.")
    return ops.cast(value, dtype) if isinstance(value, Tensor) else Tensor(value, dtype)


def dtype_of(values: Any, default: Any) -> Any:
    """The floating dtype that the first Tensor among values has, else the default."""
    dtypes = (value.dtype for value in values if isinstance(value, Tensor) and value.dtype in FLOATS)
    return next(dtypes, default if default in FLOATS else float32)


def tensor_of(owner: str, name: str, value: Any, dtype: Any) -> Any:
    """An argument of a method, in the dtype.

    Raises:
        TypeError: it is no Tensor.
    """
    check_instance(owner, name, value, Tensor)
    return ops.cast(value, dtype)


def check_positive(owner: str, name: str, value: Tensor) -> None:
    """Raises:
    ValueError: an element is not greater than zero.
    """
    if not bool((value > 0).all()):
        raise ValueError(f"For '{owner}', '{name}' must be greater than zero, but got {value.asnumpy()}.")


def check_probabilities(owner: str, name: str, value: Tensor) -> None:
    """Raises:
    ValueError: an element is outside (0, 1).
    """
    if not bool(((value > 0) & (value < 1)).all()):
        raise ValueError(f"For '{owner}', '{name}' must lie between zero and one, but got {value.asnumpy()}.")
