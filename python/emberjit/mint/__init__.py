"""Operations whose names and parameters are PyTorch's."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {name: f"emberjit.mint.{name}" for name in ("linalg", "nn", "optim", "special")}
_ELSEWHERE["distributed"] = "emberjit.compat.communication.distributed"
__all__ = [*_NAMES["mint"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("mint", globals(), _ELSEWHERE)
