"""The engine: what follows the calls that captured code makes into the graph. It knows all front ends, so modules below
them reach it by this object, which the jit transform provides and which is made when a capture first needs it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Protocol

from emberjit.capture.session.session import current_session


class Engine(Protocol):
    """What calls functions in captured code."""

    def call(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Calls anything; functions of the user's are followed."""

    def interpret(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Runs a Python function into the current graph, though a decorator may want it otherwise."""

    def call_library(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Calls a function that is not followed; those of the user's that it calls are."""

    def watched(self, function: Any, /, *args: Any) -> Any:
        """Calls a function; those of the user's that Python calls meanwhile are followed."""

    def start(self, code: Any, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
        """Runs bytecode with these variables, or, of a generator, makes the generator."""

    def starts_generator(self, code: Any) -> bool:
        """Whether start() makes a generator of this code."""


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


def interpreted(function: Any, /, *args: Any) -> Any:
    """Calls a function of the library's that branches on Tensors, into the graph if one is being captured."""
    return function(*args) if current_session() is None else engine().interpret(function, args, {})
