"""Guards on attributes of modules, classes and objects. Properties and __getattr__ of the user's are followed."""

from __future__ import annotations

import functools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.guards.record import counts_changes
from emberjit.capture.session.engine import engine
from emberjit.capture.session.session import Session, current_session

_MISSING = object()
_CHANGEABLE = (("os", "environ"), ("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin"), ("sys", "argv"))


def read_attribute(owner: Any, name: str) -> Any:
    """owner.name, guarded where it may change between calls."""
    session = current_session()
    if session is not None and id(owner) in session.created:
        return _of_created(session, owner, name)
    if session is not None and isinstance(owner, types.ModuleType) and (owner.__name__, name) in _CHANGEABLE:
        raise core.CaptureError(f"{owner.__name__}.{name} may be something else in each call: read it outside.")
    if session is None or isinstance(owner, core.Parameter):
        return _of_parameter(session, owner, name) if isinstance(owner, core.Parameter) else getattr(owner, name)
    if not _is_users(session, owner):
        return _of_library(session, owner, name)
    found, fields = in_class(type(owner), name), own_fields(owner)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        session.guard("attribute", type(owner), name, found)
        return engine().call(found.fget, owner)
    described, read = _described(owner, name, found, fields)
    if described:
        return read
    fallback = _fallback(owner) if name not in fields and found is None else None
    if fallback is not None and not (isinstance(owner, type) and in_class(owner, name) is not None):
        session.guard("attribute", type(owner), "__getattr__", fallback)
        if isinstance(fields, dict):
            session.guard("absent", fields, name, None)
        return engine().call(fallback, owner, name)
    return _plainly(session, owner, name, found)


def in_class(cls: type, name: str) -> Any:
    """What a class or its bases define by a name, as it is defined; None if nothing."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _described(owner: Any, name: str, found: Any, fields: Any) -> tuple[bool, Any]:
    """Whether a method of the user's gives an attribute, and what it gives; `found` is what the owner's class defines."""
    access = in_class(type(owner), "__getattribute__")
    if isinstance(access, types.FunctionType) and written_by_user(access.__globals__.get("__name__", "")):
        return True, engine().call(access, owner, name)
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


def _of_library(session: Session, owner: Any, name: str) -> Any:
    """An attribute of what a library has made; that of something external is external."""
    value = engine().watched(getattr, owner, name)
    library = isinstance(owner, (types.ModuleType, type)) or id(owner) in session.external
    return guard_object(value) if library and not isinstance(owner, core.Tensor) else value


def _is_users(session: Session, owner: Any) -> bool:
    if isinstance(owner, (types.ModuleType, type)):
        return written_by_user(owner.__name__ if isinstance(owner, types.ModuleType) else owner.__module__)
    return id(owner) in session.external


def _of_created(session: Session, owner: Any, name: str) -> Any:
    value = engine().call_library(getattr, (owner, name), {})
    if name in own_fields(owner) or in_class(type(owner), name) is not value:
        return value
    session.guard("attribute", type(owner), name, value)
    return guard_object(value)


def _of_parameter(session: Session | None, owner: Any, name: str) -> Any:
    value = getattr(owner, name)
    if session is not None and name in ("name", "requires_grad"):
        session.guard("attribute", owner, name, value)
    return value


def _plainly(session: Session, owner: Any, name: str, found: Any) -> Any:
    """An attribute that no code of the user's computes; `found` is what its class has by the name."""
    value = getattr(owner, name)
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)) and name not in own_fields(owner):
        if getattr(value, "__self__", None) is owner and isinstance(found, types.FunctionType):
            session.guard("attribute", type(owner), name, found)
            if hasattr(owner, "__dict__") and not isinstance(owner, type) and not counts_changes(owner):
                session.guard("absent", owner.__dict__, name, None)
        return value
    if counts_changes(owner):
        if found is not None:
            session.guard("attribute", type(owner), name, found)
    elif core.same(value, getattr(owner, name)):
        session.guard("attribute", owner, name, value)
    return guard_object(value)


def has_attribute(owner: Any, name: str) -> bool:
    """hasattr, guarded like what it asks for."""
    return get_attribute(owner, name, _MISSING) is not _MISSING


def get_attribute(owner: Any, name: str, default: Any) -> Any:
    """getattr() with a default."""
    try:
        return read_attribute(owner, name)
    except AttributeError:
        pass
    session = current_session()
    external = session is not None and id(owner) in session.external
    if session is not None and external and not counts_changes(owner) and hasattr(owner, "__dict__"):
        session.guard("absent", owner.__dict__, name, None)
    return default


def own_fields(owner: Any) -> Any:
    """What is in an object itself, found without calling a __getattr__ of the user's."""
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return ()


def _fallback(owner: Any) -> Any:
    """A __getattr__ of the user's, or None."""
    found = getattr(type(owner), "__getattr__", None)
    return found if isinstance(found, types.FunctionType) and written_by_user(found.__module__) else None
