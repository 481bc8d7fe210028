"""Whether what runs now may be differentiated: on a tape, or in a graph whose gradient a capture wants."""

from __future__ import annotations

import _thread
from typing import Any

from emberjit import _emberjit as core


class _Depth(_thread._local):
    captured = 0


_depth = _Depth()


class differentiated:
    """An extent in which a graph is captured whose gradient is wanted."""

    def __enter__(self) -> None:
        _depth.captured += 1

    def __exit__(self, *_: Any) -> None:
        _depth.captured -= 1


def differentiating() -> bool:
    """Whether what runs now may be differentiated."""
    return bool(core.recording()) or (_depth.captured > 0 and core.current_capture() is not None)
