"""ATen's products, convolutions, pools and normalisations, and the gradients of these."""

from __future__ import annotations

from typing import Any

import emberjit as ms
from emberjit import _emberjit as core
from emberjit import mint, ops
from emberjit.mint.nn import functional as F
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.torch_backend.gradients import gradients
from emberjit.torch_backend.table import Expected, aten

_ops = core.ops
_WIDE = (ms.float32, ms.float64)


@aten("aten.mm.default", "aten.bmm.default", "aten.matmul.default", "aten.mv.default", "aten.dot.default")
def matmul(to: Expected, x: Tensor, y: Tensor) -> Any:
    return mint.matmul(x, y)


@aten("aten.addmm.default", "aten.baddbmm.default", "aten.addmv.default")
def addmm(to: Expected, added: Number, x: Tensor, y: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Any:
    product = mint.matmul(x, y) if alpha != 0 else mint.zeros((*x.shape[:-1], *y.shape[-1:]), dtype=x.dtype)
    product = product if alpha in (0, 1) else product * alpha
    if beta == 0:
        return ops.broadcast_to(product, to.shape) if to.shape is not None else product
    return (added if beta == 1 else added * beta) + product


_CONVOLUTIONS = {1: (F.conv1d, F.conv_transpose1d), 2: (F.conv2d, F.conv_transpose2d), 3: (F.conv3d, F.conv_transpose3d)}


@aten("aten.convolution.default")
def convolution(
    to: Expected,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    *rest: Any,
) -> Any:
    output_padding, groups = rest
    axes = weight.ndim - 2
    plain, of_transposed = _CONVOLUTIONS[axes]
    stride, padding, dilation = (
        tuple(numbers) if len(numbers) == axes else (numbers[0],) * axes for numbers in (stride, padding, dilation)
    )
    if transposed:
        return of_transposed(x, weight, bias, stride, padding, tuple(output_padding), groups, dilation)
    return plain(x, weight, bias, stride, padding, dilation, groups)


@aten("aten.convolution_backward.default")
def convolution_backward(to: Expected, dy: Tensor, x: Tensor, weight: Tensor, bias_sizes: Ints, *rest: Any) -> Any:
    *settings, mask = rest
    dx, dw = gradients(lambda x, weight: convolution(to, x, weight, None, *settings), (x, weight), dy)
    db = mint.sum(dy, (0, *range(2, dy.ndim))) if mask[2] else None
    return dx if mask[0] else None, dw if mask[1] else None, db


@aten("aten.native_layer_norm.default")
def native_layer_norm(to: Expected, x: Tensor, shape: Ints, weight: Tensor | None, bias: Tensor | None, eps: float) -> Any:
    first = x.ndim - len(shape)
    alike = x.dtype in _WIDE and all(tensor is None or tensor.dtype == x.dtype for tensor in (weight, bias))
    if not alike:
        x = x.astype(ms.float32)
        weight, bias = (tensor if tensor is None else tensor.astype(ms.float32) for tensor in (weight, bias))
    y, mean, variance = _ops.layer_norm_with_statistics(x, weight, bias, first, first, eps)
    return y, mean, mint.rsqrt(variance + eps)


@aten("aten.native_group_norm.default")
def native_group_norm(
    to: Expected, x: Tensor, weight: Tensor | None, bias: Tensor | None, n: Any, c: Any, hw: Any, groups: int, eps: float
) -> Any:
    rows = ops.reshape(x, (n, groups, c // groups * hw))
    mean, variance = mint.mean(rows, -1), mint.var(rows, -1, correction=0)
    return F.group_norm(x, groups, weight, bias, eps), mean, mint.rsqrt(variance + eps)


def _by_channel(x: Tensor, of_channels: Tensor) -> Any:
    return ops.reshape(of_channels, (1, -1, *[1] * (x.ndim - 2)))


@aten("aten._native_batch_norm_legit_no_training.default")
def batch_norm_inference(
    to: Expected, x: Tensor, w: Tensor | None, b: Tensor | None, mean: Tensor, variance: Tensor, momentum: float, eps: float
) -> Any:
    none, dtype = mint.zeros((0,), dtype=ms.float32), mean.dtype
    w, b = (tensor if tensor is None else tensor.astype(dtype) for tensor in (w, b))
    return F.batch_norm(x.astype(dtype), mean, variance, w, b, False, momentum, eps), none, none


@aten("aten._native_batch_norm_legit_functional.default")
def batch_norm_training(
    to: Expected,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running: Tensor,
    running_variance: Tensor,
    training: bool,
    *rest: float,
) -> Any:
    momentum, eps = rest
    if not training:
        y, *saved = batch_norm_inference(to, x, weight, bias, running, running_variance, momentum, eps)
        return y, *saved, running, running_variance
    count = x.numel() // x.shape[1]
    dtype = x.dtype if x.dtype in _WIDE else ms.float32
    weight = mint.ones((x.shape[1],), dtype=dtype) if weight is None else weight.astype(dtype)
    bias = mint.zeros((x.shape[1],), dtype=dtype) if bias is None else bias.astype(dtype)
    y, mean, variance = _ops.batch_norm_with_statistics(x.astype(dtype), weight, bias, eps)
    inverse, unbiased = mint.rsqrt(variance + eps), variance * (count / (count - 1))
    statistics = [old + momentum * (new - old) for old, new in ((running, mean), (running_variance, unbiased))]
    return y, mean, inverse, *statistics


@aten("aten.native_batch_norm_backward.default")
def batch_norm_backward(to: Expected, dy: Tensor, x: Tensor, weight: Tensor | None, *rest: Any) -> Any:
    running, running_variance, mean, inverse, training, eps, mask = rest
    axes, count = (0, *range(2, x.ndim)), x.numel() // x.shape[1]
    if training and weight is not None and x.dtype == weight.dtype and x.dtype in _WIDE:
        cotangents = _ops.batch_norm_gradient(dy, x, weight, mean, 1 / (inverse * inverse) - eps, eps)
        return tuple(cotangent if needed else None for cotangent, needed in zip(cotangents, mask))
    if not training:
        mean, inverse = running, mint.rsqrt(running_variance + eps)
    centred = (x - _by_channel(x, mean)) * _by_channel(x, inverse)
    dw, db = mint.sum(dy * centred, axes), mint.sum(dy, axes)
    scale = inverse if weight is None else inverse * weight
    rest_of = (_by_channel(x, db) + centred * _by_channel(x, dw)) / count if training else 0
    dx = (dy - rest_of) * _by_channel(x, scale)
    return dx if mask[0] else None, dw if mask[1] else None, db if mask[2] else None


@aten("aten.max_pool2d_with_indices.default")
def max_pool(
    to: Expected, x: Tensor, kernel: Ints, stride: Ints = (), pad: Ints = (0, 0), dilation: Ints = (1, 1), ceil: bool = False
) -> Any:
    steps = tuple(stride) or tuple(kernel)
    return F.max_pool2d(x, tuple(kernel), steps, tuple(pad), tuple(dilation), ceil, True)


@aten("aten.max_pool2d_with_indices_backward.default")
def max_pool_backward(to: Expected, dy: Tensor, x: Tensor, *settings: Any) -> Any:
    *pool, _ = settings
    (dx,) = gradients(lambda x: max_pool(to, x, *pool)[0], (x,), dy)
    return dx


@aten("aten.avg_pool2d.default")
def avg_pool(
    to: Expected,
    x: Tensor,
    kernel: Ints,
    stride: Ints = (),
    padding: Ints = (0, 0),
    ceil: bool = False,
    count_include_pad: bool = True,
    divisor: int | None = None,
) -> Any:
    return F.avg_pool2d(x, tuple(kernel), tuple(stride) or tuple(kernel), tuple(padding), ceil, count_include_pad, divisor)


@aten("aten.avg_pool2d_backward.default")
def avg_pool_backward(to: Expected, dy: Tensor, x: Tensor, *settings: Any) -> Any:
    (dx,) = gradients(lambda x: avg_pool(to, x, *settings), (x,), dy)
    return dx


@aten("aten._adaptive_avg_pool2d.default")
def adaptive_avg_pool(to: Expected, x: Tensor, size: Ints) -> Any:
    return F.adaptive_avg_pool2d(x, tuple(size))


@aten("aten._adaptive_avg_pool2d_backward.default")
def adaptive_avg_pool_backward(to: Expected, dy: Tensor, x: Tensor) -> Any:
    (dx,) = gradients(lambda x: F.adaptive_avg_pool2d(x, dy.shape[-2:]), (x,), dy)
    return dx
