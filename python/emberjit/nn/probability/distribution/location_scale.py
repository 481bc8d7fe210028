"""Continuous distributions of all numbers, or of half of them, by a location and a scale. Formulas: N. Johnson, S. Kotz,
N. Balakrishnan, Continuous Univariate Distributions, 1994."""

from __future__ import annotations

import math
from typing import Any

from emberjit import ops
from emberjit._emberjit import Tensor, float32
from emberjit.nn.probability.distribution.distribution import Distribution
from emberjit.nn.probability.values import together

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
    """The normal distribution, of density exp(-(x - mean)^2 / (2 sd^2)) / (sd sqrt(2 pi)).

    Args:
        mean, sd: mean and standard deviation, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: sd is not greater than zero, or seed is negative.

    Examples:
        >>> normal = nn.probability.distribution.Normal(mean=0.0, sd=2.0)
        >>> print(normal.log_prob(Tensor([0.0, 2.0])), normal.cdf(Tensor([0.0, 2.0])))
        [-1.6120857 -2.1120858] [0.5       0.8413447]
        >>> print(normal.sample((3, 2)).shape)
        (3, 2)
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


class HalfNormal(_LocationScale):
    """The upper half of a normal distribution, with twice its density from mean on.

    Args:
        mean, sd: the least value, and the standard deviation of the whole normal distribution, numbers or Tensors that
            broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: sd is not greater than zero, or seed is negative.

    Examples:
        >>> half = nn.probability.distribution.HalfNormal(mean=0.0, sd=1.0)
        >>> print(half.prob(Tensor([-1.0, 0.0, 1.0])))
        [0.         0.7978846  0.48394147]
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
    """The Laplace distribution, of density exp(-|x - mean| / sd) / (2 sd).

    Args:
        mean, sd: location and scale, numbers or Tensors that broadcast; None: calls bring them; the standard deviation is
            sqrt(2) times the scale.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: sd is not greater than zero, or seed is negative.

    Examples:
        >>> laplace = nn.probability.distribution.Laplace(mean=0.0, sd=0.5)
        >>> print(laplace.prob(Tensor([0.0, 0.5])))
        [1.         0.36787945]
    """

    _names, _positive = ("mean", "sd"), ("sd",)

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Laplace"
    ):
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})

    def _log_prob(self, value: Tensor, mean: Tensor, sd: Tensor) -> Any:
        return -ops.abs(self._z(value, mean, sd)) - ops.log(2 * sd)


class StudentT(Distribution):
    """Student's t distribution, of density proportional to (1 + ((x - mean) / sd)^2 / df)^(-(df + 1) / 2).

    Args:
        df: degrees of freedom, as mean and sd.
        mean, sd: location and scale, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: df or sd is not greater than zero, or seed is negative.

    Examples:
        >>> t = nn.probability.distribution.StudentT(df=1.0, mean=0.0, sd=1.0)
        >>> print(t.prob(Tensor([0.0, 1.0])))
        [0.3183099  0.15915495]
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
    """The Cauchy distribution, of density 1 / (pi scale (1 + ((x - loc) / scale)^2)), which has no mean and no variance.

    Args:
        loc, scale: location and scale, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: scale is not greater than zero, or seed is negative; when called: mean, sd or var is asked for.

    Examples:
        >>> cauchy = nn.probability.distribution.Cauchy(loc=0.0, scale=1.0)
        >>> print(cauchy.prob(Tensor([0.0, 1.0])), cauchy.cdf(Tensor([1.0])))
        [0.3183099  0.15915495] [0.75]
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


class Gumbel(_LocationScale):
    """The Gumbel distribution of greatest values, of which exp(-exp(-(x - loc) / scale)) are at most x.

    Args:
        loc, scale: location and scale, numbers or Tensors that broadcast.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: scale is not greater than zero, or seed is negative.

    Examples:
        >>> gumbel = nn.probability.distribution.Gumbel(loc=0.0, scale=1.0)
        >>> print(gumbel.mean(), gumbel.cdf(Tensor([0.0])))
        0.5772157 [0.36787945]
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
    """The logistic distribution, of which 1 / (1 + exp(-(x - loc) / scale)) are at most x.

    Args:
        loc, scale: location and scale, numbers or Tensors that broadcast; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: scale is not greater than zero, or seed is negative.

    Examples:
        >>> logistic = nn.probability.distribution.Logistic(loc=0.0, scale=1.0)
        >>> print(logistic.cdf(Tensor([0.0])), logistic.prob(Tensor([0.0])))
        [0.5] [0.25]
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
