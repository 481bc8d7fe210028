"""Capture by abstract interpretation of a function's syntax tree.

Statements that only compute are compiled once (rewrite.py) and executed with the frame's variables as their globals;
Python values are computed, operations on captured tensors record nodes. This module follows the control flow: conditions
that Python knows choose as usual, conditions that are tensors become If and While nodes (control.py). A function that
has no source runs by its bytecode (executor.py).
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import control, executor, memory, outside, rewrite, source, special, state
from emberjit.capture.frame import Frame, Inner


class Source:
    """The parsed and compiled form of one function, kept by code object."""

    def __init__(self, node: ast.FunctionDef | ast.Lambda, filename: str):
        self.node = node
        self.filename = filename
        self.name = getattr(node, "name", "<lambda>")
        if isinstance(node, ast.Lambda):
            body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node)]
        else:
            body = node.body
        self.outer = rewrite.declared(body, ast.Nonlocal)
        self.body = [control.compile_statement(statement, filename) for statement in body]


@functools.lru_cache(maxsize=4096)
def source_of(code: types.CodeType) -> Source | None:
    """The source of a function's code, or None where there is none (built in a shell, generated)."""
    node = source.definition(code)
    return None if node is None else Source(node, code.co_filename)


class Interpreted(memory.Closure):
    """A function defined inside a captured function; `bare` has its parameters and their defaults."""

    def __init__(self, source: Source, frame: Frame, bare: types.FunctionType):
        self.source, self.frame, self.bare = source, frame, bare
        self.__name__ = source.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        cells = dict(self.frame.cells)
        cells.update({name: self.frame for name in self.frame if not name.startswith("__ember")})
        owners = {name: cells.get(name, self.frame) for name in self.source.outer}
        frame = Inner(owners, cells, self.frame.global_names, frozenset(), HELPERS)
        return run(self.source, frame, source.bind(self.bare, args, kwargs))


def run(code: Source, frame: Frame, variables: dict[str, Any]) -> Any:
    """Executes a function's body in a fresh frame and returns what it returns."""
    frame.update(variables)
    outcome = control.run_block(code.body, frame, ())
    return outcome.value if outcome is not None else None


def _body(function: Any) -> Callable[[dict[str, Any]], Any] | None:
    """What runs a Python function, given its variables, into the current graph; None if it can only be called."""
    code = function.__code__
    if source.suspends(code) or isinstance(function.__globals__, Frame):
        return None
    reads = state.current_reads()
    written = source_of(code) if reads is None or reads.engine == "ast" else None
    if written is None:
        return functools.partial(executor.execute, function) if executor.supports(code) else None
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        outside.take(value)
    frame = Frame(cells, function.__globals__, frozenset(code.co_varnames + code.co_cellvars), HELPERS)
    return functools.partial(run, written, frame)


def interpret(function: Any, args: Any, kwargs: Any) -> Any:
    """Runs a Python function into the current graph."""
    body = _body(function)
    if body is None:
        return function(*args, **kwargs)
    with state.nested():
        return body(source.bind(function, args, kwargs))


def _frame(function: types.FunctionType, *values: Any) -> Any:
    """Runs a frame that a library has made for a function of the user's into the current graph."""
    if not _follows(function):
        core.pass_frames(function.__code__, core.LIBRARY)
        return None
    body = _body(function)
    if body is None:
        return None
    with state.nested():
        return (body(dict(zip(source.parameters(function.__code__), values))),)


def call_library(function: Any, args: Any, kwargs: Any) -> Any:
    """Calls a function that is not followed into the graph; those of the user's that it calls are."""
    special.check_repeatable(function)
    return core.call_with_frames(_frame, function, *args, **kwargs)


def _follows(function: Any) -> bool:
    """Whether to interpret a function: written by the user, not by a library."""
    return isinstance(function, types.FunctionType) and outside.written_by_user(function.__globals__.get("__name__", ""))


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything from captured code."""
    replaced = special.CALLS.get(function) if _hashable(function) else None
    if replaced is not None:
        return replaced(*args, **kwargs)
    if isinstance(function, core.Jit):
        function = function.__wrapped__
    if isinstance(function, types.MethodType):
        if isinstance(function.__func__, core.Jit):
            return call(function.__func__.__wrapped__, function.__self__, *args, **kwargs)
        if _follows(function.__func__):
            return interpret(function.__func__, (function.__self__, *args), kwargs)
        return call_library(function, args, kwargs)
    if isinstance(function, functools.partial):
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if isinstance(function, types.BuiltinMethodType) and isinstance(function.__self__, outside.CONTAINERS):
        outside.check_method(function)
    if _follows(function):
        if "no_inline" in function.__dict__:
            return state.call_shared(function, args, kwargs, keep=True)
        return interpret(function, args, kwargs)
    if isinstance(function, type):
        return _make(function, args, kwargs)
    called = getattr(type(function), "__call__", None)  # noqa: B004
    if _follows(called) and not special.is_cell(type(function)):
        return interpret(called, (function, *args), kwargs)
    special.check_callable(function)
    return call_library(function, args, kwargs)


def _make(cls: Any, args: Any, kwargs: Any) -> Any:
    """Makes an instance; it is the captured code's own, to be changed at will."""
    ordinary = cls.__new__ is object.__new__ and _follows(cls.__init__) and type(cls) is type
    if special.is_cell(cls):
        return _own(core.call_now(cls, *args, **kwargs))
    if not ordinary:
        return _own(call_library(cls, args, kwargs))
    made = _own(object.__new__(cls))
    interpret(cls.__init__, (made, *args), kwargs)
    return made


def _own(made: Any) -> Any:
    reads = state.current_reads()
    if reads is not None and hasattr(made, "__dict__") and not isinstance(made, type) and id(made) not in reads.known:
        reads.made[id(made)] = made
    return made


def _hashable(function: Any) -> bool:
    return isinstance(function, (types.BuiltinFunctionType, type, types.FunctionType))


HELPERS: dict[str, Any] = {
    **control.DECIDERS,
    rewrite.CALL: call,
    rewrite.ATTRIBUTE: outside.attribute,
    rewrite.TARGET: outside.target,
    rewrite.AUGMENTED: outside.augmented,
}
