"""Capture by abstract interpretation of a function's syntax tree.

Statements that only compute are compiled once (rewrite.py) and executed with the frame's variables as their globals;
Python values are computed, operations on captured tensors record nodes. This module follows the control flow: conditions
that Python knows choose as usual, conditions that are tensors become If and While nodes (control.py). A function that
has no source is called directly, which records what it does (trace).
"""

from __future__ import annotations

import ast
import functools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import control, rewrite, source, special
from emberjit.capture.state import Guard, current_guards


class Frame(dict):  # type: ignore[type-arg]
    """Local variables, which serve compiled code as its globals; other names come from cells, then from real globals."""

    def __init__(self, cells: dict[str, Any], global_names: dict[str, Any], guards: list[Guard], filename: str):
        super().__init__()
        self.cells = cells
        self.global_names = global_names
        self.guards = guards
        self.filename = filename
        self.update(helpers())

    def __missing__(self, name: str) -> Any:
        if name in self.cells:
            cell = self.cells[name]
            if isinstance(cell, Frame):
                return cell[name]
            value = cell.cell_contents
            self.guards.append(("cell", cell, None, value))
            return value
        value = self.global_names[name]
        self.guards.append(("item", self.global_names, name, value))
        return value

    def fork(self) -> Frame:
        """A copy whose containers may change without the original's knowing."""
        copy = Frame(self.cells, self.global_names, self.guards, self.filename)
        copies: dict[int, Any] = {}
        for name, value in self.items():
            dict.__setitem__(copy, name, value if name.startswith("__") else _copy_containers(value, copies))
        return copy


def _copy_containers(value: Any, copies: dict[int, Any]) -> Any:
    if type(value) not in (list, dict):
        return value
    if id(value) not in copies:
        if type(value) is list:
            copies[id(value)] = [_copy_containers(item, copies) for item in value]
        else:
            copies[id(value)] = {key: _copy_containers(item, copies) for key, item in value.items()}
    return copies[id(value)]


@functools.cache
def helpers() -> dict[str, Any]:
    """What rewritten expressions call."""
    return {
        rewrite.CALL: call,
        rewrite.AND: control.logical_and,
        rewrite.OR: control.logical_or,
        rewrite.NOT: control.logical_not,
        rewrite.CHOOSE: control.choose,
    }


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
        self.body = [control.compile_statement(statement, filename) for statement in body]


@functools.cache
def source_of(code: types.CodeType) -> Source | None:
    """The source of a function's code, or None where there is none (built in a shell, generated)."""
    node = source.definition(code)
    return None if node is None else Source(node, code.co_filename)


class Interpreted:
    """A function defined inside a captured function; `bare` has its parameters and their defaults."""

    def __init__(self, source: Source, frame: Frame, bare: types.FunctionType):
        self.source, self.frame, self.bare = source, frame, bare
        self.__name__ = source.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        cells = dict(self.frame.cells)
        cells.update({name: self.frame for name in self.frame if not name.startswith("__ember")})
        frame = Frame(cells, self.frame.global_names, self.frame.guards, self.source.filename)
        return run(self.source, frame, self.bare, args, kwargs)


def run(code: Source, frame: Frame, function: types.FunctionType, args: Any, kwargs: Any) -> Any:
    """Executes a function's body in a fresh frame and returns what it returns."""
    frame.update(source.bind(function, args, kwargs))
    outcome = control.run_block(code.body, frame)
    return outcome.value if outcome is not None else None


def interpret(function: types.FunctionType, args: Any, kwargs: Any) -> Any:
    """Runs a Python function into the current graph."""
    code = function.__code__
    written = None if source.suspends(code) or isinstance(function.__globals__, Frame) else source_of(code)
    if written is None:
        return function(*args, **kwargs)
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    frame = Frame(cells, function.__globals__, current_guards(), written.filename)
    return run(written, frame, function, args, kwargs)


def follows(function: types.FunctionType) -> bool:
    """Whether to interpret a function: written by the user, not by a library."""
    module = function.__globals__.get("__name__", "")
    return not module.startswith(("emberjit", "numpy", "mindspore."))


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
        if isinstance(function.__func__, types.FunctionType) and follows(function.__func__):
            return interpret(function.__func__, (function.__self__, *args), kwargs)
        return function(*args, **kwargs)
    if isinstance(function, types.FunctionType) and follows(function):
        return interpret(function, args, kwargs)
    if isinstance(function, type) and special.makes_cells(function):
        return core.call_now(function, *args, **kwargs)
    return function(*args, **kwargs)


def _hashable(function: Any) -> bool:
    return isinstance(function, (types.BuiltinFunctionType, type, types.FunctionType))
