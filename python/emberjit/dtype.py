"""Element types, by MindSpore's names."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import (
    bfloat16,
    bool_,
    complex64,
    complex128,
    dtype,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    int4,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

half = float16
double = float64
int_ = int64
float_ = float32
Type = dtype

__all__ = [
    "Type",
    "bfloat16",
    "bool_",
    "complex128",
    "complex64",
    "double",
    "dtype",
    "dtype_to_nptype",
    "float16",
    "float8_e4m3fn",
    "float8_e5m2",
    "float32",
    "float64",
    "float_",
    "half",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "pytype_to_dtype",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


def pytype_to_dtype(kind: Any) -> Any:
    """The dtype of a Python or NumPy type.

    Raises:
        TypeError: it has none.
    """
    found = core.dtype_of(kind)
    if found is None:
        raise TypeError(f"there is no dtype for {kind!r}")
    return found


def dtype_to_nptype(kind: Any) -> Any:
    """NumPy's type of a dtype; bfloat16 has none.

    Raises:
        TypeError: it has none.
    """
    import numpy as np

    name = str(kind).lower()
    if name == "bfloat16":
        raise TypeError("NumPy has no bfloat16")
    return np.dtype("bool" if name == "bool" else name).type
