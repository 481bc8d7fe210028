"""What errors say of names that do not exist: the nearest that does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def nearest(name: str, names: Iterable[Any]) -> str:
    """What to add to the error of a name that does not exist: the most similar of those that do, or nothing."""
    import difflib

    known: dict[str, list[str]] = {}
    for other in names:
        if isinstance(other, str):
            known.setdefault(other.lower(), []).append(other)
    matches = difflib.get_close_matches(name.lower(), known, 1, 0.6)
    if not matches:
        return ""
    spelled = max(known[matches[0]], key=lambda other: sum(a == b for a, b in zip(other, name)))
    return f". Did you mean: '{spelled}'?"


class UnknownName(AttributeError):
    """An attribute that does not exist. The nearest name is looked for when the text is asked for, so that hasattr need not
    wait for it."""

    def __init__(self, message: str, name: str, names: Callable[[], Iterable[Any]]):
        super().__init__(message, name=name)
        self._unknown, self._names = name, names

    def __str__(self) -> str:
        private = self._unknown[:1] == "_"
        names = [name for name in self._names() if private or name[:1] != "_"]
        return super().__str__() + nearest(self._unknown, names)

    def __reduce__(self) -> Any:
        return AttributeError, (str(self),)
