"""Elementwise arithmetic and functions of one variable."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, FLOATS, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.operands import as_tensor

_ops = core.op_table

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
cos: ops.cos ops.Cos Tensor.cos mint.cos numpy.cos(input as x, result as dtype) Tensor.cos_
erf: ops.erf ops.Erf Tensor.erf mint.erf mint.special.erf Tensor.erf_
exp: ops.exp ops.tensor_exp ops.Exp Tensor.exp mint.exp numpy.exp(input as x, result as dtype) Tensor.exp_
expm1: ops.expm1 ops.tensor_expm1 ops.Expm1 Tensor.expm1 mint.expm1 mint.special.expm1
    numpy.expm1(input as x, result as dtype)
    Tensor.expm1_
floor: ops.floor ops.Floor Tensor.floor mint.floor numpy.floor(input as x, result as dtype) Tensor.floor_
floor_div: ops.floor_div ops.floordiv(x as input, y as other) ops.tensor_floordiv(x as input, y as other) ops.FloorDiv
    Tensor.floor_div(y|other)
    ops.floor_divide(x as input, y as other) Tensor.floor_divide(y as other) mint.floor_divide(x as input, y as other)
    numpy.floor_divide(x as x1, y as x2, result as dtype) Tensor.floor_divide_(y as other)
floor_mod: ops.floor_mod ops.floormod ops.tensor_mod ops.FloorMod ops.Mod Tensor.floor_mod(y|other)
    ops.remainder(x as input, y as other) Tensor.remainder(y as other|divisor) mint.remainder(x as input, y as other)
    numpy.remainder(x as x1, y as x2, result as dtype) numpy.mod(x as x1, y as x2, result as dtype)
    Tensor.remainder_(y as other|divisor)
log: ops.log ops.Log Tensor.log mint.log numpy.log(input as x, result as dtype) Tensor.log_
log1p: ops.log1p ops.Log1p Tensor.log1p mint.log1p mint.special.log1p numpy.log1p(input as x, result as dtype)
    Tensor.log1p_
maximum: ops.maximum ops.Maximum Tensor.maximum mint.maximum numpy.maximum(input as x1, other as x2, result as dtype)
minimum: ops.minimum ops.Minimum Tensor.minimum mint.minimum numpy.minimum(input as x1, other as x2, result as dtype)
mul: ops.mul ops.tensor_mul ops.tensor_muls ops.multiply ops.Mul Tensor.mul Tensor.multiply(other as value|other) mint.mul
    numpy.multiply(input as x1, other as x2, result as dtype) Tensor.mul_
neg: ops.neg ops.negative ops.Neg Tensor.neg Tensor.negative mint.neg mint.negative
    numpy.negative(input as a, result as dtype) Tensor.neg_
pow: ops.pow ops.pows ops.tensor_pow ops.Pow Tensor.pow mint.pow
    numpy.power(input as x1, exponent as x2, result as dtype) Tensor.pow_
reciprocal: ops.reciprocal ops.Reciprocal Tensor.reciprocal mint.reciprocal
    numpy.reciprocal(input as x, result as dtype) Tensor.reciprocal_
round: ops.round(input, *, decimals) ops.Round ops.Rint()(input as input_x) numpy.rint(input as x, result as dtype)
    Tensor.round(decimals) mint.round(input, *, decimals)
    mint.special.round(input, *, decimals) Tensor.round_(*, decimals)
rsqrt: ops.rsqrt ops.Rsqrt Tensor.rsqrt mint.rsqrt Tensor.rsqrt_
sign: ops.sign ops.Sign Tensor.sign ops.sgn Tensor.sgn mint.sign Tensor.sign_
sin: ops.sin ops.Sin Tensor.sin mint.sin numpy.sin(input as x, result as dtype) Tensor.sin_
sqrt: ops.sqrt ops.Sqrt Tensor.sqrt mint.sqrt(x as input) numpy.sqrt(x, result as dtype) Tensor.sqrt_
square: ops.square ops.Square Tensor.square mint.square numpy.square(input as x, result as dtype) Tensor.square_
tanh: ops.tanh ops.Tanh Tensor.tanh mint.tanh mint.nn.functional.tanh numpy.tanh(input as x, result as dtype)
    nn.Tanh mint.nn.Tanh Tensor.tanh_ ops.tanh_(input)
trunc: ops.trunc ops.Trunc Tensor.trunc mint.trunc mint.fix numpy.trunc(input as x, result as dtype)
    numpy.fix(input as x, result as dtype) Tensor.trunc_
div: ops.Div ops.RealDiv ops.tensor_div(input as x, other as y) ops.true_divide(input as dividend, other as divisor)
    Tensor.true_divide(other as value|other)
    numpy.divide(input as x1, other as x2, result as dtype) numpy.true_divide(input as x1, other as x2, result as dtype)
    ops.div ops.divide Tensor.div(other|value) Tensor.divide(other|value) mint.div mint.divide Tensor.div_(other|value)
fma: ops.fma
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
        return _ops["div"](input, other)
    if rounding_mode == "floor":
        return _ops["floor_div"](input, other)
    if rounding_mode != "trunc":
        raise ValueError(f"For 'div', 'rounding_mode' must be None, 'floor' or 'trunc', but got '{rounding_mode}'.")
    floor = as_tensor(_ops["floor_div"](input, other))
    if floor.dtype in FLOATS:
        return _ops["trunc"](as_tensor(_ops["div"](input, other)))
    inexact = _ops["not_equal"](_ops["floor_mod"](input, other), 0)
    return _ops["add"](floor, _ops["cast"](_ops["logical_and"](inexact, _ops["less"](floor, 0)), floor.dtype))


@publish(
    "numpy.sign(input as x, result as dtype)",
    numpy="np.sign(input)",
    samples="f32(2, 3); i32(5); f16(4)",
)
def sign_or_nan(input: Tensor) -> Any:
    """1, 0 or -1 as x is above, at or below zero; of NaN NaN. Of a complex number x / |x|, 0 at 0."""
    signs = _ops["sign"](input)
    return _ops["select"](_ops["isnan"](input), input, signs) if input.dtype in FLOATS else signs


@publish(
    "Tensor.add(other, *, alpha) Tensor.add_(other, *, alpha) mint.add(input, other, *, alpha) ops.add_ext",
    numpy="input + alpha * other",
    samples="f32(2, 3), f32(3), 2; f32(4), 1.5, 0.5; i64(3), i64(3), 3",
)
def scaled_add(input: Number, other: Number, alpha: Number = 1) -> Any:
    """input + alpha * other, elementwise with broadcasting."""
    return _ops["add"](input, _ops["mul"](other, alpha))


@publish(
    """ops.subtract(input, other, *, alpha) Tensor.sub(other|y, *, alpha) Tensor.sub_(other, *, alpha)
    Tensor.subtract(other, *, alpha) mint.sub(input, other, *, alpha) ops.sub_ext""",
    numpy="input - alpha * other",
    samples="f32(2, 3), f32(3), 2; f32(4), 1.5, 0.5; i64(3), i64(3), 3",
)
def scaled_sub(input: Number, other: Number, alpha: Number = 1) -> Any:
    """input - alpha * other, elementwise with broadcasting."""
    return _ops["sub"](input, _ops["mul"](other, alpha))


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
    return _ops["clip"](x, clip_value_min, clip_value_max)


@publish(
    "ops.Inv ops.inv Tensor.inv",
    numpy="(1 / x).astype(x.dtype)",
    samples="abs(f32(2, 3)) + 1; abs(i32(4)) * 3 + 1; -1 - abs(i64(3)); c64(3)",
)
def inverse_of_elements(x: Tensor) -> Any:
    """1 / x; of integers truncated."""
    quotient = _ops["reciprocal"](x)
    return quotient if x.dtype in (*FLOATS, *COMPLEXES) else _ops["cast"](quotient, x.dtype)


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
    return _ops["round"](as_tensor(a), decimals)
