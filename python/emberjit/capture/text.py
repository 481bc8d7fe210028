"""Texts of what only runs of the graph know: f-strings, str() and their kin of captured Tensors. Captured code may pass a
text on, and join it with others; an error that the graph raises holds it (errors.py). To look at it would be to look at
elements, so that is refused in the words of the Tensor."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import purity, state, tree

_CONVERSIONS: dict[int, Callable[[Any], str]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}


class Text:
    """function(*args) as a str, whose args hold what only runs of the graph know."""

    def __init__(self, function: Callable[..., str], *args: Any):
        self.function, self.args = function, args

    def _looked_at(self, *_: Any) -> Any:
        return evaluated(self, _look)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._looked_at(), name)

    def __add__(self, other: Any) -> Any:
        return Text(operator.add, self, other) if isinstance(other, (str, Text)) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return Text(operator.add, other, self) if isinstance(other, str) else NotImplemented


def _method_of_str(name: str) -> Any:
    return lambda self, *args: getattr(str, name)(self._looked_at(), *args)


for _name in (
    *("str", "repr", "format", "hash", "len", "iter", "contains", "getitem", "mul", "rmul", "mod", "rmod"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
):
    setattr(Text, f"__{_name}__", _method_of_str(f"__{_name}__"))


def write(function: Callable[..., str], args: Any) -> str:
    """A text whose args are known."""
    return function(*args)


class _Hole:
    """Stands for a leaf in a pattern."""

    def __init__(self, number: int):
        self.number = number

    def __str__(self) -> str:
        return f"⟦ember {self.number}s⟧"

    def __repr__(self) -> str:
        return f"⟦ember {self.number}r⟧"


def pattern_of(value: Any, number: Callable[[Any], int | None], hole: Callable[[int, bool], str]) -> str:
    """A text, or what str() makes of a value, with braces escaped and hole(number, whether as repr) for each leaf that has a
    number.

    Raises:
        TypeError, ValueError: the text needs more of a leaf than str() and repr().
    """

    def leaf(part: Any) -> Any:
        found = number(part)
        return part if found is None else _Hole(found)

    said = str(evaluated(value, leaf)).replace("{", "{{").replace("}", "}}")
    return re.sub(r"⟦ember (\d+)([sr])⟧", lambda found: hole(int(found[1]), found[2] == "r"), said)


def evaluated(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The value with its texts written, and its other leaves replaced."""
    if type(value) is Text:
        return value.function(*(evaluated(arg, leaf) for arg in value.args))
    return tree.rebuild(value, lambda part: evaluated(part, leaf) if type(part) is Text else leaf(part))


def _look(leaf: Any) -> Any:
    if isinstance(leaf, core.Tensor):
        purity.looked_at(leaf)
    return leaf


def _is_open(leaf: Any) -> bool:
    return not leaf.known if isinstance(leaf, core.Number) else isinstance(leaf, (core.Tensor, Text))


def made(function: Callable[..., str], *args: Any) -> Any:
    """function(*args), or in captured code a Text of it if the args hold what only runs of the graph know."""
    if not state.active():
        return function(*args)
    return Text(function, *args) if any(map(_is_open, tree.leaves(args))) else state.call_library(function, *args)


def formatted(value: Any, conversion: int = -1, spec: Any = "") -> Any:
    """A part of an f-string."""
    if conversion != -1:
        value = made(_CONVERSIONS[conversion], value)
    return value if type(value) is Text and spec == "" else made(format, value, spec)


def joined(*parts: Any) -> Any:
    """An f-string."""
    return made(_join, *parts)


def _join(*parts: str) -> str:
    return "".join(parts)


def percent(pattern: str, values: Any) -> Any:
    """pattern % values."""
    return made(operator.mod, pattern, values)


def filled(pattern: str, args: Any, kwargs: Any) -> Any:
    """pattern.format(*args, **kwargs)."""
    return made(_fill, pattern, args, kwargs)


def _fill(pattern: str, args: Any, kwargs: Any) -> str:
    return pattern.format(*args, **kwargs)
