"""Containers and text that instructions make, fill and unpack."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import COMPUTES, Frame, handles
from emberjit.capture.calls import spread
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.code.lookup import defines
from emberjit.capture.state import deferred_strings

COMPUTES.update(
    BUILD_SET=lambda frame, _, *items: frame.do(set, list(map(deferred_strings.settled, items))),
    BUILD_MAP=lambda frame, _, *items: frame.do(dict, zip(map(deferred_strings.settled, items[::2]), items[1::2])),
    BUILD_CONST_KEY_MAP=lambda frame, _, *values: dict(zip(values[-1], values)),
    BUILD_SLICE=lambda frame, _, *parts: slice(*parts),
    BUILD_STRING=lambda frame, _, *parts: deferred_strings.join(*parts),
    FORMAT=lambda frame, how, value, spec="": frame.do(deferred_strings.format_value, value, how[0], spec),
    LIST_TO_TUPLE=lambda frame, _, items: tuple(items),
)


@handles("LIST_APPEND")
def _list_append(frame: Frame, ins: Instruction) -> None:
    value = frame.stack.pop()
    frame.top(ins.operand).append(value)


@handles("SET_ADD")
def _set_add(frame: Frame, ins: Instruction) -> None:
    value = deferred_strings.settled(frame.stack.pop())
    frame.do(frame.top(ins.operand).add, value)


@handles("MAP_ADD")
def _map_add(frame: Frame, ins: Instruction) -> None:
    value, key = frame.stack.pop(), deferred_strings.settled(frame.stack.pop())
    frame.do(frame.top(ins.operand).__setitem__, key, value)


@handles("LIST_EXTEND")
def _list_extend(frame: Frame, ins: Instruction) -> None:
    values = frame.stack.pop()
    if not spread.is_iterable(values):
        raise TypeError(f"Value after * must be an iterable, not {core.type_name(values)}")
    frame.do(frame.top(ins.operand).extend, values)


@handles("SET_UPDATE", "DICT_UPDATE")
def _update(frame: Frame, ins: Instruction) -> None:
    values = frame.stack.pop()
    if ins.name == "DICT_UPDATE" and not defines(values, "keys"):
        raise TypeError(f"'{core.type_name(values)}' object is not a mapping")
    frame.do(frame.top(ins.operand).update, values)


@handles("DICT_MERGE")
def _dict_merge(frame: Frame, ins: Instruction) -> None:
    values = frame.stack.pop()
    frame.do(spread.merge, frame.stack[-ins.operand - 2], frame.top(ins.operand), values)


@handles("UNPACK")
def _unpack(frame: Frame, ins: Instruction) -> None:
    frame.stack += _unpacked(frame, frame.stack.pop(), ins.operand)[::-1]


@handles("UNPACK_STARRED")
def _unpack_starred(frame: Frame, ins: Instruction) -> None:
    first, last = ins.operand
    items = _unpacked(frame, frame.stack.pop(), first, last)
    middle = items[first : len(items) - last]
    frame.stack += [*items[:first], middle, *items[len(items) - last :]][::-1]


def _unpacked(frame: Frame, value: Any, count: int, after: int | None = None) -> list[Any]:
    """The items of a value that assignment to `count` targets takes; `after`: so many follow a starred one."""
    if type(value) in (tuple, list):
        items = list(value)
    else:
        if not spread.is_iterable(value):
            raise TypeError(f"cannot unpack non-iterable {core.type_name(value)} object")
        iterator = frame.do(iter, value)
        leading = itertools.islice(_rest(frame, iterator), None if after is not None else count + 1)
        items = list(leading)
    least = count if after is None else count + after
    if len(items) < least:
        expected = least if after is None else f"at least {least}"
        raise ValueError(f"not enough values to unpack (expected {expected}, got {len(items)})")
    if after is None and len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return items


def _rest(frame: Frame, iterator: Any) -> Iterator[Any]:
    """The values that an iterator still gives."""
    done = object()
    while (item := frame.do(next, iterator, done)) is not done:
        yield item
