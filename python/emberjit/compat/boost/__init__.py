"""MindSpore's boost: methods of training for an Ascend, which are not there. Steps of training, gradients
added up over steps, and AutoBoost's level O0, which changes nothing, work."""

from __future__ import annotations

from typing import Any

from emberjit.compat.boost.grad_accumulation import GradientAccumulation
from emberjit.compat.unavailable import refusing
from emberjit.nn.training.loss_scale import TrainOneStepWithLossScaleCell
from emberjit.nn.training.steps import TrainOneStepCell

_METHODS = "adasum", "dim_reduce", "grad_accumulation", "grad_freeze", "less_bn", "loss_scale_group"
_MODES = "auto", "disable_all", "enable_all", "manual"
__getattr__, _why = refusing(
    __name__,
    "emberjit.boost",
    {
        "sums gradients of several devices": "AdaSum",
        "trains in a space of fewer dimensions": "DimReduce",
        "freezes layers for some steps; set requires_grad of Parameters": "FreezeOpt GradientFreeze freeze_cell",
        "scales losses by layers; amp.DynamicLossScaler scales all": "GroupLossScaleManager",
        "replaces layers of the network": "LessBN",
        "groups Parameters; give the optimizer groups of them": "OptimizerProcess ParameterProcess",
    },
)

__all__ = ["AutoBoost", "BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell", "GradientAccumulation", *_why]


class BoostTrainOneStepCell(TrainOneStepCell):
    """nn.TrainOneStepCell.

    Args:
        network: gives the loss.
        optimizer: an Optimizer of the Parameters.
        sens: the cotangent of the loss; None is 1.

    Raises:
        TypeError: network or optimizer is no Cell, or sens no number.
        ValueError: sens is 0.
    """

    def __init__(self, network: Any, optimizer: Any, sens: Any = None):
        super().__init__(network, optimizer, sens)


class BoostTrainOneStepWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """nn.TrainOneStepWithLossScaleCell, with its arguments."""


class AutoBoost:
    """Changes networks and optimizers for training: by level "O0" not at all.

    Args:
        level: "O0"; an unknown one is "O0", too.
        boost_config_dict: what is switched on: {"boost": {"mode": "manual", "less_bn": False}}.

    Raises:
        ValueError: there is no such mode.
        NotImplementedError: something is switched on.
    """

    def __init__(self, level: str = "O0", boost_config_dict: Any = ""):
        self.level, self.boost_config_dict = level, boost_config_dict
        options = dict(boost_config_dict or {}).get("boost", {})
        mode = options.get("mode", "auto")
        if mode not in _MODES:
            raise ValueError(f"For 'AutoBoost', the mode must be one of {_MODES}, but got {mode!r}.")
        levels = {"O1": {"grad_freeze", "less_bn"}, "O2": {"adasum", "grad_freeze", "less_bn"}}
        methods = {
            "auto": levels.get(level, set()),
            "disable_all": set(),
            "enable_all": set(_METHODS),
            "manual": {name for name in _METHODS if options.get(name, name in levels.get(level, ()))},
        }[mode]
        if methods:
            raise NotImplementedError(f"For 'AutoBoost', there is no {', '.join(sorted(methods))}: give level 'O0'.")

    def network_auto_process_train(self, network: Any, optimizer: Any) -> tuple[Any, Any]:
        """(the network, the optimizer) to train with."""
        return network, optimizer

    def network_auto_process_eval(self, network: Any) -> Any:
        """The network to evaluate with."""
        return network
