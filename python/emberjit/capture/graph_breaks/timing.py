"""Graphs or Python: which of them has been faster for a function that breaks."""

from __future__ import annotations

import math
import time

FIRST_CALLS, TIMED_CALLS = 8, 6
FIRST_PERIOD, LAST_PERIOD = 500, 1 << 16  # of calls, at whose beginning both are timed


class Choice:
    """Whichever has been faster. Both are timed once the graphs are there, and again now and then: ever less often while the
    same one wins."""

    def __init__(self) -> None:
        self.first, self.calls, self.period = FIRST_CALLS, 0, FIRST_PERIOD  # calls: of this period
        self.least = {True: math.inf, False: math.inf}
        self.winner: bool | None = None

    def graphs(self) -> bool:
        """Which way the next call goes."""
        if self.first > 0:
            self.first -= 1
            return True
        if self.calls == self.period:
            self.calls, self.least = 0, {True: math.inf, False: math.inf}
        self.calls += 1
        if self.timing():
            return self.calls % 2 == 0
        if self.calls == TIMED_CALLS + 1:
            winner = self.least[True] <= self.least[False]
            self.period = min(2 * self.period, LAST_PERIOD) if winner is self.winner else FIRST_PERIOD
            self.winner = winner
        return bool(self.winner)

    def timing(self) -> bool:
        """Whether the last call's time counts."""
        return self.calls <= TIMED_CALLS

    def rest(self) -> int:
        """How many calls to come go the way of the last one; they count as made."""
        left = self.period - self.calls
        self.calls = self.period
        return left

    def took(self, graphs: bool, start: float) -> None:
        """How long a call took that has just ended."""
        self.least[graphs] = min(self.least[graphs], time.perf_counter() - start)
