"""A memo of functions that are made of others, as vmap and grad make them: asking once more gives the same function, whose
captured graphs serve again.

Invariants: a memo is held by the function or object itself, and lives as long; copies of an object start without; while a
graph is captured, which may depend on what objects hold, nothing is looked up.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core

MEMO = "__ember_memo__"  # the attribute
_CAPACITY = 64  # of one memo; then the oldest entry goes
_FUNCTIONS = (core.Op, core.Function)


class _Memo:
    """What has been made of one object."""

    def __init__(self, owner: Any = None):
        self.owner = owner
        self.functions: dict[Any, Any] = {}

    def __reduce__(self) -> Any:
        return _Memo, ()


_of_functions: dict[Any, dict[Any, Any]] = {}  # which live for ever, and have no attributes


def memoized(fn: Any, key: Any, make: Callable[[], Any]) -> Any:
    """What make() has returned for this function or object and key before; while a graph is captured, what it returns
    now."""
    if core.current_capture() is not None:
        return make()
    owner, method = (fn.__self__, fn.__func__) if type(fn) is types.MethodType else (fn, None)
    known = _entries(owner)
    value = known.get((method, key))
    if value is None:
        if len(known) >= _CAPACITY:
            del known[next(iter(known))]
        value = known[method, key] = make()
    return value


def _entries(owner: Any) -> dict[Any, Any]:
    fields = getattr(owner, "__dict__", None)
    if type(fields) is not dict:
        return _of_functions.setdefault(owner, {}) if type(owner) in _FUNCTIONS else {}
    memo = fields.get(MEMO)
    if memo is None or memo.owner is not owner:
        memo = fields[MEMO] = _Memo(owner)
    return memo.functions
