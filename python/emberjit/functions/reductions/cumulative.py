"""What is accumulated along an axis: sums, products, extremes. `cumsum` of Tensor and numpy sums all elements without an
axis; sums of integers are of int64 in mint, of small ones of int32 in Tensor and numpy, and of their own dtype in ops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, along_axis, as_positions, checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.ops

publish_ops(
    __name__,
    """
cumsum: ops.cumsum
cummax: ops.cummax ops.Cummax(axis)(input) Tensor.cummax mint.cummax(input, axis as dim)
cummin: mint.cummin(input, axis as dim)
""",
)


@publish("Tensor.cumsum(axis|dim, dtype)", numpy="np.cumsum(x, axis, dtype)", samples="f32(2, 3); i32(4), 0; f32(2, 3), 1")
def cumsum_along(x: Tensor, axis: int | None = None, dtype: DType | None = None) -> Any:
    """Sums of all elements up to each along an axis, one after the other, in dtype (None: x's, or int32 of smaller integers
    and bools); without axis of all elements in row-major order, of shape (size,).

    Raises:
        ValueError: axis is out of range.
    """
    whole = _ops.reshape(x, (-1,)) if axis is None else x
    small = x.dtype in (core.bool_, core.int8, core.int16, core.uint8, core.uint16)
    return _ops.cumsum(whole, 0 if axis is None else axis, dtype or (core.int32 if small else None))


@publish(
    "mint.cumsum(x as input, axis as dim, dtype)",
    numpy="np.cumsum(x, axis, dtype or (np.int64 if x.dtype.kind in 'iub' else x.dtype))",
    samples="f32(2, 3), 0; i32(2, 4), -1; b1(5), 0; f32(3), 0, float64",
)
def wide_cumsum(x: Tensor, axis: int, dtype: DType | None = None) -> Any:
    """Sums of all elements up to each along an axis, one after the other, in dtype (None: x's, or int64 of integers and
    bools).

    Raises:
        ValueError: axis is out of range.
    """
    own = x.dtype in (*FLOATS, *COMPLEXES)
    return _ops.cumsum(x, axis, dtype or (None if own else core.int64))


@publish(
    "ops.cummin ops.Cummin(axis)(input) Tensor.cummin",
    numpy="""(lambda y: (y, np.maximum.accumulate(np.where(input == y, np.arange(input.shape[axis]).reshape(
    [-1 if d == axis % input.ndim else 1 for d in range(input.ndim)]), 0), axis)))(np.minimum.accumulate(input, axis))""",
    samples="f32(3, 4), 0; i32(2, 5), -1; f64(4), 0",
)
def cummin(input: Tensor, axis: int) -> Any:
    """(the smallest of all elements up to each along an axis, its position, as int32); of equals the last.

    Raises:
        ValueError: axis is out of range.
    """
    values, at = _ops.cummin(input, axis)
    return values, as_positions(at)


def _after(x: Tensor, axis: int, first: Any) -> Any:
    """Each element at the next index along an axis, counted from the first, and before them a number; None for the first."""
    start = x[along(axis, slice(0, 1))]
    start = start if first is None else _ops.full_like(start, first)
    return _ops.concat((start, x[along(axis, slice(0, -1))]), axis)


def _product(x: Tensor, axis: int) -> Any:
    return _ops.cumprod(x, axis)


def _log_sum(x: Tensor, axis: int) -> Any:
    """log(exp(x[0]) + ... + exp(x[i])), from sums that are scaled by the largest summand so far."""
    wide = _ops.cast(x, core.float64 if x.dtype == core.float64 else core.float32)
    largest = _ops.stop_gradient(_ops.cummax(wide, axis)[0])
    scale = _ops.select(_ops.isfinite(largest), largest, 0.0)
    sums = _ops.linear_recurrence(_ops.exp(_after(scale, axis, None) - scale), _ops.exp(wide - scale), axis)
    none = sums == 0
    logs = _ops.select(none, -math.inf, _ops.log(_ops.select(none, 1.0, sums)) + scale)
    return _ops.cast(logs, x.dtype) if x.dtype in FLOATS else logs


def _sum(x: Tensor, axis: int) -> Any:
    return _ops.cumsum(x, axis, x.dtype)


def _either_way(
    function: str, x: Tensor, axis: int, exclusive: bool, reverse: bool, scan: Callable[..., Any], start: Any
) -> Any:
    at = checked_axis(function, x, axis)
    result = scan(_ops.flip(x, at) if reverse else x, at)
    result = _after(result, at, start) if exclusive else result
    return _ops.flip(result, at) if reverse else result


_NUMPY = """(lambda turn: turn((lambda y: np.concatenate((np.full_like(np.take(y, [0], axis), {start}), np.take(y, range(
    x.shape[axis] - 1), axis)), axis) if exclusive else y)({scan})))(lambda y: np.flip(y, axis) if reverse else y)"""


def _declare_either_way(
    name: str, definition: str, spelling: str, scan: Callable[..., Any], start: Any, what: str, reference: str
) -> None:
    def accumulated(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Any:
        return _either_way(name, x, axis, exclusive, reverse, scan, start)

    accumulated.__name__ = definition
    accumulated.__doc__ = f"""{what} of all elements up to each along an axis, in the dtype of x.

    Args:
        exclusive: whether an element's own value is left out.
        reverse: whether to begin at the end.

    Raises:
        ValueError: axis is out of range.
    """
    publish(
        spelling,
        numpy=_NUMPY.format(scan=reference.format(x="turn(x)"), start="-np.inf" if start == -math.inf else start),
        samples="f32(2, 5), 1; f32(2, 5), -1, False, True"
        + ("" if start == -math.inf else "; f32(4, 2), 0, True; f32(7), 0, True, True"),
    )(accumulated)


_declare_either_way(
    "CumSum",
    "cumsum_either_way",
    "ops.CumSum(exclusive, reverse)(x as input, axis)",
    _sum,
    0,
    "The sums",
    "np.cumsum({x}, axis)",
)


_declare_either_way(
    "CumProd",
    "cumprod_either_way",
    "ops.CumProd(exclusive, reverse)(x, axis)",
    _product,
    1,
    "The products",
    "np.cumprod({x}, axis)",
)


_declare_either_way(
    "CumulativeLogsumexp",
    "logcumsumexp_either_way",
    "ops.CumulativeLogsumexp(exclusive, reverse)(x, axis)",
    _log_sum,
    -math.inf,
    "The logarithms of the sums of the exponentials",
    "np.log(np.cumsum(np.exp({x}), axis))",
)


@publish(
    "ops.cumprod Tensor.cumprod mint.cumprod",
    numpy="np.cumprod(input, dim, dtype or (np.int64 if input.dtype.kind in 'iub' else input.dtype))",
    samples="f32(3, 4), 0; i32(2, 5), -1; f32(3), 0, float64; b1(4), 0; f32(2, 0), 1",
)
def cumprod(input: Tensor, dim: int, dtype: DType | None = None) -> Any:
    """The products of all elements up to each along an axis, one after the other.

    Args:
        dtype: of the products, by default the input's; int64 for integers and bools.

    Raises:
        ValueError: dim is out of range.
    """
    kind = dtype or (input.dtype if input.dtype in (*FLOATS, *COMPLEXES) else core.int64)
    return along_axis("cumprod", _ops.cast(input, kind), dim, _product)


@publish(
    "ops.logcumsumexp Tensor.logcumsumexp",
    numpy="np.log(np.cumsum(np.exp(input), axis))",
    samples="f32(3, 4), 0; f32(2, 5), -1; f64(4), 0",
)
def logcumsumexp(input: Tensor, axis: int) -> Any:
    """The logarithms of the sums of the exponentials of all elements up to each along an axis, without overflow.

    Raises:
        TypeError: the input is not of real floats.
        ValueError: axis is out of range.
    """
    if input.dtype not in FLOATS:
        raise TypeError(f"For 'logcumsumexp', the input must be of real floats, but got {input.dtype}.")
    return along_axis("logcumsumexp", input, axis, _log_sum)


def _accumulated(function: str, a: Number, axis: int | None, dtype: DType, scan: Callable[..., Any]) -> Any:
    """As NumPy accumulates: without an axis along all elements; small integers and bools as int32."""
    x = as_tensor(a)
    if axis is None:
        x, axis = _ops.reshape(x, (-1,)), 0
    small = x.dtype in (core.bool_, core.int8, core.int16, core.uint8, core.uint16)
    return scan(_ops.cast(x, dtype or (core.int32 if small else x.dtype)), checked_axis(function, x, axis))


def _declare_numpy(name: str, definition: str, what: str, prepare: Callable[[Any], Any], scan: Callable[..., Any]) -> None:
    def accumulated(a: Number, axis: int | None = None, dtype: DType | None = None) -> Any:
        return _accumulated(name, prepare(as_tensor(a)), axis, dtype, scan)

    accumulated.__name__ = definition
    accumulated.__doc__ = f"""{what} of all elements up to each along an axis.

    Args:
        axis: None for all elements, in row-major order.
        dtype: of the result; by default a's, int32 of smaller integers and bools.

    Raises:
        ValueError: axis is out of range.
    """
    publish(
        f"numpy.{name}", numpy=f"np.{name}(a, axis, dtype)", samples="f32(3, 4); i32(2, 5), 1; b1(6), 0; f32(3), -1, float64"
    )(accumulated)


def _zero_for_nan(x: Tensor) -> Any:
    return _ops.select(_ops.isnan(x), 0.0, x) if x.dtype in FLOATS else x


_declare_numpy("cumsum", "numpy_cumsum", "The sums", lambda x: x, _sum)


_declare_numpy("cumprod", "numpy_cumprod", "The products", lambda x: x, _product)


_declare_numpy("nancumsum", "numpy_nancumsum", "The sums, without NaN,", _zero_for_nan, _sum)
