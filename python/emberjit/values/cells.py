"""Markers of classes that capture treats apart: modules below nn tell Cells by them."""

from __future__ import annotations

JIT_CLASS = "__ms_class__"  # the attribute of classes under jit_class


class CellMarker:
    """The base of Cell. Instances count the changes of their configuration. Captured code may make those of the user's
    classes, and of `_stateless` ones of the library, which have no Parameters: at once, not by the graph."""

    _stateless = False


class CellListMarker(CellMarker):
    """The base of CellList."""


def is_jit_class(cls: type) -> bool:
    """Whether a class is marked by jit_class."""
    return hasattr(cls, JIT_CLASS)
