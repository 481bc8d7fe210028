"""Copies of objects, by copy and by pickle, also to other processes: a Tensor by its elements, a Parameter with its name,
requires_grad and attributes, an op by its name, a jitted function by reference where its module has it under its name, as
Python's own functions are, and else by the function that it jits.
"""

from __future__ import annotations

import copy
import copyreg
import sys
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.transform import compiled

_ops = core.op_table


def _restored(cls: Any, dtype: Any, shape: tuple[int, ...], data: bytes, *named: Any) -> Any:
    kind: Any = core.Parameter if named else core.Tensor
    return kind.__new__(cls, core.tensor_from_bytes(dtype, shape, data), *named)


def _fields(tensor: Any) -> dict[str, Any]:
    return getattr(tensor, "__dict__", None) or {}


def _named(tensor: Any) -> tuple[Any, ...]:
    return (tensor.name, tensor.requires_grad) if isinstance(tensor, core.Parameter) else ()


def reduce(self: Any) -> Any:
    """How pickle makes the Tensor again: without its history of gradients, and without hooks."""
    data = self.get_bytes()
    return _restored, (type(self), self.dtype, tuple(self.shape), data, *_named(self)), _fields(self) or None


def shallow(self: Any) -> Any:
    """A Tensor of the same class with memory of its own; of a Parameter with its name, requires_grad and attributes."""
    if core.is_captured(self):
        return _ops["identity"](self)
    if type(self) is core.Tensor:
        return core.Tensor(self)
    kind: Any = core.Parameter if isinstance(self, core.Parameter) else core.Tensor
    made = kind.__new__(type(self), self, *_named(self))
    if _fields(self):
        made.__dict__.update(_fields(self))
    return made


def deep(self: Any, memo: dict[int, Any]) -> Any:
    """The same, with copies of attributes."""
    made = memo[id(self)] = shallow(self)
    if _fields(made):
        made.__dict__.update(copy.deepcopy(_fields(self), memo))
    return made


def _op(name: str) -> Any:
    return _ops[name]


def _jitted(function: Any, capture_mode: str, fullgraph: bool, eager: bool) -> Any:
    return compiled(function, capture_mode, fullgraph, eager)


def _found(module: str, path: str) -> Any:
    found: Any = sys.modules.get(module)
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


def _reduce_jit(jitted: Any) -> Any:
    path = getattr(jitted, "__qualname__", None)
    if path is not None and _found(jitted.__module__, path) is jitted:
        return path
    return _jitted, (jitted.__wrapped__, *jitted.options)


copyreg.pickle(type(_ops["add"]), lambda op: (_op, (op.__name__,)))
copyreg.pickle(core.Jit, _reduce_jit)
