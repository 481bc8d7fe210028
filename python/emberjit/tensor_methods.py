"""Methods of Tensor whose arguments differ from the op's, as MindSpore has them."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core

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
    """Converted to a dtype."""
    return _ops["cast"](self, dtype)


def _copy(self: Any) -> Any:
    """A Tensor with memory of its own."""
    if core.is_captured(self):
        return self + 0
    return core.Tensor(self)


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
    self._replace(core.Tensor(data))
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


def _extreme(op: str, arg: str) -> Any:
    def method(self: Any, axis: Any = None, keepdims: bool = False, *, keep_dims: bool | None = None) -> Any:
        return _ops[op](self, axis, keepdims if keep_dims is None else keep_dims)

    method.__doc__ = f"The {arg} along axes; of all elements without."
    return method


def _fold(op: str) -> Any:
    def method(self: Any, axis: Any = None, keepdims: bool = False, *, keep_dims: bool | None = None, **rest: Any) -> Any:
        if "dtype" in rest and rest["dtype"] is not None:
            self = _ops["cast"](self, rest.pop("dtype"))
        return _ops[op](self, axis, keepdims if keep_dims is None else keep_dims)

    method.__doc__ = _ops[op].__doc__
    return method


def _swapaxes(self: Any, axis0: int, axis1: int) -> Any:
    """Two axes exchanged."""
    order = list(range(self.ndim))
    order[axis0], order[axis1] = order[axis1], order[axis0]
    return _ops["transpose"](self, tuple(order))


_METHODS: dict[str, Any] = {
    "reshape": _reshape,
    "view": _reshape,
    "transpose": _transpose,
    "permute": _permute,
    "broadcast_to": _broadcast_to,
    "swapaxes": _swapaxes,
    "astype": _astype,
    "to": _astype,
    "copy": _copy,
    "__copy__": _copy,
    "__deepcopy__": lambda self, memo: self.clone() if isinstance(self, core.Parameter) else _copy(self),
    "set_data": _set_data,
    "clone": lambda self, *a, **k: _clone(self, *a, **k) if isinstance(self, core.Parameter) else _copy(self),
    "value": _value,
    "__iter__": _iterate,
    "float": lambda self: _astype(self, core.float32),
    "int": lambda self: _astype(self, core.int32),
    "half": lambda self: _astype(self, core.float16),
    "long": lambda self: _astype(self, core.int64),
    "bool": lambda self: _astype(self, core.bool_),
}
for _name, _op in (("sum", "sum"), ("mean", "mean"), ("prod", "prod")):
    if _op in _ops:
        _METHODS[_name] = _fold(_op)
for _name, _op in (("max", "amax"), ("min", "amin")):
    if _op in _ops:
        _METHODS[_name] = _extreme(_op, "largest" if _name == "max" else "smallest")

for _name, _method in _METHODS.items():
    core.set_tensor_attribute(_name, _method)
