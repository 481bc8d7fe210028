"""Ten steps of optimizers, in MindSpore's, PyTorch's and emberjit's.

python optimizer_cases.py mindspore|torch    what the library gives, run by a Python that has it: optimizer_results.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

NAMES = "fc.weight", "bn.gamma"
START = [np.sin(np.arange(4, dtype=np.float32)).reshape(2, 2), np.cos(np.arange(3, dtype=np.float32))]
STEPS = [[np.sin((step + 1) * (w + 0.3)).astype(np.float32) for w in START] for step in range(10)]

# Optimizers of nn and their options; "S" and "D" are a schedule and a weight decay that change from step to step.
RATE: dict[str, Any] = {"learning_rate": 0.1}
NN: dict[str, tuple[str, dict[str, Any]]] = {
    "ASGD": ("ASGD", {**RATE, "lambd": 0.1, "t0": 3.0}),
    "SGD": ("SGD", RATE),
    "SGD, momentum": ("SGD", {**RATE, "momentum": 0.9}),
    "SGD, dampened": ("SGD", {**RATE, "momentum": 0.9, "dampening": 0.3}),
    "SGD, Nesterov": ("SGD", {**RATE, "momentum": 0.9, "nesterov": True}),
    "Momentum": ("Momentum", {**RATE, "momentum": 0.9}),
    "RMSProp": ("RMSProp", {**RATE, "momentum": 0.5}),
    "RMSProp, centered": ("RMSProp", {**RATE, "centered": True}),
    "Rprop": ("Rprop", RATE),
    "Adagrad": ("Adagrad", RATE),
    "ProximalAdagrad": ("ProximalAdagrad", {**RATE, "l1": 0.01, "l2": 0.02}),
    "FTRL": ("FTRL", {**RATE, "l2": 0.1}),
    "Adadelta": ("Adadelta", {}),
    "AdaMax": ("AdaMax", RATE),
    "AdaFactor": ("AdaFactor", {"weight_decay": 0.01}),
    "AdaFactor, warm": ("AdaFactor", {"warmup_init": True, "beta1": 0.0}),
    "Adam": ("Adam", RATE),
    "Adam, Nesterov": ("Adam", {**RATE, "use_nesterov": True}),
    "Adam, AMSGrad": ("Adam", {**RATE, "use_amsgrad": True}),
    "AdamOffload": ("AdamOffload", RATE),
    "LazyAdam": ("LazyAdam", RATE),
    "AdamWeightDecay": ("AdamWeightDecay", RATE),
}
CHANGES: dict[str, dict[str, Any]] = {
    "": {},
    "decay": {"weight_decay": 0.1},
    "scale": {"weight_decay": 0.1, "loss_scale": 4.0},
    "rates": {"learning_rate": [0.1 * 0.9**i for i in range(10)]},
    "schedule": {"learning_rate": "S", "weight_decay": "D"},
    "groups": {"groups": True, "weight_decay": 0.05},
}
WITHOUT = {
    "scale": {"ASGD", "Rprop", "AdamWeightDecay"},
    "rates": {"AdaFactor", "FTRL"},
    "schedule": {"AdaFactor", "FTRL", "LazyAdam", "SGD"},
    "groups": {"AdaFactor", "FTRL"},
}

# Optimizers with PyTorch's names, of experimental.optim and mint.optim.
GROUPED: dict[str, tuple[dict[str, Any], ...]] = {
    "Adam": ({}, {"weight_decay": 0.1}, {"amsgrad": True, "maximize": True}),
    "AdamW": ({}, {"weight_decay": 0.1, "amsgrad": True}),
    "SGD": (
        {"lr": 0.1},
        {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
        {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "maximize": True},
    ),
    "Adamax": ({"weight_decay": 0.1},),
    "NAdam": ({}, {"momentum_decay": 0.1}),
    "RAdam": ({}, {"betas": (0.8, 0.9)}),
    "Adadelta": ({"lr": 0.5, "weight_decay": 0.1},),
    "Adagrad": ({}, {"lr_decay": 0.1, "initial_accumulator_value": 0.2}),
    "ASGD": ({"lambd": 0.1, "t0": 3.0, "weight_decay": 0.1},),
    "RMSprop": ({}, {"centered": True}, {"momentum": 0.5}),
    "Rprop": ({},),
}


def ten_steps(make: Callable[[list[Any]], Any], parameter: Any, step: Any) -> list[float]:
    """The parameters after ten steps."""
    parameters = [parameter(value.copy(), name) for value, name in zip(START, NAMES)]
    optimizer = make(parameters)
    for gradients in STEPS:
        step(optimizer, parameters, gradients)
    values = [p.asnumpy() if hasattr(p, "asnumpy") else p.detach().numpy() for p in parameters]
    return [float(f"{value:.7g}") for value in np.concatenate([value.ravel() for value in values])]


def of_nn(ms: Any) -> Iterator[tuple[str, Callable[[list[Any]], Any]]]:
    """Each case of nn: its name, and what makes its optimizer of parameters."""
    nn = ms.nn

    class Schedule(nn.learning_rate_schedule.LearningRateSchedule):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.warm, self.cold = nn.WarmUpLR(0.1, 4), nn.CosineDecayLR(0.01, 0.1, 8)

        def construct(self, step: Any) -> Any:
            return self.warm(step) * 0.5 + self.cold(step)

    class Decay(nn.Cell):  # type: ignore[name-defined, misc]
        def construct(self, step: Any) -> Any:
            return 0.01 * (step.astype(ms.float32) + 1)

    def case(kind: str, options: dict[str, Any]) -> Callable[[list[Any]], Any]:
        def make(parameters: list[Any]) -> Any:
            given = {name: Schedule() if value == "S" else value for name, value in options.items()}
            given = {name: Decay() if isinstance(value, str) else value for name, value in given.items()}
            own: Any = parameters
            if given.pop("groups", False):
                own = [{"params": parameters[:1], "lr": 0.2}, {"params": parameters[1:], "weight_decay": 0.2}]
                own.append({"order_params": parameters[::-1]})
            return getattr(nn.optim, kind)(own, **given)

        return make

    for change, options in CHANGES.items():
        for name, (kind, own) in NN.items():
            if kind not in WITHOUT.get(change, ()):
                yield f"{name}; {change}", case(kind, {**own, **options})


def step_of(ms: Any) -> Any:
    """Calls an optimizer with gradients in the order of its parameters."""

    def step(optimizer: Any, parameters: list[Any], gradients: list[Any]) -> None:
        places = [NAMES.index(p.name) for p in optimizer.parameters]
        optimizer(tuple(ms.Tensor(gradients[place]) for place in places))

    return step


def of_groups(module: Any) -> Iterator[tuple[str, Callable[[list[Any]], Any]]]:
    """Likewise of optimizers with PyTorch's names."""
    for kind, cases in GROUPED.items():
        for options in cases if hasattr(module, kind) else ():

            def make(parameters: list[Any], kind: str = kind, options: dict[str, Any] = options) -> Any:
                groups = [{"params": parameters[:1], "lr": 0.05}, {"params": parameters[1:]}]
                return getattr(module, kind)(groups, **options)

            yield f"{kind} {options}", make


def main(library: str) -> None:
    path = __file__.replace("cases.py", "results.json")
    try:
        with open(path) as file:
            results = json.load(file)
    except FileNotFoundError:
        results = {}
    if library == "torch":
        import torch

        def torch_step(optimizer: Any, parameters: list[Any], gradients: list[Any]) -> None:
            for p, gradient in zip(parameters, gradients):
                p.grad = torch.tensor(gradient)
            optimizer.step()

        parameter: Any = lambda value, name: torch.tensor(value, requires_grad=True)
        results["torch"] = {name: ten_steps(make, parameter, torch_step) for name, make in of_groups(torch.optim)}
    else:
        import mindspore as ms

        parameter = lambda value, name: ms.Parameter(ms.Tensor(value), name=name)
        results["mindspore"] = {name: ten_steps(make, parameter, step_of(ms)) for name, make in of_nn(ms)}
    with open(path, "w") as file:
        json.dump(results, file, indent=0)


if __name__ == "__main__":
    main(sys.argv[1])
