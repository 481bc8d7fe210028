"""Guards on attributes of modules, classes and objects. Properties and __getattr__ of the user's are followed."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.guards.record import counts_changes
from emberjit.capture.session.engine import engine
from emberjit.capture.session.session import Session, current_session

_CHANGEABLE = (("os", "environ"), ("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin"), ("sys", "argv"))


def read_attribute(owner: Any, name: str) -> Any:
    """owner.name, guarded where it may change between calls."""
    session = current_session()
    if session is not None and id(owner) in session.created:
        return _of_created(session, owner, name)
    if session is not None and isinstance(owner, types.ModuleType) and (owner.__name__, name) in _CHANGEABLE:
        raise core.CaptureError(f"{owner.__name__}.{name} may be something else in each call: read it outside.")
    if session is None or not _is_users(session, owner):
        return _of_parameter(session, owner, name) if isinstance(owner, core.Parameter) else getattr(owner, name)
    found, fields = getattr(type(owner), name, None), own_fields(owner)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType) and name not in fields:
        session.guard("attribute", type(owner), name, found)
        return engine().call(found.fget, owner)
    fallback = _fallback(owner) if name not in fields and not hasattr(type(owner), name) else None
    if fallback is not None:
        session.guard("attribute", type(owner), "__getattr__", fallback)
        if isinstance(fields, dict):
            session.guard("absent", fields, name, None)
        return engine().call(fallback, owner, name)
    return _plainly(session, owner, name, found)


def _is_users(session: Session, owner: Any) -> bool:
    if isinstance(owner, (types.ModuleType, type)):
        return written_by_user(owner.__name__ if isinstance(owner, types.ModuleType) else owner.__module__)
    return id(owner) in session.external


def _of_created(session: Session, owner: Any, name: str) -> Any:
    value = engine().call_library(getattr, (owner, name), {})
    if name in own_fields(owner) or getattr(type(owner), name, owner) is not value:
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
    if hasattr(owner, name):
        read_attribute(owner, name)
        return True
    session = current_session()
    external = session is not None and id(owner) in session.external
    if session is not None and external and not counts_changes(owner) and hasattr(owner, "__dict__"):
        session.guard("absent", owner.__dict__, name, None)
    return False


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
