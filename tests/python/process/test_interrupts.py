"""Signals, threads and the end of the process: long work stops when a handler raises, lets other threads run, and never
ends the process by itself. Each program runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit import _emberjit as core

_START = """
import os, signal, sys, threading, time
import numpy as np
import emberjit as ms
from emberjit import Parameter, Tensor
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores
a = Tensor(np.full((1000, 1000), 0.001, np.float32))
def chain(x):
    for _ in range(4000):
        x = x @ a
    return x
def interrupt(seconds):
    def send():
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()
"""

_CALLS = {
    "eager": "chain",
    "ast": "ms.jit(chain)",
    "bytecode": "ms.jit(chain, capture_mode='bytecode')",
    "gradient": "ms.grad(lambda x: chain(x).sum())",
    "one kernel": "lambda x: Tensor(np.ones((1 << 28), np.float32)).exp().tanh().exp().tanh().exp().tanh()",
}


def run(program: str, *arguments: Any, timeout: int = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _START + program, *arguments], capture_output=True, text=True, timeout=timeout, check=False
    )


@pytest.mark.parametrize("call", _CALLS)
def test_an_interrupt_stops_long_work(call: str) -> None:
    done = run(f"""
f = {_CALLS[call]}
interrupt(0.3)
try:
    f(a)
    print("finished")
except KeyboardInterrupt as error:
    lines = []
    trace = error.__traceback__
    while trace is not None:
        lines.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    print("stopped", lines[0])
ones = Tensor(np.ones((300, 300), np.float32))
print(float((ones @ ones).sum()))
""")
    assert done.stdout.split("\n")[:2] == ["stopped <string>", "27000000.0"], (done.stdout, done.stderr)


@pytest.mark.parametrize("wrap", ["", "ms.jit", "ms.grad"])
def test_a_call_of_a_library_that_goes_on_does_no_harm(wrap: str) -> None:
    """What LAPACK computes cannot be stopped: it goes on by itself, also while the process ends."""
    done = run(f"""
x = Tensor(np.random.default_rng(1).standard_normal((2000, 2000)))
y = x[:9, :9]
def f(x):
    return ms.ops.svd(x, compute_uv=False).sum()
f = {wrap or ""}(f)
before = f(y).asnumpy()
interrupt(0.2)
try:
    f(x).asnumpy()
    print("finished")
except KeyboardInterrupt:
    print("stopped")
print((f(y).asnumpy() == before).all())
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\nTrue\n", "")


def test_a_handler_that_returns_stops_nothing() -> None:
    done = run("""
seen = []
def handler(*_):
    seen.append(float((Tensor(np.ones((64, 64), np.float32)) @ Tensor(np.ones((64, 64), np.float32))).sum()))
signal.signal(signal.SIGINT, handler)
x = Tensor(np.random.rand(1500, 1500).astype(np.float32))
y = x @ x
interrupt(0.05)
for _ in range(40):
    assert (x @ x).asnumpy().tobytes() == y.asnumpy().tobytes()
print(seen)
""")
    assert done.stdout == "[262144.0]\n", done.stderr


def test_views_that_a_handler_drops_while_they_are_written() -> None:
    """Their gradients are followed by ops, in which handlers run."""
    done = run("""
x = Tensor(np.ones(1_000_000, np.float32))
views, fresh, dropped = [], [], 0
def handler(*_):
    global dropped
    if views:
        dropped += 1
        views.clear()
        fresh.extend(Tensor(np.float32(1)) for _ in range(60))
signal.signal(signal.SIGALRM, handler)
def f(x):
    y = x * 1.0
    fresh.clear()
    views.extend(y[i:] for i in range(30))
    y.mul_(x)
    views.clear()
    return sum((one.sum() for one in fresh), y.sum())
for i in range(100):
    signal.setitimer(signal.ITIMER_REAL, 0.01 + 0.002 * i)
    gradient = ms.grad(f)(x).asnumpy()
    assert gradient.min() == gradient.max() == 2, gradient
    if dropped == 12:
        break
print(dropped)
""")
    assert done.stdout == "12\n", done.stderr


def test_what_is_written_in_place_is_whole() -> None:
    done = run("""
p = Parameter(Tensor(np.zeros(1 << 24, np.float32)), name="p")
class Stop(Exception): pass
def handler(*_): raise Stop
signal.signal(signal.SIGALRM, handler)
def write():
    ms.ops.assign_add(p, Tensor(np.ones(1 << 24, np.float32)))
    p.set_data(p * 1.5)
write()  # imports what it needs: Python drops what is raised in the callbacks of its import locks
for i in range(20):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02 + 0.001 * i)
        while True:
            write()
    except Stop:
        pass
    values = p.asnumpy()
    assert values.min() == values.max()
print("whole")
""")
    assert done.stdout == "whole\n", done.stderr


@pytest.mark.parametrize("call", ["eager", "ast", "gradient"])
@pytest.mark.parametrize("size", [8, 400])
def test_a_daemon_thread_may_be_in_a_call_at_exit(call: str, size: int) -> None:
    for _ in range(2):
        done = run(f"""
a = Tensor(np.full(({size}, {size}), 0.001, np.float32))
def chain(x):
    for _ in range(20):
        x = x @ a
    return x
f = {_CALLS[call]}
f(a)
def work():
    while True:
        f(a)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.02)
""")
        assert done.returncode == 0, done.stderr


def test_a_daemon_thread_may_print_at_exit() -> None:
    for _ in range(3):
        done = run("""
@ms.jit
def f(a):
    ms.ops.print_("sum", a.sum())
    return a + 1
f(Tensor(np.ones(4, np.float32)))
def work():
    while True:
        f(Tensor(np.ones(4, np.float32)))
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.02)
""")
        assert done.returncode == 0, done.stderr


def test_other_threads_run_while_a_long_kernel_does() -> None:
    x = Tensor(np.ones((2048, 2048), np.float32))
    running, seen = True, 0

    def count() -> None:
        nonlocal seen
        while running:
            seen += 1

    thread = threading.Thread(target=count)
    thread.start()
    _ = x @ x
    before = seen
    _ = x @ x
    counted = seen - before
    running = False
    thread.join()
    assert counted > 1000


_REFUSE = """
import INTERPRETERS as interpreters, sys
def refuse():
    made = interpreters.create()
    try:
        failed = interpreters.run_string(made, f"import sys; sys.path[:] = {sys.path!r}; import emberjit")
        print(getattr(failed, "formatted", failed))
    except RuntimeError as error:
        print(error)
    interpreters.run_string(made, "sorted([2, 1], key=lambda n: n)")
    interpreters.destroy(made)
"""
_PLACES = {
    "first": "refuse()" + _START,
    "beside": _START + "ms.jit(lambda x: x * 2)(a)\nrefuse()",
    "in breaks": _START + "f = ms.jit(lambda x: (x * 2, refuse(), x + 1))\nfor _ in range(3): f(a)",
    "in a thread": _START + "thread = threading.Thread(target=refuse)\nthread.start()\nthread.join()",
}


@pytest.mark.parametrize("place", _PLACES)
def test_a_subinterpreter_is_refused(place: str) -> None:
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    pytest.importorskip(name)
    program = f"{_REFUSE.replace('INTERPRETERS', name)}{_PLACES[place]}\nprint((ms.jit(lambda x: x + 1)(a) - a).shape)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    *refused, last = done.stdout.splitlines()
    assert done.returncode == 0 and last == "(1000, 1000)", done.stderr
    assert refused and all("ImportError" in line and ("main" in line or "sub" in line) for line in refused)


def test_a_list_that_changes_before_the_first_run() -> None:
    """As another thread may, here from a guard's look at the arguments."""
    for _ in range(20):
        items = [Tensor([1.0]), Tensor([2.0])]
        jitted = ms.jit(lambda values: values[0] + values[-1])
        stop = False

        def change(values: list[Tensor] = items) -> None:
            while not stop:
                values.append(Tensor([3.0]))
                values.pop()

        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(5):
                jitted(items)
        except (RuntimeError, ms._emberjit.CaptureError):  # it was changed while it was read
            pass
        finally:
            stop = True
            thread.join()


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("delay", [0.001, 0.008])
def test_a_handler_calls_what_is_jitted_while_another_is_captured(mode: str, delay: float) -> None:
    done = run(f"""
x = Tensor(np.ones(4, np.float32))
handled, begun = [], []
def tripled(x):
    return x * 3
def watched(x):
    handled.append(1)
    return x * 3
jitted = [ms.jit(tripled, capture_mode="{mode}"), ms.jit(watched, capture_mode="{mode}"), tripled]
def handler(signum, frame):
    for f in jitted:
        begun.append((f(x + 1) - 1).asnumpy()[0])
    signal.setitimer(signal.ITIMER_REAL, 0.002)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, {delay})
def make(k):
    @ms.jit(capture_mode="{mode}")
    def f(x):
        for i in range(20):
            x = x + k
        return x
    return f
results = [make(k)(x).asnumpy()[0] for k in range(40)]
signal.signal(signal.SIGALRM, signal.SIG_IGN)
assert results == [1 + 20 * k for k in range(40)], results
assert begun and set(begun) == {{5.0}}, begun
assert len(handled) == len(begun) // 3, (handled, begun)
""")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_another_thread_changes_while_a_function_is_captured_stays(mode: str) -> None:
    counts, total, stop = {"calls": 0}, 0, threading.Event()

    def count() -> None:
        nonlocal total
        while not stop.is_set():
            counts["calls"] += 1
            total += 1
            time.sleep(1e-5)

    def make() -> Any:
        @ms.jit(capture_mode=mode)
        def f(x: Tensor) -> Tensor:
            for i in range(50):
                x = x + min(counts["calls"], 0) + i
            ms.refused = x  # what no graph holds
            return x

        return f

    counting = threading.Thread(target=count)
    counting.start()
    try:
        found = {float(make()(Tensor(1.0))) for _ in range(40)}
    finally:
        stop.set()
        counting.join()
        vars(ms).pop("refused", None)
    assert found == {1226.0}
    assert counts["calls"] == total


_ENDS = {"del": "del ending", "cycle": "cycle = [ending]; cycle.append(cycle); del ending, cycle; gc.collect()"}


@pytest.mark.parametrize("end", _ENDS.values(), ids=_ENDS)
def test_an_interrupt_while_an_iterator_ends_is_raised(end: str) -> None:
    done = run(f"""
import gc
from emberjit import dataset as ds
ending = iter(ds.GeneratorDataset(list(range(30)), "a").batch(2))
next(ending)
ending.run._closing.callback(os.kill, os.getpid(), signal.SIGINT)
try:
    {end}
    for _ in range(9):
        pass
    print("lost")
except KeyboardInterrupt:
    print("raised")
""")
    assert (done.stdout, done.stderr) == ("raised\n", "")


@pytest.mark.parametrize("end", _ENDS.values(), ids=_ENDS)
def test_an_interrupt_while_a_file_is_discarded_is_raised(end: str, tmp_path: Path) -> None:
    done = run(
        f"""
import gc
from emberjit import mindrecord
ending = mindrecord.FileWriter(os.path.join(sys.argv[1], "rows"), 3)
ending.add_schema({{"a": {{"type": "int32"}}}}, "rows")
ending.write_raw_data([{{"a": 1}}, {{"a": 2}}, {{"a": 3}}])
remove = os.remove
def interrupted(path):
    os.remove = remove
    os.kill(os.getpid(), signal.SIGINT)
os.remove = interrupted
try:
    {end}
    for _ in range(9):
        pass
    print("lost")
except KeyboardInterrupt:
    print("raised", os.listdir(sys.argv[1]))
""",
        tmp_path,
    )
    assert (done.stdout, done.stderr) == ("raised []\n", "")


def test_what_is_ended_by_a_call_is_ended_whole() -> None:
    calls: list[int] = []

    def end() -> None:
        calls.append(len(calls))
        if len(calls) == 1:
            raise KeyboardInterrupt

    ending = core.Finalizer(end)
    with pytest.raises(KeyboardInterrupt):
        ending()
    ending()
    assert calls == [0, 1]


def test_lapack_takes_no_signal_of_the_process() -> None:
    program = """
import os, signal, threading
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMAX})
import numpy as np
from emberjit import Tensor, ops
square = Tensor(np.random.default_rng(1).standard_normal((500, 500)))
ops.svd(square[:200, :200])
threads = len(os.listdir("/proc/self/task"))
def send():
    while len(os.listdir("/proc/self/task")) <= threads + 1:
        pass
    os.kill(os.getpid(), signal.SIGRTMAX)
sending = threading.Thread(target=send)
sending.start()
ops.svd(square)
sending.join()
print(signal.sigtimedwait({signal.SIGRTMAX}, 1).si_signo == signal.SIGRTMAX)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
