"""ONNX's attention and the ops around it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit._emberjit import Tensor
from emberjit.mint.nn import functional as F
from emberjit.onnx.table import Input, op
from emberjit.onnx.values import TYPES

_NEVER = float("-inf")


def _heads(x: Tensor, count: int | None) -> Any:
    """(batch, length, heads * size) as (batch, heads, length, size)."""
    if x.ndim == 4:
        return x
    if not count:
        raise ValueError("'q_num_heads' and 'kv_num_heads' are needed by inputs of rank 3")
    n, length, size = x.shape
    return mint.permute(x.reshape((n, length, count, size // count)), (0, 2, 1, 3))


def _repeated(x: Tensor, groups: int) -> Any:
    return x if groups == 1 else mint.repeat_interleave(x, groups, 1)


def _allowed(rows: Any, columns: Any, past: Any, lengths: Input, causal: int, left: int, right: int) -> Any:
    """Which keys each query may see, by the positions of both; None: all."""
    key = mint.arange(columns, dtype=dtypes.int64)
    first = past if lengths is None else (lengths.astype(dtypes.int64) - rows).reshape((-1, 1, 1, 1))
    own = mint.arange(rows, dtype=dtypes.int64).reshape((-1, 1)) + first
    tests = []
    if lengths is not None:
        tests.append(key < lengths.astype(dtypes.int64).reshape((-1, 1, 1, 1)))
    if causal:
        tests.append(key <= own)
    if left >= 0:
        tests.append(key >= own - left)
    if right >= 0:
        tests.append(key <= own + right)
    return functools.reduce(mint.logical_and, tests) if tests else None


def _with_mask(scores: Tensor, mask: Input, allowed: Input) -> Any:
    columns = scores.shape[-1]
    if mask is not None and mask.shape[-1] < columns:
        more = (*mask.shape[:-1], columns - mask.shape[-1])
        rest = (
            mint.zeros(more, dtype=mask.dtype) if mask.dtype == dtypes.bool_ else mint.full(more, _NEVER, dtype=mask.dtype)
        )
        mask = mint.cat([mask, rest], -1)
    if mask is not None:
        scores = mint.where(mask, scores, _NEVER) if mask.dtype == dtypes.bool_ else scores + mask
    return scores if allowed is None else mint.where(allowed, scores, _NEVER)


@op("Attention")
def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Input = None,
    past_key: Input = None,
    past_value: Any = None,
    lengths: Input = None,
    *,
    is_causal: int = 0,
    kv_num_heads: int | None = None,
    q_num_heads: int | None = None,
    qk_matmul_output_mode: int = 0,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
    left_window_size: int = -1,
    right_window_size: int = -1,
    outputs: int,
) -> Any:
    flat = q.ndim == 3
    q, k, v = _heads(q, q_num_heads), _heads(k, kv_num_heads), _heads(v, kv_num_heads)
    past = 0
    if past_key is not None:
        past = past_key.shape[2]
        k, v = mint.cat([past_key, k], 2), mint.cat([past_value, v], 2)
    present = (k, v)
    groups = q.shape[1] // k.shape[1]
    k, v = _repeated(k, groups), _repeated(v, groups)
    root = math.sqrt(1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    scores = mint.matmul((q * root).astype(q.dtype), mint.transpose((k * root).astype(k.dtype), 2, 3))
    stages = [scores]
    if softcap:
        scores = (softcap * mint.tanh(scores / softcap)).astype(q.dtype)
    stages.append(scores)
    allowed = _allowed(q.shape[2], k.shape[2], past, lengths, is_causal, left_window_size, right_window_size)
    scores = _with_mask(scores, mask, allowed)
    stages.append(scores)
    weights = F.softmax(scores if softmax_precision is None else scores.astype(TYPES[softmax_precision]), -1)
    if mask is not None or allowed is not None:
        weights = mint.where(mint.amax(scores, (-1,), True) == _NEVER, mint.zeros_like(weights), weights)
    weights = weights.astype(q.dtype)
    stages.append(weights)
    output = mint.matmul(weights, v.astype(q.dtype))
    if flat:
        output = mint.permute(output, (0, 2, 1, 3))
        output = output.reshape((*output.shape[:2], -1))
    return (output, *present, stages[qk_matmul_output_mode])[:outputs] if outputs > 1 else output


@op("FlexAttention", domain="ai.onnx.preview")
def flex_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    scale: float | None = None,
    softmax_precision: int | None = None,
    score_mod: Callable[..., Any] | None = None,
    prob_mod: Callable[..., Any] | None = None,
) -> Any:
    groups = q.shape[1] // k.shape[1]
    k, v = _repeated(k, groups), _repeated(v, groups)
    wide = dtypes.float64 if q.dtype == dtypes.float64 else dtypes.float32
    wide = wide if softmax_precision is None else TYPES[softmax_precision]
    scores = mint.matmul(q.astype(wide), mint.transpose(k.astype(wide), 2, 3))
    scores = scores * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    scores = scores if score_mod is None else score_mod(scores)[0]
    weights = F.softmax(scores, -1)
    weights = weights if prob_mod is None else prob_mod(weights)[0]
    return mint.matmul(weights, v.astype(wide)).astype(q.dtype)


@op("RotaryEmbedding")
def rotary_embedding(
    x: Tensor,
    cosines: Tensor,
    sines: Tensor,
    at: Input = None,
    *,
    interleaved: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Any:
    shape = tuple(x.shape)
    x = mint.permute(_heads(x, num_heads), (0, 2, 1, 3))
    size = rotary_embedding_dim or x.shape[-1]
    rotary, rest = x[..., :size], x[..., size:]
    if at is not None:
        cosines, sines = (
            mint.index_select(table, 0, at.reshape((-1,))).reshape((*at.shape, -1)) for table in (cosines, sines)
        )
    cosines, sines = mint.unsqueeze(cosines, 2), mint.unsqueeze(sines, 2)
    a, b = (rotary[..., 0::2], rotary[..., 1::2]) if interleaved else mint.chunk(rotary, 2, -1)
    real, imaginary = cosines * a - sines * b, sines * a + cosines * b
    together = mint.stack if interleaved else mint.cat
    result = together([real, imaginary], -1).reshape(tuple(rotary.shape))
    result = result if size == x.shape[-1] else mint.cat([result, rest], -1)
    return result.reshape(shape) if len(shape) == 3 else mint.permute(result, (0, 2, 1, 3))


@op("LinearAttention")
def linear_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    past: Input = None,
    decay: Input = None,
    beta: Input = None,
    *,
    chunk_size: int = 64,
    kv_num_heads: int,
    q_num_heads: int,
    scale: float = 0.0,
    update_rule: str = "gated_delta",
    outputs: int,
) -> Any:
    dtype, wide = q.dtype, dtypes.float32
    groups = q_num_heads // kv_num_heads
    q, k, v = _heads(q, q_num_heads).astype(wide), _heads(k, kv_num_heads).astype(wide), _heads(v, kv_num_heads).astype(wide)
    gates = [
        None if gate is None else _heads(gate, 1 if gate.shape[-1] == 1 else kv_num_heads).astype(wide)
        for gate in (decay, beta)
    ]
    scale = scale or 1 / math.sqrt(q.shape[-1])
    n, heads, length, size = k.shape
    state = mint.zeros((n, heads, size, v.shape[-1]), dtype=wide) if past is None else past.astype(wide)
    rows = []
    for t in range(length):
        key, value = k[:, :, t, :, None], v[:, :, t, None, :]
        gate, rate = (None if tensor is None else tensor[:, :, t, :, None] for tensor in gates)
        state = state if gate is None or "gated" not in update_rule else state * mint.exp(gate)
        if "delta" in update_rule:
            value = value - mint.sum(state * key, 2, True)
            value = value if rate is None else value * rate
        state = state + key * value
        rows.append(mint.sum(_repeated(state, groups) * q[:, :, t, :, None], 2) * scale)
    out = mint.permute(mint.stack(rows, 2), (0, 2, 1, 3))
    out = out.reshape((n, length, -1)).astype(dtype)
    return (out, state.astype(dtype if past is None else past.dtype))[:outputs] if outputs > 1 else out


@op("CausalConvWithState")
def causal_conv(
    x: Tensor, w: Tensor, bias: Input = None, past: Input = None, *, activation: str = "none", outputs: int
) -> Any:
    count = w.shape[-1] - 1
    n, channels, length = x.shape
    before = mint.zeros((n, channels, count), dtype=x.dtype) if past is None else past
    whole = mint.cat([before, x], 2) if count else x
    result = F.conv1d(whole, w, bias, 1, 0, 1, channels)
    if activation in ("silu", "swish"):
        result = F.silu(result)
    elif activation != "none":
        raise ValueError(f"'activation' is '{activation}'")
    present = mint.narrow(whole, 2, length, count) if count else Tensor(shape=(n, channels, 0), dtype=x.dtype, init=None)
    return (result, present) if outputs > 1 else result
