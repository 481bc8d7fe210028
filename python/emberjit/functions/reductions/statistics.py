"""Moments and averages, extremes and sums, also of what is not NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating
from emberjit.functions.arguments import inexact
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Ints, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.ops


def _missing(x: Tensor) -> Any:
    """Where elements are NaN, or None if none can be."""
    return _ops.isnan(x) if x.dtype in (*FLOATS, *COMPLEXES) else None


def _without_nan(x: Tensor, value: Number) -> Any:
    missing = _missing(x)
    return x if missing is None else _ops.select(missing, value, x)


def _declare_with_mean(name: str) -> None:
    def statistic(input: Tensor, axis: Ints | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
        x = inexact(input)
        return core.op_table[name](x, axis, ddof, keepdims), _ops.mean(x, axis, keepdims)

    word = {"std": "standard deviations", "var": "variances"}[name]
    statistic.__name__ = f"{name}_mean"
    statistic.__doc__ = f"""(the {word} over axes, the means).

    Args:
        axis: None for all axes.
        ddof: what is subtracted from the number of elements that squares are divided by.
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    publish(
        f"ops.{name}_mean mint.{name}_mean(input, axis as dim, *, ddof as correction = 1, keepdims as keepdim)",
        numpy=f"input.{name}(axis, ddof=ddof, keepdims=keepdims), input.mean(axis, keepdims=keepdims)",
        samples="f32(3, 4); f32(3, 4), 0, 1; f32(2, 3, 4), (0, 2), 1, True; i32(5)",
    )(statistic)


_declare_with_mean("std")


_declare_with_mean("var")


@publish(
    "ops.ReduceStd(axis, unbiased, keep_dims)(input_x)",
    numpy="""(lambda axis: (input_x.std(axis, ddof=int(unbiased), keepdims=keep_dims),
    input_x.mean(axis, keepdims=keep_dims)))(axis or None)""",
    samples="f32(3, 4); f32(3, 4), (1,), False; f32(3, 4), (0, 1), True, True",
)
def reduce_std(input_x: Tensor, axis: Ints | None = (), unbiased: bool = True, keep_dims: bool = False) -> Any:
    """(the standard deviations over axes, the means).

    Args:
        axis: none for all axes.
        unbiased: whether the sum of squares is divided by one less than the number of elements.
        keep_dims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    over = None if isinstance(axis, (tuple, list)) and not axis else axis
    return _ops.std(input_x, over, int(unbiased), keep_dims), _ops.mean(input_x, over, keep_dims)


@publish(
    "ops.aminmax(input, *, axis, keepdims) Tensor.aminmax(*, axis, keepdims)",
    numpy="input.min(axis, keepdims=keepdims), input.max(axis, keepdims=keepdims)",
    samples="f32(3, 4); i32(3, 4), 1, True; f32(5), -1",
)
def aminmax(input: Tensor, axis: int | None = 0, keepdims: bool = False) -> Any:
    """(the smallest elements along an axis, the largest); of all elements without one.

    Args:
        keepdims: whether the axis stays, of size 1.

    Raises:
        ValueError: axis is out of range, or nothing to compare.
    """
    over = None if input.ndim == 0 and axis in (0, -1) else axis
    return tuple(core.op_table[name](input, over, keepdims) for name in ("amin", "amax"))


@publish(
    "ops.logsumexp Tensor.logsumexp mint.logsumexp nn.ReduceLogSumExp(dim as axis, keepdim as keep_dims)(input as x)",
    numpy="np.log(np.exp(input.astype(float)).sum(dim, keepdims=keepdim))",
    samples="f32(3, 4), 0; f32(2, 3, 4), (0, 2), True; i32(5), -1; f64(3), None",
)
def logsumexp(input: Tensor, dim: Ints | None, keepdim: bool = False) -> Any:
    """The logarithm of the sum of the exponentials over axes, without overflow.

    Args:
        dim: None, or (), for all axes.
        keepdim: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    x = inexact(input)
    over = None if isinstance(dim, (tuple, list)) and not dim else dim
    if x.size == 0:
        return _ops.log(_ops.sum(_ops.exp(x), over, keepdim))
    largest = _ops.stop_gradient(_ops.amax(x, over, True))
    scale = _ops.select(_ops.isfinite(largest), largest, 0.0)
    sums = _ops.sum(_ops.exp(x - scale), over, True)
    none = sums == 0
    logs = _ops.select(none, -math.inf, _ops.log(_ops.select(none, 1.0, sums)) + scale)
    return logs if keepdim else _ops.reshape(logs, _ops.sum(x, over).shape)


def _nan_sum(x: Tensor, axis: Ints | None, keepdims: bool, dtype: DType = None) -> Any:
    return _ops.sum(_without_nan(x, 0), axis, keepdims, dtype)


def _count(x: Tensor, axis: Ints | None, keepdims: bool, dtype: DType) -> Any:
    """How many elements are not NaN."""
    missing = _missing(x)
    known = _ops.ones_like(x, core.int64) if missing is None else _ops.cast(_ops.logical_not(missing), core.int64)
    return _ops.cast(_ops.sum(known, axis, keepdims), dtype)


def _nan_mean(x: Tensor, axis: Ints | None, keepdims: bool) -> Any:
    total = _nan_sum(inexact(x), axis, keepdims)
    return total / _count(x, axis, keepdims, total.dtype)


def _nan_var(x: Tensor, axis: Ints | None, ddof: int, keepdims: bool) -> Any:
    values = inexact(x)
    apart = _without_nan(values, 0) - _nan_mean(values, axis, True)
    missing = _missing(values)
    squares = _ops.square(_ops.select(missing, 0.0, apart))
    left = _count(x, axis, keepdims, core.int64) - ddof
    return _ops.sum(squares, axis, keepdims) / _ops.cast(_ops.select(left > 0, left, 0), squares.dtype)


def _nan_std(x: Tensor, axis: Ints | None, ddof: int, keepdims: bool) -> Any:
    return _ops.sqrt(_nan_var(x, axis, ddof, keepdims))


def _nan_extreme(name: str, beyond: float) -> Callable[..., Any]:
    def statistic(x: Tensor, axis: Ints | None, keepdims: bool) -> Any:
        missing = _missing(x)
        if missing is None:
            return core.op_table[name](x, axis, keepdims)
        return _ops.select(
            _ops.all(missing, axis, keepdims), math.nan, core.op_table[name](_without_nan(x, beyond), axis, keepdims)
        )

    return statistic


def _in_dtype(value: Tensor, dtype: DType) -> Any:
    return value if dtype is None else _ops.cast(value, dtype)


_AXES = """
        axis: None for all axes.
        dtype: of the result.
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range{}.
    """


def _declare_nan(name: str, what: str, reduce: Callable[..., Any], further: str, raises: str = "") -> None:
    """numpy.nanmean, and what is declared as it is."""

    def statistic(a: Number, axis: Ints | None = None, dtype: DType | None = None, keepdims: bool = False) -> Any:
        return _in_dtype(reduce(as_tensor(a), axis, keepdims), dtype)

    statistic.__name__ = name
    statistic.__doc__ = f"{what} over axes of what is not NaN.\n\n    Args:{_AXES.format(raises)}"
    publish(
        f"numpy.{name} {further}",
        numpy=f"np.{name}(a, axis, keepdims=keepdims).astype(dtype or None)"
        if name in ("nanmax", "nanmin")
        else f"np.{name}(a, axis, dtype, keepdims=keepdims)",
        samples="f32(3, 4); f32(3, 4), 0; i32(2, 3), 1, float32; f64(2, 3, 4), (0, 2), None, True",
    )(statistic)


_declare_nan(
    "nanmean",
    "The means",
    _nan_mean,
    "ops.nanmean(a as input, axis, keepdims, *, dtype) Tensor.nanmean(axis, keepdims, *, dtype)",
)


_declare_nan("nanmax", "The largest elements", _nan_extreme("amax", -math.inf), "", ", or there are no elements")


_declare_nan("nanmin", "The smallest elements", _nan_extreme("amin", math.inf), "", ", or there are no elements")


@publish(
    """ops.nansum(input, axis, keepdims, *, dtype) Tensor.nansum(axis, keepdims, *, dtype)
    mint.nansum(input, axis as dim, keepdims as keepdim, *, dtype) numpy.nansum(input as a, axis, dtype, keepdims)""",
    numpy="np.nansum(input, axis, dtype or (np.int64 if input.dtype == bool else input.dtype), keepdims=keepdims)",
    samples="f32(3, 4); f32(3, 4), 0; i32(2, 3), 1, False, float32; f64(2, 3, 4), (0, 2), True; i32(3, 4)",
)
def nansum(input: Number, axis: Ints | None = None, keepdims: bool = False, dtype: DType | None = None) -> Any:
    """The sums over axes of what is not NaN.

    Args:
        axis: an int or several; None for all.
        keepdims: whether the axes stay, of size 1.
        dtype: of the result, by default the input's; int64 for bools.

    Raises:
        ValueError: an axis is out of range.
    """
    x = as_tensor(input)
    return _nan_sum(x, axis, keepdims, dtype or (core.int64 if x.dtype == core.bool_ else x.dtype))


def _declare_nan_moment(name: str, what: str, reduce: Callable[..., Any]) -> None:
    def statistic(
        a: Number, axis: Ints | None = None, dtype: DType | None = None, ddof: int = 0, keepdims: bool = False
    ) -> Any:
        return _in_dtype(reduce(as_tensor(a), axis, ddof, keepdims), dtype)

    statistic.__name__ = name
    statistic.__doc__ = f"""{what} over axes of what is not NaN; NaN where no more than ddof are left.

    Args:
        ddof: what is subtracted from the number of elements that squares are divided by.{_AXES.format("")}"""
    publish(
        f"numpy.{name}",
        numpy=f"np.{name}(a, axis, dtype, ddof=ddof, keepdims=keepdims)",
        samples="f32(3, 4); f32(3, 4), 0, None, 1; i32(2, 3), 1, float32; f64(2, 3, 4), (0, 2), None, 0, True",
    )(statistic)


_declare_nan_moment("nanvar", "The variances", _nan_var)


_declare_nan_moment("nanstd", "The standard deviations", _nan_std)


@publish(
    "numpy.average",
    numpy="np.average(x, axis, weights, returned)",
    samples="f32(3, 4); f32(3, 4), 1, f32(4) + 3; f32(3, 4), None, f32(3, 4) + 3, True; i32(4), 0, None, True",
)
def average(x: Number, axis: Ints | None = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted.

    Args:
        axis: None for all axes.
        weights: of x's shape, or one for each index along one axis.
        returned: whether to give (the mean, the sums of the weights).

    Raises:
        TypeError: weights is of another shape, and there is not one axis.
        ValueError: an axis is out of range, or there are not as many weights as indices along it.
    """
    values = inexact(as_tensor(x))
    if weights is None:
        mean = _ops.mean(values, axis)
        return (mean, _ops.full_like(mean, values.size / max(mean.size, 1))) if returned else mean
    weights = inexact(as_tensor(weights))
    if tuple(weights.shape) != tuple(values.shape):
        if not isinstance(axis, int) or weights.ndim != 1:
            raise TypeError(
                f"For 'average', 'weights' must have x's shape {tuple(values.shape)}, or one axis where 'axis' is an int, "
                f"but got {tuple(weights.shape)} and axis {axis}."
            )
        at = checked_axis("average", values, axis)
        if weights.shape[0] != values.shape[at]:
            raise ValueError(f"For 'average', there must be {values.shape[at]} weights, but got {weights.shape[0]}.")
        spread = tuple(-1 if d == at else 1 for d in range(values.ndim))
        weights = _ops.broadcast_to(_ops.reshape(weights, spread), values.shape)
    total = _ops.sum(weights, axis)
    mean = _ops.sum(values * weights, axis) / total
    return (mean, total) if returned else mean


@publish(
    "nn.Moments(axis, keep_dims)(x)",
    numpy="[f(x, None if axis == () else axis, keepdims=bool(keep_dims)) for f in (np.mean, np.var)]",
    samples="f32(2, 3); f32(2, 3), 1, True; f32(2, 3, 4), (0, 2); f32(3), ()",
)
def moments(x: Tensor, axis: Ints | None = None, keep_dims: bool | None = None) -> Any:
    """(mean, variance) along axes, of all with None or ().

    Raises:
        TypeError: x is not of floating point.
        ValueError: an axis is out of range.
    """
    check_floating("Moments", x=x)
    axes = None if axis == () else axis
    mean = _ops.mean(x, axes, True)
    results = mean, _ops.mean(_ops.square(x - mean), axes, True)
    return results if keep_dims else tuple(_ops.squeeze(one, axes) for one in results)
