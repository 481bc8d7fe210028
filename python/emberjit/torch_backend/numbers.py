"""Arithmetic on sizes in PyTorch's graphs, where these change from call to call."""

from __future__ import annotations

import math
import operator
from typing import Any

import torch

FUNCTIONS: dict[Any, Any] = {
    **{
        each: each
        for each in (
            operator.add,
            operator.sub,
            operator.mul,
            operator.floordiv,
            operator.mod,
            operator.neg,
            operator.truediv,
            operator.pow,
        )
    },
    **{each: each for each in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)},
    torch.sym_int: int,
    torch.sym_float: float,
    torch.sym_min: min,
    torch.sym_max: max,
    torch.sym_not: operator.not_,
    math.ceil: math.ceil,
    math.floor: math.floor,
}
SIZES: dict[str, Any] = {
    "aten.sym_size.int": lambda x, dim: x.shape[dim],
    "aten.sym_numel.default": lambda x: math.prod(x.shape),
}
