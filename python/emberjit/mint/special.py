"""Special functions."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

__all__ = [*_NAMES["mint.special"]]
__getattr__, __dir__ = _lazy("mint.special", globals(), {})
