"""Primitives that tell whether a result was not finite: clear the status, compute, get it."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.primitives.primitive import Primitive

_ops = core.ops


class NPUAllocFloatStatus(Primitive):
    """Makes the flag that NPUGetFloatStatus sets: float32 zeros of shape (8,).

    Args:
        name: the primitive's name; by default the class's.

    Examples:
        >>> print(ops.NPUAllocFloatStatus()())
        [0. 0. 0. 0. 0. 0. 0. 0.]
    """

    def __call__(self) -> Any:
        return _ops.zeros((8,), core.float32)


class NPUGetFloatStatus(Primitive):
    """Sets a flag to ones if any result since NPUClearFloatStatus was not finite, and to zeros if all were.

    Looked at are the results of all ops, float16 overflow included, in this process: eager ones, those of jitted functions,
    of gradients and of other threads. After it results are not looked at until NPUClearFloatStatus is called again.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        x: the flag, a Tensor of float16 or float32, into which is written.

    Examples:
        >>> flag = ops.NPUAllocFloatStatus()()
        >>> _ = ops.NPUClearFloatStatus()(flag)
        >>> infinite = Tensor([1.0]) / 0
        >>> _ = ops.NPUGetFloatStatus()(flag)
        >>> print(flag)
        [1. 1. 1. 1. 1. 1. 1. 1.]
    """

    def __call__(self, x: Any) -> Any:
        """Sets x; returns zeros.

        Raises:
            TypeError: x is no Tensor of float16 or float32.
        """
        x[...] = _ops.get_float_status(x)
        return _ops.zeros_like(x)
