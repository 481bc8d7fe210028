"""Short texts of values, and of the calls that made objects. No Tensor is computed for them, no method of a user's class is
called but its repr, and an object whose constructor has not ended has a text, too."""

from __future__ import annotations

import inspect
import itertools
import types
from collections.abc import Mapping
from typing import Any

from emberjit import _emberjit as core
from emberjit.values.cells import CellMarker

MOST_ITEMS, MOST_LETTERS = 6, 80  # of a value's text
_ABSENT: Any = object()


def short(value: Any) -> str:
    """A value in a few words: Tensors and arrays by shape and dtype, Cells by class, functions by name, else its repr, cut
    where it is long."""
    if isinstance(value, core.Tensor):
        return f"{type(value).__name__}(shape={list(value.shape)}, dtype={value.dtype})"
    if isinstance(value, CellMarker):
        return f"{type(value).__name__}(...)"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, core.Jit)):
        return str(getattr(value, "__name__", type(value).__name__))
    if type(value).__name__ == "ndarray":
        return f"ndarray(shape={list(value.shape)}, dtype={value.dtype})"
    if type(value) in (list, tuple, set, dict):
        return _items(value)
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."


def _items(values: Any) -> str:
    """A list, tuple, set or dict: its first items."""
    if isinstance(values, dict):
        texts = [f"{short(key)}: {short(values[key])}" for key in itertools.islice(values, MOST_ITEMS)]
    else:
        texts = [short(item) for item in itertools.islice(values, MOST_ITEMS)]
    if len(values) > MOST_ITEMS:
        texts.append(f"... {len(values)} in all")
    elif type(values) is tuple and len(values) == 1:
        texts[0] += ","
    brackets = "[]" if isinstance(values, list) else "()" if isinstance(values, tuple) else "{}"
    return "set()" if type(values) is set and not values else f"{brackets[0]}{', '.join(texts)}{brackets[1]}"


def call_text(name: str, values: Mapping[str, Any]) -> str:
    """A call with arguments by name."""
    return f"{name}({', '.join(f'{argument}={short(value)}' for argument, value in values.items())})"


def not_default(function: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a call's arguments, by parameter, that are not the parameter's default; in a variable one's place those that
    it stands for."""
    result: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        value = values.get(name, _ABSENT)
        if value is _ABSENT or _is(value, parameter.default):
            continue
        if parameter.kind is parameter.VAR_KEYWORD and isinstance(value, dict):
            result |= value
        else:
            result[name] = value
    return result


def _is(value: Any, default: Any) -> bool:
    plain = (bool, int, float, str, bytes, tuple, type(None))
    return value is default or (type(value) is type(default) and isinstance(value, plain) and bool(value == default))


def _is_on(value: Any) -> bool:
    return not (value is None or value is False or (type(value) in (int, float) and value == 0))


def outside_captures(item: Any) -> None:
    """Refuses the text of what no guard holds, as elements and counts, in code that is being captured, where it would stay.

    Raises:
        CaptureError: code is being captured.
    """
    if core.current_capture() is not None:
        raise core.CaptureError(f"the text of a {type(item).__name__} tells what may change: ask for it outside.")


def described(item: Any) -> str:
    """An object by the constructor's arguments that it has kept as attributes of their names, also after "_". Of such that
    are off by default it may keep another value for off."""
    fields = getattr(item, "__dict__", {})
    try:
        parameters = inspect.signature(type(item)).parameters
        kept = {name: fields.get(name, fields.get("_" + name, _ABSENT)) for name in parameters}
        known = {name: value for name, value in kept.items() if value is not _ABSENT}
        values = {
            name: value
            for name, value in not_default(type(item), known).items()
            if _is_on(value) or name not in parameters or _is_on(parameters[name].default)
        }
    except (TypeError, ValueError):
        values = {}
    return call_text(type(item).__name__, values)
