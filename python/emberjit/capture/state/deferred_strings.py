"""Deferred strings: f-strings, str() and their kin of what only runs of the graph know. Captured code may pass one on, and
join it with others; an error that the graph raises holds it. Observing its characters would read elements, so that is
refused as the Tensor refuses it.
"""

from __future__ import annotations

import contextlib
import functools
import operator
import string
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import is_users
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.record import read_elements
from emberjit.capture.session.session import call_library, current_session
from emberjit.values import tree

_CONVERSIONS: dict[int, Callable[[Any], str]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}


class DeferredString:
    """function(*args) as a str, whose args hold what only runs of the graph know."""

    stands_for = str

    def __init__(self, function: Callable[..., str], *args: Any):
        self._function, self._args = function, args

    def _observed(self, *_: Any) -> Any:
        return evaluated(self, _read)

    def __getattr__(self, name: str) -> Any:
        if name in ("_function", "_args"):
            raise AttributeError(name)
        return getattr(self._observed(), name)

    def __add__(self, other: Any) -> Any:
        known = isinstance(other, (str, DeferredString))
        return DeferredString(operator.add, self, other) if known else self._observed() + other

    def __radd__(self, other: Any) -> Any:
        return DeferredString(operator.add, other, self) if isinstance(other, str) else other + self._observed()


def _as_it_is(leaf: Any) -> Any:
    """A leaf that stays as it is, whatever elements are assigned later."""
    return core.ops.identity(leaf) if isinstance(leaf, core.Tensor) else leaf


def parts(text: DeferredString) -> tuple[Callable[..., str], tuple[Any, ...]]:
    """The function whose result a text is, and its args."""
    return text._function, text._args


def _method_of_str(name: str) -> Any:
    return lambda self, *args: getattr(str, name)(self._observed(), *evaluated(args, _read))


for _name in (
    *("str", "repr", "format", "hash", "len", "iter", "contains", "getitem", "mul", "rmul", "mod", "rmod"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
):
    setattr(DeferredString, f"__{_name}__", _method_of_str(f"__{_name}__"))


def evaluated(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The value with its deferred strings evaluated, and its other leaves replaced."""
    if type(value) is DeferredString:
        function, args = parts(value)
        return function(*(evaluated(arg, leaf) for arg in args))
    return tree.rebuild(value, lambda part: evaluated(part, leaf) if type(part) is DeferredString else leaf(part))


def _read(leaf: Any) -> Any:
    if isinstance(leaf, core.Tensor):
        read_elements(leaf)
    return leaf


def _is_open(leaf: Any) -> bool:
    return type(leaf) is DeferredString or tree.is_open(leaf) or isinstance(leaf, core.Number)


def settled(value: Any) -> Any:
    """A str in place of a deferred one that is made of numbers alone, which that pins."""
    if type(value) is not DeferredString or any(map(tree.is_open, _leaves(value))):
        return value
    return evaluated(value, _read)


def _leaves(value: Any) -> list[Any]:
    """The leaves of a deferred string, and of those in it."""
    leaves = tree.leaves(parts(value)[1])
    return [part for leaf in leaves for part in (_leaves(leaf) if type(leaf) is DeferredString else (leaf,))]


class _Verbatim(str):
    """What both str() and repr() say of something, which has no other formats."""

    def __repr__(self) -> str:
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError
        return str.__str__(self)


def shown(leaf: Any) -> Any:
    """A leaf, or in place of a Parameter what that shows, which is no element of it.

    Raises:
        CaptureError: a condition on a Tensor decides whether it is a Parameter.
    """
    session = current_session()
    if session is None or not isinstance(leaf, core.Tensor) or not session.may_be_parameter(leaf):
        return leaf
    session.need_itself(leaf)
    if not isinstance(leaf, core.Parameter):
        raise core.CaptureError("the text of a Tensor is asked for, which may be a Parameter: decide by a Python value.")
    text = str(leaf)
    session.guard("call", functools.partial(str, leaf), None, text)
    return _Verbatim(text)


def defer(function: Callable[..., str], *args: Any) -> Any:
    """function(*args), in captured code deferred if the args hold what only runs of the graph know."""
    if current_session() is None:
        return function(*args)
    leaves = tree.leaves(args)
    if any(map(_is_open, leaves)) and not any(map(_shows_by_users_code, leaves)):
        shown_args = args if function is format and args[1:] not in ((), ("",)) else tree.rebuild(args, shown)
        if function not in _FORMATTING or _succeeds(function, shown_args):
            return DeferredString(function, *tree.rebuild(shown_args, _as_it_is))
    return call_library(function, args, {})


def _shows_by_users_code(leaf: Any) -> bool:
    """Whether the text of a leaf is made by code of the user's, which is followed now."""
    plain = type(leaf) in tree.LEAVES or type(leaf) is DeferredString
    return not plain and any(is_users(getattr(type(leaf), name)) for name in ("__str__", "__repr__", "__format__"))


def _succeeds(function: Callable[..., str], args: Args) -> bool:
    """Whether formatting raises no error, whatever the elements are."""
    try:
        function(*tree.rebuild(args, _stand_in))
    except Exception:
        return False
    return True


def _stand_in(leaf: Any) -> Any:
    """Something that formats as a leaf does of which only runs of the graph know the value."""
    if not _is_open(leaf):
        return leaf
    if isinstance(leaf, core.Number):
        return {"int": 1, "float": 1.0, "bool": True}[leaf.kind]
    return "" if type(leaf) is DeferredString else core.Tensor([1] * min(leaf.size, 2), leaf.dtype)


def format_value(value: Any, conversion: int = -1, spec: Any = "") -> Any:
    """A part of an f-string."""
    if conversion != -1:
        value = defer(_CONVERSIONS[conversion], value)
    spec = settled(spec)
    return value if type(value) is DeferredString and spec == "" else defer(format, value, spec)


def join(*parts: Any) -> Any:
    """An f-string."""
    return defer(_join, *parts)


def _join(*parts: str) -> str:
    return "".join(parts)


def percent_format(pattern: str, values: Any) -> Any:
    """pattern % values."""
    return defer(operator.mod, pattern, values)


def format_method(pattern: str, args: Args, kwargs: Kwargs) -> Any:
    """pattern.format(*args, **kwargs).

    Raises:
        CaptureError: the pattern asks for attributes or items, which Python reads by itself.
    """
    with contextlib.suppress(ValueError):
        if _asks_for_parts(pattern):
            raise core.CaptureError("a format string asks for attributes or items, which is not followed: give these to it.")
    return defer(fill, pattern, args, kwargs)


def _asks_for_parts(pattern: str) -> bool:
    parsed = string.Formatter().parse(pattern)
    return any("." in (field or "") or "[" in (field or "") or _asks_for_parts(spec or "") for _, field, spec, _ in parsed)


def fill(pattern: str, args: Args, kwargs: Kwargs) -> str:
    """pattern.format(*args, **kwargs)."""
    return pattern.format(*args, **kwargs)


_FORMATTING = (format, operator.mod, fill)  # what depends on the class of what it formats


def takes_deferred(function: Any, args: Args) -> bool:
    """Whether a function makes a deferred string, or an error, of such args, which so need not be known."""
    if function is operator.add or function is operator.iadd:
        return all(type(arg) in (str, DeferredString) for arg in args)
    if isinstance(function, type) and issubclass(function, BaseException):
        return not issubclass(function, (UnicodeError, BaseExceptionGroup))
    return function is format_value or function is percent_format
