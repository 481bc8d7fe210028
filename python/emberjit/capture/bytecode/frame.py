"""A function that is being executed, and what instructions do with it. While a graph is captured Python values are computed
and operations on captured Tensors record nodes; outside a capture all happens as in Python (graph breaks).
"""

from __future__ import annotations

import builtins
import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from emberjit import _emberjit as core
from emberjit.capture.bytecode import user_frames
from emberjit.capture.code import context_managers, flow
from emberjit.capture.code.instructions import Code, Instruction
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.graph import raises
from emberjit.capture.graph.conditions import End
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.session import tracebacks
from emberjit.capture.session.errors import locate
from emberjit.capture.session.session import current_session
from emberjit.capture.state.namespace import Opaque

_Handler = TypeVar("_Handler", bound=Callable[..., Any])
HANDLERS: dict[str, Callable[[Any, Instruction], End]] = {}
COMPUTES: dict[str, Callable[..., Any]] = {}


def handles(*names: str, table: dict[str, Any] = HANDLERS) -> Callable[[_Handler], _Handler]:
    """Declares what executes the instructions of these names: handler(frame, instruction)."""

    def declare(handler: _Handler) -> _Handler:
        table.update(dict.fromkeys(names, handler))
        return handler

    return declare


# The same of what has nothing to do with the stack: handler(frame, operand, *values) gets the values that the instruction
# takes, the lowest first, and returns the one that it puts there, else how the function ends.
computes = functools.partial(handles, table=COMPUTES)


_READERS = (builtins.locals, builtins.vars, builtins.globals, builtins.dir)
LOOKING = (*_READERS, builtins.super, builtins.exec, builtins.eval, warnings.warn)  # at the frame that calls them


class Frame(core.Frame):
    """Code, variables, stack and the next instruction; `here` is the one that is executed, and may have `called` something.

    A side of a condition on a Tensor, or a trip of a loop, is a frame of its own, with the variables of the frame that it
    is `within`: it ends where it leaves its `region`, and must not change the stack below its `floor`.
    """

    __slots__ = ()

    def __init__(
        self,
        code: Code,
        namespace: Any,
        stack: list[Any],
        at: int,
        region: flow.Region = flow.ALL,
        within: tuple[Frame, int] | None = None,  # and the position of the condition
    ):
        self.code, self.namespace, self.stack, self.at = code, namespace, stack, at
        self.instructions, self.handlers, self.filename = code.instructions, code.handlers, code.code.co_filename
        self.region = region
        self.eager = core.current_capture() is None
        if not self.eager:
            self.session = current_session()
        if within is not None:
            self.within, self.floor, self.handled = within, len(stack), within[0].handled

    def top(self, depth: int) -> Any:
        """The value that many entries below the top (1: the top), to be changed in place."""
        if len(self.stack) - depth < self.floor:
            raise core.CaptureError(
                "a list, set or dict is filled under a condition on a Tensor, which cannot be captured into a graph: use "
                "select, or decide by a Python value."
            )
        return self.stack[-depth]

    def jump(self, target: int) -> None:
        """Goes on elsewhere; what goes back is counted, as it may do so for ever."""
        if target < self.at:
            self.called = True  # here, too, CPython looks for signals
            if self.session is not None:
                self.session.check_steps()
        self.at = target

    def waiting(self) -> str | None:
        """Which statement handles what the instruction at hand raises: "try", "catching", "with" or None."""
        kind = None
        for with_, handler in self.code.enclosing_handlers(self.here):
            if not with_:
                return "try"
            leave = self.stack[handler.depth - 1]
            if type(leave) is Opaque or context_managers.may_swallow(leave):
                return "catching"
            kind = "with"
        return kind

    def execute_protected(self, ins: Instruction) -> End:
        """Executes an instruction within a `try` or a `with`, which must hold no error that only runs of the graph raise."""
        waiting = self.waiting()
        before = raises.pending(waiting)
        try:
            end: End = self.execute(ins)
        except core.CaptureError:
            raise
        except BaseException:
            try:
                raises.check_pending(waiting, before)
            except core.CaptureError as refused:
                raise refused from None
            raise
        raises.check_pending(waiting, before)
        return end

    def fail(self, error: BaseException, interrupts: bool = False) -> bool:
        """Goes on at the handler of an error that the instruction at hand has raised, if there is one; the error's traceback
        shows the user's line. `interrupts`: it came between instructions."""
        at, ins, handled = self.at, self.instructions[self.at], self.handled
        if isinstance(error, core.CaptureError):
            locate(error, self.filename, ins.line, ins.positions)
            return False
        again = raises_again(ins)
        if interrupts or (self.eager and not (again or self.called) and tracebacks.is_foreign(error)):
            error.__context__ = error.__context__ or (None if handled is error else handled)
            if self.pending is None and self._leaves():
                if self.by_graph:
                    self.pending = error
                    return True
                self.at = self.before
                at, ins = self.at, self.instructions[self.at]
        caught = self.unwind(error)
        if self.eager and not caught:
            self.let_go()
            self.raised = error
        if not again and not (self.eager and user_frames.shows(error, self.code, ins.line)):
            user_frames.raise_at(self.code, at, self.namespace, error)
            if self.eager:
                tracebacks.show_user_code(error)
        elif self.eager and not caught:
            user_frames.keep_variables(error, self.code, self.namespace.variables())
        return caught

    def _leaves(self) -> bool:
        """Whether the function has left a `try` or a `with` since it called something last. CPython looks for signals after
        calls, so what their handlers raise comes before it leaves; after a graph, which may have done what follows, after
        the next call."""
        left = self.code.left(self.before, self.at)
        return left is not None and len(self.stack) >= left.depth

    def unwind(self, error: BaseException) -> bool:
        """Goes to the handler of an exception of the next instruction, if there is one."""
        handler = self.handlers[self.at]
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

    def do(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Calls something that is not followed; outside a capture from a Python frame at the user's line."""
        if not self.eager:
            return self.session.engine.call_library(function, args, kwargs)
        if (function is exec or function is eval) and len(args) == 1 and not kwargs:
            args = (*args, self.namespace.global_names, self.namespace.variables())  # which they do not change
        return self.call_at_line(function, args, kwargs)

    def attribute(self, owner: Any, name: str) -> Any:
        """owner.name, as user code reads it."""
        return self.do(getattr, owner, name) if self.eager else read_attribute(owner, name)

    def call(self, function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
        """Calls what user code calls."""
        if function is builtins.super and not args:
            args = (self.namespace["__class__"], self.namespace[self.code.code.co_varnames[0]])
        if self.eager:
            if function is warnings.warn and (*args[2:3], kwargs.get("stacklevel", 1))[0] != 1:
                function = user_frames.warn
            variables = self._introspected(function, args)
            return variables if variables is not None else self.do(function, *args, **kwargs)
        core.look_at(function, *args, *kwargs.values())
        if function is builtins.__build_class__:
            raise core.CaptureError("a `class` statement cannot be captured into a graph: define the class outside.")
        return self.session.engine.call(function, *args, **kwargs)

    def _introspected(self, function: Callable[..., Any], args: Args) -> Any:
        """What locals() and its kin return in user code."""
        if args or not any(function is reader for reader in _READERS):
            return None
        if function is builtins.globals:
            return self.namespace.global_names
        names = self.code.code.co_varnames + self.code.code.co_cellvars + self.code.code.co_freevars
        variables = {name: self.namespace[name] for name in names if self.namespace.has(name)}
        return sorted(variables) if function is builtins.dir else variables


core.provide_calls(user_frames.call_site, user_frames.NAMES, LOOKING)


def raises_again(ins: Instruction) -> bool:
    """Whether an instruction raises what is being handled, whose traceback gets no line by that."""
    return ins.name == "RERAISE" or (ins.name == "RAISE" and ins.operand == 0)
