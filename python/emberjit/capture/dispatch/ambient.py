"""What Python and NumPy do beside a result while a graph is captured: they warn. A warning is given in each call, whatever
filters there are then, so one that is given meanwhile refuses the graph. What NumPy says of a result that is not finite
depends on np.errstate: where that is to say nothing it is guarded.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_float_errors
from emberjit.capture.session.tracebacks import is_internal

_ALL_SHOWN = [("always", None, Warning, None, 0)]  # of which Python keeps no record


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Warnings of captured code refuse the graph; others are given at the end."""
    later: list[Any] = []
    filters, show = warnings.filters, warnings._showwarnmsg  # type: ignore[attr-defined]

    def refuse(message: Any) -> None:
        capture, frame = core.current_capture(), sys._getframe(1)
        own = str(frame.f_globals.get("__name__")).startswith("emberjit.") and not is_internal(frame)
        if capture is None or own or issubclass(message.category, ResourceWarning):  # of what is collected meanwhile
            later.append(message)
        else:
            capture.refused = True

    warnings.filters, warnings._showwarnmsg = _ALL_SHOWN, refuse  # type: ignore[attr-defined]
    try:
        with _float_errors():
            yield
    finally:
        warnings.filters, warnings._showwarnmsg = filters, show  # type: ignore[attr-defined]
        for message in later:
            warnings.warn_explicit(
                message.message, message.category, message.filename, message.lineno, source=message.source
            )


@contextlib.contextmanager
def _float_errors() -> Iterator[None]:
    """NumPy tells of results that are not finite here, unless it raises errors."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or not hasattr(numpy, "errstate"):
        yield
        return
    state = numpy.geterr()
    names = {"divide by zero": "divide", "overflow": "over", "underflow": "under", "invalid value": "invalid"}

    def note(kind: str, flag: int) -> None:
        if state[names[kind]] == "ignore":
            guard_float_errors(state)
        else:
            core.current_capture().refused = True

    with numpy.errstate(call=note, **{kind: "call" for kind, what in state.items() if what != "raise"}):
        yield
