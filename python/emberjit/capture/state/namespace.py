"""The variables of a function that is captured or executed, and placeholders of values.

A namespace has the local variables. What is not in it is read from cells, then from the real globals, with a guard.
"""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.instructions import plain_name
from emberjit.capture.code.signature import local_names
from emberjit.capture.guards.globals_and_closures import read_variable, without_value


class Opaque:
    """In place of a value that captured code may pass on, but not observe."""

    def __getattr__(self, name: str) -> Any:
        if name == "_fields" or name.startswith("__"):
            raise AttributeError(name)
        observe_opaque()


def observe_opaque(*_: Any) -> Any:
    """Refuses to look at a value that captured code does not know."""
    raise core.CaptureError("a value that Python made outside the graph is looked at.")


for _name in (
    *("repr", "str", "format", "hash", "bool", "len", "contains", "getitem", "index", "int", "float"),
    *("eq", "ne", "lt", "le", "gt", "ge", "add", "radd", "mul", "rmul", "sub", "rsub", "mod", "rmod", "or", "ror", "and"),
    *("rand", "xor", "rxor", "truediv", "rtruediv", "floordiv", "rfloordiv", "pow", "rpow", "matmul", "rmatmul", "abs"),
):
    setattr(Opaque, f"__{_name}__", observe_opaque)


class Closure:
    """A function that is defined inside a captured one, with the namespace that it sees; its dict has the attributes that
    the user gives it."""

    __slots__ = ("__dict__", "__weakref__", "namespace")
    stands_for = types.FunctionType
    namespace: Any


class Namespace(dict):  # type: ignore[type-arg]
    """Local variables. `cells` has those of enclosing functions: cells of Python's, or namespaces."""

    def __init__(self, cells: dict[str, Any], global_names: dict[str, Any], local_names: frozenset[str]):
        self.cells, self.global_names, self.local_names = cells, global_names, local_names
        self.unrolled: set[int] = set()  # loops that need numbers that Python knows, so that each trip is followed
        self.lost: dict[str, str] = {}  # variables that a graph cannot hold, and why
        self.unlike: dict[str, str] = {}  # how the sides of a condition have set variables that are lost once they end

    def variables(self) -> dict[str, Any]:
        """The variables that have values."""
        return dict(self)

    def has(self, name: str) -> bool:
        """Whether a variable of the function has a value."""
        cell = self.cells.get(name)
        if cell is None:
            return dict.__contains__(self, name)
        return cell.has(plain_name(name)) if isinstance(cell, Namespace) else bool(cell != types.CellType())

    def __missing__(self, name: str) -> Any:
        if name in self.lost:
            raise core.CaptureError(f"local variable '{name}' {self.lost[name]}")
        if name in self.local_names:
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
        cell = self.cells.get(name)
        if not isinstance(cell, Namespace):
            return read_variable(name, self.cells, self.global_names)
        name = plain_name(name)
        if cell.has(name) or name in cell.lost:
            return cell[name]
        raise without_value(name)


def new_namespace(
    code: types.CodeType,
    cells: dict[str, Any],
    global_names: dict[str, Any],
    variables: dict[str, Any],
    own_cells: bool = False,
) -> Namespace:
    """A namespace with these variables set; with `own_cells` those that inner functions see are in cells of Python's."""
    names = local_names(code)
    if not (own_cells and code.co_cellvars):
        namespace = Namespace(dict(cells), global_names, names)
        namespace.update(variables)
        return namespace
    own = {name: types.CellType() for name in code.co_cellvars}
    namespace = Namespace({**cells, **own}, global_names, names - own.keys())
    for name, value in variables.items():
        if name in own:
            own[name].cell_contents = value
        else:
            namespace[name] = value
    return namespace
