"""ONNX's products of quantised tensors. Sums of products of 8-bit ints are exact ints of 32 bits, which wrap; results are
rounded as ONNX's definitions have it."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as dtypes
from emberjit import mint
from emberjit.onnx.shapes import padded
from emberjit.onnx.table import op
from emberjit.onnx.windows import kernel_of, padding, per_axis, taps, window_counts

_ops = core.op_table


def _wide(zero: Any, x: Any, axis: int) -> Any:
    """The zero point of x in int32: a number, or of each position of an axis, or as it broadcasts to x."""
    zero = zero.astype(dtypes.int32)
    if zero.ndim != 1:
        return zero
    return zero.reshape(tuple(-1 if i == axis % x.ndim else 1 for i in range(x.ndim)) if zero.shape[0] > 1 else ())


def _product(x: Any, y: Any, x_zero: Any, y_zero: Any) -> Any:
    """(x - x_zero) @ (y - y_zero) in int32: x @ y, less zero points times sums of rows and columns, which are products with
    ones."""
    rows, columns, k = (x if x.ndim > 1 else x[None]), (y if y.ndim > 1 else y[:, None]), x.shape[-1]
    of_x, of_y = (None if z is None else _wide(z, of, at) for z, of, at in ((x_zero, rows, -2), (y_zero, columns, -1)))
    if of_x is None:
        made = _ops["matmul_integer"](rows, columns)
    else:
        ones = mint.ones((*rows.shape[:-2], 1, k), dtype=x.dtype)
        both = _ops["matmul_integer"](mint.cat([rows, ones], -2), columns)
        made, sums = both[..., :-1, :], both[..., -1:, :]
        made = made - of_x * (sums if of_y is None else sums - of_y * k)
    if of_y is not None:
        made = made - of_y * _ops["matmul_integer"](rows, mint.ones((k, 1), dtype=dtypes.uint8))
    made = made if x.ndim > 1 else made[..., 0, :]
    return made if y.ndim > 1 else made[..., 0]


@op("MatMulInteger")
def matmul_integer(x: Any, y: Any, x_zero: Any = None, y_zero: Any = None) -> Any:
    return _product(x, y, x_zero, y_zero)


@op("QLinearMatMul")
def quantised_matmul(x: Any, x_scale: Any, x_zero: Any, y: Any, y_scale: Any, y_zero: Any, scale: Any, zero: Any) -> Any:
    factor = (x_scale * y_scale / scale).astype(dtypes.float64)
    return _quantised(_product(x, y, x_zero, y_zero).astype(dtypes.float64) * factor, zero)


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
    return _convolution(x, w, x_zero, w_zero, **places)


def _convolution(
    x: Any,
    w: Any,
    x_zero: Any,
    w_zero: Any,
    *,
    auto_pad: str,
    dilations: Any,
    group: int,
    kernel_shape: Any,
    pads: Any,
    strides: Any,
) -> Any:
    """In int32, as products of the weight with what its windows see, where x is padded by its zero point."""
    kernel = kernel_of(w, kernel_shape)
    strides, dilations = per_axis(strides, len(kernel)), per_axis(dilations, len(kernel))
    places = padding(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    sizes = window_counts(x.shape[2:], kernel, strides, dilations, places)
    fill = mint.zeros((), dtype=x.dtype) if x_zero is None else x_zero.reshape(())
    for axis, (before, after) in enumerate(places, 2):
        x = padded(x, axis, before, after, "constant", fill)
    parts = taps(x, kernel, strides, dilations, sizes)
    seen = parts[0] if len(parts) == 1 else mint.stack(parts, 2)
    inputs, outputs, windows = w.shape[1] * math.prod(kernel), w.shape[0] // group, math.prod(sizes)
    if w_zero is not None and math.prod(w_zero.shape) > 1:
        w_zero = w_zero.reshape((group, outputs, 1))
    weight = w.reshape((group, outputs, inputs))
    made = _product(weight, seen.reshape((x.shape[0], group, inputs, windows)), w_zero, x_zero)
    return made.reshape((x.shape[0], w.shape[0], *sizes))


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
    made, to = _convolution(x, w, x_zero, w_zero, **places).astype(dtypes.float64), (-1, *(1,) * (x.ndim - 2))
    made = made if bias is None else made + bias.astype(dtypes.float64).reshape(to)
    factor = (x_scale * w_scale / scale).astype(dtypes.float64)
    return _quantised(made * (factor.reshape(to) if factor.ndim == 1 and factor.shape[0] > 1 else factor.reshape(())), zero)
