"""What ends one process ends all, with its traceback; a program that is not connected says so."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from mpirun import NEEDS_MPI, mpirun

START = """
import os, signal, sys, time
import emberjit as ms
from emberjit import Tensor, communication, ops
from emberjit.communication import comm_func
communication.init()
rank = communication.get_rank()
x = ops.ones((3,))
def step(): return comm_func.all_reduce(x)[0]
step()
"""
# What rank 1 does while the other is in a collective, and what is written.
FAULTS = {
    "an error": ("raise ValueError('rank 1 fails')", "ValueError: rank 1 fails"),
    "an error of an op": ("ops.ones((2,)) + ops.ones((3,))", "ValueError"),
    "an interrupt": (
        "signal.signal(signal.SIGINT, signal.default_int_handler); os.kill(os.getpid(), signal.SIGINT)",
        "KeyboardInterrupt",
    ),
    "a kill": ("os.kill(os.getpid(), signal.SIGKILL)", "signal 9"),
    "an exit": ("sys.exit(3)", ""),
}


@NEEDS_MPI
@pytest.mark.parametrize("fault", FAULTS)
def test_what_ends_one_ends_all(fault: str) -> None:
    code, text = FAULTS[fault]
    begun = time.monotonic()
    done = mpirun(2, "-c", f"{START}\nif rank == 1:\n    {code}\nwhile True:\n    step()\n")
    assert done.returncode != 0 and text in done.stdout + done.stderr, done.stdout + done.stderr
    assert time.monotonic() - begun < 60


@NEEDS_MPI
def test_an_interrupt_ends_a_process_that_waits() -> None:
    code = """
from emberjit.mint import distributed
pids = [None] * 2
distributed.all_gather_object(pids, os.getpid())
signal.signal(signal.SIGINT, signal.default_int_handler)
if rank == 1:
    time.sleep(0.5)
    os.kill(pids[0], signal.SIGINT)
    time.sleep(100)
step()
"""
    begun = time.monotonic()
    done = mpirun(2, "-c", START + code)
    assert done.returncode != 0 and "KeyboardInterrupt" in done.stderr, done.stdout + done.stderr
    assert time.monotonic() - begun < 60


@NEEDS_MPI
def test_one_that_is_done_while_others_communicate_is_an_error() -> None:
    done = mpirun(2, "-c", f"{START}\nif rank == 0:\n    step()\n")
    assert done.returncode != 0 and "rank 1: the end of the program" in done.stderr, done.stdout + done.stderr


@NEEDS_MPI
def test_a_process_that_computes_long_stalls_nobody() -> None:
    done = mpirun(2, "-c", START + "\ntime.sleep(3 * rank)\nsys.stdout.write(f'sum {step()}\\n')\n")
    assert done.returncode == 0 and done.stdout.count("sum [2. 2. 2.]") == 2, done.stdout + done.stderr


@NEEDS_MPI
def test_a_forked_child_is_told_that_it_does_not_communicate() -> None:
    code = """
child = os.fork()
if child == 0:
    try:
        step()
    except Exception as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
step()
"""
    done = mpirun(2, "-c", START + code)
    assert done.returncode == 0 and done.stdout.count("a forked child does not communicate") == 2, done.stdout + done.stderr


def test_without_mpi4py_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['mpi4py'] = None; from emberjit import communication; communication.init()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "pip install 'emberjit[mpi]'" in done.stderr and "openmpi-bin" in done.stderr
