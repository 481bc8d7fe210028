"""Searching, counting, accumulating and choosing where there is NaN, nothing, or what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import numpy as mnp

NAN, INF = np.nan, np.inf
X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
EMPTY = Tensor(np.zeros((0,), np.float32))


def same(got: Any, want: Any) -> None:
    got = [one.asnumpy() for one in got] if isinstance(got, (tuple, list)) else got.asnumpy()
    np.testing.assert_equal(got, [np.asarray(one) for one in want] if isinstance(got, list) else np.asarray(want))


VALUES: tuple[tuple[Any, Any], ...] = (
    (lambda: ops.searchsorted(Tensor([1.0, 2.0, NAN]), Tensor([NAN, 5.0, 2.0])), [2, 2, 1]),
    (lambda: ops.searchsorted(Tensor([1.0, 2.0, NAN]), Tensor([NAN, 5.0, 2.0]), right=True), [3, 2, 2]),
    (lambda: ops.searchsorted(EMPTY, Tensor([1.0])), [0]),
    (lambda: ops.searchsorted(Tensor([3, 1, 2]), Tensor([2.5]), sorter=Tensor([1, 2, 0])), [2]),
    (lambda: ops.bucketize(Tensor([1.0, 2.0]), [1, 2], right=True), [1, 2]),
    (lambda: ops.Bucketize([1, 2])(Tensor([1.0, 2.0])), [1, 2]),
    (lambda: mint.bincount(Tensor([], ms.int64), minlength=2), [0, 0]),
    (lambda: ops.bincount(Tensor([2, 4, 1, 0, 0]), minlength=7), [2, 1, 1, 0, 1, 0, 0]),
    (lambda: ops.histc(Tensor([NAN, 1.0, 2.0, 1.0]), 4, 0.0, 3.0), [0, 2, 1, 0]),
    (lambda: ops.histc(Tensor([1.0, 1.0]), 2), [0, 2]),
    (lambda: ops.histc(EMPTY, 2), [0, 0]),
    (lambda: ops.HistogramFixedWidth(2)(Tensor([-9.0, 0.5, 9.0, 9.0]), Tensor([0.0, 1.0])), [1, 3]),
    (lambda: ops.argwhere(Tensor(5.0)), np.zeros((1, 0))),
    (lambda: ops.argwhere(Tensor([NAN, 0.0, -0.0])), [[0]]),
    (lambda: ops.nonzero(Tensor(0), as_tuple=True), [[]]),
    (lambda: ops.masked_select(X, X > 9), []),
    (lambda: mint.var(EMPTY), np.float32(NAN)),
    (lambda: Tensor([2.0, 4.0]).var(0, True), np.float32(2)),
    (lambda: mint.std(Tensor([2.0, 4.0]), correction=3), np.float32(INF)),
    (lambda: mint.squeeze(Tensor(2.0), 0), np.float32(2)),
    (lambda: mint.transpose(Tensor(2.0), 0, -1), np.float32(2)),
    (lambda: ops.masked_select(Tensor(3.0), Tensor([True, False, True])), [3, 3]),
    (lambda: ops.count_nonzero(Tensor([NAN, 0.0])), 1),
    (lambda: ops.cummax(Tensor([1.0, 3.0, 3.0, NAN, 5.0, NAN]), 0), ([1, 3, 3, NAN, NAN, NAN], [0, 1, 2, 3, 3, 5])),
    (lambda: ops.cummin(Tensor([3, 1, 1, 2]), 0), ([3, 1, 1, 1], [0, 1, 2, 2])),
    (lambda: ops.cumprod(Tensor([-0.0, 1.0]), 0), [-0.0, -0.0]),
    (lambda: ops.cumprod(EMPTY, 0), []),
    (lambda: ops.logcumsumexp(Tensor([-INF, 0.0, 1000.0, INF, 1.0]), 0), [-INF, 0, 1000, INF, INF]),
    (lambda: ops.CumulativeLogsumexp(True)(Tensor([1.0, 2.0]), 0), [-INF, 1]),
    (lambda: ops.CumulativeLogsumexp(True, True)(Tensor([1.0, 2.0]), 0), [2, -INF]),
    (lambda: ops.logcumsumexp(Tensor([1.0, NAN, 1.0]), 0), [1, NAN, NAN]),
    (lambda: ops.logsumexp(Tensor([[-INF, -INF], [1000.0, -INF], [INF, 1.0]]), 1), [-INF, 1000, INF]),
    (lambda: ops.logsumexp(EMPTY, 0), -INF),
    (lambda: ops.quantile(Tensor([1.0, NAN, 3.0]), 0.5), NAN),
    (lambda: ops.nanquantile(Tensor([[1.0, NAN, 3.0], [NAN, NAN, NAN]]), 0.5, 1), [2, NAN]),
    (lambda: ops.quantile(Tensor([-INF, INF, INF]), Tensor([0.0, 1.0])), [-INF, INF]),
    (lambda: ops.Median(True)(Tensor([[3.0, 1.0], [2.0, 9.0]]))[0], 2),
    (lambda: ops.Median(ignore_nan=True)(Tensor([[3.0, NAN], [NAN, 9.0]])), ([3, 9], [0, 1])),
    (lambda: mint.kthvalue(Tensor([3.0, NAN, 1.0]), 3), (NAN, 1)),
    (lambda: ops.NthElement(True)(Tensor([3.0, 2.0, 1.0]), Tensor(0)), 3),
    (lambda: ops.intopk(Tensor([[1.0, 2.0, 2.0], [INF, 1.0, 0.0]]), Tensor([1, 0]), 1), [True, False]),
    (lambda: ops.nansum(Tensor([NAN, 1.0])), 1),
    (lambda: ops.nanmean(Tensor([NAN, NAN])), NAN),
    (lambda: mnp.nanmax(Tensor([[NAN, -INF], [NAN, NAN]]), 1), [-INF, NAN]),
    (lambda: mnp.nanstd(Tensor([1.0, NAN]), ddof=1), NAN),
    (lambda: mnp.isin(Tensor([NAN, 1.0]), [NAN, 1.0]), [False, True]),
    (lambda: ops.unique_consecutive(EMPTY, True, True), ([], [], [])),
    (lambda: ops.unique_consecutive(Tensor([NAN, NAN, 1.0]), return_counts=True), ([NAN, NAN, 1], [1, 1, 1])),
    (lambda: ops.UniqueWithPad()(Tensor([3, 3, 1]), 0), ([3, 1, 0], [0, 0, 1])),
    (lambda: mnp.union1d([], [2.0, 1.0]), [1, 2]),
    (lambda: ops.ListDiff()(Tensor([1, 2, 3, 2]), Tensor([2])), ([1, 3], [0, 2])),
    (lambda: ops.tril_indices(0, 3), np.zeros((2, 0))),
    (lambda: ops.TriuIndices(2, 2, 1)(), [[0], [1]]),
    (lambda: mnp.unravel_index(99, (3, 4)), (2, 3)),
    (lambda: mnp.take(X, [-1, 9, -9]), [5, 5, 0]),
    (lambda: mnp.take(X, [-1, 9], mode="wrap"), [5, 3]),
    (lambda: mnp.interp([NAN, 0.5], [0.0, 1.0], [0.0, 2.0]), [NAN, 1]),
    (lambda: mnp.interp([-1.0, 3.0, 9.0], [3.0], [7.0]), [7, 7, 7]),
    (lambda: mnp.digitize(Tensor([1.0, 3.0]), Tensor([3.0, 1.0])), [1, 0]),
    (lambda: mnp.trapz(Tensor([1, 2, 4])), 4.5),
    (lambda: ops.EmbeddingLookup()(X, Tensor([0, 4, 3]), 3), [[0, 0, 0], [3, 4, 5], [0, 1, 2]]),
    (lambda: ops.DataFormatDimMap()(Tensor([0, -1])), [0, 2]),
    (lambda: mint.nn.functional.one_hot(Tensor([1, 0])), [[0, 1], [1, 0]]),
    (lambda: ops.one_hot(Tensor([1, 0]), 2, Tensor([2]), Tensor([[1]])), [[1, 2], [2, 1]]),
    (lambda: ops.top_k(Tensor([1.0, 3.0, 2.0]), 2), ([3, 2], [1, 2])),
    (lambda: Tensor([1, 2, 3]).reverse(0), [3, 2, 1]),
)


@pytest.mark.parametrize("call, want", VALUES)
def test_values(call: Any, want: Any) -> None:
    same(call(), want)


ERRORS: tuple[tuple[type, str, Any], ...] = (
    (ValueError, "'side' must be", lambda: ops.searchsorted(Tensor([1.0]), Tensor([1.0]), side="up")),
    (ValueError, "contradicts", lambda: ops.searchsorted(Tensor([1.0]), Tensor([1.0]), side="left", right=True)),
    (ValueError, "must have one axis", lambda: ops.searchsorted(X, Tensor([1.0]))),
    (ValueError, "'sorter'", lambda: ops.searchsorted(Tensor([1.0]), Tensor([1.0]), sorter=Tensor([0, 1]))),
    (ValueError, "'dtype' must be int32 or int64", lambda: ops.SearchSorted(ms.float32)(Tensor([1.0]), Tensor([1.0]))),
    (ValueError, "must be matrices", lambda: ops.LowerBound()(Tensor([1.0]), Tensor([1.0]))),
    (TypeError, "'boundaries' must be", lambda: ops.bucketize(X, 3)),
    (TypeError, "must be of integers", lambda: ops.bincount(Tensor([1.0]))),
    (ValueError, "negative elements, but got -1", lambda: ops.bincount(Tensor([2, -1]))),
    (ValueError, "'minlength'", lambda: mint.bincount(Tensor([2]), minlength=-1)),
    (ValueError, "must have one axis", lambda: mint.bincount(Tensor([[2]]))),
    (ValueError, "'bins' must be positive", lambda: ops.histc(X, 0)),
    (ValueError, "'min' must be finite", lambda: ops.histc(X, 3, 2.0, 1.0)),
    (TypeError, "'bins' must be", lambda: mnp.histogram(X, "auto")),
    (ValueError, "'weights'", lambda: mnp.histogram(X, 3, weights=Tensor([1.0]))),
    (TypeError, "'mask' must be bool", lambda: ops.masked_select(X, X)),
    (ValueError, "one element", lambda: ops.is_nonzero(X)),
    (IndexError, "6", lambda: ops.take(X, Tensor([6]))),
    (IndexError, "6", lambda: mnp.take(X, [6], mode="raise")),
    (ValueError, "'mode' must be", lambda: mnp.take(X, [6], mode="no")),
    (ValueError, "as many axes", lambda: mnp.take_along_axis(X, Tensor([0]), 0)),
    (ValueError, "shapes do not broadcast", lambda: mnp.choose(Tensor([0, 1]), [Tensor([1, 2, 3])])),
    (ValueError, "as many conditions", lambda: mnp.select([], [])),
    (TypeError, "'src' must be", lambda: ops.select_scatter(X, Tensor([1, 2, 3]), 0, 0)),
    (ValueError, "the shape of 'src'", lambda: ops.slice_scatter(X, Tensor([[1.0]]), 0, 0, 1)),
    (ValueError, "'step' must be positive", lambda: ops.slice_scatter(X, X, step=0)),
    (ValueError, "the shape of 'src'", lambda: ops.diagonal_scatter(X, Tensor([1.0]))),
    (ValueError, "out of range", lambda: ops.cummax(X, 2)),
    (ValueError, "out of range", lambda: ops.cumprod(X, 2)),
    (TypeError, "real floats", lambda: ops.logcumsumexp(Tensor([1]), 0)),
    (ValueError, "'n' must not be negative", lambda: ops.diff(X, -1)),
    (ValueError, "'edge_order'", lambda: mnp.gradient(X, edge_order=3)),
    (ValueError, "more than 1 elements", lambda: mnp.gradient(Tensor([1.0]))),
    (TypeError, "float32 or float64", lambda: ops.quantile(Tensor([1]), 0.5)),
    (ValueError, "'q' must be from 0 to 1", lambda: ops.quantile(X, 1.5)),
    (ValueError, "'q' must be from 0 to 1", lambda: ops.quantile(X, Tensor([-0.5]))),
    (ValueError, "no elements", lambda: ops.quantile(EMPTY, 0.5)),
    (ValueError, "'k' must be from 1 to 3", lambda: mint.kthvalue(X, 4)),
    (ValueError, "'n' must be from 0 to 2", lambda: ops.NthElement()(X, 3)),
    (ValueError, "'x1' must be a matrix", lambda: ops.intopk(Tensor([1.0]), Tensor([0]), 1)),
    (TypeError, "'weights' must have", lambda: mnp.average(X, weights=Tensor([1.0]))),
    (ValueError, "must not be negative", lambda: ops.tril_indices(-1, 2)),
    (TypeError, "int32 or int64", lambda: ops.tril_indices(1, 2, dtype=ms.float32)),
    (ValueError, "from 0 to 11", lambda: ops.UnravelIndex()(Tensor([12]), Tensor([3, 4]))),
    (ValueError, "each of 0 to 1", lambda: ops.InvertPermutation()((0, 2))),
    (ValueError, "'src_format'", lambda: ops.DataFormatDimMap("NCWH")(Tensor([0]))),
    (IndexError, "4", lambda: ops.DataFormatDimMap()(Tensor([4]))),
    (ValueError, "'num_classes'", lambda: mint.nn.functional.one_hot(Tensor([1]), 0)),
    (TypeError, "one dtype", lambda: ops.ListDiff()(Tensor([1.0]), Tensor([1]))),
)


@pytest.mark.breaks
@pytest.mark.parametrize("error, words, call", ERRORS)
def test_errors(error: type, words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call().asnumpy()


def test_gradients_where_shapes_depend_on_values() -> None:
    x = Tensor([1.0, -2.0, 3.0])
    assert ms.grad(lambda x: (ops.masked_select(x, x > 0) ** 2).sum())(x).tolist() == [2, 0, 6]
    weights = Tensor([0, 2, 2])
    assert ms.grad(lambda w: (ops.bincount(weights, w) * Tensor([1.0, 2.0, 3.0])).sum())(x).tolist() == [1, 3, 3]
    assert ms.grad(lambda x: ops.SegmentMax()(x, Tensor([0, 0, 1])).sum())(x).tolist() == [1, 0, 1]


def test_gradients_of_running_products_with_zeros() -> None:
    assert ms.grad(lambda x: ops.cumprod(x, 0).sum())(Tensor([2.0, 0.0, 3.0])).tolist() == [1, 8, 0]
    assert ms.grad(lambda x: ops.logcumsumexp(x, 0).sum())(Tensor([-INF, 0.0])).tolist() == [0, 1]
    assert ms.grad(lambda x: ops.cummax(x, 0)[0].sum())(Tensor([1.0, 3.0, 3.0])).tolist() == [1, 1, 1]


@pytest.mark.breaks
def test_conditions_in_graphs_break_them() -> None:
    found = ms.jit(lambda x: ops.masked_select(x * 2, x > 2) + 1)(X)
    assert found.tolist() == [7, 9, 11]
