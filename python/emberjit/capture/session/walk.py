"""All that an object leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def walk(start: Any, parts: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    """An object and all that it leads to by its parts, each once."""
    seen: dict[int, Any] = {}  # which keeps alive what is known by its id
    todo = [start]
    while todo:
        part = todo.pop()
        if id(part) not in seen:
            seen[id(part)] = part
            yield part
            todo.extend(parts(part))


def items(value: Any) -> Iterable[Any]:
    """What is in a tuple, a list or a dict."""
    return value.values() if type(value) is dict else value if type(value) in (tuple, list) else ()
