"""Which `with` may swallow an error, on versions of CPython whose bytecode is not decoded: the dis module tells."""

from __future__ import annotations

import dis
import functools
import types
from typing import Any

from emberjit.capture.code import context_managers

_CONSTANT = ("LOAD_CONST", "RETURN_CONST")


def may_swallow(leave: Any) -> bool:
    """Whether an `__exit__` may return something true."""
    return context_managers.may_swallow(leave, _lets_pass, _answers_nothing)


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
