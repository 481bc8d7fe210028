"""What functions ask of their arguments. An error names the function, the argument and its value."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import FLOATS

MOST_STEPS = 1 << 20  # that Python takes one by one: of what a Tensor holds, memory is the limit


# How many numbers from 0 on each dtype has room for, one beside the other.
_ROOM = {
    **{core.int8: 1 << 7, core.uint8: 1 << 8, core.int16: 1 << 15, core.uint16: 1 << 16},
    **{core.int32: 1 << 31, core.uint32: 1 << 32},
    **{core.bfloat16: (1 << 8) + 1, core.float16: (1 << 11) + 1, core.float32: (1 << 24) + 1, core.float64: (1 << 53) + 1},
}


def check_room(function: str, what: str, count: int, dtype: Any) -> None:
    """
    Raises:
        ValueError: dtype has no room for the numbers 0 .. count - 1.
    """
    if count > _ROOM.get(dtype, count):
        raise ValueError(
            f"For '{function}', {what} are {count}, of which {dtype} can number {_ROOM[dtype]}: ask for another."
        )


def check_steps(function: str, name: str, count: int) -> None:
    """Refuses an argument that asks for more steps than anybody waits for.

    Raises:
        ValueError: it does.
    """
    if count > MOST_STEPS:
        raise ValueError(f"For '{function}', '{name}' must be at most {MOST_STEPS}, but got {count}.")


def check_floating(function: str, **tensors: Any) -> None:
    """Refuses Tensors that are not of floating point; None is left out.

    Raises:
        TypeError: another dtype.
    """
    for name, tensor in tensors.items():
        if tensor is not None and tensor.dtype not in FLOATS:
            raise TypeError(f"For '{function}', the dtype of '{name}' must be of floating point, but got {tensor.dtype}.")


def check_same_shape(function: str, **tensors: Any) -> None:
    """Refuses two Tensors of different shapes.

    Raises:
        ValueError: they differ.
    """
    (first, a), (second, b) = tensors.items()
    if tuple(a.shape) != tuple(b.shape):
        raise ValueError(
            f"For '{function}', '{first}' and '{second}' must have one shape, but got {tuple(a.shape)} and {tuple(b.shape)}."
        )


def check_same_dtype(function: str, **tensors: Any) -> None:
    """Refuses two Tensors of different dtypes.

    Raises:
        TypeError: they differ.
    """
    (first, a), (second, b) = tensors.items()
    if a.dtype != b.dtype:
        raise TypeError(f"For '{function}', '{first}' and '{second}' must have one dtype, but got {a.dtype} and {b.dtype}.")


def check_rank(function: str, name: str, tensor: Any, *ranks: int) -> None:
    """Refuses a Tensor of another number of axes.

    Raises:
        ValueError: it has none of these.
    """
    if tensor.ndim not in ranks:
        wanted = " or ".join(map(str, ranks))
        raise ValueError(f"For '{function}', '{name}' must have {wanted} axes, but its shape is {tuple(tensor.shape)}.")


def check_choice(function: str, name: str, value: Any, *choices: Any) -> None:
    """Refuses what is not one of several values.

    Raises:
        ValueError: it is none of them.
    """
    if value not in choices:
        *some, last = map(repr, choices)
        wanted = f"{', '.join(some)} or {last}" if some else last
        raise ValueError(f"For '{function}', '{name}' must be {wanted}, but got {value!r}.")


def check_index_type(function: str, name: str, dtype: Any) -> None:
    """Refuses what is no dtype of indices.

    Raises:
        ValueError: it is neither int32 nor int64.
    """
    if dtype not in (core.int32, core.int64):
        raise ValueError(f"For '{function}', '{name}' must be int32 or int64, but got {dtype}.")


def check_number(function: str, name: str, value: Any) -> None:
    """Refuses what is no number.

    Raises:
        TypeError: it is neither an int nor a float.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"For '{function}', '{name}' must be an int or a float, but got {value!r}.")


def check_probability(function: str, name: str, value: Any) -> None:
    """Refuses what is outside [0, 1].

    Raises:
        ValueError: it is outside.
    """
    if not 0 <= value <= 1:
        raise ValueError(f"For '{function}', '{name}' must be within [0, 1], but got {value}.")


def check_int(function: str, name: str, value: Any, least: int = 1) -> int:
    """An int that is at least another.

    Raises:
        TypeError: it is no int.
        ValueError: it is less.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{function}', '{name}' must be an int, but got {value!r}.")
    if value < least:
        raise ValueError(f"For '{function}', '{name}' must be at least {least}, but got {value}.")
    return value


def by_axis(function: str, name: str, value: Any, axes: int, least: int = 1) -> tuple[int, ...]:
    """One int for all axes, or a tuple or list of one for each.

    Raises:
        TypeError: something else than ints.
        ValueError: another number of them, or one is less than the least.
    """
    if not isinstance(value, (tuple, list)):
        return (check_int(function, name, value, least),) * axes
    if len(value) != axes:
        raise ValueError(f"For '{function}', '{name}' must be an int or a tuple of {axes}, but got {value}.")
    return tuple(check_int(function, name, item, least) for item in value)
