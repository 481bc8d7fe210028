"""Runs functions by their bytecode."""

from __future__ import annotations

import types
from typing import Any

from emberjit.capture.bytecode.frame import Frame, raises_again
from emberjit.capture.code import signature
from emberjit.capture.code.decoding import decoded, is_decodable
from emberjit.capture.graph.conditions import End, Outcome
from emberjit.capture.session.locations import Location, interpreters, known_positions
from emberjit.capture.state.namespace import new_namespace


def supports(code: types.CodeType) -> bool:
    """Whether a function's calls run its body, and that is decoded."""
    return not signature.suspends(code) and is_decodable(code)


def run(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs code with these variables."""
    frame = Frame(decoded(code), new_namespace(code, cells, global_names, variables), [], 0)
    if frame.session is not None:
        frame.session.check_steps()
    end = until(frame)
    return end.value if isinstance(end, Outcome) else None


def until(frame: Frame, limit: int = -1, enter: bool = False) -> End:
    """Executes until a return or the end of the region, or until `limit` instructions have been executed; `enter`: it
    begins where the region stops."""
    end: End = frame.run(limit, enter)
    return end


def _location(python_frame: Any) -> tuple[Any, Location | None]:
    """The variables and the user's line of the instruction that a Python frame of until() executes; no line of one that
    raises again."""
    frame = python_frame.f_locals["frame"]
    ins, code = frame.instructions[frame.here], frame.code.code
    if raises_again(ins):
        return frame.namespace, None
    return frame.namespace, Location(code.co_filename, code.co_name, known_positions(ins.positions, ins.line))


interpreters[until.__code__] = _location
