"""Attributes, items and operators."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import COMPUTES, Frame, computes, handles
from emberjit.capture.code.instructions import NULL, Instruction
from emberjit.capture.graph.conditions import logical_not
from emberjit.capture.guards.identity import identical
from emberjit.capture.state import deferred_strings, effect_rules
from emberjit.capture.state.namespace import Opaque, observe_opaque


def _operate(frame: Frame, function: Callable[..., Any], *operands: Any) -> Any:
    return frame.do(function, *operands)


COMPUTES.update(
    **dict.fromkeys(("COMPARE", "GET_ITER", "UNARY"), _operate),
    INPLACE=lambda frame, function, left, right: effect_rules.in_place(frame.do, function, left, right),
    NOT=lambda frame, _, value: frame.do(logical_not, value),
    LOAD_ITEM=lambda frame, function, owner, key: effect_rules.get_item(frame.do, function, owner, key),
    CONTAINS=lambda frame, negated, item, container: effect_rules.contains(frame.do, container, item) is not negated,
    LOAD_ATTR=lambda frame, name, owner: frame.attribute(owner, name),
    STORE_ATTR=lambda frame, name, value, owner: effect_rules.set_attribute(frame.do, owner, name, value),
    DELETE_ATTR=lambda frame, name, owner: effect_rules.set_attribute(frame.do, owner, name),
    STORE_ITEM=lambda frame, _, value, owner, key: effect_rules.set_item(frame.do, owner, key, value),
    DELETE_ITEM=lambda frame, _, owner, key: effect_rules.set_item(frame.do, owner, key),
)


@handles("LOAD_METHOD")
def _load_method(frame: Frame, ins: Instruction) -> None:
    frame.stack += [NULL, frame.attribute(frame.stack.pop(), ins.operand)]


@computes("SUPER")
def _super(frame: Frame, explicit: bool, function: Callable[..., Any], cls: type, instance: Any) -> Any:
    return frame.call(function, (cls, instance) if explicit or function is builtins.super else (), {})


@computes("BINARY")
def _binary(frame: Frame, function: Callable[..., Any], left: Any, right: Any) -> Any:
    if type(left) is str and function is operator.mod and not frame.eager:
        function = deferred_strings.percent_format
    return frame.do(function, left, right)


@computes("IS")
def _is(frame: Frame, negated: bool, left: Any, right: Any) -> bool:
    if (type(left) is Opaque) is not (type(right) is Opaque) and not (_is_known(left) or _is_known(right)):
        observe_opaque()
    return identical(left, right) is not negated


def _is_known(value: Any) -> bool:
    """Whether a value cannot be what an Opaque stands for."""
    if core.is_constant(value) or isinstance(value, type):
        return not (core.is_local(value) or core.intercepts(type(value)))
    return bool(core.is_captured(value))
