"""The way into the compile cache, which loads the rest of it only where there is something to find or to store."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.cache import files
from emberjit.context import CompileCache


def find(cache: CompileCache, jitted: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """An entry that another process has stored and that serves this call; None if there is none."""
    where = files.Folder(cache.folder, function)
    if not where.exists():
        return None
    from emberjit.capture.cache import policy

    return policy.find(where, jitted, function, args, kwargs)


def storing(cache: CompileCache, function: Any) -> Callable[..., Any]:
    """What does what core.add_entry does for a capture that begins now; the entry is stored, too, if it took its time."""
    began = time.perf_counter()

    def add_entry(jitted: Any, *call: Any, **found: Any) -> Any:
        entry = core.add_entry(jitted, *call, **found)
        if time.perf_counter() - began >= cache.least_seconds:
            from emberjit.capture.cache import policy

            _, args, kwargs = call
            _, found["constants"], _, found["leaves"] = core.call_of(jitted, args, kwargs)
            policy.store(files.Folder(cache.folder, function), jitted, function, entry, found)
        return entry

    return add_entry
