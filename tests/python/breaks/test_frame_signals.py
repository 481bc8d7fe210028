"""What comes between the instructions that Python runs between graphs: tracers and profilers that are switched on, other
threads, forks, and signals, whose handlers raise, or call what is jitted. All is as if the function ran in Python."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from test_breaks import LOG
from values import array, plain

import emberjit as ms

pytestmark = pytest.mark.breaks

MODES = pytest.mark.parametrize("mode", ["ast", "bytecode"])
EVENTS: list[Any] = []


# Tracers and profilers ---------------------------------------------------------------------------------------------


def trace(frame, event, arg):
    EVENTS.append((event, frame.f_code.co_name, frame.f_lineno))
    return trace


def profile(frame, event, arg):
    EVENTS.append((event, getattr(arg, "__name__", None) if event.startswith("c_") else frame.f_code.co_name))


def doubled(t):
    return t * 2


def noted(t):
    LOG.append("noted")
    return float(doubled(t).sum())


def switch_on(switch, watcher):
    switch(watcher)


def watches_itself(x, switch, watcher):
    y = doubled(x)
    LOG.append("break")
    switch(watcher)
    a = noted(y)
    y = doubled(y) + 1
    b = sorted([y, y * 2], key=noted)
    switch(None)
    return a, b, noted(y)


def is_watched_by_a_callee(x, switch, watcher):
    y = x * 2
    switch_on(switch, watcher)
    a = noted(y)
    y = y + 1
    b = sorted([y, y * 2], key=noted)
    switch(None)
    return a, b, y


def is_watched_at_times(x, switch, watcher):
    for i in range(4):
        switch(watcher if i % 2 else None)
        x = (x + noted(x)) * 0.5
    switch(None)
    return x


def is_watched_no_longer(x, switch, watcher):
    a = noted(x * 2)
    switch(None)
    return a, noted(x)


def watched(function: Callable[..., Any], before: bool, switch: Any, watcher: Any) -> Any:
    """What a function returns and does, and what is seen of others that it calls."""
    EVENTS.clear()
    LOG.clear()
    x = array(1, 2)
    if before:
        switch(watcher)
    try:
        result = function(x, switch, watcher)
    finally:
        switch(None)
    own = getattr(function, "__wrapped__", function).__name__
    seen = [event for event in EVENTS if event[1] not in (own, watched.__name__) and event != ("c_call", switch.__name__)]
    return plain(result), list(LOG), [event for event in seen if event[1] != switch.__name__]


@MODES
@pytest.mark.parametrize("switch, watcher", [(sys.settrace, trace), (sys.setprofile, profile)], ids=["trace", "profile"])
@pytest.mark.parametrize(
    "function", [watches_itself, is_watched_by_a_callee, is_watched_at_times, is_watched_no_longer], ids=lambda f: f.__name__
)
def test_tracers_see_the_users_frames(function: Any, switch: Any, watcher: Any, mode: str) -> None:
    """Of graphs a profiler sees nothing, of loops calls of `next`; while a tracer is there, there are no graphs."""
    noted(array(1, 2))
    jitted = ms.jit(function, capture_mode=mode)
    before = function is is_watched_no_longer
    unequal = ("doubled", "next") if switch is sys.setprofile else ()
    for _ in range(4):
        found, wanted = (watched(f, before, switch, watcher) for f in (jitted, function))
        for one in (found, wanted):
            one[2][:] = [event for event in one[2] if event[1] not in unequal]
        assert found == wanted and found[2]


@MODES
def test_a_tracer_of_another_thread(mode: str) -> None:
    jitted = ms.jit(is_watched_at_times, capture_mode=mode)
    threads = set()
    wanted = plain(is_watched_at_times(array(1, 2), print_nothing, None))

    def note(frame: Any, event: str, arg: Any) -> Any:
        threads.add(threading.get_ident())
        return note

    def run(watcher: Any, found: list[Any]) -> None:
        sys.settrace(watcher)
        try:
            found += [plain(jitted(array(1, 2), print_nothing, None)) for _ in range(8)]
        finally:
            sys.settrace(None)

    found: list[Any] = []
    traced = threading.Thread(target=run, args=(note, found))
    others = [threading.Thread(target=run, args=(None, found)) for _ in range(2)]
    for thread in (traced, *others):
        thread.start()
    for thread in (traced, *others):
        thread.join()
    assert found == [wanted] * 24 and threads == {traced.ident}


def print_nothing(*_):
    print(end="")


# Threads and forks -------------------------------------------------------------------------------------------------


class Counted:
    def __init__(self):
        self.lock, self.entered = threading.Lock(), 0


def shares(x, counted, own):
    for i in range(5):
        own.append(i)
        x = x * 2 + i
        with counted.lock:
            counted.entered += 1
        try:
            if i == 3:
                raise KeyError(i)
        except KeyError as error:
            x = x + error.args[0]
    return x, sorted([x, x * -1], key=lambda t: float(t.sum()) + i)


@MODES
def test_threads_run_a_function_at_once(mode: str) -> None:
    """From its first call on, of which each may capture."""
    for _ in range(3):
        jitted, counted, failed = ms.jit(shares, capture_mode=mode), Counted(), []

        def work(
            k: int,
            jitted: Any = jitted,
            counted: Any = counted,
            failed: list[Any] = failed,
            start: Any = threading.Barrier(4),
        ) -> None:
            start.wait()
            for i in range(15):
                own: list[int] = []
                found, wanted = jitted(array(k, i), counted, own), shares(array(k, i), Counted(), [])
                if plain(found) != plain(wanted) or own != [0, 1, 2, 3, 4]:
                    failed.append((k, i, own))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed and counted.entered == 4 * 15 * 5


def forks(x, children, by_callback):
    y = x * 2
    if by_callback:
        sorted([y, y + 1], key=lambda t: children.append(os.fork()) or float(t.sum()) if not children else 0.0)
    else:
        children.append(os.fork())
    try:
        y = y + 1
        LOG.append("after")
    finally:
        y = y * 3
        LOG.append("finally")
    return y


@MODES
@pytest.mark.parametrize("by_callback", [False, True])
def test_a_child_goes_on_after_the_break_that_forks(by_callback: bool, mode: str) -> None:
    jitted, parent = ms.jit(forks, capture_mode=mode), os.getpid()
    for _ in range(4):
        children: list[int] = []
        LOG.clear()
        right = False
        try:
            right = plain(jitted(array(1, 2), children, by_callback)) == [9, 15] and LOG == ["after", "finally"]
            right = right and plain(jitted(array(1, 2), [0], by_callback) if by_callback else [9, 15]) == [9, 15]
        finally:
            if os.getpid() != parent:
                os._exit(0 if right else 1)
        assert right and [os.waitpid(child, 0)[1] for child in children] == [0]


# Signals -----------------------------------------------------------------------------------------------------------

_START = """
import gc, os, random, signal, sys, threading, time
import numpy as np
import emberjit as ms
from emberjit import Tensor
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores
random.seed(1)
class Log(list): pass  # which breaks graphs
LOG = Log()
class Alarm(Exception): pass
def array(*values): return Tensor(np.float32(values))
def plain(value): return value.asnumpy().tolist() if isinstance(value, Tensor) else value
def set_timer(seconds): signal.setitimer(signal.ITIMER_REAL, seconds)
class Manager:
    def __enter__(self): LOG.append("enter")
    def __exit__(self, *_): LOG.append("exit")
def work(x):
    LOG.append("begin")
    try:
        for i in range(6):
            LOG.append(i)
            x = x * 2 + i
            with Manager():
                x = x - 1
            LOG.append(float(x[0]))
    except Alarm:
        LOG.append("alarm")
        raise
    finally:
        LOG.append("finally")
        LOG.append("last")
    return x
RESULT, WHOLE = plain(work(array(1, 2))), list(LOG)
BODY = WHOLE[1:WHOLE.index("finally")]
"""


def run(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{_START}{program}\nprint('done')"], capture_output=True, text=True, timeout=200, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout[-2000:] + done.stderr[-4000:]


_CHECK = """
raised = 0
def handler(*_):
    global raised
    raised += 1
    raise Alarm
signal.signal(signal.SIGALRM, handler)
def check(function, arm):
    global raised
    LOG.clear(); raised = 0
    result = None
    try:
        try:
            arm()
            result = plain(function(array(1, 2)))
        finally:
            set_timer(0)
    except Alarm:
        result = "alarm"
    assert (result == "alarm") == (raised == 1), (result, raised, LOG)
    if result == RESULT:
        assert LOG == WHOLE, LOG
        return 0
    assert result == "alarm", result
    if LOG[:1] != ["begin"] or LOG == WHOLE:
        return 0
    end = LOG.index("finally") if "finally" in LOG else len(LOG)
    body, rest = LOG[1:end], LOG[end:]
    in_finally = rest in (["finally"], ["finally", "last"]) and body == BODY
    assert in_finally or rest == ["finally", "last"] or not body, LOG
    if "alarm" in body:
        assert body.pop() == "alarm"
    while body and body[-1] == "exit" and body != BODY[:len(body)]:
        body.pop()
    assert body == BODY[:len(body)], LOG
    return int(0 < len(body) < len(BODY))
"""


@MODES
def test_what_a_handler_raises_finds_the_functions_own_handlers(mode: str) -> None:
    """At any time: as a graph is captured, runs, or between. It comes out once, after `finally`, and all is usable."""
    run(f"""
{_CHECK}
def called(calls):
    jitted = ms.jit(work, capture_mode={mode!r})
    for _ in range(calls):
        jitted(array(1, 2))
    return jitted
inside = 0
for calls, tries in ((0, 40), (1, 40), (8, 300)):
    jitted, begun = called(calls), time.perf_counter()
    jitted(array(1, 2))
    longest = max(1.2 * (time.perf_counter() - begun), 2e-5)
    for k in range(tries):
        jitted = called(calls) if k == 0 or calls < 8 else jitted
        inside += check(jitted, lambda: set_timer(random.uniform(1e-5, longest)))
        LOG.clear()
        assert (plain(jitted(array(1, 2))), LOG) == (RESULT, WHOLE)
assert inside > 5, inside
""")


@MODES
def test_what_a_handler_raises_before_a_call_is_of_what_came_before(mode: str) -> None:
    """At each instruction that calls something, before it has called it: CPython looks for signals after calls, so what
    has left a `try` or a `with` by then has not yet. The code of a call is made where an instruction calls first."""
    run(f"""
{_CHECK}
from emberjit import _emberjit as core
from emberjit.capture.bytecode import frame, user_frames
from emberjit.capture.code import decoding
sites, signalled = 0, -1
def signalling(function):
    def calls(*args, **kwargs):
        global sites
        sites += 1
        if sites == signalled:
            os.kill(os.getpid(), signal.SIGALRM)
        return function(*args, **kwargs)
    return calls
core.provide_calls(signalling(user_frames.call_site), user_frames.NAMES, frame.LOOKING)
frame.Frame.do = signalling(frame.Frame.do)
def arm():
    global sites
    sites = 0
def warm(calls):
    global sites
    decoding._decoded.cache_clear()
    jitted = ms.jit(work, capture_mode={mode!r})
    sites = 1000
    for _ in range(calls):
        jitted(array(1, 2))
    return jitted
for calls in (0, 1, 2):
    jitted, signalled = warm(calls), -1
    arm()
    jitted(array(1, 2))
    every, signalled = sites, 0
    assert 5 < every < 200
    while signalled < every:
        jitted = warm(calls)
        signalled += 1
        check(jitted, arm)
        sites = 1000
        LOG.clear()
        assert (plain(jitted(array(1, 2))), LOG) == (RESULT, WHOLE)
""")


@MODES
def test_ctrl_c_in_a_capture_is_no_error_of_the_users_code(mode: str) -> None:
    """Of which the graph would have the handler ever after."""
    run(f"""
def make():
    @ms.jit(capture_mode={mode!r})
    def f(x):
        try:
            for i in range(60):
                x = x + i
        except:
            x = x * 0
        return x
    return f
interrupted = 0
for k in range(60):
    f = make()
    timer = threading.Timer(random.uniform(0, 0.02), os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        found = plain(f(array(1, 2)))
        assert found == [1771, 1772], found
        timer.join()
        for _ in range(100):
            time.sleep(0.001)
        assert False, "lost"
    except KeyboardInterrupt:
        interrupted += 1
    timer.join()
    assert plain(f(array(1, 2))) == [1771, 1772]
    assert not f.breaks, f.breaks
assert interrupted == 60
assert gc.isenabled() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
""")


@MODES
def test_a_handler_calls_the_function_that_it_interrupts(mode: str) -> None:
    run(f"""
jitted = ms.jit(work, capture_mode={mode!r})
inner = []
def handler(*_):
    outer = list(LOG)
    LOG.clear()
    inner.append((plain(jitted(array(1, 2))), list(LOG)))
    LOG[:] = outer
    set_timer(0.004)
signal.signal(signal.SIGALRM, handler)
set_timer(0.001)
while len(inner) < 40:
    LOG.clear()
    found = plain(jitted(array(1, 2)))
    assert (found, LOG) == (RESULT, WHOLE), (found, LOG)
set_timer(0)
assert all(one == (RESULT, WHOLE) for one in inner), inner
""")


def test_handlers_are_there_in_a_child_of_another_thread() -> None:
    """That forks while the main thread captures."""
    run("""
def handler(*_): raise Alarm
signal.signal(signal.SIGALRM, handler)
status = []
def fork():
    while len(status) < 12:
        pid = os.fork()
        if pid == 0:
            right = signal.getsignal(signal.SIGALRM) is handler and gc.isenabled()
            right = right and signal.getsignal(signal.SIGINT) is signal.default_int_handler
            os._exit(0 if right else 1)
        status.append(os.waitpid(pid, 0)[1])
forking = threading.Thread(target=fork)
forking.start()
k = 0
while forking.is_alive():
    k += 1
    def f(x):
        for i in range(40):
            x = x + i * k
        return x
    assert plain(ms.jit(f)(array(1))) == [1 + 780 * k]
assert set(status) == {0}, status
assert signal.getsignal(signal.SIGALRM) is handler and gc.isenabled()
""")
