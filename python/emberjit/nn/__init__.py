"""Cells: layers, losses, optimizers and their schedules, metrics; probability."""

from __future__ import annotations

import sys
from typing import Any

from emberjit.nn.layers.declared import cell as _cell
from emberjit.publish.index import NAMES as _INDEX
from emberjit.publish.metrics import METRIC_NAMES
from emberjit.publish.modules import lazy as _lazy

_NAMES = {  # by the module that has them
    "cell": "Cell register_cell_buffer_registration_hook",
    "cell.graph_cell": "GraphCell",
    "distributed": "DistributedGradReducer GetNextSingleOp PipelineGradReducer VirtualDatasetCellTriple",
    "dynamic_lr": (
        "cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr "
        "polynomial_decay_lr warmup_lr"
    ),
    "layers.activation": "PReLU get_activation",
    "layers.bn_act": "Conv2dBnAct DenseBnAct",
    "layers.containers": "CellDict CellList SequentialCell",
    "layers.convolution": "Conv1d Conv1dTranspose Conv2d Conv2dTranspose Conv3d Conv3dTranspose",
    "layers.dense": "BiDense Dense Identity Linear",
    "layers.dropout": "Dropout Dropout1d Dropout2d Dropout3d",
    "layers.embedding": "Embedding EmbeddingLookup MultiFieldEmbeddingLookup",
    "layers.image_similarity": "MSSSIM SSIM",
    "layers.mint": "Dropout2dExt DropoutExt EmbeddingExt LayerNormExt PReLUExt",
    "layers.normalisation": (
        "BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm SyncBatchNorm"
    ),
    "layers.pooling": (
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d"
    ),
    "layers.recurrent": "GRU GRUCell LSTM LSTMCell RNN RNNCell RNNCellBase",
    "layers.sparse": "SparseTensorDenseMatmul SparseToDense",
    "layers.time_distributed": "TimeDistributed",
    "layers.transformer": (
        "MultiheadAttention Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
        "TransformerEncoderLayer"
    ),
    "learning_rate_schedule": (
        "CosineDecayLR ExponentialDecayLR InverseDecayLR NaturalExpDecayLR PolynomialDecayLR WarmUpLR"
    ),
    "loss": "LossBase MultiClassDiceLoss SampledSoftmaxLoss SoftmaxCrossEntropyWithLogits",
    "optim": (
        "ASGD AdaFactor AdaMax AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell Adadelta Adagrad Adam AdamOffload "
        "AdamWeightDecay FTRL LARS Lamb LazyAdam Momentum OptTFTWrapper Optimizer ProximalAdagrad RMSProp Rprop SGD "
        "opt_init_args_register thor"
    ),
    "training.gradients": "ForwardValueAndGrad Jvp Vjp",
    "training.loss_scale": "DynamicLossScaleUpdateCell FixedLossScaleUpdateCell TrainOneStepWithLossScaleCell",
    "training.micro_batches": "GradAccumulationCell MicroBatchInterleaved PipelineCell",
    "training.steps": "ParameterUpdate TrainOneStepCell WithEvalCell WithGradCell WithLossCell",
    "utils": "no_init_parameters",
}
_MODULES = "cell dynamic_lr learning_rate_schedule loss optim probability"
_ELSEWHERE = {name: f"emberjit.nn.{module}" for module, names in _NAMES.items() for name in names.split()}
_ELSEWHERE |= {name: f"emberjit.nn.{name}" for name in _MODULES.split()}
_ELSEWHERE |= dict.fromkeys([*METRIC_NAMES, "get_metrics", "metrics"], "emberjit.train.metrics")
__all__ = [*_INDEX["nn"], *_ELSEWHERE]
_get, __dir__ = _lazy("nn", globals(), _ELSEWHERE, _cell)


def __getattr__(name: str) -> Any:
    return sys.modules[__name__] if name in ("layer", "wrap") else _get(name)  # whose names are this module's
