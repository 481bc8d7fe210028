"""What MindSpore keeps under mindspore.common and mindspore.graph."""

from __future__ import annotations

from emberjit import dtype
from emberjit._emberjit import Parameter, Tensor
from emberjit.capture.jit import jit
from emberjit.capture.options import JitConfig
from emberjit.context import set_recursion_limit
from emberjit.custom import recompute
from emberjit.decorators import jit_class, lazy_inline, no_inline
from emberjit.initializer import initializer
from emberjit.mutable import mutable
from emberjit.parameter import ParameterTuple
from emberjit.runtime import set_seed

__all__ = [
    "JitConfig",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "dtype",
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
