"""Calls, and functions that instructions make."""

from __future__ import annotations

from emberjit.capture.bytecode.closures import new_function
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.handlers.table import handles
from emberjit.capture.calls import spread
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.session.session import current_session
from emberjit.capture.state.namespace import NULL


@handles("CALL")
def _call(frame: Frame, ins: Instruction) -> None:
    count, names = ins.operand
    values = frame.pop(count)
    first, second = frame.pop(2)
    if first is NULL:
        function = second
    else:
        function, values = first, [second, *values]
    plain = len(values) - len(names)
    keywords = dict(zip(names, values[plain:])) if names else {}
    frame.stack.append(frame.call(function, tuple(values[:plain] if names else values), keywords))


@handles("CALL_SPREAD")
def _call_spread(frame: Frame, ins: Instruction) -> None:
    kwargs = dict(frame.stack.pop()) if ins.operand else {}
    given, function = frame.stack.pop(), frame.stack.pop()
    args = frame.do(spread.positional, function, given)
    frame.stack.pop()  # NULL
    frame.stack.append(frame.call(function, args, kwargs))


@handles("MAKE_FUNCTION")
def _make_function(frame: Frame, ins: Instruction) -> None:
    code = frame.stack.pop()
    parts = {part: frame.stack.pop() for part in ins.operand}
    defaults, kwdefaults, annotations = parts.get("defaults"), parts.get("kwdefaults"), parts.get("annotations", ())
    notes = dict(zip(annotations[::2], annotations[1::2]))
    if parts.get("closure"):
        frame.stack.append(frame.define(code, defaults, kwdefaults, notes))
        return
    made = new_function(code, frame.namespace.global_names, code.co_name, defaults, (), kwdefaults, notes)
    session = current_session()
    if session is not None:
        session.created[id(made)] = made
    frame.stack.append(made)
