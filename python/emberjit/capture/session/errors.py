"""The errors by which a capture ends. Only GraphError is the user's; the others lead to Python, or to another capture."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core


class RunInPython(core.CaptureError):  # type: ignore[misc]
    """Something because of which all of a function runs in Python, not only the instruction that it is found at."""


class GraphError(RuntimeError):
    """What is an error in a graph, though Python alone would go on: it breaks no graph."""


class NoCall(GraphError, ValueError, TypeError):
    """What is called has no __call__: MindSpore's ValueError, and Python's TypeError."""


class BeginAnew(core.CaptureError):  # type: ignore[misc]
    """A capture has found what it should have known from the beginning."""


class Interrupted(BeginAnew):
    """Ctrl-C ends the capture: no `except` of the user's code is meant for it."""


class RecursionFound(BeginAnew):
    """A function calls itself, or why calls of it share no graph is known."""


class ItselfNeeded(BeginAnew):
    """Parameters among the arguments are not to be served as other Tensors are: written by other names, say."""

    def __init__(self, parameters: dict[int, Any]):
        super().__init__("a Parameter among the arguments is needed itself.")
        self.parameters = parameters


class UnknownResult(core.CaptureError):  # type: ignore[misc]
    """A call's result is not known yet: it is that of a shared subgraph which is being captured."""

    def __init__(self, subgraph: Any):
        super().__init__("a function calls itself in all that it does.")
        self.subgraph = subgraph


def locate(error: Any, filename: str, line: int) -> None:
    """Puts the user's line before the message of an error that has none yet."""
    if not getattr(error, "located", False):
        error.args = (f"{filename}:{line}: {error}",)
        error.located = True
