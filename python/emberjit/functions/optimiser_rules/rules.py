"""Steps of optimizers as primitives: each writes Parameters, its first operands, and returns what they hold then.

A rule is a function of the states' values, numbers and the gradient that gives the new values. SparseApply* and FusedSparse*
run the rules on those rows that `indices` name; the latter add up gradients of one row first. In formulas g is the gradient.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.optimiser_rules.moments import write
from emberjit.functions.optimiser_rules.steps import publish_step
from emberjit.publish.kinds import Tensor

_ops = core.ops
_sqrt, _sign, _abs, _maximum, _exp = _ops.sqrt, _ops.sign, _ops.abs, _ops.maximum, _ops.exp


def _shrunk(value: Tensor, by: Any) -> Any:
    """value nearer to 0 by an amount, but not beyond."""
    return _sign(value) * _maximum(_abs(value) - by, 0)


@publish_step("ops.ApplyGradientDescent()")
def gradient_descent(var: Any, alpha: Any, delta: Any) -> Any:
    """var - alpha * delta.

    Examples:
        >>> var = Parameter(Tensor([1.0, 2.0]))
        >>> _ = ops.ApplyGradientDescent()(var, 0.1, Tensor([1.0, -1.0]))
        >>> print(var.asnumpy())
        [0.9 2.1]
    """
    return write((var, var - alpha * delta))


@publish_step("ops.ApplyProximalGradientDescent()")
def proximal_gradient_descent(var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Any:
    """p = var - alpha * delta; var = sign(p) * max(|p| - alpha * l1, 0) / (1 + alpha * l2).

    Examples:
        >>> var = Parameter(Tensor([1.0, 2.0]))
        >>> _ = ops.ApplyProximalGradientDescent()(var, 0.1, 0.5, 0.0, Tensor([1.0, -1.0]))
        >>> print(var.asnumpy())
        [0.84999996 2.05      ]
    """
    return write((var, _shrunk(var - alpha * delta, alpha * l1) / (1 + alpha * l2)))


@publish_step(
    """ops.ApplyMomentum(use_nesterov, use_locking, gradient_scale)(variable, accumulation, learning_rate, gradient,
    momentum)"""
)
def momentum(
    variable: Any,
    accumulation: Any,
    learning_rate: Any,
    gradient: Any,
    momentum: Any,
    use_nesterov: bool = False,
    use_locking: bool = False,
    gradient_scale: float = 1.0,
) -> Any:
    """a = momentum * a + g; variable -= learning_rate * a, or by Nesterov learning_rate * (g + momentum * a).

    Examples:
        >>> var, accum = Parameter(Tensor([1.0, 2.0])), Parameter(ops.zeros(2))
        >>> for _ in range(2):
        ...     _ = ops.ApplyMomentum()(var, accum, 0.1, Tensor([1.0, -1.0]), 0.9)
        >>> print(var.asnumpy(), accum.asnumpy())
        [0.71 2.29] [ 1.9 -1.9]
    """
    g = gradient * gradient_scale
    total = accumulation * momentum + g
    step = g + total * momentum if use_nesterov else total
    written = write((variable, variable - learning_rate * step), (accumulation, total))
    return written[0]


@publish_step("ops.ApplyKerasMomentum(use_locking, use_nesterov)(var, accum, lr, grad, momentum)")
def keras_momentum(
    var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, use_locking: bool = False, use_nesterov: bool = False
) -> Any:
    """accum = momentum * accum - lr * g; var += accum, or by Nesterov momentum * accum - lr * g.

    Examples:
        >>> var, accum = Parameter(Tensor([1.0, 2.0])), Parameter(ops.zeros(2))
        >>> for _ in range(2):
        ...     _ = ops.ApplyKerasMomentum()(var, accum, 0.1, Tensor([1.0, -1.0]), 0.9)
        >>> print(var.asnumpy(), accum.asnumpy())
        [0.71 2.29] [-0.19  0.19]
    """
    total = accum * momentum - grad * lr
    return write((var, var + (total * momentum - grad * lr if use_nesterov else total)), (accum, total))


@publish_step(
    """ops.FusedWeightScaleApplyMomentum()(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient,
    momentum)"""
)
def scaled_momentum(
    weight_decay: Any, loss_scale: Any, variable: Any, accumulation: Any, learning_rate: Any, gradient: Any, momentum: Any
) -> Any:
    """a = momentum * a + (g * loss_scale + variable * weight_decay); variable -= learning_rate * a.

    Args:
        weight_decay: the part of variable that is added to the gradient.

    Examples:
        >>> var, accum = Parameter(Tensor([1.0, 2.0])), Parameter(ops.zeros(2))
        >>> step = ops.FusedWeightScaleApplyMomentum()
        >>> _ = step(Tensor(0.1), Tensor(1.0), var, accum, Tensor(0.1), Tensor([1.0, -1.0]), Tensor(0.9))
        >>> print(var.asnumpy())
        [0.89 2.08]
    """
    total = accumulation * momentum + (gradient * loss_scale + variable * weight_decay)
    return write((variable, variable - learning_rate * total), (accumulation, total))[0]


@publish_step("ops.SGD(dampening, weight_decay, nesterov)(parameters, gradient, learning_rate, accum, momentum, stat)")
def stochastic_gradient_descent(
    parameters: Any,
    gradient: Any,
    learning_rate: Any,
    accum: Any,
    momentum: Any,
    stat: Any,
    dampening: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
) -> Any:
    """a = momentum * a + (1 - dampening) * g, in the first step, where stat is positive, g; parameters -= learning_rate * a,
    or by Nesterov learning_rate * (g + momentum * a). Weight decay adds weight_decay * parameters to g.

    Args:
        stat: positive before the first step, which writes zeros there.
        dampening: the part of the gradient that steps after the first leave out.
        weight_decay: the part of parameters that is added to the gradient.

    Raises:
        ValueError: Nesterov's needs a dampening of 0.

    Examples:
        >>> var, accum, stat = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.ones(2)))
        >>> for _ in range(2):
        ...     _ = ops.SGD()(var, Tensor([1.0, -1.0]), Tensor(0.1), accum, Tensor(0.9), stat)
        >>> print(var.asnumpy())
        [0.71 2.29]
    """
    if nesterov and dampening != 0:
        raise ValueError(f"For 'SGD', 'dampening' must be 0 where 'nesterov' is True, but got {dampening}.")
    g = gradient + parameters * weight_decay if weight_decay else gradient
    total = _ops.select(_ops.greater(stat, 0), g, accum * momentum + g * (1 - dampening))
    step = g + total * momentum if nesterov else total
    return write((parameters, parameters - learning_rate * step), (accum, total), (stat, _ops.zeros_like(stat)))[0]


def _adagrad(var: Tensor, accum: Tensor, lr: Any, grad: Tensor, epsilon: float, update_slots: bool) -> tuple[Any, Any]:
    total = accum + grad * grad if update_slots else accum
    return var - lr * grad / (_sqrt(total) + epsilon if epsilon else _sqrt(total)), total


@publish_step("ops.ApplyAdagrad(update_slots)(var, accum, lr, grad)")
def adagrad(var: Any, accum: Any, lr: Any, grad: Any, update_slots: bool = True) -> Any:
    """accum += g * g, if update_slots; var -= lr * g / sqrt(accum).

    Examples:
        >>> var, accum = Parameter(Tensor([1.0, 2.0])), Parameter(ops.zeros(2))
        >>> _ = ops.ApplyAdagrad()(var, accum, 0.1, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy(), accum.asnumpy())
        [0.9 2.1] [ 1. 16.]
    """
    return write(*zip((var, accum), _adagrad(var, accum, lr, grad, 0.0, update_slots)))


@publish_step("ops.ApplyAdagradV2(epsilon, update_slots)(var, accum, lr, grad)")
def adagrad_with_epsilon(var: Any, accum: Any, lr: Any, grad: Any, epsilon: float, update_slots: bool = True) -> Any:
    """accum += g * g, if update_slots; var -= lr * g / (sqrt(accum) + epsilon).

    Examples:
        >>> var, accum = Parameter(Tensor([1.0, 2.0])), Parameter(ops.zeros(2))
        >>> _ = ops.ApplyAdagradV2(epsilon=1e-6)(var, accum, 0.1, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy(), accum.asnumpy())
        [0.9000001 2.1      ] [ 1. 16.]
    """
    return write(*zip((var, accum), _adagrad(var, accum, lr, grad, epsilon, update_slots)))


@publish_step(
    """ops.ApplyAdagradDA(use_locking)(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2,
    global_step)"""
)
def adagrad_dual_averaging(
    var: Any,
    gradient_accumulator: Any,
    gradient_squared_accumulator: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    global_step: Any,
    use_locking: bool = False,
) -> Any:
    """s += g; q += g * g; var = -lr * sign(s) * max(|s| - l1 * global_step, 0) / (l2 * global_step * lr + sqrt(q)) (Duchi,
    Hazan and Singer, "Adaptive subgradient methods", 2011).

    Examples:
        >>> var, sums, squares = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.zeros(2)))
        >>> _ = ops.ApplyAdagradDA()(var, sums, squares, Tensor([1.0, -4.0]), 0.1, 0.0, 0.0, 1)
        >>> print(var.asnumpy())
        [-0.1  0.1]
    """
    total, squares = gradient_accumulator + grad, gradient_squared_accumulator + grad * grad
    value = -lr * _shrunk(total, l1 * global_step) / (l2 * global_step * lr + _sqrt(squares))
    return write((var, value), (gradient_accumulator, total), (gradient_squared_accumulator, squares))[0]


def _proximal_adagrad(var: Tensor, accum: Tensor, lr: Any, l1: Any, l2: Any, grad: Tensor) -> tuple[Any, Any]:
    total = accum + grad * grad
    rate = lr / _sqrt(total)
    return _shrunk(var - rate * grad, rate * l1) / (1 + rate * l2), total


@publish_step("ops.ApplyProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad)")
def proximal_adagrad(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, use_locking: bool = False) -> Any:
    """accum += g * g; r = lr / sqrt(accum); p = var - r * g; var = sign(p) * max(|p| - r * l1, 0) / (1 + r * l2).

    Examples:
        >>> var, accum = Parameter(Tensor([1.0, 2.0])), Parameter(ops.zeros(2))
        >>> _ = ops.ApplyProximalAdagrad()(var, accum, 0.1, 0.5, 0.0, Tensor([1.0, -4.0]))
        >>> print(var.asnumpy(), accum.asnumpy())
        [0.84999996 2.0874999 ] [ 1. 16.]
    """
    return write(*zip((var, accum), _proximal_adagrad(var, accum, lr, l1, l2, grad)))


def _adadelta(
    var: Tensor, accum: Tensor, accum_update: Tensor, lr: Any, rho: Any, epsilon: Any, grad: Tensor
) -> tuple[Any, Any, Any]:
    squares = accum * rho + grad * grad * (1 - rho)
    step = _sqrt(accum_update + epsilon) * grad / _sqrt(squares + epsilon)
    return var - lr * step, squares, accum_update * rho + step * step * (1 - rho)


@publish_step("ops.ApplyAdadelta()(var, accum, accum_update, lr, rho, epsilon, grad)")
def adadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any) -> Any:
    """accum = rho * accum + (1 - rho) * g * g; u = sqrt(accum_update + epsilon) * g / sqrt(accum + epsilon); var -= lr * u;
    accum_update = rho * accum_update + (1 - rho) * u * u (Zeiler, "ADADELTA", 2012).

    Examples:
        >>> var, accum, update = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.ones(2)))
        >>> _ = ops.ApplyAdadelta()(var, accum, update, 0.1, 0.75, 1e-6, Tensor([1.0, -1.0]))
        >>> print(var.asnumpy(), accum.asnumpy())
        [0.8000003 2.1999998] [0.25 0.25]
    """
    return write(*zip((var, accum, accum_update), _adadelta(var, accum, accum_update, lr, rho, epsilon, grad)))


@publish_step("ops.ApplyAddSign()(var, m, lr, alpha, sign_decay, beta, grad)")
def add_sign(var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """m = beta * m + (1 - beta) * g; var -= lr * (alpha + sign_decay * sign(g) * sign(m)) * g (Bello et al., "Neural
    optimizer search with reinforcement learning", 2017).

    Args:
        alpha: a number or a Tensor of one, as sign_decay.
        sign_decay: what becomes of the rate where the signs of g and m agree, or do not, as the formula says.

    Examples:
        >>> var, m = Parameter(Tensor([1.0, 2.0])), Parameter(Tensor([1.0, 1.0]))
        >>> _ = ops.ApplyAddSign()(var, m, 0.1, 1.0, 0.5, 0.9, Tensor([1.0, -1.0]))
        >>> print(var.asnumpy(), m.asnumpy())
        [0.85 2.05] [1.         0.79999995]
    """
    first = m * beta + grad * (1 - beta)
    return write((var, var - lr * (alpha + sign_decay * _sign(grad) * _sign(first)) * grad), (m, first))


@publish_step("ops.ApplyPowerSign()(var, m, lr, logbase, sign_decay, beta, grad)")
def power_sign(var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """m = beta * m + (1 - beta) * g; var -= lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g (Bello et al., "Neural
    optimizer search with reinforcement learning", 2017).

    Args:
        logbase: a number or a Tensor of one, as sign_decay.
        sign_decay: what becomes of the rate where the signs of g and m agree, or do not, as the formula says.

    Examples:
        >>> var, m = Parameter(Tensor([1.0, 2.0])), Parameter(Tensor([1.0, 1.0]))
        >>> _ = ops.ApplyPowerSign()(var, m, 0.1, 1.0, 0.5, 0.9, Tensor([1.0, -1.0]))
        >>> print(var.asnumpy(), m.asnumpy())
        [0.8351279 2.060653 ] [1.         0.79999995]
    """
    first = m * beta + grad * (1 - beta)
    return write((var, var - lr * _exp(logbase * sign_decay * _sign(grad) * _sign(first)) * grad), (m, first))


def _rmsprop(
    var: Tensor, squares: Tensor, moment: Tensor, lr: Any, grad: Tensor, decay: Any, momentum: Any, epsilon: Any
) -> tuple[Any, Any, Any]:
    mean = squares * decay + grad * grad * (1 - decay)
    step = moment * momentum + lr * grad / _sqrt(mean + epsilon)
    return var - step, mean, step


@publish_step("""ops.ApplyRMSProp(use_locking)(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)""")
def rmsprop(
    var: Any,
    mean_square: Any,
    moment: Any,
    learning_rate: Any,
    grad: Any,
    decay: Any,
    momentum: Any,
    epsilon: Any,
    use_locking: bool = False,
) -> Any:
    """s = decay * s + (1 - decay) * g * g; moment = momentum * moment + learning_rate * g / sqrt(s + epsilon); var -= moment
    (Tieleman and Hinton, 2012).

    Examples:
        >>> var, square, moment = (Parameter(x) for x in (Tensor([1.0, 2.0]), ops.zeros(2), ops.zeros(2)))
        >>> _ = ops.ApplyRMSProp()(var, square, moment, 0.1, Tensor([1.0, -1.0]), 0.75, 0.0, 1e-10)
        >>> print(var.asnumpy(), square.asnumpy())
        [0.8 2.2] [0.25 0.25]
    """
    states = _rmsprop(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)
    return write(*zip((var, mean_square, moment), states))[0]


@publish_step(
    """ops.ApplyCenteredRMSProp(use_locking)(var, mean_gradient, mean_square, moment, grad, learning_rate, decay, momentum,
    epsilon)"""
)
def centered_rmsprop(
    var: Any,
    mean_gradient: Any,
    mean_square: Any,
    moment: Any,
    grad: Any,
    learning_rate: Any,
    decay: Any,
    momentum: Any,
    epsilon: Any,
    use_locking: bool = False,
) -> Any:
    """RMSProp with the gradients' variance, s - mean_gradient ** 2, in place of s (Graves, "Generating sequences with
    recurrent neural networks", 2013).

    Examples:
        >>> var, mean, square, moment = (Parameter(x) for x in (Tensor([1.0, 2.0]), *[ops.zeros(2)] * 3))
        >>> _ = ops.ApplyCenteredRMSProp()(var, mean, square, moment, Tensor([1.0, -1.0]), 0.1, 0.75, 0.0, 1e-10)
        >>> print(var.asnumpy(), square.asnumpy())
        [0.7690599 2.23094  ] [0.25 0.25]
    """
    mean = mean_gradient * decay + grad * (1 - decay)
    squares = mean_square * decay + grad * grad * (1 - decay)
    step = moment * momentum + learning_rate * grad / _sqrt(squares - mean * mean + epsilon)
    return write((var, var - step), (mean_gradient, mean), (mean_square, squares), (moment, step))[0]


def _power(value: Any, exponent: Any) -> Any:
    return _sqrt(value) if isinstance(exponent, float) and exponent == 0.5 else _ops.pow(value, exponent)


def _ftrl(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    lr: Any,
    l1: Any,
    l2: Any,
    lr_power: Any,
    shrinkage: float = 0.0,
) -> tuple[Any, Any, Any]:
    total = accum + grad * grad
    before, after = _power(accum, -lr_power), _power(total, -lr_power)
    z = linear + (grad + 2 * shrinkage * var if shrinkage else grad) - (after - before) / lr * var
    nonzero = _ops.greater(_abs(z), l1)
    return _ops.select(nonzero, (_sign(z) * l1 - z) / (after / lr + 2 * l2), _ops.zeros_like(var)), total, z


@publish_step("ops.ApplyFtrl(use_locking)(var, accum, linear, grad, lr, l1, l2, lr_power)")
def ftrl(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, use_locking: bool = False
) -> Any:
    """n = accum + g * g; z = linear + g - (n ** -lr_power - accum ** -lr_power) / lr * var; var = (sign(z) * l1 - z) / (n **
    -lr_power / lr + 2 * l2) where |z| > l1, else 0; accum, linear = n, z (McMahan et al., "Ad click prediction", 2013).

    Examples:
        >>> var, accum, linear = (Parameter(x) for x in (ops.zeros(2), ops.ones(2), ops.zeros(2)))
        >>> _ = ops.ApplyFtrl()(var, accum, linear, Tensor([1.0, -4.0]), 0.1, 0.0, 0.0, -0.5)
        >>> print(var.asnumpy(), accum.asnumpy())
        [-0.07071068  0.09701425] [ 2. 17.]
    """
    return write(*zip((var, accum, linear), _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power)))[0]


@publish_step(
    """ops.LARSUpdate(epsilon, hyperpara, use_clip)(weight, gradient, norm_weight, norm_gradient, weight_decay,
    learning_rate)"""
)
def lars(
    weight: Any,
    gradient: Any,
    norm_weight: Any,
    norm_gradient: Any,
    weight_decay: Any,
    learning_rate: Any,
    epsilon: float = 1e-05,
    hyperpara: float = 0.001,
    use_clip: bool = False,
) -> Any:
    """The gradient by layer-wise adaptive rate scaling (You, Gitman and Ginsburg, 2017): (g + weight_decay * weight) *
    hyperpara * |w| / (|g| + weight_decay * |w| + epsilon).

    Args:
        weight: what is trained, a Tensor.
        norm_weight, norm_gradient: the sums of squares of weight and gradient.
        weight_decay: the part of weight that is added to the gradient.
        learning_rate: the learning rate, which counts with use_clip only.
        epsilon: is added to what divides.
        hyperpara: the rate's factor.
        use_clip: whether the rate is divided by learning_rate and limited to 1.

    Examples:
        >>> weight, gradient = Tensor([3.0, 4.0]), Tensor([0.6, 0.8])
        >>> lars = ops.LARSUpdate(hyperpara=0.1)
        >>> print(lars(weight, gradient, (weight**2).sum(), (gradient**2).sum(), 0.0, 1.0))
        [0.299997 0.399996]
    """
    w, g = _sqrt(norm_weight), _sqrt(norm_gradient)
    rate = hyperpara * w / (g + weight_decay * w + epsilon)
    if use_clip:
        rate = _ops.minimum(rate / learning_rate, 1.0)
    return (gradient + weight * weight_decay) * rate
