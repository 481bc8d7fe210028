"""Functions along an axis take a Tensor without axes as a line of one element, whose axis is 0 or -1: eagerly, captured,
under gradients and vmap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops

FUNCTIONS: dict[str, Callable[[Any, int], Any]] = {
    "cumsum": lambda x, axis: ops.cumsum(x, axis),
    "cummax": lambda x, axis: ops.cummax(x, axis)[0],
    "cummin": lambda x, axis: mint.cummin(x, axis)[0],
    "softmax": lambda x, axis: ops.softmax(x, axis),
    "log_softmax": lambda x, axis: ops.log_softmax(x, axis),
    "sort": lambda x, axis: ops.sort(x, axis)[0],
    "topk": lambda x, axis: ops.topk(x, 1, axis)[0],
    "gather_elements": lambda x, axis: ops.gather_elements(x, axis, ops.full(x.shape, 0, dtype=ms.int64)),
    "scatter": lambda x, axis: mint.scatter(x, axis, ops.full(x.shape, 0, dtype=ms.int64), x * 2),
    "scatter_add": lambda x, axis: mint.scatter_add(x, axis, ops.full(x.shape, 0, dtype=ms.int64), x * 2),
    "index_add": lambda x, axis: mint.index_add(x, axis, Tensor([0]), x * 2),
}
DTYPES = (ms.float16, ms.float32, ms.float64)


@pytest.mark.parametrize("axis", (0, -1))
@pytest.mark.parametrize("f", FUNCTIONS.values(), ids=FUNCTIONS)
def test_as_of_a_line_of_one_element(f: Callable[[Any, int], Any], axis: int) -> None:
    g = lambda x: f(x, axis)
    for dtype in DTYPES:
        x = Tensor(2.5, dtype)
        wanted = g(x.reshape((1,))).reshape(())
        for way in (g, ms.jit(g)):
            found = way(x)
            assert found.dtype == dtype and found.shape == () and found.item() == wanted.item()
    x = Tensor(2.5, ms.float64)
    for way in (g, ms.jit(g)):
        assert ms.grad(way)(x).item() == ms.grad(g)(x.reshape((1,))).item()
    lines = np.arange(3.0) + 1
    assert ms.vmap(g)(Tensor(lines)).tolist() == ms.vmap(g)(Tensor(lines[:, None])).reshape((-1,)).tolist()


@pytest.mark.parametrize("f", FUNCTIONS.values(), ids=FUNCTIONS)
def test_there_is_no_axis_1(f: Callable[[Any, int], Any]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        f(Tensor(2.5), 1)


def test_a_line_is_gathered_from() -> None:
    x, index = Tensor(2.5), Tensor([0, -1, 0])
    assert ops.gather(x, index, 0).tolist() == ops.gather_elements(x, 0, index).tolist() == [2.5, 2.5, 2.5]
    assert ms.grad(lambda x: ops.gather(x, index, 0).sum())(x).item() == 3
    assert ms.grad(lambda x: ops.gather_elements(x, 0, index).sum())(x).item() == 3
    only = lambda x: ops.gather(x, Tensor(0), 0)
    assert only(x).item() == 2.5 and ms.grad(only)(x).item() == 1
    assert ms.vmap(ms.grad(only))(Tensor([1.0, 2.0])).tolist() == [1, 1]
    with pytest.raises(IndexError):
        ops.gather(x, Tensor([1]), 0)
