"""Layers."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit import nn, ops
from emberjit.capture.session.engine import read
from emberjit.functions.checks import check_probability
from emberjit.functions.layers.convolution import bias_apart
from emberjit.functions.layers.embeddings import padding_row
from emberjit.functions.linalg.products import bidense
from emberjit.functions.random.dropout import channel_dropouts
from emberjit.initializer import HeUniform, Uniform, initializer
from emberjit.nn.cell import Cell
from emberjit.nn.checks import check_int
from emberjit.options import take
from emberjit.transforms.precision_rules import has_rule

_ops = core.op_table


_ACTIVATIONS = {
    "elu": "ELU",
    "fast_gelu": "FastGelu",
    "gelu": "GELU",
    "hshrink": "HShrink",
    "hsigmoid": "HSigmoid",
    "hswish": "HSwish",
    "leakyrelu": "LeakyReLU",
    "logsigmoid": "LogSigmoid",
    "logsoftmax": "LogSoftmax",
    "mish": "Mish",
    "prelu": "PReLU",
    "relu": "ReLU",
    "relu6": "ReLU6",
    "rrelu": "RReLU",
    "sigmoid": "Sigmoid",
    "silu": "SiLU",
    "softmax": "Softmax",
    "softmax2d": "Softmax2d",
    "softmin": "Softmin",
    "softshrink": "SoftShrink",
    "softsign": "Softsign",
    "tanh": "Tanh",
    "tanhshrink": "Tanhshrink",
}


def get_activation(name: Any, prim_name: str | None = None) -> Any:
    """The cell of an activation's name; of None none.

    Args:
        prim_name: who asks, for errors.

    Raises:
        KeyError: an unknown name.
    """
    if name is None:
        return None
    if name not in _ACTIVATIONS:
        asked = f"For '{prim_name or 'get_activation'}', the activation"
        raise KeyError(f"{asked} {name!r} is not one of {sorted(_ACTIVATIONS)}.")
    return getattr(nn, _ACTIVATIONS[name])()


class _Affine(Cell):
    sizes = ("in_channels", "out_channels")

    bias: Any

    def _make(self, inner: int, outer: int, weight_init: Any, bias_init: Any, has_bias: bool, dtype: Any) -> None:
        for name, size in zip(self.sizes, (inner, outer)):
            setattr(self, name, check_int(type(self).__name__, name, size))
        self.has_bias = has_bias
        weight = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = core.Parameter(initializer(weight, (outer, inner), dtype), name="weight")
        if has_bias:
            bias = Uniform(1 / math.sqrt(inner)) if bias_init is None else bias_init
            self.bias = core.Parameter(initializer(bias, (outer,), dtype), name="bias")
        else:
            self.bias = None

    def _product(self, x: Any, bias: Any) -> Any:
        try:
            return _ops["dense"](x, self.weight, bias)
        except ValueError as error:
            size = getattr(self, self.sizes[0])
            if x.ndim == 0 or x.shape[-1] == size:
                raise
            raise ValueError(
                f"For '{type(self).__name__}', the last axis of the input must have the size of '{self.sizes[0]}', {size}, "
                f"but the input has shape {tuple(x.shape)}, the weight {tuple(self.weight.shape)}."
            ) from error


class Dense(_Affine):
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
        self._make(in_channels, out_channels, weight_init, bias_init, has_bias, dtype)
        self.activation = get_activation(activation, "Dense") if isinstance(activation, str) else activation

    def construct(self, x: Any) -> Any:
        bias, added = bias_apart(self.bias)
        y = self._product(x, bias)
        y = y if added is None else y + added
        return y if self.activation is None else self.activation(y)

    def extend_repr(self) -> str:
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"


class BiDense(Cell):
    """input1 @ weight[o] @ input2 + bias[o] for each output o, weight of shape (out_channels, in1_channels, in2_channels);
    any leading axes.

    Raises:
        TypeError: channels that are no ints.
        ValueError: channels that are not positive.
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = types.float32,
    ):
        super().__init__()
        self.in1_channels = check_int("BiDense", "in1_channels", in1_channels)
        self.in2_channels = check_int("BiDense", "in2_channels", in2_channels)
        self.out_channels = check_int("BiDense", "out_channels", out_channels)
        self.has_bias = has_bias
        fresh = Uniform(1 / math.sqrt(in1_channels))
        shape = (out_channels, in1_channels, in2_channels)
        self.weight = core.Parameter(initializer(fresh if weight_init is None else weight_init, shape, dtype), name="weight")
        bias = initializer(fresh if bias_init is None else bias_init, (out_channels,), dtype) if has_bias else None
        self.bias = None if bias is None else core.Parameter(bias, name="bias")

    def construct(self, input1: Any, input2: Any) -> Any:
        return bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self) -> str:
        return (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, out_channels={self.out_channels}, "
            f"has_bias={self.has_bias}"
        )


class Linear(_Affine):
    """x @ weight.T + bias, weight of shape (out_features, in_features); any leading axes.

    Raises:
        TypeError: features that are no ints.
        ValueError: features that are not positive.
    """

    sizes = ("in_features", "out_features")

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        self._make(in_features, out_features, weight_init, bias_init, bias, dtype)

    def construct(self, input: Any) -> Any:
        return self._product(input, self.bias)

    def extend_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.has_bias}"


class PReLU(Cell):
    """x where it is positive, else x times w, one for all or one for each channel (He et al., 2015).

    Args:
        channel: how many: 1, or the size of the second axis.
        w: the initial value, or a list or Tensor of one for each channel.

    Raises:
        TypeError: channel is no int, or w no number, list or Tensor.
        ValueError: channel is not positive, or w has another number of elements.
    """

    def __init__(self, channel: int = 1, w: Any = 0.25):
        super().__init__()
        check_int("PReLU", "channel", channel)
        if not isinstance(w, (int, float, list, core.Tensor)) or isinstance(w, bool):
            raise TypeError(f"For 'PReLU', 'w' must be a number, or a list or Tensor of them, but got {w!r}.")
        values = core.Tensor(w, types.float32) if isinstance(w, (list, core.Tensor)) else initializer(w, (channel,))
        if tuple(values.shape) != (channel,):
            raise ValueError(f"For 'PReLU', 'w' must have {channel} elements, as 'channel' says, but got {w!r}.")
        self.w = core.Parameter(values, name="a")

    def construct(self, x: Any) -> Any:
        return ops.prelu(x, self.w)


class BaseBatchNorm(Cell):
    """What batch normalisations share."""

    ranks: tuple[int, ...] = (4,)
    _made = "moving_mean", "moving_variance", "gamma", "beta"

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
        mean, variance, gamma, beta = (self._params[name] for name in self._made)  # in their own precision
        wide = x if x.dtype == gamma.dtype else _ops["cast"](x, gamma.dtype)
        if training:
            y, *new = _ops["batch_norm_training"](wide, mean, variance, gamma, beta, self.momentum, self.eps)
            for old, value in zip((mean, variance), new):
                _ops["assign"](old, value)
        else:
            y = _ops["batch_norm"](wide, mean, variance, gamma, beta, training=False, eps=self.eps)
        return y if wide is x or has_rule(_ops["batch_norm"]) else _ops["cast"](y, x.dtype)

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(BaseBatchNorm):
    """Batch normalisation of (N, C) or (N, C, L) (Ioffe and Szegedy, 2015)."""

    ranks = (2, 3)


class BatchNorm2d(BaseBatchNorm):
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
    _numbers = ("p",)

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = types.float32):
        super().__init__()
        take("Dropout", "dtype", dtype)
        self.p = 1 - keep_prob if p is None else p
        if not 0 <= self.p < 1:
            raise ValueError(f"For 'Dropout', 'p' must be within [0, 1), but got {self.p}.")

    def construct(self, x: Any) -> Any:
        if not self.training or (p := read(self, "p")) == 0:
            return x
        return _ops["dropout"](x, p)

    def extend_repr(self) -> str:
        return f"p={read(self, 'p')}"


class Embedding(Cell):
    """The rows of a table that numbers name.

    Args:
        vocab_size: the number of rows.
        embedding_size: the size of one.
        use_one_hot: whether rows are found by a product with one-hot vectors.
        embedding_table: the initial value: an initializer, its name, or a Tensor.
        dtype: of the Parameter.
        padding_idx: a row that begins as zeros.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or padding_idx out of range.
        IndexError: when called: a number of no row.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = types.float32,
        padding_idx: int | None = None,
    ):
        super().__init__()
        self.vocab_size = check_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = check_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot, self.dtype = use_one_hot, dtype
        self.padding_idx = padding_row("Embedding", padding_idx, vocab_size)
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if self.padding_idx is not None:
            table[self.padding_idx] = 0
        self.embedding_table = core.Parameter(table, "embedding_table")

    def construct(self, ids: Any) -> Any:
        if self.use_one_hot:
            return _ops["matmul"](_ops["cast"](_ops["one_hot"](ids, self.vocab_size), self.dtype), self.embedding_table)
        return _ops["gather"](self.embedding_table, ids, 0)

    def extend_repr(self) -> str:
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class _ChannelDropout(Cell):
    _stateless = True
    _numbers = ("p",)
    axes = 1

    def __init__(self, p: float = 0.5):
        super().__init__()
        check_probability(type(self).__name__, "p", p)
        self.p = p

    def construct(self, x: Any) -> Any:
        return channel_dropouts[self.axes - 1](x, read(self, "p"), self.training)

    def extend_repr(self) -> str:
        return f"p={read(self, 'p')}"


class Dropout1d(_ChannelDropout):
    """Zeroes channels of (N, C, L) or (C, L) with probability p while training, and scales the others by 1 / (1 - p)."""


class Dropout2d(_ChannelDropout):
    """Zeroes channels of (N, C, H, W) with probability p while training, and scales the others by 1 / (1 - p)."""

    axes = 2


class Dropout3d(_ChannelDropout):
    """Zeroes channels of (N, C, D, H, W) with probability p while training, and scales the others by 1 / (1 - p)."""

    axes = 3


class Identity(Cell):
    """The input."""

    _stateless = True

    def construct(self, x: Any) -> Any:
        return x
