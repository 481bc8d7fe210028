"""Programs whose elementwise work follows products and batch normalisations give eager's bits when jitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

Program = Callable[..., Any]
SIZE = 48


def gated(a: Any, b: Any) -> Any:
    h = a @ b
    return ops.sigmoid(h) @ (h @ b)


def attention(a: Any, b: Any) -> Any:
    scores = (a @ b) * 0.125
    return ops.softmax(scores, -1) @ ops.tanh(scores)


def summed(a: Any, b: Any) -> Any:
    y = a @ b
    total = y.sum(0)
    return ops.relu(y + 1.0) * total


def looped(a: Any, b: Any) -> Any:
    i = 0
    while i < 3:
        a = ops.tanh(a @ b + a)
        i = i + 1
    return a


def chosen(a: Any, b: Any) -> Any:
    y = a @ b
    if y.sum() > 0:
        return ops.exp(-y * y) + a
    return ops.relu(y) - a


def turned(a: Any, b: Any) -> Any:
    y = a @ b
    return ops.relu(y.swapaxes(0, 1) + a) @ (y * 2 - a)


def block(a: Any, b: Any) -> Any:
    x = a.reshape(1, 4, 24, 24)
    weight, bias = b[0, :4], b[1, :4]
    y = ops.batch_norm(x, bias, weight, weight, bias, training=True)
    inner = ops.conv2d(y, b.reshape(-1)[:144].reshape(4, 4, 3, 3), pad_mode="pad", padding=1)
    return ops.conv2d(ops.sigmoid(y), b.reshape(-1)[:16].reshape(4, 4, 1, 1)) + inner


PROGRAMS = [gated, attention, summed, looped, chosen, turned, block]


def operands() -> tuple[Tensor, Tensor]:
    draw = np.random.default_rng(3).standard_normal
    return Tensor(draw((SIZE, SIZE)).astype(np.float32)), Tensor((draw((SIZE, SIZE)) / 7).astype(np.float32))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_results_and_gradients(program: Program) -> None:
    a, b = operands()
    want = program(a, b).asnumpy()
    jitted = ms.jit(program)
    for _ in range(3):
        np.testing.assert_array_equal(jitted(a, b).asnumpy(), want)
    slopes = ms.grad(lambda a, b: program(a, b).sum(), (0, 1))
    for got, eager in zip(ms.jit(slopes)(a, b), slopes(a, b), strict=True):
        np.testing.assert_array_equal(got.asnumpy(), eager.asnumpy())


def test_a_parameter_that_is_written_between() -> None:
    a, b = operands()
    weight = Parameter(b, name="weight")

    def program(a: Any) -> Any:
        y = a @ a
        ops.assign(weight, weight + 1)
        return ops.tanh(y * weight)

    want = program(a).asnumpy()
    weight.set_data(b)
    np.testing.assert_array_equal(ms.jit(program)(a).asnumpy(), want)
