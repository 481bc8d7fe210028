"""Guards on external objects: those that captured code reads, and has not created. What is in them is guarded at once,
or, of containers, when captured code observes their items."""

from __future__ import annotations

import collections
import functools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.mutation import MUTATORS, refused
from emberjit.capture.guards.record import counts_changes, guard_version
from emberjit.capture.session.session import Session, current_session

_SINGLETONS = (type(None), type(Ellipsis), type(NotImplemented))
CONSTANTS = (
    *(bool, int, float, complex, str, bytes, *_SINGLETONS, type, core.Tensor, core.dtype),
    *(types.BuiltinFunctionType, types.ModuleType),
)
_CONTAINERS = (list, dict, set, frozenset, bytearray, collections.deque)
_IMPLICIT = ("__getitem__", "__len__", "__iter__", "__contains__", "__add__", "__mul__", "__sub__", "__bool__", "__eq__")


def guard_object(value: Any) -> Any:
    """Takes a value for external, and guards what is in it; returns the value.

    Raises:
        CaptureError: it is an iterator.
    """
    session = current_session()
    if session is None or id(value) in session.external:
        return value
    if isinstance(value, types.BuiltinMethodType):
        guard_object(value.__self__)
    if isinstance(value, CONSTANTS):
        return value
    if hasattr(type(value), "__next__"):
        raise core.CaptureError(f"a {type(value).__name__} from outside cannot be captured into a graph: pass a list.")
    session.external[id(value)] = value
    _guard_parts(session, value)
    return value


def _guard_parts(session: Session, value: Any) -> None:
    if counts_changes(value):
        guard_version(value)
    elif isinstance(value, types.MethodType):
        guard_object(value.__self__)
    elif isinstance(value, types.FunctionType):
        pass
    elif isinstance(value, functools.partial):
        for item in (value.func, value.args, value.keywords):
            guard_object(item)
    elif isinstance(value, tuple):
        for item in value:
            guard_object(item)
    elif isinstance(value, _CONTAINERS):
        session.unobserved[id(value)] = value
        if session.front_end == "ast":  # which does not know when it observes a value
            observe(value)
    elif any(isinstance(getattr(type(value), name, None), types.FunctionType) for name in _IMPLICIT):
        _guard_attributes(session, value)
    elif hasattr(value, "__dict__") and not isinstance(value, core.Jit):
        session.guard("attribute", value, "__class__", type(value))
    else:
        _guard_buffer(session, value)


def observe(value: Any) -> None:
    """Notes that captured code sees the items of a value."""
    session = current_session()
    if session is None or not session.unobserved:
        return
    if isinstance(value, tuple):
        for item in value:
            observe(item)
    elif isinstance(value, types.BuiltinMethodType) and value.__name__ not in MUTATORS:
        observe(value.__self__)
    elif session.unobserved.pop(id(value), None) is not None:
        if isinstance(value, collections.defaultdict):
            raise refused("a defaultdict, which looking up may change,")
        session.guard_content(value)
        for item in core.content(value):
            guard_object(item)


def observe_all(value: Any) -> None:
    """Notes that something may see all that is in a value."""
    session = current_session()
    todo, seen = [value], set()
    while todo and session is not None and session.unobserved:
        part = todo.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        observe(part)
        if isinstance(part, dict):
            todo.extend(part.values())
        elif isinstance(part, (tuple, *_CONTAINERS)):
            todo.extend(part)


def _guard_attributes(session: Session, value: Any) -> None:
    """An object whose methods Python calls by itself: they may read any of its attributes."""
    if hasattr(value, "__dict__"):
        session.guard("attribute", value, "__class__", type(value))
        session.guard_content(value.__dict__)
        for item in list(value.__dict__.values()):
            guard_object(item)
            observe(item)


def _guard_buffer(session: Session, value: Any) -> None:
    try:
        content = memoryview(value).tobytes()
    except (TypeError, ValueError, BufferError):
        return
    session.guard("buffer", value, None, content)
