"""Continuous distributions. Formulas: N. Johnson, S. Kotz, N. Balakrishnan, Continuous Univariate Distributions, 1994."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import ops
from emberjit._emberjit import Tensor, float32
from emberjit.nn.probability.distribution.distribution import Distribution
from emberjit.nn.probability.values import together

_ops = core.ops

_EULER = 0.5772156649015329
_LOG_ROOT_TAU = 0.5 * math.log(2 * math.pi)


def _together(x: Tensor, other: Tensor) -> Any:
    """x in the shape that both broadcast to."""
    return together(x, other)[0]


class _LocationScale(Distribution):
    """Of z = (value - location) / scale: densities and so on of z give those of the value."""

    def _z(self, value: Tensor, location: Tensor, scale: Tensor) -> Any:
        return (value - location) / scale

    def _mode(self, location: Tensor, scale: Tensor) -> Any:
        return _together(location, scale)


class Normal(_LocationScale):
    """The normal distribution.

    Args:
        mean, sd: mean and standard deviation, numbers or Tensors that broadcast; None: left to calls.
        seed: of samples; None or 0: the stream of set_seed.
        dtype: of samples, a floating one.
        name: of the distribution.

    Raises:
        ValueError: sd is not greater than zero.
    """

    _names, _positive = ("mean", "sd"), ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Normal"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Any:
        return -0.5 * ops.square(self._z(value, mean, sd)) - ops.log(sd) - _LOG_ROOT_TAU

    def _cdf(self, value: Tensor, mean: Tensor, sd: Tensor) -> Any:
        return 0.5 * ops.erfc(-self._z(value, mean, sd) / math.sqrt(2))

    def _survival_function(self, value: Tensor, mean: Tensor, sd: Tensor) -> Any:
        return 0.5 * ops.erfc(self._z(value, mean, sd) / math.sqrt(2))

    def _mean(self, mean: Tensor, sd: Tensor) -> Any:
        return _together(mean, sd)

    def _sd(self, mean: Tensor, sd: Tensor) -> Any:
        return _together(sd, mean)

    def _entropy(self, mean: Tensor, sd: Tensor) -> Any:
        return _together(ops.log(sd) + (_LOG_ROOT_TAU + 0.5), mean)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (mean, sd), (other, spread) = a, b
        return 0.5 * (ops.square((mean - other) / spread) + ops.square(sd / spread) - 1) - ops.log(sd / spread)

    def _sample(self, shape: tuple[int, ...], mean: Tensor, sd: Tensor) -> Any:
        return mean + sd * ops.standard_normal(shape, self._seed or None)


class LogNormal(Distribution):
    """Of numbers whose logarithms are normal.

    Args:
        loc, scale: mean and standard deviation of the logarithms.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: scale is not greater than zero.
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


class HalfNormal(_LocationScale):
    """The normal distribution's upper half, doubled.

    Args:
        mean, sd: the least value, and the standard deviation of the whole normal distribution.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: sd is not greater than zero.
    """

    _names, _positive = ("mean", "sd"), ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "HalfNormal"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Any:
        z = self._z(value, mean, sd)
        return ops.where(z >= 0, math.log(2) - 0.5 * ops.square(z) - ops.log(sd) - _LOG_ROOT_TAU, -math.inf)


class Laplace(_LocationScale):
    """The Laplace distribution.

    Args:
        mean, sd: location and scale; the standard deviation is sqrt(2) times the scale.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: sd is not greater than zero.
    """

    _names, _positive = ("mean", "sd"), ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Laplace"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Any:
        return -ops.abs(self._z(value, mean, sd)) - ops.log(2 * sd)


class StudentT(Distribution):
    """Student's t distribution.

    Args:
        df: degrees of freedom.
        mean, sd: location and scale.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: df or sd is not greater than zero.
    """

    _names, _positive = ("df", "mean", "sd"), ("df", "sd")

    def __init__(
        self,
        df: Any = None,
        mean: Any = None,
        sd: Any = None,
        seed: int | None = None,
        dtype: Any = float32,
        name: str = "StudentT",
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"df": df, "mean": mean, "sd": sd}})

    def _log_prob(self, value: Tensor, df: Tensor, mean: Tensor, sd: Tensor) -> Any:
        half = 0.5 * (df + 1)
        constant = ops.lgamma(half) - ops.lgamma(0.5 * df) - 0.5 * ops.log(math.pi * df) - ops.log(sd)
        return constant - half * ops.log1p(ops.square((value - mean) / sd) / df)


class Cauchy(_LocationScale):
    """The Cauchy distribution, which has no mean and no variance.

    Args:
        loc, scale: location and scale.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: scale is not greater than zero.
    """

    _names, _positive = ("loc", "scale"), ("scale",)

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Cauchy"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"loc": loc, "scale": scale}})

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return -ops.log(math.pi * scale) - ops.log1p(ops.square(self._z(value, loc, scale)))

    def _cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return ops.atan(self._z(value, loc, scale)) / math.pi + 0.5

    def _log_survival(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return self._log_cdf(2 * loc - value, loc, scale)

    def _mean(self, *_: Any) -> Any:
        raise ValueError(f"mean is undefined for {self._name} distribution.")

    def _sd(self, *_: Any) -> Any:
        raise ValueError(f"standard deviation is undefined for {self._name} distribution.")

    def _var(self, *_: Any) -> Any:
        raise ValueError(f"variance is undefined for {self._name} distribution.")

    def _entropy(self, loc: Tensor, scale: Tensor) -> Any:
        return _together(ops.log(4 * math.pi * scale), loc)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (loc, scale), (other, spread) = a, b
        return ops.log((ops.square(scale + spread) + ops.square(loc - other)) / (4 * scale * spread))

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Any:
        return loc + scale * ops.tan(math.pi * (self._positive_uniform(shape) - 0.5))


class Exponential(Distribution):
    """The exponential distribution.

    Args:
        rate: the inverse of the mean.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: rate is not greater than zero.
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
    """The gamma distribution.

    Args:
        concentration, rate: shape and inverse scale.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: one of them is not greater than zero.
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
    """The beta distribution.

    Args:
        concentration1, concentration0: alpha and beta: the density is x^(alpha - 1) (1 - x)^(beta - 1) / B(alpha, beta).
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: one of them is not greater than zero.
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


class Gumbel(_LocationScale):
    """The Gumbel distribution of greatest values.

    Args:
        loc, scale: location and scale.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: scale is not greater than zero.
    """

    _names, _positive = ("loc", "scale"), ("scale",)

    def __init__(self, loc: Any, scale: Any, seed: int | None = 0, dtype: Any = float32, name: str = "Gumbel"):
        super().__init__(seed, dtype, name, {"param_dict": {"loc": loc, "scale": scale}})

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        z = self._z(value, loc, scale)
        return -(z + ops.exp(-z)) - ops.log(scale)

    def _log_cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return -ops.exp(-self._z(value, loc, scale))

    def _mean(self, loc: Tensor, scale: Tensor) -> Any:
        return loc + _EULER * scale

    def _sd(self, loc: Tensor, scale: Tensor) -> Any:
        return _together(math.pi / math.sqrt(6) * scale, loc)

    def _entropy(self, loc: Tensor, scale: Tensor) -> Any:
        return _together(ops.log(scale) + (1 + _EULER), loc)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (loc, scale), (other, spread) = a, b
        ratio, apart = scale / spread, (loc - other) / spread
        return -ops.log(ratio) + _EULER * (ratio - 1) + apart + ops.expm1(ops.lgamma(ratio + 1) - apart)

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Any:
        return loc - scale * ops.log(-ops.log(self._positive_uniform(shape)))


class Logistic(_LocationScale):
    """The logistic distribution.

    Args:
        loc, scale: location and scale.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: scale is not greater than zero.
    """

    _names, _positive = ("loc", "scale"), ("scale",)

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Logistic"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"loc": loc, "scale": scale}})

    def _log_prob(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        z = self._z(value, loc, scale)
        return ops.logsigmoid(z) + ops.logsigmoid(-z) - ops.log(scale)

    def _log_cdf(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return ops.logsigmoid(self._z(value, loc, scale))

    def _log_survival(self, value: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return ops.logsigmoid(-self._z(value, loc, scale))

    def _mean(self, loc: Tensor, scale: Tensor) -> Any:
        return _together(loc, scale)

    def _sd(self, loc: Tensor, scale: Tensor) -> Any:
        return _together(math.pi / math.sqrt(3) * scale, loc)

    def _entropy(self, loc: Tensor, scale: Tensor) -> Any:
        return _together(ops.log(scale) + 2, loc)

    def _sample(self, shape: tuple[int, ...], loc: Tensor, scale: Tensor) -> Any:
        uniform = self._positive_uniform(shape)
        return loc + scale * (ops.log(uniform) - ops.log1p(-uniform))


class Uniform(Distribution):
    """The uniform distribution of [low, high].

    Args:
        low, high: the bounds.
        seed, dtype, name: as of Normal.

    Raises:
        ValueError: low is not less than high.
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
