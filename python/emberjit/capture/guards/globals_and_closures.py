"""Guards on global variables and on those of enclosing functions."""

from __future__ import annotations

import builtins
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.session.effect_log import NOTHING
from emberjit.capture.session.session import current_session, guard


def read_variable(name: str, cells: dict[str, Any], global_names: dict[str, Any]) -> Any:
    """The value of a name that is not local.

    Raises:
        KeyError: there is none.
        NameError: the variable of an enclosing function has no value.
    """
    if name in cells:
        cell = cells[name]
        if (stored := _stored(cell, None)) is not NOTHING:
            return stored
        if cell == types.CellType():
            guard("empty", cell, None, None)
            raise without_value(name)
        return _read("cell", cell, None, cell.cell_contents, name)
    if (stored := _stored(global_names, name)) is not NOTHING:
        return stored
    if name in global_names:
        return _item(global_names, name)
    guard("absent", global_names, name, None)
    names = global_names.get("__builtins__", builtins)
    return _item(names if isinstance(names, dict) else vars(names), name)


def without_value(name: str) -> NameError:
    """The error for a variable of an enclosing function that has no value."""
    error = NameError(f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope")
    error.name = name
    return error


def check_import(name: str, global_names: dict[str, Any], names: Sequence[str], level: int) -> None:
    """Refuses an import, or a `from` import of these names, that runs a module of the user's or fails: either may be
    otherwise in another call."""
    package = str(global_names.get("__package__") or "").split(".")
    parts = [*(package[: len(package) - level + 1] if level else ()), *filter(None, name.split("."))]
    modules = [".".join(parts[: i + 1]) for i in range(len(parts))]
    loaded = all(module in sys.modules for module in modules)
    if loaded and names:
        known = vars(sys.modules[modules[-1]])
        loaded = "__getattr__" in known or all(item in known or item == "*" for item in names)
    if not loaded and (not modules or written_by_user(modules[0]) or not _is_importable(modules[-1])):
        raise core.CaptureError(
            f"module '{name}' is imported for the first time, which a graph would not repeat: do it outside."
        )


def _is_importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def guard_import(module: types.ModuleType) -> Any:
    """A module that captured code imports; returns it."""
    name = str(getattr(module, "__name__", ""))
    if sys.modules.get(name) is module:
        guard("item", sys.modules, name, module)
    return module


def _item(names: dict[str, Any], name: str) -> Any:
    if name not in names:
        guard("absent", names, name, None)
    return _read("item", names, name, names[name], name)


def _read(kind: str, owner: Any, key: Any, value: Any, name: str) -> Any:
    session = current_session()
    if session is None:
        return value
    session.name(owner, "" if key is None else ".")
    session.name(value, name)
    return guard_object(session.read(kind, owner, key, value))


def _stored(owner: Any, key: Any) -> Any:
    """What captured code has stored in a variable, or NOTHING."""
    session = current_session()
    return NOTHING if session is None else session.effects.stored(owner, key)
