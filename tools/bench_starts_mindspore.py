"""The training steps of bench_starts.py in MindSpore: emberjit's, which are written for its API."""

from __future__ import annotations

import sys

import mindspore

sys.modules["emberjit"] = mindspore
from bench_starts_emberjit import step  # noqa: E402

__all__ = ["step"]
