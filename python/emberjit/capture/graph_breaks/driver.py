"""A function of which not all can enter a graph runs as graphs and, between them, single instructions in Python: where a
graph has to end, its results are the variables and the stack; the instruction that no graph holds is executed in Python,
once, at the user's line (what it calls: callee_frames.py); what follows is a continuation, a function of variables and
stack, captured in turn.

So effects happen in order, once in every call. What a handler of a signal raises comes between instructions, or before a
graph that has not run, and finds the function's own handlers there, as in Python. Neither depth nor number of the breaks is
limited: python/src/frames/break_driver.cpp makes the trips of a loop of Python's, and runs the graphs; it comes here for
what is captured, raised, or no longer for graphs. Where the graphs between breaks are too small to gain, the function runs
as Python has it.
"""

from __future__ import annotations

import collections
import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import until
from emberjit.capture.code import flow, signature
from emberjit.capture.code.decoding import decoded
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.dispatch.capturing import capture_call
from emberjit.capture.graph.conditions import Outcome
from emberjit.capture.graph_breaks import relevance
from emberjit.capture.graph_breaks.resume_point import resumable
from emberjit.capture.graph_breaks.timing import Choice
from emberjit.capture.guards.backoff import Backoff
from emberjit.capture.guards.ends import SeenReference, leads_to_end
from emberjit.capture.session.deferred_signals import deferred_signals
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.tracebacks import show_user_code
from emberjit.capture.state.namespace import Namespace, new_namespace
from emberjit.capture.state.reconstruction import Reconstruction
from emberjit.values.cells import CellMarker

_ABSENT, _NONE = object(), object()
EAGER = core.EAGER  # instead of a result: Python has to go on
MAX_GRAPHS = 64  # from one instruction on, before they have to pay
MAX_FINISHES = 20  # calls that ended in Python, after which all do
_FIRST_IRRELEVANT, _PASSED = 8, 500  # after so many calls without anything for graphs, so many are not looked at


core.provide_hiding(leads_to_end, SeenReference, CellMarker, collections.deque)


class Continuation(core.Continuation):
    """A function from one of its instructions on: of (stack, variables, exception being handled)."""

    def __init__(self, driver: Driver, at: int):
        self.driver, self.at = driver, at
        self.__name__ = self.__qualname__ = f"{driver.name} at {driver.code.line(at)}"
        self.immediate = driver.code.instructions[at].name == "PUSH_HANDLED"  # handlers see what Python has raised
        self.hiding = core.Hiding()
        self.backoff = Backoff(MAX_GRAPHS)
        self.graph = core.Jit(self._capture, lambda args, kwargs: EAGER, self)

    def _capture(self, args: Args, kwargs: Kwargs) -> Any:
        if self.backoff.skips(self.graph, args, kwargs):
            return EAGER
        with deferred_signals():
            entry = self._captured(args, kwargs)
        return entry if entry is EAGER else entry.run(args, kwargs)

    def _captured(self, args: Args, kwargs: Kwargs) -> Any:
        """The graph up to the end or the first instruction that is for Python; EAGER if that comes first."""
        limit = -1
        while True:
            try:
                segment = functools.partial(self._segment, limit)
                return capture_call(self.graph, self, segment, args, kwargs)
            except core.CaptureError as error:
                steps = getattr(error, "steps", None)
                self.driver.note(str(error))
                if isinstance(error, RunInPython):
                    self.driver.spent = True
                    return EAGER
                self.immediate = steps == 0
                if not steps or 0 <= limit <= steps:
                    return EAGER
                limit = steps
            except Exception:
                return EAGER

    def _segment(self, limit: int, _: Any, stack: Any, variables: Any, handled: Any) -> Any:
        driver = self.driver
        values = Reconstruction((stack, variables, handled), driver.code)
        frame = driver.frame_at(self.at, stack, variables, handled)
        try:
            outcome = until(frame, limit)
        except core.CaptureError as error:
            error.steps = min([frame.steps, *frame.lost.values()])
            raise
        if isinstance(outcome, Outcome):
            return resumable(core.END, outcome.value, values)
        live = driver.wanted[frame.at]
        for name, steps in frame.lost.items():
            if name in live:
                lost = core.CaptureError(f"local variable '{name}' {frame.namespace.lost[name]}")
                lost.steps = steps
                raise lost
        known = frame.namespace.variables()
        names = (*known, *variables, *live)  # those live here alone have been set or deleted on all ways
        changed = {name for name in names if known.get(name, _ABSENT) is not variables.get(name, _NONE)}
        set_anew = {name: known[name] for name in changed & known.keys() if name in live or values.can_build(known[name])}
        return resumable(frame.at, (frame.stack, set_anew, frame.handled), values, changed)


class Driver(core.Driver):
    """Runs a function that breaks. pass_calls(n): the next n calls are Python's, and do not come here, if it says so."""

    def __init__(
        self,
        function: Any,
        note: Callable[[str], None],
        callees: Any,
        pass_calls: Callable[[int], bool] = lambda calls: False,
    ):
        plain = getattr(function, "__func__", function)
        self.function, self.receiver = plain, (function.__self__,) if plain is not function else ()
        self.name = plain.__qualname__
        self.plain_code = plain.__code__
        self.code = decoded(plain.__code__)
        self.note, self.pass_calls = note, pass_calls
        self.cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()))
        self.continuations: list[Any] = [None] * len(self.code.instructions)
        self.wanted = flow.live_variables(self.code)
        self.callees = callees
        self.prototype = self.frame_at(0, (), {}, None)
        self.prototype.makes_cells = any(ins.name == "NEW_CELL" for ins in self.code.instructions)
        self.parameters = signature.plain_parameters(plain.__code__)
        self.finishes = 0
        self.choice = Choice()
        self.names_tensors = relevance.names_tensors(plain)
        self.irrelevant = 0  # calls that had nothing for graphs

    def __call__(self, args: Args, kwargs: Kwargs) -> Any:
        """Calls the function."""
        args = (*self.receiver, *args)
        if self.spent:
            self.pass_calls(core.FOREVER)
            return core.call_traced(self.function, *args, **kwargs)
        if not (self.names_tensors or relevance.holds_tensors((*args, *kwargs.values()))):
            self.irrelevant += 1
            if self.irrelevant >= _FIRST_IRRELEVANT:
                self.pass_calls(_PASSED)
            return core.call_with_frames(self.callees, self.function, *args, **kwargs)
        if self.graph_calls > 0:  # though this one had to
            self.graph_calls -= 1
            return self._by_graphs(args, kwargs)
        graphs = self.choice.graphs()
        if self.choice.is_settled() and self._pass_rest(graphs):
            self.choice.skip()
        start = time.perf_counter()
        try:
            return self._by_graphs(args, kwargs) if graphs else core.call_traced(self.function, *args, **kwargs)
        finally:
            self.choice.took(graphs, start)

    def _by_graphs(self, args: Args, kwargs: Kwargs) -> Any:
        result = self.run(signature.bind(self.function, args, kwargs))
        if result is not EAGER:
            return result
        self._count_finish()
        return core.call_with_frames(self.callees, self.function, *args, **kwargs)

    def _pass_rest(self, graphs: bool) -> bool:
        """The calls up to the next that are timed go the same way without coming here, if this says so."""
        if not graphs:
            return self.pass_calls(self.choice.rest())
        self.graph_calls = self.choice.rest()
        return True

    def is_of_other_code(self) -> bool:
        """Whether the function has been given other code."""
        return self.function.__code__ is not self.plain_code

    def take_whole(self) -> bool:
        """Whether the last call was one graph; asked once of each."""
        whole, self.whole = self.whole, False
        return whole

    def segments(self) -> Iterator[tuple[str, Any]]:
        """Where the parts between breaks begin, in the order of the code, and what runs their graphs."""
        for at, continuation in enumerate(self.continuations):
            if continuation is not None:
                yield f"{self.code.code.co_filename}:{self.code.line(at)}", continuation.graph

    def why_python(self) -> str | None:
        """Why calls are Python's, if that is not because of what its graphs depend on."""
        if self.irrelevant >= _FIRST_IRRELEVANT:
            return "it has no Tensors among its arguments, and names nothing that makes any"
        if self.choice.winner or not self.choice.least:
            return None
        python, graphs = (1e6 * self.choice.least[way] for way in (False, True))
        return f"Python was faster: {python:.1f} us a call, {graphs:.1f} us with graphs between the breaks"

    def begin(self, at: int) -> Continuation:
        """The function from an instruction on, where no graph has begun before."""
        continuation = self.continuations[at] = Continuation(self, at)
        return continuation

    def finish(self, frame: Frame) -> None:
        """All that follows is executed in Python."""
        frame.namespace = self._namespace(frame.namespace.variables(), own_cells=True)
        self._count_finish()

    def catches(self, frame: Frame, error: BaseException, may: bool) -> bool:
        """Goes to the handler of an exception that has come out of a graph, of an instruction, or between them, if it `may`
        and the function has one there."""
        caught = may and frame.raised is not error and frame.fail(error, interrupts=True)
        show_user_code(error)
        return caught

    def frame_at(self, at: int, stack: Any, variables: Any, handled: Any) -> Frame:
        """The function at an instruction."""
        frame = Frame(self.code, self._namespace(variables), list(stack), at)
        frame.handled, frame.callees = handled, self.callees
        return frame

    def _namespace(self, variables: dict[str, Any], own_cells: bool = False) -> Namespace:
        return new_namespace(self.code.code, self.cells, self.function.__globals__, variables, own_cells)

    def _count_finish(self) -> None:
        self.finishes += 1
        self.graph_calls = 0
        if self.finishes == MAX_FINISHES:
            self.spent = True
            self.note("what its graphs depend on keeps changing or cannot be kept: all runs in Python from now on")
