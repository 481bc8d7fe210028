"""The user's lines by which an error has come about. Interpreters of bytecode tell which instruction a frame executes."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any


class Location:
    """A line of the user's, as a traceback shows it; `positions`: line, end_line, column, end_column."""

    def __init__(self, filename: str, function: str, positions: tuple[int, ...]) -> None:
        self.filename, self.function, self.positions = filename, function, positions


# What tells of a frame of this code the variables, by which calls are told apart, and the user's line.
interpreters: dict[types.CodeType, Callable[[Any], tuple[Any, Location]]] = {}


def known_positions(positions: Any, line: int) -> tuple[int, ...]:
    """Positions, or the line alone where Python does not tell more."""
    return (line, line, 0, 0) if positions is None or None in positions else tuple(positions)
