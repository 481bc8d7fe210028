"""Further names of ops, as MindSpore has them."""

from __future__ import annotations

from emberjit import _emberjit as core

_WANTED: dict[str, str] = {
    "absolute": "abs",
    "multiply": "mul",
    "subtract": "sub",
    "divide": "div",
    "true_divide": "div",
    "negative": "neg",
    "eq": "equal",
    "ne": "not_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "lt": "less",
    "le": "less_equal",
    "cat": "concat",
    "clamp": "clip",
    "hswish": "hardswish",
    "unsqueeze": "expand_dims",
    "bmm": "batch_mat_mul",
    "floor_divide": "floor_div",
    "remainder": "floor_mod",
    "bitwise_not": "invert",
}

ALIASES: dict[str, str] = {
    name: target for name, target in _WANTED.items() if target in core.op_table and name not in core.op_table
}
