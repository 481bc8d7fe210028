"""Collectives, groups, messages and data parallel training on two, three and four processes."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from collective_cases import CASES
from mpirun import NEEDS_MPI, mpirun

ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("collective_cases.py")


@functools.cache
def problems(size: int) -> dict[str, list[str]]:
    """What each process says of each case: nothing, if all is as it is to be."""
    done = mpirun(size, str(PROGRAM), timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    out: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        rank, name, problem = json.loads(line)
        out.setdefault(name, []).append(f"rank {rank}: {problem}" if problem else "")
    return out


@NEEDS_MPI
@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("name", CASES)
def test_case(name: str, size: int) -> None:
    assert problems(size)[name] == [""] * size


@NEEDS_MPI
def test_the_guides_program_trains(tmp_path: Path) -> None:
    page = ROOT / "python" / "docs" / "guide" / "distributed.md"
    program = tmp_path / "script.py"
    program.write_text(page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0])
    done = mpirun(2, str(program), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    assert float(words[1]) < 0.1 and words[3:] == ["2", "processes"] and (tmp_path / "net.ckpt").exists()


@NEEDS_MPI
def test_launch_starts_processes_that_share_the_cores(tmp_path: Path) -> None:
    program = tmp_path / "script.py"
    program.write_text(
        "import sys\nfrom mindspore.communication import get_group_size, get_rank, init\n"
        "init()\nsys.stdout.write(f'{get_rank()} of {get_group_size()} {sys.argv[1:]}\\n')\n"
    )
    command = [str(ROOT / "tools" / "launch"), "-n", "2", str(program), "--epochs", "3"]
    environment = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert sorted(done.stdout.splitlines()) == [f"{rank} of 2 ['--epochs', '3']" for rank in range(2)], done.stderr
    assert subprocess.run(command[:3], capture_output=True, check=False).returncode == 2


LATER = """
import sys
import emberjit as ms
from emberjit import Tensor, communication, ops
f = ms.jit(lambda x: ops.AllReduce()(x))
alone = [float(f(Tensor([1.0]))) for _ in range(3)]
communication.init()
together = [float(f(Tensor([1.0]))) for _ in range(3)]
communication.release()
sys.stdout.write(f"{alone} {together} {float(f(Tensor([1.0])))}\\n")
"""


@NEEDS_MPI
def test_a_graph_serves_the_processes_that_it_was_captured_with() -> None:
    done = mpirun(2, "-c", LATER)
    assert done.stdout == "[1.0, 1.0, 1.0] [2.0, 2.0, 2.0] 1.0\n" * 2, done.stdout + done.stderr


CACHED = """
import sys
import emberjit as ms
from emberjit import Tensor, communication, ops
ms.set_context(enable_compile_cache=True, compile_cache_path=sys.argv[1])
communication.init()
f = ms.jit(lambda x: ops.AllReduce()(x) + ops.AllGather()(x).sum())
result = float(f(Tensor([1.0])))
told = [line.split(":")[0] for line in ms.explain(f)["cache"]]
sys.stdout.write(f"{result} {told[-1]}\\n")
"""


@NEEDS_MPI
def test_a_stored_graph_serves_as_many_processes_as_it_was_captured_with(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(CACHED)
    for size, told in ((1, "stored"), (2, "stored"), (3, "stored"), (2, "hit"), (1, "hit")):
        done = mpirun(size, str(program), str(tmp_path / "cache"))
        assert done.stdout == f"{2.0 * size} {told}\n" * size, done.stdout + done.stderr


@NEEDS_MPI
def test_the_example_of_a_residual_network_learns_on_two_processes(tmp_path: Path) -> None:
    program = str(ROOT / "python" / "examples" / "resnet_image_folders.py")
    done = mpirun(2, program, "--small", folder=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split("accuracy: ")[-1]) > 0.5 and done.stdout.count("epoch 1") == 1
    assert "UserWarning" not in done.stderr, done.stderr
