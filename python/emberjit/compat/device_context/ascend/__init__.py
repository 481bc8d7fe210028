"""Devices that are not supported."""

from __future__ import annotations

import sys


def is_available() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


device = sys.modules[__name__]  # the submodule that MindSpore has these in
