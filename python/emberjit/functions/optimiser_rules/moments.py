"""What steps of optimizers have in common: writing Parameters, and the moments of Adam."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Tensor

_ops = core.ops


def write(*pairs: Any) -> Any:
    """Writes (Parameter, value) after (Parameter, value); returns what the Parameters hold."""
    for parameter, _ in pairs:
        if not isinstance(parameter, core.Tensor):
            raise TypeError(f"what an optimizer writes must be a Parameter or Tensor, but got {type(parameter).__name__}.")
    written = [_ops.assign(p, _ops.cast(value, p.dtype)) for p, value in pairs]
    return written[0] if len(written) == 1 else tuple(written)


def moments(m: Tensor, v: Tensor, beta1: Any, beta2: Any, grad: Tensor) -> tuple[Any, Any]:
    """The moving averages of the gradient and of its square."""
    return m * beta1 + grad * (1 - beta1), v * beta2 + grad * grad * (1 - beta2)
