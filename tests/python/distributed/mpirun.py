"""Programs on several processes, by mpirun."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEEDS_MPI = pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")
COMMAND = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n")


def mpirun(size: int, *program: str, timeout: float = 120, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What `python program` does on so many processes. It is an error that they do not end."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [*COMMAND, str(size), sys.executable, *program],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
