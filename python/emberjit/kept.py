"""Functions that are made of others, as vmap and grad do, are found again when they are asked for once more; so what is
captured of them is. They are kept at the function or object itself, so that they live as long as that, whatever they refer
to; copies of an object start without.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core

_PLACE = "__ember_kept__"
_MOST = 64  # of one object; then the oldest goes
_Op = type(core.op_table["add"])


class _Kept:
    """What has been made of one object."""

    def __init__(self, owner: Any = None):
        self.owner = owner
        self.functions: dict[Any, Any] = {}

    def __reduce__(self) -> Any:
        return _Kept, ()


_of_ops: dict[Any, dict[Any, Any]] = {}  # which are there for ever, and hold nothing


def once(fn: Any, key: Any, make: Callable[[], Any]) -> Any:
    """What make() has answered for this function or object and key before; while a graph is captured, which may depend on
    what objects hold, what it answers now."""
    if core.current_capture() is not None:
        return make()
    owner, of = (fn.__self__, fn.__func__) if type(fn) is types.MethodType else (fn, None)
    known = _known(owner)
    found = known.get((of, key))
    if found is None:
        if len(known) >= _MOST:
            del known[next(iter(known))]
        found = known[of, key] = make()
    return found


def _known(owner: Any) -> dict[Any, Any]:
    fields = getattr(owner, "__dict__", None)
    if type(fields) is not dict:
        return _of_ops.setdefault(owner, {}) if type(owner) is _Op else {}
    kept = fields.get(_PLACE)
    if kept is None or kept.owner is not owner:
        kept = fields[_PLACE] = _Kept(owner)
    return kept.functions
