"""Small values: Tensors of given elements, and results as lists that can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit import Tensor


def array(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32))


def plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
