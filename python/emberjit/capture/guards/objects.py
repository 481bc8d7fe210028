"""Guards on external objects: those that captured code reads, and has not created. What is in them is guarded when captured
code observes it."""

from __future__ import annotations

import collections
import decimal
import functools
import gc
import io
import operator
import types
from collections.abc import Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import defines, field_values, own_fields
from emberjit.capture.guards.ends import leads_to_end
from emberjit.capture.guards.mutation import MUTATORS, refused
from emberjit.capture.guards.record import (
    check_class,
    guard_attribute,
    guard_class,
    guard_configuration,
    guard_elements,
    guard_field,
    guard_fields,
    guard_memory,
    is_configured,
    written_fields,
)
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.session import Session, current_session
from emberjit.values.placeholders import Placeholder

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range, slice)
CONSTANTS = (*_PLAIN, type, core.Tensor, core.dtype, types.BuiltinFunctionType, types.ModuleType)
_ALONE = (type, core.Tensor, core.dtype, types.BuiltinFunctionType, types.ModuleType, types.FunctionType, core.Jit)
# Of what is of these classes themselves nothing is guarded here: nobody can change them.
_UNGUARDED = frozenset((*_PLAIN, type, core.Tensor, core.Parameter, core.dtype, types.ModuleType))
_BOUND = (types.BuiltinMethodType, types.MethodWrapperType)
_HOLDERS = (list, dict, set, frozenset, bytearray, collections.deque)
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType)
_OPERATORS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)  # which hold arguments of what they call
CONTAINERS = (*_HOLDERS, *_VIEWS)
DICTS = (dict, collections.Counter, collections.defaultdict)
_MAX_PARTS = 10_000  # of an object that something may look at as a whole


def check_tensor_class(value: Any) -> None:
    """Refuses Tensors of a user's class, whose operators may be the user's.

    Raises:
        RunInPython: it is one.
        ValueError: it is a placeholder.
    """
    cls = type(value)
    if cls is core.Tensor or cls is core.Parameter or not issubclass(cls, core.Tensor):
        return
    if isinstance(value, Placeholder):
        value.refuse()
    raise RunInPython(f"a {cls.__name__} is a Tensor of a class of its own, which no graph knows.")


def is_immutable(value: Any) -> bool:
    """Whether an object can't change, nor what it consists of."""
    return type(value) in _PLAIN or isinstance(value, (core.dtype, core.Op, core.Function))


def guard_object(value: Any) -> Any:
    """Takes a value for external, and guards what is in it; returns the value.

    Raises:
        CaptureError: it is an iterator, or depends on more than can be guarded.
    """
    session = current_session()
    if session is None or id(value) in session.external:
        return value
    check_class(type(value))
    if type(value) in _UNGUARDED:
        return value
    check_tensor_class(value)
    if isinstance(value, _BOUND):
        guard_object(value.__self__)
    if isinstance(value, _ALONE) and not isinstance(value, types.FunctionType):
        guard_class(session, value)
        return value
    if defines(value, "__next__"):
        advice = "read and write files outside" if isinstance(value, io.IOBase) else "pass a list"
        raise core.CaptureError(f"a {type(value).__name__} from outside cannot be captured into a graph: {advice}.")
    if isinstance(value, decimal.Decimal):
        raise core.CaptureError("arithmetic of Decimals depends on their context, which no graph holds: convert it outside.")
    if leads_to_end(value):
        raise core.CaptureError(
            f"a {type(value).__name__} is used of whose end somebody is told (by __del__ or a weak reference), or of "
            "something in it, which a graph would keep alive: give what is in it."
        )
    session.external[id(value)] = value
    guard_class(session, value)
    _guard_parts(session, value)
    return value


def _guard_parts(session: Session, value: Any) -> None:
    if is_configured(value):
        guard_configuration(value)
    elif isinstance(value, types.MethodType):
        guard_object(value.__self__)
        guard_object(value.__func__)
    elif isinstance(value, functools.partial):
        for name in ("func", "args", "keywords"):
            observe(guard_object(guard_attribute(value, name)))
        observe(tuple(value.keywords.values()))
    elif type(value) in _OPERATORS:
        for part in value.__reduce__():
            observe(guard_object(part))
    elif isinstance(value, tuple):
        for item in held(value):
            guard_object(item)
    elif isinstance(value, CONTAINERS):
        session.unobserved[id(value)] = value
    elif guard_memory(session, value):
        if isinstance(own_fields(value), dict):
            for field in guard_fields(session, value):
                guard_object(field)
        if not is_array(value) or not core.current_capture().add_array(value):
            _guard_elements(value)
    elif is_array(value):
        guard_attribute(value, "dtype")
        guard_attribute(value, "shape")
        guard_elements(value.view("u1") if value.flags.contiguous else value.view("i8"))


def is_array(value: Any) -> bool:
    """Whether a value is an array of NumPy's."""
    return defines(value, "__array_interface__") and not isinstance(value, core.Tensor) and defines(value, "setflags")


def _guard_elements(value: Any) -> None:
    guard_elements(value)
    if getattr(getattr(value, "dtype", None), "hasobject", False):
        for item in value.ravel().tolist():
            guard_object(item)


def observe(value: Any) -> None:
    """Notes that captured code sees the items of a value."""
    session = current_session()
    if session is None or not session.unobserved:
        return
    if isinstance(value, tuple):
        for item in held(value):
            observe(item)
    elif isinstance(value, _BOUND) and value.__name__ not in MUTATORS:
        if not (type(value.__self__) in DICTS and value.__name__ == "get"):  # which asks for one item
            observe(value.__self__)
    elif session.unobserved.pop(id(value), None) is not None:
        _guard_items(session, value)


def is_unobserved(value: Any) -> bool:
    """Whether captured code has not looked at the items of a container from outside as a whole."""
    session = current_session()
    return session is not None and id(value) in session.unobserved


def _guard_items(session: Session, value: Any) -> None:
    if isinstance(value, collections.defaultdict):
        raise refused("a defaultdict, which looking up may change,")
    if isinstance(value, _VIEWS):
        for inner in gc.get_referents(value):
            guard_object(inner)
            observe(inner)
    else:
        session.guard_content(value)
        for item in session.effects.content(value):
            guard_object(item)


def held(container: Any) -> Iterable[Any]:
    """What is in a container, by Python's own methods: the user's are not asked, which may count it."""
    if isinstance(container, dict):
        return dict.values(container)
    kind: Any = next(kind for kind in (tuple, *_HOLDERS) if isinstance(container, kind))
    return kind.__iter__(container)  # type: ignore[no-any-return]


def observe_all(value: Any, deep: bool = False) -> None:
    """Notes that a library may see all that is in a value: in containers, in objects of the library, and, if it looks
    `deep`, in those of the user's."""
    session = current_session()
    todo, seen = [value], set()
    while todo and session is not None:
        part = todo.pop()
        if type(part) in _PLAIN or isinstance(part, _ALONE) or id(part) in seen:
            continue
        seen.add(id(part))
        if len(seen) > _MAX_PARTS:
            raise core.CaptureError(f"a library is given a {type(value).__name__} with too much in it to be guarded.")
        observe(part)
        if isinstance(part, (tuple, *_HOLDERS)):
            todo.extend(held(part))
        if is_array(part):
            if id(part) in session.external:
                _guard_elements(part)
                todo.extend(field_values(part))
        elif id(part) in session.external and is_configured(part):
            for name in written_fields.get(type(part), ()):
                guard_field(session, part, name)
        elif id(part) in session.external and _is_seen_through(part, deep):
            todo.extend(guard_object(item) for item in guard_fields(session, part))


def _is_seen_through(value: Any, deep: bool) -> bool:
    """Whether a library reads the fields of an object: one of its own classes, or of what derives from these."""
    library = any(not written_by_user(base.__module__) for base in type(value).__mro__ if core.can_change(base))
    return deep or library or not written_by_user(type(value).__module__)
