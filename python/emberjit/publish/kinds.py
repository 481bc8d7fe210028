"""Kinds of parameters of compositions, as annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit._emberjit import Tensor, complex64, complex128
from emberjit.values.dtypes import FLOATS

Number = Any  # a Tensor, or a number, which promotes weakly
Ints = Any  # an int, or a tuple or list of ints
Tensors = Sequence[Tensor]
DType = Any

COMPLEXES = (complex64, complex128)

__all__ = ["COMPLEXES", "FLOATS", "DType", "Ints", "Number", "Tensor", "Tensors"]
