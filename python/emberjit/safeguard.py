"""MindSpore's obfuscation of checkpoints, which is not there."""

from __future__ import annotations

from typing import Any

from emberjit.unavailable import refusing

_REASONS = {
    "obfuscates checkpoints, which emberjit does not: save_checkpoint encrypts them": """load_obf_params_into_net
    obfuscate_ckpt""",
}
_get, _why = refusing(__name__, "emberjit.safeguard", _REASONS)

__all__ = list(_why)


def __getattr__(name: str) -> Any:
    return globals().setdefault(name, _get(name))
