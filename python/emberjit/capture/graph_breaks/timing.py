"""Graphs or Python: which of them has been faster for a function that breaks.

Both are timed in turn once the graphs are there, and again at the beginning of each period: ever less often while the same
one wins, and so that timing costs little of a period's time: n calls that took t_loser each lose n (t_loser - t_winner).
"""

from __future__ import annotations

import time

FIRST_CALLS, TIMED_CALLS = 8, 6
FIRST_PERIOD, LAST_PERIOD = 500, 1 << 16  # of calls
LOST_SHARE = 0.01  # of a period's time, where that makes it longer
CLEARLY = 8  # times as slow: a loser that is not timed again


class Choice:
    """Whichever has been faster."""

    def __init__(self) -> None:
        self.first = FIRST_CALLS
        self.period, self.winner = FIRST_PERIOD, True
        self.least: dict[bool, float] = {}  # seconds, where both ways have been timed
        self._begin()

    def _begin(self) -> None:
        self.calls, self.timed = 0, TIMED_CALLS  # calls: of this period
        self.times: dict[bool, list[float]] = {True: [], False: []}

    def graphs(self) -> bool:
        """Which way the next call goes."""
        if self.first > 0:
            self.first -= 1
            return True
        if self.calls >= self.period:
            self._begin()
        self.calls += 1
        if self.timing():
            return self.calls % 2 == 0
        if self.calls == self.timed + 1:
            self._decide()
        return self.winner

    def timing(self) -> bool:
        """Whether the last call's time counts."""
        return 0 < self.calls <= self.timed

    def is_settled(self) -> bool:
        """Whether the rest of the period goes the way of the last call."""
        return self.calls > self.timed

    def rest(self) -> int:
        """How many calls to come go the way of the last one."""
        return self.period - self.calls

    def skip(self) -> None:
        """These count as made."""
        self.calls = self.period

    def took(self, graphs: bool, start: float) -> None:
        """How long a call took that has just ended."""
        if not self.timing():
            return
        self.times[graphs].append(time.perf_counter() - start)
        if graphs and self.times[False] and self.times[True][-1] > CLEARLY * min(self.times[False]):
            self.timed = self.calls

    def _decide(self) -> None:
        if not (self.times[True] and self.times[False]):
            return
        least = self.least = {graphs: min(times) for graphs, times in self.times.items()}
        winner = least[True] <= least[False]
        lost = sum(self.times[not winner]) - len(self.times[not winner]) * least[winner]
        grown = min(2 * self.period, LAST_PERIOD) if winner is self.winner else FIRST_PERIOD
        self.period = max(grown, int(lost / (LOST_SHARE * max(least[winner], 1e-7))))
        self.winner = winner
