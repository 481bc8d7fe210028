"""Where a program has its objects: each by one step from another, down to the function whose graph is stored, the call's
arguments, and modules. In another process the same steps lead to that process' objects.

    rows = [[-1, "function", None], [0, "globals", None], [1, "item", "net"], [2, "fields", None], ...]
"""

from __future__ import annotations

import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.cache.describe import PLAIN, Undescribed
from emberjit.capture.code.lookup import own_fields

Row = list[Any]  # [the number of an object, a step from there, its key]
Step = tuple[Any, str, Any]

_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    types.FunctionType: ("__code__", "__defaults__", "__kwdefaults__"),
    types.MethodType: ("__func__", "__self__"),
    functools.partial: ("func", "args", "keywords"),
    property: ("fget", "fset"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    core.Jit: ("__wrapped__",),
}
# That nobody asks for but for what they lead to.
_PARTS = (*_ATTRIBUTES, tuple, types.CellType)
_KEYS = (str, int, bool, list, type(None))


def _of_function(function: types.FunctionType) -> Iterator[tuple[str, Any, Any]]:
    yield "globals", None, function.__globals__
    for i, cell in enumerate(function.__closure__ or ()):
        yield "closure", i, cell


def _of_class(cls: type) -> Iterator[tuple[str, Any, Any]]:
    for i, base in enumerate(cls.__mro__[:-1]):
        yield "base", i, base
        for name, member in vars(base).items():
            if type(member) in _ATTRIBUTES:
                yield "member", [i, name], member


def steps(value: Any) -> Iterator[tuple[str, Any, Any]]:
    """Where an object leads without anything's being guarded: what it has does not change, or leads nowhere else."""
    for name in _ATTRIBUTES.get(type(value), ()):
        yield "attribute", name, getattr(value, name)
    if isinstance(value, types.FunctionType):
        yield from _of_function(value)
    elif isinstance(value, type):
        yield from _of_class(value)
    elif isinstance(value, types.CellType):
        yield from _contents(value)
    elif isinstance(value, (tuple, list)):
        yield from (("element", i, item) for i, item in enumerate(value))
    elif not isinstance(value, (dict, *PLAIN)):
        yield "class", None, type(value)
        if isinstance(own_fields(value), dict):
            yield "fields", None, own_fields(value)


def _contents(cell: Any) -> Iterator[tuple[str, Any, Any]]:
    try:
        yield "cell", None, cell.cell_contents
    except ValueError:
        return


def _item(value: Any, key: Any) -> Any:
    if isinstance(value, dict) and key not in value:
        module = _module(value["__name__"])
        if vars(module) is value:  # which may load what it is asked for
            return getattr(module, key)
    return value[key]


def _module(name: str) -> Any:
    """A module; of the library one that nobody may have imported yet."""
    return importlib.import_module(name) if name.startswith("emberjit.") else sys.modules[name]


_FOLLOW: dict[str, Callable[[Any, Any], Any]] = {
    "attribute": getattr,
    "globals": lambda value, key: value.__globals__,
    "closure": lambda value, key: value.__closure__[key],
    "base": lambda value, key: value.__mro__[key],
    "member": lambda value, key: vars(value.__mro__[key[0]])[key[1]],
    "cell": lambda value, key: value.cell_contents,
    "element": lambda value, key: value[key],
    "class": lambda value, key: type(value),
    "fields": lambda value, key: own_fields(value),
    "item": _item,
}


class Places:
    """Numbers objects, in the process that stores."""

    def __init__(self, function: Callable[..., Any], arguments: list[Any]):
        self.rows: list[Row] = []
        self.numbers: dict[int, int] = {}
        self.ways: dict[int, Step] = {}  # to what has no number yet
        self.alive: list[Any] = []
        self.objects: list[Any] = []
        self._append(function, [-1, "function", None])
        for i, argument in enumerate(arguments):
            if type(argument) not in PLAIN and id(argument) not in self.numbers:
                self._append(argument, [-1, "argument", i])

    def lead(self, owner: Any, step: str, key: Any, value: Any) -> None:
        """An object leads to another."""
        if type(value) in PLAIN or type(key) not in _KEYS or id(value) in self.ways or id(value) in self.numbers:
            return
        self.ways[id(value)] = owner, step, key
        self.alive += (owner, value)
        if isinstance(value, _PARTS):
            for part in steps(value):
                self.lead(value, *part)

    def is_reached(self, value: Any) -> bool:
        """Whether something that is known leads to an object."""
        return id(value) in self.numbers or id(value) in self.ways

    def number(self, value: Any) -> int:
        """An object's number.

        Raises:
            Undescribed: nothing leads to it.
        """
        number = self.numbers.get(id(value))
        if number is not None:
            return number
        if id(value) in self.ways:
            owner, step, key = self.ways[id(value)]
            return self._append(value, [self.number(owner), step, key])
        return self._append(value, _row_of(value))

    def _append(self, value: Any, row: Row) -> int:
        number = self.numbers[id(value)] = len(self.rows)
        self.rows.append(row)
        self.objects.append(value)
        for step, key, part in steps(value):
            self.lead(value, step, key, part)
        return number


_WITH_SETTINGS = ("emberjit.context", "emberjit.dtype", "emberjit.distributed.world")  # modules with state of the library's


def _row_of(value: Any) -> Row:
    name = value.get("__name__") if isinstance(value, dict) else None
    if isinstance(name, str) and vars(sys.modules.get(name, object)) is value:
        return [-1, "module", name]
    if isinstance(value, types.ModuleType) and sys.modules.get(value.__name__) is value:
        return [-1, "imported", value.__name__]
    path = _name_of(value)
    if path is not None and isinstance(value.__module__, str):
        row: Row = [-1, "global", [value.__module__, *path.split(".")]]
        if _is_at(row, value):
            return row
    for module in (type(value).__module__, *_WITH_SETTINGS):
        for name, candidate in list(vars(sys.modules.get(module, object)).items()):
            if candidate is value:
                return [-1, "global", [module, name]]
    raise Undescribed(f"nothing leads to a {type(value).__qualname__} {path or ''}".rstrip())


def _name_of(value: Any) -> str | None:
    """The name of what is sure to have one; of others the program would be asked."""
    named = (type, types.FunctionType, types.BuiltinFunctionType, core.Function)
    return value.__qualname__ if isinstance(value, named) and isinstance(value.__qualname__, str) else None


def _is_at(row: Row, value: Any) -> bool:
    try:
        return _root(row, None, []) is value
    except (AttributeError, KeyError):
        return False


def _root(row: Row, function: Any, arguments: list[Any]) -> Any:
    _, step, key = row
    if step == "function":
        return function
    if step == "argument":
        return arguments[key]
    if step == "module":
        return vars(_module(key))
    if step == "imported":
        return _module(key)
    value: Any = _module(key[0])
    for name in key[1:]:
        value = getattr(value, name)
    return value


def follow(rows: list[Row], function: Callable[..., Any], arguments: list[Any]) -> list[Any]:
    """The objects of this process by their numbers.

    Raises:
        LookupError, AttributeError, TypeError, ValueError: a step leads nowhere.
    """
    objects: list[Any] = []
    for row in rows:
        owner, step, key = row
        objects.append(_root(row, function, arguments) if owner < 0 else _FOLLOW[step](objects[owner], key))
    return objects


def text_of(rows: list[Row], number: int) -> str:
    """How a program would write an object's place."""
    owner, step, key = rows[number]
    if owner < 0:
        return {"function": "function", "argument": f"argument {key}"}.get(step, str(key))
    outer = text_of(rows, owner)
    if step in ("item", "element"):
        return f"{outer}[{key!r}]" if rows[owner][1] != "fields" else f"{text_of(rows, rows[owner][0])}.{key}"
    return outer if step in ("globals", "fields", "cell", "class") else f"{outer}.{key}"
