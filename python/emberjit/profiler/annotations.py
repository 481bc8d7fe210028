"""Marks and spans that a program puts into its profile."""

from __future__ import annotations

import time
from typing import Any

from emberjit import _emberjit as core
from emberjit.log import warning


class mstx:
    """Marks in a profile, of the program's own: they stand on the timeline beside ops and graphs. All its methods are
    static.

    Examples:
        >>> with ms.profiler.profile() as profiler:
        ...     span = ms.profiler.mstx.range_start("loading")
        ...     ms.profiler.mstx.mark("half", domain="data")
        ...     ms.profiler.mstx.range_end(span)
        >>> print("loading" in profiler.statistic())
        True
    """

    _open: dict[int, tuple[str, int]] = {}
    _latest = 0

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Marks a moment.

        Args:
            message: its name.
            stream: of another device; not read.
            domain: a name that goes before the message's, unless it is "default".
        """
        if (name := _name("mark", message, domain)) is not None:
            now = time.perf_counter_ns()
            core.add_span(name, now, now)

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Begins a span.

        Args:
            message: its name.
            stream: of another device; not read.
            domain: a name that goes before the message's, unless it is "default".

        Returns:
            The number of the span, for range_end(); 0 if the message or the domain is no name.
        """
        if (name := _name("range_start", message, domain)) is None:
            return 0
        mstx._latest += 1
        mstx._open[mstx._latest] = (name, time.perf_counter_ns())
        return mstx._latest

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """Ends a span.

        Args:
            range_id: the number that range_start() returned; another one is ignored.
            domain: of another device; not read.
        """
        if (span := mstx._open.pop(range_id, None)) is not None:
            core.add_span(*span, time.perf_counter_ns())


def _name(function: str, message: Any, domain: Any) -> str | None:
    if not isinstance(message, str) or not message or not isinstance(domain, str):
        warning(f"For 'mstx.{function}', 'message' and 'domain' must be strings, but got {message!r} and {domain!r}.")
        return None
    return message if domain == "default" else f"{domain}: {message}"
