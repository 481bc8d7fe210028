"""Forks while other threads are at something: the child has all that it needs, and waits for none of them."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core
from emberjit.forks import ForkLock


def shown() -> Any:
    """What shows warnings, and which: a capture changes both for as long as it lasts."""
    return warnings._showwarnmsg, list(warnings.filters)  # type: ignore[attr-defined]


def in_child(work: Callable[[], bool]) -> bool:
    """Whether work succeeds in a forked child, which a hang ends by a signal."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)
        passed = False
        try:
            passed = work()
        finally:
            os._exit(0 if passed else 1)
    return os.waitpid(pid, 0)[1] == 0


def run_script(script: str) -> str:
    """What a program prints, which a hang ends."""
    environment = {**os.environ, "PYTHONPATH": str(Path(ms.__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_fork_while_the_main_thread_computes() -> None:
    script = """
import os, threading
import numpy as np
import emberjit as ms
from emberjit import Tensor, ops

ms.set_context(runtime_num_threads=2)
x = Tensor(np.ones(4_000_000, np.float32))
passed = []

def fork_often():
    for _ in range(12):
        pid = os.fork()
        if pid == 0:
            os._exit(0 if float(ops.exp(x[:100_000]).sum()) > 1 else 1)
        passed.append(os.waitpid(pid, 0)[1] == 0)

forker = threading.Thread(target=fork_often)
forker.start()
while forker.is_alive():
    y = ops.erfinv(ops.tanh(x) * 0.5)
print(passed == [True] * 12)
"""
    assert run_script(script) == "True"


def test_a_signal_handler_forks_in_a_job() -> None:
    script = """
import os, signal
import numpy as np
from emberjit import Tensor, ops

x = Tensor(np.full(8_000_000, 0.5, np.float32))
want = float(ops.erfinv(x)[-1])
status = []

def handler(*_):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        os._exit(0 if float(ops.exp(x[:1_000_000])[-1]) > 1 else 1)
    status.append(os.waitpid(pid, 0)[1])

signal.signal(signal.SIGPROF, handler)
signal.setitimer(signal.ITIMER_PROF, 0.03, 0.03)
while len(status) < 5:
    assert float(ops.erfinv(x)[-1]) == want
signal.setitimer(signal.ITIMER_PROF, 0)
print(set(status) == {0})
"""
    assert run_script(script) == "True"


@pytest.fixture
def capturing() -> Iterator[Any]:
    """Two threads capture one function after the other; what shows warnings where nothing is captured."""
    stop, before = threading.Event(), shown()

    def capture() -> None:
        x = Tensor(np.ones(3, np.float32))
        while not stop.is_set():
            ms.jit(lambda y: ops.tanh(y * 2) + y)(x)

    threads = [threading.Thread(target=capture) for _ in range(2)]
    for thread in threads:
        thread.start()
    yield before
    stop.set()
    for thread in threads:
        thread.join()


@pytest.mark.alone
def test_fork_while_others_capture(capturing: Any) -> None:
    x = Tensor(np.ones(3, np.float32))

    def captures_alone() -> bool:
        clean = shown() == capturing
        return clean and ms.jit(lambda y: y * 3)(x).asnumpy().tolist() == [3.0] * 3 and shown() == capturing

    assert [in_child(captures_alone) for _ in range(60)] == [True] * 60


@pytest.mark.alone
@pytest.mark.breaks
def test_fork_within_a_capture() -> None:
    """The child goes on with the capture of the thread that forked, and ends it."""
    x = Tensor(np.ones(3, np.float32))

    def f(y: Tensor) -> Any:
        if os.getpid() == parent and core.current_capture() is not None:
            children.append(os.fork())
        return y + 1

    parent, children, before = os.getpid(), [], shown()
    value = ms.jit(f)(x).asnumpy().tolist()
    clean = shown() == before
    if os.getpid() != parent:
        os._exit(0 if clean and value == [2.0] * 3 else 1)
    assert clean and all(os.waitpid(child, 0)[1] == 0 for child in children)


@pytest.fixture
def slow_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two modules of this package that take a while to load, one in the other's body; what tells that one has begun."""
    begun = threading.Event()
    monkeypatch.setattr(threading, "slow_import_begun", begun, raising=False)
    monkeypatch.setattr(ms, "__path__", [*ms.__path__, str(tmp_path)])
    (tmp_path / "slow_part.py").write_text("import time\ntime.sleep(0.2)\n")
    (tmp_path / "slow_whole.py").write_text(
        "import threading, time\nthreading.slow_import_begun.set()\ntime.sleep(0.2)\nfrom emberjit import slow_part\n"
    )
    yield begun
    for name in ("slow_whole", "slow_part"):
        sys.modules.pop(f"emberjit.{name}", None)
        ms.__dict__.pop(name, None)


def test_fork_while_another_thread_imports(slow_modules: threading.Event) -> None:
    """Modules load when first needed, and Python leaves the locks of those that are being imported locked in a child."""
    importing = threading.Thread(target=importlib.import_module, args=("emberjit.slow_whole",))
    importing.start()
    slow_modules.wait()
    passed = in_child(lambda: hasattr(importlib.import_module("emberjit.slow_whole"), "slow_part"))
    importing.join()
    assert passed


@pytest.mark.parametrize("after", ["", "raise SystemExit(0)"])
def test_a_signal_handler_forks_as_lapack_computes(after: str) -> None:
    """The child has no thread that computes: the call ends as if interrupted."""
    script = f"""
import os, signal, threading
import numpy as np
from emberjit import Tensor, ops

square = Tensor(np.random.default_rng(1).standard_normal((500, 500)))
ops.svd(square[:200, :200])
parent, children, threads = os.getpid(), [], len(os.listdir("/proc/self/task"))

def handler(*_):
    children.append(os.fork())
    if os.getpid() != parent:
        signal.alarm(60)
        {after}

def watch():
    while len(os.listdir("/proc/self/task")) <= threads + 1:
        pass
    os.kill(parent, signal.SIGUSR1)

signal.signal(signal.SIGUSR1, handler)
threading.Thread(target=watch).start()
try:
    ops.svd(square)
except (KeyboardInterrupt, SystemExit):
    os._exit(0 if os.getpid() != parent else 1)
print(os.getpid() == parent, [os.waitpid(child, 0)[1] for child in children])
"""
    assert run_script(script) == "True [0]"


def test_fork_while_another_thread_draws_weights() -> None:
    script = """
import os, signal, threading
from emberjit import nn

def draw():
    while True:
        nn.Dense(300, 300)

threading.Thread(target=draw, daemon=True).start()
status = []
for _ in range(8):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        nn.Dense(2, 2)
        os._exit(0)
    status.append(os.waitpid(pid, 0)[1])
print(set(status), flush=True)
os._exit(0)
"""
    assert run_script(script) == "{0}"


def test_a_fork_waits_a_moment_for_imports(tmp_path: Path) -> None:
    """Another thread imports what waits for a lock that the forking thread has."""
    (tmp_path / "waiting.py").write_text("import threading\nthreading.begun.set()\nwith threading.held:\n    pass\n")
    script = f"""
import importlib, os, signal, threading
import emberjit

threading.begun, threading.held = threading.Event(), threading.Lock()
emberjit.__path__.append({str(tmp_path)!r})
importing = threading.Thread(target=importlib.import_module, args=("emberjit.waiting",))
with threading.held:
    importing.start()
    threading.begun.wait()
    pid = os.fork()
if pid == 0:
    signal.alarm(60)
    importlib.import_module("emberjit.waiting")
    os._exit(0)
importing.join()
print(os.waitpid(pid, 0)[1])
"""
    assert run_script(script) == "0"


def test_fork_as_another_thread_begins_an_import(tmp_path: Path) -> None:
    """A handler that runs after the library's lets the thread go on: what it has imported in part the child imports."""
    (tmp_path / "slow.py").write_text("import threading, time\nthreading.begun.set()\ntime.sleep(0.2)\nwhole = True\n")
    script = f"""
import importlib, os, signal, threading
threading.begun = threading.Event()
to_begin = threading.Event()

def begin_import():
    to_begin.set()
    threading.begun.wait()

os.register_at_fork(before=begin_import)
import emberjit
emberjit.__path__.append({str(tmp_path)!r})

def import_slow():
    to_begin.wait()
    importlib.import_module("emberjit.slow")

importing = threading.Thread(target=import_slow)
importing.start()
pid = os.fork()
if pid == 0:
    signal.alarm(60)
    os._exit(0 if importlib.import_module("emberjit.slow").whole else 1)
importing.join()
print(os.waitpid(pid, 0)[1])
"""
    assert run_script(script) == "0"


def test_fork_within_an_import(slow_modules: threading.Event, tmp_path: Path) -> None:
    """A module that is being imported forks, though another thread waits for it to be there."""
    (tmp_path / "slow_whole.py").write_text(
        "import os, threading, time\nthreading.slow_import_begun.set()\n"
        "time.sleep(0.2)\nchild = os.fork()\nif child == 0:\n    os._exit(0)\nstatus = os.waitpid(child, 0)[1]\n"
    )
    (tmp_path / "slow_part.py").write_text("from emberjit import slow_whole\n")

    def wait_for_whole() -> None:
        slow_modules.wait()
        importlib.import_module("emberjit.slow_part")

    waiting = threading.Thread(target=wait_for_whole)
    waiting.start()
    assert importlib.import_module("emberjit.slow_whole").status == 0
    waiting.join()


def test_a_child_has_its_own_locks() -> None:
    lock, held, stop = ForkLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            stop.wait()

    def take() -> bool:
        with lock, lock:
            return True

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    passed = in_child(take)
    stop.set()
    thread.join()
    assert passed


def test_a_child_keeps_the_locks_of_the_thread_that_forked() -> None:
    """As where a signal handler forks while a capture begins."""
    lock, child = ForkLock(), -1
    try:
        with lock, lock:
            child = os.fork()
    except RuntimeError:
        if child == 0:
            os._exit(1)
        raise
    if child == 0:
        free = threading.Thread(target=lambda: lock.__enter__(), daemon=True)
        free.start()
        free.join(10)
        os._exit(free.is_alive())
    assert os.waitpid(child, 0)[1] == 0


def test_fork_while_a_checkpoint_is_awaited(tmp_path: Path) -> None:
    """The child saves another one, though a thread of the parent has the lock."""
    from emberjit.train import serialization

    begun, stop = threading.Event(), threading.Event()

    def write() -> None:
        begun.set()
        stop.wait()

    serialization._writer.start(write)
    begun.wait()
    waiting = threading.Thread(target=serialization.wait_for_writes)
    waiting.start()
    time.sleep(0.05)  # it has the lock, or the test passes in vain

    def save() -> bool:
        ms.save_checkpoint([{"name": "a", "data": Tensor([1.0])}], str(tmp_path / "a.ckpt"), async_save=True)
        serialization.wait_for_writes()
        return float(ms.load_checkpoint(str(tmp_path / "a.ckpt"))["a"]) == 1.0

    passed = in_child(save)
    stop.set()
    waiting.join()
    assert passed


def test_a_checkpoint_that_is_loaded_meanwhile(tmp_path: Path) -> None:
    from emberjit.train.serialization import ParamDictFuture

    stop, parent = threading.Event(), os.getpid()

    def load() -> dict[str, Any]:
        if os.getpid() == parent:
            stop.wait()
        return {"a": 1}

    future = ParamDictFuture(load)
    passed = in_child(lambda: future.result() == {"a": 1})
    stop.set()
    assert passed and future.result() == {"a": 1}


def test_threads_of_a_pipeline() -> None:
    from emberjit.dataset.workers import Threads

    def slow(item: int) -> int:
        time.sleep(0.001)
        return 2 * item

    with Threads(slow, 2) as threads:
        want = [2 * i for i in range(40)]
        assert list(threads.map(range(40))) == want
        assert threads.executor is not None
        assert in_child(lambda: list(threads.map(range(40))) == want)


def test_spans_of_a_child_are_of_its_thread() -> None:
    def thread_of_a_span() -> int:
        core.record_spans(True)
        core.add_span("span", 0, 1)
        core.record_spans(False)
        ((*_, thread),) = core.take_spans()
        return int(thread)

    assert thread_of_a_span() == threading.get_native_id()
    assert in_child(lambda: thread_of_a_span() == threading.get_native_id())
