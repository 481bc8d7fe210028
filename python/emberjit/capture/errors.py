"""Errors of the user's that a graph raises. What a side of a condition on a Tensor comes to by `raise` or `assert` becomes
a node, and Python follows the other side alone. The graph knows the error by its number; what it is made of again, with
Tensors as they are then, is kept beside the graph. Errors that ops or Python raise under a condition are none of these:
another shape, or eager Python, might not raise them.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture import state
from emberjit.capture.frame import Frame
from emberjit.capture.text import Text, pattern_of


class _Place(NamedTuple):
    """A line of the user's, as a traceback shows it: (line, end_line, column, end_column)."""

    filename: str
    function: str
    positions: tuple[int, ...]


def throw(error: Any, cause: Any = None, given: bool = False) -> None:
    """What `raise error` does in user code, or with `given` `raise error from cause`."""
    if isinstance(error, type):
        error = state.call(error)
    reads = state.current_reads()
    if reads is not None:
        reads.thrown[id(error)] = error
    try:
        if given:
            raise error from (state.call(cause) if isinstance(cause, type) else cause)
        raise error
    finally:
        del error  # whose traceback leads here


def is_thrown(error: BaseException) -> bool:
    """Whether the user's code has raised the error, so that a graph may."""
    reads = state.current_reads()
    return reads is not None and id(error) in reads.thrown and not core.current_capture().refused


def record(error: BaseException) -> None:
    """Makes the current graph raise an error of the user's."""
    from emberjit.capture import resume

    reads: Any = state.current_reads()
    packer = resume.Packer((), None)
    made = packer.pack(error)
    kinds = [leaf.__class__ if isinstance(leaf, core.Number) else None for leaf in packer.leaves]
    places = _places(error)
    core.current_capture().add_raise(_described(error, packer.leaves), len(reads.errors), packer.leaves)
    reads.errors.append(lambda values: _again(made, kinds, places, values))


def _described(error: BaseException, leaves: list[Any]) -> str:
    """The type and the text of an error, with holes for its leaves."""
    numbers = {id(leaf): number for number, leaf in enumerate(leaves)}
    said = Text(lambda *args: str(KeyError(*args) if isinstance(error, KeyError) else Exception(*args)), *error.args)
    try:
        text = pattern_of(said, lambda leaf: numbers.get(id(leaf)), lambda n, repr: f"{{{n}!r}}" if repr else f"{{{n}}}")
    except (TypeError, ValueError):
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _again(made: Callable[[Any], Any], kinds: list[Any], places: list[_Place], values: Any) -> BaseException:
    """The error with these Tensors, as raised from the user's lines."""
    from emberjit.capture import executor, resume

    leaves = [value if kind is None else kind(value.asnumpy()) for value, kind in zip(values, kinds)]
    error: BaseException = made(resume.Context(leaves, ()))

    names: dict[str, Any] = {}
    rest = iter(places)

    def go_on() -> None:
        place = next(rest, None)
        if place is None:
            raise error
        eval(_code(place), names)

    names["__ember_do"] = go_on
    try:
        go_on()
    except BaseException as raised:
        executor.show_user_code(raised)
    names.clear()
    return error


def _code(place: _Place) -> types.CodeType:
    """Code that makes a call and looks like the user's."""
    node = ast.parse("__ember_do()", mode="eval")
    for part in ast.walk(node):
        if isinstance(part, ast.expr):
            part.lineno, part.end_lineno, part.col_offset, part.end_col_offset = place.positions
    return compile(node, place.filename, "eval").replace(co_name=place.function)


def _places(error: BaseException) -> list[_Place]:
    """The user's lines by which an error has come about, the outermost first: one a call."""
    frames = []
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != "emberjit.capture.jit":
        frames.append((frame, frame.f_lasti, frame.f_lineno))
        frame = frame.f_back
    frames.reverse()
    at = error.__traceback__
    while at is not None:
        frames.append((at.tb_frame, at.tb_lasti, at.tb_lineno))
        at = at.tb_next
    places: dict[int, _Place] = {}
    for frame, lasti, line in frames:
        _note(places, frame, lasti, line)
    return list(places.values())


def _note(places: dict[int, _Place], frame: Any, lasti: int, line: int) -> None:
    from emberjit.capture import executor

    code, names = frame.f_code, frame.f_globals
    if code is executor.Run.step.__code__:
        run, positions = frame.f_locals["self"], frame.f_locals["ins"].positions
        code = run.code.code
        places[id(run.frame)] = _Place(code.co_filename, code.co_name, _known(positions, frame.f_locals["ins"].line))
    elif not str(names.get("__name__")).startswith("emberjit."):
        owner = names.get("__ember_frame", names if isinstance(names, Frame) else frame)
        positions = list(code.co_positions())[lasti // 2] if hasattr(code, "co_positions") else None
        places[id(owner)] = _Place(code.co_filename, getattr(names, "function", code.co_name), _known(positions, line))


def _known(positions: Any, line: int) -> tuple[int, ...]:
    return (line, line, 0, 0) if positions is None or None in positions else tuple(positions)
