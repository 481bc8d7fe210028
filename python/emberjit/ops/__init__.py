"""Operations: functions by name (ops.add), primitives by class (ops.Add()), both from the op table."""

from __future__ import annotations

import sys
from typing import Any

from emberjit.decorators import constexpr
from emberjit.derivatives import derivative, jacfwd, jacrev, jet, jvp, linearize, vjp
from emberjit.gradient import GradOperation, get_grad, grad, value_and_grad
from emberjit.hooks import HookBackward, InsertGradientOf
from emberjit.ops import composite as _composite
from emberjit.ops import primitive as _primitive
from emberjit.ops.composite import Print
from emberjit.ops.control import ForiLoop, Morph, Partial, Scan, WhileLoop
from emberjit.ops.float_status import NPUAllocFloatStatus, NPUGetFloatStatus
from emberjit.ops.multitype import HyperMap, Map, MultitypeFuncGraph
from emberjit.ops.names import FUNCTIONS as _FUNCTIONS
from emberjit.vectorize import vmap

globals().update(_FUNCTIONS)
globals().update({name: getattr(_composite, name) for name in _composite.FUNCTIONS})
partial = Partial()

__all__ = [
    "ForiLoop",
    "GradOperation",
    "HookBackward",
    "HyperMap",
    "InsertGradientOf",
    "Map",
    "Morph",
    "MultitypeFuncGraph",
    "NPUAllocFloatStatus",
    "NPUGetFloatStatus",
    "Partial",
    "Print",
    "Scan",
    "WhileLoop",
    "constexpr",
    "derivative",
    "get_grad",
    "grad",
    "jacfwd",
    "jacrev",
    "jet",
    "jvp",
    "linearize",
    "partial",
    "value_and_grad",
    "vjp",
    "vmap",
    *_FUNCTIONS,
    *_composite.FUNCTIONS,
]


def __getattr__(name: str) -> Any:
    if name == "Primitive":
        return _primitive.Primitive
    if name in ("functional", "operations"):  # what MindSpore has apart
        return sys.modules[__name__]
    found = _primitive.find(name)
    if found is not None:
        return globals().setdefault(name, found)
    raise AttributeError(f"module 'emberjit.ops' has no attribute '{name}': emberjit does not have this op (yet)")
