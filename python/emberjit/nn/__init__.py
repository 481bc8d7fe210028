"""Cells: layers, losses and optimizers."""

from __future__ import annotations

from emberjit.nn.declared import cell as _cell
from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_LAYERS = ("BiDense", "Dense", "Dropout", "Embedding", "Identity", "LayerNorm", "Linear", "PReLU", "get_activation")
_EXTENDED = ("Dropout", "Dropout2d", "Embedding", "LayerNorm", "PReLU")
_POOLS = ("AdaptiveAvgPool", "AvgPool", "MaxPool")
_WRAPPERS = (
    "ForwardValueAndGrad",
    "SparseTensorDenseMatmul",
    "TimeDistributed",
    "TrainOneStepCell",
    "WithEvalCell",
    "WithLossCell",
)
_ELSEWHERE = {
    **dict.fromkeys(("Cell", "register_cell_buffer_registration_hook"), "emberjit.nn.cell"),
    **dict.fromkeys(("CellDict", "CellList", "SequentialCell"), "emberjit.nn.containers"),
    **dict.fromkeys((f"Conv{n}d{kind}" for n in (1, 2, 3) for kind in ("", "Transpose")), "emberjit.nn.convolution"),
    **dict.fromkeys((f"BatchNorm{n}d" for n in (1, 2, 3)), "emberjit.nn.layers"),
    **dict.fromkeys((f"Dropout{n}d" for n in (1, 2, 3)), "emberjit.nn.layers"),
    **dict.fromkeys(_LAYERS, "emberjit.nn.layers"),
    **dict.fromkeys((f"{name}Ext" for name in _EXTENDED), "emberjit.nn.extended"),
    **dict.fromkeys((f"InstanceNorm{n}d" for n in (1, 2, 3)), "emberjit.nn.normalisation"),
    **dict.fromkeys(("GroupNorm", "SyncBatchNorm"), "emberjit.nn.normalisation"),
    **dict.fromkeys(("CrossEntropyLoss", "LossBase", "MSELoss", "SoftmaxCrossEntropyWithLogits"), "emberjit.nn.loss"),
    **dict.fromkeys(("SGD", "Adam", "AdamWeightDecay", "Momentum", "Optimizer"), "emberjit.nn.optim"),
    **dict.fromkeys((f"{kind}{cell}" for kind in ("RNN", "LSTM", "GRU") for cell in ("", "Cell")), "emberjit.nn.recurrent"),
    **dict.fromkeys(_WRAPPERS, "emberjit.nn.wrappers"),
    **dict.fromkeys((f"{pool}{n}d" for pool in _POOLS for n in (1, 2, 3)), "emberjit.nn.pooling"),
}
_ELSEWHERE["DistributedGradReducer"] = "emberjit.nn.distributed"
_ELSEWHERE |= {name: f"emberjit.nn.{name}" for name in ("cell", "loss", "optim")}
__all__ = [*_NAMES["nn"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("nn", globals(), _ELSEWHERE, _cell)
