"""Linear algebra whose names and parameters are SciPy's."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

__all__ = [*_NAMES["scipy.linalg"]]
__getattr__, __dir__ = _lazy("scipy.linalg", globals(), {})
