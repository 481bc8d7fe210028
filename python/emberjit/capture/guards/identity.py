"""Whether two values that captured code has are one object, where stand-ins are in the place of arguments."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.session import current_session


def identical(a: Any, b: Any) -> bool:
    """`a is b`, where a captured number is the object of its value.

    Raises:
        CaptureError: that depends on which objects a call is given.
    """
    if a is b:
        return True
    if isinstance(a, core.Tensor) and isinstance(b, core.Tensor):
        return bool(core.identical(a, b))
    if type(a) is type(b) and type(a) in (tuple, list, dict) and _are_unknown(a, b):
        raise core.CaptureError(f"whether two {type(a).__name__}s are one is asked, which a graph does not know.")
    x, y = (value.value if isinstance(value, core.Number) else value for value in (a, b))
    return x is y


def _are_unknown(a: Any, b: Any) -> bool:
    if type(a) is tuple:
        return bool(a) and len(a) == len(b) and core.current_capture() is not None
    session = current_session()
    if session is None:
        return False
    arguments = {id(container) for container, _ in session.arguments}
    external = [id(value) in session.external for value in (a, b)]
    return all(external) and (id(a) in arguments) is not (id(b) in arguments)
