"""What captured code assigns to."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import in_class
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.guards.mutation import class_name, refused
from emberjit.capture.session.session import current_session

STRUCTURE = frozenset(["__class__", "__dict__", "__code__", "__defaults__", "__kwdefaults__", "__closure__"])


class _Contents:
    """A Cell where a Parameter of it is assigned to, which changes the Parameter's contents."""

    __slots__ = ("_cell",)

    def __init__(self, cell: Any):
        object.__setattr__(self, "_cell", cell)

    def __getattr__(self, name: str) -> Any:
        return read_attribute(self._cell, name)

    def __setattr__(self, name: str, value: Any) -> None:
        parameter = vars(self._cell)["_params"][name]  # itself, whatever construct finds in its place
        if value is parameter:
            return
        session = current_session()
        replaced = session is not None and session.may_be_parameter(value)
        if replaced or not isinstance(value, (core.Tensor, core.Number, int, float)):
            raise self._refused(name)
        if core.has_views(parameter):
            raise self._refused(name, ", of which there are views,")
        if isinstance(value, core.Tensor):
            value = core.ops.cast(value, parameter.dtype)
        core.ops.assign(parameter, value)

    def __delattr__(self, name: str) -> None:
        raise self._refused(name)

    def _refused(self, name: str, why: str = "") -> core.CaptureError:
        return refused(f"attribute '{name}'{why} of a {class_name(self._cell)}")


def check_target(owner: Any, what: str) -> Any:
    """The object of an assignment to an attribute or, if `what` is "[]", an item; refused if it is external, unless what
    is assigned to is a Parameter of a Cell."""
    session = current_session()
    if session is None:
        return owner
    if what in STRUCTURE:
        raise core.CaptureError(f"'{what}' of a {class_name(owner)} is assigned, which a graph does not follow.")
    if id(owner) in session.created or (what == "[]" and id(owner) not in session.external):
        _check_descriptor(owner, what)
        return owner
    if _is_parameter(owner, what):
        return _Contents(owner)
    raise refused(f"{'an item' if what == '[]' else 'attribute ' + repr(what)} of a {class_name(owner)}")


def _is_parameter(owner: Any, name: str) -> bool:
    """Whether an attribute is a Parameter of a Cell, which the Cell assigns to as all Cells do."""
    setter = in_class(type(owner), "__setattr__")
    held = vars(owner).get("_params", {}) if getattr(setter, "__module__", "") == "emberjit.nn.cell.cell" else {}
    return isinstance(held.get(name), core.Parameter)


def _check_descriptor(owner: Any, name: str) -> None:
    """Refuses to assign an attribute by something that is not followed."""
    described = in_class(type(owner), name)
    for value, method in ((owner, "__setattr__"), (owner, "__delattr__"), (described, "__set__"), (described, "__delete__")):
        if not isinstance(in_class(type(value), method), (types.FunctionType, types.WrapperDescriptorType, type(None))):
            raise core.CaptureError(f"attribute '{name}' of a {class_name(owner)} is assigned by what cannot be followed.")


def check_augmented(owner: Any, value: Any) -> Any:
    """The right side of `owner += value`, which changes some objects in place."""
    session = current_session()
    if session is not None and id(owner) in session.external and hasattr(owner, "__iadd__"):
        raise refused(f"a {type(owner).__name__}")
    return value
