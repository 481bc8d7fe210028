"""Uniform, normal and whole random numbers. The names that end with an underscore write them in place."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_within
from emberjit.generator import drawing
from emberjit.publish.kinds import DType, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.functions import check_device

_ops = core.ops

publish_ops(
    __name__,
    """
normal: ops.normal
rand: ops.rand(*size, dtype, seed) numpy.rand(*size = (1,), dtype)
randn: ops.randn(*size, dtype, seed) numpy.randn(*size = (1,), dtype)
randint: ops.randint(low, high, size, seed, *, dtype)
standard_normal: ops.standard_normal
uniform: ops.uniform
""",
)


@publish("mint.rand(*size, generator, dtype, device)", in_python=True)
def rand(size: Ints, generator: Any = None, dtype: DType | None = None, device: Any = None) -> Any:
    """Random numbers of [0, 1), float32 unless dtype is another float's.

    Args:
        size: the shape.
        generator: the Generator to draw from; None for the process's stream.
        dtype: of the result, a float's.
        device: None or "CPU".

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.rand(2, 3))
        [[0.89025915 0.02745223 0.90313745]
         [0.5386304  0.73122144 0.9046789 ]]
    """
    check_device("rand", device)
    with drawing("rand", generator):
        return _ops.rand(size, dtype)


@publish("mint.randn(*size, generator, dtype, device)", in_python=True)
def randn(size: Ints, generator: Any = None, dtype: DType | None = None, device: Any = None) -> Any:
    """Random numbers of mean 0 and deviation 1, float32 unless dtype is another float's.

    Args:
        size: the shape.
        generator: the Generator to draw from; None for the process's stream.
        dtype: of the result, a float's.
        device: None or "CPU".

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.randn(2, 3))
        [[ 0.3804007  -0.16504698 -0.42886275]
         [ 0.7245372  -0.735979    0.34610742]]
    """
    check_device("randn", device)
    with drawing("randn", generator):
        return _ops.randn(size, dtype)


@publish("ops.rand_like(input, seed, *, dtype) mint.rand_like(input, *, dtype, device)", in_python=True)
def rand_like(input: Tensor, seed: int | None = None, dtype: DType | None = None, device: Any = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given.

    Args:
        seed: of the numbers, in place of the stream's.
        dtype: of the result, a float's.
        device: None or "CPU".

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.rand_like(ops.zeros((2, 3))))
        [[0.89025915 0.02745223 0.90313745]
         [0.5386304  0.73122144 0.9046789 ]]
    """
    check_device("rand_like", device)
    return _ops.rand(input.shape, input.dtype if dtype is None else dtype, seed)


@publish("ops.randn_like(input, seed, *, dtype)", in_python=True)
def randn_in_shape(input: Tensor, seed: int | None = None, dtype: DType | None = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, of float32 unless another dtype is given.

    Args:
        seed: of the numbers, in place of the stream's.
        dtype: of the result, a float's.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.randn_like(ops.zeros((2, 3))))
        [[ 0.3804007  -0.16504698 -0.42886275]
         [ 0.7245372  -0.735979    0.34610742]]
    """
    return _ops.randn(input.shape, dtype, seed)


@publish("mint.randn_like(input, *, dtype, device)", in_python=True)
def randn_like(input: Tensor, dtype: DType | None = None, device: Any = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, and its dtype unless another is given.

    Args:
        dtype: of the result, a float's.
        device: None or "CPU".

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.randn_like(ops.zeros((2, 3))))
        [[ 0.3804007  -0.16504698 -0.42886275]
         [ 0.7245372  -0.735979    0.34610742]]
    """
    check_device("randn_like", device)
    return _ops.randn(input.shape, input.dtype if dtype is None else dtype)


@publish("ops.randint_like(input, low, high, seed, *, dtype)", in_python=True)
def randint_like(input: Tensor, low: int, high: int, seed: int | None = None, dtype: DType | None = None) -> Any:
    """Random integers of [low, high) in input's shape, and its dtype unless another is given.

    Args:
        low: the least integer.
        high: above the largest.
        seed: of the numbers, in place of the stream's.
        dtype: of the result.

    Raises:
        ValueError: high is not above low.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.randint_like(ops.zeros((2, 3)), 0, 100, dtype=ms.int64))
        [[89  2 90]
         [53 73 90]]
    """
    return _ops.randint(low, high, input.shape, seed, input.dtype if dtype is None else dtype)


def _range(name: str, first: Any, second: Any) -> tuple[int, int]:
    low, high = (0, first) if second is None else (first, second)
    if not isinstance(low, int) or not isinstance(high, int):
        raise TypeError(f"For '{name}', 'low' and 'high' must be ints, but got {low!r} and {high!r}.")
    return low, high


@publish(
    """mint.randint(low, high, size, *, generator, dtype, device)
    mint.randint(low as high, size, *, generator, dtype, device)""",
    in_python=True,
)
def randint_of_size(
    low: int, high: int | None = None, size: Ints = (), generator: Any = None, dtype: DType | None = None, device: Any = None
) -> Any:
    """Random integers of [low, high), or [0, high) if one bound is given; int64 unless dtype says otherwise.

    Args:
        size: the shape.
        generator: the Generator to draw from; None for the process's stream.
        device: None or "CPU".

    Raises:
        ValueError: high is not above low.

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.randint(0, 100, (2, 3)))
        [[89  2 90]
         [53 73 90]]
    """
    check_device("randint", device)
    first, end = _range("randint", low, high)
    with drawing("randint", generator):
        return _ops.randint(first, end, size, None, dtype)


@publish("mint.randint_like(input, low, high, *, dtype, device)", in_python=True)
def randint_in_shape_of(
    input: Tensor, low: int, high: int | None = None, dtype: DType | None = None, device: Any = None
) -> Any:
    """Random integers of [low, high), or of [0, low) without high, in input's shape, and its dtype unless another is given.

    Args:
        dtype: of the result.
        device: None or "CPU".

    Raises:
        ValueError: high is not above low.

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.randint_like(ops.zeros((2, 3)), 0, 100, dtype=ms.int64))
        [[89  2 90]
         [53 73 90]]
    """
    check_device("randint_like", device)
    first, end = _range("randint_like", low, high)
    return _ops.randint(first, end, input.shape, None, input.dtype if dtype is None else dtype)


@publish("numpy.randint(minval, maxval, shape, dtype)", in_python=True)
def randint_of_shape(minval: int, maxval: int | None = None, shape: Ints | None = None, dtype: DType = core.int32) -> Any:
    """Random integers of [minval, maxval), or of [0, minval) without maxval; one number without shape.

    Args:
        dtype: of the result.

    Raises:
        ValueError: maxval is not above minval.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ms.numpy.randint(0, 100, (2, 3)))
        [[89  2 90]
         [53 73 90]]
    """
    first, end = _range("randint", minval, maxval)
    return _ops.randint(first, end, () if shape is None else shape, None, dtype)


def seed_of(seed: int, seed2: int) -> int | None:
    """The seed of the two that a primitive has; None if both are 0."""
    return None if seed == 0 and seed2 == 0 else seed << 16 ^ seed2


@publish("ops.UniformReal(seed, seed2)(shape)", in_python=True)
def uniform_real(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of [0, 1).

    Args:
        shape: of the numbers.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.UniformReal()((2, 3)))
        [[0.89025915 0.02745223 0.90313745]
         [0.5386304  0.73122144 0.9046789 ]]
    """
    return _ops.rand(shape, None, seed_of(seed, seed2))


@publish("ops.UniformInt(seed, seed2)(shape, minval, maxval)", in_python=True)
def uniform_int(shape: Ints, minval: Any, maxval: Any, seed: int = 0, seed2: int = 0) -> Any:
    """Random integers of [minval, maxval), int32.

    Args:
        shape: of the numbers.
        minval: the least integer, an int or a Tensor of one.
        maxval: above the largest, an int or a Tensor of one.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.UniformInt()((2, 3), Tensor(0), Tensor(100)))
        [[89  2 90]
         [53 73 90]]
    """
    return _ops.randint(int(minval), int(maxval), shape, seed_of(seed, seed2), core.int32)


@publish("ops.NonDeterministicInts(dtype)(shape: tensor)", in_python=True)
def any_integers(shape: Any, dtype: DType = core.int64) -> Any:
    """Random integers of all that a dtype holds.

    Args:
        shape: the shape, a Tensor of positive integers.
        dtype: int32, int64, uint32 or uint64.

    Raises:
        TypeError: another dtype.
        ValueError: a size is not positive.

    Examples:
        >>> print(ops.NonDeterministicInts()(Tensor([2, 3])).shape)
        (2, 3)
    """
    if dtype not in (core.int32, core.int64, core.uint32, core.uint64):
        raise TypeError(f"For 'NonDeterministicInts', 'dtype' must be int32, int64, uint32 or uint64, but got {dtype}.")
    sizes = tuple(shape.tolist())
    if any(size < 1 for size in sizes):
        raise ValueError(f"For 'NonDeterministicInts', sizes of 'shape' must be positive, but got {sizes}.")
    words = _ops.randint(0, 1 << 32, (2, *sizes), None, core.int64)
    return _ops.cast(words[0] + words[1] * (1 << 32), dtype)


@publish("ops.StandardNormal(seed, seed2)(shape)", in_python=True)
def standard_normal(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of mean 0 and deviation 1.

    Args:
        shape: of the numbers.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.StandardNormal()((2, 3)))
        [[ 0.3804007  -0.16504698 -0.42886275]
         [ 0.7245372  -0.735979    0.34610742]]
    """
    return _ops.standard_normal(shape, seed_of(seed, seed2))


@publish(
    """Tensor.uniform(from_, to, generator) Tensor.uniform_(from_, to, *, generator)
    ops.uniform_(input, from_, to, *, generator)""",
    in_python=True,
)
def uniform(input: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None) -> Any:
    """Random numbers of [from_, to): from_ + u * (to - from_), where u are those of rand() in input's shape and dtype.

    Args:
        from_: the least number.
        to: above the largest.
        generator: the Generator to draw from; None for the process's stream.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((2, 3)).uniform_(10.0, 20.0))
        [[18.902592 10.274523 19.031374]
         [15.386305 17.312214 19.04679 ]]
    """
    with drawing("uniform", generator):
        return _ops.rand(input.shape, input.dtype) * (to - from_) + from_


@publish("Tensor.normal_(mean, std, *, generator) ops.normal_(input, mean, std, *, generator)", in_python=True)
def normal(input: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Random numbers of a mean and deviation: mean + z * std, where z are those of randn() in input's shape and dtype.

    Args:
        generator: the Generator to draw from; None for the process's stream.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((2, 3)).normal_(mean=10.0, std=0.1))
        [[10.03804    9.983496   9.957113 ]
         [10.0724535  9.926402  10.034611 ]]
    """
    with drawing("normal_", generator):
        return _ops.randn(input.shape, input.dtype) * std + mean


@publish("mint.normal(mean, std, size, generator)", in_python=True)
def normal_of(mean: Number = 0.0, std: Number = 1.0, size: Ints | None = None, generator: Any = None) -> Any:
    """Random numbers of means and deviations, float32.

    Args:
        mean, std: numbers or Tensors, which broadcast.
        size: the shape of the result, if both are numbers.
        generator: the Generator to draw from; None for the process's stream.

    Raises:
        ValueError: size is missing, or one of mean and std is a Tensor and size is given.

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.normal(0.0, 1.0, (2,)))
        [ 0.3804007  -0.16504698]
        >>> print(mint.normal(Tensor([0.0, 100.0]), 1.0))
        [  0.62694764 101.584496  ]
    """
    whole = not any(isinstance(value, core.Tensor) for value in (mean, std))
    if whole is (size is None):
        rule = "must be given if both are numbers" if whole else "must be None if 'mean' or 'std' is a Tensor"
        raise ValueError(f"For 'normal', 'size' {rule}, but got {size}.")
    shape: Any = size if whole else _ops.add(mean, std).shape
    with drawing("normal", generator):
        return _ops.normal(shape, mean, std)


@publish("Tensor.exponential_(lambd, *, generator) ops.exponential_(input, lambd, *, generator)", in_python=True)
def exponential(input: Tensor, lambd: float = 1.0, generator: Any = None) -> Any:
    """Random numbers of density lambd * exp(-lambd * x): -log1p(-u) / lambd, where u are those of rand().

    Args:
        lambd: the rate, positive.
        generator: the Generator to draw from; None for the process's stream.

    Raises:
        ValueError: lambd is not positive.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((4,)).exponential_(2.0))
        [1.1048168  0.01391804 1.1672311  0.38677794]
    """
    check_within("exponential_", "lambd", lambd, above=0)
    with drawing("exponential_", generator):
        return _ops.log1p(-_ops.rand(input.shape, input.dtype)) / -lambd


_LAST = {
    core.float16: 11,
    core.bfloat16: 8,
    core.float32: 24,
    core.float64: 53,
    core.int8: 7,
    core.int16: 15,
    core.int32: 31,
}


@publish("Tensor.random_(from_, to, *, generator) ops.random_(input, from_, to, *, generator)", in_python=True)
def random(input: Tensor, from_: int = 0, to: int | None = None, generator: Any = None) -> Any:
    """Random integers of [from_, to), those of randint(); without `to` as far as input's dtype holds all integers.

    Args:
        from_: the least integer.
        to: above the largest; by default the end of what input's dtype holds.
        generator: the Generator to draw from; None for the process's stream.

    Raises:
        ValueError: to is not above from_.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.zeros((2, 3)).random_(0, 100))
        [[89.  2. 90.]
         [53. 73. 90.]]
    """
    end = (1 << _LAST.get(input.dtype, 8 if input.dtype == core.uint8 else 62)) if to is None else to
    if end <= from_:
        raise ValueError(f"For 'random_', 'to' must be above 'from_', {from_}, but got {end}.")
    with drawing("random_", generator):
        return _ops.cast(_ops.randint(from_, end, input.shape, None, core.int64), input.dtype)
