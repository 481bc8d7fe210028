"""Functions that are no single op of the table."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core


def select(condition: Any, input: Any, other: Any) -> Any:
    """Elements of input where condition is true, of other elsewhere.

    Args:
        condition: a bool Tensor, or a bool.
        input, other: Tensors or numbers; shapes broadcast.
    """
    return core.op_table["select"](condition, input, other)


def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0.

    Args:
        start, end, step: ints, or floats, which make the result float32.
        dtype: of the result.

    Raises:
        ValueError: step is 0, or leads away from end.
    """
    if end is None:
        start, end = 0, start
    real = any(isinstance(value, float) for value in (start, end, step))
    return core.op_table["arange_float" if real else "arange"](start, end, step, dtype=dtype)


def depend(value: Any, expr: Any) -> Any:
    """Answers value; effects before it stay before what uses it, as they do anyway."""
    return value


class Depend:
    """The primitive of depend."""

    def __call__(self, value: Any, expr: Any) -> Any:
        return depend(value, expr)


def tuple_to_array(values: Any) -> Any:
    """A 1-D Tensor of a tuple of numbers."""
    return core.Tensor(list(values))
