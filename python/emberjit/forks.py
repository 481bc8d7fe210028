"""What a forked child makes anew. It has but the thread that forked: a lock that another one held stays locked for ever,
and what another one was at is never ended. So a lock that outlives a call is a ForkLock, and state that other threads
share is put right by a function that in_child knows. The locks of modules are Python's: as modules load when first needed,
a fork waits for those that another thread imports; one that it began after that the child begins again."""

from __future__ import annotations

import _thread
import os
import sys
import time
from collections.abc import Callable
from typing import Any

_python: Any = sys.modules["_frozen_importlib"]
_renewals: list[Callable[[], None]] = []
_held: list[Any] = []  # by a thread that forks: the lock of NumPy's generator, of which initial weights are drawn
_ROOTS = ("emberjit", "numpy")  # of the modules that are loaded when first needed


def in_child(renew: Callable[[], None]) -> None:
    """Calls it in each child that is forked from now on, for ever, in the order in which they were given."""
    _renewals.append(renew)


def _renew() -> None:
    for renew in _renewals:
        renew()


class ForkLock:
    """A lock that a thread may take again. In a child it is free, or the forking thread's if that has it. It lives for
    ever."""

    def __init__(self) -> None:
        self._lock = _thread.RLock()
        in_child(self._renew)

    def _renew(self) -> None:
        if not self._lock._is_owned():  # type: ignore[attr-defined]
            self._lock = _thread.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _imports_of_others() -> list[Any]:
    """The locks of the modules that other threads import."""
    locks = [reference() for reference in list(_python._module_locks.values())]
    free = (None, _thread.get_ident())
    return [lock for lock in locks if lock and lock.name.split(".")[0] in _ROOTS and lock.owner not in free]


def _end_imports() -> None:
    """Waits for what other threads import, but not for ever: they may wait for what this thread has."""
    end = time.monotonic() + 1
    while _imports_of_others() and time.monotonic() < end:
        time.sleep(0.001)


def _forget_imports() -> None:
    for lock in _imports_of_others():
        sys.modules.pop(lock.name, None)
        _python._module_locks.pop(lock.name, None)


def _prepare() -> None:
    _end_imports()
    random = sys.modules.get("numpy.random")
    if random is not None:
        lock = random.get_bit_generator().lock
        if lock.acquire(timeout=1):
            _held.append(lock)


def _let_go() -> None:
    while _held:
        _held.pop().release()


in_child(_let_go)
in_child(_forget_imports)
os.register_at_fork(before=_prepare, after_in_parent=_let_go, after_in_child=_renew)
