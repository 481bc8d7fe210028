"""Optimizers with PyTorch's parameter groups, and schedulers of their learning rates."""

from __future__ import annotations

from emberjit.experimental.optim import lr_scheduler
from emberjit.experimental.optim.optimizer import Optimizer
from emberjit.experimental.optim.optimizers import (
    ASGD,
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    NAdam,
    RAdam,
    RMSprop,
    Rprop,
)

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]
