"""Operations: functions by name (ops.add), primitives by class (ops.Add()), both from the op table."""

from __future__ import annotations

import sys
from typing import Any

from emberjit.common.decorators import constexpr
from emberjit.ops import adapters as _adapters
from emberjit.ops import composite as _composite
from emberjit.ops.composite import Print
from emberjit.ops.control import ForiLoop, Morph, Partial, Scan, WhileLoop
from emberjit.ops.float_status import NPUAllocFloatStatus, NPUGetFloatStatus
from emberjit.ops.multitype import HyperMap, Map, MultitypeFuncGraph
from emberjit.primitives.names import FUNCTIONS as _FUNCTIONS
from emberjit.primitives.names import PRIMITIVES as _PRIMITIVES
from emberjit.primitives.primitive import Primitive as Primitive
from emberjit.primitives.primitive import find as _find
from emberjit.spelling import UnknownName
from emberjit.transforms.derivatives import derivative, jacfwd, jacrev, jet, jvp, linearize, vjp
from emberjit.transforms.gradient import GradOperation, get_grad, grad, value_and_grad
from emberjit.transforms.tensor_hooks import HookBackward, InsertGradientOf
from emberjit.transforms.vmap import vmap

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
    if name == "primitive":
        import importlib

        return importlib.import_module("emberjit.ops.primitive")
    if name in ("functional", "operations"):  # what MindSpore has apart
        return sys.modules[__name__]
    found = _find(name)
    if found is not None:
        return globals().setdefault(name, found)
    message = f"module 'emberjit.ops' has no attribute '{name}': emberjit does not have this op (yet)"
    raise UnknownName(message, name, lambda: [*__all__, *_PRIMITIVES, *_adapters.ADAPTERS])
