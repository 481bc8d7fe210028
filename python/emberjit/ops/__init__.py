"""Operations: functions by name (ops.add), primitives by class (ops.Add())."""

from __future__ import annotations

import sys
from typing import Any

from emberjit.compat.communication import DISTRIBUTED as _DISTRIBUTED
from emberjit.ops.unavailable import NAMES as _UNAVAILABLE
from emberjit.primitives.primitive import primitive as _primitive
from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy
from emberjit.publish.registry import find as _find
from emberjit.sparse import NAMES as _SPARSE
from emberjit.sparse import PRIMITIVES as _SPARSE_PRIMITIVES

_GRAPH_FORMS = (
    *("DtypeToEnum", "Reusing", "SliceGetItem", "_add_attr", "_ms_pyfunc", "_ones_like_for_grad", "add_flags"),
    *("broadcast_gradient_args", "embed", "env_get", "environ_add", "environ_create", "environ_get", "environ_set"),
    *(
        "get_vm_impl_fn",
        "hastype",
        "identity",
        "iter_converter",
        "ms_hasnext",
        "ms_next",
        "ref_to_embed",
        "reshape_",
        "switch",
    ),
    *("switch_layer", "tensor_operator_registry", "typeof", "vm_impl_registry", "zip_operation"),
)
_REGISTRATION = (
    *("AiCPURegOp", "AkgAscendRegOp", "AkgGpuRegOp", "CpuRegOp", "CustomRegOp", "DataType", "TBERegOp"),
    *("custom_info_register", "op_info_register"),
)
_PRIMITIVES = ("Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "prim_arg_register", "prim_attr_register")
_ELSEWHERE = {
    **dict.fromkeys(("ForiLoop", "Morph", "Partial", "Scan", "WhileLoop", "partial"), "emberjit.ops.control"),
    **dict.fromkeys(("HyperMap", "Map", "MultitypeFuncGraph"), "emberjit.ops.multitype"),
    **dict.fromkeys(("NPUAllocFloatStatus", "NPUGetFloatStatus"), "emberjit.ops.float_status"),
    **dict.fromkeys(("HookBackward", "InsertGradientOf"), "emberjit.transforms.tensor_hooks"),
    **dict.fromkeys(("derivative", "jacfwd", "jacrev", "jet", "jvp", "linearize", "vjp"), "emberjit.transforms.derivatives"),
    **dict.fromkeys(("GradOperation", "get_grad", "grad", "value_and_grad"), "emberjit.transforms.gradient"),
    **dict.fromkeys(_PRIMITIVES, "emberjit.primitives.primitive"),
    **dict.fromkeys(_GRAPH_FORMS, "emberjit.ops.graph_forms"),
    **dict.fromkeys(_REGISTRATION, "emberjit.compat.registration"),
    **dict.fromkeys(("kernel", "ms_kernel"), "emberjit.ops.kernels"),
    **dict.fromkeys(("DumpGradient", "TensorDump", "tensordump"), "emberjit.ops.dumping"),
    **dict.fromkeys(_UNAVAILABLE, "emberjit.ops.unavailable"),
    **dict.fromkeys(_SPARSE, "emberjit.sparse.functions"),
    **dict.fromkeys(_DISTRIBUTED, "emberjit.compat.communication.distributed"),
    **dict.fromkeys(("WeightQuantBatchMatmul", "quantise_weight", "weight_quant_batch_matmul"), "emberjit.ops.quantised"),
    "ReduceOp": "emberjit.compat.communication.groups",
    **dict.fromkeys(_SPARSE_PRIMITIVES, "emberjit.sparse.primitives"),
    "constexpr": "emberjit.language.decorators",
    "primitive": "emberjit.ops.primitive",
    "vmap": "emberjit.transforms.vmap",
}
__all__ = [*_NAMES["ops"], *_ELSEWHERE]
# Modules that MindSpore has within mindspore.ops, whose names are this one's.
_SUBJECTS = "array clip control custom debug fft image inner linalg math nn other parameter random sparse spectral vmap"
_HERE = {f"{subject}_{kind}" for subject in _SUBJECTS.split() for kind in ("func", "ops")}
_HERE |= {"auto_generate", "composite", "function", "functional", "gen_ops_def", "gen_ops_prim", "operations"}
_HERE |= {"F", "_grad_ops", "_inner_ops", "_quant_ops", "_sequence_ops", "manually_defined", "pyboost_inner_prim"}
_get, __dir__ = _lazy("ops", globals(), _ELSEWHERE, _primitive)


def _of_mint(name: str) -> Any:
    """The function of mint that MindSpore has among ops with an ending, `min_ext`; None if there is none."""
    if not name.endswith("_ext") or name in _NAMES["ops"]:
        return None
    plain = name.removesuffix("_ext")
    return _find("mint", plain) or _find("mint.nn.functional", plain)


def __getattr__(name: str) -> Any:
    if name in _HERE:
        return sys.modules[__name__]
    return _of_mint(name) or _get(name)
