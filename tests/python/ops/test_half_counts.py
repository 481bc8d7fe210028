"""Counts and sums of float16 are float32: means over more rows than float16 can count, and their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core

ROWS = 70_001
HALVES = [ms.float16, ms.bfloat16]


def logits(dtype: Any, classes: int = 3) -> tuple[Tensor, Tensor]:
    rng = np.random.default_rng(1)
    x = Tensor(rng.standard_normal((ROWS, classes)).astype(np.float32)).astype(dtype)
    return x, Tensor(rng.integers(0, classes, ROWS).astype(np.int32))


def close(got: Tensor, want: Tensor, dtype: Any, scale: float = 1.0) -> None:
    assert got.dtype == dtype
    step = 2.0**-9 if dtype == ms.float16 else 2.0**-6
    tiny = 2.0**-24 if dtype == ms.float16 else 0
    a, b = got.astype(ms.float64).asnumpy(), want.astype(ms.float64).asnumpy()
    assert np.isfinite(a).all()
    np.testing.assert_allclose(a, b, rtol=step, atol=step * scale * np.abs(b).max() + tiny)


LOSSES: dict[str, Callable[..., Any]] = {
    "cross_entropy": lambda x, t: ops.cross_entropy(x, t),
    "cross_entropy, smoothed": lambda x, t: ops.cross_entropy(x, t, label_smoothing=0.1),
    "cross_entropy, weighted": lambda x, t: ops.cross_entropy(x, t, Tensor([1.0, 2.0, 0.5]).astype(x.dtype)),
    "cross_entropy, ignoring": lambda x, t: ops.cross_entropy(x, t, ignore_index=1),
    "cross_entropy of probabilities": lambda x, t: ops.cross_entropy(x, ops.softmax(x * 2)),
    "nll_loss": lambda x, t: ops.nll_loss(ops.log_softmax(x), t),
    "mse_loss": lambda x, t: ops.mse_loss(x, x * 0.5),
    "mean": lambda x, t: ops.mean(x * x),
    "var": lambda x, t: ops.var(x),
    "std": lambda x, t: ops.std(x),
}


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", LOSSES)
def test_means_over_many_rows(name: str, dtype: Any) -> None:
    loss, (x, t) = LOSSES[name], logits(dtype)
    want = loss(x.astype(ms.float32), t)
    eager, jitted = loss(x, t), ms.jit(loss)
    close(eager, want, dtype)
    for _ in range(3):
        np.testing.assert_array_equal(jitted(x, t).astype(ms.float32).asnumpy(), eager.astype(ms.float32).asnumpy())
    slope = ms.grad(lambda x: loss(x, t) * 2048)
    close(slope(x), slope(x.astype(ms.float32)), dtype, 2)


def test_squares_above_float16_have_a_mean_within() -> None:
    x = Tensor(np.array([300.0, 0, 0, 0], np.float16))
    assert ops.mse_loss(x, x * 0).asnumpy() == 22500


def test_slope_of_the_sparse_loss() -> None:
    x, t = logits(ms.float16)
    got = ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(x, t)
    close(got, ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(x.astype(ms.float32), t), ms.float16)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_many_equal_extremes_share_a_cotangent(dtype: Any) -> None:
    x = ops.zeros((ROWS,), dtype)
    slope = ms.grad(lambda x: ops.amax(x) * 8)(x)
    close(slope, ops.zeros((ROWS,), ms.float32) + 8 / ROWS, dtype)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_layer_norm_of_long_rows(dtype: Any) -> None:
    rng = np.random.default_rng(3)
    x = Tensor(rng.standard_normal((2, ROWS)).astype(np.float32)).astype(dtype)
    ct = Tensor(rng.standard_normal((2, ROWS)).astype(np.float32)).astype(dtype)
    gamma, beta = ops.ones((ROWS,), dtype) * 3, ops.zeros((ROWS,), dtype)

    def loss(x: Any, ct: Any, gamma: Any, beta: Any) -> Any:
        return (ops.layer_norm(x, (ROWS,), gamma, beta) * ct).astype(ms.float32).sum()

    slope = ms.grad(loss, (0, 2, 3))
    wide = [v.astype(ms.float32) for v in (x, ct, gamma, beta)]
    for got, want in zip(slope(x, ct, gamma, beta), slope(*wide)):
        close(got, want, dtype, 2)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_slopes_of_a_large_batchs_statistics(dtype: Any) -> None:
    x = logits(dtype, 2)[0]
    one, zero = ops.ones((2,), dtype), ops.zeros((2,), dtype)

    def loss(x: Any, weight: Any, bias: Any) -> Any:
        _, mean, variance = core.op_table["batch_norm_with_statistics"](x, weight, bias)
        return (mean * 512 + variance * 512).astype(ms.float32).sum()

    wide = [v.astype(ms.float32) for v in (x, one, zero)]
    close(ms.grad(loss)(x, one, zero), ms.grad(loss)(*wide), dtype)


def test_smoothing_over_many_classes() -> None:
    x = Tensor(np.random.default_rng(4).standard_normal((2, ROWS)).astype(np.float16))
    t = Tensor(np.array([1, 2], np.int32))
    got = ops.cross_entropy(x, t, label_smoothing=0.5)
    close(got, ops.cross_entropy(x.astype(ms.float32), t, label_smoothing=0.5), ms.float16)
