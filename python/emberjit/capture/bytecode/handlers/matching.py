"""The patterns of `match` as CPython's MATCH instructions define them (PEP 634)."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame, computes, handles
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.guards.record import guard_pattern
from emberjit.capture.session.session import follow

_KINDS, _MATCH_SELF = {"MATCH_SEQUENCE": 1 << 5, "MATCH_MAPPING": 1 << 6}, 1 << 22  # flags of types (Include/object.h)
_ABSENT = object()


@handles("GET_LEN")
def _get_len(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.do(len, frame.stack[-1]))


@handles("MATCH_MAPPING", "MATCH_SEQUENCE")
def _match_kind(frame: Frame, ins: Instruction) -> None:
    guard_pattern(frame.stack[-1])
    frame.stack.append(bool(type(frame.stack[-1]).__flags__ & _KINDS[ins.name]))


@handles("MATCH_KEYS")
def _match_keys(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(_values(frame, *frame.stack[-2:]))


def _values(frame: Frame, subject: Any, keys: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The values of the keys of a mapping, or None if one is absent."""
    get, values = frame.attribute(subject, "get"), []
    for i, key in enumerate(keys):
        if key in keys[:i]:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        values.append(frame.do(get, key, _ABSENT))
        if values[-1] is _ABSENT:
            return None
    return tuple(values)


@computes("MATCH_CLASS")
def _match_class(frame: Frame, count: int, subject: Any, cls: type, keywords: Any) -> Any:
    frame.called = True  # attributes of classes may be the user's to find
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    is_instance = frame.do(isinstance, subject, cls) if frame.eager else follow(isinstance, subject, cls)
    return _fields(frame, subject, cls, count, keywords) if is_instance else None


def _fields(frame: Frame, subject: Any, cls: type, count: int, keywords: tuple[str, ...]) -> tuple[Any, ...] | None:
    """The attributes that the sub-patterns match, or None if the subject lacks one."""
    names = (*_positional(cls, count), *keywords)
    fields = [subject] if count and _is_itself(cls) else []
    for i, name in enumerate(names):
        if name in names[:i]:
            raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
        try:
            fields.append(frame.attribute(subject, name))
        except AttributeError:
            return None
    return tuple(fields)


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
