"""Frames of callees that Python makes while it runs what no graph holds: of functions that a library calls back, of
methods, properties and operators. The evaluator (python/src/frames/frame_eval.cpp) asks here about those with Tensors among
their arguments. From the second on, the frames of one code object run as a graph or, where that breaks, as driver.py runs
functions that break; or in Python, if that is faster. Functions that are made anew all the time share what their code
has, so the values of their free variables are arguments of the graph.
"""

from __future__ import annotations

import functools
import time
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode import interpreter
from emberjit.capture.calls.rules import DEBUGGER_CALLS
from emberjit.capture.code import signature
from emberjit.capture.code.decoding import assigns, decoded
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.dispatch.capturing import capture_call
from emberjit.capture.graph_breaks.driver import Driver
from emberjit.capture.graph_breaks.resume_point import resumable
from emberjit.capture.graph_breaks.timing import Choice
from emberjit.capture.guards.misses import learn
from emberjit.capture.session.deferred_signals import deferred_signals
from emberjit.capture.session.listeners import note_break
from emberjit.capture.session.tracebacks import show_user_code
from emberjit.capture.state.reconstruction import Reconstruction

FREE_CAPTURES, HITS_EACH = 4, 16  # further captures of one callee need that its graphs are used that often
MAX_CALLEES = 256  # of what one function calls
MAX_DRIVERS = 4  # of one callee: for functions whose free variables are not the same ones
_READ_FRAMES = {"_getframe", "_current_frames", "currentframe", *DEBUGGER_CALLS}

_callees: weakref.WeakValueDictionary[tuple[int, int], Callee] = weakref.WeakValueDictionary()


class Callees(core.Callees):
    """Answers the evaluator while the instructions of one function run, and holds what it calls."""

    def __init__(self) -> None:
        self.by_code = {}

    show = staticmethod(show_user_code)

    def __call__(self, function: types.FunctionType, *values: Any) -> Any:
        """(result,), None to let Python run the frame, or what to call once it has."""
        key = id(function.__code__), id(function.__globals__)
        callee = self.by_code.get(key) or self._new(key, function)
        return None if callee is None else callee(function, values)

    def __iter__(self) -> Iterator[Callee]:
        return iter(list(self.by_code.values()))

    def _new(self, key: tuple[int, int], function: types.FunctionType) -> Callee | None:
        if not _may_be_captured(function):
            core.pass_frames(function.__code__, core.FOREVER)
            return None
        if len(self.by_code) >= MAX_CALLEES:
            del self.by_code[next(iter(self.by_code))]
        callee = _callees.get(key)
        if callee is None:
            callee = _callees[key] = Callee(function)
        self.by_code[key] = callee
        return callee


def _may_be_captured(function: types.FunctionType) -> bool:
    """Whether frames of a function may be anything but Python's."""
    code = function.__code__
    if code.co_name == "__del__" or not _READ_FRAMES.isdisjoint(code.co_names):
        return False
    return written_by_user(function.__globals__.get("__name__")) and interpreter.supports(code)


class Callee(core.Callee):
    """How frames of one code object run."""

    def __init__(self, function: types.FunctionType):
        self.__code__, self.__globals__ = function.__code__, function.__globals__
        self.__name__ = self.__qualname__ = function.__qualname__
        self.names = (*signature.parameters(self.__code__), *self.__code__.co_freevars)
        self.broken = any(assigns(self.__code__, name) for name in self.__code__.co_freevars)
        self.graph = core.Jit(self._capture, lambda args, kwargs: core.EAGER, self)
        self.drivers = {}
        self.choice = Choice()
        self.breaks: list[str] = []
        self.note = functools.partial(note_break, self)
        self.misses = self.captures = 0

    def __call__(self, function: types.FunctionType, values: tuple[Any, ...]) -> Any:
        """What Callees returns."""
        self.frames += 1
        if self.frames == 1:
            return None
        graphs, start = self.choice.graphs(), time.perf_counter()
        if graphs:
            answer = self.run(function, *values)
            if answer is not None:
                self.choice.took(True, start)
                self._pass_rest(graphs)
            return answer
        self._pass_rest(graphs)
        return functools.partial(self.choice.took, False, start)

    def _pass_rest(self, graphs: bool) -> None:
        """The frames up to the next that are timed go the same way without coming here."""
        if not self.choice.is_settled():
            return
        if graphs:
            self.graph_calls = self.choice.rest()
        else:
            core.pass_frames(self.__code__, self.choice.rest())
        self.choice.skip()

    def driver(self, function: types.FunctionType) -> Driver | None:
        """What runs frames of a function; None if Python does."""
        key = tuple(id(cell) for cell in function.__closure__ or ())
        driver: Driver | None = self.drivers.get(key)
        if driver is None and len(self.drivers) < MAX_DRIVERS:
            plain = types.FunctionType(self.__code__, self.__globals__, function.__name__, None, function.__closure__)
            driver = self.drivers[key] = Driver(plain, self.note, Callees())  # without the defaults, which may end
        if driver is None or driver.spent:
            self.drivers.clear()
            core.pass_frames(self.__code__, core.FOREVER)
            return None
        return driver

    def _capture(self, args: Args, kwargs: Kwargs) -> Any:
        self.misses += 1
        learn(self.graph, args, kwargs)
        if self.captures >= FREE_CAPTURES and self.runs - self.misses < HITS_EACH * self.captures:
            return core.EAGER
        self.captures += 1
        with deferred_signals():
            try:
                entry = capture_call(self.graph, self, self._follow, args, kwargs)
            except core.CaptureError as error:
                self.note(str(error))
                self.broken = True
                return core.EAGER
            except Exception:
                return core.EAGER  # Python raises it where it belongs
        return entry.run(args, kwargs)

    def _follow(self, _: Any, *values: Any) -> Any:
        reconstruction = Reconstruction(values, decoded(self.__code__))
        value = interpreter.run(self.__code__, {}, self.__globals__, dict(zip(self.names, values)))
        return resumable(core.END, value, reconstruction)


def driver(function: Callable[..., Any], note: Callable[[str], None], pass_calls: Callable[[int], bool]) -> Driver | None:
    """What runs a function that breaks, or None if it is not a Python function whose code is understood, or is debugged."""
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, types.FunctionType) or not interpreter.supports(plain.__code__):
        return None
    if not DEBUGGER_CALLS.isdisjoint(plain.__code__.co_names):
        return None
    return Driver(function, note, Callees(), pass_calls)
