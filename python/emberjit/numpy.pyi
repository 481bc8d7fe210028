# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor, dtype

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def abs(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def absolute(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def add(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""

def amax(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def amin(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: dtype | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arccos(input: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The arc cosine in radians; NaN beyond 1. Integers give float32."""

def arccosh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

def arcsin(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The arc sine in radians; NaN beyond 1. Integers give float32."""

def arcsinh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The inverse hyperbolic sine. Integers give float32."""

def arctan(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The arc tangent in radians. Integers give float32."""

def arctan2(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def arctanh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

def argmax(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

def bitwise_and(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input & other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_not(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def bitwise_or(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input | other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_xor(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input ^ other, elementwise with broadcasting. Floats are a TypeError."""

def broadcast_to(array: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""

def cbrt(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The cube root, of negative numbers too. Integers give float32."""

def ceil(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def clip(x: _Operand, xmin: _Operand | None = None, xmax: _Operand | None = None, dtype: dtype | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def copysign(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """|x| with the sign of other, that of zeros and NaN too, elementwise with broadcasting. Integers give float32."""

def cos(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def cosh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The hyperbolic cosine. Integers give float32."""

def deg2rad(x: _TensorLike, dtype: dtype | None = None) -> Any:
    """Degrees in radians. Integers give float32."""

def diagonal(a: _TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def divide(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def divmod(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Any:
    """The quotient rounded down and the remainder that has the sign of x2, both converted to dtype if it is given."""

def equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def exp(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def exp2(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """2 to the power of input. Integers give float32."""

def expand_dims(a: _TensorLike, axis: int) -> Tensor:
    """Inserts an axis of size one. A view."""

def expm1(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def fabs(x: _TensorLike, dtype: dtype | None = None) -> Any:
    """|x| in floating point: integers give float32."""

def fix(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def float_power(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting."""

def floor(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_divide(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def fmod(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def full(shape: int | Sequence[int], fill_value: _Operand, dtype: dtype | None = None) -> Tensor:
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own."""

def gcd(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The greatest common divisor of integers, not negative, elementwise with broadcasting; of 0 and x it is |x|."""

def greater(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def heaviside(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Any:
    """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN."""

def hypot(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

def invert(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def isclose(a: _Operand, b: _Operand, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
    alone, NaN to nothing, or with equal_nan to NaN.
    """

def isfinite(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isinf(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is NaN; of integers false."""

def isneginf(x: _TensorLike) -> Any:
    """Which elements are negative infinity: of integers none."""

def isposinf(x: _TensorLike) -> Any:
    """Which elements are positive infinity: of integers none."""

def lcm(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The least common multiple of integers, elementwise with broadcasting; 0 where one is 0. It wraps."""

def less(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def log(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log10(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The logarithm to the base 10; -inf at zero, NaN below. Integers give float32."""

def log1p(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

def log2(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The logarithm to the base 2; -inf at zero, NaN below. Integers give float32."""

def logaddexp(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """log(e^input + e^other) without overflow, elementwise with broadcasting. Integers give float32."""

def logaddexp2(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The logarithm to the base 2 of 2^input + 2^other, elementwise with broadcasting. Integers give float32."""

def logical_and(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether both are true; numbers are true if they are not zero."""

def logical_not(a: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is false; numbers are true if they are not zero."""

def logical_or(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether one at least is true; numbers are true if they are not zero."""

def logical_xor(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether exactly one is true; numbers are true if they are not zero."""

def matmul(x1: _TensorLike, x2: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again."""

def max(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Any:
    """The largest element of all, or along axes."""

def maximum(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""

def mean(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, dtype: dtype | None = None) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

def min(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Any:
    """The smallest element of all, or along axes."""

def minimum(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""

def mod(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def moveaxis(a: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def multiply(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def negative(a: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def not_equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def ones(shape: int | Sequence[int], dtype: dtype | None = ...) -> Tensor:
    """A tensor of ones, float32 unless dtype says otherwise."""

def positive(a: _TensorLike, dtype: dtype | None = None) -> Any:
    """input itself."""

def power(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is taken as 0 where the base is not positive."""

def rad2deg(x: _TensorLike, dtype: dtype | None = None) -> Any:
    """Radians in degrees. Integers give float32."""

def radians(x: _TensorLike, dtype: dtype | None = None) -> Any:
    """Degrees in radians. Integers give float32."""

def rand(*size: int | Sequence[int], dtype: dtype | None = None) -> Tensor:
    """Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise."""

def randn(*size: int | Sequence[int], dtype: dtype | None = None) -> Tensor:
    """standard_normal, converted to dtype."""

def ravel(x: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def reciprocal(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """1 / input; integers are computed in float32."""

def remainder(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def reshape(x: _TensorLike, new_shape: int | Sequence[int]) -> Tensor:
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

def rint(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places; in the dtype of input. Integers stay as they are."""

def sign(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def signbit(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is below zero, or -0.0, or a NaN with that sign."""

def sin(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

def sinh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The hyperbolic sine. Integers give float32."""

def sqrt(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The square root, correctly rounded; NaN below zero. Integers give float32."""

def square(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """input * input. Bool is a TypeError."""

def squeeze(a: _TensorLike, axis: int | Sequence[int] | None = None) -> Tensor:
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""

def stack(arrays: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors of one shape and dtype along a new axis."""

def std(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The square root of `var`."""

def subtract(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

def sum(a: _TensorLike, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, keepdims: bool = False) -> Tensor:
    """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def swapaxes(x: _TensorLike, axis1: int, axis2: int) -> Tensor:
    """Exchanges two axes. A view."""

def tan(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The tangent of radians. Integers give float32."""

def tanh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tile(a: _TensorLike, reps: int | Sequence[int]) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def transpose(a: _TensorLike, axes: int | Sequence[int] | None = None) -> Any:
    """Axes in another order; without arguments reversed. A view."""

def tril(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def triu(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def true_divide(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def trunc(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def unique(x: _TensorLike, return_inverse: bool = False) -> Any:
    """The distinct elements in the order of their first occurrence, 1-d. Each NaN is distinct."""

def unwrap(p: _TensorLike, discont: float = 3.141592653589793, axis: int = -1) -> Any:
    """p, with whole turns added along an axis so that no step from one element to the next is more than half a turn."""

def var(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def where(condition: _Operand, x: _Operand, y: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def zeros(shape: int | Sequence[int], dtype: dtype | None = ...) -> Tensor:
    """A tensor of zeros, float32 unless dtype says otherwise."""

def __getattr__(name: str) -> Any: ...
