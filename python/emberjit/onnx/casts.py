"""ONNX's conversions between types, narrow ones among them (values.Narrow), and quantisation."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.onnx import values
from emberjit.onnx.table import Value, op
from emberjit.onnx.values import BITS, NARROW, STRING, TYPES, Narrow

_LIMITS = {2: (0, 255), 3: (-128, 127), 4: (0, 65535), 5: (-32768, 32767), 21: (0, 15), 22: (-8, 7), 25: (0, 3), 26: (-2, 1)}
_BYTES = (dtypes.uint8, dtypes.int8)
_SCALES = 24  # FLOAT8E8M0, powers of two


@op("Cast")
def cast(x: Value, *, to: int, saturate: int = 1, round_mode: str = "up") -> Any:
    if to == STRING:
        raise NotImplementedError("emberjit has no strings")
    x = x.values if isinstance(x, Narrow) else values.tensor(x)
    if to in TYPES:
        return x != 0 if to == 9 else x.astype(TYPES[to])
    if to not in NARROW:
        raise NotImplementedError(f"there is no rule for the type {to}")
    if "int" in NARROW[to]:
        return Narrow(_wrapped(x.astype(dtypes.int32), to), to)
    return Narrow(_rounded(x.astype(dtypes.float32), to, bool(saturate), round_mode), to)


@op("CastLike")
def cast_like(x: Value, like: Value, *, saturate: int = 1, round_mode: str = "up") -> Any:
    return cast(x, to=values.type_of(like), saturate=saturate, round_mode=round_mode)


def _wrapped(x: Tensor, type: int) -> Any:
    """The lowest bits of ints."""
    low, high = _LIMITS[type]
    low_bits = mint.bitwise_and(x - low, high - low) + low
    return low_bits.astype(dtypes.int8 if low else dtypes.uint8)


@functools.cache
def _bounds(type: int, round_mode: str) -> tuple[Any, Any]:
    """The sizes that a type has, and the largest numbers that are rounded to each."""
    sizes = values.sizes_of(type)
    exact = sizes.astype(np.float64)
    nexts = np.append(exact, 2 * exact[-1] if type == _SCALES else 2 * exact[-1] - exact[-2])
    middles = (nexts[1:] + nexts[:-1]) / 2
    if type == _SCALES and round_mode != "nearest":
        last = nexts[:-1] if round_mode == "up" else np.nextafter(nexts[1:], 0)
    else:
        even = np.arange(len(middles)) % 2 == 0 if type != _SCALES else np.zeros(len(middles), bool)
        last = np.where(even, middles, np.nextafter(middles, 0))
    return Tensor(sizes), Tensor(last)


def _rounded(x: Tensor, type: int, saturate: bool, round_mode: str) -> Any:
    """float32 numbers rounded to a narrow type, ties to even; those too large saturate, or become NaN or infinite, as the
    tables of ONNX's Cast say."""
    sizes, bounds = _bounds(type, round_mode)
    size = mint.abs(x)
    at = mint.searchsorted(bounds, size.astype(dtypes.float64))
    fits = at < sizes.shape[0]
    result = sizes[mint.clamp(at, 0, sizes.shape[0] - 1)]
    name = NARROW[type]
    if not saturate and name != "float4_e2m1fn":
        result = mint.where(fits, result, float("inf") if name == "float8_e5m2" else float("nan"))
        if type == _SCALES:
            result = mint.where(mint.logical_and(fits, size >= sizes[0]), result, float("nan"))
    result = result if type == _SCALES else ops.copysign(result, x)
    result = mint.where(mint.isnan(x), -0.0 if name == "float4_e2m1fn" else x, result)
    return result + 0.0 if name.endswith("uz") else result


@op("BitCast")
def bit_cast(x: Value, *, to: int) -> Any:
    own = values.type_of(x)
    codes = values.codes(x) if isinstance(x, Narrow) else values.tensor(x).asnumpy()
    if to in NARROW:
        if own in NARROW and BITS[NARROW[own]] != BITS[NARROW[to]]:
            raise ValueError(f"the types {own} and {to} have not the same number of bits")
        return values.narrow(codes.view(np.uint8), to)
    if to == values.BFLOAT16:
        return values.bfloat16(codes.view(np.uint16))
    if own == values.BFLOAT16:
        codes = (values.tensor(x).astype(dtypes.float32).asnumpy().view(np.uint32) >> 16).astype(np.uint16)
    return Tensor(codes.view(values.numpy_dtype(TYPES[to])))


def _spread(scale: Tensor, x: Tensor, axis: int, block_size: int) -> Any:
    """A scale or zero point as x has them: for all, for each position along an axis, or for each block of such."""
    if scale.ndim == 0 or (scale.ndim == 1 and scale.shape[0] == 1):
        return scale.reshape(())
    axis = values.within(axis, x.ndim)
    if block_size:
        long = mint.repeat_interleave(scale, block_size, axis)
        return mint.narrow(long, axis, 0, x.shape[axis])
    return scale.reshape(tuple(-1 if i == axis else 1 for i in range(x.ndim)))


def converted(x: Tensor, dtype: dtypes.dtype) -> Any:
    """Ints cast to another width. The cast is on a flat shape, so that it fuses with nothing: loops over bytes have no
    native code, and neither has what is fused with them."""
    return x.reshape((-1,)).astype(dtype).reshape(tuple(x.shape))


@op("QuantizeLinear")
def quantize(
    x: Tensor,
    scale: Value,
    zero: Value = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    precision: int = 0,
    saturate: int = 1,
) -> Any:
    to = output_dtype or (2 if zero is None else values.type_of(zero))
    scale = values.tensor(scale)
    wide = TYPES[precision] if precision else scale.dtype
    wide = dtypes.float32 if wide == dtypes.int32 else wide
    codes = x.astype(wide) / _spread(scale.astype(wide), x, axis, block_size)
    if to in _LIMITS:
        low, high = _LIMITS[to]
        codes = mint.round(codes).astype(dtypes.float32)
        if zero is not None:
            codes = codes + _spread(_numbers(zero).astype(dtypes.float32), x, axis, block_size)
        codes = converted(mint.clamp(codes, low, high).astype(dtypes.int32), TYPES.get(to) or _BYTES[low < 0])
        return codes if to in TYPES else Narrow(codes, to)
    if zero is not None:
        codes = codes + _spread(_numbers(zero).astype(wide), x, axis, block_size)
    return cast(codes, to=to, saturate=saturate)


def _numbers(x: Value) -> Any:
    return x.values if isinstance(x, Narrow) else values.tensor(x)


@op("DequantizeLinear")
def dequantize(
    x: Value, scale: Value, zero: Value = None, *, axis: int = 1, block_size: int = 0, output_dtype: int = 0
) -> Any:
    scale, codes = values.tensor(scale), _numbers(x)
    dtype = TYPES[output_dtype] if output_dtype else scale.dtype
    exact = dtypes.int32 if codes.dtype not in (dtypes.float32, dtypes.float16) else dtypes.float32
    codes = converted(codes, exact)
    if zero is not None:
        codes = codes - _spread(_numbers(zero).astype(exact), codes, axis, block_size)
    wide = dtypes.float32 if dtype in (dtypes.float16, dtypes.bfloat16) else dtype
    return (codes.astype(wide) * _spread(scale.astype(wide), codes, axis, block_size)).astype(dtype)


@op("DynamicQuantizeLinear")
def dynamic_quantize(x: Tensor) -> Any:
    zero = Tensor(0, x.dtype)
    low, high = mint.minimum(mint.min(x), zero), mint.maximum(mint.max(x), zero)
    scale = (high - low) / 255
    point = mint.round(mint.clamp(-low / scale, 0, 255))
    codes = mint.clamp(mint.round(x / scale) + point, 0, 255)
    return converted(codes.astype(dtypes.int32), dtypes.uint8), scale, point.astype(dtypes.int32).astype(dtypes.uint8)
