"""What the module numpy has beside functions: dtypes, of which int and float have 32 bits, constants, and grids."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import bool_, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64
from emberjit.functions.creation.ranges import numpy_arange, numpy_linspace
from emberjit.functions.shapes.combinations import meshgrid

__all__ = [
    "NINF",
    "PINF",
    "bool_",
    "float16",
    "float32",
    "float64",
    "float_",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "int_",
    "mgrid",
    "nan",
    "ogrid",
    "pi",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]
int_, uint, float_ = int32, uint32, float32
inf = PINF = math.inf
NINF, nan, pi = -math.inf, math.nan, math.pi


class Grid:
    """Coordinates by slices: grid[start:stop:step, ...]. A step that is imaginary, 5j, says how many numbers there are from
    start to stop, both included.

    Args:
        sparse: whether the coordinates along each axis keep size 1 along the others, and are given in a list.
    """

    def __init__(self, sparse: bool):
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """Of one slice its coordinates; of several those along all axes."""
        if not isinstance(key, tuple):
            return _coordinates(key)
        coordinates = [_coordinates(one) for one in key]
        kind = float32 if any(x.dtype == float32 for x in coordinates) else int32
        grid = meshgrid([core.ops.cast(x, kind) for x in coordinates], "ij", self.sparse)
        return [*grid] if self.sparse else core.ops.stack(grid, 0)


def _coordinates(key: Any) -> Any:
    if not isinstance(key, slice) or key.stop is None:
        raise TypeError(f"a grid is indexed by slices that have a stop, but got {key!r}.")
    start = 0 if key.start is None else key.start
    if isinstance(key.step, complex):
        return numpy_linspace(start, key.stop, int(abs(key.step)))
    return numpy_arange(start, key.stop, key.step)


mgrid, ogrid = Grid(False), Grid(True)
