"""Optimizers."""

from __future__ import annotations

from typing import Any

from emberjit.nn.optim.adam import Adam, AdamOffload, AdamWeightDecay, LazyAdam
from emberjit.nn.optim.adaptive import FTRL, Adadelta, AdaFactor, Adagrad, AdaMax, Lamb, ProximalAdagrad
from emberjit.nn.optim.descent import ASGD, LARS, SGD, Momentum, RMSProp, Rprop
from emberjit.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = [
    "ASGD",
    "FTRL",
    "LARS",
    "SGD",
    "AdaFactor",
    "AdaMax",
    "AdaSumByDeltaWeightWrapCell",
    "AdaSumByGradWrapCell",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "OptTFTWrapper",
    "Optimizer",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
    "opt_init_args_register",
    "thor",
]


_OF_SEVERAL = """Wraps an optimizer for training on several devices in MindSpore; not available, as there is one.

    Args:
        _, __: anything.

    Raises:
        RuntimeError: always.

    Examples:
        >>> nn.{name}(nn.SGD([Parameter(Tensor([1.0]), name="w")]))
        Traceback (most recent call last):
            ...
        RuntimeError: '{name}' is of training on several devices, of which there is one: use the optimizer as it is.
    """


def _of_several(name: str) -> type[Optimizer]:
    def __init__(self: Any, *_: Any, **__: Any) -> None:
        raise RuntimeError(f"'{name}' is of training on several devices, of which there is one: use the optimizer as it is.")

    return type(name, (Optimizer,), {"__init__": __init__, "__doc__": _OF_SEVERAL.format(name=name), "__module__": __name__})


AdaSumByDeltaWeightWrapCell = _of_several("AdaSumByDeltaWeightWrapCell")
AdaSumByGradWrapCell = _of_several("AdaSumByGradWrapCell")
OptTFTWrapper = _of_several("OptTFTWrapper")


def thor(net: Any, learning_rate: Any, damping: Any, momentum: Any, **options: Any) -> Any:
    """MindSpore's second-order optimizer, which needs layers of Ascend's and GPU's that gather the factors of the Fisher
    matrix; MindSpore does not run it on a CPU either.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError(
        "For 'thor', second-order steps need layers that MindSpore has on Ascend and GPU only; on a CPU use 'nn.Lamb', "
        "'nn.AdamWeightDecay' or 'nn.Momentum'."
    )
