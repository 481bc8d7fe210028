"""Python's recursion limit is the user's: captures change it in no thread, and what they give one is taken
back. Where a failure would end the process, the program runs in one of its own."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.dispatch.calls import ENGINE
from emberjit.capture.session.session import Session, active

ENGINES = ["ast", "bytecode"]
X = Tensor(np.ones(3, np.float32))


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def even(x, n):
    return x if n == 0 else odd(x, n - 1) + 1


def odd(x, n):
    return x if n == 0 else even(x, n - 1) * 2


def endless(x):
    return endless(x) + 1


def limit_when_called(x):
    return x * sys.getrecursionlimit()


def between_breaks(x, n):
    print(end="")
    y = x * deep(n)
    print(end="")
    return y + 1


def test_a_capture_leaves_the_limit_as_it_is():
    before = sys.getrecursionlimit()
    with active(Session(ENGINE)):
        assert sys.getrecursionlimit() == before
        assert deep(before * 2) == before * 2  # following takes more than what is followed
    assert sys.getrecursionlimit() == before
    with pytest.raises(RecursionError):
        deep(before * 2)


def test_a_limit_set_during_a_capture_stays():
    before = sys.getrecursionlimit()
    try:
        with active(Session(ENGINE)):
            sys.setrecursionlimit(before + 77)
        assert sys.getrecursionlimit() == before + 77
        with pytest.raises(RecursionError):
            deep(before + 100)
    finally:
        sys.setrecursionlimit(before)
    assert deep(before // 2) == before // 2


def test_captures_of_threads_overlap():
    before = sys.getrecursionlimit()
    entered, left = threading.Event(), threading.Event()

    def other():
        with active(Session(ENGINE)):
            entered.set()
            left.wait(60)

    thread = threading.Thread(target=other)
    with active(Session(ENGINE)):
        thread.start()
        entered.wait(60)
    left.set()
    thread.join()
    assert sys.getrecursionlimit() == before


def test_a_capture_that_ends_does_not_abort_a_deep_one_of_another_thread():
    program = """
import threading
from emberjit.capture.dispatch.calls import ENGINE
from emberjit.capture.session.session import Session, active
entered, left = threading.Event(), threading.Event()
def deep(n):
    if n:
        return 1 + deep(n - 1)
    entered.set()
    left.wait(60)
    return len([str(i) for i in range(3)]) - 3
def other():
    with active(Session(ENGINE)):
        print(deep(3000))
thread = threading.Thread(target=other)
with active(Session(ENGINE)):
    thread.start()
    entered.wait(60)
left.set()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "3000\n"), done.stderr


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ENGINES)
@pytest.mark.parametrize("function", [endless, lambda x: even(x, 10**6), lambda x: x * deep(10**5)])
def test_after_a_recursion_error_all_is_usable(function, mode):
    jitted, fine = ms.jit(function, capture_mode=mode), ms.jit(between_breaks, capture_mode=mode)
    before = sys.getrecursionlimit()
    failures = []

    def calls():
        for _ in range(4):
            try:
                jitted(X)
            except (RecursionError, RuntimeError) as error:
                failures.append(error)
            assert fine(X, 20).asnumpy().tolist() == [21.0] * 3

    calls()
    thread = threading.Thread(target=calls)
    thread.start()
    thread.join()
    assert len(failures) == 8
    assert sys.getrecursionlimit() == before
    assert deep(before // 2) == before // 2


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ENGINES)
def test_a_captured_function_sees_the_users_limit(mode):
    jitted = ms.jit(limit_when_called, capture_mode=mode)
    assert jitted(X).asnumpy().tolist() == [float(sys.getrecursionlimit())] * 3


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ENGINES)
def test_a_function_with_breaks_starts_a_thread_that_captures(mode):
    def inner(x):
        print(end="")
        return x * deep(30)

    def starts(x):
        found = []
        y = x * 2
        print(end="")
        thread = threading.Thread(target=lambda: found.append(ms.jit(inner, capture_mode=mode)(x)))
        thread.start()
        thread.join()
        return y + found[0]

    jitted = ms.jit(starts, capture_mode=mode)
    before = sys.getrecursionlimit()
    for _ in range(5):
        assert jitted(X).asnumpy().tolist() == [32.0] * 3
        assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("mode", [*ENGINES, "trace"])
def test_a_limit_beyond_the_stack_is_no_end_of_the_process(mode):
    program = f"""
import sys
import emberjit as ms
from emberjit import Tensor, ops
sys.setrecursionlimit(10**6)
jit = lambda f: ms.jit(f, capture_mode={mode!r})
def endless(x):
    return jit(endless)(x) + 1
try:
    jit(endless)(Tensor([1.0]))
except RecursionError as error:
    print("refused")
print(jit(lambda x: x + 1)(Tensor([1.0])))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.returncode) == ("refused\n[2.]\n", 0), done.stderr[-2000:]


def test_nested_arguments_deeper_than_the_stack():
    program = """
import sys
import emberjit as ms
sys.setrecursionlimit(10**6)
nested = []
for _ in range(10**5):
    nested = [nested]
try:
    ms.jit(lambda x: 1)(nested)
except RecursionError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.returncode) == ("refused\n", 0), done.stderr[-2000:]
