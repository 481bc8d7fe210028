"""Trigonometric and hyperbolic functions of each element, their inverses, and angles."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
cos: ops.cos ops.Cos Tensor.cos mint.cos numpy.cos(input as x, result as dtype) Tensor.cos_
sin: ops.sin ops.Sin Tensor.sin mint.sin numpy.sin(input as x, result as dtype) Tensor.sin_
tanh: ops.tanh ops.Tanh Tensor.tanh mint.tanh mint.nn.functional.tanh numpy.tanh(input as x, result as dtype)
    nn.Tanh mint.nn.Tanh Tensor.tanh_ ops.tanh_(input)
acos: ops.acos ops.arccos ops.ACos Tensor.acos Tensor.arccos mint.acos mint.arccos numpy.arccos(input, result as dtype)
acosh: ops.acosh ops.arccosh ops.Acosh Tensor.acosh Tensor.arccosh mint.acosh mint.arccosh
    numpy.arccosh(input as x, result as dtype)
asin: ops.asin ops.arcsin(input as x) ops.Asin Tensor.asin Tensor.arcsin mint.asin mint.arcsin(input as x)
    numpy.arcsin(input as x, result as dtype)
asinh: ops.asinh ops.arcsinh ops.Asinh Tensor.asinh Tensor.arcsinh mint.asinh mint.arcsinh
    numpy.arcsinh(input as x, result as dtype)
atan: ops.atan ops.arctan ops.Atan Tensor.atan Tensor.arctan mint.atan mint.arctan numpy.arctan(input as x, result as dtype)
atanh: ops.atanh ops.arctanh ops.Atanh Tensor.atanh Tensor.arctanh mint.atanh mint.arctanh
    numpy.arctanh(input as x, result as dtype)
cosh: ops.cosh ops.Cosh Tensor.cosh mint.cosh numpy.cosh(input as x, result as dtype)
sinc: ops.sinc ops.Sinc Tensor.sinc mint.sinc mint.special.sinc
sinh: ops.sinh ops.Sinh Tensor.sinh mint.sinh numpy.sinh(input as x, result as dtype)
tan: ops.tan ops.Tan Tensor.tan mint.tan numpy.tan(input as x, result as dtype)
atan2: ops.atan2 ops.arctan2 ops.Atan2 Tensor.atan2 Tensor.arctan2 mint.atan2 mint.arctan2
    numpy.arctan2(input as x1, other as x2, result as dtype) Tensor.atan2_
""",
)


@publish(
    "ops.deg2rad Tensor.deg2rad numpy.deg2rad(x, result as dtype) numpy.radians(x, result as dtype)",
    numpy="np.deg2rad(x)",
    samples="f32(2, 3); f64(4); f32(0, 2)",
)
def deg2rad(x: Tensor) -> Any:
    """Degrees in radians. Integers give float32."""
    return _ops.mul(x, math.pi / 180)


@publish(
    "ops.rad2deg Tensor.rad2deg numpy.rad2deg(x, result as dtype)",
    numpy="np.rad2deg(x)",
    samples="f32(2, 3); f64(4); f32(0, 2)",
)
def rad2deg(x: Tensor) -> Any:
    """Radians in degrees. Integers give float32."""
    return _ops.mul(x, 180 / math.pi)


@publish(
    "numpy.unwrap",
    numpy="np.unwrap(p, discont, axis)",
    samples="f32(4, 5) * 5; f64(7) * 5, 4.0, 0; f32(2, 1); f64(5) * 4, 4.5",
)
def unwrap(p: Tensor, discont: float = math.pi, axis: int = -1) -> Any:
    """p, with whole turns added along an axis so that no step from one element to the next is more than half a turn.

    Args:
        p: angles in radians, of floating point.
        discont: steps that are less are left as they are.
        axis: the axis.

    Raises:
        TypeError: p is not of floating point.
    """
    check_floating("unwrap", p=p)
    at = checked_axis("unwrap", p, axis)
    later = p[along(at, slice(1, None))]
    steps = _ops.sub(later, p[along(at, slice(None, -1))])
    short = _ops.sub(_ops.floor_mod(_ops.add(steps, math.pi), 2 * math.pi), math.pi)
    at_half = _ops.logical_and(_ops.equal(short, -math.pi), _ops.greater(steps, 0))
    turns = _ops.sub(_ops.select(at_half, math.pi, short), steps)
    turns = _ops.select(_ops.less(_ops.abs(steps), discont), 0.0, turns)
    return _ops.concat((p[along(at, slice(None, 1))], _ops.add(later, _ops.cumsum(turns, at))), at)
