"""Functions of the user's that captured code calls run into the current graph: by their bytecode, or by their syntax tree
where this version of CPython is not decoded."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code import SUPPORTED, signature
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.graph import recursion
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.guards.record import guard_function
from emberjit.capture.session.engine import watched
from emberjit.capture.session.session import Session, current_session
from emberjit.capture.state.namespace import Namespace


def _body(function: Any) -> Callable[[dict[str, Any]], Any] | None:
    """What runs a Python function, given its variables, into the current graph; None if calling it only starts it, or if it
    is of captured code."""
    session = current_session()
    if session is None:
        return _new_body(function, None)
    if id(function) not in session.bodies:
        session.bodies[id(function)] = function, _new_body(function, session)
    body: Callable[[dict[str, Any]], Any] | None = session.bodies[id(function)][1]
    return body


def _new_body(function: Any, session: Session | None) -> Callable[[dict[str, Any]], Any] | None:
    code = function.__code__
    if isinstance(function.__globals__, Namespace):
        return None
    if session is not None:
        guard_function(session, function)
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    if signature.suspends(code):
        execute = _generator(session, function)
    else:
        execute = _by_bytecode(function) if SUPPORTED else _by_tree(function, cells)
    if execute is None:
        return None
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        guard_object(value)
    return functools.partial(execute, code, cells, function.__globals__) if SUPPORTED else execute


def _generator(session: Session | None, function: Any) -> Any:
    """What makes a generator that is followed; None of other functions whose calls only start them."""
    from emberjit.capture.bytecode import generators

    if generators.supports(function.__code__):
        return generators.Generator
    if session is not None and signature.is_generator(function.__code__):
        raise core.CaptureError(f"the generator '{function.__name__}' is followed on CPython 3.11 only: return a list.")
    return None


def _by_bytecode(function: Any) -> Any:
    from emberjit.capture.bytecode import interpreter

    if not interpreter.supports(function.__code__):
        raise core.CaptureError(f"the function '{function.__name__}' has instructions that no graph can hold.")
    return interpreter.run


def _by_tree(function: Any, cells: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    from emberjit.capture.ast.functions import body

    found = body(function.__code__, cells, function.__globals__)
    if found is None:
        raise core.CaptureError(f"the function '{function.__name__}' has no source, and its instructions are not known.")
    return found


def interpret(function: Any, args: Any, kwargs: Any) -> Any:
    """Runs a Python function into the current graph."""
    code, body = function.__code__, _body(function)
    if body is None and signature.is_generator(code):
        return function(*args, **kwargs)
    if body is None and signature.suspends(code):
        raise core.CaptureError(f"'{function.__name__}' makes a coroutine, which a graph would not run: await it outside.")
    if body is None:
        return recursion.run_call(code, function, args, kwargs, lambda a, k: watched(functools.partial(function, *a, **k)))

    def run(args: Any, kwargs: Any) -> Any:
        """Without frames: a library that calls the function is watched, and the engine's own frames are not for that."""
        return core.call_without_frames(body, signature.bind(function, args, kwargs))

    return recursion.run_call(code, function, args, kwargs, run)


def library_frame(function: types.FunctionType, *values: Any) -> Any:
    """Runs a frame that a library has made for a function of the user's into the current graph."""
    if not is_followed(function):
        if function.__globals__.get("__name__", "").startswith("importlib."):
            return False  # an import, whose hooks are not the user's doing
        core.pass_frames(function.__code__, core.LIBRARY)
        return None
    if function.__name__ == "__del__":
        return False
    if sys.version_info < (3, 11):
        from emberjit.capture.ast.functions import original

        function = original(function)
    code, body = function.__code__, _body(function)
    if body is None:
        return None
    names = signature.parameters(code)
    return (recursion.run_call(code, function, values, {}, lambda values, _: body(dict(zip(names, values)))),)


def is_followed(function: Any) -> bool:
    """Whether to interpret a function: written by the user, not by a library."""
    return type(function) is types.FunctionType and written_by_user(function.__globals__.get("__name__", ""))
