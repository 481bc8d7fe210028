"""What cells ask of the numbers that they are made with. An error names the cell and the argument."""

from __future__ import annotations

from typing import Any

from emberjit.functions import checks
from emberjit.functions.checks import check_int

__all__ = ["by_axis", "check_int", "check_pad_mode", "check_padding"]


def by_axis(cell: str, name: str, value: Any, axes: int, least: int = 1) -> tuple[int, ...]:
    """One int for all axes, or a tuple of one for each; a list is refused, as MindSpore's cells do."""
    return (check_int(cell, name, value),) if isinstance(value, list) else checks.by_axis(cell, name, value, axes, least)


def check_pad_mode(cell: str, pad_mode: Any) -> None:
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(f"For '{cell}', 'pad_mode' must be 'same', 'valid' or 'pad', but got {pad_mode!r}.")


def check_padding(cell: str, padding: tuple[int, ...], pad_mode: str) -> None:
    """Of a pad_mode that check_pad_mode let pass, in either case of letters."""
    if pad_mode.lower() != "pad" and any(padding):
        raise ValueError(f"For '{cell}', 'padding' must be 0 unless 'pad_mode' is 'pad', which is {pad_mode!r}.")
