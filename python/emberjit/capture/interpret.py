"""Capture by abstract interpretation of a function's syntax tree.

Statements that only compute are compiled once (rewrite.py) and executed with the frame's variables as their globals;
Python values are computed, operations on captured tensors record nodes. This module follows the control flow: conditions
that Python knows choose as usual, conditions that are tensors become If and While nodes (control.py). A function that
has no source runs by its bytecode (executor.py).
"""

from __future__ import annotations

import ast
import builtins
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import control, errors, outside, purity, recursion, rewrite, source, special, state, text
from emberjit.capture.frame import Closure, Frame, Inner
from emberjit.ops.primitive import OfTable


class Source:
    """The parsed and compiled form of one function, kept by code object."""

    def __init__(self, node: ast.FunctionDef | ast.Lambda, filename: str, names: frozenset[str] = frozenset()):
        self.names = names  # of local variables
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
    return None if node is None else Source(node, code.co_filename, frozenset(code.co_varnames + code.co_cellvars))


class Interpreted(Closure):
    """A function defined inside a captured function; `bare` has its parameters and their defaults."""

    def __init__(self, source: Source, frame: Frame, bare: types.FunctionType):
        self.source, self.frame, self.bare = source, frame, bare
        self.__name__ = source.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return recursion.follow(self.source, self, args, kwargs, self._run)

    def _run(self, args: Any, kwargs: Any) -> Any:
        cells = {**self.frame.cells, **dict.fromkeys(self.frame.variables(), self.frame)}
        owners = {name: cells.get(name, self.frame) for name in self.source.outer}
        frame = Inner(owners, cells, self.frame.global_names, frozenset(), HELPERS)
        return run(self.source, frame, source.bind(self.bare, args, kwargs))


def run(code: Source, frame: Frame, variables: dict[str, Any]) -> Any:
    """Executes a function's body in a fresh frame and returns what it returns."""
    frame.update(variables)
    frame.function, frame.first = code.name, next(iter(variables), "")
    return control.returned(code.body, frame)


def _run_anew(code: Source, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    return run(code, Frame(cells, global_names, code.names, HELPERS), variables)


def _body(function: Any) -> Callable[[dict[str, Any]], Any] | None:
    """What runs a Python function, given its variables, into the current graph; None if calling it only starts it, or if it
    is of captured code."""
    reads = state.current_reads()
    if reads is None:
        return _new_body(function, None)
    if id(function) not in reads.runs:
        reads.runs[id(function)] = function, _new_body(function, reads)
    body: Callable[[dict[str, Any]], Any] | None = reads.runs[id(function)][1]
    return body


def _new_body(function: Any, reads: state.Reads | None) -> Callable[[dict[str, Any]], Any] | None:
    code = function.__code__
    if isinstance(function.__globals__, Frame):
        return None
    if reads is not None:
        reads.guard("code", function, None, code)
        if function.__defaults__ is not None:
            reads.guard("attribute", function, "__defaults__", function.__defaults__)
    execute: Any = None
    if source.suspends(code):
        from emberjit.capture import generators

        if not generators.supports(code):
            return None
        execute = generators.Generator
    written = source_of(code) if execute is None and (reads is None or reads.engine == "ast") else None
    if execute is None and written is None:
        from emberjit.capture import executor

        if not executor.supports(code):
            raise core.CaptureError(f"the function '{function.__name__}' has instructions that no graph can hold.")
        execute = executor.run
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        outside.take(value)
    if written is None:
        return functools.partial(execute, code, cells, function.__globals__)
    return functools.partial(_run_anew, written, cells, function.__globals__)


def interpret(function: Any, args: Any, kwargs: Any) -> Any:
    """Runs a Python function into the current graph."""
    code, body = function.__code__, _body(function)
    if body is None and source.suspends(code):
        return function(*args, **kwargs)
    if body is None:
        return recursion.follow(code, function, args, kwargs, lambda a, k: function(*a, **k))
    return recursion.follow(code, function, args, kwargs, lambda a, k: body(source.bind(function, a, k)))


def _frame(function: types.FunctionType, *values: Any) -> Any:
    """Runs a frame that a library has made for a function of the user's into the current graph."""
    if not _follows(function):
        if function.__globals__.get("__name__", "").startswith("importlib."):
            return False  # an import, whose hooks are not the user's doing
        core.pass_frames(function.__code__, core.LIBRARY)
        return None
    if function.__name__ == "__del__":
        return False
    code, body = function.__code__, _body(function)
    if body is None:
        return None
    names = source.parameters(code)
    return (recursion.follow(code, function, values, {}, lambda values, _: body(dict(zip(names, values)))),)


def call_library(function: Any, args: Any, kwargs: Any) -> Any:
    """Calls a function that is not followed into the graph; those of the user's that it calls are."""
    purity.check(function, args, kwargs)
    return core.call_with_frames(_frame, function, *args, **kwargs)


def _follows(function: Any) -> bool:
    """Whether to interpret a function: written by the user, not by a library."""
    return type(function) is types.FunctionType and outside.written_by_user(function.__globals__.get("__name__", ""))


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything from captured code."""
    return _CALLS.get(type(function), _call_other)(function, args, kwargs)


def _call_directly(function: Any, args: Any, kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _call_function(function: Any, args: Any, kwargs: Any) -> Any:
    if not _follows(function):
        return call_library(function, args, kwargs)
    if "no_inline" in function.__dict__:
        return state.call_shared(function, args, kwargs, keep=True)
    return interpret(function, args, kwargs)


def _call_method(method: Any, args: Any, kwargs: Any) -> Any:
    function = method.__func__
    if isinstance(function, core.Jit):
        return call(function.__wrapped__, method.__self__, *args, **kwargs)
    if _follows(function):
        return interpret(function, (method.__self__, *args), kwargs)
    return call_library(method, args, kwargs)


def _call_builtin(function: Any, args: Any, kwargs: Any) -> Any:
    replaced = special.CALLS.get(function)
    if replaced is not None:
        return replaced(*args, **kwargs)
    if function.__name__ == "format" and type(function.__self__) is str:
        return text.filled(function.__self__, args, kwargs)
    return call_library(function, args, kwargs)


def _call_other(function: Any, args: Any, kwargs: Any) -> Any:
    if isinstance(function, core.Jit):
        return call(function.__wrapped__, *args, **kwargs)
    if isinstance(function, functools.partial):
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if isinstance(function, type):
        return _make(function, args, kwargs)
    called = getattr(type(function), "__call__", None)  # noqa: B004
    if called is OfTable.__call__:
        return function(*args, **kwargs)
    if _follows(called) and not special.is_cell(type(function)):
        return interpret(called, (function, *args), kwargs)
    special.check_callable(function)
    return call_library(function, args, kwargs)


def _make(cls: Any, args: Any, kwargs: Any) -> Any:
    """Makes an instance; it is the captured code's own, to be changed at will."""
    replaced = special.CALLS.get(cls)
    if replaced is not None:
        return replaced(*args, **kwargs)
    special.check_finalizer(cls)
    error = issubclass(cls, BaseException) and not isinstance(cls.__new__, types.FunctionType)
    plainly = error or cls.__new__ is object.__new__
    ordinary = plainly and _follows(cls.__init__) and type(cls).__call__ is type.__call__
    if special.is_cell(cls):
        return _own(core.call_now(cls, *args, **kwargs))
    if not ordinary:
        return _own(cls(*args, **kwargs) if issubclass(cls, OfTable) else call_library(cls, args, kwargs))
    made = _own(cls.__new__(cls, *args, **kwargs) if error else object.__new__(cls))
    interpret(cls.__init__, (made, *args), kwargs)
    return made


def _own(made: Any) -> Any:
    reads = state.current_reads()
    if reads is not None and hasattr(made, "__dict__") and not isinstance(made, type) and id(made) not in reads.known:
        reads.made[id(made)] = made
    return made


_CALLS: dict[type, Callable[[Any, Any, Any], Any]] = {
    type(core.op_table["add"]): _call_directly,
    types.FunctionType: _call_function,
    types.MethodType: _call_method,
    types.BuiltinFunctionType: _call_builtin,
    type: _make,
}


def _super() -> Any:
    """super() in a method. (Expressions have their frame as globals.)"""
    frame: Any = sys._getframe(1).f_globals
    return super(frame["__class__"], frame[frame.first])


HELPERS: dict[str, Any] = {
    **control.DECIDERS,
    rewrite.CALL: call,
    rewrite.ATTRIBUTE: outside.attribute,
    rewrite.TARGET: outside.target,
    rewrite.AUGMENTED: outside.augmented,
    rewrite.ITEM: None,
    rewrite.CASE: None,
    "__builtins__": vars(builtins),
    rewrite.SUPER: _super,
    rewrite.RAISE: errors.throw,
    rewrite.ASSERTION: AssertionError,
    rewrite.JOINED: text.joined,
    rewrite.FORMATTED: text.formatted,
    rewrite.PERCENT: text.percent,
}
