"""EMBERJIT_TRACE prints one line for each thing that happens to a function."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
import emberjit as ms
from emberjit import Tensor

@ms.jit
def scaled(x, y):
    for _ in range(40):
        x = x * y + 1
    return x

for n in (200, 300):
    for _ in range(3000):
        scaled(Tensor(np.ones((n, 3), np.float32)), Tensor(np.ones((n, 3), np.float32)))
"""


BRANCHES = """
import emberjit as ms
from emberjit import Tensor

@ms.jit
def halved(x):
    for _ in range(40):
        x = x * 0.5
    if x.sum() > 0:
        return x
    return -x

for i in range(3000):
    halved(Tensor([1.0, 2.0]))
halved(Tensor([-1.0, -2.0]))
"""


def trace(program: Path, source: str) -> list[str]:
    program.write_text(source)
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "EMBERJIT_TRACE": "1"},
    )
    return [line for line in done.stderr.splitlines() if line.startswith("[")]


def test_a_line_for_capture_promotion_and_deopt(tmp_path: Path) -> None:
    lines = trace(tmp_path / "program.py", PROGRAM)
    assert len([line for line in lines if re.fullmatch(r"\[capture f=scaled .*passes=\d+us\]", line)]) == 1, lines
    assert len([line for line in lines if line.startswith("[tier f=scaled T0->T1 ")]) == 2, lines
    assert len([line for line in lines if line.startswith("[bailout kind=shape f=scaled ")]) == 1, lines


def test_a_wrong_assumption_is_told_with_its_line(tmp_path: Path) -> None:
    lines = trace(tmp_path / "program.py", BRANCHES)
    (told,) = [line for line in lines if line.startswith("[bailout kind=branch f=halved ")]
    assert re.search(r" held=True met=False at=.*program\.py:9 -> T0\]", told), told
