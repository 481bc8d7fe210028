"""The distribution of what a bijector makes of another's numbers."""

from __future__ import annotations

from typing import Any

from emberjit import ops
from emberjit.nn.probability.bijector.bijector import Bijector
from emberjit.nn.probability.distribution.distribution import Distribution


class TransformedDistribution(Distribution):
    """The distribution of Y = g(X), by log p(y) = log p(g^-1(y)) + log |d g^-1(y) / dy|.

    Args:
        bijector: g, an increasing one.
        distribution: that of X.
        seed: of the samples; None or 0: as the distribution's.
        name: of the distribution, which errors name.

    Raises:
        TypeError: bijector is no Bijector, or distribution no Distribution.
        ValueError: mean is asked for, and g is not linear.

    Examples:
        >>> from emberjit.nn.probability import bijector, distribution
        >>> lognormal = distribution.TransformedDistribution(bijector.Exp(), distribution.Normal(0.0, 1.0))
        >>> print(lognormal.prob(Tensor([1.0])), lognormal.cdf(Tensor([1.0])))
        [0.3989423] [0.5]
    """

    def __init__(
        self, bijector: Bijector, distribution: Distribution, seed: int | None = None, name: str = "transformed_distribution"
    ):
        for kind, value in ((Bijector, bijector), (Distribution, distribution)):
            if not isinstance(value, kind):
                lower = kind.__name__.lower()
                raise TypeError(f"For '{name}', '{lower}' must be a {kind.__name__}, but got {type(value).__name__}.")
        super().__init__(seed, distribution.dtype, name, {"param_dict": distribution.parameters["param_dict"]})
        self._bijector, self._distribution = bijector, distribution
        self._is_linear = bijector.is_constant_jacobian

    @property
    def bijector(self) -> Bijector:
        """What is done with X."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """That of X."""
        return self._distribution

    @property
    def is_linear_transformation(self) -> bool:
        """Whether the bijector's derivative is a constant."""
        return self._is_linear

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """That of the distribution of X."""
        return self._distribution.batch_shape

    def get_dist_type(self) -> str:
        """That of X."""
        return self._distribution.get_dist_type()

    def _of(self, name: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        x = self._bijector.inverse(value)
        result = getattr(self._distribution, name)(x, *args, **kwargs)
        if name == "log_prob":
            return result + self._bijector.inverse_log_jacobian(value)
        return result * ops.exp(self._bijector.inverse_log_jacobian(value)) if name == "prob" else result

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        """The mean, of a linear transformation.

        Raises:
            ValueError: the transformation is another.
        """
        if not self._is_linear:
            raise ValueError(f"For '{self._name}', the mean of a transformation that is not linear is not known.")
        return self._bijector.forward(self._distribution.mean(*args, **kwargs))

    def sample(self, shape: Any = (), *args: Any, **kwargs: Any) -> Any:
        """Samples; arguments and errors as of the distribution of X."""
        return self._bijector.forward(self._distribution.sample(shape, *args, **kwargs))
