"""What numbers are near to, and what becomes of those that are not finite."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.checks import check_floating
from emberjit.publish.kinds import COMPLEXES, FLOATS, Number, Tensor
from emberjit.publish.registry import publish

_ops = core.op_table


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
        if not value >= 0:
            raise ValueError(f"For 'isclose', '{name}' must not be negative, but got {value}.")
    x, y = _ops["promoted"](input, other), _ops["promoted"](other, input)
    if x.dtype not in FLOATS and x.dtype not in COMPLEXES:
        x, y = _ops["cast"](x, core.float64), _ops["cast"](y, core.float64)
    distance = _ops["abs"](_ops["sub"](x, y))
    near = _ops["less_equal"](distance, _ops["add"](_ops["mul"](_ops["abs"](y), rtol), atol))
    near = _ops["logical_or"](_ops["logical_and"](near, _ops["isfinite"](y)), _ops["equal"](x, y))
    if not equal_nan:
        return near
    return _ops["logical_or"](near, _ops["logical_and"](_ops["isnan"](x), _ops["isnan"](y)))


@publish(
    "Tensor.allclose mint.allclose",
    numpy="np.allclose(input, other, rtol, atol, equal_nan)",
    samples="f32(2, 3), f32(3); i32(2), i32(2), 9.0, 99.0; f32(0), 1.0",
    in_python=True,
)
def allclose(input: Number, other: Number, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether all of input are near to other as isclose has it, a bool."""
    return bool(_ops["all"](isclose(input, other, rtol, atol, equal_nan)))


@publish("mint.equal", numpy="np.array_equal(input, other)", samples="f32(2, 3), f32(2, 3); i32(2), i32(3)", in_python=True)
def alike(input: Tensor, other: Tensor) -> Any:
    """Whether both have one shape and the same elements, a bool."""
    return tuple(input.shape) == tuple(other.shape) and bool(_ops["all"](_ops["equal"](input, other)))


@publish(
    "ops.approximate_equal ops.ApproximateEqual(tolerance)(x, y) Tensor.approximate_equal(y as other, tolerance)",
    numpy="np.abs(x - y) < tolerance",
    samples="f32(2, 3), f32(2, 3); f64(4), f64(4), 1.0",
)
def approximate_equal(x: Number, y: Number, tolerance: float = 1e-5) -> Any:
    """Whether |x - y| < tolerance, elementwise with broadcasting."""
    return _ops["less"](_ops["abs"](_ops["sub"](x, y)), tolerance)


def _infinite(name: str, input: Any, infinity: float) -> Any:
    if input.dtype in COMPLEXES:
        raise TypeError(f"For '{name}', 'input' must be real, but got {input.dtype}.")
    return _ops["equal"](input, infinity)


_SIGNED_INFINITIES = "f32(3) * 1e999; f32(0, 2); i32(3)"


@publish("ops.isposinf Tensor.isposinf numpy.isposinf(input as x)", numpy="np.isposinf(input)", samples=_SIGNED_INFINITIES)
def isposinf(input: Tensor) -> Any:
    """Which elements are positive infinity: of integers none.

    Raises:
        TypeError: input is complex.
    """
    return _infinite("isposinf", input, math.inf)


@publish(
    "ops.isneginf Tensor.isneginf mint.isneginf numpy.isneginf(input as x)",
    numpy="np.isneginf(input)",
    samples=_SIGNED_INFINITIES,
)
def isneginf(input: Tensor) -> Any:
    """Which elements are negative infinity: of integers none.

    Raises:
        TypeError: input is complex.
    """
    return _infinite("isneginf", input, -math.inf)


_LARGEST = {
    core.float16: 65504.0,
    core.bfloat16: (2 - 2.0**-7) * 2.0**127,
    core.float32: (2 - 2.0**-23) * 2.0**127,
    core.float64: (2 - 2.0**-52) * 2.0**1023,
}


@publish(
    "ops.nan_to_num Tensor.nan_to_num mint.nan_to_num ops.NanToNum(nan, posinf, neginf)(input)",
    numpy="np.nan_to_num(input, nan=nan or 0.0, posinf=posinf, neginf=neginf)",
    samples="""f32(2, 3), 5.0, 6.0, -7.0; f64(4); i32(3)""",
)
def nan_to_num(input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Any:
    """input with other numbers in place of NaN and infinities; integers as they are.

    Args:
        nan: in place of NaN; None stands for 0.
        posinf: in place of infinity; None stands for the dtype's largest number.
        neginf: in place of negative infinity; None stands for the dtype's least number.

    Raises:
        TypeError: input is complex.
    """
    if input.dtype in COMPLEXES:
        raise TypeError(f"For 'nan_to_num', 'input' must be real, but got {input.dtype}.")
    if input.dtype not in FLOATS:
        return _ops["identity"](input)
    largest = _LARGEST[input.dtype]
    out = _ops["select"](_ops["isnan"](input), 0.0 if nan is None else nan, input)
    out = _ops["select"](_ops["equal"](input, math.inf), largest if posinf is None else posinf, out)
    return _ops["select"](_ops["equal"](input, -math.inf), -largest if neginf is None else neginf, out)


@publish(
    "ops.FloatStatus()(x)",
    numpy="np.array([not np.isfinite(x).all()], np.float32)",
    samples="f32(2, 3); f64(2) + [1, 1e400]; f16(3); f32(0)",
)
def float_status(x: Tensor) -> Any:
    """1, of shape (1,) and float32, if an element is infinite or NaN; else 0.

    Raises:
        TypeError: x is not of floats.
    """
    check_floating("FloatStatus", x=x)
    return _ops["cast"](_ops["reshape"](_ops["logical_not"](_ops["all"](_ops["isfinite"](x))), (1,)), core.float32)


@publish("ops.CheckNumerics()(x)", in_python=True)
def checked_numerics(x: Tensor) -> Any:
    """x itself, whose elements are all finite.

    Raises:
        TypeError: x is not of floats.
        RuntimeError: an element is infinite or NaN.
    """
    check_floating("CheckNumerics", x=x)
    for found, test in (("NaN", "isnan"), ("Inf", "isinf")):
        if bool(_ops["any"](_ops[test](x))):
            raise RuntimeError(f"For 'CheckNumerics', 'x' had {found} values; it is {x!r}.")
    return _ops["identity"](x)
