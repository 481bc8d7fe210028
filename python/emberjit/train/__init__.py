"""Checkpoints."""

from __future__ import annotations

from typing import Any

from emberjit.train.resuming import load_training, save_training
from emberjit.train.serialization import (
    async_ckpt_thread_status,
    ckpt_to_safetensors,
    export,
    load_checkpoint,
    load_checkpoint_async,
    load_param_into_net,
    safetensors_to_ckpt,
    save_checkpoint,
)

__all__ = [
    "async_ckpt_thread_status",
    "ckpt_to_safetensors",
    "export",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "load_training",
    "safetensors_to_ckpt",
    "save_checkpoint",
    "save_training",
]


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'emberjit.train' has no attribute '{name}': emberjit does not have this name (yet)")
