"""Transforms of sound, and the choices that they are given."""

from __future__ import annotations

from emberjit.dataset.audio import transforms as _transforms
from emberjit.dataset.audio import utils as _utils
from emberjit.dataset.audio.transforms import *  # noqa: F403
from emberjit.dataset.audio.utils import *  # noqa: F403

__all__ = [*_transforms.__all__, *_utils.__all__]
