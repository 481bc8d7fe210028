"""How often a miss is captured once a function has as many graphs as it may have: what graphs depend on and changes all the
time is to cost eager's time then, and not a capture each."""

from __future__ import annotations

from emberjit import _emberjit as core

EAGER_MISSES = 15  # between two captures


class Backoff:
    """The misses of one function."""

    def __init__(self) -> None:
        self.captures = self.skipped = 0

    def skips(self) -> bool:
        """Whether this miss is not captured."""
        if self.captures >= core.MAX_GRAPHS and self.skipped < EAGER_MISSES:
            self.skipped += 1
            return True
        self.captures, self.skipped = self.captures + 1, 0
        return False
