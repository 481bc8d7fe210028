"""Functions that call themselves where a Tensor decides whether they do.

To follow call by call would never end: a graph holds both sides of a condition. So where a function is called that is
being followed already, and a condition has been met since, and nothing that Python knows of the arguments has changed,
the capture begins anew, and calls of that function become calls of shared subgraphs, of which one calls itself.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.graph import shared_subgraphs
from emberjit.capture.session.call_depth import nested
from emberjit.capture.session.errors import RecursionFound
from emberjit.capture.session.session import Session, current_session
from emberjit.values import tree

MAX_FOLLOWED = 100  # calls of a function within each other, of those that can become no graph which calls itself


class Call(NamedTuple):
    """A call that is being followed, and the graph that it began in."""

    level: int
    arguments: Any


def run_call(
    code: types.CodeType, function: Callable[..., Any], args: Args, kwargs: Kwargs, run: Callable[[Any, Any], Any]
) -> Any:
    """Runs the call of a function into the current graph, as `run` does or by a call of a graph."""
    session = current_session()
    if session is None or core.current_capture() is None:
        return run(args, kwargs)
    with nested(session.changing.get(code)):
        if code in session.recursive and session.recursive[code] is None:
            try:
                return shared_subgraphs.through(session, function, args, kwargs, False, run)
            except shared_subgraphs.Unshared as error:
                session.recursive[code] = str(error)
                raise RecursionFound() from None
        calls = session.calls.setdefault(code, [])
        arguments = [list(args), kwargs]
        level = core.current_capture().level()
        if calls and calls[-1].level != level:
            _check(session, code, calls, arguments)
        calls.append(Call(level, arguments))
        try:
            return run(args, kwargs)
        finally:
            calls.pop()


def _check(session: Session, code: types.CodeType, calls: list[Call], now: Any) -> None:
    """Begins the capture anew if a call of a function within another cannot be told from that."""
    why = session.recursive.get(code)
    if len(calls) >= MAX_FOLLOWED:
        raise core.CaptureError(
            "a Tensor decides how often a function calls itself, which cannot be captured into a graph, since "
            f"{why or 'what Python knows of its arguments changes'}: return what is new, or decide by a Python value."
        )
    before = calls[-1].arguments
    if why is not None or tree.structure(before) != tree.structure(now):
        return
    pairs = [(old, new, _type(old), _type(new)) for old, new in zip(tree.leaves(before), tree.leaves(now))]
    if not all((a is not None and b is not None) or old is new or core.same(old, new) for old, new, a, b in pairs):
        return  # to Python they differ
    changed = next(((a, b) for *_, a, b in pairs if a is not None and a != b and not a.agrees(b)), None)
    if changed is not None:
        session.changing[code] = f"an argument changes from {changed[0]} to {changed[1]}"
        return
    session.recursive[code] = None
    raise RecursionFound()


def _type(value: Any) -> Any:
    """The type of what a graph computes; None for what Python knows."""
    return core.current_capture().type_of(value) if tree.is_open(value) else None
