"""MindSpore's obfuscation of checkpoints, which is not there."""

from __future__ import annotations

from emberjit.compat.unavailable import refusing

OBFUSCATION = {
    "obfuscates checkpoints, which emberjit does not: save_checkpoint encrypts them": """load_obf_params_into_net
    obfuscate_ckpt"""
}
__getattr__, _why = refusing(__name__, "emberjit.safeguard", OBFUSCATION)

__all__ = list(_why)
