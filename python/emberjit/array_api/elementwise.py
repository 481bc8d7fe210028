"""Elementwise functions. Operands broadcast and promote (dtypes.py); of two operands one may be a Python number.

All raise TypeError of dtypes that they are not of, OverflowError of an int beyond the array's dtype, ValueError of shapes
that do not broadcast. Source: the Python array API standard, "Element-wise Functions"; accuracy is that of the ops of these
names.
"""

from __future__ import annotations

from emberjit import _emberjit as core
from emberjit.array_api.array import Array, of_elements, of_two, operands_in, tensor_in
from emberjit.array_api.dtypes import REAL, SCALARS, checked, level_of, with_scalar
from emberjit.array_api.elements import tensor_of

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]

_ops = core.ops

abs = of_elements("abs", "|x|; of complex numbers real. The least signed integer stays itself.")
acos = of_elements("acos", "The arc cosine in radians, of floats.")
acosh = of_elements("acosh", "The inverse hyperbolic cosine, of floats.")
add = of_two("add", "x1 + x2.")
asin = of_elements("asin", "The arc sine in radians, of floats.")
asinh = of_elements("asinh", "The inverse hyperbolic sine, of floats.")
atan = of_elements("atan", "The arc tangent in radians, of floats.")
atan2 = of_two("atan2", "The angle of the points (x2, x1) in radians, of real floats.")
atanh = of_elements("atanh", "The inverse hyperbolic tangent, of floats.")
bitwise_and = of_two("bitwise_and", "x1 & x2, of integers or bools.")
bitwise_invert = of_elements("bitwise_invert", "~x, of integers or bools.")
bitwise_left_shift = of_two("bitwise_left_shift", "x1 << x2, of integers; 0 if x2 is no less than the number of bits.")
bitwise_or = of_two("bitwise_or", "x1 | x2, of integers or bools.")
bitwise_right_shift = of_two("bitwise_right_shift", "x1 >> x2, of integers, with the sign.")
bitwise_xor = of_two("bitwise_xor", "x1 ^ x2, of integers or bools.")
ceil = of_elements("ceil", "Rounded up to whole numbers, in the dtype of x, which is real.")
conj = of_elements("conj", "The complex conjugate; real numbers themselves.")
copysign = of_two("copysign", "|x1| with the sign of x2, of real floats.")
cos = of_elements("cos", "The cosine of radians, of floats.")
cosh = of_elements("cosh", "The hyperbolic cosine, of floats.")
divide = of_two("divide", "x1 / x2, of floats.")
equal = of_two("equal", "Whether x1 == x2.")
exp = of_elements("exp", "e to the power of x, of floats.")
expm1 = of_elements("expm1", "exp(x) - 1, exact near 0, of floats.")
floor = of_elements("floor", "Rounded down to whole numbers, in the dtype of x, which is real.")
floor_divide = of_two("floor_divide", "x1 / x2 rounded down, of real numbers. An integer by 0 is 0.")
greater = of_two("greater", "Whether x1 > x2, of real numbers.")
greater_equal = of_two("greater_equal", "Whether x1 >= x2, of real numbers.")
hypot = of_two("hypot", "sqrt(x1^2 + x2^2) without overflow between, of real floats.")
imag = of_elements("imag", "The imaginary part of complex numbers.")
isfinite = of_elements("isfinite", "Whether x is neither infinite nor NaN.")
isinf = of_elements("isinf", "Whether x is infinite.")
isnan = of_elements("isnan", "Whether x is NaN.")
less = of_two("less", "Whether x1 < x2, of real numbers.")
less_equal = of_two("less_equal", "Whether x1 <= x2, of real numbers.")
log = of_elements("log", "The natural logarithm, of floats.")
log10 = of_elements("log10", "The logarithm to the base 10, of floats.")
log1p = of_elements("log1p", "log(1 + x), exact near 0, of floats.")
log2 = of_elements("log2", "The logarithm to the base 2, of floats.")
logaddexp = of_two("logaddexp", "log(exp(x1) + exp(x2)) without overflow between, of real floats.")
logical_and = of_two("logical_and", "Whether both of two bools are true.")
logical_not = of_elements("logical_not", "Whether a bool is false.")
logical_or = of_two("logical_or", "Whether one of two bools is true.")
logical_xor = of_two("logical_xor", "Whether just one of two bools is true.")
maximum = of_two("maximum", "The larger of x1 and x2, of real numbers; NaN if one is.")
minimum = of_two("minimum", "The smaller of x1 and x2, of real numbers; NaN if one is.")
multiply = of_two("multiply", "x1 * x2.")
negative = of_elements("negative", "-x.")
nextafter = of_two("nextafter", "The number next to x1 in the direction of x2, of real floats.")
not_equal = of_two("not_equal", "Whether x1 != x2.")
positive = of_elements("positive", "A copy of x.")
pow = of_two("pow", "x1 to the power of x2.")
real = of_elements("real", "The real part of numbers.")
reciprocal = of_elements("reciprocal", "1 / x, of floats.")
remainder = of_two(
    "remainder", "x1 - floor_divide(x1, x2) * x2, with the sign of x2, of real numbers. Of an integer and 0: 0."
)
round = of_elements(
    "round", "Rounded to whole numbers, halves to even ones, in the dtype of x; complex numbers by their parts."
)
sign = of_elements("sign", "-1, 0 or 1 as the sign is; of complex numbers x / |x|, or 0.")
signbit = of_elements("signbit", "Whether the sign bit is set, of real floats.")
sin = of_elements("sin", "The sine of radians, of floats.")
sinh = of_elements("sinh", "The hyperbolic sine, of floats.")
sqrt = of_elements("sqrt", "The square root, of floats.")
square = of_elements("square", "x * x.")
subtract = of_two("subtract", "x1 - x2.")
tan = of_elements("tan", "The tangent of radians, of floats.")
tanh = of_elements("tanh", "The hyperbolic tangent, of floats.")
trunc = of_elements("trunc", "Rounded towards 0 to whole numbers, in the dtype of x, which is real.")


def clip(x: Array, /, min: Array | float | None = None, max: Array | float | None = None) -> Array:
    """x, but at least min and at most max, in the dtype of x; max wins where min is above it. NaN stays NaN.

    Args:
        x: an array of real numbers.
        min, max: arrays, which broadcast with x, or numbers; None for no bound.

    Raises:
        TypeError: x is not of real numbers, or a bound's dtype is of a higher kind than x's.
        OverflowError: an int is beyond the dtype of x.
        ValueError: the shapes do not broadcast.
    """
    result = tensor_in("clip", x)
    dtype = checked("clip", result.dtype, REAL)
    for op, bound in (("maximum", min), ("minimum", max)):
        if bound is None:
            continue
        (limit,) = operands_in("clip", bound)
        own = with_scalar(dtype, limit) if isinstance(limit, SCALARS) else limit.dtype
        if level_of(own) > level_of(dtype):
            raise TypeError(f"For 'clip', a bound of {own} does not fit an array of {dtype}: convert one with astype().")
        result = core.op_table[op](result, tensor_of("clip", limit, dtype))
    return Array(_ops.identity(result) if min is None and max is None else result)
