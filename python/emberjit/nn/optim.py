"""Optimizers. Calling one with the gradients of its parameters updates them in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.cell import Cell
from emberjit.parameter import ParameterTuple

_ops = core.op_table


class Optimizer(Cell):
    """Base of the optimizers.

    Args:
        learning_rate: a float.
        parameters: a list of Parameters, or of dicts with "params" and, optionally, "lr" and "weight_decay".
        weight_decay: added to the gradient times the parameter (L2 penalty).
        loss_scale: gradients are divided by it.
    """

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: float = 0.0, loss_scale: float = 1.0):
        super().__init__(auto_prefix=False)
        if isinstance(learning_rate, core.Tensor):
            learning_rate = float(learning_rate)
        if not isinstance(learning_rate, (int, float)) or isinstance(learning_rate, bool):
            raise TypeError(f"For 'Optimizer', 'learning_rate' must be a number, but got {type(learning_rate)}.")
        if learning_rate < 0:
            raise ValueError(f"For 'Optimizer', 'learning_rate' must not be negative, but got {learning_rate}.")
        if weight_decay < 0:
            raise ValueError(f"For 'Optimizer', 'weight_decay' must not be negative, but got {weight_decay}.")
        groups = list(parameters)
        if not groups:
            raise ValueError("For 'Optimizer', the argument 'parameters' must not be empty.")
        flat: list[Any] = []
        self.rates: list[float] = []
        self.decays: list[float] = []
        for group in groups:
            members = group["params"] if isinstance(group, dict) else [group]
            options: dict[str, Any] = group if isinstance(group, dict) else {}
            for parameter in members:
                if not isinstance(parameter, core.Parameter):
                    raise TypeError(f"For 'Optimizer', every parameter must be a Parameter, but got {type(parameter)}.")
                flat.append(parameter)
                self.rates.append(float(options.get("lr", learning_rate)))
                self.decays.append(float(options.get("weight_decay", weight_decay)))
        self.parameters = ParameterTuple(flat)
        self.learning_rate = core.Parameter(core.Tensor(float(learning_rate)), "learning_rate", requires_grad=False)
        self.loss_scale = float(loss_scale)
        self.uniform_rate = set(self.rates) == {float(learning_rate)}

    def state(self, name: str, value: float = 0.0) -> list[Any]:
        """Parameters for the optimizer's memory, one for each parameter."""
        made = []
        for i, parameter in enumerate(self.parameters):
            fresh = core.Parameter(_ops["full_like"](parameter, value), f"{name}.{parameter.name}", requires_grad=False)
            self.insert_param_to_cell(f"{name}_{i}", fresh)
            made.append(fresh)
        return made

    def rate(self, i: int) -> Any:
        """The learning rate of parameter i; that of the optimizer can be assigned while training."""
        return self.learning_rate if self.uniform_rate else self.rates[i]

    def prepared(self, gradients: Sequence[Any]) -> list[Any]:
        """Gradients after loss scale and weight decay."""
        if len(gradients) != len(self.parameters):
            raise ValueError(
                f"For '{type(self).__name__}', got {len(gradients)} gradients for {len(self.parameters)} parameters."
            )
        out = []
        for parameter, gradient, decay in zip(self.parameters, gradients, self.decays):
            g = gradient if self.loss_scale == 1.0 else gradient / self.loss_scale
            out.append(g if decay == 0 else g + parameter * decay)
        return out


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum and dampening where asked for."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0:
            raise ValueError(f"For 'SGD', 'momentum' must not be negative, but got {momentum}.")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("For 'SGD', 'nesterov' needs a positive 'momentum' and no 'dampening'.")
        self.momentum, self.dampening, self.nesterov = momentum, dampening, nesterov
        if momentum > 0:
            self.accumulated = self.state("accum")
            self.started = core.Parameter(core.Tensor(0.0), "stat", requires_grad=False)

    def construct(self, gradients: Any) -> Any:
        prepared = self.prepared(gradients)
        if self.momentum > 0:
            keep = 1 - self.dampening * self.started
        for i, (parameter, gradient) in enumerate(zip(self.parameters, prepared)):
            step = gradient
            if self.momentum > 0:
                step = self.accumulated[i] * self.momentum + gradient * keep
                _ops["assign"](self.accumulated[i], step)
                if self.nesterov:
                    step = gradient + step * self.momentum
            _ops["assign"](parameter, parameter - step * self.rate(i))
        if self.momentum > 0:
            _ops["assign"](self.started, 1.0)
        return True


class Momentum(Optimizer):
    """Gradient descent with momentum (Sutskever et al., 2013)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0:
            raise ValueError(f"For 'Momentum', 'momentum' must not be negative, but got {momentum}.")
        self.momentum, self.use_nesterov = momentum, use_nesterov
        self.moments = self.state("moments")

    def construct(self, gradients: Any) -> Any:
        for i, (parameter, gradient) in enumerate(zip(self.parameters, self.prepared(gradients))):
            moment = self.moments[i] * self.momentum + gradient
            _ops["assign"](self.moments[i], moment)
            step = gradient + moment * self.momentum if self.use_nesterov else moment
            _ops["assign"](parameter, parameter - step * self.rate(i))
        return True


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        for name, beta in (("beta1", beta1), ("beta2", beta2)):
            if not 0 < beta < 1:
                raise ValueError(f"For 'Adam', '{name}' must be within (0, 1), but got {beta}.")
        if eps <= 0:
            raise ValueError(f"For 'Adam', 'eps' must be positive, but got {eps}.")
        if use_amsgrad or use_nesterov:
            raise ValueError("For 'Adam', 'use_amsgrad' and 'use_nesterov' are not available (yet).")
        self.beta1, self.beta2, self.eps = beta1, beta2, eps
        self.moment1, self.moment2 = self.state("moment1"), self.state("moment2")
        self.beta1_power = core.Parameter(core.Tensor(1.0), "beta1_power", requires_grad=False)
        self.beta2_power = core.Parameter(core.Tensor(1.0), "beta2_power", requires_grad=False)

    def construct(self, gradients: Any) -> Any:
        power1, power2 = self.beta1_power * self.beta1, self.beta2_power * self.beta2
        _ops["assign"](self.beta1_power, power1)
        _ops["assign"](self.beta2_power, power2)
        scale = _ops["sqrt"](1 - power2) / (1 - power1)
        for i, (parameter, gradient) in enumerate(zip(self.parameters, self.prepared(gradients))):
            m = self.moment1[i] * self.beta1 + gradient * (1 - self.beta1)
            v = self.moment2[i] * self.beta2 + gradient * gradient * (1 - self.beta2)
            _ops["assign"](self.moment1[i], m)
            _ops["assign"](self.moment2[i], v)
            _ops["assign"](parameter, parameter - m * (scale * self.rate(i)) / (_ops["sqrt"](v) + self.eps))
        return True
