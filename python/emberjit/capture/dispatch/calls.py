"""Calls that captured code makes, by the kind of what is called, and the engine that makes them for all of the capture."""

from __future__ import annotations

import abc
import functools
import operator
import types
import warnings
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.calls import builtins
from emberjit.capture.calls.callbacks import OPERATORS
from emberjit.capture.calls.logs import enabled, is_ignored, is_silent
from emberjit.capture.calls.plain_values import running
from emberjit.capture.calls.rules import ACTING_METHODS, prepared
from emberjit.capture.code.libraries import is_users, written_by_user
from emberjit.capture.code.lookup import in_class
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.dispatch.functions import interpret, library_frame
from emberjit.capture.graph import shared_subgraphs
from emberjit.capture.guards.items import read_item, reads_item
from emberjit.capture.guards.objects import guard_object, observe, observe_all
from emberjit.capture.guards.record import check_class, guard_instance_check, guard_operands
from emberjit.capture.session.call_depth import enter_library, leave_library
from emberjit.capture.session.session import Engine, current_session, shared
from emberjit.capture.state import deferred_strings, effect_rules
from emberjit.capture.state.deferred_strings import DeferredString
from emberjit.primitives.primitive import DeclaredPrimitive
from emberjit.values.cells import CellMarker

_CALL_OF_PARTIAL = vars(functools.partial)["__call__"]
_SINGLE_DISPATCH = functools.singledispatch(len).__code__  # type: ignore[attr-defined]


# Operators that change no operand; of these classes themselves operands run no code but Python's and the library's, and
# nobody can change them.
_OPERATORS = {
    id(function): function
    for function in (
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow),
        *(operator.matmul, operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift),
        *(operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge),
        *(operator.pos, operator.neg, operator.invert),
    )
}
_OPERANDS = frozenset((core.Tensor, core.Parameter, *core.NUMBERS, bool, int, float))
_INERT = _OPERANDS.union((complex, str, bytes, type(None), type(Ellipsis), core.dtype))


def call_library(function: Any, args: Args, kwargs: Kwargs) -> Any:
    """Calls a function that is not followed into the graph; those of the user's that it calls are."""
    if id(function) in _OPERATORS and _OPERANDS.issuperset(map(type, args)):
        return function(*args, **kwargs)
    if DeferredString in map(type, args) and not deferred_strings.takes_deferred(function, args):
        args = tuple(map(deferred_strings.settled, args))
    session = current_session()
    if session is not None and session.unobserved and not kwargs and reads_item(session, function, args):
        return read_item(session, function, args)
    if (function is len or function is operator.getitem) and _is_plain_item(args):
        observe(args[0])
        return function(*args, **kwargs)
    function, args, kwargs, moves = prepared(function, args, kwargs)
    enter_library()
    try:
        with running(moves):
            return core.call_with_frames(library_frame, function, *args, **kwargs)
    finally:
        leave_library()


def _is_plain_item(args: Args) -> bool:
    """Whether a list or tuple is given, alone or with a position: no code of the user's runs for what is asked of it."""
    return len(args) in (1, 2) and type(args[0]) in (list, tuple) and all(type(key) is int for key in args[1:])


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything from captured code."""
    return _CALLS.get(type(function), _call_other)(function, args, kwargs)


def _is_inert(value: Any) -> bool:
    """Whether no code of the user's runs for what is asked of a value, nor of the items of a list or tuple."""
    return type(value) in _INERT or (type(value) in (list, tuple) and _INERT.issuperset(map(type, value)))


def _call_directly(function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
    """Calls what the library declares; code of the user's that it comes to by the arguments, as __index__, is followed."""
    values = (*args, *kwargs.values())
    if all(map(_is_inert, values)):
        return function(*args, **kwargs)
    guard_operands(values)
    for value in values:
        if isinstance(value, (list, dict, tuple)):
            observe_all(value)
    return core.call_with_frames(library_frame, function, *args, **kwargs)


def _call_declared(function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
    if args and function.__name__ in ACTING_METHODS and isinstance(args[0], core.Tensor):
        return call_library(types.MethodType(function, args[0]), args[1:], kwargs)
    return _call_directly(function, args, kwargs)


def _call_function(function: Any, args: Args, kwargs: Kwargs) -> Any:
    if function.__code__ is _SINGLE_DISPATCH and args:
        guard_object(function.registry)
        observe(function.registry)
        guard_instance_check(args[0], (abc.ABC,))
        return call(function.dispatch(args[0].__class__), *args, **kwargs)
    if not is_users(function):
        return call_library(function, args, kwargs)
    if "no_inline" in function.__dict__:
        return shared(function, args, kwargs, keep=True)
    return interpret(function, args, kwargs)


def _call_method(method: types.MethodType, args: Args, kwargs: Kwargs) -> Any:
    function = method.__func__
    if type(function) is core.Function:
        return _call_declared(function, (method.__self__, *args), kwargs)
    if isinstance(function, core.Jit):
        return call(function.__wrapped__, method.__self__, *args, **kwargs)
    if is_users(function):
        return interpret(function, (method.__self__, *args), kwargs)
    if not kwargs and (result := enabled(method, args)) is not None:
        return result
    if is_silent(method, args):
        return None
    if not isinstance(function, (types.FunctionType, types.BuiltinFunctionType)):
        return call(function, method.__self__, *args, **kwargs)
    return call_library(method, args, kwargs)


def _call_builtin(function: Any, args: Args, kwargs: Kwargs) -> Any:
    replaced = builtins.REPLACEMENTS.get(function)
    if replaced is not None:
        return replaced(*args, **kwargs)
    if function.__name__ == "item" and not args and not kwargs and builtins.is_single(function.__self__):
        return builtins.item(function.__self__)
    if effect_rules.replays(function):
        return effect_rules.call(function, args, kwargs)
    if function.__name__ == "format" and type(function.__self__) is str:
        return deferred_strings.format_method(function.__self__, args, kwargs)
    if function.__name__ == "join" and type(function.__self__) is str and len(args) == 1 and not kwargs:
        return builtins.join(function.__self__, args[0])
    if function is warnings.warn and is_ignored(*args, **kwargs):
        return None
    number = builtins.of_numbers(function, args, kwargs)
    if number is not None:
        return number
    return call_library(function, args, kwargs)


def _call_other(function: Any, args: Any, kwargs: Any) -> Any:
    if isinstance(function, CellMarker):
        return call_library(function, args, kwargs)
    if isinstance(function, core.Jit):
        return call(function.__wrapped__, *args, **kwargs)
    if isinstance(function, functools.partial) and in_class(type(function), "__call__") is _CALL_OF_PARTIAL:
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if isinstance(function, type):
        return _instantiate(function, args, kwargs)
    if isinstance(function, types.MethodWrapperType) and function.__name__ == "__getattribute__":
        return call(object.__getattribute__, function.__self__, *args, **kwargs)
    if type(function) in OPERATORS:
        return OPERATORS[type(function)](function, *args, **kwargs)
    called = getattr(type(function), "__call__", None)  # noqa: B004
    if called is DeclaredPrimitive.__call__:
        return _call_directly(function, args, kwargs)
    if is_users(called):
        return interpret(called, (function, *args), kwargs)
    builtins.check_callable(function)
    return call_library(function, args, kwargs)


def _instantiate(cls: Any, args: Args, kwargs: Kwargs) -> Any:
    """Makes an instance; it is the captured code's own, to be changed at will."""
    replaced = builtins.REPLACEMENTS.get(cls)
    if replaced is not None:
        return replaced(*args, **kwargs)
    builtins.check_finalizer(cls)
    check_class(cls)
    session = current_session()
    if session is not None:
        session.guard_type(cls, "__abstractmethods__")
    error = issubclass(cls, BaseException) and not isinstance(cls.__new__, types.FunctionType)
    plainly = error or cls.__new__ in (object.__new__, dict.__new__, list.__new__)
    ordinary = plainly and is_users(cls.__init__) and type(cls).__call__ is type.__call__
    if issubclass(cls, (CellMarker, core.Parameter)):
        builtins.check_stateless(cls)
        if not written_by_user(cls.__module__):
            return _created(core.call_now(cls, *args, **kwargs))
    if not ordinary:
        return _created((_call_directly if issubclass(cls, DeclaredPrimitive) else call_library)(cls, args, kwargs))
    instance = _created(cls.__new__(cls, *args, **kwargs) if error else cls.__new__(cls))
    returned = interpret(cls.__init__, (instance, *args), kwargs)
    if returned is not None:
        raise TypeError(f"__init__() should return None, not '{core.type_name(returned)}'")
    return instance


def _created(value: Any) -> Any:
    session = current_session()
    if (
        session is not None
        and type(value).__dictoffset__
        and not isinstance(value, type)
        and id(value) not in session.external
    ):
        session.created[id(value)] = value
    return value


_CALLS: dict[type, Callable[[Any, Any, Any], Any]] = {
    core.Op: _call_directly,
    core.Function: _call_declared,
    types.FunctionType: _call_function,
    types.MethodType: _call_method,
    types.BuiltinFunctionType: _call_builtin,
    types.WrapperDescriptorType: _call_builtin,
    type: _instantiate,
}


_watched = functools.partial(core.call_with_frames, library_frame)
ENGINE = Engine(call, interpret, shared_subgraphs.call, call_library, _watched)
