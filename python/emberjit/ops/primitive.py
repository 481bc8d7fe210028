"""What MindSpore has in mindspore.ops.primitive."""

from __future__ import annotations

from emberjit.common.decorators import constexpr
from emberjit.primitives.primitive import Primitive, PrimitiveWithInfer, prim_attr_register

__all__ = ["Primitive", "PrimitiveWithInfer", "constexpr", "prim_attr_register"]
