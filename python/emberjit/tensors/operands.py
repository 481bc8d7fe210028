"""Operands made alike: Tensors of what is given as numbers or lists, in one dtype, of one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core

_ops = core.ops


def as_tensor(value: Any) -> Any:
    """A Tensor of a number, a list or an array; a Tensor itself."""
    return value if isinstance(value, core.Tensor) else core.Tensor(value)


def promoted(tensors: Sequence[Any]) -> list[Any]:
    """Tensors in the dtype that they promote to."""
    zero: Any = _ops.zeros((), tensors[0].dtype)
    for one in tensors[1:]:
        zero = _ops.add(zero, _ops.zeros((), one.dtype)) if one.dtype != zero.dtype else zero
    return [one if one.dtype == zero.dtype else _ops.cast(one, zero.dtype) for one in tensors]


def broadcast_shape(function: str, tensors: Sequence[Any]) -> tuple[int, ...]:
    """The shape that Tensors broadcast to.

    Raises:
        ValueError: they do not.
    """
    out: list[int] = []
    for d in range(-max(t.ndim for t in tensors), 0):
        sizes = {t.shape[d] for t in tensors if t.ndim >= -d} - {1}
        if len(sizes) > 1:
            raise ValueError(f"For '{function}', shapes do not broadcast: {[tuple(t.shape) for t in tensors]}.")
        out.append(sizes.pop() if sizes else 1)
    return tuple(out)
