"""What captured code can change: variables, and all that they lead to: lists, dicts, attributes of objects made inside,
elements of Tensors. Code that may or may not run, or run again, is run once for its graph; then what it changed is taken
back here, and comes again as the result of a node.
"""

from __future__ import annotations

import functools
import operator
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import state, tree
from emberjit.capture.frame import Closure, Frame
from emberjit.capture.text import Text

Slot = tuple[int, Any]  # which place, which key

_OPAQUE = (set, frozenset, bytearray)


class _Absent:
    """The value of what is not set."""

    def __repr__(self) -> str:
        return "<not set>"


ABSENT = _Absent()


def _content(place: Any) -> dict[Any, Any]:
    if isinstance(place, list):
        return dict(enumerate(place))
    if isinstance(place, Frame):
        return place.variables()
    return dict(place if isinstance(place, dict) else getattr(place, "__dict__", ()))


def _set(place: Any, content: dict[Any, Any]) -> None:
    """Gives a place these contents beside its others; ABSENT takes one away."""
    if isinstance(place, list):
        items = {**_content(place), **content}
        place[:] = [items[k] for k in sorted(items) if items[k] is not ABSENT]
        return
    fields = place if isinstance(place, dict) else place.__dict__
    for key, value in content.items():
        if value is ABSENT:
            dict.pop(fields, key, None)
        else:
            dict.__setitem__(fields, key, value)


def _opaque(value: Any) -> Any:
    """The content of something whose changes are noticed, but cannot be taken back."""
    if hasattr(value, "__array_interface__") and not isinstance(value, core.Tensor):
        return memoryview(value).tobytes()
    if hasattr(type(value), "__next__"):  # how far an iterator has come
        return (operator.length_hint(value, -1), getattr(getattr(value, "gi_frame", None), "f_lasti", None))
    return core.content(value) if isinstance(value, _OPAQUE) else None


def _parts(value: Any, made: dict[int, Any]) -> Any:
    """What a value that no graph can hold leads to; None if that cannot be told."""
    if isinstance(value, (tuple, list, set, frozenset)):
        return value
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)):
        return (value.__self__,)
    if isinstance(value, Closure):
        return (value.frame,)
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        return [*cells, value.__defaults__, value.__kwdefaults__]
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    if isinstance(value, BaseException):
        return value.args, vars(value)
    if isinstance(value, Frame):
        return [*value.variables().values(), *(cell for cell in value.cells.values() if isinstance(cell, Frame))]
    if isinstance(value, dict):
        return value.values()
    if type(value) is Text:
        return value.args
    if hasattr(type(value), "__next__"):
        try:
            return value.__reduce__()[1:]
        except TypeError:
            return None
    return vars(value).values() if id(value) in made else ()


class Memory:
    """All that can be reached from a frame, as it is now."""

    def __init__(self, frame: Any):
        self.capture = core.current_capture()
        self.mark, self.latest = self.capture.writes(), self.capture.latest()
        self.frame = frame
        self.places: list[Any] = []
        self.index: dict[int, int] = {}
        self.references: dict[int, int] = {}
        self.tensors: dict[int, Any] = {}
        self.before: list[dict[Any, Any]] = []
        self.opaque: list[tuple[Any, Any]] = []
        reads = state.current_reads()
        self.outer: dict[int, Any] = reads.known if reads is not None else {}
        self.made: dict[int, Any] = reads.made if reads is not None else {}
        self._reach(frame)

    def _reach(self, start: Any) -> None:
        todo = [start]
        while todo:
            value = todo.pop()
            if type(value) in tree.LEAVES:
                continue
            known = self.references.get(id(value), 0)
            self.references[id(value)] = known + 1
            if known or id(value) in self.outer:
                continue
            if isinstance(value, tuple):
                todo.extend(value)
            elif isinstance(value, types.MethodType):
                todo.append(value.__self__)
            elif isinstance(value, Closure):
                todo.append(value.frame)
            elif isinstance(value, (list, dict)) or id(value) in self.made:
                content = _content(value)
                self._add(value, content)
                todo.extend(content.values())
                if isinstance(value, Frame):
                    todo.extend(cell for cell in value.cells.values() if isinstance(cell, Frame))
            elif (content := _opaque(value)) is not None:
                self.opaque.append((value, content))

    def _add(self, place: Any, content: dict[Any, Any]) -> None:
        self.index[id(place)] = len(self.places)
        self.places.append(place)
        self.before.append(content)

    def is_variable(self, slot: Slot) -> bool:
        """Whether a slot is a local variable of the frame."""
        return slot[0] == 0

    def named(self, slot: Slot) -> str:
        """A slot in words."""
        place = None if slot[0] < 0 else self.places[slot[0]]
        if place is None:
            return "a Tensor"
        if hasattr(place, "global_names"):
            return f"'{slot[1]}'"
        return f"item {slot[1]!r} of a {type(place).__name__}"

    def value(self, slot: Slot) -> Any:
        """What a slot had before."""
        return self.tensors[slot[1]] if slot[0] < 0 else self.before[slot[0]].get(slot[1], ABSENT)

    def take_back(self) -> dict[Slot, Any]:
        """What has changed; all is as before afterwards."""
        changes: dict[Slot, Any] = {}
        for tensor, value in self.capture.undo(self.mark, self.latest):
            self.tensors[id(tensor)] = tensor
            changes[-1, id(tensor)] = value
        for i, (place, before) in enumerate(zip(self.places, self.before)):
            now = _content(place)
            changed = {key: value for key, value in now.items() if value is not before.get(key, ABSENT)}
            if not before.keys() <= now.keys():
                changed.update({key: ABSENT for key in before if key not in now})
            if changed:
                changes.update({(i, key): value for key, value in changed.items()})
                _set(place, {key: before.get(key, ABSENT) for key in changed})
        for place, content in self.opaque:
            if not core.same(_opaque(place), content):
                raise core.CaptureError(
                    f"a {type(place).__name__} changes under a condition on a Tensor, which cannot be captured into a "
                    "graph: change it outside the condition, or use a list or a dict."
                )
        return changes

    def leads_to(self, start: Any, graph: int) -> bool:
        """Whether a value that is new leads, or may lead, to one of the graph of this number, or of a later one."""
        seen: dict[int, Any] = {}
        known = (seen, self.references, self.outer)
        todo = [start]
        while todo:
            value = todo.pop()
            if core.is_captured(value):
                place = self.capture.place(value)
                if place is not None and place[0] >= graph:
                    return True
            elif type(value) not in tree.LEAVES and not any(id(value) in values for values in known):
                seen[id(value)] = value
                parts = _parts(value, self.made)
                if parts is None:
                    return True
                todo.extend(parts)
        return False

    def store(self, values: dict[Slot, Any]) -> None:
        """Sets slots."""
        contents: dict[int, dict[Any, Any]] = {}
        for (i, key), value in values.items():
            if i >= 0:
                contents.setdefault(i, {})[key] = value
            elif value is not self.tensors[key]:
                self.capture.write(self.tensors[key], value)
        for i, content in contents.items():
            _set(self.places[i], content)
