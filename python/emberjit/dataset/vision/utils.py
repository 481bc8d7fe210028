"""The choices, and images as files, under the name that MindSpore has them by."""

from __future__ import annotations

from emberjit.dataset.vision.codec import *  # noqa: F403
from emberjit.dataset.vision.kinds import *  # noqa: F403
