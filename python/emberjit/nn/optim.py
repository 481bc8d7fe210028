"""Optimizers. Calling one with the gradients of its parameters updates them in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.common.parameter import ParameterTuple
from emberjit.nn.cell import Cell
from emberjit.options import TABLE, take, take_all
from emberjit.spelling import nearest

_ops = core.op_table


def _rows(parameters: Any, learning_rate: float, weight_decay: float) -> list[tuple[Any, float, float]]:
    """Each Parameter with its learning rate and weight decay."""
    groups = list(parameters)
    if not groups:
        raise ValueError("For 'Optimizer', the argument 'parameters' must not be empty.")
    if not isinstance(groups[0], dict):
        return [(_parameter(member), float(learning_rate), float(weight_decay)) for member in groups]
    rows: list[tuple[Any, float, float]] = []
    order: list[Any] | None = None
    for group in groups:
        _check_group(group)
        if "order_params" in group:
            order = [_parameter(member) for member in group["order_params"]]
            continue
        rate, decay = float(group.get("lr", learning_rate)), float(group.get("weight_decay", weight_decay))
        rows += [(_parameter(member), rate, decay) for member in group["params"]]
    taken = {id(parameter) for parameter, _, _ in rows}
    if len(taken) != len(rows):
        raise RuntimeError("For 'Optimizer', a Parameter is in several groups, or twice in one.")
    if order is None:
        return rows
    if {id(parameter) for parameter in order} != taken or len(order) != len(rows):
        raise ValueError("For 'Optimizer', 'order_params' must hold the Parameters of all groups, each once.")
    places = {id(parameter): place for place, parameter in enumerate(order)}
    return sorted(rows, key=lambda row: places[id(row[0])])


def _check_group(group: Any) -> None:
    if not isinstance(group, dict):
        raise TypeError(f"For 'Optimizer', Parameters and groups cannot be mixed: after a dict came {type(group)}.")
    known = TABLE["Optimizer"]
    for name in group:
        if name not in known:
            raise KeyError(
                f"For 'Optimizer', a group has the unknown option {name!r}; it may have {', '.join(known)}"
                f"{nearest(str(name), known)}"
            )
    if "order_params" in group:
        if len(group) > 1:
            raise ValueError("For 'Optimizer', a group with 'order_params' must have nothing else.")
        return
    if "params" not in group:
        raise KeyError(f"For 'Optimizer', a group must have 'params', but has {', '.join(map(str, group)) or 'nothing'}.")
    for name in ("lr", "weight_decay"):
        if name not in group:
            continue
        value = float(group[name]) if isinstance(group[name], core.Tensor) else group[name]
        take("Optimizer", name, value)
        if value < 0:
            raise ValueError(f"For 'Optimizer', '{name}' of a group must not be negative, but got {value}.")
    take("Optimizer", "grad_centralization", group.get("grad_centralization", False))


def _parameter(member: Any) -> Any:
    if not isinstance(member, core.Parameter):
        raise TypeError(f"For 'Optimizer', every parameter must be a Parameter, but got {type(member)}.")
    return member


class Optimizer(Cell):
    """Base of the optimizers.

    Args:
        learning_rate: a float.
        parameters: a list of Parameters, or of groups: dicts with "params" and, optionally, "lr" and "weight_decay"; one may
            have "order_params" alone, all Parameters in the order wanted.
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
        rows = _rows(parameters, learning_rate, weight_decay)
        self.parameters = ParameterTuple(parameter for parameter, _, _ in rows)
        self.rates: list[float] = [rate for _, rate, _ in rows]
        self.decays: list[float | None] = [decay or None for _, _, decay in rows]
        self.learning_rate = core.Parameter(core.Tensor(float(learning_rate)), "learning_rate", requires_grad=False)
        self.loss_scale = None if loss_scale == 1 else float(loss_scale)
        self.uniform_rate = set(self.rates) == {float(learning_rate)}

    def state(self, name: str, value: float = 0.0) -> list[Any]:
        """Parameters for the optimizer's state, one for each parameter."""
        made = []
        for i, parameter in enumerate(self.parameters):
            fresh = core.Parameter(_ops["full_like"](parameter, value), f"{name}.{parameter.name}", requires_grad=False)
            self.insert_param_to_cell(f"{name}_{i}", fresh)
            made.append(fresh)
        return made

    def rate(self, i: int) -> Any:
        """The learning rate of parameter i; that of the optimizer can be assigned while training."""
        return self.learning_rate if self.uniform_rate else self.rates[i]

    def prepared(self, gradients: Sequence[Any]) -> Iterator[Any]:
        """Gradients after loss scale and weight decay, each made when its parameter's turn comes."""
        if len(gradients) != len(self.parameters):
            raise ValueError(
                f"For '{type(self).__name__}', got {len(gradients)} gradients for {len(self.parameters)} parameters."
            )
        for gradient, parameter, decay in zip(gradients, self.parameters, self.decays):
            yield _ops["prepare_gradient"](gradient, parameter, self.loss_scale, decay)


def _update(name: str, parameter: Any, state: tuple[Any, ...], *operands: Any, **options: Any) -> None:
    """Runs an op that gives a parameter and its state anew, and assigns them, the parameter last."""
    results = _ops[name](parameter, *state, *operands, **options)
    for variable, value in zip(state, results[1:]):
        _ops["assign"](variable, value)
    _ops["assign"](parameter, results[0])


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
        self.damped = core.Parameter(core.Tensor(0.0), "dampening", requires_grad=False) if dampening else None

    def construct(self, gradients: Any) -> Any:
        for i, (parameter, gradient) in enumerate(zip(self.parameters, self.prepared(gradients))):
            if self.momentum > 0:
                state, operands = (self.accumulated[i],), (gradient, self.rate(i), self.momentum)
                _update("momentum_step", parameter, state, *operands, self.damped, self.nesterov)
            else:
                _ops["assign"](parameter, _ops["sgd_step"](parameter, gradient, self.rate(i)))
        if self.damped is not None:
            _ops["assign"](self.damped, self.dampening)
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
            operands = gradient, self.rate(i), self.momentum
            _update("momentum_step", parameter, (self.moments[i],), *operands, use_nesterov=self.use_nesterov)
        return True


def _check_adam(name: str, beta1: float, beta2: float, eps: float) -> None:
    for argument, beta in (("beta1", beta1), ("beta2", beta2)):
        if not 0 < beta < 1:
            raise ValueError(f"For '{name}', '{argument}' must be within (0, 1), but got {beta}.")
    if eps <= 0:
        raise ValueError(f"For '{name}', 'eps' must be positive, but got {eps}.")


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
        **options: Any,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_adam("Adam", beta1, beta2, eps)
        take_all("Adam", {"use_locking": use_locking, **options})
        if use_amsgrad or use_nesterov:
            raise ValueError("For 'Adam', 'use_amsgrad' and 'use_nesterov' are not available (yet).")
        self.beta1, self.beta2, self.eps = beta1, beta2, eps
        self.moment1, self.moment2 = self.state("moment1"), self.state("moment2")
        self.beta1_power = core.Parameter(core.Tensor(1.0), "beta1_power", requires_grad=False)
        self.beta2_power = core.Parameter(core.Tensor(1.0), "beta2_power", requires_grad=False)

    def construct(self, gradients: Any) -> Any:
        decays = self.beta1, self.beta2
        power1, power2, correction = _ops["adam_correction"](self.beta1_power, self.beta2_power, *decays)
        _ops["assign"](self.beta1_power, power1)
        _ops["assign"](self.beta2_power, power2)
        for i, (parameter, gradient) in enumerate(zip(self.parameters, self.prepared(gradients))):
            moments = self.moment1[i], self.moment2[i]
            _update("adam_step", parameter, moments, gradient, self.rate(i), correction, *decays, self.eps)
        return True


class AdamWeightDecay(Optimizer):
    """Adam whose weight decay is not part of the gradient (Loshchilov and Hutter, 2019), without correction of the
    moments' bias, as MindSpore has it: a step is learning_rate * (moment1 / (sqrt(moment2) + eps) + weight_decay *
    parameter).

    Args:
        params: Parameters, or dicts of groups of them, as of any Optimizer.
        learning_rate: a float.
        beta1, beta2: the part of themselves that the moments retain each step, within (0, 1).
        eps: added to the root of the second moment; positive.
        weight_decay: the part of a parameter that a step of rate 1 takes away.

    Raises:
        ValueError: if beta1, beta2 or eps is outside its range, or learning_rate or weight_decay is negative.
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        _check_adam("AdamWeightDecay", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = beta1, beta2, eps
        self.decoupled, self.decays = self.decays, [None] * len(self.decays)
        self.moment1, self.moment2 = self.state("adam_m"), self.state("adam_v")

    def construct(self, gradients: Any) -> Any:
        for i, (parameter, gradient) in enumerate(zip(self.parameters, self.prepared(gradients))):
            moments = self.moment1[i], self.moment2[i]
            operands = gradient, self.rate(i), self.beta1, self.beta2, self.eps, self.decoupled[i]
            _update("adam_weight_decay_step", parameter, moments, *operands)
        return True
