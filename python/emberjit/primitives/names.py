"""The ops of the table by every name that they have: of functions (FUNCTIONS) and of primitives (PRIMITIVES)."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core

_ALL = [(name, op) for op in core.op_table.values() for name in (op.__name__, op.primitive, *op.aliases)]

FUNCTIONS: dict[str, Any] = {name: op for name, op in _ALL if not name[0].isupper()}
PRIMITIVES: dict[str, Any] = {name: op for name, op in _ALL if name[0].isupper()}
