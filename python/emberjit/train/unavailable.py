"""Names of what turns checkpoints of several devices into each other, of which there is one."""

from __future__ import annotations

from typing import Any

from emberjit.unavailable import refusing

_REASONS = {
    "is of checkpoints that several devices wrote, of which there is one: save_checkpoint and load_checkpoint hold whole "
    "Parameters": """build_searched_strategy convert_checkpoint_by_rank convert_checkpoints get_ckpt_path_with_strategy
    load_distributed_checkpoint load_segmented_checkpoints merge_pipeline_strategys merge_sliced_parameter
    parameter_broadcast rank_list_for_convert rank_list_for_transform restore_group_info_list set_op_strategy_config
    sync_pipeline_shared_parameters transform_checkpoint_by_rank transform_checkpoints unified_safetensors""",
    "splits MindIR files for several devices, of which there is one": "export_split_mindir",
    "is of MindSpore's protobuf files; export() writes emberjit's graphs, and load() reads them": "load_mindir save_mindir",
    "is of a file server": "mindio_preload set_mindio_server_info",
    "obfuscates checkpoints, which emberjit does not: save_checkpoint encrypts them": """load_obf_params_into_net
    obfuscate_ckpt""",
}
_get, _why = refusing(__name__, "emberjit", _REASONS)
NAMES = tuple(_why)


def __getattr__(name: str) -> Any:
    return globals().setdefault(name, _get(name))
