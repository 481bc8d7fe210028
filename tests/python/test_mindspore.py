"""emberjit against MindSpore 2.10: calls of every public name, and what MindSpore gave for them (tools/record_mindspore.py)."""

from __future__ import annotations

import json
import lzma
import math
from pathlib import Path
from typing import Any

from either_library import outcome

import emberjit as ms
import emberjit.numpy
import emberjit.scipy

RECORDED = json.loads(lzma.decompress((Path(__file__).parent / "mindspore_results.json.xz").read_bytes()))
DIGITS = {"Float16": 3e-3, "BFloat16": 2e-2}


def is_tensor(value: Any) -> bool:
    return len(value) == 3 and isinstance(value[0], str) and value[0].isalnum() and isinstance(value[1], list)


def agree(got: Any, want: Any) -> bool:
    if not isinstance(want, list):
        return got == want
    if not isinstance(got, list) or len(got) != len(want):
        return False
    if not is_tensor(want):
        return all(map(agree, got, want))
    if got[:2] != want[:2]:
        return False
    return want[2] is None or close(got[2], want[2], DIGITS.get(want[0], 2e-4))


def close(got: list[Any], want: list[Any], digits: float) -> bool:
    scale = max((abs(w) for w in want if math.isfinite(w)), default=0)
    return all(g == w or (g != g and w != w) or abs(g - w) <= digits * (abs(w) + scale / 4) for g, w in zip(got, want))
