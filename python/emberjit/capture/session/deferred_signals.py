"""While a graph is captured, nothing else runs in its thread: the handler of a signal, or what the garbage collector
calls, would be captured, too, though no call of the graph leads to it. Signals arrive at the end
(python/src/module/signals.cpp). What their handlers raise comes out of the extent then, so an `except` for what a capture
raises belongs within it.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.forks import in_child


def deferred_signals() -> Any:
    """An extent in which no handler of a signal runs."""
    return core.Undisturbed(None)


in_child(core.renew_signals)
