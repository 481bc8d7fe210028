"""When calls that find no graph are captured. Graphs that depend on what changes all the time are not used again: from then
on captures are to take a small part of the time that the function takes in Python, and a smaller one for each capture that
has not paid.
"""

from __future__ import annotations

from emberjit import _emberjit as core

FREE_CAPTURES = 6  # at first
HITS_EACH = 16  # further ones, if graphs are used that often
LEFT_OUT = 15  # else: misses between two captures,
PYTHON_EACH = 10  # or the time in Python, in times of a capture; twice that after another one, and so on
MAX_PYTHON = 1.0  # second
MAX_PLAIN_CALLS = 1 << 20


class Backoff:
    """The misses of one function."""

    def __init__(self, free: int = FREE_CAPTURES) -> None:
        self.free, self.captures, self.left_out = free, 0, 0
        self.seconds = 0.0  # of the last capture
        self.hits, self.python_each = 0, PYTHON_EACH  # at the last capture; since then

    def skips(self, hits: int) -> bool:
        """Whether this miss is not captured. hits: how many calls graphs have run."""
        free = self.captures < self.free
        used = free or (hits >= HITS_EACH * self.captures and self.captures < core.MAX_GRAPHS)
        if used or self.left_out >= LEFT_OUT:
            pays = free or hits - self.hits >= HITS_EACH
            self.python_each = PYTHON_EACH if pays else min(2 * self.python_each, MAX_PLAIN_CALLS)
            self.captures, self.left_out, self.hits = self.captures + 1, 0, hits
            return False
        self.left_out += 1
        return True

    def plain_calls(self, seconds: float) -> int:
        """How many calls to come are Python's after one that took so long there; the next miss is captured then."""
        self.left_out = LEFT_OUT
        return min(MAX_PLAIN_CALLS, int(min(MAX_PYTHON, self.python_each * self.seconds) / max(seconds, 1e-7)))
