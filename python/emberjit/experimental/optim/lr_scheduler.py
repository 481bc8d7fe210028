"""Schedulers of the learning rates of an optimizer's groups: step() sets those of the next epoch."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_float, check_instance, check_int, check_number, check_within
from emberjit.experimental.optim.optimizer import Optimizer

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


def _number(value: Any) -> Any:
    return value if isinstance(value, core.Tensor) else core.Tensor(value, core.float32)


def _where(condition: Any, then: Any, otherwise: Any) -> Any:
    return _ops.select(condition, _number(then), _number(otherwise))


def _counter(value: float, scheduler: Any, name: str = "last_epoch") -> Any:
    full = f"{name}_{type(scheduler).__name__}" if name == "last_epoch" else name
    return core.Parameter(core.Tensor(value, core.float32), full, requires_grad=False)


def _check_optimizer(scheduler: Any, optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(
            f"For '{type(scheduler).__name__}', 'optimizer' must be an Optimizer of experimental.optim or mint.optim, but "
            f"got {type(optimizer)}."
        )


def _by_group(scheduler: Any, optimizer: Any, name: str, value: Any) -> list[Any]:
    """One value for all groups, or a list or tuple of one for each."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(
            f"For '{type(scheduler).__name__}', '{name}' must have one value for each of {count} groups, but has "
            f"{len(value)}."
        )
    return list(value)


class _Rates:
    _last_lr: list[Any]

    def get_last_lr(self) -> list[Any]:
        """The learning rates that are set, a Tensor for each group."""
        return [rate + 0.0 for rate in self._last_lr]


class LRScheduler(_Rates):
    """Base of schedulers. A subclass defines get_lr(), which gives the learning rates of all groups in epoch `last_epoch`.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        last_epoch: the epoch to go on from; -1 begins, with the learning rates that the groups have. If not, the groups must
            have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: last_epoch is less than -1.
        KeyError: a group has no "initial_lr".
    """

    def __init__(self, optimizer: Any, last_epoch: int = -1):
        _check_optimizer(self, optimizer)
        check_int(type(self).__name__, "last_epoch", last_epoch)
        check_within(type(self).__name__, "last_epoch", last_epoch, -1)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _number(group["lr"]) + 0.0)
            elif "initial_lr" not in group:
                raise KeyError(f"For '{type(self).__name__}', group {i} must have an 'initial_lr' to go on, but has none.")
        self.base_lrs = [_number(group["initial_lr"]) for group in optimizer.param_groups]
        self.optimizer, self._last_lr, self.groups_num = optimizer, list(optimizer.lrs), len(optimizer.param_groups)
        self.last_epoch = _counter(float(last_epoch), self)
        self.step()

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch, a Tensor for each group."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'get_lr' must be defined: it gives the rates of an epoch.")

    def step(self, epoch: Any = None) -> bool:
        """Sets the learning rates of the next epoch, or of the one given."""
        closed: Any = getattr(self, "_get_closed_form_lr", None)
        if epoch is None:
            _ops.assign(self.last_epoch, self.last_epoch + 1.0)
        else:
            _ops.assign(self.last_epoch, _ops.cast(_number(epoch), core.float32))
        rates = self.get_lr() if epoch is None or closed is None else closed()
        for variable, rate in zip(self._last_lr, rates):
            _ops.assign(variable, _ops.cast(_number(rate), core.float32))
        return True

    def _scaled(self, factor: core.Tensor) -> list[Any]:
        return [rate * factor for rate in self._last_lr]

    def _from_base(self, factor: core.Tensor) -> list[Any]:
        return [rate * factor for rate in self.base_lrs]


_COMMON = """
        last_epoch: as of LRScheduler.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range.
    """


class StepLR(LRScheduler):
    __doc__ = f"""gamma times the rate each step_size epochs.

    Args:
        optimizer: the optimizer.
        step_size: an int.
        gamma: a float.{_COMMON}"""

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1):
        check_int(type(self).__name__, "step_size", step_size)
        check_float(type(self).__name__, "gamma", gamma)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        due = _ops.logical_and(self.last_epoch > 0, _ops.equal(self.last_epoch % self.step_size, 0))
        return self._scaled(_where(due, self.gamma, 1.0))

    def _get_closed_form_lr(self) -> list[Any]:
        return self._from_base(self.gamma ** (self.last_epoch // self.step_size))


class ExponentialLR(LRScheduler):
    __doc__ = f"""gamma times the rate each epoch.

    Args:
        optimizer: the optimizer.
        gamma: a float.{_COMMON}"""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1):
        check_float(type(self).__name__, "gamma", gamma)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        return self._scaled(_where(self.last_epoch > 0, self.gamma, 1.0))

    def _get_closed_form_lr(self) -> list[Any]:
        return self._from_base(self.gamma**self.last_epoch)


class LinearLR(LRScheduler):
    __doc__ = f"""The rate times a factor that goes from start_factor to end_factor in total_iters epochs.

    Args:
        optimizer: the optimizer.
        start_factor: a number within (0, 1].
        end_factor: a number within [0, 1].
        total_iters: an int.{_COMMON}"""

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
        return self._scaled(_where(first, self.start_factor, _where(over, 1.0, factor)))

    def _get_closed_form_lr(self) -> list[Any]:
        part = _ops.minimum(self.last_epoch, float(self.total_iters)) / self.total_iters
        return self._from_base(self.start_factor + (self.end_factor - self.start_factor) * part)


class PolynomialLR(LRScheduler):
    __doc__ = f"""The rate times (1 - epoch / total_iters) ** power, until total_iters.

    Args:
        optimizer: the optimizer.
        total_iters: an int.
        power: a float that is not negative.{_COMMON}"""

    def __init__(self, optimizer: Any, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1):
        check_int(type(self).__name__, "total_iters", total_iters)
        check_float(type(self).__name__, "power", power)
        check_float("PolynomialLR", "power", power, 0)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        within = _ops.logical_and(self.last_epoch > 0, self.last_epoch <= self.total_iters)
        epoch = _where(within, self.last_epoch, 1.0)
        left, before = 1.0 - epoch / self.total_iters, 1.0 - (epoch - 1.0) / self.total_iters
        return self._scaled(_where(within, (left / before) ** self.power, 1.0))

    def _get_closed_form_lr(self) -> list[Any]:
        part = _ops.minimum(self.last_epoch, float(self.total_iters)) / self.total_iters
        return self._from_base((1.0 - part) ** self.power)


class ConstantLR(LRScheduler):
    __doc__ = f"""factor times the rate, until total_iters epochs have passed.

    Args:
        optimizer: the optimizer.
        factor: a number within [0, 1].
        total_iters: an int.{_COMMON}"""

    def __init__(self, optimizer: Any, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1):
        check_within("ConstantLR", "factor", factor, 0, 1)
        check_int(type(self).__name__, "total_iters", total_iters)
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        end = _ops.equal(self.last_epoch, self.total_iters)
        back = 1.0 / self.factor if self.factor else math.inf
        return self._scaled(_where(_ops.equal(self.last_epoch, 0), self.factor, _where(end, back, 1.0)))

    def _get_closed_form_lr(self) -> list[Any]:
        return self._from_base(_where(self.last_epoch >= self.total_iters, 1.0, self.factor))


class LambdaLR(LRScheduler):
    __doc__ = f"""The initial rate times what a function gives of the epoch.

    Args:
        optimizer: the optimizer.
        lr_lambda: takes the epoch, a Tensor, and returns a factor; or a list of them, one for each group.{_COMMON}"""

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1):
        _check_optimizer(self, optimizer)
        self.lr_lambdas = _by_group(self, optimizer, "lr_lambda", lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        return [rate * factor(self.last_epoch) for rate, factor in zip(self.base_lrs, self.lr_lambdas)]


class MultiplicativeLR(LambdaLR):
    __doc__ = f"""The rate times what a function gives of the epoch, each epoch after the first.

    Args:
        optimizer: the optimizer.
        lr_lambda: takes the epoch, a Tensor, and returns a factor; or a list of them, one for each group.{_COMMON}"""

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        begun = self.last_epoch > 0
        return [rate * _where(begun, factor(self.last_epoch), 1.0) for rate, factor in zip(self._last_lr, self.lr_lambdas)]


class MultiStepLR(LRScheduler):
    __doc__ = f"""gamma times the rate at each of some epochs.

    Args:
        optimizer: the optimizer.
        milestones: a list of ints; one that is there twice counts twice.
        gamma: a number.{_COMMON}"""

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
            factor = _where(_ops.equal(self.last_epoch, epoch), float(self.gamma**count), factor)
        return self._scaled(factor)

    def _get_closed_form_lr(self) -> list[Any]:
        factor: Any = _number(1.0)
        for epoch, count in self.milestones.items():
            factor = factor * _where(self.last_epoch >= epoch, float(self.gamma**count), 1.0)
        return self._from_base(factor)


class CosineAnnealingLR(LRScheduler):
    __doc__ = f"""From the initial rate to eta_min and back along a cosine in 2 * T_max epochs (Loshchilov and Hutter, 2017).

    Args:
        optimizer: the optimizer.
        T_max: half a period, an int.
        eta_min: the least rate, a number.{_COMMON}"""

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
        ratio = self._height(epoch) / _where(at_minimum, 1.0, self._height(epoch - 1))
        rise, least = (1 - math.cos(math.pi / self.T_max)) / 2, self.eta_min
        rates = [
            _where(at_minimum, rate + (base - least) * rise, ratio * (rate - least) + least)
            for base, rate in zip(self.base_lrs, self._last_lr)
        ]
        return [_where(_ops.equal(epoch, 0), before, rate) for before, rate in zip(self._last_lr, rates)]

    def _get_closed_form_lr(self) -> list[Any]:
        return [self.eta_min + (base - self.eta_min) * self._height(self.last_epoch) / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    __doc__ = f"""From the initial rate to eta_min along half a cosine, again and again (Loshchilov and Hutter, 2017).

    Args:
        optimizer: the optimizer.
        T_0: the epochs of the first descent, a positive int.
        T_mult: how many times as long the next one takes, a positive int.
        eta_min: the least rate, a number.{_COMMON}"""

    def __init__(self, optimizer: Any, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1):
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"For 'CosineAnnealingWarmRestarts', '{name}' must be a positive int, but got {value!r}.")
        check_number(type(self).__name__, "eta_min", eta_min)
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        self.T_i, self.T_cur = _counter(float(T_0), self, "T_i"), _counter(float(last_epoch), self, "T_cur")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The learning rates at T_cur of T_i epochs."""
        height = (1 + _ops.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def _at(self, epoch: core.Tensor) -> tuple[Any, Any]:
        """The place within a descent, and how long that takes, of an epoch, which may have a fraction."""
        if self.T_mult == 1:
            return epoch % self.T_0, _number(float(self.T_0))
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
            place, length = _where(over, place - self.T_i, place), _where(over, self.T_i * self.T_mult, self.T_i)
            last_epoch = self.last_epoch + 1.0
        else:
            if not isinstance(epoch, core.Tensor) and epoch < 0:
                raise ValueError(f"For 'CosineAnnealingWarmRestarts', 'epoch' must not be negative, but got {epoch}.")
            epoch_tensor = _ops.cast(_number(epoch), core.float32)
            place, length = self._at(epoch_tensor)
            last_epoch = _ops.floor(epoch_tensor)
        for variable, value in ((self.T_cur, place), (self.T_i, length), (self.last_epoch, last_epoch)):
            _ops.assign(variable, value + 0.0)
        for variable, rate in zip(self._last_lr, self.get_lr()):
            _ops.assign(variable, rate)
        return True


class CyclicLR(LRScheduler):
    __doc__ = f"""From base_lr to max_lr and back along straight lines (Smith, 2017).

    Args:
        optimizer: the optimizer.
        base_lr, max_lr: numbers, or lists of one for each group.
        step_size_up: the epochs up, a number.
        step_size_down: the epochs down; None: as many.
        mode: "triangular"; "triangular2", each cycle half as high; "exp_range", gamma ** epoch times as high.
        gamma: of "exp_range", a number.
        scale_fn: takes the cycle, or epoch, and returns how high it is; it takes the place of mode.
        scale_mode: what scale_fn takes: "cycle" or "iterations".{_COMMON}"""

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
        _check_optimizer(self, optimizer)
        base = _by_group(self, optimizer, "base_lr", base_lr)
        self.max_lrs = [_number(rate) for rate in _by_group(self, optimizer, "max_lr", max_lr)]
        if last_epoch == -1:
            for rate, group in zip(base, optimizer.param_groups):
                _ops.assign(group["lr"], _number(rate))
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
        self.base_lrs = [_number(rate) for rate in base]

    def get_lr(self) -> list[Any]:
        """The learning rates of epoch last_epoch."""
        cycle = _ops.floor(1 + self.last_epoch / self.total_step_size)
        place = 1.0 + self.last_epoch / self.total_step_size - cycle
        up, down = place / self.step_up_ratio, (place - 1) / (self.step_up_ratio - 1 or math.nan)
        height = _where(place <= self.step_up_ratio, up, down)
        height = height * self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return [base + (most - base) * height for base, most in zip(self.base_lrs, self.max_lrs)]


class SequentialLR(_Rates):
    """Schedulers one after the other.

    Args:
        optimizer: the optimizer of all of them.
        schedulers: the schedulers.
        milestones: the epochs at which the next one begins, one less than there are schedulers.
        last_epoch: the epoch to go on from; -1 begins.

    Raises:
        ValueError: a scheduler has another optimizer, or milestones are not as many as they should be.
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
        self.last_epoch = _counter(last_epoch + 1.0, self)
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


class ReduceLROnPlateau(_Rates):
    """factor times the rate when a metric has not improved for a while.

    Args:
        optimizer: the optimizer.
        mode: whether the metric should be "min" or "max".
        factor: a number less than 1.
        patience: how many epochs without improvement are waited for, an int.
        threshold: an improvement is at least this.
        threshold_mode: "rel", as a part of the best so far, or "abs".
        cooldown: how many epochs after a change are not counted, an int.
        min_lr: the least rate, a number, or a list of one for each group.
        eps: a change is made if it is more than this.

    Raises:
        TypeError: optimizer is no such Optimizer.
        ValueError: an argument is out of its range.
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
        _check_optimizer(self, optimizer)
        for name, value, choices in (("mode", mode, ("min", "max")), ("threshold_mode", threshold_mode, ("rel", "abs"))):
            if value not in choices:
                raise ValueError(f"For 'ReduceLROnPlateau', '{name}' must be one of {choices}, but got {value!r}.")
        self.min_lrs = [_number(rate) for rate in _by_group(self, optimizer, "min_lr", min_lr)]
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.last_epoch = _counter(0.0, self)
        self.best = _counter(self.mode_worse, self, "best")
        self.cooldown_counter, self.wait = _counter(0.0, self, "cooldown_counter"), _counter(0.0, self, "wait")
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any) -> bool:
        """Takes the metric of an epoch, a number or Tensor without axes."""
        current = _ops.cast(_number(metrics), core.float32)
        improved = self._is_improvement(current)
        cooling = self.cooldown_counter > 0
        wait = _where(_ops.logical_or(improved, cooling), 0.0, self.wait + 1.0)
        reduces = wait > self.patience
        for i, rate in enumerate(self._last_lr):
            lower = _ops.maximum(rate * self.factor, self.min_lrs[i])
            _ops.assign(rate, _where(_ops.logical_and(reduces, rate > lower + self.eps), lower, rate))
        left = self.cooldown_counter - _ops.cast(cooling, core.float32)
        for variable, value in (
            (self.last_epoch, self.last_epoch + 1.0),
            (self.best, _where(improved, current, self.best)),
            (self.cooldown_counter, _where(reduces, float(self.cooldown), left)),
            (self.wait, _where(reduces, 0.0, wait)),
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
