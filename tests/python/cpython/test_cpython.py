"""A part of CPython's own tests, jitted: the same outcomes as plainly. `tools/cpython_tests` runs many more."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

COMPARE = Path(__file__).parents[2] / "cpython" / "compare.py"
MODULES = ["test.test_scope", "test.test_with", "test.test_decorators", "test.test_augassign", "test.test_super"]


@pytest.mark.skipif(importlib.util.find_spec("test.test_scope") is None, reason="this Python comes without its tests")
@pytest.mark.parametrize("mode", ["ast", "bytecode", "bytecode+graphs"])
def test_what_cpython_tests_holds_of_jitted_functions(mode: str) -> None:
    done = subprocess.run([sys.executable, COMPARE, mode, *MODULES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
