"""Cells, optimizers and checkpoints, as MindSpore has them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops


class Inner(nn.Cell):
    """A Cell with a Parameter whose name is not its attribute's."""

    def __init__(self) -> None:
        super().__init__()
        self.attribute = Parameter(Tensor(np.zeros(2, np.float32)), name="given")


class Outer(nn.Cell):
    """Cells within cells."""

    def __init__(self) -> None:
        super().__init__()
        self.c = Inner()
        self.s = nn.SequentialCell(Inner(), nn.BatchNorm2d(3))


def test_parameters_within_cells_are_named_by_attributes() -> None:
    assert [p.name for p in Inner().get_parameters()] == ["given"]
    names = {p.name for p in Outer().get_parameters()}
    assert {"c.attribute", "s.0.attribute", "s.1.moving_mean", "s.1.moving_variance", "s.1.gamma"} <= names


def test_cells_print_as_calls() -> None:
    assert repr(Inner()) == "Inner()"
    inner = "Dense(input_channels=3, output_channels=4, has_bias=True)"
    assert repr(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())) == f"SequentialCell(\n  (0): {inner}\n  (1): ReLU()\n)"


def test_a_group_has_its_own_rate() -> None:
    p = Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="p")
    optimizer = nn.Adam([{"params": [p], "lr": 0.05}], 0.01)
    optimizer((Tensor(np.array([0.3, -0.2], np.float32)),))
    np.testing.assert_allclose(p.asnumpy(), [0.95, 2.05], rtol=1e-6)


@pytest.mark.parametrize("captured", [False, True])
def test_adam_weight_decay(captured: bool) -> None:
    rng = np.random.default_rng(3)
    start, gradients = rng.standard_normal((2, 5)).astype(np.float32), rng.standard_normal((4, 2, 5)).astype(np.float32)
    p, q = (Parameter(Tensor(start), name=name) for name in "pq")
    optimizer = nn.AdamWeightDecay([{"params": [p], "weight_decay": 0.1}, {"params": [q], "lr": 0.05}], 0.02)
    step = ms.jit(lambda *g: optimizer(g)) if captured else lambda *g: optimizer(g)
    m, v, want = 0.0, 0.0, [start.astype(np.float64)] * 2
    for g in gradients:
        step(Tensor(g), Tensor(g))
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + float(1 - np.float32(0.999)) * g.astype(np.float64) ** 2
        update = m / (np.sqrt(v) + 1e-6)
        want = [want[0] - 0.02 * (update + 0.1 * want[0]), want[1] - 0.05 * update]
    for got, wanted in zip((p, q), want):
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-5, atol=1e-6)


def test_adam_weight_decay_refuses() -> None:
    p = Parameter(Tensor(np.ones(2, np.float32)), name="p")
    for options in ({"beta1": 1.0}, {"beta2": 0.0}, {"eps": 0.0}, {"weight_decay": -1.0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            nn.AdamWeightDecay([p], **options)


def test_a_step_without_weight_decay_reads_no_parameter() -> None:
    p = Parameter(Tensor(np.array([np.inf, 2.0], np.float32)), name="p")
    moment = nn.Momentum([p], 0.5, 0.9)
    moment((Tensor(np.array([1.0, -1.0], np.float32)),))
    np.testing.assert_array_equal(moment.moments[0].asnumpy(), [1, -1])
    np.testing.assert_array_equal(p.asnumpy(), [np.inf, 2.5])


@pytest.mark.parametrize("nesterov", [False, True])
def test_a_captured_momentum_step_is_one_loop_a_parameter(nesterov: bool) -> None:
    parameters = [Parameter(Tensor(np.ones(shape, np.float32)), f"p{shape}") for shape in ((3, 4), (5,))]
    optimizer = nn.Momentum(parameters, 0.1, 0.9, weight_decay=0.01, use_nesterov=nesterov)
    step = ms.jit(lambda *gradients: optimizer(gradients))
    step(*(Tensor(np.ones(p.shape, np.float32)) for p in parameters))
    (entry,) = ms.explain(step)["entries"]
    assert entry["bytecode"].count("= Fused {") == len(parameters)


def test_batch_norm_trains_on_batches_of_any_size_in_one_graph() -> None:
    jitted, eager = nn.BatchNorm2d(3).set_train(), nn.BatchNorm2d(3).set_train()
    step = ms.jit(lambda x: jitted(x))
    for size in (2, 5, 3):
        x = Tensor(np.random.default_rng(size).standard_normal((size, 3, 2, 2)).astype(np.float32))
        np.testing.assert_array_equal(step(x).asnumpy(), eager(x).asnumpy())
    for a, b in zip(jitted.get_parameters(), eager.get_parameters()):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert len(ms.explain(step)["entries"]) == 1


@pytest.mark.parametrize("mode", ["valid", "same", "SAME"])
def test_only_pad_mode_pad_takes_padding(mode: str) -> None:
    with pytest.raises(ValueError, match=r"MaxPool2d.*padding"):
        nn.MaxPool2d(2, 2, pad_mode=mode, padding=1)
    with pytest.raises(ValueError, match=r"max_pool2d.*padding"):
        ms._emberjit.op_table["max_pool2d"](Tensor(np.ones((1, 1, 4, 4), np.float32)), 2, padding=1, pad_mode=mode)


def test_loading_what_does_not_fit_changes_nothing() -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 2))
    before = [p.asnumpy().copy() for p in net.get_parameters()]
    values = {p.name: Parameter(Tensor(np.ones(p.shape, np.float32)), p.name) for p in net.get_parameters()}
    values["1.bias"] = Parameter(Tensor(np.ones(5, np.float32)), "1.bias")
    with pytest.raises(RuntimeError, match=r"1\.bias"):
        ms.load_param_into_net(net, values)
    for p, old in zip(net.get_parameters(), before):
        np.testing.assert_array_equal(p.asnumpy(), old)


@pytest.mark.parametrize("what", [{"a": 3}, {1: Tensor(1.0)}])
def test_what_cannot_be_saved_is_refused(tmp_path: Path, what: Any) -> None:
    with pytest.raises(TypeError, match="save_checkpoint"):
        ms.save_checkpoint(what, str(tmp_path / "x.ckpt"))
    assert not list(tmp_path.iterdir())


def test_a_checkpoint_gets_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    os.umask(mask)
    ms.save_checkpoint({"a": Tensor(1.0)}, str(tmp_path / "x.ckpt"))
    assert stat.S_IMODE((tmp_path / "x.ckpt").stat().st_mode) == 0o666 & ~mask


def test_axes_of_swapaxes_are_checked() -> None:
    with pytest.raises(ValueError, match=r"swapaxes.*5.*\(2, 3\)"):
        Tensor(np.ones((2, 3), np.float32)).swapaxes(0, 5)


class Line(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 2, "ones", "zeros")

    def construct(self, x: Any) -> Any:
        return self.dense(x)


X, Y = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), Tensor(np.ones((2, 2), np.float32))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("sens", [None, 4.0])
def test_a_step_of_training(mode: int, sens: float | None) -> None:
    net = Line()
    before = [p.asnumpy().copy() for p in net.get_parameters()]
    ms.set_context(mode=mode)
    try:
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.01), sens, True)
        loss, gradients = step(X, Y)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert float(loss) == np.mean((X.asnumpy() @ before[0].T - 1) ** 2)
    for old, parameter in zip(before, net.get_parameters()):
        np.testing.assert_allclose(parameter.asnumpy(), old - 0.01 * gradients[parameter.name].asnumpy(), rtol=1e-6)
    assert (gradients[net.dense.bias.name].asnumpy() == (sens or 1) * np.mean(X.asnumpy() @ before[0].T - 1, 0)).all()


def test_gradients_and_evaluation_of_a_network() -> None:
    net = Line()
    value, gradient = nn.ForwardValueAndGrad(net)(X)
    assert value.tolist() == net(X).tolist() and gradient.tolist() == [[2.0] * 3] * 2
    weights = net.trainable_params()
    by_all, by_weights = nn.ForwardValueAndGrad(net, weights, True, True, True)(X, Y)[1]
    assert by_all[0].tolist() == [[2.0] * 3] * 2 and by_weights[1].tolist() == [2.0, 2.0]
    loss, output, label = nn.WithEvalCell(net, nn.MSELoss(), True)(X.astype(ms.float32), Y.astype(ms.float16))
    assert label.dtype == ms.float32 and output.tolist() == net(X).tolist() and loss.shape == ()
    with pytest.raises(TypeError, match="'backbone' must be a Cell"):
        nn.WithLossCell(abs, nn.MSELoss())


@pytest.mark.parametrize("time, other", [(1, 0), (0, 1), (1, None), (-2, 0)])
def test_a_layer_over_time(time: int, other: int | None) -> None:
    net = Line()
    x = Tensor(np.random.default_rng(0).standard_normal((2, 4, 3)).astype(np.float32))
    np.testing.assert_allclose(nn.TimeDistributed(net, time, other)(x).asnumpy(), net(x).asnumpy(), rtol=1e-6)
    with pytest.raises(ValueError, match="must be different ones"):
        nn.TimeDistributed(net, 1, -2)(x)


def test_a_bilinear_layer() -> None:
    net = nn.BiDense(3, 2, 4)
    x, y, w, b = (a.asnumpy().astype(np.float64) for a in (X, Y, net.weight, net.bias))
    want, sums = (np.einsum("ni,oij,nj->no", *factors) + bias for *factors, bias in ((x, w, y, b), (x, abs(w), y, abs(b))))
    assert (abs(net(X, Y).asnumpy() - want) <= 12 * np.finfo(np.float32).eps / 2 * sums).all()
    with pytest.raises(ValueError, match="For 'BiDense', 'out_channels' must be at least 1"):
        nn.BiDense(3, 2, 0)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _rnn_step(given: Any, h: Any, c: Any, w: Any, b: Any) -> Any:
    return np.tanh(given + h @ w.T + b), c


def _lstm_step(given: Any, h: Any, c: Any, w: Any, b: Any) -> Any:
    i, f, g, o = np.split(given + h @ w.T + b, 4, 1)
    c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
    return _sigmoid(o) * np.tanh(c), c


def _gru_step(given: Any, h: Any, c: Any, w: Any, b: Any) -> Any:
    (r, z, n), (of_r, of_z, of_n) = np.split(given, 3, 1), np.split(h @ w.T + b, 3, 1)
    update, new = _sigmoid(z + of_z), np.tanh(n + _sigmoid(r + of_r) * of_n)
    return (1 - update) * new + update * h, c


RECURRENT = {"RNN": _rnn_step, "LSTM": _lstm_step, "GRU": _gru_step}


def _recurrent(step: Any, net: Any, x: Any, states: Any, lengths: Any) -> Any:
    """What a stack of layers gives of (T, N, features), sequence by sequence."""
    last = np.zeros_like(states)
    for layer in range(net.num_layers):
        out = np.zeros((*x.shape[:2], net.directions * net.hidden_size), x.dtype)
        for way in range(net.directions):
            row = layer * net.directions + way
            parts = (net.w_ih_list, net.w_hh_list, net.b_ih_list, net.b_hh_list)
            w_in, w, b_in, b = (part[row].asnumpy() for part in parts)
            for n, length in enumerate(lengths):
                h, c = states[:, row, n : n + 1]
                for t in range(length)[:: -1 if way else 1]:
                    h, c = step(x[t, n] @ w_in.T + b_in[None], h, c, w, b)
                    out[t, n, way * net.hidden_size : (way + 1) * net.hidden_size] = h
                last[:, row, n : n + 1] = h, c
        x = out
    return x, last


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("lengths", [None, [4, 2, 3]], ids=["whole", "of lengths"])
@pytest.mark.parametrize("kind", RECURRENT)
def test_recurrent_layers(kind: str, lengths: Any, mode: int) -> None:
    rng = np.random.default_rng(0)
    net = getattr(nn, kind)(3, 2, 2, batch_first=True, bidirectional=True)
    x, states = (rng.standard_normal(shape).astype(np.float32) for shape in ((3, 4, 3), (2, 4, 3, 2)))
    hx = tuple(map(Tensor, states)) if kind == "LSTM" else Tensor(states[0])
    ms.set_context(mode=mode)
    try:
        found, last = net(Tensor(x), hx, None if lengths is None else Tensor(lengths))
        assert net(Tensor(x))[0].shape == (3, 4, 4)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    want, of_last = _recurrent(RECURRENT[kind], net, x.swapaxes(0, 1), states, lengths or [4] * 3)
    np.testing.assert_allclose(found.asnumpy(), want.swapaxes(0, 1), rtol=1e-5, atol=1e-6)
    for got, wanted in zip(last if kind == "LSTM" else (last,), of_last):
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", RECURRENT)
def test_recurrent_cells(kind: str) -> None:
    rng = np.random.default_rng(1)
    cell = getattr(nn, f"{kind}Cell")(3, 2)
    x, h, c = (rng.standard_normal((4, size)).astype(np.float32) for size in (3, 2, 2))
    got = cell(Tensor(x), (Tensor(h), Tensor(c)) if kind == "LSTM" else Tensor(h))
    w_in, w, b_in, b = (getattr(cell, name).asnumpy() for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    want = RECURRENT[kind](x @ w_in.T + b_in, h, c, w, b)
    for one, wanted in zip(got if kind == "LSTM" else (got,), want):
        np.testing.assert_allclose(one.asnumpy(), wanted, rtol=1e-5, atol=1e-6)
    plain = nn.RNN(3, 2, has_bias=False, nonlinearity="relu")(Tensor(x[:, None]))[0]
    assert plain.shape == (4, 1, 2) and plain.min() >= 0


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda: nn.LSTM(3.0, 2), TypeError),
        (lambda: nn.GRU(3, 0), ValueError),
        (lambda: nn.LSTM(3, 2, dropout=1.5), ValueError),
        (lambda: nn.RNN(3, 2, nonlinearity="sine"), ValueError),
        (lambda: nn.LSTM(3, 2, has_bias=1), TypeError),
        (lambda: nn.LSTM(3, 2)(X), ValueError),
        (lambda: nn.GRU(4, 2)(Tensor(np.ones((2, 1, 3), np.float32))), ValueError),
        (lambda: nn.LSTM(3, 2)(Tensor(np.ones((2, 1, 3), np.float32)), Tensor(np.ones((1, 1, 2), np.float32))), ValueError),
        (lambda: nn.GRUCell(3, 2)(X, X), ValueError),
    ],
)
def test_recurrent_layers_refuse(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_a_step_with_a_scale_runs_its_network_once() -> None:
    class Counts(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.n, self.weight = 0, Parameter(Tensor([2.0]), name="w")

        def construct(self, x: Any) -> Any:
            self.n += 1
            return (self.weight * x).sum()

    net = Counts()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.0), 4.0, True)
    loss, gradients = step(Tensor([3.0]))
    assert net.n == 1 and float(loss) == 6 and float(gradients["w"]) == 12


ILL_FED: tuple[tuple[Any, type[Exception], str], ...] = (
    (lambda x: nn.LSTMCell(2, 3)(x, (ops.ones((4, 3)),) * 3), ValueError, "states"),
    (lambda x: nn.LSTMCell(2, 3)(x, (ops.ones((4, 3)),)), ValueError, "states"),
    (lambda x: nn.LSTMCell(2, 3)(x, ops.ones((2, 4, 3))), TypeError, "tuple of two"),
    (lambda x: nn.RNN(2, 3)(ops.ones((5, 4, 2)), None, Tensor([2])), ValueError, "'seq_length' must be 4"),
    (lambda x: nn.RNN(2, 3)(ops.ones((5, 4, 2)), None, Tensor([1.0] * 4)), ValueError, "'seq_length' must be 4"),
)


@pytest.mark.parametrize("call, error, text", ILL_FED)
def test_states_and_lengths_that_do_not_fit(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(ops.ones((4, 2)))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_gradients_of_several_steps_are_averaged(mode):
    ms.set_context(mode=mode)
    net = nn.Dense(2, 2, weight_init="zeros", bias_init="zeros")
    step = ms.boost.GradientAccumulation(2, nn.SGD(net.trainable_params(), 0.1))
    compute = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    rows = []
    for value in (1.0, 3.0, 5.0):
        loss, grads = compute(value * ms.ops.ones((1, 2)))
        assert step(loss, grads) == loss
        rows.append(net.weight.asnumpy()[0, 0])
    assert rows == pytest.approx([0, -0.2, -0.2])
    with pytest.raises(TypeError, match="'optimizer' must be an Optimizer, but got list"):
        ms.boost.GradientAccumulation(2, [])
