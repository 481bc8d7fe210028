"""Side effects of captured code: on variables, and on all that they lead to: lists, dicts, attributes of objects made
inside, elements of Tensors. Code that may or may not run, or run again, is run once for its graph; then its side effects
are rolled back here, and stored again as results of a node.
"""

from __future__ import annotations

import collections
import functools
import operator
import sys
import types
from collections.abc import Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import defines
from emberjit.capture.session.session import current_session
from emberjit.capture.session.walk import walk
from emberjit.capture.state.deferred_strings import DeferredString, parts
from emberjit.capture.state.namespace import Closure, Namespace
from emberjit.values import tree

Slot = tuple[int, Any]  # the number of a holder (-1: a Tensor's elements), the key in it

_OPAQUE = (set, frozenset, bytearray)


class _Absent:
    """The value of what is not set."""

    def __repr__(self) -> str:
        return "<not set>"


ABSENT = _Absent()
_UNTOLD = object()


def _content(holder: Any) -> dict[Any, Any]:
    if isinstance(holder, list):
        return dict(enumerate(holder))
    if isinstance(holder, Namespace):
        return holder.variables()
    return dict(holder if isinstance(holder, dict) else getattr(holder, "__dict__", ()))


def _fields(holder: Any) -> tuple[Any, Any]:
    """The dict of a holder, and the class of Python's whose methods change it, whatever a subclass does."""
    fields = holder if isinstance(holder, dict) else holder.__dict__
    return fields, collections.OrderedDict if isinstance(fields, collections.OrderedDict) else dict


def _set(holder: Any, content: dict[Any, Any]) -> None:
    """Gives a holder these contents beside its others; ABSENT takes one away."""
    if isinstance(holder, list):
        items = {**_content(holder), **content}
        holder[:] = [items[k] for k in sorted(items) if items[k] is not ABSENT]
        return
    fields, kind = _fields(holder)
    for key, value in content.items():
        if value is ABSENT:
            kind.pop(fields, key, None)
        else:
            kind.__setitem__(fields, key, value)


def _is_reordered(before: dict[Any, Any], now: dict[Any, Any]) -> bool:
    """Whether what was there before is in another order, or behind what is new."""
    kept = [key for key in before if key in now]
    return any(a is not b and a != b for a, b in zip(kept, now))


def _restore(holder: Any, before: dict[Any, Any], changed: dict[Any, Any], reordered: bool) -> None:
    """Gives a holder its contents of before, in their order; entries stay where iterators expect them, if they can."""
    in_place = not reordered and all(value is not ABSENT for value in changed.values())
    if isinstance(holder, (list, Namespace)) or in_place:
        _set(holder, {key: before.get(key, ABSENT) for key in changed})
        return
    fields, kind = _fields(holder)
    kind.clear(fields)
    kind.update(fields, before)


def _opaque(value: Any) -> Any:
    """The content of something whose changes are noticed, but cannot be taken back."""
    if hasattr(value, "__array_interface__") and not isinstance(value, core.Tensor):
        return memoryview(value).tobytes()
    if defines(value, "__next__"):
        return progress(value)
    return core.content(value) if isinstance(value, _OPAQUE) else None


def progress(value: Any) -> Any:
    """How far an iterator has come; something new each time if that cannot be told."""
    if defines(value, "gi_frame"):
        return getattr(value.gi_frame, "f_lasti", None)
    if defines(value, "__length_hint__") and type(value).__module__ != "itertools":
        return operator.length_hint(value, -1)
    if type(value) is type(iter(int, 1)) or (type(value).__module__ == "itertools" and sys.version_info >= (3, 12)):
        return object()
    try:
        return _state(value.__reduce__()[1:])
    except TypeError:
        return object()


def _state(part: Any) -> Any:
    if type(part) is tuple:
        return tuple(map(_state, part))
    if defines(part, "__next__"):
        return progress(part)
    return part


def _parts(value: Any, created: dict[int, Any]) -> Iterable[Any]:
    """What a value leads to; _UNTOLD if that cannot be told."""
    if type(value) in tree.LEAVES:
        return ()
    if isinstance(value, (tuple, list, set, frozenset)):
        return value
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)):
        return (value.__self__,)
    if isinstance(value, Closure):
        return (value.namespace,)
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        return [*cells, value.__defaults__, value.__kwdefaults__]
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    if isinstance(value, BaseException):
        return value.args, vars(value)
    if isinstance(value, Namespace):
        return [*value.variables().values(), *(cell for cell in value.cells.values() if isinstance(cell, Namespace))]
    if isinstance(value, dict):
        return value.values()
    if type(value) is DeferredString:
        return parts(value)[1]
    if defines(value, "__next__"):
        try:
            return value.__reduce__()[1:]  # type: ignore[no-any-return]
        except TypeError:
            return (_UNTOLD,)
    return vars(value).values() if id(value) in created else ()


class SideEffects:
    """All that can be reached from a namespace, as it is now."""

    def __init__(self, namespace: Any):
        self.capture = core.current_capture()
        self.mark, self.latest = self.capture.writes(), self.capture.latest()
        self.namespace = namespace
        self.holders: list[Any] = []
        self.index: dict[int, int] = {}
        self.references: dict[int, int] = {}
        self.tensors: dict[int, Any] = {}
        self.before: list[dict[Any, Any]] = []
        self.opaque: list[tuple[Any, Any]] = []
        session = current_session()
        self.external: dict[int, Any] = session.external if session is not None else {}
        self.created: dict[int, Any] = session.created if session is not None else {}
        self._reach(namespace)
        for effect in session.effects.recorded if session is not None else ():
            self._reach(effect.operands)

    def _reach(self, start: Any) -> None:
        todo = [start]
        while todo:
            value = todo.pop()
            if type(value) in tree.LEAVES:
                continue
            known = self.references.get(id(value), 0)
            self.references[id(value)] = known + 1
            if known or id(value) in self.external:
                continue
            if isinstance(value, tuple):
                todo.extend(value)
            elif isinstance(value, types.MethodType):
                todo.append(value.__self__)
            elif isinstance(value, Closure):
                todo.append(value.namespace)
            elif isinstance(value, (list, dict)) or id(value) in self.created:
                content = _content(value)
                self.index[id(value)] = len(self.holders)
                self.holders.append(value)
                self.before.append(content)
                todo.extend(part for part in content.values() if type(part) not in tree.LEAVES)
                if isinstance(value, Namespace):
                    todo.extend(cell for cell in value.cells.values() if isinstance(cell, Namespace))
            elif (content := _opaque(value)) is not None:
                self.opaque.append((value, content))

    def is_variable(self, slot: Slot) -> bool:
        """Whether a slot is a local variable of the namespace."""
        return slot[0] == 0

    def describe(self, slot: Slot) -> str:
        """A slot in words."""
        if slot[0] < 0:
            return "a Tensor"
        holder = self.holders[slot[0]]
        return f"'{slot[1]}'" if isinstance(holder, Namespace) else f"item {slot[1]!r} of a {type(holder).__name__}"

    def value(self, slot: Slot) -> Any:
        """What a slot had before."""
        return self.tensors[slot[1]] if slot[0] < 0 else self.before[slot[0]].get(slot[1], ABSENT)

    def roll_back(self) -> dict[Slot, Any]:
        """What has changed; all is as before afterwards."""
        changes: dict[Slot, Any] = {}
        for tensor, value in self.capture.undo(self.mark, self.latest):
            self.tensors[id(tensor)] = tensor
            changes[-1, id(tensor)] = value
        for i, (holder, before) in enumerate(zip(self.holders, self.before)):
            now = _content(holder)
            changed = {key: value for key, value in now.items() if value is not before.get(key, ABSENT)}
            if not before.keys() <= now.keys():
                changed.update({key: ABSENT for key in before if key not in now})
            reordered = not isinstance(holder, (list, Namespace)) and _is_reordered(before, now)
            if changed or reordered:
                changes.update({(i, key): value for key, value in changed.items()})
                _restore(holder, before, changed, reordered)
            if reordered:
                raise core.CaptureError(
                    f"the order of what a {type(holder).__name__} holds changes under a condition on a Tensor, which cannot "
                    "be captured into a graph: make another one."
                )
        for holder, content in self.opaque:
            if not core.same(_opaque(holder), content):
                raise core.CaptureError(
                    f"a {type(holder).__name__} changes under a condition on a Tensor, which cannot be captured into a "
                    "graph: change it outside the condition, or use a list or a dict."
                )
        return changes

    def leads_to(self, start: Any, graph: int) -> bool:
        """Whether a value that is new leads, or may lead, to one of the graph of this number, or of a later one."""

        def parts(value: Any) -> Iterable[Any]:
            known = id(value) in self.references or id(value) in self.external
            return () if known or core.is_captured(value) else _parts(value, self.created)

        def is_later(value: Any) -> bool:
            node = self.capture.place(value) if core.is_captured(value) else None
            return value is _UNTOLD or (node is not None and node[0] >= graph)

        return any(map(is_later, walk(start, parts)))

    def store(self, values: dict[Slot, Any]) -> None:
        """Sets slots."""
        contents: dict[int, dict[Any, Any]] = {}
        for (i, key), value in values.items():
            if i >= 0:
                contents.setdefault(i, {})[key] = value
            elif value is not self.tensors[key]:
                self.capture.write(self.tensors[key], value)
        for i, content in contents.items():
            _set(self.holders[i], content)
