"""Whether a function that breaks has anything for graphs: one that neither names nor is given Tensors, or what makes them,
runs in Python as a whole once it has turned out to break; what it calls with Tensors becomes graphs all the same."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import field_values
from emberjit.capture.session.walk import walk
from emberjit.values.cells import CellMarker

_TENSOR_MODULES = frozenset({"emberjit", "mindspore", "numpy"})
_MAX_PARTS = 64  # of the arguments that are looked at


def names_tensors(function: types.FunctionType) -> bool:
    """Whether the code of a function names something that makes or holds Tensors."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    variables = {name: None if cell == types.CellType() else cell.cell_contents for name, cell in cells}
    codes = walk(function.__code__, lambda code: [part for part in code.co_consts if isinstance(part, types.CodeType)])
    names = set(variables).union(*(code.co_names for code in codes))
    return any(_is_tensors(variables.get(name, function.__globals__.get(name))) for name in names)


def holds_tensors(values: Any) -> bool:
    """Whether arguments, what is in containers among them and the fields of objects may hold Tensors."""
    todo, seen = [(value, 0) for value in values], 0
    while todo:
        value, depth = todo.pop()
        seen += 1
        if seen > _MAX_PARTS or _is_tensors(value):
            return True
        if depth > 2:
            continue
        if type(value) in (list, tuple, set, frozenset):
            todo.extend((item, depth + 1) for item in value)
        elif type(value) is dict:
            todo.extend((item, depth + 1) for item in value.values())
        elif depth == 0:
            todo.extend((item, depth + 1) for item in field_values(value))
    return False


def _is_tensors(value: Any) -> bool:
    cls = type(value)
    if cls in (int, float, bool, str, type(None)):
        return False
    mro = type.__dict__["__mro__"].__get__(value if issubclass(cls, type) else cls) or (cls,)
    if core.Tensor in mro or CellMarker in mro:
        return True
    if issubclass(cls, types.ModuleType):
        place = types.ModuleType.__getattribute__(value, "__dict__").get("__name__")
    elif issubclass(cls, (types.FunctionType, types.BuiltinFunctionType)):
        place = value.__module__
    else:
        place = mro[0].__dict__.get("__module__")
    return isinstance(place, str) and place.partition(".")[0].lstrip("_") in _TENSOR_MODULES
