"""Single guards on attributes, on the configuration of Cells, and on the elements of Tensors."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.session import current_session


def counts_changes(value: Any) -> bool:
    """Whether an object counts the changes of its configuration."""
    return hasattr(type(value), "_version")


def guard_version(value: Any) -> None:
    """The current capture relies on the configuration of a Cell, or of something else that counts its changes."""
    session = current_session()
    if session is not None:
        session.guard("attribute", value, "_version", value._version)


def guard_attribute(owner: Any, name: str) -> None:
    """The current capture relies on an attribute."""
    session = current_session()
    if session is not None:
        session.guard("attribute", owner, name, getattr(owner, name))


def guard_elements(tensor: Any) -> None:
    """The current capture relies on the elements of a Tensor."""
    session = current_session()
    if session is not None:
        session.guard("buffer", tensor, None, tensor.get_bytes())


def read_elements(tensor: Any) -> None:
    """Python reads the elements of a Tensor that is no value of the graph: they are guarded.

    Raises:
        CaptureError: it is a Parameter.
    """
    if core.is_captured(tensor) or current_session() is None:
        return
    if isinstance(tensor, core.Parameter):
        raise core.CaptureError(
            f"the elements of Parameter '{tensor.name}' are looked at, which a graph cannot repeat in every call: use ops."
        )
    guard_elements(tensor)
