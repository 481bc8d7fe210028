"""Which capture runs, and what it has relied on. Apart, so that importing emberjit does not load the interpreter."""

from __future__ import annotations

from typing import Any

Guard = tuple[str, Any, Any, Any]

_guards: list[list[Guard]] = []


def current_guards() -> list[Guard]:
    """What the innermost capture has relied on so far."""
    return _guards[-1] if _guards else []


def active() -> bool:
    """Whether an ast capture is running (a trace capture calls functions directly)."""
    return bool(_guards)


class interpreting:
    """Makes a list of guards the current one while a capture runs."""

    def __init__(self, guards: list[Guard]):
        self.guards = guards

    def __enter__(self) -> list[Guard]:
        _guards.append(self.guards)
        return self.guards

    def __exit__(self, *_: Any) -> None:
        _guards.pop()


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything from captured code, following functions written by the user."""
    from emberjit.capture import interpret

    return interpret.call(function, *args, **kwargs)
