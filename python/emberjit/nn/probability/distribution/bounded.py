"""Continuous distributions of positive numbers, or of those between bounds. Formulas: N. Johnson, S. Kotz, N. Balakrishnan,
Continuous Univariate Distributions, 1994."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import ops
from emberjit._emberjit import Tensor, float32
from emberjit.nn.probability.distribution.distribution import Distribution
from emberjit.nn.probability.distribution.location_scale import Normal
from emberjit.nn.probability.values import together

_ops = core.ops


class LogNormal(Distribution):
    """The log-normal distribution, of numbers whose logarithms are normal.

    Args:
        loc, scale: mean and standard deviation of the logarithms, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: scale is not greater than zero, or seed is negative.

    Examples:
        >>> lognormal = nn.probability.distribution.LogNormal(loc=0.0, scale=1.0)
        >>> print(lognormal.mean(), lognormal.cdf(Tensor([1.0])))
        1.6487212 [0.5]
    """

    _names, _positive = ("loc", "scale"), ("scale",)

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: int | None = 0, dtype: Any = float32, name: str = "LogNormal"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"loc": loc, "scale": scale}})
        self._normal = Normal(seed=seed, dtype=dtype)

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return self._normal._log_prob(ops.log(value), loc, scale) - ops.log(value)

    def _cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return self._normal._cdf(ops.log(value), loc, scale)

    def _survival_function(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return self._normal._survival_function(ops.log(value), loc, scale)

    def _mean(self, loc: Tensor, scale: Tensor) -> Any:
        return ops.exp(loc + 0.5 * ops.square(scale))

    def _mode(self, loc: Tensor, scale: Tensor) -> Any:
        return ops.exp(loc - ops.square(scale))

    def _var(self, loc: Tensor, scale: Tensor) -> Any:
        return ops.expm1(ops.square(scale)) * ops.exp(2 * loc + ops.square(scale))

    def _entropy(self, loc: Tensor, scale: Tensor) -> Any:
        return loc + self._normal._entropy(loc, scale)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        return self._normal._kl_loss(a, b)

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Any:
        return ops.exp(self._normal._sample(shape, loc, scale))


class Exponential(Distribution):
    """The exponential distribution, of density rate exp(-rate x) for x from 0 on.

    Args:
        rate: the inverse of the mean, a number or a Tensor; None: calls bring it.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: rate is not greater than zero, or seed is negative.

    Examples:
        >>> exponential = nn.probability.distribution.Exponential(rate=0.5)
        >>> print(exponential.mean(), exponential.prob(Tensor([0.0, 2.0])))
        2.0 [0.5        0.18393973]
    """

    _names, _positive = ("rate",), ("rate",)

    def __init__(self, rate: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Exponential"):
        super().__init__(seed, dtype, name, {"param_dict": {"rate": rate}})

    def _log_prob(self, value: Tensor, rate: Tensor) -> Any:
        return ops.where(value >= 0, ops.log(rate) - rate * value, -math.inf)

    def _log_survival(self, value: Tensor, rate: Tensor) -> Any:
        return -rate * ops.maximum(value, 0)

    def _mean(self, rate: Tensor) -> Any:
        return 1 / rate

    def _sd(self, rate: Tensor) -> Any:
        return 1 / rate

    def _mode(self, rate: Tensor) -> Any:
        return ops.zeros_like(rate)

    def _entropy(self, rate: Tensor) -> Any:
        return 1 - ops.log(rate)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        ratio = b[0] / a[0]
        return ratio - ops.log(ratio) - 1

    def _sample(self, shape: tuple[int, ...], rate: Tensor) -> Any:
        return -ops.log(self._positive_uniform(shape)) / rate


class Gamma(Distribution):
    """The gamma distribution, of density rate^a x^(a - 1) exp(-rate x) / Gamma(a), a being concentration.

    Args:
        concentration, rate: shape and inverse scale, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: one of them is not greater than zero, or seed is negative.

    Examples:
        >>> gamma = nn.probability.distribution.Gamma(concentration=2.0, rate=1.0)
        >>> print(gamma.mean(), gamma.var(), gamma.prob(Tensor([1.0])))
        2.0 2.0 [0.36787945]
    """

    _names, _positive = ("concentration", "rate"), ("concentration", "rate")

    def __init__(
        self, concentration: Any = None, rate: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Gamma"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"concentration": concentration, "rate": rate}})

    def _log_prob(self, value: Tensor, concentration: Tensor, rate: Tensor) -> Any:
        constant = concentration * ops.log(rate) - ops.lgamma(concentration)
        return constant + ops.xlogy(concentration - 1, value) - rate * value

    def _cdf(self, value: Tensor, concentration: Tensor, rate: Tensor) -> Any:
        return ops.igamma(concentration, rate * value)

    def _mean(self, concentration: Tensor, rate: Tensor) -> Any:
        return concentration / rate

    def _var(self, concentration: Tensor, rate: Tensor) -> Any:
        return concentration / ops.square(rate)

    def _mode(self, concentration: Tensor, rate: Tensor) -> Any:
        return ops.where(concentration > 1, (concentration - 1) / rate, math.nan)

    def _entropy(self, concentration: Tensor, rate: Tensor) -> Any:
        spread = concentration - ops.log(rate) + ops.lgamma(concentration)
        return spread + (1 - concentration) * ops.digamma(concentration)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (concentration, rate), (other, speed) = a, b
        normalisers = ops.lgamma(other) - ops.lgamma(concentration) + other * ops.log(rate / speed)
        return normalisers + (concentration - other) * ops.digamma(concentration) + concentration * (speed / rate - 1)

    def _sample(self, shape: tuple[int, ...], concentration: Tensor, rate: Tensor) -> Any:
        return _gamma(shape, concentration, self._seed) / rate


class Beta(Distribution):
    """The beta distribution, of density x^(a - 1) (1 - x)^(b - 1) / B(a, b) within [0, 1], with concentration1 as a,
    concentration0 as b.

    Args:
        concentration1, concentration0: a and b, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: one of them is not greater than zero, or seed is negative.

    Examples:
        >>> beta = nn.probability.distribution.Beta(concentration1=2.0, concentration0=2.0)
        >>> print(beta.mean(), beta.prob(Tensor([0.5])))
        0.5 [1.5]
    """

    _names = _positive = ("concentration1", "concentration0")

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        seed: int | None = None,
        dtype: Any = float32,
        name: str = "Beta",
    ):
        parameters = {"concentration1": concentration1, "concentration0": concentration0}
        super().__init__(seed, dtype, name, {"param_dict": parameters})

    def _log_prob(self, value: Tensor, alpha: Tensor, beta: Tensor) -> Any:
        return ops.xlogy(alpha - 1, value) + (beta - 1) * ops.log1p(-value) - _log_beta(alpha, beta)

    def _cdf(self, value: Tensor, alpha: Tensor, beta: Tensor) -> Any:
        return _ops.betainc(*together(alpha, beta, value))

    def _mean(self, alpha: Tensor, beta: Tensor) -> Any:
        return alpha / (alpha + beta)

    def _var(self, alpha: Tensor, beta: Tensor) -> Any:
        return alpha * beta / (ops.square(alpha + beta) * (alpha + beta + 1))

    def _mode(self, alpha: Tensor, beta: Tensor) -> Any:
        return ops.where((alpha > 1) & (beta > 1), (alpha - 1) / (alpha + beta - 2), math.nan)

    def _entropy(self, alpha: Tensor, beta: Tensor) -> Any:
        both = (alpha + beta - 2) * ops.digamma(alpha + beta)
        return _log_beta(alpha, beta) - (alpha - 1) * ops.digamma(alpha) - (beta - 1) * ops.digamma(beta) + both

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (alpha, beta), (one, other) = a, b
        shift = (alpha - one) * ops.digamma(alpha) + (beta - other) * ops.digamma(beta)
        both = (one - alpha + other - beta) * ops.digamma(alpha + beta)
        return _log_beta(one, other) - _log_beta(alpha, beta) + shift + both

    def _sample(self, shape: tuple[int, ...], alpha: Tensor, beta: Tensor) -> Any:
        x = _gamma(shape, alpha, self._seed)
        return x / (x + _gamma(shape, beta, self._seed and self._seed + 1))


def _log_beta(alpha: Tensor, beta: Tensor) -> Any:
    return ops.lgamma(alpha) + ops.lgamma(beta) - ops.lgamma(alpha + beta)


def _gamma(shape: tuple[int, ...], concentration: Tensor, seed: int) -> Any:
    rank = len(shape) - concentration.ndim
    return ops.gamma(shape[:rank], concentration, ops.ones_like(concentration), seed or None)


class Uniform(Distribution):
    """The uniform distribution, of density 1 / (high - low) within [low, high].

    Args:
        low, high: the bounds, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: low is not less than high, or seed is negative.

    Examples:
        >>> uniform = nn.probability.distribution.Uniform(low=0.0, high=4.0)
        >>> print(uniform.mean(), uniform.prob(Tensor([1.0, 5.0])))
        2.0 [0.25 0.  ]
    """

    _names = ("low", "high")

    def __init__(
        self, low: Any = None, high: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Uniform"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"low": low, "high": high}})
        if low is not None and high is not None and not bool((self.low < self.high).all()):
            raise ValueError(f"For '{name}', 'low' must be less than 'high', but got {low} and {high}.")

    def _prob(self, value: Tensor, low: Tensor, high: Tensor) -> Any:
        return ops.where((value >= low) & (value <= high), 1 / (high - low), 0.0)

    def _cdf(self, value: Tensor, low: Tensor, high: Tensor) -> Any:
        return ops.clamp((value - low) / (high - low), 0, 1)

    def _mean(self, low: Tensor, high: Tensor) -> Any:
        return 0.5 * (low + high)

    def _var(self, low: Tensor, high: Tensor) -> Any:
        return ops.square(high - low) / 12

    def _entropy(self, low: Tensor, high: Tensor) -> Any:
        return ops.log(high - low)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (low, high), (least, most) = a, b
        return ops.where((least <= low) & (high <= most), ops.log((most - least) / (high - low)), math.inf)

    def _sample(self, shape: tuple[int, ...], low: Tensor, high: Tensor) -> Any:
        return low + (high - low) * self._uniform(shape)
