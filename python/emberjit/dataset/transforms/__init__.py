"""Transforms of any arrays, and what combines them."""

from __future__ import annotations

from emberjit.dataset.transforms.combinations import Compose, RandomApply, RandomChoice, RandomOrder
from emberjit.dataset.transforms.transform import not_random
from emberjit.dataset.transforms.transforms import (
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Plugin,
    Relational,
    Slice,
    TypeCast,
    Unique,
)

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
    "not_random",
]
