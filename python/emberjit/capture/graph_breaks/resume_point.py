"""Where a function goes on after a graph break, as the result of the graph before it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from emberjit.capture.session.session import current_session
from emberjit.capture.state.reconstruction import Build, Context, Reconstruction

END = -1


class ResumePoint:
    """Where a function goes on after a graph (`at`, or END), and how what it goes on with is made of the graph's results:
    the stack, the variables that are read there and the exception being handled, or the function's result; `changed`: the
    variables that do not hold what they did before the graph."""

    def __init__(self, at: int, build: Build, changed: Collection[str]):
        self.at, self.build, self.changed = at, build, changed

    def restore(self, leaves: list[Any], inputs: Any) -> Any:
        """What the function goes on with: also the variables that nobody will read, but whose values live on."""
        made = self.build(Context(leaves, inputs))
        if self.at == END:
            return made
        stack, variables, handled = made
        kept = {name: value for name, value in inputs[1].items() if name not in self.changed}
        return stack, {**kept, **variables}, handled


def resumable(at: int, value: Any, values: Reconstruction, changed: Collection[str] = ()) -> Any:
    """What a graph returns so that a function can go on."""
    point = ResumePoint(at, values.build_of(value), changed)
    session = current_session()
    if session is not None:
        session.external[id(point)] = point
    return (point, *values.leaves)
