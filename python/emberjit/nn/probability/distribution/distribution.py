"""What all distributions have. A class says which parameters it has, and gives formulas of them:

    class Exponential(Distribution):
        _names = ("rate",)
        def _log_prob(self, value, rate): ...

From what a class gives the rest follows: prob from log_prob or the other way, cdf, log_cdf, survival_function and
log_survival from each other, sd from var, cross_entropy from entropy and kl_loss. A call may bring parameters of its own, as
Tensors, in their order or by name; for those that it does not bring the distribution's own are taken.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, ClassVar

from emberjit import _emberjit as core
from emberjit import ops
from emberjit._emberjit import float16, float32, float64
from emberjit.checks import check_instance
from emberjit.nn.probability.parametrised import Parametrised
from emberjit.nn.probability.values import check_positive, dtype_of, floating, tensor_of, together

_ops = core.ops
_LEAST = 2.0**-25  # half the distance of uniform numbers of float32
_OF_VALUES = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")
_OF_PARAMETERS = ("mean", "mode", "sd", "var", "entropy", "get_dist_args", "get_dist_type")
_METHODS = (*_OF_VALUES, *_OF_PARAMETERS, "kl_loss", "cross_entropy", "sample")

# By what is wanted: from what else it follows, and how; the first that a class gives.
_DERIVED: dict[str, tuple[tuple[str, Callable[[Any], Any]], ...]] = {
    "_prob": (("_log_prob", ops.exp),),
    "_log_prob": (("_prob", ops.log),),
    "_cdf": (("_log_cdf", ops.exp), ("_survival_function", lambda x: 1 - x), ("_log_survival", lambda x: -ops.expm1(x))),
    "_log_cdf": (("_cdf", ops.log),),
    "_survival_function": (("_log_survival", ops.exp), ("_cdf", lambda x: 1 - x)),
    "_log_survival": (("_survival_function", ops.log),),
    "_var": (("_sd", ops.square),),
    "_sd": (("_var", ops.sqrt),),
}


class Distribution(Parametrised):
    """Base of the distributions, each of a batch of random variables. Methods prob, log_prob, cdf, log_cdf,
    survival_function and log_survival take values, mean, mode, sd, var, entropy, kl_loss, cross_entropy and sample
    parameters at most; called as a Cell, a distribution takes the name of a method and its arguments.

    Args:
        seed: of the samples, an int that is not negative; None or 0: the stream of set_seed.
        dtype: of the samples.
        name: of the distribution, which errors name.
        param: its parameters by name, in "param_dict": numbers or Tensors, None for those that calls will bring.

    Raises:
        TypeError: a parameter is no number or Tensor, or the dtype is none of the distribution's.
        ValueError: seed is negative, or a parameter is outside its domain.

    Examples:
        >>> normal = nn.probability.distribution.Normal(mean=[0.0, 1.0], sd=1.0)
        >>> print(isinstance(normal, nn.probability.distribution.Distribution), normal.batch_shape)
        True (2,)
        >>> print(normal("mean"), normal.kl_loss("Normal", Tensor([0.0]), Tensor([1.0])))
        [0. 1.] [0.  0.5]
    """

    _kind, _methods = "distribution", _METHODS
    _positive: ClassVar[tuple[str, ...]] = ()  # those parameters that must be greater than zero
    _dtypes: ClassVar[tuple[Any, ...]] = (float16, float32, float64)

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        for method, sources in _DERIVED.items():
            source = next((pair for pair in sources if hasattr(cls, pair[0])), None)
            if source and not hasattr(cls, method):
                setattr(cls, method, _derived(*source))
        for name in cls._names:
            if name not in _METHODS:
                setattr(cls, name, property(operator.attrgetter(f"_{name}_value")))

    def __init__(self, seed: int | None, dtype: Any, name: str, param: dict[str, Any]):
        parameters = param.get("param_dict", {})
        arguments = {**parameters, "seed": seed, "dtype": dtype, "name": name, "param_dict": dict(parameters)}
        super().__init__(name, dtype, arguments)
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise TypeError(f"For '{name}', 'seed' must be an int or None, but got {seed!r}.")
        if seed is not None and seed < 0:
            raise ValueError(f"For '{name}', 'seed' must not be negative, but got {seed}.")
        if dtype not in self._dtypes:
            raise TypeError(f"For '{name}', 'dtype' must be one of {[str(one) for one in self._dtypes]}, but got {dtype}.")
        self._seed = seed or 0
        self._parameter_dtype = dtype_of(parameters.values(), dtype)
        for key in self._names:
            value = parameters.get(key)
            kept = None if value is None else floating(name, key, value, self._parameter_dtype)
            if kept is not None and key in self._positive:
                check_positive(name, key, kept)
            setattr(self, f"_{key}_value", kept)

    @property
    def seed(self) -> int:
        """The seed of samples; 0: none of its own."""
        return self._seed

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The shape of its parameters together; None if some are left to calls."""
        own = [getattr(self, f"_{name}_value") for name in self._names]
        if any(value is None for value in own):
            return None
        return tuple(together(*own)[0].shape) if own else ()

    @property
    def broadcast_shape(self) -> tuple[int, ...] | None:
        """The same as batch_shape."""
        return self.batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether it is one variable, not a batch."""
        return self.batch_shape == ()

    def get_dist_type(self) -> str:
        """The kind of distribution, as kl_loss and cross_entropy take it."""
        return type(self).__name__

    def get_dist_args(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The parameters, those of the call before its own."""
        return self._own(args, kwargs)

    def prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The density, or of a discrete distribution the probability, at a value.

        Args:
            value: a Tensor.
            args, kwargs: parameters, Tensors.

        Raises:
            TypeError: value or a parameter is no Tensor, or a parameter is missing.
            NotImplementedError: the distribution has none.
        """
        return self._of("prob", value, args, kwargs)

    def log_prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of prob; arguments and errors as there."""
        return self._of("log_prob", value, args, kwargs)

    def cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The probability of at most a value; arguments and errors as of prob."""
        return self._of("cdf", value, args, kwargs)

    def log_cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of cdf; arguments and errors as of prob."""
        return self._of("log_cdf", value, args, kwargs)

    def survival_function(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The probability of more than a value; arguments and errors as of prob."""
        return self._of("survival_function", value, args, kwargs)

    def log_survival(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of survival_function; arguments and errors as of prob."""
        return self._of("log_survival", value, args, kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        """The mean; args and kwargs are parameters, as of prob."""
        return self._formula("mean")(*self._own(args, kwargs))

    def mode(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the greatest prob; args and kwargs are parameters, as of prob."""
        return self._formula("mode")(*self._own(args, kwargs))

    def sd(self, *args: Any, **kwargs: Any) -> Any:
        """The standard deviation; args and kwargs are parameters, as of prob."""
        return self._formula("sd")(*self._own(args, kwargs))

    def var(self, *args: Any, **kwargs: Any) -> Any:
        """The variance; args and kwargs are parameters, as of prob."""
        return self._formula("var")(*self._own(args, kwargs))

    def entropy(self, *args: Any, **kwargs: Any) -> Any:
        """The entropy, in nats; args and kwargs are parameters, as of prob."""
        return self._formula("entropy")(*self._own(args, kwargs))

    def kl_loss(self, dist: str, *args: Any, **kwargs: Any) -> Any:
        """The Kullback-Leibler divergence KL(a || b) of another distribution b of the same kind from this one.

        Args:
            dist: the kind of b.
            args, kwargs: the parameters of b, Tensors, by name with `_b` behind; then those of this one, as of prob.

        Raises:
            TypeError: a parameter is no Tensor, or is missing.
            ValueError: b is of another kind.
            NotImplementedError: the distribution has none.
        """
        formula = self._formula("kl_loss")
        other, args, kwargs = self._others(dist, args, kwargs)
        return formula(self._own(args, kwargs), other)

    def cross_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Any:
        """The cross entropy H(a, b) = H(a) + KL(a || b); arguments and errors as of kl_loss."""
        entropy, divergence = self._formula("entropy"), self._formula("kl_loss")
        other, args, kwargs = self._others(dist, args, kwargs)
        own = self._own(args, kwargs)
        return entropy(*own) + divergence(own, other)

    def sample(self, shape: Any = (), *args: Any, **kwargs: Any) -> Any:
        """Samples, of shape `shape` + batch_shape.

        Args:
            shape: a tuple.
            args, kwargs: parameters, as of prob.

        Raises:
            TypeError: shape is no tuple of ints, or a parameter is no Tensor or is missing.
            NotImplementedError: the distribution has none.
        """
        formula = self._formula("sample")
        check_instance(f"{self._name}.sample", "shape", shape, (tuple, list))
        own = together(*self._own(args, kwargs))
        return ops.cast(formula(tuple(shape) + self._batch_of(own), *own), self._dtype)

    def _uniform(self, shape: tuple[int, ...]) -> Any:
        """Random numbers of [0, 1)."""
        return _ops.rand(shape, seed=self._seed or None)

    def _positive_uniform(self, shape: tuple[int, ...]) -> Any:
        """Random numbers of (0, 1)."""
        return ops.maximum(self._uniform(shape), _LEAST)

    def _batch_of(self, own: tuple[Any, ...]) -> tuple[int, ...]:
        return tuple(own[0].shape)

    def _formula(self, name: str) -> Any:
        formula = getattr(self, f"_{name}", None)
        if formula is None:
            raise NotImplementedError(f"{name} is not implemented for {self._name} distribution.")
        return formula

    def _of(self, name: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        formula = self._formula(name)
        own = self._own(args, kwargs)
        return formula(tensor_of(self._name, "value", value, own[0].dtype), *own)

    def _own(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The parameters: of a call, or its own."""
        arguments = _by_name(self._name, self._names, args, kwargs)
        parameters = []
        for name in self._names:
            value = arguments.get(name)
            if value is not None:
                value = tensor_of(self._name, name, value, self._parameter_dtype)
            elif (value := getattr(self, f"_{name}_value")) is None:
                raise TypeError(f"For '{self._name}', '{name}' is needed, for the distribution was made without it.")
            parameters.append(value)
        return tuple(parameters)

    def _others(self, dist: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The parameters of another distribution, and what is left of the arguments."""
        if dist != self.get_dist_type():
            raise ValueError(f"For '{self._name}', 'dist' must be '{self.get_dist_type()}', but got {dist!r}.")
        names = [f"{name}_b" for name in self._names]
        arguments = _by_name(self._name, names, args[: len(names)], {k: v for k, v in kwargs.items() if k in names})
        other = tuple(tensor_of(self._name, name, arguments.get(name), self._parameter_dtype) for name in names)
        return other, args[len(names) :], {k: v for k, v in kwargs.items() if k not in names}


def _derived(source: str, change: Callable[[Any], Any]) -> Any:
    def formula(self: Any, *operands: Any) -> Any:
        return change(getattr(self, source)(*operands))

    return formula


def _by_name(owner: str, names: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """
    Raises:
        TypeError: there are too many arguments, or one of another name.
    """
    arguments = dict(zip(names, args))
    if len(args) > len(names) or not set(kwargs) <= set(names) - set(arguments):
        raise TypeError(f"For '{owner}', the parameters are {', '.join(names)}, but got {[*args, *kwargs]}.")
    return {**arguments, **kwargs}
