"""Frames that Python makes while it runs what no graph holds: of functions that a library calls back, of methods,
properties and operators. The evaluator (python/src/frame_eval.cpp) asks here about those with Tensors among their
arguments. From the second on, the frames of one code object run as a graph or, where that breaks, as resume.py runs
functions that break; or in Python, if that is faster. Functions that are made anew all the time share what their code
has, so the values of their free variables are arguments of the graph.
"""

from __future__ import annotations

import functools
import time
import types
import weakref
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import executor, instructions, outside, purity, resume, source

FREE_CAPTURES, HITS_EACH = 4, 16  # further captures of one form need that its graphs are used that often
MOST_FORMS = 256  # of what one function calls
MOST_DRIVERS = 4  # of one form: for functions whose free variables are not the same ones
_READ_FRAMES = {"_getframe", "_current_frames", "currentframe", *purity.STOPS}

_forms: weakref.WeakValueDictionary[tuple[int, int], Form] = weakref.WeakValueDictionary()


class Callees:
    """Answers the evaluator while the instructions of one function run, and holds what it calls."""

    def __init__(self) -> None:
        self.forms: dict[tuple[int, int], Form] = {}

    def __call__(self, function: types.FunctionType, *values: Any) -> Any:
        """(result,), None to let Python run the frame, or what to call once it has."""
        key = id(function.__code__), id(function.__globals__)
        try:
            form = self.forms.get(key) or self._new(key, function)
            return None if form is None else form(function, values)
        except BaseException as error:
            executor.show_user_code(error)
            raise

    def __iter__(self) -> Iterator[Form]:
        return iter(list(self.forms.values()))

    def _new(self, key: tuple[int, int], function: types.FunctionType) -> Form | None:
        if not _follows(function):
            core.pass_frames(function.__code__, core.FOREVER)
            return None
        if len(self.forms) >= MOST_FORMS:
            del self.forms[next(iter(self.forms))]
        form = _forms.get(key)
        if form is None:
            form = _forms[key] = Form(function)
        self.forms[key] = form
        return form


def _follows(function: types.FunctionType) -> bool:
    """Whether frames of a function may be anything but Python's."""
    code = function.__code__
    if code.co_name == "__del__" or not _READ_FRAMES.isdisjoint(code.co_names):
        return False
    return outside.written_by_user(function.__globals__.get("__name__")) and executor.supports(code)


class Form:
    """How frames of one code object run."""

    def __init__(self, function: types.FunctionType):
        self.__code__, self.__globals__ = function.__code__, function.__globals__
        self.__name__ = self.__qualname__ = function.__qualname__
        self.names = (*source.parameters(self.__code__), *self.__code__.co_freevars)
        self.broken = any(resume.assigns(self.__code__, name) for name in self.__code__.co_freevars)
        self.graph = core.Jit(self._capture, lambda args, kwargs: resume.EAGER, self)
        self.drivers: dict[tuple[int, ...], resume.Driver] = {}
        self.choice = resume.Choice()
        self.breaks: list[str] = []
        self.frames = self.runs = self.misses = self.captures = 0

    def __call__(self, function: types.FunctionType, values: tuple[Any, ...]) -> Any:
        """What Callees answers."""
        self.frames += 1
        if self.frames == 1:
            return None
        graphs, start = self.choice.graphs(), time.perf_counter()
        if graphs:
            answer = self._run(function, values)
            if answer is not None:
                self.choice.took(True, start)
            return answer
        if not self.choice.timing():
            core.pass_frames(self.__code__, self.choice.rest())
        return functools.partial(self.choice.took, False, start)

    def _run(self, function: types.FunctionType, values: tuple[Any, ...]) -> Any:
        cells = function.__closure__ or ()
        if not self.broken:
            try:
                contents = [cell.cell_contents for cell in cells]
            except ValueError:
                return None
            self.runs += 1
            result = self.graph(*values, *contents)
            if result is not resume.EAGER:
                plan, *leaves = result
                return (plan.made(leaves, (*values, *contents)),)
        driver = self._driver(function) if self.broken else None
        return None if driver is None else (driver.run(dict(zip(self.names, values))),)

    def _driver(self, function: types.FunctionType) -> resume.Driver | None:
        key = tuple(id(cell) for cell in function.__closure__ or ())
        driver = self.drivers.get(key)
        if driver is None and len(self.drivers) < MOST_DRIVERS:
            driver = self.drivers[key] = resume.Driver(function, self._note)
        if driver is None or driver.finishes >= resume.MOST_FINISHES:
            self.drivers.clear()
            core.pass_frames(self.__code__, core.FOREVER)
            return None
        return driver

    def _capture(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from emberjit.capture import jit

        self.misses += 1
        if self.captures >= FREE_CAPTURES and self.runs - self.misses < HITS_EACH * self.captures:
            return resume.EAGER
        self.captures += 1
        try:
            finish = jit.followed(self.graph, self, self._follow, args, kwargs, "bytecode")
        except core.CaptureError as error:
            self._note(str(error))
            self.broken = True
            return resume.EAGER
        except Exception:
            return resume.EAGER  # Python raises it where it belongs
        return finish().run(args, kwargs)

    def _follow(self, _: Any, *values: Any) -> Any:
        packer = resume.Packer(values, instructions.decoded(self.__code__))
        value = executor.run(self.__code__, {}, self.__globals__, dict(zip(self.names, values)))
        return resume.planned(resume.END, value, packer)

    def _note(self, reason: str) -> None:
        from emberjit.capture import jit

        if reason not in self.breaks:
            self.breaks.append(reason)
            if jit.on_break is not None:
                jit.on_break(self.__name__, reason)
