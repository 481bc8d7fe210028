"""Items of dicts and lists from outside that captured code asks for by key: each is guarded alone, so that what it did not
ask for may change. What looks at a container as a whole guards all of it (guards/objects.py)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.signature import Args
from emberjit.capture.guards.objects import DICTS, guard_object
from emberjit.capture.session.effect_log import ALL, MOVED
from emberjit.capture.session.session import Session
from emberjit.values.tree import plain_key

_KEYS = frozenset((str, bytes, int, bool, float, type(None)))  # that no code of the user's compares
_MISSING = object()


def reads_item(session: Session, function: Callable[..., Any], args: Args) -> bool:
    """Whether a call asks for one item of a container from outside: container[key], dict.get() or `in` of a dict."""
    if function is operator.getitem or function is operator.contains:
        container, keys = args[0], args[1:]
    else:
        container, keys = getattr(function, "__self__", None), args[:1]
        if type(container) not in DICTS or function.__name__ != "get" or not 1 <= len(args) <= 2:
            return False
    if id(container) not in session.unobserved or len(keys) != 1:
        return False
    if type(container) is list:
        return function is operator.getitem and _stays_at(session, container, keys[0])
    known = isinstance(keys[0], core.Number) and keys[0].known
    by_key = type(container) is dict or (type(container) in DICTS and function is not operator.getitem)
    return by_key and (known or type(keys[0]) in _KEYS)


def read_item(session: Session, function: Any, args: Any) -> Any:
    """What such a call gives.

    Raises:
        KeyError: there is no such item.
    """
    if function is operator.contains:
        return _read(session, *args) is not _MISSING
    if function is operator.getitem:
        item = _read(session, *args)
        if item is _MISSING:
            raise KeyError(args[1])
        return item
    item = _read(session, function.__self__, args[0])
    return (args[1] if len(args) > 1 else None) if item is _MISSING else item


def _stays_at(session: Session, items: list[Any], key: Any) -> bool:
    """Whether an item is at its place since the call began, or since captured code stored it there."""
    there = type(key) is int and 0 <= key < len(items)
    return there and (session.effects.wrote(items, ALL) or not session.effects.wrote(items, MOVED))


def _read(session: Session, container: Any, key: Any) -> Any:
    key = plain_key(key)
    if type(container) is not list and key not in container:
        session.guard("absent", container, key, None)
        return _MISSING
    value = container[key]
    if type(container) is list and session.effects.wrote(container, key):
        return value
    read = session.read("element" if type(container) is list else "item", container, key, value)
    session.name(value, session.name_of(container, key))
    return guard_object(read)
