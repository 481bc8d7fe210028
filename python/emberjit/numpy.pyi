# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType
from emberjit.functions.creation.numpy_values import NINF as NINF
from emberjit.functions.creation.numpy_values import PINF as PINF
from emberjit.functions.creation.numpy_values import bool_ as bool_
from emberjit.functions.creation.numpy_values import float16 as float16
from emberjit.functions.creation.numpy_values import float32 as float32
from emberjit.functions.creation.numpy_values import float64 as float64
from emberjit.functions.creation.numpy_values import float_ as float_
from emberjit.functions.creation.numpy_values import inf as inf
from emberjit.functions.creation.numpy_values import int16 as int16
from emberjit.functions.creation.numpy_values import int32 as int32
from emberjit.functions.creation.numpy_values import int64 as int64
from emberjit.functions.creation.numpy_values import int8 as int8
from emberjit.functions.creation.numpy_values import int_ as int_
from emberjit.functions.creation.numpy_values import mgrid as mgrid
from emberjit.functions.creation.numpy_values import nan as nan
from emberjit.functions.creation.numpy_values import ogrid as ogrid
from emberjit.functions.creation.numpy_values import pi as pi
from emberjit.functions.creation.numpy_values import uint as uint
from emberjit.functions.creation.numpy_values import uint16 as uint16
from emberjit.functions.creation.numpy_values import uint32 as uint32
from emberjit.functions.creation.numpy_values import uint64 as uint64
from emberjit.functions.creation.numpy_values import uint8 as uint8
from emberjit.functions.elementwise.piecewise import piecewise as piecewise
from emberjit.functions.reductions.along_axes import apply_along_axis as apply_along_axis

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

def apply_over_axes(func: Any, a: _Operand, axes: int | Sequence[int]) -> Any:
    """func(a, axis) for one axis after another; an axis that it leaves out comes back, of size 1."""

def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arccos(input: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The arc cosine in radians; NaN beyond 1. Integers give float32."""

def arccosh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

def arcsin(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The arc sine in radians; NaN beyond 1. Integers give float32."""

def arcsinh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The inverse hyperbolic sine. Integers give float32."""

def arctan(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The arc tangent in radians. Integers give float32."""

def arctan2(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def arctanh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

def argmax(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

def argwhere(a: _TensorLike) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def around(a: _Operand, decimals: int = 0) -> Any:
    """a, rounded to decimals, to the nearest, ties to even."""

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

def average(x: _Operand, axis: int | Sequence[int] | None = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted."""

def bartlett(M: Any) -> Any:
    """Bartlett's window, a triangle: 1 - abs(2 n / N - 1)."""

def bincount(x: _Operand, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    """How often each integer from 0 to the largest element is there (float32), or the sums of their weights."""

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

def cbrt(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The cube root, of negative numbers too. Integers give float32."""

def ceil(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def choose(a: _Operand, choices: Any, mode: str = 'clip') -> Any:
    """Of several Tensors at each position the element of that which a index names; all broadcast."""

def clip(x: _Operand, xmin: _Operand | None = None, xmax: _Operand | None = None, dtype: _DType | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def column_stack(tup: Any) -> Any:
    """Joined along the second axis, with one axis, or none, as columns."""

def concatenate(arrays: Any, axis: int | None = 0) -> Any:
    """Joined along an axis; None: all elements in a single one."""

def convolve(a: Any, v: Any, mode: str = 'full') -> Any:
    """The discrete convolution of two sequences: sum over m of a[m] v[n - m]."""

def copysign(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """|x| with the sign of other, that of zeros and NaN too, elementwise with broadcasting. Integers give float32."""

def corrcoef(x: _TensorLike, y: _TensorLike | None = None, rowvar: bool = True, dtype: _DType | None = None) -> Any:
    """Pearson's correlation coefficients of variables: their covariances over the roots of their variances."""

def correlate(a: Any, v: Any, mode: str = 'valid') -> Any:
    """The cross-correlation of two sequences: sum over n of a[n + k] times the conjugate of v[n]."""

def cos(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def cosh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The hyperbolic cosine. Integers give float32."""

def count_nonzero(x: _TensorLike, axis: int | Sequence[int] | None = (), keepdims: bool = False) -> Any:
    """How many elements are not 0, over axes; over all if there are none. NaN is not 0."""

def cov(m: _TensorLike, y: _TensorLike | None = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: _TensorLike | None = None, aweights: _TensorLike | None = None, dtype: _DType | None = None) -> Any:
    """The covariance matrix of variables."""

def cross(a: _TensorLike, b: _TensorLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    """The cross products of vectors of 3, or of 2 with a third 0; of vectors of 2 alone the third elements."""

def cumprod(a: _Operand, axis: int | None = None, dtype: _DType | None = None) -> Any:
    """The products of all elements up to each along an axis."""

def cumsum(a: _Operand, axis: int | None = None, dtype: _DType | None = None) -> Any:
    """The sums of all elements up to each along an axis."""

def deg2rad(x: _TensorLike, dtype: _DType | None = None) -> Any:
    """Degrees in radians. Integers give float32."""

def diag(v: _TensorLike, k: int = 0) -> Any:
    """Of one axis the matrix with it as a diagonal, and zeros elsewhere; of a matrix the diagonal, a view."""

def diag_indices(n: int, ndim: int = 2) -> Any:
    """The indices (int32) of the main diagonal of a Tensor of some axes of size n, a Tensor for each axis."""

def diagflat(v: _TensorLike, k: int = 0) -> Any:
    """The matrix with all elements as a diagonal, and zeros elsewhere."""

def diagonal(a: _TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def diff(a: _Operand, n: int = 1, axis: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

def digitize(x: _Operand, bins: Any, right: bool = False) -> Any:
    """The index (int32) of the bin that each element lies in."""

def divide(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def divmod(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Any:
    """The quotient rounded down and the remainder that has the sign of x2, both converted to dtype if it is given."""

def dot(a: _TensorLike, b: _TensorLike) -> Any:
    """The sum of products over the last axis of input and the last but one of other, or its only one.

    With an operand without axes the product of both.
    """

def dsplit(x: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 2. Views."""

def dstack(tup: Any) -> Any:
    """Joined along the third axis, which those of fewer axes get."""

def ediff1d(ary: _Operand, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours among all elements."""

def empty(shape: int | Sequence[int], dtype: Any = ...) -> Any:
    """A Tensor of zeros."""

def empty_like(prototype: _TensorLike, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of zeros, of the dtype and shape of another unless others are given."""

def equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def exp(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def exp2(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """2 to the power of input. Integers give float32."""

def expand_dims(a: _TensorLike, axis: int | Sequence[int]) -> Any:
    """With new axes of size 1. A view."""

def expm1(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Any:
    """The (N, M) matrix of ones on a diagonal, and zeros elsewhere."""

def fabs(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def fix(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def flip(m: _TensorLike, axis: int | Sequence[int] | None = None) -> Any:
    """Axes in reverse order; None: all of them."""

def fliplr(m: _TensorLike) -> Any:
    """The second axis in reverse order."""

def flipud(m: _TensorLike) -> Any:
    """The first axis in reverse order."""

def float_power(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting."""

def floor(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_divide(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def fmod(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def full(shape: int | Sequence[int], fill_value: Any, dtype: Any = None) -> Any:
    """A Tensor of one value, or of what broadcasts to the shape."""

def full_like(a: _TensorLike, fill_value: Any, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of one value, or of what broadcasts to the shape, of the dtype and shape of another unless others are given."""

def gcd(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Any:
    """The greatest common divisor, elementwise with broadcasting: the largest number of which both are multiples."""

def geomspace(start: _Operand, stop: _Operand, num: Any = 50, endpoint: bool = True, dtype: _DType | None = None, axis: int = 0) -> Any:
    """Numbers from start to stop along a new axis, each the same multiple of the one before; computed in double precision.
    See numpy.linspace.
    """

def gradient(f: _Operand, *varargs: Any, axis: int | Sequence[int] | None = None, edge_order: int = 1) -> Any:
    """The slopes along each axis by differences: central ones inside, and one-sided ones at both ends."""

def greater(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def hamming(M: Any) -> Any:
    """Hamming's window: alpha - beta cos(2 pi n / N)."""

def hanning(M: Any) -> Any:
    """Hann's window: (1 - cos(2 pi n / N)) / 2."""

def heaviside(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Any:
    """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN."""

def histogram(a: _Operand, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many elements lie in each bin, the edges of the bins). NaN lies in none."""

def histogram2d(x: _Operand, y: _Operand, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many points lie in each cell, the edges along x, those along y)."""

def histogram_bin_edges(a: _Operand, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of the bins of a histogram."""

def histogramdd(sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many points lie in each cell, a list of the edges along each coordinate)."""

def hsplit(x: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 1, or the only one. Views."""

def hstack(tup: Any) -> Any:
    """Joined along the second axis, or what has one axis along that."""

def hypot(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

def identity(n: int, dtype: Any = ...) -> Any:
    """The (N, M) matrix of ones on a diagonal, and zeros elsewhere."""

def in1d(ar1: _Operand, ar2: _Operand, invert: bool = False) -> Any:
    """Whether each element is among others, in one axis."""

def indices(dimensions: int | Sequence[int], dtype: _DType = ..., sparse: bool = False) -> Any:
    """The index along each axis of every element of a shape: stacked; or in a tuple, each of size 1 along the other axes."""

def inner(a: _TensorLike, b: _TensorLike) -> Any:
    """The sum of products over the last axis of both, of shape input's other axes, then other's.

    With an operand without axes the product of both.
    """

def interp(x: _Operand, xp: _Operand, fp: _Operand, left: _Operand | None = None, right: _Operand | None = None) -> Any:
    """The function that is linear between points, and constant beyond them."""

def intersect1d(ar1: _Operand, ar2: _Operand, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The distinct elements of both, in ascending order."""

def invert(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def isclose(a: _Operand, b: _Operand, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
    alone, NaN to nothing, or with equal_nan to NaN.
    """

def isfinite(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isin(element: _Operand, test_elements: _Operand, invert: bool = False) -> Any:
    """Whether each element is among others."""

def isinf(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is NaN; of integers false."""

def isneginf(x: _TensorLike) -> Any:
    """Which elements are negative infinity: of integers none."""

def isposinf(x: _TensorLike) -> Any:
    """Which elements are positive infinity: of integers none."""

def isscalar(element: Any) -> bool:
    """Whether an object is a number or a str, and neither a Tensor nor a sequence."""

def ix_(*args: Any) -> Any:
    """Indices along each of several axes, in shapes that broadcast to all their combinations; bools stand for where they are
    true.
    """

def kron(a: _TensorLike, b: _TensorLike) -> Any:
    """The Kronecker product: a block other * x for each element x of input. Axes of size 1 are put before the shorter's."""

def lcm(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Any:
    """The least common multiple, elementwise with broadcasting; 0 if one is 0."""

def less(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def linspace(start: _Operand, stop: _Operand, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: _DType | None = None, axis: int = 0) -> Any:
    """Numbers from start to stop, evenly spaced along a new axis; computed in double precision."""

def log(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log10(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The logarithm to the base 10; -inf at zero, NaN below. Integers give float32."""

def log1p(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

def log2(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The logarithm to the base 2; -inf at zero, NaN below. Integers give float32."""

def logaddexp(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """log(e^input + e^other) without overflow, elementwise with broadcasting. Integers give float32."""

def logaddexp2(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The logarithm to the base 2 of 2^input + 2^other, elementwise with broadcasting. Integers give float32."""

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

def matrix_power(a: _TensorLike, n: int) -> Any:
    """The product of n square matrices, by repeated squaring; of their inverses if n is negative."""

def max(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: Any = True) -> Any:
    """The largest element of all, or along axes."""

def maximum(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

def mean(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, dtype: _DType | None = None) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

def meshgrid(*xi: Any, sparse: bool = False, indexing: str = 'xy') -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views."""

def min(a: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: _Operand | None = None, where: Any = True) -> Any:
    """The smallest element of all, or along axes."""

def minimum(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

def mod(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def moveaxis(a: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def multi_dot(arrays: Sequence[_TensorLike]) -> Any:
    """The product of matrices, multiplied in the cheapest order; the first may be a row, the last a column."""

def multiply(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def nancumsum(a: _Operand, axis: int | None = None, dtype: _DType | None = None) -> Any:
    """The sums, without NaN, of all elements up to each along an axis."""

def nanmax(a: _Operand, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, keepdims: bool = False) -> Any:
    """The largest elements over axes of what is not NaN."""

def nanmean(a: _Operand, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, keepdims: bool = False) -> Any:
    """The means over axes of what is not NaN."""

def nanmin(a: _Operand, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, keepdims: bool = False) -> Any:
    """The smallest elements over axes of what is not NaN."""

def nanstd(a: _Operand, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The standard deviations over axes of what is not NaN; NaN where no more than ddof are left."""

def nansum(a: _Operand, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, keepdims: bool = False) -> Any:
    """The sums over axes of what is not NaN."""

def nanvar(a: _Operand, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The variances over axes of what is not NaN; NaN where no more than ddof are left."""

def negative(a: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def norm(x: _TensorLike, ord: Any = None, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """The norm of a vector along an axis, or of the matrices that two axes are. See vector_norm and matrix_norm."""

def not_equal(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def ones(shape: int | Sequence[int], dtype: Any = ...) -> Any:
    """A Tensor of ones."""

def ones_like(a: _TensorLike, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of ones, of the dtype and shape of another unless others are given."""

def outer(a: _TensorLike, b: _TensorLike) -> Any:
    """The products of each element of a with each of b, of shape (a.size, b.size)."""

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

def positive(a: _TensorLike, dtype: _DType | None = None) -> Any:
    """input itself."""

def power(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative."""

def promote_types(type1: Any, type2: Any) -> Any:
    """The dtype of a result of both: of an integer and a float the float's."""

def ptp(x: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """The largest element less the smallest, of all or along axes; NaN if there is one."""

def rad2deg(x: _TensorLike, dtype: _DType | None = None) -> Any:
    """Radians in degrees. Integers give float32."""

def radians(x: _TensorLike, dtype: _DType | None = None) -> Any:
    """Degrees in radians. Integers give float32."""

def rand(*size: int | Sequence[int], dtype: _DType | None = None) -> Tensor:
    """Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise."""

def randint(minval: int, maxval: int | None = None, shape: int | Sequence[int] | None = None, dtype: _DType = ...) -> Any:
    """Random integers of [minval, maxval), or of [0, minval) without maxval; one number without shape."""

def randn(*size: int | Sequence[int], dtype: _DType | None = None) -> Tensor:
    """standard_normal, converted to dtype."""

def ravel(x: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def ravel_multi_index(multi_index: Any, dims: int | Sequence[int], mode: str = 'clip', order: str = 'C') -> Any:
    """The numbers (int64) of elements counted in row-major order, given an index along each axis."""

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

def rint(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input."""

def roll(a: _TensorLike, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Any:
    """Elements moved along axes; those that pass the end come in at the front."""

def rollaxis(x: _TensorLike, axis: int, start: int = 0) -> Any:
    """An axis moved before another; the others keep their order. A view."""

def rot90(a: _TensorLike, k: int = 1, axes: int | Sequence[int] = (0, 1)) -> Any:
    """Turned by 90 degrees in the plane of two axes, from the first towards the second."""

def searchsorted(a: _TensorLike, v: _Operand, side: str = 'left', sorter: _TensorLike | None = None) -> Any:
    """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all."""

def select(condlist: Any, choicelist: Any, default: _Operand = 0) -> Any:
    """At each position the element of the choice whose condition is the first to be true there, or a default."""

def setdiff1d(ar1: _Operand, ar2: _Operand, assume_unique: bool = False) -> Any:
    """The distinct elements of ar1 that are not in ar2, in ascending order."""

def sign(x: _TensorLike, dtype: _DType | None = None) -> Any:
    """1, 0 or -1 as x is above, at or below zero; of NaN NaN. Of a complex number x / |x|, 0 at 0."""

def signbit(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Whether input is below zero, or -0.0, or a NaN with that sign."""

def sin(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

def sinh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The hyperbolic sine. Integers give float32."""

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

def stack(arrays: Any, axis: int = 0) -> Any:
    """Tensors joined along a new axis."""

def std(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The square root of `var`."""

def subtract(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

def sum(a: _TensorLike, axis: int | Sequence[int] | None = None, dtype: _DType | None = None, keepdims: bool = False, initial: _Operand | None = None) -> Any:
    """The sum of all elements, or along axes."""

def swapaxes(x: _TensorLike, axis1: int, axis2: int) -> Tensor:
    """Exchanges two axes. A view."""

def take(a: _Operand, indices: Any, axis: int | None = None, mode: str = 'clip') -> Any:
    """Slices at positions along an axis, or elements at positions among all."""

def take_along_axis(arr: _TensorLike, indices: _TensorLike, axis: int | None) -> Any:
    """Elements at positions along an axis, one for each element of indices, which broadcasts along other axes."""

def tan(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The tangent of radians. Integers give float32."""

def tanh(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tensordot(a: _TensorLike, b: _TensorLike, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes, of shape a's other axes, then b's."""

def tile(a: _TensorLike, reps: int | Sequence[int]) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def trace(a: _TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: _DType | None = None) -> Any:
    """The sums of the diagonals of the matrices that two axes are."""

def transpose(a: _TensorLike, axes: int | Sequence[int] | None = None) -> Any:
    """Axes in another order; without arguments reversed. A view. Two ints are two axes to exchange."""

def trapz(y: _Operand, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """The integral along an axis by the trapezoidal rule."""

def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Any:
    """The (N, M) matrix of ones on and below a diagonal, and zeros elsewhere. See numpy.eye."""

def tril(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def tril_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """(the row and the column of each element of a matrix on a diagonal and below it, apart, int32), in row-major order."""

def tril_indices_from(arr: _TensorLike, k: int = 0) -> Any:
    """(the row and the column of each element of a matrix arr on a diagonal and below it, apart, int32), in row-major order."""

def triu(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def triu_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """(the row and the column of each element of a matrix on a diagonal and above it, apart, int32), in row-major order."""

def triu_indices_from(arr: _TensorLike, k: int = 0) -> Any:
    """(the row and the column of each element of a matrix arr on a diagonal and above it, apart, int32), in row-major order."""

def true_divide(x1: _Operand, x2: _Operand, dtype: _DType | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def trunc(x: _TensorLike, dtype: _DType | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def union1d(ar1: _Operand, ar2: _Operand) -> Any:
    """The distinct elements of either, in ascending order."""

def unique(x: _TensorLike, return_inverse: bool = False) -> Any:
    """The distinct elements in the order of their first occurrence, 1-d. Each NaN is distinct."""

def unravel_index(indices: _Operand, shape: int | Sequence[int], order: str = 'C') -> Any:
    """The index along each axis of elements that are counted in row-major order; of the nearest if out of range."""

def unwrap(p: _TensorLike, discont: float = 3.141592653589793, axis: int = -1) -> Any:
    """p, with whole turns added along an axis so that no step from one element to the next is more than half a turn."""

def vander(x: _TensorLike, N: int | None = None, increasing: bool = False) -> Any:
    """The powers of the elements of a vector, a row for each: x^(N - 1), ..., x, 1."""

def var(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def vsplit(x: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 0. Views."""

def vstack(tup: Any) -> Any:
    """Joined along the first axis, with one axis as rows."""

def where(condition: _Operand, x: _Operand, y: _Operand) -> Any:
    """The elements of x where a condition is true, else those of y; all broadcast."""

def zeros(shape: int | Sequence[int], dtype: Any = ...) -> Any:
    """A Tensor of zeros."""

def zeros_like(a: _TensorLike, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """A Tensor of zeros, of the dtype and shape of another unless others are given."""

def __getattr__(name: str) -> Any: ...
