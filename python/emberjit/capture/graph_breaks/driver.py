"""A function of which not all can enter a graph runs as graphs and, between them, single instructions in Python: where a
graph has to end, its results are the variables and the stack; the instruction that no graph holds is executed in Python,
once, at the user's line (what it calls: callee_frames.py); what follows is a continuation, a function of variables and
stack, captured in turn.

So effects happen in order, once in every call. What a handler of a signal raises comes between instructions, or before a
graph that has not run, and finds the function's own handlers there, as in Python. Neither depth nor number of the breaks is
limited: a loop of Python's makes its trips in Driver.run. Where the graphs between breaks are too small to gain, the
function runs as Python has it.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import until
from emberjit.capture.code import flow, signature
from emberjit.capture.code.decoding import decoded
from emberjit.capture.code.instructions import Code
from emberjit.capture.dispatch.capturing import capture_call
from emberjit.capture.graph.conditions import Outcome
from emberjit.capture.graph_breaks import relevance
from emberjit.capture.graph_breaks.hiding import Hiding, ids_in
from emberjit.capture.graph_breaks.resume_point import END, resumable
from emberjit.capture.graph_breaks.timing import Choice
from emberjit.capture.guards.backoff import Backoff
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.tracebacks import show_user_code
from emberjit.capture.session.undisturbed import undisturbed
from emberjit.capture.state.namespace import new_namespace
from emberjit.capture.state.reconstruction import Reconstruction

_NONE = object()
EAGER = object()  # instead of a result: Python has to go on
MAX_GRAPHS = 64  # from one instruction on, before they have to pay
MAX_FINISHES = 20  # calls that ended in Python, after which all do
_FIRST_IRRELEVANT, _PASSED = 8, 500  # after so many calls without anything for graphs, so many are not looked at


class Continuation:
    """A function from one of its instructions on: of (stack, variables, exception being handled)."""

    def __init__(self, driver: Driver, at: int):
        self.driver, self.at = driver, at
        self.__name__ = self.__qualname__ = f"{driver.name} at {driver.code.line(at)}"
        self.immediate = driver.code.instructions[at].name == "PUSH_HANDLED"  # handlers see what Python has raised
        self.hiding = Hiding()
        self.backoff = Backoff(MAX_GRAPHS)
        self.graph = core.Jit(self._capture, lambda args, kwargs: EAGER, self)

    def _capture(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.backoff.skips(self.graph, args, kwargs):
            return EAGER
        with undisturbed():
            entry = self._captured(args, kwargs)
        return entry if entry is EAGER else entry.run(args, kwargs)

    def _captured(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
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
                    self.driver.finishes = MAX_FINISHES
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
            return resumable(END, outcome.value, values)
        wanted = flow.live_variables(driver.code)[frame.at]
        for name, steps in frame.lost.items():
            if name in wanted:
                lost = core.CaptureError(f"local variable '{name}' {frame.namespace.lost[name]}")
                lost.steps = steps
                raise lost
        known = frame.namespace.variables()
        names = (*known, *variables, *wanted)  # those wanted here alone have been set or deleted on all ways
        changed = {name for name in names if known.get(name, END) is not variables.get(name, _NONE)}
        variables = {name: known[name] for name in wanted if name in known}
        for name in changed & known.keys():
            if name not in wanted and values.can_build(known[name]):
                variables[name] = known[name]
        return resumable(frame.at, (frame.stack, variables, frame.handled), values, changed)


class Position:
    """Where a function is: before the instruction `at` with (stack, variables, exception being handled) in `inputs`, or, if
    that instruction is being executed, or all that follows is, in `frame`. What a handler of a signal raises finds it in one
    of these at any time."""

    def __init__(self, variables: dict[str, Any]):
        self.at: int = 0
        self.before, self.by_graph, self.pending = -1, False, None  # as of frames
        self.inputs: Any = ((), variables, None)
        self.given = ids_in(variables)
        self.frame: Frame | None = None
        self.finishing = False
        self.results: list[Any] = []  # of the graph that leads from here
        self.result: Any = _NONE  # of the function
        self.whole = True  # whether no instruction has been executed in Python

    def has_led_on(self) -> bool:
        """Whether a graph has led from here."""
        return bool(self.results) and self.results[0] is not EAGER

    def after_graph(self, code: Code) -> None:
        """Goes to where a graph has led, from here or, where a `try` was left since, from the last call before."""
        point, *leaves = self.results[0]
        inputs = point.restore(leaves, self.inputs)
        if point.at == END:
            self.result = inputs
        if code.left(self.before, self.at) is None:
            self.before = self.at
        self.by_graph = True
        self.at, self.inputs = point.at, inputs
        self.results.clear()

    def after_instruction(self) -> None:
        """Goes to where an instruction has led."""
        frame: Any = self.frame
        inputs = tuple(frame.stack), frame.namespace.variables(), frame.handled
        self.before, self.by_graph, self.pending = frame.before, frame.by_graph, frame.pending
        self.at, self.inputs, self.frame = frame.at, inputs, None
        frame.let_go()

    def let_go(self) -> None:
        """Forgets all: frames of captures that have failed lead here."""
        self.inputs = self.frame = self.result = self.pending = None
        self.results.clear()


class Driver:
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
        self.code = decoded(plain.__code__)
        self.note, self.pass_calls = note, pass_calls
        self.continuations: dict[int, Continuation] = {}
        self.callees = callees
        self.finishes = 0
        self.choice = Choice()
        self.names_tensors = relevance.names_tensors(plain)
        self.calls = 0
        self.irrelevant = 0  # calls that had nothing for graphs
        self.whole = False  # whether the last call was one graph

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the function."""
        args = (*self.receiver, *args)
        if self.finishes >= MAX_FINISHES:
            self.pass_calls(core.FOREVER)
            return core.call_traced(self.function, *args, **kwargs)
        if not (self.names_tensors or relevance.holds_tensors((*args, *kwargs.values()))):
            self.irrelevant += 1
            if self.irrelevant >= _FIRST_IRRELEVANT:
                self.pass_calls(_PASSED)
            return core.call_with_frames(self.callees, self.function, *args, **kwargs)
        graphs = self.choice.graphs()
        if not graphs and not self.choice.timing() and self.pass_calls(self.choice.rest()):
            self.choice.skip()
        start = time.perf_counter()
        try:
            if not graphs:
                return core.call_traced(self.function, *args, **kwargs)
            result = self.run(signature.bind(self.function, args, kwargs))
            if result is not EAGER:
                return result
            self._count_finish()
            return core.call_with_frames(self.callees, self.function, *args, **kwargs)
        finally:
            self.choice.took(graphs, start)

    def take_whole(self) -> bool:
        """Whether the last call was one graph; asked once of each."""
        whole, self.whole = self.whole, False
        return whole

    def segments(self) -> Iterator[tuple[str, Any]]:
        """Where the parts between breaks begin, in the order of the code, and what runs their graphs."""
        for at, continuation in sorted(self.continuations.items()):
            yield f"{self.code.code.co_filename}:{self.code.line(at)}", continuation.graph

    def run(self, variables: dict[str, Any]) -> Any:
        """Runs the function as graphs, with instructions in Python between them. EAGER if all of it is for Python."""
        self.calls += 1
        position = Position(variables)
        del variables
        try:
            while True:
                try:
                    while position.result is _NONE:
                        self._advance(position)
                    self.whole = position.whole and position.result is not EAGER
                    return position.result
                except BaseException as error:
                    if not self._catches(position, error):
                        raise
        finally:
            position.let_go()

    def _advance(self, position: Position) -> None:
        """Runs a graph, and the instruction that follows it in Python."""
        if position.frame is None and position.pending is None and position.inputs[2] is None and not core.traced():
            self._run_graph(position)
        if position.result is _NONE:
            self._execute(position)

    def _run_graph(self, position: Position) -> None:
        """Runs the graph from where a function is, if there is one."""
        at = position.at
        continuation = self.continuations.get(at)
        if continuation is None:
            continuation = self.continuations[at] = Continuation(self, at)
        if continuation.immediate:
            return
        wanted = flow.live_variables(self.code)[at]
        inputs = continuation.hiding.hidden(position.inputs, wanted, self.calls, position.given)
        core.call_into(position.results, continuation.graph, *inputs)
        if position.has_led_on():
            position.after_graph(self.code)
            return
        position.results.clear()
        if continuation.immediate:
            return
        if at == 0:
            position.result = EAGER
        else:
            position.finishing = True
            self._count_finish()

    def _execute(self, position: Position) -> None:
        """Executes an instruction in Python, or all that follow."""
        position.whole = False
        frame = self._frame(position)
        outcome = until(frame, -1 if position.finishing else frame.steps + 1)
        del frame
        if position.finishing or outcome is not None:
            position.result = outcome.value if isinstance(outcome, Outcome) else None
        else:
            position.after_instruction()

    def _catches(self, position: Position, error: BaseException) -> bool:
        """Goes to the handler of an exception that has come out of a graph, of an instruction, or between them, if the
        function has one there."""
        given = position.frame is None  # by a handler of a signal, or as memory or the stack are at an end
        if position.has_led_on():
            position.after_graph(self.code)
        position.results.clear()
        if position.result is not _NONE or (given and core.raised_by_graph(error)):
            return False
        frame = self._frame(position)
        caught = frame.raised is not error and frame.fail(error, interrupts=True)
        show_user_code(error)
        if caught and not position.finishing and frame.pending is None:
            position.after_instruction()
        return caught

    def _frame(self, position: Position) -> Frame:
        """The frame at the position, so that what the next instruction lets go of ends."""
        if position.frame is None:
            frame = self.frame_at(position.at, *position.inputs, own_cells=position.finishing)
            frame.before, frame.by_graph, frame.pending = position.before, position.by_graph, position.pending
            position.frame, position.inputs = frame, None
        return position.frame

    def frame_at(self, at: int, stack: Any, variables: Any, handled: Any, *, own_cells: bool = False) -> Frame:
        """The function at an instruction."""
        code = self.code.code
        cells = dict(zip(code.co_freevars, self.function.__closure__ or ()))
        namespace = new_namespace(code, cells, self.function.__globals__, variables, own_cells)
        frame = Frame(self.code, namespace, list(stack), at)
        frame.handled, frame.callees = handled, self.callees
        return frame

    def _count_finish(self) -> None:
        self.finishes += 1
        if self.finishes == MAX_FINISHES:
            self.note("what its graphs depend on keeps changing or cannot be kept: all runs in Python from now on")
