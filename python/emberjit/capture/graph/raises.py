"""Errors of the user's that a graph raises. What a side of a condition on a Tensor comes to by `raise` or `assert` becomes
a node, and Python follows the other side alone. The graph knows the error by its number; what it is made of again, with
Tensors as they are then, is held beside the graph.

Errors that ops or Python raise under a condition are none of these: another shape, or eager Python, might not raise them.
A `try` or a `with` cannot be told of an error that only runs of the graph raise, so pending ones are refused there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_types
from emberjit.capture.session.locations import Location
from emberjit.capture.session.session import current_session, follow
from emberjit.capture.session.tracebacks import chain
from emberjit.capture.state.deferred_strings import DeferredString
from emberjit.capture.state.raised import locations_of, raise_from, set_context
from emberjit.capture.state.reconstruction import Reconstruction
from emberjit.capture.state.text_patterns import REPR, pattern_of

MAX_TRIPS = 1000  # of an endless loop that cannot be a node

_PENDING = {
    "try": "what is within a `try` may raise an error that depends on elements, which cannot be captured into a graph: "
    "index and check outside the `try`.",
    "catching": "what is within a `with` that may catch errors may raise one that depends on elements, which cannot be "
    "captured into a graph: index and check outside the `with`.",
    "with": "a `raise` under a condition on a Tensor within `with` cannot be captured into a graph: raise outside the "
    "`with`.",
}


def pending(handler: str | None) -> int:
    """How many errors of those that only runs of the graph raise a `try` or a `with` would be told."""
    if handler is None:
        return 0
    session = current_session()
    raises = handler != "with" or (session is not None and session.graph_errors)
    return core.current_capture().raising() if raises else 0


def check_pending(handler: str | None, before: int) -> None:
    """Refuses what a `try` or a `with` holds if it would be told of such errors: pending() has changed since."""
    if handler is not None and pending(handler) != before:
        raise core.CaptureError(_PENDING[handler])


def goes_on(trips: int, unrolled: bool) -> bool:
    """Whether to follow another trip of an endless loop that the graph may leave by an error: only if it can't be a `while`
    node, and then not for ever."""
    if unrolled and trips >= MAX_TRIPS:
        raise core.CaptureError("a `while True` that an error ends makes too many trips for a graph that has each of them.")
    return unrolled


def throw(error: Any, cause: Any = None, from_cause: bool = False) -> None:
    """What `raise error` does in user code, or with `from_cause` `raise error from cause`."""
    if isinstance(error, type):
        error = follow(error)
    session = current_session()
    if session is not None:
        session.raised[id(error)] = error
    try:
        if from_cause:
            raise error from (follow(cause) if isinstance(cause, type) else cause)
        raise error
    finally:
        del error  # whose traceback leads here


def catches(error: BaseException, kinds: Any) -> bool:
    """Whether an `except` of these classes catches an error."""
    classes = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(kind, type) and BaseException in kind.__mro__ for kind in classes):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    guard_types(error, *classes)
    if isinstance(error, FloatingPointError) and current_session() is not None:
        raise core.CaptureError("an error that np.errstate asks for is caught, which depends on the call: check outside.")
    return any(kind in type(error).__mro__ for kind in classes)


def is_thrown(error: BaseException) -> bool:
    """Whether the user's code has raised the error, so that a graph may."""
    session = current_session()
    return session is not None and id(error) in session.raised and not core.current_capture().refused


def record(error: BaseException) -> None:
    """Makes the current graph raise an error of the user's."""
    session: Any = current_session()
    outermost = next((part for part in chain(error) if part.__context__ is session.handled), None)
    if outermost is not None:
        outermost.__context__ = None  # what the caller handles is another in each call
    values = Reconstruction((), None)
    build = values.build_of(error)
    positions = {id(leaf): number for number, leaf in enumerate(session.inputs) if isinstance(leaf, core.Tensor)}
    leaves = [_leaf(leaf, position, positions.get(id(leaf))) for position, leaf in enumerate(values.leaves)]
    locations = [locations_of(error, entered=True), *(locations_of(other) for other in chain(error)[1:])]
    core.current_capture().add_raise(_pattern(error, values.leaves), len(session.graph_errors), values.leaves)
    session.graph_errors.append(lambda results, args: _again(build, [leaf(results, args) for leaf in leaves], locations))
    for part in chain(error):
        part.__traceback__ = None  # the graph holds what the error is made of, and no frames


def _leaf(leaf: Any, position: int, argument: int | None) -> Callable[[Any, Any], Any]:
    """What finds a leaf among the Tensors that the graph raises with, or among the arguments."""
    if argument is not None:
        return lambda results, args: args[argument]
    if isinstance(leaf, core.Number):
        kind: Any = leaf.__class__
        return lambda results, args: kind(results[position].asnumpy())
    return lambda results, args: results[position]


def _pattern(error: BaseException, leaves: list[Any]) -> str:
    """The type and the text of an error, with holes for its leaves."""
    numbers = {id(leaf): number for number, leaf in enumerate(leaves)}
    message = DeferredString(
        lambda *args: str(KeyError(*args) if isinstance(error, KeyError) else Exception(*args)), *error.args
    )

    def hole(leaf: Any, form: str) -> str:
        if form.startswith(":") and len(form) > 1:
            raise TypeError
        return f"{{{numbers[id(leaf)]}{'!r' if form == REPR else ''}}}"

    try:
        text = pattern_of(message, lambda leaf: id(leaf) in numbers, hole)
    except (TypeError, ValueError):
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _again(build: Callable[[Any], Any], leaves: list[Any], locations: list[list[Location]]) -> BaseException:
    """The error with these Tensors and numbers, as raised from the user's lines, as are the errors that it goes back to."""
    errors = chain(build(core.Context(leaves, ())))
    for error, lines in zip(errors, locations):
        raise_from(error, lines)
    set_context(errors[0])
    del error
    return errors.pop(0)  # whose traceback leads here
