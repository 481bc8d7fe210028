"""Names of MindSpore's ops that belong to other devices, to servers, or to its own compiler. They can be imported; what
calls one is told why it is not there."""

from __future__ import annotations

from emberjit.compat.unavailable import refusing

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
__getattr__, _why = refusing(__name__, "emberjit.ops", _REASONS)
NAMES = tuple(_why)
