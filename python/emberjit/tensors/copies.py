"""Copies of objects, by copy and by pickle, also to other processes: a Tensor by its elements, a Parameter with its name,
requires_grad and attributes, an op by its name, a jitted function by reference where its module has it under its name, as
Python's own functions are, and else by the function that it jits.
"""

from __future__ import annotations

import copy
import copyreg
import pickle
import sys
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.transform import compiled
from emberjit.checks import check_instance

_ops = core.ops
_Tensor: Any = core.Tensor
_Parameter: Any = core.Parameter
_nothing = core.tensor_from_bytes(core.float32, (0,), b"")


def rebuild_tensor(
    cls: Any, dtype: Any, shape: Any, data: Any, name: str | None = None, requires_grad: bool | None = None
) -> Any:
    """A Tensor of what a pickle holds of it, by its class's __new__ alone.

    Args:
        cls: Tensor, Parameter, or a class that inherits from one.
        dtype: of the elements.
        shape: a tuple of ints.
        data: the elements in row-major order, contiguous bytes. A buffer from outside the pickle (PEP 574) is shared
            if it may be written and is aligned; what is read-only, or in the pickle (bytes, bytearray), is copied.
        name, requires_grad: of a Parameter alone.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the bytes are not as many as the elements, or there are more than 8 axes.
    """
    if not isinstance(cls, type) or not issubclass(cls, core.Tensor):
        raise TypeError(f"For 'rebuild_tensor', 'cls' must be a class of Tensors, but got {cls!r}.")
    check_instance("rebuild_tensor", "dtype", dtype, core.dtype)
    if not isinstance(shape, tuple) or not all(type(size) is int for size in shape):
        raise TypeError(f"For 'rebuild_tensor', 'shape' must be a tuple of ints, but got {shape!r}.")
    tensor = core.tensor_from_bytes(dtype, shape, memoryview(data), shared=not isinstance(data, (bytes, bytearray)))
    if not issubclass(cls, core.Parameter):
        return tensor if cls is core.Tensor else _Tensor.__new__(cls, _nothing)._replace(tensor)
    if not isinstance(name, str) or not isinstance(requires_grad, bool):
        raise TypeError(
            f"For 'rebuild_tensor', a Parameter has a 'name', a str, and 'requires_grad', a bool, but got {name!r} and "
            f"{requires_grad!r}."
        )
    return _Parameter.__new__(cls, _nothing, name, requires_grad)._replace(tensor)


def _fields(tensor: core.Tensor) -> dict[str, Any]:
    return getattr(tensor, "__dict__", None) or {}


def _parameter_fields(tensor: core.Tensor) -> tuple[Any, ...]:
    return (tensor.name, tensor.requires_grad) if isinstance(tensor, core.Parameter) else ()


def _reduced(tensor: core.Tensor, data: Any) -> Any:
    parts = (type(tensor), tensor.dtype, tuple(tensor.shape), data, *_parameter_fields(tensor))
    return rebuild_tensor, parts, _fields(tensor) or None


def reduce(self: core.Tensor) -> Any:
    """How pickle makes the Tensor again: without its history of gradients, and without hooks."""
    return _reduced(self, self.get_bytes())


def reduce_ex(self: core.Tensor, protocol: int) -> Any:
    """The same; from protocol 5 on by a buffer over the memory of contiguous elements, which may stay outside the pickle."""
    if protocol < 5 or type(self).__reduce__ is not _Tensor.__reduce__:
        return self.__reduce__()
    return _reduced(self, pickle.PickleBuffer(core.bytes_of(self)))


def shallow(self: core.Tensor) -> Any:
    """A Tensor of the same class with memory of its own; of a Parameter with its name, requires_grad and attributes."""
    if core.is_captured(self):
        return _ops.identity(self)
    if type(self) is core.Tensor:
        return core.Tensor(self)
    kind: Any = core.Parameter if isinstance(self, core.Parameter) else core.Tensor
    tensor = kind.__new__(type(self), self, *_parameter_fields(self))
    if _fields(self):
        tensor.__dict__.update(_fields(self))
    return tensor


def deep(self: core.Tensor, memo: dict[int, Any]) -> Any:
    """The same, with copies of attributes."""
    tensor = memo[id(self)] = shallow(self)
    if _fields(tensor):
        tensor.__dict__.update(copy.deepcopy(_fields(self), memo))
    return tensor


def _op(name: str) -> Any:
    return core.op_table[name]


def _jitted(function: Any, capture_mode: str, fullgraph: bool, eager: bool, dynamic: bool) -> Any:
    return compiled(function, capture_mode, fullgraph, eager, dynamic)


def _lookup(module: str, path: str) -> Any:
    value: Any = sys.modules.get(module)
    for name in path.split("."):
        value = getattr(value, name, None)
    return value


def _reduce_jit(jitted: Any) -> Any:
    path = getattr(jitted, "__qualname__", None)
    if path is not None and _lookup(jitted.__module__, path) is jitted:
        return path
    return _jitted, (jitted.__wrapped__, *jitted.options, jitted.dynamic)


copyreg.pickle(type(_ops.add), lambda op: (_op, (op.__name__,)))
copyreg.pickle(core.Jit, _reduce_jit)
