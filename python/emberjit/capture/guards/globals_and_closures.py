"""Guards on global variables and on those of enclosing functions."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from emberjit.capture.guards.objects import guard_object
from emberjit.capture.session.session import Session, current_session

_EMPTY = object()


def read_variable(name: str, cells: dict[str, Any], global_names: dict[str, Any]) -> Any:
    """The value of a name that is not local.

    Raises:
        KeyError: there is none.
        NameError: the variable of an enclosing function has no value.
    """
    session = current_session()
    if name in cells:
        return _of_cell(session, name, cells[name])
    if session is None:
        return global_names[name]
    if name in global_names:
        return _item(session, global_names, name)
    session.guard("absent", global_names, name, None)
    found = global_names.get("__builtins__", builtins)
    return _item(session, found if isinstance(found, dict) else vars(found), name)


def _of_cell(session: Session | None, name: str, cell: Any) -> Any:
    value: Any = _EMPTY
    try:
        value = cell.cell_contents
    except ValueError:
        pass
    if value is _EMPTY:
        if session is not None:
            session.guard("empty", cell, None, None)
        raise without_value(name)
    if session is not None:
        session.guard("cell", cell, None, value)
    return guard_object(value)


def without_value(name: str) -> NameError:
    """The error for a variable of an enclosing function that has no value."""
    error = NameError(f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope")
    error.name = name
    return error


def guard_import(module: Any) -> Any:
    """A module that captured code imports; returns it."""
    session, name = current_session(), str(getattr(module, "__name__", ""))
    if session is not None and sys.modules.get(name) is module:
        session.guard("item", sys.modules, name, module)
    return module


def _item(session: Session, names: dict[str, Any], name: str) -> Any:
    if name not in names:
        session.guard("absent", names, name, None)
        raise KeyError(name)
    session.guard("item", names, name, names[name])
    return guard_object(names[name])
