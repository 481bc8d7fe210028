"""Arithmetic on sizes in PyTorch's graphs, where these change from call to call."""

from __future__ import annotations

import math
import operator
from typing import Any

import torch

FUNCTIONS: dict[Any, Any] = {
    **{f: f for f in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg)},
    **{f: f for f in (operator.truediv, operator.pow, operator.eq, operator.ne, operator.lt, operator.le)},
    **{f: f for f in (operator.gt, operator.ge, math.ceil, math.floor)},
    torch.sym_int: int,
    torch.sym_float: float,
    torch.sym_min: min,
    torch.sym_max: max,
    torch.sym_not: operator.not_,
}
SIZES: dict[str, Any] = {
    "aten.sym_size.int": lambda x, dim: x.shape[dim],
    "aten.sym_numel.default": lambda x: math.prod(x.shape),
}
