"""What MindSpore has in mindspore.ops.primitive."""

from __future__ import annotations

from emberjit.language.decorators import constexpr
from emberjit.primitives.primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    prim_arg_register,
    prim_attr_register,
)

__all__ = ["Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "constexpr", "prim_arg_register", "prim_attr_register"]
