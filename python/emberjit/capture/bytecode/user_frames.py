"""Python frames at the user's lines: of calls and errors that the engine makes in the user's stead."""

from __future__ import annotations

import functools
import sys
import types
import warnings
from typing import Any

from emberjit.capture.code import cpython
from emberjit.capture.code.instructions import Code
from emberjit.capture.code.signature import FUTURE
from emberjit.capture.session.locations import Location, call_at, known_positions
from emberjit.capture.session.tracebacks import first_shown, is_internal

NAMES = ("__ember_do", "__ember_args", "__ember_keywords")  # that the code of a call reads


def warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None) -> None:
    """What warnings.warn does for a line further up than the one that calls it, without the frames of the interpreter."""
    frame: Any = sys._getframe(1)
    while stacklevel > 1 and frame.f_back is not None:
        frame = frame.f_back
        stacklevel -= not is_internal(frame)
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    site = (frame.f_code.co_filename, frame.f_lineno, names.get("__name__", "<string>"), registry)
    warnings.warn_explicit(message, kind, *site, source=source)


def _first_shown(error: BaseException, code: Code) -> types.TracebackType | None:
    """Where an error's traceback begins in the user's code, if that is in the file of this."""
    at = first_shown(error)
    return at if at is not None and at.tb_frame.f_code.co_filename == code.code.co_filename else None


def shows(error: BaseException, code: Code, line: int) -> bool:
    """Whether an error's traceback begins with this line of the user's."""
    at = _first_shown(error, code)
    return at is not None and at.tb_lineno == line


def keep_variables(error: BaseException, code: Code, variables: dict[str, Any]) -> None:
    """The frame that an error's traceback begins with holds the variables that its function ends with."""
    at = _first_shown(error, code)
    if at is not None and "__ember_do" in at.tb_frame.f_code.co_names and at.tb_frame.f_code.co_name == code.code.co_name:
        frame_locals = at.tb_frame.f_locals
        frame_locals.clear()
        frame_locals.update(variables)


def raise_at(code: Code, at: int, namespace: Any, error: BaseException) -> None:
    """Raises an error from a Python frame at the user's line, which tracebacks show then, and catches it."""

    errors = [error]

    def throw() -> None:
        raise errors.pop()

    names = {**dict(zip(NAMES, (throw, (), {}))), "__ember_namespace": namespace}
    try:
        eval(call_site(code, at), names)
    except BaseException as raised:
        if raised is not error:
            raise
    finally:
        del error  # whose traceback leads here


@functools.lru_cache(maxsize=4096)
def call_site(code: Code, at: int) -> types.CodeType:
    """Code that makes a call and looks like the user's."""
    ins, plain = code.instructions[at], code.code
    location = Location(plain.co_filename, plain.co_name, known_positions(ins.positions, ins.line))
    code_object = call_at(location, plain.co_flags & FUTURE)
    return code_object.replace(co_qualname=plain.co_qualname, co_code=cpython.without_check(code_object.co_code))
