"""Communication between processes, by MindSpore's names. There is one process: what is gathered, reduced or sent to all is
what it has."""

from __future__ import annotations

import sys

from emberjit.publish.modules import lazy as _lazy

# Names of mint.distributed that ops has too, where gather and scatter are other functions.
DISTRIBUTED = (
    *("all_gather", "all_gather_into_tensor", "all_gather_into_tensor_uneven", "all_gather_object", "all_reduce"),
    *("all_to_all", "all_to_all_single", "barrier", "broadcast", "broadcast_object_list", "destroy_process_group"),
    *("gather_object", "get_backend", "get_global_rank", "get_group_rank", "get_process_group_ranks", "get_rank"),
    *("get_world_size", "init_process_group", "irecv", "is_available", "is_initialized", "isend", "new_group", "recv"),
    *("reduce", "reduce_scatter", "reduce_scatter_tensor", "reduce_scatter_tensor_uneven", "scatter_object_list", "send"),
    *("P2POp", "all_to_all_v_c", "batch_isend_irecv", "gather_into_tensor", "recv_object_list", "scatter_tensor"),
    *("send_object_list", "set_comm_ops_inplace"),
)
_GROUPS = (
    *("GlobalComm", "HCCL_WORLD_COMM_GROUP", "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP", "create_group"),
    *("destroy_group", "get_comm_name", "get_group_rank_from_world_rank", "get_group_size", "get_local_rank"),
    *("get_local_rank_size", "get_process_group_ranks", "get_rank", "get_world_rank_from_group_rank", "init", "release"),
)
_ELSEWHERE = {
    **dict.fromkeys(_GROUPS, "emberjit.compat.communication.groups"),
    "comm_func": "emberjit.compat.communication.comm_func",
}
management = sys.modules[__name__]

__all__ = [*_ELSEWHERE, "management"]
__getattr__, __dir__ = _lazy("communication", globals(), _ELSEWHERE)
