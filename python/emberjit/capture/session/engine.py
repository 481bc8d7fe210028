"""The engine: what follows the calls that captured code makes into the graph. It knows all front ends, so modules below
them reach it by this object, which the jit transform provides and which is made when a capture first needs it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit.capture.session.session import current_session


class Engine(NamedTuple):
    """What calls functions in captured code."""

    call: Callable[..., Any]  # (function, *args, **kwargs) calls anything; functions of the user's are followed
    interpret: Callable[..., Any]  # (function, args, kwargs) follows a function, though a decorator may want it otherwise
    call_library: Callable[..., Any]  # (function, args, kwargs) follows those of the user's alone that the function calls
    watched: Callable[..., Any]  # (function, *args) the same of what only Python's own machinery calls
    read: Callable[..., Any]  # (owner, name) an attribute, guarded where it may change between calls
    start: Callable[..., Any]  # (code, cells, global_names, variables) runs code, or makes a generator


_make: Callable[[], Engine] | None = None


def provide(make: Callable[[], Engine]) -> None:
    """Says what makes the engine."""
    global _make
    _make = make


@functools.cache
def engine() -> Engine:
    """The engine."""
    assert _make is not None
    return _make()


def watched(function: Any, /, *args: Any) -> Any:
    """Calls what only Python's own machinery calls: functions of the user's that it comes to are followed."""
    return function(*args) if current_session() is None else engine().watched(function, *args)


def follow(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything, following functions of the user's into the graph if one is being captured."""
    return function(*args, **kwargs) if current_session() is None else engine().call(function, *args, **kwargs)


def read(owner: Any, name: str) -> Any:
    """A number that a Cell has, which may differ from call to call: one of those that its class names in `_numbers`."""
    return getattr(owner, name) if current_session() is None else engine().read(owner, name)


def interpreted(function: Any, /, *args: Any) -> Any:
    """Calls a function of the library's that branches on Tensors, into the graph if one is being captured."""
    return function(*args) if current_session() is None else engine().interpret(function, args, {})
