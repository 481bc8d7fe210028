"""ONNX's products of quantised tensors. Sums of products of 8-bit ints are ints; results are rounded as ONNX's definitions
have it."""

from __future__ import annotations

from typing import Any

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit.onnx import layers
from emberjit.onnx.table import op


def _centred(x: Any, zero: Any, axis: int | None) -> Any:
    """8-bit numbers less their zero point, which may be of each position of an axis; exact as float64."""
    wide = x.astype(dtypes.float64)
    if zero is None:
        return wide
    zero = zero.astype(dtypes.float64)
    if zero.ndim == 1 and zero.shape[0] > 1 and axis is not None:
        zero = zero.reshape(tuple(-1 if i == axis % x.ndim else 1 for i in range(x.ndim)))
    return wide - (zero.reshape(()) if zero.ndim == 1 and zero.shape[0] == 1 else zero)


@op("MatMulInteger")
def matmul_integer(x: Any, y: Any, x_zero: Any = None, y_zero: Any = None) -> Any:
    return _product(x, y, x_zero, y_zero).astype(dtypes.int32)


def _product(x: Any, y: Any, x_zero: Any, y_zero: Any) -> Any:
    return mint.matmul(_centred(x, x_zero, -2), _centred(y, y_zero, -1))


@op("QLinearMatMul")
def quantised_matmul(x: Any, x_scale: Any, x_zero: Any, y: Any, y_scale: Any, y_zero: Any, scale: Any, zero: Any) -> Any:
    factor = (x_scale * y_scale / scale).astype(dtypes.float64)
    return _quantised(_product(x, y, x_zero, y_zero) * factor, zero)


def _quantised(x: Any, zero: Any) -> Any:
    low, high = (0, 255) if zero.dtype == dtypes.uint8 else (-128, 127)
    return mint.clamp(mint.round(x) + zero.astype(x.dtype), low, high).astype(dtypes.int32).astype(zero.dtype)


@op("ConvInteger")
def conv_integer(
    x: Any,
    w: Any,
    x_zero: Any = None,
    w_zero: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    places = dict(auto_pad=auto_pad, dilations=dilations, group=group, kernel_shape=kernel_shape, pads=pads, strides=strides)
    return layers.conv(_centred(x, x_zero, None), _centred(w, w_zero, 0), **places).astype(dtypes.int32)


@op("QLinearConv")
def quantised_conv(
    x: Any,
    x_scale: Any,
    x_zero: Any,
    w: Any,
    w_scale: Any,
    w_zero: Any,
    scale: Any,
    zero: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    places = dict(auto_pad=auto_pad, dilations=dilations, group=group, kernel_shape=kernel_shape, pads=pads, strides=strides)
    wide = None if bias is None else bias.astype(dtypes.float64)
    made = layers.conv(_centred(x, x_zero, None), _centred(w, w_zero, 0), wide, **places)
    to = (-1, *(1,) * (x.ndim - 2))
    factor = (x_scale * w_scale / scale).astype(dtypes.float64)
    return _quantised(made * (factor.reshape(to) if factor.ndim == 1 and factor.shape[0] > 1 else factor.reshape(())), zero)
