"""Executes decoded bytecode. While a graph is captured Python values are computed, operations on captured tensors record
nodes, and where a Tensor decides, both ways run into graphs of their own (branches.py); outside a capture it is a plain
interpreter, which runs what no graph holds (resume.py). Opcodes are CPython 3.11's.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import flow, instructions, outside, source, state
from emberjit.capture.branches import branch, decides, loop
from emberjit.capture.control import Outcome, logical_not
from emberjit.capture.frame import Closure, Opaque, new_frame
from emberjit.capture.instructions import Code, Instruction
from emberjit.capture.opcodes import HANDLERS, OPERANDS

MOST_NESTED = 60  # conditions of one place within each other, as in an endless loop that a Tensor leaves


class Nested(Closure):
    """A function with free variables, defined inside executed code."""

    def __init__(self, code: types.CodeType, frame: Any, defaults: Any, kwdefaults: Any):
        self.__code__, self.frame = code, frame
        self.__name__, self.__defaults__, self.__kwdefaults__ = code.co_name, defaults, kwdefaults

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is None:
            return self.real()(*args, **kwargs)
        if source.suspends(self.__code__):
            return Generator(self, args, kwargs)
        names = self.__code__.co_freevars
        cells = {name: self.frame.cells.get(name, self.frame) for name in names}
        return run(self.__code__, cells, self.frame.global_names, source.bind(self, args, kwargs))  # type: ignore[arg-type]

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


class Generator:
    """A running generator of an inner function: whenever it goes on, the variables around it are as they are then."""

    def __init__(self, function: Nested, args: Any, kwargs: Any):
        made = function.real()
        self.running = made(*args, **kwargs)
        cells = zip(function.__code__.co_freevars, made.__closure__ or ())
        owned = [(name, cell, function.frame.cells.get(name, function.frame)) for name, cell in cells]
        self.shared = [(name, cell, owner) for name, cell, owner in owned if owner is not cell]

    def __iter__(self) -> Generator:
        return self

    def __next__(self) -> Any:
        return self._go_on(next, self.running)

    def send(self, value: Any) -> Any:
        """As a generator's."""
        return self._go_on(self.running.send, value)

    def throw(self, *error: Any) -> Any:
        """As a generator's."""
        return self._go_on(self.running.throw, *error)

    def close(self) -> None:
        """As a generator's."""
        self._go_on(self.running.close)

    def __reduce__(self) -> Any:
        raise TypeError("a generator cannot be copied")

    @property
    def gi_frame(self) -> Any:
        """As a generator's."""
        return self.running.gi_frame

    def _go_on(self, step: Callable[..., Any], *args: Any) -> Any:
        for name, cell, owner in self.shared:
            if name in owner:
                cell.cell_contents = owner[name]
        try:
            return step(*args)
        finally:
            for name, cell, owner in self.shared:
                with contextlib.suppress(ValueError):  # it has no value yet
                    if cell.cell_contents is not owner.get(name):
                        dict.__setitem__(owner, name, cell.cell_contents)


def supports(code: types.CodeType) -> bool:
    """Whether all instructions of a function are known."""
    if not state.EXECUTABLE or source.suspends(code):
        return False
    return all(ins.name in HANDLERS for ins in instructions.decoded(code).instructions)


def execute(function: Any, variables: dict[str, Any]) -> Any:
    """Runs a Python function, of which these are the arguments, into the current graph."""
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        outside.take(value)
    return run(code, cells, function.__globals__, variables)


def run(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs code with these variables."""
    outcome = Run(instructions.decoded(code), new_frame(code, cells, global_names, variables), [], 0).until(None)
    return outcome.value if outcome is not None else None


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


class _Deeper(core.CaptureError):  # type: ignore[misc]
    """A side of a condition changes the stack below where it was thought to."""

    def __init__(self, depth: int):
        super().__init__()
        self.depth = depth


class Run:
    """A position in a function: frame, stack, the next instruction.

    `floor` is the depth of the stack below which a side of a condition must not change what it finds; `within`, the
    instructions that a loop's body must not leave.
    """

    def __init__(self, code: Code, frame: Any, stack: list[Any], at: int, within: range | None = None, outer: Any = None):
        self.code, self.frame, self.stack, self.at = code, frame, stack, at
        self.within = within
        self.outer = outer
        self.floor = len(stack) if outer is not None else 0
        self.eager = core.current_capture() is None
        self.handled: Any = None  # the exception that is being handled
        self.callees: Any = None  # outside a capture: how the functions that are called run, see frames.py
        self.steps = 0
        self.lost: dict[str, int] = {}  # variables that a condition on a Tensor left without a value, at which step
        self.line = 0

    # Control ------------------------------------------------------------------------------------------------------

    def until(self, end: int | None, limit: int = -1) -> Outcome | None:
        """Executes until position `end` or, which is its answer, a return; or until `limit` steps have been made."""
        while self.at != end and self.steps != limit:
            outcome = self.step()
            if outcome is not None:
                return outcome
            for name in self.frame.lost:
                self.lost.setdefault(name, self.steps)
            self.steps += 1
        return None

    def step(self) -> Outcome | None:
        """Executes one instruction."""
        at, ins = self.at, self.code.instructions[self.at]
        if self.within is not None and at not in self.within:
            raise core.CaptureError(
                "`break` or `return` in a `while` on a Tensor cannot be captured into a graph: compute a flag and test it "
                "in the loop's condition."
            )
        if not self.eager and ins.line != self.line:
            self.line = ins.line
            core.current_capture().set_source(self.code.code.co_filename, ins.line)
        self.at = at + 1
        try:
            if not self.eager and (count := OPERANDS.get(ins.name)):
                _look_at(self.stack[-count:], ins.name not in ("LOAD_ATTR", "LOAD_METHOD"))
            execute = HANDLERS[ins.name]
            return execute(self, ins) if self.handled is None else core.call_handling(self.handled, execute, self, ins)
        except core.CaptureError as error:
            self.at = at
            state.locate(error, self.code.code.co_filename, ins.line)
            raise
        except BaseException as error:
            self.at = at
            if not self.unwind(error):
                if not self.eager:
                    _raise_at(self.code, at, error)
                raise
        return None

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

    def decide(self, test: Any, ins: Instruction, wanted: bool, keep: bool = False) -> Outcome | None:
        """A jump to ins.target if the truth of `test` is `wanted`; with `keep`, `test` stays on the stack then."""
        here = self.at - 1
        if self.eager or not decides(test):
            if bool(self.do(bool, test) if self.eager else test) is wanted:
                self.stack.extend([test] if keep else [])
                self.at = ins.target
            return None
        if here in self.code.loops:
            self._loop(self.code.loops[here])
            return None
        jump = (ins.target, [*self.stack, *([test] if keep else [])])
        onward = (here + 1, self.stack)
        return self._branch(test, *((jump, onward) if wanted else (onward, jump)), here)

    def _branch(self, test: Any, yes: tuple[int, list[Any]], no: tuple[int, list[Any]], here: int) -> Outcome | None:
        self._check_depth(here)
        join = flow.joins(self.code)[here]
        low = len(self.stack)
        while True:
            try:
                then, otherwise = (self._side(*way, here, join, low) for way in (yes, no))
                value = branch(self.frame, test, then, otherwise, self._own(here, join), join == flow.EXIT)
                break
            except _Deeper as deeper:
                low = deeper.depth
        if join == flow.EXIT:
            return Outcome("return", value)
        self.stack[low:] = value
        self.at = join
        return None

    def _own(self, start: int, end: int) -> list[str]:
        return [name for name in flow.assigned(self.code, start, end) if name in self.frame.local_names]

    def _side(self, start: int, stack: list[Any], here: int, join: int, low: int) -> Callable[[], Any]:
        """What one way does from `start` on; it answers the stack at the join from `low` up and leaves the rest alone."""

        def run() -> Any:
            before = [_copied(value) for value in stack]
            inner = Run(self.code, self.frame, list(before), start, self.within, (self, here))
            inner.handled = self.handled
            outcome = inner.until(None if join == flow.EXIT else join)
            if join == flow.EXIT:
                return outcome.value if outcome is not None else None
            if outcome is not None:
                raise core.CaptureError("a side of a condition on a Tensor returns where the other goes on.")
            same = 0
            while same < min(low, len(inner.stack)) and inner.stack[same] is before[same]:
                same += 1
            if same < low:
                raise _Deeper(same)
            return tuple(inner.stack[low:])

        return run

    def _check_depth(self, here: int) -> None:
        count, run = 0, self
        while run.outer is not None:
            run, place = run.outer
            count += place == here
        if count >= MOST_NESTED:
            raise core.CaptureError(
                "a loop that only a Tensor ends cannot be captured into a graph like this: put the condition into `while`."
            )

    def _loop(self, found: instructions.Loop | None) -> None:
        if found is None:
            raise core.CaptureError("a comparison in a chain is the test of a `while` on a Tensor: use `and`.")
        within = range(found.body, found.end)
        base = list(self.stack)

        def run(start: int) -> Run:
            return Run(self.code, self.frame, list(base), start, within, (self, -1))

        def body() -> None:
            if run(found.body).until(found.test) is not None:
                raise core.CaptureError("`return` in a `while` on a Tensor cannot be captured into a graph: compute a flag.")

        loop(self.frame, lambda: self._test(found, run(found.test)), body, self._own(found.body, found.end))
        self.at = found.end

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
            rest = (lambda: not on) if onward else (lambda: self._test(found, run))
            if onward:
                return value if wanted is on else logical_not(value)
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


def _raise_at(code: Code, at: int, error: BaseException) -> None:
    """Raises an error from a Python frame at the user's line, which tracebacks show then."""

    def throw() -> None:
        raise error

    eval(_caller(code, at), {"__ember_do": throw, "__ember_args": (), "__ember_keywords": {}})


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
