"""Probabilities and other floats that differ from call to call are numbers of one graph: results, random numbers and errors
are those of a plain call."""

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, nn, ops

X = (np.arange(24, dtype=np.float32) - 7).reshape(6, 4)
LABELS = np.array([0, 3, 1, 1, 2, 0], np.int32)
FLOATS = [0.5, 0.25, 0.125, 0.75, 0.3, 0.61, 0.07, 0.5, 0.9, 0.33, 0.44, 0.55]

BODIES = {
    "dropout": "return ops.dropout(x, p)",
    "dropout of half its p": "return ops.dropout(x, p / 2) + p",
    "two of them": "return ops.dropout(x, p) + ops.dropout(x * 2, 1 - p)",
    "dropout of float16": "return ops.dropout(x.astype(ms.float16), p)",
    "what is kept": "return ops.Dropout(1 - p)(x)",
    "bernoulli": "return ops.bernoulli(x, p)",
    "bernoulli in place": "return x.bernoulli_(p)",
    "smoothed labels": "return ops.cross_entropy(x, y, label_smoothing=p)",
    "smoothed probabilities": "return ops.cross_entropy(x, ops.softmax(x), label_smoothing=p)",
    "smoothed by a weight": "return ops.cross_entropy(x, y, weight=x.sum(0), reduction='none', label_smoothing=p)",
    "likelihood": "return ops.nll_loss(x, y, label_smoothing=p)",
    "a gradient": "return ms.grad(lambda t: (ops.dropout(t, p) * t).sum())(x)",
    "a gradient of a loss": "return ms.value_and_grad(lambda t: ops.cross_entropy(t, y, label_smoothing=p))(x)",
    "under a condition": "return ops.dropout(x, p) if x.sum() > 0 else ops.bernoulli(x, p)",
    "in a loop": "while x.sum() < 1000:\n    x = ops.dropout(x, p) + 9\nreturn x",
    "over a batch": "return ms.vmap(lambda t: ops.cross_entropy(t, y, label_smoothing=p))(ops.stack([x, x * 2]))",
    "a part of its size": "return ops.dropout(x, p) + ops.dropout(x, 1 / (x.shape[0] + 1))",
    "slopes": "return ops.leaky_relu(x, p)",
    "padding": "return ops.pad(x, (1, 1), 'constant', p)",
}

# What a plain call refuses, or where it takes another way.
EDGES = [0.5, 0.25, 0.0, 0.75, 1.0, 0.5, -0.5, 1.5, 0.125, float("nan"), -0.0, 0.3, 1, 0, True, 0.6]


def program(body: str) -> Any:
    names: dict[str, Any] = {"ops": ops, "ms": ms}
    indented = body.replace("\n", "\n    ")
    exec(f"def f(x, y, p):\n    {indented}", names)
    return names["f"]


def outcome(function: Any, i: int, p: Any) -> Any:
    ms.set_seed(i)
    try:
        result = function(Tensor(X + i), Tensor(LABELS), p)
    except Exception as error:
        return type(error).__name__, str(error)
    return [(str(t.dtype), t.asnumpy().tobytes()) for t in (result if isinstance(result, tuple) else (result,))]


@pytest.mark.breaks
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("values", [FLOATS * 2, EDGES * 2], ids=["floats", "edges"])
@pytest.mark.parametrize("capture_mode", ["ast", "bytecode"])
def test_as_a_plain_call(name: str, values: list[Any], capture_mode: str) -> None:
    plain = program(BODIES[name])
    jitted: Any = ms.jit(program(BODIES[name]), capture_mode=capture_mode)
    for i, p in enumerate(values):
        wanted, got = outcome(plain, i, p), outcome(jitted, i, p)
        if isinstance(wanted, tuple):
            assert got[0] == wanted[0] and got[1].split("\n")[0] == wanted[1].split("\n")[0], (i, p)
        else:
            assert got == wanted, (i, p)


@pytest.mark.parametrize("name", [name for name in BODIES if name not in ("slopes", "padding")])
def test_one_graph_serves_all(name: str) -> None:
    jitted: Any = ms.jit(program(BODIES[name]), capture_mode="bytecode")
    for i, p in enumerate(FLOATS):
        outcome(jitted, i, p)
    report = jitted.explain()
    assert report["breaks"] == []
    assert report["calls"]["in_python"] == 0 and len(report["entries"]) <= 2, report["misses"]


LAYERS = {"Dropout": nn.Dropout, "Dropout1d": nn.Dropout1d, "Dropout2d": nn.Dropout2d, "mint": mint.nn.Dropout}


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("capture_mode", ["ast", "bytecode"])
def test_a_layer_whose_probability_is_assigned(name: str, capture_mode: str) -> None:
    x = Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4) + 1)
    nets = [LAYERS[name](p=0.5) for _ in range(2)]
    steps: list[Any] = [lambda x: nets[0](x) * 2, ms.jit(lambda x: nets[1](x) * 2, capture_mode=capture_mode)]
    for i, p in enumerate(FLOATS + [0.0, 0.5, 0.0, 0.25]):
        results = []
        for net, step in zip(nets, steps):
            net.set_train(i != 4)
            net.p = p
            ms.set_seed(i)
            results.append((step(x).asnumpy().tobytes(), repr(net), net.extend_repr()))
        assert results[0] == results[1]
    report = steps[1].explain()
    assert report["calls"]["in_python"] == 0 and len(report["entries"]) <= 5
    assert any(miss["guard"].endswith(".p == 0.5") for miss in report["misses"])


def test_the_text_of_a_layer_shows_what_it_is_now() -> None:
    net = nn.Dropout(p=0.5)
    shown: Any = ms.jit(lambda x: (x * 2, f"{net}", net.extend_repr()))
    for p in (0.5, 0.25, 0.125, 0.75, 0.3):
        net.p = p
        assert shown(Tensor(X))[1:] == (repr(net), f"p={p}")
