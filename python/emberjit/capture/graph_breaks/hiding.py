"""What a continuation may not see of the values that it goes on with: an Opaque stands for iterators, and for objects that
are others in each call, or that nobody may hold but the call itself."""

from __future__ import annotations

import contextlib
import itertools
import types
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import defines, intercepts
from emberjit.capture.guards.ends import SeenReference, leads_to_end
from emberjit.capture.session.walk import items, walk
from emberjit.capture.state.namespace import Opaque, is_local
from emberjit.capture.state.reconstruction import CONSTANTS, STATIC, Path
from emberjit.values.cells import CellMarker
from emberjit.values.tree import LEAVES

_OPAQUE = [Opaque()]  # as many as have been needed at once
_LASTING = (*CONSTANTS, *STATIC)
_SIGHTINGS = 8
_MAX_DEPTH = 16  # of containers within each other that captured code may look into


class _Call(NamedTuple):
    number: int
    given: Collection[int]  # the ids of what it was given
    opaques: Iterator[Opaque]
    once: dict[int, Any]  # what is seen of a value, by its id


class Hiding:
    """What one continuation has been given so far, by the path to it among its values."""

    def __init__(self) -> None:
        self.objects: dict[Path, Callable[[], Any]] = {}  # weak references, where these are possible
        self.seen: dict[Path, _Sighting] = {}
        self.changing: set[Path] = set()  # where each call has another object: seen as Opaque

    def hidden(self, inputs: Any, wanted: Collection[str], number: int, given: Collection[int]) -> Any:
        """Stack, the variables that are wanted and the exception being handled, as the call of this number sees them, which
        was `given` what has these ids. Other variables whose values somebody is told the end of are Opaque."""
        stack, variables, handled = inputs
        call = _Call(number, given, _opaques(), {})
        fields = {
            name: self._hidden(value, (1, name), call) if name in wanted else next(call.opaques)
            for name, value in variables.items()
            if name in wanted or _may_end(value)
        }
        return (
            tuple(self._hidden(value, (0, i), call) for i, value in enumerate(stack)),
            fields,
            self._hidden(handled, (2,), call),
        )

    def _hidden(self, value: Any, path: Path, call: _Call) -> Any:
        once = call.once
        if id(value) in once:
            return once[id(value)]
        if intercepts(type(value)) or _is_method_of_object(value):
            once[id(value)] = next(call.opaques)
        elif type(value) in (core.Tensor, core.Parameter) or (isinstance(value, _LASTING) and not is_local(value)):
            return value
        else:
            once[id(value)] = next(call.opaques) if type(value) in (list, dict) else None  # where it holds itself
            once[id(value)] = self._hidden_once(value, path, call)
        return once[id(value)]

    def _hidden_once(self, value: Any, path: Path, call: _Call) -> Any:
        if len(path) < _MAX_DEPTH and type(value) in (tuple, list):
            items = [self._hidden(item, (*path, i), call) for i, item in enumerate(value)]
            return value if all(a is b for a, b in zip(items, value)) else type(value)(items)
        if len(path) < _MAX_DEPTH and type(value) is dict and all(type(key) in CONSTANTS for key in value):
            fields = {key: self._hidden(item, (*path, key), call) for key, item in value.items()}
            return value if all(fields[key] is value[key] for key in value) else fields
        if _is_fleeting(value):
            return next(call.opaques)
        if id(value) not in call.given and not isinstance(value, CellMarker) and not self._is_familiar(value, path, call):
            return next(call.opaques)
        before = self.objects.get(path)
        if before is None:
            before = self.objects[path] = _reference(value)
        if before() is not value:
            self.changing.add(path)
        return next(call.opaques) if path in self.changing else value

    def _is_familiar(self, value: Any, path: Path, call: _Call) -> bool:
        """Whether an object has been there often, so that captured code may rely on it and so keep it alive."""
        seen = self.seen.get(path)
        if seen is None or not seen.is_of(value):
            self.seen[path] = _Sighting(value, call.number)
            return False
        return seen.again(value, call.number)


def ids_in(value: Any) -> frozenset[int]:
    """The ids of a value and of what is in it."""
    return frozenset(map(id, walk(value, items)))


def _is_method_of_object(value: Any) -> bool:
    return isinstance(value, types.BuiltinFunctionType) and not isinstance(value.__self__, (*_LASTING, core.Tensor))


def _may_end(value: Any) -> bool:
    """Whether somebody may be told when a value ends."""
    return intercepts(type(value)) or (type(value) not in LEAVES and leads_to_end(value))


def _is_fleeting(value: Any) -> bool:
    if type(value) in (tuple, list, dict):  # too deep, or with keys that are the user's to hash
        return True
    ends = not isinstance(value, STATIC) and leads_to_end(value)
    return ends or defines(value, "__next__") or isinstance(value, BaseException)


class _Sighting:
    """Which object has been somewhere, without a reference at first: others may count these."""

    def __init__(self, value: Any, call: int):
        self.id, self.call, self.times = id(value), call, 0
        self.reference: Any = None

    def is_of(self, value: Any) -> bool:
        """Whether it is the same object."""
        return self.id == id(value) and (self.reference is None or self.reference() is value)

    def again(self, value: Any, call: int) -> bool:
        """Whether it outlives calls, or is there often in this one."""
        if call == self.call:
            self.times += 1
            return self.times >= _SIGHTINGS
        if self.reference is not None:
            return True
        with contextlib.suppress(TypeError):
            self.reference = SeenReference(value)
        self.call, self.times = call, 0
        return False


def _opaques() -> Iterator[Opaque]:
    for number in itertools.count():
        if number == len(_OPAQUE):
            _OPAQUE.append(Opaque())
        yield _OPAQUE[number]


def _reference(value: Any) -> Callable[[], Any]:
    try:
        return SeenReference(value)
    except TypeError:
        return lambda: value
