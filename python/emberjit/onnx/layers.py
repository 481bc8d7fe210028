"""ONNX's products, convolutions, pooling and normalisation."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.mint.nn import functional as F
from emberjit.onnx import values
from emberjit.onnx.elementwise import is_float
from emberjit.onnx.shapes import padded
from emberjit.onnx.table import Input, Ints, op
from emberjit.onnx.values import FLOAT, TYPES, numpy_dtype
from emberjit.onnx.windows import PerAxis, Windows, kernel_of, per_axis, windows_of


@op("MatMul")
def matmul(x: Tensor, y: Tensor) -> Any:
    return mint.matmul(x, y)


@op("Gemm")
def gemm(
    a: Tensor,
    b: Tensor,
    c: Input = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
    broadcast: int = 0,
) -> Any:
    a, b = (mint.transpose(a, 0, 1) if transA else a), (mint.transpose(b, 0, 1) if transB else b)
    product = matmul(a, b)
    product = product if alpha == 1 else (product * alpha).astype(a.dtype)
    if c is None:
        return product
    return product + (c if beta == 1 else (c * beta).astype(c.dtype))


def convolve(x: Tensor, w: Tensor, windows: Windows, group: int) -> Any:
    """The convolution of N, C, ... with O, C / group, ..., of one to three axes."""
    pads = windows.pads
    if any(before != after for before, after in pads):
        for axis, (before, after) in enumerate(pads):
            x = padded(x, axis + 2, before, after, "constant", Tensor(0, x.dtype))
        pads = [(0, 0)] * len(pads)
    same = tuple(before for before, _ in pads)
    function = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}.get(len(same))
    if function is None:
        raise NotImplementedError(f"convolutions are of one to three axes, not of {len(same)}")
    return function(x, w, None, windows.strides, same, windows.dilations, group)


@op("Conv")
def conv(
    x: Tensor,
    w: Tensor,
    bias: Input = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Ints = None,
    group: int = 1,
    kernel_shape: Ints = None,
    pads: Ints = None,
    strides: Ints = None,
) -> Any:
    kernel = kernel_of(w, kernel_shape)
    result = convolve(x, w, windows_of(x.shape[2:], kernel, strides, dilations, pads, auto_pad), group)
    return result if bias is None else result + bias.reshape((-1, *(1,) * len(kernel)))


@op("ConvTranspose")
def conv_transpose(
    x: Tensor,
    w: Tensor,
    bias: Input = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Ints = None,
    group: int = 1,
    kernel_shape: Ints = None,
    output_padding: Ints = None,
    output_shape: Ints = None,
    pads: Ints = None,
    strides: Ints = None,
) -> Any:
    kernel = kernel_of(w, kernel_shape)
    rank = len(kernel)
    strides, dilations, more = per_axis(strides, rank), per_axis(dilations, rank), per_axis(output_padding, rank, 0)
    spans = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilations))
    whole = [(n - 1) * s + span + m for n, s, span, m in zip(x.shape[2:], strides, spans, more)]
    if output_shape is None and auto_pad.startswith("SAME"):
        output_shape = [n * s for n, s in zip(x.shape[2:], strides)]
    if output_shape is not None:
        total = [max(0, n - target) for n, target in zip(whole, output_shape)]
        less = [cut // 2 for cut in total]
        rest = [cut - half for cut, half in zip(total, less)]
        cuts = list(zip(less, rest) if auto_pad in ("SAME_UPPER", "NOTSET") else zip(rest, less))
    else:
        cuts = windows_of(x.shape[2:], kernel, strides, dilations, pads, auto_pad).pads
    result = _transposed(x, w, strides, spans, dilations, group, more)
    for axis, (before, after) in enumerate(cuts):
        n = result.shape[axis + 2]
        result = padded(result, axis + 2, -before, -after, "constant", Tensor(0, x.dtype))
        if output_shape is not None and n < output_shape[axis]:
            result = padded(result, axis + 2, 0, output_shape[axis] - n, "constant", Tensor(0, x.dtype))
    return result if bias is None else result + bias.reshape((-1, *(1,) * rank))


def _transposed(
    x: Tensor, w: Tensor, strides: PerAxis, spans: PerAxis, dilations: PerAxis, group: int, more: PerAxis
) -> Any:
    """The transposed convolution without cuts: that of x, spread by the strides, with the kernel flipped."""
    rank = len(spans)
    for axis, (stride, span, extra) in enumerate(zip(strides, spans, more), 2):
        if stride > 1:
            n = x.shape[axis]
            parts = mint.unsqueeze(x, axis + 1)
            parts = padded(parts, axis + 1, 0, stride - 1, "constant", Tensor(0, x.dtype))
            x = parts.reshape((*x.shape[:axis], n * stride, *x.shape[axis + 1 :]))
            x = mint.narrow(x, axis, 0, (n - 1) * stride + 1)
        x = padded(x, axis, span - 1, span - 1 + extra, "constant", Tensor(0, x.dtype))
    c, o = w.shape[0], w.shape[1]
    w = mint.flip(w, tuple(range(2, 2 + rank))).reshape((group, c // group, o, *w.shape[2:]))
    w = mint.transpose(w, 1, 2).reshape((group * o, c // group, *w.shape[3:]))
    return convolve(x, w, Windows(tuple(w.shape[2:]), (1,) * rank, dilations, [(0, 0)] * rank), group)


@op("DeformConv")
def deform_conv(
    x: Tensor,
    w: Tensor,
    offset: Tensor,
    bias: Input = None,
    mask: Input = None,
    *,
    dilations: Ints = None,
    group: int = 1,
    kernel_shape: Ints = None,
    offset_group: int = 1,
    pads: Ints = None,
    strides: Ints = None,
) -> Any:
    kernel = kernel_of(w, kernel_shape)
    count = kernel[0] * kernel[1]
    _, strides, dilations, ((top, bottom), (left, right)) = windows_of(x.shape[2:], kernel, strides, dilations, pads)
    n, _, h, wide = offset.shape
    places = offset.reshape((n, offset_group, count, 2, h, wide))
    y, across = places[:, :, :, 0], places[:, :, :, 1]
    weight = mint.ones_like(y) if mask is None else mask.reshape(tuple(y.shape))
    flat = (n, offset_group * count, h, wide)
    offsets = mint.cat([across.reshape(flat), y.reshape(flat), weight.reshape(flat)], 1)
    return ops.deformable_conv2d(
        x,
        w,
        offsets,
        kernel,
        (1, 1, *strides),
        (top, bottom, left, right),
        bias,
        (1, 1, *dilations),
        group,
        offset_group,
        True,
    )


def _pooled(x: Tensor, windows: Windows, ceil_mode: int, fill: Any) -> tuple[list[Tensor], list[int]]:
    """The elements at each position within the windows of an image padded by a number, and the windows by axis."""
    sizes = tuple(x.shape[2:])
    if ceil_mode:
        counts, reached = windows.rounded_up(sizes)
    else:
        counts, reached = windows.counts(sizes), windows.pads
    if min(counts) < 1:
        raise ValueError(f"windows of {windows.kernel} do not fit into an image of {sizes}")
    for axis, (before, after) in enumerate(reached, 2):
        x = padded(x, axis, before, after, "constant", Tensor(fill, x.dtype))
    return windows.taps(x, counts), counts


@op("MaxPool")
def max_pool(
    x: Tensor,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Ints = None,
    kernel_shape: Sequence[int],
    pads: Ints = None,
    storage_order: int = 0,
    strides: Ints = None,
    outputs: int,
) -> Any:
    windows = windows_of(x.shape[2:], tuple(kernel_shape), strides, dilations, pads, auto_pad)
    kernel, rank = windows.kernel, len(windows.kernel)
    plain = all(a == b and 2 * a <= k for (a, b), k in zip(windows.pads, kernel))
    if outputs == 1 and rank == 2 and plain and is_float(x):
        pad = tuple(a for a, _ in windows.pads)
        return F.max_pool2d(x, kernel, windows.strides, pad, windows.dilations, ceil_mode=bool(ceil_mode))
    low = -math.inf if is_float(x) else int(np.iinfo(numpy_dtype(x.dtype)).min)
    elements, _ = _pooled(x, windows, ceil_mode, low)
    if outputs == 1:
        return functools.reduce(mint.maximum, elements)
    sizes = tuple(x.shape[2:])
    order = sizes if not storage_order else sizes[::-1]
    at = mint.arange(math.prod(sizes), dtype=dtypes.int64).reshape(order)
    at = mint.permute(at, tuple(reversed(range(rank)))) if storage_order else at
    outer = mint.arange(x.shape[0] * x.shape[1], dtype=dtypes.int64).reshape((*x.shape[:2], *(1,) * rank))
    index = outer * math.prod(sizes) + at
    positions, _ = _pooled(index, windows, ceil_mode, -1)
    best, where = elements[0], positions[0]
    for element, position in zip(elements[1:], positions[1:]):
        better = mint.logical_and(position >= 0, mint.logical_or(element > best, where < 0))
        best, where = mint.where(better, element, best), mint.where(better, position, where)
    return best, where


@op("AveragePool")
def average_pool(
    x: Tensor,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Ints = None,
    kernel_shape: Sequence[int],
    pads: Ints = None,
    strides: Ints = None,
) -> Any:
    windows = windows_of(x.shape[2:], tuple(kernel_shape), strides, dilations, pads, auto_pad)
    elements, counts = _pooled(x, windows, ceil_mode, 0)
    total = functools.reduce(operator.add, elements)
    sizes = []
    for n, k, stride, dilation, (before, after), count in zip(x.shape[2:], *windows, counts):
        n, before, after, count = int(n), int(before), int(after), int(count)
        low, high = (-before, n + after) if count_include_pad else (0, n)
        starts = [i * stride - before for i in range(count)]
        sizes.append(np.array([sum(low <= start + j * dilation < high for j in range(k)) for start in starts], np.float32))
    area = functools.reduce(np.multiply.outer, sizes)
    return total / Tensor(np.maximum(area, 1)).astype(x.dtype)


@op("LpPool")
def lp_pool(
    x: Tensor,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Ints = None,
    kernel_shape: Sequence[int],
    p: int = 2,
    pads: Ints = None,
    strides: Ints = None,
) -> Any:
    windows = windows_of(x.shape[2:], tuple(kernel_shape), strides, dilations, pads, auto_pad)
    elements, _ = _pooled(mint.pow(mint.abs(x), p), windows, ceil_mode, 0)
    return mint.pow(functools.reduce(operator.add, elements), 1 / p)


def _axes(x: Tensor) -> tuple[int, ...]:
    return tuple(range(2, x.ndim))


@op("GlobalAveragePool")
def global_average_pool(x: Tensor) -> Any:
    return mint.mean(x, _axes(x), True)


@op("GlobalMaxPool")
def global_max_pool(x: Tensor) -> Any:
    return mint.amax(x, _axes(x), True)


@op("GlobalLpPool")
def global_lp_pool(x: Tensor, *, p: int = 2) -> Any:
    return mint.pow(mint.sum(mint.pow(mint.abs(x), p), _axes(x), True), 1 / p)


@op("MaxUnpool")
def max_unpool(
    x: Tensor, at: Tensor, to: Input = None, *, kernel_shape: Sequence[int], pads: Ints = None, strides: Ints = None
) -> Any:
    windows = windows_of(x.shape[2:], tuple(kernel_shape), strides, None, pads)
    sizes = [(n - 1) * s + k - a - b for n, k, s, _, (a, b) in zip(x.shape[2:], *windows)]
    own = (*x.shape[:2], *sizes)
    target = own if to is None else tuple(to.tolist())
    flat = mint.zeros((math.prod(own),), dtype=x.dtype)
    result = mint.scatter(flat, 0, at.reshape((-1,)), x.reshape((-1,))).reshape(own)
    if target == own:
        return result
    for axis, (n, m) in enumerate(zip(own, target)):
        result = padded(result, axis, 0, m - n, "constant", Tensor(0, x.dtype))
    return result


@op("BatchNormalization")
def batch_normalization(
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: int = 0,
    spatial: int = 1,
    is_test: int = 1,
    outputs: int,
) -> Any:
    if not spatial or not is_test:
        raise NotImplementedError("emberjit knows BatchNormalization over all positions, of op sets 7 and more, alone")
    to = (1, -1, *(1,) * (x.ndim - 2))
    if not training_mode:
        return _normalised(x, mean.reshape(to), variance.reshape(to), scale.reshape(to), bias.reshape(to), epsilon)
    axes = (0, *_axes(x))
    batch_mean = mint.mean(x, axes)
    batch_variance = mint.mean(mint.square(x - batch_mean.reshape(to)), axes)
    result = _normalised(x, batch_mean.reshape(to), batch_variance.reshape(to), scale.reshape(to), bias.reshape(to), epsilon)
    running = [old * momentum + new * (1 - momentum) for old, new in ((mean, batch_mean), (variance, batch_variance))]
    return (result, *running)[:outputs]


def _normalised(x: Tensor, mean: Tensor, variance: Tensor, scale: Tensor, bias: Tensor, epsilon: float) -> Any:
    factor = scale / mint.sqrt(variance + epsilon)
    return (x * factor + (bias - mean * factor)).astype(x.dtype)


@op("InstanceNormalization")
def instance_normalization(x: Tensor, scale: Tensor, bias: Tensor, *, epsilon: float = 1e-5) -> Any:
    to = (1, -1, *(1,) * (x.ndim - 2))
    return _standard(x, _axes(x), epsilon) * scale.reshape(to) + bias.reshape(to)


def _standard(x: Tensor, axes: Sequence[int], epsilon: float) -> Any:
    mean = mint.mean(x, axes, True)
    return (x - mean) * mint.rsqrt(mint.mean(mint.square(x - mean), axes, True) + epsilon)


@op("GroupNormalization")
def group_normalization(
    x: Tensor, scale: Tensor, bias: Tensor, *, epsilon: float = 1e-5, num_groups: int, stash_type: int = FLOAT, opset: int
) -> Any:
    n, c = x.shape[:2]
    wide = x.astype(TYPES[stash_type]).reshape((n, num_groups, -1))
    result = _standard(wide, (2,), epsilon).astype(x.dtype)
    if opset < 21:
        scale, bias = (mint.repeat_interleave(parameter, c // num_groups, 0) for parameter in (scale, bias))
    to = (1, c, *(1,) * (x.ndim - 2))
    return result.reshape(tuple(x.shape)) * scale.reshape(to) + bias.reshape(to)


@op("LayerNormalization")
def layer_normalization(
    x: Tensor, w: Tensor, b: Input = None, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = FLOAT, outputs: int
) -> Any:
    axis = values.within(axis, x.ndim)
    if outputs == 1 and b is not None and tuple(w.shape) == tuple(b.shape) == tuple(x.shape[axis:]):
        return F.layer_norm(x, tuple(x.shape[axis:]), w, b, epsilon)
    axes = tuple(range(axis, x.ndim))
    wide = x.astype(TYPES[stash_type])
    mean = mint.mean(wide, axes, True)
    factor = mint.rsqrt(mint.mean(mint.square(wide - mean), axes, True) + epsilon)
    result = ((wide - mean) * factor).astype(x.dtype) * w
    result = result if b is None else result + b
    return (result, mean, factor)[:outputs] if outputs > 1 else result


@op("RMSNormalization")
def rms_normalization(x: Tensor, scale: Tensor, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = FLOAT) -> Any:
    axes = tuple(range(values.within(axis, x.ndim), x.ndim))
    wide = x.astype(TYPES[stash_type])
    return (wide * mint.rsqrt(mint.mean(mint.square(wide), axes, True) + epsilon)).astype(x.dtype) * scale


@op("MeanVarianceNormalization")
def mean_variance_normalization(x: Tensor, *, axes: Sequence[int] = (0, 2, 3)) -> Any:
    axes = tuple(axes)
    mean = mint.mean(x, axes, True)
    variance = mint.mean(mint.square(x), axes, True) - mint.square(mean)
    return (x - mean) / (mint.sqrt(variance) + 1e-9)


@op("LRN")
def lrn(x: Tensor, *, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0, size: int) -> Any:
    count = int(x.shape[1])
    before, after = min((size - 1) // 2, count), min(size - 1 - (size - 1) // 2, count)
    squares = padded(mint.square(x), 1, before, after, "constant", Tensor(0, x.dtype))
    total = functools.reduce(operator.add, (mint.narrow(squares, 1, i, count) for i in range(before + after + 1)))
    return x / mint.pow(bias + alpha / size * total, beta)
