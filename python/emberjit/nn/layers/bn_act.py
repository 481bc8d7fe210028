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
    """A Conv2d, a BatchNorm2d if has_bn, and an activation if there is one, in this order.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init:
            of the convolution, as nn.Conv2d takes them.
        has_bn: whether there is a BatchNorm2d.
        momentum, eps: of the BatchNorm2d: the part of running statistics that a step keeps, and what is added to variances.
        activation: its name, as get_activation takes it, a Cell or a Primitive; None: there is none.
        alpha: the slope below 0 of the activation "leakyrelu".
        after_fake: has no effect: numbers are not quantised.

    Inputs:
        x: a Tensor (N, in_channels, H, W).

    Returns:
        A Tensor (N, out_channels, H', W').

    Raises:
        TypeError: a size is no int, has_bn no bool, or activation no str, Cell or Primitive.
        ValueError: a size is out of its range, as in nn.Conv2d.
        KeyError: there is no activation of the name.

    Examples:
        >>> layer = nn.Conv2dBnAct(1, 2, kernel_size=3, weight_init="ones", has_bn=True, activation="relu")
        >>> print(layer(Tensor(np.ones((1, 1, 4, 4)), ms.float32)).shape)
        (1, 2, 4, 4)
        >>> print([parameter.name for parameter in layer.trainable_params()])
        ['conv.weight', 'batchnorm.gamma', 'batchnorm.beta']
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
    """A Dense, a BatchNorm1d if has_bn, and an activation if there is one, in this order.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: of the dense layer, as nn.Dense takes them.
        has_bn: whether there is a BatchNorm1d.
        momentum, eps: of the BatchNorm1d: the part of running statistics that a step keeps, and what is added to variances.
        activation: its name, as get_activation takes it, a Cell or a Primitive; None: there is none.
        alpha: the slope below 0 of the activation "leakyrelu".
        after_fake: has no effect: numbers are not quantised.

    Inputs:
        x: a Tensor (N, in_channels).

    Returns:
        A Tensor (N, out_channels).

    Raises:
        TypeError: a number of channels is no int, has_bn no bool, or activation no str, Cell or Primitive.
        ValueError: a number of channels is not positive.
        KeyError: there is no activation of the name.

    Examples:
        >>> layer = nn.DenseBnAct(2, 3, weight_init="ones", bias_init="zeros", activation="relu")
        >>> print(layer(Tensor([[1.0, 2.0], [-1.0, -2.0]])))
        [[3. 3. 3.]
         [0. 0. 0.]]
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
        take("DenseBnAct", "after_fake", after_fake)
        dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        super().__init__(dense, out_channels, has_bn, (eps, momentum), activation, alpha)
