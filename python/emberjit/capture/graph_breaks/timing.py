"""Graphs or Python: which of them has been faster for a function that breaks."""

from __future__ import annotations

import math
import time

FIRST_CALLS, TIMED_CALLS, TIMED_AGAIN = 8, 6, 500


class Choice:
    """Graphs or Python: whichever has been faster. Both are timed once the graphs are there, and again now and then."""

    def __init__(self) -> None:
        self.calls = 0
        self.least = {True: math.inf, False: math.inf}

    def graphs(self) -> bool:
        """Which way the next call goes."""
        self.calls += 1
        if self.calls <= FIRST_CALLS:
            return True
        if (self.calls - FIRST_CALLS) % TIMED_AGAIN == 0:
            self.least = {True: math.inf, False: math.inf}
        if self.timing():
            return self.calls % 2 == 0
        return self.least[True] <= self.least[False]

    def timing(self) -> bool:
        """Whether the last call's time counts."""
        return (self.calls - FIRST_CALLS) % TIMED_AGAIN < TIMED_CALLS

    def rest(self) -> int:
        """How many calls to come go the way of the last one; they count as made."""
        left = TIMED_AGAIN - 1 - (self.calls - FIRST_CALLS) % TIMED_AGAIN
        self.calls += left
        return left

    def took(self, graphs: bool, start: float) -> None:
        """How long a call took that has just ended."""
        self.least[graphs] = min(self.least[graphs], time.perf_counter() - start)
