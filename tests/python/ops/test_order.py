"""Sorting, topk, extremes, medians and distinct elements: ties go by the lower index, NaN is above all numbers, -0 equals 0,
whatever the dtype, the layout, the length of the lines (short ones are compared, long ones go by digits) and the threads."""

from __future__ import annotations

from typing import Any

import hypothesis
import numpy as np
import pytest
import strategies
from hypothesis import strategies as st

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import _emberjit as core
from emberjit import numpy as mnp

NAN = float("nan")
FLOATS = (ms.float16, ms.bfloat16, ms.float32, ms.float64)
INTS = (ms.int8, ms.int16, ms.int32, ms.int64, ms.uint8, ms.uint16, ms.uint32, ms.uint64)


def numbers(tensor: Any) -> np.ndarray:
    return tensor.astype(ms.float64).asnumpy() if tensor.dtype in FLOATS else tensor.asnumpy()


def order(line: np.ndarray, descending: bool) -> np.ndarray:
    """By definition: a stable sort of (is NaN, value), in which -0 equals 0."""
    nan = np.isnan(line) if line.dtype.kind == "f" else np.zeros(line.shape, bool)
    keys = [(bool(n), 0 if n else int(v) if line.dtype.kind in "iub" else float(v) + 0.0) for n, v in zip(nan, line)]
    if not descending:
        return np.array(sorted(range(len(keys)), key=lambda i: keys[i]), np.int64)
    return np.array(sorted(range(len(keys)), key=lambda i: keys[i], reverse=True), np.int64)


def lines(dtype: Any, lengths: st.SearchStrategy[int]) -> st.SearchStrategy[Tensor]:
    """With ties, and with what orders in its own way."""
    kind = np.float32 if dtype == ms.bfloat16 else ms.dtype.dtype_to_nptype(dtype)
    return strategies.lines(kind, lengths).map(lambda x: Tensor(x).astype(dtype))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTS, ms.bool_], ids=str)
@strategies.examples(6)
@hypothesis.given(data=st.data())
def test_sort_is_stable_and_total(dtype: Any, data: st.DataObject) -> None:
    x = data.draw(lines(dtype, st.sampled_from([1, 2, 31, 511, 512, 3000])))
    for descending in (False, True):
        want = order(numbers(x), descending)
        values, indices = core.op_table["sort"](x, -1, descending)
        np.testing.assert_array_equal(indices.asnumpy(), want)
        assert values.dtype == x.dtype
        same = numbers(values), numbers(x)[want]
        np.testing.assert_array_equal(*same)
        if dtype in FLOATS:
            np.testing.assert_array_equal(np.signbit(same[0]), np.signbit(same[1]))


@pytest.mark.parametrize("k", [0, 1, 7, 200, 999, 1000])
@strategies.examples(3)
@hypothesis.given(x=lines(ms.float32, st.just(1000)))
def test_topk_is_the_begin_of_the_order(k: int, x: Tensor) -> None:
    for largest in (False, True):
        values, indices = mint.topk(x, k, largest=largest)
        want = order(numbers(x), largest)[:k]
        np.testing.assert_array_equal(indices.asnumpy(), want)
        np.testing.assert_array_equal(values.asnumpy(), x.asnumpy()[want])


def test_every_axis_and_layout_on_any_number_of_threads() -> None:
    x = np.random.default_rng(0).integers(0, 50, (6, 700, 5)).astype(np.float32)
    for threads in (1, 2, 3):
        ms.set_num_threads(threads)
        for axis in (0, 1, 2, -1, -2):
            want = np.argsort(x, axis, kind="stable")
            for given in (Tensor(x), Tensor(x.transpose(2, 0, 1).copy()).transpose(1, 2, 0)):
                values, indices = mint.sort(given, dim=axis)
                np.testing.assert_array_equal(indices.asnumpy(), want)
                np.testing.assert_array_equal(values.asnumpy(), np.take_along_axis(x, want, axis))
    ms.set_num_threads(2)


def test_what_is_given_and_what_is_refused() -> None:
    x = Tensor([3.0, 1, 2, 1])
    assert [r.dtype for r in ops.sort(x)] == [ms.float32, ms.int32]
    assert [r.dtype for r in mint.sort(x)] == [ms.float32, ms.int64]
    assert ops.Sort(descending=True)(x)[1].tolist() == [0, 2, 1, 3]
    assert x.sort(dim=0, descending=True, stable=True)[0].tolist() == [3, 2, 1, 1]
    assert x.argsort(axis=0).tolist() == mint.argsort(x).tolist() == [1, 3, 2, 0]
    assert ops.TopK()(x, 2)[0].tolist() == x.topk(2)[0].tolist() == [3, 2]
    assert [r.tolist() for r in ops.sort(Tensor(3.0))] == [3, 0]
    assert [r.shape for r in mint.topk(Tensor(3.0), 1)] == [(), ()]
    assert [r.shape for r in ops.sort(Tensor(np.zeros((0, 3), np.float32)), 0)] == [(0, 3), (0, 3)]
    for call in (lambda: ops.topk(x, 5), lambda: ops.topk(x, -1), lambda: ops.sort(x, 1), lambda: ops.topk(Tensor(3.0), 0)):
        with pytest.raises(ValueError, match=r"For '(topk|sort)'"):
            call()


def test_extremes_take_the_first_of_equals_and_the_first_nan() -> None:
    x = Tensor([1.0, 5, NAN, 5, NAN])
    assert ops.argmax(x).item() == ops.argmin(x).item() == 2
    assert ops.argmax(Tensor([1, 5, 0, 5])).item() == 1 and ops.argmin(Tensor([1, 0, 0, 5])).item() == 1
    value, index = ops.max(x, 0)
    assert np.isnan(value.item()) and index.item() == 2


def test_medians() -> None:
    assert [r.item() for r in ops.median(Tensor([3.0, 1, 2, 1]))] == [1, 3]
    value, index = ops.median(Tensor([1.0, NAN, 0, NAN]))
    assert np.isnan(value.item()) and index.item() == 1
    assert [r.item() for r in ops.nanmedian(Tensor([1.0, NAN, 0, NAN]))] == [0, 2]
    value, index = ops.nanmedian(Tensor([NAN, NAN]))
    assert np.isnan(value.item()) and index.item() == 0
    assert mint.median(Tensor([[3, 1], [2, 1]])).item() == 1
    assert [r.tolist() for r in Tensor([[3, 1, 2], [6, 5, 4]]).median(1, True)] == [[[2], [5]], [[2], [1]]]
    for empty in (lambda: ops.median(Tensor(np.zeros((2, 0), np.float32))), lambda: ops.nanmedian(ops.zeros((0,)))):
        with pytest.raises(ValueError, match="no elements"):
            empty()


@pytest.mark.breaks
def test_distinct_elements() -> None:
    x = Tensor([[3, 1, 2], [1, 3, 0]])
    assert [r.tolist() for r in ops.unique(x)] == [[3, 1, 2, 0], [[0, 1, 2], [1, 0, 3]]]
    assert [r.tolist() for r in mint.unique(x, return_inverse=True, return_counts=True)] == [
        [0, 1, 2, 3],
        [[3, 1, 2], [1, 3, 0]],
        [1, 2, 1, 2],
    ]
    assert x.unique().tolist() == [0, 1, 2, 3] and mnp.unique(x).tolist() == [3, 1, 2, 0]
    values, inverse = ops.unique(Tensor([NAN, 0.0, -0.0, NAN]))
    assert np.isnan(values.asnumpy()).tolist() == [True, False, True] and inverse.tolist() == [0, 1, 1, 2]
    assert not np.signbit(values.asnumpy()[1])
    assert [r.shape for r in ops.unique(ops.zeros((0,)))] == [(0,), (0,)]

    @ms.jit
    def distinct(x: Any) -> Any:
        return ops.unique(x * 2)[0] + 1

    assert distinct(x).tolist() == distinct(x).tolist() == [7, 3, 5, 1]


def test_gradients_go_to_where_elements_came_from() -> None:
    x, weight = Tensor([3.0, 1, 2, 1]), Tensor([1.0, 10, 100, 1000])

    def by_order(x: Any) -> Any:
        return (ops.sort(x)[0] * weight).sum()

    def by_size(x: Any) -> Any:
        return (ops.topk(x, 2)[0] * weight[:2]).sum()

    for jitted in (lambda f: f, ms.jit):
        assert jitted(ms.grad(by_order))(x).tolist() == [1000, 1, 100, 10]
        assert jitted(ms.grad(by_size))(x).tolist() == [1, 0, 10, 0]
        assert jitted(ms.grad(lambda x: ops.median(x)[0]))(x).tolist() == [0, 0, 0, 1]


def test_integer_division_by_zero_gives_zero() -> None:
    for dtype in INTS:
        x = Tensor([7, 1, 0]).astype(dtype)
        zero = ops.zeros_like(x)
        for divide in (ops.floor_div, ops.floor_mod):
            assert divide(x, zero).tolist() == ms.jit(divide)(x, zero).tolist() == [0, 0, 0]
    least = Tensor(np.array([np.iinfo(np.int32).min], np.int32))
    assert (least // -1).tolist() == least.tolist() and (least % -1).tolist() == [0]
