"""Exchange of Tensors with other libraries; and MindSpore's tools for devices, which are not there."""

from __future__ import annotations

from emberjit.compat.unavailable import refusing
from emberjit.tensors.functions import from_dlpack, to_dlpack

_REASONS = {
    "tests an Ascend": "get_sdc_detect_result sdc_detect_start sdc_detect_stop stress_detect",
    "compares what several devices did": "comm_exec_order_check runtime_execution_order_check",
    "is of a service that restarts processes; OnRequestExit and BackupAndRestore save and resume": """ExitByRequest
    RSCPluginHandle TFTCommValue""",
    "shows ops to Python before they run; register_forward_hook shows those of Cells, and Profiler all": "MsDispatchMode",
}
__getattr__, _why = refusing(__name__, "emberjit.utils", _REASONS)

__all__ = ["from_dlpack", "to_dlpack", *_why]
