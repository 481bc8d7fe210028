"""What functions of layers ask of their arguments. An error names the function, the argument and its value."""

from __future__ import annotations

from typing import Any

from emberjit.publish.kinds import FLOATS


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
        wanted = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        raise ValueError(f"For '{function}', '{name}' must be {wanted}, but got {value!r}.")


def check_probability(function: str, name: str, value: Any) -> None:
    """Refuses what is outside [0, 1].

    Raises:
        ValueError: it is outside.
    """
    if not 0 <= value <= 1:
        raise ValueError(f"For '{function}', '{name}' must be within [0, 1], but got {value}.")
