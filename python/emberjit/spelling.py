"""What errors say of names that do not exist: what another library's name is here, or the nearest name that does exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def nearest(name: str, names: Iterable[Any]) -> str:
    """What to add to the error of a name that does not exist: the most similar of those that do, or nothing."""
    import difflib

    known: dict[str, list[str]] = {}
    for other in names:
        if isinstance(other, str) and _is_alike(name, other):
            known.setdefault(other.lower(), []).append(other)
    matches = difflib.get_close_matches(name.lower(), known, 1, 0.7)
    if not matches:
        return ""
    spelled = max(known[matches[0]], key=lambda other: sum(a == b for a, b in zip(other, name)))
    return f". Did you mean: '{spelled}'?"


def _is_alike(name: str, other: str) -> bool:
    """Whether names are of one kind: a constant in capitals is meant only by who writes capitals, or all its letters."""
    return not other.isupper() or name.isupper() or name.replace("_", "").lower() == other.replace("_", "").lower()


def advice(name: str, scopes: Iterable[str], names: Iterable[Any], otherwise: str = "") -> str:
    """What to add to the error of a name that does not exist.

    Args:
        name: the name.
        scopes: where hints may know it.
        names: those that there are.
        otherwise: what goes before the nearest of these, where hints do not know it.
    """
    from emberjit.hints import hint

    private = name[:1] == "_"
    return hint(name, scopes) or otherwise + nearest(name, (other for other in names if private or other[:1] != "_"))


class UnknownName(AttributeError):
    """An attribute that does not exist. What to add is looked for when the text is asked for, so that hasattr need not wait
    for it.

    Args:
        message: what is wrong.
        name: the attribute's.
        advise: answers what to add.
    """

    def __init__(self, message: str, name: str, advise: Callable[[], str]):
        super().__init__(message, name=name)
        self._advise = advise

    def __str__(self) -> str:
        return super().__str__() + self._advise()

    def __reduce__(self) -> Any:
        return AttributeError, (str(self),)
