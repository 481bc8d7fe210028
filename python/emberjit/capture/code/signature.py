"""What a code object says of calls: its parameters, to which arguments are bound, and whether a call only starts it."""

from __future__ import annotations
import __future__

import functools
import types
from typing import Any

_VARARGS, _VARKEYWORDS = 0x04, 0x08
_GENERATOR = 0x20
_SUSPENDS = _GENERATOR | 0x80 | 0x200  # also coroutines, asynchronous generators

# Flags of code that was compiled with features of `from __future__`.
FUTURE = sum(
    getattr(__future__, name).compiler_flag for name in set(__future__.all_feature_names) - {"nested_scopes", "generators"}
)


def suspends(code: types.CodeType) -> bool:
    """Whether a call makes a generator or coroutine instead of running the body."""
    return bool(code.co_flags & _SUSPENDS)


def is_generator(code: types.CodeType) -> bool:
    """Whether a call makes a generator."""
    return code.co_flags & _SUSPENDS == _GENERATOR


def parameters(code: types.CodeType) -> list[str]:
    """The names of a function's parameters; *args and **kwargs come last."""
    flags = code.co_flags
    count = code.co_argcount + code.co_kwonlyargcount + bool(flags & _VARARGS) + bool(flags & _VARKEYWORDS)
    return list(code.co_varnames[:count])


@functools.lru_cache(maxsize=4096)
def local_names(code: types.CodeType) -> frozenset[str]:
    """The names of a function's own variables."""
    return frozenset(code.co_varnames + code.co_cellvars)


def bind(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The values of a function's parameters in a call, by name.

    Raises:
        TypeError: the arguments do not fit, in Python's words.
    """
    code = function.__code__
    count, names = code.co_argcount, code.co_varnames
    if len(args) == count and not kwargs and not code.co_kwonlyargcount and not code.co_flags & (_VARARGS | _VARKEYWORDS):
        return dict(zip(names, args))
    at = count + code.co_kwonlyargcount
    values = dict(zip(names[:count], args))
    if code.co_flags & _VARARGS:
        values[names[at]] = tuple(args[count:])
    elif len(args) > count:
        _refuse(function, args, kwargs)
    known = names[code.co_posonlyargcount : at]
    further: dict[str, Any] = {}
    for key, value in kwargs.items():
        if (key in values) if key in known else not code.co_flags & _VARKEYWORDS:
            _refuse(function, args, kwargs)
        (values if key in known else further)[key] = value
    if code.co_flags & _VARKEYWORDS:
        values[names[at + bool(code.co_flags & _VARARGS)]] = further
    defaults = function.__defaults__ or ()
    for key, value in [*zip(names[count - len(defaults) : count], defaults), *(function.__kwdefaults__ or {}).items()]:
        values.setdefault(key, value)
    if any(key not in values for key in names[:at]):
        _refuse(function, args, kwargs)
    return values


def _nothing() -> None:
    pass


def _refuse(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Lets Python say what is wrong with a call: of a function that has the same parameters and does nothing."""
    code, empty = function.__code__, _nothing.__code__
    names = tuple(parameters(code))
    taken = empty.replace(
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_varnames=names,
        co_nlocals=len(names),
        co_flags=empty.co_flags | code.co_flags & (_VARARGS | _VARKEYWORDS),
    )
    like = types.FunctionType(taken, {}, function.__name__, function.__defaults__)
    like.__kwdefaults__ = function.__kwdefaults__
    like.__qualname__ = getattr(function, "__qualname__", function.__name__)
    like(*args, **kwargs)
