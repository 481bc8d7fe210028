"""Checkpoints."""

from __future__ import annotations

from typing import Any

from emberjit.train.serialization import export, load_checkpoint, load_param_into_net, save_checkpoint

__all__ = ["export", "load_checkpoint", "load_param_into_net", "save_checkpoint"]


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'emberjit.train' has no attribute '{name}': emberjit does not have this name (yet)")
