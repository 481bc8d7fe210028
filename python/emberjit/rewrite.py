"""MindSpore's tool that changes the code of networks, which is not there."""

from __future__ import annotations

from typing import Any

from emberjit.unavailable import refusing

_REASONS = {
    "changes the code of networks; Cells are changed by assigning attributes, or by insert_child_to_cell": """Node NodeType
    ScopedValue SymbolTree ValueType""",
}
_get, _why = refusing(__name__, "emberjit.rewrite", _REASONS)

__all__ = list(_why)


def __getattr__(name: str) -> Any:
    return globals().setdefault(name, _get(name))
