"""Which `with` may swallow an error: one that only runs of the graph raise would get past it."""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit.capture.code.decoding import decoded, is_decodable

Asks = Callable[[types.CodeType], bool]


@functools.lru_cache(maxsize=1024)
def _lets_pass(code: types.CodeType) -> bool:
    """Whether a generator raises again what it handles."""
    if not is_decodable(code):
        return False
    instructions = decoded(code).instructions
    return all(instructions[at + 1].name == "RERAISE" for at, ins in enumerate(instructions) if ins.name == "POP_HANDLED")


@functools.lru_cache(maxsize=1024)
def _answers_nothing(code: types.CodeType) -> bool:
    """Whether a function returns None or False, if anything."""
    if not is_decodable(code):
        return False
    instructions = decoded(code).instructions
    targets = {ins.target for ins in instructions}
    returns = [at for at, ins in enumerate(instructions) if ins.name == "RETURN"]
    return all(
        at not in targets and instructions[at - 1].name == "LOAD_CONST" and not instructions[at - 1].operand
        for at in returns
    )


def may_swallow(leave: Any, lets_pass: Asks = _lets_pass, answers_nothing: Asks = _answers_nothing) -> bool:
    """Whether an `__exit__` may return something true; that of a file, a lock or another built-in object does not.

    Args:
        leave: the method, bound.
        lets_pass: tells of code whether a generator raises again what it handles.
        answers_nothing: likewise whether a function returns None or False, if anything.
    """
    manager: Any = getattr(leave, "__self__", None)
    if isinstance(manager, contextlib._GeneratorContextManager):
        generator: Any = manager.gen
        return not lets_pass(generator.gi_code)
    function = getattr(leave, "__func__", None)
    return isinstance(function, types.FunctionType) and not answers_nothing(function.__code__)


def check_manager(manager: Any) -> None:
    """Raises the TypeError of a `with` whose object is no context manager."""
    for name, missed in (("__enter__", ""), ("__exit__", " (missed __exit__ method)")):
        if not any(name in vars(base) for base in type(manager).__mro__):
            raise TypeError(f"{type(manager).__name__!r} object does not support the context manager protocol{missed}")
