"""Debuggers stop in the user's frames, and tracebacks show these only."""

from __future__ import annotations

import pdb
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn

X = Tensor(np.float32([1, 2]))
ENGINES = ["ast", "bytecode"]
pytestmark = pytest.mark.breaks


def stops(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, dict[str, Any]]]:
    """Function, line and variables wherever breakpoint() stops from now on."""
    seen = []

    def hook() -> None:
        frame = sys._getframe(1)
        seen.append((frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, dict(frame.f_locals)))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    return seen


def stopped(x, k):
    y = x * k
    breakpoint()
    return y + 1


def stopped_later(x, k):
    total = float(x.sum().item())
    y = x * k
    breakpoint()
    return y + total


def calls_stopped(x, k):
    z = stopped(x, k)
    return z * 2


@pytest.mark.parametrize("mode", ENGINES)
@pytest.mark.parametrize("function, line", [(stopped, 2), (stopped_later, 3), (calls_stopped, 2)])
def test_breakpoint_stops_where_it_stands(mode, function, line, monkeypatch):
    seen = stops(monkeypatch)
    jitted = ms.jit(function, capture_mode=mode)
    for call in range(3):
        assert jitted(X, 3).asnumpy().tolist() == function(X, 3).asnumpy().tolist()
        for name, at, variables in seen[2 * call :]:
            assert (name, at) == (function.__name__ if function is stopped_later else "stopped", line)
            assert variables["y"].asnumpy().tolist() == [3, 6]
            assert sorted(variables) == sorted({"x", "k", "y", *(["total"] if function is stopped_later else [])})
    assert len(seen) == 6


@pytest.mark.parametrize("mode", ENGINES)
def test_set_trace_stops_in_the_users_frame(mode, monkeypatch):
    def f(x):
        y = x * 2
        pdb.set_trace()
        z = y + 1
        return z

    typed = iter(["p y.asnumpy().tolist()", "next", "next", "p z.asnumpy().tolist()", "continue"])
    printed: list[str] = []
    monkeypatch.setattr(pdb.Pdb, "message", lambda self, text: printed.append(str(text)))
    monkeypatch.setattr(pdb.Pdb, "cmdloop", lambda self, intro=None: debugged(self))
    monkeypatch.setattr(pdb.Pdb, "_cmdloop", lambda self: debugged(self))

    def debugged(debugger: pdb.Pdb) -> None:
        while not debugger.onecmd(next(typed)):
            pass

    before = sys.gettrace()
    try:
        assert ms.jit(f, capture_mode=mode)(X).asnumpy().tolist() == [3, 5]
    finally:
        sys.settrace(before)
    assert [text for text in printed if text.startswith("[")] == ["[2.0, 4.0]", "[3.0, 5.0]"]


def test_with_fullgraph_a_breakpoint_is_refused():
    with pytest.raises(ms.CaptureError, match=r"breakpoint\(\) stops in Python, not in a graph: leave fullgraph=True away"):
        ms.jit(stopped, fullgraph=True)(X, 3)


def traced(call: Callable[[], Any], name: str) -> list[tuple[str, int]]:
    """The events in frames of a function, with their lines."""
    events: list[tuple[str, int]] = []

    def trace(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code.co_name == name:
            events.append((event, frame.f_lineno - frame.f_code.co_firstlineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return events


EVENTS = [("call", 0), ("line", 1), ("line", 2), ("line", 3), ("return", 3)]


@pytest.mark.parametrize("mode", [*ENGINES, "trace"])
def test_a_trace_function_sees_every_line(mode):
    def lines(x):
        y = x * 2
        z = y + 1
        return z

    jitted = ms.jit(capture_mode=mode)(lines)
    assert traced(lambda: jitted(X), "lines") == EVENTS
    jitted(X)
    assert traced(lambda: jitted(X), "lines") == EVENTS
    assert jitted.explain()["entries"]
    assert jitted(X).asnumpy().tolist() == [3, 5]


def test_explain_tells_what_binding_decided():
    @ms.jit
    def f(x, w):
        return ms.ops.exp(ms.ops.matmul(x, w) * 0.5).T

    x = ms.Tensor(np.ones((64, 64), np.float32))
    f(x, x)
    (entry,) = f.explain()["entries"]
    (specialisation,) = entry["specialisations"]
    lines = specialisation["bound"].splitlines()
    assert any(line.startswith("  # ") and __file__ in line for line in lines)
    first, product, *others = [line for line in lines if not line.startswith("  # ")]
    assert "parameter 0" in first and "result 0" in first
    assert "MatMul" in product and "; with epilogue " in product
    assert any("; epilogue of 0" in line for line in others)
    assert any("strides (1, 64) in r" in line for line in others)


def test_a_trace_function_sees_the_lines_of_a_cell_in_graph_mode():
    class Net(nn.Cell):
        def construct(self, x):
            y = x * 2
            z = y + 1
            return z

    net = Net()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net(X)
        assert traced(lambda: net(X), "construct") == EVENTS
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_with_fullgraph_the_graph_runs_for_a_trace_function_too():
    def lines(x):
        return x * 2

    jitted = ms.jit(lines, fullgraph=True)
    jitted(X)
    assert traced(lambda: jitted(X), "lines") == []


def files(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def fails_after_a_break(x):
    total = float(x.sum().item())
    values = {"a": total}
    return x * values["b"]


def fails(x):
    return x * {"a": 1}["b"]


def calls_failing(x):
    print(x.sum().item(), end="")
    return fails_after_a_break(x)


@pytest.mark.parametrize("mode", ENGINES)
@pytest.mark.parametrize("function, depth", [(fails, 2), (fails_after_a_break, 2), (calls_failing, 3)])
def test_tracebacks_show_the_users_frames(mode, function, depth):
    jitted = ms.jit(function, capture_mode=mode)
    for _ in range(3):
        with pytest.raises(KeyError) as caught:
            jitted(X)
        assert files(caught.value) == [__file__] * depth


@pytest.mark.parametrize("mode", ENGINES)
def test_errors_of_capture_show_the_users_frames(mode):
    def f(x):
        return helper(x) + 1

    def helper(x):
        return x.sum().tolist()

    with pytest.raises(ms.CaptureError) as caught:
        ms.jit(f, capture_mode=mode, fullgraph=True)(X)
    assert set(files(caught.value)) == {__file__}


@pytest.mark.parametrize("mode", ENGINES)
def test_warnings_point_to_the_users_line(mode):
    def f(x):
        warnings.warn("here", stacklevel=1)
        return x * 2

    jitted = ms.jit(f, capture_mode=mode)
    here = f.__code__.co_firstlineno
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            jitted(X)
    assert [(w.filename, w.lineno - here) for w in caught] == [(__file__, 1)] * 3


@pytest.mark.parametrize("mode", ENGINES)
def test_warnings_point_to_the_line_that_called(mode):
    def f(x):
        warnings.warn("here", UserWarning, 2)
        warnings.warn(DeprecationWarning("there"), stacklevel=3)
        return x * 2

    def calls(function):
        return function(X)

    jitted = ms.jit(f, capture_mode=mode)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for function in (f, jitted, jitted, jitted):
            calls(function)
    told = [(w.filename, w.lineno, w.category, str(w.message)) for w in caught]
    assert told == told[:2] * 4 and {place[0] for place in told} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="here"):
            jitted(X)


def test_captures_of_many_threads_leave_warnings_as_they_were():
    before, shown = list(warnings.filters), warnings._showwarnmsg

    def work():
        for i in range(40):
            np.testing.assert_array_equal(ms.jit(lambda x: x * i + 1)(X).asnumpy(), X.asnumpy() * i + 1)
            with pytest.warns(UserWarning, match="here"):
                warnings.warn("here", stacklevel=1)

    def alone():
        for _ in range(10):
            ms.jit(lambda x: x + 1)(X)

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=alone) for _ in range(6)]
        for thread in threads:
            thread.start()
        work()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert warnings.filters == before and warnings._showwarnmsg is shown
