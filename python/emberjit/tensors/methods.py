"""Methods of Tensor: the ops of the table that are (Flag::Method), and those whose arguments differ from the op's."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.ops import composite
from emberjit.primitives.names import FUNCTIONS
from emberjit.tensors import copies, numpy_protocol
from emberjit.transforms import tensor_hooks

_ops = core.op_table


def _sizes(args: tuple[Any, ...]) -> tuple[int, ...]:
    if len(args) == 1 and isinstance(args[0], (tuple, list, core.Tensor)):
        return tuple(args[0])
    return args


def _reshape(self: Any, *shape: Any) -> Any:
    """The same elements under another shape, of which one size may be -1."""
    return _ops["reshape"](self, _sizes(shape))


def _transpose(self: Any, *axes: Any) -> Any:
    """Axes in another order; without arguments reversed."""
    order = _sizes(axes) or tuple(range(self.ndim))[::-1]
    return _ops["transpose"](self, order)


def _permute(self: Any, *axes: Any) -> Any:
    """Axes in another order."""
    return _ops["transpose"](self, _sizes(axes))


def _broadcast_to(self: Any, *shape: Any) -> Any:
    """Repeated along axes of size 1."""
    return _ops["broadcast_to"](self, _sizes(shape))


def _astype(self: Any, dtype: Any, copy: bool = True) -> Any:
    """Converted to a dtype, which may be given by name ("int32"); of this dtype and with copy=False, itself."""
    named = core._dtype(dtype) if isinstance(dtype, str) else None
    if not copy and self.dtype == (dtype if named is None else named):
        return self
    return _ops["cast"](self, dtype if named is None else named)


def _copy(self: Any) -> Any:
    """A Tensor with memory of its own."""
    return _ops["identity"](self) if core.is_captured(self) else core.Tensor(self)


def _set_data(self: Any, data: Any, slice_shape: bool = False) -> Any:
    """Gives a Parameter another value of the same dtype and shape.

    Raises:
        ValueError: another shape, unless slice_shape.
        TypeError: no Tensor.
    """
    if not isinstance(data, core.Tensor):
        data = core.Tensor(data)
    if tuple(data.shape) != tuple(self.shape) and not slice_shape:
        raise ValueError(
            f"Can not change the shape of Parameter '{self.name}' from {tuple(self.shape)} to {tuple(data.shape)}: "
            "give data of the same shape, or set slice_shape."
        )
    if data.dtype != self.dtype:
        data = _ops["cast"](data, self.dtype)
    if core.current_capture() is None:
        self._replace(core.Tensor(data))
    elif tuple(data.shape) == tuple(self.shape):
        _ops["assign"](self, data)
    else:
        raise core.CaptureError(f"the shape of Parameter '{self.name}' is changed, which a graph cannot do.")
    return self


def _clone(self: Any, init: Any = "same", name: str | None = None) -> Any:
    """A new Parameter. init: "same" copies, "zeros" or "ones" fill, a number fills."""
    data = self if init == "same" else _ops["full_like"](self, {"zeros": 0, "ones": 1}.get(init, init))
    return core.Parameter(core.Tensor(data), name or self.name, self.requires_grad)


def _value(self: Any) -> Any:
    """The Parameter's value as a plain Tensor."""
    return _copy(self)


def _iterate(self: Any) -> Any:
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return (self[i] for i in range(self.shape[0]))


def _extreme(name: str) -> Any:
    def method(
        self: Any,
        *args: Any,
        axis: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
        return_indices: bool = False,
        dim: Any = None,
        keepdim: bool = False,
        keep_dims: bool | None = None,
        out: None = None,
    ) -> Any:
        if out is not None:
            raise TypeError(f"{name}() takes no 'out': a Tensor is returned.")
        whole = not args or not isinstance(args[0], int)
        if not whole or dim is not None or return_indices:
            along = args[0] if args else axis if dim is None else dim
            keeps = args[1] if len(args) > 1 else keepdim or keepdims or bool(keep_dims)
            return getattr(composite, name)(self, along, keeps, initial=initial, where=where)
        along = args[0] if args else axis
        keeps = args[1] if len(args) > 1 else keepdims if keep_dims is None else keep_dims
        return _ops[f"a{name}"](self, along, keeps, initial, where)

    method.__name__ = name
    method.__doc__ = (
        f"The {name}imum. {name}() of all elements, {name}(axis=..., keepdims=...) along axes; {name}(dim, keepdim) with an "
        f"int, and {name}(axis=..., return_indices=True), give (values, indices)."
    )
    return method


def _found_with_value(op: str) -> Any:
    def method(self: Any, axis: int = 0, keep_dims: bool = False) -> Any:
        return _ops[op](self, axis, keep_dims)

    method.__doc__ = f"(value, index): {_ops[op].__doc__}"
    return method


def _swapaxes(self: Any, axis0: int, axis1: int) -> Any:
    """Two axes exchanged. An axis beyond the Tensor's is a ValueError."""
    for axis in (axis0, axis1):
        if not -self.ndim <= axis < self.ndim:
            raise ValueError(f"For 'swapaxes', axis {axis} is out of range for shape {tuple(self.shape)}.")
    order = list(range(self.ndim))
    order[axis0], order[axis1] = order[axis1], order[axis0]
    return _ops["transpose"](self, tuple(order))


def _flatten(self: Any, order: str = "C", *, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Axes from start_dim to end_dim as one."""
    return _ops["flatten"](self, order, start_dim, end_dim)


def _where(self: Any, condition: Any, y: Any) -> Any:
    """Elements of this Tensor where condition is true, of y elsewhere."""
    return _ops["select"](condition, self, y)


def _select(self: Any, axis: Any, index: Any) -> Any:
    """The elements at one index of an axis; or, with a bool Tensor or bool first, as where."""
    if isinstance(axis, (core.Tensor, bool)):
        return _ops["select"](axis, self, index)
    return _ops["select_at"](self, index, axis)


def _index_select(self: Any, axis: int, index: Any) -> Any:
    """The slices along an axis that a 1-d integer Tensor names."""
    return _ops["gather"](self, index, axis)


def _stride(self: Any, dim: int | None = None) -> Any:
    """Elements from one index to the next, of each axis or of one."""
    steps = tuple(n // self.itemsize for n in self.strides)
    return steps if dim is None else steps[dim]


def _new(value: int) -> Any:
    def method(self: Any, size: Any, dtype: Any = None) -> Any:
        shape = tuple(size) if isinstance(size, (tuple, list)) else (size,)
        return _ops["full"](shape, value, self.dtype if dtype is None else dtype)

    method.__doc__ = f"A Tensor of {'ones' if value else 'zeros'} with this one's dtype unless another is given."
    return method


def _documented(text: str, method: Any) -> Any:
    method.__doc__ = text
    return method


_METHODS: dict[str, Any] = {
    **{name: op for name, op in FUNCTIONS.items() if op.flags["method"]},
    "flatten": _flatten,
    "ravel": _documented("All elements in one axis.", lambda self: _ops["reshape"](self, (-1,))),
    "where": _where,
    "select": _select,
    "index_select": _index_select,
    "chunk": _documented(
        "At most `chunks` pieces of one size along an axis.",
        lambda self, chunks, axis=0: composite.chunk(self, chunks, axis),
    ),
    "unbind": _documented("The slices along an axis.", lambda self, dim=0: composite.unbind(self, dim)),
    "mm": _documented("The product of two matrices.", lambda self, mat2: composite.mm(self, mat2)),
    "stride": _stride,
    "dim": _documented("The number of axes.", lambda self: self.ndim),
    "numel": _documented("The number of elements.", lambda self: self.size),
    "expand_as": _documented(
        "Repeated along axes of size 1 to the shape of other.", lambda self, other: _ops["broadcast_to"](self, other.shape)
    ),
    "view_as": _documented(
        "The same elements under the shape of other.", lambda self, other: _ops["reshape"](self, other.shape)
    ),
    "reshape_as": _documented(
        "The same elements under the shape of other.", lambda self, other: _ops["reshape"](self, other.shape)
    ),
    "new_zeros": _new(0),
    "new_ones": _new(1),
    "fill": _documented(
        "A Tensor of this shape and dtype and of one value.", lambda self, value: _ops["full_like"](self, value)
    ),
    "is_floating_point": _documented("Whether the dtype is of floating point.", lambda self: "Float" in str(self.dtype)),
    "argmax_with_value": _found_with_value("max_with_index"),
    "argmin_with_value": _found_with_value("min_with_index"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "reshape": _reshape,
    "view": _reshape,
    "transpose": _transpose,
    "permute": _permute,
    "broadcast_to": _broadcast_to,
    "swapaxes": _swapaxes,
    "astype": _astype,
    "to": _astype,
    "copy": _copy,
    "__copy__": copies.shallow,
    "__deepcopy__": copies.deep,
    "__reduce__": copies.reduce,
    "set_data": _set_data,
    "register_hook": tensor_hooks.register,
    "clone": _documented(
        "A copy; of a Parameter a new one: clone(init, name).",
        lambda self, *a, **k: _clone(self, *a, **k) if isinstance(self, core.Parameter) else _copy(self),
    ),
    "value": _value,
    "__iter__": _iterate,
    "__array_ufunc__": numpy_protocol.array_ufunc,
    "__array_function__": numpy_protocol.array_function,
    "__array_priority__": 1000,
    "float": _documented("Converted to float32.", lambda self: _astype(self, core.float32)),
    "int": _documented("Converted to int32.", lambda self: _astype(self, core.int32)),
    "half": _documented("Converted to float16.", lambda self: _astype(self, core.float16)),
    "long": _documented("Converted to int64.", lambda self: _astype(self, core.int64)),
    "bool": _documented("Converted to bool.", lambda self: _astype(self, core.bool_)),
}


def _named(name: str, method: Any) -> Any:
    """The method by the name that users call it by, in tracebacks and in errors."""
    if not isinstance(method, types.FunctionType):
        return method
    code = method.__code__.replace(co_name=name)
    named = types.FunctionType(code, method.__globals__, name, method.__defaults__, method.__closure__)
    named.__kwdefaults__, named.__doc__, named.__annotations__ = (
        method.__kwdefaults__,
        method.__doc__,
        method.__annotations__,
    )
    return named


for _name, _method in _METHODS.items():
    core.set_tensor_attribute(_name, _named(_name, _method))
