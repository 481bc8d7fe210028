"""What a code object says of calls: its parameters, to which arguments are bound, and whether a call only starts it."""

from __future__ import annotations
import __future__

import functools
import types
from typing import Any

Args = tuple[Any, ...]  # of a call, by position
Kwargs = dict[str, Any]  # and by keyword
_PACKS = 0x04 | 0x08  # it has *args, **kwargs
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
    count = code.co_argcount + code.co_kwonlyargcount + (code.co_flags & _PACKS).bit_count()
    return list(code.co_varnames[:count])


def plain_parameters(code: types.CodeType) -> tuple[str, ...] | None:
    """The same, if as many arguments by position are bound to them one by one."""
    return None if code.co_kwonlyargcount or code.co_flags & _PACKS else code.co_varnames[: code.co_argcount]


@functools.lru_cache(maxsize=4096)
def local_names(code: types.CodeType) -> frozenset[str]:
    """The names of a function's own variables."""
    return frozenset(code.co_varnames + code.co_cellvars)


def bind(function: types.FunctionType, args: Args, kwargs: Kwargs) -> dict[str, Any]:
    """The values of a function's parameters in a call, by name.

    Raises:
        TypeError: the arguments do not fit, in Python's words.
    """
    code = function.__code__
    names = plain_parameters(code)
    if names is not None and len(args) == len(names) and not kwargs:
        return dict(zip(names, args))
    like = types.FunctionType(_binding(code), globals(), function.__name__, function.__defaults__)
    like.__kwdefaults__ = function.__kwdefaults__
    like.__qualname__ = getattr(function, "__qualname__", function.__name__)
    bound: dict[str, Any] = like(*args, **kwargs)
    return bound


@functools.lru_cache(maxsize=4096)
def _binding(code: types.CodeType) -> types.CodeType:
    """Code that has the same parameters, and returns what they are bound to."""
    plain, names = (lambda: locals()).__code__, tuple(parameters(code))
    return plain.replace(
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_varnames=names,
        co_nlocals=len(names),
        co_flags=plain.co_flags | code.co_flags & _PACKS,
    )
