"""While a graph is captured, nothing else runs in its thread: the handler of a signal, or what the garbage collector
calls, would be captured, too, though no call of the graph leads to it. Signals are kept for their handlers till then;
Ctrl-C, unless there is a handler for it, comes at once.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from emberjit import _emberjit as core

_SIGNALS = sorted(_signal.valid_signals())


@contextmanager
def undisturbed() -> Iterator[None]:
    """Handlers of the signals that arrive meanwhile are called at the end."""
    arrived: list[tuple[int, Any]] = []
    handlers: dict[int, Callable[[int, Any], Any]] = {}
    collects = gc.isenabled()
    try:
        gc.disable()
        for signal in _SIGNALS:
            handler = _signal.getsignal(signal)
            if callable(handler) and handler is not _signal.default_int_handler:
                handlers[signal] = core.exchange_signal_handler(signal, lambda *signalled: arrived.append(signalled))
    except ValueError:
        pass  # another thread than the main one, in which no handler runs
    try:
        yield
    finally:
        if collects:
            gc.enable()
        for signal, handler in handlers.items():
            core.exchange_signal_handler(signal, handler)
        for signal, frame in arrived:
            handlers[signal](signal, frame)
