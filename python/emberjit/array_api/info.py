"""What the namespace tells of itself: dtypes, devices, and what it can do.

Source: the Python array API standard, "Inspection".
"""

from __future__ import annotations

from typing import Any

from emberjit.array_api.array import DEVICE
from emberjit.array_api.dtypes import ALL, DEFAULTS, INDEX, isdtype, name_of
from emberjit.tensors.functions import check_device

__all__ = ["Info", "__array_namespace_info__"]

MOST_AXES = 8


class Info:
    """What __array_namespace_info__() gives."""

    def capabilities(self) -> dict[str, Any]:
        """Whether arrays are indexed by masks and have shapes that depend on values, and how many axes they have at most."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MOST_AXES}

    def default_device(self) -> str:
        """ "CPU"."""
        return DEVICE

    def devices(self) -> tuple[str, ...]:
        """("CPU",)."""
        return (DEVICE,)

    def default_dtypes(self, *, device: str | None = None) -> dict[str, Any]:
        """The dtypes of numbers without one, and of positions.

        Raises:
            ValueError: device is neither None nor "CPU".
        """
        check_device("default_dtypes", device)
        return {
            "real floating": DEFAULTS[float],
            "complex floating": DEFAULTS[complex],
            "integral": DEFAULTS[int],
            "indexing": INDEX,
        }

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, Any]:
        """Dtypes by name: all, or those of a kind, or of several in a tuple. See isdtype.

        Raises:
            ValueError: there is no kind of that name, or device is neither None nor "CPU".
        """
        check_device("dtypes", device)
        return {name_of(dtype): dtype for dtype in ALL if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__() -> Info:
    """What the namespace has: capabilities(), default_device(), default_dtypes(), devices() and dtypes()."""
    return Info()
