"""Differences of neighbours along an axis, slopes, and integrals by trapezoids."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_within
from emberjit.functions.arguments import inexact
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along, checked_axis
from emberjit.tensors.operands import as_tensor, promoted

_ops = core.ops


def _beside(x: Tensor, value: Number, axis: int) -> Any:
    """What goes before or after x along an axis: a Tensor, or a number, which is one slice."""
    tensor = as_tensor(value)
    if tensor.ndim == 0:
        tensor = _ops.broadcast_to(tensor, tuple(1 if d == axis else n for d, n in enumerate(x.shape)))
    return tensor


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
    values = as_tensor(x)
    at = checked_axis("diff", values, axis)
    check_within("diff", "n", n, 0)
    if n == 0:
        return _ops.identity(values)
    parts = [None if one is None else _beside(values, one, at) for one in (prepend, values, append)]
    if prepend is not None or append is not None:
        values = _ops.concat(promoted([part for part in parts if part is not None]), at)
    step = _ops.not_equal if values.dtype == core.bool_ else _ops.sub
    for _ in range(min(n, values.shape[at])):
        values = step(values[along(at, slice(1, None))], values[along(at, slice(0, -1))])
    return values


@publish(
    "numpy.ediff1d", numpy="np.ediff1d(ary, to_end, to_begin)", samples="f32(2, 3); i32(4), [7, 8], 9; f32(3), None, f32(2)"
)
def ediff1d(ary: Number, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours among all elements.

    Args:
        to_end: what comes after them.
        to_begin: what comes before them.
    """
    differences = diff(_ops.reshape(as_tensor(ary), (-1,)))
    parts = [None if one is None else _ops.reshape(as_tensor(one), (-1,)) for one in (to_begin, differences, to_end)]
    return _ops.concat([_ops.cast(part, differences.dtype) for part in parts if part is not None], 0)


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
            width = _ops.reshape(diff(places), tuple(-1 if d == at else 1 for d in range(values.ndim)))
        else:
            width = diff(places, 1, dim)
    values = inexact(values)
    pairs = values[along(at, slice(1, None))] + values[along(at, slice(0, -1))]
    return _ops.sum(width * pairs * 0.5, at)


def _spacings(f: Tensor, varargs: Any, axes: list[int]) -> list[Any]:
    """The distance of neighbours along each axis, a number, or a Tensor of all distances.

    Raises:
        TypeError: there are neither one for all axes nor one for each.
        ValueError: coordinates are not as many as the axis is long.
    """
    spacings = list(varargs)
    if len(spacings) not in (0, 1, len(axes)):
        raise TypeError(
            f"For 'gradient', there must be one distance for all axes or one for each of {len(axes)}, but got "
            f"{len(spacings)}."
        )
    spacings = [1.0] * len(axes) if not spacings else spacings * len(axes) if len(spacings) == 1 else spacings
    out: list[Any] = []
    for axis, one in zip(axes, spacings):
        places = one if isinstance(one, (int, float)) else _ops.cast(as_tensor(one), f.dtype)
        if isinstance(places, (int, float)) or places.ndim == 0:
            out.append(places)
            continue
        if tuple(places.shape) != (f.shape[axis],):
            raise ValueError(
                f"For 'gradient', there must be {f.shape[axis]} coordinates along axis {axis}, but got shape "
                f"{tuple(places.shape)}."
            )
        out.append(_ops.reshape(diff(places), tuple(-1 if d == axis else 1 for d in range(f.ndim))))
    return out


def _slope(f: Tensor, axis: int, step: Any, edge_order: int) -> Any:
    """The derivative along an axis: central differences inside, one-sided ones at both ends."""

    def part(x: Number, start: int | None, stop: int | None) -> Any:
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
        slope = f1 * (whole / (h1 * h2)) - f0 * ((h1 + whole) / (h1 * whole)) - f2 * (h1 / (h2 * whole))
        ends.append(slope if near[0] == 0 else -slope)
    return _ops.concat((ends[0], inner, ends[1]), axis)


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
    values = inexact(as_tensor(f))
    check_choice("gradient", "edge_order", edge_order, 1, 2)
    one = isinstance(axis, int)
    axes = [checked_axis("gradient", values, a) for a in (range(values.ndim) if axis is None else (axis,) if one else axis)]
    for at in axes:
        if values.shape[at] <= edge_order:
            raise ValueError(
                f"For 'gradient', an axis must have more than {edge_order} elements, but the shape is {tuple(values.shape)}."
            )
    slopes = [_slope(values, at, step, edge_order) for at, step in zip(axes, _spacings(values, varargs, axes))]
    return slopes[0] if one or len(slopes) == 1 else slopes
