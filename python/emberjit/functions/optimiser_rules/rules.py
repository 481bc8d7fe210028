"""Steps of optimizers as primitives: each writes Parameters, its first operands, and returns what they hold then.

A rule is a function of the states' values, numbers and the gradient that gives the new values. SparseApply* and FusedSparse*
run the rules on those rows that `indices` name; the latter add up gradients of one row first. In formulas g is the gradient.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.optimiser_rules.moments import moments, write
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops
_sqrt, _sign, _abs, _maximum, _exp = _ops.sqrt, _ops.sign, _ops.abs, _ops.maximum, _ops.exp


def _shrunk(value: Tensor, by: Any) -> Any:
    """value nearer to 0 by an amount, but not beyond."""
    return _sign(value) * _maximum(_abs(value) - by, 0)


@publish("ops.ApplyGradientDescent()", in_python=True)
def gradient_descent(var: Any, alpha: Any, delta: Any) -> Any:
    """var - alpha * delta."""
    return write((var, var - alpha * delta))


@publish("ops.ApplyProximalGradientDescent()", in_python=True)
def proximal_gradient_descent(var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Any:
    """p = var - alpha * delta; var = sign(p) * max(|p| - alpha * l1, 0) / (1 + alpha * l2)."""
    return write((var, _shrunk(var - alpha * delta, alpha * l1) / (1 + alpha * l2)))


@publish(
    """ops.ApplyMomentum(use_nesterov, use_locking, gradient_scale)(variable, accumulation, learning_rate, gradient,
    momentum)""",
    in_python=True,
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    g = gradient * gradient_scale
    total = accumulation * momentum + g
    step = g + total * momentum if use_nesterov else total
    written = write((variable, variable - learning_rate * step), (accumulation, total))
    return written[0]


@publish("ops.ApplyKerasMomentum(use_locking, use_nesterov)(var, accum, lr, grad, momentum)", in_python=True)
def keras_momentum(
    var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, use_locking: bool = False, use_nesterov: bool = False
) -> Any:
    """accum = momentum * accum - lr * g; var += accum, or by Nesterov momentum * accum - lr * g.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    total = accum * momentum - grad * lr
    return write((var, var + (total * momentum - grad * lr if use_nesterov else total)), (accum, total))


@publish(
    """ops.FusedWeightScaleApplyMomentum()(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient,
    momentum)""",
    in_python=True,
)
def scaled_momentum(
    weight_decay: Any, loss_scale: Any, variable: Any, accumulation: Any, learning_rate: Any, gradient: Any, momentum: Any
) -> Any:
    """a = momentum * a + (g * loss_scale + variable * weight_decay); variable -= learning_rate * a."""
    total = accumulation * momentum + (gradient * loss_scale + variable * weight_decay)
    return write((variable, variable - learning_rate * total), (accumulation, total))[0]


@publish(
    "ops.SGD(dampening, weight_decay, nesterov)(parameters, gradient, learning_rate, accum, momentum, stat)", in_python=True
)
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

    Raises:
        ValueError: Nesterov's needs a dampening of 0.
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


@publish("ops.ApplyAdagrad(update_slots)(var, accum, lr, grad)", in_python=True)
def adagrad(var: Any, accum: Any, lr: Any, grad: Any, update_slots: bool = True) -> Any:
    """accum += g * g, if update_slots; var -= lr * g / sqrt(accum)."""
    return write(*zip((var, accum), _adagrad(var, accum, lr, grad, 0.0, update_slots)))


@publish("ops.ApplyAdagradV2(epsilon, update_slots)(var, accum, lr, grad)", in_python=True)
def adagrad_with_epsilon(var: Any, accum: Any, lr: Any, grad: Any, epsilon: float, update_slots: bool = True) -> Any:
    """accum += g * g, if update_slots; var -= lr * g / (sqrt(accum) + epsilon)."""
    return write(*zip((var, accum), _adagrad(var, accum, lr, grad, epsilon, update_slots)))


@publish(
    """ops.ApplyAdagradDA(use_locking)(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2,
    global_step)""",
    in_python=True,
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    total, squares = gradient_accumulator + grad, gradient_squared_accumulator + grad * grad
    value = -lr * _shrunk(total, l1 * global_step) / (l2 * global_step * lr + _sqrt(squares))
    return write((var, value), (gradient_accumulator, total), (gradient_squared_accumulator, squares))[0]


def _proximal_adagrad(var: Tensor, accum: Tensor, lr: Any, l1: Any, l2: Any, grad: Tensor) -> tuple[Any, Any]:
    total = accum + grad * grad
    rate = lr / _sqrt(total)
    return _shrunk(var - rate * grad, rate * l1) / (1 + rate * l2), total


@publish("ops.ApplyProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad)", in_python=True)
def proximal_adagrad(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, use_locking: bool = False) -> Any:
    """accum += g * g; r = lr / sqrt(accum); p = var - r * g; var = sign(p) * max(|p| - r * l1, 0) / (1 + r * l2).

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return write(*zip((var, accum), _proximal_adagrad(var, accum, lr, l1, l2, grad)))


def _adadelta(
    var: Tensor, accum: Tensor, accum_update: Tensor, lr: Any, rho: Any, epsilon: Any, grad: Tensor
) -> tuple[Any, Any, Any]:
    squares = accum * rho + grad * grad * (1 - rho)
    step = _sqrt(accum_update + epsilon) * grad / _sqrt(squares + epsilon)
    return var - lr * step, squares, accum_update * rho + step * step * (1 - rho)


@publish("ops.ApplyAdadelta()(var, accum, accum_update, lr, rho, epsilon, grad)", in_python=True)
def adadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any) -> Any:
    """accum = rho * accum + (1 - rho) * g * g; u = sqrt(accum_update + epsilon) * g / sqrt(accum + epsilon); var -= lr * u;
    accum_update = rho * accum_update + (1 - rho) * u * u (Zeiler, "ADADELTA", 2012)."""
    return write(*zip((var, accum, accum_update), _adadelta(var, accum, accum_update, lr, rho, epsilon, grad)))


@publish("ops.ApplyAdaMax()(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)", in_python=True)
def adamax(var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any) -> Any:
    """m = beta1 * m + (1 - beta1) * g; v = max(beta2 * v, |g|); var -= lr / (1 - beta1_power) * m / (v + epsilon) (Kingma
    and Ba, "Adam", 2015)."""
    first, largest = m * beta1 + grad * (1 - beta1), _maximum(v * beta2, _abs(grad))
    return write((var, var - lr / (1 - beta1_power) * first / (largest + epsilon)), (m, first), (v, largest))


def _adam_step(
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
    return rate * ahead / (_sqrt(second) + epsilon), first, second


def _root(value: Any) -> Any:
    return _sqrt(value) if isinstance(value, core.Tensor) else value**0.5


@publish(
    """ops.Adam(use_locking, use_nesterov)(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)""",
    in_python=True,
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    betas = (beta1, beta2)
    step, first, second = _adam_step(m, v, beta1_power, beta2_power, lr, betas, epsilon, gradient, use_nesterov)
    return write((var, var - step), (m, first), (v, second))


@publish(
    """ops.AdamNoUpdateParam(use_locking, use_nesterov)(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon,
    gradient)""",
    in_python=True,
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    betas = (beta1, beta2)
    step, first, second = _adam_step(m, v, beta1_power, beta2_power, lr, betas, epsilon, gradient, use_nesterov)
    write((m, first), (v, second))
    return -step


@publish(
    """ops.AdamWeightDecay(use_locking)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)
    ops.FusedCastAdamWeightDecay(use_locking)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)""",
    in_python=True,
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
        use_locking: has no effect: the thread that asks for a step does it.
    """
    first, second = moments(m, v, beta1, beta2, _ops.cast(gradient, m.dtype))
    step = first / (_sqrt(second) + epsilon)
    step = step if type(decay) in (int, float) and decay == 0 else step + var * decay
    return write((var, var - step * lr), (m, first), (v, second))


@publish(
    """ops.ApplyAdamWithAmsgrad(beta1, beta2, epsilon, use_locking)(var, m, v, vhat, beta1_power, beta2_power, lr, grad)
    ops.ApplyAdamWithAmsgradV2(use_locking)(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)""",
    in_python=True,
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    first, second = moments(m, v, beta1, beta2, grad)
    largest = _maximum(vhat, second)
    rate = lr * _root(1 - beta2_power) / (1 - beta1_power)
    return write((var, var - rate * first / (_sqrt(largest) + epsilon)), (m, first), (v, second), (vhat, largest))


@publish("ops.ApplyAddSign()(var, m, lr, alpha, sign_decay, beta, grad)", in_python=True)
def add_sign(var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """m = beta * m + (1 - beta) * g; var -= lr * (alpha + sign_decay * sign(g) * sign(m)) * g (Bello et al., "Neural
    optimizer search with reinforcement learning", 2017)."""
    first = m * beta + grad * (1 - beta)
    return write((var, var - lr * (alpha + sign_decay * _sign(grad) * _sign(first)) * grad), (m, first))


@publish("ops.ApplyPowerSign()(var, m, lr, logbase, sign_decay, beta, grad)", in_python=True)
def power_sign(var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """m = beta * m + (1 - beta) * g; var -= lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g (Bello et al., "Neural
    optimizer search with reinforcement learning", 2017)."""
    first = m * beta + grad * (1 - beta)
    return write((var, var - lr * _exp(logbase * sign_decay * _sign(grad) * _sign(first)) * grad), (m, first))


def _rmsprop(
    var: Tensor, squares: Tensor, moment: Tensor, lr: Any, grad: Tensor, decay: Any, momentum: Any, epsilon: Any
) -> tuple[Any, Any, Any]:
    mean = squares * decay + grad * grad * (1 - decay)
    step = moment * momentum + lr * grad / _sqrt(mean + epsilon)
    return var - step, mean, step


@publish(
    """ops.ApplyRMSProp(use_locking)(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)""",
    in_python=True,
)
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    states = _rmsprop(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)
    return write(*zip((var, mean_square, moment), states))[0]


@publish(
    """ops.ApplyCenteredRMSProp(use_locking)(var, mean_gradient, mean_square, moment, grad, learning_rate, decay, momentum,
    epsilon)""",
    in_python=True,
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

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
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


@publish("ops.ApplyFtrl(use_locking)(var, accum, linear, grad, lr, l1, l2, lr_power)", in_python=True)
def ftrl(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, use_locking: bool = False
) -> Any:
    """n = accum + g * g; z = linear + g - (n ** -lr_power - accum ** -lr_power) / lr * var; var = (sign(z) * l1 - z) / (n **
    -lr_power / lr + 2 * l2) where |z| > l1, else 0; accum, linear = n, z (McMahan et al., "Ad click prediction", 2013).

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return write(*zip((var, accum, linear), _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power)))[0]


@publish(
    """ops.LARSUpdate(epsilon, hyperpara, use_clip)(weight, gradient, norm_weight, norm_gradient, weight_decay,
    learning_rate)""",
    in_python=True,
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
        norm_weight, norm_gradient: the sums of squares of weight and gradient.
        use_clip: whether the rate is divided by learning_rate and limited to 1.
    """
    w, g = _sqrt(norm_weight), _sqrt(norm_gradient)
    rate = hyperpara * w / (g + weight_decay * w + epsilon)
    if use_clip:
        rate = _ops.minimum(rate / learning_rate, 1.0)
    return (gradient + weight * weight_decay) * rate
