"""What a library calls back: captured code calls it, so that it is followed, or refused before its effect."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any, cast

from emberjit import _emberjit as core
from emberjit.capture.calls.plain_values import plain_result
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.session.session import call_library, follow
from emberjit.capture.state import reconstruction
from emberjit.capture.state.namespace import Closure


class Callback:
    """Calls a function as captured code calls it."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is None:
            return self.function(*args, **kwargs)
        core.look_at(*args, *kwargs.values())
        return plain_result(follow(self.function, *args, **kwargs))


reconstruction.register(Callback, lambda values, value: values.build_of(value.function))


def called_back(function: Callable[..., Any]) -> Any:
    """What a library is given in place of a function."""
    followed = isinstance(function, types.FunctionType) and core.EVALUATES_FRAMES and written_by_user(function.__module__)
    if not callable(function) or followed or isinstance(function, (Closure, Callback)):
        return function
    return Callback(function)


def _getter(read: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def get(getter: Any, owner: Any) -> Any:
        values = [read(owner, key) for key in getter.__reduce__()[1]]
        return values[0] if len(values) == 1 else tuple(values)

    return get


def _call_method(caller: Any, owner: Any) -> Any:
    make, args = cast("tuple[Any, Any]", caller.__reduce__())
    values: list[Any] = [*cast(Any, getattr(make, "args", ())), *args]
    return follow(read_attribute(owner, values[0]), *values[1:], **getattr(make, "keywords", {}))


# What calls of these objects do, in terms of what captured code does.
OPERATORS: dict[type, Any] = {
    operator.attrgetter: _getter(lambda owner, names: functools.reduce(read_attribute, names.split("."), owner)),
    operator.itemgetter: _getter(lambda owner, key: call_library(operator.getitem, (owner, key), {})),
    operator.methodcaller: _call_method,
}
