"""Adam and its relatives."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.checks import check_bool, check_float
from emberjit.functions.optimiser_rules import adam_rules
from emberjit.nn.optim.optimizer import StepwiseOptimizer, opt_init_args_register
from emberjit.options import take, take_all

_ops = core.ops


def check_decays(optimizer: str, beta1: Any, beta2: Any, eps: Any) -> None:
    """The parts of themselves that moments retain, and what is added to a root."""
    for argument, beta in (("beta1", beta1), ("beta2", beta2)):
        check_float(optimizer, argument, beta, above=0.0, below=1.0)
    check_float(optimizer, "eps", eps, above=0)


class _Adam(StepwiseOptimizer):
    power_shape: tuple[int, ...] = (1,)

    def _init(self, betas: tuple[float, float], eps: float, use_locking: bool, use_nesterov: bool) -> None:
        name = type(self).__name__
        check_decays(name, *betas, eps)
        check_bool(name, "use_nesterov", use_nesterov)
        take("Adam", "use_locking", use_locking)
        self.beta1, self.beta2 = (core.Tensor(beta, core.float32) for beta in betas)
        self.eps = core.Tensor(eps, core.float32)
        self.use_locking, self.use_nesterov = use_locking, use_nesterov
        for i in (1, 2):
            ones = _ops.ones(self.power_shape, core.float32)
            setattr(self, f"beta{i}_power", core.Parameter(ones, f"beta{i}_power"))
        self.moment1, self.moment2 = self.state("moment1"), self.state("moment2")

    def begin(self) -> None:
        """The powers of the decays."""
        for power, beta in ((self.beta1_power, self.beta1), (self.beta2_power, self.beta2)):
            _ops.assign(power, power * beta)

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, m: Tensor, v: Tensor) -> None:
        """A step of Adam."""
        power1, power2 = (_ops.reshape(power, ()) for power in (self.beta1_power, self.beta2_power))
        betas = self.beta1, self.beta2
        adam_rules.adam(parameter, m, v, power1, power2, rate, *betas, self.eps, gradient, use_nesterov=self.use_nesterov)


class Adam(_Adam):
    """Adam (Kingma and Ba, 2015): for gradients g, m = beta1 * m + (1 - beta1) * g, v = beta2 * v + (1 - beta2) * g * g, and
    in step t a parameter changes by -learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t) * m / (sqrt(v) + eps).

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        beta1, beta2: the parts of themselves that the moments m and v keep each step, floats within (0, 1).
        eps: added to the root of v, a positive float.
        use_locking: has no effect: the thread that asks for a step does it.
        use_nesterov: whether the step looks ahead (Dozat, 2016).
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.
        loss_scale: gradients are divided by it, a positive float.
        use_amsgrad: whether the greatest v so far takes the place of v (Reddi, Kale and Kumar, 2018).
        kwargs: use_lazy and use_offload, bools, which have no effect: gradients are dense, and the CPU updates Parameters.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters, or more than one of use_amsgrad, use_lazy and
            use_offload is True.
        KeyError: a group has an unknown option, or no "params"; or kwargs have another name.
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.Adam([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.90000004 2.1       ]
    """

    power_shape = ()

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        **kwargs: Any,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        unknown = [name for name in kwargs if name not in ("use_lazy", "use_offload")]
        if unknown:
            raise KeyError(f"For 'Adam', unknown arguments {unknown}; further ones are 'use_lazy' and 'use_offload'.")
        take_all("Adam", kwargs)
        check_bool("Adam", "use_amsgrad", use_amsgrad)
        others = [name for name in ("use_lazy", "use_offload") if kwargs.get(name)]
        if len(others) + use_amsgrad > 1:
            raise ValueError(
                f"For 'Adam', only one of 'use_amsgrad', 'use_lazy' and 'use_offload' can be True, but got {others}."
            )
        self._init((beta1, beta2), eps, use_locking, use_nesterov)
        self.use_amsgrad = use_amsgrad
        self.use_lazy, self.use_offload = kwargs.get("use_lazy", False), kwargs.get("use_offload", False)
        if use_amsgrad:
            self.vhat = self.state("vhat")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, m: Tensor, v: Tensor, *largest: Tensor) -> None:
        """A step of Adam, or AMSGrad."""
        if not self.use_amsgrad:
            super().update(parameter, gradient, rate, m, v)
            return
        powers = self.beta1_power, self.beta2_power
        adam_rules.amsgrad(parameter, m, v, largest[0], *powers, rate, gradient, self.beta1, self.beta2, self.eps)


class _PlainAdam(_Adam):
    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._init((beta1, beta2), eps, use_locking, use_nesterov)


class AdamOffload(_PlainAdam):
    """Adam (Kingma and Ba, 2015), under the name that it has for steps on the CPU of other devices; formulas as of nn.Adam.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        beta1, beta2: the parts of themselves that the moments m and v keep each step, floats within (0, 1).
        eps: added to the root of v, a positive float.
        use_locking: has no effect: the thread that asks for a step does it.
        use_nesterov: whether the step looks ahead (Dozat, 2016).
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
        >>> optimizer = nn.AdamOffload([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.90000004 2.1       ]
    """


class LazyAdam(_PlainAdam):
    """Adam (Kingma and Ba, 2015), which of sparse gradients would update their rows alone: gradients are dense, and all
    elements are updated; formulas as of nn.Adam.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        beta1, beta2: the parts of themselves that the moments m and v keep each step, floats within (0, 1).
        eps: added to the root of v, a positive float.
        use_locking: has no effect: the thread that asks for a step does it.
        use_nesterov: whether the step looks ahead (Dozat, 2016).
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
        >>> optimizer = nn.LazyAdam([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.90000004 2.1       ]
    """


class AdamWeightDecay(StepwiseOptimizer):
    """Adam whose weight decay is not part of the gradient (Loshchilov and Hutter, 2019), without correction of the moments'
    bias, as MindSpore has it: a parameter changes by -learning_rate * (m / (sqrt(v) + eps) + weight_decay * parameter).

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        beta1, beta2: the parts of themselves that the moments m and v keep each step, floats within (0, 1).
        eps: added to the root of v, a positive float.
        weight_decay: the part of a parameter that a step of rate 1 takes away: a number that is not negative, or a Cell that
            gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.

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
        >>> optimizer = nn.AdamWeightDecay([w], learning_rate=0.1, weight_decay=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.6737901 2.2962198]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        check_decays("AdamWeightDecay", beta1, beta2, eps)
        self.beta1, self.beta2 = (core.Tensor(beta, core.float32) for beta in (beta1, beta2))
        self.eps = core.Tensor(eps, core.float32)
        self.moments1, self.moments2 = self.state("adam_m"), self.state("adam_v")

    def _step(self, gradients: Any) -> bool:
        rates, decays = self._rates(), self._decays()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        options = self.beta1, self.beta2, self.eps
        rows = zip(self._parameters, self.moments1, self.moments2, rates, decays, self._checked(gradients))
        for parameter, m, v, rate, decay, gradient in rows:
            used = 0.0 if decay is None else decay
            adam_rules.adam_with_weight_decay(parameter, m, v, rate, *options, used, gradient)
        return True
