"""The way into the compile cache, which loads the rest of it only where there is something to find or to store."""

from __future__ import annotations

import time
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.cache import files
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.context import CompileCache


def _policy() -> types.ModuleType:
    from emberjit.capture.cache import policy

    return policy


def find(cache: CompileCache, jitted: core.Jit, function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
    """An entry that another process has stored and that serves this call; None if there is none."""
    where = files.Folder(cache.folder, function)
    if not where.exists():
        return None
    return _policy().find(where, jitted, function, args, kwargs)


def storing(cache: CompileCache, function: Callable[..., Any]) -> Callable[..., Any]:
    """What does what core.add_entry does for a capture that begins now; the entry is stored, too, if it took its time."""
    began = time.perf_counter()

    def add_entry(jitted: core.Jit, *call: Any, **parts: Any) -> Any:
        entry = core.add_entry(jitted, *call, **parts)
        if time.perf_counter() - began >= cache.least_seconds:
            _, args, kwargs = call
            _, parts["constants"], _, parts["leaves"] = core.call_of(jitted, args, kwargs)
            _policy().store(files.Folder(cache.folder, function), jitted, function, entry, parts)
        return entry

    return add_entry
