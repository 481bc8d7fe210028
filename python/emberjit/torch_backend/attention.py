"""Attention as PyTorch's CPU kernel has it, and its gradient in plain ATen ops."""

from __future__ import annotations

import math
from typing import Any

import torch

import emberjit as ms
from emberjit import mint
from emberjit.mint.nn import functional as F
from emberjit.torch_backend.table import Expected, aten


@aten("aten._scaled_dot_product_flash_attention_for_cpu.default")
def attention(
    to: Expected,
    query: Any,
    key: Any,
    value: Any,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Any = None,
    scale: float | None = None,
) -> Any:
    """The result, and the logarithm of the sum of each row's exponentials. A head of key and value may serve several of
    query's in a row."""
    groups = query.shape[1] // key.shape[1]
    if groups != 1:
        key, value = (mint.repeat_interleave(x, groups, 1) for x in (key, value))
    scores = mint.matmul(query, mint.transpose(key, -1, -2)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        ones = mint.ones((query.shape[-2], key.shape[-2]), dtype=ms.bool_)
        scores = mint.where(mint.tril(ones), scores, float("-inf"))
    if attn_mask is not None:
        scores = scores + attn_mask
    made = mint.matmul(F.softmax(scores, -1), value)
    if attn_mask is not None:
        unmasked = mint.amax(scores, (-1,), True) != float("-inf")
        made = mint.where(unmasked, made, mint.zeros((), dtype=made.dtype))
    return made, mint.logsumexp(scores.astype(ms.float32), (-1,))


def attention_backward(
    dy: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    out: torch.Tensor,
    logsumexp: torch.Tensor,
    dropout_p: float,
    is_causal: bool,
    *,
    attn_mask: torch.Tensor | None = None,
    scale: float | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The gradients by query, key and value, from the rows' softmax computed anew."""
    heads, groups = key.shape[1], query.shape[1] // key.shape[1]
    key, value = (x.repeat_interleave(groups, 1) if groups != 1 else x for x in (key, value))
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = torch.matmul(query, key.transpose(-1, -2)) * factor
    if is_causal:
        ones = torch.ones((query.shape[-2], key.shape[-2]), dtype=torch.bool)
        scores = torch.where(ones.tril(), scores, float("-inf"))
    if attn_mask is not None:
        scores = scores + attn_mask
        unmasked = scores.amax(-1, keepdim=True) != float("-inf")
        weights = torch.where(unmasked, torch.softmax(scores, -1), 0.0)
    else:
        weights = torch.softmax(scores, -1)
    by_weights = torch.matmul(dy, value.transpose(-1, -2))
    by_scores = weights * (by_weights - (by_weights * weights).sum(-1, keepdim=True)) * factor
    by_key, by_value = torch.matmul(by_scores.transpose(-1, -2), query), torch.matmul(weights.transpose(-1, -2), dy)
    if groups != 1:
        by_key, by_value = (x.unflatten(1, (heads, groups)).sum(2) for x in (by_key, by_value))
    return torch.matmul(by_scores, key), by_key, by_value
