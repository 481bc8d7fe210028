"""Steps of optimizers as primitives, those that MindSpore does not run on a CPU or not by their documentation, by formulas
in NumPy. (Others are in test_mindspore.py.)"""

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

W = np.array([[0.5, -1.5, 2.0], [1.0, 0.25, -0.75]], np.float32)
G = np.array([[1.0, -0.5, 0.0], [0.75, -2.0, 1.5]], np.float32)


def states(count):
    return [abs(W) + 0.5 * i for i in range(count)]


def adagrad_kept(w, a):
    return w - 0.1 * G / np.sqrt(a), a


def momentum_scaled(w, a):
    a = 0.9 * a + 0.5 * G
    return w - 0.1 * (0.5 * G + 0.9 * a), a


def amsgrad(w, m, v, largest):
    m, v = 0.9 * m + 0.1 * G, 0.999 * v + 0.001 * G * G
    largest = np.maximum(largest, v)
    return w - 0.1 * np.sqrt(1 - 0.8) / (1 - 0.9) * m / (np.sqrt(largest) + 1e-8), m, v, largest


def ftrl(w, a, z):
    n = a + G * G
    z = z + G - (np.sqrt(n) - np.sqrt(a)) / 0.1 * w
    return np.where(abs(z) > 0.2, (np.sign(z) * 0.2 - z) / (np.sqrt(n) / 0.1 + 0.6), 0), n, z


def keras(nesterov):
    def step(w, a):
        a = 0.9 * a - 0.1 * G
        return w + (0.9 * a - 0.1 * G if nesterov else a), a

    return step


def on_row(rule):
    """The rule on row 1 alone."""

    def step(*given):
        return [np.stack([old[0], new[1]]) for old, new in zip(given, rule(*given))]

    return step


def rmsprop(w, s, m):
    s = 0.9 * s + 0.1 * G * G
    m = 0.5 * m + 0.1 * G / np.sqrt(s + 1e-3)
    return w - m, s, m


def adadelta(w, a, u):
    a = 0.9 * a + 0.1 * G * G
    step = np.sqrt(u + 1e-3) * G / np.sqrt(a + 1e-3)
    return w - 0.1 * step, a, 0.9 * u + 0.1 * step * step


def weight_scaled(w, a):
    a = 0.9 * a + (G * 0.5 + w * 0.01)
    return w - 0.1 * a, a


ROW = Tensor(G[1:]), Tensor([1])
STEPS = {
    "kept slots": (ops.ApplyAdagrad(False), 2, (0.1, Tensor(G)), adagrad_kept),
    "a gradient's scale": (ops.ApplyMomentum(True, False, 0.5), 2, (0.1, Tensor(G), 0.9), momentum_scaled),
    "amsgrad": (ops.ApplyAdamWithAmsgrad(), 4, (0.9, 0.8, 0.1, Tensor(G)), amsgrad),
    "ftrl": (ops.ApplyFtrl(), 3, (Tensor(G), 0.1, 0.2, 0.3, -0.5), ftrl),
    "Keras": (ops.ApplyKerasMomentum(), 2, (0.1, Tensor(G), 0.9), keras(False)),
    "Keras by Nesterov": (ops.ApplyKerasMomentum(use_nesterov=True), 2, (0.1, Tensor(G), 0.9), keras(True)),
    "rows of RMSProp": (ops.SparseApplyRMSProp(0.9, 0.5, 1e-3), 3, (0.1, *ROW), on_row(rmsprop)),
    "rows of Adadelta": (ops.SparseApplyAdadelta(1e-3), 3, (0.1, 0.9, *ROW), on_row(adadelta)),
    "scaled weights": (
        lambda w, a: ops.FusedWeightScaleApplyMomentum()(0.01, 0.5, w, a, 0.1, Tensor(G), 0.9),
        2,
        (),
        weight_scaled,
    ),
}


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("step, count, operands, rule", STEPS.values(), ids=STEPS)
def test_steps(step, count, operands, rule, run):
    parameters = [Parameter(Tensor(state), name=f"s{i}") for i, state in enumerate(states(count))]
    run(lambda: step(*parameters, *operands))()
    for parameter, want in zip(parameters, rule(*states(count))):
        np.testing.assert_allclose(parameter.asnumpy(), want, rtol=1e-5, atol=1e-6)


def test_an_update_that_is_not_written():
    m, v = (Parameter(Tensor(abs(W) + i), name=f"s{i}") for i in range(2))
    step = ops.AdamNoUpdateParam()(m, v, 0.9, 0.8, 0.1, 0.9, 0.99, 1e-3, Tensor(G)).asnumpy()
    first, second = 0.9 * abs(W) + 0.1 * G, 0.99 * (abs(W) + 1) + 0.01 * G * G
    np.testing.assert_allclose(step, -0.1 * np.sqrt(0.2) / 0.1 * first / (np.sqrt(second) + 1e-3), rtol=1e-5)
    np.testing.assert_allclose(m.asnumpy(), first, rtol=1e-6)


@pytest.mark.parametrize("norm", [None, 2.0], ids=["alone", "by a global norm"])
@pytest.mark.parametrize("options", [(False, False, False), (True, True, True)], ids=["plain", "scaled"])
@pytest.mark.parametrize("vector", [False, True], ids=["matrix", "vector"])
def test_adafactor(vector, options, norm):
    w, g = (W[0], G[0]) if vector else (W, G)
    given = [w, abs(w), np.ones(w.shape[:-1] or 1, np.float32), np.ones(3, np.float32), abs(w)]
    kept = [Parameter(Tensor(value), name=f"s{i}") for i, value in enumerate(given)]
    operands = (1e-30, 1e-3), 1.0, 0.9, 0.8, 0.01, 0.03, Tensor(g), *kept
    if norm is None:
        ops.FusedAdaFactor(*options)(*operands)
    else:
        ops.FusedAdaFactorWithGlobalNorm(*options)(*operands, norm)
    g = g / (norm or 1)
    rate = 0.03 * (np.sqrt((w * w).mean()) if options[0] else 1)
    row, column, whole = (0.8 * one + 0.2 * by for one, by in zip(given[2:], ((g * g).mean(-1), (g * g).mean(0), g * g)))
    change = g / np.sqrt(whole) if vector else g / np.sqrt(row / row.mean())[:, None] / np.sqrt(column)
    change = change / max(1, np.sqrt((change * change).mean())) * rate
    change = 0.9 * abs(w) + 0.1 * change if options[1] else change
    want = w * (1 - 0.01 * rate if options[2] else 1) - change
    np.testing.assert_allclose(kept[0].asnumpy(), want, rtol=1e-5, atol=1e-6)
    for parameter, value in zip(kept[4:] if vector else kept[2:4], (whole,) if vector else (row, column)):
        np.testing.assert_allclose(parameter.asnumpy(), value, rtol=1e-5)


def test_lars():
    w, g = np.sqrt((W**2).sum()), np.sqrt((G**2).sum())
    rate = 0.001 * w / (g + 0.1 * w + 1e-5)
    got = ops.LARSUpdate()(Tensor(W), Tensor(G), Tensor(w * w), Tensor(g * g), 0.1, 0.5)
    np.testing.assert_allclose(got.asnumpy(), (G + 0.1 * W) * rate, rtol=1e-5)
    clipped = ops.LARSUpdate(use_clip=True)(Tensor(W), Tensor(G), Tensor(w * w), Tensor(g * g), 0.1, 1e-6)
    np.testing.assert_allclose(clipped.asnumpy(), G + 0.1 * W, rtol=1e-5)


def test_refused():
    with pytest.raises(ValueError):
        ops.SGD(0.5, 0.0, True)(Parameter(Tensor(W)), Tensor(G), 0.1, Parameter(Tensor(W)), 0.9, Tensor(G))
    with pytest.raises(TypeError):
        ops.ApplyGradientDescent()(1.0, 0.1, Tensor(G))
