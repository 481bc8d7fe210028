"""Attention: flash_attention_score's masks and errors, shapes that change, what is never stored."""

from __future__ import annotations

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
