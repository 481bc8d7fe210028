"""Transforms of any arrays, and what combines them."""

from __future__ import annotations

from emberjit.dataset.transforms.transforms import *  # noqa: F403
from emberjit.dataset.transforms.transforms import __all__ as __all__
