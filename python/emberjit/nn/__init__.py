"""Cells: layers, losses and optimizers."""

from __future__ import annotations

from emberjit.nn.cell import Cell, CellList, SequentialCell
from emberjit.nn.layers import (
    GELU,
    BatchNorm1d,
    BatchNorm2d,
    Conv2d,
    Dense,
    Dropout,
    Flatten,
    HSigmoid,
    HSwish,
    Identity,
    LayerNorm,
    LeakyReLU,
    LogSoftmax,
    MaxPool2d,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Tanh,
)
from emberjit.nn.loss import CrossEntropyLoss, MSELoss, SoftmaxCrossEntropyWithLogits
from emberjit.nn.optim import SGD, Adam, Momentum, Optimizer

__all__ = [
    "GELU",
    "SGD",
    "Adam",
    "BatchNorm1d",
    "BatchNorm2d",
    "Cell",
    "CellList",
    "Conv2d",
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
    "MaxPool2d",
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
