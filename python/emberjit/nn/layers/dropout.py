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
    """While training, zeroes each element with probability p and scales the others by 1 / (1 - p); else returns its input
    (Srivastava et al., 2014).

    Args:
        keep_prob: 1 - p, where p is None.
        p: the probability of [0, 1) that an element becomes 0; None: 1 - keep_prob.
        dtype: has no effect: the result has the dtype of the input.

    Inputs:
        x: a Tensor of floating dtype.

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: p is outside [0, 1).

    Examples:
        >>> ms.set_seed(1)
        >>> dropout = nn.Dropout(p=0.5)
        >>> x = Tensor(np.ones(8), ms.float32)
        >>> print(dropout(x))
        [1. 1. 1. 1. 1. 1. 1. 1.]
        >>> print(dropout.set_train()(x))
        [2. 0. 2. 2. 2. 2. 0. 0.]
    """

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
    """While training, zeroes each channel with probability p and scales the others by 1 / (1 - p) (Tompson et al., 2015).

    Args:
        p: the probability of [0, 1] that a channel becomes 0.

    Inputs:
        x: a Tensor (N, C, L) or (C, L).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> dropout = nn.Dropout1d(p=0.5).set_train()
        >>> print(dropout(Tensor(np.ones((3, 2)), ms.float32)))
        [[2. 2.]
         [0. 0.]
         [2. 2.]]
    """


class Dropout2d(_ChannelDropout):
    """While training, zeroes each channel of each image with probability p and scales the others by 1 / (1 - p) (Tompson et
    al., 2015).

    Args:
        p: the probability of [0, 1] that a channel becomes 0.

    Inputs:
        x: a Tensor (N, C, H, W).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> dropout = nn.Dropout2d(p=0.5).set_train()
        >>> print(dropout(Tensor(np.ones((1, 3, 1, 2)), ms.float32))[0, :, 0])
        [[2. 2.]
         [0. 0.]
         [2. 2.]]
    """

    axes = 2


class Dropout3d(_ChannelDropout):
    """While training, zeroes each channel of each volume with probability p and scales the others by 1 / (1 - p) (Tompson et
    al., 2015).

    Args:
        p: the probability of [0, 1] that a channel becomes 0.

    Inputs:
        x: a Tensor (N, C, D, H, W).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> dropout = nn.Dropout3d(p=0.5).set_train()
        >>> print(dropout(Tensor(np.ones((1, 3, 1, 1, 2)), ms.float32))[0, :, 0, 0])
        [[2. 2.]
         [0. 0.]
         [2. 2.]]
    """

    axes = 3
