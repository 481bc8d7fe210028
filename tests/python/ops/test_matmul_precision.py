"""matmul_precision: its values, what they mean for products, and that graphs follow it."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core

RNG = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def default_afterwards() -> Iterator[None]:
    before = ms.get_context("matmul_precision")
    yield
    ms.set_context(matmul_precision=before)


def drawn(*shape: int) -> Tensor:
    return Tensor(RNG.standard_normal(shape).astype(np.float32))


def rounded(x: Tensor) -> np.ndarray:
    return x.astype(ms.bfloat16).astype(ms.float32).asnumpy().astype(np.float64)


def leaves(result: object) -> list[np.ndarray]:
    return [x for r in result for x in leaves(r)] if isinstance(result, tuple) else [result.asnumpy()]


def check_tiers(f: Callable[..., object], *args: Tensor) -> None:
    """The same bits eager, interpreted and native; others for bfloat16 than for ieee."""
    kept, found = ms.jit(f), {}
    for precision in (*core.matmul_precisions, "ieee", "bfloat16"):
        ms.set_context(matmul_precision=precision)
        found[precision] = leaves(f(*args))
        fresh = ms.jit(f)
        for _ in range(10_000):
            for got, want in zip(leaves(kept(*args)) + leaves(fresh(*args)), 2 * found[precision]):
                np.testing.assert_array_equal(got, want)
            if fresh.explain()["entries"][0]["specialisations"][0]["native_calls"]:
                break
        else:
            pytest.fail("no native code")
    assert all(np.abs(b - i).max() > 1e-4 for b, i in zip(found["bfloat16"], found["ieee"]))


def test_refuses_what_does_not_exist() -> None:
    assert ms.get_context("matmul_precision") == "float32"
    with pytest.raises(ValueError, match=r"must be one of \['ieee', 'float32', 'bfloat16'\], but got half\."):
        ms.set_context(matmul_precision="half")
    with pytest.raises(TypeError, match="matmul_precision"):
        ms.set_context(matmul_precision=3)


@pytest.mark.parametrize("value", ["ieee", "bfloat16", "half"])
def test_the_environment_says_what_it_is_at_first(value: str) -> None:
    code = "import emberjit as ms; print(ms.get_context('matmul_precision'))"
    env = {**os.environ, "EMBERJIT_MATMUL_PRECISION": value}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
    if value == "half":
        wanted = "EMBERJIT_MATMUL_PRECISION must be one of ['ieee', 'float32', 'bfloat16'], but is 'half'."
        assert done.stderr.splitlines()[-1] == f"ValueError: {wanted}"
    else:
        assert done.stdout == f"{value}\n"


def test_bfloat16_rounds_operands_unless_products_are_small() -> None:
    for m, n, k in [(64, 70, 100), (20, 70, 100)]:
        a, b = drawn(m, k), drawn(k, n)
        ms.set_context(matmul_precision="ieee")
        chain = (a @ b).asnumpy()
        ms.set_context(matmul_precision="bfloat16")
        got = (a @ b).asnumpy()
        if m < 32:
            np.testing.assert_array_equal(got, chain)
        else:
            np.testing.assert_allclose(got, rounded(a) @ rounded(b), rtol=1e-5, atol=1e-5)
            assert np.abs(got - chain).max() > 1e-3


def test_gradients_and_graphs_follow_it() -> None:
    x, w, b = drawn(2, 40, 50), drawn(60, 50), drawn(60)

    def loss(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return ops.tanh(ops.dense(x, w, b)).sum()

    check_tiers(ms.grad(loss, (0, 1, 2)), x, w, b)


def test_convolutions_and_their_gradients_follow_it() -> None:
    x, w = drawn(2, 32, 9, 8), drawn(40, 32, 3, 3)

    def loss(x: Tensor, w: Tensor) -> Tensor:
        return ops.tanh(ops.conv2d(x, w, pad_mode="same")).sum()

    check_tiers(ms.value_and_grad(loss, (0, 1)), x, w)


def test_bfloat16_rounds_what_a_convolution_multiplies() -> None:
    x, w = drawn(2, 32, 9, 8), drawn(40, 32, 3, 3)
    ms.set_context(matmul_precision="ieee")
    want = ops.conv2d(*(Tensor(rounded(t)) for t in (x, w)), pad_mode="same").asnumpy()
    ms.set_context(matmul_precision="bfloat16")
    np.testing.assert_allclose(ops.conv2d(x, w, pad_mode="same").asnumpy(), want, rtol=1e-5, atol=1e-5)
    halves = ops.conv2d(x.astype(ms.bfloat16), w.astype(ms.bfloat16), pad_mode="same")
    np.testing.assert_array_equal(halves.astype(ms.float32).asnumpy(), rounded(ops.conv2d(x, w, pad_mode="same")))


def test_recognised_attention_gives_the_bits_of_the_program_as_written() -> None:
    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return ops.softmax(q @ k.swapaxes(-1, -2) / math.sqrt(64), -1) @ v

    q, k, v = drawn(2, 40, 64), drawn(2, 50, 64), drawn(2, 50, 64)
    jitted, gradient = ms.jit(attention), ms.grad(lambda q, k, v: attention(q, k, v).sum(), (0, 1, 2))
    jitted_gradient = ms.jit(gradient)
    for precision in (*core.matmul_precisions, "ieee", "bfloat16"):
        ms.set_context(matmul_precision=precision)
        want = attention(q, k, v).asnumpy()
        np.testing.assert_array_equal(jitted(q, k, v).asnumpy(), want)
        np.testing.assert_array_equal(ops.attention(q, k, v, None, 8.0, True).asnumpy(), want)
        for got, wanted in zip(jitted_gradient(q, k, v), gradient(q, k, v)):
            np.testing.assert_array_equal(got.asnumpy(), wanted.asnumpy())


def test_attention_in_parts_with_groups_and_masks() -> None:
    q, k, v = drawn(2, 4, 40, 64), drawn(2, 2, 50, 64), drawn(2, 2, 50, 33)
    hidden, weights = Tensor(RNG.random((2, 1, 40, 50)) < 0.3), drawn(2, 4, 40, 33)

    def written(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        k, v = k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)
        return ops.softmax((q @ k.swapaxes(-1, -2) / 8).masked_fill(hidden, -math.inf), -1) @ v

    def as_op(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return ops.attention(q, k, v, hidden, 8.0, True, False, -math.inf)

    def gradients(f: Callable[..., Tensor]) -> object:
        return ms.grad(lambda *operands: (f(*operands) * weights).sum(), (0, 1, 2))(q, k, v)

    for precision in core.matmul_precisions:
        ms.set_context(matmul_precision=precision)
        np.testing.assert_array_equal(as_op(q, k, v).asnumpy(), written(q, k, v).asnumpy())
        for got, want in zip(leaves(gradients(as_op)), leaves(gradients(written))):
            np.testing.assert_array_equal(got, want)


def test_steps_of_attention_in_parts_do_not_show_in_the_float_status() -> None:
    ms.set_context(matmul_precision="bfloat16")
    x = drawn(1, 2, 40, 64)
    clear, read = ops.NPUClearFloatStatus(), ops.NPUGetFloatStatus()
    status = ops.NPUAllocFloatStatus()()
    clear(status)
    ops.attention(x, x, x, None, 0.125, False, True)
    read(status)
    assert not status.asnumpy().any()


@pytest.mark.parametrize("spoilt", [False, True])
def test_what_follows_a_convolution_in_parts(spoilt: bool) -> None:
    """An image that parts cannot hold is of chains; what follows runs once on every element."""

    def block(x: Tensor, v: Tensor, w: Tensor) -> Tensor:
        y = ops.relu(ops.conv2d(x, v, pad_mode="same") * 0.5 + 1)
        return ops.relu(ops.conv2d(y, w, pad_mode="same") * 0.25 + y)

    x, v, w = drawn(3, 32, 12, 13), drawn(80, 32, 3, 3), drawn(80, 80, 3, 3)
    if spoilt:
        x[1, 3, 4, 5] = math.inf
    jitted = ms.jit(block)
    for precision in core.matmul_precisions:
        ms.set_context(matmul_precision=precision)
        want = block(x, v, w).asnumpy()
        for _ in range(3):
            np.testing.assert_array_equal(jitted(x, v, w).asnumpy(), want)
