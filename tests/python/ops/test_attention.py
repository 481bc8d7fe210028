"""Attention: flash_attention_score's masks and errors, and which programs become it, with equal bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references import attention, flash_attention_score

import emberjit as ms
from emberjit import Tensor, ops

RNG = np.random.default_rng(7)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def operands(batch: int = 2, heads: int = 4, groups: int = 2, length: int = 9, keys: int = 11, depth: int = 5) -> Any:
    return drawn(batch, heads, length, depth), drawn(batch, groups, keys, depth), drawn(batch, groups, keys, depth)


DEFAULTS = {"pre_tokens": 2147483647, "next_tokens": 2147483647, "sparse_mode": 0, "scalar_value": 1.0}


@pytest.mark.parametrize("dtype", [ms.uint8, ms.bool_])
@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("shape", [(9, 11), (2, 1, 9, 11), (2, 4, 9, 11)])
def test_masks_of_flash_attention_score(dtype: Any, mode: int, shifted: bool, shape: tuple[int, ...]) -> None:
    q, k, v = operands()
    mask = RNG.integers(0, 2, shape)
    mask[..., 0] = mask[..., 3] = 0
    shift = drawn(2, 4, 9, 11) if shifted else None
    options = {"sparse_mode": mode, "scalar_value": 0.4, "pre_tokens": 6, "next_tokens": 5}
    given = None if shift is None else Tensor(shift)
    got = ops.flash_attention_score(
        *map(Tensor, (q, k, v)), 4, given, None, None, Tensor(mask).astype(dtype), input_layout="BNSD", **options
    )
    with np.errstate(all="ignore"):
        want = flash_attention_score(q, k, v, 4, shift, mask, "BNSD", **options)
    np.testing.assert_allclose(got.asnumpy(), want, rtol=2e-5, atol=2e-6)


def test_sizes_may_change_in_a_graph() -> None:
    @ms.jit
    def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return ops.flash_attention_score(q, k, v, 4, input_layout="BNSD", sparse_mode=3)

    for length, keys in [(3, 8), (5, 8), (6, 6), (7, 9), (8, 20), (4, 30)]:
        q, k, v = operands(length=length, keys=keys)
        want = flash_attention_score(q, k, v, 4, None, None, "BNSD", **{**DEFAULTS, "sparse_mode": 3})
        np.testing.assert_allclose(f(*map(Tensor, (q, k, v))).asnumpy(), want, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"keep_prob": 0.9}, "keep_prob"),
        ({"drop_mask": Tensor(np.zeros((2, 4, 9, 2), np.uint8))}, "drop_mask"),
        ({"padding_mask": Tensor(np.zeros((2, 4), np.float32))}, "padding_mask"),
        ({"prefix": (1, 2)}, "prefix"),
        ({"actual_seq_qlen": (3, 9)}, "actual_seq_qlen"),
        ({"input_layout": "TND"}, "input_layout"),
        ({"input_layout": "BSH"}, "does not fit"),
        ({"head_num": 3}, "head_num"),
        ({"sparse_mode": 5}, "sparse_mode"),
    ],
)
def test_what_flash_attention_score_refuses(change: dict[str, Any], message: str) -> None:
    q, k, v = map(Tensor, operands())
    with pytest.raises(ValueError, match=f"flash_attention_score.*{message}"):
        ops.flash_attention_score(q, k, v, **{"head_num": 4, "input_layout": "BNSD", **change})


def test_gradient_of_a_mask_that_is_added() -> None:
    q, k, v = operands(depth=3)
    mask, weights = drawn(4, 1, 11), drawn(2, 4, 9, 3)
    slope = ms.grad(lambda m: (ops.attention(Tensor(q), Tensor(k), Tensor(v), m, 0.5) * Tensor(weights)).sum())
    got = slope(Tensor(mask)).asnumpy()

    def loss(m: np.ndarray) -> float:
        wide = [x.astype(np.float64) for x in (q, k, v)]
        return float((attention(*wide, m, 0.5, False, False, 0) * weights).sum())

    for index in np.ndindex(*mask.shape):
        step = np.zeros(mask.shape)
        step[index] = 1e-5
        measured = (loss(mask + step) - loss(mask - step)) / 2e-5
        assert abs(measured - got[index]) < 2e-5 * (1 + abs(measured))


INF = math.inf
ABOVE = Tensor(np.triu(np.full((20, 20), -INF, np.float32), 1))
KEPT = Tensor(np.tril(np.ones((20, 20), bool)))
Q, K, V = Tensor(drawn(2, 4, 20, 8)), Tensor(drawn(2, 4, 20, 8)), Tensor(drawn(2, 4, 20, 6))
SHARED = Tensor(drawn(2, 2, 20, 8)), Tensor(drawn(2, 2, 20, 6))
WEIGHTS = Tensor(drawn(2, 4, 20, 6))
Function = Callable[..., Any]


def scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.swapaxes(-1, -2)


def causal(q: Tensor) -> Tensor:
    return ops.triu(ops.full((q.shape[-2], q.shape[-2]), -INF, dtype=ms.float32), 1)


def by_bmm(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = (x.reshape(8, 20, -1) for x in (q, k, v))
    return ops.bmm(ops.softmax(ops.bmm(q, k.swapaxes(1, 2)), -1), v).reshape(2, 4, 20, 6)


def of_shared_heads(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    k, v = ops.repeat_interleave(k, 2, 1), v.repeat_interleave(2, 1)
    return ops.softmax(scores(q, k) / 3 + ABOVE, -1) @ v


WRITTEN: dict[str, Function] = {
    "plain": lambda q, k, v: ops.softmax(scores(q, k), -1) @ v,
    "multiplied": lambda q, k, v: ops.softmax(scores(q, k) * 0.3, -1) @ v,
    "number_first": lambda q, k, v: ops.softmax(0.3 * scores(q, k), -1) @ v,
    "divided": lambda q, k, v: ops.softmax(scores(q, k) / math.sqrt(q.shape[-1]), -1) @ v,
    "query_scaled": lambda q, k, v: ops.softmax(scores(q * 0.3, k), -1) @ v,
    "key_turned": lambda q, k, v: ops.softmax(q @ k.transpose(0, 1, 3, 2), axis=3) @ v,
    "added": lambda q, k, v: ops.softmax(scores(q, k) / 3 + ABOVE, -1) @ v,
    "added_first": lambda q, k, v: ops.softmax(ABOVE + scores(q, k) / 3, -1) @ v,
    "causal": lambda q, k, v: ops.softmax(scores(q, k) / 3 + causal(q), -1) @ v,
    "filled": lambda q, k, v: ops.softmax((scores(q, k) / 3).masked_fill(~KEPT, -INF), -1) @ v,
    "filled_low": lambda q, k, v: ops.softmax(ops.masked_fill(scores(q, k), ~KEPT, -1e9), -1) @ v,
    "chosen": lambda q, k, v: ops.softmax(ops.where(KEPT, scores(q, k) / 3, -INF), -1) @ v,
    "chosen_other": lambda q, k, v: ops.softmax(ops.where(~KEPT, -1e9, scores(q, k) * 3), -1) @ v,
    "bmm": by_bmm,
    "primitives": lambda q, k, v: ops.BatchMatMul()(ops.Softmax()(ops.BatchMatMul(transpose_b=True)(q, k)), v),
    "shared_heads": of_shared_heads,
    "one_head": lambda q, k, v: ops.softmax(scores(q, k[:, :1]), -1) @ v[:, :1],
}


def captured(folder: Path, f: Function, *args: Any) -> tuple[Any, str]:
    """What f gives, jitted, and the text of the last graphs."""
    ms.set_context(save_graphs=2, save_graphs_path=str(folder))
    try:
        out = ms.jit(f)(*args)
    finally:
        ms.set_context(save_graphs=0)
    return out, "".join(path.read_text() for path in folder.glob("*fuse.ir"))


def same(got: Any, want: Any) -> None:
    for g, w in zip(got, want, strict=True):
        g, w = g.asnumpy(), w.asnumpy()
        np.testing.assert_array_equal(g, w)
        np.testing.assert_array_equal(np.signbit(g), np.signbit(w))


@pytest.mark.parametrize("written", WRITTEN)
def test_recognised_as_written(written: str, tmp_path: Path) -> None:
    f, args = WRITTEN[written], (Q, *SHARED) if written == "shared_heads" else (Q, K, V)

    def loss(*operands: Tensor) -> Tensor:
        return (f(*operands) * WEIGHTS).sum()

    out, text = captured(tmp_path / "f", lambda *operands: f(*operands), *args)
    same([out], [f(*args)])
    assert "Attention(" in text and "Softmax(" not in text
    positions = (0, 1, 2)
    want = ms.grad(loss, positions)(*args)
    got, text = captured(tmp_path / "g", ms.grad(loss, positions), *args)
    same(got, want)
    assert "AttentionBackward(" in text and "Softmax(" not in text
    same(ms.grad(ms.jit(loss), positions)(*args), want)


def scores_used(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    x = scores(q, k)
    return ops.softmax(x, -1) @ v + x.sum(-1, keepdims=True)


def weights_used(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    p = ops.softmax(scores(q, k), -1)
    return (p @ v) * p.max()


def mask_enlarges(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return ops.softmax(scores(q[0, 0], k[0, 0]) + Tensor(np.zeros((4, 1, 1), np.float32)), -1) @ v[0]


NOT_ATTENTION: dict[str, Function] = {
    "scores_used": scores_used,
    "weights_used": weights_used,
    "other_axis": lambda q, k, v: ops.softmax(scores(q, k), -2) @ v,
    "mask_then_scale": lambda q, k, v: ops.softmax((scores(q, k) + ABOVE) * 0.3, -1) @ v,
    "two_masks": lambda q, k, v: ops.softmax(scores(q, k) + ABOVE + 0.5 * ABOVE, -1) @ v,
    "other_activation": lambda q, k, v: ops.softmax(ops.tanh(scores(q, k)), -1) @ v,
    "cast_between": lambda q, k, v: ops.softmax(scores(q, k).astype(ms.float64), -1).astype(ms.float32) @ v,
    "mask_enlarges": mask_enlarges,
    "few_queries": lambda q, k, v: ops.softmax(scores(q[:, :, :1], k), -1) @ v,
    "batch_broadcast": lambda q, k, v: ops.softmax(scores(q, k[:1]), -1) @ v,
}


@pytest.mark.parametrize("written", NOT_ATTENTION)
def test_left_alone(written: str, tmp_path: Path) -> None:
    f = NOT_ATTENTION[written]
    out, text = captured(tmp_path, lambda *operands: f(*operands), Q, K, V)
    same([out], [f(Q, K, V)])
    assert "Attention(" not in text


def thrice(x: Tensor) -> Tensor:
    return ops.softmax(scores(x, x) * 0.3, -1) @ x


def with_other_uses(x: Tensor) -> Tensor:
    k = ops.sin(x)
    return (ops.softmax(scores(ops.cos(x), k), -1) @ ops.exp(x)) * k + ops.tanh(k) + x


def with_bias(x: Tensor) -> Tensor:
    bias = ops.sin(x)[0, :, :, :1] * 0.1
    return ops.softmax(scores(ops.cos(x), x + 1) + bias, -1) @ ops.exp(x)


@pytest.mark.parametrize("f", [thrice, with_other_uses, with_bias])
def test_gradients_sum_in_the_same_order(f: Function) -> None:
    x, weights = Tensor(drawn(2, 3, 20, 7)), Tensor(drawn(2, 3, 20, 7))

    def loss(x: Tensor) -> Tensor:
        return (f(x) * weights).sum()

    want = ms.grad(loss)(x)
    same([ms.jit(ms.grad(loss))(x), ms.grad(ms.jit(loss))(x)], [want] * 2)


def test_second_order_of_recognised_attention() -> None:
    def loss(q: Tensor) -> Tensor:
        return (WRITTEN["causal"](q, K, V) * WEIGHTS).sum()

    def squared(q: Tensor) -> Tensor:
        gradient = ms.grad(loss)(q)
        return (gradient * gradient).sum()

    same([ms.jit(ms.grad(squared))(Q)], [ms.grad(squared)(Q)])


def test_recognised_for_changing_sizes_and_batches() -> None:
    jitted = ms.jit(WRITTEN["causal"])
    for batch, length in [(2, 20), (3, 33), (1, 8), (2, 67), (2, 1), (4, 2)]:
        q, k, v = (Tensor(drawn(batch, 4, length, d)) for d in (8, 8, 6))
        same([jitted(q, k, v)], [WRITTEN["causal"](q, k, v)])
    mapped = ms.vmap(WRITTEN["added"], (0, None, 0))
    q, v = Tensor(drawn(3, 2, 4, 20, 8)), Tensor(drawn(3, 2, 4, 20, 6))
    same([ms.jit(mapped)(q, K, v)], [mapped(q, K, v)])
