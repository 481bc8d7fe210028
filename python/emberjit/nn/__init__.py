"""Cells: layers, losses, optimizers and their schedules, metrics; probability."""

from __future__ import annotations

import sys
from typing import Any

from emberjit.nn.declared import cell as _cell
from emberjit.publish.index import NAMES as _INDEX
from emberjit.publish.metrics import METRIC_NAMES
from emberjit.publish.modules import lazy as _lazy

_NAMES = {  # by the module that has them
    "cell": "Cell register_cell_buffer_registration_hook",
    "combined": "Conv2dBnAct DenseBnAct",
    "containers": "CellDict CellList SequentialCell",
    "convolution": "Conv1d Conv1dTranspose Conv2d Conv2dTranspose Conv3d Conv3dTranspose",
    "distributed": "DistributedGradReducer GetNextSingleOp PipelineGradReducer",
    "dynamic_lr": (
        "cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr "
        "polynomial_decay_lr warmup_lr"
    ),
    "embedding": "EmbeddingLookup MultiFieldEmbeddingLookup",
    "extended": "Dropout2dExt DropoutExt EmbeddingExt LayerNormExt PReLUExt",
    "graph_cell": "GraphCell",
    "image": "MSSSIM SSIM",
    "layers": (
        "BatchNorm1d BatchNorm2d BatchNorm3d BiDense Dense Dropout Dropout1d Dropout2d Dropout3d Embedding Identity "
        "LayerNorm Linear PReLU get_activation"
    ),
    "learning_rate_schedule": (
        "CosineDecayLR ExponentialDecayLR InverseDecayLR NaturalExpDecayLR PolynomialDecayLR WarmUpLR"
    ),
    "loss": "LossBase MultiClassDiceLoss SampledSoftmaxLoss SoftmaxCrossEntropyWithLogits",
    "loss_scale": "DynamicLossScaleUpdateCell FixedLossScaleUpdateCell TrainOneStepWithLossScaleCell",
    "normalisation": "GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d SyncBatchNorm",
    "optim": (
        "ASGD AdaFactor AdaMax AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell Adadelta Adagrad Adam AdamOffload "
        "AdamWeightDecay FTRL LARS Lamb LazyAdam Momentum OptTFTWrapper Optimizer ProximalAdagrad RMSProp Rprop SGD "
        "opt_init_args_register thor"
    ),
    "pooling": (
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d"
    ),
    "recurrent": "GRU GRUCell LSTM LSTMCell RNN RNNCell RNNCellBase",
    "transformer": (
        "MultiheadAttention Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
        "TransformerEncoderLayer"
    ),
    "utils": "no_init_parameters",
    "wrappers": (
        "ForwardValueAndGrad GradAccumulationCell Jvp MicroBatchInterleaved ParameterUpdate PipelineCell "
        "SparseTensorDenseMatmul SparseToDense TimeDistributed TrainOneStepCell VirtualDatasetCellTriple Vjp WithEvalCell "
        "WithGradCell WithLossCell"
    ),
}
_MODULES = "cell dynamic_lr learning_rate_schedule loss optim probability"
_ELSEWHERE = {name: f"emberjit.nn.{module}" for module, names in _NAMES.items() for name in names.split()}
_ELSEWHERE |= {name: f"emberjit.nn.{name}" for name in _MODULES.split()}
_ELSEWHERE |= dict.fromkeys([*METRIC_NAMES, "get_metrics", "metrics"], "emberjit.train.metrics")
__all__ = [*_INDEX["nn"], *_ELSEWHERE]
_get, __dir__ = _lazy("nn", globals(), _ELSEWHERE, _cell)


def __getattr__(name: str) -> Any:
    return sys.modules[__name__] if name in ("layer", "wrap") else _get(name)  # whose names are this module's
