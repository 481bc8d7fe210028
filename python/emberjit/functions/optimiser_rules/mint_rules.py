"""Steps of optimizers that are no primitives. Each writes Parameters; g is the gradient. (Primitives are in rules.py.)"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.optimiser_rules.moments import moments, write
from emberjit.publish.kinds import Tensor

_ops = core.ops
_sqrt, _select, _maximum = _ops.sqrt, _ops.select, _ops.maximum


def _single(value: Any) -> Any:
    """What was computed of the count of steps in float64, as bias corrections are differences of nearly equal numbers."""
    return _ops.cast(value, core.float32)


def averaged_descent(
    var: Tensor, grad: Tensor, lr: Any, step: Any, mu: Any, eta: Any, mean: Tensor, lambd: float, alpha: float, t0: float
) -> None:
    """Averaged descent (Polyak and Juditsky, 1992): var = var * (1 - lambd * eta) - eta * g; mean += (var - mean) * mu; eta
    = lr / (1 + lambd * lr * step) ** alpha, at first lr; mu = 1 / max(1, step - t0)."""
    rate = _select(_ops.equal(step, 1), lr, eta)
    value = var * (1.0 - rate * lambd) - rate * grad
    averaged = _select(_ops.equal(mu, 1), value, mean + (value - mean) * mu)
    decayed = lr / (lr * _single(step) * lambd + 1.0) ** alpha
    write((var, value), (mean, averaged), (eta, decayed), (mu, 1.0 / _maximum(_single(step - t0), 1.0)))


def resilient(
    var: Tensor,
    grad: Tensor,
    lr: Any,
    is_first: Any,
    prev: Tensor,
    size: Tensor,
    etas: tuple[float, float],
    sizes: tuple[float, float],
) -> None:
    """Resilient backpropagation (Riedmiller and Braun, 1993): where the gradient's sign is that of prev, size grows by
    etas[1]; where it is another, size shrinks by etas[0], and nothing is done. var -= sign(g) * size."""
    agreement = grad * prev
    sign_change = _ops.less(agreement, 0)
    one = _ops.ones_like(agreement)
    factor = _select(sign_change, one * etas[0], _select(_ops.greater(agreement, 0), one * etas[1], one))
    before = _select(is_first, _ops.ones_like(size) * lr, size)
    after = _maximum(_ops.minimum(before * factor, sizes[1]), sizes[0])
    used = _select(sign_change, _ops.zeros_like(grad), grad)
    write((var, var - _ops.sign(used) * after), (prev, used), (size, after))


def lamb(
    var: Tensor, m: Tensor, v: Tensor, lr: Any, beta1: Any, beta2: Any, epsilon: Any, decay: Any, step: Any, grad: Tensor
) -> None:
    """Adam's step s, plus decay * var, by layers (You et al., 2020): var -= lr * |var| / |s| * s, without the ratio where it
    is 0 or infinite."""
    first, second = moments(m, v, beta1, beta2, grad)
    correct = 1 - _ops.pow(beta1, step), 1 - _ops.pow(beta2, step)
    change = first / correct[0] / (_sqrt(second / correct[1]) + epsilon)
    change = change if type(decay) is float and decay == 0 else change + var * decay
    of_var, of_change = (_sqrt(_ops.sum(_ops.square(tensor))) for tensor in (var, change))
    is_plain = _ops.logical_or(_ops.equal(of_var, 0), _ops.equal(of_change, 0))
    ratio = _select(is_plain, _ops.ones_like(of_var), of_var / of_change)
    write((var, var - change * (ratio * lr)), (m, first), (v, second))


def adam(
    var: Tensor,
    grad: Tensor,
    m: Tensor,
    v: Tensor,
    largest: Any,
    lr: Any,
    step: Any,
    betas: tuple[float, float],
    epsilon: float,
    decay: float,
) -> None:
    """Adam (Kingma and Ba, 2015), with decoupled weight decay; where largest is given, AMSGrad: var -= lr * decay * var; var
    -= lr * m / (1 - beta1 ** step) / (sqrt(v) / sqrt(1 - beta2 ** step) + epsilon)."""
    first, second = moments(m, v, *betas, grad)
    root = second if largest is None else _maximum(largest, second)
    rate, correction = lr / _single(1 - betas[0] ** step), _single(_sqrt(1 - betas[1] ** step))
    kept = var * (1 - lr * decay) if decay else var
    value = kept - first * rate / (_sqrt(root) / correction + epsilon)
    write((var, value), (m, first), (v, second), *([] if largest is None else [(largest, root)]))


def adamax(
    var: Tensor, grad: Tensor, m: Tensor, v: Tensor, lr: Any, step: Any, betas: tuple[float, float], epsilon: float
) -> None:
    """AdaMax (Kingma and Ba, 2015): v = max(beta2 * v, |g| + epsilon); var -= lr / (1 - beta1 ** step) * m / v."""
    first = m * betas[0] + grad * (1 - betas[0])
    largest = _maximum(v * betas[1], _ops.abs(grad) + epsilon)
    write((var, var - first * (lr / _single(1 - betas[0] ** step)) / largest), (m, first), (v, largest))


def nadam(
    var: Tensor,
    grad: Tensor,
    m: Tensor,
    v: Tensor,
    product: Tensor,
    lr: Any,
    step: Any,
    betas: tuple[float, float],
    epsilon: float,
    momentum_decay: float,
) -> None:
    """NAdam (Dozat, 2016): with mu(t) = beta1 * (1 - 0.96 ** (t * momentum_decay) / 2) and their product, var -= lr * (g *
    (1 - mu) / (1 - product) + m * mu(step + 1) / (1 - product * mu(step + 1))) / (sqrt(v / (1 - beta2 ** step)) +
    epsilon)."""
    first, second = moments(m, v, *betas, grad)
    now, after = (_single(betas[0] * (1 - 0.5 * 0.96 ** (t * momentum_decay))) for t in (step, step + 1))
    total = product * now
    root = _sqrt(second / _single(1 - betas[1] ** step)) + epsilon
    change = grad * (lr * (1 - now) / (1 - total)) + first * (lr * after / (1 - total * after))
    write((var, var - change / root), (m, first), (v, second), (product, total))


def radam(
    var: Tensor, grad: Tensor, m: Tensor, v: Tensor, lr: Any, step: Any, betas: tuple[float, float], epsilon: float
) -> None:
    """RAdam (Liu et al., 2020): var -= lr * m / (1 - beta1 ** step) * r, where r is 1 until the variance of the rate can be
    told, then the rectification times sqrt(1 - beta2 ** step) / (sqrt(v) + epsilon)."""
    first, second = moments(m, v, *betas, grad)
    power = betas[1] ** step
    most = 2 / (1 - betas[1]) - 1
    length = most - 2 * step * power / (1 - power)
    inside = (length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)
    rectified = _ops.greater(length, 5)
    factor = _single(_sqrt(_select(rectified, inside, _ops.ones_like(inside)) * (1 - power)))
    ratio = _select(rectified, factor / (_sqrt(second) + epsilon), _ops.ones_like(second))
    write((var, var - first * (lr / _single(1 - betas[0] ** step)) * ratio), (m, first), (v, second))


def rmsprop(
    var: Tensor,
    grad: Tensor,
    mean: Any,
    squares: Tensor,
    moment: Any,
    lr: Any,
    alpha: float,
    epsilon: float,
    momentum: float,
    centered: bool,
) -> None:
    """RMSprop (Hinton, 2012), epsilon outside the root: s = alpha * s + (1 - alpha) * g * g; var -= lr * g / (sqrt(s) +
    epsilon), centered with s - mean ** 2 in place of s, with momentum by way of moment."""
    second = squares * alpha + grad * grad * (1 - alpha)
    written, variance = [(squares, second)], second
    if centered:
        first = mean * alpha + grad * (1 - alpha)
        written, variance = [*written, (mean, first)], second - first * first
    change = grad / (_sqrt(variance) + epsilon)
    if momentum > 0:
        change = moment * momentum + change
        written.append((moment, change))
    write((var, var - change * lr), *written)
