"""How steps of optimizers are published: in Python, and with what is known of an argument by its name, where the step itself
does not tell of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from emberjit.publish.registry import publish

_STATE = "a state of the shape of what is trained, a Parameter or Tensor, which is written."
_ARGUMENTS = {
    **dict.fromkeys(("var", "variable", "parameters"), "what is trained, a Parameter or Tensor, which is written."),
    **dict.fromkeys(("accum", "accumulation", "gradient_accumulator", "gradient_squared_accumulator"), _STATE),
    **dict.fromkeys(("accum_update", "linear", "m", "v", "vhat"), _STATE),
    **dict.fromkeys(("mean_square", "mean_gradient", "moment", "ms", "mom"), _STATE),
    **dict.fromkeys(("grad", "gradient", "delta"), "the gradient, a Tensor."),
    **dict.fromkeys(("lr", "learning_rate", "alpha"), "the learning rate, a number or a Tensor of one."),
    "l1": "the strength of l1 regularisation.",
    "l2": "the strength of l2 regularisation.",
    "momentum": "the part of the state that a step keeps.",
    "rho": "the part of means that a step keeps.",
    "decay": "the part of means that a step keeps.",
    **{f"beta{i}": f"the part of {moment} that a step keeps." for i, moment in (("", "m"), (1, "m"), (2, "v"))},
    **{f"beta{i}_power": f"beta{i} to the power of the step's number, which is 1 at first." for i in (1, 2)},
    "epsilon": "is added to what divides.",
    "lr_power": "minus the power by which the rate falls, usually -0.5.",
    "global_step": "the step's number, which is 1 at first.",
    "indices": "the row of what is trained that each row of the gradient belongs to, a Tensor of ints.",
    **dict.fromkeys(("use_nesterov", "nesterov"), "whether to step by Nesterov's momentum."),
    **dict.fromkeys(("gradient_scale", "loss_scale"), "what the gradient is multiplied with."),
    "update_slots": "whether accum is written.",
    "use_locking": "has no effect: the thread that asks for a step does it.",
}


def publish_step(spellings: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Publishes a step of an optimizer, whose documentation has an example.

    Args:
        spellings: its names with their parameters.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        text = function.__doc__ or ""
        if "    Args:\n" not in text:
            text = re.sub(r"\n    (?=Raises:|Examples:)", "\n    Args:\n\n    ", text, count=1)
        told = re.findall(r"^        (\w+(?:, \w+)*):", text, re.MULTILINE)
        own = {name for names_of_one in told for name in names_of_one.split(", ")}
        lines = [f"        {name}: {_ARGUMENTS[name]}\n" for name in names if name in _ARGUMENTS and name not in own]
        function.__doc__ = text.replace("    Args:\n", f"    Args:\n{''.join(lines)}", 1)
        return publish(spellings, in_python=True)(function)

    return decorate
