"""Who is told what captures do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

on_break: Callable[[str, str], None] | None = None  # told (function, reason) when a function enters no graph as a whole

on_made: Callable[[Any], None] | None = None  # told each function that is jitted


def note_made(jitted: Any) -> None:
    """Tells of a function that has been jitted."""
    if on_made is not None:
        on_made(jitted)


def note_break(function: Any, reason: str) -> None:
    """Adds a reason to the `breaks` of a function, once."""
    if reason not in function.breaks:
        function.breaks.append(reason)
        if on_break is not None:
            on_break(getattr(function, "__name__", None) or type(function.__wrapped__).__name__, reason)
