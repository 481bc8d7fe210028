"""What is loaded from checkpoints, what is not, and what says so; groups of optimizers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, train
from emberjit import _emberjit as core
from emberjit.experimental import optim
from emberjit.train import encryption, records
from emberjit.train.serialization import wait_for_writes


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Parameter(Tensor([1.0, 2.0]), "a")
        self.b = Parameter(Tensor([[3], [4]], ms.int32), "b")


def values(**given: Any) -> dict[str, Any]:
    return {name.replace("__", "."): Parameter(value, name) for name, value in given.items()}


A, B = Tensor([5.0, 6.0]), Tensor([[7], [8]], ms.int32)


def test_a_checkpoint_without_a_fitting_name_is_warned_of(tmp_path: Path) -> None:
    ms.save_checkpoint({"x": A}, tmp_path / "x.ckpt")
    net = Net()
    with pytest.warns(UserWarning, match="2 of the Cell's 2 Parameters are not loaded.*'a', 'b'.*not used: 'x'"):
        assert list(ms.load_checkpoint(tmp_path / "x.ckpt", net, strict_load=True)) == ["x"]
    with pytest.warns(UserWarning, match="not loaded"):
        assert ms.load_param_into_net(net, values(x=A)) == (["a", "b"], ["x"])
    assert net.a.asnumpy().tolist() == [1, 2]


def test_whole_loads_are_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net = Net()
        assert ms.load_param_into_net(net, values(a=A, b=B, c=A)) == ([], ["c"])
    assert net.a.asnumpy().tolist() == [5, 6] and net.b.asnumpy().tolist() == [[7], [8]]


def test_names_with_a_prefix_are_taken_unless_strict() -> None:
    net = Net()
    with pytest.warns(UserWarning, match="take the values whose names have 'net.' before theirs"):
        assert ms.load_param_into_net(net, values(net__a=A, net__b=B)) == ([], [])
    assert net.a.asnumpy().tolist() == [5, 6]
    with pytest.warns(UserWarning, match="not loaded"):
        assert ms.load_param_into_net(Net(), values(net__a=A), strict_load=True) == (["a", "b"], ["net.a"])


CONVERTED = [
    (values(a=A.astype(ms.float16), b=B), [5, 6]),
    (values(a=A.astype(ms.bfloat16), b=B), [5, 6]),
    (values(a=A.astype(ms.float64), b=B.astype(ms.int64)), [5, 6]),
    (values(a=A.reshape((2, 1, 1)), b=B), [5, 6]),
]


@pytest.mark.parametrize("given, wanted", CONVERTED)
def test_values_of_a_kin_are_converted(given: Any, wanted: Any) -> None:
    net = Net()
    ms.load_param_into_net(net, given)
    assert net.a.asnumpy().tolist() == wanted and net.a.dtype == ms.float32 and net.b.dtype == ms.int32


REFUSED = [
    (values(a=A.reshape((1, 2)), b=B), False, RuntimeError, r"'a' has shape \(2,\) in the Cell, but \(1, 2\)"),
    (values(a=Tensor([1.0]), b=B), False, RuntimeError, r"'a' has shape"),
    (values(a=A.astype(ms.int32), b=B), False, RuntimeError, "'a' has dtype Float32 in the Cell, but Int32.*astype"),
    (values(a=A, b=B.astype(ms.float32)), False, RuntimeError, "'b' has dtype Int32 in the Cell, but Float32"),
    (values(a=A.astype(ms.bool_), b=B), False, RuntimeError, "'a' has dtype Float32 in the Cell, but Bool"),
    (values(a=A.astype(ms.float16), b=B), True, RuntimeError, "'a' has dtype.*strict_load=False converts it"),
    ({"a": np.float32([1, 2])}, False, TypeError, "'parameter_dict' must hold names and Parameters, but has 'a' with"),
    ({3: A}, False, TypeError, "'parameter_dict' must hold names and Parameters, but has 3 with"),
    ([A], False, TypeError, "'parameter_dict' must be a dict"),
    ({}, 1, TypeError, "'strict_load' must be a bool"),
]


@pytest.mark.parametrize("given, strict, error, message", REFUSED)
def test_values_that_do_not_fit_load_nothing(given: Any, strict: Any, error: Any, message: str) -> None:
    net = Net()
    with pytest.raises(error, match=message):
        ms.load_param_into_net(net, given, strict)
    assert net.a.asnumpy().tolist() == [1, 2]
    with pytest.raises(TypeError, match="'net' must be a Cell"):
        ms.load_param_into_net(given, given)


CHOSEN: list[tuple[dict[str, Any], Any]] = [
    ({"filter_prefix": "a."}, ["b.x", "b.y"]),
    ({"filter_prefix": ["a.", "b.x"]}, ["b.y"]),
    ({"specify_prefix": ("a.",)}, ["a.x"]),
    ({"choice_func": lambda name: name.endswith("x")}, ["a.x", "b.x"]),
    ({"specify_prefix": "b", "choice_func": lambda name: name.endswith("x")}, ["b.x"]),
    ({"filter_prefix": ["a", "b"]}, (ValueError, "no name in .* passes .* it has 'a.x', 'b.x', 'b.y'")),
    ({"filter_prefix": 3}, (TypeError, "a prefix must be a str")),
    ({"filter_prefix": []}, (ValueError, "at least one")),
    ({"specify_prefix": ""}, (ValueError, "none of them empty")),
    ({"choice_func": 3}, (TypeError, "'choice_func' must be a function")),
]


@pytest.mark.parametrize("given, wanted", CHOSEN)
def test_names_are_chosen(given: dict[str, Any], wanted: Any, tmp_path: Path) -> None:
    ms.save_checkpoint({"a.x": A, "b.x": A, "b.y": A}, tmp_path / "x.ckpt")
    if isinstance(wanted, list):
        assert list(ms.load_checkpoint(tmp_path / "x.ckpt", **given)) == wanted
        return
    with pytest.raises(wanted[0], match=wanted[1]):
        ms.load_checkpoint(tmp_path / "x.ckpt", **given)


def test_what_is_saved_is_chosen_and_added_to(tmp_path: Path) -> None:
    ms.save_checkpoint(Net(), tmp_path / "x.ckpt", append_dict={"epoch": 3}, choice_func=lambda name: name != "b")
    loaded = ms.load_checkpoint(tmp_path / "x.ckpt")
    assert list(loaded) == ["a", "epoch"] and int(loaded["epoch"]) == 3
    with pytest.raises(TypeError, match="'append_dict' must be a dict"):
        ms.save_checkpoint(Net(), tmp_path / "x.ckpt", append_dict=[3])


def test_groups_have_options_of_their_own() -> None:
    net = Net()
    a, c = net.a, Parameter(Tensor([1.0, 1.0]), "c")
    groups = [{"params": [a], "lr": 0.5, "weight_decay": 0.1}, {"params": [c]}, {"order_params": [c, a]}]
    optimizer = nn.SGD(groups, 0.25)
    assert [p.name for p in optimizer.parameters] == ["c", "a"]
    assert [float(rate) for rate in optimizer.get_lr()] == [0.25, 0.5]
    assert [float(decay) for decay in optimizer.get_weight_decay()] == [0, np.float32(0.1)]
    assert optimizer.get_lr_parameter(a).name == "learning_rate_group_0"


P = Parameter(Tensor([1.0]), "p")
GROUPS: list[tuple[Any, Any, str]] = [
    ({"params": [P], "Lr": 1}, KeyError, "unknown option 'Lr'; it may have params, lr, weight_decay, .*Did you mean: 'lr'"),
    (
        {"params": [P], "momentum": 0.9},
        KeyError,
        "unknown option 'momentum'; it may have params, lr, weight_decay, order_params",
    ),
    ({"lr": 1}, KeyError, "a group must have 'params', but has lr"),
    ({"params": [P], "lr": -1}, ValueError, "'learning_rate' must not be negative"),
    ({"params": [P], "lr": "1"}, TypeError, "'learning_rate' must be an int, float, Tensor"),
    ({"params": [P], "weight_decay": -1.0}, ValueError, "'weight_decay' must not be negative"),
    ({"params": [P], "order_params": [P]}, ValueError, "must have nothing else"),
    ({"params": [P], "grad_centralization": 3}, TypeError, "'grad_centralization' must be bool"),
    ({"params": [P, P]}, RuntimeError, "in several groups, or twice in one"),
    ({"params": [Tensor([1.0])]}, TypeError, "every parameter must be a Parameter"),
]


@pytest.mark.parametrize("group, error, message", GROUPS)
def test_groups_without_meaning_are_errors(group: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        nn.Adam([group], 0.1)


def test_groups_and_parameters_do_not_mix() -> None:
    with pytest.raises(TypeError, match="cannot be mixed"):
        nn.SGD([{"params": [P]}, Parameter(Tensor([1.0]), "q")], 0.1)
    with pytest.raises(ValueError, match="'order_params' must hold the Parameters of all groups"):
        nn.SGD([{"params": [P]}, {"order_params": []}], 0.1)


def payload() -> dict[str, Any]:
    return {"x": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), "n": Tensor(3), "text": "λ😀"}


# What MindSpore 2.10 wrote of {"x": [0.0, 1.0, 2.0]} and append_dict={"n": 3, "s": "é"}, with a checksum.
MINDSPORES = bytes.fromhex(
    "0a1e0a0178121908031207466c6f617433321a0c000000000000803f000000400a160a016e12111205496e7436341a0803000000000000000a120a0173120d080012037374721a04e90000006372635f6e756d00000000000036e320db"
)


def test_files_are_mindspores(tmp_path: Path) -> None:
    path = tmp_path / "x.ckpt"
    ms.save_checkpoint({"x": Tensor([0.0, 1.0, 2.0])}, path, append_dict={"n": 3, "s": "é"}, crc_check=True)
    assert path.read_bytes() == MINDSPORES
    loaded = ms.load_checkpoint(path, crc_check=True)
    assert loaded["x"].tolist() == [0, 1, 2] and int(loaded["n"]) == 3 and loaded["s"] == "é"


@pytest.mark.parametrize("name", ["{" * 20, "a\0b", "λ" * 100])
def test_any_name_is_kept(name: str, tmp_path: Path) -> None:
    ms.save_checkpoint({name: A}, tmp_path / "x.ckpt")
    assert list(ms.load_checkpoint(tmp_path / "x.ckpt")) == [name]


def test_large_tensors_are_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PART", 10)
    ms.save_checkpoint(payload(), tmp_path / "x.ckpt", crc_check=True)
    monkeypatch.undo()
    loaded = ms.load_checkpoint(tmp_path / "x.ckpt", crc_check=True)
    np.testing.assert_array_equal(loaded["x"].asnumpy(), payload()["x"].asnumpy())
    assert loaded["text"] == "λ😀" and loaded["n"].shape == ()


@pytest.mark.parametrize("kind", ["ckpt", "safetensors"])
def test_only_what_is_wanted_is_read(kind: str, tmp_path: Path) -> None:
    path, size = tmp_path / f"x.{kind}", 1 << 23
    ms.save_checkpoint({"small": A, "large": Tensor(np.ones(size // 4, np.float32))}, path, format=kind)
    tracemalloc.start()
    try:
        loaded = ms.load_checkpoint(path, choice_func=lambda name: name == "small")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert list(loaded) == ["small"] and most < size / 2


@pytest.mark.parametrize("kind", ["ckpt", "safetensors"])
def test_a_file_cut_short_while_it_is_read_is_an_error(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{kind}"
    ms.save_checkpoint({"a": Tensor(np.ones(100_000, np.float32)), "b": A}, path, format=kind)

    def cut(name: str) -> bool:
        os.truncate(path, 1000)
        return True

    with pytest.raises(ValueError, match="became shorter"):
        ms.load_checkpoint(path, choice_func=cut)


@pytest.mark.parametrize("kind", ["ckpt", "safetensors"])
def test_what_was_loaded_is_no_longer_the_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{kind}"
    ms.save_checkpoint({"a": Tensor(np.ones(100_000, np.float32))}, path, format=kind)
    loaded = ms.load_checkpoint(path)["a"]
    before = path.read_bytes()
    loaded += 1
    assert path.read_bytes() == before
    with path.open("r+b") as file:
        file.write(b"\xff" * len(before))
    path.write_bytes(b"")
    assert loaded.asnumpy().min() == loaded.asnumpy().max() == 2


@pytest.mark.parametrize("kind", ["ckpt", "safetensors"])
def test_checksums(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{kind}"
    given = {name: value for name, value in payload().items() if name != "text"}
    ms.save_checkpoint(given, path, format=kind)
    with pytest.warns(UserWarning, match="has no checksum"):
        ms.load_checkpoint(path, crc_check=True)
    ms.save_checkpoint(given, path, format=kind, crc_check=True)
    assert list(ms.load_checkpoint(path, crc_check=True)) == ["x", "n"]
    data = path.read_bytes()
    at = data.index(np.float32(5).tobytes())
    path.write_bytes(data[:at] + np.float32(6).tobytes() + data[at + 4 :])
    assert ms.load_checkpoint(path)["x"].max() == 6
    with pytest.raises(ValueError, match="its checksum is not that of what it holds"):
        ms.load_checkpoint(path, crc_check=True)


@pytest.mark.parametrize("mode", encryption.MODES)
def test_encrypted_files(mode: str, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    path, key = tmp_path / "x.ckpt", b"0123456789abcdef"
    ms.save_checkpoint(payload(), path, enc_key=key, enc_mode=mode, crc_check=True)
    assert list(ms.load_checkpoint(path, dec_key=key, dec_mode=mode, crc_check=True)) == ["x", "n", "text"]
    other = next(each for each in encryption.MODES if each != mode)
    for options in ({}, {"dec_key": key[::-1], "dec_mode": mode}, {"dec_key": key, "dec_mode": other}):
        with pytest.raises(ValueError, match=r"encrypted|a block is not"):
            ms.load_checkpoint(path, **options)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ValueError, match="cut off"):
        ms.load_checkpoint(path, dec_key=key, dec_mode=mode)


@pytest.mark.parametrize("mode", ["thread", "process", True])
def test_a_thread_writes(mode: Any, tmp_path: Path) -> None:
    x = Tensor([1.0, 2.0])
    ms.save_checkpoint({"x": x}, tmp_path / "x.ckpt", async_save=mode)
    x += 1
    ms.save_checkpoint({"x": x}, tmp_path / "y.ckpt", async_save=mode)
    while ms.async_ckpt_thread_status():
        time.sleep(0.001)
    assert ms.load_checkpoint_async(tmp_path / "x.ckpt").result()["x"].tolist() == [1, 2]
    assert ms.load_checkpoint(tmp_path / "y.ckpt")["x"].tolist() == [2, 3]
    ms.save_checkpoint({"x": x}, "/proc/x.ckpt", async_save=mode)
    with pytest.raises(OSError):
        ms.save_checkpoint({"x": x}, tmp_path / "z.ckpt", async_save=mode)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_what_a_thread_still_writes_is_waited_for(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, begun = core.write_file, threading.Event()

    def slowly(*args: Any) -> None:
        begun.wait()
        time.sleep(0.05)
        write(*args)

    monkeypatch.setattr(core, "write_file", slowly)
    path = tmp_path / f"x.{format}"
    for load in (ms.load_checkpoint, lambda path: ms.load_checkpoint_async(path).result()):
        begun.clear()
        ms.save_checkpoint({"x": Tensor([1.0, 2.0])}, path, async_save=True, format=format)
        begun.set()
        assert load(path)["x"].tolist() == [1, 2]
        path.unlink()
    ms.save_checkpoint({"x": Tensor([1.0])}, "/proc/x.ckpt", async_save=True)
    with pytest.raises(FileNotFoundError):
        ms.load_checkpoint(path)
    with pytest.raises(OSError, match="/proc"):
        wait_for_writes()


SAVED: list[tuple[Any, Any]] = [
    ([Parameter(A, "p"), Parameter(B, "q")], ["p", "q"]),
    ({"a": np.ones(2, np.float32), "s": "text"}, ["a", "s"]),
    ([], []),
    ([A], (TypeError, "a list must hold Parameters, or dicts")),
    ({"a": 3}, (TypeError, "values Tensors")),
    ({3: A}, (TypeError, "names must be str")),
    ([{"name": "a", "data": A}] * 2, (ValueError, "'a' occurs twice")),
]


@pytest.mark.parametrize("given, wanted", SAVED)
def test_what_can_be_saved(given: Any, wanted: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.ckpt"
    if isinstance(wanted, tuple):
        with pytest.raises(wanted[0], match=wanted[1]):
            ms.save_checkpoint(given, path)
        return
    ms.save_checkpoint(given, path)
    if wanted:
        assert list(ms.load_checkpoint(path)) == wanted
    else:
        with pytest.raises(ValueError, match="it is empty"):
            ms.load_checkpoint(path)


def test_conversion(tmp_path: Path) -> None:
    (tmp_path / "rank_0").mkdir()
    ms.save_checkpoint({"a": A}, tmp_path / "rank_0" / "x.ckpt")
    ms.ckpt_to_safetensors(str(tmp_path), name_map={"a": "b"})
    assert list(ms.load_checkpoint(tmp_path / "rank_0" / "x.safetensors")) == ["b"]
    ms.safetensors_to_ckpt(str(tmp_path / "rank_0" / "x.safetensors"), str(tmp_path / "out"))
    assert ms.load_checkpoint(tmp_path / "out" / "x.ckpt")["b"].tolist() == A.tolist()
    with pytest.raises(ValueError, match="must have folders 'rank"):
        ms.ckpt_to_safetensors(str(tmp_path / "out"))


class Data:
    def __init__(self) -> None:
        self.place, self.scale = 0, 1.0

    def state_dict(self) -> dict[str, Any]:
        return {"place": self.place, "scale": self.scale}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def training() -> tuple[dict[str, Any], Any]:
    """The parts of a run, and one step of it."""
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Dropout(p=0.5), nn.Dense(4, 1)).set_train()
    optimizer = optim.Adam(net.trainable_params(), lr=0.1)
    scheduler = optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2, 2)
    data = Data()
    gradient = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, optimizer.parameters)

    def step() -> float:
        loss, gradients = gradient(ms.ops.ones((2, 3)) * float(data.place))
        optimizer(gradients)
        scheduler.step()
        data.place += 1
        return float(loss)

    return {"net": net, "optimizer": optimizer, "scheduler": scheduler, "data": data}, step


def test_a_run_resumes_bit_for_bit(tmp_path: Path) -> None:
    ms.set_seed(3)
    parts, step = training()
    for _ in range(3):
        step()
    train.save_training(tmp_path / "run.ckpt", **parts)
    wanted = [step() for _ in range(4)]
    ms.set_seed(4)
    others, step = training()
    train.load_training(tmp_path / "run.ckpt", **others)
    assert [step() for _ in range(4)] == wanted
    for a, b in zip(parts["net"].get_parameters(), others["net"].get_parameters()):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


@pytest.mark.parametrize("script", ["killed_run.py", *(f"killed_fit.py {kind}" for kind in ("experimental", "mint", "nn"))])
def test_a_run_that_is_killed_goes_on(script: str, tmp_path: Path) -> None:
    """The process is killed after a step at random, twice; the end is that of a run that was left alone."""
    name, *kind = script.split()

    def run(path: Path, until: int) -> str:
        command = [sys.executable, str(Path(__file__).parent / name), str(path), *kind]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.strip() == str(until):
                    process.kill()
        return line.strip()

    first = random.Random().randrange(1, 8)
    run(tmp_path / "a.ckpt", first)
    run(tmp_path / "a.ckpt", first + 3)
    wanted = run(tmp_path / "b.ckpt", 99)
    assert len(wanted) == 64 and run(tmp_path / "a.ckpt", 99) == wanted, first


def test_runs_of_other_parts_are_refused(tmp_path: Path) -> None:
    parts, _ = training()
    train.save_training(tmp_path / "run.ckpt", **parts)
    with pytest.raises(ValueError, match=r"it lacks nothing and has .*data/place"):
        train.load_training(tmp_path / "run.ckpt", **{name: part for name, part in parts.items() if name != "data"})
    with pytest.raises(RuntimeError, match="has shape"):
        train.save_training(tmp_path / "net.ckpt", net=parts["net"])
        train.load_training(tmp_path / "net.ckpt", net=nn.SequentialCell(nn.Dense(3, 5), nn.Dropout(), nn.Dense(5, 1)))
    with pytest.raises(TypeError, match="'n' must be a Cell"):
        train.save_training(tmp_path / "run.ckpt", n=3)


class _Adversaries(nn.Cell):
    def __init__(self) -> None:
        super().__init__(auto_prefix=False)
        self.first, self.second = nn.Dense(2, 2), nn.Dense(2, 1)


def test_parameters_of_one_name_are_all_saved(tmp_path: Path) -> None:
    saved, loaded = _Adversaries(), _Adversaries()
    train.save_training(tmp_path / "t.ckpt", part=saved)
    train.load_training(tmp_path / "t.ckpt", part=loaded)
    for cell in ("first", "second"):
        wanted, found = getattr(saved, cell).weight, getattr(loaded, cell).weight
        np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())


class _Trainer:
    """What holds Cells, optimizers and schedulers in lists and dicts, and something that holds it."""

    def __init__(self, seed: int) -> None:
        ms.set_seed(seed)
        self.nets = {"a": [nn.Dense(2, 2), nn.BatchNorm1d(2)]}
        self.optimizer = optim.SGD(self.nets["a"][0].trainable_params(), lr=0.1, momentum=0.9)
        inner = [optim.lr_scheduler.StepLR(self.optimizer, 1), optim.lr_scheduler.ExponentialLR(self.optimizer, 0.5)]
        self.schedules = (optim.lr_scheduler.SequentialLR(self.optimizer, inner, [1 + seed]),)
        self.generator, self.holder = ms.Generator(), self

    def step(self) -> list[Any]:
        for net in self.nets["a"]:
            net.set_train()(ms.Tensor([[1.0, 2.0], [3.0, float(self.generator.initial_seed() % 5)]]))
        self.optimizer((ms.ops.ones((2, 2)), ms.ops.ones(2)))
        self.schedules[0].step()
        held = [one for net in self.nets["a"] for one in net.get_parameters()]
        return [one.asnumpy().tolist() for one in (*held, *self.schedules[0].get_last_lr(), self.generator.get_state())]


def test_what_objects_hold_is_saved(tmp_path: Path) -> None:
    first, second = _Trainer(1), _Trainer(1)
    second.nets["a"][0].weight.set_data(ms.ops.zeros((2, 2)))
    first.generator.manual_seed(4)
    first.step(), first.step()
    train.save_training(tmp_path / "t.ckpt", trainer=first, optimizer=first.optimizer)
    train.load_training(tmp_path / "t.ckpt", optimizer=second.optimizer, trainer=second)
    assert [second.step() for _ in range(3)] == [first.step() for _ in range(3)]


class Scheduled:
    """Has numbers as its state."""

    def __init__(self) -> None:
        self.numbers = {"rate": 0.1, "large": 1e300, "small": 1e-310, "count": 2**40, "flag": True}

    def state_dict(self) -> dict[str, Any]:
        return dict(self.numbers)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.numbers = dict(state)


def test_numbers_of_a_state_are_saved_as_they_are(tmp_path):
    saved, loaded = Scheduled(), Scheduled()
    train.save_training(tmp_path / "state.ckpt", part=saved)
    loaded.numbers = dict.fromkeys(saved.numbers, 0.0) | {"count": 0, "flag": False}
    train.load_training(tmp_path / "state.ckpt", part=loaded)
    assert loaded.numbers == saved.numbers
