"""Attributes, items and operators."""

from __future__ import annotations

import operator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.handlers.table import handles
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.graph.conditions import logical_not
from emberjit.capture.guards.identity import identical
from emberjit.capture.guards.targets import check_augmented, check_target
from emberjit.capture.state import deferred_strings
from emberjit.capture.state.namespace import NULL, Opaque, is_local, observe_opaque
from emberjit.capture.state.reconstruction import CONSTANTS


@handles("LOAD_ATTR")
def _load_attr(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.attribute(frame.stack.pop(), ins.operand))


@handles("LOAD_METHOD")
def _load_method(frame: Frame, ins: Instruction) -> None:
    owner = frame.stack.pop()
    frame.stack += [NULL, frame.attribute(owner, ins.operand)]


@handles("STORE_ATTR")
def _store_attr(frame: Frame, ins: Instruction) -> None:
    value, owner = frame.pop(2)
    frame.do(setattr, check_target(owner, ins.operand), ins.operand, value)


@handles("DELETE_ATTR")
def _delete_attr(frame: Frame, ins: Instruction) -> None:
    frame.do(delattr, check_target(frame.stack.pop(), ins.operand), ins.operand)


@handles("LOAD_ITEM")
def _load_item(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.do(operator.getitem, *frame.pop(2)))


@handles("STORE_ITEM")
def _store_item(frame: Frame, ins: Instruction) -> None:
    value, owner, key = frame.pop(3)
    frame.do(operator.setitem, check_target(owner, "[]"), key, value)


@handles("DELETE_ITEM")
def _delete_item(frame: Frame, ins: Instruction) -> None:
    owner, key = frame.pop(2)
    frame.do(operator.delitem, check_target(owner, "[]"), key)


@handles("UNARY")
def _unary(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.do(ins.operand, frame.stack.pop()))


@handles("NOT")
def _not(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.do(logical_not, frame.stack.pop()))


@handles("BINARY")
def _binary(frame: Frame, ins: Instruction) -> None:
    left, right = frame.pop(2)
    function = ins.operand
    if type(left) is str and function is operator.mod and not frame.eager:
        function = deferred_strings.percent_format
    frame.stack.append(frame.do(function, left, right))


@handles("INPLACE")
def _inplace(frame: Frame, ins: Instruction) -> None:
    left, right = frame.pop(2)
    frame.stack.append(frame.do(ins.operand, left, check_augmented(left, right)))


@handles("COMPARE")
def _compare(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.do(ins.operand, *frame.pop(2)))


@handles("IS")
def _is(frame: Frame, ins: Instruction) -> None:
    left, right = frame.pop(2)
    if (type(left) is Opaque) is not (type(right) is Opaque) and not (_is_known(left) or _is_known(right)):
        observe_opaque()
    frame.stack.append(identical(left, right) is not ins.operand)


def _is_known(value: Any) -> bool:
    """Whether a value cannot be what an Opaque stands for."""
    return type(value) in CONSTANTS or core.is_captured(value) or (isinstance(value, type) and not is_local(value))


@handles("CONTAINS")
def _contains(frame: Frame, ins: Instruction) -> None:
    item, container = frame.pop(2)
    frame.stack.append(frame.do(operator.contains, container, item) is not ins.operand)
