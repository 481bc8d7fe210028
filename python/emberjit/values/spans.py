"""Ranges of memory that do not overlap."""

from __future__ import annotations

import bisect
from collections.abc import Iterable

Span = tuple[int, int]  # the first byte, and that after the last


class Spans:
    """A set of ranges.

    Args:
        spans: those that are there, which may overlap.
    """

    def __init__(self, spans: Iterable[Span]):
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            self._starts.append(start)
            self._ends.append(max(end, self._ends[-1]) if self._ends else end)

    def add(self, span: Span) -> bool:
        """Adds a range, if it overlaps none; whether it did."""
        start, end = span
        at = bisect.bisect_right(self._starts, start)
        before = at > 0 and start < self._ends[at - 1]
        if start < end and (before or (at < len(self._starts) and self._starts[at] < end)):
            return False
        self._starts.insert(at, start)
        self._ends.insert(at, max(end, self._ends[at - 1]) if at else end)
        return True
