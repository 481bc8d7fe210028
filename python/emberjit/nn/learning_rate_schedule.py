"""Learning rates as functions of the step: Cells that an optimizer calls with its count of steps. Their formulas take
numbers as well, of which dynamic_lr makes lists."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_float, check_int
from emberjit.nn.cell import Cell

_ops = core.ops

__all__ = ["CosineDecayLR", "ExponentialDecayLR", "InverseDecayLR", "NaturalExpDecayLR", "PolynomialDecayLR", "WarmUpLR"]


def _least(step: Any, limit: float) -> Any:
    return _ops.minimum(step, limit) if isinstance(step, core.Tensor) else min(step, limit)


def _cos(x: Any) -> Any:
    return _ops.cos(x) if isinstance(x, core.Tensor) else math.cos(x)


def exponential(step: Any, rate: float, decay_rate: float, decay_steps: int, is_stair: bool) -> Any:
    """rate * decay_rate ** (step / decay_steps), of is_stair whole periods only."""
    periods = step / decay_steps
    return rate * decay_rate ** (periods // 1 if is_stair else periods)


def natural_exponential(step: Any, rate: float, decay_rate: float, decay_steps: int, is_stair: bool) -> Any:
    """rate * exp(-decay_rate * step), of is_stair with the step at which its period began."""
    return rate * math.e ** (-decay_rate * (step // decay_steps * decay_steps if is_stair else step))


def inverse(step: Any, rate: float, decay_rate: float, decay_steps: int, is_stair: bool) -> Any:
    """rate / (1 + decay_rate * step / decay_steps), of is_stair whole periods only."""
    periods = step / decay_steps
    return rate / (1 + decay_rate * (periods // 1 if is_stair else periods))


def cosine(step: Any, min_rate: float, max_rate: float, decay_steps: int) -> Any:
    """Half a period of a cosine from max_rate to min_rate in decay_steps."""
    return min_rate + 0.5 * (max_rate - min_rate) * (1.0 + _cos(math.pi * (_least(step, float(decay_steps)) / decay_steps)))


def polynomial(step: Any, rate: float, end_rate: float, decay_steps: int, power: float, update_decay_steps: bool) -> Any:
    """(rate - end_rate) * (1 - step / decay_steps) ** power + end_rate, until decay_steps; with update_decay_steps the
    multiple of decay_steps that is next takes its place when it has passed."""
    if update_decay_steps:
        passed = step / (-_least(-step // decay_steps, -1.0) * decay_steps)
    else:
        passed = _least(step, float(decay_steps)) / decay_steps
    return (rate - end_rate) * (1.0 - passed) ** power + end_rate


def warm_up(step: Any, rate: float, warmup_steps: int) -> Any:
    """From 0 to rate in warmup_steps."""
    return rate * (_least(step, float(warmup_steps)) / warmup_steps)


def check_decay(name: str, rate: Any, decay_rate: Any, steps: Any, is_stair: Any, steps_name: str = "decay_steps") -> None:
    """What decays by a factor must be given."""
    check_int(name, steps_name, steps, 1)
    for argument, value in (("learning_rate", rate), ("decay_rate", decay_rate)):
        check_float(name, argument, value, above=0, below=math.inf)
    check_bool(name, "is_stair", is_stair)


def check_cosine(name: str, min_lr: Any, max_lr: Any, steps: Any, steps_name: str = "decay_steps") -> None:
    """What a cosine must be given."""
    check_float(name, "min_lr", min_lr, 0)
    check_float(name, "max_lr", max_lr, above=0, below=math.inf)
    check_int(name, steps_name, steps, 1)
    if min_lr >= max_lr:
        raise ValueError(f"For '{name}', 'max_lr' must be greater than 'min_lr', but got {max_lr} and {min_lr}.")


def check_polynomial(
    name: str, rate: Any, end_rate: Any, steps: Any, power: Any, update: Any, steps_name: str = "decay_steps"
) -> None:
    """What a polynomial must be given."""
    check_float(name, "learning_rate", rate, above=0, below=math.inf)
    check_float(name, "end_learning_rate", end_rate, 0)
    check_int(name, steps_name, steps, 1)
    check_bool(name, steps_name.replace("decay", "update_decay"), update)
    check_float(name, "power", power, above=0, below=math.inf)


def check_warm_up(name: str, rate: Any, steps: Any, steps_name: str = "warmup_steps") -> None:
    """What a warming up must be given."""
    check_float(name, "learning_rate", rate, 0)
    check_int(name, steps_name, steps, 1)


class LearningRateSchedule(Cell):
    """Base of schedules: subclasses define construct(global_step), a Tensor, which gives the rate of that step."""

    def construct(self, global_step: Any) -> Any:
        """The learning rate of a step."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'construct' must be defined: it gives the rate of a step.")


class _Formula(LearningRateSchedule):
    """A schedule that is one of the formulas, whose arguments are the attributes of these names."""

    formula: Any
    argument_names: tuple[str, ...]

    def construct(self, global_step: Any) -> Any:
        """The learning rate of a step, of the step's shape."""
        step = global_step if isinstance(global_step, core.Tensor) else core.Tensor(global_step)
        arguments = [getattr(self, name) for name in self.argument_names]
        return type(self).formula(_ops.cast(step, core.float32), *arguments)


class _Decay(_Formula):
    argument_names = "learning_rate", "decay_rate", "decay_steps", "is_stair"

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False):
        super().__init__()
        check_decay(type(self).__name__, learning_rate, decay_rate, decay_steps, is_stair)
        self.learning_rate, self.decay_rate = learning_rate, decay_rate
        self.decay_steps, self.is_stair = decay_steps, is_stair


class ExponentialDecayLR(_Decay):
    """The learning rate learning_rate * decay_rate ** (step / decay_steps), as a function of the step.

    Args:
        learning_rate: the rate at first, a positive float.
        decay_rate: the factor of a period, a positive float.
        decay_steps: the steps of a period, a positive int.
        is_stair: whether the rate stays the same within a period.

    Inputs:
        global_step: the number of steps done, an int or a Tensor.

    Returns:
        A Tensor of float32, of the step's shape.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is not positive.

    Examples:
        >>> schedule = nn.ExponentialDecayLR(0.1, decay_rate=0.5, decay_steps=2)
        >>> print(schedule(Tensor([0, 2, 4])))
        [0.1   0.05  0.025]
    """

    formula = exponential


class NaturalExpDecayLR(_Decay):
    """The learning rate learning_rate * exp(-decay_rate * step), as a function of the step.

    Args:
        learning_rate: the rate at first, a positive float.
        decay_rate: how fast it decays, a positive float.
        decay_steps: the steps of a period, a positive int, which matters with is_stair only.
        is_stair: whether the rate stays the same within a period.

    Inputs:
        global_step: the number of steps done, an int or a Tensor.

    Returns:
        A Tensor of float32, of the step's shape.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is not positive.

    Examples:
        >>> schedule = nn.NaturalExpDecayLR(0.1, decay_rate=0.5, decay_steps=2, is_stair=True)
        >>> print(schedule(Tensor([0, 1, 2])))
        [0.1        0.1        0.03678795]
    """

    formula = natural_exponential


class InverseDecayLR(_Decay):
    """The learning rate learning_rate / (1 + decay_rate * step / decay_steps), as a function of the step.

    Args:
        learning_rate: the rate at first, a positive float.
        decay_rate: how fast it decays, a positive float.
        decay_steps: the steps of a period, a positive int.
        is_stair: whether the rate stays the same within a period.

    Inputs:
        global_step: the number of steps done, an int or a Tensor.

    Returns:
        A Tensor of float32, of the step's shape.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is not positive.

    Examples:
        >>> schedule = nn.InverseDecayLR(0.1, decay_rate=1.0, decay_steps=2)
        >>> print(schedule(Tensor([0, 2, 6])))
        [0.1   0.05  0.025]
    """

    formula = inverse


class CosineDecayLR(_Formula):
    """The learning rate min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * step / decay_steps)), and min_lr from decay_steps on,
    as a function of the step (Loshchilov and Hutter, 2017).

    Args:
        min_lr: the rate at last, a float that is not negative.
        max_lr: the rate at first, a greater float.
        decay_steps: the steps until min_lr is reached, a positive int.

    Inputs:
        global_step: the number of steps done, an int or a Tensor.

    Returns:
        A Tensor of float32, of the step's shape.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> schedule = nn.CosineDecayLR(min_lr=0.0, max_lr=0.1, decay_steps=4)
        >>> print(schedule(Tensor([0, 2, 3])))
        [0.1        0.05       0.01464466]
    """

    formula = cosine
    argument_names = "min_lr", "max_lr", "decay_steps"

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int):
        super().__init__()
        check_cosine("CosineDecayLR", min_lr, max_lr, decay_steps)
        self.min_lr, self.max_lr, self.decay_steps = min_lr, max_lr, decay_steps


class PolynomialDecayLR(_Formula):
    """The learning rate (learning_rate - end_learning_rate) * (1 - step / decay_steps) ** power + end_learning_rate, as a
    function of the step.

    Args:
        learning_rate: the rate at first, a positive float.
        end_learning_rate: the rate from decay_steps on, a float that is not negative.
        decay_steps: the steps until end_learning_rate is reached, a positive int.
        power: the exponent, a positive float.
        update_decay_steps: whether, once decay_steps have passed, its next multiple takes its place.

    Inputs:
        global_step: the number of steps done, an int or a Tensor.

    Returns:
        A Tensor of float32, of the step's shape.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> schedule = nn.PolynomialDecayLR(0.1, 0.0, decay_steps=4, power=2.0)
        >>> print(schedule(Tensor([0, 2, 4, 9])))
        [0.1   0.025 0.    0.   ]
    """

    formula = polynomial
    argument_names = "start_learning_rate", "end_learning_rate", "decay_steps", "power", "update_decay_steps"

    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ):
        super().__init__()
        check_polynomial("PolynomialDecayLR", learning_rate, end_learning_rate, decay_steps, power, update_decay_steps)
        self.start_learning_rate, self.end_learning_rate = learning_rate, end_learning_rate
        self.decay_steps, self.power, self.update_decay_steps = decay_steps, power, update_decay_steps


class WarmUpLR(_Formula):
    """The learning rate learning_rate * min(step, warmup_steps) / warmup_steps, as a function of the step.

    Args:
        learning_rate: the rate from warmup_steps on, a float that is not negative.
        warmup_steps: the steps until it is reached, a positive int.

    Inputs:
        global_step: the number of steps done, an int or a Tensor.

    Returns:
        A Tensor of float32, of the step's shape.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.

    Examples:
        >>> schedule = nn.WarmUpLR(0.1, warmup_steps=4)
        >>> print(schedule(Tensor([0, 2, 8])))
        [0.   0.05 0.1 ]
    """

    formula = warm_up
    argument_names = "learning_rate", "warmup_steps"

    def __init__(self, learning_rate: float, warmup_steps: int):
        super().__init__()
        check_warm_up("WarmUpLR", learning_rate, warmup_steps)
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps
