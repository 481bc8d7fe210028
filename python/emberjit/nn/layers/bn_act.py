"""Layers followed by batch normalisation and an activation."""

from __future__ import annotations

from typing import Any

from emberjit import nn
from emberjit.checks import check_bool
from emberjit.nn.cell import Cell
from emberjit.nn.layers.activation import get_activation
from emberjit.nn.layers.convolution import Conv2d
from emberjit.nn.layers.dense import Dense
from emberjit.nn.layers.normalisation import BatchNorm1d, BatchNorm2d
from emberjit.options import take
from emberjit.primitives.primitive import Primitive


class _Combined(Cell):
    layer: str
    norm: Any

    def __init__(self, layer: Cell, channels: int, has_bn: Any, norm: tuple[float, float], activation: Any, alpha: float):
        super().__init__()
        name = type(self).__name__
        check_bool(name, "has_bn", has_bn)
        setattr(self, self.layer, layer)
        self.has_bn, self.has_act = has_bn, activation is not None
        if has_bn:
            self.batchnorm = self.norm(channels, *norm)
        if activation == "leakyrelu":
            self.activation = nn.LeakyReLU(alpha)
        else:
            self.activation = get_activation(activation, name) if isinstance(activation, str) else activation
        if self.has_act and not isinstance(self.activation, (Cell, Primitive)):
            raise TypeError(f"For '{name}', 'activation' must be a str, Cell or Primitive, but got {activation!r}.")

    def construct(self, x: Any) -> Any:
        x = getattr(self, self.layer)(x)
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_Combined):
    """A Conv2d, a BatchNorm2d if has_bn, and an activation if there is one.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init:
            of the Conv2d.
        has_bn: whether there is a BatchNorm2d.
        momentum, eps: of it.
        activation: a name, Cell or Primitive, or None.
        alpha: of "leakyrelu".
        after_fake: of MindSpore's quantisation.

    Raises:
        TypeError, ValueError: as Conv2d; has_bn is no bool, or activation something else.
        KeyError: there is no activation of the name.
    """

    layer, norm = "conv", BatchNorm2d

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ):
        take("Conv2dBnAct", "after_fake", after_fake)
        window = kernel_size, stride, pad_mode, padding, dilation, group
        conv = Conv2d(in_channels, out_channels, *window, has_bias, weight_init, bias_init)
        super().__init__(conv, out_channels, has_bn, (eps, momentum), activation, alpha)


class DenseBnAct(_Combined):
    """A Dense, a BatchNorm1d if has_bn, and an activation if there is one.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: of the Dense.
        has_bn, momentum, eps, activation, alpha, after_fake: as of Conv2dBnAct.

    Raises: as Conv2dBnAct.
    """

    layer, norm = "dense", BatchNorm1d

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ):
        take("Conv2dBnAct", "after_fake", after_fake)
        dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        super().__init__(dense, out_channels, has_bn, (eps, momentum), activation, alpha)
