"""Objects of whose end somebody is told: by __del__, or by a weak reference. As in Python they end as soon as the user gives
them up, so no guard may keep one alive, nor a container that does: where captured code reads one the graph breaks, and the
fields of Cells, which are guarded as a whole, are recognised without being held."""

from __future__ import annotations

import collections
import itertools
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import defines, field_values
from emberjit.capture.session.walk import walk
from emberjit.values.cells import CellMarker

_PLAIN = frozenset((bool, int, float, complex, str, bytes, bytearray, type(None)))
_LASTING = (CellMarker, core.Tensor, core.Jit, core.dtype, type, types.ModuleType, types.FunctionType)
_CONTAINERS = (tuple, list, dict, set, frozenset, collections.deque)
_MAX_PARTS = 10_000  # of a value that are looked at
_MAX_DEPTH = 16  # of containers within each other


class SeenReference(weakref.ref):  # type: ignore[type-arg]
    """To what the library has seen: nobody else is told of its end."""


def may_end(value: Any) -> bool:
    """Whether somebody is told when an object ends, so that nothing may keep it alive; of functions and Cells it does not
    matter who has a weak reference."""
    if defines(value, "__del__"):
        return True
    if weakref.getweakrefcount(value) == 0 or isinstance(value, (CellMarker, types.FunctionType, core.Jit)):
        return False
    return any(type(ref) is not SeenReference for ref in weakref.getweakrefs(value))


def ends_unnoticed(value: Any) -> bool:
    """Whether a value is of those of whose end nobody can be told: Python's own numbers and texts, and tuples of them."""
    return type(value) in _PLAIN or (type(value) is tuple and _PLAIN.issuperset(map(type, value)))


def leads_to_end(value: Any, deep: bool = False) -> bool:
    """Whether somebody is told when a value ends, or when something ends that is in it: in containers within each other, or
    `deep`, in objects of the user's too."""

    def parts(part: Any) -> list[Any]:
        return [inner for inner in _parts(part, deep) if type(inner) not in _PLAIN and not issubclass(type(inner), _LASTING)]

    reached = itertools.islice(walk(value, parts), _MAX_PARTS)
    return type(value) not in _PLAIN and any(map(may_end, reached))


def _parts(value: Any, deep: bool) -> Iterable[Any]:
    kind: Any = next((kind for kind in _CONTAINERS if issubclass(type(value), kind)), None)
    if kind is not None:
        return core.content(value) if kind.__len__(value) <= _MAX_PARTS else ()
    if not deep or issubclass(type(value), _LASTING) or not written_by_user(type(value).__module__):
        return ()
    return field_values(value)


def recognised(value: Any, depth: int = 0) -> Callable[[Any], bool]:
    """A function that says whether it is given the same value, which it does not keep alive if that leads to an end.

    Raises:
        CaptureError: it would have to be kept alive.
    """
    if not leads_to_end(value, deep=True):
        return lambda now: now is value
    try:
        reference = SeenReference(value)
    except TypeError:
        return _recognised_by_parts(value, depth)
    return lambda now: now is reference()


def _recognised_by_parts(value: Any, depth: int) -> Callable[[Any], bool]:
    kind = type(value)
    if kind not in _CONTAINERS or depth == _MAX_DEPTH:
        raise core.CaptureError(
            f"a {kind.__name__} is held of whose end somebody is told, but to which there is no weak reference: hold it "
            "outside."
        )
    same = [recognised(part, depth + 1) for part in core.content(value)]

    def is_same(now: Any) -> bool:
        if type(now) is not kind:
            return False
        parts = core.content(now)
        return len(parts) == len(same) and all(check(part) for check, part in zip(same, parts))

    return is_same
