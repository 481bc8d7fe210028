"""Tokens on their way: to experts and back, into caches of blocks, and of attention that is computed in parts."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_int, check_rank, check_same_shape
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions

_ops = core.ops


def _not_padded(function: str, padded_mode: bool) -> None:
    if padded_mode:
        raise ValueError(f"For '{function}', 'padded_mode' must be False, but got {padded_mode}.")


@publish(
    "ops.moe_token_permute",
    numpy="""(lambda order: (tokens[order // (indices.size // max(len(tokens), 1))][:num_out_tokens],
    np.argsort(order, kind="stable").astype(np.int32)))(np.argsort(indices.ravel(), kind="stable"))""",
    samples="f32(6, 3), i32(6) % 4; f32(4, 2), i32(4, 2) % 3, 5; f16(3, 1), i64(3, 3) % 2",
)
def moe_token_permute(tokens: Tensor, indices: Tensor, num_out_tokens: int | None = None, padded_mode: bool = False) -> Any:
    """(tokens ordered by their experts, where each of them went, int32).

    Args:
        tokens: of shape (N, size).
        indices: the experts of each token, of shape (N, K) or (N,).
        num_out_tokens: how many of the ordered tokens are kept, the first ones.
        padded_mode: False.

    Raises:
        ValueError: shapes do not fit, or padded_mode is True.
    """
    name = "moe_token_permute"
    _not_padded(name, padded_mode)
    check_rank(name, "tokens", tokens, 2)
    check_rank(name, "indices", indices, 1, 2)
    if tokens.shape[0] != indices.shape[0]:
        shapes = f"{tuple(tokens.shape)} and {tuple(indices.shape)}"
        raise ValueError(f"For '{name}', 'tokens' and 'indices' must have as many rows, but their shapes are {shapes}.")
    top_k = indices.shape[1] if indices.ndim == 2 else 1
    order = _ops.sort(_ops.reshape(indices, (-1,)), 0)[1]
    kept = order if num_out_tokens is None else order[: check_int(name, "num_out_tokens", num_out_tokens, 0)]
    places = as_positions(_ops.sort(order, 0)[1])
    return _ops.gather(tokens, _ops.floor_div(kept, top_k), 0), places


@publish(
    "ops.moe_token_unpermute",
    numpy="""(lambda full: (full[sorted_indices].reshape(-1, *([1] if probs is None else probs.shape[1:]), full.shape[1])
    * (1 if probs is None else probs[:, :, None])).sum(1))(np.concatenate([permuted_tokens,
    np.zeros((len(sorted_indices) - len(permuted_tokens), permuted_tokens.shape[1]))]))""",
    samples="""f32(6, 3), i32(6) * 0 + [5, 0, 3, 1, 2, 4]; f32(4, 2), i32(4) * 0 + [3, 0, 1, 2], f32(2, 2);
    f32(3, 2), i32(4) * 0 + [3, 0, 1, 2]""",
)
def moe_token_unpermute(
    permuted_tokens: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: Any = None,
) -> Any:
    """Tokens in the order before moe_token_permute(), of several experts summed up. Those that were not kept are 0.

    Args:
        permuted_tokens: of shape (N * K, size), or fewer rows.
        sorted_indices: where each of them went, of shape (N * K,).
        probs: weights of experts, of shape (N, K); without them K is 1.
        padded_mode: False.
        restore_shape: None, as padded_mode is False.

    Raises:
        ValueError: shapes do not fit, or padded_mode or restore_shape is another.
    """
    name = "moe_token_unpermute"
    _not_padded(name, padded_mode)
    if restore_shape is not None:
        raise ValueError(f"For '{name}', 'restore_shape' must be None, as 'padded_mode' is False, but got {restore_shape}.")
    check_rank(name, "permuted_tokens", permuted_tokens, 2)
    check_rank(name, "sorted_indices", sorted_indices, 1)
    rows, size = permuted_tokens.shape
    count = sorted_indices.shape[0]
    top_k = 1 if probs is None else probs.shape[-1]
    if count < rows or (probs is not None and (probs.ndim != 2 or probs.shape[0] * top_k != count)):
        shape = None if probs is None else tuple(probs.shape)
        raise ValueError(
            f"For '{name}', 'sorted_indices' must have a place for each of {rows} tokens, and 'probs' a weight for each, "
            f"but their shapes are {tuple(sorted_indices.shape)} and {shape}."
        )
    full = _ops.pad(permuted_tokens, (0, 0, 0, count - rows)) if count > rows else permuted_tokens
    tokens = _ops.gather(full, sorted_indices, 0)
    if probs is None:
        return tokens
    weighted = _ops.reshape(tokens, (-1, top_k, size)) * _ops.expand_dims(probs, 2)
    return _ops.cast(_ops.sum(weighted, 1), permuted_tokens.dtype)


@publish(
    "ops.moe_init_routing_v2",
    numpy="""sequences.routed(x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode,
    expert_tokens_count_or_cumsum_flag, expert_tokens_before_capacity_flag)""",
    samples="""f32(4, 3), i32(4, 2) % 3, 0, 0, 3, 0, 0, False; f32(4, 3), i32(4, 2) % 3, 5, 0, 3, 0, 1, False;
    f32(3, 2), i32(3, 3) % 4, 0, 2, 4, 1, 0, True; f32(3, 2), i32(3, 1) % 2, 0, 0, 2, 0, 2, False""",
)
def moe_init_routing_v2(
    x: Tensor,
    expert_idx: Tensor,
    active_num: int,
    expert_capacity: int,
    expert_num: int,
    drop_pad_mode: int,
    expert_tokens_count_or_cumsum_flag: int,
    expert_tokens_before_capacity_flag: bool,
) -> Any:
    """(tokens ordered by their experts, where each of them went, counts that are asked for).

    Args:
        x: tokens (N, size).
        expert_idx: the experts of each token (N, K).
        active_num: how many of the ordered tokens are kept; 0: all.
        expert_capacity: of drop_pad_mode 1, how many tokens an expert takes.
        expert_num: how many experts there are.
        drop_pad_mode: 0, or 1: tokens are (expert_num, expert_capacity, size), zeros where an expert has less, and what it
            has no room for is dropped, with place -1.
        expert_tokens_count_or_cumsum_flag: of drop_pad_mode 0, whether counts of experts follow: 1 added up, 2 as they are.
        expert_tokens_before_capacity_flag: of drop_pad_mode 1, whether counts of experts follow.

    Raises:
        ValueError: shapes do not fit, a mode or flag is another, or a number negative.
    """
    name = "moe_init_routing_v2"
    check_choice(name, "drop_pad_mode", drop_pad_mode, 0, 1)
    check_choice(name, "expert_tokens_count_or_cumsum_flag", expert_tokens_count_or_cumsum_flag, 0, 1, 2)
    for argument, value in (("active_num", active_num), ("expert_capacity", expert_capacity), ("expert_num", expert_num)):
        check_int(name, argument, value, 0)
    check_rank(name, "expert_idx", expert_idx, 2)
    permuted_tokens, places = moe_token_permute(x, expert_idx)
    flat = _ops.reshape(expert_idx, (-1,))
    counts = _ops.sum(_ops.equal(_ops.expand_dims(flat, 1), _ops.arange(expert_num)), 0, False, core.int32)
    if drop_pad_mode == 0:
        kept = permuted_tokens[:active_num] if active_num else permuted_tokens
        flag = expert_tokens_count_or_cumsum_flag
        return (kept, places, *([_ops.cumsum(counts, 0, core.int32)] if flag == 1 else [counts] * (flag == 2)))
    before = _ops.gather(_ops.cumsum(counts, 0, core.int32) - counts, flat, 0)
    within = places - before
    room = expert_num * expert_capacity
    slots = _ops.select(within < expert_capacity, flat * expert_capacity + within, room)
    tokens = _ops.gather(permuted_tokens, places, 0)
    rows = _ops.index_add(_ops.zeros((room + 1, x.shape[1]), x.dtype), slots, tokens, 0)[:room]
    by_expert = _ops.reshape(rows, (expert_num, expert_capacity, x.shape[1]))
    return (by_expert, _ops.select(slots < room, slots, -1), *([counts] * expert_tokens_before_capacity_flag))


@publish("ops.ReshapeAndCache()(key, value, key_cache, value_cache, slot_mapping)", in_python=True)
def reshape_and_cache(
    key: Tensor, value: Tensor | None, key_cache: Tensor, value_cache: Tensor | None, slot_mapping: Tensor
) -> Any:
    """Writes tokens into caches of blocks; returns key.

    Args:
        key, value: of tokens (N, heads, size).
        key_cache, value_cache: (blocks, positions of a block, heads, size), which are written.
        slot_mapping: the position of each token, counted through all blocks (N,); a negative one is left out.

    Raises:
        ValueError: shapes do not fit.
        IndexError: a position is out of range.

    Examples:
        >>> key, cache = Tensor([[[1.0, 2.0]]]), Parameter(ops.zeros((1, 2, 1, 2)))
        >>> _ = ops.ReshapeAndCache()(key, None, cache, None, Tensor([1], ms.int32))
        >>> print(cache.asnumpy().reshape(2, 2))
        [[0. 0.]
         [1. 2.]]
    """
    name = "ReshapeAndCache"
    check_rank(name, "slot_mapping", slot_mapping, 1)
    for argument, tokens, cache in (("key", key, key_cache), ("value", value, value_cache)):
        if tokens is None or cache is None:
            continue
        if cache.ndim < 2 or (slot_mapping.shape[0], *cache.shape[2:]) != tuple(tokens.shape):
            shapes = tuple(tokens.shape), tuple(cache.shape), tuple(slot_mapping.shape)
            raise ValueError(
                f"For '{name}', '{argument}' must be of shape (N, heads, size) for a cache of (blocks, positions, heads, "
                f"size) and N slots, but they are of {shapes}."
            )
        flat = _ops.reshape(cache, (-1, *cache.shape[2:]))
        slots = _ops.maximum(slot_mapping, 0)
        valid = _ops.reshape(slot_mapping >= 0, (-1,) + (1,) * (tokens.ndim - 1))
        change = _ops.select(valid, tokens - _ops.gather(flat, slots, 0), 0)
        cache[...] = _ops.reshape(_ops.index_add(flat, slots, change, 0), cache.shape)
    return key


def _of_heads(x: Tensor, like: Tensor) -> Any:
    """Statistics (N, heads, positions, 8), of which the last are alike, for elements (positions, N, hidden)."""
    positions, n, hidden = like.shape
    statistic = _ops.transpose(x[..., :1], (2, 0, 1, 3))
    return _ops.reshape(_ops.broadcast_to(statistic, (positions, n, x.shape[1], hidden // x.shape[1])), like.shape)


@publish(
    "ops.ring_attention_update",
    numpy="""sequences.joined_attention(prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max,
    cur_softmax_sum)""",
    samples="""f32(3, 2, 4), f32(2, 2, 3, 1) * f32(8) ** 0, abs(f32(2, 2, 3, 1)) * f32(8) ** 0,
    f32(3, 2, 4), f32(2, 2, 3, 1) * f32(8) ** 0, abs(f32(2, 2, 3, 1)) * f32(8) ** 0""",
)
def ring_attention_update(
    prev_attn_out: Tensor,
    prev_softmax_max: Tensor,
    prev_softmax_sum: Tensor,
    cur_attn_out: Tensor,
    cur_softmax_max: Tensor,
    cur_softmax_sum: Tensor,
    actual_seq_qlen: Any = None,
    layout: str = "SBH",
) -> Any:
    """(results, largest scores, sums of exponentials) of attention to two parts of the keys, from those of each.

    Args:
        prev_attn_out, cur_attn_out: results (S, B, H).
        prev_softmax_max, prev_softmax_sum, cur_softmax_max, cur_softmax_sum: (B, heads, S, 8), the last axis of equal ones.
        actual_seq_qlen: None.
        layout: "SBH".

    Raises:
        ValueError: shapes do not fit, another layout, or actual_seq_qlen.

    Examples:
        >>> out, one = Tensor([[[2.0]]]), ops.ones((1, 1, 1, 8))
        >>> result, largest, sums = ops.ring_attention_update(out, one, one, out * 3, one, one)
        >>> print(result, sums[0, 0, 0, 0])
        [[[4.]]] 2.0
    """
    name = "ring_attention_update"
    check_choice(name, "layout", layout, "SBH")
    if actual_seq_qlen is not None:
        raise ValueError(f"For '{name}', 'actual_seq_qlen' must be None in layout 'SBH', but got {actual_seq_qlen}.")
    check_rank(name, "prev_attn_out", prev_attn_out, 3)
    check_same_shape(name, prev_attn_out=prev_attn_out, cur_attn_out=cur_attn_out)
    for argument, tensor in (("prev_softmax_sum", prev_softmax_sum), ("cur_softmax_max", cur_softmax_max)):
        check_same_shape(name, prev_softmax_max=prev_softmax_max, **{argument: tensor})
    check_same_shape(name, prev_softmax_max=prev_softmax_max, cur_softmax_sum=cur_softmax_sum)
    top = _ops.maximum(prev_softmax_max, cur_softmax_max)
    before = _ops.exp(prev_softmax_max - top) * prev_softmax_sum
    now = _ops.exp(cur_softmax_max - top) * cur_softmax_sum
    total = before + now
    parts = ((prev_attn_out, before), (cur_attn_out, now))
    first, second = (one * _ops.cast(_of_heads(share / total, one), one.dtype) for one, share in parts)
    return first + second, top, total


@publish(
    "ops.nsa_compress(input, weight, compress_block_size, compress_stride, *, actual_seq_len)",
    numpy="""np.stack([(input[a + i : a + i + compress_block_size] * weight[:, :, None]).sum(0)
    for a, b in zip((0, *actual_seq_len), actual_seq_len)
    for i in range(0, b - a - compress_block_size + 1, compress_stride)])""",
    samples="f32(9, 2, 3), f32(4, 2), 4, 2, (5, 9); f32(6, 1, 2), f32(2, 1), 2, 2, (1, 6)",
)
def nsa_compress(
    input: Tensor, weight: Tensor, compress_block_size: int, compress_stride: int, actual_seq_len: Any = ()
) -> Any:
    """Weighted sums of windows of positions (T', N, D), which lie within sequences.

    Args:
        input: elements of all sequences (T, N, D).
        weight: of the positions of a window (compress_block_size, N).
        compress_stride: from a window to the next.
        actual_seq_len: where each sequence ends, in ascending order, the last at T.

    Raises:
        TypeError: actual_seq_len is not of ints.
        ValueError: shapes do not fit, sizes are not positive, or sequences do not end at T.
    """
    name = "nsa_compress"
    check_rank(name, "input", input, 3)
    block = check_int(name, "compress_block_size", compress_block_size, 1)
    stride = check_int(name, "compress_stride", compress_stride, 1)
    ends = ints_of(name, "actual_seq_len", actual_seq_len)
    if not ends or list(ends) != sorted(ends) or ends[0] < 1 or ends[-1] != input.shape[0]:
        raise ValueError(f"For '{name}', 'actual_seq_len' must ascend to {input.shape[0]}, but got {ends}.")
    if tuple(weight.shape) != (block, input.shape[1]):
        expected = (block, input.shape[1])
        raise ValueError(f"For '{name}', 'weight' must be of shape {expected}, but is of {tuple(weight.shape)}.")
    starts = [a + i for a, b in zip((0, *ends), ends) for i in range(0, b - a - block + 1, stride)]
    rows = core.Tensor([at + i for at in starts for i in range(block)], core.int64)
    windows = _ops.reshape(_ops.gather(input, rows, 0), (len(starts), block, *input.shape[1:]))
    return _ops.sum(windows * _ops.expand_dims(weight, 2), 1)
