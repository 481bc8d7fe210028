"""How values go to what is not followed: functions in C, and those of libraries, which run while a function is captured.

Captured code has stand-ins for what may differ from call to call: numbers (core.Number) and texts of these (DeferredString).
What only moves values, or asks them by operators and special methods, gets them as they are, so that a size stays a size in
the list that it is put into (`takes_stand_ins`). All else reads types or memory: it gets Python's int, float, bool or str.

When that reads is its own choice, so values are made plain before the call where they are in tuples, lists, dicts, sets,
deques and views; one by one where they come from an iterator; and as they are returned where it calls code of the user's. It
gets copies of containers with stand-ins in them, and so must neither change nor keep these: what does moves values. What is
made plain is pinned: the graph serves calls in which it has this value. What only runs of the graph know has no value, nor
can an object of another class than these be copied: a CaptureError, by which the call is Python's, between graphs."""

from __future__ import annotations

import _thread
import collections
import functools
import gc
import itertools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.calls import known
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import defines
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.objects import DICTS, held
from emberjit.capture.session.walk import walk
from emberjit.capture.state.deferred_strings import DeferredString
from emberjit.values import tree

# Classes whose methods, and which as they are made, move values.
_MOVING: tuple[Any, ...] = (
    *(list, tuple, dict, set, frozenset, slice, enumerate, filter, map, reversed, zip),
    *(collections.deque, collections.ChainMap, collections.UserDict, collections.UserList),
    *(type, super, types.SimpleNamespace, types.MappingProxyType, types.MethodType, functools.partial, BaseException),
    *(property, staticmethod, classmethod),
    *(cls for cls in vars(itertools).values() if isinstance(cls, type)),
)
_READING = (*(cls for cls in known.IMMUTABLE if not issubclass(cls, _MOVING)), bytearray, memoryview)
_TEXTS = (str, bytes, bytearray)  # whose operators read the other operand
_ADDING = frozenset(["add", "concat", "iadd", "iconcat"])  # but for a text that knows how to be added
# Modules whose functions move values, but for some builtins.
_OF_MOVES = frozenset(["builtins", "operator", "itertools", "functools", "heapq", "bisect", "abc", "typing", "copy"])
_OF_MOVES |= {"dataclasses", "enum", "inspect"}
_OF_READS = frozenset(["bin", "chr", "hex", "maketrans", "oct", "ord"])
# Where classes that move values want an int all the same: its position and keyword.
_COUNTS: dict[Any, tuple[int, str]] = {collections.deque: (1, "maxlen"), itertools.permutations: (1, "r")}
_VIEWS: dict[type, str] = {
    type(getattr(cls(), name)()): name for cls in (dict, collections.OrderedDict) for name in ("keys", "values", "items")
}
_KEEPS_ITERATORS = frozenset(["numpy", "json"])  # which look at their class


class _Innermost(_thread._local):
    """Of the call that is not followed."""

    moves = True


_innermost = _Innermost()


class running:
    """The extent of a call that is not followed; `moves`: it takes stand-ins."""

    def __init__(self, moves: bool):
        self.moves = moves

    def __enter__(self) -> None:
        _innermost.moves, self.moves = self.moves, _innermost.moves

    def __exit__(self, *_: Any) -> None:
        _innermost.moves = self.moves


def takes_stand_ins(function: Callable[..., Any], root: str, name: str, args: Args) -> bool:
    """Whether what is called, of the module `root`, moves values."""
    owner = _owner(function, name)
    if owner is not None:
        moves = function is bool or owner is object or issubclass(owner, _MOVING) or hasattr(owner, "__next__")
        return moves or (written_by_user(owner.__module__) and not issubclass(owner, _READING))
    operands = args[:1] if name in known.CHANGES.get(root, ()) else args
    texts = root == "operator" and isinstance(args[0] if args else None, _TEXTS)
    texts = texts and not (name in _ADDING and any(type(other) is DeferredString for other in args[1:]))
    reads = texts or any(map(_is_numpys, operands))
    return root in _OF_MOVES and name not in _OF_READS and not reads


def _owner(function: Callable[..., Any], name: str) -> type | None:
    """The class that a call makes an instance of, or has its method from; None of a function."""
    if isinstance(function, type):
        return function
    receiver = getattr(function, "__self__", None)
    if receiver is None or isinstance(receiver, types.ModuleType):
        return getattr(function, "__objclass__", None)
    cls = receiver if isinstance(receiver, type) else type(receiver)
    return next((base for base in cls.__mro__ if name in vars(base)), cls)


def _is_numpys(value: Any) -> bool:
    return str(type(value).__module__).partition(".")[0] == "numpy"


def plain_arguments(function: Callable[..., Any], root: str, moves: bool, args: Args, kwargs: Kwargs) -> tuple[Args, Kwargs]:
    """The arguments as a call gets them that is not followed."""
    once: dict[int, Any] = {}
    if moves:
        place = _count(function)
        args = tuple(_plain(value, once) if at in place else value for at, value in enumerate(args))
        return args, {key: _plain(value, once) if key in place else value for key, value in kwargs.items()}
    make = _plain if root in _KEEPS_ITERATORS and getattr(function, "__name__", "") != "fromiter" else _plain_or_iterated
    return tuple(make(value, once) for value in args), {key: make(value, once) for key, value in kwargs.items()}


def _count(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Where a call that moves values takes an int."""
    owner = _owner(function, "__init__") if getattr(function, "__name__", "__init__") == "__init__" else function
    positions = (place for cls, place in _COUNTS.items() if isinstance(owner, type) and issubclass(owner, cls))
    return next(positions, ())


def plain_result(value: Any) -> Any:
    """What code of the user's returns, as the call gets it that is not followed and has called that code."""
    return value if _innermost.moves else plain(value)


def plain(value: Any) -> Any:
    """A value without stand-ins."""
    return _plain_or_iterated(value, {})


def _plain_or_iterated(value: Any, once: dict[int, Any]) -> Any:
    return map(plain, value) if defines(value, "__next__") else _plain(value, once)


def _plain(value: Any, once: dict[int, Any]) -> Any:
    return _copied(value, once) if any(map(_stands_in, walk(value, _parts))) else value


def _stands_in(value: Any) -> bool:
    return isinstance(value, core.Number) or type(value) is DeferredString


def _parts(value: Any) -> Any:
    if type(value) in tree.LEAVES:
        return ()
    if type(value) in (*_VIEWS, types.MappingProxyType):
        return gc.get_referents(value)
    if isinstance(value, dict):
        return (*dict.keys(value), *dict.values(value))
    if isinstance(value, (collections.UserDict, collections.UserList)):
        return (vars(value).get("data"),)
    return held(value) if isinstance(value, (tuple, list, set, frozenset, collections.deque)) else ()


def _copied(value: Any, once: dict[int, Any]) -> Any:
    """A copy without stand-ins; `once` has those of lists and dicts by the ids of what they are of."""
    kind = type(value)
    if _stands_in(value):
        return value.value if isinstance(value, core.Number) else str(value)
    if tree.is_tuple(value):
        return tuple.__new__(kind, [_copied(item, once) for item in value])
    if kind in _VIEWS:
        return getattr(_copied(gc.get_referents(value)[0], once), _VIEWS[kind])()
    if kind is set or kind is frozenset:
        return kind(_copied(item, once) for item in value)
    if kind not in (list, collections.deque, collections.OrderedDict, *DICTS):
        return _checked(value)
    if id(value) not in once:
        copy = once[id(value)] = value.copy()
        copy.clear()
        if isinstance(value, dict):
            for key, item in value.items():
                copy[_copied(key, once)] = _copied(item, once)
        else:
            copy.extend(_copied(item, once) for item in value)
    return once[id(value)]


def _checked(value: Any) -> Any:
    """Something of which no copy is made.

    Raises:
        CaptureError: it needs one.
    """
    if any(map(_stands_in, walk(value, _parts))):
        raise core.CaptureError(
            f"a {type(value).__name__} with numbers in it that may differ between calls, as sizes do, is given to a library "
            "that reads them: give it a list or a dict."
        )
    return value
