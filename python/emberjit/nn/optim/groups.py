"""Groups of an optimizer's Parameters, and what each Parameter is updated with: learning rate, weight decay, centring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.checks import check_float, check_number
from emberjit.nn.cell import Cell
from emberjit.nn.learning_rate_schedule import LearningRateSchedule
from emberjit.options import TABLE, take
from emberjit.spelling import nearest

_ops = core.ops


class Row(NamedTuple):
    """One Parameter and what it is updated with."""

    parameter: Any
    rate: Any  # a Parameter without axes, or a LearningRateSchedule
    decay: Any  # a float, or a Cell that gives one for a step
    centred: bool


class ListedRate(LearningRateSchedule):
    """The learning rates of a list, one for each step."""

    def __init__(self, rates: Any, name: str):
        super().__init__()
        self.learning_rate = core.Parameter(rates, name)

    def construct(self, global_step: Any) -> Any:
        """The learning rate of a step."""
        return _ops.gather(self.learning_rate, global_step, 0)


class ConstantRate(LearningRateSchedule):
    """One learning rate for all steps, a Parameter, among others that change."""

    def __init__(self, rate: Any):
        super().__init__()
        self.learning_rate = rate

    def construct(self, global_step: Any) -> Any:
        """The learning rate of a step."""
        return self.learning_rate + 0.0


class ScaledDecay(Cell):
    """A weight decay that changes from step to step, by the scale of the loss."""

    def __init__(self, decay: Cell, loss_scale: float):
        super().__init__()
        self.decay, self.loss_scale = decay, loss_scale

    def construct(self, global_step: Any) -> Any:
        """The weight decay of a step."""
        return self.decay(global_step) * self.loss_scale


def rate_of(optimizer: str, value: Any) -> Any:
    """A learning rate as a float, a schedule, or a Tensor: without axes, or of one rate for each step."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return check_float(optimizer, "learning_rate", float(value), 0)
    if isinstance(value, LearningRateSchedule):
        return value
    if isinstance(value, core.Tensor):
        if value.ndim > 1:
            raise ValueError(f"For '{optimizer}', 'learning_rate' must have at most one axis, but has {value.ndim}.")
        return _ops.cast(value, core.float32)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return core.Tensor([float(rate) for rate in value], core.float32)
    raise TypeError(
        f"For '{optimizer}', 'learning_rate' must be an int, float, Tensor, iterable of them or LearningRateSchedule, but "
        f"got {value!r}."
    )


def is_dynamic(rate: Any) -> bool:
    """Whether a learning rate changes from step to step."""
    return isinstance(rate, LearningRateSchedule) or (isinstance(rate, core.Tensor) and rate.ndim == 1)


def built(rate: Any, name: str) -> Any:
    """The Parameter or schedule of what rate_of gave."""
    if isinstance(rate, LearningRateSchedule):
        return rate
    if is_dynamic(rate):
        return ListedRate(rate, name)
    return core.Parameter(rate if isinstance(rate, core.Tensor) else core.Tensor(rate), name)


def decay_of(optimizer: str, decay: Any, loss_scale: float) -> Any:
    """A weight decay as a float or a Cell, times the scale of the loss, as gradients are divided by it afterwards."""
    if isinstance(decay, Cell):
        return ScaledDecay(decay, loss_scale)
    check_number(optimizer, "weight_decay", decay)
    return check_float(optimizer, "weight_decay", float(decay), 0) * loss_scale


def members(optimizer: str, argument: str, value: Any) -> list[Any]:
    """The items of what must not be empty."""
    if value is None:
        raise ValueError(f"For '{optimizer}', '{argument}' must not be None.")
    if not isinstance(value, Iterable):
        raise TypeError(f"For '{optimizer}', '{argument}' must be iterable, but got {value!r}.")
    items = list(value)
    if not items:
        raise ValueError(f"For '{optimizer}', '{argument}' must not be empty.")
    return items


def check_parameters(optimizer: str, parameters: list[Any]) -> list[Any]:
    """Refuses what is no Parameter."""
    for member in parameters:
        if not isinstance(member, core.Parameter):
            raise TypeError(f"For '{optimizer}', every parameter must be a Parameter, but got {type(member)}.")
    return parameters


def check_gradients(optimizer: str, gradients: Any, parameters: tuple[Any, ...]) -> tuple[Any, ...] | list[Any]:
    """Refuses what are no gradients of parameters.

    Raises:
        TypeError: they are no tuple or list, or one is no Tensor.
        ValueError: they are not as many, or one has another shape.
    """
    if not isinstance(gradients, (tuple, list)):
        raise TypeError(f"For '{optimizer}', gradients must be a tuple or list of Tensors, but got {type(gradients)}.")
    if len(gradients) != len(parameters):
        raise ValueError(f"For '{optimizer}', got {len(gradients)} gradients for {len(parameters)} parameters.")
    for gradient, parameter in zip(gradients, parameters):
        if not isinstance(gradient, core.Tensor):
            raise TypeError(
                f"For '{optimizer}', the gradient of '{parameter.name}' must be a Tensor, but got {type(gradient)}."
            )
        if tuple(gradient.shape) != tuple(parameter.shape):
            raise ValueError(
                f"For '{optimizer}', the gradient of '{parameter.name}' must have its shape {tuple(parameter.shape)}, but "
                f"has {tuple(gradient.shape)}."
            )
    return gradients


def _check_group(optimizer: str, group: Any) -> None:
    if not isinstance(group, dict):
        raise TypeError(f"For '{optimizer}', Parameters and groups cannot be mixed: after a dict came {type(group)}.")
    known = TABLE["Optimizer"]
    for name in group:
        if name not in known:
            raise KeyError(
                f"For '{optimizer}', a group has the unknown option {name!r}; it may have {', '.join(known)}"
                f"{nearest(str(name), known)}"
            )
    if "order_params" in group:
        if len(group) > 1:
            raise ValueError(f"For '{optimizer}', a group with 'order_params' must have nothing else.")
        return
    if "params" not in group:
        raise KeyError(f"For '{optimizer}', a group must have 'params', but has {', '.join(map(str, group)) or 'nothing'}.")
    take("Optimizer", "grad_centralization", group.get("grad_centralization", False))


def rows(optimizer: str, groups: list[Any], rate: Any, decay: Any, loss_scale: float) -> list[Row]:
    """The Parameters of groups, in the order that one of them may give.

    Args:
        rate: what rate_of gave, for groups without "lr".
        decay: likewise a weight decay, as given.
    """
    for group in groups:
        _check_group(optimizer, group)
    rates = {i: rate_of(optimizer, group["lr"]) for i, group in enumerate(groups) if "lr" in group}
    lengths = {item.size for item in (rate, *rates.values()) if isinstance(item, core.Tensor) and item.ndim == 1}
    if len(lengths) > 1:
        raise ValueError(f"For '{optimizer}', the lists of learning rates must have one length, but have {sorted(lengths)}.")
    default = built(rate, "learning_rate")
    result: list[Row] = []
    order: list[Any] | None = None
    for i, group in enumerate(groups):
        if "order_params" in group:
            order = check_parameters(optimizer, list(group["order_params"]))
            continue
        own = built(rates[i], f"learning_rate_group_{i}") if i in rates else default
        own_decay = decay_of(optimizer, group.get("weight_decay", decay), loss_scale)
        parameters = check_parameters(optimizer, members(optimizer, "params", group["params"]))
        result += [Row(member, own, own_decay, group.get("grad_centralization", False)) for member in parameters]
    places = {id(row.parameter): place for place, row in enumerate(result)}
    if len(places) != len(result):
        raise RuntimeError(f"For '{optimizer}', a Parameter is in several groups, or twice in one.")
    if order is None:
        return result
    if {id(parameter) for parameter in order} != set(places) or len(order) != len(result):
        raise ValueError(f"For '{optimizer}', 'order_params' must hold the Parameters of all groups, each once.")
    return [result[places[id(parameter)]] for parameter in order]
