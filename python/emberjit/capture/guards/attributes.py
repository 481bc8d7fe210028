"""Attributes of modules, classes and objects as captured code reads them. Properties and __getattr__ of the user's are
followed; all else is found as Python finds it, and guarded by what decides that: the class, the object's own fields."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.objects import guard_object, is_immutable
from emberjit.capture.guards.record import guard_lookup, guard_memory, own_fields
from emberjit.capture.session.engine import engine
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.session import Session, current_session

_MISSING = object()
_CHANGEABLE = (("os", "environ"), ("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin"), ("sys", "argv"))
_METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)


def read_attribute(owner: Any, name: str) -> Any:
    """owner.name, guarded where it may change between calls."""
    session = current_session()
    if session is None:
        return getattr(owner, name)
    if name == "__traceback__" and isinstance(owner, BaseException):
        raise RunInPython("the traceback of an error shows frames, which captured code has none of.")
    if isinstance(owner, core.Tensor):
        return _of_tensor(session, owner, name)
    if isinstance(owner, types.ModuleType):
        return _of_module(session, owner, name)
    guard_lookup(session, owner, name)
    if id(owner) in session.created:
        return _of_created(session, owner, name)
    if not _is_users(session, owner):
        return _of_library(session, owner, name)
    access = in_class(type(owner), "__getattribute__")
    if isinstance(access, types.FunctionType) and written_by_user(access.__globals__.get("__name__", "")):
        try:
            return engine().call(access, owner, name)
        except AttributeError:
            fallback = _fallback(owner)
            if fallback is None:
                raise
            return engine().call(fallback, owner, name)
    fallback = _fallback(owner) if name not in own_fields(owner) and in_class(type(owner), name) is None else None
    if fallback is not None and not (isinstance(owner, type) and in_class(owner, name) is not None):
        return engine().call(fallback, owner, name)
    return _found(session, owner, name, getattr)


def plain_attribute(owner: Any, name: str) -> Any:
    """object.__getattribute__(owner, name), guarded likewise."""
    session = current_session()
    if session is None or id(owner) not in session.external:
        return engine().call_library(object.__getattribute__, (owner, name), {})
    guard_lookup(session, owner, name)
    return _found(session, owner, name, object.__getattribute__)


def _found(session: Session, owner: Any, name: str, read: Callable[[Any, str], Any]) -> Any:
    found, fields = in_class(type(owner), name), own_fields(owner)
    session.guard_type(type(found))
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        return engine().call(found.fget, owner)
    described, value = _described(owner, name, found, fields)
    return value if described else _plainly(session, owner, name, found, read)


def in_class(cls: type, name: str) -> Any:
    """What a class or its bases define by a name, as it is defined; None if nothing."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _described(owner: Any, name: str, found: Any, fields: Any) -> tuple[bool, Any]:
    """Whether a method of the user's gives an attribute, and what it gives; `found` is what the owner's class defines."""
    if isinstance(owner, type) and not hasattr(type(found), "__set__"):
        of_class = in_class(owner, name)
        found, arguments = (of_class, (None, owner)) if of_class is not None else (found, (owner, type(owner)))
    else:
        arguments = owner, type(owner)
        if name in fields and not hasattr(type(found), "__set__") and not hasattr(type(found), "__delete__"):
            return False, None
    get = in_class(type(found), "__get__")
    if isinstance(found, functools.cached_property) and arguments[0] is not None:
        raise core.CaptureError(f"the cached property '{name}' is computed and stored, which a graph would do only once.")
    if not isinstance(get, types.FunctionType) or isinstance(found, functools.cached_property):
        return False, None
    guard_object(found)
    return True, engine().call(get, found, *arguments)


def _of_tensor(session: Session, owner: Any, name: str) -> Any:
    value = getattr(owner, name)
    if isinstance(owner, core.Parameter) and name in ("name", "requires_grad"):
        session.guard("attribute", owner, name, value)
    return value


def _of_module(session: Session, module: types.ModuleType, name: str) -> Any:
    if (module.__name__, name) in _CHANGEABLE:
        raise core.CaptureError(f"{module.__name__}.{name} may be something else in each call: read it outside.")
    names = vars(module)
    computed = name not in names and in_class(type(module), name) is None
    fallback = names.get("__getattr__") if computed else None
    if isinstance(fallback, types.FunctionType) and written_by_user(fallback.__globals__.get("__name__", "")):
        session.guard("item", names, "__getattr__", fallback)
        session.guard("absent", names, name, None)
        return engine().call(fallback, name)
    session.guard_type(type(module), name)
    try:
        value = engine().watched(getattr, module, name)
    finally:
        for key in (name, "__getattr__") if computed else (name,):
            session.guard("item" if key in names else "absent", names, key, names.get(key))
    return guard_object(value)


def _of_library(session: Session, owner: Any, name: str) -> Any:
    """An attribute of what a library has made; that of something external is external."""
    value = engine().watched(getattr, owner, name)
    return guard_object(value) if isinstance(owner, type) or id(owner) in session.external else value


def _is_users(session: Session, owner: Any) -> bool:
    return written_by_user(owner.__module__) if isinstance(owner, type) else id(owner) in session.external


def _of_created(session: Session, owner: Any, name: str) -> Any:
    value = engine().call_library(getattr, (owner, name), {})
    if name in own_fields(owner) or in_class(type(owner), name) is not value:
        return value
    return guard_object(value)


def _plainly(session: Session, owner: Any, name: str, found: Any, read: Callable[[Any, str], Any]) -> Any:
    """An attribute that no code of the user's computes, as `read` gives it; `found` is what its class has by the name."""
    computed = hasattr(type(found), "__set__") and not isinstance(owner, type)
    try:
        value = read(owner, name)
    except AttributeError:
        if computed:
            session.guard("missing", owner, name, None)
        raise
    if computed:
        _guard_computed(session, owner, name, value, read(owner, name))
    return guard_object(value)


def _guard_computed(session: Session, owner: Any, name: str, value: Any, again: Any) -> None:
    """An attribute that a descriptor of Python's or a library's gives: a slot, or computed from what is in the object."""
    if core.same(value, again):
        session.guard("attribute", owner, name, value)
    elif not (isinstance(value, _METHODS) or is_immutable(owner) or guard_memory(session, value)):
        raise core.CaptureError(
            f"attribute '{name}' of a {type(owner).__name__} is another object each time, which a graph cannot tell from "
            "one that has changed: read it outside."
        )


def has_attribute(owner: Any, name: str) -> bool:
    """hasattr, guarded like what it asks for."""
    return get_attribute(owner, name, _MISSING) is not _MISSING


def get_attribute(owner: Any, name: str, default: Any) -> Any:
    """getattr() with a default."""
    try:
        return read_attribute(owner, name)
    except AttributeError:
        return default


def _fallback(owner: Any) -> Any:
    """A __getattr__ of the user's, or of Python's that the user has put there; else None."""
    found = getattr(type(owner), "__getattr__", None)
    if isinstance(found, types.FunctionType):
        return found if written_by_user(found.__module__) else None
    return found if isinstance(found, (types.MethodDescriptorType, types.WrapperDescriptorType)) else None
