"""Optimizers whose options are those of each group of Parameters, as PyTorch has them, and may change at any time."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.transform import jit
from emberjit.checks import check_bool, check_number, check_rank, check_within
from emberjit.nn.cell import Cell
from emberjit.nn.optim.groups import check_gradients, check_parameters, members
from emberjit.tensors.parameter import ParameterTuple

_ops = core.ops

Bounds = dict[str, Any]
POSITIVE: Bounds = {"above": 0}
NOT_NEGATIVE: Bounds = {"least": 0}
UNIT: Bounds = {"least": 0, "most": 1}
BELOW_ONE: Bounds = {"least": 0, "below": 1}
ANY: Bounds = {}


def check_option(optimizer: str, name: str, value: Any, bounds: Bounds) -> None:
    """Refuses what is no number, or out of bounds.

    Raises:
        TypeError: it is no int, float or Tensor without axes.
        ValueError: it is out of bounds, or a Tensor with axes.
    """
    if isinstance(value, core.Tensor):
        check_rank(optimizer, name, value, 0)
        check_within(optimizer, name, value, **bounds)
    else:
        check_number(optimizer, name, value, **bounds)


class Optimizer(Cell):
    """The base of optimizers whose options are those of each group of Parameters, and may change at any time in
    param_groups. A subclass defines construct(gradients), which writes the Parameters.

    Args:
        params: a list of Parameters, or of groups of them: dicts with "params" and options, for those that are not as in
            defaults.
        defaults: a dict of the options of groups that do not give them; "lr", a number or a Tensor without axes, is one.

    Raises:
        TypeError: an argument has another type.
        ValueError: params is empty, a number is out of its range, or a Parameter is in several groups.

    Examples:
        >>> from emberjit.experimental import optim
        >>> net = nn.Dense(2, 1)
        >>> groups = [{"params": [net.weight], "weight_decay": 0.5}, {"params": [net.bias], "lr": 0.25}]
        >>> optimizer = optim.SGD(groups, lr=0.125)
        >>> rate = optimizer.param_groups[0]["lr"].set_data(Tensor(0.0625))
        >>> print([(float(group["lr"].value()), group["weight_decay"]) for group in optimizer.param_groups])
        [(0.0625, 0.5), (0.25, 0.0)]
    """

    def __init__(self, params: Any, defaults: dict[str, Any]):
        super().__init__(auto_prefix=False)
        items = members(type(self).__name__, "params", params)
        self.defaults = defaults
        self.state: Any = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self.lrs: list[Any] = []
        self.group_start_id = [0]
        self.parameters: Any = ParameterTuple(())
        for group in items if isinstance(items[0], dict) else [{"params": items}]:
            self.add_param_group(group)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for name in sorted(name for name in group if name != "params"):
                value = group[name]
                text += f"    {name}: {value.value() if isinstance(value, core.Parameter) else value}\n"
        return text + ")"

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group.

        Raises:
            TypeError: it is no dict, "params" no Parameters, or an option has another type.
            ValueError: a number is out of its range, or a Parameter is in another group.
        """
        name = type(self).__name__
        if not isinstance(param_group, dict):
            raise TypeError(f"For '{name}', a parameter group must be a dict, but got {type(param_group)}.")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(f"For '{name}', 'params' must be a list, as the order of a set changes between runs.")
        parameters = check_parameters(name, [params] if isinstance(params, core.Parameter) else list(params))
        known = {id(parameter) for parameter in self.parameters}
        if any(id(parameter) in known for parameter in parameters) or len({*map(id, parameters)}) < len(parameters):
            raise ValueError(f"For '{name}', a Parameter is in more than one parameter group, or twice in one.")
        param_group["params"] = parameters
        for option, default in self.defaults.items():
            param_group.setdefault(option, default)
        check_option(name, "lr", param_group.get("lr"), NOT_NEGATIVE)
        check_option(name, "weight_decay", param_group.setdefault("weight_decay", 0.0), NOT_NEGATIVE)
        rate = core.Tensor(param_group["lr"], core.float32)
        param_group["lr"] = core.Parameter(rate, f"learning_rate_group_{len(self.param_groups)}")
        param_group["weight_decay"] = float(param_group["weight_decay"])
        self.lrs.append(param_group["lr"])
        self.param_groups.append(param_group)
        self.parameters = ParameterTuple((*self.parameters, *parameters))
        self.group_start_id.append(len(self.parameters))

    def construct(self, *hyper_params: Any) -> Any:
        """Updates the parameters; subclasses define it."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'construct' must be defined: it updates the parameters.")


class GroupOptimizer(Optimizer):
    """An optimizer that is a rule for one Parameter, its state and its group's options. Subclasses define the state and
    update(group, step, parameter, gradient, rate, *state), which writes them; a step of all Parameters is one graph.

    Attributes:
        ranges: what numbers among the options must be.
        states: the names of the states of a Parameter's shape, which begin with zeros, or with the option that is named.
        step_name: the name of the count of steps, if there is one.
    """

    ranges: dict[str, Bounds] = {}
    states: dict[str, Any] = {}
    step_name = ""
    update: Any
    decoupled = False
    _run: Any = None

    def __init__(self, params: Any, **defaults: Any):
        self._check(defaults)
        super().__init__(params, defaults)
        if self.step_name:
            setattr(self, self.step_name, self._first_step())
        for name in self.states:
            setattr(self, name, self._new_state(name, self.parameters))

    def _first_step(self) -> Any:
        return core.Parameter(core.Tensor(0, core.int32), self.step_name)

    def _new_state(self, name: str, parameters: ParameterTuple) -> ParameterTuple:
        init = self.states[name]
        return parameters.clone(name, self.defaults.get(init, init))

    def _check(self, options: dict[str, Any]) -> None:
        optimizer = type(self).__name__
        for name, bounds in {"lr": NOT_NEGATIVE, "weight_decay": NOT_NEGATIVE, **self.ranges}.items():
            if name in options and isinstance(options[name], (tuple, list)):
                for i, value in enumerate(options[name]):
                    check_option(optimizer, f"{name}[{i}]", value, bounds)
            elif name in options:
                check_option(optimizer, name, options[name], bounds)
        if len(options.get("betas", (0, 0))) != 2:
            raise ValueError(f"For '{optimizer}', 'betas' must have 2 values, but got {options['betas']}.")
        for name in ("amsgrad", "centered", "maximize", "nesterov"):
            check_bool(optimizer, name, options.get(name, False))

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group, also to an optimizer that has made steps. Raises as Optimizer.add_param_group.

        Raises:
            KeyError: there is no such option.
        """
        known = {"params", "initial_lr", *self.defaults}
        if isinstance(param_group, dict) and not param_group.keys() <= known:
            raise KeyError(
                f"For '{type(self).__name__}', a key of a parameter group must be one of {sorted(known)}, but got "
                f"{sorted(param_group.keys() - known)}."
            )
        super().add_param_group(param_group)
        self._check({name: value for name, value in param_group.items() if name != "lr"})
        if next(iter(self.states)) not in self.__dict__:
            return
        for name in self.states:
            fresh = self._new_state(name, ParameterTuple(param_group["params"]))
            setattr(self, name, ParameterTuple((*getattr(self, name), *fresh)))
        self.__dict__["_run"] = None

    def scalars(self, prefix: str, value: float) -> ParameterTuple:
        """State without axes, one number for each parameter, which update() gets after that of the parameter's shape."""
        state = ParameterTuple(core.Parameter(core.Tensor(value), prefix + parameter.name) for parameter in self.parameters)
        self.__dict__.setdefault("_scalars", []).append(state)
        return state

    def begin(self) -> Any:
        """Counts the step; gives its number, from 1, in float64."""
        if not self.step_name:
            return None
        count = getattr(self, self.step_name)
        _ops.assign(count, count + 1)
        return _ops.cast(_ops.reshape(count, ()), core.float64)

    def _state(self, group: dict[str, Any], place: int, place_in_group: int) -> list[Any]:
        states = [getattr(self, name) for name in self.states] + self.__dict__.get("_scalars", [])
        return [state[place] for state in states]

    def _step(self, gradients: Any, rates: Any) -> bool:
        check_gradients(type(self).__name__, gradients, self.parameters)
        step = self.begin()
        for i, group in enumerate(self.param_groups):
            start = self.group_start_id[i]
            for place in range(start, self.group_start_id[i + 1]):
                parameter, gradient = self.parameters[place], gradients[place]
                gradient = -gradient if group.get("maximize") else gradient
                if group["weight_decay"] and not self.decoupled:
                    gradient = gradient + parameter * group["weight_decay"]
                self.update(group, step, parameter, gradient, rates[i], *self._state(group, place, place - start))
        return True

    def construct(self, gradients: Any) -> bool:
        """Updates the parameters.

        Args:
            gradients: a tuple or list of Tensors, one for each parameter, of its shape.
        """
        rates = tuple(_rate(group["lr"]) for group in self.param_groups)
        if core.current_capture() is not None:
            return self._step(gradients, rates)
        if self._run is None:
            self.__dict__["_run"] = jit(self._step)
        return bool(self._run(gradients, rates))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_run": None}


def _rate(rate: Any) -> Any:
    return rate if isinstance(rate, core.Tensor) else core.Tensor(rate, core.float32)
