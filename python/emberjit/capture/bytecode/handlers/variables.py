"""The stack, constants, variables and imports."""

from __future__ import annotations

import builtins
import contextlib
import types

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.handlers.table import handles
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.guards.globals_and_closures import check_import, guard_import, read_variable
from emberjit.capture.guards.mutation import refused
from emberjit.capture.state.namespace import NULL


@handles("POP")
def _pop(frame: Frame, ins: Instruction) -> None:
    frame.stack.pop()


@handles("COPY")
def _copy(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.stack[-ins.operand])


@handles("SWAP")
def _swap(frame: Frame, ins: Instruction) -> None:
    stack = frame.stack
    stack[-1], stack[-ins.operand] = stack[-ins.operand], stack[-1]


@handles("PUSH_NULL")
def _push_null(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(NULL)


@handles("LOAD_CONST", "LOAD_CLOSURE")
def _load_operand(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(ins.operand)


@handles("LOAD_LOCAL", "LOAD_CELL")
def _load_variable(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(frame.namespace[ins.operand])


@handles("STORE_LOCAL")
def _store_local(frame: Frame, ins: Instruction) -> None:
    dict.__setitem__(frame.namespace, ins.operand, frame.stack.pop())


@handles("DELETE_LOCAL")
def _delete_local(frame: Frame, ins: Instruction) -> None:
    frame.namespace[ins.operand]
    dict.pop(frame.namespace, ins.operand)


@handles("STORE_CELL")
def _store_cell(frame: Frame, ins: Instruction) -> None:
    cell = frame.namespace.cells.get(ins.operand, frame.namespace)
    if not isinstance(cell, types.CellType):
        dict.__setitem__(cell, ins.operand, frame.stack.pop())
        return
    if not frame.eager:
        raise refused(f"the variable '{ins.operand}'")
    cell.cell_contents = frame.stack.pop()


@handles("DELETE_CELL")
def _delete_cell(frame: Frame, ins: Instruction) -> None:
    frame.namespace[ins.operand]
    cell = frame.namespace.cells.get(ins.operand, frame.namespace)
    if not isinstance(cell, types.CellType):
        dict.pop(cell, ins.operand)
        return
    if not frame.eager:
        raise refused(f"the variable '{ins.operand}'")
    del cell.cell_contents


@handles("LOAD_GLOBAL")
def _load_global(frame: Frame, ins: Instruction) -> None:
    try:
        found = read_variable(ins.operand, {}, frame.namespace.global_names)
    except KeyError:
        found = NULL
    if found is NULL:
        raise _undefined(ins.operand)
    frame.stack.append(found)


@handles("STORE_GLOBAL")
def _store_global(frame: Frame, ins: Instruction) -> None:
    if not frame.eager:
        raise refused(f"the global variable '{ins.operand}'")
    frame.namespace.global_names[ins.operand] = frame.stack.pop()


@handles("DELETE_GLOBAL")
def _delete_global(frame: Frame, ins: Instruction) -> None:
    if not frame.eager:
        raise refused(f"the global variable '{ins.operand}'")
    if ins.operand not in frame.namespace.global_names:
        raise _undefined(ins.operand)
    del frame.namespace.global_names[ins.operand]


def _undefined(name: str) -> NameError:
    error = NameError(f"name '{name}' is not defined")
    error.name = name
    return error


@handles("LOAD_BUILD_CLASS")
def _load_build_class(frame: Frame, ins: Instruction) -> None:
    frame.stack.append(builtins.__build_class__)


@handles("IMPORT_NAME")
def _import_name(frame: Frame, ins: Instruction) -> None:
    level, names = frame.pop(2)
    found = __import__, ins.operand, frame.namespace.global_names, None, names, level
    if frame.eager:
        frame.stack.append(frame.do(*found))
        return
    check_import(ins.operand, frame.namespace.global_names, names or (), level)
    frame.stack.append(guard_import(core.call_now(*found)))


@handles("IMPORT_FROM")
def _import_from(frame: Frame, ins: Instruction) -> None:
    module = frame.stack[-1]
    with contextlib.suppress(AttributeError):
        frame.stack.append(frame.attribute(module, ins.operand))
        return
    name, path = (getattr(module, part, None) for part in ("__name__", "__file__"))
    where = f"{name or '<unknown module name>'!r} ({path or 'unknown location'})"
    raise ImportError(f"cannot import name {ins.operand!r} from {where}", name=name, path=path)
