"""Results and refusals of mint at edges: Tensors without axes, images without a batch, dtypes of indices and of sums. What
tools/compare_torch.py found is kept here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops

F = mint.nn.functional
SCALAR = np.float32(2)
INTS = np.array([[1, 2], [3, 4]], np.int32)
IMAGE = np.random.RandomState(0).randn(2, 5, 6).astype(np.float32)
ROW = np.arange(1, 5, dtype=np.float32)[None]

LARGE = np.arange(12, dtype=np.float32).reshape(3, 4)
PLACES = np.array([[0, 1], [2, 0]])
SOFT = np.exp(ROW[0]) / np.exp(ROW[0]).sum()

RESULTS: dict[str, tuple[Any, Any]] = {
    "cumprod of a scalar": (lambda: mint.cumprod(Tensor(SCALAR), 0), SCALAR),
    "logcumsumexp of a scalar": (lambda: Tensor(SCALAR).logcumsumexp(-1), SCALAR),
    "vector_norm of a scalar": (lambda: mint.linalg.vector_norm(Tensor(-SCALAR), 3, 0), SCALAR),
    "norm of a scalar": (lambda: Tensor(-SCALAR).norm(2, -1), SCALAR),
    "normalize of a scalar": (lambda: F.normalize(Tensor(SCALAR), dim=0), np.float32(1)),
    "index_fill of a scalar": (lambda: Tensor(SCALAR).index_fill(0, Tensor([0]), 3.0), np.float32(3)),
    "masked_select of a scalar": (lambda: mint.masked_select(Tensor(SCALAR), Tensor(True)), SCALAR[None]),
    "cov of a row": (lambda: Tensor(ROW).cov(), np.float32(np.var(ROW, ddof=1))),
    "trace of int32": (lambda: mint.trace(Tensor(INTS)), np.int64(5)),
    "cumprod of int32": (lambda: mint.cumprod(Tensor(INTS), 0), np.array([[1, 2], [3, 8]], np.int64)),
    "argmin": (lambda: mint.argmin(Tensor(INTS), 1), np.array([0, 0], np.int64)),
    "indices of sort": (lambda: mint.sort(Tensor(ROW), stable=True)[1], np.array([[0, 1, 2, 3]], np.int64)),
    "runs": (lambda: Tensor(INTS).unique_consecutive(return_counts=True)[1], np.ones(4, np.int64)),
    "relu6 of int32": (lambda: F.relu6(Tensor(np.array([-1, 8], np.int32))), np.array([0, 6], np.int32)),
    "division of ints": (lambda: mint.div(-7, 2, rounding_mode="trunc"), np.int64(-3)),
    "distinct rows": (lambda: mint.unique(Tensor(INTS[[1, 0, 1]]), dim=0, return_inverse=True)[1], np.array([1, 0, 1])),
    "max of two": (lambda: mint.max(Tensor(INTS), Tensor(INTS[::-1].copy())), np.array([[3, 4], [3, 4]], np.int32)),
    "min with a number": (lambda: mint.min(Tensor(ROW), 2.5), np.minimum(ROW, np.float32(2.5))),
    "var along dim": (lambda: Tensor(ROW).var(dim=1), np.var(ROW, 1, ddof=1)),
    "std by correction": (lambda: Tensor(ROW).std(dim=1, correction=0, keepdim=True), np.std(ROW, 1, keepdims=True)),
    "reflect, cut": (lambda: F.pad(Tensor(ROW), (-1, 2), "reflect"), ROW[:, [1, 2, 3, 2, 1]]),
    "replicate, cut": (lambda: F.pad(Tensor(ROW), (-4, 2), "replicate"), ROW[:, [3, 3]]),
    "circular, cut": (lambda: F.pad(Tensor(ROW), (-1, 2), "circular"), ROW[:, [1, 2, 3, 1, 2]]),
    "scatter of a larger source": (
        lambda: mint.scatter(Tensor(LARGE), 0, Tensor(PLACES), Tensor(LARGE + 100)),
        np.array([[100, 105, 2, 3], [4, 101, 6, 7], [104, 9, 10, 11]], np.float32),
    ),
    "scatter_add of a larger source": (
        lambda: mint.scatter_add(Tensor(LARGE), 0, Tensor(PLACES), Tensor(LARGE + 100)),
        np.array([[100, 106, 2, 3], [4, 106, 6, 7], [112, 9, 10, 11]], np.float32),
    ),
    "scatter_ of a larger source": (
        lambda: Tensor(LARGE).scatter_(0, Tensor(PLACES), Tensor(LARGE + 100)),
        np.array([[100, 105, 2, 3], [4, 101, 6, 7], [104, 9, 10, 11]], np.float32),
    ),
    "scatter_ that adds": (
        lambda: Tensor(LARGE).scatter_(0, Tensor(PLACES), Tensor(LARGE + 100), reduce="add"),
        np.array([[100, 106, 2, 3], [4, 106, 6, 7], [112, 9, 10, 11]], np.float32),
    ),
    "cumsum of bools": (lambda: mint.cumsum(Tensor([True, False, True]), 0), np.array([1, 1, 2], np.int64)),
    "cumsum of int32": (lambda: mint.cumsum(Tensor(INTS), 1), np.array([[1, 3], [3, 7]], np.int64)),
    "cumsum as float32": (lambda: mint.cumsum(Tensor(INTS), 0, ms.float32), np.array([[1, 2], [4, 6]], np.float32)),
    "softmax of a row": (lambda: F.softmax(Tensor(ROW[0])), SOFT),
    "softmax of rows": (lambda: F.softmax(Tensor(ROW)), SOFT[None]),
    "softmax of three axes": (lambda: F.softmax(Tensor(ROW[None])), np.ones((1, 1, 4), np.float32)),
    "log_softmax of a row": (lambda: F.log_softmax(Tensor(ROW[0])), np.log(SOFT)),
    "log_softmax of rows": (lambda: F.log_softmax(Tensor(ROW)), np.log(SOFT)[None]),
    "softmax of ints": (lambda: F.softmax(Tensor(INTS * 0), dtype=ms.float32), np.full((2, 2), 0.5, np.float32)),
    "positions": (lambda: mint.stack(mint.where(Tensor(INTS) > 2)), np.array([[1, 1], [0, 1]])),
    "full_like of ints": (lambda: mint.full_like(Tensor(INTS), SCALAR + np.float32(0.5)), np.full((2, 2), 2, np.int32)),
    "new_full of ints": (lambda: Tensor(INTS).new_full((1,), 2.5), np.full(1, 2, np.int32)),
}
FILLED: dict[str, tuple[Any, Any]] = {
    "float": (2.5, np.float32),
    "inf": (float("inf"), np.float32),
    "bool": (True, np.bool_),
    "int": (3, np.int64),
    "large int": (2**40, np.int64),
    "complex": (3j, np.complex64),
    "float16": (np.float16(2.5), np.float32),
    "float64": (np.float64(2.5), np.float32),
    "int32": (np.int32(3), np.int64),
    "NumPy's bool": (np.True_, np.bool_),
    "Tensor of float64": (Tensor(2.5, ms.float64), np.float32),
    "Tensor of int32": (Tensor(3, ms.int32), np.int64),
    "Tensor of bool": (Tensor(False), np.bool_),
}


@pytest.mark.parametrize("fill", [mint.full, lambda size, value: ops.fill(None, size, value)], ids=["full", "fill"])
@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("name", FILLED)
def test_dtypes_of_what_is_filled(name: str, run: Any, fill: Any) -> None:
    value, dtype = FILLED[name]
    for call in (lambda: run(lambda v: fill((2,), v))(value), lambda: run(lambda: fill((2,), value))()):
        result = call().asnumpy()
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, np.full(2, value.asnumpy() if isinstance(value, Tensor) else value))


@pytest.mark.parametrize("name", RESULTS)
def test_results(name: str) -> None:
    call, expected = RESULTS[name]
    result = call().asnumpy()
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-6)


COPIES: dict[str, Any] = {
    "diag": mint.diag,
    "diff": lambda x: mint.diff(x, 0),
    "nan_to_num": mint.nan_to_num,
    "pad": lambda x: F.pad(x, (0, 0), "reflect"),
    "pixel_shuffle": lambda x: F.pixel_shuffle(x[None], 1),
    "roll": lambda x: mint.roll(x, 0, 0),
    "rot90": lambda x: x.rot90(4, (0, 1)),
}


@pytest.mark.parametrize("name", COPIES)
def test_what_moves_nothing_is_a_copy(name: str) -> None:
    x = Tensor(INTS[None] if name == "pixel_shuffle" else INTS)
    COPIES[name](x).add_(1)
    np.testing.assert_array_equal(x.asnumpy().reshape(2, 2), INTS)


REFUSED: dict[str, tuple[Any, str]] = {
    "another axis of a scalar": (lambda: mint.cumprod(Tensor(SCALAR), 1), "axis 1 is out of range"),
    "a negative count of windows": (lambda: F.adaptive_avg_pool1d(Tensor(IMAGE), -1), "none negative"),
    "padding beyond the window": (lambda: F.avg_pool1d(Tensor(IMAGE), 2, 2, 4), "at most half of"),
    "windows of a matrix": (lambda: F.max_pool2d(Tensor(INTS), 2, return_indices=True), "3 or 4 axes"),
    "a source smaller than its index": (
        lambda: mint.scatter(Tensor(LARGE), 0, Tensor(PLACES), Tensor(LARGE[:1])),
        "'src' must be at least as large as 'index'",
    ),
    "an image of a matrix": (lambda: F.conv_transpose1d(Tensor(ROW[0]), Tensor(IMAGE)), "2 or 3 axes"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        call()


def _of_one_and_of_a_batch(function: Any, x: Any) -> None:
    one, batch = function(Tensor(x)), function(Tensor(x[None]))
    for a, b in zip(one, batch) if isinstance(one, tuple) else [(one, batch)]:
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy()[0])


@pytest.mark.parametrize("indices", [False, True])
def test_max_pool_of_one_image(indices: bool) -> None:
    for axes, pool in ((2, F.max_pool2d), (3, ms.ops.max_pool3d)):
        kernel, steps = (3, 2, 2)[:axes], (2, 1, 2)[:axes]
        x = np.random.RandomState(1).randn(2, *(5, 6, 4)[:axes]).astype(np.float32)
        _of_one_and_of_a_batch(lambda x: pool(x, kernel, steps, 1, 1, ceil_mode=True, return_indices=indices), x)


def test_transposed_convolution_of_one_image() -> None:
    weight = Tensor(np.random.RandomState(2).randn(2, 3, 3, 2).astype(np.float32))
    _of_one_and_of_a_batch(lambda x: F.conv_transpose2d(x, weight, None, 2, 1, 1), IMAGE)


def test_weighted_covariance_of_complex_numbers_is_in_their_precision() -> None:
    x, weights = np.random.RandomState(3).randn(2, 4) * (1 + 2j), np.array([0.1, 0.7, 0.3, 0.9], np.float32)
    np.testing.assert_allclose(
        Tensor(x).cov(aweights=Tensor(weights)).asnumpy(), np.cov(x, aweights=weights.astype(np.float64)), rtol=1e-12
    )


def test_gradient_of_cut_padding() -> None:
    gradient = ms.grad(lambda x: F.pad(x, (-1, 2), "reflect").sum())(Tensor(ROW))
    np.testing.assert_array_equal(gradient.asnumpy(), [[0, 2, 2, 1]])


def test_the_slope_of_relu6_where_it_ends():
    x = Tensor(np.array([0.0, 3.0, 6.0, 7.0], np.float32))
    assert ms.grad(lambda x: F.relu6(x).sum())(x).tolist() == [0, 1, 0, 0]  # PyTorch's
    assert ms.grad(lambda x: ops.relu6(x).sum())(x).tolist() == [0, 1, 1, 0]  # MindSpore's


@pytest.mark.breaks
@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_equal_says_whether_all_are(run: Any) -> None:
    equal = run(lambda x, y: mint.equal(x, y))
    assert equal(Tensor(INTS), Tensor(INTS)) is True and equal(Tensor(INTS), Tensor(INTS + 1)) is False
    assert equal(Tensor(INTS), Tensor(INTS[:1])) is False


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_gradients_of_a_source_larger_than_its_index(run: Any) -> None:
    f = run(lambda x, src: (mint.scatter(x, 0, Tensor(PLACES), src) * Tensor(LARGE)).sum())
    of_x, of_src = ms.grad(f, (0, 1))(Tensor(LARGE), Tensor(LARGE))
    want = np.zeros((3, 4), np.float32)
    want[:2, :2] = np.take_along_axis(LARGE[:, :2], PLACES, 0)
    np.testing.assert_array_equal(of_src.asnumpy(), want)
    np.testing.assert_array_equal(of_x.asnumpy(), np.where(np.isin(LARGE, want[:2, :2]), 0, LARGE))
