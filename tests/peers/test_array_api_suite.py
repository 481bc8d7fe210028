"""emberjit.array_api under the public suite of the array API standard, data-apis/array-api-tests, which is not kept here.

EMBERJIT_ARRAY_API_TESTS names a checkout of it, with its submodule; hypothesis, ndindex and pytest-json-report must be
installed beside. What is skipped, and why, stands in array_api_skips.txt. EMBERJIT_ARRAY_API_EXAMPLES is how many examples a
test draws (20).
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = os.environ.get("EMBERJIT_ARRAY_API_TESTS", "")
EXAMPLES = os.environ.get("EMBERJIT_ARRAY_API_EXAMPLES", "20")
SKIPS = Path(__file__).with_name("array_api_skips.txt")
MISSING = [name for name in ("hypothesis", "ndindex", "pytest_jsonreport") if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(not SUITE, reason="EMBERJIT_ARRAY_API_TESTS names no checkout of data-apis/array-api-tests")
@pytest.mark.skipif(bool(MISSING), reason=f"the array API's suite needs {', '.join(MISSING)}")
def test_suite(tmp_path: Path) -> None:
    options = ["--skips-file", str(SKIPS), "--max-examples", EXAMPLES, "--disable-deadline", "-p", "no:cacheprovider"]
    environment = {
        **os.environ,
        "ARRAY_API_TESTS_MODULE": "emberjit.array_api",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path),
    }
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "array_api_tests", *options],
        cwd=SUITE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{run.stdout[-8000:]}\n{run.stderr[-2000:]}"


def test_skips_have_reasons() -> None:
    lines = SKIPS.read_text().splitlines()
    for before, line in zip(["", *lines], lines):
        assert not line.startswith("array_api_tests") or before.startswith(("#", "array_api_tests")), line
