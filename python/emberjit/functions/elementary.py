"""Elementary functions of one and two variables beyond arithmetic."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis
from emberjit.tensors.operands import as_tensor, broadcast_shape, promoted

_ops = core.op_table

publish_ops(
    __name__,
    """
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
cbrt: numpy.cbrt(input as x, result as dtype)
copysign: ops.copysign Tensor.copysign numpy.copysign(x as x1, other as x2, result as dtype)
cosh: ops.cosh ops.Cosh Tensor.cosh mint.cosh numpy.cosh(input as x, result as dtype)
div_no_nan: ops.DivNoNan
exp2: ops.exp2 mint.exp2 mint.special.exp2 numpy.exp2(input as x, result as dtype)
fmax: ops.fmax ops.Fmax()(input as x1, other as x2) Tensor.fmax
fmin: ops.fmin ops.Fmin()(input as x1, other as x2) Tensor.fmin
fmod: ops.fmod Tensor.fmod mint.fmod ops.truncate_mod(input as x, other as y) ops.TruncateMod()(input as x, other as y)
    numpy.fmod(input as x1, other as x2, result as dtype)
gcd: ops.gcd ops.Gcd Tensor.gcd mint.gcd
lcm: ops.lcm ops.Lcm Tensor.lcm
log10: ops.log10 Tensor.log10 mint.log10 numpy.log10(input as x, result as dtype)
log2: ops.log2 Tensor.log2 mint.log2 numpy.log2(input as x, result as dtype)
logaddexp: ops.logaddexp Tensor.logaddexp mint.logaddexp numpy.logaddexp(input as x1, other as x2, result as dtype)
logaddexp2: ops.logaddexp2 Tensor.logaddexp2 mint.logaddexp2 numpy.logaddexp2(input as x1, other as x2, result as dtype)
mul_no_nan: ops.MulNoNan
nextafter: ops.nextafter ops.NextAfter Tensor.nextafter
signbit: ops.signbit Tensor.signbit numpy.signbit(input as x, result as dtype)
sinc: ops.sinc ops.Sinc Tensor.sinc mint.sinc mint.special.sinc
sinh: ops.sinh ops.Sinh Tensor.sinh mint.sinh numpy.sinh(input as x, result as dtype)
tan: ops.tan ops.Tan Tensor.tan mint.tan numpy.tan(input as x, result as dtype)
xdivy: ops.xdivy ops.Xdivy Tensor.xdivy
xlogy: ops.xlogy ops.Xlogy Tensor.xlogy mint.xlogy
""",
)


@publish(
    "ops.deg2rad Tensor.deg2rad numpy.deg2rad(x, result as dtype) numpy.radians(x, result as dtype)",
    numpy="np.deg2rad(x)",
    samples="f32(2, 3); f64(4); f32(0, 2)",
)
def deg2rad(x: Tensor) -> Any:
    """Degrees in radians. Integers give float32."""
    return _ops["mul"](x, math.pi / 180)


@publish(
    "ops.rad2deg Tensor.rad2deg numpy.rad2deg(x, result as dtype)",
    numpy="np.rad2deg(x)",
    samples="f32(2, 3); f64(4); f32(0, 2)",
)
def rad2deg(x: Tensor) -> Any:
    """Radians in degrees. Integers give float32."""
    return _ops["mul"](x, 180 / math.pi)


@publish("ops.frac Tensor.frac mint.frac(x as input)", numpy="x - np.trunc(x)", samples="f32(2, 3); f64(4); i32(3)")
def frac(x: Tensor) -> Any:
    """x less x rounded toward zero: the part with its sign behind the point; of integers zeros."""
    return _ops["sub"](x, _ops["trunc"](x))


def _in_double(x: Any) -> Any:
    if not isinstance(x, Tensor):
        return x
    return _ops["cast"](x, core.complex128 if x.dtype in COMPLEXES else core.float64)


@publish(
    """ops.float_power ops.float_power_ext mint.float_power Tensor.float_power(exponent as other)
    numpy.float_power(input as x1, exponent as x2, result as dtype)""",
    numpy="np.float_power(input, exponent)",
    samples="i32(2, 3) * 0 + 2, i32(3); f64(4) + 3, 0.5; 2.0, i64(3); c64(3), 2",
)
def float_power(input: Number, exponent: Number) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting.

    Raises:
        TypeError: neither is a Tensor.
    """
    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        raise TypeError(f"For 'float_power', 'input' or 'exponent' must be a Tensor, but got {input} and {exponent}.")
    return _ops["pow"](_in_double(input), _in_double(exponent))


@publish(
    "ops.ldexp Tensor.ldexp",
    numpy="x * np.float64(2) ** other",
    samples="f32(2, 3), i32(3); f64(4), 3; f64(2, 2), f64(2)",
)
def ldexp(x: Number, other: Number) -> Any:
    """x * 2^other, elementwise with broadcasting. Integers give float32."""
    return _ops["mul"](x, _ops["exp2"](other))


@publish(
    """ops.heaviside ops.Heaviside()(input as x, values) Tensor.heaviside
    numpy.heaviside(input as x1, values as x2, result as dtype)""",
    numpy="np.where(np.isnan(input), input, np.where(input == 0, values, np.where(input > 0, 1, 0)))",
    samples="f32(2, 3), f32(3); f64(4), 0.5; i32(3), i32(3)",
)
def heaviside(input: Number, values: Number) -> Any:
    """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN."""
    input, values = _ops["promoted"](input, values), _ops["promoted"](values, input)
    step = _ops["select"](_ops["less"](input, 0), 0, _ops["select"](_ops["equal"](input, 0), values, 1))
    return _ops["select"](_ops["isnan"](input), input, step)


@publish(
    "ops.truncate_div ops.TruncateDiv",
    numpy="np.trunc(x / y).astype(x.dtype)",
    samples="f32(2, 3), f32(3) + 3; i32(5) * 7, i32(5) + 10",
)
def truncate_div(x: Number, y: Number) -> Any:
    """x / y rounded toward zero, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0."""
    if (isinstance(x, Tensor) and x.dtype in FLOATS) or (isinstance(y, Tensor) and y.dtype in FLOATS):
        return _ops["trunc"](_ops["div"](x, y))
    nearer = _ops["floor_div"](_ops["sub"](x, _ops["fmod"](x, y)), y)
    return _ops["promoted"](nearer, x)


@publish("ops.SquaredDifference", numpy="(x - y) ** 2", samples="f32(2, 3), f32(3); i32(4), 2; c64(3), c64(3)")
def squared_difference(x: Number, y: Number) -> Any:
    """(x - y) * (x - y), elementwise with broadcasting."""
    return _ops["square"](_ops["sub"](x, y))


@publish(
    """ops.addcmul(input, tensor1, tensor2, value) Tensor.addcmul(tensor1, tensor2, value)
    mint.addcmul(input, tensor1, tensor2, *, value)
    ops.Addcmul()(input as input_data, tensor1 as x1, tensor2 as x2, value)""",
    numpy="input + value * tensor1 * tensor2",
    samples="f32(2, 3), f32(2, 3), f32(3), 2; i32(3), i32(3), i32(3); f64(3), f64(3), f64(3), f64(1)",
)
def addcmul(input: Number, tensor1: Number, tensor2: Number, value: Number = 1) -> Any:
    """input + value * tensor1 * tensor2, elementwise with broadcasting."""
    return _ops["add"](input, _ops["mul"](_ops["mul"](tensor1, tensor2), value))


@publish(
    """ops.addcdiv(input, tensor1, tensor2, value) Tensor.addcdiv(tensor1, tensor2, value)
    mint.addcdiv(input, tensor1, tensor2, *, value)
    ops.Addcdiv()(input as input_data, tensor1 as x1, tensor2 as x2, value)""",
    numpy="input + value * tensor1 / tensor2",
    samples="f32(2, 3), f32(2, 3), f32(3) + 3, 2; f64(3), f64(3), f64(3) + 3; f64(3), f64(3), f64(3) + 3, f64(1)",
)
def addcdiv(input: Number, tensor1: Number, tensor2: Number, value: Number = 1) -> Any:
    """input + value * tensor1 / tensor2, elementwise with broadcasting; quotients of integers are float32."""
    return _ops["add"](input, _ops["mul"](_ops["div"](tensor1, tensor2), value))


@publish(
    "ops.lerp ops.Lerp Tensor.lerp mint.lerp ops.LerpScalar",
    numpy="input + weight * (end - input)",
    samples="f32(2, 3), f32(2, 3), 0.25; f64(2, 3), f64(3), f64(2, 1); f32(3), f32(3), 1.0",
)
def lerp(input: Number, end: Number, weight: Number) -> Any:
    """input + weight * (end - input), elementwise with broadcasting."""
    return _ops["add"](input, _ops["mul"](weight, _ops["sub"](end, input)))


@publish(
    "ops.positive Tensor.positive numpy.positive(input as a, result as dtype)",
    numpy="np.positive(input)",
    samples="f32(2, 3); i32(3); c64(2)",
)
def positive(input: Tensor) -> Any:
    """input itself."""
    return _ops["identity"](input)


@publish("numpy.divmod", numpy="np.divmod(x1, x2)", samples="f32(2, 3), f32(3) + 3; i32(5), 3")
def divmod(x1: Number, x2: Number, dtype: DType | None = None) -> Any:
    """The quotient rounded down and the remainder that has the sign of x2, both converted to dtype if it is given."""
    parts = _ops["floor_div"](x1, x2), _ops["floor_mod"](x1, x2)
    return parts if dtype is None else tuple(_ops["cast"](part, dtype) for part in parts)


def _euclid(name: str, x: Any, y: Any) -> Any:
    """The greatest common divisors of floats: the largest numbers of which both are multiples. NaN of infinities."""
    if core.is_captured(x) or core.is_captured(y):
        raise core.CaptureError(f"For '{name}', how long floats take depends on their values, which cannot be captured.")
    x, y = _ops["abs"](x), _ops["abs"](y)
    while bool(_ops["any"](more := _ops["greater"](y, 0))):
        x, y = _ops["select"](more, y, x), _ops["select"](more, _ops["fmod"](x, y), y)
    return _ops["add"](x, y)


@publish(
    "numpy.gcd(x1, x2, result as dtype)", numpy="np.gcd(x1, x2)", samples="i32(2, 3), i32(3); i64(4), 6", in_python=True
)
def numpy_gcd(x1: Number, x2: Number) -> Any:
    """The greatest common divisor, elementwise with broadcasting: the largest number of which both are multiples."""
    pair = [as_tensor(x1), as_tensor(x2)]
    if all(x.dtype not in FLOATS for x in pair):
        return _ops["gcd"](x1, x2)
    return _euclid("gcd", *(_ops["broadcast_to"](x, broadcast_shape("gcd", pair)) for x in promoted(pair)))


@publish(
    "numpy.lcm(x1, x2, result as dtype)", numpy="np.lcm(x1, x2)", samples="i32(2, 3), i32(3); i64(4), 6", in_python=True
)
def numpy_lcm(x1: Number, x2: Number) -> Any:
    """The least common multiple, elementwise with broadcasting; 0 if one is 0."""
    pair = [as_tensor(x1), as_tensor(x2)]
    if all(x.dtype not in FLOATS for x in pair):
        return _ops["lcm"](x1, x2)
    x, y = (_ops["abs"](_ops["broadcast_to"](x, broadcast_shape("lcm", pair))) for x in promoted(pair))
    divisor = _euclid("lcm", x, y)
    return _ops["mul"](_ops["div"](x, _ops["select"](_ops["equal"](divisor, 0), 1.0, divisor)), y)


_EPSILONS = {core.float16: 2.0**-10, core.bfloat16: 2.0**-7, core.float32: 2.0**-23, core.float64: 2.0**-52}


@publish("ops.eps ops.Eps", numpy="np.full_like(x, np.finfo(x.dtype).eps)", samples="f32(2, 3); f64(4)")
def eps(x: Tensor) -> Any:
    """The distance from 1 to the next number of x's dtype, in x's shape.

    Raises:
        TypeError: x is not of floating point.
    """
    if x.dtype not in _EPSILONS:
        raise TypeError(f"For 'eps', 'x' must be float16, bfloat16, float32 or float64, but got {x.dtype}.")
    return _ops["add"](_ops["zeros_like"](x), _EPSILONS[x.dtype])


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
    if p.dtype not in FLOATS:
        raise TypeError(f"For 'unwrap', 'p' must be of floating point, but got {p.dtype}.")
    at = checked_axis("unwrap", p, axis)
    later = p[along(at, slice(1, None))]
    steps = _ops["sub"](later, p[along(at, slice(None, -1))])
    short = _ops["sub"](_ops["floor_mod"](_ops["add"](steps, math.pi), 2 * math.pi), math.pi)
    at_half = _ops["logical_and"](_ops["equal"](short, -math.pi), _ops["greater"](steps, 0))
    turns = _ops["sub"](_ops["select"](at_half, math.pi, short), steps)
    turns = _ops["select"](_ops["less"](_ops["abs"](steps), discont), 0.0, turns)
    return _ops["concat"]((p[along(at, slice(None, 1))], _ops["add"](later, _ops["cumsum"](turns, at))), at)
