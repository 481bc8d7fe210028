"""Jumps, loops, `return` and `yield`."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.handlers.table import handles
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.graph.conditions import RETURN, YIELD, End, Outcome, decides


@handles("JUMP")
def _jump(frame: Frame, ins: Instruction) -> End:
    here = frame.at - 1
    frame.jump(ins.target)
    return None if frame.eager or ins.target > here else frame.control.arrive(frame, ins.target)


@handles("JUMP_IF")
def _jump_if(frame: Frame, ins: Instruction) -> End:
    return _decide(frame, frame.stack.pop(), ins, False)


@handles("JUMP_IF_OR_POP")
def _jump_if_or_pop(frame: Frame, ins: Instruction) -> End:
    return _decide(frame, frame.stack.pop(), ins, True)


def _decide(frame: Frame, test: Any, ins: Instruction, keep: bool) -> End:
    if not frame.eager and decides(test):
        return frame.control.decide(frame, test, ins, keep)
    if (test if type(test) is bool else frame.do(bool, test)) is ins.operand:
        if keep:
            frame.stack.append(test)
        frame.jump(ins.target)
    return None


@handles("JUMP_IF_NONE")
def _jump_if_none(frame: Frame, ins: Instruction) -> None:
    if (frame.stack.pop() is None) is ins.operand:
        frame.jump(ins.target)


@handles("GET_ITER")
def _get_iter(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.do(iter, frame.stack.pop()))


@handles("FOR")
def _for(frame: Frame, ins: Instruction) -> None:
    try:
        frame.stack.append(frame.do(next, frame.stack[-1]))
    except StopIteration:
        frame.stack.pop()
        frame.at = ins.target


@handles("RETURN")
def _return(frame: Frame, ins: Instruction) -> Outcome:
    return Outcome(RETURN, frame.stack.pop())


@handles("YIELD")
def _yield(frame: Frame, ins: Instruction) -> Outcome:
    if frame.within is not None:
        raise core.CaptureError("a `yield` under a condition on a Tensor cannot be captured into a graph.")
    return Outcome(YIELD, frame.stack.pop())


@handles("DELEGATE")
def _delegate(frame: Frame, ins: Instruction) -> None:
    if getattr(type(frame.stack[-1]), "stands_for", type(frame.stack[-1])) is not types.GeneratorType:
        _get_iter(frame, ins)


@handles("SEND")
def _send(frame: Frame, ins: Instruction) -> None:
    value, source = frame.stack.pop(), frame.stack[-1]
    try:
        frame.stack.append(frame.do(next, source) if value is None else frame.do(source.send, value))
    except StopIteration as stop:
        frame.stack[-1] = stop.value
        frame.at = ins.target
