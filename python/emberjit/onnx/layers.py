"""ONNX's products, convolutions, pooling and normalisation."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.mint.nn import functional as F
from emberjit.onnx import values
from emberjit.onnx.elementwise import is_float
from emberjit.onnx.shapes import padded
from emberjit.onnx.table import op
from emberjit.onnx.values import FLOAT, TYPES, numpy_dtype
from emberjit.onnx.windows import Pads, kernel_of, padding, per_axis, rounded_up, taps, window_counts


@op("MatMul")
def matmul(x: Any, y: Any) -> Any:
    return mint.matmul(x, y)


@op("Gemm")
def gemm(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
    broadcast: int = 0,
) -> Any:
    a, b = (mint.transpose(a, 0, 1) if transA else a), (mint.transpose(b, 0, 1) if transB else b)
    made = matmul(a, b)
    made = made if alpha == 1 else (made * alpha).astype(a.dtype)
    if c is None:
        return made
    return made + (c if beta == 1 else (c * beta).astype(c.dtype))


def convolve(x: Any, w: Any, strides: Any, pads: Pads, dilations: Any, group: int) -> Any:
    """The convolution of N, C, ... with O, C / group, ..., of one to three axes."""
    if any(before != after for before, after in pads):
        for axis, (before, after) in enumerate(pads):
            x = padded(x, axis + 2, before, after, "constant", Tensor(0, x.dtype))
        pads = [(0, 0)] * len(pads)
    same = tuple(before for before, _ in pads)
    function = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}.get(len(same))
    if function is None:
        raise NotImplementedError(f"convolutions are of one to three axes, not of {len(same)}")
    return function(x, w, None, tuple(strides), same, tuple(dilations), group)


@op("Conv")
def conv(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel = kernel_of(w, kernel_shape)
    strides, dilations = per_axis(strides, len(kernel)), per_axis(dilations, len(kernel))
    places = padding(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    made = convolve(x, w, strides, places, dilations, group)
    return made if bias is None else made + bias.reshape((-1, *(1,) * len(kernel)))


@op("ConvTranspose")
def conv_transpose(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    output_padding: Any = None,
    output_shape: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel = kernel_of(w, kernel_shape)
    rank = len(kernel)
    strides, dilations, more = per_axis(strides, rank), per_axis(dilations, rank), per_axis(output_padding, rank, 0)
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    whole = [(n - 1) * s + span + m for n, s, span, m in zip(x.shape[2:], strides, spans, more)]
    if output_shape is None and auto_pad.startswith("SAME"):
        output_shape = [n * s for n, s in zip(x.shape[2:], strides)]
    if output_shape is not None:
        total = [max(0, n - wanted) for n, wanted in zip(whole, output_shape)]
        less = [each // 2 for each in total]
        rest = [each - half for each, half in zip(total, less)]
        cuts = list(zip(less, rest) if auto_pad in ("SAME_UPPER", "NOTSET") else zip(rest, less))
    else:
        cuts = padding(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    made = _transposed(x, w, strides, spans, dilations, group, more)
    for axis, (before, after) in enumerate(cuts):
        n = made.shape[axis + 2]
        made = padded(made, axis + 2, -before, -after, "constant", Tensor(0, x.dtype))
        if output_shape is not None and n < output_shape[axis]:
            made = padded(made, axis + 2, 0, output_shape[axis] - n, "constant", Tensor(0, x.dtype))
    return made if bias is None else made + bias.reshape((-1, *(1,) * rank))


def _transposed(x: Any, w: Any, strides: Any, spans: Any, dilations: Any, group: int, more: Any) -> Any:
    """The transposed convolution without cuts: that of x, spread by the strides, with the kernel turned round."""
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
    return convolve(x, w, (1,) * rank, [(0, 0)] * rank, dilations, group)


@op("DeformConv")
def deform_conv(
    x: Any,
    w: Any,
    offset: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    offset_group: int = 1,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel = kernel_of(w, kernel_shape)
    count = kernel[0] * kernel[1]
    strides, dilations = per_axis(strides, 2), per_axis(dilations, 2)
    (top, bottom), (left, right) = padding(x.shape[2:], kernel, strides, dilations, pads, "NOTSET")
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


def _pooled(x: Any, kernel: Any, strides: Any, dilations: Any, places: Pads, ceil_mode: int, fill: Any) -> Any:
    """What lies at each place of the windows of an image that is padded by a number, and how many windows each axis has."""
    sizes = tuple(x.shape[2:])
    if ceil_mode:
        counts, reached = rounded_up(sizes, kernel, strides, dilations, places)
    else:
        counts, reached = window_counts(sizes, kernel, strides, dilations, places), places
    if min(counts) < 1:
        raise ValueError(f"windows of {kernel} do not fit into an image of {sizes}")
    for axis, (before, after) in enumerate(reached, 2):
        x = padded(x, axis, before, after, "constant", Tensor(fill, x.dtype))
    return taps(x, kernel, strides, dilations, counts), counts


@op("MaxPool")
def max_pool(
    x: Any,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Any = None,
    kernel_shape: Any,
    pads: Any = None,
    storage_order: int = 0,
    strides: Any = None,
    outputs: int,
) -> Any:
    kernel, rank = tuple(kernel_shape), len(kernel_shape)
    strides, dilations = per_axis(strides, rank), per_axis(dilations, rank)
    places = padding(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    plain = all(a == b and 2 * a <= k for (a, b), k in zip(places, kernel))
    if outputs == 1 and rank == 2 and plain and is_float(x):
        return F.max_pool2d(x, kernel, strides, tuple(a for a, _ in places), dilations, ceil_mode=bool(ceil_mode))
    low = -math.inf if is_float(x) else int(np.iinfo(numpy_dtype(x.dtype)).min)
    found, _ = _pooled(x, kernel, strides, dilations, places, ceil_mode, low)
    if outputs == 1:
        return functools.reduce(mint.maximum, found)
    sizes = tuple(x.shape[2:])
    order = sizes if not storage_order else sizes[::-1]
    at = mint.arange(math.prod(sizes), dtype=dtypes.int64).reshape(order)
    at = mint.permute(at, tuple(reversed(range(rank)))) if storage_order else at
    outer = mint.arange(x.shape[0] * x.shape[1], dtype=dtypes.int64).reshape((*x.shape[:2], *(1,) * rank))
    index = outer * math.prod(sizes) + at
    positions, _ = _pooled(index, kernel, strides, dilations, places, ceil_mode, -1)
    best, where = found[0], positions[0]
    for each, position in zip(found[1:], positions[1:]):
        better = mint.logical_and(position >= 0, mint.logical_or(each > best, where < 0))
        best, where = mint.where(better, each, best), mint.where(better, position, where)
    return best, where


@op("AveragePool")
def average_pool(
    x: Any,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Any = None,
    kernel_shape: Any,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel, rank = tuple(kernel_shape), len(kernel_shape)
    strides, dilations = per_axis(strides, rank), per_axis(dilations, rank)
    places = padding(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    found, counts = _pooled(x, kernel, strides, dilations, places, ceil_mode, 0)
    total = functools.reduce(operator.add, found)
    sizes = []
    for n, k, stride, dilation, (before, after), count in zip(x.shape[2:], kernel, strides, dilations, places, counts):
        n, before, after, count = int(n), int(before), int(after), int(count)
        low, high = (-before, n + after) if count_include_pad else (0, n)
        starts = [i * stride - before for i in range(count)]
        sizes.append(np.array([sum(low <= start + j * dilation < high for j in range(k)) for start in starts], np.float32))
    area = functools.reduce(np.multiply.outer, sizes)
    return total / Tensor(np.maximum(area, 1)).astype(x.dtype)


@op("LpPool")
def lp_pool(
    x: Any,
    *,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Any = None,
    kernel_shape: Any,
    p: int = 2,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel, rank = tuple(kernel_shape), len(kernel_shape)
    strides, dilations = per_axis(strides, rank), per_axis(dilations, rank)
    places = padding(x.shape[2:], kernel, strides, dilations, pads, auto_pad)
    found, _ = _pooled(mint.pow(mint.abs(x), p), kernel, strides, dilations, places, ceil_mode, 0)
    return mint.pow(functools.reduce(operator.add, found), 1 / p)


def _axes(x: Any) -> tuple[int, ...]:
    return tuple(range(2, x.ndim))


@op("GlobalAveragePool")
def global_average_pool(x: Any) -> Any:
    return mint.mean(x, _axes(x), True)


@op("GlobalMaxPool")
def global_max_pool(x: Any) -> Any:
    return mint.amax(x, _axes(x), True)


@op("GlobalLpPool")
def global_lp_pool(x: Any, *, p: int = 2) -> Any:
    return mint.pow(mint.sum(mint.pow(mint.abs(x), p), _axes(x), True), 1 / p)


@op("MaxUnpool")
def max_unpool(x: Any, at: Any, shape: Any = None, *, kernel_shape: Any, pads: Any = None, strides: Any = None) -> Any:
    rank = len(kernel_shape)
    strides = per_axis(strides, rank)
    places = padding(x.shape[2:], kernel_shape, strides, (1,) * rank, pads, "NOTSET")
    sizes = [(n - 1) * s + k - a - b for n, s, k, (a, b) in zip(x.shape[2:], strides, kernel_shape, places)]
    own = (*x.shape[:2], *sizes)
    wanted = own if shape is None else tuple(shape.tolist())
    flat = mint.zeros((math.prod(own),), dtype=x.dtype)
    made = mint.scatter(flat, 0, at.reshape((-1,)), x.reshape((-1,))).reshape(own)
    if wanted == own:
        return made
    for axis, (n, m) in enumerate(zip(own, wanted)):
        made = padded(made, axis, 0, m - n, "constant", Tensor(0, x.dtype))
    return made


@op("BatchNormalization")
def batch_normalization(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
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
    now = mint.mean(x, axes)
    spread = mint.mean(mint.square(x - now.reshape(to)), axes)
    made = _normalised(x, now.reshape(to), spread.reshape(to), scale.reshape(to), bias.reshape(to), epsilon)
    kept = [old * momentum + new * (1 - momentum) for old, new in ((mean, now), (variance, spread))]
    return (made, *kept)[:outputs]


def _normalised(x: Any, mean: Any, variance: Any, scale: Any, bias: Any, epsilon: float) -> Any:
    factor = scale / mint.sqrt(variance + epsilon)
    return (x * factor + (bias - mean * factor)).astype(x.dtype)


@op("InstanceNormalization")
def instance_normalization(x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5) -> Any:
    to = (1, -1, *(1,) * (x.ndim - 2))
    return _standard(x, _axes(x), epsilon) * scale.reshape(to) + bias.reshape(to)


def _standard(x: Any, axes: Any, epsilon: float) -> Any:
    mean = mint.mean(x, axes, True)
    return (x - mean) * mint.rsqrt(mint.mean(mint.square(x - mean), axes, True) + epsilon)


@op("GroupNormalization")
def group_normalization(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, num_groups: int, stash_type: int = FLOAT, opset: int
) -> Any:
    n, c = x.shape[:2]
    wide = x.astype(TYPES[stash_type]).reshape((n, num_groups, -1))
    made = _standard(wide, (2,), epsilon).astype(x.dtype)
    if opset < 21:
        scale, bias = (mint.repeat_interleave(each, c // num_groups, 0) for each in (scale, bias))
    to = (1, c, *(1,) * (x.ndim - 2))
    return made.reshape(tuple(x.shape)) * scale.reshape(to) + bias.reshape(to)


@op("LayerNormalization")
def layer_normalization(
    x: Any, scale: Any, bias: Any = None, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = FLOAT, outputs: int
) -> Any:
    axis = values.within(axis, x.ndim)
    if outputs == 1 and bias is not None and tuple(scale.shape) == tuple(bias.shape) == tuple(x.shape[axis:]):
        return F.layer_norm(x, tuple(x.shape[axis:]), scale, bias, epsilon)
    axes = tuple(range(axis, x.ndim))
    wide = x.astype(TYPES[stash_type])
    mean = mint.mean(wide, axes, True)
    factor = mint.rsqrt(mint.mean(mint.square(wide - mean), axes, True) + epsilon)
    made = ((wide - mean) * factor).astype(x.dtype) * scale
    made = made if bias is None else made + bias
    return (made, mean, factor)[:outputs] if outputs > 1 else made


@op("RMSNormalization")
def rms_normalization(x: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = FLOAT) -> Any:
    axes = tuple(range(values.within(axis, x.ndim), x.ndim))
    wide = x.astype(TYPES[stash_type])
    return (wide * mint.rsqrt(mint.mean(mint.square(wide), axes, True) + epsilon)).astype(x.dtype) * scale


@op("MeanVarianceNormalization")
def mean_variance_normalization(x: Any, *, axes: Any = (0, 2, 3)) -> Any:
    axes = tuple(axes)
    mean = mint.mean(x, axes, True)
    spread = mint.mean(mint.square(x), axes, True) - mint.square(mean)
    return (x - mean) / (mint.sqrt(spread) + 1e-9)


@op("LRN")
def lrn(x: Any, *, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0, size: int) -> Any:
    count = int(x.shape[1])
    before, after = min((size - 1) // 2, count), min(size - 1 - (size - 1) // 2, count)
    squares = padded(mint.square(x), 1, before, after, "constant", Tensor(0, x.dtype))
    total = functools.reduce(operator.add, (mint.narrow(squares, 1, i, count) for i in range(before + after + 1)))
    return x / mint.pow(bias + alpha / size * total, beta)
