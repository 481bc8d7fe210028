"""Attention as inference asks for it: of prompts, and of one more position after those that are kept."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_int
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops
_ALL = 2147483647
_AXES = {"BSH": 1, "BSND": 1, "BNSD": 2}  # of positions


def _refuse(function: str, **operands: Any) -> None:
    for name, value in operands.items():
        if value is not None:
            raise ValueError(f"For '{function}', '{name}' must be None: there are no quantised or paged operands.")


def _check_heads(function: str, query: Tensor, key: Tensor, num_heads: int, kv_heads: int, layout: str) -> None:
    check_choice(function, "input_layout", layout, *_AXES)
    check_int(function, "num_heads", num_heads, 1)
    size = query.shape[-1] // num_heads if layout == "BSH" else 0
    heads = key.shape[-1] // max(size, 1) if layout == "BSH" else key.shape[3 - _AXES[layout]]
    if check_int(function, "num_key_value_heads", kv_heads, 0) not in (0, heads):
        raise ValueError(f"For '{function}', 'num_key_value_heads' must be that of 'key', {heads}, but got {kv_heads}.")


def _joined(parts: Any) -> Any:
    """A Tensor of those of parts of the batch."""
    return _ops.concat(parts, 0) if isinstance(parts, (tuple, list)) else parts


def _hidden(query: Tensor, key: Tensor, mask: Tensor | None, lengths: Any, layout: str) -> Any:
    """Which positions of key are not seen, (N, 1 or heads, positions of query, positions of key); None: none."""
    n, queries, keys = key.shape[0], query.shape[_AXES[layout]], key.shape[_AXES[layout]]
    hidden = None
    if mask is not None:
        shape = {2: (1, 1), 3: (mask.shape[0], 1)}.get(mask.ndim, mask.shape[:2])
        hidden = _ops.reshape(_ops.not_equal(mask, 0), (*shape, *mask.shape[-2:]))
    if lengths is not None:
        counts = lengths if isinstance(lengths, core.Tensor) else core.Tensor(list(lengths), core.int64)
        beyond = _ops.greater_equal(_ops.arange(keys), _ops.reshape(counts, (-1, 1, 1, 1)))
        hidden = beyond if hidden is None else _ops.logical_or(hidden, beyond)
    return None if hidden is None else _ops.broadcast_to(hidden, (n, hidden.shape[1], queries, keys))


@publish("ops.prompt_flash_attention", in_python=True)
def prompt_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    pse_shift: Tensor | None = None,
    deq_scale1: Any = None,
    quant_scale1: Any = None,
    deq_scale2: Any = None,
    quant_scale2: Any = None,
    quant_offset2: Any = None,
    num_heads: int = 1,
    scale_value: float = 1.0,
    pre_tokens: int = _ALL,
    next_tokens: int = 0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
) -> Any:
    """flash_attention_score of a prompt.

    Args:
        query, key, value: of shape (N, positions, heads * size) in layout "BSH".
        attn_mask: of positions that are not seen, what broadcasts to (N, heads, positions of query, positions of key).
        actual_seq_lengths: how many positions of each query count; the others have no meaning in the result.
        actual_seq_lengths_kv: how many positions of each key are seen, a tuple or Tensor.
        pse_shift: is added to scores.
        deq_scale1, quant_scale1, deq_scale2, quant_scale2, quant_offset2: None.
        num_heads: of query.
        scale_value: of scores.
        pre_tokens, next_tokens: with a mask, how many positions before and after its own one sees.
        input_layout: "BSH", "BSND" or "BNSD".
        num_key_value_heads: of key and value; 0: as they have.
        sparse_mode: as of flash_attention_score.
        inner_precise: has no effect.

    Raises:
        ValueError: shapes do not fit, another layout, or quantisation.

    Examples:
        >>> query, key, value = ops.zeros((1, 2, 2)), ops.zeros((1, 2, 2)), Tensor([[[1.0, 2.0], [3.0, 4.0]]])
        >>> print(ops.prompt_flash_attention(query, key, value, num_heads=1))
        [[[2. 3.]
          [2. 3.]]]
    """
    name = "prompt_flash_attention"
    _refuse(name, deq_scale1=deq_scale1, quant_scale1=quant_scale1, deq_scale2=deq_scale2)
    _refuse(name, quant_scale2=quant_scale2, quant_offset2=quant_offset2)
    _check_heads(name, query, key, num_heads, num_key_value_heads, input_layout)
    band = (pre_tokens, next_tokens) if attn_mask is not None or sparse_mode else (_ALL, _ALL)
    hidden = _hidden(query, key, attn_mask, actual_seq_lengths_kv, input_layout)
    operands = query, key, value, num_heads, pse_shift, None, None, hidden, None, None, None, 1.0
    return _ops.flash_attention_score(*operands, scale_value, *band, 0, input_layout, sparse_mode)


@publish("ops.incre_flash_attention", in_python=True)
def incre_flash_attention(
    query: Tensor,
    key: Any,
    value: Any,
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    pse_shift: Tensor | None = None,
    dequant_scale1: Any = None,
    quant_scale1: Any = None,
    dequant_scale2: Any = None,
    quant_scale2: Any = None,
    quant_offset2: Any = None,
    antiquant_scale: Any = None,
    antiquant_offset: Any = None,
    block_table: Any = None,
    num_heads: int = 1,
    input_layout: str = "BSH",
    scale_value: float = 1.0,
    num_key_value_heads: int = 0,
    block_size: int = 0,
    inner_precise: int = 1,
    kv_padding_size: Any = None,
) -> Any:
    """flash_attention_score of one position, the next after those of key and value.

    Args:
        query: the position, of shape (N, 1, heads * size) in layout "BSH".
        key, value: Tensors, or tuples or lists of those of parts of the batch.
        attn_mask: of positions that are not seen, of shape (N, positions of key), or with axes of size 1 between.
        actual_seq_lengths: how many positions of each key are seen, a tuple or Tensor.
        pse_shift: is added to scores.
        dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2, antiquant_scale, antiquant_offset: None.
        block_table, kv_padding_size: None.
        num_heads: of query.
        input_layout: "BSH", "BSND" or "BNSD".
        scale_value: of scores.
        num_key_value_heads: of key and value; 0: as they have.
        block_size: 0.
        inner_precise: has no effect.

    Raises:
        ValueError: shapes do not fit, another layout, or quantised or paged operands.

    Examples:
        >>> query, key, value = ops.zeros((1, 1, 2)), ops.zeros((1, 2, 2)), Tensor([[[1.0, 2.0], [3.0, 4.0]]])
        >>> print(ops.incre_flash_attention(query, [key], [value], num_heads=1))
        [[[2. 3.]]]
    """
    name = "incre_flash_attention"
    _refuse(name, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1, dequant_scale2=dequant_scale2)
    _refuse(name, quant_scale2=quant_scale2, quant_offset2=quant_offset2, antiquant_scale=antiquant_scale)
    _refuse(name, antiquant_offset=antiquant_offset, block_table=block_table, kv_padding_size=kv_padding_size)
    _refuse(name, block_size=block_size or None)
    key, value = (_joined(one) for one in (key, value))
    _check_heads(name, query, key, num_heads, num_key_value_heads, input_layout)
    mask = None if attn_mask is None else _ops.reshape(attn_mask, (attn_mask.shape[0], 1, 1, attn_mask.shape[-1]))
    hidden = _hidden(query, key, mask, actual_seq_lengths, input_layout)
    operands = query, key, value, num_heads, pse_shift, None, None, hidden, None, None, None, 1.0
    return _ops.flash_attention_score(*operands, scale_value, _ALL, _ALL, 0, input_layout, 0)


@publish(
    """ops.fused_infer_attention_score(query, key, value, *, pse_shift, atten_mask, actual_seq_lengths,
    actual_seq_lengths_kv, dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2, antiquant_scale,
    antiquant_offset, key_antiquant_scale, key_antiquant_offset, value_antiquant_scale, value_antiquant_offset, block_table,
    query_padding_size, kv_padding_size, key_shared_prefix, value_shared_prefix, actual_shared_prefix_len, num_heads, scale,
    pre_tokens, next_tokens, input_layout, num_key_value_heads, sparse_mode, inner_precise, block_size, antiquant_mode,
    key_antiquant_mode, value_antiquant_mode, softmax_lse_flag)""",
    in_python=True,
)
def fused_infer_attention_score(
    query: Tensor,
    key: Any,
    value: Any,
    pse_shift: Tensor | None = None,
    atten_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    dequant_scale1: Any = None,
    quant_scale1: Any = None,
    dequant_scale2: Any = None,
    quant_scale2: Any = None,
    quant_offset2: Any = None,
    antiquant_scale: Any = None,
    antiquant_offset: Any = None,
    key_antiquant_scale: Any = None,
    key_antiquant_offset: Any = None,
    value_antiquant_scale: Any = None,
    value_antiquant_offset: Any = None,
    block_table: Any = None,
    query_padding_size: Any = None,
    kv_padding_size: Any = None,
    key_shared_prefix: Any = None,
    value_shared_prefix: Any = None,
    actual_shared_prefix_len: Any = None,
    num_heads: int = 1,
    scale: float = 1.0,
    pre_tokens: int = _ALL,
    next_tokens: int = _ALL,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    block_size: int = 0,
    antiquant_mode: int = 0,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
) -> Any:
    """(prompt_flash_attention() of these arguments, zeros of shape (1,)).

    Args:
        query: of shape (N, positions, heads * size) in layout "BSH".
        key, value: Tensors, or tuples or lists of those of parts of the batch.
        pse_shift, actual_seq_lengths, actual_seq_lengths_kv, pre_tokens, next_tokens, num_heads: as of it.
        atten_mask, scale: its attn_mask and scale_value.
        dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2, antiquant_scale, antiquant_offset: None.
        key_antiquant_scale, key_antiquant_offset, value_antiquant_scale, value_antiquant_offset, block_table: None.
        query_padding_size, kv_padding_size, key_shared_prefix, value_shared_prefix, actual_shared_prefix_len: None.
        input_layout, num_key_value_heads, sparse_mode: as of it.
        inner_precise: has no effect.
        block_size, antiquant_mode, key_antiquant_mode, value_antiquant_mode: 0.
        softmax_lse_flag: False.

    Raises:
        ValueError: shapes do not fit, another layout, quantised or paged operands, or an argument that is fixed.

    Examples:
        >>> query, key, value = ops.zeros((1, 1, 2)), ops.zeros((1, 2, 2)), Tensor([[[1.0, 2.0], [3.0, 4.0]]])
        >>> result, _ = ops.fused_infer_attention_score(query, key, value, num_heads=1)
        >>> print(result)
        [[[2. 3.]]]
    """
    name = "fused_infer_attention_score"
    _refuse(name, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1, dequant_scale2=dequant_scale2)
    _refuse(name, quant_scale2=quant_scale2, quant_offset2=quant_offset2, antiquant_scale=antiquant_scale)
    _refuse(name, antiquant_offset=antiquant_offset, key_antiquant_scale=key_antiquant_scale, block_table=block_table)
    _refuse(name, key_antiquant_offset=key_antiquant_offset, value_antiquant_scale=value_antiquant_scale)
    _refuse(name, value_antiquant_offset=value_antiquant_offset, query_padding_size=query_padding_size)
    _refuse(name, kv_padding_size=kv_padding_size, key_shared_prefix=key_shared_prefix)
    _refuse(name, value_shared_prefix=value_shared_prefix, actual_shared_prefix_len=actual_shared_prefix_len)
    modes = {"block_size": block_size, "antiquant_mode": antiquant_mode, "softmax_lse_flag": softmax_lse_flag}
    for argument, mode in {
        **modes,
        "key_antiquant_mode": key_antiquant_mode,
        "value_antiquant_mode": value_antiquant_mode,
    }.items():
        check_choice(name, argument, mode, 0)
    key, value = (_joined(one) for one in (key, value))
    lengths = actual_seq_lengths, actual_seq_lengths_kv, pse_shift, None, None, None, None, None
    output = prompt_flash_attention(
        *(query, key, value, atten_mask, *lengths, num_heads, scale, pre_tokens, next_tokens, input_layout),
        *(num_key_value_heads, sparse_mode, inner_precise),
    )
    return output, _ops.zeros((1,), core.float32)


@publish(
    """ops.PagedAttention(head_num, scale_value, kv_head_num, kv_cache_quant_mode, mask_mode, mla_v_dim)(query, key_cache,
    value_cache, block_tables, context_lens, antiquant_scale, antiquant_offset, attn_mask, q_seq_lens, alibi_mask)""",
    numpy="sequences.paged_attention(query, key_cache, value_cache, block_tables, context_lens, scale_value, attn_mask)",
    samples="""f32(2, 4, 3), f32(5, 2, 4, 3), f32(5, 2, 4, 3), abs(i32(2, 3)) % 5, i32(2) * 0 + [5, 1], 4, 0.5, 4;
    f64(1, 4, 3), f64(2, 2, 2, 3), f64(2, 2, 2, 3), abs(i32(1, 2)) % 2, i32(1) * 0 + 3, 4, 1.0, 2, 'DEFAULT',
    'MASK_DEFAULT', 0, None, None, f64(1, 4)""",
)
def paged_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_tables: Tensor,
    context_lens: Tensor,
    head_num: int,
    scale_value: float,
    kv_head_num: int,
    kv_cache_quant_mode: str = "DEFAULT",
    mask_mode: str = "MASK_DEFAULT",
    mla_v_dim: int = 0,
    antiquant_scale: Any = None,
    antiquant_offset: Any = None,
    attn_mask: Tensor | None = None,
    q_seq_lens: Any = None,
    alibi_mask: Tensor | None = None,
) -> Any:
    """Attention of one position of each sequence to keys and values that lie in blocks.

    Args:
        query: (N, head_num, size).
        key_cache, value_cache: (blocks, positions of a block, kv_head_num, size).
        block_tables: the blocks of each sequence (N, M).
        context_lens: how many positions each of them has (N).
        scale_value: of scores.
        kv_cache_quant_mode, mask_mode, mla_v_dim: "DEFAULT", "MASK_DEFAULT", 0.
        antiquant_scale, antiquant_offset, q_seq_lens: None.
        attn_mask, alibi_mask: what is added to scores (N, M * positions of a block).

    Raises:
        ValueError: shapes do not fit, or an argument that is fixed.
    """
    name = "PagedAttention"
    check_choice(name, "kv_cache_quant_mode", kv_cache_quant_mode, "DEFAULT")
    check_choice(name, "mask_mode", mask_mode, "MASK_DEFAULT")
    _refuse(name, mla_v_dim=mla_v_dim or None, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset)
    _refuse(name, q_seq_lens=q_seq_lens)
    n, heads, size = query.shape
    if heads != head_num or key_cache.shape[2] != kv_head_num or head_num % kv_head_num:
        raise ValueError(
            f"For '{name}', 'query' must have head_num heads and caches kv_head_num, a divisor of it, but they have "
            f"{heads} and {key_cache.shape[2]}, and the numbers are {head_num} and {kv_head_num}."
        )

    def of_sequences(cache: Tensor) -> Any:  # (N, heads, positions, size)
        tokens = _ops.reshape(_ops.gather(cache, block_tables, 0), (n, -1, kv_head_num, size))
        return _ops.repeat_interleave(_ops.swapaxes(tokens, 1, 2), head_num // kv_head_num, 1)

    keys, values = of_sequences(key_cache), of_sequences(value_cache)
    scores = _ops.matmul(keys, _ops.expand_dims(query, 3)) * scale_value
    for mask in (attn_mask, alibi_mask):
        scores = scores if mask is None else scores + _ops.reshape(mask, (n, 1, -1, 1))
    visible = _ops.reshape(_ops.arange(keys.shape[2]), (1, 1, -1, 1)) < _ops.reshape(context_lens, (n, 1, 1, 1))
    weights = _ops.softmax(_ops.select(visible, scores, -math.inf), 2)
    return _ops.sum(weights * values, 2)
