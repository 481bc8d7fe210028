"""Layers whose names and parameters are PyTorch's."""

from __future__ import annotations

from emberjit.nn.declared import cell as _cell
from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {"functional": "emberjit.mint.nn.functional"}
__all__ = [*_NAMES["mint.nn"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("mint.nn", globals(), _ELSEWHERE, _cell)
