"""Steps of training as module files: vmtool runs them to the bits of Python's, and gives back what they have learnt."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import _emberjit as core
from emberjit import nn, ops


class Block(nn.Cell):
    """A residual block with running statistics, which training writes, too."""

    def __init__(self, channels: int):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(channels, channels, 3), nn.BatchNorm2d(channels)
        self.conv2, self.norm2 = nn.Conv2d(channels, channels, 3), nn.BatchNorm2d(channels)

    def construct(self, x: Any) -> Any:
        return ops.relu(self.norm2(self.conv2(ops.relu(self.norm1(self.conv1(x))))) + x)


def dense() -> nn.Cell:
    return nn.SequentialCell([nn.Flatten(), nn.Dense(48, 8), nn.ReLU(), nn.Dense(8, 3)])


def residual() -> nn.Cell:
    return nn.SequentialCell([nn.Conv2d(3, 4, 3, 2), Block(4), Block(4), nn.Flatten(), nn.Dense(16, 3)])


OPTIMIZERS: list[Callable[[Any], Any]] = [
    lambda parameters: nn.SGD(parameters, 0.1),
    lambda parameters: nn.Momentum(parameters, 0.1, 0.9),
    lambda parameters: nn.Adam(parameters, 0.01, weight_decay=0.1),
]


class Training:
    """A network, its optimizer, and its step."""

    def __init__(self, network: nn.Cell, optimizer: Callable[[Any], Any], frozen: bool = False):
        ms.set_seed(3)
        self.network, self.loss = network.set_train(), nn.CrossEntropyLoss()
        if frozen:
            network.trainable_params()[0].requires_grad = False
        self.optimizer = optimizer(network.trainable_params())
        self.gradient = ms.value_and_grad(self.forward, None, self.optimizer.parameters)
        self.step = ms.jit(self._step, fullgraph=True)

    def forward(self, x: Any, y: Any) -> Any:
        return self.loss(self.network(x), y)

    def _step(self, x: Any, y: Any) -> Any:
        loss, gradients = self.gradient(x, y)
        self.optimizer(gradients)
        return loss

    def state(self) -> dict[str, np.ndarray]:
        parameters = [*self.network.get_parameters(), *self.optimizer.get_parameters()]
        return {parameter.name: parameter.asnumpy().copy() for parameter in parameters}


def batch(folder: Path) -> tuple[Any, Any]:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((4, 3, 4, 4), np.float32), np.array([0, 1, 2, 1], np.int32)
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    return ms.Tensor(x), ms.Tensor(y)


def vmtool(folder: Path, *words: str) -> None:
    inputs = ["--input", str(folder / "x.npy"), "--input", str(folder / "y.npy"), "--output", str(folder / "loss.npy")]
    assert core.vmtool([words[0], str(folder / words[1]), *inputs, *words[2:]]) == 0


@pytest.mark.parametrize("network", [dense, residual])
@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=["sgd", "momentum", "adam"])
@pytest.mark.parametrize("tier", ["0", "1"])
def test_a_saved_step_trains_to_the_same_bits(tmp_path: Path, network: Any, optimizer: Any, tier: str) -> None:
    training = Training(network(), optimizer)
    x, y = batch(tmp_path)
    training.step(x, y)
    training.step.save(tmp_path / "step")
    losses = [training.step(x, y).asnumpy() for _ in range(6)]
    vmtool(tmp_path, "run", "step", "--tier", tier, "--repeat", "4", "--save", str(tmp_path / "later"))
    assert np.load(tmp_path / "loss.npy").tobytes() == losses[3].tobytes()
    vmtool(tmp_path, "run", "later", "--tier", tier, "--repeat", "2", "--checkpoint", str(tmp_path / "end.safetensors"))
    assert np.load(tmp_path / "loss.npy").tobytes() == losses[5].tobytes()
    learnt, state = ms.load_checkpoint(str(tmp_path / "end.safetensors"), format="safetensors"), training.state()
    assert len(learnt) > 3
    for name, value in learnt.items():
        assert value.asnumpy().tobytes() == state[name].tobytes(), name


def test_what_is_not_written_is_constant(tmp_path: Path) -> None:
    training = Training(dense(), OPTIMIZERS[0], frozen=True)
    x, y = batch(tmp_path)
    training.step(x, y)
    training.step.save(tmp_path / "step")
    vmtool(tmp_path, "run", "step", "--checkpoint", str(tmp_path / "state.safetensors"))
    learnt = ms.load_checkpoint(str(tmp_path / "state.safetensors"), format="safetensors")
    assert training.network.trainable_params()[0].name in learnt
    assert next(iter(training.network.get_parameters())).name not in learnt


def test_running_the_file_leaves_it_as_it_is(tmp_path: Path) -> None:
    training = Training(dense(), OPTIMIZERS[1])
    x, y = batch(tmp_path)
    training.step(x, y)
    training.step.save(tmp_path / "step")
    before = (tmp_path / "step").read_bytes()
    vmtool(tmp_path, "run", "step", "--repeat", "3", "--save", str(tmp_path / "same"), "--repeat", "1")
    assert (tmp_path / "step").read_bytes() == before
    vmtool(tmp_path, "run", "step", "--save", str(tmp_path / "step"))
    assert (tmp_path / "step").read_bytes() != before


def mostly_products(x):
    y = ops.relu(x) + 1
    z = y @ y @ y @ y  # the slow line
    return z.sum()


def test_a_profile_names_the_slow_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    jitted = ms.jit(mostly_products)
    x = np.ones((384, 384), np.float32)
    np.save(tmp_path / "x.npy", x)
    jitted(ms.Tensor(x))
    jitted.save(tmp_path / "products")
    capfd.readouterr()
    assert core.vmtool(["profile", str(tmp_path / "products"), "--input", str(tmp_path / "x.npy"), "--repeat", "3"]) == 0
    head, line, *rest = filter(None, capfd.readouterr().out.splitlines())
    assert re.match(r"\d+\.\d us a call, of 3 calls", head) and "in instructions" in head
    assert "# the slow line" in line and Path(__file__).name in line
    assert "MatMul" in rest[0]
    assert core.vmtool(["profile", str(tmp_path / "products"), "--input", "3"]) == 1
    assert core.vmtool(["profile", str(tmp_path / "products"), "--tier", "1", "--input", str(tmp_path / "x.npy")]) == 1


@pytest.mark.breaks
def test_graphs_between_breaks_are_modules_of_their_own(tmp_path: Path) -> None:
    @ms.jit
    def broken(x: Any) -> Any:
        y = x * 2 + 1
        time.sleep(0)
        return y @ y

    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    np.save(tmp_path / "x.npy", x)
    broken(ms.Tensor(x))
    with pytest.raises(ValueError, match="has not been called"):
        ms.jit(lambda x: x).save(tmp_path / "never")
    paths = broken.save(tmp_path / "broken")
    assert paths == [str(tmp_path / "broken-1"), str(tmp_path / "broken-2")]
    files = str(tmp_path / "x.npy")
    for path in paths:
        assert core.vmtool(["run", path, "--input", files, "--output", str(tmp_path / "y.npy")]) == 0
        files = str(tmp_path / "y.npy")
    assert np.load(tmp_path / "y.npy").tobytes() == broken(ms.Tensor(x)).asnumpy().tobytes()


def test_a_profile_of_training_covers_its_time(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    training = Training(residual(), OPTIMIZERS[2])
    x, y = batch(tmp_path)
    training.step(x, y)
    training.step.save(tmp_path / "step")
    capfd.readouterr()
    inputs = ["--input", str(tmp_path / "x.npy"), "--input", str(tmp_path / "y.npy")]
    assert core.vmtool(["profile", str(tmp_path / "step"), *inputs, "--repeat", "5", "--lines", "2"]) == 0
    lines = [line for line in capfd.readouterr().out.splitlines()[1:] if line and line[:7].strip()]
    assert len(lines) == 3 and "more line" in lines[2]
