"""Operations: functions by name (ops.add), primitives by class (ops.Add()), both from the op table."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as _core
from emberjit.gradient import grad, value_and_grad
from emberjit.ops import composite as _composite
from emberjit.ops import primitive as _primitive
from emberjit.ops.aliases import ALIASES as _ALIASES
from emberjit.ops.composite import Depend, arange, depend, select, tuple_to_array
from emberjit.vectorize import vmap

globals().update(_core.op_table)
globals().update({name: getattr(_core, "op_table")[target] for name, target in _ALIASES.items()})
globals().update({name: getattr(_composite, name) for name in ("arange", "select")})

__all__ = [
    "Depend",
    "arange",
    "depend",
    "grad",
    "select",
    "tuple_to_array",
    "value_and_grad",
    "vmap",
    *_core.op_table,
    *_ALIASES,
]


def __getattr__(name: str) -> Any:
    found = _primitive.find(name)
    if found is not None:
        return found
    raise AttributeError(f"module 'emberjit.ops' has no attribute '{name}': emberjit does not have this op (yet)")
