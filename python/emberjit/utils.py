"""Exchange of Tensors with other libraries."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core

__all__ = ["from_dlpack", "to_dlpack"]


def from_dlpack(dlpack: Any) -> Any:
    """A Tensor over the memory of another library's tensor.

    Args:
        dlpack: a capsule of DLPack (https://dmlc.github.io/dlpack), or an object with __dlpack__.

    Raises:
        TypeError: its dtype has no counterpart, or it has more than 8 axes.
        BufferError: the memory is not the CPU's.
    """
    return core.from_dlpack(dlpack)


def to_dlpack(tensor: Any) -> Any:
    """A capsule of DLPack over the memory of a Tensor, for another library to take over once.

    Raises:
        BufferError: gradients are recorded of the Tensor; its dtype is int4.
    """
    return tensor.__dlpack__()
