"""Operations: functions by name (ops.add), primitives by class (ops.Add())."""

from __future__ import annotations

import sys
from typing import Any

from emberjit.primitives.primitive import primitive as _primitive
from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy
from emberjit.sparse import NAMES as _SPARSE

_ELSEWHERE = {
    **dict.fromkeys(("ForiLoop", "Morph", "Partial", "Scan", "WhileLoop", "partial"), "emberjit.ops.control"),
    **dict.fromkeys(("HyperMap", "Map", "MultitypeFuncGraph"), "emberjit.ops.multitype"),
    **dict.fromkeys(("NPUAllocFloatStatus", "NPUGetFloatStatus"), "emberjit.ops.float_status"),
    **dict.fromkeys(("HookBackward", "InsertGradientOf"), "emberjit.transforms.tensor_hooks"),
    **dict.fromkeys(("derivative", "jacfwd", "jacrev", "jet", "jvp", "linearize", "vjp"), "emberjit.transforms.derivatives"),
    **dict.fromkeys(("GradOperation", "get_grad", "grad", "value_and_grad"), "emberjit.transforms.gradient"),
    **dict.fromkeys(("Primitive", "prim_attr_register"), "emberjit.primitives.primitive"),
    **dict.fromkeys(_SPARSE, "emberjit.sparse.functions"),
    "constexpr": "emberjit.common.decorators",
    "primitive": "emberjit.ops.primitive",
    "vmap": "emberjit.transforms.vmap",
}
__all__ = [*_NAMES["ops"], *_ELSEWHERE]
# Modules that MindSpore has within mindspore.ops, whose names are this one's.
_SUBJECTS = "array clip control custom debug fft image inner linalg math nn other parameter random sparse spectral vmap"
_HERE = {f"{subject}_{kind}" for subject in _SUBJECTS.split() for kind in ("func", "ops")}
_HERE |= {"auto_generate", "composite", "function", "functional", "gen_ops_def", "gen_ops_prim", "operations"}
_HERE |= {"_grad_ops", "_inner_ops", "_sequence_ops", "manually_defined", "pyboost_inner_prim"}
_get, __dir__ = _lazy("ops", globals(), _ELSEWHERE, _primitive)


def __getattr__(name: str) -> Any:
    if name in _HERE:
        return sys.modules[__name__]
    return _get(name)
