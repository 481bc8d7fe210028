"""ATen's gradients of activations, layer normalisation, embeddings and views, each one op of a graph: PyTorch traces none of
what it would make of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import emberjit as ms
from emberjit import mint, ops
from emberjit.mint.nn import functional as F
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.torch_backend.shapes import select_scatter, slice_scatter
from emberjit.torch_backend.table import Expected, aten


def gradients(function: Callable[..., Any], operands: tuple[Any, ...], dy: Tensor) -> tuple[Any, ...]:
    """Those of a function by its operands, from that of its result."""
    _, pull = ms.vjp(function, *operands)
    cotangents = pull(dy)
    return cotangents if isinstance(cotangents, tuple) else (cotangents,)


def _wide(*tensors: Tensor | None) -> list[Any]:
    """In the dtype in which PyTorch computes: float32 for those of 16 bits."""
    narrow = (ms.float16, ms.bfloat16)
    return [x.astype(ms.float32) if x is not None and x.dtype in narrow else x for x in tensors]


@aten("aten.tanh_backward.default")
def tanh_backward(to: Expected, dy: Tensor, y: Tensor) -> Any:
    dy, y = _wide(dy, y)
    return dy * (1 - y * y)


@aten("aten.sigmoid_backward.default")
def sigmoid_backward(to: Expected, dy: Tensor, y: Tensor) -> Any:
    dy, y = _wide(dy, y)
    return dy * (y * (1 - y))


@aten("aten.threshold_backward.default")
def threshold_backward(to: Expected, dy: Tensor, x: Tensor, threshold: Number) -> Any:
    (x,) = _wide(x)
    return mint.where(x <= threshold, 0, dy)


@aten("aten.hardtanh_backward.default")
def hardtanh_backward(to: Expected, dy: Tensor, x: Tensor, least: Number, most: Number) -> Any:
    (x,) = _wide(x)
    return mint.where(mint.logical_or(x <= least, x >= most), 0, dy)


@aten("aten.gelu_backward.default")
def gelu_backward(to: Expected, dy: Tensor, x: Tensor, approximate: str = "none") -> Any:
    dy, x = _wide(dy, x)
    return gradients(lambda x: F.gelu(x, approximate=approximate), (x,), dy)[0]


@aten("aten.silu_backward.default")
def silu_backward(to: Expected, dy: Tensor, x: Tensor) -> Any:
    dy, x = _wide(dy, x)
    y = mint.sigmoid(x)
    return dy * y * (1 + x * (1 - y))


@aten("aten.native_layer_norm_backward.default")
def layer_norm_backward(
    to: Expected,
    dy: Tensor,
    x: Tensor,
    shape: Ints,
    mean: Tensor,
    inverse: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mask: Sequence[bool],
) -> Any:
    first = x.ndim - len(shape)
    inner, outer = tuple(range(first, x.ndim)), tuple(range(first))
    dy, x, mean, inverse, weight = _wide(dy, x, mean, inverse, weight)
    normal = (x - mean) * inverse
    scaled = dy if weight is None else dy * weight
    along = mint.mean(scaled * normal, inner, True)
    dx = (scaled - mint.mean(scaled, inner, True) - normal * along) * inverse if mask[0] else None
    by_weight, by_bias = (mint.sum(term, outer) if outer else term for term in (dy * normal, dy))
    return dx, by_weight if mask[1] else None, by_bias if mask[2] else None


@aten("aten.embedding_dense_backward.default")
def embedding_backward(to: Expected, dy: Tensor, at: Tensor, count: Any, padding_idx: int, scale_grad_by_freq: bool) -> Any:
    rows = ops.reshape(at, (-1,))
    (values,) = _wide(ops.reshape(dy, (rows.shape[0], math.prod(dy.shape[at.ndim :]))))
    if scale_grad_by_freq:
        times = mint.index_add(mint.zeros((count,), dtype=values.dtype), 0, rows, mint.ones(rows.shape, dtype=values.dtype))
        values = values / mint.unsqueeze(mint.index_select(times, 0, rows), 1)
    if padding_idx >= 0:
        values = mint.where(mint.unsqueeze(rows == padding_idx, 1), 0, values)
    gradient = mint.index_add(mint.zeros((count, values.shape[1]), dtype=values.dtype), 0, rows, values)
    return ops.reshape(gradient, (count, *dy.shape[at.ndim :]))


def _among_zeros(dy: Tensor, size: Ints, dim: int, start: int) -> Any:
    """Elements from a position of an axis on, and zeros for the rest of it."""
    axis = dim % dy.ndim
    pads = (0, 0) * (dy.ndim - 1 - axis) + (start, size[axis] - start - dy.shape[axis])
    return F.pad(dy, pads) if any(pads) else dy


@aten("aten.slice_backward.default")
def slice_backward(to: Expected, dy: Tensor, size: Ints, dim: int, start: Any, end: Any, step: int) -> Any:
    if step == 1 and type(start) is int and type(size[dim]) is int:
        return _among_zeros(dy, size, dim, slice(start, None).indices(size[dim])[0])
    return slice_scatter(to, mint.zeros(tuple(size), dtype=dy.dtype), dy, dim, start, end, step)


@aten("aten.select_backward.default")
def select_backward(to: Expected, dy: Tensor, size: Ints, dim: int, index: int) -> Any:
    axis = dim % len(size)
    if type(index) is int and type(size[axis]) is int:
        return _among_zeros(mint.unsqueeze(dy, axis), size, axis, index % size[axis])
    return select_scatter(to, mint.zeros(tuple(size), dtype=dy.dtype), dy, dim, index)
