"""The jit transform: a jitted function captures a graph on each miss, or runs in Python what no graph holds."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code import SUPPORTED
from emberjit.capture.jit import explain
from emberjit.capture.jit.options import check_options, take_old_options
from emberjit.capture.session import engine
from emberjit.values.cells import CellMarker

EAGER_MISSES = 15  # between two captures, when there are as many graphs as a function keeps

BEGINS_CAPTURES = True  # no frame further out belongs to a capture


def _load_engine() -> engine.Engine:
    from emberjit.capture.dispatch import calls

    return calls.Dispatcher()


engine.provide(_load_engine)


def _load(capture_mode: str) -> None:
    """Imports what captures in this mode, so that the first call need not."""
    if capture_mode == "bytecode" and SUPPORTED:
        from emberjit.capture.bytecode import executor  # noqa: F401
    if capture_mode != "trace":
        from emberjit.capture.dispatch import calls, capturing  # noqa: F401


def jit(
    function: Callable[..., Any] | None = None,
    *,
    capture_mode: str = "ast",
    jit_level: str = "O0",
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    **options: Any,
) -> Any:
    """Makes a function that captures its Python into a graph once and runs the graph from then on.

    Args:
        function: what to capture: a function, a static or class method, a Cell, or a class of Cells, whose construct becomes
            jitted; without it, jit answers a decorator.
        capture_mode: "ast" interprets the source, "bytecode" CPython 3.11's bytecode (other versions: the source), so that
            conditions on Tensors enter the graph; "trace" records one run.
        jit_level: "O0" keeps eager's bits.
        dynamic: 0 or 1; shapes are symbolic either way.
        fullgraph: whether what cannot enter the graph is an error; if not, it runs in Python, and `explain()["breaks"]` says
            what and why.
        backend: "", "ms_backend" and "GE" all mean the one backend.
        options: accepted for MindSpore's sake: mode ("PSJit", "PIJit"), jit_config (a JitConfig), options of backends.

    Raises:
        ValueError: an option has a value that does not exist.
        TypeError: an option has the wrong type.
    """
    capture_mode, jit_level, fullgraph = take_old_options(options, capture_mode, jit_level, fullgraph)
    check_options(capture_mode, jit_level, dynamic, fullgraph, backend)
    if function is None:
        return functools.partial(jit, capture_mode=capture_mode, jit_level=jit_level, fullgraph=fullgraph)
    if isinstance(function, (staticmethod, classmethod)):
        plain = jit(function.__func__, capture_mode=capture_mode, jit_level=jit_level, fullgraph=fullgraph)
        return type(function)(plain)
    if not callable(function):
        raise TypeError(f"For 'jit', the argument 'function' must be callable, but got {function!r}.")
    if os.environ.get("MS_JIT") == "0":
        return function
    _load(capture_mode)
    if isinstance(function, type) and issubclass(function, CellMarker):
        cell: Any = function
        cell.construct = compiled(cell.construct, capture_mode, fullgraph)
        return cell
    return compiled(function, capture_mode, fullgraph)


def compiled(function: Callable[..., Any], capture_mode: str = "ast", fullgraph: bool = False, eager: bool = True) -> Any:
    """The core.Jit object that captures `function` on each miss.

    When as many graphs as it keeps have been captured, most misses run eagerly, if the function can: values that
    graphs depend on and that keep changing cost eager's time then, and not a capture each. What cannot enter a graph
    is an error with `fullgraph`, or if the function has no eager meaning; else it runs in Python (capture/breaks), as
    all does that a debugger follows. It also runs op by op where its graph lacks a gradient that an open tape may ask for.
    """
    follow = engine.follow if capture_mode != "trace" else _direct
    front_end = "bytecode" if capture_mode == "bytecode" and SUPPORTED else "ast"
    captures = skipped = 0
    broken: Any = None

    def miss(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            return missed(args, kwargs)
        except BaseException as error:
            from emberjit.capture.session.tracebacks import show_user_code

            show_user_code(error)
            raise

    def missed(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        nonlocal captures, skipped, broken
        if broken is not None:
            return broken(args, kwargs)
        if eager and captures >= core.MOST_GRAPHS and skipped < EAGER_MISSES:
            skipped += 1
            return function(*args, **kwargs)
        captures, skipped = captures + 1, 0
        from emberjit.capture.dispatch import capturing
        from emberjit.capture.session.errors import GraphError, RunInPython

        try:
            finish = capturing.capture_call(jitted, function, follow, args, kwargs, front_end)
        except core.CaptureError as error:
            if fullgraph or not eager:
                raise
            note(str(error))
            broken = _plain(function) if isinstance(error, RunInPython) else _breaking(function, note)
            jitted.callees = getattr(broken, "callees", ())
        except Exception as error:
            if fullgraph or not eager or isinstance(error, GraphError):
                raise
            raised: Any = error
        else:
            return finish().run(args, kwargs)
        if broken is not None:
            return broken(args, kwargs)
        try:
            result = function(*args, **kwargs)
        except type(raised):
            raise  # the user's error, with the user's frames
        except Exception:
            if raised.graph_raises:
                raise  # an earlier one
            raise raised from None
        note(f"{type(raised).__name__}: {raised}")
        return result

    def note(reason: str) -> None:
        from emberjit.capture.session.listeners import note_break

        note_break(jitted, reason)

    def inner(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if core.current_capture() is None:
            return function(*args, **kwargs)
        return follow(function, *args, **kwargs)

    jitted = core.Jit(miss, inner, function, eager and not fullgraph)
    functools.update_wrapper(jitted, function, updated=())
    jitted.breaks = [] if capture_mode in (front_end, "trace") else ["bytecode capture knows CPython 3.11 only: ast"]
    jitted.explain = functools.partial(explain.explain, jitted)
    jitted.save = functools.partial(explain.save_module, jitted)
    return jitted


def _direct(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _breaking(function: Callable[..., Any], note: Callable[[str], None]) -> Callable[[Any, Any], Any]:
    """What runs a function of which not all enters a graph."""
    from emberjit.capture.breaks.callees import driver

    return driver(function, note) or _plain(function)


def _plain(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    return lambda args, kwargs: function(*args, **kwargs)
