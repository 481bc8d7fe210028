"""Primitive classes: ops.Add()(x, y). Made on demand, from the op table or from an adapter: attributes are given when the
primitive is made, everything else, in the order of the signature, when it is called.

An adapter is a function of which the positional parameters are the operands of a call, and the keyword-only ones the
attributes. Modules above register theirs (ops/adapters.py).
"""

from __future__ import annotations

import functools
import types
from typing import Any

from emberjit.primitives.names import PRIMITIVES

_MODULE = "emberjit.ops"  # which has the classes, also for pickle
_OPERANDS = ("tensor", "tensors", "number", "ref")


_adapters: dict[str, Any] = {}


class Primitive:
    """One op with its attributes fixed."""

    attribute_names: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    renamed: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any):
        name, names = type(self).__name__, self.attribute_names
        if len(args) > len(names):
            raise TypeError(f"{name}() takes {len(names)} arguments, but {len(args)} were given")
        self.attributes = dict(zip(names, args))
        for given, value in kwargs.items():
            key = self.renamed.get(given, given)
            if key not in names or key in self.attributes:
                problem = "an unexpected argument" if key not in names else "multiple values for argument"
                raise TypeError(f"{name}() got {problem} '{given}'")
            self.attributes[key] = value
        missing = [key for key in self.required if key not in self.attributes]
        if missing:
            raise TypeError(f"{name}() missing required arguments: {', '.join(missing)}")

    @property
    def name(self) -> str:
        """The name in graphs."""
        return type(self).__name__

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={value}" for key, value in self.attributes.items())
        return f"Prim[{self.name}]<{inner}>" if inner else f"Prim[{self.name}]"


class TablePrimitive(Primitive):
    """An op of the table."""

    op: Any
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.op.primitive)

    def __call__(self, *args: Any) -> Any:
        if not self.attributes and len(args) <= len(self.names):
            return self.op(*args)
        open_names = [name for name in self.names if name not in self.attributes]
        if len(args) > len(open_names):
            raise TypeError(f"{type(self).__name__}() takes {len(open_names)} operands, but {len(args)} were given")
        return self.op(**dict(zip(open_names, args)), **self.attributes)


class _AdaptedPrimitive(Primitive):
    adapter: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.adapter(*args, **kwargs, **self.attributes)


def _adapted(name: str, adapter: types.FunctionType) -> Any:
    code, defaults = adapter.__code__, adapter.__kwdefaults__ or {}
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    required = tuple(key for key in names if key not in defaults)
    fields = {
        "adapter": staticmethod(adapter),
        "attribute_names": names,
        "required": required,
        "__doc__": adapter.__doc__,
        "__module__": _MODULE,
    }
    return type(name, (_AdaptedPrimitive,), fields)


def register_adapters(adapters: dict[str, Any]) -> None:
    """Lets functions stand in for the ops of these primitives."""
    _adapters.update(adapters)


@functools.cache
def find(name: str) -> Any:
    """The class of a primitive, or None if there is no such op."""
    adapter = _adapters.get(name)
    if isinstance(adapter, types.FunctionType):
        return _adapted(name, adapter)
    op = PRIMITIVES.get(name)
    if op is None:
        return None
    params = op.params
    fields = {
        "op": staticmethod(op),
        "names": tuple(name for name, *_ in params),
        "attribute_names": tuple(name for name, kind, *_ in params if kind not in _OPERANDS),
        "renamed": {other: name for name, *_, others in params for other in others},
        "__doc__": op.__doc__,
        "__module__": _MODULE,
    }
    return type(name, (TablePrimitive,), fields)
