"""Primitive classes: ops.Add()(x, y). Made on demand from the op table: what is an attribute of the op is given when the
primitive is made, the operands when it is called."""

from __future__ import annotations

import functools
from typing import Any

from emberjit import _emberjit as core

_OPERANDS = ("tensor", "tensors", "number", "ref")

# Primitives that MindSpore has under another name, or with other names of attributes.
RENAMED: dict[str, str] = {"RealDiv": "Div", "Pow": "Pow", "AddV2": "Add", "SubV2": "Sub"}
ATTRIBUTES: dict[str, dict[str, str]] = {
    "ReduceSum": {"keep_dims": "keepdims"},
    "ReduceMean": {"keep_dims": "keepdims"},
    "ReduceMax": {"keep_dims": "keepdims"},
    "ReduceMin": {"keep_dims": "keepdims"},
    "ReduceProd": {"keep_dims": "keepdims"},
}


class Primitive:
    """One op with its attributes fixed."""

    op: Any
    renamed: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any):
        attributes = [name for name, kind, *_ in self.op.params if kind not in _OPERANDS]
        if len(args) > len(attributes):
            raise TypeError(f"{type(self).__name__}() takes {len(attributes)} arguments, but {len(args)} were given")
        self.attributes = dict(zip(attributes, args))
        for name, value in kwargs.items():
            name = self.renamed.get(name, name)
            if name not in attributes:
                raise TypeError(f"{type(self).__name__}() got an unexpected argument '{name}'")
            self.attributes[name] = value
        self.operands = [name for name, kind, *_ in self.op.params if kind in _OPERANDS]

    @property
    def name(self) -> str:
        """The name in graphs."""
        return str(self.op.primitive)

    def __call__(self, *args: Any) -> Any:
        if len(args) <= len(self.operands):
            return self.op(**dict(zip(self.operands, args)), **self.attributes)
        rest = [name for name, *_ in self.op.params if name not in self.operands and name not in self.attributes]
        given = dict(zip(self.operands, args))
        given.update(zip(rest, args[len(self.operands) :]))
        return self.op(**given, **self.attributes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.attributes})"


@functools.cache
def _by_name() -> dict[str, Any]:
    return {op.primitive: op for op in core.op_table.values()}


@functools.cache
def find(name: str) -> Any:
    """The class of a primitive, or None if the table has no such op."""
    op = _by_name().get(RENAMED.get(name, name))
    if op is None:
        return None
    return type(name, (Primitive,), {"op": staticmethod(op), "renamed": ATTRIBUTES.get(name, {}), "__doc__": op.__doc__})
