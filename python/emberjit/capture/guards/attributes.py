"""Attributes of modules, classes and objects as captured code reads them. Properties and __getattr__ of the user's are
followed; all else is found as Python finds it, and guarded by what decides that: the class, the object's own fields."""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import is_users, written_by_user
from emberjit.capture.code.lookup import defines, in_class, own_fields, renames
from emberjit.capture.guards.objects import check_tensor_class, guard_object, is_immutable
from emberjit.capture.guards.record import guard_field, guard_lookup, guard_memory, guard_types, is_configured
from emberjit.capture.session.effect_log import NOTHING
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.session import Session, call_library, current_session, follow
from emberjit.values import tree

_MISSING = object()
_OF_TYPES = frozenset(["shape", "dtype", "ndim", "size", "itemsize", "nbytes"])  # what a Tensor's type says
_CHANGEABLE = (("os", "environ"), ("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin"), ("sys", "argv"))
_PLAIN_ACCESS = in_class(types.ModuleType, "__getattribute__")
_METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)


def read_attribute(owner: Any, name: str) -> Any:
    """owner.name, guarded where it may change between calls."""
    session = current_session()
    if session is None:
        return getattr(owner, name)
    path = session.names.get(id(owner))
    value = _read(session, owner, name)
    if path is not None and type(value) not in tree.LEAVES:
        session.name(value, f"{path}.{name}")
    return value


def _read(session: Session, owner: Any, name: str) -> Any:
    if type(owner) is core.Tensor and name != "__class__" and id(owner) not in session.parameters:
        return getattr(owner, name)
    if name == "__traceback__" and isinstance(owner, BaseException):
        raise RunInPython("the traceback of an error shows frames, which captured code has none of.")
    if name == "__class__" and (cls := in_class(type(owner), "stands_for")) is not None:
        return cls
    if isinstance(owner, core.Tensor):
        return _of_tensor(session, owner, name)
    if session.effects.recorded and (stored := session.effects.stored(own_fields(owner), name)) is not NOTHING:
        return stored
    if isinstance(owner, types.ModuleType):
        return _of_module(session, owner, name)
    if issubclass(type(owner), enum.Enum) or (is_configured(owner) and id(owner) not in session.created):
        guard_object(owner)  # wherever a library has found it
    if type(owner) is super:
        return _of_super(session, owner, name)
    access = in_class(type(owner), "__getattribute__")
    if isinstance(access, types.FunctionType) and renames(access):
        return _renamed(session, owner, name, access)
    guard_lookup(session, owner, name)
    if id(owner) in session.created:
        return _of_created(session, owner, name)
    users = written_by_user(owner.__module__) if issubclass(type(owner), type) else id(owner) in session.external
    if not users:
        return _of_library(session, owner, name)
    fallback = _fallback(owner)
    if fallback is None:
        return _look_up(session, owner, name, getattr)
    try:
        return _look_up(session, owner, name, in_class(type(owner), "__getattribute__"))
    except AttributeError:
        pass
    return session.engine.call(fallback, owner, name)


def read_special(owner: Any, name: str) -> Any:
    """A special method that Python itself looks up: of the class, whatever the object has."""
    session, method = current_session(), in_class(type(owner), name)
    if session is not None:
        guard_types(owner)
    return method if in_class(type(method), "__get__") is None else method.__get__(owner, type(owner))


def plain_attribute(owner: Any, name: str) -> Any:
    """object.__getattribute__(owner, name), or type's of a class, guarded likewise."""
    session, read = current_session(), type.__getattribute__ if isinstance(owner, type) else object.__getattribute__
    if session is not None and (stored := session.effects.stored(own_fields(owner), name)) is not NOTHING:
        return stored
    if session is None or not (isinstance(owner, type) or id(owner) in session.external):
        return call_library(read, (owner, name), {})
    guard_lookup(session, owner, name)
    return _look_up(session, owner, name, read)


def _look_up(session: Session, owner: Any, name: str, read: Callable[[Any, str], Any]) -> Any:
    member, fields = in_class(type(owner), name), own_fields(owner)
    guard_types(member)
    function = getter(member)
    if function is not None:
        return _computed(function, owner)
    described, value = _described(owner, name, member, fields)
    return value if described else _plainly(session, owner, name, member, read)


def getter(member: Any) -> Any:
    """The function that a property calls when it is read; None of what is no property."""
    plain = isinstance(member, property) and in_class(type(member), "__get__") is vars(property)["__get__"]
    return member.fget if plain else None


def _computed(function: Callable[..., Any], *args: Any) -> Any:
    """What a function gives for an attribute; what a library's gives is external."""
    value = follow(guard_object(function), *args)
    return value if is_users(function) else guard_object(value)


def _renamed(session: Session, owner: Any, name: str, access: Any) -> Any:
    """What a __getattribute__ of the user's gives, and where it finds nothing, a __getattr__."""
    session.guard_type(type(owner), "__getattribute__")
    fallback = _fallback(owner)
    try:
        return session.engine.call(access, owner, name)
    except AttributeError:
        if fallback is None:
            raise
    return session.engine.call(fallback, owner, name)


def _of_super(session: Session, owner: Any, name: str) -> Any:
    """super().name: what the bases behind a class define, bound as Python binds it."""
    receiver, cls = owner.__self__, owner.__self_class__
    session.guard_type(cls, name)
    bases = cls.__mro__[cls.__mro__.index(owner.__thisclass__) + 1 :]
    member = next((vars(base)[name] for base in bases if name in vars(base)), None)
    guard_types(member)
    arguments = (None, cls) if receiver is cls else (receiver, cls)
    function = getter(member)
    if function is not None and receiver is not cls:
        return _computed(function, receiver)
    get = in_class(type(member), "__get__")
    if isinstance(get, types.FunctionType):
        guard_object(member)
        return _computed(get, member, *arguments)
    value = getattr(owner, name)
    if isinstance(member, types.MemberDescriptorType) and id(receiver) in session.external:
        session.guard("attribute", owner, name, value)
    return value if isinstance(value, _METHODS) and not isinstance(member, _METHODS) else guard_object(value)


def _described(owner: Any, name: str, member: Any, fields: Any) -> tuple[bool, Any]:
    """Whether a method of the user's gives an attribute, and what it gives; `member` is what the owner's class defines."""
    if isinstance(owner, type) and not defines(member, "__set__"):
        of_class = in_class(owner, name, _MISSING)
        member, arguments = (of_class, (None, owner)) if of_class is not _MISSING else (member, (owner, type(owner)))
    else:
        arguments = owner, type(owner)
        if name in fields and not defines(member, "__set__") and not defines(member, "__delete__"):
            return False, None
    get = in_class(type(member), "__get__")
    if isinstance(member, functools.cached_property) and arguments[0] is not None:
        raise core.CaptureError(f"the cached property '{name}' is computed and stored, which a graph would do only once.")
    if not isinstance(get, types.FunctionType) or isinstance(member, functools.cached_property):
        return False, None
    guard_object(member)
    return True, _computed(get, member, *arguments)


def _of_tensor(session: Session, owner: Any, name: str) -> Any:
    check_tensor_class(owner)
    if name == "__class__":
        return session.class_of(owner)
    if id(owner) in session.parameters and not hasattr(core.Tensor, name):
        raise core.CaptureError(
            f"'{name}' of a Parameter among the arguments is read, which may be otherwise in each call: give it apart."
        )
    if core.is_captured(owner) or not isinstance(owner, core.Parameter):
        return getattr(owner, name)
    if name in _OF_TYPES:
        core.current_capture().place(owner)  # as an input, of which each call checks the type
        return getattr(owner, name)
    if name in ("name", "requires_grad"):
        session.guard("attribute", owner, name, getattr(owner, name))
    guard_field(session, owner, name)
    return guard_object(getattr(owner, name))


def _of_module(session: Session, module: types.ModuleType, name: str) -> Any:
    if (module.__name__, name) in _CHANGEABLE:
        raise core.CaptureError(f"{module.__name__}.{name} may be something else in each call: read it outside.")
    session.guard("class", module, None, type(module))
    names, defined = vars(module), in_class(type(module), name)
    session.guard_type(type(module), name)
    session.name(names, f"{module.__name__}.")
    if name in names and defined is None and in_class(type(module), "__getattribute__") is _PLAIN_ACCESS:
        return guard_object(session.read("item", names, name, names[name]))
    computed = name not in names and defined is None
    fallback = names.get("__getattr__") if computed else None
    if isinstance(fallback, types.FunctionType) and written_by_user(fallback.__globals__.get("__name__", "")):
        session.guard("item", names, "__getattr__", fallback)
        session.guard("absent", names, name, None)
        return session.engine.call(fallback, name)
    try:
        value = session.engine.watched(getattr, module, name)
    finally:
        for key in (name, "__getattr__") if computed else (name,):
            session.guard("item" if key in names else "absent", names, key, names.get(key))
    return guard_object(value)


def _of_library(session: Session, owner: Any, name: str) -> Any:
    """An attribute of what a library has made; that of something external is external."""
    value = session.engine.watched(getattr, owner, name)
    return guard_object(value) if issubclass(type(owner), type) or id(owner) in session.external else value


def _of_created(session: Session, owner: Any, name: str) -> Any:
    value = session.engine.call_library(getattr, (owner, name), {})
    if name in own_fields(owner) or in_class(type(owner), name) is not value:
        return value
    return guard_object(value)


def _plainly(session: Session, owner: Any, name: str, member: Any, read: Callable[[Any, str], Any]) -> Any:
    """An attribute that no code of the user's computes, as `read` gives it; `member` is what its class has by the name."""
    computed = defines(member, "__set__") and not isinstance(owner, type)
    try:
        value = read(owner, name)
    except AttributeError:
        if computed:
            session.guard("missing", owner, name, None)
        raise
    if computed:
        return guard_object(_guard_computed(session, owner, name, value, read(owner, name)))
    outside = session.outside.get(("item", id(own_fields(owner)), name)) if session.outside else None
    return guard_object(value) if outside is None else outside


def _guard_computed(session: Session, owner: Any, name: str, value: Any, again: Any) -> Any:
    """An attribute that a descriptor of Python's or a library's gives: a slot, or computed from what is in the object."""
    if core.same(value, again) and isinstance(in_class(type(owner), name), types.MemberDescriptorType):
        return session.read("attribute", owner, name, value)
    if core.same(value, again):
        session.guard("attribute", owner, name, value)
    elif not (isinstance(value, _METHODS) or is_immutable(owner) or guard_memory(session, value)):
        raise core.CaptureError(
            f"attribute '{name}' of a {type(owner).__name__} is another object each time, which a graph cannot tell from "
            "one that has changed: read it outside."
        )
    return value


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
    method = getattr(type(owner), "__getattr__", None)
    if isinstance(method, types.FunctionType):
        return method if written_by_user(method.__module__) else None
    return method if isinstance(method, (types.MethodDescriptorType, types.WrapperDescriptorType)) else None
