"""What MindSpore has under mindspore.common and mindspore.graph."""

from __future__ import annotations

from typing import Any

from emberjit import dtype, initializer
from emberjit._emberjit import Parameter, Tensor
from emberjit.capture.jit.options import JitConfig
from emberjit.capture.jit.transform import jit
from emberjit.context import set_recursion_limit
from emberjit.generator import get_seed, set_seed
from emberjit.language.decorators import jit_class, lazy_inline, no_inline
from emberjit.language.mutable import mutable
from emberjit.tensors.parameter import ParameterTuple
from emberjit.transforms.recompute import recompute

__all__ = [
    *dtype.__all__,
    "JitConfig",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "get_seed",
    "initializer",
    "jit",
    "jit_class",
    "lazy_inline",
    "mutable",
    "no_inline",
    "recompute",
    "set_recursion_limit",
    "set_seed",
]


def __getattr__(name: str) -> Any:
    return getattr(dtype, name)
