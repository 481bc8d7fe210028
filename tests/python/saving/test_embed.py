"""The library for C and C++: programs that find it by CMake, from a clean folder, run what Python has saved to its bits; and
what it is given wrongly is an error that says so."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_saved_training import Training, dense, residual

import emberjit as ms
from emberjit import nn

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build" / "cpp"
pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(
        not any("EMBERJIT_EMBED:BOOL=ON" in cache.read_text() for cache in BUILD.glob("CMakeCache.txt")),
        reason="no library: tools/test builds it",
    ),
]


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prefix = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--prefix", prefix, "--component", "embed")
    return prefix


@pytest.fixture(scope="module")
def programs(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for path in (ROOT / "tests" / "embed").iterdir():
        shutil.copy(path, folder)
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", folder / "build")
    return folder / "build"


def floats(text: str) -> np.ndarray:
    return np.array([[float.fromhex(word) for word in line.split()] for line in text.splitlines()], np.float32)


def test_a_saved_network_is_served(programs: Path, tmp_path: Path) -> None:
    ms.set_seed(1)
    network = nn.SequentialCell([residual(), nn.Softmax()]).set_train(False)
    infer = ms.jit(lambda x: network(x), fullgraph=True)
    images = np.random.default_rng(0).standard_normal((2, 3, 4, 4), np.float32)
    wanted = infer(ms.Tensor(images)).asnumpy()
    infer.save(tmp_path / "network")
    images.tofile(tmp_path / "images")
    assert (
        floats(run(programs / "serve", tmp_path / "network", tmp_path / "images", 2, 3, 4, 4)).tobytes() == wanted.tobytes()
    )
    many = np.concatenate([images] * 8)
    many.tofile(tmp_path / "many")
    found = floats(run(programs / "serve", tmp_path / "network", tmp_path / "many", 16, 3, 4, 4))
    assert found.tobytes() == infer(ms.Tensor(many)).asnumpy().tobytes()


@pytest.mark.parametrize("network", [dense, residual])
def test_a_saved_step_trains(programs: Path, tmp_path: Path, network: Any) -> None:
    training = Training(network(), lambda parameters: nn.Momentum(parameters, 0.1, 0.9))
    x = (np.arange(4 * 48, dtype=np.float32) % 7 - 3).reshape(4, 3, 4, 4)
    batch = ms.Tensor(x), ms.Tensor(np.array([0, 1, 2, 1], np.int32))
    training.step(*batch)
    training.step.save(tmp_path / "step")
    losses = [float(training.step(*batch).asnumpy()) for _ in range(20)]
    first = run(programs / "train", tmp_path / "step", 12, tmp_path / "later")
    second = run(programs / "train", tmp_path / "later", 8, tmp_path / "end")
    assert floats(first + second)[:, 0].tolist() == losses


def test_readmes_program(installed: Path, tmp_path: Path) -> None:
    ms.set_seed(1)
    network = nn.SequentialCell(nn.Dense(20, 64), nn.ReLU(), nn.Dense(64, 4))
    infer = ms.jit(lambda x: network(x))
    x = np.zeros((1, 20), np.float32)
    x[0, :3] = 1, 2, 3
    wanted = infer(ms.Tensor(x)).asnumpy()[0]
    infer.save(tmp_path / "net")
    found = re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert found
    (tmp_path / "main.cpp").write_text(found[1])
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(readme CXX)\nfind_package(emberjit REQUIRED)\n"
        "add_executable(readme main.cpp)\ntarget_link_libraries(readme PRIVATE emberjit::emberjit)\n"
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", tmp_path / "build")
    done = subprocess.run([tmp_path / "build" / "readme"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"{score:g}" for score in wanted]


# Misuse --------------------------------------------------------------------------------------------------------------


class CTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_int32), ("shape", ctypes.c_int64 * 8)]


FLOAT32, INT32 = 8, 3
MEMORY = np.zeros(4096, np.float32)


def given(dtype: int, *shape: int, data: int | None = MEMORY.ctypes.data, rank: int | None = None) -> CTensor:
    return CTensor(data, dtype, len(shape) if rank is None else rank, (ctypes.c_int64 * 8)(*shape[:8]))


X, Y = given(FLOAT32, 4, 3, 4, 4), given(INT32, 4)


@pytest.fixture(scope="module")
def library(installed: Path) -> Any:
    library = ctypes.CDLL(str(next(installed.rglob("libemberjit.so"))))
    library.ember_last_error.restype = ctypes.c_char_p
    library.ember_input_name.restype = library.ember_state_name.restype = ctypes.c_char_p
    library.ember_inputs.restype = library.ember_results.restype = library.ember_states.restype = ctypes.c_size_t
    return library


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "step"
    training = Training(dense(), lambda parameters: nn.SGD(parameters, 0.1))
    training.step(ms.Tensor(np.zeros((4, 3, 4, 4), np.float32)), ms.Tensor(np.zeros(4, np.int32)))
    training.step.save(path)
    return path


WRONG: list[tuple[list[CTensor], str]] = [
    ([X], "the module takes 2 inputs, 1 are given"),
    ([X, Y, Y], "the module takes 2 inputs, 3 are given"),
    ([given(INT32, 4, 3, 4, 4), Y], "input 0 (x) is Tensor[Int32](4, 3, 4, 4) where"),
    ([given(FLOAT32, 4, 3, 16), Y], "input 0 (x) is Tensor[Float32](4, 3, 16) where"),
    ([given(FLOAT32, 4, 3, 4, 5), Y], "the module's guards do not admit these inputs"),
    ([X, given(INT32, 5)], "the module's guards do not admit these inputs"),
    ([given(99, 4, 3, 4, 4), Y], "input 0 (x) has no such dtype"),
    ([given(FLOAT32, 4, rank=9), Y], "input 0 (x) has a rank of 9"),
    ([given(FLOAT32, 4, rank=-1), Y], "input 0 (x) has a rank of -1"),
    ([given(FLOAT32, 4, -3, 4, 4), Y], "input 0 (x) has an impossible size"),
    ([given(FLOAT32, 1 << 40, 1 << 40, 4, 4), Y], "input 0 (x) has an impossible size"),
    ([given(FLOAT32, 4, 3, 4, 4, data=None), Y], "input 0 (x) has no elements"),
    ([given(FLOAT32, 4, 3, 4, 4, data=MEMORY.ctypes.data + 1), Y], "does not lie at a multiple"),
]


@pytest.mark.parametrize(("inputs", "said"), WRONG, ids=[said for _, said in WRONG])
def test_wrong_inputs_are_errors(library: Any, saved: Path, inputs: list[CTensor], said: str) -> None:
    module = ctypes.c_void_p()
    assert library.ember_load(str(saved).encode(), ctypes.byref(module)) == 0
    assert library.ember_run(module, (CTensor * len(inputs))(*inputs), len(inputs)) == 1
    assert said in library.ember_last_error().decode()
    assert library.ember_run(module, (CTensor * 2)(X, Y), 2) == 0
    library.ember_free(module)


DAMAGED: list[Callable[[bytes], bytes]] = [
    lambda data: b"",
    lambda data: data[:100],
    lambda data: data[:-1],
    lambda data: data[:300] + bytes([data[300] ^ 1]) + data[301:],
    lambda data: data[:8] + b"\x04" + data[9:],
]


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_files_are_errors(library: Any, saved: Path, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    (tmp_path / "damaged").write_bytes(damage(saved.read_bytes()))
    module = ctypes.c_void_p()
    assert library.ember_load(str(tmp_path / "damaged").encode(), ctypes.byref(module)) == 1
    assert "module file" in library.ember_last_error().decode() and not module.value


def test_what_is_there_is_told(library: Any, saved: Path, tmp_path: Path) -> None:
    module, tensor = ctypes.c_void_p(), CTensor()
    assert library.ember_load(str(saved).encode(), ctypes.byref(module)) == 0
    assert [library.ember_input_name(module, i) for i in range(3)] == [b"x", b"y", None]
    assert (library.ember_inputs(module), library.ember_results(module)) == (2, 1)
    assert library.ember_result(module, 0, ctypes.byref(tensor)) == 1
    assert library.ember_last_error() == b"the last call has given no result 0"
    names = [library.ember_state_name(module, i) for i in range(library.ember_states(module))]
    assert len(names) >= 4 and library.ember_state_name(module, len(names)) is None
    assert library.ember_state(module, len(names), ctypes.byref(tensor)) == 1
    assert library.ember_state(module, 0, ctypes.byref(tensor)) == 0 and tensor.data
    assert library.ember_save(module, str(tmp_path / "no" / "folder").encode()) == 1
    assert library.ember_load(str(tmp_path / "nothing").encode(), ctypes.byref(ctypes.c_void_p())) == 1
    assert library.ember_load(None, ctypes.byref(ctypes.c_void_p())) == 1
    assert library.ember_set_threads(0) == 1
    assert library.ember_version() == 1
    library.ember_free(module)
    library.ember_free(None)
