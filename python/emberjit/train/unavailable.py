"""Names of what turns checkpoints of several devices into each other, of which there is one."""

from __future__ import annotations

from emberjit.compat.parallel import CHECKPOINTS
from emberjit.compat.safeguard import OBFUSCATION
from emberjit.compat.unavailable import refusing

_REASONS = {
    "is of checkpoints that several devices wrote, of which there is one: save_checkpoint and load_checkpoint hold whole "
    "Parameters": f"{CHECKPOINTS} get_ckpt_path_with_strategy",
    "splits MindIR files for several devices, of which there is one": "export_split_mindir",
    "is of MindSpore's protobuf files; export() writes emberjit's graphs, and load() reads them": "load_mindir save_mindir",
    "is of a file server": "mindio_preload set_mindio_server_info",
    **OBFUSCATION,
}
__getattr__, _why = refusing(__name__, "emberjit", _REASONS)
NAMES = tuple(_why)
