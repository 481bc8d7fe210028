"""Cells, optimizers and checkpoints, as MindSpore has them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn


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
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g.astype(np.float64) ** 2
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
