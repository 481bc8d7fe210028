"""Gradient descent: with momentum, averaged, by signs, by roots of mean squares, and with rates by layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.checks import check_bool, check_float, check_instance, check_number
from emberjit.functions.optimiser_rules import mint_rules, rules
from emberjit.nn.optim.optimizer import Optimizer, StepwiseOptimizer, opt_init_args_register
from emberjit.options import take

_ops = core.ops


class SGD(StepwiseOptimizer):
    """Stochastic gradient descent, with momentum where asked for: for gradients g, a = momentum * a + (1 - dampening) * g,
    in the first step g, and a parameter changes by -learning_rate * a.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        momentum: the part of itself that a keeps each step, a number that is not negative.
        dampening: the part of a gradient that is not accumulated after the first step, a number that is not negative.
        weight_decay: this times a parameter is added to its gradient (L2 penalty), a number that is not negative. Without
            groups, Parameters with "beta" or "gamma" in their names do not decay.
        nesterov: whether the step looks ahead, -learning_rate * (g + momentum * a); this needs a momentum and no dampening.
        loss_scale: gradients are divided by it, a positive float.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, or there are no parameters, or nesterov has not what it needs.
        KeyError: a group has an unknown option, or no "params".
        RuntimeError: a Parameter is in several groups.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.SGD([w], learning_rate=0.1, momentum=0.9)
        >>> gradients = ms.grad(lambda: (w ** 2).sum(), None, optimizer.parameters)
        >>> for _ in range(2):
        ...     done = optimizer(gradients())
        >>> print(w.asnumpy())
        [0.46 0.92]
    """

    @opt_init_args_register
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
        for argument, value in (("momentum", momentum), ("dampening", dampening)):
            check_number("SGD", argument, value)
            check_float("SGD", argument, float(value), 0)
        check_bool("SGD", "nesterov", nesterov)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                f"For 'SGD', 'nesterov' needs a positive 'momentum' and no 'dampening', but got {momentum} and {dampening}."
            )
        if self.dynamic_weight_decay:
            raise TypeError("For 'SGD', 'weight_decay' must be a number, but got a Cell.")
        self.dampening, self.nesterov, self.has_momentum = float(dampening), nesterov, momentum > 0
        self.momentum = core.Parameter(core.Tensor(float(momentum)), "momentum")
        self.accum = self.state("accum") if momentum > 0 else self.idle("accum")
        self.stat = self.state("stat", "ones") if momentum > 0 and dampening else self.idle("stat")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, accum: Tensor, stat: Tensor) -> None:
        """A step, which reads of the state what it needs."""
        if not self.has_momentum:
            rules.gradient_descent(parameter, rate, gradient)
        elif self.dampening:
            rules.stochastic_gradient_descent(parameter, gradient, rate, accum, self.momentum, stat, self.dampening)
        else:
            rules.momentum(parameter, accum, rate, gradient, self.momentum, self.nesterov)


class Momentum(StepwiseOptimizer):
    """Gradient descent with momentum (Sutskever et al., 2013): for gradients g, a = momentum * a + g, and a parameter
    changes by -learning_rate * a.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        momentum: the part of itself that a keeps each step, a float that is not negative.
        weight_decay: this times a parameter is added to its gradient (L2 penalty): a number that is not negative, or a Cell
            that gives it for a step. Without groups, Parameters with "beta" or "gamma" in their names do not decay.
        loss_scale: gradients are divided by it, a positive float.
        use_nesterov: whether the step looks ahead, -learning_rate * (g + momentum * a), which MindSpore 2.10 does not do on
            a CPU.

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
        >>> optimizer = nn.Momentum([w], learning_rate=0.1, momentum=0.9)
        >>> for _ in range(2):
        ...     done = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.855 2.29 ]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_float("Momentum", "momentum", momentum)
        check_float("Momentum", "momentum", momentum, 0)
        self.use_nesterov = check_bool("Momentum", "use_nesterov", use_nesterov)
        self.momentum = core.Parameter(core.Tensor(momentum), "momentum")
        self.params = self.parameters
        self.moments = self.state("moments")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, moment: Tensor) -> None:
        """A step of momentum."""
        rules.momentum(parameter, moment, rate, gradient, self.momentum, self.use_nesterov)


class RMSProp(StepwiseOptimizer):
    """RMSProp (Tieleman and Hinton, 2012): for gradients g, s = decay * s + (1 - decay) * g * g, s at first 1, a = momentum
    * a + learning_rate * g / sqrt(s + epsilon), and a parameter changes by -a.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        decay: the part of itself that s keeps each step, a float that is not negative.
        momentum: the part of itself that a keeps, a float that is not negative.
        epsilon: added to s, a positive float.
        use_locking: has no effect: the thread that asks for a step does it.
        centered: whether the square of the mean gradient is subtracted from s (Graves, 2013).
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
        >>> optimizer = nn.RMSProp([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.9480125 2.1      ]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_float("RMSProp", "decay", decay, 0)
        check_float("RMSProp", "momentum", momentum, 0)
        check_float("RMSProp", "epsilon", epsilon, above=0)
        take("Adam", "use_locking", use_locking)
        self.centered = check_bool("RMSProp", "centered", centered)
        self.decay, self.momentum, self.epsilon = decay, momentum, epsilon
        if centered:
            self.mg = self.state("mean_grad")
        self.ms = self.state("mean_square", "ones")
        self.moment = self.state("moment")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, *state: Tensor) -> None:
        """A step of RMSProp."""
        options = self.decay, self.momentum, self.epsilon
        if self.centered:
            mean, squares, moment = state
            rules.centered_rmsprop(parameter, mean, squares, moment, gradient, rate, *options)
        else:
            squares, moment = state
            rules.rmsprop(parameter, squares, moment, rate, gradient, *options)


class ASGD(StepwiseOptimizer):
    """Gradient descent with averages of the Parameters (Polyak and Juditsky, 1992), which its attribute ax holds: a
    parameter becomes parameter * (1 - lambd * rate) - rate * g, and after step t the rate is learning_rate / (1 + lambd *
    learning_rate * t) ** alpha.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: an int, a float or a Tensor without axes; or, to change from step to step, a list or Tensor of one
            rate for each step, or a LearningRateSchedule.
        lambd: how fast the rate decays, a float.
        alpha: the power of that decay, a float.
        t0: the step from which on Parameters are averaged, a float.
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
        >>> optimizer = nn.ASGD([w], learning_rate=0.1)
        >>> _ = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.94999   2.0999799]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        for argument, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            check_float("ASGD", argument, value)
        self.lambd, self.alpha, self.t0 = lambd, alpha, t0
        self.mu, self.eta = self.scalars("mu_", 1.0), self.scalars("eta_", 0.0)
        self.ax = self.state("ax_")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, mu: Tensor, eta: Tensor, mean: Tensor) -> None:
        """A step of averaged descent."""
        step = _ops.cast(_ops.reshape(self.global_step, ()), core.float32)
        mint_rules.averaged_descent(parameter, gradient, rate, step, mu, eta, mean, self.lambd, self.alpha, self.t0)


class Rprop(StepwiseOptimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993): each element moves against the sign of its gradient, by a size
    that grows while the sign stays and shrinks when it changes.

    Args:
        params: the Parameters to update, or groups of them: dicts with "params" and, optionally, "lr", "weight_decay" and
            "grad_centralization" of the group, as nn.Optimizer tells.
        learning_rate: the size of the first step: an int, a float or a Tensor without axes; or, to change from step to step,
            a list or Tensor of one rate for each step, or a LearningRateSchedule.
        etas: the factors of a size where the sign changed, within (0, 1), and where it stayed, above 1: a tuple of two
            floats.
        step_sizes: the least and the greatest size, a tuple of two floats.
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
        >>> optimizer = nn.Rprop([w], learning_rate=0.1)
        >>> for _ in range(2):
        ...     done = optimizer((Tensor([0.5, -1.0]),))
        >>> print(w.asnumpy())
        [0.78      2.2199998]
    """

    @opt_init_args_register
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        for argument, pair in (("etas", etas), ("step_sizes", step_sizes)):
            check_instance("Rprop", argument, pair, tuple)
            if len(pair) != 2:
                raise ValueError(f"For 'Rprop', '{argument}' must be a tuple of 2, but got {pair}.")
            for value in pair:
                check_float("Rprop", argument, value)
        check_float("Rprop", "etas[0]", etas[0], above=0.0, below=1.0)
        check_float("Rprop", "etas[1]", etas[1], above=1.0)
        check_float("Rprop", "step_sizes[1]", step_sizes[1], step_sizes[0])
        self.etaminus, self.etaplus = etas
        self.step_size_min, self.step_size_max = step_sizes
        self.prev, self.step_size = self.state("prev"), self.state("step_size")

    def update(self, parameter: Tensor, gradient: Tensor, rate: Any, prev: Tensor, size: Tensor) -> None:
        """A step by signs."""
        first = _ops.equal(_ops.reshape(self.global_step, ()), 1)
        etas, sizes = (self.etaminus, self.etaplus), (self.step_size_min, self.step_size_max)
        mint_rules.resilient(parameter, gradient, rate, first, prev, size, etas, sizes)


class LARS(StepwiseOptimizer):
    """Layer-wise adaptive rate scaling of the gradients that another optimizer gets (You, Gitman and Ginsburg, 2017):
    coefficient * |parameter| / (|g| + weight_decay * |parameter| + epsilon) * (g + weight_decay * parameter), with the
    other's weight decay, which becomes this one's.

    Args:
        optimizer: the Optimizer whose gradients are scaled.
        epsilon: added to the sum of norms, a float.
        coefficient: the rate of a layer is this times the norm of its weights by that of gradients, a float.
        use_clip: whether the rate is limited to the optimizer's.
        lars_filter: takes a Parameter and returns whether its gradient is scaled; by default those are not that have
            "LayerNorm" or "bias" in their names.

    Inputs:
        gradients: a tuple or list of a Tensor for each Parameter, of its shape.

    Returns:
        True; the Parameters are updated in place.

    Raises:
        TypeError: an argument has another type.
        ValueError: with use_clip, the optimizer has groups whose learning rates change from step to step.

    Examples:
        >>> w = Parameter(Tensor([3.0, 4.0]), name="w")
        >>> optimizer = nn.LARS(nn.SGD([w], learning_rate=1.0), coefficient=0.1)
        >>> _ = optimizer((Tensor([0.5, 0.0]),))
        >>> print(w.asnumpy())
        [2.50001 4.     ]
    """

    @opt_init_args_register
    def __init__(
        self,
        optimizer: Any,
        epsilon: float = 1e-5,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Callable[[Any], bool] = lambda x: "LayerNorm" not in x.name and "bias" not in x.name,
    ):
        super().__init__(0.0, [core.Parameter(core.Tensor(0.0), "fake_param")])
        check_instance("LARS", "optimizer", optimizer, Optimizer)
        check_float("LARS", "epsilon", epsilon)
        check_float("LARS", "coefficient", coefficient)
        check_bool("LARS", "use_clip", use_clip)
        if use_clip and optimizer.is_group_lr and optimizer.dynamic_lr:
            raise ValueError(
                "For 'LARS', 'use_clip' must be False where groups have learning rates that change, but got True."
            )
        self.learning_rate = core.Parameter(core.Tensor(0.0), "fake_lr")
        self.opt, self.epsilon, self.coefficient, self.use_clip = optimizer, epsilon, coefficient, use_clip
        self._set_parameters(list(optimizer.parameters))
        self.global_step = optimizer.global_step
        self.lars_flag = tuple(bool(lars_filter(parameter)) for parameter in self.parameters)
        for name in ("is_group", "dynamic_weight_decay", "dynamic_decay_flags", "weight_decay", "decay_flags"):
            setattr(self, name, getattr(optimizer, name))
        for name in ("exec_weight_decay", "reciprocal_scale", "need_scale", "loss_scale"):
            setattr(self, name, getattr(optimizer, name))
        optimizer.decay_flags = (False,) * optimizer.param_length
        optimizer.dynamic_weight_decay = optimizer.exec_weight_decay = optimizer.need_scale = False

    def _step(self, gradients: Any) -> bool:
        rates = self.opt._rates() if self.use_clip else (self.learning_rate,) * self.param_length
        scaled = []
        rows = zip(self.parameters, self.scale_grad(gradients), rates, self._decays(), self.lars_flag)
        for parameter, gradient, rate, decay, flag in rows:
            if flag:
                of_weight, of_gradient = (_ops.sum(_ops.square(tensor)) for tensor in (parameter, gradient))
                used = 0.0 if decay is None else decay / self.loss_scale
                options = self.epsilon, self.coefficient, self.use_clip
                gradient = rules.lars(parameter, gradient, of_weight, of_gradient, used, rate, *options)
            scaled.append(gradient)
        return bool(self.opt(tuple(scaled)))
