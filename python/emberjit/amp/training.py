"""A step of training in mixed precision."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import nn
from emberjit.amp.precision import LEVELS, auto_mixed_precision, get_black_list, lower_all
from emberjit.amp.scaling import DynamicLossScaleManager, LossScaleManager
from emberjit.checks import check_bool, check_instance
from emberjit.nn.cell import Cell
from emberjit.options import take_all
from emberjit.values.dtypes import cast

_ABSENT: Any = object()


class _WithLossInFloat32(nn.WithLossCell):
    """The loss, in float32, of a network's output."""

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(cast(self._backbone(data), core.float32), cast(label, core.float32))


def _manager_of(level: str, manager: Any) -> Any:
    if manager is _ABSENT:
        return DynamicLossScaleManager() if level == "O2" else None
    check_instance("build_train_network", "loss_scale_manager", manager, (LossScaleManager, type(None)))
    return manager


def build_train_network(
    network: Any,
    optimizer: Any,
    loss_fn: Any = None,
    level: str = "O0",
    boost_level: str = "O0",
    *,
    cast_model_type: Any = None,
    keep_batchnorm_fp32: bool | None = None,
    loss_scale_manager: Any = _ABSENT,
) -> Any:
    """A Cell that is a step of training in mixed precision: network, loss, gradients and update.

    Args:
        network: a Cell.
        optimizer: an Optimizer of its Parameters.
        loss_fn: a Cell that takes output and label; None: the network gives the loss.
        level: "O0", the default, "O1", "O2", "O3" or "auto", as of auto_mixed_precision. "O2" and "O3" also set the
            defaults of the arguments after it.
        boost_level: "O0", the only one.
        cast_model_type: float16: the network computes in it; float32: not in lower precision. By default float16 under
            "O2" and "O3".
        keep_batchnorm_fp32: whether Cells of get_black_list() stay in float32. By default under "O2".
        loss_scale_manager: a LossScaleManager, which says how the loss is scaled; None: not. By default a
            DynamicLossScaleManager under "O2".

    Returns:
        A TrainOneStepCell, whose call with data and label gives the loss; or a TrainOneStepWithLossScaleCell, which gives
        loss, whether gradients were not finite, and scale.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such level.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> optimizer = nn.SGD(net.trainable_params(), learning_rate=0.25)
        >>> step = train.build_train_network(net, optimizer, nn.MSELoss(), level="O3")
        >>> loss = step(Tensor([[2.0]]), Tensor([[0.0]]))  # (1 * 2 - 0) ** 2
        >>> print(loss, net.weight.value())
        4.0 [[-1.]]
    """
    name = "build_train_network"
    for argument, value in (("network", network), ("optimizer", optimizer)):
        check_instance(name, argument, value, Cell)
    check_instance(name, "level", level, str)
    if level not in LEVELS:
        raise ValueError(f"For '{name}', 'level' must be one of {LEVELS}, but got {level!r}.")
    take_all(name, {"boost_level": boost_level})
    if cast_model_type not in (None, core.float16, core.float32):
        raise TypeError(f"For '{name}', 'cast_model_type' must be float16 or float32, but got {cast_model_type}.")
    keep = level == "O2" if keep_batchnorm_fp32 is None else keep_batchnorm_fp32
    check_bool(name, "keep_batchnorm_fp32", keep)
    manager = _manager_of(level, loss_scale_manager)
    lower = level in ("O2", "O3") if cast_model_type is None else cast_model_type == core.float16
    if lower:
        lower_all(network, get_black_list() if keep else [], core.float16)
    elif level in ("O1", "auto"):
        auto_mixed_precision(network, level)
    if loss_fn is not None:
        check_instance(name, "loss_fn", loss_fn, Cell)
        network = (_WithLossInFloat32 if lower or level == "auto" else nn.WithLossCell)(network, loss_fn)
    update = None if manager is None else manager.get_update_cell()
    if update is not None:
        return nn.TrainOneStepWithLossScaleCell(network, optimizer, scale_sense=update).set_train()
    return nn.TrainOneStepCell(network, optimizer, None if manager is None else manager.get_loss_scale()).set_train()
