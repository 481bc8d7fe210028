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
