"""Activations by their names, and those that have a Parameter."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit import nn, ops
from emberjit.checks import check_int
from emberjit.initializer import initializer
from emberjit.nn.cell import Cell

_CLASSES = (
    "ELU GELU HShrink HSigmoid HSwish LeakyReLU LogSigmoid LogSoftmax Mish PReLU RReLU ReLU ReLU6 SiLU "
    "Sigmoid SoftShrink Softmax Softmax2d Softmin Softsign Tanh Tanhshrink"
)
_ACTIVATIONS = {name.lower(): name for name in _CLASSES.split()} | {"fast_gelu": "FastGelu"}


def get_activation(name: Any, prim_name: str | None = None) -> Any:
    """The Cell of an activation by its name; of None, None.

    Args:
        name: "relu", "gelu", "sigmoid", "leakyrelu", "softmax" or another activation of nn in small letters, or None.
        prim_name: the caller, which errors name; None: "get_activation".

    Returns:
        A new Cell with its default arguments, or None.

    Raises:
        KeyError: an unknown name.

    Examples:
        >>> print(nn.get_activation("relu")(Tensor([-1.0, 2.0])))
        [0. 2.]
    """
    if name is None:
        return None
    if name not in _ACTIVATIONS:
        caller = f"For '{prim_name or 'get_activation'}', the activation"
        raise KeyError(f"{caller} {name!r} is not one of {sorted(_ACTIVATIONS)}.")
    return getattr(nn, _ACTIVATIONS[name])()


class PReLU(Cell):
    """x where it is positive, else x times w, one factor for all or one for each channel, which is learned (He et al.,
    2015).

    Args:
        channel: how many factors there are: 1, or the size of the second axis.
        w: the initial value, or a list or Tensor of one for each channel.

    Inputs:
        x: a Tensor of floating dtype, (N, C, ...).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        TypeError: channel is no int, or w no number, list or Tensor.
        ValueError: channel is not positive, or w has another number of elements.

    Examples:
        >>> prelu = nn.PReLU(w=0.5)
        >>> print(prelu(Tensor([[-2.0, 4.0]])))
        [[-1.  4.]]
    """

    def __init__(self, channel: int = 1, w: Any = 0.25):
        super().__init__()
        check_int("PReLU", "channel", channel, 1)
        if not isinstance(w, (int, float, list, core.Tensor)) or isinstance(w, bool):
            raise TypeError(f"For 'PReLU', 'w' must be a number, or a list or Tensor of them, but got {w!r}.")
        values = core.Tensor(w, types.float32) if isinstance(w, (list, core.Tensor)) else initializer(w, (channel,))
        if tuple(values.shape) != (channel,):
            raise ValueError(f"For 'PReLU', 'w' must have {channel} elements, as 'channel' says, but got {w!r}.")
        self.w = core.Parameter(values, name="a")

    def construct(self, x: Any) -> Any:
        return ops.prelu(x, self.w)
