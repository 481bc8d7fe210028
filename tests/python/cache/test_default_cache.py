"""The compile cache where nobody has asked for one: in the user's cache folder, for captures that take long."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_compile_cache import events, program

import emberjit as ms
from emberjit import context


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("MS_COMPILER_CACHE_ENABLE", raising=False)
    monkeypatch.delenv("MS_COMPILER_CACHE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("cached_program", None)


def stored(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.ember"))


def called(folder: Path) -> tuple[Any, list[str]]:
    jitted = ms.jit(program(folder).number)
    return jitted(ms.Tensor(np.ones(2, np.float32))).asnumpy().tolist(), events(jitted)


def test_long_captures_are_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_LONG_CAPTURE", 1e-9)
    result, said = called(folder)
    assert said == ["stored"]
    assert [path.parents[1] for path in stored(folder)] == [folder / "cache" / "emberjit"]
    assert called(folder) == (result, ["hit"])


def test_quick_captures_are_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_LONG_CAPTURE", 3600.0)
    assert called(folder)[1] == [] and not (folder / "cache").exists()


def test_what_has_been_stored_serves_quick_captures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ms.set_context(enable_compile_cache=True)
    try:
        assert called(folder)[1] == ["stored"]
    finally:
        del context._values["enable_compile_cache"]
    monkeypatch.setattr(context, "_LONG_CAPTURE", 3600.0)
    assert called(folder)[1] == ["hit"]


OFF = [
    lambda patch: patch.setenv("MS_COMPILER_CACHE_ENABLE", "0"),
    lambda patch: patch.setitem(context._values, "enable_compile_cache", False),
    lambda patch: [patch.delenv("XDG_CACHE_HOME"), patch.setenv("HOME", "nowhere")],
]


@pytest.mark.parametrize("off", OFF, ids=["environment", "context", "no home"])
def test_it_can_be_off(folder: Path, monkeypatch: pytest.MonkeyPatch, off: Any) -> None:
    monkeypatch.setattr(context, "_LONG_CAPTURE", 1e-9)
    monkeypatch.chdir(folder)
    off(monkeypatch)
    assert called(folder)[1] == [] and stored(folder) == []


def test_a_home_that_nobody_may_write_to_is_one_trace_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "cache").write_text("a file")
    monkeypatch.setattr(context, "_LONG_CAPTURE", 1e-9)
    assert called(folder)[1] == ["not stored"]


def test_folders_are_the_users_alone_whatever_the_umask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_LONG_CAPTURE", 1e-9)
    before = os.umask(0o002)
    try:
        assert [called(folder)[1] for _ in range(2)] == [["stored"], ["hit"]]
    finally:
        os.umask(before)
    for path in (folder / "cache" / "emberjit", stored(folder)[0].parent):
        assert path.stat().st_mode & 0o777 == 0o700


QUICK = """
import sys
import emberjit as ms
from emberjit import context

context._LONG_CAPTURE = 3600.0
ms.jit(lambda x: x + 1)(ms.Tensor([1.0]))
print([name for name in sys.modules if "capture.cache" in name])
"""


def test_a_quick_capture_loads_the_gate_alone(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", QUICK], capture_output=True, text=True, check=True)
    loaded = ["emberjit.capture.cache", "emberjit.capture.cache.gate", "emberjit.capture.cache.files"]
    assert sorted(eval(done.stdout)) == sorted(loaded)
