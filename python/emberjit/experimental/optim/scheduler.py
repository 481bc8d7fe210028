"""The base of schedulers of the learning rates of an optimizer's groups, and what they share."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int, check_within
from emberjit.experimental.optim.optimizer import Optimizer

_ops = core.ops


def number(value: Any) -> Any:
    return value if isinstance(value, core.Tensor) else core.Tensor(value, core.float32)


def where(condition: Any, then: Any, otherwise: Any) -> Any:
    return _ops.select(condition, number(then), number(otherwise))


def counter(value: float, scheduler: Any, name: str = "last_epoch") -> Any:
    full = f"{name}_{type(scheduler).__name__}" if name == "last_epoch" else name
    return core.Parameter(core.Tensor(value, core.float32), full, requires_grad=False)


def check_optimizer(scheduler: Any, optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(
            f"For '{type(scheduler).__name__}', 'optimizer' must be an Optimizer of experimental.optim or mint.optim, but "
            f"got {type(optimizer)}."
        )


def by_group(scheduler: Any, optimizer: Any, name: str, value: Any) -> list[Any]:
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


class Rates:
    """What tells of the learning rates that it has set."""

    _last_lr: list[Any]

    def get_last_lr(self) -> list[Any]:
        """The learning rates that are set, a Tensor for each group."""
        return [rate + 0.0 for rate in self._last_lr]


class LRScheduler(Rates):
    """The base of schedulers. A subclass defines get_lr(), which gives the learning rates of all groups in epoch last_epoch;
    step() sets those of the next epoch.

    Args:
        optimizer: an Optimizer of experimental.optim or mint.optim.
        last_epoch: the epoch to go on from, an int; -1 begins, with the learning rates that the groups have. If not, the
            groups must have an "initial_lr".

    Raises:
        TypeError: an argument has another type.
        ValueError: last_epoch is less than -1.
        KeyError: a group has no "initial_lr".

    Examples:
        >>> from emberjit.experimental import optim
        >>> class Harmonic(optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [rate / (self.last_epoch + 1) for rate in self.base_lrs]
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), "weight")], lr=1.0)
        >>> scheduler = Harmonic(optimizer)
        >>> scheduler.step()
        True
        >>> print(optimizer.param_groups[0]["lr"].value())
        0.5
    """

    def __init__(self, optimizer: Any, last_epoch: int = -1):
        check_optimizer(self, optimizer)
        check_int(type(self).__name__, "last_epoch", last_epoch)
        check_within(type(self).__name__, "last_epoch", last_epoch, -1)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", number(group["lr"]) + 0.0)
            elif "initial_lr" not in group:
                raise KeyError(f"For '{type(self).__name__}', group {i} must have an 'initial_lr' to go on, but has none.")
        self.base_lrs = [number(group["initial_lr"]) for group in optimizer.param_groups]
        self.optimizer, self._last_lr, self.groups_num = optimizer, list(optimizer.lrs), len(optimizer.param_groups)
        self.last_epoch = counter(float(last_epoch), self)
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
            _ops.assign(self.last_epoch, _ops.cast(number(epoch), core.float32))
        rates = self.get_lr() if epoch is None or closed is None else closed()
        for variable, rate in zip(self._last_lr, rates):
            _ops.assign(variable, _ops.cast(number(rate), core.float32))
        return True

    def _scaled(self, factor: core.Tensor) -> list[Any]:
        return [rate * factor for rate in self._last_lr]

    def _from_base(self, factor: core.Tensor) -> list[Any]:
        return [rate * factor for rate in self.base_lrs]
