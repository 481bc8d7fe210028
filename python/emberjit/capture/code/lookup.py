"""What classes define, as Python finds it for itself: without asking the objects or their metaclasses, whose answers are
the user's code."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user

# Special methods, or what has a special method's name, that need not be functions.
_DATA = frozenset(["__class_getitem__", "__init_subclass__", "__new__", "__prepare__", "__subclasshook__"])
_METHODS = (
    types.FunctionType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.BuiltinFunctionType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.ClassMethodDescriptorType,
    core.Jit,
)
_RENAMING = frozenset(["__getattribute__", "object", "super"])


# in_class(cls, name, default=None): what a class or its bases define by a name, as it is defined; the default if nothing.
in_class: Callable[..., Any] = core.in_class
# intercepts(cls): whether even to look at an instance of a class runs code of the user's.
intercepts: Callable[[type], bool] = core.intercepts


def defines(value: Any, name: str) -> bool:
    """Whether the class of a value has an attribute."""
    return in_class(type(value), name) is not None


def own_fields(owner: Any) -> Any:
    """What is in an object itself, found without calling a __getattr__ of the user's."""
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return ()


def field_values(owner: Any) -> Iterable[Any]:
    """What there is in the fields of an object itself."""
    fields = own_fields(owner)
    return fields.values() if isinstance(fields, dict) else ()


def renames(access: Any) -> bool:
    """Whether a __getattribute__ is the user's, but does no more than to ask for the attribute of another name: it makes no
    difference how often Python calls it."""
    if not isinstance(access, types.FunctionType) or access.__defaults__ or access.__kwdefaults__:
        return False
    code = access.__code__
    nested = any(isinstance(constant, types.CodeType) for constant in code.co_consts)
    return not nested and _RENAMING.issuperset(code.co_names) and set(code.co_freevars) <= {"__class__"}


core.provide_lookup(renames)


def opaque_method(cls: type) -> str | None:
    """A special method of a user's class that is no function, so that what Python calls by it is not followed; None if
    there is none."""
    for base in cls.__mro__:
        if core.can_change(base) and written_by_user(base.__module__):
            for name, value in vars(base).items():
                if name.startswith("__") and name.endswith("__") and name not in _DATA and _is_opaque(value):
                    return name
    return None


def is_settled(cls: type) -> bool:
    """Whether intercepts() and opaque_method() of a class change only with the class or its bases: the code of a function
    may change by itself, and so may the class of a value that is none of Python's own."""
    if isinstance(in_class(cls, "__getattribute__"), types.FunctionType):
        return False
    values = [value for base in cls.__mro__ for name, value in vars(base).items() if name.startswith("__")]
    return not any(core.can_change(type(value)) for value in values)


def _is_opaque(value: Any) -> bool:
    acts = callable(value) or in_class(type(value), "__get__") is not None
    return acts and not isinstance(value, _METHODS)
