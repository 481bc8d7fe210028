"""Functions of layers."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

__all__ = [*_NAMES["mint.nn.functional"]]
__getattr__, __dir__ = _lazy("mint.nn.functional", globals(), {})
