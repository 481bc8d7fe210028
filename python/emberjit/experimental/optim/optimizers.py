"""The optimizers with options by group."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.experimental.optim.optimizer import ANY, BELOW_ONE, NOT_NEGATIVE, POSITIVE, UNIT, GroupOptimizer, check_option
from emberjit.functions.optimiser_rules import mint_rules, rules

_COMMON = """{meaning}

    Args:
        params: a list of Parameters, or of groups of them: dicts with "params" and the options of these alone, by the names
            of the arguments after it.
        lr: the learning rate, a number or a Tensor without axes, {rate}.{options}
        weight_decay: {decay}, a number that is not negative.{further}

    Inputs:
        gradients (a tuple or list of Tensors): one of each parameter, of its shape. The call writes the parameters, and
        gives True.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, params is empty, or a Parameter is in several groups.

    Examples:
        >>> from emberjit.experimental import optim
        >>> weight = Parameter(Tensor([1.0, 2.0]), "weight")
        >>> optimizer = optim.{call}
        >>> optimizer([Tensor([0.5, -4.0])])
        True
        >>> print(weight.value())
        {result}
    """
_MAXIMIZE = """
        maximize: whether the parameters follow the gradients up."""
_BETAS = """
        betas: the parts of themselves that the moments retain each step, two numbers within [0, 1).
        eps: added to what is divided by, a number, {}."""
_AMSGRAD = """
        amsgrad: whether the greatest second moment so far is divided by (Reddi, Kale and Kumar, 2018)."""
_L2 = "added to the gradient times the parameter"


def described(
    meaning: str,
    call: str,
    result: str,
    options: str = _BETAS.format("positive"),
    decay: str = _L2,
    further: str = _MAXIMIZE,
    rate: str = "positive",
) -> str:
    """A docstring, with an example: the call that makes the optimizer, and what one step of it gives."""
    return _COMMON.format(
        meaning=meaning, call=call, result=result, options=options, decay=decay, further=further, rate=rate
    )


class Adam(GroupOptimizer):
    __doc__ = described(
        "Adam: steps by the mean gradient over the root of the mean square, both corrected for their beginning with zeros\n"
        "    (Kingma and Ba, 2015).",
        "Adam([weight], lr=0.1)",
        "[0.90000004 2.1       ]",
        _BETAS.format("not negative"),
        further=_AMSGRAD + _MAXIMIZE,
        rate="not negative",
    )
    ranges = {"eps": NOT_NEGATIVE, "betas": BELOW_ONE}
    states = dict.fromkeys(("exp_avg", "exp_avg_sq", "max_exp_avg_sq"), "zeros")
    step_name = "state_step"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        options = {"betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        super().__init__(params, lr=lr, **options)

    def update(
        self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, m: Any, v: Any, largest: Any
    ) -> None:
        """A step of Adam."""
        decay = group["weight_decay"] if self.decoupled else 0.0
        options = rate, step, group["betas"], group["eps"], decay
        mint_rules.adam(parameter, gradient, m, v, largest if group["amsgrad"] else None, *options)


class AdamW(Adam):
    __doc__ = described(
        "Adam whose weight decay is no part of the gradient (Loshchilov and Hutter, 2019).",
        "AdamW([weight], lr=0.1, weight_decay=0.5)",
        "[0.85 2.  ]",
        _BETAS.format("not negative"),
        "the part of a parameter that a step of rate 1 takes away",
        _AMSGRAD + _MAXIMIZE,
        "not negative",
    )
    decoupled = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class Adamax(GroupOptimizer):
    __doc__ = described(
        "Adam with the greatest gradient in place of the second moment (Kingma and Ba, 2015).",
        "Adamax([weight], lr=0.1)",
        "[0.9 2.1]",
    )
    ranges = {"lr": POSITIVE, "eps": POSITIVE, "betas": BELOW_ONE}
    states = dict.fromkeys(("exp_avg", "exp_inf"), "zeros")
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize)

    def update(self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, m: Any, v: Any) -> None:
        """A step of AdaMax."""
        mint_rules.adamax(parameter, gradient, m, v, rate, step, group["betas"], group["eps"])


class NAdam(GroupOptimizer):
    __doc__ = described(
        "Adam that looks ahead: with Nesterov's momentum (Dozat, 2016).",
        "NAdam([weight], lr=0.1)",
        "[0.8943548 2.1056452]",
        further="""
        momentum_decay: how fast the first of betas is approached, a number that is not negative.""",
    )
    ranges = {"lr": POSITIVE, "eps": POSITIVE, "betas": BELOW_ONE, "momentum_decay": NOT_NEGATIVE}
    states = dict.fromkeys(("exp_avg", "exp_avg_sq"), "zeros")
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
    ):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        self.mu_product = self.scalars("mu_product_", 1.0)

    def update(
        self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, m: Any, v: Any, product: Any
    ) -> None:
        """A step of NAdam."""
        options = rate, step, group["betas"], group["eps"], group["momentum_decay"]
        mint_rules.nadam(parameter, gradient, m, v, product, *options)


class RAdam(GroupOptimizer):
    __doc__ = described(
        "Adam with rectified rates: the second moment is used when its variance can be told (Liu et al., 2020).",
        "RAdam([weight], lr=0.1)",
        "[0.95 2.4 ]",
        further="",
    )
    ranges = {"lr": POSITIVE, "eps": POSITIVE, "betas": BELOW_ONE}
    states = dict.fromkeys(("exp_avg", "exp_avg_sq"), "zeros")
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def update(self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, m: Any, v: Any) -> None:
        """A step of RAdam."""
        mint_rules.radam(parameter, gradient, m, v, rate, step, group["betas"], group["eps"])


class Adadelta(GroupOptimizer):
    __doc__ = described(
        "Steps by the roots of mean squares of the steps before, over those of gradients (Zeiler, 2012).",
        "Adadelta([weight], lr=100.0)",
        "[0.6837785 2.3162277]",
        """
        rho: the part of itself that a mean retains each step, a number within [0, 1].
        eps: added to mean squares, a positive number.""",
    )
    ranges = {"lr": POSITIVE, "eps": POSITIVE, "rho": UNIT}
    states = dict.fromkeys(("accum", "accum_update"), "zeros")

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ):
        super().__init__(params, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize)

    def update(
        self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, accum: Any, accum_update: Any
    ) -> None:
        """A step of Adadelta."""
        rules.adadelta(parameter, accum, accum_update, rate, group["rho"], group["eps"], gradient)


class Adagrad(GroupOptimizer):
    __doc__ = described(
        "Rates by the roots of sums of squared gradients (Duchi, Hazan and Singer, 2011).",
        "Adagrad([weight], lr=0.1)",
        "[0.9 2.1]",
        """
        lr_decay: the rate is divided by 1 + lr_decay * (step - 1), a number that is not negative.""",
        further="""
        initial_accumulator_value: what the sums begin with, a number that is not negative.
        eps: added to the root, a positive number."""
        + _MAXIMIZE,
    )
    ranges = {"lr": POSITIVE, "eps": POSITIVE, "lr_decay": NOT_NEGATIVE, "initial_accumulator_value": NOT_NEGATIVE}
    states = {"accum": "initial_accumulator_value"}
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ):
        options = {"initial_accumulator_value": initial_accumulator_value, "eps": eps, "maximize": maximize}
        super().__init__(params, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, **options)

    def update(self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, accum: Any) -> None:
        """A step of Adagrad."""
        decayed = rate / core.ops.cast((step - 1.0) * group["lr_decay"] + 1.0, core.float32)
        rules.adagrad_with_epsilon(parameter, accum, decayed, gradient, group["eps"])


class ASGD(GroupOptimizer):
    __doc__ = described(
        "Gradient descent with averages of the parameters (Polyak and Juditsky, 1992), which `ax` holds.",
        "ASGD([weight], lr=0.1)",
        "[0.94999 2.39998]",
        """
        lambd: how fast the rate decays, a float.
        alpha: the power of that decay, a number.
        t0: the step from which on parameters are averaged, a float.""",
    )
    ranges = {"lr": POSITIVE, "lambd": ANY, "alpha": ANY, "t0": ANY}
    states = {"ax": "zeros"}
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ):
        options = {"lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, lr=lr, **options)
        self.mu, self.eta = self.scalars("mu_", 1.0), self.scalars("eta_", 0.0)

    def update(
        self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, mean: Any, mu: Any, eta: Any
    ) -> None:
        """A step of averaged descent."""
        options = group["lambd"], group["alpha"], group["t0"]
        mint_rules.averaged_descent(parameter, gradient, rate, step, mu, eta, mean, *options)


class RMSprop(GroupOptimizer):
    __doc__ = described(
        "Rates by the roots of mean squares of gradients (Hinton, 2012).",
        "RMSprop([weight], lr=0.01)",
        "[0.90000004 2.1       ]",
        """
        alpha: the part of itself that a mean retains each step, a number that is not negative.
        eps: added to the root, a positive number.""",
        further="""
        momentum: the part of itself that the step retains, a number that is not negative.
        centered: whether the square of the mean gradient is taken from the mean square."""
        + _MAXIMIZE,
    )
    ranges = {"lr": POSITIVE, "alpha": NOT_NEGATIVE, "eps": POSITIVE, "momentum": NOT_NEGATIVE}
    states = dict.fromkeys(("mean_grad", "mean_square", "moment"), "zeros")

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        maximize: bool = False,
    ):
        options = {"momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        super().__init__(params, lr=lr, **options, weight_decay=weight_decay, maximize=maximize)

    def update(
        self,
        group: dict[str, Any],
        step: Any,
        parameter: Any,
        gradient: Any,
        rate: Any,
        mean: Any,
        squares: Any,
        moment: Any,
    ) -> None:
        """A step of RMSprop."""
        options = group["alpha"], group["eps"], group["momentum"], group["centered"]
        mint_rules.rmsprop(parameter, gradient, mean, squares, moment, rate, *options)


class Rprop(GroupOptimizer):
    """Resilient backpropagation: the sign of a gradient says where to, and whether it changed how far (Riedmiller and Braun,
    1993).

    Args:
        params: a list of Parameters, or of groups of them: dicts with "params" and the options of these alone, by the names
            of the arguments after it.
        lr: the first step's size, a positive number or a Tensor without axes.
        etas: the factors of a size where the sign changed, within (0, 1), and where not, above 1.
        step_sizes: the least and the greatest size, two numbers.
        maximize: whether the parameters follow the gradients up.

    Inputs:
        gradients (a tuple or list of Tensors): one of each parameter, of its shape. The call writes the parameters, and
        gives True.

    Raises:
        TypeError: an argument has another type.
        ValueError: a number is out of its range, params is empty, or a Parameter is in several groups.

    Examples:
        >>> from emberjit.experimental import optim
        >>> weight = Parameter(Tensor([1.0, 2.0]), "weight")
        >>> optimizer = optim.Rprop([weight], lr=0.1)
        >>> optimizer([Tensor([0.5, -4.0])])
        True
        >>> print(weight.value())
        [0.9 2.1]
    """

    ranges = {"lr": POSITIVE, "step_sizes": ANY}
    states = dict.fromkeys(("prev", "step_size"), "zeros")
    step_name = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ):
        check_option("Rprop", "etas[0]", etas[0], {"above": 0, "below": 1})
        check_option("Rprop", "etas[1]", etas[1], {"above": 1})
        super().__init__(params, lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize)

    def update(
        self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, prev: Any, size: Any
    ) -> None:
        """A step by signs."""
        first = core.ops.equal(step, 1)
        mint_rules.resilient(parameter, gradient, rate, first, prev, size, group["etas"], group["step_sizes"])


def check_nesterov(optimizer: str, momentum: Any, dampening: Any, nesterov: Any) -> None:
    """Nesterov's momentum is one, and is not dampened."""
    check_option(optimizer, "momentum", momentum, NOT_NEGATIVE)
    check_option(optimizer, "dampening", dampening, ANY)
    if nesterov and (momentum <= 0 or dampening != 0):
        raise ValueError(
            f"For '{optimizer}', 'nesterov' needs a positive 'momentum' and no 'dampening', but got {momentum}, {dampening}."
        )


class SGD(GroupOptimizer):
    __doc__ = described(
        "Stochastic gradient descent, with momentum where asked for (Polyak, 1964; Nesterov, 1983).",
        "SGD([weight], lr=0.1, momentum=0.9)",
        "[0.95 2.4 ]",
        """
        momentum: the part of itself that the accumulated gradient retains each step, a number that is not negative.
        dampening: the part of a gradient that is not accumulated after the first step, a number.""",
        further="""
        nesterov: whether the step looks ahead; this needs a momentum and no dampening."""
        + _MAXIMIZE,
        rate="not negative",
    )
    ranges = {"momentum": NOT_NEGATIVE, "dampening": ANY}
    states = {"accum": "zeros", "stat": "ones"}

    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ):
        check_nesterov("SGD", momentum, dampening, nesterov)
        if not dampening and "stat" in self.states:
            self.states = {"accum": "zeros", "stat": "zeros"}
        options = {"momentum": float(momentum), "dampening": float(dampening), "nesterov": nesterov, "maximize": maximize}
        super().__init__(params, lr=lr, weight_decay=weight_decay, **options)

    def update(
        self, group: dict[str, Any], step: Any, parameter: Any, gradient: Any, rate: Any, accum: Any, stat: Any
    ) -> None:
        """A step of descent."""
        momentum, dampening = group["momentum"], group["dampening"]
        if not momentum:
            rules.gradient_descent(parameter, rate, gradient)
        elif dampening:
            rules.stochastic_gradient_descent(parameter, gradient, rate, accum, momentum, stat, dampening)
        else:
            rules.momentum(parameter, accum, rate, gradient, momentum, group["nesterov"])
