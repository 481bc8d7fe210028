"""Jumps that go back or that Tensors decide, loops, `return` and `yield`."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode import looping
from emberjit.capture.bytecode.frame import COMPUTES, Frame, computes, handles
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.graph.conditions import RETURN, YIELD, End, Outcome, decides


@handles("JUMP")
def _jump(frame: Frame, ins: Instruction) -> End:
    frame.jump(ins.target)
    return None if frame.eager else looping.arrive(frame, ins.target)


@handles("JUMP_IF", "JUMP_IF_OR_POP")
def _jump_if(frame: Frame, ins: Instruction) -> End:
    test = frame.stack.pop()
    keep = ins.name == "JUMP_IF_OR_POP"
    if not frame.eager and decides(test):
        return looping.decide(frame, test, ins, keep)
    if (test if type(test) is bool else frame.do(bool, test)) is ins.operand:
        if keep:
            frame.stack.append(test)
        frame.jump(ins.target)
    return None


@handles("JUMP_IF_NONE")
def _jump_if_none(frame: Frame, ins: Instruction) -> None:
    if (frame.stack.pop() is None) is ins.operand:
        frame.jump(ins.target)


@handles("FOR")
def _for(frame: Frame, ins: Instruction) -> None:
    try:
        frame.stack.append(frame.do(next, frame.stack[-1]))
    except StopIteration:
        frame.stack.pop()
        frame.at = ins.target


COMPUTES["RETURN"] = lambda frame, _, value: Outcome(RETURN, value)


@handles("YIELD")
def _yield(frame: Frame, ins: Instruction) -> Outcome:
    if frame.within is not None:
        raise core.CaptureError("a `yield` under a condition on a Tensor cannot be captured into a graph.")
    return Outcome(YIELD, frame.stack.pop())


@computes("DELEGATE")
def _delegate(frame: Frame, _: None, source: Any) -> Any:
    is_generator = getattr(type(source), "stands_for", type(source)) is types.GeneratorType
    return source if is_generator else frame.do(iter, source)


@handles("SEND")
def _send(frame: Frame, ins: Instruction) -> None:
    value, source = frame.stack.pop(), frame.stack[-1]
    try:
        frame.stack.append(frame.do(next, source) if value is None else frame.do(source.send, value))
    except StopIteration as stop:
        frame.stack[-1] = stop.value
        frame.at = ins.target
