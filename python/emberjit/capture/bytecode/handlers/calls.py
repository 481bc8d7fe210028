"""Calls, and functions that instructions make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit.capture.bytecode.closures import BytecodeClosure, new_function
from emberjit.capture.bytecode.frame import Frame, computes
from emberjit.capture.calls import spread
from emberjit.capture.code.instructions import NULL
from emberjit.capture.session.session import current_session


@computes("CALL")
def _call(frame: Frame, arguments: Any, first: Any, second: Any, *values: Any) -> Any:
    if first is NULL:
        function = second
    else:
        function, values = first, (second, *values)
    names = arguments[1]
    plain = len(values) - len(names)
    return frame.call(function, values[:plain], dict(zip(names, values[plain:])))


@computes("CALL_SPREAD")
def _call_spread(frame: Frame, _: bool, null: Any, function: Callable[..., Any], arguments: Any, *keywords: Any) -> Any:
    kwargs = dict(*keywords)
    return frame.call(function, frame.do(spread.positional, function, arguments), kwargs)


@computes("MAKE_FUNCTION")
def _make_function(frame: Frame, names: Any, *values: Any) -> Any:
    parts, code = dict(zip(reversed(names), values)), values[-1]
    defaults, kwdefaults, annotations = parts.get("defaults"), parts.get("kwdefaults"), parts.get("annotations", ())
    notes = dict(zip(annotations[::2], annotations[1::2]))
    if free := parts.get("closure"):
        closure = BytecodeClosure(code, frame.namespace, free, defaults, kwdefaults, notes)
        return closure.real() if frame.eager else closure
    function = new_function(code, frame.namespace.global_names, code.co_name, defaults, (), kwdefaults, notes)
    session = current_session()
    if session is not None:
        session.created[id(function)] = function
    return function
