"""ONNX's reductions, scans, sorts, softmax, losses and norms along axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit._emberjit import Tensor
from emberjit.mint.nn import functional as F
from emberjit.onnx import values
from emberjit.onnx.elementwise import is_float
from emberjit.onnx.table import Input, Ints, Number, Row, op
from emberjit.onnx.values import numpy_dtype


def _mean(x: Tensor, axes: Sequence[int], keep: bool) -> Any:
    if is_float(x):
        return mint.mean(x, axes, keep)
    count = int(np.prod([x.shape[axis] for axis in axes]))
    return mint.div(mint.sum(x, axes, keep), count, rounding_mode="trunc").astype(x.dtype)


def _product(x: Tensor, axes: Sequence[int], keep: bool) -> Any:
    for axis in sorted(axes, reverse=True):
        x = mint.prod(x, axis, keep).astype(x.dtype)
    return x


def _outermost(x: Tensor, low: bool) -> Any:
    """The least or largest number of a Tensor's dtype."""
    if x.dtype == dtypes.bool_:
        return not low
    if is_float(x):
        return -np.inf if low else np.inf
    limits = np.iinfo(numpy_dtype(x.dtype))
    return limits.min if low else limits.max


def _extreme(function: Callable[..., Any], low: bool) -> Callable[..., Any]:
    def extreme(x: Tensor, axes: Sequence[int], keep: bool) -> Any:
        if any(x.shape[axis] == 0 for axis in axes):
            shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
            result = Tensor(np.full(shape, _outermost(x, low)), x.dtype)
            return result if keep else result.reshape([n for i, n in enumerate(x.shape) if i not in axes])
        if x.dtype == dtypes.bool_:
            return function(x.astype(dtypes.int8), axes, keep).astype(dtypes.bool_)
        return function(x, axes, keep)

    return extreme


def _sum(x: Tensor, axes: Sequence[int], keep: bool) -> Any:
    return mint.sum(x, axes, keep).astype(x.dtype)


def _in_floats(function: Callable[[Any], Any], x: Tensor) -> Any:
    """A function of floats, which computes ints in float64 and truncates."""
    return function(x) if is_float(x) else function(x.astype(dtypes.float64)).astype(x.dtype)


def _reduction(name: str, function: Callable[[Any, Any, bool], Any]) -> None:
    @op(name)
    def reduce(x: Tensor, at: Row = None, *, axes: Ints = None, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
        axes = axes if at is None else at
        if not axes:
            if noop_with_empty_axes:
                return function(mint.unsqueeze(x, 0), (0,), False)
            axes = range(x.ndim)
        elif any(not -x.ndim <= axis < x.ndim for axis in axes):
            raise ValueError(f"the axes {tuple(axes)} are not of a tensor of shape {x.shape}")
        if not x.ndim:
            return function(mint.unsqueeze(x, 0), (0,), False)
        return function(x, tuple(sorted(values.within(axis, x.ndim) for axis in axes)), bool(keepdims))


for _name, _function in {
    "ReduceSum": _sum,
    "ReduceMean": _mean,
    "ReduceProd": _product,
    "ReduceMax": _extreme(mint.amax, True),
    "ReduceMin": _extreme(mint.amin, False),
    "ReduceL1": lambda x, axes, keep: _sum(mint.abs(x), axes, keep),
    "ReduceL2": lambda x, axes, keep: _in_floats(mint.sqrt, _sum(x * x, axes, keep)),
    "ReduceSumSquare": lambda x, axes, keep: _sum(x * x, axes, keep),
    "ReduceLogSum": lambda x, axes, keep: _in_floats(mint.log, _sum(x, axes, keep)),
    "ReduceLogSumExp": lambda x, axes, keep: _in_floats(lambda x: mint.logsumexp(x, axes, keep), x),
}.items():
    _reduction(_name, _function)


def _index(name: str, function: Callable[..., Any]) -> None:
    @op(name)
    def index(x: Tensor, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
        axis = values.within(axis, x.ndim)
        position = function(mint.flip(x, (axis,)) if select_last_index else x, axis, bool(keepdims))
        return (x.shape[axis] - 1 - position if select_last_index else position).astype(dtypes.int64)


_index("ArgMax", mint.argmax)
_index("ArgMin", mint.argmin)


def _along(name: str, function: Callable[[Any, int], Any]) -> None:
    @op(name)
    def along(x: Tensor, *, axis: int | None = None, opset: int) -> Any:
        axis = (-1 if opset >= 13 else 1) if axis is None else axis
        if opset >= 13:
            return function(x, axis)
        axis = values.within(axis, x.ndim)
        return function(mint.flatten(x, axis, -1) if axis < x.ndim - 1 else x, axis).reshape(tuple(x.shape))


def _hardmax(x: Tensor, axis: int) -> Any:
    if 0 in x.shape:
        return x
    at = mint.unsqueeze(mint.argmax(x, axis), axis)
    return mint.scatter(mint.zeros_like(x), axis, at, mint.ones(tuple(at.shape), dtype=x.dtype))


_along("Softmax", F.softmax)
_along("LogSoftmax", F.log_softmax)
_along("Hardmax", _hardmax)


def _scan(name: str, function: Callable[[Any, int], Any], first: int) -> None:
    @op(name)
    def scan(x: Tensor, axis: Number, *, exclusive: int = 0, reverse: int = 0) -> Any:
        axis = values.within(axis, x.ndim)
        x = mint.flip(x, (axis,)) if reverse else x
        if exclusive and x.shape[axis]:
            block = mint.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), first, dtype=x.dtype)
            x = mint.cat([block, mint.narrow(x, axis, 0, x.shape[axis] - 1)], axis)
        result = function(x, axis).astype(x.dtype)
        return mint.flip(result, (axis,)) if reverse else result


_scan("CumSum", mint.cumsum, 0)
_scan("CumProd", mint.cumprod, 1)


@op("TopK")
def top_k(
    x: Tensor, count: Number = None, *, axis: int = -1, largest: int = 1, sorted: int = 1, k: int | None = None
) -> Any:
    axis, count = values.within(axis, x.ndim), k if count is None else count
    elements, at = mint.sort(x, dim=axis, descending=bool(largest), stable=True)
    return mint.narrow(elements, axis, 0, count), mint.narrow(at, axis, 0, count).astype(dtypes.int64)


@op("Unique")
def unique(x: Tensor, *, axis: int | None = None, sorted: int = 1, outputs: int) -> Any:
    elements, first, inverse, counts = np.unique(x.asnumpy(), True, True, True, axis=axis)
    inverse = inverse.reshape(-1)
    if not sorted:
        order = np.argsort(first, kind="stable")
        elements, first, counts = np.take(elements, order, 0 if axis is None else axis), first[order], counts[order]
        inverse = np.argsort(order, kind="stable")[inverse]
    parts = (elements, *(array.astype(np.int64) for array in (first, inverse, counts)))
    return tuple(Tensor(np.ascontiguousarray(array)) for array in parts[:outputs])


@op("LpNormalization")
def lp_normalization(x: Tensor, *, axis: int = -1, p: int = 2) -> Any:
    norm = mint.sum(mint.abs(x), axis, True) if p == 1 else mint.sqrt(mint.sum(x * x, axis, True))
    return mint.where(norm == 0, mint.zeros_like(x), x / mint.where(norm == 0, mint.ones_like(norm), norm))


@op("NegativeLogLikelihoodLoss")
def negative_log_likelihood(
    x: Tensor, target: Tensor, w: Input = None, *, ignore_index: int | None = None, reduction: str = "mean"
) -> Any:
    at = target.astype(dtypes.int64)
    ignored = None if ignore_index is None else at == ignore_index
    at = at if ignored is None else mint.where(ignored, mint.zeros_like(at), at)
    loss = -mint.squeeze(mint.gather(x, 1, mint.unsqueeze(at, 1)), 1)
    scale = mint.ones_like(loss) if w is None else mint.index_select(w, 0, at.reshape((-1,))).reshape(at.shape)
    scale = scale if ignored is None else mint.where(ignored, mint.zeros_like(scale), scale)
    loss = loss * scale
    if reduction == "none":
        return loss
    total = mint.sum(loss)
    return total if reduction == "sum" else total / mint.sum(scale)


@op("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy(
    x: Tensor, target: Tensor, w: Input = None, *, ignore_index: int | None = None, reduction: str = "mean", outputs: int
) -> Any:
    scores = F.log_softmax(x, 1)
    loss = negative_log_likelihood(scores, target, w, ignore_index=ignore_index, reduction=reduction)
    return (loss, scores) if outputs > 1 else loss


@op("Einsum")
def einsum(*parts: Tensor, equation: str) -> Any:
    return mint.einsum(equation.replace(" ", ""), *parts)
