"""How deep calls nest within a captured function. The limit is the user's (set_recursion_limit); the capturing
thread is given the recursions of Python that following that many calls takes. What nests deeper than that runs in Python,
and the functions that it calls do, too: each would only be captured down to the same limit.
"""

from __future__ import annotations

import _thread
import sys
from typing import Any

from emberjit import _emberjit as core
from emberjit import context

_FRAMES_PER_CALL = 40  # of Python's, that following one call takes
_MAX_CALLS = 1 << 20  # within each other, that Python's limit is set for


class _Depth(_thread._local):
    depth = limit = 0
    library = 0  # calls of libraries within each other, which may call back
    uncaptured = 0  # calls that go on in Python since they nest too deep to be captured


class CallDepthError(RecursionError):
    """Calls nest too deep to be captured."""


_current = _Depth()


def let_nest() -> int:
    """Lets calls of this thread nest as deep as the user wants; returns how many recursions that gave it."""
    _current.limit = context.get_context("max_call_depth")
    limit = 1000 + _FRAMES_PER_CALL * min(_current.limit, _MAX_CALLS)
    recursions = max(0, limit - sys.getrecursionlimit())
    core.give_recursions(recursions)
    return recursions


def too_deep(depth: int | str, reason: str | None = None) -> CallDepthError:
    """The error for calls that nest too deep."""
    text = (
        f"Exceed function call depth limit {context.get_context('max_call_depth')}, (function call depth: {depth}).\n"
        "It's always happened with complex construction of code or infinite recursion or loop.\n"
        "Please check the code if it's has the infinite recursion or call "
        "'mindspore.set_recursion_limit(recursion_limit=value)' to adjust this value."
    )
    if reason is not None:
        text += f"\nNo graph that calls itself can do what the function does: {reason}."
    return CallDepthError(text)


def _refused(depth: int, reason: str | None = None) -> CallDepthError:
    """The error, which the user's code handles in vain: Python's own limit is another one."""
    if (capture := core.current_capture()) is not None:
        capture.refused = True
    return too_deep(depth, reason)


class uncaptured:
    """An extent in which no call of this thread is captured."""

    def __enter__(self) -> None:
        _current.uncaptured += 1

    def __exit__(self, *_: Any) -> None:
        _current.uncaptured -= 1


def captures() -> bool:
    """Whether calls of this thread are to be captured."""
    return _current.uncaptured == 0


class nested:
    """One more call within the captured function; `reason`: why it is followed, though it calls itself.

    Raises:
        CallDepthError: calls nest deeper than set_recursion_limit allows.
    """

    def __init__(self, reason: str | None = None):
        self.reason = reason

    def __enter__(self) -> None:
        if _current.depth >= _current.limit or core.stack_is_short():
            raise _refused(_current.depth + 1, self.reason)
        _current.depth += 1

    def __exit__(self, *_: Any) -> None:
        _current.depth -= 1


def enter_library() -> None:
    """One more call of a library within the captured function, until leave_library().

    Raises:
        CallDepthError: as calls of the user's functions do.
    """
    if _current.library >= _current.limit > 0 or core.stack_is_short():
        raise _refused(_current.library + 1)
    _current.library += 1


def leave_library() -> None:
    """One call less."""
    _current.library -= 1
