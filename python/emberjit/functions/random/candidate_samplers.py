"""Candidates of sampled losses: classes drawn with a distribution over all, and how often each is to be expected."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_dtype, check_int, check_rank
from emberjit.functions.random.categorical import categories, distinct
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _check(name: str, true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int) -> None:
    check_dtype(name, "true_classes", true_classes, core.int32, core.int64)
    check_rank(name, "true_classes", true_classes, 2)
    if true_classes.shape[1] != num_true:
        raise ValueError(
            f"For '{name}', 'true_classes' must have 'num_true' {num_true} columns, but its shape is "
            f"{tuple(true_classes.shape)}."
        )
    for argument, value, least in (("num_sampled", num_sampled, 1), ("range_max", range_max, 1), ("seed", seed, 0)):
        check_int(name, argument, value, least)
    if unique and num_sampled > range_max:
        raise ValueError(
            f"For '{name}', 'num_sampled' must not exceed 'range_max' {range_max} if 'unique', but got {num_sampled}."
        )


def _distinct(weights: Tensor, count: int, seed: int | None) -> tuple[Any, Any]:
    """Classes drawn one after the other without those that were drawn; how many draws with replacement that would take:
    the number until another class comes has a geometric distribution."""
    drawn = distinct(weights, count, seed)
    class_weights = _ops.gather(weights, drawn, 0)
    before = _ops.cumsum(class_weights, 0) - class_weights
    again = _ops.log(_ops.clip(before, 0.0, 1 - 2.0**-50))
    repeated = _ops.floor(_ops.log1p(-_ops.rand((count,), core.float64, seed)) / again)
    return drawn, count + _ops.sum(repeated)


def _sample(weights: Tensor, count: int, unique: bool, seed: int | None) -> tuple[Any, Any]:
    """Classes by the weights of all, and the number of draws."""
    if unique:
        left = int(_ops.sum(_ops.not_equal(weights, 0), None, False, core.int64))
        if left < count:
            raise ValueError(f"'num_sampled' is {count}, but only {left} classes are left without the accidental hits.")
        return _distinct(weights / _ops.cumsum(weights, 0)[-1], count, seed)
    return categories(weights, count, seed), float(count)


def _expected(probability: Any, draws: Any, count: int) -> Any:
    """How often a class is drawn: once at most, if that took more draws than there are classes."""
    once = -_ops.expm1(draws * _ops.log1p(-probability))
    return _ops.cast(_ops.select(_ops.equal(draws, float(count)), draws * probability, once), core.float32)


def _without(weights: Tensor, classes: Tensor) -> Any:
    """Weights with those of classes zero; classes beyond them have none."""
    size = weights.shape[0]
    flat = _ops.reshape(classes, (-1,))
    within = _ops.logical_and(flat >= 0, flat < size)
    at = _ops.select(within, flat, size)
    wide = _ops.concat([weights, _ops.zeros((1,), weights.dtype)], 0)
    return _ops.tensor_scatter_elements(wide, at, _ops.zeros(at.shape, weights.dtype))[:size]


@publish(
    """ops.uniform_candidate_sampler ops.UniformCandidateSampler(num_true, num_sampled, unique, range_max, seed,
    remove_accidental_hits)(true_classes)""",
    in_python=True,
)
def uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int = 0,
    remove_accidental_hits: bool = False,
) -> Any:
    """(classes drawn from 0 .. range_max - 1, all as likely; how often each of true_classes, and of those drawn, is to be
    expected among them, as float32).

    Args:
        true_classes: (batch, num_true), int32 or int64, which is the dtype of the classes, too.
        num_true: how many there are for each example.
        num_sampled: how many are drawn.
        unique: whether none is drawn twice.
        range_max: the number of classes.
        seed: of the numbers, unless it is 0.
        remove_accidental_hits: whether none of true_classes is drawn, as long as there are others.

    Raises:
        TypeError: another dtype.
        ValueError: another shape, num_sampled or range_max is not positive, seed is negative, or num_sampled exceeds
            range_max with unique.

    Examples:
        >>> ms.set_seed(1)
        >>> classes, of_true, of_drawn = ops.uniform_candidate_sampler(Tensor([[1], [3]]), 1, 3, True, 5, seed=1)
        >>> print(classes)
        [1 3 4]
        >>> print(of_true.shape, of_drawn.shape)
        (2, 1) (3,)
    """
    _check("UniformCandidateSampler", true_classes, num_true, num_sampled, unique, range_max, seed)
    weights = _ops.full((range_max,), 1.0, core.float64)
    if remove_accidental_hits:
        weights = _without(weights, true_classes)
    drawn, draws = _sample(weights, num_sampled, unique, seed or None)
    expected = _expected(core.Tensor(1 / range_max, core.float64), draws, num_sampled)
    of_true, of_drawn = _ops.broadcast_to(expected, true_classes.shape), _ops.broadcast_to(expected, (num_sampled,))
    return _ops.cast(drawn, true_classes.dtype), of_true, of_drawn


@publish(
    """ops.log_uniform_candidate_sampler
    ops.LogUniformCandidateSampler(num_true, num_sampled, unique, range_max, seed)(true_classes)""",
    in_python=True,
)
def log_uniform_candidate_sampler(
    true_classes: Tensor, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5, seed: int = 0
) -> Any:
    """(classes drawn from 0 .. range_max - 1, class k with probability log((k + 2) / (k + 1)) / log(range_max + 1); how
    often each of true_classes, and of those drawn, is to be expected among them, as float32).

    Args:
        true_classes: (batch, num_true), int32 or int64, which is the dtype of the classes, too.
        num_true: how many there are for each example.
        num_sampled: how many are drawn.
        unique: whether none is drawn twice.
        range_max: the number of classes.
        seed: of the numbers, unless it is 0.

    Raises:
        TypeError: another dtype.
        ValueError: another shape, num_sampled or range_max is not positive, seed is negative, or num_sampled exceeds
            range_max with unique.

    Examples:
        >>> ms.set_seed(1)
        >>> classes, of_true, of_drawn = ops.log_uniform_candidate_sampler(Tensor([[1], [3]]), 1, 3, True, 5, seed=1)
        >>> print(classes)
        [1 0 3]
        >>> print(of_true.shape, of_drawn.shape)
        (2, 1) (3,)
    """
    _check("LogUniformCandidateSampler", true_classes, num_true, num_sampled, unique, range_max, seed)

    def probability(classes: Tensor) -> Any:
        return _ops.log1p(1 / (_ops.cast(classes, core.float64) + 1)) / math.log1p(range_max)

    drawn, draws = _sample(probability(_ops.arange(0, range_max)), num_sampled, unique, seed or None)
    counts = (_expected(probability(classes), draws, num_sampled) for classes in (true_classes, drawn))
    return _ops.cast(drawn, true_classes.dtype), *counts
