"""Learning rates as lists, of one for each step, by the formulas of schedules: these count epochs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from emberjit.checks import check_float, check_instance, check_int
from emberjit.nn import learning_rate_schedule as schedule

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """learning_rates[i] for the steps from milestone[i - 1] on until milestone[i].

    Args:
        milestone: positive ints that do not descend, a list or tuple.
        learning_rates: a float for each, a list or tuple.

    Returns:
        A list of milestone[-1] floats.

    Raises:
        TypeError: an argument is no list or tuple, or an item of another type.
        ValueError: they have different lengths, or milestones descend or are not positive.

    Examples:
        >>> nn.piecewise_constant_lr([2, 5], [0.1, 0.01])
        [0.1, 0.1, 0.01, 0.01, 0.01]
    """
    name = "piecewise_constant_lr"
    for argument, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        check_instance(name, argument, value, (tuple, list))
    if len(milestone) != len(learning_rates):
        raise ValueError(
            f"For '{name}', 'milestone' and 'learning_rates' must have one length, but got {len(milestone)} and "
            f"{len(learning_rates)}."
        )
    rates: list[float] = []
    for i, (until, rate) in enumerate(zip(milestone, learning_rates)):
        check_int(name, f"milestone[{i}]", until, 1)
        check_float(name, f"learning_rates[{i}]", rate, above=-math.inf, below=math.inf)
        if until < len(rates):
            raise ValueError(f"For '{name}', 'milestone' must not descend, but got {until} after {len(rates)}.")
        rates += [rate] * (until - len(rates))
    return rates


def _of_epochs(
    name: str, formula: Callable[..., float], total_step: int, step_per_epoch: int, *arguments: Any
) -> list[float]:
    check_int(name, "total_step", total_step, 1)
    check_int(name, "step_per_epoch", step_per_epoch, 1)
    return [formula(float(step // step_per_epoch), *arguments) for step in range(total_step)]


_DECAY = """{} for each step.

    Args:
        learning_rate: the rate at first, a positive float.
        decay_rate: how fast it decays, a positive float.
        total_step: the number of steps, a positive int.
        step_per_epoch: steps of an epoch, a positive int.
        decay_epoch: the epochs of a period, a positive int.
        is_stair: whether the rate stays the same within a period.

    Returns:
        A list of total_step floats.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> nn.{}(0.1, decay_rate={}, total_step=4, step_per_epoch=2, decay_epoch=1)
        {}
    """


def _decay(
    name: str, formula: Callable[..., float], meaning: str, example: tuple[float, list[float]]
) -> Callable[..., list[float]]:
    """A function of a formula; the example of its documentation is a decay_rate and the rates by it."""

    def rates(
        learning_rate: float,
        decay_rate: float,
        total_step: int,
        step_per_epoch: int,
        decay_epoch: int,
        is_stair: bool = False,
    ) -> list[float]:
        schedule.check_decay(name, learning_rate, decay_rate, decay_epoch, is_stair, "decay_epoch")
        return _of_epochs(name, formula, total_step, step_per_epoch, learning_rate, decay_rate, decay_epoch, is_stair)

    rates.__name__ = rates.__qualname__ = name
    rates.__doc__ = _DECAY.format(meaning, name, *example)
    return rates


exponential_decay_lr = _decay(
    "exponential_decay_lr",
    schedule.exponential,
    "learning_rate * decay_rate ** (epoch / decay_epoch)",
    (0.5, [0.1, 0.1, 0.05, 0.05]),
)
natural_exp_decay_lr = _decay(
    "natural_exp_decay_lr",
    schedule.natural_exponential,
    "learning_rate * exp(-decay_rate * epoch)",
    (1.0, [0.1, 0.1, 0.0367879, 0.0367879]),
)
inverse_decay_lr = _decay(
    "inverse_decay_lr",
    schedule.inverse,
    "learning_rate / (1 + decay_rate * epoch / decay_epoch)",
    (1.0, [0.1, 0.1, 0.05, 0.05]),
)


def cosine_decay_lr(min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int) -> list[float]:
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * epoch / decay_epoch)) for each step, min_lr from decay_epoch on
    (Loshchilov and Hutter, 2017).

    Args:
        min_lr: the rate at last, a float that is not negative.
        max_lr: the rate at first, a greater float.
        total_step: the number of steps, a positive int.
        step_per_epoch: steps of an epoch, a positive int.
        decay_epoch: the epochs until min_lr is reached, a positive int.

    Returns:
        A list of total_step floats.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> nn.cosine_decay_lr(min_lr=0.0, max_lr=0.1, total_step=6, step_per_epoch=2, decay_epoch=2)
        [0.1, 0.1, 0.05, 0.05, 0.0, 0.0]
    """
    schedule.check_cosine("cosine_decay_lr", min_lr, max_lr, decay_epoch, "decay_epoch")
    return _of_epochs("cosine_decay_lr", schedule.cosine, total_step, step_per_epoch, min_lr, max_lr, decay_epoch)


def polynomial_decay_lr(
    learning_rate: float,
    end_learning_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    power: float,
    update_decay_epoch: bool = False,
) -> list[float]:
    """(learning_rate - end_learning_rate) * (1 - epoch / decay_epoch) ** power + end_learning_rate for each step.

    Args:
        learning_rate: the rate at first, a positive float.
        end_learning_rate: the rate from decay_epoch on, a float that is not negative.
        total_step: the number of steps, a positive int.
        step_per_epoch: steps of an epoch, a positive int.
        decay_epoch: the epochs until end_learning_rate is reached, a positive int.
        power: the exponent, a positive float.
        update_decay_epoch: whether, once decay_epoch have passed, its next multiple takes its place.

    Returns:
        A list of total_step floats.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> nn.polynomial_decay_lr(0.1, 0.0, total_step=6, step_per_epoch=2, decay_epoch=2, power=1.0)
        [0.1, 0.1, 0.05, 0.05, 0.0, 0.0]
    """
    name, options = "polynomial_decay_lr", (learning_rate, end_learning_rate, decay_epoch, power, update_decay_epoch)
    schedule.check_polynomial(name, *options, "decay_epoch")
    return _of_epochs(name, schedule.polynomial, total_step, step_per_epoch, *options)


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """learning_rate * min(epoch, warmup_epoch) / warmup_epoch for each step.

    Args:
        learning_rate: the rate from warmup_epoch on, a float that is not negative.
        total_step: the number of steps, a positive int.
        step_per_epoch: steps of an epoch, a positive int.
        warmup_epoch: the epochs until learning_rate is reached, a positive int.

    Returns:
        A list of total_step floats.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> nn.warmup_lr(0.1, total_step=6, step_per_epoch=2, warmup_epoch=2)
        [0.0, 0.0, 0.05, 0.05, 0.1, 0.1]
    """
    schedule.check_warm_up("warmup_lr", learning_rate, warmup_epoch, "warmup_epoch")
    return _of_epochs("warmup_lr", schedule.warm_up, total_step, step_per_epoch, learning_rate, warmup_epoch)
