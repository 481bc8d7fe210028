"""What watches code by sys.monitoring (PEP 669) sees of jitted functions what it sees of plain ones: coverage and debuggers
each line, in Python; profilers leave the graphs alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from values import array, plain

import emberjit as ms
from emberjit import ops

if sys.version_info < (3, 12):
    pytest.skip("sys.monitoring is of Python 3.12 and later", allow_module_level=True)
monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
pytestmark = pytest.mark.breaks
Watch = Callable[[Any, list[Any]], None]


def inner(t):
    return t * 2 + 1


def whole(x):
    y = ops.relu(x)
    if y.shape[0] > 1:
        y = inner(y)
    for _ in range(2):
        y = y - 1
    return y


def broken(x):
    y = ops.relu(x) + 1
    time.time_ns()
    try:
        y = inner(y)
        float("none")
    except ValueError:
        y = y * 3
    return y


def calls_back(x):
    y = ops.relu(x)
    return max([y, y + 1], key=lambda t: float(inner(t).sum()))


FUNCTIONS = [whole, broken, calls_back]


def _note(events: list[Any]) -> Callable[..., Any]:
    def note(code: Any, *where: Any) -> None:
        if code.co_filename == __file__ and code.co_name != "seen":
            events.append((code.co_name, *where[:1]))

    return note


def lines_of_all(tool: int, events: list[Any]) -> None:
    monitoring.register_callback(tool, monitoring.events.LINE, _note(events))
    monitoring.set_events(tool, monitoring.events.LINE)


def as_coverage(tool: int, events: list[Any]) -> None:
    """Lines of what starts, which is told once."""

    def starts(code: Any, _: int) -> Any:
        if code.co_filename == __file__:
            monitoring.set_local_events(tool, code, monitoring.events.LINE)
        return monitoring.DISABLE

    monitoring.register_callback(tool, monitoring.events.PY_START, starts)
    monitoring.register_callback(tool, monitoring.events.LINE, _note(events))
    monitoring.set_events(tool, monitoring.events.PY_START)
    monitoring.restart_events()


def lines_of_inner(tool: int, events: list[Any]) -> None:
    """As a debugger that stops in one function only."""
    monitoring.register_callback(tool, monitoring.events.LINE, _note(events))
    monitoring.set_local_events(tool, inner.__code__, monitoring.events.LINE)


def starts_and_ends(tool: int, events: list[Any]) -> None:
    for event in (monitoring.events.PY_START, monitoring.events.PY_RETURN):
        monitoring.register_callback(tool, event, _note(events))
    monitoring.set_events(tool, monitoring.events.PY_START | monitoring.events.PY_RETURN)


def returns(tool: int, events: list[Any]) -> None:
    def note(code: Any, _: int, value: Any) -> None:
        if code.co_filename == __file__ and code.co_name != "seen":
            events.append((code.co_name, type(value)))

    monitoring.register_callback(tool, monitoring.events.PY_RETURN, note)
    monitoring.set_events(tool, monitoring.events.PY_RETURN)


def calls(tool: int, events: list[Any]) -> None:
    for event in (monitoring.events.CALL, monitoring.events.C_RETURN):
        monitoring.register_callback(tool, event, _note(events))
    monitoring.set_events(tool, monitoring.events.CALL)


def instructions(tool: int, events: list[Any]) -> None:
    monitoring.register_callback(tool, monitoring.events.INSTRUCTION, _note(events))
    monitoring.set_events(tool, monitoring.events.INSTRUCTION)


@pytest.fixture(params=["DEBUGGER_ID", "COVERAGE_ID"])
def tool(request: pytest.FixtureRequest) -> Iterator[int]:
    number = getattr(monitoring, request.param)
    if monitoring.get_tool(number) is not None:
        pytest.skip("the tool is in use")
    yield from _held(number)


def _held(number: int) -> Iterator[int]:
    monitoring.use_tool_id(number, "tests")
    yield number
    monitoring.set_events(number, 0)
    for code in (inner.__code__, *(function.__code__ for function in FUNCTIONS)):
        monitoring.set_local_events(number, code, 0)
    monitoring.free_tool_id(number)


def seen(function: Any, watch: Watch, tool: int, x: Any) -> tuple[Any, list[Any]]:
    events: list[Any] = []
    watch(tool, events)
    try:
        result = function(x)
    finally:
        monitoring.set_events(tool, 0)
    return plain(result), list(events)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("warm", [0, 1, 12])
@pytest.mark.parametrize(
    "watch", [lines_of_all, as_coverage, starts_and_ends, returns, calls, instructions], ids=lambda w: w.__name__
)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_watches_all_code_sees_it_run(function: Any, watch: Watch, warm: int, mode: str, tool: int) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for _ in range(warm):
        jitted(array(1, -2))
    for _ in range(3):
        assert seen(jitted, watch, tool, array(1, -2)) == seen(function, watch, tool, array(1, -2))
    assert plain(jitted(array(3, 4))) == plain(function(array(3, 4)))


@pytest.mark.parametrize("warm", [0, 12])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_watches_one_function_sees_it_run(function: Any, warm: int, tool: int) -> None:
    """Where it is called by what runs in Python; within a graph it does not run."""
    jitted, direct = ms.jit(function), ms.jit(inner)
    for _ in range(warm):
        jitted(array(1, -2))
        direct(array(1, -2))
    for _ in range(3):
        assert seen(direct, lines_of_inner, tool, array(1, -2)) == seen(inner, lines_of_inner, tool, array(1, -2))
    assert plain(jitted(array(1, -2))) == plain(function(array(1, -2)))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_profilers_leave_graphs_alone(function: Any) -> None:
    for tool in _held(monitoring.PROFILER_ID):
        jitted = ms.jit(function)
        for _ in range(4):
            assert seen(jitted, starts_and_ends, tool, array(1, -2))[0] == plain(function(array(1, -2)))
        assert jitted.python_calls == 0


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_watched_leaves_nothing(function: Any, tool: int) -> None:
    """A function that was watched as it was first called is captured later, though its code has been written into."""
    jitted = ms.jit(function)
    seen(jitted, lines_of_all, tool, array(1, -2))
    for _ in range(4):
        assert plain(jitted(array(1, -2))) == plain(function(array(1, -2)))
    assert jitted.hits > 0 or jitted.driver is not None
