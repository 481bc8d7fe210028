"""Names of MindSpore's ops that belong to other devices, to servers, or to its own compiler. They can be imported; what
calls one is told why it is not there."""

from __future__ import annotations

from typing import Any, NoReturn

_ASCEND = "is a fused op of Ascend"
_PARALLEL = "splits Tensors among devices, of which there is one"
_COMPILER = "is a step of MindSpore's own compiler, which no program calls"
_REASONS = {
    _ASCEND: """ApplyRotaryPosEmb BasicLSTMCell GroupTopk PagedAttentionMask
    lightning_indexer moe_distribute_combine moe_distribute_dispatch nsa_compress_attention
    nsa_select_attention sparse_flash_attention speed_fusion_attention""",
    _PARALLEL: "Reshard reshard _AllSwap",
    _COMPILER: """GeSwitch J Merge PyExecute UpdateState _Grad _Vmap array_reduce distribute geswitch
    is_dynamic_sequence_element_unknown is_tensor_bool_cond make_map_parameter merge recompute_block""",
    "is of a parameter server, which there is none of": "MapCacheIdx Pull Push TCPStore",
    "reads a queue of a device; iterate over the dataset": "GetNext",
    "compiles C++ against MindSpore's headers; foreign_call calls functions of a shared library": "CustomOpBuilder",
    "is deprecated in MindSpore": "rotated_iou",
}
_WHY = {name: why for why, names in _REASONS.items() for name in names.split()}
NAMES = tuple(_WHY)


def _refuse(name: str) -> NoReturn:
    raise NotImplementedError(f"emberjit has no 'ops.{name}': it {_WHY[name]}.")


def _function(name: str) -> Any:
    def unavailable(*args: Any, **kwargs: Any) -> NoReturn:
        _refuse(name)

    return unavailable


def _class(name: str) -> Any:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        _refuse(name)

    return type(name, (), {"__init__": __init__})


def __getattr__(name: str) -> Any:
    if name not in _WHY:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    made = _class(name) if name.lstrip("_")[0].isupper() else _function(name)
    made.__name__, made.__qualname__, made.__module__ = name, name, "emberjit.ops"
    made.__doc__ = f"It {_WHY[name]}.\n\n    Raises:\n        NotImplementedError: always.\n    "
    return globals().setdefault(name, made)
