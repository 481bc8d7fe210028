"""Exchange of Tensors with other libraries."""

from __future__ import annotations

from emberjit.tensors.functions import from_dlpack, to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
