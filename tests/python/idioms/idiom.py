"""What files of idioms are written with: their `jit`, their rows, and descriptions of what a run has left.

A file of idioms is loaded anew for each run of each row, plainly or jitted, so that all that a snippet reads and changes
(globals, classes, closures) is its run's own. Whether `jit` jits is the runner's choice (test_idioms.py)."""

from __future__ import annotations

import collections
import dataclasses
import enum
import logging
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import emberjit as ms
from emberjit import Tensor, nn


class Jitting:
    """The capture mode of files that are loaded now, None for none, and the jitted functions that they have made."""

    def __init__(self) -> None:
        self.mode: str | None = None
        self.made: list[Any] = []

    def __call__(self, function: Any) -> Any:
        if self.mode is None:
            return function
        self.made.append(ms.jit(function, capture_mode=self.mode))
        return self.made[-1]


jit = Jitting()


class Call(NamedTuple):
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def call(*args: Any, **kwargs: Any) -> Call:
    return Call(args, kwargs)


@dataclasses.dataclass(frozen=True)
class Row:
    """An idiom: its calls are tuples of arguments, or Calls, and between them changes, which are functions.

    graphs and breaks are what explain() must tell afterwards. captured is, where nothing breaks, how many calls that
    returned have captured a graph: as many as there are, unless said (one for a number that has changed since is
    replaced by one that reads it; one may end in an error). Where there are more than a user would want, wanted says
    which graphs and breaks there should be. wrong says why results are known to differ. one_thread: what is changed is then
    looked at, which needs a process without other threads, to which it might show before the graph has run.
    """

    name: str
    function: Any
    calls: Sequence[tuple[Any, ...] | Call | Callable[[], Any]]
    graphs: int = 1
    breaks: int = 0
    captured: int | None = None
    wanted: tuple[int, int] | None = None
    wrong: str = ""
    one_thread: bool = False


def floats(*shape: int) -> Tensor:
    return Tensor(np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape))


def ints(*shape: int) -> Tensor:
    return Tensor((np.arange(int(np.prod(shape))) % 7).astype(np.int32).reshape(shape))


_PLAIN = (bool, int, float, complex, str, bytes, range, slice, type(None), type(Ellipsis), enum.Enum, np.generic)
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, logging.Logger)
_ORDERED = (list, tuple, collections.deque)


def is_code(value: Any) -> bool:
    """Whether a value is none that calls change: a function, a module, a logger, a class of a library."""
    if isinstance(value, type):
        return not value.__module__.startswith("idioms.")
    return isinstance(value, _CODE) or hasattr(value, "explain")


def described(value: Any, seen: dict[int, int]) -> Any:
    """What a value is, with all that it leads to, as plain data; `seen` numbers objects that can change, so that one that is
    met twice is not taken for two."""
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if is_code(value):
        return "code"
    if not isinstance(value, tuple):
        if id(value) in seen:
            return "again", seen[id(value)]
        seen[id(value)] = len(seen)
    if isinstance(value, Tensor):
        return type(value).__name__, value.shape, str(value.dtype), value.asnumpy().tobytes()
    if isinstance(value, np.ndarray):
        return "array", value.shape, str(value.dtype), value.tobytes()
    if isinstance(value, BaseException):
        return type(value).__name__, str(value), described(value.args, seen)
    parts: list[Any] = [type(value).__name__]
    if isinstance(value, _ORDERED):
        parts += [described(each, seen) for each in value]
    if isinstance(value, set | frozenset):
        parts += sorted((described(each, seen) for each in value), key=repr)
    if isinstance(value, dict):
        parts += [(described(k, seen), described(v, seen)) for k, v in value.items()]
    return (*parts, *_fields(value, seen))


def _fields(value: Any, seen: dict[int, int]) -> list[Any]:
    """The attributes of an object, or of a class; of a Cell those that are the user's."""
    fields = dict(getattr(value, "__dict__", {}))
    if isinstance(value, nn.Cell):
        fields = {k: v for k, v in fields.items() if not k.startswith("_")} | dict(value.parameters_and_names())
    elif isinstance(value, type):
        plain = (*_PLAIN, *_ORDERED, set, dict)
        fields = {k: v for k, v in fields.items() if not k.startswith("_") and isinstance(v, plain)}
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ()) if hasattr(value, name)]
    fields |= {name: getattr(value, name) for name in slots if not name.startswith("__")}
    return [(name, described(each, seen)) for name, each in fields.items()]


def difference(a: Any, b: Any, path: str = "") -> str:
    """Where two descriptions differ first, and how; nothing where they do not."""
    if isinstance(a, list | tuple) and isinstance(b, list | tuple) and len(a) == len(b):
        return next((found for i in range(len(a)) if (found := difference(a[i], b[i], f"{path}[{i}]"))), "")
    return "" if a == b else f"{path}: {a} is not {b}"
