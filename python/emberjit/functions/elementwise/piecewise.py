"""Functions of each element that are given by pieces, or by points."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, Number
from emberjit.publish.registry import publish
from emberjit.tensors.operands import as_tensor

_ops = core.ops


@publish(
    "numpy.interp",
    numpy="np.interp(x, xp, fp, left, right)",
    samples="""f64(7), [-1.0, 0.0, 1.5], [2.0, -1.0, 4.0]; f32(2, 3), [-1.0, 1.0], [0.0, 3.0], -5.0, 7.0;
    0.25, [0.0, 1.0], [1.0, 2.0]""",
)
def interp(x: Number, xp: Number, fp: Number, left: Number | None = None, right: Number | None = None) -> Any:
    """The function that is linear between points, and constant beyond them.

    Args:
        xp: where the points are, in ascending order.
        fp: their values, as many.
        left: its value below xp, by default the first of fp.
        right: its value above xp, by default the last of fp.

    Raises:
        ValueError: xp and fp have not one axis of one size, or are empty.
    """
    at, places, values = (as_tensor(one) for one in (x, xp, fp))
    if places.ndim != 1 or tuple(places.shape) != tuple(values.shape) or places.shape[0] == 0:
        raise ValueError(
            f"For 'interp', 'xp' and 'fp' must have one axis of one size, not 0, but the shapes are {tuple(places.shape)} "
            f"and {tuple(values.shape)}."
        )
    wide = core.float64 if core.float64 in (at.dtype, places.dtype, values.dtype) else core.float32
    at, places, values = (_ops.cast(one, one.dtype if one.dtype in COMPLEXES else wide) for one in (at, places, values))
    last = places.shape[0] - 1
    upper = _ops.clip(_ops.search_sorted(places, at, True), 1, max(last, 1))
    x0, y0 = (_ops.gather(one, upper - 1, 0) for one in (places, values))
    x1, y1 = (_ops.gather(one, _ops.minimum(upper, last), 0) for one in (places, values))
    flat = _ops.equal(x0, x1)
    y = y0 + (y1 - y0) / _ops.select(flat, 1.0, x1 - x0) * (at - x0)
    y = _ops.select(at >= places[last], values[last], y)
    y = _ops.select(at > places[last], values[last] if right is None else right, y)
    return _ops.select(at < places[0], values[0] if left is None else left, y)


def piecewise(x: Number, condlist: Any, funclist: Any, *args: Any, **kwargs: Any) -> Any:
    """At each position what the function of the last condition that is true gives, or that without a condition, or 0.

    Args:
        condlist: bool Tensors.
        funclist: as many functions of x, or numbers; one more is for where no condition is true.
        args, kwargs: what functions take further.

    Returns:
        Tensor of x's shape and dtype.

    Raises:
        ValueError: there are not as many functions as conditions, or one more.

    Examples:
        >>> x = Tensor([-2.0, -1.0, 0.0, 1.0, 2.0])
        >>> print(ms.numpy.piecewise(x, [x < 0, x > 0], [lambda v: -v, lambda v: v * 10]))
        [ 2.  1.  0. 10. 20.]
    """
    values = as_tensor(x)
    single = isinstance(condlist, core.Tensor) or not isinstance(condlist, (tuple, list)) or isinstance(condlist[0], bool)
    conditions = [as_tensor(one) for one in ([condlist] if single else condlist)]
    pieces = [*funclist] if isinstance(funclist, (tuple, list)) else [funclist]
    if len(pieces) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            f"For 'piecewise', there must be as many functions as conditions, {len(conditions)}, or one more, but got "
            f"{len(pieces)}."
        )
    default = pieces.pop() if len(pieces) > len(conditions) else 0

    def of(piece: Any) -> Any:
        return _ops.cast(as_tensor(piece(values, *args, **kwargs) if callable(piece) else piece), values.dtype)

    result = _ops.broadcast_to(of(default), values.shape)
    for condition, piece in zip(conditions, pieces):
        result = _ops.select(condition, of(piece), result)
    return result
