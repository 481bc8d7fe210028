"""Linear algebra whose names and parameters are PyTorch's."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

__all__ = [*_NAMES["mint.linalg"]]
__getattr__, __dir__ = _lazy("mint.linalg", globals(), {})
