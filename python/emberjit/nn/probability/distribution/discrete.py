"""Discrete distributions. A value between two integers counts as the lower. Formulas: N. Johnson, A. Kemp, S. Kotz,
Univariate Discrete Distributions, 2005."""

from __future__ import annotations

import math
from typing import Any

from emberjit import ops
from emberjit._emberjit import Tensor, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64
from emberjit.nn.probability.distribution.distribution import Distribution
from emberjit.nn.probability.values import check_probabilities
from emberjit.tensors.operands import broadcast_shape

_NUMBERS = (int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, float64)


class _OfProbability(Distribution):
    """Of one parameter, a probability of (0, 1)."""

    _names, _dtypes = ("probs",), _NUMBERS

    def __init__(self, probs: Any, seed: int | None, dtype: Any, name: str):
        super().__init__(seed, dtype, name, {"param_dict": {"probs": probs}})
        if probs is not None:
            check_probabilities(name, "probs", self.probs)


class Bernoulli(_OfProbability):
    """The distribution of 1, with the probability probs, and 0.

    Args:
        probs: the probability of 1, a number or a Tensor; None: calls bring it.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating or integer one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: probs is outside (0, 1), or seed is negative.

    Examples:
        >>> bernoulli = nn.probability.distribution.Bernoulli(probs=0.25)
        >>> print(bernoulli.prob(Tensor([0, 1])), bernoulli.mean())
        [0.75 0.25] 0.25
        >>> print(bernoulli.prob(Tensor([1]), Tensor([0.75])))
        [0.75]
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: Any = int32, name: str = "Bernoulli"):
        super().__init__(probs, seed, dtype, name)

    def _log_prob(self, value: Tensor, probs: Tensor) -> Any:
        return value * ops.log(probs) + (1 - value) * ops.log1p(-probs)

    def _cdf(self, value: Tensor, probs: Tensor) -> Any:
        return ops.where(value < 0, 0.0, ops.where(value < 1, 1 - probs, 1.0))

    def _mean(self, probs: Tensor) -> Any:
        return probs

    def _mode(self, probs: Tensor) -> Any:
        return ops.cast(probs > 0.5, self._dtype)

    def _var(self, probs: Tensor) -> Any:
        return probs * (1 - probs)

    def _entropy(self, probs: Tensor) -> Any:
        return -probs * ops.log(probs) - (1 - probs) * ops.log1p(-probs)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (probs,), (other,) = a, b
        return probs * ops.log(probs / other) + (1 - probs) * (ops.log1p(-probs) - ops.log1p(-other))

    def _sample(self, shape: tuple[int, ...], probs: Tensor) -> Any:
        return self._uniform(shape) < probs


class Geometric(_OfProbability):
    """The geometric distribution, of how many trials fail before the first that succeeds: (1 - probs)^k probs.

    Args:
        probs: the probability of success, a number or a Tensor; None: calls bring it.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating or integer one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: probs is outside (0, 1), or seed is negative.

    Examples:
        >>> geometric = nn.probability.distribution.Geometric(probs=0.5)
        >>> print(geometric.prob(Tensor([0, 1, 2])), geometric.mean())
        [0.5   0.25  0.125] 1.0
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: Any = int32, name: str = "Geometric"):
        super().__init__(probs, seed, dtype, name)

    def _log_prob(self, value: Tensor, probs: Tensor) -> Any:
        return ops.where(value >= 0, ops.log(probs) + ops.floor(value) * ops.log1p(-probs), -math.inf)

    def _log_survival(self, value: Tensor, probs: Tensor) -> Any:
        return ops.log1p(-probs) * ops.maximum(ops.floor(value) + 1, 0)

    def _mean(self, probs: Tensor) -> Any:
        return (1 - probs) / probs

    def _mode(self, probs: Tensor) -> Any:
        return ops.cast(ops.zeros_like(probs), self._dtype)

    def _var(self, probs: Tensor) -> Any:
        return (1 - probs) / ops.square(probs)

    def _entropy(self, probs: Tensor) -> Any:
        return -ops.log(probs) - (1 - probs) * ops.log1p(-probs) / probs

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (probs,), (other,) = a, b
        return ops.log(probs / other) + (1 - probs) / probs * (ops.log1p(-probs) - ops.log1p(-other))

    def _sample(self, shape: tuple[int, ...], probs: Tensor) -> Any:
        return ops.floor(ops.log1p(-self._uniform(shape)) / ops.log1p(-probs))


class Poisson(Distribution):
    """The Poisson distribution, of counts k with the probabilities rate^k exp(-rate) / k!.

    Args:
        rate: the mean, a number or a Tensor; None: calls bring it.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating or integer one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: rate is not greater than zero, or seed is negative.

    Examples:
        >>> poisson = nn.probability.distribution.Poisson(rate=2.0)
        >>> print(poisson.prob(Tensor([0, 1, 2])), poisson.var())
        [0.13533528 0.27067056 0.27067056] 2.0
    """

    _names, _positive, _dtypes = ("rate",), ("rate",), _NUMBERS

    def __init__(self, rate: Any = None, seed: int | None = None, dtype: Any = float32, name: str = "Poisson"):
        super().__init__(seed, dtype, name, {"param_dict": {"rate": rate}})

    def _log_prob(self, value: Tensor, rate: Tensor) -> Any:
        count = ops.floor(value)
        return ops.where(value >= 0, ops.xlogy(count, rate) - rate - ops.lgamma(count + 1), -math.inf)

    def _cdf(self, value: Tensor, rate: Tensor) -> Any:
        return ops.where(value >= 0, ops.igammac(ops.maximum(ops.floor(value), 0) + 1, rate), 0.0)

    def _mean(self, rate: Tensor) -> Any:
        return rate

    def _mode(self, rate: Tensor) -> Any:
        return ops.floor(rate)

    def _var(self, rate: Tensor) -> Any:
        return rate

    def _sample(self, shape: tuple[int, ...], rate: Tensor) -> Any:
        return ops.random_poisson(shape[: len(shape) - rate.ndim], rate, self._seed or None)


class Categorical(Distribution):
    """The distribution of the numbers 0 to k - 1, each with a probability.

    Args:
        probs: the probabilities, a Tensor (..., k) whose last axis sums to one; None: calls bring them.
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples, a floating or integer one.
        name: of the distribution, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is another.
        ValueError: the probabilities do not sum to one, or one is outside (0, 1), or seed is negative.

    Examples:
        >>> categorical = nn.probability.distribution.Categorical(probs=[0.2, 0.3, 0.5])
        >>> print(categorical.prob(Tensor([0, 2])), categorical.mode())
        [0.19999999 0.5       ] 2
        >>> print(categorical.sample((4,)).shape)
        (4,)
    """

    _names, _dtypes = ("probs",), _NUMBERS

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: Any = int32, name: str = "Categorical"):
        super().__init__(seed, dtype, name, {"param_dict": {"probs": probs}})
        if probs is None:
            return
        probs = self.probs
        if probs.ndim < 1:
            raise ValueError(f"For '{name}', 'probs' must have an axis of categories, but its shape is {probs.shape}.")
        check_probabilities(name, "probs", probs)
        if not bool((ops.abs(probs.sum(-1) - 1) < 1e-5).all()):
            raise ValueError(f"For '{name}', the probabilities must sum to one, but sum to {probs.sum(-1).asnumpy()}.")

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The shape of probs without its last axis; None if it is left to calls."""
        probs = self.probs
        return None if probs is None else tuple(probs.shape[:-1])

    def _batch_of(self, own: tuple[Any, ...]) -> tuple[int, ...]:
        return tuple(own[0].shape[:-1])

    def _lookup(self, value: Tensor, table: Tensor, outside: float) -> Any:
        """Of table, of shape (..., k), the element of each value; beyond the last category what is given."""
        count = table.shape[-1]
        at = ops.cast(ops.clamp(ops.floor(value), 0, count - 1), int64)
        shape = broadcast_shape("Categorical", (at, table[..., 0]))
        rows, at = ops.broadcast_to(table, (*shape, count)), ops.broadcast_to(at[..., None], (*shape, 1))
        elements = ops.gather_elements(rows, -1, at)[..., 0]
        return ops.where((value >= 0) & (value < count), elements, outside)

    def _log_prob(self, value: Tensor, probs: Tensor) -> Any:
        return self._lookup(value, ops.log(probs), math.nan)

    def _cdf(self, value: Tensor, probs: Tensor) -> Any:
        cumulative = self._lookup(value, ops.cumsum(probs, -1), 1.0)
        return ops.where(value < 0, 0.0, cumulative)

    def _mean(self, probs: Tensor) -> Any:
        return (probs * ops.arange(probs.shape[-1])).sum(-1, keepdims=True)

    def _mode(self, probs: Tensor) -> Any:
        return ops.cast(ops.argmax(probs, -1), self._dtype)

    def _var(self, probs: Tensor) -> Any:
        apart = ops.square(ops.arange(probs.shape[-1]) - self._mean(probs))
        return (probs * apart).sum(-1, keepdims=True)

    def _entropy(self, probs: Tensor) -> Any:
        return -ops.xlogy(probs, probs).sum(-1)

    def _kl_loss(self, a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Any:
        (probs,), (other,) = a, b
        return (ops.xlogy(probs, probs) - ops.xlogy(probs, other)).sum(-1)

    def _sample(self, shape: tuple[int, ...], probs: Tensor) -> Any:
        below = ops.cumsum(probs, -1)[..., :-1]
        return (self._uniform(shape)[..., None] >= below).sum(-1)
