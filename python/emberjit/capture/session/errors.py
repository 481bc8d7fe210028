"""The errors by which a capture ends. Only GraphError is the user's; the others lead to Python, or to another capture."""

from __future__ import annotations

import linecache
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


class TensorsHeld(BeginAnew):
    """Tensors from outside are not to be read anew in each call: what is written, say, or returned itself."""


class FieldWritten(BeginAnew):
    """Captured code writes a field of a Cell that was not known to be written."""


class ErrorAfterEffect(BeginAnew):
    """An error that runs of the graph may raise comes after an effect, which would not have happened then: no effect is to
    be replayed."""


class UnknownResult(core.CaptureError):  # type: ignore[misc]
    """A call's result is not known yet: it is that of a shared subgraph which is being captured."""

    def __init__(self, subgraph: Any):
        super().__init__("a function calls itself in all that it does.")
        self.subgraph = subgraph


def locate(error: Any, filename: str, line: int, positions: Any = None) -> None:
    """Puts the user's line before the message of an error that has none yet; `positions`: of the expression in it."""
    if not getattr(error, "located", False):
        error.args = (f"{filename}:{line}: {error}",)
        error.located = filename, positions


def show_expression(error: Any) -> None:
    """Adds the user's expression to the message of an error, where the source is at hand."""
    filename, positions = getattr(error, "located", (None, None))
    if filename is None or positions is None or None in positions:
        return
    first, last, start, end = positions
    raw = linecache.getline(filename, first).rstrip().encode()
    if start < (stop := end if last == first else len(raw)) <= len(raw):
        before, marked = raw[:start].decode(errors="replace"), raw[start:stop].decode(errors="replace")
        indent = len(before) - len(before.lstrip())
        marks = " " * (len(before) - indent) + "^" * len(marked)
        error.args = (f"{error}\n    {raw.decode(errors='replace').lstrip()}\n    {marks}",)
        error.located = filename, None
