"""The transforms under the name that MindSpore 1 had them by."""

from __future__ import annotations

from emberjit.dataset.transforms.transforms import *  # noqa: F403
