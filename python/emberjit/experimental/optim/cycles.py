"""Schedulers whose learning rates go up and down again."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_int, check_number
from emberjit.experimental.optim.scheduler import LRScheduler, by_group, check_optimizer, counter, number, where

_ops = core.ops


class CosineAnnealingLR(LRScheduler):
    """From the initial rate to eta_min and back along a cosine in 2 * T_max epochs (Loshchilov and Hutter, 2017).

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        T_max: half a period in epochs, an int.
        eta_min: the least rate, a number.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.49999997
        0.0
        0.5
    """

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1):
        check_int(type(self).__name__, "T_max", T_max)
        check_number(type(self).__name__, "eta_min", eta_min)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _height(self, epoch: core.Tensor) -> Any:
        return 1 + _ops.cos(math.pi / self.T_max * epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        epoch = self.last_epoch
        at_minimum = _ops.equal((epoch - 1 - self.T_max) % (2 * self.T_max), 0)
        ratio = self._height(epoch) / where(at_minimum, 1.0, self._height(epoch - 1))
        rise, least = (1 - math.cos(math.pi / self.T_max)) / 2, self.eta_min
        rates = [
            where(at_minimum, rate + (base - least) * rise, ratio * (rate - least) + least)
            for base, rate in zip(self.base_lrs, self._last_lr)
        ]
        return [where(_ops.equal(epoch, 0), before, rate) for before, rate in zip(self._last_lr, rates)]

    def _get_closed_form_lr(self) -> list[Any]:
        return [self.eta_min + (base - self.eta_min) * self._height(self.last_epoch) / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """From the initial rate to eta_min along half a cosine, again and again (Loshchilov and Hutter, 2017).

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        T_0: the epochs of the first descent, a positive int.
        T_mult: how many times as long the next one takes, a positive int.
        eta_min: the least rate, a number.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
        >>> for epoch in range(4):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        1.0
        0.49999997
        1.0
        0.49999997
    """

    def __init__(self, optimizer: Any, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1):
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"For 'CosineAnnealingWarmRestarts', '{name}' must be a positive int, but got {value!r}.")
        check_number(type(self).__name__, "eta_min", eta_min)
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        self.T_i, self.T_cur = counter(float(T_0), self, "T_i"), counter(float(last_epoch), self, "T_cur")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates at T_cur of T_i epochs."""
        height = (1 + _ops.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def _at(self, epoch: core.Tensor) -> tuple[Any, Any]:
        """The place within a descent, and how long that takes, of an epoch, which may have a fraction."""
        if self.T_mult == 1:
            return epoch % self.T_0, number(float(self.T_0))
        growth = self.T_mult - 1
        descents = _ops.floor(_ops.log(epoch / self.T_0 * growth + 1.0) / math.log(self.T_mult) + 1e-6)
        length = self.T_0 * self.T_mult**descents
        return epoch - (length - self.T_0) / growth, length

    def step(self, epoch: Any = None) -> bool:
        """Sets the learning rates of the next epoch, or of the one given, which may have a fraction.

        Raises:
            ValueError: epoch is negative.
        """
        if epoch is None:
            place = _ops.maximum(self.T_cur + 1.0, 0.0)
            over = place >= self.T_i
            place, length = where(over, place - self.T_i, place), where(over, self.T_i * self.T_mult, self.T_i)
            last_epoch = self.last_epoch + 1.0
        else:
            if not isinstance(epoch, core.Tensor) and epoch < 0:
                raise ValueError(f"For 'CosineAnnealingWarmRestarts', 'epoch' must not be negative, but got {epoch}.")
            epoch_tensor = _ops.cast(number(epoch), core.float32)
            place, length = self._at(epoch_tensor)
            last_epoch = _ops.floor(epoch_tensor)
        for variable, value in ((self.T_cur, place), (self.T_i, length), (self.last_epoch, last_epoch)):
            _ops.assign(variable, value + 0.0)
        for variable, rate in zip(self._last_lr, self.get_lr()):
            _ops.assign(variable, rate)
        return True


class CyclicLR(LRScheduler):
    """From base_lr to max_lr and back along straight lines (Smith, 2017).

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        base_lr, max_lr: the least and the greatest rate, numbers, or lists of one for each group.
        step_size_up: the epochs up, a number.
        step_size_down: the epochs down, a number; None: as many.
        mode: "triangular"; "triangular2", each cycle half as high; "exp_range", gamma ** epoch times as high.
        gamma: of "exp_range", a number.
        scale_fn: takes the cycle, or epoch, and returns how high it is; it takes the place of mode. None: mode says it.
        scale_mode: what scale_fn takes: "cycle" or "iterations".
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
        KeyError: a group has no "initial_lr" to go on.

    Examples:
        >>> from emberjit.experimental import optim
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.5, max_lr=1.0, step_size_up=2)
        >>> for epoch in range(5):
        ...     print(optimizer.param_groups[0]["lr"].value())
        ...     done = scheduler.step()
        0.5
        0.75
        1.0
        0.75
        0.5
    """

    def __init__(
        self,
        optimizer: Any,
        base_lr: Any,
        max_lr: Any,
        step_size_up: float = 2000,
        step_size_down: float | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[Any], Any] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
    ):
        check_optimizer(self, optimizer)
        base = by_group(self, optimizer, "base_lr", base_lr)
        self.max_lrs = [number(rate) for rate in by_group(self, optimizer, "max_lr", max_lr)]
        if last_epoch == -1:
            for rate, group in zip(base, optimizer.param_groups):
                _ops.assign(group["lr"], number(rate))
        up = float(step_size_up)
        self.total_step_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_up_ratio = up / self.total_step_size
        scales: dict[str, Callable[[Any], Any]] = {
            "triangular": lambda cycle: 1.0,
            "triangular2": lambda cycle: 0.5 ** (cycle - 1),
            "exp_range": lambda epoch: self.gamma**epoch,
        }
        if scale_fn is None and mode not in scales:
            raise ValueError(f"For 'CyclicLR', 'mode' must be {', '.join(map(repr, scales))}, but got {mode!r}.")
        if scale_fn is None:
            scale_fn, scale_mode = scales[mode], "iterations" if mode == "exp_range" else "cycle"
        check_choice("CyclicLR", "scale_mode", scale_mode, "cycle", "iterations")
        self.mode, self.gamma, self.scale_fn, self.scale_mode = mode, gamma, scale_fn, scale_mode
        super().__init__(optimizer, last_epoch)
        self.base_lrs = [number(rate) for rate in base]

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        cycle = _ops.floor(1 + self.last_epoch / self.total_step_size)
        place = 1.0 + self.last_epoch / self.total_step_size - cycle
        up, down = place / self.step_up_ratio, (place - 1) / (self.step_up_ratio - 1 or math.nan)
        height = where(place <= self.step_up_ratio, up, down)
        height = height * self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return [base + (most - base) * height for base, most in zip(self.base_lrs, self.max_lrs)]
