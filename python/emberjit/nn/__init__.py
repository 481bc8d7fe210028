"""Cells: layers, losses and optimizers."""

from __future__ import annotations

from emberjit.nn.declared import cell as _cell
from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_LAYERS = ("BiDense", "Dense", "Dropout", "Embedding", "Identity", "LayerNorm", "Linear", "PReLU", "get_activation")
_EXTENDED = ("Dropout", "Dropout2d", "Embedding", "LayerNorm", "PReLU")
_POOLS = ("AdaptiveAvgPool", "AvgPool", "MaxPool")
_OPTIMIZERS = (
    "ASGD",
    "FTRL",
    "LARS",
    "SGD",
    "AdaFactor",
    "AdaMax",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "Optimizer",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
    "opt_init_args_register",
    "thor",
)
_LISTED_RATES = ("cosine_decay", "exponential_decay", "inverse_decay", "natural_exp_decay", "piecewise_constant")
_LISTED_RATES += ("polynomial_decay", "warmup")
_SCHEDULES = ("CosineDecay", "ExponentialDecay", "InverseDecay", "NaturalExpDecay", "PolynomialDecay", "WarmUp")
_WRAPPERS = (
    "ForwardValueAndGrad",
    "SparseTensorDenseMatmul",
    "TimeDistributed",
    "TrainOneStepCell",
    "WithEvalCell",
    "WithLossCell",
)
_ELSEWHERE = {
    **dict.fromkeys(("Cell", "CellList", "SequentialCell"), "emberjit.nn.cell"),
    **dict.fromkeys((f"Conv{n}d{kind}" for n in (1, 2, 3) for kind in ("", "Transpose")), "emberjit.nn.convolution"),
    **dict.fromkeys((f"BatchNorm{n}d" for n in (1, 2, 3)), "emberjit.nn.layers"),
    **dict.fromkeys((f"Dropout{n}d" for n in (1, 2, 3)), "emberjit.nn.layers"),
    **dict.fromkeys(_LAYERS, "emberjit.nn.layers"),
    **dict.fromkeys((f"{name}Ext" for name in _EXTENDED), "emberjit.nn.extended"),
    **dict.fromkeys((f"InstanceNorm{n}d" for n in (1, 2, 3)), "emberjit.nn.normalisation"),
    **dict.fromkeys(("GroupNorm", "SyncBatchNorm"), "emberjit.nn.normalisation"),
    **dict.fromkeys(("CrossEntropyLoss", "LossBase", "MSELoss", "SoftmaxCrossEntropyWithLogits"), "emberjit.nn.loss"),
    **dict.fromkeys(_OPTIMIZERS, "emberjit.nn.optim"),
    **dict.fromkeys((f"{kind}_lr" for kind in _LISTED_RATES), "emberjit.nn.dynamic_lr"),
    **dict.fromkeys((f"{kind}LR" for kind in _SCHEDULES), "emberjit.nn.learning_rate_schedule"),
    **dict.fromkeys((f"{kind}{cell}" for kind in ("RNN", "LSTM", "GRU") for cell in ("", "Cell")), "emberjit.nn.recurrent"),
    **dict.fromkeys(_WRAPPERS, "emberjit.nn.wrappers"),
    **dict.fromkeys((f"{pool}{n}d" for pool in _POOLS for n in (1, 2, 3)), "emberjit.nn.pooling"),
}
_ELSEWHERE["DistributedGradReducer"] = "emberjit.nn.distributed"
_MODULES = ("cell", "dynamic_lr", "learning_rate_schedule", "loss", "optim", "probability")
_ELSEWHERE |= {name: f"emberjit.nn.{name}" for name in _MODULES}
_METRICS = (
    "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta HausdorffDistance Loss MAE MSE "
    "MeanSurfaceDistance Metric OcclusionSensitivity Perplexity Precision ROC Recall RootMeanSquareDistance "
    "Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc get_metric_fn get_metrics names "
    "rearrange_inputs"
)
_ELSEWHERE |= dict.fromkeys(_METRICS.split(), "emberjit.train.metrics")
_ELSEWHERE["metrics"] = "emberjit.train.metrics"
__all__ = [*_NAMES["nn"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("nn", globals(), _ELSEWHERE, _cell)
