"""Steps of Adam and of what is made like it, as those of rules.py."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.optimiser_rules.moments import moments, write
from emberjit.functions.optimiser_rules.steps import publish_step
from emberjit.publish.kinds import Tensor

_ops = core.ops


@publish_step("ops.ApplyAdaMax()(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)")
def adamax(var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any) -> Any:
    """m = beta1 * m + (1 - beta1) * g; v = max(beta2 * v, |g|); var -= lr / (1 - beta1_power) * m / (v + epsilon) (Kingma
    and Ba, "Adam", 2015).

    Examples:
        >>> var, m, v = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.zeros(2)))
        >>> _ = ops.ApplyAdaMax()(var, m, v, 0.9, 0.1, 0.9, 0.99, 1e-8, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy(), v.asnumpy())
        [0.9 2.1] [1. 4.]
    """
    first, largest = m * beta1 + grad * (1 - beta1), _ops.maximum(v * beta2, _ops.abs(grad))
    return write((var, var - lr / (1 - beta1_power) * first / (largest + epsilon)), (m, first), (v, largest))


def adam_step(
    m: Tensor,
    v: Tensor,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    betas: tuple[Any, Any],
    epsilon: Any,
    grad: Tensor,
    nesterov: bool,
) -> tuple[Any, Any, Any]:
    """What Adam subtracts, and the new moments."""
    first, second = moments(m, v, *betas, grad)
    rate = lr * _root(1 - beta2_power) / (1 - beta1_power)
    ahead = first * betas[0] + grad * (1 - betas[0]) if nesterov else first
    return rate * ahead / (_ops.sqrt(second) + epsilon), first, second


def _root(value: Any) -> Any:
    return _ops.sqrt(value) if isinstance(value, core.Tensor) else value**0.5


@publish_step(
    """ops.Adam(use_locking, use_nesterov)(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)"""
)
def adam(
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    gradient: Any,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Any:
    """m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g; var -= lr * sqrt(1 - beta2_power) / (1 -
    beta1_power) * m / (sqrt(v) + epsilon) (Kingma and Ba, "Adam", 2015).

    Examples:
        >>> var, m, v = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.zeros(2)))
        >>> _ = ops.Adam()(var, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy(), m.asnumpy())
        [0.90000004 2.1       ] [ 0.1 -0.4]
    """
    betas = (beta1, beta2)
    step, first, second = adam_step(m, v, beta1_power, beta2_power, lr, betas, epsilon, gradient, use_nesterov)
    return write((var, var - step), (m, first), (v, second))


@publish_step(
    """ops.AdamNoUpdateParam(use_locking, use_nesterov)(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon,
    gradient)"""
)
def adam_update(
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    gradient: Any,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Any:
    """What a step of Adam adds to a Parameter, which is not written; the moments are.

    Returns:
        a Tensor of m's shape.

    Examples:
        >>> m, v = Parameter(ops.zeros(2)), Parameter(ops.zeros(2))
        >>> print(ops.AdamNoUpdateParam()(m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0, -4.0])))
        [-0.09999996  0.09999998]
    """
    betas = (beta1, beta2)
    step, first, second = adam_step(m, v, beta1_power, beta2_power, lr, betas, epsilon, gradient, use_nesterov)
    write((m, first), (v, second))
    return -step


@publish_step(
    """ops.AdamWeightDecay(use_locking)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)
    ops.FusedCastAdamWeightDecay(use_locking)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)"""
)
def adam_with_weight_decay(
    var: Any,
    m: Any,
    v: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    decay: Any,
    gradient: Any,
    use_locking: bool = False,
) -> Any:
    """m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g; var -= lr * (m / (sqrt(v) + epsilon) + decay *
    var) (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).

    Args:
        decay: the weight decay.

    Examples:
        >>> var, m, v = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.zeros(2)))
        >>> _ = ops.AdamWeightDecay()(var, m, v, 0.01, 0.9, 0.999, 1e-8, 0.1, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy(), m.asnumpy())
        [0.96737725 2.0296228 ] [ 0.1 -0.4]
    """
    first, second = moments(m, v, beta1, beta2, _ops.cast(gradient, m.dtype))
    step = first / (_ops.sqrt(second) + epsilon)
    step = step if type(decay) in (int, float) and decay == 0 else step + var * decay
    return write((var, var - step * lr), (m, first), (v, second))


@publish_step(
    """ops.ApplyAdamWithAmsgrad(beta1, beta2, epsilon, use_locking)(var, m, v, vhat, beta1_power, beta2_power, lr, grad)
    ops.ApplyAdamWithAmsgradV2(use_locking)(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)"""
)
def amsgrad(
    var: Any,
    m: Any,
    v: Any,
    vhat: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    grad: Any,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-8,
    use_locking: bool = False,
) -> Any:
    """Adam with vhat = max(vhat, v) in place of v (Reddi, Kale and Kumar, "On the convergence of Adam and beyond", 2018).

    Examples:
        >>> var, m, v, vhat = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.zeros(2), ops.zeros(2)))
        >>> _ = ops.ApplyAdamWithAmsgrad()(var, m, v, vhat, 0.9, 0.999, 0.1, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy())
        [0.90000004 2.1       ]
    """
    first, second = moments(m, v, beta1, beta2, grad)
    largest = _ops.maximum(vhat, second)
    rate = lr * _root(1 - beta2_power) / (1 - beta1_power)
    return write((var, var - rate * first / (_ops.sqrt(largest) + epsilon)), (m, first), (v, second), (vhat, largest))
