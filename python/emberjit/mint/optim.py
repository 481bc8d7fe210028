"""Optimizers, as PyTorch has them."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.experimental.optim import optimizers
from emberjit.experimental.optim.optimizer import ANY, NOT_NEGATIVE, GroupOptimizer
from emberjit.functions.optimiser_rules import rules
from emberjit.tensors.parameter import ParameterTuple

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]

_ops = core.ops


def _described(model: type, name: str) -> str:
    """The docstring of a class whose arguments are those of another."""
    told = (model.__doc__ or "").replace("        >>> from emberjit.experimental import optim\n", "")
    return told.replace(f"= optim.{model.__name__}(", f"= mint.optim.{name}(")


class Adam(optimizers.Adam):
    __doc__ = _described(optimizers.Adam, "Adam")
    states = dict.fromkeys(("exp_avg", "exp_avg_sq"), "zeros")
    _before_first: float = 0.0

    def _first_step(self) -> Any:
        return core.Parameter(core.Tensor([self._before_first], core.float32), self.step_name)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group, also to an optimizer that has made steps. Raises as Optimizer.add_param_group."""
        super().add_param_group(param_group)
        if param_group["amsgrad"]:
            param_group["max_exp_avg_sq"] = ParameterTuple(param_group["params"]).clone("max_exp_avg_sq", "zeros")

    def begin(self) -> Any:
        """Counts the step; gives its number, from 1."""
        return super().begin() - self._before_first

    def _state(self, group: dict[str, Any], place: int, place_in_group: int) -> list[Any]:
        largest = group["max_exp_avg_sq"][place_in_group] if group["amsgrad"] else None
        return [*super()._state(group, place, place_in_group), largest]


class AdamW(Adam, optimizers.AdamW):
    __doc__ = _described(optimizers.AdamW, "AdamW")
    _before_first = -1.0


class FusedAdamW(AdamW):
    __doc__ = _described(optimizers.AdamW, "FusedAdamW")


class SGD(GroupOptimizer):
    __doc__ = _described(optimizers.SGD, "SGD")
    ranges = {"momentum": NOT_NEGATIVE, "dampening": ANY}
    states = {"momentum_buf": "zeros"}
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ):
        optimizers.check_nesterov("SGD", momentum, dampening, nesterov)
        options = {"momentum": momentum, "dampening": dampening, "nesterov": nesterov, "maximize": maximize}
        super().__init__(params, lr=lr, weight_decay=weight_decay, **options)

    def update(self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, accum: Any) -> None:
        """A step of descent."""
        if not group["momentum"]:
            rules.gradient_descent(parameter, rate, gradient)
            return
        if group["dampening"]:
            kept = _ops.ones_like(rate) * (1 - group["dampening"])
            gradient = gradient * _ops.select(_ops.equal(step, 1), _ops.ones_like(rate), kept)
        rules.momentum(parameter, accum, rate, gradient, group["momentum"], group["nesterov"])
