"""What arguments stand for: Tensors of data, one int or several, dtypes by name. Errors name the function, the argument
and its value."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_within
from emberjit.publish.kinds import COMPLEXES, FLOATS, Number, Tensor, Tensors
from emberjit.tensors.operands import as_tensor

_ops = core.ops


def tensors_of(function: str, value: Any) -> list[Any]:
    """The Tensors of a sequence, or of a Tensor its parts along the first axis.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, (tuple, list)) and not getattr(value, "ndim", 0):
        raise TypeError(f"For '{function}', a tuple or list of Tensors is needed, but got {value!r}.")
    return [as_tensor(item) for item in value]


def is_int(value: Any) -> bool:
    """Whether it is a number that is an int by its type, and no bool."""
    if isinstance(value, (bool, core.Tensor)):
        return False
    return isinstance(value, core.Number) or (hasattr(value, "__index__") and not getattr(value, "shape", ()))


def int_of(function: str, name: str, value: Any, least: int | None = None) -> Any:
    """An int, or that of a Tensor of one; in captured code one that comes with a call is as it is.

    Raises:
        TypeError: it is no int.
        ValueError: it is less than the least.
    """
    number: Any = value.item() if isinstance(value, core.Tensor) else value
    if not is_int(number):
        raise TypeError(f"For '{function}', '{name}' must be an int, but got {value!r}.")
    check_within(function, name, number, least)
    return number if isinstance(number, core.Number) else int(number)


def ints_of(function: str, name: str, value: Any, count: int | None = None, least: int | None = None) -> tuple[Any, ...]:
    """Ints of one, of a tuple or list, or of a Tensor of them; with a count that many, for which one int stands as well.

    Raises:
        TypeError: something else is among them.
        ValueError: there are not as many, or one is less than the least.
    """
    if isinstance(value, core.Tensor):
        value = value.tolist()
    items = tuple(value) if isinstance(value, (tuple, list)) else (value,) * (1 if count is None else count)
    if not all(map(is_int, items)):
        several = "a tuple of ints" if count is None else f"{count} of them"
        raise TypeError(f"For '{function}', '{name}' must be an int or {several}, but got {value!r}.")
    if count is not None and len(items) != count:
        raise ValueError(f"For '{function}', '{name}' must be one int or {count}, but got {value!r}.")
    if least is not None and any(item < least for item in items):
        raise ValueError(f"For '{function}', '{name}' must be at least {least}, but got {value!r}.")
    return items


def named_dtype(function: str, value: Any) -> Any:
    """A dtype by itself or by name, as numpy's functions take it: int is int32, and float float32.

    Raises:
        TypeError: there is none.
    """
    plain = {int: core.int32, float: core.float32, "int": core.int32, "float": core.float32, "uint": core.uint32}
    if isinstance(value, (type, str)) and value in plain:
        return plain[value]
    dtype = core._dtype(value) if isinstance(value, str) else core.dtype_of(value)
    if dtype is None:
        raise TypeError(f"For '{function}', 'dtype' must be a dtype, but got {value!r}.")
    return dtype


def portion_of(function: str, index: Tensor, src: Tensor) -> Any:
    """The leading part of src that has index's shape.

    Raises:
        ValueError: src is smaller along an axis, or of another rank.
    """
    if tuple(src.shape) == tuple(index.shape):
        return src
    if src.ndim != index.ndim or any(n < least for n, least in zip(src.shape, index.shape)):
        raise ValueError(
            f"For '{function}', 'src' must be at least as large as 'index' along each axis, but their shapes are "
            f"{tuple(src.shape)} and {tuple(index.shape)}."
        )
    return src[tuple(slice(n) for n in index.shape)]


def working(x: Tensor) -> Any:
    """x in the dtype that is computed in: float64 itself, anything else as float32."""
    return x if x.dtype in (core.float32, core.float64) else _ops.cast(x, core.float32)


def inexact(x: Tensor) -> Any:
    """x itself if it is of floats or of complex numbers, else as float32."""
    return x if x.dtype in (*FLOATS, *COMPLEXES) else _ops.cast(x, core.float32)


def holds_tensors(items: Any) -> bool:
    """Whether a Tensor or an array is among items."""
    return any(hasattr(item, "shape") for item in items)


def unpacked(arguments: tuple[Any, ...]) -> list[Any]:
    """Tensors that are given one by one, or all in one tuple or list."""
    alone = len(arguments) == 1 and isinstance(arguments[0], (tuple, list))
    return [as_tensor(item) for item in (arguments[0] if alone and holds_tensors(arguments[0]) else arguments)]


def as_tensors(values: Tensors) -> list[Any]:
    """The items, arrays and numbers as Tensors."""
    return [as_tensor(x) for x in values]


def times(x: Tensor, factor: Number) -> Any:
    """x * factor, where the factor 1 costs nothing."""
    return x if isinstance(factor, int) and factor == 1 else _ops.mul(x, factor)
