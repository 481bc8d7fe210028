"""What rewritten code calls in place of what Python does. Its globals are the namespace, where the helpers come first."""

from __future__ import annotations

import builtins
import functools
import sys
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.ast import rewrite
from emberjit.capture.ast.expressions import DECIDERS
from emberjit.capture.calls import spread
from emberjit.capture.graph.raises import throw
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.guards.targets import check_augmented, check_target
from emberjit.capture.session.engine import engine
from emberjit.capture.state import deferred_strings


def _call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    return engine().call(function, *args, **kwargs)


def _spread(function: Any, args: Any, /, *parts: Any) -> Any:
    kwargs: dict[str, Any] = {}
    for part in parts:
        engine().call_library(spread.merge, (function, kwargs, part), {})
    return engine().call(function, *engine().call_library(spread.positional, (function, args), {}), **kwargs)


def _super() -> Any:
    """super() in a method."""
    namespace: Any = sys._getframe(1).f_globals
    return super(namespace["__class__"], namespace[namespace.first])


def named(function: types.FunctionType) -> Any:
    """A function whose globals are a namespace, with the name of the module that it is written in."""
    namespace: Any = function.__globals__
    function.__module__ = namespace.global_names.get("__name__")
    return function


_HELPERS: dict[str, Any] = {
    **DECIDERS,
    rewrite.CALL: _call,
    rewrite.SPREAD: _spread,
    rewrite.ATTRIBUTE: read_attribute,
    rewrite.TARGET: check_target,
    rewrite.AUGMENTED: check_augmented,
    rewrite.ITEM: None,
    rewrite.CASE: None,
    "__builtins__": vars(builtins),
    rewrite.SUPER: _super,
    rewrite.FUNCTION: named,
    rewrite.RAISE: throw,
    rewrite.ASSERTION: AssertionError,
    rewrite.JOINED: deferred_strings.join,
    rewrite.FORMATTED: deferred_strings.format_value,
    rewrite.PERCENT: deferred_strings.percent_format,
}
# Functions of the user's that Python calls in rewritten code are followed (dispatch/functions.py), those of the capture not.
HELPERS = {
    name: functools.partial(core.call_without_frames, helper) if isinstance(helper, types.FunctionType) else helper
    for name, helper in _HELPERS.items()
}
