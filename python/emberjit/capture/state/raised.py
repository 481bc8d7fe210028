"""The user's lines by which an error has come about, and errors made anew with the traceback of those lines."""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.locations import Location, call_at, interpreters, known_positions
from emberjit.capture.session.session import current_session
from emberjit.capture.session.tracebacks import entries, show_user_code


def raise_from(error: BaseException, locations: Sequence[Location]) -> None:
    """Gives an error the traceback of one that was raised from these lines."""
    context, frames = error.__context__, _raised([error], iter(locations))
    next(frames)
    error.__context__ = context
    core.call_alone(frames.close)


def _raised(errors: list[BaseException], locations: Iterator[Location]) -> Generator[None, None, None]:
    """A generator, whose frame leads to none further out, which may hold the error."""
    names: dict[str, Any] = {}

    def go_on() -> None:
        location = next(locations, None)
        if location is None:
            raise errors.pop()
        eval(call_at(location), names)

    names.update(__ember_do=go_on, __ember_args=(), __ember_keywords={})
    try:
        go_on()
    except BaseException as raised:
        show_user_code(raised)
    names.clear()
    yield


def locations_of(error: BaseException | None, entered: bool = False) -> list[Location]:
    """The user's lines by which an error has come about, the outermost first. `entered`: also of the calls that it has not
    left, or, without an error, that are being made."""
    frames = []
    frame: Any = sys._getframe(1) if entered else None
    while frame is not None and not frame.f_globals.get("BEGINS_CAPTURES"):
        frames.append((frame, frame.f_lasti, frame.f_lineno))
        frame = frame.f_back
    frames.reverse()
    frames += [(at.tb_frame, at.tb_lasti, at.tb_lineno) for at in (() if error is None else entries(error))]
    return _lines_of(frames)


def note_path() -> int:
    """The number of the user's lines that lead to an op of which a run of the graph may raise an error; 0: nobody's."""
    session = current_session()
    if session is None:
        return 0
    return session.paths.setdefault(tuple(locations_of(None, entered=True)), len(session.paths) + 1)


def error_of_op(kind: Any, message: str, locations: Sequence[Location]) -> BaseException:
    """The error of an op in a graph, as raised from these lines."""
    error: BaseException = kind(message)
    raise_from(error, locations)
    set_context(error)
    return error


def set_context(error: BaseException) -> None:
    """What is being handled now is what an error goes back to in the end."""
    handled, seen = sys.exc_info()[1], {id(error)}
    while error.__context__ is not None and id(error.__context__) not in seen:
        error = error.__context__
        seen.add(id(error))
    if handled is not None and id(handled) not in seen:
        error.__context__ = handled


def _line_of(frame: types.FrameType, lasti: int, line: int | None) -> tuple[Any, Location, bool] | None:
    """The user's line in a frame, if it has one: what tells its call from others, the line, and whether the frame itself
    shows it. `line`: None in code that has no lines."""
    code, names = frame.f_code, frame.f_globals
    if code in interpreters:
        variables, location = interpreters[code](frame)
        return None if location is None else (variables, location, False)
    if str(names.get("__name__")).startswith("emberjit."):
        return None
    table = itertools.islice(code.co_positions(), lasti // 2, None)
    positions = known_positions(next(table, None), line or code.co_firstlineno)
    return names.get("__ember_namespace", frame), Location(code.co_filename, code.co_name, positions), True


def _lines_of(frames: Iterable[tuple[Any, int, int | None]]) -> list[Location]:
    """The user's lines in frames. An interpreter's frame tells where it is now, which is the line that counts only where no
    frame of the user's code follows."""
    lines: list[tuple[int, Location, bool]] = []
    for call, location, shown in filter(None, itertools.starmap(_line_of, frames)):
        follows = bool(lines) and lines[-1][0] == id(call)
        if follows and lines[-1][2] and not shown:
            continue
        if follows and not lines[-1][2]:
            lines.pop()
        lines.append((id(call), location, shown))
    return [location for _, location, _ in lines]
