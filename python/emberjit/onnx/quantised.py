"""ONNX's products of quantised tensors. Sums of products of 8-bit ints are exact ints of 32 bits, which wrap; results are
rounded as ONNX's definitions have it.

With zero points a of x and b of w, (x - a) @ (w - b) is x @ w, less b times the sums of x's rows, less a times the sums of
the columns of w - b. The last part is an op of its own here, `Offset`, as are factors and biases: graphs are rewritten into
such (qdq.py), and what reads constants alone is then computed when a file is loaded."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as dtypes
from emberjit import mint
from emberjit._emberjit import Tensor
from emberjit.onnx.casts import converted
from emberjit.onnx.shapes import padded
from emberjit.onnx.table import Input, Ints, op
from emberjit.onnx.values import TYPES
from emberjit.onnx.windows import kernel_of, windows_of

OWN = "emberjit.quantised"  # the domain of ops that files have not
MOST_TERMS = (1 << 31) // (255 * 255)  # of a sum that fits int32
_ops = core.ops


def _of_columns(value: Tensor) -> Any:
    """A scale or zero point of the right operand of a product, as it broadcasts to it: one, of each column, or N-d."""
    return value.reshape(()) if value.ndim == 1 and value.shape[0] == 1 else value


def _of_rows(value: Tensor, trailing: int = 0) -> Any:
    """Such of the left operand, where more axes than the columns' may follow."""
    value = _of_columns(value)
    return value if value.ndim != 1 else value.reshape((-1, *(1,) * trailing))


def _row_sums(x: Tensor) -> Any:
    return _ops.matmul_integer(x, mint.ones((x.shape[-1], 1), dtype=dtypes.uint8))


def _column_sums(x: Tensor) -> Any:
    return _ops.matmul_integer(mint.ones((1, x.shape[-2]), dtype=dtypes.uint8), x)


def _matrix(w: Tensor) -> Any:
    return w if w.ndim > 1 else w[:, None]


@op("Offset", domain=OWN)
def offset(w: Tensor, x_zero: Tensor, w_zero: Input = None) -> Any:
    """What the zero point of x takes off x @ w, in int32."""
    w = _matrix(w)
    sums = _column_sums(w)
    if w_zero is not None:
        sums = sums - _of_columns(w_zero.astype(dtypes.int32)) * w.shape[-2]
    return _of_rows(x_zero.astype(dtypes.int32), 1) * sums


@op("MatMul", domain=OWN)
def product(x: Tensor, w: Tensor, offset: Input = None, w_zero: Input = None) -> Any:
    """(x - x_zero) @ (w - w_zero) in int32."""
    rows = x if x.ndim > 1 else x[None]
    result = _ops.matmul_integer(rows, _matrix(w))
    result = result if offset is None else result - offset
    result = result if w_zero is None else result - _of_columns(w_zero.astype(dtypes.int32)) * _row_sums(rows)
    result = result if x.ndim > 1 else result[..., 0, :]
    return result if w.ndim > 1 else result[..., 0]


@op("MatMulInteger")
def matmul_integer(x: Tensor, y: Tensor, x_zero: Input = None, y_zero: Input = None) -> Any:
    return product(x, y, None if x_zero is None else offset(y, x_zero, y_zero), y_zero)


@op("ExactMatMul", domain=OWN)
def exact_product(x: Tensor, y: Tensor, x_zero: Input = None, y_zero: Input = None) -> Any:
    """(x - x_zero) @ (y - y_zero) in int32, or, where sums may be beyond it, in float64, which holds them; of single zero
    points."""
    if x.shape[-1] <= MOST_TERMS:
        return matmul_integer(x, y, x_zero, y_zero)
    x, y = (
        operand.astype(dtypes.float64) - (0 if zero is None else zero.reshape(()).astype(dtypes.float64))
        for operand, zero in ((x, x_zero), (y, y_zero))
    )
    return mint.matmul(x, y)


@op("ConvOffset", domain=OWN)
def conv_offset(w: Tensor, x_zero: Tensor, w_zero: Input = None) -> Any:
    """What the zero point of x takes off each channel of a convolution with w, in int32."""
    sums = _row_sums(w.reshape((w.shape[0], math.prod(w.shape[1:]))))
    if w_zero is not None:
        sums = sums - _of_rows(w_zero.astype(dtypes.int32), 1) * math.prod(w.shape[1:])
    return (x_zero.reshape(()).astype(dtypes.int32) * sums).reshape((-1, *(1,) * (w.ndim - 2)))


@op("Conv", domain=OWN)
def convolution(
    x: Tensor,
    w: Tensor,
    offset: Input = None,
    w_zero: Input = None,
    x_zero: Input = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Ints = None,
    group: int = 1,
    kernel_shape: Ints = None,
    pads: Ints = None,
    strides: Ints = None,
) -> Any:
    """A convolution of x - x_zero with w - w_zero in int32, as products of the weight with what its windows see, where x is
    padded by its zero point."""
    kernel = kernel_of(w, kernel_shape)
    windows = windows_of(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    sizes = windows.counts(x.shape[2:])
    fill = mint.zeros((), dtype=x.dtype) if x_zero is None else x_zero.reshape(())
    for axis, (before, after) in enumerate(windows.pads, 2):
        x = padded(x, axis, before, after, "constant", fill)
    parts = windows.taps(x, sizes)
    patches = parts[0] if len(parts) == 1 else mint.stack(parts, 2)
    inputs, outputs = w.shape[1] * math.prod(kernel), w.shape[0] // group
    patches = patches.reshape((x.shape[0], group, inputs, math.prod(sizes)))
    result = _ops.matmul_integer(w.reshape((group, outputs, inputs)), patches)
    if w_zero is not None:
        zero = _of_rows(w_zero.astype(dtypes.int32))
        result = result - (zero.reshape((group, outputs, 1)) if zero.ndim else zero) * _column_sums(patches)
    result = result.reshape((x.shape[0], w.shape[0], *sizes))
    return result if offset is None else result - offset


@op("ConvInteger", attributes_of=convolution)
def conv_integer(x: Tensor, w: Tensor, x_zero: Input = None, w_zero: Input = None, **attributes: Any) -> Any:
    return convolution(x, w, None if x_zero is None else conv_offset(w, x_zero, w_zero), w_zero, x_zero, **attributes)


@op("Factor", domain=OWN)
def factor(x_scale: Tensor, w_scale: Tensor, scale: Input = None, *, trailing: int = 0) -> Any:
    """What sums are multiplied by: float64 to be rounded to steps of a scale, otherwise of the scales' dtype.

    Args:
        trailing: axes of the product behind the one that w_scale is along.
    """
    of_w = _of_rows(w_scale, trailing) if trailing else _of_columns(w_scale)
    result = _of_rows(x_scale, 1) * of_w
    return result if scale is None else (result / _of_rows(scale, 1)).astype(dtypes.float64)


@op("Bias", domain=OWN)
def bias(value: Tensor, scale: Input = None, *, trailing: int = 0) -> Any:
    """A bias in float64 as it broadcasts to a product, in steps of a scale if there is one."""
    wide = value.astype(dtypes.float64)
    wide = wide if scale is None else wide / scale.reshape(()).astype(dtypes.float64)
    return _of_rows(wide, trailing) if trailing else wide


@op("Scaled", domain=OWN)
def scaled(sums: Tensor, factor: Tensor, bias: Input = None, *, trailing: int = 0) -> Any:
    """Sums in float32."""
    result = sums.astype(factor.dtype) * factor
    if bias is None:
        return result
    return result + (_of_rows(bias, trailing) if trailing else bias)


@op("Requantised", domain=OWN)
def requantised(
    sums: Tensor, factor: Tensor, zero: Input = None, before: Input = None, after: Input = None, *, to: int = 2
) -> Any:
    """Sums as 8-bit ints, rounded half to even.

    Args:
        zero: the zero point, of the result's dtype.
        before: a bias in float64 that is added before sums are multiplied by the factor.
        after: one that is added then.
        to: the number of the result's type where there is no zero point.
    """
    result = sums.astype(dtypes.float64)
    result = (result if before is None else result + before) * factor
    result = result if after is None else result + after
    dtype = TYPES[to] if zero is None else zero.dtype
    low, high = (0, 255) if dtype == dtypes.uint8 else (-128, 127)
    point = mint.zeros((), dtype=dtypes.float64) if zero is None else _of_rows(zero, 1).astype(dtypes.float64)
    return converted((mint.round(mint.clamp(result, low - point, high - point)) + point).astype(dtypes.int32), dtype)


@op("QLinearMatMul")
def quantised_matmul(
    x: Tensor, x_scale: Tensor, x_zero: Tensor, y: Tensor, y_scale: Tensor, y_zero: Tensor, scale: Tensor, zero: Tensor
) -> Any:
    return requantised(matmul_integer(x, y, x_zero, y_zero), factor(x_scale, y_scale, scale), zero)


@op("QLinearConv", attributes_of=convolution)
def quantised_conv(
    x: Tensor,
    x_scale: Tensor,
    x_zero: Tensor,
    w: Tensor,
    w_scale: Tensor,
    w_zero: Tensor,
    scale: Tensor,
    zero: Tensor,
    b: Input = None,
    **attributes: Any,
) -> Any:
    rank = x.ndim - 2
    by, more = factor(x_scale, w_scale, scale, trailing=rank), None if b is None else bias(b, trailing=rank)
    return requantised(conv_integer(x, w, x_zero, w_zero, **attributes), by, zero, more)
