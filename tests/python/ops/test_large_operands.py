"""Kernels whose ways for large, mirrored or misaligned operands differ from those for small ones, against NumPy, on one
thread and on several."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops

RNG = np.random.default_rng(5)
N = 200_003
X = RNG.standard_normal(N).astype(np.float32)
M = RNG.standard_normal((301, 467)).astype(np.float32)
NAN = np.where(RNG.random((301, 467)) < 0.002, np.nan, RNG.integers(-9, 9, (301, 467))).astype(np.float32)
COUNTS = RNG.integers(0, 7, N)
WIDE = RNG.integers(0, 5000, N)
ACROSS = RNG.integers(-467, 467, (301, 467))
DOWN = RNG.integers(0, 301, (301, 467))
TRUE = np.ones(N, bool)
LAST = np.arange(N) == N - 1
EDGES = np.sort(X[:1000])
HOLES = np.where(RNG.random(N) < 0.01, np.nan, X)
UNEVEN = np.array([5, 4, 9])


def scattered(x: np.ndarray, axis: int, index: np.ndarray, updates: np.ndarray) -> np.ndarray:
    """x with updates added at the indices along an axis, in order."""
    out, at = x.copy(), list(np.indices(index.shape))
    at[axis] = index % x.shape[axis]
    np.add.at(out, tuple(at), updates)
    return out


CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], Any]] = {
    "all": (mint.all, (TRUE,), True),
    "all but the last": (mint.all, (~LAST,), False),
    "any": (mint.any, (LAST,), True),
    "not any": (mint.any, (~TRUE,), False),
    "flip": (lambda x: mint.flip(x, (0,)), (X,), X[::-1]),
    "flip of bytes": (lambda x: mint.flip(x, (1,)), (M > 0,), (M > 0)[:, ::-1]),
    "flip of both axes": (lambda x: mint.flip(x, (0, 1)), (M,), M[::-1, ::-1]),
    "rot90": (lambda x: ops.rot90(x, 1, (0, 1)), (M,), np.rot90(M)),
    "rot90 back": (lambda x: ops.rot90(x, -1, (0, 1)), (M.astype(np.float64),), np.rot90(M, -1)),
    "roll": (lambda x: mint.roll(x, 7), (X,), np.roll(X, 7)),
    "roll further than once": (lambda x: mint.roll(x, -3 * N - 2), (X,), np.roll(X, -2)),
    "pad": (lambda x: mint.nn.functional.pad(x, (3, 2)), (X,), np.pad(X, (3, 2))),
    "pad and cut": (
        lambda x: ops.pad(x, (-2, 3, 1, -4), value=2.5),
        (M,),
        np.pad(M[:-4, 2:], ((1, 0), (0, 3)), constant_values=2.5),
    ),
    "pad what is cut away": (lambda x: ops.pad(x, (-467, 1), value=1.0), (M,), np.ones((301, 1))),
    "argmax of rows": (lambda x: mint.argmax(x, 1), (M,), np.argmax(M, 1)),
    "argmax of rows with NaN and equals": (lambda x: mint.argmax(x, 1), (NAN,), np.argmax(NAN, 1)),
    "argmin of a long row": (lambda x: mint.argmin(x), (X,), np.argmin(X)),
    "gather along rows": (lambda x, i: mint.gather(x, 1, i), (M, ACROSS % 467), np.take_along_axis(M, ACROSS % 467, 1)),
    "gather_d from the end": (lambda x, i: ops.gather_d(x, 1, i), (M, ACROSS), np.take_along_axis(M, ACROSS, 1)),
    "gather down columns": (lambda x, i: mint.gather(x, 0, i), (M, DOWN), np.take_along_axis(M, DOWN, 0)),
    "scatter_add down columns": (lambda x, i: mint.scatter_add(x, 0, i, x), (M, DOWN), scattered(M, 0, DOWN, M)),
    "scatter_add along rows": (lambda x, i: mint.scatter_add(x, 1, i, x), (M, ACROSS % 467), scattered(M, 1, ACROSS, M)),
    "bincount of few": (mint.bincount, (COUNTS,), np.bincount(COUNTS)),
    "bincount of many": (mint.bincount, (WIDE,), np.bincount(WIDE)),
    "searchsorted": (mint.searchsorted, (EDGES, HOLES), np.searchsorted(EDGES, HOLES)),
    "searchsorted, right": (
        lambda s, v: mint.searchsorted(s, v, right=True),
        (EDGES, HOLES),
        np.searchsorted(EDGES, HOLES, "right"),
    ),
    "nonzero": (mint.nonzero, (X,), np.argwhere(X)),
    "unique": (mint.unique, (WIDE,), np.unique(WIDE)),
    "unique_consecutive": (mint.unique_consecutive, (COUNTS,), COUNTS[np.append(True, COUNTS[1:] != COUNTS[:-1])]),
    "cummax of columns": (lambda x: mint.cummax(x, 0)[0], (M,), np.maximum.accumulate(M, 0)),
    "cumsum of turned rows": (lambda x: mint.cumsum(x.T, 1), (np.sign(M),), np.cumsum(np.sign(M).T, 1)),
    "cumprod": (lambda x: mint.cumprod(x, 0), (np.sign(M),), np.cumprod(np.sign(M), 0)),
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", CALLS)
def test_large_operands(name: str, threads: int) -> None:
    call, operands, want = CALLS[name]
    ms.set_num_threads(threads)
    try:
        got = call(*(Tensor(np.ascontiguousarray(x)) for x in operands))
    finally:
        ms.set_num_threads(len(os.sched_getaffinity(0)))
    np.testing.assert_allclose(np.asarray(got.asnumpy(), np.float64), np.asarray(want, np.float64), rtol=1e-6)


def test_the_first_index_out_of_range_is_named() -> None:
    index = ACROSS.copy()
    index[7, 5], index[200, 0], index[300, 466] = 1000, -2000, 3000
    with pytest.raises(IndexError, match=r"1000.*axis 1"):
        ops.gather_d(Tensor(M), 1, Tensor(index))


@pytest.mark.parametrize("norm", [0.01, 0.2, 1.5, 3.0, 40.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponentials_of_matrices_of_all_norms(norm: float, dtype: type) -> None:
    x = RNG.standard_normal((9, 9))
    x *= norm / np.abs(x).sum(0).max()
    want, term = np.eye(9), np.eye(9)
    for k in range(1, 200):
        term = term @ x / k
        want = want + term
    got = ops.matrix_exp(Tensor(x.astype(dtype))).asnumpy()
    np.testing.assert_allclose(got, want, atol=50 * np.finfo(dtype).eps * np.abs(want).max())
