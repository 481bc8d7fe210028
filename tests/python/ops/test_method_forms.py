"""Forms in which MindSpore calls methods and Cells, and what they give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn

MATRIX = Tensor(np.float32([[1, 2, 3], [4, 5, 6]]))
FORMS: list[tuple[Any, Any]] = [
    (lambda x: x.round(0), [[1, 2, 3], [4, 5, 6]]),
    (lambda x: x.min(1, where=True), [1, 4]),
    (lambda x: x.max(0, initial=5, where=False), [5, 5, 5]),
    (lambda x: x.max(0, keepdims=True), [[4, 5, 6]]),
    (lambda x: x.min(1, keepdims=False), [1, 4]),
    (lambda x: x.max(1, keepdim=True)[0], [[3], [6]]),
    (lambda x: x.sum(dtype=ms.bool_, initial=12), True),
    (lambda x: nn.MSELoss()(labels=x, logits=x + 1), 1),
]


@pytest.mark.parametrize("form, expected", FORMS)
@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_forms(form: Any, expected: Any, wrap: Any) -> None:
    assert wrap(lambda x: form(x))(MATRIX).asnumpy().tolist() == expected
