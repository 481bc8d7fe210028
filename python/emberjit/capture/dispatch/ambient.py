"""What Python and NumPy do beside a result while a graph is captured: they warn. A warning is given in each call, whatever
filters there are then, so one that is given meanwhile refuses the graph. What NumPy says of a result that is not finite
depends on np.errstate: where that is to say nothing it is guarded.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_float_errors
from emberjit.capture.session.tracebacks import is_internal
from emberjit.forks import ForkLock, in_child


class _DuringCapture(type):
    def __subclasscheck__(cls, category: type) -> bool:
        return core.current_capture() is not None


class _OfCapture(Warning, metaclass=_DuringCapture):
    """The category of a filter that fits every warning of a thread that captures, and none of another thread."""

    of_captures = True


_ALWAYS = ("always", None, _OfCapture, None, 0)  # of which Python keeps no record


class _Thread(threading.local):
    later: list[Any]  # warnings of this thread that are given after its capture
    captures = 0  # that go on


_thread = _Thread()
_lock = ForkLock()
_captures = 0  # that go on, of all threads
_before: list[Any] = []  # what shows warnings where nothing is captured


def _show(message: Any) -> None:
    capture, frame = core.current_capture(), sys._getframe(1)
    if capture is None:
        _before[0](message)
        return
    own = str(frame.f_globals.get("__name__")).startswith("emberjit.") and not is_internal(frame)
    if own or issubclass(message.category, ResourceWarning):  # of what is collected meanwhile
        _thread.later.append(message)
    else:
        capture.refused = True


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Warnings of captured code refuse the graph; others are given at the end."""
    later: list[Any] = []
    outer, _thread.later = getattr(_thread, "later", later), later
    try:
        with _shown_here(), _float_errors():
            yield
    except BaseException:
        with contextlib.suppress(Warning):
            _give(later)
        raise
    finally:
        _thread.later = outer
    _give(later)


def _give(messages: list[Any]) -> None:
    for message in messages:
        warnings.warn_explicit(message.message, message.category, message.filename, message.lineno, source=message.source)


@contextlib.contextmanager
def _shown_here() -> Iterator[None]:
    """Python shows every warning of this thread to the function above; threads begin and end this in any order."""
    global _captures
    filters: Any = warnings.filters
    with _lock:
        if _captures == 0:
            _before[:], warnings._showwarnmsg = [warnings._showwarnmsg], _show  # type: ignore[attr-defined]
        _captures += 1
        _thread.captures += 1
        filters.insert(0, _ALWAYS)
    try:
        yield
    finally:
        with _lock:
            now: Any = warnings.filters
            for changed in [filters] if now is filters else [filters, now]:  # another thread may have copied the list
                with contextlib.suppress(ValueError):
                    changed.remove(_ALWAYS)
            _captures -= 1
            _thread.captures -= 1
            if _captures == 0:
                warnings._showwarnmsg = _before[0]  # type: ignore[attr-defined]


def _without_other_threads() -> None:
    global _captures
    _captures = _thread.captures
    filters: Any = warnings.filters
    filters[:] = [_ALWAYS] * _captures + [entry for entry in filters if entry is not _ALWAYS]
    if _captures == 0 and warnings._showwarnmsg is _show:  # type: ignore[attr-defined]
        warnings._showwarnmsg = _before[0]  # type: ignore[attr-defined]


in_child(_without_other_threads)


@contextlib.contextmanager
def _float_errors() -> Iterator[None]:
    """NumPy tells of results that are not finite here, unless it raises errors."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or not hasattr(numpy, "errstate"):
        yield
        return
    state, capture = numpy.geterr(), core.current_capture()
    names = {"divide by zero": "divide", "overflow": "over", "underflow": "under", "invalid value": "invalid"}

    def note(kind: str, flag: int) -> None:
        if state[names[kind]] == "ignore":
            guard_float_errors(state)
        else:
            capture.refused = True

    with numpy.errstate(call=note, **{kind: "call" for kind, what in state.items() if what != "raise"}):
        yield
