"""When code that is followed by its syntax tree observes objects: at once, as it does not tell when it does."""

from __future__ import annotations

import functools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import in_class
from emberjit.capture.guards import objects
from emberjit.capture.guards.objects import is_array, observe, observe_all
from emberjit.capture.guards.record import guard_pattern, is_configured
from emberjit.capture.session.session import current_session
from emberjit.values import tree

_IMPLICIT = ("__getitem__", "__len__", "__iter__", "__contains__", "__add__", "__mul__", "__sub__", "__bool__", "__eq__")
_CONTAINERS = (types.MethodType, functools.partial, tuple, *objects.CONTAINERS)


def _observe_at_once(value: Any) -> None:
    observe(value)
    if is_array(value):
        observe_all(value)
    elif _acts_unfollowed(value) and not (is_configured(value) or core.buffer_state(value, False)):
        observe_all(value, deep=True)


def _acts_unfollowed(value: Any) -> bool:
    """Whether Python, in a rewritten function, calls methods of an object that are not followed."""
    if isinstance(value, _CONTAINERS):
        return False
    methods = [(in_class(type(value), name), in_class(object, name)) for name in _IMPLICIT]
    return any(not (method is plain or _is_followed(method)) for method, plain in methods)


def _is_followed(method: Any) -> bool:
    return isinstance(method, types.FunctionType) and core.EVALUATES_FRAMES and written_by_user(method.__module__)


def _compared(value: Any) -> Any:
    observed = getattr(type(value), "_observed", None)
    if observed is not None:
        return observed(value)
    if isinstance(value, core.Number):
        return value.value
    if type(value) is tuple:
        return tuple(map(_compared, value))
    session = current_session()
    if session is not None and any(id(leaf) in session.parameters for leaf in tree.leaves(value)):
        raise core.CaptureError("a pattern looks at a Parameter among the arguments: ask by isinstance().")
    if any(isinstance(leaf, core.Number) for leaf in tree.leaves(value)):
        raise core.CaptureError(f"a pattern looks for numbers in a {type(value).__name__}: compare them with `==`.")
    return value


def look_into(value: Any) -> Any:
    """What Python itself matches with patterns in place of a value: numbers are Python's, and all in it is guarded."""
    value = _compared(value)
    observe_all(value, deep=True)
    guard_pattern(value)
    return value


objects.told.append(_observe_at_once)
