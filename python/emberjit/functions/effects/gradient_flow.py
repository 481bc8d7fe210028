"""What becomes of gradients on their way back: where they stop, and hooks that see them."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.registry import publish
from emberjit.transforms import tensor_hooks
from emberjit.values import tree

_ops = core.ops


@publish(
    "ops.stop_gradient ops.StopGradient ops.stop_gradient_(value as input: tensor)",
    numpy="value",
    samples="f32(2)",
    in_python=True,
)
def stop_gradient(value: Any) -> Any:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""
    return tree.rebuild(value, lambda leaf: _ops.stop_gradient(leaf) if isinstance(leaf, core.Tensor) else leaf)


@publish("Tensor.register_hook", in_python=True)
def register_hook(input: Any, hook: Any) -> Any:
    """Calls hook(gradient) whenever the gradient of this Tensor has been computed; what it returns, if not None, takes the
    gradient's place. The handle that is returned removes the hook.

    Args:
        hook: a function from the gradient to None, or to another gradient.

    Raises:
        TypeError: hook can not be called.

    Examples:
        >>> def f(x):
        ...     x.register_hook(lambda gradient: gradient * 10)
        ...     return (x * 2).sum()
        >>> print(ms.grad(f)(Tensor([1.0, 2.0])))
        [20. 20.]
    """
    return tensor_hooks.register(input, hook)
