"""Arithmetic of each element: sums, products, quotients and remainders, rounding, signs, limits."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.operands import as_tensor, broadcast_shape, promoted

_ops = core.ops

publish_ops(
    __name__,
    """
abs: ops.abs ops.absolute ops.Abs Tensor.abs Tensor.absolute mint.abs numpy.abs(input as x, result as dtype)
    numpy.absolute(input as x, result as dtype) numpy.fabs(input as x, result as dtype) Tensor.abs_
add: ops.add ops.Add ops.AddV2 ops.TensorAdd ops.tensor_add Tensor.add mint.add
    numpy.add(input as x1, other as x2, result as dtype) Tensor.add_
sub: ops.sub ops.tensor_sub ops.subtract ops.Sub ops.SubV2 Tensor.sub(other|y) Tensor.subtract mint.sub
    numpy.subtract(input as x1, other as x2, result as dtype) Tensor.sub_
ceil: ops.ceil ops.Ceil Tensor.ceil mint.ceil numpy.ceil(input as x, result as dtype) Tensor.ceil_
clip: ops.clip ops.clamp Tensor.clip(min, max) Tensor.clamp mint.clip mint.clamp
    numpy.clip(input as x, min as xmin, max as xmax, result as dtype)
    Tensor.clip_(min, max) Tensor.clamp_(min, max) ops.clamp_
floor: ops.floor ops.Floor Tensor.floor mint.floor numpy.floor(input as x, result as dtype) Tensor.floor_
floor_div: ops.floor_div ops.floordiv(x as input, y as other) ops.tensor_floordiv(x as input, y as other) ops.FloorDiv
    Tensor.floor_div(y|other)
    ops.floor_divide(x as input, y as other) Tensor.floor_divide(y as other) mint.floor_divide(x as input, y as other)
    numpy.floor_divide(x as x1, y as x2, result as dtype) Tensor.floor_divide_(y as other)
floor_mod: ops.floor_mod ops.floormod ops.tensor_mod ops.FloorMod ops.Mod Tensor.floor_mod(y|other)
    ops.remainder(x as input, y as other) Tensor.remainder(y as other|divisor) mint.remainder(x as input, y as other)
    numpy.remainder(x as x1, y as x2, result as dtype) numpy.mod(x as x1, y as x2, result as dtype)
    Tensor.remainder_(y as other|divisor)
maximum: ops.maximum ops.Maximum Tensor.maximum mint.maximum numpy.maximum(input as x1, other as x2, result as dtype)
minimum: ops.minimum ops.Minimum Tensor.minimum mint.minimum numpy.minimum(input as x1, other as x2, result as dtype)
mul: ops.mul ops.tensor_mul ops.tensor_muls ops.multiply ops.Mul Tensor.mul Tensor.multiply(other as value|other) mint.mul
    numpy.multiply(input as x1, other as x2, result as dtype) Tensor.mul_
neg: ops.neg ops.negative ops.Neg Tensor.neg Tensor.negative mint.neg mint.negative
    numpy.negative(input as a, result as dtype) Tensor.neg_
reciprocal: ops.reciprocal ops.Reciprocal Tensor.reciprocal mint.reciprocal
    numpy.reciprocal(input as x, result as dtype) Tensor.reciprocal_
round: ops.round(input, *, decimals) ops.Round ops.Rint()(input as input_x) numpy.rint(input as x, result as dtype)
    Tensor.round(decimals) mint.round(input, *, decimals)
    mint.special.round(input, *, decimals) Tensor.round_(*, decimals)
sign: ops.sign ops.Sign Tensor.sign ops.sgn Tensor.sgn mint.sign Tensor.sign_
trunc: ops.trunc ops.Trunc Tensor.trunc mint.trunc mint.fix numpy.trunc(input as x, result as dtype)
    numpy.fix(input as x, result as dtype) Tensor.trunc_
div: ops.Div ops.RealDiv ops.tensor_div(input as x, other as y) ops.true_divide(input as dividend, other as divisor)
    Tensor.true_divide(other as value|other)
    numpy.divide(input as x1, other as x2, result as dtype) numpy.true_divide(input as x1, other as x2, result as dtype)
    ops.div ops.divide Tensor.div(other|value) Tensor.divide(other|value) mint.div mint.divide Tensor.div_(other|value)
fma: ops.fma
copysign: ops.copysign Tensor.copysign numpy.copysign(x as x1, other as x2, result as dtype)
div_no_nan: ops.DivNoNan
fmax: ops.fmax ops.Fmax()(input as x1, other as x2) Tensor.fmax
fmin: ops.fmin ops.Fmin()(input as x1, other as x2) Tensor.fmin
fmod: ops.fmod Tensor.fmod mint.fmod ops.truncate_mod(input as x, other as y) ops.TruncateMod()(input as x, other as y)
    numpy.fmod(input as x1, other as x2, result as dtype)
gcd: ops.gcd ops.Gcd Tensor.gcd mint.gcd
lcm: ops.lcm ops.Lcm Tensor.lcm
mul_no_nan: ops.MulNoNan
nextafter: ops.nextafter ops.NextAfter Tensor.nextafter
signbit: ops.signbit Tensor.signbit numpy.signbit(input as x, result as dtype)
""",
)


@publish(
    """ops.div(input, other, *, rounding_mode) ops.divide(input, other, *, rounding_mode)
    Tensor.div(other, *, rounding_mode) Tensor.div_(other, *, rounding_mode) Tensor.divide(other, *, rounding_mode)
    mint.div(input, other, *, rounding_mode) mint.divide(input, other, *, rounding_mode)""",
    numpy="""{None: np.true_divide, 'floor': np.floor_divide,
    'trunc': lambda x, y: np.trunc(x / y)}[rounding_mode](input, other)""",
    samples="""f32(2, 3), f32(3) + 3, 'floor'; f32(2, 3), f32(3) + 3, 'trunc'; f32(4), 2.0, None;
    i32(5) * 7, i32(5) + 9, 'floor'""",
)
def rounded_div(input: Number, other: Number, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting.

    Args:
        rounding_mode: None divides in floating point; "floor" rounds the quotient down, "trunc" towards zero, and integers
            keep their dtype.

    Raises:
        ValueError: rounding_mode is something else.
    """
    if rounding_mode is None:
        return _ops.div(input, other)
    if rounding_mode == "floor":
        return _ops.floor_div(input, other)
    if rounding_mode != "trunc":
        raise ValueError(f"For 'div', 'rounding_mode' must be None, 'floor' or 'trunc', but got '{rounding_mode}'.")
    floor = as_tensor(_ops.floor_div(input, other))
    if floor.dtype in FLOATS:
        return _ops.trunc(as_tensor(_ops.div(input, other)))
    inexact = _ops.not_equal(_ops.floor_mod(input, other), 0)
    return _ops.add(floor, _ops.cast(_ops.logical_and(inexact, _ops.less(floor, 0)), floor.dtype))


@publish("numpy.sign(input as x, result as dtype)", numpy="np.sign(input)", samples="f32(2, 3); i32(5); f16(4)")
def sign_or_nan(input: Tensor) -> Any:
    """1, 0 or -1 as x is above, at or below zero; of NaN NaN. Of a complex number x / |x|, 0 at 0."""
    signs = _ops.sign(input)
    return _ops.select(_ops.isnan(input), input, signs) if input.dtype in FLOATS else signs


@publish(
    "Tensor.add(other, *, alpha) Tensor.add_(other, *, alpha) mint.add(input, other, *, alpha) ops.add_ext",
    numpy="input + alpha * other",
    samples="f32(2, 3), f32(3), 2; f32(4), 1.5, 0.5; i64(3), i64(3), 3",
)
def scaled_add(input: Number, other: Number, alpha: Number = 1) -> Any:
    """input + alpha * other, elementwise with broadcasting."""
    return _ops.add(input, _ops.mul(other, alpha))


@publish(
    """ops.subtract(input, other, *, alpha) Tensor.sub(other|y, *, alpha) Tensor.sub_(other, *, alpha)
    Tensor.subtract(other, *, alpha) mint.sub(input, other, *, alpha) ops.sub_ext""",
    numpy="input - alpha * other",
    samples="f32(2, 3), f32(3), 2; f32(4), 1.5, 0.5; i64(3), i64(3), 3",
)
def scaled_sub(input: Number, other: Number, alpha: Number = 1) -> Any:
    """input - alpha * other, elementwise with broadcasting."""
    return _ops.sub(input, _ops.mul(other, alpha))


@publish(
    "ops.clip_by_value",
    numpy="np.clip(x, clip_value_min, clip_value_max)",
    samples="f32(2, 3), -1, 1; f32(4), None, 0.5",
    in_python=True,
)
def clip_by_value(x: Any, clip_value_min: Number | None = None, clip_value_max: Number | None = None) -> Any:
    """x, but at least clip_value_min and at most clip_value_max; a tuple or list item by item.

    Args:
        x: a Tensor, or a tuple or list of them.
        clip_value_min: a number or Tensor.
        clip_value_max: a number or Tensor; one of both must be given.

    Raises:
        ValueError: neither is given.
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', 'clip_value_min' and 'clip_value_max' can not both be None.")
    if isinstance(x, (tuple, list)):
        return type(x)(clip_by_value(item, clip_value_min, clip_value_max) for item in x)
    return _ops.clip(x, clip_value_min, clip_value_max)


@publish(
    "ops.Inv ops.inv Tensor.inv",
    numpy="(1 / x).astype(x.dtype)",
    samples="abs(f32(2, 3)) + 1; abs(i32(4)) * 3 + 1; -1 - abs(i64(3)); c64(3)",
)
def inverse_of_elements(x: Tensor) -> Any:
    """1 / x of each element, which is no inverse of matrices; of integers truncated."""
    quotient = _ops.reciprocal(x)
    return quotient if x.dtype in (*FLOATS, *COMPLEXES) else _ops.cast(quotient, x.dtype)


@publish(
    "numpy.around",
    numpy="np.around(a, decimals)",
    samples="f32(2, 3); f32(2, 3) * 9, 1; f32(4) * 99, -1; i32(3), 2; i32(3) * 77, -2",
)
def around(a: Number, decimals: int = 0) -> Any:
    """a, rounded to decimals, to the nearest, ties to even.

    Args:
        decimals: after the point; before it, if negative.
    """
    return _ops.round(as_tensor(a), decimals)


@publish("ops.frac Tensor.frac mint.frac(x as input)", numpy="x - np.trunc(x)", samples="f32(2, 3); f64(4); i32(3)")
def frac(x: Tensor) -> Any:
    """x less x rounded toward zero: the part with its sign behind the point; of integers zeros."""
    return _ops.sub(x, _ops.trunc(x))


@publish(
    """ops.heaviside ops.Heaviside()(input as x, values) Tensor.heaviside
    numpy.heaviside(input as x1, values as x2, result as dtype)""",
    numpy="np.where(np.isnan(input), input, np.where(input == 0, values, np.where(input > 0, 1, 0)))",
    samples="f32(2, 3), f32(3); f64(4), 0.5; i32(3), i32(3)",
)
def heaviside(input: Number, values: Number) -> Any:
    """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN."""
    input, values = _ops.promoted(input, values), _ops.promoted(values, input)
    step = _ops.select(_ops.less(input, 0), 0, _ops.select(_ops.equal(input, 0), values, 1))
    return _ops.select(_ops.isnan(input), input, step)


@publish(
    "ops.truncate_div ops.TruncateDiv",
    numpy="np.trunc(x / y).astype(x.dtype)",
    samples="f32(2, 3), f32(3) + 3; i32(5) * 7, i32(5) + 10",
)
def truncate_div(x: Number, y: Number) -> Any:
    """x / y rounded toward zero, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0."""
    if (isinstance(x, Tensor) and x.dtype in FLOATS) or (isinstance(y, Tensor) and y.dtype in FLOATS):
        return _ops.trunc(_ops.div(x, y))
    nearer = _ops.floor_div(_ops.sub(x, _ops.fmod(x, y)), y)
    return _ops.promoted(nearer, x)


@publish("ops.SquaredDifference", numpy="(x - y) ** 2", samples="f32(2, 3), f32(3); i32(4), 2; c64(3), c64(3)")
def squared_difference(x: Number, y: Number) -> Any:
    """(x - y) * (x - y), elementwise with broadcasting."""
    return _ops.square(_ops.sub(x, y))


@publish(
    """ops.addcmul(input, tensor1, tensor2, value) Tensor.addcmul(tensor1, tensor2, value)
    mint.addcmul(input, tensor1, tensor2, *, value)
    ops.Addcmul()(input as input_data, tensor1 as x1, tensor2 as x2, value)""",
    numpy="input + value * tensor1 * tensor2",
    samples="f32(2, 3), f32(2, 3), f32(3), 2; i32(3), i32(3), i32(3); f64(3), f64(3), f64(3), f64(1)",
)
def addcmul(input: Number, tensor1: Number, tensor2: Number, value: Number = 1) -> Any:
    """input + value * tensor1 * tensor2, elementwise with broadcasting."""
    return _ops.add(input, _ops.mul(_ops.mul(tensor1, tensor2), value))


@publish(
    """ops.addcdiv(input, tensor1, tensor2, value) Tensor.addcdiv(tensor1, tensor2, value)
    mint.addcdiv(input, tensor1, tensor2, *, value)
    ops.Addcdiv()(input as input_data, tensor1 as x1, tensor2 as x2, value)""",
    numpy="input + value * tensor1 / tensor2",
    samples="f32(2, 3), f32(2, 3), f32(3) + 3, 2; f64(3), f64(3), f64(3) + 3; f64(3), f64(3), f64(3) + 3, f64(1)",
)
def addcdiv(input: Number, tensor1: Number, tensor2: Number, value: Number = 1) -> Any:
    """input + value * tensor1 / tensor2, elementwise with broadcasting; quotients of integers are float32."""
    return _ops.add(input, _ops.mul(_ops.div(tensor1, tensor2), value))


@publish(
    "ops.lerp ops.Lerp Tensor.lerp mint.lerp ops.LerpScalar",
    numpy="input + weight * (end - input)",
    samples="f32(2, 3), f32(2, 3), 0.25; f64(2, 3), f64(3), f64(2, 1); f32(3), f32(3), 1.0",
)
def lerp(input: Number, end: Number, weight: Number) -> Any:
    """input + weight * (end - input), elementwise with broadcasting."""
    return _ops.add(input, _ops.mul(weight, _ops.sub(end, input)))


@publish(
    "ops.positive Tensor.positive numpy.positive(input as a, result as dtype)",
    numpy="np.positive(input)",
    samples="f32(2, 3); i32(3); c64(2)",
)
def positive(input: Tensor) -> Any:
    """input itself."""
    return _ops.identity(input)


@publish("numpy.divmod", numpy="np.divmod(x1, x2)", samples="f32(2, 3), f32(3) + 3; i32(5), 3")
def divmod(x1: Number, x2: Number, dtype: DType | None = None) -> Any:
    """The quotient rounded down and the remainder that has the sign of x2, both converted to dtype if it is given."""
    parts = _ops.floor_div(x1, x2), _ops.floor_mod(x1, x2)
    return parts if dtype is None else tuple(_ops.cast(part, dtype) for part in parts)


def _euclid(name: str, x: Tensor, y: Tensor) -> Any:
    """The greatest common divisors of floats: the largest numbers of which both are multiples. NaN of infinities."""
    if core.is_captured(x) or core.is_captured(y):
        raise core.CaptureError(f"For '{name}', how long floats take depends on their values, which cannot be captured.")
    x, y = _ops.abs(x), _ops.abs(y)
    while bool(_ops.any(more := _ops.greater(y, 0))):
        x, y = _ops.select(more, y, x), _ops.select(more, _ops.fmod(x, y), y)
    return _ops.add(x, y)


@publish(
    "numpy.gcd(x1, x2, result as dtype)", numpy="np.gcd(x1, x2)", samples="i32(2, 3), i32(3); i64(4), 6", in_python=True
)
def numpy_gcd(x1: Number, x2: Number) -> Any:
    """The greatest common divisor, elementwise with broadcasting: the largest number of which both are multiples."""
    pair = [as_tensor(x1), as_tensor(x2)]
    if all(x.dtype not in FLOATS for x in pair):
        return _ops.gcd(x1, x2)
    return _euclid("gcd", *(_ops.broadcast_to(x, broadcast_shape("gcd", pair)) for x in promoted(pair)))


@publish(
    "numpy.lcm(x1, x2, result as dtype)", numpy="np.lcm(x1, x2)", samples="i32(2, 3), i32(3); i64(4), 6", in_python=True
)
def numpy_lcm(x1: Number, x2: Number) -> Any:
    """The least common multiple, elementwise with broadcasting; 0 if one is 0."""
    pair = [as_tensor(x1), as_tensor(x2)]
    if all(x.dtype not in FLOATS for x in pair):
        return _ops.lcm(x1, x2)
    x, y = (_ops.abs(_ops.broadcast_to(x, broadcast_shape("lcm", pair))) for x in promoted(pair))
    divisor = _euclid("lcm", x, y)
    return _ops.mul(_ops.div(x, _ops.select(_ops.equal(divisor, 0), 1.0, divisor)), y)


_EPSILONS = {core.float16: 2.0**-10, core.bfloat16: 2.0**-7, core.float32: 2.0**-23, core.float64: 2.0**-52}


@publish("ops.eps ops.Eps", numpy="np.full_like(x, np.finfo(x.dtype).eps)", samples="f32(2, 3); f64(4)")
def eps(x: Tensor) -> Any:
    """The distance from 1 to the next number of x's dtype, in x's shape.

    Raises:
        TypeError: x is not of floating point.
    """
    if x.dtype not in _EPSILONS:
        raise TypeError(f"For 'eps', 'x' must be float16, bfloat16, float32 or float64, but got {x.dtype}.")
    return _ops.add(_ops.zeros_like(x), _EPSILONS[x.dtype])
