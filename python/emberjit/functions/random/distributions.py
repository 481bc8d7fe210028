"""Random numbers of further distributions, and random choices."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating
from emberjit.functions.arguments import ints_of
from emberjit.functions.random.truncated_normal import truncated_quantile
from emberjit.functions.random.uniform_and_normal import seed_of
from emberjit.generator import drawing
from emberjit.publish.kinds import FLOATS, DType, Ints, Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


@publish("ops.bernoulli", in_python=True)
def bernoulli_of(input: Tensor, p: Number = 0.5, seed: int | None = None) -> Any:
    """1 with probability p, else 0, in input's shape and dtype.

    Args:
        p: a number within [0, 1], or a Tensor of such that broadcasts to input's shape.
        seed: of the numbers, in place of the stream's.

    Raises:
        ValueError: p is a number outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.bernoulli(ops.zeros((2, 5)), p=0.5))
        [[0. 1. 0. 0. 0.]
         [0. 1. 1. 0. 1.]]
    """
    if not isinstance(p, core.Tensor):
        return _ops.bernoulli(input, p, seed)
    drawn = _ops.rand(input.shape, core.float32, seed)
    return _ops.cast(_ops.less(drawn, p), input.dtype)


@publish("ops.Bernoulli(seed, offset)(x, p)", in_python=True)
def bernoulli_primitive(x: Tensor, p: Number, seed: int = -1, offset: int = 0) -> Any:
    """1 with probability p, else 0, in x's shape and dtype; p is a number or a Tensor that broadcasts to x.

    Args:
        seed, offset: of the numbers, unless seed is -1.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Bernoulli()(ops.zeros((2, 5)), 0.5))
        [[0. 1. 0. 0. 0.]
         [0. 1. 1. 0. 1.]]
    """
    return bernoulli_of(x, p, None if seed == -1 else seed_of(seed, offset))


@publish(
    "mint.bernoulli(input, *, generator) ops.bernoulli_ext(input, *, generator) Tensor.bernoulli(*, generator)",
    in_python=True,
)
def bernoulli_by(input: Tensor, generator: Any = None) -> Any:
    """1 where a random number of [0, 1) is below input's element, the probability, else 0; in input's dtype.

    Args:
        input: floats within [0, 1].
        generator: the Generator to draw from; None for the process's stream.

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.bernoulli(Tensor([0.0, 0.5, 0.5, 0.5, 1.0])))
        [0. 1. 0. 0. 1.]
    """
    with drawing("bernoulli", generator):
        return _ops.cast(_ops.less(_ops.rand(input.shape, core.float32), input), input.dtype)


@publish("Tensor.bernoulli_(p, *, generator) ops.bernoulli_(input, p, *, generator)", in_python=True)
def bernoulli(input: Tensor, p: Number = 0.5, generator: Any = None) -> Any:
    """1 with probability p, else 0: whether u < p, where u are those of rand() in input's shape.

    Args:
        p: a number within [0, 1], or a Tensor of such that broadcasts to input's shape.
        generator: the Generator to draw from; None for the process's stream.

    Raises:
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((2, 5)).bernoulli_(0.5))
        [[0. 1. 0. 0. 0.]
         [0. 1. 1. 0. 1.]]
    """
    if not isinstance(p, core.Tensor) and not 0 <= p <= 1:
        raise ValueError(f"For 'bernoulli_', 'p' must be within [0, 1], but got {p}.")
    with drawing("bernoulli_", generator):
        return _ops.cast(_ops.less(_ops.rand(input.shape, core.float32), p), input.dtype)


def _laplace(shape: Ints, seed: int | None) -> Any:
    u = _ops.rand(shape, core.float32, seed) - 0.5
    return -_ops.sign(u) * _ops.log1p(-2 * _ops.abs(u))


@publish("ops.standard_laplace", in_python=True)
def standard_laplace(shape: Ints, seed: int | None = None) -> Any:
    """Random numbers of density exp(-|x|) / 2, float32, by the inverse of the distribution function.

    Args:
        shape: of the numbers.
        seed: of the numbers, in place of the stream's.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.standard_laplace((4,)))
        [ 1.5164864 -2.9021606  1.6413151  0.0804087]
    """
    return _laplace(shape, seed)


@publish("ops.StandardLaplace(seed, seed2)(shape)", in_python=True)
def standard_laplace_primitive(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of density exp(-|x|) / 2, float32.

    Args:
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.StandardLaplace()((4,)))
        [ 1.5164864 -2.9021606  1.6413151  0.0804087]
    """
    return _laplace(shape, seed_of(seed, seed2))


@publish("ops.laplace", in_python=True)
def laplace(shape: Ints, mean: Number, lambda_param: Number, seed: int | None = None) -> Any:
    """Random numbers of density exp(-|x - mean| / lambda_param) / (2 * lambda_param), float32.

    Args:
        shape: of the numbers, with which mean and lambda_param broadcast.
        lambda_param: the scale, positive.
        seed: of the numbers, in place of the stream's.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.laplace((4,), Tensor(10.0), Tensor(0.5)))
        [10.758244  8.54892  10.820658 10.040204]
    """
    return _laplace(_together(shape, mean, lambda_param), seed) * lambda_param + mean


def _together(shape: Ints, *parameters: Any) -> tuple[int, ...]:
    """The shape with that of parameters that broadcast with it."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    template = _ops.zeros(sizes)
    for parameter in parameters:
        template = _ops.add(template, parameter)
    return tuple(template.shape)


def _cauchy(shape: Ints, median: float, sigma: float) -> Any:
    u = _ops.rand(shape) - 0.5
    angle = u * 3.141592653589793
    return _ops.sin(angle) / _ops.cos(angle) * sigma + median


@publish("Tensor.cauchy", in_python=True)
def cauchy(input: Tensor, median: float = 0.0, sigma: float = 1.0) -> Any:
    """Random numbers of density sigma / (pi * (sigma ** 2 + (x - median) ** 2)) in input's shape, float32.

    Args:
        median: where the density is largest.
        sigma: the scale, positive: half of the numbers are within it of the median.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((4,)).cauchy(median=10.0))
        [12.784719 -1.566287 13.184136 10.121961]
    """
    return _cauchy(input.shape, median, sigma)


@publish("ops.Cauchy(size, median, sigma)()", in_python=True)
def cauchy_primitive(size: Ints, median: float = 0.0, sigma: float = 1.0) -> Any:
    """Random numbers of density sigma / (pi * (sigma ** 2 + (x - median) ** 2)), float32 of shape size.

    Args:
        size: the shape.
        median: where the density is largest.
        sigma: the scale, positive: half of the numbers are within it of the median.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Cauchy((4,), median=10.0)())
        [12.784719 -1.566287 13.184136 10.121961]
    """
    return _cauchy(size, median, sigma)


@publish("Tensor.log_normal ops.LogNormalReverse(mean, std)(input)", in_python=True)
def log_normal(input: Tensor, mean: float = 1.0, std: float = 2.0) -> Any:
    """Numbers whose logarithms have a mean and deviation, exp(mean + std * z), in input's shape and dtype.

    Args:
        mean: of the logarithms.
        std: the deviation of the logarithms.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((4,)).log_normal(mean=0.0, std=1.0))
        [1.4628706 0.8478539 0.6512493 2.0637758]
    """
    return _ops.exp(_ops.randn(input.shape, input.dtype) * std + mean)


def _expanded(parameter: Number, shape: tuple[int, ...]) -> Any:
    tensor = parameter if isinstance(parameter, core.Tensor) else core.Tensor(parameter, core.float32)
    tensor = tensor if tensor.dtype in (core.float16, core.float32, core.float64) else _ops.cast(tensor, core.float32)
    return _ops.broadcast_to(tensor, shape)


def _outer(shape: Ints, parameter: Number) -> tuple[int, ...]:
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return (*sizes, *getattr(parameter, "shape", ()))


@publish("ops.gamma", in_python=True)
def gamma(shape: Ints, alpha: Number, beta: Number, seed: int | None = None) -> Any:
    """Random numbers of density beta ** alpha * x ** (alpha - 1) * exp(-beta * x) / gamma(alpha).

    Args:
        shape: of the numbers, with which alpha and beta broadcast.
        alpha: the shape parameter, positive.
        beta: the rate, positive.
        seed: of the numbers, in place of the stream's.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.gamma((3,), Tensor([2.0]), Tensor([4.0])))
        [0.29684913 0.5819061  0.4201527 ]
    """
    return _ops.random_gamma(_expanded(alpha, _together(shape, alpha, beta)), seed) / beta


@publish("ops.Gamma(seed, seed2)(shape, alpha, beta)", in_python=True)
def gamma_primitive(shape: Ints, alpha: Number, beta: Number, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of density beta ** alpha * x ** (alpha - 1) * exp(-beta * x) / gamma(alpha); all three broadcast.

    Args:
        alpha: the shape parameter, positive.
        beta: the rate, positive.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Gamma()((3,), Tensor([2.0]), Tensor([4.0])))
        [0.29684913 0.5819061  0.4201527 ]
    """
    return gamma(shape, alpha, beta, seed_of(seed, seed2))


@publish("ops.random_gamma", in_python=True)
def random_gamma(shape: Ints, alpha: Number, seed: int | None = None) -> Any:
    """Random numbers of density x ** (alpha - 1) * exp(-x) / gamma(alpha): `shape` of them for each alpha.

    Args:
        alpha: the shape parameter, positive.
        seed: of the numbers, in place of the stream's.

    Returns:
        Tensor of shape (*shape, *alpha.shape) and alpha's dtype.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.random_gamma((2,), Tensor([0.5, 2.0, 100.0])))
        [[ 0.29307988  2.3276243  99.77424   ]
         [ 0.24918455  1.0472806  95.26466   ]]
    """
    return _ops.random_gamma(_expanded(alpha, _outer(shape, alpha)), seed)


@publish("ops.RandomGamma(seed, seed2)(shape, alpha)", in_python=True)
def random_gamma_primitive(shape: Ints, alpha: Number, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of density x ** (alpha - 1) * exp(-x) / gamma(alpha): `shape` of them for each alpha.

    Args:
        alpha: the shape parameter, positive.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.RandomGamma()((2,), Tensor([0.5, 2.0, 100.0])))
        [[ 0.29307988  2.3276243  99.77424   ]
         [ 0.24918455  1.0472806  95.26466   ]]
    """
    return random_gamma(shape, alpha, seed_of(seed, seed2))


@publish("ops.poisson", in_python=True)
def poisson(shape: Ints, mean: Number, seed: int | None = None) -> Any:
    """Random whole numbers n of probability mean ** n * exp(-mean) / n!, float32; shape and mean broadcast.

    Args:
        mean: positive.
        seed: of the numbers, in place of the stream's.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.poisson((2, 3), Tensor([1.0, 10.0, 100.0])))
        [[  2.   7. 115.]
         [  2.  12. 116.]]
    """
    return _ops.cast(_ops.random_poisson(_expanded(mean, _together(shape, mean)), seed), core.float32)


@publish("ops.Poisson(seed, seed2)(shape, mean)", in_python=True)
def poisson_primitive(shape: Ints, mean: Number, seed: int = 0, seed2: int = 0) -> Any:
    """Random whole numbers n of probability mean ** n * exp(-mean) / n!, int32; shape and mean broadcast.

    Args:
        mean: positive.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Poisson()((2, 3), Tensor([1.0, 10.0, 100.0])))
        [[  2   7 115]
         [  2  12 116]]
    """
    return _ops.cast(poisson(shape, mean, seed_of(seed, seed2)), core.int32)


@publish("ops.random_poisson", in_python=True)
def random_poisson(shape: Any, rate: Number, seed: int | None = None, dtype: DType = core.float32) -> Any:
    """Random whole numbers n of probability rate ** n * exp(-rate) / n!: `shape` of them for each rate.

    Args:
        shape: ints, or a Tensor of them.
        rate: positive.
        seed: of the numbers, in place of the stream's.
        dtype: of the result.

    Returns:
        Tensor of shape (*shape, *rate.shape) and dtype.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.random_poisson((2,), Tensor([1.0, 10.0, 100.0])))
        [[  2.   7. 115.]
         [  2.  12. 116.]]
    """
    sizes = ints_of("random_poisson", "shape", shape)
    return _ops.cast(_ops.random_poisson(_expanded(rate, _outer(sizes, rate)), seed), dtype)


@publish("ops.RandomPoisson(seed, seed2, dtype)(shape, rate)", in_python=True)
def random_poisson_primitive(shape: Any, rate: Number, seed: int = 0, seed2: int = 0, dtype: DType = core.int64) -> Any:
    """Random whole numbers n of probability rate ** n * exp(-rate) / n!: `shape` of them for each rate.

    Args:
        shape: ints, or a Tensor of them.
        rate: positive.
        seed, seed2: of the numbers, unless both are 0.
        dtype: of the result.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.RandomPoisson()(Tensor([2]), Tensor([1.0, 10.0, 100.0])))
        [[  2   7 115]
         [  2  12 116]]
    """
    return random_poisson(shape, rate, seed_of(seed, seed2), dtype)


@publish("ops.Uniform(minval, maxval, seed, offset)(x)", in_python=True)
def uniform_like(x: Tensor, minval: float = 0.0, maxval: float = 1.0, seed: int = 0, offset: int = 0) -> Any:
    """Random numbers of [minval, maxval) in x's shape and dtype.

    Args:
        x: a Tensor of floating point.
        seed, offset: of the numbers, unless both are 0.

    Raises:
        TypeError: x is not of floating point.
        ValueError: minval exceeds maxval.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Uniform(minval=10.0, maxval=20.0)(ops.zeros((4,))))
        [18.902592 10.274523 19.031374 15.386305]
    """
    check_floating("Uniform", x=x)
    if minval > maxval:
        raise ValueError(f"For 'Uniform', 'minval' must not exceed 'maxval', but got {minval} and {maxval}.")
    return _ops.rand(x.shape, x.dtype, seed_of(seed, offset)) * (maxval - minval) + minval


@publish("ops.TruncatedNormal(dtype, seed, seed2)(shape)", in_python=True)
def truncated_normal(shape: Any, dtype: DType = core.float32, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of the standard normal distribution between -2 and 2.

    Args:
        shape: ints, or a Tensor of them.
        dtype: of the result, of floating point.
        seed, seed2: of the numbers, unless both are 0.

    Raises:
        TypeError: shape is something else, or dtype not of floating point.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.TruncatedNormal()((4,)))
        [ 1.1382995  -1.6550884   1.1993015   0.09255826]
    """
    if dtype not in FLOATS:
        raise TypeError(f"For 'TruncatedNormal', 'dtype' must be of floating point, but got {dtype}.")
    sizes = ints_of("TruncatedNormal", "shape", shape)
    low, high = (core.Tensor(bound, core.float64) for bound in (-2.0, 2.0))
    drawn = _ops.rand(sizes, core.float64, seed_of(seed, seed2))
    return _ops.cast(truncated_quantile(drawn, low, high, False), dtype)


@publish("ops.ParameterizedTruncatedNormal(seed, seed2)(shape, mean, stdevs, min, max)", in_python=True)
def truncated_normal_between(
    shape: Any, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor, seed: int = 0, seed2: int = 0
) -> Any:
    """Random numbers of normal distributions between two numbers, of one along each of the first axis of the result.

    Args:
        shape: ints, or a Tensor of them, two at least.
        mean, stdevs: of the distributions, of one dtype of floating point and of shape () or (shape[0],).
        min, max: between which they are.
        seed, seed2: of the numbers, unless both are 0.

    Raises:
        TypeError: a dtype is another.
        ValueError: a shape is another.

    Examples:
        >>> ms.set_seed(1)
        >>> mean, deviation, low, high = Tensor([0.0, 5.0]), Tensor(1.0), Tensor(0.5), Tensor(9.0)
        >>> print(ops.ParameterizedTruncatedNormal()((2, 3), mean, deviation, low, high))
        [[1.8268765 0.5242064 1.8824759]
         [4.9029837 4.3834705 3.6913185]]
    """
    name = "ParameterizedTruncatedNormal"
    sizes = ints_of(name, "shape", shape)
    parameters = {"mean": mean, "stdevs": stdevs, "min": min, "max": max}
    check_floating(name, **parameters)
    for argument, value in parameters.items():
        if value.dtype != mean.dtype:
            raise TypeError(f"For '{name}', '{argument}' must be of mean's dtype {mean.dtype}, but is of {value.dtype}.")
        if len(sizes) < 2 or tuple(value.shape) not in ((), (1,), sizes[:1]):
            raise ValueError(
                f"For '{name}', 'shape' must have two sizes and '{argument}' be of shape () or ({sizes[0]},), but got "
                f"{sizes} and {tuple(value.shape)}."
            )
    wide = [_ops.cast(value, core.float64) for value in parameters.values()]
    middle, scale, low, high = (x if x.ndim == 0 else x.reshape((-1, *[1] * (len(sizes) - 1))) for x in wide)
    low, high = (low - middle) / scale, (high - middle) / scale
    upper = low + high >= 0  # else by symmetry
    near, far = _ops.select(upper, low, -high), _ops.select(upper, high, -low)
    drawn = truncated_quantile(_ops.rand(sizes, core.float64, seed_of(seed, seed2)), near, far, True)
    return _ops.cast(_ops.select(upper, drawn, -drawn) * scale + middle, mean.dtype)
