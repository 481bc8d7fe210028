"""Initial values of Parameters, by name or as objects, after MindSpore's mindspore.common.initializer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.random.truncated_normal import truncated_quantile

__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "initializer",
]


def _calculate_fan_in_and_fan_out(shape: tuple[int, ...]) -> tuple[int, int]:
    """The inputs and outputs of one element of weights of a shape, (out, in, ...)."""
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    receptive = math.prod(shape[2:])
    return shape[1] * receptive, shape[0] * receptive


def _calculate_correct_fan(shape: tuple[int, ...], mode: str) -> int:
    """The fan that mode, "fan_in" or "fan_out", names.

    Raises:
        ValueError: mode is neither.
    """
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise ValueError(f"'mode' must be one of {modes}, but got {mode!r}.")
    return _calculate_fan_in_and_fan_out(shape)[modes.index(mode.lower())]


_CHUNK = 1 << 22  # numbers that are drawn between looks for an interrupt, which NumPy has none of


def _sample(draw: Callable[[int], Any], shape: tuple[int, ...]) -> Any:
    """An array of what draw(count) gives, the same as if all were drawn at once.

    Raises:
        MemoryError: there is no room for as many.
    """
    import numpy as np

    array = np.empty(shape)
    flat = array.reshape(-1)
    for start in range(0, flat.size, _CHUNK):
        count = min(_CHUNK, flat.size - start)
        flat[start : start + count] = draw(count)
    return array


def _uniform_array(low: float, high: float, shape: tuple[int, ...]) -> Any:
    import numpy as np

    return _sample(lambda count: np.random.uniform(low, high, count), shape)


def _normal_array(mean: float, sigma: float, shape: tuple[int, ...]) -> Any:
    import numpy as np

    return _sample(lambda count: np.random.normal(mean, sigma, count), shape)


def _uniform(shape: tuple[int, ...], bound: float, dtype: core.dtype) -> Any:
    return core.Tensor(_uniform_array(-bound, bound, shape), dtype)


def _normal(shape: tuple[int, ...], sigma: float, mean: float, dtype: core.dtype) -> Any:
    return core.Tensor(_normal_array(mean, sigma, shape), dtype)


def _truncated_normal(shape: tuple[int, ...], sigma: float, mean: float, low: float, high: float, dtype: core.dtype) -> Any:
    """Normal numbers within [low, high], by the inverse of the distribution function."""
    import numpy as np

    allowed = sigma >= 0 and low <= high and all(map(math.isfinite, (sigma, mean)))
    _need(allowed, f"TruncatedNormal initializer, the range [{low}, {high}] or sigma {sigma} or mean {mean} is none.")
    if sigma == 0:
        return core.Tensor(np.full(shape, min(max(mean, low), high)), dtype)
    first, last = sorted(((low - mean) / sigma, (high - mean) / sigma), key=abs)
    side = -1.0 if last < 0 else 1.0
    near, far = (core.Tensor(side * bound, core.float64) for bound in (first, last))
    drawn = truncated_quantile(core.Tensor(_uniform_array(0, 1, shape), core.float64), near, far, side * first > 1)
    return core.Tensor(drawn * (side * sigma) + mean, dtype)


class Initializer:
    """Base of the initializers, which make a Tensor of a shape. A subclass defines _initialize(array), which fills a NumPy
    array.

    Args:
        kwargs: what the attribute `_kwargs` keeps.

    Raises:
        NotImplementedError: when used: a subclass does not define it.

    Examples:
        >>> from emberjit.initializer import Initializer, initializer
        >>> class Ramp(Initializer):
        ...     def _initialize(self, arr):
        ...         arr[...] = np.arange(arr.size).reshape(arr.shape)
        >>> print(initializer(Ramp(), (2, 3)))
        [[0. 1. 2.]
         [3. 4. 5.]]
    """

    def __init__(self, **kwargs: Any):
        self._kwargs = kwargs

    def _initialize(self, arr: Any) -> None:
        raise NotImplementedError("An initializer must define _initialize(array) or make(shape, dtype).")

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        """The Tensor."""
        import numpy as np

        array = np.zeros(shape, np.float32)
        self._initialize(array)
        return core.Tensor(array, dtype)

    def __call__(self, arr: Any) -> None:
        """Fills a NumPy array, or the memory of a new Tensor.

        Raises:
            TypeError: a Tensor of bfloat16, whose memory NumPy does not know.
        """
        if isinstance(arr, core.Tensor):
            if arr.dtype == core.bfloat16:
                raise TypeError("For 'Tensor', 'init' cannot fill bfloat16: convert a Tensor of float32.")
            arr = arr.asnumpy()
        arr[...] = self.make(arr.shape, core.float32).asnumpy()


class Constant(Initializer):
    """The same number for every element.

    Args:
        value: the number.

    Examples:
        >>> from emberjit.initializer import Constant, initializer
        >>> print(initializer(Constant(3), (2, 2)))
        [[3. 3.]
         [3. 3.]]
    """

    def __init__(self, value: float):
        self.value = value

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        return core.ops.full(shape, self.value, dtype=dtype)


class Zero(Constant):
    """Zeros; also by the names "zeros" and "zero".

    Examples:
        >>> from emberjit.initializer import Zero, initializer
        >>> print(initializer(Zero(), (2, 2)))
        [[0. 0.]
         [0. 0.]]
    """

    def __init__(self) -> None:
        super().__init__(0)


class One(Constant):
    """Ones; also by the names "ones" and "one".

    Examples:
        >>> from emberjit.initializer import One, initializer
        >>> print(initializer(One(), (2, 2)))
        [[1. 1.]
         [1. 1.]]
    """

    def __init__(self) -> None:
        super().__init__(1)


class Uniform(Initializer):
    """Numbers uniform in [-scale, scale]; also by the name "uniform".

    Args:
        scale: the bound.

    Examples:
        >>> from emberjit.initializer import Uniform, initializer
        >>> ms.set_seed(1)
        >>> print(abs(initializer(Uniform(0.1), (100,))).max() <= 0.1)
        True
    """

    def __init__(self, scale: float = 0.07):
        self.scale = scale

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        return _uniform(shape, self.scale, dtype)


class Normal(Initializer):
    """Normal numbers; also by the name "normal".

    Args:
        sigma: their standard deviation.
        mean: their mean.

    Examples:
        >>> from emberjit.initializer import Normal, initializer
        >>> ms.set_seed(1)
        >>> print(f"{initializer(Normal(sigma=0.1, mean=5.0), (10000,)).mean().item():.1f}")
        5.0
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0):
        self.sigma, self.mean = sigma, mean

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        return _normal(shape, self.sigma, self.mean, dtype)


class XavierUniform(Initializer):
    """Numbers uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010); also by the name
    "xavier_uniform".

    Args:
        gain: a factor of all.

    Examples:
        >>> from emberjit.initializer import XavierUniform, initializer
        >>> ms.set_seed(1)
        >>> print(abs(initializer(XavierUniform(), (2, 4))).max() <= 1)
        True
    """

    def __init__(self, gain: float = 1):
        self.gain = gain

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        return _uniform(shape, self.gain * math.sqrt(6 / sum(_calculate_fan_in_and_fan_out(shape))), dtype)


def _gain(nonlinearity: str, slope: float) -> float:
    return math.sqrt(2 / (1 + slope**2)) if nonlinearity == "leaky_relu" else {"relu": math.sqrt(2)}.get(nonlinearity, 1.0)


class HeUniform(Initializer):
    """Numbers uniform within gain * sqrt(3 / fan) (He et al., 2015); also by the name "he_uniform".

    Args:
        negative_slope: of "leaky_relu".
        mode: "fan_in", by the number of inputs of one output, which keeps the variance of results, or "fan_out", by that of
            outputs of one input, which keeps that of gradients.
        nonlinearity: the activation that follows, "relu" or "leaky_relu", of which gain is sqrt(2 / (1 + negative_slope **
            2)); of others gain is 1.

    Raises:
        ValueError: when used: there is no such mode.

    Examples:
        >>> from emberjit.initializer import HeUniform, initializer
        >>> ms.set_seed(1)
        >>> print(abs(initializer(HeUniform(), (4, 6))).max() <= 1)
        True
    """

    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        self.slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        fan = _calculate_correct_fan(shape, self.mode)
        return _uniform(shape, _gain(self.nonlinearity, self.slope) * math.sqrt(3 / fan), dtype)


class HeNormal(HeUniform):
    """Normal numbers of standard deviation gain / sqrt(fan) (He et al., 2015); also by the name "he_normal".

    Args:
        negative_slope: of "leaky_relu".
        mode: "fan_in", by the number of inputs of one output, which keeps the variance of results, or "fan_out", by that of
            outputs of one input, which keeps that of gradients.
        nonlinearity: the activation that follows, "relu" or "leaky_relu", of which gain is sqrt(2 / (1 + negative_slope **
            2)); of others gain is 1.

    Raises:
        ValueError: when used: there is no such mode.

    Examples:
        >>> from emberjit.initializer import HeNormal, initializer
        >>> ms.set_seed(1)
        >>> print(f"{initializer(HeNormal(), (100, 200)).std().item():.1f}")
        0.1
    """

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        fan = _calculate_correct_fan(shape, self.mode)
        return _normal(shape, _gain(self.nonlinearity, self.slope) / math.sqrt(fan), 0.0, dtype)


class XavierNormal(XavierUniform):
    """Normal numbers of standard deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010); also by the name
    "xavier_normal".

    Args:
        gain: a factor of all.

    Examples:
        >>> from emberjit.initializer import XavierNormal, initializer
        >>> ms.set_seed(1)
        >>> print(f"{initializer(XavierNormal(), (100, 100)).std().item():.2f}")
        0.10
    """

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        return _normal(shape, self.gain * math.sqrt(2 / sum(_calculate_fan_in_and_fan_out(shape))), 0.0, dtype)


class TruncatedNormal(Initializer):
    """Normal numbers within [a, b]; also by the name "truncatedNormal".

    Args:
        sigma: the standard deviation of the whole normal distribution.
        mean: its mean.
        a, b: the bounds.

    Raises:
        ValueError: when used: sigma is negative, a greater than b, or sigma or mean not finite.

    Examples:
        >>> from emberjit.initializer import TruncatedNormal, initializer
        >>> ms.set_seed(1)
        >>> print(abs(initializer(TruncatedNormal(sigma=1.0, a=-1.5, b=1.5), (100,))).max() <= 1.5)
        True
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0):
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        return _truncated_normal(shape, self.sigma, self.mean, self.a, self.b, dtype)


class VarianceScaling(Initializer):
    """Numbers of variance scale / n, where n is the fan of mode; also by the name "varianceScaling".

    Args:
        scale: a factor of the variance, a positive number.
        mode: "fan_in", "fan_out", or "fan_avg", their mean.
        distribution: "uniform", "untruncated_normal", or "truncated_normal" within two standard deviations.

    Raises:
        ValueError: scale is not positive, or mode or distribution does not exist.

    Examples:
        >>> from emberjit.initializer import VarianceScaling, initializer
        >>> ms.set_seed(1)
        >>> print(f"{initializer(VarianceScaling(scale=2.0), (100, 200)).std().item():.1f}")
        0.1
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal"):
        head = "For VarianceScaling initializer, the argument"
        if scale <= 0:
            raise ValueError(f"{head} 'scale' must be greater than 0, but got {scale}.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"{head} 'mode' must be fan_in, fan_out or fan_avg, but got {mode}.")
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                f"{head} 'distribution' must be uniform, truncated_normal or untruncated_normal, but got {distribution}."
            )
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        fan_in, fan_out = _calculate_fan_in_and_fan_out(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(1.0, fan))
        if self.distribution == "uniform":
            return _uniform(shape, math.sqrt(3) * deviation, dtype)
        if self.distribution == "untruncated_normal":
            return _normal(shape, deviation, 0.0, dtype)
        sigma = deviation / 0.87962566103423978  # the deviation of a normal number within [-2, 2]
        return _truncated_normal(shape, sigma, 0.0, -2 * sigma, 2 * sigma, dtype)


class Orthogonal(Initializer):
    """Rows, or columns if there are more rows, that are orthogonal and of length gain; further axes count as columns (Saxe,
    McClelland and Ganguli, 2014); also by the name "orthogonal".

    Args:
        gain: the length.

    Raises:
        ValueError: when used: there are less than two axes.

    Examples:
        >>> from emberjit.initializer import Orthogonal, initializer
        >>> ms.set_seed(1)
        >>> w = initializer(Orthogonal(gain=2.0), (2, 3))
        >>> print(np.round((w @ w.T).asnumpy(), 4) + 0)
        [[4. 0.]
         [0. 4.]]
    """

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        import numpy as np

        _need(len(shape) >= 2, f"Orthogonal initializer, {_DIMENSION} no less than 2, but got {len(shape)}.")
        rows, columns = shape[0], math.prod(shape[1:])
        q, r = np.linalg.qr(_normal_array(0, 1, (max(rows, columns), min(rows, columns))))
        q *= np.sign(np.diag(r))
        return core.Tensor((self.gain * (q if rows >= columns else q.T)).reshape(shape), dtype)


_DIMENSION = "the dimension of the initialized tensor should be"


def _need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(f"For {otherwise}")


class Identity(Initializer):
    """A matrix of ones on the diagonal and zeros elsewhere; also by the name "identity".

    Args:
        kwargs: what the attribute `_kwargs` keeps.

    Raises:
        ValueError: when used: there are not two axes.

    Examples:
        >>> from emberjit.initializer import Identity, initializer
        >>> print(initializer(Identity(), (2, 3)))
        [[1. 0. 0.]
         [0. 1. 0.]]
    """

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        _need(len(shape) == 2, f"Identity initializer, {_DIMENSION} 2, but got {len(shape)}.")
        return core.ops.eye(shape[0], shape[1], dtype)


class Dirac(Initializer):
    """Kernels (out, in, ...) of convolutions that give back their input, as many channels as there are, for each group; also
    by the name "dirac".

    Args:
        groups: the number of groups, a positive int, which divides out.

    Raises:
        ValueError: groups is no positive int; when used: there are not 3 to 5 axes, or groups do not divide the first.

    Examples:
        >>> from emberjit.initializer import Dirac, initializer
        >>> print(initializer(Dirac(), (2, 2, 3))[:, :, 1])
        [[1. 0.]
         [0. 1.]]
    """

    def __init__(self, groups: int = 1):
        if not isinstance(groups, int) or groups <= 0:
            raise ValueError(f"For Dirac initializer, the argument 'groups' must be a positive int, but got {groups}.")
        self.groups = groups

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        import numpy as np

        rank, head = len(shape), "Dirac initializer,"
        _need(3 <= rank <= 5, f"{head} only support to initialize tensor with dimension of 3, 4 or 5, but got {rank}.")
        _need(
            shape[0] % self.groups == 0,
            f"{head} the first dimension of the initialized tensor must be divisible by groups, but got first dimension "
            f"{shape[0]}, groups {self.groups}.",
        )
        array, channels = np.zeros(shape, np.float32), shape[0] // self.groups
        for group in range(self.groups):
            for channel in range(min(channels, shape[1])):
                array[(group * channels + channel, channel, *(size // 2 for size in shape[2:]))] = 1
        return core.Tensor(array, dtype)


class Sparse(Initializer):
    """A matrix of normal numbers, of which in each column a part, sparsity, are zeros (Martens, 2010).

    Args:
        sparsity: the part of each column that is zeros, within [0, 1].
        sigma: the standard deviation of the others.

    Raises:
        ValueError: when used: there are not two axes.

    Examples:
        >>> from emberjit.initializer import Sparse, initializer
        >>> ms.set_seed(1)
        >>> w = initializer(Sparse(sparsity=0.5), (4, 3))
        >>> print((w == 0).sum(0))
        [2 2 2]
    """

    def __init__(self, sparsity: float, sigma: float = 0.01):
        self.sparsity, self.sigma = sparsity, sigma

    def make(self, shape: tuple[int, ...], dtype: core.dtype) -> Any:
        import numpy as np

        _need(len(shape) == 2, f"Sparse initializer, {_DIMENSION} 2, but got {len(shape)}.")
        array = _normal_array(0, self.sigma, shape)
        for column in range(shape[1]):
            array[np.random.permutation(shape[0])[: math.ceil(self.sparsity * shape[0])], column] = 0
        return core.Tensor(array, dtype)


_NAMES: dict[str, type[Initializer]] = {
    "zeros": Zero,
    "ones": One,
    "zero": Zero,
    "one": One,
    "uniform": Uniform,
    "normal": Normal,
    "xavier_uniform": XavierUniform,
    "he_uniform": HeUniform,
    "he_normal": HeNormal,
    "dirac": Dirac,
    "henormal": HeNormal,
    "heuniform": HeUniform,
    "identity": Identity,
    "orthogonal": Orthogonal,
    "truncatednormal": TruncatedNormal,
    "variancescaling": VarianceScaling,
    "xavier_normal": XavierNormal,
    "xaviernormal": XavierNormal,
    "xavieruniform": XavierUniform,
}


def initializer(init: Any, shape: Any = None, dtype: Any = None) -> Any:
    """A Tensor by an initializer's name, an Initializer, a number, or a Tensor.

    Args:
        init: an Initializer; its name in any case of letters, such as "ones", "normal", "he_uniform" or "xavier_uniform",
            for one with its default arguments; a number for all elements; or a Tensor, whose values are taken.
        shape: of the Tensor, an int or a tuple or list of ints; may be None where init is a Tensor.
        dtype: of the Tensor; None: float32.

    Returns:
        A new Tensor, which shares no memory with init.

    Raises:
        ValueError: an unknown name, or a Tensor of another shape.

    Examples:
        >>> from emberjit.initializer import initializer
        >>> print(initializer("ones", (2, 3)), initializer(0.5, (2,), ms.float16))
        [[1. 1. 1.]
         [1. 1. 1.]] [0.5 0.5]
    """
    dtype = core.float32 if dtype is None else dtype
    if isinstance(init, core.Tensor):
        if shape is not None and tuple(init.shape) != tuple(shape):
            raise ValueError(f"For 'initializer', the Tensor has shape {tuple(init.shape)}, but {tuple(shape)} is needed.")
        return core.Tensor(init, dtype)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if isinstance(init, str):
        if init.lower() not in _NAMES:
            raise ValueError(f"For 'initializer', the name '{init}' is not one of {sorted(_NAMES)}.")
        init = _NAMES[init.lower()]()
    if isinstance(init, (int, float)):
        init = Constant(init)
    return init.make(sizes, dtype)
