"""Operations whose names and parameters are PyTorch's."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {"linalg": "emberjit.mint.linalg", "nn": "emberjit.mint.nn", "special": "emberjit.mint.special"}
__all__ = [*_NAMES["mint"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("mint", globals(), _ELSEWHERE)
