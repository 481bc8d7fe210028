"""Files that are written: names of every kind, links, modes, devices, and errors of the operating system."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core
from emberjit.capture.jit.explain import save_module


def save_checkpoint(path: Any) -> None:
    ms.save_checkpoint({"x": Tensor([1.0, 2.0])}, path)


def save_jitted(path: Any) -> None:
    function = ms.jit(lambda x: x + 1)
    function(Tensor([1.0]))
    save_module(function, path)


WRITERS: dict[str, Callable[[Any], None]] = {"checkpoint": save_checkpoint, "module": save_jitted}
writers = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


class Named:
    def __init__(self, path: str) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return self.path


@writers
def test_names_of_every_kind(write: Callable[[Any], None], tmp_path: Path) -> None:
    undecodable = os.fsdecode(bytes(tmp_path / "caf") + b"\xe9.ckpt")
    plain = tmp_path / "a.ckpt"
    for name in (
        str(plain),
        plain,
        bytes(plain),
        Named(str(plain)),
        undecodable,
        os.fsencode(undecodable),
        tmp_path / ("n" * 250 + ".ckpt"),
    ):
        write(name)
        assert os.path.getsize(name) > 0
    assert sorted(os.listdir(tmp_path)) == sorted(["a.ckpt", os.path.basename(undecodable), "n" * 250 + ".ckpt"])


@writers
def test_names_that_are_none(write: Callable[[Any], None], tmp_path: Path) -> None:
    for name in (str(tmp_path / "a\0b.ckpt"), bytes(tmp_path / "a") + b"\0b.ckpt"):
        with pytest.raises(ValueError, match="null"):
            write(name)
    for none in (5, None, 1.5):
        with pytest.raises(TypeError):
            write(none)
    with pytest.raises(FileNotFoundError):
        write("")
    assert os.listdir(tmp_path) == []


@writers
def test_errors_are_the_systems(write: Callable[[Any], None], tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as directory:
        write(str(tmp_path) + "/")
    assert directory.value.filename is not None
    (tmp_path / "folder.ckpt").mkdir()
    with pytest.raises(IsADirectoryError):
        write(tmp_path / "folder.ckpt")
    (tmp_path / "file").write_text("x")
    with pytest.raises((NotADirectoryError, FileExistsError)):
        write(tmp_path / "file" / "a.ckpt")
    with pytest.raises(OSError, match="too long"):
        write(tmp_path / ("n" * 300 + ".ckpt"))
    (tmp_path / "loop.ckpt").symlink_to("loop.ckpt")
    with pytest.raises(OSError):
        write(tmp_path / "loop.ckpt")
    assert (tmp_path / "loop.ckpt").is_symlink()
    (tmp_path / "full.ckpt").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / "full.ckpt")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.ckpt", "full.ckpt", "loop.ckpt"]


@writers
def test_links_stay_links(write: Callable[[Any], None], tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target.ckpt", tmp_path / "link.ckpt"
    link.symlink_to(Path("there") / "target.ckpt")
    for _ in range(2):  # a link to nothing, then to a file
        write(link)
        assert link.is_symlink() and target.is_file() and target.stat().st_size > 0
    assert os.listdir(tmp_path / "there") == ["target.ckpt"]


@writers
def test_modes_stay_and_new_ones_follow_the_umask(write: Callable[[Any], None], tmp_path: Path) -> None:
    path = tmp_path / "a.ckpt"
    before = os.umask(0o027)
    try:
        write(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        for mode in (0o600, 0o644, 0o666):
            path.chmod(mode)
            write(path)
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


@writers
def test_devices_are_written_to(write: Callable[[Any], None], tmp_path: Path) -> None:
    null = tmp_path / "null.ckpt"
    null.symlink_to("/dev/null")
    write(null)
    assert null.is_symlink() and stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_name_without_an_ending_gets_one(tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "v1.5" / "model")
    assert os.listdir(tmp_path / "v1.5") == ["model.ckpt"]


def test_checkpoints_are_read_from_names_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "a.ckpt"
    save_checkpoint(path)
    for name in (path, str(path), bytes(path), Named(str(path))):
        np.testing.assert_array_equal(ms.load_checkpoint(name)["x"].asnumpy(), [1, 2])
    with pytest.raises(TypeError):
        ms.load_checkpoint(0)
    with pytest.raises(ValueError, match="null"):
        ms.load_checkpoint(str(path) + "\0")
    for absent in ("", tmp_path / "none"):
        with pytest.raises(FileNotFoundError, match="no such file") as found:
            ms.load_checkpoint(absent)
        assert isinstance(found.value, ValueError)
    with pytest.raises(IsADirectoryError):
        ms.load_checkpoint(tmp_path)
    with pytest.raises(ValueError, match="regular file"):
        ms.load_checkpoint("/dev/zero")


def test_parameters_names_are_unicode(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no Unicode"):
        ms.save_checkpoint({"x\udc80": Tensor([1.0])}, str(tmp_path / "a.ckpt"))
    assert os.listdir(tmp_path) == []
    ms.save_checkpoint({"λ\0😀": Tensor([1.0])}, tmp_path / "a.ckpt")
    assert list(ms.load_checkpoint(tmp_path / "a.ckpt")) == ["λ\0😀"]


def test_a_librarys_name_is_not_cut() -> None:
    with pytest.raises(ValueError, match="null"):
        core.op_table["foreign_call"]([ops.ones((), ms.float64)], "libm.so.6\0.other", "cos", "float64 -> float64")


def test_graphs_are_saved_below_a_path(tmp_path: Path) -> None:
    ms.set_context(save_graphs=True, save_graphs_path=tmp_path)
    try:
        ms.jit(lambda x: x * 3)(Tensor([1.0]))
    finally:
        ms.set_context(save_graphs=False, save_graphs_path=".")
    assert os.listdir(tmp_path) != []


def test_bfloat16_comes_back(tmp_path: Path) -> None:
    x = Tensor([1.5, -2.25]).astype(ms.bfloat16)
    ms.save_checkpoint({"x": x}, tmp_path / "a.ckpt")
    back = ms.load_checkpoint(tmp_path / "a.ckpt")["x"]
    assert back.dtype == ms.bfloat16 and back.tolist() == [1.5, -2.25]


VARIABLES = {
    "EMBERJIT_JIT": ("1", "no"),
    "EMBERJIT_TRACE": ("0", "yes"),
    "EMBERJIT_SHADOW": ("0", "2"),
    "EMBERJIT_SYMBOLS": ("gdb", "perf"),
    "EMBERJIT_ISA": ("avx2", "sse"),
    "EMBERJIT_GUARD_PAGES": ("after", "both"),
    "EMBERJIT_MATMUL_PRECISION": ("ieee", "half"),
}
FOREIGN = {
    "OMP_NUM_THREADS": (["2", "4,2", " 3 ", ""], ["many", "-3", "4x", "0"]),
    "MS_DEV_SIDE_EFFECT_LOAD_ELIM": (["0", "3", ""], ["many"]),
    "MS_JIT": (["0", "1", ""], ["off"]),
}


def run(variable: str, value: str) -> Any:
    env = {name: text for name, text in os.environ.items() if not name.startswith("EMBERJIT_")}
    env[variable] = value
    command = [sys.executable, "-W", "always", "-c", "import emberjit"]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("variable", VARIABLES)
def test_nonsense_in_the_environment_is_refused(variable: str) -> None:
    good, bad = VARIABLES[variable]
    for value in (good, ""):
        done = run(variable, value)
        assert (done.returncode, done.stderr) == (0, ""), value
    done = run(variable, bad)
    assert done.returncode == 1
    assert f"ValueError: {variable} must be one of" in done.stderr and repr(bad) in done.stderr


@pytest.mark.parametrize("variable", FOREIGN)
def test_nonsense_in_variables_of_others_warns(variable: str) -> None:
    good, bad = FOREIGN[variable]
    for value in good:
        assert run(variable, value).stderr == "", value
    for value in bad:
        done = run(variable, value)
        assert done.returncode == 0 and f"{variable} is {value!r}" in done.stderr, value


def test_unknown_variables_warn() -> None:
    done = run("EMBERJIT_ISAS", "avx2")
    assert done.returncode == 0 and "EMBERJIT_ISAS" in done.stderr and "Did you mean: 'EMBERJIT_ISA'?" in done.stderr
