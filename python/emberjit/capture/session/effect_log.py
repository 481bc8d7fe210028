"""Effects: what captured code has done to plain objects from outside. They happen at once, so that what follows finds them
done, and are undone when the capture ends; calls replay them once their graph has run (python/src/capture/effects.cpp). What
is guarded is what there was before. Where other threads could see that, effects wait instead: only what they store can be
read, at its key; who looks at the object as a whole is refused.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit import _emberjit as core

ALL = object()  # instead of a key: whatever there is
NOTHING = object()  # instead of what is stored
MOVED = object()  # likewise: items of a list that are no longer where they were
_EMPTY = types.CellType()


class Effect(NamedTuple):
    """A change of an object: its kind is one of python/src/capture/effects.cpp."""

    kind: str
    owner: Any
    operands: tuple[Any, ...]
    words: str


class _Changed(NamedTuple):
    """An object that has been changed: its content before, and the keys at which captured code knows what there is."""

    owner: Any
    before: Any
    written: set[Any]
    waiting: dict[Any, Any] | None  # what it will have at keys; None where it has it by now


class Effects:
    """The effects of one capture."""

    def __init__(self) -> None:
        self.recorded: list[Effect] = []
        self.level = 0  # of the graph that all of a call runs
        self.before_python = False  # whether Python goes on after the graph
        self.refused = False  # whether none may be replayed
        self._changed: dict[int, _Changed] = {}

    def keep(self, owner: Any, waits: bool) -> None:
        """Notes how an object is before it changes, which `waits` for the end of the capture."""
        if id(owner) not in self._changed:
            self._changed[id(owner)] = _Changed(owner, None if waits else _copied(owner), set(), {} if waits else None)

    def store(self, owner: Any, key: Any, value: Any) -> None:
        """Notes what an object will have at a key."""
        waiting = self._changed[id(owner)].waiting
        assert waiting is not None
        waiting[key] = value

    def note_written(self, owner: Any, key: Any) -> None:
        """Notes that captured code knows what an object has at a key, or ALL of it."""
        self._changed[id(owner)].written.add(key)

    def wrote(self, owner: Any, key: Any) -> bool:
        """Whether captured code has stored, or deleted, what an object has at a key."""
        changed = self._changed.get(id(owner)) if self._changed else None
        return changed is not None and (ALL in changed.written or key in changed.written)

    def has(self, owner: Any, key: Any) -> bool:
        """Whether there is something at a key that captured code has written."""
        waiting = self._changed[id(owner)].waiting
        if waiting is not None:
            return key in waiting
        return owner != _EMPTY if isinstance(owner, types.CellType) else key in owner

    def value(self, owner: Any, key: Any) -> Any:
        """What is there."""
        waiting = self._changed[id(owner)].waiting
        if waiting is not None:
            return waiting[key]
        return owner.cell_contents if isinstance(owner, types.CellType) else dict.__getitem__(owner, key)

    def stored(self, owner: Any, key: Any) -> Any:
        """What captured code has stored there, or NOTHING."""
        return self.value(owner, key) if self.wrote(owner, key) and self.has(owner, key) else NOTHING

    def content(self, container: Any) -> Any:
        """What was in a container before all effects, as far as it may matter.

        Raises:
            CaptureError: these wait.
        """
        changed = self._changed.get(id(container))
        if changed is None:
            return core.content(container)
        if changed.waiting is not None:
            raise core.CaptureError(
                f"a {type(container).__name__} is looked at that has been changed, which other threads are not to see "
                "before the graph has run: look at it first."
            )
        return () if ALL in changed.written else core.content(changed.before)

    def undo(self) -> None:
        """Makes all objects what they were."""
        for owner, before, _, waiting in self._changed.values():
            if waiting is None:
                _UNDO[_kind(owner)](owner, before)
        self._changed.clear()


def _kind(owner: Any) -> type:
    return next(kind for kind in _UNDO if isinstance(owner, kind))


def _copied(owner: Any) -> Any:
    if isinstance(owner, types.CellType):
        return _EMPTY if owner == _EMPTY else owner.cell_contents
    return _kind(owner)(owner)


def _undo_dict(names: dict[Any, Any], before: dict[Any, Any]) -> None:
    """Entries stay where iterators expect them, if they can."""
    if [*names][: len(before)] != [*before]:
        dict.clear(names)
        dict.update(names, before)
    for key in [*names][len(before) :]:
        dict.__delitem__(names, key)
    for key, value in before.items():
        if dict.__getitem__(names, key) is not value:
            dict.__setitem__(names, key, value)


def _undo_set(items: set[Any], before: set[Any]) -> None:
    items.intersection_update(before)
    items.update(before)


def _undo_deque(items: Any, before: Any) -> None:
    items.clear()
    items.extend(before)


def _undo_cell(cell: types.CellType, before: Any) -> None:
    if before is not _EMPTY:
        cell.cell_contents = before
    elif cell != _EMPTY:
        del cell.cell_contents


_UNDO: dict[type, Callable[[Any, Any], None]] = {
    dict: _undo_dict,
    list: lambda items, before: items.__setitem__(slice(None), before),
    set: _undo_set,
    collections.deque: _undo_deque,
    types.CellType: _undo_cell,
}
