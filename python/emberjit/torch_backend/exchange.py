"""Tensors of PyTorch and of emberjit over the same memory, by DLPack, and the names of their dtypes."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

import emberjit as ms
from emberjit import _emberjit as core

DTYPES: dict[Any, Any] = {
    torch.bool: ms.bool_,
    torch.uint8: ms.uint8,
    torch.int8: ms.int8,
    torch.int16: ms.int16,
    torch.int32: ms.int32,
    torch.int64: ms.int64,
    torch.float16: ms.float16,
    torch.bfloat16: ms.bfloat16,
    torch.float32: ms.float32,
    torch.float64: ms.float64,
}


def is_known(tensor: torch.Tensor) -> bool:
    """Whether emberjit has Tensors of such a kind."""
    return tensor.dtype in DTYPES and tensor.device.type == "cpu" and tensor.layout is torch.strided


def to_emberjit(tensor: torch.Tensor) -> Any:
    """A Tensor over the memory of one of PyTorch's."""
    plain = tensor.detach() if tensor.requires_grad else tensor
    return core.from_dlpack(to_dlpack(plain.resolve_neg()))


def to_torch(tensor: Any) -> torch.Tensor:
    """A tensor of PyTorch's over the memory of one of emberjit's."""
    found: torch.Tensor = from_dlpack(tensor.__dlpack__())
    return found
