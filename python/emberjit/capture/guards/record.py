"""What a capture relies on, as guards: classes, the fields of objects, functions, the configuration of Cells, the elements
of Tensors. Each is guarded before it is read, so that whatever changes it afterwards is noticed."""

from __future__ import annotations

import abc
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import defines, intercepts, is_settled, opaque_method, own_fields
from emberjit.capture.guards.ends import ends_unnoticed, leads_to_end, recognised
from emberjit.capture.session.session import ALL, Session, current_session, guard
from emberjit.values.memo import MEMO

IGNORED = frozenset(
    (
        "_jitted",
        "_fullgraph",
        "_input_signature",
        "_cell_init_args",
        "_hooks_of_state",
        "_names_checked",
        "_create_time",
        MEMO,
    )
)  # of Cells: no graph depends on them
# By classes of Cells: fields that captured code has written.
written_fields: weakref.WeakKeyDictionary[type, set[str]] = weakref.WeakKeyDictionary()
_OF_CLASSES = ("__name__", "__qualname__")  # of a class, what is not in its dict
_ALWAYS_CONVERTED = 640  # digits, whatever sys.set_int_max_str_digits() is given
# Of what is of these classes themselves neither the class can change, nor is it text or a number with digits.
_UNGUARDED = frozenset((core.Tensor, core.Parameter, core.dtype, *core.NUMBERS, bool, float, complex, type(None)))
_UNGUARDED |= frozenset((tuple, list, dict, slice))
_WITH_DIGITS = (int, str, bytes, bytearray)
_NO_GUARD = "buffer", None, None, (None, None)
_BUFFER_LIMIT = 1 << 18  # bytes that each call compares at most


def check_class(cls: type) -> None:
    """Refuses a class of whose instances Python calls what cannot be followed.

    Raises:
        CaptureError: attributes of instances are the user's code to find, or how the class compares, or a special method is
            no function.
    """
    if not core.can_change(cls):
        return
    session, version = current_session(), core.class_version(cls)
    if session is not None and version and session.checked.get(id(cls)) == version:
        return
    if intercepts(cls):
        raise core.CaptureError(f"to look at a {cls.__name__} runs code of its own, which is not followed.")
    name = opaque_method(cls)
    if name is not None:
        raise core.CaptureError(f"{name} of {cls.__name__} is no function, so that what it calls cannot be followed.")
    if session is not None and is_settled(cls):
        session.checked[id(cls)] = version


def guard_class(session: Session, value: Any) -> None:
    """Which class an object is of, and how that behaves."""
    cls = type(value)
    check_class(cls)
    if core.can_change(cls):
        session.guard("class", value, None, cls)
        session.guard_type(cls)


def guard_types(*values: Any) -> None:
    """How the classes of values behave; of classes among these, themselves."""
    session = current_session()
    if session is not None:
        for value in values:
            check_class(type(value))
            session.guard_type(type(value))
            if issubclass(type(value), type):
                session.guard_type(value)


def guard_operands(values: Iterable[Any]) -> None:
    """What of the values that a library is given any call of it may depend on: their classes, how many digits they have."""
    for value in values:
        if type(value) not in _UNGUARDED:
            guard_types(value)
            if issubclass(type(value), _WITH_DIGITS):
                guard_digits(value)


def guard_names(value: Any) -> None:
    """How text shows a class, or an instance that shows its class."""
    cls = value if isinstance(value, type) else type(value)
    for name in _OF_CLASSES if core.can_change(cls) else ():
        guard_attribute(cls, name)


def guard_instance_check(value: Any, kinds: Any) -> None:
    """What isinstance() says of a value and classes: an abstract one may be told of further subclasses at any time, and a
    protocol looks at what there is in the value."""
    session = current_session()
    if session is None:
        return
    for kind in kinds:
        if isinstance(kind, (tuple, types.UnionType)):
            guard_instance_check(value, getattr(kind, "__args__", kind))
        elif isinstance(kind, abc.ABCMeta):
            guard_subclasses()
            if getattr(kind, "_is_protocol", False):
                guard_fields(session, value)


def guard_subclasses() -> None:
    """What abstract classes are told of subclasses."""
    guard("call", abc.get_cache_token, None, abc.get_cache_token())


def guard_float_errors(state: dict[str, str]) -> None:
    """What NumPy does about results that are not finite."""
    guard("call", _float_errors, None, tuple(state.values()))


def _float_errors() -> tuple[str, ...]:
    import numpy as np

    state: Any = np.geterr()
    return tuple(state.values())


def guard_digits(value: Any) -> None:
    """How many digits of an int Python converts to and from text, if it might refuse this value."""
    if current_session() is not None and _digits(value) >= _ALWAYS_CONVERTED:
        guard("call", sys.get_int_max_str_digits, None, sys.get_int_max_str_digits())


def _digits(value: Any) -> int:
    """At most how many digits an int has, or a text that may be converted to one; special methods of the user's are not
    asked."""
    for kind in _WITH_DIGITS[1:]:
        if issubclass(type(value), kind):
            return kind.__len__(value)
    return int(int.bit_length(value) / 3.32) if issubclass(type(value), int) else 0


def guard_context(name: str) -> Any:
    """What set_context() says of an option."""
    parts = context.guard_of(name)
    guard(*parts)
    return parts[-1]


def guard_pattern(value: Any) -> None:
    """What patterns see in the class of a value: whether it counts as a sequence or a mapping."""
    session = current_session()
    if session is not None and core.can_change(type(value)):
        session.guard_type(type(value))
        guard_subclasses()


def guard_lookup(session: Session, owner: Any, name: str) -> None:
    """All that decides what owner.name is, but for the object that the class says is to be asked."""
    session.guard_type(type(owner), name)
    if issubclass(type(owner), type):
        session.guard_type(owner, ALL if name == "__dict__" else name)
        if name in _OF_CLASSES:
            session.guard("attribute", owner, name, getattr(owner, name))
    elif id(owner) in session.external and (not is_configured(owner) or name in _apart(session, owner, own_fields(owner))):
        guard_field(session, owner, name)


def guard_field(session: Session, owner: Any, name: str) -> None:
    """What an object itself has by a name."""
    fields = own_fields(owner)
    if not isinstance(fields, dict):
        return
    session.guard("fields", owner, None, fields)
    session.name(fields, f"{session.names.get(id(owner), type(owner).__name__)}.")
    if name in fields:
        session.read("item", fields, name, fields[name])
    elif name != "__dict__":
        session.guard("absent", fields, name, None)


def guard_fields(session: Session, owner: Any) -> Iterable[Any]:
    """All fields of an object; returns what is in them."""
    session.guard_type(type(owner), ALL)
    values: list[Any] = []
    fields = own_fields(owner)
    if isinstance(fields, dict):
        session.guard("fields", owner, None, fields)
        session.guard_content(fields)
        values += session.effects.content(fields)[1::2]
    for base in type(owner).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(owner, name):
                values.append(getattr(owner, name))
                session.guard("attribute", owner, name, values[-1])
            elif name not in ("__dict__", "__weakref__"):
                session.guard("missing", owner, name, None)
    return values


def guard_function(session: Session, function: types.FunctionType) -> None:
    """What a Python function does, and its defaults, unless captured code has made it."""
    if id(function) in session.created:
        return
    keywords = function.__kwdefaults__
    session.guard("function", function, None, (function.__code__, function.__defaults__, keywords))
    if keywords:
        session.guard_content(keywords)


def is_configured(value: Any) -> bool:
    """Whether library code reads an object's fields: a Cell's, and those of its kin, which name the containers in them."""
    return defines(value, "_containers")


def guard_configuration(value: Any) -> None:
    """The current capture relies on all fields of a Cell or of its kin, unless it has made it."""
    session = current_session()
    if session is None:
        return
    guard_class(session, value)
    if id(value) in session.created:
        return
    fields = vars(value)
    session.guard("fields", value, None, fields)
    session.name(fields, f"{session.names.get(id(value), type(value).__name__)}.")
    containers = type(value)._containers
    ignored = _apart(session, value, fields)
    unguarded = ignored.union(containers)
    ending = [
        name
        for name, field in fields.items()
        if not ends_unnoticed(field) and name not in unguarded and leads_to_end(field, deep=True)
    ]
    if ending:
        _guard_loosely(session, fields, ending, ignored)
    else:
        session.guard("content", fields, ignored, content_without(fields, ignored))
    for name in containers:
        if name in fields:
            session.guard_content(fields[name])


def _users_numbers(session: Session, value: Any, fields: dict[str, Any]) -> Iterable[str]:
    """Fields that hold numbers which vary from call to call, and that only code of the user's reads, which is followed."""
    if not (fields and (session.varying or session.dynamic)):
        return ()
    names = [name for name, field in fields.items() if session.varies(("item", id(fields), name), field)]
    cls: Any = type(value)
    return [name for name in names if name not in names_in_library(cls)]


@functools.cache
def names_in_library(cls: type) -> frozenset[str]:
    """The names of attributes that code of the library's may ask of instances of a class, but for those that it reads one by
    one (attributes.read_attribute)."""
    functions = [
        getattr(part, "__func__", getattr(part, "fget", part))
        for base in cls.__mro__
        if not written_by_user(base.__module__)
        for part in vars(base).values()
    ]
    codes = [function.__code__ for function in functions if isinstance(function, types.FunctionType)]
    names: set[str] = set()
    while codes:
        code = codes.pop()
        names.update(code.co_names, (part for part in code.co_consts if isinstance(part, str)))
        codes += [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return frozenset(names).difference(getattr(cls, "_numbers", ()))


def _apart(session: Session, value: Any, fields: dict[str, Any]) -> frozenset[str]:
    """The fields of a Cell that are not guarded with the others: those that captured code writes, and numbers that vary, are
    guarded, or read, one by one."""
    return IGNORED.union(written_fields.get(type(value), ()), _users_numbers(session, value, fields))


def _guard_loosely(session: Session, fields: dict[str, Any], names: list[str], ignored: frozenset[str]) -> None:
    """Guards fields without holding those of these names, which end as soon as the user gives them up."""
    loose = ignored.union(names)
    if ("content", id(fields), loose) in session.guards:
        return
    session.guard("content", fields, loose, content_without(fields, loose))
    for name in names:
        session.guard("call", functools.partial(_is_held, fields, name, recognised(fields[name])), None, True)


def content_without(fields: dict[str, Any], names: frozenset[str]) -> tuple[Any, ...]:
    """The items of fields but for those of these names, which the guard does not hold."""
    return tuple(item for pair in fields.items() if pair[0] not in names for item in pair)


def _is_held(fields: dict[str, Any], name: str, is_same: Callable[[Any], bool]) -> bool:
    return name in fields and is_same(fields[name])


def guard_attribute(owner: Any, name: str) -> Any:
    """An attribute, on which the current capture relies."""
    value = getattr(owner, name)
    guard("attribute", owner, name, value)
    return value


def guard_memory(session: Session, owner: Any) -> bool:
    """Where an exporter of a buffer has its elements, and of which type they are; whether it is one."""
    state = core.buffer_state(owner, False)
    if state is not None:
        session.guard("buffer", owner, None, state)
    return state is not None


def guard_elements(owner: Any) -> None:
    """The current capture relies on the elements of a Tensor or of another exporter of a buffer.

    Raises:
        CaptureError: they are too many to be compared in each call.
    """
    session = current_session()
    if session is None or isinstance(session.guards.get(("buffer", id(owner), None), _NO_GUARD)[3][1], bytes):
        return
    if (owner if hasattr(owner, "nbytes") else memoryview(owner)).nbytes > _BUFFER_LIMIT:
        raise core.CaptureError(
            f"the elements of a large {type(owner).__name__} from outside are looked at, which would have to be compared in "
            "each call: make it a Tensor, or pass it as an argument."
        )
    session.guards.pop(("buffer", id(owner), None), None)
    session.guard("buffer", owner, None, core.buffer_state(owner, True))


def read_elements(tensor: core.Tensor) -> None:
    """Python reads the elements of a Tensor that is no value of the graph: they are guarded.

    Raises:
        CaptureError: it is a Parameter.
    """
    if core.is_captured(tensor) or current_session() is None:
        return
    if isinstance(tensor, core.Parameter):
        raise core.CaptureError(
            f"the elements of Parameter '{tensor.name}' are looked at, which a graph cannot repeat in every call: use ops."
        )
    guard_elements(tensor)


core.provide_reader(read_elements)
