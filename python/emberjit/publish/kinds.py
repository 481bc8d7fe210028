"""Kinds of parameters of compositions, as annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit._emberjit import Tensor, bfloat16, complex64, complex128, float16, float32, float64

Number = Any  # a Tensor, or a number, which promotes weakly
Ints = Any  # an int, or a tuple or list of ints
Tensors = Sequence[Tensor]
DType = Any

FLOATS = (float16, bfloat16, float32, float64)
COMPLEXES = (complex64, complex128)

__all__ = ["COMPLEXES", "FLOATS", "DType", "Ints", "Number", "Tensor", "Tensors"]
