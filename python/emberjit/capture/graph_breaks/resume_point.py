"""Where a function goes on after a graph break, as the result of the graph before it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.session import current_session
from emberjit.capture.state.reconstruction import Reconstruction


def resumable(at: int, value: Any, values: Reconstruction, changed: Collection[str] = ()) -> Any:
    """What a graph returns so that a function can go on: a ResumePoint, and the results that core.resumed() makes what the
    function goes on with of. At an instruction that is the stack, variables that do not hold what they did before the graph
    (`changed`, those too that have no value there, or whose value nobody asks for) and the exception being handled; at END
    the function's result."""
    point = core.ResumePoint(at, values.build_of(value), frozenset(changed))
    session = current_session()
    if session is not None:
        session.external[id(point)] = point
    return (point, *values.leaves)
