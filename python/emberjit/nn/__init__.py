"""Cells: layers, losses and optimizers."""

from __future__ import annotations

from typing import Any

from emberjit.nn.cell import Cell, CellList, SequentialCell
from emberjit.nn.convolution import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose, Conv3d, Conv3dTranspose
from emberjit.nn.layers import (
    GELU,
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    Dense,
    Dropout,
    Flatten,
    HSigmoid,
    HSwish,
    Identity,
    LayerNorm,
    LeakyReLU,
    LogSoftmax,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Tanh,
)
from emberjit.nn.loss import CrossEntropyLoss, MSELoss, SoftmaxCrossEntropyWithLogits
from emberjit.nn.optim import SGD, Adam, AdamWeightDecay, Momentum, Optimizer
from emberjit.nn.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
)
from emberjit.spelling import UnknownName

__all__ = [
    "GELU",
    "SGD",
    "Adam",
    "AdamWeightDecay",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Cell",
    "CellList",
    "Conv1d",
    "Conv1dTranspose",
    "Conv2d",
    "Conv2dTranspose",
    "Conv3d",
    "Conv3dTranspose",
    "CrossEntropyLoss",
    "Dense",
    "Dropout",
    "Flatten",
    "HSigmoid",
    "HSwish",
    "Identity",
    "LayerNorm",
    "LeakyReLU",
    "LogSoftmax",
    "MSELoss",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "Momentum",
    "Optimizer",
    "ReLU",
    "ReLU6",
    "SequentialCell",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "SoftmaxCrossEntropyWithLogits",
    "Tanh",
]


def __getattr__(name: str) -> Any:
    message = f"module 'emberjit.nn' has no attribute '{name}': emberjit does not have this cell (yet)"
    raise UnknownName(message, name, lambda: __all__)
