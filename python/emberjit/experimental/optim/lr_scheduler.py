"""Schedulers of the learning rates of an optimizer's groups: step() sets those of the next epoch."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_float, check_instance, check_int, check_number, check_within
from emberjit.experimental.optim.cycles import CosineAnnealingLR, CosineAnnealingWarmRestarts, CyclicLR
from emberjit.experimental.optim.scheduler import LRScheduler, Rates, by_group, check_optimizer, counter, number, where

_ops = core.ops

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class StepLR(LRScheduler):
    """gamma times the rate each step_size epochs.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        step_size: how many epochs, an int.
        gamma: the factor, a float.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        1.0
        0.5
        0.5
    """

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1):
        check_int(type(self).__name__, "step_size", step_size)
        check_float(type(self).__name__, "gamma", gamma)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        due = _ops.logical_and(self.last_epoch > 0, _ops.equal(self.last_epoch % self.step_size, 0))
        return self._scaled(where(due, self.gamma, 1.0))

    def _get_closed_form_lr(self) -> list[Any]:
        return self._from_base(self.gamma ** (self.last_epoch // self.step_size))


class ExponentialLR(LRScheduler):
    """gamma times the rate each epoch.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        gamma: the factor, a float.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> for epoch in range(3):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.5
        0.25
    """

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1):
        check_float(type(self).__name__, "gamma", gamma)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        return self._scaled(where(self.last_epoch > 0, self.gamma, 1.0))

    def _get_closed_form_lr(self) -> list[Any]:
        return self._from_base(self.gamma**self.last_epoch)


class LinearLR(LRScheduler):
    """The rate times a factor that goes from start_factor to end_factor in total_iters epochs, along a line.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        start_factor: the first factor, a number within (0, 1].
        end_factor: the last factor, a number within [0, 1].
        total_iters: how many epochs it takes, an int.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5, total_iters=2)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        0.5
        0.75
        1.0
        1.0
    """

    def __init__(
        self,
        optimizer: Any,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ):
        check_within("LinearLR", "start_factor", start_factor, most=1, above=0)
        check_within("LinearLR", "end_factor", end_factor, 0, 1)
        check_int(type(self).__name__, "total_iters", total_iters)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        growth = self.end_factor - self.start_factor
        factor = 1.0 + growth / (self.total_iters * self.start_factor + (self.last_epoch - 1) * growth)
        over = self.last_epoch > self.total_iters
        first = _ops.equal(self.last_epoch, 0)
        return self._scaled(where(first, self.start_factor, where(over, 1.0, factor)))

    def _get_closed_form_lr(self) -> list[Any]:
        part = _ops.minimum(self.last_epoch, float(self.total_iters)) / self.total_iters
        return self._from_base(self.start_factor + (self.end_factor - self.start_factor) * part)


class PolynomialLR(LRScheduler):
    """The rate times (1 - epoch / total_iters) ** power, until total_iters.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        total_iters: after how many epochs it is 0, an int.
        power: a float that is not negative.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4, power=2.0)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.5625
        0.25000003
        0.06250001
    """

    def __init__(self, optimizer: Any, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1):
        check_int(type(self).__name__, "total_iters", total_iters)
        check_float(type(self).__name__, "power", power)
        check_float("PolynomialLR", "power", power, 0)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        within = _ops.logical_and(self.last_epoch > 0, self.last_epoch <= self.total_iters)
        epoch = where(within, self.last_epoch, 1.0)
        left, before = 1.0 - epoch / self.total_iters, 1.0 - (epoch - 1.0) / self.total_iters
        return self._scaled(where(within, (left / before) ** self.power, 1.0))

    def _get_closed_form_lr(self) -> list[Any]:
        part = _ops.minimum(self.last_epoch, float(self.total_iters)) / self.total_iters
        return self._from_base((1.0 - part) ** self.power)


class ConstantLR(LRScheduler):
    """factor times the rate, until total_iters epochs have passed.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        factor: a number within [0, 1].
        total_iters: how many epochs, an int.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        0.5
        0.5
        1.0
        1.0
    """

    def __init__(self, optimizer: Any, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1):
        check_within("ConstantLR", "factor", factor, 0, 1)
        check_int(type(self).__name__, "total_iters", total_iters)
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        end = _ops.equal(self.last_epoch, self.total_iters)
        back = 1.0 / self.factor if self.factor else math.inf
        return self._scaled(where(_ops.equal(self.last_epoch, 0), self.factor, where(end, back, 1.0)))

    def _get_closed_form_lr(self) -> list[Any]:
        return self._from_base(where(self.last_epoch >= self.total_iters, 1.0, self.factor))


class LambdaLR(LRScheduler):
    """The initial rate times what a function gives of the epoch.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        lr_lambda: takes the epoch, a Tensor, and returns a factor; or a list of them, one for each group.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (epoch + 1))
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.5
        0.33333334
        0.25
    """

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1):
        check_optimizer(self, optimizer)
        self.lr_lambdas = by_group(self, optimizer, "lr_lambda", lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        return [rate * factor(self.last_epoch) for rate, factor in zip(self.base_lrs, self.lr_lambdas)]


class MultiplicativeLR(LambdaLR):
    """The rate times what a function gives of the epoch, each epoch after the first.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        lr_lambda: takes the epoch, a Tensor, and returns a factor; or a list of them, one for each group.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.5)
        >>> for epoch in range(3):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.5
        0.25
    """

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        begun = self.last_epoch > 0
        return [rate * where(begun, factor(self.last_epoch), 1.0) for rate, factor in zip(self._last_lr, self.lr_lambdas)]


class MultiStepLR(LRScheduler):
    """gamma times the rate at each of some epochs.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        milestones: the epochs, a list of ints; one that is there twice counts twice.
        gamma: the factor, a number.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 3], gamma=0.5)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.5
        0.5
        0.25
    """

    def __init__(self, optimizer: Any, milestones: list[int], gamma: float = 0.1, last_epoch: int = -1):
        check_instance(type(self).__name__, "milestones", milestones, list)
        for milestone in milestones:
            check_int(type(self).__name__, "milestones", milestone)
        check_number(type(self).__name__, "gamma", gamma)
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        factor: Any = 1.0
        for epoch, count in self.milestones.items():
            factor = where(_ops.equal(self.last_epoch, epoch), float(self.gamma**count), factor)
        return self._scaled(factor)

    def _get_closed_form_lr(self) -> list[Any]:
        factor: Any = number(1.0)
        for epoch, count in self.milestones.items():
            factor = factor * where(self.last_epoch >= epoch, float(self.gamma**count), 1.0)
        return self._from_base(factor)


class SequentialLR(Rates):
    """Schedulers one after the other.

    Args:
        optimizer: the optimizer of all of them.
        schedulers: a list of schedulers.
        milestones: the epochs at which the next one begins, a list of ints, one less than there are schedulers.
        last_epoch: the epoch to go on from, an int; -1 begins.

    Raises:
        ValueError: a scheduler has another optimizer, or milestones are not as many as they should be.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> first = optim.lr_scheduler.ConstantLR(optimizer, factor=0.25)
        >>> then = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> scheduler = optim.lr_scheduler.SequentialLR(optimizer, [first, then], milestones=[2])
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     scheduler.step()
        0.25
        0.25
        1.0
        0.5
    """

    def __init__(self, optimizer: Any, schedulers: Sequence[Any], milestones: Sequence[int], last_epoch: int = -1):
        for i, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(f"For 'SequentialLR', scheduler {i} must be of the same optimizer, but is of another.")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                f"For 'SequentialLR', 'milestones' must be one less than 'schedulers', but got {len(milestones)} and "
                f"{len(schedulers)}."
            )
        self._schedulers, self.milestones, self.optimizer = schedulers, list(milestones), optimizer
        self.last_epoch = counter(last_epoch + 1.0, self)
        for group in optimizer.param_groups:
            _ops.assign(group["lr"], group["initial_lr"])
        for scheduler in schedulers:
            _ops.assign(scheduler.last_epoch, scheduler.last_epoch - 1.0)
        schedulers[0].step()
        self._last_lr = schedulers[0]._last_lr

    def step(self) -> None:
        """Sets the learning rates of the next epoch."""
        _ops.assign(self.last_epoch, self.last_epoch + 1.0)
        epoch = int(self.last_epoch)
        place = bisect_right(self.milestones, epoch)
        begins = place > 0 and self.milestones[place - 1] == epoch
        self._schedulers[place].step(*([0] if begins else []))


class ReduceLROnPlateau(Rates):
    """factor times the rate when a metric has not improved for a while.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        mode: whether the metric should be "min" or "max".
        factor: a number less than 1.
        patience: how many epochs without improvement are waited for, an int.
        threshold: an improvement is at least this, a number.
        threshold_mode: "rel", as a part of the best so far, or "abs".
        cooldown: how many epochs after a change are not counted, an int.
        min_lr: the least rate, a number, or a list of one for each group.
        eps: a change is made if it is more than this, a number.

    Raises:
        TypeError: optimizer is no such Optimizer.
        ValueError: an argument is out of its range.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
        >>> for loss in (3.0, 2.0, 2.0, 2.0):
        ...     done = scheduler.step(loss)
        ...     print(optimizer.param_groups[0]["lr"].value())
        1.0
        1.0
        1.0
        0.5
    """

    def __init__(
        self,
        optimizer: Any,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ):
        if factor >= 1:
            raise ValueError(f"For 'ReduceLROnPlateau', 'factor' must be less than 1, but got {factor}.")
        check_optimizer(self, optimizer)
        for name, value, choices in (("mode", mode, ("min", "max")), ("threshold_mode", threshold_mode, ("rel", "abs"))):
            if value not in choices:
                raise ValueError(f"For 'ReduceLROnPlateau', '{name}' must be one of {choices}, but got {value!r}.")
        self.min_lrs = [number(rate) for rate in by_group(self, optimizer, "min_lr", min_lr)]
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.last_epoch = counter(0.0, self)
        self.best = counter(self.mode_worse, self, "best")
        self.cooldown_counter, self.wait = counter(0.0, self, "cooldown_counter"), counter(0.0, self, "wait")
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any) -> bool:
        """Takes the metric of an epoch, a number or Tensor without axes."""
        current = _ops.cast(number(metrics), core.float32)
        improved = self._is_improvement(current)
        cooling = self.cooldown_counter > 0
        wait = where(_ops.logical_or(improved, cooling), 0.0, self.wait + 1.0)
        reduces = wait > self.patience
        for i, rate in enumerate(self._last_lr):
            lower = _ops.maximum(rate * self.factor, self.min_lrs[i])
            _ops.assign(rate, where(_ops.logical_and(reduces, rate > lower + self.eps), lower, rate))
        left = self.cooldown_counter - _ops.cast(cooling, core.float32)
        for variable, value in (
            (self.last_epoch, self.last_epoch + 1.0),
            (self.best, where(improved, current, self.best)),
            (self.cooldown_counter, where(reduces, float(self.cooldown), left)),
            (self.wait, where(reduces, 0.0, wait)),
        ):
            _ops.assign(variable, value)
        return True

    def in_cooldown(self) -> Any:
        """Whether epochs are not counted."""
        return self.cooldown_counter > 0

    def _is_improvement(self, current: Any) -> Any:
        sign = 1.0 if self.mode == "max" else -1.0
        margin = (
            self.best * (1.0 + sign * self.threshold) if self.threshold_mode == "rel" else self.best + sign * self.threshold
        )
        return current > margin if self.mode == "max" else current < margin
