"""Functions of the user's that captured code calls run into the current graph."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.generators import runner
from emberjit.capture.calls.plain_values import plain, plain_result
from emberjit.capture.code import signature
from emberjit.capture.code.libraries import is_users
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.graph import recursion
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.guards.record import guard_function
from emberjit.capture.session.session import Session, current_session, watched
from emberjit.capture.state.namespace import Namespace

# Special methods whose callers want a number or text of Python's own.
_OF_PYTHONS_OWN = frozenset(
    ["__index__", "__int__", "__float__", "__bool__", "__len__", "__hash__", "__length_hint__", "__complex__"]
    + ["__str__", "__repr__", "__format__", "__bytes__", "__fspath__"]
)


def _body(function: types.FunctionType) -> Callable[[dict[str, Any]], Any] | None:
    """What runs a Python function, given its variables, into the current graph; None if calling it only starts it, or if it
    is of captured code."""
    session = current_session()
    known = {} if session is None else session.bodies
    if id(function) not in known:
        known[id(function)] = function, _new_body(function, session)
    body: Callable[[dict[str, Any]], Any] | None = known[id(function)][1]
    return body


def _new_body(function: types.FunctionType, session: Session | None) -> Callable[[dict[str, Any]], Any] | None:
    code = function.__code__
    if isinstance(function.__globals__, Namespace):
        return None
    if session is not None:
        guard_function(session, function)
    execute = runner(code)
    if execute is None:
        return None
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        guard_object(value)
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    return functools.partial(execute, code, cells, function.__globals__)


def interpret(function: Any, args: Args, kwargs: Kwargs) -> Any:
    """Runs a Python function into the current graph."""
    code, body = function.__code__, _body(function)
    if body is None and signature.is_generator(code):
        return function(*args, **kwargs)
    if body is None and signature.suspends(code):
        raise core.CaptureError(f"'{function.__name__}' makes a coroutine, which a graph would not run: await it outside.")
    if body is None:
        return recursion.run_call(code, function, args, kwargs, lambda a, k: watched(functools.partial(function, *a, **k)))

    def run(args: Args, kwargs: Kwargs) -> Any:
        """Without frames: a library that calls the function is watched, and the engine's own frames are not for that."""
        return core.call_without_frames(body, signature.bind(function, args, kwargs))

    return recursion.run_call(code, function, args, kwargs, run)


def library_frame(function: types.FunctionType, *values: Any) -> Any:
    """Runs a frame that a library has made for a function of the user's into the current graph."""
    if not is_users(function):
        if function.__globals__.get("__name__", "").startswith("importlib."):
            return False  # an import, whose hooks are not the user's doing
        core.pass_frames(function.__code__, core.LIBRARY)
        return None
    if function.__name__ == "__del__":
        return False
    code, body = function.__code__, _body(function)
    if body is None:
        return None
    names = signature.parameters(code)
    result = recursion.run_call(code, function, values, {}, lambda values, _: body(dict(zip(names, values))))
    return ((plain if function.__name__ in _OF_PYTHONS_OWN else plain_result)(result),)
