"""Executes decoded bytecode. While a graph is captured Python values are computed, operations on captured tensors record
nodes, and where a Tensor decides, both ways run into graphs of their own (branches.py); outside a capture it is a plain
interpreter, which runs what no graph holds (resume.py). Opcodes are CPython 3.11's.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import flow, instructions, managers, outside, recursion, source, state
from emberjit.capture.branches import RETURN, End, Outcome, Undecided, Way, become, branch, decides, follow_on, fork
from emberjit.capture.control import logical_not
from emberjit.capture.frame import Closure, Opaque, new_frame
from emberjit.capture.instructions import Code, Instruction
from emberjit.capture.loops import loop
from emberjit.capture.opcodes import HANDLERS, OPERANDS

MOST_NESTED = 500  # conditions of one place within each other, as in a loop over much that a Tensor leaves

_Place = tuple[int, list[Any]]  # where to go on, with which stack


class Nested(Closure):
    """A function with free variables, defined inside executed code."""

    def __init__(self, code: types.CodeType, frame: Any, defaults: Any, kwdefaults: Any):
        self.__code__, self.frame = code, frame
        self.__name__, self.__defaults__, self.__kwdefaults__ = code.co_name, defaults, kwdefaults

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from emberjit.capture import generators

        made = generators.supports(self.__code__)
        if core.current_capture() is None or (source.suspends(self.__code__) and not made):
            return self.real()(*args, **kwargs)
        cells = {name: self.frame.cells.get(name, self.frame) for name in self.__code__.co_freevars}
        call = generators.Generator if made else run

        def begin(args: Any, kwargs: Any) -> Any:
            return call(self.__code__, cells, self.frame.global_names, source.bind(self, args, kwargs))  # type: ignore[arg-type]

        return begin(args, kwargs) if made else recursion.follow(self.__code__, self, args, kwargs, begin)

    def real(self) -> types.FunctionType:
        """A function that sees the variables as they are now."""
        cells = []
        for name in self.__code__.co_freevars:
            owner = self.frame.cells.get(name, self.frame)
            given = isinstance(owner, types.CellType)
            known = given or name in owner or name in owner.lost
            cells.append(owner if given else types.CellType(owner[name]) if known else types.CellType())
        made = types.FunctionType(
            self.__code__,
            self.frame.global_names,
            self.__name__,
            self.__defaults__,
            tuple(cells),
        )
        made.__kwdefaults__ = self.__kwdefaults__
        return made


def supports(code: types.CodeType) -> bool:
    """Whether all instructions of a function are known."""
    return state.EXECUTABLE and not source.suspends(code) and knows(code)


def knows(code: types.CodeType) -> bool:
    """Whether there is a handler for each instruction."""
    return all(ins.name in HANDLERS for ins in instructions.decoded(code).instructions)


def run(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs code with these variables."""
    end = Run(instructions.decoded(code), new_frame(code, cells, global_names, variables), [], 0).until()
    return end.value if isinstance(end, Outcome) else None


def show_user_code(error: BaseException) -> None:
    """Takes the frames of the interpreter out of a traceback."""
    places = []
    place = error.__traceback__
    while place is not None:
        if place.tb_frame.f_globals.get("__package__") != __package__:
            places.append(place)
        place = place.tb_next
    shown = None
    for seen in reversed(places):
        shown = types.TracebackType(shown, seen.tb_frame, seen.tb_lasti, seen.tb_lineno)
    error.__traceback__ = shown


def _warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None) -> None:
    """What warnings.warn does for a line further up than the one that calls it, without the frames of the interpreter."""
    frame: Any = sys._getframe(1)
    while stacklevel > 1 and frame.f_back is not None:
        frame = frame.f_back
        stacklevel -= frame.f_globals.get("__package__") != __package__
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    place = (frame.f_code.co_filename, frame.f_lineno, names.get("__name__", "<string>"), registry)
    warnings.warn_explicit(message, kind, *place, source=source)


class _Deeper(core.CaptureError):  # type: ignore[misc]
    """A side of a condition changes the stack below where it was thought to."""

    def __init__(self, depth: int):
        super().__init__()
        self.depth = depth


class Run:
    """A position in a function: frame, stack, the next instruction.

    `floor` is the depth of the stack below which a side of a condition must not change what it finds; `scope`, the part of
    the code that is executed.
    """

    def __init__(self, code: Code, frame: Any, stack: list[Any], at: int, scope: flow.Scope = flow.ALL, outer: Any = None):
        self.code, self.frame, self.stack, self.at = code, frame, stack, at
        self.scope = scope
        self.outer = outer
        self.floor = len(stack) if outer is not None else 0
        self.eager = core.current_capture() is None
        self.handled: Any = None  # the exception that is being handled
        self.callees: Any = None  # outside a capture: how the functions that are called run, see frames.py
        self.steps = 0
        self.low = 0  # from where on the stack is that of each way in which the run may have ended
        self.lost: dict[str, int] = {}  # variables that a condition on a Tensor left without a value, at which step
        self.line = 0
        self.arrivals: dict[int, tuple[int, int]] = {}  # at headers of loops: how many errors there were, how often

    # Control ------------------------------------------------------------------------------------------------------

    def until(self, limit: int = -1) -> End:
        """Executes until a return or the end of the scope, or until `limit` steps have been made."""
        while self.steps != limit and self.scope.holds(self.at):
            end = self.step()
            if end is not None:
                return end
            for name in self.frame.lost:
                if name not in self.frame:
                    self.lost.setdefault(name, self.steps)
            self.steps += 1
        return None

    def step(self) -> End:
        """Executes one instruction."""
        at, ins = self.at, self.code.instructions[self.at]
        if not self.eager and ins.line != self.line:
            self.line = ins.line
            core.current_capture().set_source(self.code.code.co_filename, ins.line)
        self.at = at + 1
        try:
            if not self.eager and (count := OPERANDS.get(ins.name)):
                _look_at(self.stack[-count:], ins.name not in ("LOAD_ATTR", "LOAD_METHOD"))
            execute = HANDLERS[ins.name]
            waiting = None if self.eager else self._waiting(at)
            before = state.raising(waiting)
            end: End = execute(self, ins) if self.handled is None else core.call_handling(self.handled, execute, self, ins)
            state.check_raises(waiting, before)
            return end
        except core.CaptureError as error:
            self.at = at
            state.locate(error, self.code.code.co_filename, ins.line)
            raise
        except BaseException as error:
            self.at = at
            if not self.unwind(error):
                if not self.eager:
                    _raise_at(self, at, error)
                raise
        return None

    def _waiting(self, at: int) -> str | None:
        """Which statement handles what an instruction raises: "try", "catching", "with" or None."""
        found = None
        for with_, handler in self.code.around(at):
            if not with_:
                return "try"
            if managers.may_swallow(self.stack[handler.depth - 1]):
                return "catching"
            found = "with"
        return found

    def unwind(self, error: BaseException) -> bool:
        """Goes to the handler of an exception, if there is one."""
        handler = self.code.handlers[self.at]
        if handler is None:
            return False
        if self.eager:
            show_user_code(error)
        del self.stack[handler.depth :]
        if handler.lasti:
            self.stack.append(self.at)
        self.stack.append(error)
        self.at = handler.target
        return True

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop(self, count: int) -> list[Any]:
        """The topmost `count` values, the lowest first."""
        if count == 0:
            return []
        values = self.stack[-count:]
        del self.stack[-count:]
        return values

    def top(self, depth: int) -> Any:
        """The value that many places below the top (1: the top), to be changed in place."""
        if len(self.stack) - depth < self.floor:
            raise core.CaptureError(
                "a list, set or dict is filled under a condition on a Tensor, which cannot be captured into a graph: use "
                "select, or decide by a Python value."
            )
        return self.stack[-depth]

    def do(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Calls something that is not followed; outside a capture from a Python frame at the user's line."""
        from emberjit.capture import interpret

        if not self.eager:
            return interpret.call_library(function, args, kwargs)
        frame = self.frame
        frame["__ember_do"], frame["__ember_args"], frame["__ember_keywords"] = function, args, kwargs
        return core.call_with_frames(self.callees, eval, _caller(self.code, self.at - 1), frame.global_names, frame)

    def define(self, code: types.CodeType, defaults: Any, kwdefaults: Any) -> None:
        """Makes a function that sees variables of this one."""
        nested = Nested(code, self.frame, defaults, kwdefaults)
        self.push(nested.real() if self.eager else nested)

    def call(self, function: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Calls what user code calls."""
        from emberjit.capture import interpret

        if function is builtins.super and not args:
            args = (self.frame["__class__"], self.frame[self.code.code.co_varnames[0]])
        if self.eager:
            if function is warnings.warn and (*args[2:3], kwargs.get("stacklevel", 1))[0] != 1:
                function = _warn
            given = self._namespace(function, args)
            self.push(given if given is not None else self.do(function, *args, **kwargs))
            return
        _look_at([function, *args, *kwargs.values()], True)
        if function is builtins.__build_class__:
            raise core.CaptureError("a `class` statement cannot be captured into a graph: define the class outside.")
        self.push(interpret.call(function, *args, **kwargs))

    def _namespace(self, function: Any, args: Any) -> Any:
        """What locals() and its kin answer in user code."""
        if args or function not in (builtins.locals, builtins.vars, builtins.globals, builtins.dir):
            return None
        if function is builtins.globals:
            return self.frame.global_names
        names = self.code.code.co_varnames + self.code.code.co_cellvars + self.code.code.co_freevars
        found = {name: self.frame[name] for name in names if self.frame.has(name)}
        return sorted(found) if function is builtins.dir else found

    # Conditions on Tensors ---------------------------------------------------------------------------------------

    def decide(self, test: Any, ins: Instruction, wanted: bool, keep: bool = False) -> End:
        """A jump to ins.target if the truth of `test` is `wanted`; with `keep`, `test` stays on the stack then."""
        here = self.at - 1
        if self.eager or not decides(test):
            if bool(self.do(bool, test) if self.eager else test) is wanted:
                self.stack.extend([test] if keep else [])
                self.at = ins.target
            return None
        found = self.code.loops.get(here)
        if found is not None and found.body not in self.scope.stops and not self._sets(found):
            return self._loop(found)
        jump = (ins.target, [*self.stack, *([test] if keep else [])])
        onward = (here + 1, self.stack)
        return self._branch(test, *((jump, onward) if wanted else (onward, jump)), here)

    def _branch(self, test: Any, yes: _Place, no: _Place, here: int) -> End:
        self._check_depth(here)
        around = self._around(here)
        if around is not None:
            return self._leave(around, test, yes, no, here)
        meet = self._meet(yes[0], no[0], here)
        stops = flow.meets(self.code, yes[0], no[0], self.scope) if meet == flow.EXIT else (meet,)
        scope = self.scope.until(*stops)
        low = self.code.lows.get((here, meet), len(self.stack))
        while True:

            def alone(low: int = low) -> End:
                return Outcome(no[0], tuple(no[1][low:]))

            try:
                then, otherwise = (self._side(*way, scope, low, here) for way in (yes, no))
                return self._proceed(fork(self.frame, test, then, otherwise, alone), low)
            except _Deeper as deeper:
                low = self.code.lows[here, meet] = deeper.depth

    def _meet(self, yes: int, no: int, here: int) -> int:
        """Where the sides of a condition meet again, or EXIT. Where one leaves a loop they do not within it; but if both may
        go on with it, what comes then is not followed twice."""
        meet = flow.joins(self.code, self.scope)[here]
        around = next((around for around in flow.loops(self.code) if here in around.inside), None)
        if around is None or meet in around.inside or not around.within(self.scope):
            return meet
        trip = around.trip()
        if not all(flow.reaches(self.code, at, trip) for at in (yes, no)):
            return meet
        meet = flow.joins(self.code, trip)[here]
        return around.header if meet == flow.EXIT else meet

    def _around(self, here: int) -> flow.Loop | None:
        """The `while` whose trip the sides of a condition may end, or whose first trip is decided."""
        for around in flow.loops(self.code):
            if here in self.code.tests.get(around.header, ()) and around.within(self.scope):
                return around
            if here in around.inside and self.code.instructions[around.header].name != "FOR_ITER":
                leaves = flow.joins(self.code, self.scope)[here] not in around.inside
                return around if leaves and around.within(self.scope) else None
        return None

    def _proceed(self, end: End, low: int) -> End:
        """Goes on where all ways lead, or runs what follows each, errors first, beside which nothing is conditional; ways
        have what they leave of the stack from `low` up."""
        while isinstance(end, Undecided):
            places = [at for at in end.ways if at >= 0 and self.scope.holds(at)]
            places.sort(key=lambda at: (flow.returns(self.code, at), at))
            if not places:
                self.low = low
                return end
            end = follow_on(self.frame, end, places[0], self._following(places[0], self.scope.until(*places[1:]), low))
        if end is None or end.kind == RETURN:
            return end
        self.stack[low:] = end.value
        self.at = end.kind
        return None

    def _own(self, start: int, scope: flow.Scope) -> list[str]:
        return [name for name in flow.assigned(self.code, start, scope) if name in self.frame.local_names]

    def _side(self, start: int, stack: list[Any], scope: flow.Scope, low: int, here: int) -> Callable[[], End]:
        """What one way does from `start` on; its end has the stack from `low` up, the rest is left alone."""

        def run() -> End:
            before = [_copied(value) for value in stack]
            return self._ended(Run(self.code, self.frame, list(before), start, scope, (self, here)), before[:low])

        return run

    def _ended(self, inner: Run, below: list[Any], enter: bool = False) -> End:
        """Executes a part of the function, of which only the stack above `below` changes; `enter`: it starts at its stop."""
        inner.handled = self.handled
        end = inner.step() if enter else None
        end = inner.until() if end is None else end
        if isinstance(end, Outcome):
            return end
        depth = len(inner.stack) if end is None else inner.low
        same = 0
        while same < min(len(below), depth) and inner.stack[same] is below[same]:
            same += 1
        if same < len(below):
            raise _Deeper(same)
        if end is None:
            return Outcome(inner.at, tuple(inner.stack[same:]))
        rest = inner.stack[same:depth]
        ways = {at: way if at == RETURN else way._replace(value=(*rest, *way.value)) for at, way in end.ways.items()}
        return Undecided(end.kind, ways)

    def _following(self, start: int, scope: flow.Scope, low: int) -> Callable[[Any], End]:
        def run(value: Any) -> End:
            return self._side(start, [*self.stack[:low], *value], scope, low, start)()

        return run

    def _check_depth(self, here: int) -> None:
        count, run = 0, self
        while run.outer is not None:
            run, place = run.outer
            count += place == here
        if count >= MOST_NESTED:
            raise core.CaptureError(
                "a `for` that a Tensor ends makes too many trips for a graph that has each of them: use `while`."
            )

    def _leave(self, around: flow.Loop, test: Any, yes: _Place, no: _Place, here: int) -> End:
        """The rest of a trip that a Tensor may end, and the trips after it."""
        tests = self.code.tests.get(around.header, range(0))
        scope = around.trip()._replace(inside=frozenset(tests)) if here in tests else around.trip()
        trip = Run(self.code, self.frame, self.stack, self.at, scope, (self, -1))
        trip.handled = self.handled
        end = trip._branch(test, yes, no, here)
        end = trip.until() if end is None else end
        if not isinstance(end, Undecided):
            self.at = trip.at
            return end
        del self.stack[trip.low :]
        if around.header in end.ways and not end.ways[around.header].value:
            end = self._trips(around, end)
        return self._proceed(end, trip.low)

    def _trips(self, around: flow.Loop, end: Undecided) -> End:
        """The trips after one that a Tensor may have ended; not all of them if they need numbers that Python knows."""
        if around.header in self.frame.unrolled:
            return end
        capture = core.current_capture()
        refused, scope = capture.refused, around.trip()
        base = list(self.stack)

        def body() -> End:
            return self._ended(self._at(around.header, base, scope), base, enter=True)

        try:
            return loop(self.frame, lambda: True, body, self._own(around.header, scope), end, around.header)
        except core.CaptureError as error:
            endless = around.header not in self.code.tests and len(end.ways) > 1
            if endless or isinstance(error, recursion.Found):
                raise
            capture.refused = refused
            self.frame.unrolled.add(around.header)
            return end

    def again(self, header: int) -> End:
        """Goes back to the begin of a loop. One that nothing ends but an error that the graph raises becomes a node."""
        self.at = header
        if self.eager or header in self.code.tests or self.code.instructions[header].name == "FOR_ITER":
            return None
        around = next((around for around in flow.loops(self.code) if around.header == header), None)
        errors, (before, trips) = state.raising("with"), self.arrivals.get(header, (-1, 0))
        self.arrivals[header] = errors, trips + 1
        if before in (-1, errors) or around is None or not around.within(self.scope):
            return None
        if state.goes_on(trips, header in self.frame.unrolled):
            return None
        end = self._trips(around, Undecided(header, {header: Way((), {})}))
        return None if header in self.frame.unrolled else self._proceed(end, len(self.stack))

    def _loop(self, found: instructions.Loop) -> End:
        """A `while` that begins with its test."""
        around = next(around for around in flow.loops(self.code) if around.header == found.body)
        test = range(found.test, found.end)
        scope = flow.Scope(around.inside - set(test), frozenset((found.test,)))
        base = list(self.stack)

        def body() -> End:
            return self._ended(self._at(found.body, base, scope), base)

        names = self._own(found.body, flow.Scope(around.inside, frozenset()))
        end = loop(
            self.frame, lambda: self._test(found, self._at(found.test, base, flow.ALL)), body, names, on=found.test, done=()
        )
        return self._proceed(become(self.frame, end, found.test, found.end), len(base))

    def _at(self, start: int, stack: list[Any], scope: flow.Scope) -> Run:
        return Run(self.code, self.frame, list(stack), start, scope, (self, -1))

    def _sets(self, found: instructions.Loop) -> bool:
        """Whether the test of a loop sets variables: then it is a part of the trip before."""
        return any(self.code.instructions[at].name in flow.WRITES for at in range(found.test, found.end))

    def _test(self, found: instructions.Loop, run: Run) -> Any:
        """Whether a loop goes on."""
        while True:
            ins = self.code.instructions[run.at]
            if ins.target not in (found.body, found.end) or not ins.name.startswith("POP_JUMP_"):
                run.step()
                continue
            wanted, on = "_IF_TRUE" in ins.name, ins.target == found.body
            (value,) = run.pop(1)
            run.at += 1
            onward = run.at == found.end  # the last instruction: falling through leaves the loop
            if not decides(value):
                if bool(value) is wanted:
                    return on
                if onward:
                    return not on
                continue
            if onward:
                value = core.current_capture().truth(value)
                return value if wanted is on else logical_not(value)

            def rest(run: Run = run) -> Any:
                return self._test(found, self._at(run.at, run.stack, run.scope))

            sides = (lambda: on, rest) if wanted else (rest, lambda: on)
            return branch(self.frame, value, *sides)


def _look_at(values: list[Any], content: bool) -> None:
    for value in values:
        if type(value) is Opaque:
            raise core.CaptureError("a value that Python made outside the graph is looked at.")
        if content:
            outside.look(value)


def _copied(value: Any) -> Any:
    """An iterator that can be used up while the given one stays where it is; other values as they are."""
    if not hasattr(type(value), "__next__") or isinstance(value, core.Tensor):
        return value
    try:
        make, args, *rest = value.__reduce__()
    except TypeError:
        return Opaque()
    made = make(*(_copied(arg) for arg in args))
    if rest and rest[0] is not None:
        made.__setstate__(rest[0])
    return made


def _raise_at(run: Run, at: int, error: BaseException) -> None:
    """Raises an error from a Python frame at the user's line, which tracebacks show then."""

    def throw() -> None:
        raise error

    names = {"__ember_do": throw, "__ember_args": (), "__ember_keywords": {}, "__ember_frame": run.frame}
    eval(_caller(run.code, at), names)


def _caller(code: Code, at: int) -> types.CodeType:
    """Code that makes a call and looks like the user's."""
    known = code.callers.get(at)
    if known is None:
        tree = ast.parse("__ember_do(*__ember_args, **__ember_keywords)", mode="eval")
        place = code.instructions[at].positions
        for node in ast.walk(tree):
            if isinstance(node, ast.expr) and place is not None and None not in place:
                node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = place
        made = compile(tree, code.code.co_filename, "eval")
        known = code.callers[at] = made.replace(co_name=code.code.co_name, co_qualname=code.code.co_qualname)
    return known
