"""What MindSpore keeps under mindspore.common."""

from __future__ import annotations

from emberjit import dtype
from emberjit._emberjit import Parameter, Tensor
from emberjit.initializer import initializer
from emberjit.parameter import ParameterTuple
from emberjit.runtime import set_seed

__all__ = ["Parameter", "ParameterTuple", "Tensor", "dtype", "initializer", "set_seed"]
