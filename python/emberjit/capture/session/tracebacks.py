"""Tracebacks that show the user's lines only: frames of the capture, and of the values that it describes, are taken out. The
user's frames lead back to them yet, so those that have ended let go of what they hold, which may end then, as in Python."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterable, Iterator
from typing import Any

from emberjit.capture.session.walk import walk

_INTERNAL = ("emberjit.capture", "emberjit.values")


def is_internal(frame: types.FrameType) -> bool:
    """Whether a frame is of the capture itself."""
    package = frame.f_globals.get("__package__")
    return isinstance(package, str) and any(package == name or package.startswith(name + ".") for name in _INTERNAL)


def chain(error: BaseException) -> list[BaseException]:
    """An error, its causes and contexts, and the errors of groups, each once."""

    def parts(part: Any) -> Iterable[Any]:
        return filter(None, (part.__context__, part.__cause__, *reversed(getattr(part, "exceptions", ()))))

    return list(walk(error, parts))


def entries(error: BaseException) -> Iterator[types.TracebackType]:
    """The entries of an error's traceback, the outermost first."""
    part = error.__traceback__
    while part is not None:
        yield part
        part = part.tb_next


def first_shown(error: BaseException) -> types.TracebackType | None:
    """The first entry of an error's traceback that is no frame of the capture itself."""
    return next((entry for entry in entries(error) if not is_internal(entry.tb_frame)), None)


def innermost_line(error: BaseException) -> str | None:
    """FILE:LINE of the user's from which an error has come while that was captured."""
    lines = [entry for entry in entries(error) if "__ember_do" in entry.tb_frame.f_code.co_names]
    return f"{lines[-1].tb_frame.f_code.co_filename}:{lines[-1].tb_lineno}" if lines else None


def is_foreign(error: BaseException) -> bool:
    """Whether an error was not raised by the capture itself, but as by the handler of a signal."""
    return first_shown(error) is not None or isinstance(error, KeyboardInterrupt)


def show_user_code(error: BaseException) -> None:
    """Takes the frames of the capture out of the tracebacks of an error and of those that it goes back to."""
    for part in chain(error):
        users = []
        for entry in entries(part):
            if not is_internal(entry.tb_frame):
                users.append(entry)
            else:
                with contextlib.suppress(RuntimeError):  # it is running yet
                    entry.tb_frame.clear()
        part.__traceback__ = None
        for entry in reversed(users):
            line = -1 if entry.tb_lineno is None else entry.tb_lineno  # of code that has no lines
            part.__traceback__ = types.TracebackType(part.__traceback__, entry.tb_frame, entry.tb_lasti, line)
