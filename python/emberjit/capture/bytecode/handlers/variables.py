"""Variables that are not the function's own, and imports."""

from __future__ import annotations

import builtins
import contextlib
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import COMPUTES, Frame, computes, handles
from emberjit.capture.code.instructions import NULL, Instruction, plain_name
from emberjit.capture.guards.globals_and_closures import check_import, guard_import, read_variable
from emberjit.capture.session.session import guard
from emberjit.capture.state import effect_rules
from emberjit.capture.state.namespace import Namespace

COMPUTES.update(
    **dict.fromkeys(("LOAD_LOCAL", "LOAD_CELL"), lambda frame, name: frame.namespace[name]),
    LOAD_BUILD_CLASS=lambda frame, _: builtins.__build_class__,
)


@computes("DELETE_LOCAL")
def _delete_local(frame: Frame, name: str) -> None:
    frame.namespace[name]
    dict.pop(frame.namespace, name)


@computes("NEW_CELL")
def _new_cell(frame: Frame, name: str) -> None:
    own = types.CellType() if frame.eager else Namespace({}, frame.namespace.global_names, frozenset())
    frame.namespace.cells[name] = own


def _cell(frame: Frame, name: str) -> Any:
    """Where a variable is that inner functions see: a namespace, or a cell of Python's."""
    return frame.namespace.cells.get(name, frame.namespace)


@computes("STORE_CELL")
def _store_cell(frame: Frame, name: str, value: Any) -> None:
    cell = _cell(frame, name)
    if isinstance(cell, types.CellType) and not frame.eager:
        effect_rules.set_cell(cell, name, value)
    elif isinstance(cell, types.CellType):
        cell.cell_contents = value
    else:
        dict.__setitem__(cell, plain_name(name), value)


@computes("DELETE_CELL")
def _delete_cell(frame: Frame, name: str) -> None:
    frame.namespace[name]
    cell = _cell(frame, name)
    if isinstance(cell, types.CellType) and not frame.eager:
        effect_rules.set_cell(cell, name)
    elif isinstance(cell, types.CellType):
        del cell.cell_contents
    else:
        dict.pop(cell, name)


@computes("LOAD_GLOBAL")
def _load_global(frame: Frame, name: str) -> Any:
    try:
        value = read_variable(name, {}, frame.namespace.global_names)
    except KeyError:
        value = NULL
    if value is NULL:
        raise _undefined(name)
    return value


@computes("STORE_GLOBAL")
def _store_global(frame: Frame, name: str, value: Any) -> None:
    if frame.eager:
        frame.namespace.global_names[name] = value
    else:
        effect_rules.set_global(frame.namespace.global_names, name, value)


@computes("DELETE_GLOBAL")
def _delete_global(frame: Frame, name: str) -> None:
    names = frame.namespace.global_names
    if name not in names and not effect_rules.is_stored(names, name):
        guard("absent", names, name, None)
        raise _undefined(name)
    if frame.eager:
        del names[name]
    else:
        effect_rules.set_global(names, name)


def _undefined(name: str) -> NameError:
    error = NameError(f"name '{name}' is not defined")
    error.name = name
    return error


@computes("IMPORT_NAME")
def _import_name(frame: Frame, name: str, level: int, names: Any) -> Any:
    call = __import__, name, frame.namespace.global_names, None, names, level
    if frame.eager:
        return frame.do(*call)
    check_import(name, frame.namespace.global_names, names or (), level)
    return guard_import(core.call_now(*call))


@handles("IMPORT_FROM")
def _import_from(frame: Frame, ins: Instruction) -> None:
    module, frame.called = frame.stack[-1], True
    with contextlib.suppress(AttributeError):
        frame.stack.append(frame.attribute(module, ins.operand))
        return
    name, path = (getattr(module, part, None) for part in ("__name__", "__file__"))
    where = f"{name or '<unknown module name>'!r} ({path or 'unknown location'})"
    raise ImportError(f"cannot import name {ins.operand!r} from {where}", name=name, path=path)
