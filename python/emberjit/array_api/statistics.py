"""Sums, products, moments and extremes along axes, running ones, and differences.

`axis` is one or several, None all; `keepdims` keeps the axes, of size 1. Source: the Python array API standard, "Statistical
Functions" and "Utility Functions".
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.array_api.array import Array, tensor_in
from emberjit.array_api.dtypes import (
    FLOATS,
    INDEX,
    NUMERIC,
    REAL,
    REAL_FLOATS,
    SIGNED,
    UNSIGNED,
    Axes,
    DType,
    checked,
    level_of,
)
from emberjit.array_api.elements import in_one_dtype
from emberjit.array_api.manipulation import axes_of
from emberjit.functions.reductions import differences
from emberjit.tensors.indexing import checked_axis

__all__ = ["all", "any", "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "std", "sum", "var"]

_ops = core.ops


def of_sums(name: str, dtype: DType, target: DType | None) -> DType:
    """The dtype of sums and products: `target`, or without one int64 or uint64 of integers, which are no wider.

    Raises:
        TypeError: the dtype is not of numbers, or of a higher kind than `target`.
    """
    checked(name, dtype, NUMERIC)
    if target is None:
        return INDEX if dtype in SIGNED else core.uint64 if dtype in UNSIGNED else dtype
    checked(name, target, NUMERIC)
    if level_of(target) < level_of(dtype):
        raise TypeError(f"For '{name}', numbers of {dtype} do not fit 'dtype' {target}: convert them with astype().")
    return target


def _reduced(name: str, op: str, x: Tensor, axis: Axes, keepdims: bool) -> Any:
    """What an op gives along axes; of no axes the elements."""
    axes = axes_of(name, axis, x.ndim)
    return core.op_table[op](x, axes, keepdims) if axes else _ops.identity(x)


def sum(x: Array, /, *, axis: Axes | None = None, dtype: DType | None = None, keepdims: bool = False) -> Array:
    """Sums, in dtype; without one int64 or uint64 of integers, else the dtype of x.

    Raises:
        TypeError: x is not of numbers, or of a higher kind than dtype.
        ValueError: an axis is out of range, or there twice.
    """
    tensor = tensor_in("sum", x)
    wide = _ops.cast(tensor, of_sums("sum", tensor.dtype, dtype))
    return Array(_reduced("sum", "reduce_sum", wide, axis, keepdims))


def prod(x: Array, /, *, axis: Axes | None = None, dtype: DType | None = None, keepdims: bool = False) -> Array:
    """Products. See sum."""
    tensor = tensor_in("prod", x)
    wide = _ops.cast(tensor, of_sums("prod", tensor.dtype, dtype))
    return Array(_reduced("prod", "reduce_prod", wide, axis, keepdims))


def mean(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """Arithmetic means; NaN of nothing.

    Raises:
        TypeError: x is not of floats.
        ValueError: an axis is out of range, or there twice.
    """
    tensor = tensor_in("mean", x)
    checked("mean", tensor.dtype, FLOATS)
    return Array(_reduced("mean", "mean", tensor, axis, keepdims))


def var(x: Array, /, *, axis: Axes | None = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """Variances: sums of squared differences from the mean, over the number of elements less `correction`.

    Returns:
        NaN where the correction is no less than the number of elements.

    Raises:
        TypeError: x is not of real floats.
        ValueError: an axis is out of range, or there twice.
    """
    tensor = tensor_in("var", x)
    checked("var", tensor.dtype, REAL_FLOATS)
    axes = axes_of("var", axis, tensor.ndim)
    count = 1
    for at in axes:
        count *= tensor.shape[at]
    centred = _ops.sub(tensor, _ops.mean(tensor, axes, True) if axes else tensor)
    squares = _ops.square(centred)
    total = _ops.reduce_sum(squares, axes, keepdims) if axes else squares
    rest = count - correction
    return Array(_ops.div(total, core.Tensor(rest if rest > 0 else float("nan"), tensor.dtype)))


def std(x: Array, /, *, axis: Axes | None = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """Standard deviations, the square roots of variances. See var."""
    return Array(_ops.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims).tensor))


def _extreme(name: str, x: Array, axis: Axes, keepdims: bool) -> Array:
    tensor = tensor_in(name, x)
    checked(name, tensor.dtype, REAL)
    axes = axes_of(name, axis, tensor.ndim)
    if not tensor.size and not [size for at, size in enumerate(tensor.shape) if at not in axes and not size]:
        raise ValueError(f"For '{name}', there is no element along the axes in an array of shape {tuple(tensor.shape)}.")
    return Array(_reduced(name, f"a{name}", tensor, axis, keepdims))


def max(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """The largest of real numbers; NaN if there is one.

    Raises:
        TypeError: x is not of real numbers.
        ValueError: an axis is out of range, or there twice, or there is no element.
    """
    return _extreme("max", x, axis, keepdims)


def min(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """The smallest of real numbers; NaN if there is one. See max."""
    return _extreme("min", x, axis, keepdims)


def all(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """Whether all elements are not 0; true of nothing.

    Raises:
        ValueError: an axis is out of range, or there twice.
    """
    return Array(_reduced("all", "all", _ops.cast(tensor_in("all", x), core.bool_), axis, keepdims))


def any(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False) -> Array:
    """Whether any element is not 0; false of nothing. See all."""
    return Array(_reduced("any", "any", _ops.cast(tensor_in("any", x), core.bool_), axis, keepdims))


def _running(name: str, op: str, x: Array, axis: int | None, dtype: DType | None, initial: int | None) -> Array:
    tensor = tensor_in(name, x)
    target = of_sums(name, tensor.dtype, dtype)
    if axis is None and tensor.ndim != 1:
        raise ValueError(f"For '{name}', 'axis' must be given of an array of shape {tuple(tensor.shape)}.")
    at = checked_axis(name, tensor, 0 if axis is None else axis)
    result = core.op_table[op](_ops.cast(tensor, target), at)
    if initial is not None:
        shape = (*tensor.shape[:at], 1, *tensor.shape[at + 1 :])
        result = _ops.concat([_ops.full(shape, initial, target), result], at)
    return Array(result)


def cumulative_sum(
    x: Array, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: bool = False
) -> Array:
    """Sums of all elements up to each along an axis, in the dtype of sum.

    Args:
        axis: may be None of an array of one axis.
        include_initial: whether 0 goes before them.

    Raises:
        TypeError: as sum.
        ValueError: axis is out of range, or None of several axes.
    """
    return _running("cumulative_sum", "cumsum", x, axis, dtype, 0 if include_initial else None)


def cumulative_prod(
    x: Array, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: bool = False
) -> Array:
    """Products of all elements up to each along an axis, after 1 with include_initial. See cumulative_sum."""
    return _running("cumulative_prod", "cumprod", x, axis, dtype, 1 if include_initial else None)


def diff(x: Array, /, *, axis: int = -1, n: int = 1, prepend: Array | None = None, append: Array | None = None) -> Array:
    """The differences of neighbours along an axis, n times.

    Args:
        prepend, append: arrays that go before and after x along the axis; all promote.

    Raises:
        TypeError: x is not of numbers.
        ValueError: n is negative, axis is out of range, or the shapes do not fit.
    """
    parts = {"prepend": prepend, "x": x, "append": append}
    names = [name for name, part in parts.items() if part is not None]
    tensors = dict(zip(names, in_one_dtype("diff", [tensor_in("diff", parts[name]) for name in names], NUMERIC)))
    checked_axis("diff", tensors["x"], axis)
    return Array(differences.diff(tensors["x"], n, axis, tensors.get("prepend"), tensors.get("append")))
