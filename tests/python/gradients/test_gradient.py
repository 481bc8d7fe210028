"""Gradients eager and captured, against each other and against finite differences; vmap against loops."""

from __future__ import annotations

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops


def numeric(f, x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    grad = np.zeros_like(x)
    for i in np.ndindex(*x.shape):
        up, down = x.copy(), x.copy()
        up[i] += eps
        down[i] -= eps
        grad[i] = (f(Tensor(up)).asnumpy().sum() - f(Tensor(down)).asnumpy().sum()) / (2 * eps)
    return grad


FUNCTIONS = {
    "mix": lambda x: (ops.sin(x) * x + ops.exp(-x)).sum(),
    "matmul": lambda x: ops.tanh(x @ x.T).sum(),
    "softmax": lambda x: (ops.softmax(x, -1) * x).sum(),
    "slice": lambda x: (x[1:, ::2] * 3 + x[:-1, 1:3]).sum(),
    "mean": lambda x: ((x - x.mean(0)) ** 2).mean(),
    "concat": lambda x: (ops.concat((x, x * 2), 0) ** 2).sum(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_eager_and_captured_agree_with_differences(name: str) -> None:
    f = FUNCTIONS[name]
    x = np.random.default_rng(3).standard_normal((3, 4))
    eager = ms.grad(f)(Tensor(x)).asnumpy()
    captured = ms.jit(ms.grad(f))(Tensor(x)).asnumpy()
    np.testing.assert_allclose(eager, numeric(f, x), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(captured, eager, rtol=1e-12, atol=1e-13)


def test_second_order() -> None:
    x = Tensor(np.array([0.3, -0.7]))
    second = ms.grad(lambda t: ms.grad(lambda u: ops.sin(u).sum())(t).sum())(x)
    np.testing.assert_allclose(second.asnumpy(), -np.sin(x.asnumpy()), rtol=1e-12)


def test_through_a_loop_whose_length_only_the_data_knows() -> None:
    @ms.jit
    def loop(t):
        while t.sum() < 100:
            t = t * t + t
        return t

    x = Tensor(np.array([1.0, 2.0]))
    np.testing.assert_allclose(ms.jit(ms.grad(loop))(x).asnumpy(), numeric(loop, x.asnumpy()), rtol=1e-4)


def test_weights_and_aux() -> None:
    net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))
    x = Tensor(np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32))

    def forward(x):
        y = net(x)
        return (y * y).sum(), y

    both = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)
    (loss, y), grads = both(x)
    (jit_loss, jit_y), jit_grads = ms.jit(both)(x)
    assert loss.item() == jit_loss.item()
    np.testing.assert_array_equal(y.asnumpy(), jit_y.asnumpy())
    for a, b, p in zip(grads, jit_grads, net.trainable_params()):
        assert a.shape == p.shape
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def test_convolution_pool_and_norm() -> None:
    x = np.random.default_rng(1).standard_normal((2, 3, 6, 6))
    w = Tensor(np.random.default_rng(2).standard_normal((4, 3, 3, 3)))
    f = lambda t: (ops.max_pool2d(ops.conv2d(t, w, pad_mode="same"), 2, 2) ** 2).sum()
    np.testing.assert_allclose(ms.grad(f)(Tensor(x)).asnumpy(), numeric(f, x), rtol=1e-5, atol=1e-6)


def test_vmap_against_a_loop() -> None:
    x = Tensor(np.random.default_rng(4).standard_normal((5, 3)).astype(np.float32))
    w = Tensor(np.random.default_rng(5).standard_normal((3, 2)).astype(np.float32))
    f = lambda row, weight: ops.tanh(row @ weight)
    want = np.stack([f(x[i], w).asnumpy() for i in range(5)])
    got = ms.vmap(f, in_axes=(0, None))(x, w)
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-6)
    np.testing.assert_allclose(ms.jit(ms.vmap(f, in_axes=(0, None)))(x, w).asnumpy(), want, rtol=1e-6)


def test_training_is_the_same_eager_and_jitted() -> None:
    def run(jitted: bool) -> list[float]:
        ms.set_seed(1)
        rng = np.random.default_rng(0)
        x = Tensor(rng.standard_normal((64, 8)).astype(np.float32))
        y = Tensor(rng.integers(0, 3, 64).astype(np.int32))
        net, loss = nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dense(16, 3)), nn.CrossEntropyLoss()
        optimizer = nn.Adam(net.trainable_params(), 0.01)
        gradient = ms.value_and_grad(lambda a, b: loss(net(a), b), None, optimizer.parameters)

        def step(a, b):
            value, grads = gradient(a, b)
            optimizer(grads)
            return value

        step = ms.jit(step) if jitted else step
        return [float(step(x, y)) for _ in range(40)]

    eager, jitted = run(False), run(True)
    assert eager == jitted
    assert eager[-1] < 0.7 * eager[0]


@pytest.mark.parametrize("ignore", [1, -100])
def test_ignored_classes_get_no_gradient(ignore: int) -> None:
    x, labels = np.random.default_rng(6).standard_normal((4, 3)), np.array([0, ignore, 2, ignore], np.int32)
    f = lambda t: ops.cross_entropy(t, Tensor(labels), ignore_index=ignore)
    kept = lambda t: ops.cross_entropy(t[::2], Tensor(labels[::2]))
    np.testing.assert_allclose(f(Tensor(x)).item(), kept(Tensor(x)).item(), rtol=1e-12)
    first = ms.grad(f)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(first, ms.grad(kept)(Tensor(x)).asnumpy(), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(first, numeric(f, x), rtol=1e-5, atol=1e-9)
    second = ms.grad(lambda t: (ms.grad(f)(t) ** 2).sum())(Tensor(x)).asnumpy()
    np.testing.assert_allclose(second, numeric(lambda t: (ms.grad(f)(t) ** 2).sum(), x), rtol=1e-4, atol=1e-8)


def test_a_loop_without_trips_passes_the_gradient():
    @ms.jit(fullgraph=True)
    def function(x):
        y = x * 3
        while x.sum() < 10:
            y = y * 0 + 1
            x = x + 1
        return y.sum()

    @ms.jit(fullgraph=True)
    def overwritten(x):
        y = x * 3
        while x.sum() < 10:
            y = x * 0.5
            x = x + 1
        return y.sum()

    for each in (function, overwritten):
        assert ms.grad(each)(Tensor([20.0, 1.0])).asnumpy().tolist() == [3.0, 3.0]
