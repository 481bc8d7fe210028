"""Kinds of parameters of compositions, as annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit._emberjit import Tensor, bfloat16, float16, float32, float64

Number = Any  # a Tensor, or a number, which promotes weakly
Ints = Any  # an int, or a tuple or list of ints
Tensors = Sequence[Tensor]
DType = Any

FLOATS = (float16, bfloat16, float32, float64)

__all__ = ["FLOATS", "DType", "Ints", "Number", "Tensor", "Tensors"]
