"""Comparison of each element: order, equality, closeness. `equal` is elementwise, but for mint.equal, which is one bool."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_within
from emberjit.publish.kinds import COMPLEXES, FLOATS, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
equal: ops.equal ops.eq ops.Equal Tensor.equal Tensor.eq mint.eq numpy.equal(input as x1, other as x2, result as dtype)
not_equal: ops.not_equal ops.ne ops.NotEqual Tensor.not_equal Tensor.ne mint.not_equal mint.ne
    numpy.not_equal(input as x1, other as x2, result as dtype)
less: ops.less ops.lt ops.tensor_lt ops.Less Tensor.less Tensor.lt mint.less mint.lt
    numpy.less(input as x1, other as x2, result as dtype)
less_equal: ops.less_equal ops.le ops.tensor_le ops.LessEqual Tensor.less_equal Tensor.le mint.less_equal mint.le
    numpy.less_equal(input as x1, other as x2, result as dtype)
greater: ops.greater ops.gt ops.tensor_gt ops.Greater Tensor.greater Tensor.gt mint.greater mint.gt
    numpy.greater(input as x1, other as x2, result as dtype)
greater_equal: ops.greater_equal ops.ge ops.tensor_ge ops.GreaterEqual Tensor.greater_equal Tensor.ge mint.greater_equal
    mint.ge
    numpy.greater_equal(input as x1, other as x2, result as dtype)
""",
)


@publish("mint.equal", numpy="np.array_equal(input, other)", samples="f32(2, 3), f32(2, 3); i32(2), i32(3)", in_python=True)
def alike(input: Tensor, other: Tensor) -> Any:
    """Whether both have one shape and the same elements, a bool."""
    return tuple(input.shape) == tuple(other.shape) and bool(_ops.all(_ops.equal(input, other)))


@publish(
    """ops.isclose ops.IsClose(rtol, atol, equal_nan)(input, other) Tensor.isclose mint.isclose
    numpy.isclose(input as a, other as b, rtol, atol, equal_nan)""",
    numpy="np.isclose(input, other, rtol, atol, equal_nan)",
    samples="""f32(2, 3), f32(3), 0.5, 0.1;
    f64(3), f64(3), 0.1, 0.1, True;
    i32(4), i32(4), 0.1, 2.0; c64(3), c64(3), 0.5, 0.5""",
)
def isclose(input: Number, other: Number, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
    alone, NaN to nothing, or with equal_nan to NaN.

    Raises:
        ValueError: rtol or atol is negative.
    """
    for name, value in (("rtol", rtol), ("atol", atol)):
        check_within("isclose", name, value, 0)
    x, y = _ops.promoted(input, other), _ops.promoted(other, input)
    if x.dtype not in FLOATS and x.dtype not in COMPLEXES:
        x, y = _ops.cast(x, core.float64), _ops.cast(y, core.float64)
    distance = _ops.abs(_ops.sub(x, y))
    near = _ops.less_equal(distance, _ops.add(_ops.mul(_ops.abs(y), rtol), atol))
    near = _ops.logical_or(_ops.logical_and(near, _ops.isfinite(y)), _ops.equal(x, y))
    if not equal_nan:
        return near
    return _ops.logical_or(near, _ops.logical_and(_ops.isnan(x), _ops.isnan(y)))


@publish(
    "Tensor.allclose mint.allclose",
    numpy="np.allclose(input, other, rtol, atol, equal_nan)",
    samples="f32(2, 3), f32(3); i32(2), i32(2), 9.0, 99.0; f32(0), 1.0",
    in_python=True,
)
def allclose(input: Number, other: Number, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether all of input are near to other as isclose has it, a bool."""
    return bool(_ops.all(isclose(input, other, rtol, atol, equal_nan)))


@publish(
    "ops.approximate_equal ops.ApproximateEqual(tolerance)(x, y) Tensor.approximate_equal(y as other, tolerance)",
    numpy="np.abs(x - y) < tolerance",
    samples="f32(2, 3), f32(2, 3); f64(4), f64(4), 1.0",
)
def approximate_equal(x: Number, y: Number, tolerance: float = 1e-5) -> Any:
    """Whether |x - y| < tolerance, elementwise with broadcasting."""
    return _ops.less(_ops.abs(_ops.sub(x, y)), tolerance)
