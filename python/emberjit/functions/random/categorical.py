"""Random choices of categories, each with a probability of its own."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank, check_room
from emberjit.functions.random.uniform_and_normal import seed_of
from emberjit.generator import drawing
from emberjit.publish.kinds import FLOATS, DType, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def categories(weights: Tensor, count: int, seed: int | None) -> Any:
    """For each row of weights, `count` categories, each drawn with probability weight / sum of weights."""
    bounds = _ops.cumsum(_ops.cast(weights, core.float64), -1)
    total = bounds[..., -1:]
    drawn = _ops.rand((*weights.shape[:-1], count), core.float64, seed) * total
    return _ops.minimum(_ops.search_sorted(bounds, drawn, True), weights.shape[-1] - 1)


def distinct(weights: Tensor, count: int, seed: int | None) -> Any:
    """For each row of weights, `count` categories drawn without replacement: the largest weight / e of e drawn from the
    exponential distribution (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006)."""
    waits = -_ops.log1p(-_ops.rand(weights.shape, core.float64, seed))
    return _ops.topk(_ops.cast(weights, core.float64) / waits, count)[1]


def _draw(name: str, weights: Tensor, count: int, replacement: bool, seed: int | None, dtype: DType = core.int64) -> Any:
    if not 1 <= weights.ndim <= 2:
        raise ValueError(f"For '{name}', 'input' must have one or two axes, but has the shape {tuple(weights.shape)}.")
    if weights.dtype not in FLOATS:
        raise TypeError(f"For '{name}', 'input' must be of a float's dtype, but got {weights.dtype}.")
    if count <= 0 or (not replacement and count > weights.shape[-1]):
        limit = "" if replacement else f" and at most the number of categories, {weights.shape[-1]},"
        raise ValueError(f"For '{name}', 'num_samples' must be positive{limit} but got {count}.")
    check_room(name, "categories", weights.shape[-1], dtype)
    return _ops.cast((categories if replacement else distinct)(weights, count, seed), dtype)


@publish("ops.multinomial Tensor.multinomial(num_samples, replacement, seed)", in_python=True)
def multinomial(input: Tensor, num_samples: int, replacement: bool = True, seed: int | None = None) -> Any:
    """Categories, drawn with the probabilities that input's elements have in a row's sum.

    Args:
        input: (categories,) or (rows, categories), floats not negative, of which a row has one positive at least.
        num_samples: how many for each row.
        replacement: whether one category may be drawn several times.
        seed: of the numbers, in place of the stream's.

    Returns:
        int32 of shape (num_samples,) or (rows, num_samples).

    Raises:
        ValueError: num_samples is not positive, or without replacement above the number of categories.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.multinomial(Tensor([0.0, 0.1, 0.9]), 8))
        [2 1 2 2 2 2 2 1]
    """
    return _draw("multinomial", input, num_samples, replacement, seed, core.int32)


@publish("mint.multinomial(input, num_samples, replacement, *, generator)", in_python=True)
def multinomial_by(input: Tensor, num_samples: int, replacement: bool = False, generator: Any = None) -> Any:
    """Categories, drawn with the probabilities that input's elements have in a row's sum.

    Args:
        input: (categories,) or (rows, categories), floats not negative, of which a row has one positive at least.
        num_samples: how many for each row.
        replacement: whether one category may be drawn several times.
        generator: the Generator to draw from; None for the process's stream.

    Returns:
        int64 of shape (num_samples,) or (rows, num_samples).

    Raises:
        ValueError: num_samples is not positive, or without replacement above the number of categories.

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.multinomial(Tensor([0.0, 0.1, 0.9]), 8, replacement=True))
        [2 1 2 2 2 2 2 1]
    """
    with drawing("multinomial", generator):
        return _draw("multinomial", input, num_samples, replacement, None)


@publish("ops.Multinomial(seed, seed2, dtype)(x, num_samples)", in_python=True)
def multinomial_primitive(x: Tensor, num_samples: int, seed: int = 0, seed2: int = 0, dtype: DType = core.int32) -> Any:
    """Categories, drawn with the probabilities that x's elements have in a row's sum, and with replacement.

    Args:
        x: (categories,) or (rows, categories), floats not negative.
        num_samples: how many for each row.
        seed, seed2: of the numbers, unless both are 0.
        dtype: of the result, int32 or int64.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Multinomial()(Tensor([0.0, 0.1, 0.9]), 8))
        [2 1 2 2 2 2 2 1]
    """
    return _draw("Multinomial", x, num_samples, True, seed_of(seed, seed2), dtype)


@publish(
    """ops.multinomial_with_replacement(x, seed, offset, numsamples, replacement)
    ops.MultinomialWithReplacement(numsamples, replacement)(x, seed, offset)""",
    in_python=True,
)
def multinomial_with_replacement(x: Tensor, seed: Any, offset: Any, numsamples: int, replacement: bool = False) -> Any:
    """Categories, drawn with the probabilities that x's elements have in a row's sum, and with replacement.

    Args:
        x: (categories,) or (rows, categories), floats not negative.
        seed, offset: of the numbers, unless both are 0.
        numsamples: how many for each row.
        replacement: has no effect, as in MindSpore.

    Returns:
        int64 of shape (numsamples,) or (rows, numsamples).

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.multinomial_with_replacement(Tensor([0.0, 0.5, 0.5]), 2, 5, 8))
        [1 1 2 1 2 2 1 1]
    """
    return _draw("multinomial_with_replacement", x, numsamples, True, seed_of(int(seed), int(offset)))


@publish(
    """ops.random_categorical Tensor.random_categorical(num_sample, seed, dtype)
    ops.RandomCategorical(dtype)(logits, num_sample, seed)""",
    in_python=True,
)
def random_categorical(logits: Tensor, num_sample: int, seed: int = 0, dtype: DType = core.int64) -> Any:
    """Categories, drawn with the probabilities softmax(logits) of each row.

    Args:
        logits: (rows, categories), floats.
        num_sample: how many for each row.
        seed: of the numbers, unless it is 0.
        dtype: of the result: int16, int32 or int64.

    Raises:
        TypeError: dtype is another.
        ValueError: logits has not two axes, or num_sample is not positive.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.random_categorical(Tensor([[-100.0, 0.0, 0.5]]), 8, seed=1))
        [[2 1 2 2 2 2 1 1]]
    """
    if dtype not in (core.int16, core.int32, core.int64):
        raise TypeError(f"For 'random_categorical', 'dtype' must be int16, int32 or int64, but got {dtype}.")
    check_rank("random_categorical", "logits", logits, 2)
    weights = _ops.softmax(_ops.cast(logits, core.float64), -1)
    return _draw("random_categorical", weights, int(num_sample), True, seed or None, dtype)
