"""Executes decoded bytecode. While a graph is captured Python values are computed, operations on captured Tensors record
nodes, and where a Tensor decides, both ways run into graphs of their own; outside a capture it is a plain interpreter,
which runs what no graph holds (graph breaks). Opcodes are CPython 3.11's.
"""

from __future__ import annotations

import builtins
import types
import warnings
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode import user_frames
from emberjit.capture.bytecode.closures import BytecodeClosure
from emberjit.capture.bytecode.opcodes import HANDLERS, OPERANDS
from emberjit.capture.code import SUPPORTED, context_managers, flow, instructions, signature
from emberjit.capture.code.instructions import Code, Instruction
from emberjit.capture.code.lookup import defines
from emberjit.capture.graph import raises
from emberjit.capture.graph.conditions import (
    RETURN,
    End,
    Outcome,
    Undecided,
    Way,
    become,
    branch,
    conditional,
    decides,
    follow_on,
    logical_not,
)
from emberjit.capture.graph.loops import loop
from emberjit.capture.guards.objects import observe
from emberjit.capture.session import tracebacks
from emberjit.capture.session.engine import engine
from emberjit.capture.session.errors import BeginAnew, locate
from emberjit.capture.session.locations import Location, interpreters, known_positions
from emberjit.capture.session.session import current_session
from emberjit.capture.state.namespace import Opaque, new_namespace, observe_opaque

MAX_NESTED = 500  # of one condition within each other, as in a loop over much that a Tensor leaves

_Target = tuple[int, list[Any]]  # where to go on, with which stack


def supports(code: types.CodeType) -> bool:
    """Whether all instructions of a function are known."""
    return SUPPORTED and not signature.suspends(code) and knows(code)


def knows(code: types.CodeType) -> bool:
    """Whether there is a handler for each instruction."""
    return all(ins.name in HANDLERS for ins in instructions.decoded(code).instructions)


def run(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs code with these variables."""
    end = Run(instructions.decoded(code), new_namespace(code, cells, global_names, variables), [], 0).until()
    return end.value if isinstance(end, Outcome) else None


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

    def __init__(
        self, code: Code, namespace: Any, stack: list[Any], at: int, region: flow.Region = flow.ALL, outer: Any = None
    ):
        self.code, self.namespace, self.stack, self.at = code, namespace, stack, at
        self.region = region
        self.outer = outer
        self.floor = len(stack) if outer is not None else 0
        self.eager = core.current_capture() is None
        self.session = None if self.eager else current_session()
        self.handled: Any = None  # the exception that is being handled
        self.callees: Any = (
            None  # outside a capture: how the functions that are called run, see graph_breaks/callee_frames.py
        )
        self.steps = 0
        self.low = 0  # from where on the stack is that of each way in which the run may have ended
        self.lost: dict[str, int] = {}  # variables that a condition on a Tensor left without a value, at which step
        self.line = 0
        self.arrivals: dict[int, tuple[int, int]] = {}  # at headers of loops: how many errors there were, how often

    # Control ------------------------------------------------------------------------------------------------------

    def until(self, limit: int = -1) -> End:
        """Executes until a return or the end of the scope, or until `limit` steps have been made."""
        while self.steps != limit and self.region.holds(self.at):
            end = self.step()
            if end is not None:
                return end
            for name in self.namespace.lost:
                if name not in self.namespace:
                    self.lost.setdefault(name, self.steps)
            self.steps += 1
        return None

    def step(self) -> End:
        """Executes one instruction."""
        at, ins = self.at, self.code.instructions[self.at]
        if self.session is not None:
            self.session.count_step()
        if not self.eager and ins.line != self.line:
            self.line = ins.line
            core.current_capture().set_source(self.code.code.co_filename, ins.line)
        self.at = at + 1
        waiting = None if self.eager else self._waiting(at)
        before = raises.pending(waiting)
        try:
            if not self.eager and (count := OPERANDS.get(ins.name)):
                _observe(self.stack[-count:], ins.name not in ("LOAD_ATTR", "LOAD_METHOD"))
            execute = HANDLERS[ins.name]
            end: End = execute(self, ins) if self.handled is None else core.call_handling(self.handled, execute, self, ins)
            raises.check_pending(waiting, before)
            return end
        except core.CaptureError as error:
            self.at = at
            locate(error, self.code.code.co_filename, ins.line)
            raise
        except BaseException as error:
            self.at = at
            self._check_pending(waiting, before, ins.line)
            caught = self.unwind(error)
            if self.eager and not caught:
                self.let_go()
            again = ins.name == "RERAISE" or (ins.name == "RAISE_VARARGS" and ins.arg == 0 and self.handled is not None)
            if not again and not (self.eager and user_frames.shows(error, self.code, ins.line)):
                user_frames.raise_at(self.code, at, self.namespace, error, caught)
                if self.eager:
                    tracebacks.show_user_code(error)
            elif self.eager and not caught:
                user_frames.keep_variables(error, self.code, self.namespace.variables())
            if not caught:
                raise
        return None

    def _check_pending(self, waiting: str | None, before: int, line: int) -> None:
        try:
            raises.check_pending(waiting, before)
        except core.CaptureError as error:
            locate(error, self.code.code.co_filename, line)
            raise error from None

    def _waiting(self, at: int) -> str | None:
        """Which statement handles what an instruction raises: "try", "catching", "with" or None."""
        found = None
        for with_, handler in self.code.enclosing_handlers(at):
            if not with_:
                return "try"
            if context_managers.may_swallow(self.stack[handler.depth - 1]):
                return "catching"
            found = "with"
        return found

    def unwind(self, error: BaseException) -> bool:
        """Goes to the handler of an exception, if there is one."""
        handler = self.code.handlers[self.at]
        if handler is None:
            return False
        if self.eager:
            tracebacks.show_user_code(error)
        del self.stack[handler.depth :]
        if handler.lasti:
            self.stack.append(self.at)
        self.stack.append(error)
        self.at = handler.target
        return True

    def let_go(self) -> None:
        """Forgets stack and error, once somebody else has them: errors lead here, by the frames that raised them."""
        self.stack, self.handled = [], None

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
        """The value that many entries below the top (1: the top), to be changed in place."""
        if len(self.stack) - depth < self.floor:
            raise core.CaptureError(
                "a list, set or dict is filled under a condition on a Tensor, which cannot be captured into a graph: use "
                "select, or decide by a Python value."
            )
        return self.stack[-depth]

    def do(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Calls something that is not followed; outside a capture from a Python frame at the user's line."""
        if not self.eager:
            return engine().call_library(function, args, kwargs)
        namespace = self.namespace
        if (function is exec or function is eval) and len(args) == 1 and not kwargs:
            args = (*args, namespace.global_names, namespace.variables())  # which they do not change
        namespace["__ember_do"], namespace["__ember_args"], namespace["__ember_keywords"] = function, args, kwargs
        call = user_frames.call_site(self.code, self.at - 1)
        try:
            return core.call_with_frames(self.callees, eval, call, namespace.global_names, namespace)
        finally:
            del namespace["__ember_do"], namespace["__ember_args"], namespace["__ember_keywords"]

    def define(self, code: types.CodeType, defaults: Any, kwdefaults: Any, annotations: Any) -> None:
        """Makes a function that sees variables of this one."""
        closure = BytecodeClosure(code, self.namespace, defaults, kwdefaults, annotations)
        self.push(closure.real() if self.eager else closure)

    def call(self, function: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Calls what user code calls."""
        if function is builtins.super and not args:
            args = (self.namespace["__class__"], self.namespace[self.code.code.co_varnames[0]])
        if self.eager:
            if function is warnings.warn and (*args[2:3], kwargs.get("stacklevel", 1))[0] != 1:
                function = user_frames.warn
            given = self._introspected(function, args)
            self.push(given if given is not None else self.do(function, *args, **kwargs))
            return
        _observe([function, *args, *kwargs.values()], True)
        if function is builtins.__build_class__:
            raise core.CaptureError("a `class` statement cannot be captured into a graph: define the class outside.")
        self.push(engine().call(function, *args, **kwargs))

    def _introspected(self, function: Any, args: Any) -> Any:
        """What locals() and its kin return in user code."""
        readers = (builtins.locals, builtins.vars, builtins.globals, builtins.dir)
        if args or not any(function is reader for reader in readers):
            return None
        if function is builtins.globals:
            return self.namespace.global_names
        names = self.code.code.co_varnames + self.code.code.co_cellvars + self.code.code.co_freevars
        found = {name: self.namespace[name] for name in names if self.namespace.has(name)}
        return sorted(found) if function is builtins.dir else found

    # Conditions on Tensors ---------------------------------------------------------------------------------------

    def decide(self, test: Any, ins: Instruction, wanted: bool, keep: bool = False) -> End:
        """A jump to ins.target if the truth of `test` is `wanted`; with `keep`, `test` stays on the stack then."""
        here = self.at - 1
        if self.eager or not decides(test):
            if self.do(bool, test) is wanted:
                self.stack.extend([test] if keep else [])
                self.at = ins.target
            return None
        found = self.code.loops.get(here)
        if found is not None and found.body not in self.region.stops and not self._sets(found):
            return self._loop(found)
        jump = (ins.target, [*self.stack, *([test] if keep else [])])
        onward = (here + 1, self.stack)
        return self._branch(test, *((jump, onward) if wanted else (onward, jump)), here)

    def _branch(self, test: Any, yes: _Target, no: _Target, here: int) -> End:
        self._check_depth(here)
        enclosing = self._enclosing(here)
        if enclosing is not None:
            return self._leave(enclosing, test, yes, no, here)
        meet = self._merge_point(yes[0], no[0], here)
        stops = flow.merge_points(self.code, yes[0], no[0], self.region) if meet == flow.EXIT else (meet,)
        region = self.region.until(*stops)
        low = self.code.lows.get((here, meet), len(self.stack))
        while True:

            def alone(low: int = low) -> End:
                return Outcome(no[0], tuple(no[1][low:]))

            try:
                then, otherwise = (self._side(*way, region, low, here) for way in (yes, no))
                return self._proceed(conditional(self.namespace, test, then, otherwise, alone), low)
            except _Deeper as deeper:
                low = self.code.lows[here, meet] = deeper.depth

    def _merge_point(self, yes: int, no: int, here: int) -> int:
        """Where the sides of a condition meet again, or EXIT. Where one leaves a loop they do not within it; but if both may
        go on with it, what comes then is not followed twice."""
        meet = flow.postdominators(self.code, self.region)[here]
        enclosing = next((enclosing for enclosing in flow.loops(self.code) if here in enclosing.inside), None)
        if enclosing is None or meet in enclosing.inside or not enclosing.within(self.region):
            return meet
        trip = enclosing.trip()
        if not all(flow.reaches(self.code, at, trip) for at in (yes, no)):
            return meet
        meet = flow.postdominators(self.code, trip)[here]
        return enclosing.header if meet == flow.EXIT else meet

    def _enclosing(self, here: int) -> flow.Loop | None:
        """The `while` whose trip the sides of a condition may end, or whose first trip is decided."""
        for enclosing in flow.loops(self.code):
            if here in self.code.tests.get(enclosing.header, ()) and enclosing.within(self.region):
                return enclosing
            if here in enclosing.inside and self.code.instructions[enclosing.header].name != "FOR_ITER":
                leaves = flow.postdominators(self.code, self.region)[here] not in enclosing.inside
                return enclosing if leaves and enclosing.within(self.region) else None
        return None

    def _proceed(self, end: End, low: int) -> End:
        """Goes on where all ways lead, or runs what follows each, errors first, beside which nothing is conditional; ways
        have what they leave of the stack from `low` up."""
        while isinstance(end, Undecided):
            targets = [at for at in end.ways if at >= 0 and self.region.holds(at)]
            targets.sort(key=lambda at: (flow.returns(self.code, at), at))
            if not targets:
                self.low = low
                return end
            end = follow_on(
                self.namespace, end, targets[0], self._following(targets[0], self.region.until(*targets[1:]), low)
            )
        if end is None or end.kind == RETURN:
            return end
        self.stack[low:] = end.value
        self.at = end.kind
        return None

    def _own(self, start: int, region: flow.Region) -> list[str]:
        return [name for name in flow.assigned(self.code, start, region) if name in self.namespace.local_names]

    def _side(self, start: int, stack: list[Any], region: flow.Region, low: int, here: int) -> Callable[[], End]:
        """What one way does from `start` on; its end has the stack from `low` up, the rest is left alone."""

        def run() -> End:
            before = [_copied(value) for value in stack]
            return self._ended(Run(self.code, self.namespace, list(before), start, region, (self, here)), before[:low])

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

    def _following(self, start: int, region: flow.Region, low: int) -> Callable[[Any], End]:
        def run(value: Any) -> End:
            return self._side(start, [*self.stack[:low], *value], region, low, start)()

        return run

    def _check_depth(self, here: int) -> None:
        count, run = 0, self
        while run.outer is not None:
            run, condition = run.outer
            count += condition == here
        if count >= MAX_NESTED:
            raise core.CaptureError(
                "a `for` that a Tensor ends makes too many trips for a graph that has each of them: use `while`."
            )

    def _leave(self, enclosing: flow.Loop, test: Any, yes: _Target, no: _Target, here: int) -> End:
        """The rest of a trip that a Tensor may end, and the trips after it."""
        tests = self.code.tests.get(enclosing.header, range(0))
        region = enclosing.trip()._replace(inside=frozenset(tests)) if here in tests else enclosing.trip()
        trip = Run(self.code, self.namespace, self.stack, self.at, region, (self, -1))
        trip.handled = self.handled
        end = trip._branch(test, yes, no, here)
        end = trip.until() if end is None else end
        if not isinstance(end, Undecided):
            self.at = trip.at
            return end
        del self.stack[trip.low :]
        if enclosing.header in end.ways and not end.ways[enclosing.header].value:
            end = self._trips(enclosing, end)
        return self._proceed(end, trip.low)

    def _trips(self, enclosing: flow.Loop, end: Undecided) -> End:
        """The trips after one that a Tensor may have ended; not all of them if they need numbers that Python knows."""
        if enclosing.header in self.namespace.unrolled:
            return end
        capture = core.current_capture()
        refused, region = capture.refused, enclosing.trip()
        base = list(self.stack)

        def body() -> End:
            return self._ended(self._at(enclosing.header, base, region), base, enter=True)

        try:
            return loop(self.namespace, lambda: True, body, self._own(enclosing.header, region), end, enclosing.header)
        except core.CaptureError as error:
            endless = enclosing.header not in self.code.tests and len(end.ways) > 1
            if endless or isinstance(error, BeginAnew):
                raise
            capture.refused = refused
            self.namespace.unrolled.add(enclosing.header)
            return end

    def again(self, header: int) -> End:
        """Goes back to the begin of a loop. One that nothing ends but an error that the graph raises becomes a node."""
        self.at = header
        if self.eager or header in self.code.tests or self.code.instructions[header].name == "FOR_ITER":
            return None
        enclosing = next((enclosing for enclosing in flow.loops(self.code) if enclosing.header == header), None)
        errors, (before, trips) = raises.pending("with"), self.arrivals.get(header, (-1, 0))
        self.arrivals[header] = errors, trips + 1
        if before in (-1, errors) or enclosing is None or not enclosing.within(self.region):
            return None
        if raises.goes_on(trips, header in self.namespace.unrolled):
            return None
        end = self._trips(enclosing, Undecided(header, {header: Way((), {})}))
        return None if header in self.namespace.unrolled else self._proceed(end, len(self.stack))

    def _loop(self, found: instructions.Loop) -> End:
        """A `while` that begins with its test."""
        enclosing = next(enclosing for enclosing in flow.loops(self.code) if enclosing.header == found.body)
        test = range(found.test, found.end)
        region = flow.Region(enclosing.inside - set(test), frozenset((found.test,)))
        base = list(self.stack)

        def body() -> End:
            return self._ended(self._at(found.body, base, region), base)

        names = self._own(found.body, flow.Region(enclosing.inside, frozenset()))
        end = loop(
            self.namespace,
            lambda: self._test(found, self._at(found.test, base, flow.ALL)),
            body,
            names,
            on=found.test,
            done=(),
        )
        return self._proceed(become(self.namespace, end, found.test, found.end), len(base))

    def _at(self, start: int, stack: list[Any], region: flow.Region) -> Run:
        return Run(self.code, self.namespace, list(stack), start, region, (self, -1))

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
                if self.do(bool, value) is wanted:
                    return on
                if onward:
                    return not on
                continue
            if onward:
                value = core.current_capture().truth(value)
                return value if wanted is on else logical_not(value)

            def rest(run: Run = run) -> Any:
                return self._test(found, self._at(run.at, run.stack, run.region))

            sides = (lambda: on, rest) if wanted else (rest, lambda: on)
            return branch(self.namespace, value, *sides)


def _observe(values: list[Any], content: bool) -> None:
    for value in values:
        if type(value) is Opaque:
            observe_opaque()
        if content:
            observe(value)


def _copied(value: Any) -> Any:
    """An iterator that can be used up while the given one stays where it is; other values as they are."""
    if not defines(value, "__next__") or isinstance(value, core.Tensor):
        return value
    try:
        make, args, *rest = value.__reduce__()
    except TypeError:
        return Opaque()
    made = make(*(_copied(arg) for arg in args))
    if rest and rest[0] is not None:
        made.__setstate__(rest[0])
    return made


def _location(frame: Any) -> tuple[Any, Location]:
    """The variables and the user's line of the instruction that a frame of Run.step executes."""
    run, ins = frame.f_locals["self"], frame.f_locals["ins"]
    code = run.code.code
    return run.namespace, Location(code.co_filename, code.co_name, known_positions(ins.positions, ins.line))


interpreters[Run.step.__code__] = _location
