"""What functions, Cells and datasets ask of arguments: one word a check, which returns the argument or refuses it.

The function, or what else has the argument, comes first, then the argument's name and value. Another type is a TypeError and
another value a ValueError, which name all three. A bool is an int only for check_instance()."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.values.dtypes import FLOATS

INT32_MAX = 2**31 - 1
MOST_STEPS = 1 << 20  # that Python takes one by one: of what a Tensor holds, memory is the limit
# How many numbers from 0 on each dtype has room for, one beside the other.
_ROOM = {
    **{core.int8: 1 << 7, core.uint8: 1 << 8, core.int16: 1 << 15, core.uint16: 1 << 16},
    **{core.int32: 1 << 31, core.uint32: 1 << 32},
    **{core.bfloat16: (1 << 8) + 1, core.float16: (1 << 11) + 1, core.float32: (1 << 24) + 1, core.float64: (1 << 53) + 1},
}


def _listed(words: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _refuse_type(function: str, name: str, value: Any, expected: str) -> TypeError:
    return TypeError(f"For '{function}', '{name}' must be {expected}, but got {value!r} of type {type(value).__name__}.")


def check_instance(function: str, name: str, value: Any, kinds: Any) -> Any:
    """An instance of a type, or of one of a tuple of types."""
    if not isinstance(value, kinds):
        several = kinds if isinstance(kinds, tuple) else (kinds,)
        expected = _listed(["None" if kind is type(None) else kind.__name__ for kind in several])
        raise _refuse_type(function, name, value, f"{'an' if expected[0] in 'AEIOUaeiou' else 'a'} {expected}")
    return value


def check_bool(function: str, name: str, value: Any) -> bool:
    """A bool."""
    if not isinstance(value, bool):
        raise _refuse_type(function, name, value, "a bool")
    return value


def check_callable(function: str, name: str, value: Any) -> Any:
    """A function, or what else can be called."""
    if not callable(value):
        raise _refuse_type(function, name, value, "a function")
    return value


def _range(least: Any, most: Any, above: Any, below: Any) -> str:
    low, high = least if above is None else above, most if below is None else below
    if low is not None and high is not None:
        return f"be within {'[' if above is None else '('}{low}, {high}{']' if below is None else ')'}"
    if low == 0:
        return "not be negative" if above is None else "be positive"
    if low is not None:
        return f"be at least {low}" if above is None else f"be greater than {low}"
    return f"be at most {high}" if below is None else f"be less than {high}"


def check_within(
    function: str, name: str, value: Any, least: Any = None, most: Any = None, *, above: Any = None, below: Any = None
) -> Any:
    """What lies within bounds, of which `least` and `most` are allowed themselves; NaN does not."""
    if (
        (least is not None and not value >= least)
        or (most is not None and not value <= most)
        or (above is not None and not value > above)
        or (below is not None and not value < below)
    ):
        raise ValueError(f"For '{function}', '{name}' must {_range(least, most, above, below)}, but got {value}.")
    return value


def check_int(function: str, name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """An int from the least to the most."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _refuse_type(function, name, value, "an int")
    if least is None or most is None:
        check_within(function, name, value, least, most)
    elif not least <= value <= most:
        raise ValueError(f"For '{function}', '{name}' must be an int from {least} to {most}, but got {value}.")
    return value


def check_int32(function: str, name: str, value: Any, least: int = 0, most: int = INT32_MAX) -> int:
    """An int that 32 bits hold, not negative where no other least is given."""
    return check_int(function, name, value, least, most)


def by_axis(function: str, name: str, value: Any, axes: int, least: int = 1, kinds: Any = (tuple, list)) -> tuple[int, ...]:
    """One int for all axes, or a tuple or list, as kinds say, of one for each."""
    if not isinstance(value, kinds):
        return (check_int(function, name, value, least),) * axes
    if len(value) != axes:
        raise ValueError(f"For '{function}', '{name}' must be an int or a tuple of {axes}, but got {value}.")
    return tuple(check_int(function, name, item, least) for item in value)


def check_float(
    function: str, name: str, value: Any, least: Any = None, most: Any = None, *, above: Any = None, below: Any = None
) -> float:
    """A float within bounds, as check_within() has them."""
    if not isinstance(value, float):
        raise _refuse_type(function, name, value, "a float")
    return float(check_within(function, name, value, least, most, above=above, below=below))


def check_number(
    function: str, name: str, value: Any, least: Any = None, most: Any = None, *, above: Any = None, below: Any = None
) -> float:
    """An int or a float within bounds, as check_within() has them."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _refuse_type(function, name, value, "a number")
    check_within(function, name, value, least, most, above=above, below=below)
    return value


def check_steps(function: str, name: str, count: int) -> None:
    """No more steps than anybody waits for."""
    check_within(function, name, count, most=MOST_STEPS)


def check_choice(function: str, name: str, value: Any, *choices: Any) -> Any:
    """One of several values."""
    if value not in choices:
        raise ValueError(f"For '{function}', '{name}' must be {_listed(list(map(repr, choices)))}, but got {value!r}.")
    return value


def check_index_type(function: str, name: str, dtype: Any) -> None:
    """A dtype of indices; another is a ValueError."""
    if dtype not in (core.int32, core.int64):
        raise ValueError(f"For '{function}', '{name}' must be int32 or int64, but got {dtype}.")


def check_room(function: str, what: str, count: int, dtype: Any) -> None:
    """A dtype that has room for the numbers 0 .. count - 1; another is a ValueError."""
    if count > _ROOM.get(dtype, count):
        raise ValueError(
            f"For '{function}', {what} are {count}, of which {dtype} can number {_ROOM[dtype]}: ask for another."
        )


def check_rank(function: str, name: str, tensor: Any, *ranks: int) -> None:
    """A Tensor of one of several numbers of axes."""
    if tensor.ndim not in ranks:
        expected = "one axis" if ranks == (1,) else f"{_listed(list(map(str, ranks)))} axes"
        raise ValueError(f"For '{function}', '{name}' must have {expected}, but its shape is {tuple(tensor.shape)}.")


def check_floating(function: str, **tensors: Any) -> None:
    """Tensors of floating point, by their names; None is left out."""
    for name, tensor in tensors.items():
        if tensor is not None and tensor.dtype not in FLOATS:
            raise TypeError(f"For '{function}', the dtype of '{name}' must be of floating point, but got {tensor.dtype}.")


def check_dtype(function: str, name: str, tensor: Any, *dtypes: Any) -> None:
    """A Tensor of one of several dtypes; another is a TypeError."""
    if tensor.dtype not in dtypes:
        expected = _listed([str(dtype).lower() for dtype in dtypes])
        raise TypeError(f"For '{function}', '{name}' must be {expected}, but got {tensor.dtype}.")


def check_shape(function: str, name: str, tensor: Any, shape: Any) -> None:
    """A Tensor of a shape, or None."""
    if tensor is not None and tuple(tensor.shape) != tuple(shape):
        raise ValueError(f"For '{function}', '{name}' must be of shape {tuple(shape)}, but is of {tuple(tensor.shape)}.")


def check_same_shape(function: str, **tensors: Any) -> None:
    """Two Tensors of one shape, by their names."""
    (first, a), (second, b) = tensors.items()
    if tuple(a.shape) != tuple(b.shape):
        raise ValueError(
            f"For '{function}', '{first}' and '{second}' must have one shape, but got {tuple(a.shape)} and {tuple(b.shape)}."
        )


def check_same_dtype(function: str, **tensors: Any) -> None:
    """Two Tensors of one dtype, by their names."""
    (first, a), (second, b) = tensors.items()
    if a.dtype != b.dtype:
        raise TypeError(f"For '{function}', '{first}' and '{second}' must have one dtype, but got {a.dtype} and {b.dtype}.")
