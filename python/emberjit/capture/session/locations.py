"""The user's lines by which an error has come about. Interpreters of bytecode tell which instruction a frame executes."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Callable
from typing import Any, NamedTuple


class Location(NamedTuple):
    """A line of the user's, as a traceback shows it; `positions`: line, end_line, column, end_column."""

    filename: str
    function: str
    positions: tuple[int, ...]


@functools.lru_cache(maxsize=4096)
def call_at(location: Location, flags: int = 0) -> types.CodeType:
    """Code that looks like the user's line and calls __ember_do(*__ember_args, **__ember_keywords)."""
    tree = ast.parse("__ember_do(*__ember_args, **__ember_keywords)", mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = location.positions
    code: types.CodeType = compile(tree, location.filename, "eval", flags, dont_inherit=True)
    return code.replace(co_name=location.function, co_qualname=location.function)


# What tells of a frame of this code the variables, by which calls are told apart, and the user's line, if it is to show.
interpreters: dict[types.CodeType, Callable[[Any], tuple[Any, Location | None]]] = {}


def known_positions(positions: Any, line: int) -> tuple[int, ...]:
    """Positions, or the line alone where Python does not tell more."""
    return (line, line, 0, 0) if positions is None or None in positions else tuple(positions)
