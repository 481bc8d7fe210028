"""Dropout of elements and of channels."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.capture.guards.attributes import read_attribute
from emberjit.checks import check_within
from emberjit.functions.random.dropout import channel_dropouts
from emberjit.nn.cell import Cell
from emberjit.options import take

_ops = core.ops


class BaseDropout(Cell):
    """A Cell with a probability p, which may change without a new graph."""

    _stateless = True
    _numbers = ("p",)
    p: float

    def extend_repr(self) -> str:
        return f"p={read_attribute(self, 'p')}"


class Dropout(BaseDropout):
    """Zeroes elements with probability p while training, and scales the others by 1 / (1 - p)."""

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = types.float32):
        super().__init__()
        take("Dropout", "dtype", dtype)
        self.p = 1 - keep_prob if p is None else p
        check_within("Dropout", "p", self.p, 0, below=1)

    def construct(self, x: Any) -> Any:
        if not self.training or (p := read_attribute(self, "p")) == 0:
            return x
        return _ops.dropout(x, p)


class _ChannelDropout(BaseDropout):
    axes = 1

    def __init__(self, p: float = 0.5):
        super().__init__()
        check_within(type(self).__name__, "p", p, 0, 1)
        self.p = p

    def construct(self, x: Any) -> Any:
        return channel_dropouts[self.axes - 1](x, read_attribute(self, "p"), self.training)


class Dropout1d(_ChannelDropout):
    """Zeroes channels of (N, C, L) or (C, L) with probability p while training, and scales the others by 1 / (1 - p)."""


class Dropout2d(_ChannelDropout):
    """Zeroes channels of (N, C, H, W) with probability p while training, and scales the others by 1 / (1 - p)."""

    axes = 2


class Dropout3d(_ChannelDropout):
    """Zeroes channels of (N, C, D, H, W) with probability p while training, and scales the others by 1 / (1 - p)."""

    axes = 3
