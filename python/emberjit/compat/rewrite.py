"""MindSpore's tool that changes the code of networks, which is not there."""

from __future__ import annotations

from emberjit.compat.unavailable import refusing

_REASONS = {
    "changes the code of networks; Cells are changed by assigning attributes, or by insert_child_to_cell": """Node NodeType
    ScopedValue SymbolTree ValueType"""
}
__getattr__, _why = refusing(__name__, "emberjit.rewrite", _REASONS)

__all__ = list(_why)
