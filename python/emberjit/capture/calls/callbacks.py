"""What a library calls back: captured code calls it, so that it is followed, or refused before its effect."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any, cast

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.guards.objects import observe
from emberjit.capture.session.engine import engine
from emberjit.capture.state import reconstruction
from emberjit.capture.state.namespace import Closure, Opaque, observe_opaque
from emberjit.capture.state.reconstruction import Build, Reconstruction


class Callback:
    """Calls a function as captured code calls it."""

    def __init__(self, function: Any):
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is None:
            return self.function(*args, **kwargs)
        for value in (*args, *kwargs.values()):
            if type(value) is Opaque:
                observe_opaque()
            observe(value)
        return engine().call(self.function, *args, **kwargs)


def _reconstruct(values: Reconstruction, value: Callback) -> Build:
    return values.build_of(value.function)


reconstruction.register(Callback, _reconstruct)


def called_back(function: Any) -> Any:
    """What a library is given in place of a function."""
    followed = isinstance(function, types.FunctionType) and core.EVALUATES_FRAMES and written_by_user(function.__module__)
    if not callable(function) or followed or isinstance(function, (Closure, Callback)):
        return function
    return Callback(function)


def _get(read: Callable[[Any, Any], Any], getter: Any, owner: Any) -> Any:
    found = [read(owner, key) for key in getter.__reduce__()[1]]
    return found[0] if len(found) == 1 else tuple(found)


def _dotted(owner: Any, names: str) -> Any:
    return functools.reduce(read_attribute, names.split("."), owner)


def _item(owner: Any, key: Any) -> Any:
    return engine().call_library(operator.getitem, (owner, key), {})


def _call_method(caller: Any, owner: Any) -> Any:
    make, args = cast("tuple[Any, Any]", caller.__reduce__())
    values: list[Any] = [*cast(Any, getattr(make, "args", ())), *args]
    return engine().call(read_attribute(owner, values[0]), *values[1:], **getattr(make, "keywords", {}))


# What calls of these objects do, in terms of what captured code does.
OPERATORS: dict[type, Any] = {
    operator.attrgetter: functools.partial(_get, _dotted),
    operator.itemgetter: functools.partial(_get, _item),
    operator.methodcaller: _call_method,
}
