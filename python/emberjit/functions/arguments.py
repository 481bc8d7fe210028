"""What arguments stand for: Tensors of data, one int or several, dtypes by name. Errors name the function, the argument
and its value."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Tensor
from emberjit.tensors.operands import as_tensor


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
    if least is not None and found < least:
        raise ValueError(f"For '{function}', '{name}' must be at least {least}, but got {found}.")
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
