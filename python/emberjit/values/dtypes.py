"""Conversion of nested values."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.values import tree

FLOATS = (core.float16, core.bfloat16, core.float32, core.float64)


def cast(value: Any, dtype: Any) -> Any:
    """A value with its Tensors of floating point, also in tuples, lists and dicts, in a dtype."""
    convert = core.ops.cast
    return tree.rebuild(
        value, lambda leaf: convert(leaf, dtype) if isinstance(leaf, core.Tensor) and leaf.dtype in FLOATS else leaf
    )
