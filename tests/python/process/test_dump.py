"""What a running process leaves for vmtool, perf and gdb."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from emberjit import _emberjit as core

PROGRAM = """
import os, sys
import emberjit as ms
from emberjit import Tensor

@ms.jit
def decay(x, n):
    while n > 0:
        x = x * 0.5 + 1
        n = n - 1
    return x.sum()

n = Tensor(40, ms.int64)
for _ in range(300):
    decay(Tensor([1.0, 2.0, 3.0]), n)
"""


def run(folder: Path, **environment: str) -> str:
    """The program's output, run in a folder."""
    script = folder / "decay.py"
    script.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)], capture_output=True, text=True, timeout=120, check=False, cwd=folder,
        env={"PYTHONPATH": ":".join(filter(None, sys.path)), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_dump_has_graphs_and_their_native_code(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, EMBERJIT_DUMP=str(tmp_path / "dump"))
    modules = list((tmp_path / "dump").glob("*-decay.vmb"))
    assert len(modules) == 1
    assert list((tmp_path / "dump").glob("*.native-*"))
    assert core.vmtool(["disasm", str(tmp_path / "dump"), "--native", "--fn", "decay"]) == 0
    listing = capfd.readouterr().out
    assert "decay.py:8" in listing
    assert "x = x * 0.5 + 1" in listing
    assert re.search(r"native code of decay\(x: Float32 \(3,\), n: Int64 \(\)", listing)
    assert "entry:" in listing


def test_perf_gets_the_users_lines(tmp_path: Path) -> None:
    run(tmp_path, EMBERJIT_SYMBOLS="jitdump")
    (dump,) = tmp_path.glob("jit-*.dump")
    data = dump.read_bytes()
    assert b"emberjit: decay\0" in data
    assert str(tmp_path / "decay.py").encode() + b"\0" in data


@pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no gdb")
def test_gdb_names_native_code(tmp_path: Path) -> None:
    script = tmp_path / "decay.py"
    script.write_text(PROGRAM + "os.kill(os.getpid(), 5)\n")
    words = ["gdb", "-batch", "-ex", "run", "-ex", "info functions emberjit: decay", "--args", sys.executable, str(script)]
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path)), "EMBERJIT_SYMBOLS": "gdb", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path, env=environment)
    if "Operation not permitted" in done.stderr:
        pytest.skip("processes may not be traced here")
    found = done.stdout.partition("All functions matching")[2]
    assert re.search(r"decay\.py:\n.*emberjit: decay\(", found), done.stdout
