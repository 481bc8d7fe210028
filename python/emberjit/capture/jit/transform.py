"""The jit transform: a jitted function captures a graph on each miss, or runs in Python what no graph holds. What captures
graphs is loaded by jit, or else by the first capture (`_machinery`): programs that run ops alone start without it."""

from __future__ import annotations

import functools
import os
import sys
import time
import types
import warnings
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.code import SUPPORTED
from emberjit.capture.guards.backoff import Backoff, text_of, warn
from emberjit.capture.jit import explain
from emberjit.capture.jit.options import check_options, take_old_options
from emberjit.capture.session import call_depth
from emberjit.capture.session.deferred_signals import deferred_signals
from emberjit.capture.session.errors import GraphError, RunInPython
from emberjit.capture.session.listeners import note_break, note_made
from emberjit.capture.session.session import follow
from emberjit.capture.session.tracebacks import innermost_line, show_user_code
from emberjit.publish import registry
from emberjit.values.cells import CellMarker

DIRECT = "direct"  # the mode of functions of the library's own, which are called as they are and follow the user's
BEGINS_CAPTURES = True  # no frame further out belongs to a capture


def _machinery() -> types.ModuleType:
    from emberjit.capture.jit import machinery

    return machinery


registry.provide(lambda composition: compiled(composition, DIRECT))


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
            jitted; without it, jit returns a decorator.
        capture_mode: "ast", "bytecode" or "trace". All follow Python's bytecode, so that conditions on Tensors enter the
            graph; of versions after CPython 3.13, which are not known, functions run in Python.
        jit_level: "O0", which keeps eager's bits; "O1" warns once that it is the same.
        dynamic: 1: numbers that the function reads from outside are inputs of its graph from the first call on, not only
            from the second different value on. Sizes, and numbers among the arguments, are either way.
        fullgraph: whether what cannot enter the graph is an error; if not, it runs in Python, and `explain()["breaks"]` says
            what and why.
        backend: "" or "ms_backend"; "GE" warns once that there is no such on a CPU.
        options: MindSpore's others: mode ("PSJit", "PIJit"), jit_config (a JitConfig), and what page Options lists: each
            works, or warns once that it has no effect.

    Returns:
        the jitted function, which has function's name and documentation, explain() and save(path); of a static or class
        method one likewise, of a class of Cells the class itself; without function a decorator.

    Raises:
        ValueError: an option has a value that does not exist.
        TypeError: an option has the wrong type.

    Examples:
        >>> @ms.jit
        ... def f(x):
        ...     return x * 2 if x.sum() > 0 else -x
        >>> print(f(Tensor([1.0, 2.0])), f(Tensor([-1.0, -2.0])))
        [2. 4.] [1. 2.]
        >>> len(f.explain()["entries"])  # one graph, with both branches
        1
    """
    capture_mode, jit_level, fullgraph = take_old_options(options, capture_mode, jit_level, fullgraph)
    check_options(capture_mode, jit_level, dynamic, fullgraph, backend)
    jitted = functools.partial(jit, capture_mode=capture_mode, jit_level=jit_level, dynamic=dynamic, fullgraph=fullgraph)
    if function is None:
        return jitted
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(jitted(function.__func__))
    if not callable(function):
        raise TypeError(f"For 'jit', the argument 'function' must be callable, but got {function!r}.")
    if os.environ.get("MS_JIT") == "0":
        return function
    with deferred_signals():  # so that the first call need not import them
        _machinery()
    if isinstance(function, type) and issubclass(function, CellMarker):
        cell: Any = function
        cell.construct = compiled(cell.construct, capture_mode, fullgraph, dynamic=bool(dynamic))
        return cell
    return compiled(function, capture_mode, fullgraph, dynamic=bool(dynamic))


def ms_function(
    fn: Callable[..., Any] | None = None, input_signature: Any = None, hash_args: Any = None, jit_config: Any = None
) -> Any:
    """The name that jit had in older versions.

    Args:
        fn: the function to capture; without it, ms_function returns a decorator.
        input_signature: not read: graphs follow shapes, and each dtype has a graph.
        hash_args: not read: what fn reads is guarded.
        jit_config: a JitConfig, or None.

    Returns:
        what jit returns.

    Raises:
        TypeError: fn is not callable, or jit_config no JitConfig.

    Examples:
        >>> @ms.ms_function
        ... def double(x):
        ...     return x * 2
        >>> print(double(Tensor([1.0, 2.0])))
        [2. 4.]
    """
    options = {} if jit_config is None else {"jit_config": jit_config}
    return jit(fn, **options)


def compiled(
    function: Callable[..., Any],
    capture_mode: str = "ast",
    fullgraph: bool = False,
    eager: bool = True,
    dynamic: bool = False,
) -> Any:
    """The core.Jit object that captures `function` on each miss; `eager`: the function has an eager meaning, too. It also
    runs op by op where its graph lacks a gradient that an open tape may ask for."""
    misses = _Misses(function, capture_mode, fullgraph, eager)
    jitted = misses.jitted = core.Jit(misses.run, misses.inner, function, eager and not fullgraph)
    functools.update_wrapper(jitted, function, updated=("__dict__",) if isinstance(function, types.FunctionType) else ())
    if isinstance(function, types.FunctionType):
        for name in ("__code__", "__globals__", "__closure__", "__defaults__", "__kwdefaults__"):
            setattr(jitted, name, getattr(function, name))
    jitted.breaks = []
    jitted.options, jitted.dynamic = (capture_mode, fullgraph, eager), dynamic
    jitted.explain = functools.partial(explain.explain, jitted)
    jitted.save = functools.partial(explain.save_module, jitted)
    jitted.prepare = misses.prepare
    if not SUPPORTED and capture_mode != DIRECT:
        misses.leave_to_python()
    if capture_mode != DIRECT:
        note_made(jitted)
    return jitted


_UNKNOWN = f"emberjit knows the bytecode of CPython 3.11 to 3.13, not of 3.{sys.version_info.minor}: use one of these."


@functools.cache
def tell_once() -> None:
    """Warns that jitted functions run in Python here."""
    if os.environ.get("EMBERJIT_WARN") != "0":
        warnings.warn(f"Jitted functions run in Python: {_UNKNOWN}", stacklevel=5)


class _Misses:
    """The calls of one jitted function that find no graph.

    When as many graphs as it may have are captured, most misses run eagerly, if the function can. What cannot enter a graph
    is an error with `fullgraph`, or if the function has no eager meaning; else it runs in Python (graph_breaks), as all
    does that a debugger follows.
    """

    def __init__(self, function: Callable[..., Any], capture_mode: str, fullgraph: bool, eager: bool):
        self.function, self.eager = function, eager
        self.strict = fullgraph or not eager
        self.follow = follow if capture_mode != DIRECT else lambda called, /, *args, **kwargs: called(*args, **kwargs)
        self.backoff = Backoff()
        self.broken: Callable[..., Any] | None = None  # what runs it once it has turned out to enter no graph as a whole
        self.driver: Any = None  # the same, if it does so in parts
        self.jitted: Any = None
        self.served = 0  # calls by graph, when Python was last to have those to come

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Runs one call."""
        try:
            return self._run(args, kwargs)
        except BaseException as error:
            show_user_code(error)
            raise

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.driver is not None and self.driver.is_of_other_code():
            self.broken = self.driver = self.jitted.driver = None
        if self.broken is not None and not self._enters_whole(args, kwargs):
            return self.broken(args, kwargs)
        if not (self.strict or call_depth.captures()):
            return core.PLAINLY
        if self.broken is None and self.eager and self.backoff.skips(self.jitted, args, kwargs):
            self._tell()
            start = time.perf_counter()
            try:
                return core.call_traced(self.function, *args, **kwargs)
            finally:
                self.jitted.plain_calls = self.backoff.plain_calls(time.perf_counter() - start)
        entry: Any = None
        raised: Any = None
        start = time.perf_counter()
        with deferred_signals():
            try:
                entry = self._capture(args, kwargs)
                self.backoff.seconds = time.perf_counter() - start
            except Exception as error:
                if self.strict or isinstance(error, (GraphError, _machinery().decoding.DamagedCode)):
                    raise
                raised = error
        if entry is not None:
            return entry.run(args, kwargs)
        try:
            return self._eagerly(raised, args, kwargs) if self.broken is None else self.broken(args, kwargs)
        finally:
            del raised  # whose traceback leads here

    def _tell(self) -> None:
        """Says that calls run in Python because graphs keep missing.

        Raises:
            CaptureError: they may not, under fullgraph.
        """
        self.jitted.python_calls += 1
        name, miss = self.jitted.__name__, self.backoff.miss
        if self.strict and miss is not None:
            raise core.CaptureError(text_of(name, miss))
        warn(self.jitted, name, miss)

    def _enters_whole(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a function that breaks may be captured as a whole, as the call before, which did not break, could."""
        driver = self.driver
        return driver is not None and driver.take_whole() and not self.backoff.skips(self.jitted, args, kwargs)

    def prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Captures the graph of a call, which does not run, unless what is known by now serves all.

        Raises:
            CaptureError: it cannot enter a graph, under fullgraph.
        """
        if self.broken is None:
            with deferred_signals():
                self._capture(args, kwargs)

    def _break(self, error: Any) -> None:
        """From now on the function runs in Python where no graph holds it."""
        note = functools.partial(note_break, self.jitted)
        note(str(error))
        whole = isinstance(error, RunInPython)
        self.driver = None if whole else _machinery().callee_frames.driver(self.function, note, self._pass_calls)
        self.broken = self.driver or self._plainly
        self.jitted.callees = getattr(self.broken, "callees", ())
        self.jitted.driver = self.driver

    def leave_to_python(self) -> None:
        """No call is captured, as this version of CPython is not known."""
        self.broken = self._refused if self.strict else self._plainly
        self.jitted.breaks.append(_UNKNOWN)
        tell_once()

    def _refused(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise core.CaptureError(_UNKNOWN)

    def _pass_calls(self, calls: int) -> bool:
        """The next calls are Python's, and do not come here, unless graphs have served some since it was asked last."""
        served, self.served = self.served, self.jitted.hits
        if served == self.served:
            self.jitted.plain_calls = calls
        return served == self.served

    def _plainly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._pass_calls(core.FOREVER)
        return core.PLAINLY

    def _capture(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What runs a call as a graph; None if that is to break, as all later ones are."""
        machinery, finish = _machinery(), core.add_entry
        cache = context.compile_cache()
        if cache is not None:
            stored = machinery.gate.find(cache, self.jitted, self.function, args, kwargs)
            if stored is not None:
                return stored
            finish = machinery.gate.storing(cache, self.function)
        try:
            return machinery.capturing.capture_call(
                self.jitted, self.function, self.follow, args, kwargs, finish, self.strict
            )
        except core.CaptureError as error:
            if self.strict:
                raise
            if self.broken is None:
                self._break(error)

    def _eagerly(self, raised: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What Python makes of a call whose capture has raised an error: mostly the user's own, with the user's frames."""
        if isinstance(raised, call_depth.CallDepthError):
            try:
                with call_depth.uncaptured():
                    result = core.call_traced(self.function, *args, **kwargs)
            except RecursionError:
                raise raised from None
        else:
            result = core.call_traced(self.function, *args, **kwargs)
        line = innermost_line(raised)
        reason = (
            f"what is captured raises {type(raised).__name__} ({raised}), which Python does not: such calls run in Python."
        )
        note_break(self.jitted, reason if line is None else f"{line}: {reason}")
        self.jitted.python_calls += 1
        return result

    def inner(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Runs a call within a capture, or op by op."""
        if core.current_capture() is None:
            return core.call_traced(self.function, *args, **kwargs)
        return self.follow(self.function, *args, **kwargs)
