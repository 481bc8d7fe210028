"""PyTorch's OpenMP threads, which spin for a while after each of its parallel ops and take cores from a graph that follows:
they are let go before a graph runs, by omp_pause_resource_all (OpenMP 5.0, 3.2.43), and PyTorch's next such op makes them
anew."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

_RUNTIMES = ("libgomp.so.1", "libiomp5.so", "libomp.so")  # of which PyTorch has loaded one
_SOFT = 1  # what has been set stays so


def _loaded() -> Callable[[int], Any]:
    for name in _RUNTIMES:
        try:
            pause: Callable[[int], Any] = ctypes.CDLL(name, mode=os.RTLD_NOLOAD).omp_pause_resource_all
        except (OSError, AttributeError):
            continue
        return pause
    return lambda kind: None


def _keep_after_fork() -> None:
    """A child has none of the threads that its parent's runtime knows of, and would wait for them."""
    global _pause
    _pause = lambda kind: None


_pause = _loaded()
os.register_at_fork(after_in_child=_keep_after_fork)


def let_go() -> None:
    """Ends the threads that wait for this thread's next parallel op. Within one it does nothing."""
    _pause(_SOFT)
