"""The programs of python/examples run in their small form, each in a process of its own, and learn what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "python" / "examples"
BOUNDS = {  # of what main() returns in the small form
    "char_transformer": (0, 2.8),  # nats a character; of letters drawn alike 4.6
    "diffusion": (0, 0.6),  # distance of samples by that of noise
    "digits": (0.9, 1),
    "lstm_text": (0.9, 1),  # by chance 0.5
    "pinn": (0, 0.5),  # relative error
    "recommender": (0.4, 1),  # by chance 0.06
    "reinforcement": (100, 500),  # steps, of which a policy drawn alike stands 20
    "resnet_image_folders": (0.5, 1),  # of three classes
    "time_series": (0, 0.9),  # error by that of "as yesterday"
    "vae": (0.2, 1),  # part of the variance
}


@pytest.mark.parametrize("name", BOUNDS)
def test_small_forms_learn(name: str, tmp_path: Path) -> None:
    program = f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import {name}; print('RESULT', {name}.main(['--small']))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    result = float(done.stdout.rpartition("RESULT ")[2])
    low, high = BOUNDS[name]
    assert low <= result <= high
    assert "UserWarning" not in done.stderr, "a function runs in Python"


def test_each_program_is_short_and_listed() -> None:
    programs = {path.stem: path.read_text() for path in FOLDER.glob("*.py")}
    assert programs.keys() == BOUNDS.keys()
    listed = (FOLDER / "README.md").read_text()
    for name, text in programs.items():
        assert len(text.splitlines()) < 150 and f"[{name}.py]({name}.py)" in listed, name
