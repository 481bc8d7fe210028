"""Patterns: the texts of ops that write them, with holes for what only runs of a graph know. A deferred string becomes one
by its functions being called once more, with placeholders for what the holes are of.

A placeholder has neither the length nor the characters of what a run puts there, so a text that has one can be joined with
others, and else is refused. How a number is formatted a run can be told, by a specification as Python's format() takes.
"""

from __future__ import annotations

import operator
import re
import secrets
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.state.deferred_strings import DeferredString, parts
from emberjit.values import tree

STR, REPR = "s", "r"  # forms of a hole, beside those of numbers: a colon and a specification

_MARK = secrets.token_hex(8)  # what no text has in it by chance
_PLACEHOLDER = re.compile(rf"<{_MARK} (\d+)>")
_CONVERSION = re.compile(r"%(?:\((\w*)\))?([-+ #0]*)(\d*)(\.\d*)?[hlL]?(.)", re.DOTALL)
_SHOWING: dict[str, Callable[[Any], str]] = {"s": str, "r": repr, "a": ascii}
_ALIGNED = re.compile(r"(.?[<>^])?0?\d*(\.\d+)?s?", re.DOTALL)  # how a str is formatted that may be a number's
_NOT_FOR_RUNS = re.compile(r"[{}]|[cn]$|\d{4}")  # of a specification
_DTYPES = {"bool": core.bool_, "int": core.int64, "float": core.float64}


def escaped(text: str) -> str:
    """A text as the part of a pattern that stands for itself."""
    return text.replace("{", "{{").replace("}", "}}")


def pattern_of(value: Any, is_hole: Callable[[Any], bool], hole: Callable[[Any, str], str], pins: bool = False) -> str:
    """A string, or what str() makes of a value, with braces escaped and hole(leaf, form) for each time that it shows a leaf
    which is one. With `pins` the numbers of a part that could not be left to runs are pinned instead.

    Raises:
        TypeError, ValueError: the string needs more of a leaf than runs can do.
    """
    text = _Text(is_hole, pins)
    literal = _PLACEHOLDER.split(str(text.of(value)))
    holes = [hole(*text.holes[int(number)]) for number in literal[1::2]]
    return "".join(part for pair in zip(map(escaped, literal[::2]), [*holes, ""]) for part in pair)


def number_tensor(leaf: Any) -> Any:
    """A Tensor of shape () that holds a number of the graph, or that of a Tensor with one element, as print_ formats it."""
    dtype = _DTYPES[_kind(leaf)]
    return core.ops.cast(core.ops.reshape(leaf, ()), dtype) if isinstance(leaf, core.Tensor) else core.Tensor(leaf, dtype)


def _kind(leaf: Any) -> str:
    """The class of a number, or of what a Tensor's item() gives.

    Raises:
        TypeError: none of the dtypes holds it.
    """
    if isinstance(leaf, core.Number):
        return str(leaf.kind)
    if leaf.dtype in (core.complex64, core.complex128, core.uint64):
        raise TypeError(f"a number of dtype {leaf.dtype} is formatted")
    return "bool" if leaf.dtype == core.bool_ else "float" if leaf.is_floating_point() else "int"


class _Text:
    """What is called once more. `holes`: the leaves and forms that placeholders stand for, by their numbers."""

    def __init__(self, is_hole: Callable[[Any], bool], pins: bool):
        self.holes: list[tuple[Any, str]] = []
        self._is_hole, self._pins, self._pinning = is_hole, pins, False

    def of(self, value: Any) -> Any:
        """A value with strings in place of deferred ones, and placeholders."""
        return self._evaluated(value) if type(value) is DeferredString else tree.rebuild(value, self._leaf)

    def _leaf(self, leaf: Any) -> Any:
        if type(leaf) is DeferredString:
            return self._evaluated(leaf)
        if self._pinning and isinstance(leaf, core.Number) and leaf.known:
            return leaf.value
        return _Leaf(self, leaf) if self._is_hole(leaf) else leaf

    def _evaluated(self, deferred: DeferredString) -> str:
        try:
            return self._called(deferred)
        except (TypeError, ValueError):
            if self._pinning or not self._pins:
                raise
        self._pinning = True
        try:
            return self._called(deferred)
        finally:
            self._pinning = False

    def _called(self, deferred: DeferredString) -> str:
        function, args = parts(deferred)
        return self._open((self._percent if function is operator.mod else function)(*map(self.of, args)))

    def _open(self, text: str) -> str:
        return _OpenText(text, self) if _PLACEHOLDER.search(text) else text

    def add(self, leaf: Any, form: str) -> str:
        """A placeholder."""
        self.holes.append((leaf, form))
        return self._open(f"<{_MARK} {len(self.holes) - 1}>")

    def add_number(self, leaf: Any, spec: str) -> str:
        """One of a number, which is formatted."""
        _kind(leaf)
        if _NOT_FOR_RUNS.search(spec) or _PLACEHOLDER.search(spec):
            raise TypeError(f"runs of a graph do not format by '{spec}'")
        return self.add(leaf, f":{spec}")

    def _percent(self, pattern: str, values: Any) -> str:
        """pattern % values."""
        if not any(isinstance(value, (_Leaf, _OpenText)) for value in tree.leaves(values)):
            return str(pattern % values)
        given = iter(values if isinstance(values, tuple) else (values,))

        def convert(match: re.Match[str]) -> str:
            if match[0] == "%%":
                return "%"
            return self._converted(next(given) if match[1] is None else values[match[1]], *match.groups("")[1:])

        return _CONVERSION.sub(convert, pattern)

    def _converted(self, value: Any, flags: str, width: str, precision: str, kind: str) -> str:
        """What `%`, these and the kind make of a value."""
        precision = ".0" if precision == "." else precision
        if kind in _SHOWING:
            text = self._open(_SHOWING[kind](value))
            return format(text, f"{'<' if '-' in flags else '>'}{width}{precision}") if width or precision else text
        if not isinstance(value, _Leaf):
            return f"%{flags}{width}{precision}{kind}" % (value,)
        whole = kind in "diuoxX"
        if not (whole or kind in "eEfFgG") or (whole and (precision or _kind(value.leaf) == "float")):
            raise TypeError(f"runs of a graph do not format by '%{precision}{kind}'")
        align = "<" if "-" in flags else ""
        sign = next((sign for sign in "+ " if sign in flags), "")
        zero = "0" if "0" in flags and not align else ""
        kind = "d" if kind in "iu" else kind
        return self.add_number(value.leaf, f"{align}{sign}{'#' * ('#' in flags)}{zero}{width}{precision}{kind}")


class _Leaf:
    """What shows a placeholder for a leaf."""

    def __init__(self, text: _Text, leaf: Any):
        self.text, self.leaf = text, leaf

    def __str__(self) -> str:
        return self.text.add(self.leaf, ":" if isinstance(self.leaf, core.Number) else STR)

    def __repr__(self) -> str:
        return self.text.add(self.leaf, ":" if isinstance(self.leaf, core.Number) else REPR)

    def __format__(self, spec: str) -> str:
        return self.text.add_number(self.leaf, spec) if spec else str(self)


class _OpenText(str):
    """A str with placeholders."""

    def __new__(cls, text: str, owner: _Text) -> _OpenText:
        made = super().__new__(cls, text)
        made._owner = owner
        return made

    _owner: _Text

    def __str__(self) -> str:
        return self

    def __repr__(self) -> str:
        if any(not self._owner.holes[int(number)][1].startswith(":") for number in _PLACEHOLDER.findall(self)):
            raise TypeError("a text is quoted that has a Tensor's in it, which may have several lines")
        return str.__repr__(self)

    def __format__(self, spec: str) -> str:
        alone = _PLACEHOLDER.fullmatch(self)
        leaf, form = self._owner.holes[int(alone[1])] if alone else (None, "")
        if not spec:
            return self
        if form != ":" or not _ALIGNED.fullmatch(spec):
            raise TypeError("a text is aligned or cut that has placeholders in it")
        return self._owner.add_number(leaf, spec.removesuffix("s") + "s")
