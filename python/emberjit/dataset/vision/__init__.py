"""Transforms of images, and images as files."""

from __future__ import annotations

from emberjit.dataset.vision.transforms import *  # noqa: F403
from emberjit.dataset.vision.transforms import __all__ as __all__
