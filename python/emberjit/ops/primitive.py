"""What MindSpore has in mindspore.ops.primitive."""

from __future__ import annotations

from emberjit.common.decorators import constexpr
from emberjit.primitives.primitive import Primitive

__all__ = ["Primitive", "constexpr"]
