"""Arguments of calls with `*` and `**`, and the errors for what cannot be such, in Python's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import defines
from emberjit.capture.guards.objects import observe_all


def is_iterable(value: Any) -> bool:
    """Whether iter() takes a value."""
    if defines(value, "__iter__"):
        return True
    try:
        iter(value)
    except TypeError:
        return False
    return True


def _shown(function: Callable[..., Any]) -> str:
    """How messages name what is called."""
    name, module = getattr(function, "__qualname__", None), getattr(function, "__module__", None)
    if name is None:
        return str(function)
    return f"{name}()" if module in (None, "builtins") else f"{module}.{name}()"


def positional(function: Callable[..., Any], arguments: Any) -> tuple[Any, ...]:
    """Those of `function(*arguments)`.

    Raises:
        TypeError: `arguments` cannot be iterated over.
    """
    observe_all(arguments)
    if not is_iterable(arguments):
        raise TypeError(f"{_shown(function)} argument after * must be an iterable, not {core.type_name(arguments)}")
    return tuple(arguments)


def merge(function: Callable[..., Any], into: dict[Any, Any], values: Any) -> None:
    """Adds those of `**values` to the keyword arguments that come before in a call of a function.

    Raises:
        TypeError: `values` is no mapping, or has a name that has come before.
    """
    observe_all(values)
    if not defines(values, "keys"):
        raise TypeError(f"{_shown(function)} argument after ** must be a mapping, not {core.type_name(values)}")
    for key in list(values.keys()):
        if key in into:
            raise TypeError(f"{_shown(function)} got multiple values for keyword argument '{key}'")
        into[key] = values[key]
