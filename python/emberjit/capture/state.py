"""Which capture runs, and what it has relied on. Apart, so that importing emberjit does not load the interpreter."""

from __future__ import annotations

import _thread
import sys
from typing import Any

from emberjit import _emberjit as core
from emberjit import context

_FRAMES = 24  # of Python's, that following one call takes
_MOST_CALLS = 1 << 20  # within each other, that Python's limit is set for
MOST_GRAPHS = 5000  # that one capture begins: sides of conditions, tests and bodies of loops

MOST_TRIPS = 1000  # of an endless loop that cannot be a node

EXECUTABLE = sys.version_info[:2] == (3, 11)  # whether executor.py knows this Python's bytecode

Guard = tuple[str, Any, Any, Any]


class Reads:
    """What a capture has read from outside: guards, and the objects that it therefore must not change."""

    def __init__(self, engine: str = "ast") -> None:
        self.engine = engine  # what follows the functions that are called: "ast" or "bytecode"
        self.recursive: dict[Any, str | None] = {}  # code that calls itself; why calls of it share no graph
        self.changing: dict[Any, str] = {}  # code that calls itself with arguments of other types, and how these change
        self.calls: dict[Any, list[Any]] = {}  # those that are being followed, by code (recursion.py)
        self.guards: dict[tuple[str, int, Any], Guard] = {}
        self.known: dict[int, Any] = {}
        self.unseen: dict[int, Any] = {}  # containers from outside of which nothing has been looked at so far
        self.made: dict[int, Any] = {}  # instances that captured code has made
        self.graphs = 0  # that have been begun within the capture's own
        self.runs: dict[int, Any] = {}  # functions that have been followed, with what runs them, by id
        self.bodies: dict[Any, list[Any]] = {}  # graphs that calls share, by what they depend on (sharing.py)
        self.shared: list[Any] = []  # keys of the bodies, in order
        self.thrown: dict[int, BaseException] = {}  # errors that the user's code has raised
        self.errors: list[Any] = []  # what makes those that the graph raises, by number (errors.py)
        self.copies: list[tuple[Any, Any]] = []  # containers of the arguments as the function sees them, their content

    def guard(self, kind: str, owner: Any, key: Any, expected: Any) -> None:
        """The captured graph serves only calls that find the same."""
        self.guards.setdefault((kind, id(owner), key), (kind, owner, key, expected))

    def guard_content(self, container: Any) -> None:
        """Guards the items of a container."""
        self.guard("content", container, None, core.content(container))

    def share(self, key: Any, body: Any) -> None:
        """Keeps a graph for later calls."""
        self.bodies[key].append(body)
        self.shared.append(key)

    def forget_shared(self, mark: int) -> None:
        """Forgets all graphs for later calls but the first `mark`."""
        while len(self.shared) > mark:
            self.bodies[self.shared.pop()].pop()

    def changed(self) -> Any:
        """Something from outside that is no longer as it was read, or None."""
        for guard in self.guards.values():
            if not core.holds(*guard):
                return guard[1]
        for container, content in self.copies:
            if not core.same(core.content(container), content):
                return container
        return None


class ForPython(core.CaptureError):  # type: ignore[misc]
    """Something because of which all of a function is for Python, not only what stands there."""


class GraphError(RuntimeError):
    """What is an error in a graph, though Python alone would go on: it breaks no graph."""


def locate(error: Any, filename: str, line: int) -> None:
    """Puts the place before the message of an error that has none yet."""
    if not getattr(error, "located", False):
        error.args = (f"{filename}:{line}: {error}",)
        error.located = True


class _Current(_thread._local):
    def __init__(self) -> None:
        self.reads: Reads | None = None
        self.depth = self.limit = 0  # of nested calls


_current = _Current()


def current_reads() -> Reads | None:
    """What the innermost capture of this thread has read so far; None outside captures."""
    return _current.reads


def guard_version(cell: Any) -> None:
    """The current capture relies on the configuration of a Cell, or of something else that counts its changes."""
    reads = current_reads()
    if reads is not None:
        reads.guard("attribute", cell, "_version", cell._version)


_WAITING = {
    "try": "what is within a `try` may raise an error that depends on elements, which cannot be captured into a graph: "
    "index and check outside the `try`.",
    "catching": "what is within a `with` that may catch errors may raise one that depends on elements, which cannot be "
    "captured into a graph: index and check outside the `with`.",
    "with": "a `raise` under a condition on a Tensor within `with` cannot be captured into a graph: raise outside the "
    "`with`.",
}


def raising(waiting: str | None) -> int:
    """How many errors of those that only runs of the graph raise a `try` or a `with` would be told."""
    if waiting is None:
        return 0
    reads = current_reads()
    return core.current_capture().raising() if waiting != "with" or (reads is not None and reads.errors) else 0


def check_raises(waiting: str | None, before: int) -> None:
    """Refuses what a `try` or a `with` holds if it would be told of such errors: raising() has changed since."""
    if waiting is not None and raising(waiting) != before:
        raise core.CaptureError(_WAITING[waiting])


def goes_on(trips: int, unrolled: bool) -> bool:
    """Whether to follow another trip of an endless loop that the graph may leave by an error: only if it can't be a `while`
    node, and then not for ever."""
    if unrolled and trips >= MOST_TRIPS:
        raise core.CaptureError("a `while True` that an error ends makes too many trips for a graph that has each of them.")
    return unrolled


def begin_graph(name: str, examples: list[Any]) -> Any:
    """Begins a graph of what may or may not run, or run again; answers its parameters.

    Raises:
        ForPython: there are too many. Loops within loops may need more with each level, faster than anything else grows.
    """
    reads = current_reads()
    if reads is not None:
        reads.graphs += 1
        if reads.graphs > MOST_GRAPHS:
            raise ForPython(
                f"conditions and loops on Tensors take more than {MOST_GRAPHS} graphs here, too many to capture: let a "
                "`while` change Tensors only, so that its trips share a graph, or jit what the loops call instead."
            )
    return core.current_capture().begin_graph(name, examples)


def guard_attribute(owner: Any, name: str) -> None:
    """The current capture relies on an attribute."""
    reads = current_reads()
    if reads is not None:
        reads.guard("attribute", owner, name, getattr(owner, name))


def guard_content(tensor: Any) -> None:
    """The current capture relies on the elements of a Tensor."""
    reads = current_reads()
    if reads is not None:
        reads.guard("buffer", tensor, None, memoryview(tensor).tobytes())


class interpreting:
    """Makes `reads` the current one while a capture runs."""

    def __init__(self, reads: Reads | None = None):
        self.reads = reads or Reads()

    def __enter__(self) -> Reads:
        self.limit = sys.getrecursionlimit()
        _current.limit = context.get_context("max_call_depth")
        sys.setrecursionlimit(max(self.limit, 1000 + _FRAMES * min(_current.limit, _MOST_CALLS)))
        self.outer = _current.reads
        _current.reads = self.reads
        return self.reads

    def __exit__(self, *_: Any) -> None:
        _current.reads = self.outer
        sys.setrecursionlimit(self.limit)


def too_deep(depth: int | str, reason: str | None = None) -> RuntimeError:
    """The error for calls that nest too deep."""
    text = (
        f"Exceed function call depth limit {context.get_context('max_call_depth')}, (function call depth: {depth}).\n"
        "It's always happened with complex construction of code or infinite recursion or loop.\n"
        "Please check the code if it's has the infinite recursion or call "
        "'mindspore.set_recursion_limit(recursion_limit=value)' to adjust this value."
    )
    if reason is not None:
        text += f"\nNo graph that calls itself can do what the function does: {reason}."
    return RuntimeError(text)


class nested:
    """One more call within the captured function; `reason`: why it is followed, though it calls itself.

    Raises:
        RuntimeError: calls nest deeper than set_recursion_limit allows.
    """

    def __init__(self, reason: str | None = None):
        self.reason = reason

    def __enter__(self) -> None:
        if _current.depth >= _current.limit or core.stack_is_short():
            raise too_deep(_current.depth + 1, self.reason)
        _current.depth += 1

    def __exit__(self, *_: Any) -> None:
        _current.depth -= 1


def active() -> bool:
    """Whether an ast capture is running (a trace capture calls functions directly)."""
    return _current.reads is not None


def load(capture_mode: str) -> None:
    """Imports what captures in this mode, so that the first call need not."""
    if capture_mode == "bytecode" and EXECUTABLE:
        from emberjit.capture import executor  # noqa: F401
    if capture_mode != "trace":
        from emberjit.capture import interpret  # noqa: F401


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything, following functions written by the user into the graph if one is being captured."""
    if not active():
        return function(*args, **kwargs)
    from emberjit.capture import interpret

    return interpret.call(function, *args, **kwargs)


def call_library(function: Any, *args: Any) -> Any:
    """Calls a function that is not followed into the graph; those of the user's that it calls are."""
    from emberjit.capture import interpret

    return interpret.call_library(function, args, {})


def call_shared(function: Any, args: Any, kwargs: Any, keep: bool) -> Any:
    """Calls a function from captured code through a graph that it shares with other calls that compute the same."""
    from emberjit.capture import sharing

    return sharing.call(function, args, kwargs, keep)
