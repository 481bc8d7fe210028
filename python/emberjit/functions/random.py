"""Random numbers. The names that end with an underscore write them in place."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import DType, Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
bernoulli: ops.bernoulli Tensor.bernoulli(p, seed)
dropout: ops.dropout
normal: ops.normal
rand: ops.rand(*size, dtype, seed) mint.rand(*size, dtype) numpy.rand(*size, dtype)
randn: ops.randn(*size, dtype, seed) mint.randn(*size, dtype) numpy.randn(*size, dtype)
randint: ops.randint(low, high, size, seed, *, dtype)
standard_normal: ops.standard_normal
uniform: ops.uniform
""",
)


@publish("ops.rand_like(input, seed, *, dtype) mint.rand_like(input, *, dtype)", in_python=True)
def rand_like(input: Tensor, seed: int | None = None, dtype: DType | None = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given."""
    return _ops["rand"](input.shape, input.dtype if dtype is None else dtype, seed)


@publish("ops.randn_like(input, seed, *, dtype) mint.randn_like(input, *, dtype)", in_python=True)
def randn_like(input: Tensor, seed: int | None = None, dtype: DType | None = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, and its dtype unless another is given."""
    return _ops["randn"](input.shape, input.dtype if dtype is None else dtype, seed)


def seed_of(seed: int, seed2: int) -> int | None:
    """One seed of a Primitive's two, None if both are 0."""
    return None if seed == 0 and seed2 == 0 else seed << 16 ^ seed2


@publish("ops.Dropout(keep_prob, Seed0, Seed1)(x)", in_python=True)
def dropout_with_mask(x: Tensor, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> Any:
    """(x with elements dropped and the others scaled, 1 where one was kept).

    Raises:
        ValueError: keep_prob outside (0, 1].
    """
    return _ops["dropout_with_mask"](x, keep_prob, seed_of(Seed0, Seed1))


@publish("ops.UniformReal(seed, seed2)(shape)", in_python=True)
def uniform_real(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of [0, 1)."""
    return _ops["rand"](shape, None, seed_of(seed, seed2))


@publish("ops.UniformInt(seed, seed2)(shape, minval, maxval)", in_python=True)
def uniform_int(shape: Ints, minval: Any, maxval: Any, seed: int = 0, seed2: int = 0) -> Any:
    """Random integers of [minval, maxval), int32."""
    return _ops["randint"](int(minval), int(maxval), shape, seed_of(seed, seed2), core.int32)


@publish("ops.StandardNormal(seed, seed2)(shape)", in_python=True)
def standard_normal(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of mean 0 and deviation 1."""
    return _ops["standard_normal"](shape, seed_of(seed, seed2))


def _no_generator(name: str, generator: Any) -> None:
    if generator is not None:
        raise TypeError(f"For '{name}', 'generator' must be None: setseed_of() sets the one stream of random numbers.")


@publish(
    "Tensor.uniform_(from_, to, *, generator) ops.uniform_(input, from_, to, *, generator)",
    in_python=True,
)
def uniform(input: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None) -> Any:
    """Random numbers of [from_, to): from_ + u * (to - from_), where u are those of rand() in input's shape and dtype."""
    _no_generator("uniform_", generator)
    return _ops["rand"](input.shape, input.dtype) * (to - from_) + from_


@publish("Tensor.normal_(mean, std, *, generator) ops.normal_(input, mean, std, *, generator)", in_python=True)
def normal(input: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Random numbers of a mean and deviation: mean + z * std, where z are those of randn() in input's shape and dtype."""
    _no_generator("normal_", generator)
    return _ops["randn"](input.shape, input.dtype) * std + mean


@publish("Tensor.exponential_(lambd, *, generator) ops.exponential_(input, lambd, *, generator)", in_python=True)
def exponential(input: Tensor, lambd: float = 1.0, generator: Any = None) -> Any:
    """Random numbers of density lambd * exp(-lambd * x): -log1p(-u) / lambd, where u are those of rand().

    Raises:
        ValueError: lambd is not positive.
    """
    _no_generator("exponential_", generator)
    if not lambd > 0:
        raise ValueError(f"For 'exponential_', 'lambd' must be positive, but got {lambd}.")
    return _ops["log1p"](-_ops["rand"](input.shape, input.dtype)) / -lambd


@publish("Tensor.bernoulli_(p, *, generator) ops.bernoulli_(input, p, *, generator)", in_python=True)
def bernoulli(input: Tensor, p: float = 0.5, generator: Any = None) -> Any:
    """1 with probability p, else 0: whether u < p, where u are those of rand() in input's shape.

    Raises:
        ValueError: p is outside [0, 1].
    """
    _no_generator("bernoulli_", generator)
    if not 0 <= p <= 1:
        raise ValueError(f"For 'bernoulli_', 'p' must be within [0, 1], but got {p}.")
    return _ops["cast"](_ops["rand"](input.shape, core.float32) < p, input.dtype)


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

    Raises:
        ValueError: to is not above from_.
    """
    _no_generator("random_", generator)
    end = (1 << _LAST.get(input.dtype, 8 if input.dtype == core.uint8 else 62)) if to is None else to
    if end <= from_:
        raise ValueError(f"For 'random_', 'to' must be above 'from_', {from_}, but got {end}.")
    return _ops["cast"](_ops["randint"](from_, end, input.shape, None, core.int64), input.dtype)
