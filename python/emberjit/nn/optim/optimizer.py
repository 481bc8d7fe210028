"""Base of the optimizers. Calling one with the gradients of its parameters updates them in place."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.transform import jit
from emberjit.checks import check_bool, check_float, check_instance
from emberjit.nn.cell import Cell
from emberjit.nn.layers.containers import CellList
from emberjit.nn.optim import groups
from emberjit.ops import AssignAdd, HyperMap, Map
from emberjit.tensors.parameter import ParameterTuple

_ops = core.ops


def _decayed(gradient: core.Tensor, parameter: core.Tensor, decay: core.Tensor | None) -> Any:
    return gradient if decay is None else gradient + parameter * _ops.cast(decay, parameter.dtype)


def _centred(gradient: core.Tensor, flag: bool) -> Any:
    if not flag or gradient.ndim < 2 or gradient.shape[1] % 16:
        return gradient
    return gradient - _ops.mean(gradient, tuple(range(1, gradient.ndim)), True)


def opt_init_args_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorates the __init__ of an optimizer so that it keeps what it was made with: init_params, init_learning_rate (None
    if a schedule) and, by name, init_args.

    Args:
        fn: the __init__.

    Returns:
        A function that does the same, and keeps the arguments.

    Examples:
        >>> class Descent(nn.SGD):
        ...     @nn.opt_init_args_register
        ...     def __init__(self, params, learning_rate=0.1, warm=True):
        ...         super().__init__(params, learning_rate)
        >>> print(Descent([Parameter(Tensor([1.0]), name="w")], warm=False).init_args)
        {'warm': False}
    """

    @functools.wraps(fn)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = inspect.signature(fn).bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = dict(list(bound.arguments.items())[1:])
        fn(self, *args, **kwargs)
        if "params" in arguments:
            self.init_params = {"params": arguments.pop("params")}
        if "learning_rate" in arguments:
            rate = arguments.pop("learning_rate")
            self.init_learning_rate = None if isinstance(rate, Cell) else rate
        self.init_args = arguments

    return init


class Optimizer(Cell):
    """Base of the optimizers: called with the gradients of its Parameters, it updates these in place. A subclass defines
    construct(gradients).

    Args:
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        parameters: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay"
            and "grad_centralization" of the group; one may have "order_params" alone, all Parameters in the order wanted.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.
        loss_scale: gradients are divided by it, a positive float.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        What construct returns.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> class Descent(nn.Optimizer):
        ...     def construct(self, gradients):
        ...         for w, gradient in zip(self.parameters, self.decay_weight(gradients)):
        ...             ops.assign_sub(w, self.get_lr() * gradient)
        ...         return True
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> print(Descent(0.1, [w], weight_decay=0.5)((Tensor([1.0, 0.0]),)), w.asnumpy())
        True [0.85 1.9 ]
    """

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        items = groups.members(name, "parameters", parameters)
        self.loss_scale = float(loss_scale) if type(loss_scale) is int else loss_scale
        check_float(name, "loss_scale", self.loss_scale)
        check_float(name, "loss_scale", self.loss_scale, above=0)
        self.global_step = core.Parameter(core.Tensor([0], core.int32), "global_step")
        self.is_group = isinstance(items[0], dict)
        self.is_group_lr = self.is_group and any(isinstance(group, dict) and "lr" in group for group in items)
        self.is_group_params_ordered = self.is_group and any("order_params" in group for group in items)
        rate = groups.rate_of(name, learning_rate)
        if self.is_group:
            rows = groups.rows(name, items, rate, weight_decay, self.loss_scale)
        else:
            decay = groups.decay_of(name, weight_decay, self.loss_scale)
            built = groups.built(rate, "learning_rate")
            rows = [groups.Row(parameter, built, decay, False) for parameter in groups.check_parameters(name, items)]
        self._set_rates(rows)
        self._set_decays(rows)
        self._set_parameters([row.parameter for row in rows])
        if self.is_group:
            self._set_groups(rows)
        self.grad_centralization_flags = tuple(row.centred for row in rows)
        self.reciprocal_scale = core.Tensor(1.0 / self.loss_scale, core.float32)
        self.need_scale = self.loss_scale != 1.0
        self.global_step_increase_tensor = core.Tensor([1], core.int32)
        self.assignadd = AssignAdd()
        self.map_, self.map_reverse = Map(), Map(None, True)
        self.hyper_map, self.hyper_map_reverse = HyperMap(), HyperMap(None, True)
        self.use_parallel, self._unique, self._target = False, True, "CPU"

    def _set_parameters(self, parameters: list[Any]) -> None:
        self.parameters = ParameterTuple(parameters)
        self._parameters = self.parameters
        self.param_length = len(parameters)
        self.optim_filter = (True,) * self.param_length

    def _set_groups(self, rows: list[groups.Row]) -> None:
        """What groups say of each Parameter, in lists under MindSpore's names."""
        self.group_params = [row.parameter for row in rows]
        self.group_lr = [*self.learning_rate] if self.is_group_lr else [row.rate for row in rows]
        self.group_weight_decay = [row.decay for row in rows]
        self.group_grad_centralization = [row.centred for row in rows]

    def _set_rates(self, rows: list[groups.Row]) -> None:
        self.dynamic_lr = any(isinstance(row.rate, Cell) for row in rows)
        if not self.is_group_lr:
            self.learning_rate: Any = rows[0].rate
        elif not self.dynamic_lr:
            self.learning_rate = ParameterTuple(row.rate for row in rows)
        else:
            constants: dict[int, Any] = {}
            schedules = [
                row.rate if isinstance(row.rate, Cell) else constants.setdefault(id(row.rate), groups.ConstantRate(row.rate))
                for row in rows
            ]
            self.learning_rate = CellList(schedules, auto_prefix=False)

    def _set_decays(self, rows: list[groups.Row]) -> None:
        dynamic = tuple(isinstance(row.decay, Cell) for row in rows)
        decays = [row.decay if is_cell else core.Tensor(row.decay, core.float32) for row, is_cell in zip(rows, dynamic)]
        self.dynamic_weight_decay = any(dynamic)
        if self.is_group:
            self.weight_decay: Any = tuple(decays)
            self.dynamic_decay_flags: Any = dynamic
            self.decay_flags = tuple(is_cell or row.decay > 0 for row, is_cell in zip(rows, dynamic))
            self.exec_weight_decay = any(self.decay_flags)
        else:
            self.weight_decay, self.dynamic_decay_flags = decays[0], dynamic[0]
            names = [row.parameter.name for row in rows]
            self.decay_flags = tuple("beta" not in name and "gamma" not in name for name in names)
            self.exec_weight_decay = dynamic[0] or rows[0].decay > 0

    @property
    def unique(self) -> bool:
        """Whether the rows of sparse gradients are added up first, which they are anyway."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        check_bool("Optimizer", "unique", value)
        self._unique = value

    @property
    def target(self) -> str:
        """Where parameters are updated: "CPU", the only device."""
        return self._target

    @target.setter
    def target(self, value: str) -> None:
        check_instance("Optimizer", "target", value, str)
        if value != "CPU":
            raise ValueError(f"For 'Optimizer', 'target' must be 'CPU', the only device, but got {value!r}.")
        self._target = value

    def _checked(self, gradients: Any) -> Sequence[Any]:
        return groups.check_gradients(type(self).__name__, gradients, self._parameters)

    def flatten_gradients(self, gradients: Any) -> Any:
        """Gradients in the layout of the Parameters, which is theirs."""
        return gradients

    def decay_weight(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """Gradients with the weight decay times the parameters added.

        Args:
            gradients: Tensors of the parameters' shapes.
        """
        rows = zip(self._checked(gradients), self._parameters, self._decays())
        return tuple(_decayed(*row) for row in rows) if self.exec_weight_decay else tuple(gradients)

    def gradients_centralization(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """Gradients less their means over all axes but the first, in groups with "grad_centralization", where they have
        several axes, the second a multiple of 16 long.

        Args:
            gradients: Tensors of the parameters' shapes.
        """
        return tuple(_centred(*row) for row in zip(self._checked(gradients), self.grad_centralization_flags))

    def scale_grad(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """Gradients divided by the scale of the loss.

        Args:
            gradients: Tensors of the parameters' shapes.
        """
        return tuple(self._scaled(gradient) for gradient in self._checked(gradients))

    def _scaled(self, gradient: core.Tensor) -> Any:
        return gradient * _ops.cast(self.reciprocal_scale, gradient.dtype) if self.need_scale else gradient

    def _prepared(self, gradients: Sequence[Any], decays: Sequence[Any]) -> Iterator[Any]:
        """Gradients as most optimizers take them, each made when its parameter's turn comes."""
        for row in zip(gradients, self._parameters, decays, self.grad_centralization_flags):
            gradient, parameter, decay, centred = row
            yield self._scaled(_centred(_decayed(gradient, parameter, decay), centred))

    def get_weight_decay(self) -> Any:
        """The weight decay of the current step, a Tensor; in groups, a tuple of one for each parameter."""
        if not self.is_group:
            return self.weight_decay(self.global_step) if self.dynamic_weight_decay else self.weight_decay
        return tuple(
            decay(self.global_step) if dynamic else decay
            for decay, dynamic in zip(self.weight_decay, self.dynamic_decay_flags)
        )

    def _decays(self) -> tuple[Any, ...]:
        """The weight decay of each parameter, a Tensor without axes; None: it has none."""
        if not self.exec_weight_decay:
            return (None,) * self.param_length
        decays = self.get_weight_decay()
        values = decays if self.is_group else (decays,) * self.param_length
        return tuple(_ops.reshape(decay, ()) if flag else None for decay, flag in zip(values, self.decay_flags))

    def get_lr(self) -> Any:
        """The learning rate of the current step, a Tensor without axes; if groups have their own, a tuple of one for each
        parameter."""
        if not self.dynamic_lr:
            return self.learning_rate
        if not self.is_group_lr:
            return _ops.reshape(self.learning_rate(self.global_step), ())
        return tuple(_ops.reshape(rate(self.global_step), ()) for rate in self.learning_rate)

    def _rates(self) -> tuple[Any, ...]:
        """The learning rate of each parameter."""
        rates = self.get_lr()
        return tuple(rates) if self.is_group_lr else (rates,) * self.param_length

    def get_lr_parameter(self, param: Any) -> Any:
        """The learning rate of a Parameter, or a list of those of several: the Parameter that has it, or its schedule.

        Raises:
            TypeError: param is no Parameter, nor a list of them.
            ValueError: a Parameter is none of the optimizer's.
        """
        if isinstance(param, list):
            return [self.get_lr_parameter(item) for item in param]
        if not isinstance(param, core.Parameter):
            raise TypeError(f"For 'get_lr_parameter', 'param' must be a Parameter or a list of them, but got {type(param)}.")
        place = next((i for i, item in enumerate(self._parameters) if item is param), None)
        if place is None:
            raise ValueError(f"For 'get_lr_parameter', the Parameter '{param.name}' is none of the optimizer's.")
        rate = self.learning_rate[place] if self.is_group_lr else self.learning_rate
        return rate.learning_rate if isinstance(rate, (groups.ListedRate, groups.ConstantRate)) else rate

    def __repr__(self) -> str:
        from emberjit.nn.optim.description import described

        return described(self)

    def _repr_html_(self) -> str:
        from emberjit.printing import html

        return html.pre(repr(self))

    def construct(self, *hyper_params: Any) -> Any:
        """Updates the parameters; subclasses define it."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'construct' must be defined: it updates the parameters.")


class StepwiseOptimizer(Optimizer):
    """An optimizer that is a rule for one Parameter and its state. Subclasses make the state and define update(parameter,
    gradient, rate, *state), which writes them; a step of all Parameters is one graph."""

    update: Any
    _run: Any = None

    def state(self, name: str, init: Any = "zeros") -> ParameterTuple:
        """Parameters for the optimizer's state, one for each parameter, which update() gets in the order of these calls."""
        parameters = self.parameters.clone(name, init)
        self.__dict__.setdefault("_states", []).append(parameters)
        return parameters

    def idle(self, name: str) -> ParameterTuple:
        """State that no step reads or writes, for checkpoints that have it: zeros, without memory until they are written."""
        parameters = []
        for parameter in self.parameters:
            zeros = core.Parameter(core.Tensor(0, parameter.dtype), f"{name}.{parameter.name}")
            zeros._replace(_ops.broadcast_to(core.Tensor(0, parameter.dtype), tuple(parameter.shape)))
            parameters.append(zeros)
        self.__dict__.setdefault("_states", []).append(ParameterTuple(parameters))
        return ParameterTuple(parameters)

    def scalars(self, prefix: str, value: float) -> ParameterTuple:
        """State without axes, one number for each parameter."""
        parameters = ParameterTuple(
            core.Parameter(core.Tensor(value), prefix + parameter.name) for parameter in self.parameters
        )
        self.__dict__.setdefault("_states", []).append(parameters)
        return parameters

    def begin(self) -> None:
        """What a step does first, once the step is counted."""

    def _step(self, gradients: Any) -> bool:
        rates, decays = self._rates(), self._decays()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        self.begin()
        prepared = self._prepared(self._checked(gradients), decays)
        for operands in zip(self._parameters, prepared, rates, *self.__dict__.get("_states", ())):
            self.update(*operands)
        return True

    def construct(self, gradients: Any) -> bool:
        """Updates the parameters.

        Args:
            gradients: a tuple or list of Tensors, one for each parameter, of its shape.
        """
        if core.current_capture() is not None:
            return self._step(gradients)
        if self._run is None:
            self.__dict__["_run"] = jit(self._step)
        return bool(self._run(gradients))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_run": None}
