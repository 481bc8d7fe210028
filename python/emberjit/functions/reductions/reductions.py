"""Sums, products, means and extremes over axes, and where the extremes are."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_context
from emberjit.checks import check_index_type, check_same_dtype, check_same_shape
from emberjit.context import GRAPH_MODE
from emberjit.publish.kinds import DType, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
all: ops.all(input, axis|dim, keep_dims|keepdims) Tensor.all(axis|dim, keep_dims|keepdims|keepdim)
    mint.all(input, axis as dim, keep_dims as keepdim) ops.ReduceAll(keep_dims)(input, axis)
any: ops.any(input, axis|dim, keep_dims|keepdims) Tensor.any(axis|dim, keep_dims|keepdims|keepdim)
    mint.any(input, axis as dim, keep_dims as keepdim) ops.ReduceAny(keep_dims)(input, axis)
amax: ops.amax(input, axis, keepdims, *, initial, where) Tensor.amax(axis, keepdims, *, initial, where)
    mint.amax(input, axis as dim, keepdims as keepdim) numpy.amax(input as a, axis, keepdims, initial, where)
amin: ops.amin(input, axis, keepdims, *, initial, where) Tensor.amin(axis, keepdims, *, initial, where)
    mint.amin(input, axis as dim, keepdims as keepdim) numpy.amin(input as a, axis, keepdims, initial, where)
argmax: ops.argmax(input, dim|axis, keepdim|keepdims) Tensor.argmax(dim|axis, keepdim|keepdims)
    mint.argmax(input, dim, keepdim)
    numpy.argmax(input as a, dim as axis)
argmin: ops.argmin(input, axis|dim, keepdims|keepdim) Tensor.argmin(axis|dim, keepdims|keepdim)
    numpy.argmin(input as a, axis)
argmax_with_value: ops.ArgMaxWithValue(axis, keep_dims)(input)
argmin_with_value: ops.ArgMinWithValue(axis, keep_dims)(input)
max_with_index: Tensor.argmax_with_value(axis = 0, keepdims as keep_dims)
    mint.max(input, axis as dim, keepdims as keepdim)
min_with_index: Tensor.argmin_with_value(axis = 0, keepdims as keep_dims)
    mint.min(input, axis as dim, keepdims as keepdim)
maximum: mint.max(input, other: tensor)
minimum: mint.min(input, other: tensor)
mean: ops.mean(x|input, axis|dim, keep_dims|keepdims|keepdim, *, dtype)
    Tensor.mean(axis|dim, keep_dims|keepdims|keepdim, *, dtype)
    mint.mean(x as input, axis as dim, keep_dims as keepdim, *, dtype) numpy.mean(x as a, axis, keep_dims as keepdims, dtype)
    ops.ReduceMean(keep_dims)(x, axis) ops.reduce_mean(x, axis, keep_dims)
prod: ops.prod(input, axis|dim, keep_dims|keepdims|keepdim, dtype)
    Tensor.prod(axis|dim, keep_dims|keepdims|keepdim, dtype) mint.prod(input, axis as dim, keep_dims as keepdim, *, dtype)
std: ops.std Tensor.std(axis, ddof: bool = ..., keepdims) Tensor.std numpy.std(input as x, axis, ddof, keepdims)
    Tensor.std(axis as dim, *, ddof as correction = 1, keepdims as keepdim)
    mint.std(input, axis as dim, *, ddof as correction = 1, keepdims as keepdim)
sum: ops.sum(input, dim|axis, keepdim|keepdims|keep_dims, *, dtype) mint.sum(input, dim, keepdim, *, dtype)
    Tensor.sum(dim|axis, keepdim|keepdims|keep_dims, *, dtype) Tensor.sum(dim as axis, dtype, keepdim as keepdims)
var: ops.var Tensor.var(axis, ddof: bool = ..., keepdims) Tensor.var numpy.var(input as x, axis, ddof, keepdims)
    Tensor.var(axis as dim, *, ddof as correction = 1, keepdims as keepdim)
    mint.var(input, axis as dim, *, ddof as correction = 1, keepdims as keepdim)
reduce_max: ops.reduce_max ops.ReduceMax(keep_dims)(x, axis)
reduce_min: ops.reduce_min ops.ReduceMin(keep_dims)(x, axis)
reduce_prod: ops.reduce_prod ops.ReduceProd(keep_dims)(x, axis)
reduce_sum: ops.reduce_sum
""",
)


@publish(
    "ops.ReduceSum(keep_dims, skip_mode)(x, axis)",
    numpy="x if skip_mode and axis == () else np.sum(x, axis=None if axis == () else axis, keepdims=keep_dims)",
    samples="f32(2, 3), (), False, True; f32(2, 3), 1, True; f32(2, 3), ()",
)
def skipping_sum(x: Tensor, axis: Ints | None = (), keep_dims: bool = False, skip_mode: bool = False) -> Any:
    """Sums the elements over axes, in the dtype of x. No axis means all of them, with skip_mode none."""
    if skip_mode and (axis is None or (isinstance(axis, (tuple, list)) and not axis)):
        return x
    return _ops.reduce_sum(x, axis, keep_dims)


@publish(
    "numpy.sum(input as a, axis, dtype, keepdims, initial) Tensor.sum(axis, dtype, keepdims, initial = ...)",
    numpy="np.sum(input, axis, dtype, keepdims=keepdims) + (0 if initial is None else initial)",
    samples="f32(2, 3); f32(2, 3), 1, None, True, 2.5; i64(2, 3), (0, 1), int32, False, 4",
)
def sum_from(
    input: Tensor,
    axis: Ints | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
) -> Any:
    """The sum of all elements, or along axes.

    Args:
        dtype: of the result.
        keepdims: whether the axes stay, of size 1.
        initial: a number that is added.

    Raises:
        ValueError: axis is out of range.
    """
    total = _ops.sum(input, axis, keepdims, dtype)
    if initial is not None:
        total = _ops.add(total, initial)
    return _ops.cast(total, dtype) if dtype == core.bool_ else total


def _mask(name: str, initial: Any, where: Any) -> Any:
    """
    Raises:
        TypeError: initial is a Tensor, or where is None.
    """
    if isinstance(initial, core.Tensor):
        raise TypeError(f"For '{name}', 'initial' must be a number or None, but got a Tensor.")
    if where is None:
        raise TypeError(f"For '{name}', 'where' must be a bool Tensor or a bool, but got None: True takes all elements.")
    if isinstance(where, bool):
        return None if where else core.Tensor(where)
    return where


def _with_index(name: str, input: Tensor, axis: int | None, keepdims: bool, initial: Any, where: Any) -> Any:
    if axis is None:
        return core.op_table[f"a{name}"](input), _ops.zeros((), core.int64)
    return core.op_table[f"{name}_with_index"](input, axis, keepdims, initial, _mask(name, initial, where))


@publish(
    """ops.max(input, axis, keepdims, *, initial, where) Tensor.max(*, axis as dim: int = ..., keepdims as keepdim)
    Tensor.max(axis as dim: int = ..., *, keepdims as keepdim: bool = ...)""",
    numpy="input.max(axis, keepdims=keepdims), input.argmax(axis, keepdims=keepdims)",
    samples="f32(2, 3), 1; f32(2, 3), 0, True; i32(4, 5), -1",
)
def max_with_index(
    input: Tensor, axis: int | None = None, keepdims: bool = False, initial: Number | None = None, where: Any = True
) -> Any:
    """(largest elements along an axis, their indices as int64), of equals the first; without an axis (largest of all, 0).

    Args:
        keepdims: whether the axis stays, of size 1.
        initial: a number that takes part.
        where: a bool Tensor, or a bool: which elements take part; needs initial, unless True.

    Raises:
        ValueError: axis is out of range, or nothing to compare.
    """
    return _with_index("max", input, axis, keepdims, initial, where)


@publish(
    """ops.min(input, axis, keepdims, *, initial, where) Tensor.min(*, axis as dim: int = ..., keepdims as keepdim)
    Tensor.min(axis as dim: int = ..., *, keepdims as keepdim: bool = ...)""",
    numpy="input.min(axis, keepdims=keepdims), input.argmin(axis, keepdims=keepdims)",
    samples="f32(2, 3), 1; f32(2, 3), 0, True; i32(4, 5), -1",
)
def min_with_index(
    input: Tensor, axis: int | None = None, keepdims: bool = False, initial: Number | None = None, where: Any = True
) -> Any:
    """(smallest elements along an axis, their indices as int64), of equals the first; without an axis (smallest of all, 0).

    Args:
        keepdims: whether the axis stays, of size 1.
        initial: a number that takes part.
        where: a bool Tensor, or a bool: which elements take part; needs initial, unless True.

    Raises:
        ValueError: axis is out of range, or nothing to compare.
    """
    return _with_index("min", input, axis, keepdims, initial, where)


def _of_mode(name: str, input: Tensor, axis: int, keepdims: bool) -> Any:
    return _extreme(name, input, axis, keepdims, None, True, return_indices=guard_context("mode") != GRAPH_MODE)


@publish(
    "Tensor.max(dim: int = ..., keepdim)",
    numpy="input.max(dim, keepdims=keepdim), input.argmax(dim, keepdims=keepdim)",
    samples="f32(2, 3), 1; i32(4, 5), -1, True",
)
def max_of_mode(input: Tensor, dim: int, keepdim: bool = False) -> Any:
    """What max_with_index gives; in GRAPH_MODE the elements alone, without their indices.

    Raises:
        ValueError: dim is out of range, or nothing to compare.
    """
    return _of_mode("max", input, dim, keepdim)


@publish(
    "Tensor.min(dim: int = ..., keepdim)",
    numpy="input.min(dim, keepdims=keepdim), input.argmin(dim, keepdims=keepdim)",
    samples="f32(2, 3), 1; i32(4, 5), -1, True",
)
def min_of_mode(input: Tensor, dim: int, keepdim: bool = False) -> Any:
    """What min_with_index gives; in GRAPH_MODE the elements alone, without their indices.

    Raises:
        ValueError: dim is out of range, or nothing to compare.
    """
    return _of_mode("min", input, dim, keepdim)


def _extreme(name: str, input: Tensor, axis: Any, keepdims: bool, initial: Any, where: Any, return_indices: bool) -> Any:
    if return_indices:
        return _with_index(name, input, axis, keepdims, initial, where)
    return core.op_table[f"a{name}"](input, axis, keepdims, initial, _mask(name, initial, where))


@publish(
    """Tensor.max(axis, keepdims|keep_dims|keepdim, *, initial, where, return_indices)
    numpy.max(input as a, axis, keepdims, initial, where) mint.max(input)""",
    numpy="input.max(axis, keepdims=keepdims)",
    samples="f32(2, 3); f32(2, 3), 1; f32(2, 3), (0, 1), True",
)
def largest(
    input: Tensor,
    axis: Ints | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Any = True,
    return_indices: bool = False,
) -> Any:
    """The largest element of all, or along axes.

    Args:
        keepdims: whether the axes stay, of size 1.
        initial: a number that takes part.
        where: a bool Tensor, or a bool: which elements take part; needs initial, unless True.
        return_indices: whether to give (values, indices), along one axis.

    Raises:
        ValueError: axis is out of range, or nothing to compare.
    """
    return _extreme("max", input, axis, keepdims, initial, where, return_indices)


@publish(
    """Tensor.min(axis, keepdims|keep_dims|keepdim, *, initial, where, return_indices)
    numpy.min(input as a, axis, keepdims, initial, where) mint.min(input)""",
    numpy="input.min(axis, keepdims=keepdims)",
    samples="f32(2, 3); f32(2, 3), 1; f32(2, 3), (0, 1), True",
)
def smallest(
    input: Tensor,
    axis: Ints | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Any = True,
    return_indices: bool = False,
) -> Any:
    """The smallest element of all, or along axes.

    Args:
        keepdims: whether the axes stay, of size 1.
        initial: a number that takes part.
        where: a bool Tensor, or a bool: which elements take part; needs initial, unless True.
        return_indices: whether to give (values, indices), along one axis.

    Raises:
        ValueError: axis is out of range, or nothing to compare.
    """
    return _extreme("min", input, axis, keepdims, initial, where, return_indices)


@publish(
    "mint.argmin(input, axis as dim, keepdims as keepdim)",
    numpy="np.argmin(input, axis, keepdims=keepdims)",
    samples="f32(2, 3); f32(2, 3), 0, True; i32(4), -1",
)
def wide_argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Any:
    """The index (int64) of the smallest element of all or along an axis, the first of equals; a NaN is the smallest.

    Args:
        keepdims: whether the axis stays, of size 1.

    Raises:
        ValueError: axis is out of range, or nothing to compare.
    """
    return _ops.argmin(input, axis, keepdims, core.int64)


@publish(
    "ops.Argmax(axis, output_type)(x)", numpy="x.argmax(axis).astype(output_type)", samples="f32(2, 3); f32(2, 3), 0, int64"
)
def argmax_of_type(x: Tensor, axis: int = -1, output_type: DType = core.int32) -> Any:
    """The index of the largest element along an axis, the first of equals.

    Raises:
        ValueError: output_type is neither int32 nor int64, or int32 where an index may not fit.
    """
    check_index_type("Argmax", "output_type", output_type)
    return _ops.argmax(x, axis, False, output_type)


@publish(
    "ops.Argmin(axis, output_type)(x)", numpy="x.argmin(axis).astype(output_type)", samples="f32(2, 3); f32(2, 3), 0, int64"
)
def argmin_of_type(x: Tensor, axis: int = -1, output_type: DType = core.int32) -> Any:
    """The index of the smallest element along an axis, the first of equals.

    Raises:
        ValueError: output_type is neither int32 nor int64, or int32 where an index may not fit.
    """
    check_index_type("Argmin", "output_type", output_type)
    return _ops.argmin(x, axis, False, output_type)


@publish(
    "numpy.sometrue", numpy="np.any(a, axis, keepdims=keepdims)", samples="b1(2, 3); f32(2, 3), 1; b1(2, 3), (0, 1), True"
)
def sometrue(a: Tensor, axis: Ints | None = None, keepdims: bool = False) -> Any:
    """Whether any element is not zero, of all or along axes.

    Args:
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    return _ops.any(a, axis, keepdims)


@publish(
    "numpy.ptp Tensor.ptp",
    numpy="np.ptp(x, axis, keepdims=keepdims)",
    samples="f32(2, 3); f32(2, 3), 1; i32(2, 3), (0, 1), True",
)
def ptp(x: Tensor, axis: Ints | None = None, keepdims: bool = False) -> Any:
    """The largest element less the smallest, of all or along axes; NaN if there is one.

    Args:
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range, or there are no elements.
    """
    return _ops.amax(x, axis, keepdims) - _ops.amin(x, axis, keepdims)


@publish("ops.SquareSumAll()", numpy="((x * x).sum(), (y * y).sum())", samples="f32(2, 3), f32(2, 3); i32(4), i32(4)")
def square_sum_all(x: Tensor, y: Tensor) -> Any:
    """The sums of squares of two Tensors.

    Raises:
        TypeError: they are not of one dtype.
        ValueError: they are not of one shape.
    """
    check_same_shape("SquareSumAll", x=x, y=y)
    check_same_dtype("SquareSumAll", x=x, y=y)
    return _ops.sum(x * x), _ops.sum(y * y)


@publish(
    "ops.EqualCount()", numpy="np.array([(x == y).sum()]).astype(x.dtype)", samples="i32(2, 3), i32(2, 3); f32(4), f32(4)"
)
def equal_count(x: Tensor, y: Tensor) -> Any:
    """How many elements of two Tensors are equal, in x's dtype and of shape (1,)."""
    return _ops.cast(_ops.reshape(_ops.sum(_ops.cast(_ops.equal(x, y), core.int64)), (1,)), x.dtype)
