"""Infinities and NaN: where they are, and other numbers in their place."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating
from emberjit.publish.kinds import COMPLEXES, FLOATS, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
isfinite: ops.isfinite ops.IsFinite Tensor.isfinite mint.isfinite numpy.isfinite(input as x, result as dtype)
isinf: ops.isinf ops.IsInf Tensor.isinf mint.isinf numpy.isinf(input as x, result as dtype)
isnan: ops.isnan ops.IsNan Tensor.isnan mint.isnan(input as tensor) numpy.isnan(input as x, result as dtype)
""",
)


@publish("ops.NPUClearFloatStatus", in_python=True)
def clear_float_status(x: Tensor) -> Any:
    """Clears the float status: from now on results count. NPUGetFloatStatus tells it.

    Args:
        x: the flag that NPUAllocFloatStatus makes, a Tensor of float16 or float32.

    Returns:
        zeros of x's shape and dtype.

    Raises:
        TypeError: x is of another dtype.

    Examples:
        >>> flag = ops.NPUAllocFloatStatus()()
        >>> _ = ops.NPUClearFloatStatus()(flag)
        >>> infinite = Tensor([1.0]) / 0
        >>> _ = ops.NPUGetFloatStatus()(flag)
        >>> print(flag[0])
        1.0
    """
    return _ops.clear_float_status(x)


def _check_real(name: str, input: Tensor) -> None:
    if input.dtype in COMPLEXES:
        raise TypeError(f"For '{name}', 'input' must be real, but got {input.dtype}.")


def _infinite(name: str, input: Tensor, infinity: float) -> Any:
    _check_real(name, input)
    return _ops.equal(input, infinity)


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
    _check_real("nan_to_num", input)
    if input.dtype not in FLOATS:
        return _ops.identity(input)
    largest = _LARGEST[input.dtype]
    out = _ops.select(_ops.isnan(input), 0.0 if nan is None else nan, input)
    out = _ops.select(_ops.equal(input, math.inf), largest if posinf is None else posinf, out)
    return _ops.select(_ops.equal(input, -math.inf), -largest if neginf is None else neginf, out)


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
    return _ops.cast(_ops.reshape(_ops.logical_not(_ops.all(_ops.isfinite(x))), (1,)), core.float32)


@publish("ops.CheckNumerics()(x)", in_python=True)
def checked_numerics(x: Tensor) -> Any:
    """x itself, whose elements are all finite.

    Raises:
        TypeError: x is not of floats.
        RuntimeError: an element is infinite or NaN.

    Examples:
        >>> print(ops.CheckNumerics()(Tensor([1.0, 2.0])))
        [1. 2.]
        >>> ops.CheckNumerics()(Tensor([1.0, np.inf]))
        Traceback (most recent call last):
            ...
        RuntimeError: For 'CheckNumerics', 'x' had Inf values; it is Tensor(shape=[2], ...
    """
    check_floating("CheckNumerics", x=x)
    for kind, test in (("NaN", "isnan"), ("Inf", "isinf")):
        if bool(_ops.any(core.op_table[test](x))):
            raise RuntimeError(f"For 'CheckNumerics', 'x' had {kind} values; it is {x!r}.")
    return _ops.identity(x)
