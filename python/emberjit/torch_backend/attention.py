"""Attention as PyTorch's CPU kernel has it, and its gradient."""

from __future__ import annotations

import math
from typing import Any

import emberjit as ms
from emberjit import _emberjit as core
from emberjit import mint, ops
from emberjit.publish.kinds import Tensor
from emberjit.torch_backend.table import Expected, aten

_ops = core.ops


def _scale(query: Tensor, scale: float | None) -> float:
    return 1 / math.sqrt(query.shape[-1]) if scale is None else scale


def _row_mask(mask: Tensor) -> tuple[Any, Any]:
    """Whether a row attends to any key, and the mask in which a row that does not attends to all."""
    attends = mint.amax(mask, (-1,), True) != float("-inf")
    return attends, mint.where(attends, mask, 0)


def _alike(mask: Tensor | None, *tensors: Tensor) -> Any:
    """Tensors in the mask's dtype, which may be the wider one."""
    return tensors if mask is None else [x.astype(mask.dtype) for x in tensors]


@aten("aten._scaled_dot_product_flash_attention_for_cpu.default")
def attention(
    to: Expected,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> Any:
    """The result, and the logarithm of the sum of each row's exponentials. A head of key and value may serve several of
    query's in a row."""
    query, key, value = _alike(attn_mask, query, key, value)
    factor = _scale(query, scale)
    attends, mask = (True, None) if attn_mask is None else _row_mask(attn_mask)
    result = _ops.attention(query, key, value, mask, factor, False, is_causal)
    heads = mint.repeat_interleave(key, query.shape[1] // key.shape[1], 1)
    scores = mint.matmul(query, mint.transpose(heads, -1, -2)) * factor
    if is_causal:
        ones = mint.ones((query.shape[-2], key.shape[-2]), dtype=ms.bool_)
        scores = mint.where(mint.tril(ones), scores, float("-inf"))
    if attn_mask is not None:
        scores, result = scores + attn_mask, mint.where(attends, result, 0)
    return result, mint.logsumexp(scores.astype(ms.float32), (-1,))


@aten("aten._scaled_dot_product_flash_attention_for_cpu_backward.default")
def attention_backward(
    to: Expected,
    dy: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    logsumexp: Tensor,
    dropout_p: float,
    is_causal: bool,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> Any:
    """The gradients by query, key and value; neither `out` nor `logsumexp` is read."""
    dy, query, key, value = _alike(attn_mask, dy, query, key, value)
    mask = None
    if attn_mask is not None:
        attends, mask = _row_mask(attn_mask)
        dy = mint.where(attends, dy, 0)
    by_query, *others = _ops.attention_backward(dy, query, key, value, mask, _scale(query, scale), False, is_causal)
    size, groups = key.shape, query.shape[1] // key.shape[1]
    if groups != 1:
        others = [mint.sum(ops.reshape(x, (size[0], size[1], groups, *x.shape[2:])), 2) for x in others]
    return by_query, *others
