"""emberjit: an eager tensor library for CPUs whose functions get faster as they run.

The names are MindSpore's. `python -m emberjit script.py` runs a script written for MindSpore unchanged.
"""

from __future__ import annotations

from emberjit import _emberjit as _core
from emberjit import dtype, nn, ops
from emberjit._emberjit import (
    CaptureError,
    Parameter,
    Tensor,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    int4,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from emberjit.capture.jit.explain import explain, save_module
from emberjit.capture.jit.options import JitConfig
from emberjit.capture.jit.transform import jit
from emberjit.common.decorators import constexpr, jit_class, lazy_inline, no_inline
from emberjit.common.mutable import mutable
from emberjit.common.parameter import ParameterTuple
from emberjit.context import GRAPH_MODE, PYNATIVE_MODE, get_context, set_context, set_recursion_limit
from emberjit.generator import set_seed
from emberjit.publish.modules import lazy as _lazy
from emberjit.runtime import (
    compile_stats,
    memory_stats,
    set_memory_limit,
    set_num_threads,
)
from emberjit.tensors import methods as _tensor_methods  # noqa: F401  (adds methods to Tensor)
from emberjit.tensors.functions import from_numpy, is_tensor, tensor
from emberjit.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint
from emberjit.transforms.derivatives import jacfwd, jacrev, jvp, vjp
from emberjit.transforms.gradient import get_grad, grad, value_and_grad
from emberjit.transforms.recompute import recompute
from emberjit.transforms.vmap import vmap

__version__ = "0.1.0"

__all__ = [
    "CaptureError",
    "GRAPH_MODE",
    "JitConfig",
    "PYNATIVE_MODE",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "bfloat16",
    "bool_",
    "complex128",
    "complex64",
    "compile_stats",
    "constexpr",
    "dtype",
    "explain",
    "float16",
    "float8_e4m3fn",
    "float8_e5m2",
    "float32",
    "float64",
    "from_numpy",
    "get_context",
    "get_grad",
    "grad",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_tensor",
    "jacfwd",
    "jacrev",
    "jit",
    "jit_class",
    "jvp",
    "lazy_inline",
    "load_checkpoint",
    "load_param_into_net",
    "memory_stats",
    "mutable",
    "nn",
    "no_inline",
    "ops",
    "recompute",
    "save_checkpoint",
    "save_module",
    "set_context",
    "set_memory_limit",
    "set_num_threads",
    "set_recursion_limit",
    "set_seed",
    "tensor",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "value_and_grad",
    "vjp",
    "vmap",
]

_ELSEWHERE = {
    **dict.fromkeys(
        ("COMPATIBLE", "LAX", "STRICT", "dispatch_threads_num", "empty_cache", "get_current_device", "launch_blocking"),
        "emberjit.runtime",
    ),
    **dict.fromkeys(("run_check", "set_deterministic", "set_device", "set_memory", "synchronize"), "emberjit.runtime"),
    **dict.fromkeys(("max_memory_allocated", "max_memory_reserved", "memory_allocated"), "emberjit.runtime"),
    **dict.fromkeys(("memory_reserved", "memory_summary", "reset_max_memory_allocated"), "emberjit.runtime"),
    **dict.fromkeys(("reset_max_memory_reserved", "reset_peak_memory_stats"), "emberjit.runtime"),
    **dict.fromkeys(dtype.FURTHER, "emberjit.dtype"),
    **dict.fromkeys(("Generator", "default_generator", "get_rng_state", "get_seed"), "emberjit.generator"),
    **dict.fromkeys(("initial_seed", "manual_seed", "seed", "set_rng_state"), "emberjit.generator"),
    **dict.fromkeys(("get_level", "get_log_config"), "emberjit.log"),
    **dict.fromkeys(("frombuffer", "swap_tensors"), "emberjit.tensors.functions"),
    **{
        name: f"emberjit.{name}"
        for name in ("dataset", "device_context", "log", "mint", "numpy", "runtime", "scipy", "train", "utils")
    },
    **dict.fromkeys(("_no_grad", "_pynative_executor"), "emberjit.transforms.no_grad"),
    **dict.fromkeys(("COOTensor", "CSRTensor", "RowTensor", "SparseTensor"), "emberjit.sparse.tensors"),
    "Symbol": "emberjit.values.placeholders",
    "UntypedStorage": "emberjit.functions.storage",
    "enable_dynamic": "emberjit.common.decorators",
    "ms_function": "emberjit.capture.jit.transform",
}

del _core
__getattr__, __dir__ = _lazy("", globals(), _ELSEWHERE)
__all__ += list(_ELSEWHERE)
