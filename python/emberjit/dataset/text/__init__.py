"""Transforms of text, and vocabularies."""

from __future__ import annotations

from emberjit.dataset.text import transforms as _transforms
from emberjit.dataset.text import utils as _utils
from emberjit.dataset.text.transforms import *  # noqa: F403
from emberjit.dataset.text.utils import *  # noqa: F403

__all__ = [*_transforms.__all__, *_utils.__all__]
