"""Layers."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit import nn
from emberjit.common.initializer import HeUniform, Uniform, initializer
from emberjit.nn.cell import Cell
from emberjit.nn.checks import check_int
from emberjit.options import take

_ops = core.op_table


_ACTIVATIONS = {"relu": "ReLU", "sigmoid": "Sigmoid", "tanh": "Tanh", "softmax": "Softmax", "gelu": "GELU"}


def _activation(name: Any) -> Any:
    if isinstance(name, str):
        if name not in _ACTIVATIONS:
            raise KeyError(f"For 'get_activation', the activation '{name}' is not one of {sorted(_ACTIVATIONS)}.")
        return getattr(nn, _ACTIVATIONS[name])()
    return name


class Dense(Cell):
    """x @ weight.T + bias, weight of shape (out_channels, in_channels); any leading axes.

    Raises:
        TypeError: channels that are no ints.
        ValueError: channels that are not positive.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_int("Dense", "in_channels", in_channels)
        check_int("Dense", "out_channels", out_channels)
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        weight = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = core.Parameter(initializer(weight, (out_channels, in_channels), dtype), name="weight")
        if has_bias:
            bias = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
            self.bias = core.Parameter(initializer(bias, (out_channels,), dtype), name="bias")
        self.activation = _activation(activation)

    def construct(self, x: Any) -> Any:
        try:
            y = _ops["dense"](x, self.weight, self.bias if self.has_bias else None)
        except ValueError as error:
            if x.ndim == 0 or x.shape[-1] == self.in_channels:
                raise
            raise ValueError(
                f"For 'Dense', the last axis of the input must have the size of 'in_channels', {self.in_channels}, but the "
                f"input has shape {tuple(x.shape)}, the weight {tuple(self.weight.shape)}."
            ) from error
        return y if self.activation is None else self.activation(y)

    def extend_repr(self) -> str:
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"


class _BatchNorm(Cell):
    ranks: tuple[int, ...] = (4,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        data_format: str = "NCHW",
        dtype: Any = types.float32,
    ):
        super().__init__()
        take("BatchNorm", "data_format", data_format)
        if num_features < 1:
            raise ValueError(f"For '{type(self).__name__}', 'num_features' must be at least 1, but got {num_features}.")
        if not 0 <= momentum <= 1:
            raise ValueError(f"For '{type(self).__name__}', 'momentum' must be within [0, 1], but got {momentum}.")
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.use_batch_statistics = use_batch_statistics
        shape = (num_features,)
        self.moving_mean = core.Parameter(initializer(moving_mean_init, shape, dtype), "mean", requires_grad=False)
        self.moving_variance = core.Parameter(initializer(moving_var_init, shape, dtype), "variance", requires_grad=False)
        self.gamma = core.Parameter(initializer(gamma_init, shape, dtype), "gamma", requires_grad=affine)
        self.beta = core.Parameter(initializer(beta_init, shape, dtype), "beta", requires_grad=affine)

    def construct(self, x: Any) -> Any:
        if x.ndim not in self.ranks:
            ranks = " or ".join(map(str, self.ranks))
            raise ValueError(f"For '{type(self).__name__}', the input must have {ranks} axes, but got {x.ndim}.")
        training = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if not training:
            statistics = (self.moving_mean, self.moving_variance)
            return _ops["batch_norm"](x, *statistics, self.gamma, self.beta, training=False, eps=self.eps)
        y, mean, variance = _ops["batch_norm_training"](
            x, self.moving_mean, self.moving_variance, self.gamma, self.beta, self.momentum, self.eps
        )
        _ops["assign"](self.moving_mean, mean)
        _ops["assign"](self.moving_variance, variance)
        return y

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L) (Ioffe and Szegedy, 2015)."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W) (Ioffe and Szegedy, 2015)."""


class BatchNorm3d(Cell):
    """Batch normalisation of (N, C, D, H, W) by a BatchNorm2d, whose Parameters are the cell's."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        dtype: Any = types.float32,
    ):
        super().__init__()
        inits = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)

    def construct(self, x: Any) -> Any:
        if x.ndim != 5:
            raise ValueError(f"For 'BatchNorm3d', the input must have 5 axes, but got {x.ndim}.")
        n, c, d, h, w = x.shape
        return self.bn2d(x.reshape((n, c, d * h, w))).reshape(x.shape)


class LayerNorm(Cell):
    """Layer normalisation over the last axes (Ba et al., 2016).

    Args:
        normalized_shape: the sizes of these axes.
        begin_norm_axis, begin_params_axis: the first of these axes, or -1.
        gamma_init, beta_init: initial values of scale and shift.
        epsilon: added to the variance.
        dtype: of the Parameters.

    Raises:
        TypeError: normalized_shape is no tuple or list, or an axis no int.
        ValueError: when called: an axis is not where normalized_shape begins.
    """

    def __init__(
        self,
        normalized_shape: Any,
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        epsilon: float = 1e-7,
        dtype: Any = types.float32,
    ):
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(f"For 'LayerNorm', 'normalized_shape' must be a tuple or list, but got {normalized_shape!r}.")
        for name, axis in (("begin_norm_axis", begin_norm_axis), ("begin_params_axis", begin_params_axis)):
            if isinstance(axis, bool) or not isinstance(axis, int):
                raise TypeError(f"For 'LayerNorm', '{name}' must be an int, but got {axis!r}.")
        self.begin = begin_norm_axis, begin_params_axis
        self.normalized_shape, self.epsilon = tuple(normalized_shape), epsilon
        self.gamma = core.Parameter(initializer(gamma_init, self.normalized_shape, dtype), "gamma")
        self.beta = core.Parameter(initializer(beta_init, self.normalized_shape, dtype), "beta")

    def construct(self, x: Any) -> Any:
        for name, axis in zip(("begin_norm_axis", "begin_params_axis"), self.begin):
            first = x.ndim - len(self.normalized_shape)
            if axis not in (-1, first, first - x.ndim):
                raise ValueError(
                    f"For 'LayerNorm', '{name}' must be {first}, where 'normalized_shape' {self.normalized_shape} begins in "
                    f"an input of shape {x.shape}, or -1, but got {axis}."
                )
        return _ops["layer_norm"](x, self.normalized_shape, self.gamma, self.beta, self.epsilon)

    def extend_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}"


class Dropout(Cell):
    """Zeroes elements with probability p while training, and scales the others by 1 / (1 - p)."""

    _stateless = True

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = types.float32):
        super().__init__()
        take("Dropout", "dtype", dtype)
        self.p = 1 - keep_prob if p is None else p
        if not 0 <= self.p < 1:
            raise ValueError(f"For 'Dropout', 'p' must be within [0, 1), but got {self.p}.")

    def construct(self, x: Any) -> Any:
        if not self.training or self.p == 0:
            return x
        return _ops["dropout"](x, self.p)

    def extend_repr(self) -> str:
        return f"p={self.p}"


class Identity(Cell):
    """The input."""

    _stateless = True

    def construct(self, x: Any) -> Any:
        return x
