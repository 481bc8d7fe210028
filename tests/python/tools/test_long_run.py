"""tools/long_run: what it takes for growth, and a short run of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

TOOLS = Path(__file__).parents[3] / "tools"
sys.path.insert(0, str(TOOLS))
import long_run  # noqa: E402

HOUR = np.linspace(0, 3600, 500)
NOISE = np.random.default_rng(1).random(500)
CURVES = {  # of resident MiB, of which an hour may add 100 and one change 24
    "noise": (300 + 90 * NOISE, False),
    "a little": (300 + 90 * NOISE + HOUR / 60, False),
    "peaks that grow": (300 + HOUR / 20 * (NOISE > 0.5), False),
    "one change": (300 + 20.0 * (HOUR > 1800), False),
    "less and less": (400 - HOUR / 20, False),
    "a leak": (300 + HOUR / 20, True),
    "a leak under noise": (300 + 90 * NOISE + HOUR / 20, True),
    "a leak by steps": (300 + 60 * (HOUR // 900), True),
}


@pytest.mark.parametrize("name", CURVES)
def test_what_grows(name: str) -> None:
    values, grows = CURVES[name]
    assert long_run.grows(long_run.MEASURES["resident MiB"], HOUR, values) == grows


def test_a_report_names_what_grows(capsys: pytest.CaptureFixture[str]) -> None:
    curves = {name: np.full(500, 7.0) for name in long_run.MEASURES} | {"threads": 2 + HOUR // 300}
    assert long_run.report(HOUR, curves, 900) == ["threads"]
    rows = {line[:14].strip(): line for line in capsys.readouterr().out.splitlines()[2:]}
    assert rows["threads"].endswith("GROWS") and re.search(r" 1[12]\.\d \+- 0\.\d +2  2 ", rows["threads"])
    assert rows["graphs"].endswith(" 7 7") and " 0.0 +- 0.0 " in rows["graphs"]


@pytest.mark.alone
def test_a_short_run() -> None:
    command = [sys.executable, str(TOOLS / "long_run.py"), "--seconds", "15"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    head, _, *rows = done.stdout.splitlines()
    assert int(head.split()[0]) >= long_run.WARM + long_run.LEAST and [row[:14].strip() for row in rows] == list(
        long_run.MEASURES
    )
