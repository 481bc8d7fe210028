"""What cells ask of the numbers that they are made with. An error names the cell and the argument."""

from __future__ import annotations

from typing import Any


def check_int(cell: str, name: str, value: Any, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{cell}', '{name}' must be an int, but got {value!r}.")
    if value < least:
        raise ValueError(f"For '{cell}', '{name}' must be at least {least}, but got {value}.")
    return value


def by_axis(cell: str, name: str, value: Any, axes: int, least: int = 1) -> tuple[int, ...]:
    """One int for all axes, or a tuple of one for each."""
    if not isinstance(value, tuple):
        return (check_int(cell, name, value, least),) * axes
    if len(value) != axes:
        raise ValueError(f"For '{cell}', '{name}' must be an int or a tuple of {axes}, but got {value}.")
    return tuple(check_int(cell, name, item, least) for item in value)


def check_pad_mode(cell: str, pad_mode: Any) -> None:
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(f"For '{cell}', 'pad_mode' must be 'same', 'valid' or 'pad', but got {pad_mode!r}.")


def check_padding(cell: str, padding: tuple[int, ...], pad_mode: str) -> None:
    """Of a pad_mode that check_pad_mode let pass, in either case of letters."""
    if pad_mode.lower() != "pad" and any(padding):
        raise ValueError(f"For '{cell}', 'padding' must be 0 unless 'pad_mode' is 'pad', which is {pad_mode!r}.")
