# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType
from emberjit.functions.numpy_values import NINF as NINF
from emberjit.functions.numpy_values import PINF as PINF
from emberjit.functions.numpy_values import bool_ as bool_
from emberjit.functions.numpy_values import float16 as float16
from emberjit.functions.numpy_values import float32 as float32
from emberjit.functions.numpy_values import float64 as float64
from emberjit.functions.numpy_values import float_ as float_
from emberjit.functions.numpy_values import inf as inf
from emberjit.functions.numpy_values import int16 as int16
from emberjit.functions.numpy_values import int32 as int32
from emberjit.functions.numpy_values import int64 as int64
from emberjit.functions.numpy_values import int8 as int8
from emberjit.functions.numpy_values import int_ as int_
from emberjit.functions.numpy_values import mgrid as mgrid
from emberjit.functions.numpy_values import nan as nan
from emberjit.functions.numpy_values import ogrid as ogrid
from emberjit.functions.numpy_values import pi as pi
from emberjit.functions.numpy_values import uint as uint
from emberjit.functions.numpy_values import uint16 as uint16
from emberjit.functions.numpy_values import uint32 as uint32
from emberjit.functions.numpy_values import uint64 as uint64
from emberjit.functions.numpy_values import uint8 as uint8

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def abs(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def absolute(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def add(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""

def amax(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def amin(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def append(arr: _TensorLike, values: _TensorLike, axis: int | None = None) -> Any:
    """The values behind arr along an axis; without one, both in a single axis."""

def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arctan2(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def argmax(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """A Tensor of data, with memory of its own. See numpy.asarray."""

def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether shapes and all elements are the same, a 0-d Tensor of bool."""

def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether shapes broadcast, and then all elements are the same, a 0-d Tensor of bool."""

def array_split(x: _TensorLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> Any:
    """Pieces along an axis. Views."""

def array_str(a: Any) -> Any:
    """The text of the elements, a str."""

def asarray(a: Any, dtype: Any = None) -> Any:
    """A Tensor of data; a Tensor itself."""

def asfarray(a: Any, dtype: Any = ...) -> Any:
    """A Tensor of floats of data. See numpy.asarray."""

def atleast_1d(*arys: Any) -> Any:
    """With at least 1 axes: one for a number. Several Tensors one by one. Views."""

def atleast_2d(*arys: Any) -> Any:
    """With at least 2 axes: a new one in front of it. Several Tensors one by one. Views."""

def atleast_3d(*arys: Any) -> Any:
    """With at least 3 axes: new ones around it, or one behind two. Several Tensors one by one. Views."""

def bartlett(M: Any) -> Any:
    """Bartlett's window, a triangle: 1 - abs(2 n / N - 1)."""

def bitwise_and(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input & other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_not(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def bitwise_or(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input | other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_xor(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input ^ other, elementwise with broadcasting. Floats are a TypeError."""

def blackman(M: Any) -> Any:
    """Blackman's window: 0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)."""

def broadcast_arrays(*args: Any) -> Any:
    """Repeated along axes of size 1 to one shape, a list. Views."""

def broadcast_to(array: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""

def ceil(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def clip(x: _Operand, xmin: _Operand | None = None, xmax: _Operand | None = None, dtype: _DType | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def column_stack(tup: Any) -> Any:
    """Joined along the second axis, with one axis, or none, as columns."""

def concatenate(arrays: Any, axis: int | None = 0) -> Any:
    """Joined along an axis; None: all elements in a single one."""

def convolve(a: Any, v: Any, mode: str = 'full') -> Any:
    """The discrete convolution of two sequences: sum over m of a[m] v[n - m]."""

def correlate(a: Any, v: Any, mode: str = 'valid') -> Any:
    """The cross-correlation of two sequences: sum over n of a[n + k] times the conjugate of v[n]."""

def cos(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def diag(v: _TensorLike, k: int = 0) -> Any:
    """Of one axis the matrix with it as a diagonal, and zeros elsewhere; of a matrix the diagonal, a view."""

def diagflat(v: _TensorLike, k: int = 0) -> Any:
    """The matrix with all elements as a diagonal, and zeros elsewhere."""

def diagonal(a: _TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def divide(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def dsplit(x: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 2. Views."""

def dstack(tup: Any) -> Any:
    """Joined along the third axis, which those of fewer axes get."""

def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of each element to the one before, in a single axis."""

def empty(shape: int | Sequence[int], dtype: _DType | None = ...) -> Any:
    """A Tensor of a shape. Its elements are zeros."""

def empty_like(prototype: _TensorLike, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of zeros, of the dtype and shape of another unless others are given."""

def equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def exp(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def expand_dims(a: _TensorLike, axis: int) -> Tensor:
    """Inserts an axis of size one. A view."""

def expm1(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Any:
    """The (N, M) matrix of ones on a diagonal, and zeros elsewhere."""

def fix(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def flip(m: _TensorLike, axis: int | Sequence[int] | None = None) -> Any:
    """Axes in reverse order; None: all of them."""

def fliplr(m: _TensorLike) -> Any:
    """The second axis in reverse order."""

def flipud(m: _TensorLike) -> Any:
    """The first axis in reverse order."""

def floor(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_divide(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def full(shape: int | Sequence[int], fill_value: _Operand, dtype: _DType | None = None) -> Tensor:
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own."""

def full_like(a: _TensorLike, fill_value: _Operand, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of one value, of the dtype and shape of another unless others are given."""

def geomspace(start: _Operand, stop: _Operand, num: Any = 50, endpoint: bool = True, dtype: _DType | None = None, axis: int = 0) -> Any:
    """Numbers from start to stop along a new axis, each the same multiple of the one before; computed in double precision.
    See numpy.linspace.
    """

def greater(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def hamming(M: Any) -> Any:
    """Hamming's window: alpha - beta cos(2 pi n / N)."""

def hanning(M: Any) -> Any:
    """Hann's window: (1 - cos(2 pi n / N)) / 2."""

def hsplit(x: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 1, or the only one. Views."""

def hstack(tup: Any) -> Any:
    """Joined along the second axis, or what has one axis along that."""

def hypot(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

def identity(n: int, dtype: Any = ...) -> Any:
    """The (N, M) matrix of ones on a diagonal, and zeros elsewhere."""

def invert(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def isfinite(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isinf(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is NaN; of integers false."""

def isscalar(element: Any) -> bool:
    """Whether an object is a number or a str, and neither a Tensor nor a sequence."""

def less(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def linspace(start: _Operand, stop: _Operand, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: _DType | None = None, axis: int = 0) -> Any:
    """Numbers from start to stop, evenly spaced along a new axis; computed in double precision."""

def log(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log1p(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

def logical_and(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether both are true; numbers are true if they are not zero."""

def logical_not(a: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is false; numbers are true if they are not zero."""

def logical_or(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether one at least is true; numbers are true if they are not zero."""

def logical_xor(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether exactly one is true; numbers are true if they are not zero."""

def logspace(start: _Operand, stop: _Operand, num: Any = 50, endpoint: bool = True, base: _Operand = 10.0, dtype: _DType | None = None, axis: int = 0) -> Any:
    """base ** x for x from start to stop, evenly spaced along a new axis; computed in double precision. See numpy.linspace."""

def matmul(x1: _TensorLike, x2: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again."""

def max(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Any:
    """The largest element of all, or along axes."""

def maximum(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""

def mean(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, dtype: _DType | None = None) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

def meshgrid(*xi: Any, sparse: bool = False, indexing: str | None = 'xy') -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views."""

def min(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Any:
    """The smallest element of all, or along axes."""

def minimum(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""

def mod(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def moveaxis(a: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def multiply(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def negative(a: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def not_equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def ones(shape: int | Sequence[int], dtype: _DType | None = ...) -> Tensor:
    """A tensor of ones, float32 unless dtype says otherwise."""

def ones_like(a: _TensorLike, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of ones, of the dtype and shape of another unless others are given."""

def pad(arr: _TensorLike, pad_width: Any, mode: Any = 'constant', stat_length: Any = None, constant_values: Any = 0, end_values: Any = 0, reflect_type: str = 'even') -> Any:
    """Elements before and after those of each axis, in the dtype of arr. What belongs to each axis is given by a number for
    all, by a pair, (before, after), or by a pair for each axis.
    """

def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of polynomials, by their coefficients from the highest degree on."""

def polyder(p: Any, m: int = 1) -> Any:
    """The derivative of a polynomial, by its coefficients from the highest degree on."""

def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The integral of a polynomial, by its coefficients from the highest degree on; of ints in float32."""

def polymul(a1: Any, a2: Any) -> Any:
    """The product of polynomials, by their coefficients from the highest degree on."""

def polysub(a1: Any, a2: Any) -> Any:
    """The difference of polynomials, by their coefficients from the highest degree on."""

def polyval(p: Any, x: Any) -> Any:
    """A polynomial's values at x, by Horner's rule."""

def power(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is taken as 0 where the base is not positive."""

def promote_types(type1: Any, type2: Any) -> Any:
    """The dtype of a result of both: of an integer and a float the float's."""

def ptp(x: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """The largest element less the smallest, of all or along axes; NaN if there is one."""

def rand(*size: int | Sequence[int], dtype: _DType | None = None) -> Tensor:
    """Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise."""

def randn(*size: int | Sequence[int], dtype: _DType | None = None) -> Tensor:
    """standard_normal, converted to dtype."""

def ravel(x: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def reciprocal(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """1 / input; integers are computed in float32."""

def remainder(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def repeat(a: _TensorLike, repeats: int | Sequence[int], axis: int | None = None) -> Any:
    """Each element again and again along an axis; None: all elements in a single one."""

def reshape(x: _TensorLike, new_shape: int | Sequence[int]) -> Tensor:
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype of a result of all."""

def roll(a: _TensorLike, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Any:
    """Elements moved along axes; those that pass the end come in at the front."""

def rollaxis(x: _TensorLike, axis: int, start: int = 0) -> Any:
    """An axis moved before another; the others keep their order. A view."""

def rot90(a: _TensorLike, k: int = 1, axes: int | Sequence[int] = (0, 1)) -> Any:
    """Turned by 90 degrees in the plane of two axes, from the first towards the second."""

def sign(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def sin(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

def size(a: Any, axis: int | Sequence[int] | None = None) -> Any:
    """The number of elements, an int, or of those along axes."""

def sometrue(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """Whether any element is not zero, of all or along axes."""

def split(x: _TensorLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> Any:
    """Pieces along an axis, of equal size. Views."""

def sqrt(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The square root, correctly rounded; NaN below zero. Integers give float32."""

def square(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """input * input. Bool is a TypeError."""

def squeeze(a: _TensorLike, axis: int | Sequence[int] | None = None) -> Tensor:
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""

def stack(arrays: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors of one shape and dtype along a new axis."""

def std(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The square root of `var`."""

def subtract(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

def sum(a: _TensorLike, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, keepdims: bool = False, initial: _Operand | None = None) -> Any:
    """The sum of all elements, or along axes."""

def swapaxes(x: _TensorLike, axis1: int, axis2: int) -> Tensor:
    """Exchanges two axes. A view."""

def tanh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tile(a: _TensorLike, reps: int | Sequence[int]) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def transpose(a: _TensorLike, axes: int | Sequence[int] | None = None) -> Any:
    """Axes in another order; without arguments reversed. A view."""

def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Any:
    """The (N, M) matrix of ones on and below a diagonal, and zeros elsewhere. See numpy.eye."""

def tril(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def triu(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def true_divide(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def trunc(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def unique(x: _TensorLike, return_inverse: bool = False) -> Any:
    """The distinct elements in the order of their first occurrence, 1-d. Each NaN is distinct."""

def var(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def vsplit(x: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 0. Views."""

def vstack(tup: Any) -> Any:
    """Joined along the first axis, with one axis as rows."""

def where(condition: _Operand, x: _Operand, y: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def zeros(shape: int | Sequence[int], dtype: _DType | None = ...) -> Tensor:
    """A tensor of zeros, float32 unless dtype says otherwise."""

def zeros_like(a: _TensorLike, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of zeros, of the dtype and shape of another unless others are given."""

def __getattr__(name: str) -> Any: ...
