"""What arguments stand for: Tensors of data, one int or several, dtypes by name. Errors name the function, the argument
and its value."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_within
from emberjit.publish.kinds import COMPLEXES, FLOATS, Number, Tensor, Tensors
from emberjit.tensors.operands import as_tensor

_ops = core.ops


def tensors_of(function: str, given: Any) -> list[Any]:
    """The Tensors of a sequence, or of a Tensor its parts along the first axis.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(given, (tuple, list)) and not getattr(given, "ndim", 0):
        raise TypeError(f"For '{function}', a tuple or list of Tensors is needed, but got {given!r}.")
    return [as_tensor(item) for item in given]


def is_int(value: Any) -> bool:
    """Whether it is a number that is an int by its type, and no bool."""
    return not isinstance(value, (bool, core.Tensor)) and (isinstance(value, core.Number) or hasattr(value, "__index__"))


def int_of(function: str, name: str, value: Any, least: int | None = None) -> Any:
    """An int, or that of a Tensor of one; in captured code one that comes with a call is as it is.

    Raises:
        TypeError: it is no int.
        ValueError: it is less than the least.
    """
    found: Any = value.item() if isinstance(value, core.Tensor) else value
    if not is_int(found):
        raise TypeError(f"For '{function}', '{name}' must be an int, but got {value!r}.")
    check_within(function, name, found, least)
    return found if isinstance(found, core.Number) else int(found)


def ints_of(function: str, name: str, value: Any) -> tuple[Any, ...]:
    """Ints of one, of a tuple or list, or of a Tensor of them.

    Raises:
        TypeError: something else is among them.
    """
    found = value.tolist() if isinstance(value, core.Tensor) else value
    items = tuple(found) if isinstance(found, (tuple, list)) else (found,)
    if not all(map(is_int, items)):
        raise TypeError(f"For '{function}', '{name}' must be an int or a tuple of ints, but got {value!r}.")
    return items


def named_dtype(function: str, value: Any) -> Any:
    """A dtype by itself or by name, as numpy's functions take it: int is int32, and float float32.

    Raises:
        TypeError: there is none.
    """
    plain = {int: core.int32, float: core.float32, "int": core.int32, "float": core.float32, "uint": core.uint32}
    if isinstance(value, (type, str)) and value in plain:
        return plain[value]
    found = core._dtype(value) if isinstance(value, str) else core.dtype_of(value)
    if found is None:
        raise TypeError(f"For '{function}', 'dtype' must be a dtype, but got {value!r}.")
    return found


def portion_of(function: str, index: Tensor, src: Tensor) -> Any:
    """The leading part of src that has index's shape.

    Raises:
        ValueError: src is smaller along an axis, or of another rank.
    """
    if tuple(src.shape) == tuple(index.shape):
        return src
    if src.ndim != index.ndim or any(n < wanted for n, wanted in zip(src.shape, index.shape)):
        raise ValueError(
            f"For '{function}', 'src' must be at least as large as 'index' along each axis, but their shapes are "
            f"{tuple(src.shape)} and {tuple(index.shape)}."
        )
    return src[tuple(slice(n) for n in index.shape)]


def working(x: Any) -> Any:
    """x in the dtype that is computed in: float64 itself, anything else as float32."""
    return x if x.dtype in (core.float32, core.float64) else _ops.cast(x, core.float32)


def inexact(x: Any) -> Any:
    """x itself if it is of floats or of complex numbers, else as float32."""
    return x if x.dtype in (*FLOATS, *COMPLEXES) else _ops.cast(x, core.float32)


def whole_numbers(function: str, name: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """`count` ints of an int for all, a tuple, a list or a Tensor.

    Raises:
        TypeError: they are no ints.
        ValueError: there are not as many, or one is too small.
    """
    if isinstance(value, core.Tensor):
        value = value.tolist()
    items = tuple(value) if isinstance(value, (tuple, list)) else (value,) * count
    if not all(isinstance(item, (int, core.Number)) and not isinstance(item, bool) for item in items):
        raise TypeError(f"For '{function}', '{name}' must be an int or {count} of them, but got {value!r}.")
    if len(items) != count:
        raise ValueError(f"For '{function}', '{name}' must be one int or {count}, but got {value!r}.")
    if any(item < least for item in items):
        raise ValueError(f"For '{function}', '{name}' must be at least {least}, but got {value!r}.")
    return items


def holds_tensors(items: Any) -> bool:
    """Whether a Tensor or an array is among items."""
    return any(hasattr(item, "shape") for item in items)


def unpacked(given: tuple[Any, ...]) -> list[Any]:
    """Tensors that are given one by one, or all in one tuple or list."""
    alone = len(given) == 1 and isinstance(given[0], (tuple, list))
    return [as_tensor(item) for item in (given[0] if alone and holds_tensors(given[0]) else given)]


def as_tensors(given: Tensors) -> list[Any]:
    """The items, arrays and numbers as Tensors."""
    return [as_tensor(x) for x in given]


def times(x: Tensor, factor: Number) -> Any:
    """x * factor, where the factor 1 costs nothing."""
    return x if isinstance(factor, int) and factor == 1 else _ops.mul(x, factor)
