"""The methods of Tensors as functions, which MindSpore has for its parser."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core


def tensor_bool(x: core.Tensor) -> bool:
    """Whether the single element of a Tensor is not zero.

    Raises:
        ValueError: it has another number of elements.
    """
    return bool(x)


def __getattr__(name: str) -> Any:
    return getattr(core.Tensor, name)
