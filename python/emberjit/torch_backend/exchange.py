"""Tensors of PyTorch and of emberjit over the same memory, by DLPack, and the names of their dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

import emberjit as ms
from emberjit import _emberjit as core
from emberjit.values.spans import Spans

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


def to_torch(tensor: ms.Tensor) -> torch.Tensor:
    """A tensor of PyTorch's over the memory of one of emberjit's."""
    result: torch.Tensor = from_dlpack(tensor.__dlpack__())
    return result


class Apart:
    """Keeps results apart from inputs and from each other: as PyTorch's graphs do not say who shares memory, nobody does."""

    def __init__(self, inputs: Sequence[Any]):
        self._spans = Spans(_span(x) for x in inputs if isinstance(x, torch.Tensor))

    def __call__(self, result: torch.Tensor) -> torch.Tensor:
        """The result, or a copy if it lies in memory of what came before it."""
        return result if self._spans.add(_span(result)) else result.clone()


def _span(x: torch.Tensor) -> tuple[int, int]:
    memory = x.untyped_storage()
    return memory.data_ptr(), memory.data_ptr() + memory.nbytes()
