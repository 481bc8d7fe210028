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
    "GradAccumulationCell",
    "Jvp",
    "MicroBatchInterleaved",
    "ParameterUpdate",
    "PipelineCell",
    "SparseTensorDenseMatmul",
    "SparseToDense",
    "TimeDistributed",
    "TrainOneStepCell",
    "Vjp",
    "VirtualDatasetCellTriple",
    "WithEvalCell",
    "WithGradCell",
    "WithLossCell",
)
_LOSS_SCALES = ("DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell")
_LOSSES = ("LossBase", "MultiClassDiceLoss", "SampledSoftmaxLoss", "SoftmaxCrossEntropyWithLogits")
_TRANSFORMER = (
    "MultiheadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
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
    **dict.fromkeys(_LOSSES, "emberjit.nn.loss"),
    **dict.fromkeys(("SGD", "Adam", "AdamWeightDecay", "Momentum", "Optimizer"), "emberjit.nn.optim"),
    **dict.fromkeys((f"{kind}{cell}" for kind in ("RNN", "LSTM", "GRU") for cell in ("", "Cell")), "emberjit.nn.recurrent"),
    **dict.fromkeys(_WRAPPERS, "emberjit.nn.wrappers"),
    **dict.fromkeys((f"{pool}{n}d" for pool in _POOLS for n in (1, 2, 3)), "emberjit.nn.pooling"),
}
_ELSEWHERE |= dict.fromkeys(("EmbeddingLookup", "MultiFieldEmbeddingLookup"), "emberjit.nn.embedding")
_ELSEWHERE |= dict.fromkeys(("Conv2dBnAct", "DenseBnAct"), "emberjit.nn.combined")
_ELSEWHERE |= dict.fromkeys(("MSSSIM", "SSIM"), "emberjit.nn.image")
_ELSEWHERE |= dict.fromkeys(_LOSS_SCALES, "emberjit.nn.loss_scale")
_ELSEWHERE |= dict.fromkeys(_TRANSFORMER, "emberjit.nn.transformer")
_ELSEWHERE["no_init_parameters"] = "emberjit.nn.utils"
_ELSEWHERE["DistributedGradReducer"] = "emberjit.nn.distributed"
_ELSEWHERE |= {name: f"emberjit.nn.{name}" for name in ("cell", "loss", "optim")}
__all__ = [*_NAMES["nn"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("nn", globals(), _ELSEWHERE, _cell)
