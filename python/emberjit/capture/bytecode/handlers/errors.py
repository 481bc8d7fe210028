"""Errors and `with`."""

from __future__ import annotations

import sys
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame, computes, handles
from emberjit.capture.code import context_managers
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.graph import raises
from emberjit.capture.guards.attributes import read_special


@handles("PUSH_HANDLED")
def _push_handled(frame: Frame, ins: Instruction) -> None:
    error = frame.stack.pop()
    frame.stack += [frame.handled, error]
    frame.handled = error


@computes("POP_HANDLED")
def _pop_handled(frame: Frame, _: None, outer: Any) -> None:
    frame.handled = outer


@handles("CATCHES")
def _catches(frame: Frame, ins: Instruction) -> None:
    kinds = frame.stack.pop()
    frame.stack.append(raises.catches(frame.stack[-1], kinds))


@computes("RERAISE")
def _reraise(frame: Frame, _: None, error: Any) -> None:
    core.call_handling(error, _raise_it, error)  # its context stays as it is


def _raise_it(error: BaseException) -> None:
    raise error


@computes("RAISE")
def _raise(frame: Frame, count: int, *values: Any) -> None:
    if count == 0:
        _raise_handled(frame)
    frame.do(raises.throw, values[0], values[-1], count == 2)


def _raise_handled(frame: Frame) -> None:
    handled = sys.exc_info()[1]
    if frame.session is not None and handled is frame.session.handled:
        raise core.CaptureError("what a caller handles is raised again, which is another error in each call.")
    if handled is not None:
        raise handled
    frame.do(raises.throw, RuntimeError("No active exception to reraise"))


@handles("ENTER_WITH")
def _enter_with(frame: Frame, ins: Instruction) -> None:
    manager, frame.called = frame.stack.pop(), True  # attributes of classes may be the user's to find
    context_managers.check_manager(manager)
    leave, enter = read_special(manager, "__exit__"), read_special(manager, "__enter__")
    frame.stack += [leave, frame.call(enter, (), {})]


@handles("EXIT_WITH")
def _exit_with(frame: Frame, ins: Instruction) -> None:
    leave, error = frame.stack[ins.operand], frame.stack[-1]
    frame.stack.append(frame.call(leave, (type(error), error, error.__traceback__), {}))
