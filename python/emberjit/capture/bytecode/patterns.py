"""Unpacking, and the patterns of `match` as CPython's MATCH instructions define them (PEP 634)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from emberjit import _emberjit as core
from emberjit.capture.calls.spread import is_iterable
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.guards.record import guard_pattern
from emberjit.capture.session.engine import engine

if TYPE_CHECKING:
    from emberjit.capture.bytecode.executor import Run

_SEQUENCE, _MAPPING, _MATCH_SELF = 1 << 5, 1 << 6, 1 << 22  # flags of types (Include/object.h)
_ABSENT = object()


def attribute(run: Run, owner: Any, name: str) -> Any:
    return run.do(getattr, owner, name) if run.eager else read_attribute(owner, name)


def unpack_sequence(run: Run, ins: Instruction) -> None:
    run.stack += _unpacked(run, run.stack.pop(), ins.arg)[::-1]


def unpack_ex(run: Run, ins: Instruction) -> None:
    first, last = ins.arg & 0xFF, ins.arg >> 8
    items = _unpacked(run, run.stack.pop(), first, last)
    middle = items[first : len(items) - last]
    run.stack += [*items[:first], middle, *items[len(items) - last :]][::-1]


def _unpacked(run: Run, value: Any, count: int, after: int | None = None) -> list[Any]:
    """The items of a value that assignment to `count` targets takes; `after`: so many follow a starred one."""
    if type(value) in (tuple, list):
        items = list(value)
    else:
        if not is_iterable(value):
            raise TypeError(f"cannot unpack non-iterable {core.type_name(value)} object")
        iterator = run.do(iter, value)
        taken = itertools.islice(_rest(run, iterator), None if after is not None else count + 1)
        items = list(taken)
    least = count if after is None else count + after
    if len(items) < least:
        expected = least if after is None else f"at least {least}"
        raise ValueError(f"not enough values to unpack (expected {expected}, got {len(items)})")
    if after is None and len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return items


def _rest(run: Run, iterator: Any) -> Iterator[Any]:
    """The values that an iterator still gives."""
    done = object()
    while (item := run.do(next, iterator, done)) is not done:
        yield item


def get_len(run: Run, ins: Instruction) -> None:
    """GET_LEN"""
    run.push(run.do(len, run.stack[-1]))


def match_mapping(run: Run, ins: Instruction) -> None:
    """MATCH_MAPPING"""
    guard_pattern(run.stack[-1])
    run.push(bool(type(run.stack[-1]).__flags__ & _MAPPING))


def match_sequence(run: Run, ins: Instruction) -> None:
    """MATCH_SEQUENCE"""
    guard_pattern(run.stack[-1])
    run.push(bool(type(run.stack[-1]).__flags__ & _SEQUENCE))


def match_keys(run: Run, ins: Instruction) -> None:
    """MATCH_KEYS: the values of the keys, or None if one is absent."""
    subject, keys = run.stack[-2:]
    get, values = attribute(run, subject, "get"), []
    for i, key in enumerate(keys):
        if key in keys[:i]:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        values.append(run.do(get, key, _ABSENT))
        if values[-1] is _ABSENT:
            return run.push(None)
    run.push(tuple(values))


def match_class(run: Run, ins: Instruction) -> None:
    """MATCH_CLASS: the attributes that the sub-patterns match, or None if the subject is no instance or lacks one."""
    subject, cls, keywords = run.pop(3)
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    if not (run.do(isinstance, subject, cls) if run.eager else engine().call(isinstance, subject, cls)):
        return run.push(None)
    names = (*_positional(cls, ins.arg), *keywords)
    found = [subject] if ins.arg and _is_itself(cls) else []
    for i, name in enumerate(names):
        if name in names[:i]:
            raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
        try:
            found.append(attribute(run, subject, name))
        except AttributeError:
            return run.push(None)
    run.push(tuple(found))


def _is_itself(cls: type) -> bool:
    """Whether the one positional sub-pattern matches the subject itself."""
    return bool(cls.__flags__ & _MATCH_SELF) and not hasattr(cls, "__match_args__")


def _positional(cls: type, count: int) -> tuple[str, ...]:
    """The names of the attributes that positional sub-patterns match."""
    names: Any = getattr(cls, "__match_args__", ()) if count else ()
    if type(names) is not tuple:
        raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {core.type_name(names)})")
    allowed = 1 if _is_itself(cls) else len(names)
    if allowed < count:
        plural = "" if allowed == 1 else "s"
        raise TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({count} given)")
    for name in names[:count]:
        if type(name) is not str:
            raise TypeError(f"__match_args__ elements must be strings (got {core.type_name(name)})")
    return names[:count]
