"""What is accumulated along an axis: sums, products, extremes, integrals; and differences and slopes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, along_axis, as_positions, checked_axis
from emberjit.tensors.operands import as_tensor, promoted

_ops = core.op_table

publish_ops(
    __name__,
    """
cummax: ops.cummax ops.Cummax(axis)(input) Tensor.cummax mint.cummax(input, axis as dim)
cummin: mint.cummin(input, axis as dim)
""",
)


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
    values, at = _ops["cummin"](input, axis)
    return values, as_positions(at)


def _after(x: Tensor, axis: int, first: Any) -> Any:
    """Each element at the next index along an axis, counted from the first, and before them a number; None for the first."""
    start = x[along(axis, slice(0, 1))]
    start = start if first is None else _ops["full_like"](start, first)
    return _ops["concat"]((start, x[along(axis, slice(0, -1))]), axis)


def _product(x: Tensor, axis: int) -> Any:
    return _ops["cumprod"](x, axis)


def _log_sum(x: Tensor, axis: int) -> Any:
    """log(exp(x[0]) + ... + exp(x[i])), from sums that are scaled by the largest summand so far."""
    wide = _ops["cast"](x, core.float64 if x.dtype == core.float64 else core.float32)
    largest = _ops["stop_gradient"](_ops["cummax"](wide, axis)[0])
    scale = _ops["select"](_ops["isfinite"](largest), largest, 0.0)
    sums = _ops["linear_recurrence"](_ops["exp"](_after(scale, axis, None) - scale), _ops["exp"](wide - scale), axis)
    none = sums == 0
    found = _ops["select"](none, -math.inf, _ops["log"](_ops["select"](none, 1.0, sums)) + scale)
    return _ops["cast"](found, x.dtype) if x.dtype in FLOATS else found


def _sum(x: Tensor, axis: int) -> Any:
    return _ops["cumsum"](x, axis, x.dtype)


def _either_way(
    function: str, x: Tensor, axis: int, exclusive: bool, reverse: bool, scan: Callable[..., Any], start: Any
) -> Any:
    at = checked_axis(function, x, axis)
    found = scan(_ops["flip"](x, at) if reverse else x, at)
    found = _after(found, at, start) if exclusive else found
    return _ops["flip"](found, at) if reverse else found


_NUMPY = """(lambda turn: turn((lambda y: np.concatenate((np.full_like(np.take(y, [0], axis), {start}), np.take(y, range(
    x.shape[axis] - 1), axis)), axis) if exclusive else y)({scan})))(lambda y: np.flip(y, axis) if reverse else y)"""


def _declare_either_way(name: str, definition: str, spelling: str, scan: Any, start: Any, what: str, reference: str) -> None:
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
    wanted = dtype or (input.dtype if input.dtype in (*FLOATS, *COMPLEXES) else core.int64)
    return along_axis("cumprod", _ops["cast"](input, wanted), dim, _product)


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


def _accumulated(function: str, a: Any, axis: int | None, dtype: Any, scan: Callable[..., Any]) -> Any:
    """As NumPy accumulates: without an axis along all elements; small integers and bools as int32."""
    x = as_tensor(a)
    if axis is None:
        x, axis = _ops["reshape"](x, (-1,)), 0
    small = x.dtype in (core.bool_, core.int8, core.int16, core.uint8, core.uint16)
    return scan(_ops["cast"](x, dtype or (core.int32 if small else x.dtype)), checked_axis(function, x, axis))


def _declare_numpy(name: str, definition: str, what: str, prepare: Callable[[Any], Any], scan: Any) -> None:
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
        f"numpy.{name}",
        numpy=f"np.{name}(a, axis, dtype)",
        samples="f32(3, 4); i32(2, 5), 1; b1(6), 0; f32(3), -1, float64",
    )(accumulated)


def _zero_for_nan(x: Tensor) -> Any:
    return _ops["select"](_ops["isnan"](x), 0.0, x) if x.dtype in FLOATS else x


_declare_numpy("cumsum", "numpy_cumsum", "The sums", lambda x: x, _sum)
_declare_numpy("cumprod", "numpy_cumprod", "The products", lambda x: x, _product)
_declare_numpy("nancumsum", "numpy_nancumsum", "The sums, without NaN,", _zero_for_nan, _sum)


def _beside(x: Tensor, given: Any, axis: int) -> Any:
    """What goes before or after x along an axis: a Tensor, or a number, which is one slice."""
    made = as_tensor(given)
    if made.ndim == 0:
        made = _ops["broadcast_to"](made, tuple(1 if d == axis else n for d, n in enumerate(x.shape)))
    return made


@publish(
    """ops.diff Tensor.diff(n, axis|dim, prepend, append) mint.diff(x as input, n, axis as dim, prepend, append)
    ops.diff_ext(x as input, n, axis as dim, prepend, append) numpy.diff(x as a, n, axis, prepend, append)""",
    numpy="np.diff(x, n, axis, **{k: v for k, v in (('prepend', prepend), ('append', append)) if v is not None})",
    samples="f32(3, 5); i32(6), 2; f32(3, 4), 1, 0, f32(1, 4), f32(2, 4); f32(4), 1, -1, 2.0; b1(5); f32(3), 0; f32(3), 5",
)
def diff(x: Number, n: int = 1, axis: int = -1, prepend: Number | None = None, append: Number | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ.

    Args:
        prepend: what is before x along the axis: a Tensor, or a number.
        append: what is after x.

    Raises:
        ValueError: n is negative, axis out of range, or the shapes do not fit.
    """
    found = as_tensor(x)
    at = checked_axis("diff", found, axis)
    if n < 0:
        raise ValueError(f"For 'diff', 'n' must not be negative, but got {n}.")
    if n == 0:
        return _ops["identity"](found)
    parts = [None if one is None else _beside(found, one, at) for one in (prepend, found, append)]
    if prepend is not None or append is not None:
        found = _ops["concat"](promoted([part for part in parts if part is not None]), at)
    step = _ops["not_equal"] if found.dtype == core.bool_ else _ops["sub"]
    for _ in range(min(n, found.shape[at])):
        found = step(found[along(at, slice(1, None))], found[along(at, slice(0, -1))])
    return found


@publish(
    "numpy.ediff1d",
    numpy="np.ediff1d(ary, to_end, to_begin)",
    samples="f32(2, 3); i32(4), [7, 8], 9; f32(3), None, f32(2)",
)
def ediff1d(ary: Number, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours among all elements.

    Args:
        to_end: what comes after them.
        to_begin: what comes before them.
    """
    found = diff(_ops["reshape"](as_tensor(ary), (-1,)))
    parts = [None if one is None else _ops["reshape"](as_tensor(one), (-1,)) for one in (to_begin, found, to_end)]
    return _ops["concat"]([_ops["cast"](part, found.dtype) for part in parts if part is not None], 0)


@publish(
    "ops.trapz(y, x, *, dx, dim) numpy.trapz(y, x, dx, dim as axis)",
    numpy="np.trapezoid(y, x, dx, dim)",
    samples="f32(3, 4); f32(3, 4), f32(4); f32(3, 4), f32(3, 4), 1.0, 0; i32(5), None, 0.5; f32(1)",
)
def trapz(y: Number, x: Any = None, dx: float = 1.0, dim: int = -1) -> Any:
    """The integral along an axis by the trapezoidal rule.

    Args:
        x: where the values are: one number for each along the axis, or y's shape.
        dx: the distance of neighbours, where x is not given.

    Raises:
        ValueError: dim is out of range, or the shapes do not fit.
    """
    values = as_tensor(y)
    at = checked_axis("trapz", values, dim)
    if x is None:
        width: Any = dx
    else:
        places = as_tensor(x)
        if places.ndim == 1:
            width = _ops["reshape"](diff(places), tuple(-1 if d == at else 1 for d in range(values.ndim)))
        else:
            width = diff(places, 1, dim)
    values = values if values.dtype in (*FLOATS, *COMPLEXES) else _ops["cast"](values, core.float32)
    pairs = values[along(at, slice(1, None))] + values[along(at, slice(0, -1))]
    return _ops["sum"](width * pairs * 0.5, at)


def _spacings(f: Tensor, varargs: Any, axes: list[int]) -> list[Any]:
    """The distance of neighbours along each axis, a number, or a Tensor of all distances.

    Raises:
        TypeError: there are neither one for all axes nor one for each.
        ValueError: coordinates are not as many as the axis is long.
    """
    given = list(varargs)
    if len(given) not in (0, 1, len(axes)):
        raise TypeError(
            f"For 'gradient', there must be one distance for all axes or one for each of {len(axes)}, but got {len(given)}."
        )
    given = [1.0] * len(axes) if not given else given * len(axes) if len(given) == 1 else given
    out: list[Any] = []
    for axis, one in zip(axes, given):
        places = one if isinstance(one, (int, float)) else _ops["cast"](as_tensor(one), f.dtype)
        if isinstance(places, (int, float)) or places.ndim == 0:
            out.append(places)
            continue
        if tuple(places.shape) != (f.shape[axis],):
            raise ValueError(
                f"For 'gradient', there must be {f.shape[axis]} coordinates along axis {axis}, but got shape "
                f"{tuple(places.shape)}."
            )
        out.append(_ops["reshape"](diff(places), tuple(-1 if d == axis else 1 for d in range(f.ndim))))
    return out


def _slope(f: Tensor, axis: int, step: Any, edge_order: int) -> Any:
    """The derivative along an axis: central differences inside, one-sided ones at both ends."""

    def part(x: Any, start: int | None, stop: int | None) -> Any:
        return x[along(axis, slice(start, stop))] if isinstance(x, core.Tensor) and x.ndim else x

    before, after = part(step, None, -1), part(step, 1, None)
    if before is step:
        inner = (part(f, 2, None) - part(f, None, -2)) / (2.0 * step)
    else:
        whole = before + after
        inner = (
            part(f, None, -2) * (-after / (before * whole))
            + part(f, 1, -1) * ((after - before) / (before * after))
            + part(f, 2, None) * (before / (after * whole))
        )
    ends = []
    for near, distances in (((0, 1, 2), (0, 1)), ((-1, -2, -3), (-1, -2))):
        f0, f1, f2 = (part(f, i, i + 1 or None) for i in near)
        h1, h2 = (part(step, i, i + 1 or None) for i in distances)
        if edge_order == 1:
            ends.append((f1 - f0) / h1 if near[0] == 0 else (f0 - f1) / h1)
            continue
        whole = h1 + h2
        found = f1 * (whole / (h1 * h2)) - f0 * ((h1 + whole) / (h1 * whole)) - f2 * (h1 / (h2 * whole))
        ends.append(found if near[0] == 0 else -found)
    return _ops["concat"]((ends[0], inner, ends[1]), axis)


@publish(
    "numpy.gradient(f, *varargs = (), axis, edge_order)",
    numpy="np.gradient(f, *varargs, axis=axis, edge_order=edge_order)",
    samples="""f32(6); f32(4, 5), (2.0, 0.5); f32(4, 5), (2.0,), 1; f64(5), ([0.0, 1.0, 1.5, 3.0, 4.0],), None, 2;
    f64(4, 6), (), (0, 1), 2""",
)
def gradient(f: Number, varargs: Any = (), axis: Ints | None = None, edge_order: int = 1) -> Any:
    """The slopes along each axis by differences: central ones inside, and one-sided ones at both ends.

    Args:
        varargs: the distances of neighbours: none, one for all axes, or one for each; a number, or coordinates.
        axis: along which; a list of results for several, or by default for all.
        edge_order: how exact the ends are, 1 or 2.

    Raises:
        TypeError: there are neither one distance for all axes nor one for each.
        ValueError: an axis is out of range or too short, coordinates do not fit, or edge_order is another.
    """
    values = as_tensor(f)
    values = values if values.dtype in (*FLOATS, *COMPLEXES) else _ops["cast"](values, core.float32)
    if edge_order not in (1, 2):
        raise ValueError(f"For 'gradient', 'edge_order' must be 1 or 2, but got {edge_order}.")
    one = isinstance(axis, int)
    axes = [checked_axis("gradient", values, a) for a in (range(values.ndim) if axis is None else (axis,) if one else axis)]
    for at in axes:
        if values.shape[at] <= edge_order:
            raise ValueError(
                f"For 'gradient', an axis must have more than {edge_order} elements, but the shape is {tuple(values.shape)}."
            )
    found = [_slope(values, at, step, edge_order) for at, step in zip(axes, _spacings(values, varargs, axes))]
    return found[0] if one or len(found) == 1 else found
