"""Which `with` may swallow an error: one that only runs of the graph raise would get past it."""

from __future__ import annotations

import contextlib
import dis
import functools
import types
from typing import Any

_CONSTANT = ("LOAD_CONST", "RETURN_CONST")


def may_swallow(leave: Any) -> bool:
    """Whether an `__exit__` may return something true; that of a file, a lock or another built-in object does not."""
    manager: Any = getattr(leave, "__self__", None)
    if isinstance(manager, contextlib._GeneratorContextManager):
        generator: Any = manager.gen
        return not _lets_pass(generator.gi_code)
    function = getattr(leave, "__func__", None)
    return isinstance(function, types.FunctionType) and not _answers_nothing(function.__code__)


@functools.lru_cache(maxsize=1024)
def _lets_pass(code: types.CodeType) -> bool:
    """Whether a generator raises again what it handles."""
    found = list(dis.get_instructions(code))
    return all(found[at + 1].opname == "RERAISE" for at, ins in enumerate(found) if ins.opname == "POP_EXCEPT")


@functools.lru_cache(maxsize=1024)
def _answers_nothing(code: types.CodeType) -> bool:
    """Whether a function returns None or False, if anything."""
    found = list(dis.get_instructions(code))
    for at, ins in enumerate(found):
        constant = ins
        if ins.opname == "RETURN_VALUE" and not ins.is_jump_target:
            constant = found[at - 1]
        if ins.opname.startswith("RETURN_") and (constant.opname not in _CONSTANT or constant.argval):
            return False
    return True
