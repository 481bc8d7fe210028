"""Runs functions by their bytecode."""

from __future__ import annotations

import types
from typing import Any

from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import until
from emberjit.capture.bytecode.looping import TensorControl
from emberjit.capture.code import signature
from emberjit.capture.code.decoding import decoded, is_decodable
from emberjit.capture.graph.conditions import Outcome
from emberjit.capture.state.namespace import new_namespace

_CONTROL = TensorControl()


def supports(code: types.CodeType) -> bool:
    """Whether a function's calls run its body, and that is decoded."""
    return not signature.suspends(code) and is_decodable(code)


def new_frame(code: types.CodeType, namespace: Any, stack: list[Any], at: int) -> Frame:
    """A frame of a function at one of its instructions."""
    return Frame(decoded(code), namespace, stack, at, _CONTROL)


def run(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs code with these variables."""
    frame = new_frame(code, new_namespace(code, cells, global_names, variables), [], 0)
    if frame.session is not None:
        frame.session.check_steps()
    end = until(frame)
    return end.value if isinstance(end, Outcome) else None
