"""Markers of classes that capture treats apart: modules below nn tell Cells by them."""

from __future__ import annotations

JIT_CLASS = "__ms_class__"  # the attribute of classes under jit_class


class CellMarker:
    """The base of Cell. Instances count the changes of their configuration. Those of `_stateless` classes of the library
    have no Parameters: captured code may make them, at once, not by the graph."""

    _stateless = False


class CellListMarker(CellMarker):
    """The base of CellList."""


def is_jit_class(cls: type) -> bool:
    """Whether a class is marked by jit_class."""
    return hasattr(cls, JIT_CLASS)
