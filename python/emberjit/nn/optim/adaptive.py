"""Optimizers whose rates follow from the gradients of each element, and of each layer."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.checks import check_bool, check_float, check_instance
from emberjit.functions.optimiser_rules import adam_rules, mint_rules, rules
from emberjit.functions.optimiser_rules.adafactor import adafactor
from emberjit.nn.optim.adam import check_decays
from emberjit.nn.optim.optimizer import StepwiseOptimizer, opt_init_args_register
from emberjit.options import take
from emberjit.tensors.parameter import ParameterTuple

_ops = core.ops


class Adagrad(StepwiseOptimizer):
    """Adagrad (Duchi, Hazan and Singer, 2011): for gradients g, s = s + g * g, and a parameter changes by -learning_rate * g
    / sqrt(s).

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        accum: what the sums s begin with, a float that is not negative.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        update_slots: whether the sums grow.
        loss_scale: gradients are divided by it, a positive float.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.Adagrad([w], accum=0.0, learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.9 2.1]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_float("Adagrad", "accum", accum, 0)
        self.update_slots = check_bool("Adagrad", "update_slots", update_slots)
        self.accum = self.state("accum", accum)

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, accum: Tensor) -> None:
        """A step of Adagrad."""
        rules.adagrad(parameter, accum, rate, gradient, self.update_slots)


class ProximalAdagrad(StepwiseOptimizer):
    """Adagrad with L1 and L2 regularisation by proximal steps (Duchi and Singer, 2009): with r = learning_rate / sqrt(s) and
    q = parameter - r * g a parameter becomes sign(q) * max(|q| - r * l1, 0) / (1 + r * l2).

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        accum: what the sums s of squared gradients begin with, a float that is not negative.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        l1, l2: the regularisation, floats that are not negative.
        use_locking: has no effect: the thread that asks for a step does it.
        loss_scale: gradients are divided by it, a positive float.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.ProximalAdagrad([w], accum=0.0, learning_rate=0.1, l1=0.5)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.79999995 2.05      ]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        for argument, value in (("accum", accum), ("l1", l1), ("l2", l2)):
            check_float("ProximalAdagrad", argument, value, 0)
        take("Adam", "use_locking", use_locking)
        self.l1, self.l2 = core.Tensor(l1, core.float32), core.Tensor(l2, core.float32)
        self.accum = self.state("accum", accum)

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, accum: Tensor) -> None:
        """A step of proximal Adagrad."""
        rules.proximal_adagrad(parameter, accum, rate, self.l1, self.l2, gradient)


class FTRL(StepwiseOptimizer):
    """Follow the regularised leader (McMahan et al., 2013), whose L1 regularisation makes Parameters exactly 0.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells, but without "lr".
        initial_accum: what the sums of squared gradients begin with, a float that is not negative.
        learning_rate: a positive float.
        lr_power: the power of the sums in the rate, a float that is not positive.
        l1, l2: the regularisation, floats that are not negative.
        use_locking: has no effect: the thread that asks for a step does it.
        loss_scale: gradients are divided by it, a positive float.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters, or the learning rate changes, or is a group's.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.FTRL([w], learning_rate=0.1, l1=1.0)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.21193126 1.3969773 ]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        initial_accum: float = 0.1,
        learning_rate: float = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError(
                f"For 'FTRL', 'learning_rate' must be one float for all steps and groups, but got {learning_rate}."
            )
        for argument, value in (("initial_accum", initial_accum), ("l1", l1), ("l2", l2)):
            check_float("FTRL", argument, value, 0)
        check_float("FTRL", "learning_rate", learning_rate, above=0)
        check_float("FTRL", "lr_power", lr_power, most=0.0)
        take("Adam", "use_locking", use_locking)
        self.l1, self.l2, self.lr, self.lr_power = l1, l2, learning_rate, lr_power
        self.moments, self.linear = self.state("moments", initial_accum), self.state("linear")
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, moment: Tensor, linear: Tensor) -> None:
        """A step of FTRL."""
        rules.ftrl(parameter, moment, linear, gradient, rate, self.l1, self.l2, self.lr_power)


class Adadelta(StepwiseOptimizer):
    """Adadelta (Zeiler, 2012): for gradients g, s = rho * s + (1 - rho) * g * g, u = sqrt(d + epsilon) / sqrt(s + epsilon) *
    g, d = rho * d + (1 - rho) * u * u, and a parameter changes by -learning_rate * u.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        rho: the part of themselves that the means s and d keep each step, a float within [0, 1].
        epsilon: added to both means, a float that is not negative.
        loss_scale: gradients are divided by it, a positive float.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.Adadelta([w], learning_rate=1.0, epsilon=0.01)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.73273873 2.3015113 ]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check_float("Adadelta", "rho", rho, 0.0, 1.0)
        self.epsilon = check_float("Adadelta", "epsilon", epsilon, 0)
        self.accum, self.accum_update = self.state("accum"), self.state("accum_update")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, accum: Tensor, accum_update: Tensor) -> None:
        """A step of Adadelta."""
        rules.adadelta(parameter, accum, accum_update, rate, self.rho, self.epsilon, gradient)


class AdaMax(StepwiseOptimizer):
    """Adam with the greatest gradient in place of the second moment (Kingma and Ba, 2015): m = beta1 * m + (1 - beta1) * g,
    v = max(beta2 * v, |g|), and in step t a parameter changes by -learning_rate / (1 - beta1 ** t) * m / (v + eps).

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        beta1, beta2: the parts of themselves that the moments m and v keep each step, floats within (0, 1).
        eps: added to v, a positive float.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.
        loss_scale: gradients are divided by it, a positive float.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.AdaMax([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.9 2.1]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_decays("AdaMax", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = (core.Tensor(value, core.float32) for value in (beta1, beta2, eps))
        self.beta1_power = core.Parameter(core.Tensor([1.0]), "beta1_power")
        self.moment1, self.moment2 = self.state("moment1"), self.state("moment2")

    def begin(self) -> None:
        """The power of the decay."""
        _ops.assign(self.beta1_power, self.beta1_power * self.beta1)

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, m: Tensor, v: Tensor) -> None:
        """A step of AdaMax."""
        power = _ops.reshape(self.beta1_power, ())
        adam_rules.adamax(parameter, m, v, power, rate, self.beta1, self.beta2, self.eps, gradient)


class Lamb(StepwiseOptimizer):
    """Adam with rates by layer, for large batches (You et al., 2020): a parameter changes by -learning_rate * |parameter| /
    |s| * s, where s is Adam's step plus weight_decay * parameter.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        beta1, beta2: the parts of themselves that the moments m and v keep each step, floats within (0, 1).
        eps: added to the root of v, a positive float.
        weight_decay: the part of a parameter in s: a number that is not negative, or a Cell that gives it for a step.
            Without groups, Parameters with "beta" or "gamma" in their names do not decay.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.Lamb([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.8418862 2.158114 ]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        check_decays("Lamb", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = (core.Tensor(value, core.float32) for value in (beta1, beta2, eps))
        self.params = self.parameters
        self.moments1, self.moments2 = self.state("lamb_m"), self.state("lamb_v")

    def _step(self, gradients: Any) -> bool:
        rates, decays = self._rates(), self._decays()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        step = _ops.cast(_ops.reshape(self.global_step, ()), core.float32)
        centred = self.gradients_centralization(gradients)
        options = self.beta1, self.beta2, self.eps
        rows = zip(self.parameters, self.moments1, self.moments2, rates, decays, centred)
        for parameter, m, v, rate, decay, gradient in rows:
            mint_rules.lamb(parameter, m, v, rate, *options, 0.0 if decay is None else decay, step, gradient)
        return True


class AdaFactor(StepwiseOptimizer):
    """Adam whose second moments are kept by rows and columns, which takes less memory (Shazeer and Stern, 2018).

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: as of nn.Optimizer, with relative_step False; None: min(0.01, 1 / sqrt(step)), which relative_step
            asks for.
        eps: two floats that are not negative: what is added to squares of gradients, and the least scale of a parameter.
        clip_threshold: the root mean square that a change may have, a float that is not negative.
        decay_rate: second moments keep 1 - step ** -decay_rate of themselves, a float within (0, 1).
        beta1: the part of itself that the mean of changes keeps, a number that is not negative; None or 0: there is none.
        weight_decay: the part of a parameter that a step of rate 1 takes away, a float within [0, 1).
        scale_parameter: whether the rate is multiplied by the root mean square of the parameter.
        relative_step: whether the rate follows from the step.
        warmup_init: whether that rate is at most 1e-6 * step.
        compression: whether the second moments of vectors are kept in float16.
        loss_scale: gradients are divided by it, a positive float.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters, or relative_step does not go with learning_rate
            or warmup_init.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.AdaFactor([w], learning_rate=0.1, beta1=None, relative_step=False, scale_parameter=False)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.9 2.1]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float | None = 0.9,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ):
        if (learning_rate is None) != bool(relative_step):
            raise ValueError(
                f"For 'AdaFactor', 'learning_rate' must be None where 'relative_step' is True, and a rate where not, but "
                f"got {learning_rate!r} and {relative_step}."
            )
        if warmup_init and not relative_step:
            raise ValueError("For 'AdaFactor', 'warmup_init' needs 'relative_step', but that is False.")
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        self._check(eps, clip_threshold, decay_rate, beta1, weight_decay)
        flags = {"scale_parameter": scale_parameter, "relative_step": relative_step, "warmup_init": warmup_init}
        for argument, value in {**flags, "compression": compression}.items():
            setattr(self, argument, check_bool("AdaFactor", argument, value))
        if not isinstance(learning_rate, (int, float, type(None))):
            self.scale_parameter = False
        self.eps, self.clip_threshold, self.decay_rate = tuple(eps), clip_threshold, decay_rate
        self.beta1, self.weight_decay = float(beta1 or 0.0), core.Tensor(weight_decay, core.float32)
        self.weight_decay_flag, self.use_first_moment = bool(weight_decay), bool(beta1)
        self._make_state()
        self.step = core.Parameter(core.Tensor([0.0]), "afactor_step")

    @staticmethod
    def _check(eps: Any, clip_threshold: Any, decay_rate: Any, beta1: Any, weight_decay: Any) -> None:
        check_instance("AdaFactor", "eps", eps, (list, tuple))
        if len(eps) != 2:
            raise ValueError(f"For 'AdaFactor', 'eps' must have 2 values, but got {eps}.")
        for i, value in enumerate(eps):
            check_float("AdaFactor", f"eps[{i}]", value, 0)
        check_float("AdaFactor", "clip_threshold", clip_threshold, 0)
        check_float("AdaFactor", "decay_rate", decay_rate, above=0, below=1)
        check_float("AdaFactor", "weight_decay", weight_decay, 0, below=1)
        check_float("AdaFactor", "beta1", float(beta1 or 0.0), 0)

    def _make_state(self) -> None:
        def zeros(name: str, parameter: Tensor, shape: Any, dtype: Any = None) -> Any:
            return core.Parameter(_ops.zeros(tuple(shape), dtype or parameter.dtype), f"{name}_{parameter.name}")

        if self.use_first_moment:
            self.exp_avg = self.parameters.clone("exp_avg", "zeros")
        else:
            self.exp_avg = ParameterTuple([core.Parameter(core.Tensor(0.0), "exp_avg")] * self.param_length)
        rows, columns, whole = [], [], []
        for parameter in self.parameters:
            shape, matrix = tuple(parameter.shape), parameter.ndim > 1
            rows.append(zeros("exp_avg_sq_row", parameter, shape[:-1] if matrix else (1,)))
            columns.append(zeros("exp_avg_sq_col", parameter, shape[:-2] + shape[-1:] if matrix else (1,)))
            kept = core.float16 if self.compression and not matrix else None
            whole.append(zeros("exp_avg_sq", parameter, (1,) if matrix else shape, kept))
        self.exp_avg_sq_row, self.exp_avg_sq_col = ParameterTuple(rows), ParameterTuple(columns)
        self.exp_avg_sq = ParameterTuple(whole)
        self._states = [self.exp_avg, self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq]

    @property
    def supports_memory_efficient_fp16(self) -> bool:
        """True."""
        return True

    @property
    def supports_flat_params(self) -> bool:
        """False."""
        return False

    def _rates(self) -> tuple[Any, ...]:
        if not self.relative_step:
            return super()._rates()
        step = _ops.reshape(self.step, ()) + 1.0
        most = 1e-6 * step if self.warmup_init else 0.01
        return (_ops.minimum(1.0 / _ops.sqrt(step), most),) * self.param_length

    def _decays(self) -> tuple[Any, ...]:
        return (None,) * self.param_length

    def _scaled(self, gradient: Tensor) -> Any:
        return gradient

    def begin(self) -> None:
        """Counts the step."""
        _ops.assign(self.step, self.step + 1.0)

    def update(
        self, parameter: Tensor, gradient: Tensor, rate: Any, mean: Tensor, row: Tensor, column: Tensor, whole: Tensor
    ) -> None:
        """A step of Adafactor."""
        beta2 = 1.0 - _ops.pow(_ops.reshape(self.step, ()), -self.decay_rate)
        decays = self.beta1, beta2, self.weight_decay
        flags = self.scale_parameter, self.use_first_moment, self.weight_decay_flag
        adafactor(self.eps, self.clip_threshold, *decays, rate, gradient, parameter, mean, row, column, whole, 1.0, *flags)
