# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType
from emberjit.compat.communication import distributed as distributed
from emberjit.mint import linalg as linalg
from emberjit.mint import nn as nn
from emberjit.mint import optim as optim
from emberjit.mint import special as special

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def abs(input: _TensorLike) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def acos(input: _TensorLike) -> Tensor:
    """The arc cosine in radians; NaN beyond 1. Integers give float32."""

def acosh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

@overload
def add(input: _Operand, other: _Operand) -> Tensor:
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""

@overload
def add(input: _Operand, other: _Operand, *, alpha: _Operand = 1) -> Any:
    """input + alpha * other, elementwise with broadcasting."""

def addbmm(input: _TensorLike, batch1: _TensorLike, batch2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * the sum of the products of two batches of matrices, (b, n, k) and (b, k, m)."""

def addcdiv(input: _Operand, tensor1: _Operand, tensor2: _Operand, *, value: _Operand = 1) -> Any:
    """input + value * tensor1 / tensor2, elementwise with broadcasting; quotients of integers are float32."""

def addcmul(input: _Operand, tensor1: _Operand, tensor2: _Operand, *, value: _Operand = 1) -> Any:
    """input + value * tensor1 * tensor2, elementwise with broadcasting."""

def addmm(input: _TensorLike, mat1: _TensorLike, mat2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""

def addmv(input: _TensorLike, mat: _TensorLike, vec: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (mat @ vec), of a matrix (n, m) and a vector (m,); input broadcasts to (n,)."""

def addr_(input: _TensorLike, vec1: _TensorLike, vec2: _TensorLike, beta: _Operand = 1, alpha: _Operand = 1) -> Tensor:
    """beta * input + alpha * the outer product of two vectors, (n,) and (m,); input broadcasts to (n, m).

    It is written into input, which is returned.
    """

def all(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    """Whether all elements over `axis` are true (not zero)."""

def allclose(input: _Operand, other: _Operand, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether all of input are near to other as isclose has it, a bool."""

def amax(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    """The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def amin(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    """The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def any(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    """Whether any element over `axis` is true (not zero)."""

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: _DType | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arccos(input: _TensorLike) -> Tensor:
    """The arc cosine in radians; NaN beyond 1. Integers give float32."""

def arccosh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

def arcsin(x: _TensorLike) -> Tensor:
    """The arc sine in radians; NaN beyond 1. Integers give float32."""

def arcsinh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic sine. Integers give float32."""

def arctan(input: _TensorLike) -> Tensor:
    """The arc tangent in radians. Integers give float32."""

def arctan2(input: _Operand, other: _Operand) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def arctanh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

def argmax(input: _TensorLike, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(input: _TensorLike, dim: int | None = None, keepdim: bool = False) -> Any:
    """The index (int64) of the smallest element of all or along an axis, the first of equals; a NaN is the smallest."""

def argsort(input: _TensorLike, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The indices (int64) of the elements in order along an axis, of equals the lower index first; NaN is the largest."""

def asin(input: _TensorLike) -> Tensor:
    """The arc sine in radians; NaN beyond 1. Integers give float32."""

def asinh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic sine. Integers give float32."""

def atan(input: _TensorLike) -> Tensor:
    """The arc tangent in radians. Integers give float32."""

def atan2(input: _Operand, other: _Operand) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def atanh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

def baddbmm(input: _TensorLike, batch1: _TensorLike, batch2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2), of two batches of matrices, (b, n, k) and (b, k, m)."""

def batch_norm_elemt(input: _TensorLike, weight: _TensorLike | None = None, bias: _TensorLike | None = None, mean: _TensorLike | None = None, invstd: _TensorLike | None = None, eps: float = 1e-05) -> Any:
    """(input - mean) * invstd * weight + bias, by channels, axis 1. What is None is left out; eps is in invstd already."""

def batch_norm_gather_stats_with_counts(input: _TensorLike, mean: _TensorLike, invstd: _TensorLike, running_mean: Any = None, running_var: Any = None, momentum: float = 0.1, eps: float = 1e-05, counts: Any = None) -> Any:
    """(mean, 1 / sqrt(variance + eps)) of each channel of a batch, from those of its parts."""

def batch_norm_stats(input: _TensorLike, eps: float) -> Any:
    """(the mean of each channel, 1 / sqrt(its variance + eps)), over all axes but 1."""

def bernoulli(input: _TensorLike, *, generator: Any = None) -> Any:
    """1 where a random number of [0, 1) is below input's element, the probability, else 0; in input's dtype."""

def bincount(input: _TensorLike, weights: _TensorLike | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there (int64), or the sums of their weights."""

def bitwise_and(input: _Operand, other: _Operand) -> Tensor:
    """input & other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_not(input: _TensorLike) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def bitwise_or(input: _Operand, other: _Operand) -> Tensor:
    """input | other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_xor(input: _Operand, other: _Operand) -> Tensor:
    """input ^ other, elementwise with broadcasting. Floats are a TypeError."""

def bmm(input: _TensorLike, mat2: _TensorLike) -> Tensor:
    """The products of two batches of matrices."""

def broadcast_to(input: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""

def cat(tensors: Sequence[_TensorLike], dim: int = 0) -> Tensor:
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""

def cdist(x1: _TensorLike, x2: _TensorLike, p: float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary') -> Any:
    """The distances of order p of each of n vectors, (..., n, k), from each of m, (..., m, k)."""

def ceil(input: _TensorLike) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def chunk(input: _TensorLike, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of one size along an axis; the last may be smaller. Views."""

def clamp(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def clip(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def clone(input: _TensorLike, init: Any = 'same', name: str | None = None) -> Any:
    """A copy. Of a Parameter a new Parameter."""

def concat(tensors: Sequence[_TensorLike], dim: int = 0) -> Tensor:
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""

def conv2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: Any = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Any:
    """Convolution of (N, C, ...) or (C, ...)."""

def conv_tbc(input: _TensorLike, weight: _TensorLike, bias: _TensorLike, pad: int = 0) -> Any:
    """Convolution along the first axis."""

def cos(input: _TensorLike) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def cosh(input: _TensorLike) -> Tensor:
    """The hyperbolic cosine. Integers give float32."""

def count_nonzero(input: _TensorLike, dim: int | Sequence[int] | None = None) -> Any:
    """How many elements are not 0 (int64), over axes; over all if there are none. NaN is not 0."""

def cross(input: _TensorLike, other: _TensorLike, dim: int | None = None) -> Any:
    """The cross products of vectors along an axis of size 3, after broadcasting."""

def cummax(input: _TensorLike, dim: int) -> tuple[Tensor, Tensor]:
    """The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""

def cummin(input: _TensorLike, dim: int) -> tuple[Tensor, Tensor]:
    """The smallest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""

def cumprod(input: _TensorLike, dim: int, dtype: _DType | None = None) -> Any:
    """The products of all elements up to each along an axis, one after the other."""

def cumsum(input: _TensorLike, dim: int, dtype: _DType | None = None) -> Any:
    """Sums of all elements up to each along an axis, one after the other, in dtype (None: x's, or int64 of integers and
    bools).
    """

def diag(input: _TensorLike, diagonal: int = 0) -> Any:
    """Of one axis the matrix with it as a diagonal, and zeros elsewhere; of a matrix the diagonal, a view."""

def diagonal(input: _TensorLike, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def diff(input: _Operand, n: int = 1, dim: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

@overload
def div(input: _Operand, other: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

@overload
def div(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting."""

@overload
def divide(input: _Operand, other: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

@overload
def divide(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting."""

def dot(input: _TensorLike, other: _TensorLike) -> Any:
    """The sum of the products of the elements of two vectors."""

def dstack(tensors: Any) -> Any:
    """Joined along the third axis, which those of fewer axes get."""

def einsum(equation: str, *operands: Any) -> Any:
    """Sums of products of elements, by labels of axes: "ij,jk->ik" is the product of two matrices."""

def empty(*size: int | Sequence[int], dtype: _DType | None = None, device: Any = None, pin_memory: bool = False) -> Any:
    """A Tensor of a shape. Its elements are zeros."""

def empty_like(input: _TensorLike, *, dtype: _DType | None = None, device: Any = None, pin_memory: bool = False) -> Any:
    """A Tensor of the shape, and unless another is given the dtype, of this one. Its elements are zeros."""

def eq(input: _Operand, other: _Operand) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def equal(input: _TensorLike, other: _TensorLike) -> Any:
    """Whether both have one shape and the same elements, a bool."""

def erf(input: _TensorLike) -> Tensor:
    """The error function, within 1.5 ulp. Integers give float32."""

def erfc(input: _TensorLike) -> Tensor:
    """1 - erf(input), exact where that is small. Integers give float32."""

def erfinv(input: _TensorLike) -> Tensor:
    """The inverse of erf: infinite at 1, NaN beyond. Integers give float32."""

def exp(input: _TensorLike) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def exp2(input: _TensorLike) -> Tensor:
    """2 to the power of input. Integers give float32."""

def expm1(input: _TensorLike) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def eye(n: int, m: int | None = None, dtype: _DType | None = None) -> Tensor:
    """Ones on the diagonal of an n x m (None: n x n) matrix of zeros."""

def fix(input: _TensorLike) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def flatten(input: _TensorLike, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

def flip(input: _TensorLike, dims: int | Sequence[int]) -> Tensor:
    """Reverses the order of elements along the given axes."""

def float_power(input: _Operand, exponent: _Operand) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting."""

def floor(input: _TensorLike) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_divide(input: _Operand, other: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def fmod(input: _Operand, other: _Operand) -> Tensor:
    """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def frac(input: _TensorLike) -> Any:
    """x less x rounded toward zero: the part with its sign behind the point; of integers zeros."""

def full(size: Any, fill_value: _Operand, *, dtype: _DType | None = None) -> Any:
    """A Tensor of one value, converted to dtype: if None, float32 for a float, bool for a bool, int64 for an int."""

def full_like(input: _TensorLike, fill_value: _Operand, *, dtype: _DType | None = None) -> Tensor:
    """One value in input's shape, and its dtype unless another is given."""

def gather(input: _TensorLike, dim: int, index: _TensorLike) -> Tensor:
    """For each position of `index` the element of x there, with `dim` replaced by the index."""

def gcd(input: _Operand, other: _Operand) -> Tensor:
    """The greatest common divisor of integers, not negative, elementwise with broadcasting; of 0 and x it is |x|."""

def ge(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def greater(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def gt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def histc(input: _TensorLike, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many elements lie in each of some bins of one width, in the input's dtype. NaN lies in none."""

def hstack(tensors: Any) -> Any:
    """Joined along the second axis, or what has one axis along that."""

def imag(input: _TensorLike) -> Any:
    """The imaginary part, a view; of real numbers zeros."""

def index_add(input: _TensorLike, dim: int, index: _TensorLike, source: _TensorLike, *, alpha: _Operand = 1) -> Any:
    """input with alpha * source added at positions along an axis, in their order."""

def index_put(input: _TensorLike, indices: Any, values: _TensorLike, accumulate: bool = False) -> Any:
    """input with input[indices] = values, or += values in the order of the positions."""

def index_select(input: _TensorLike, dim: int, index: _TensorLike) -> Tensor:
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

def inverse(input: _TensorLike) -> Any:
    """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve."""

def isclose(input: _Operand, other: _Operand, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
    alone, NaN to nothing, or with equal_nan to NaN.
    """

def isfinite(input: _TensorLike) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isinf(input: _TensorLike) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(tensor: _TensorLike) -> Tensor:
    """Whether input is NaN; of integers false."""

def isneginf(input: _TensorLike) -> Any:
    """Which elements are negative infinity: of integers none."""

def kthvalue(input: _TensorLike, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """(the k-th smallest elements along an axis, their indices as int64).

    Of equals the lower index comes first; NaN is the largest.
    """

def le(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def lerp(input: _Operand, end: _Operand, weight: _Operand) -> Any:
    """input + weight * (end - input), elementwise with broadcasting."""

def less(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def linspace(start: _Operand, end: _Operand, steps: Any, *, dtype: _DType | None = None) -> Any:
    """Numbers from start to end, both included, evenly spaced: computed in double precision, then of the dtype of start and
    end if they are floating Tensors, else float32.
    """

def log(input: _TensorLike) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log10(input: _TensorLike) -> Tensor:
    """The logarithm to the base 10; -inf at zero, NaN below. Integers give float32."""

def log1p(input: _TensorLike) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

def log2(input: _TensorLike) -> Tensor:
    """The logarithm to the base 2; -inf at zero, NaN below. Integers give float32."""

def logaddexp(input: _Operand, other: _Operand) -> Tensor:
    """log(e^input + e^other) without overflow, elementwise with broadcasting. Integers give float32."""

def logaddexp2(input: _Operand, other: _Operand) -> Tensor:
    """The logarithm to the base 2 of 2^input + 2^other, elementwise with broadcasting. Integers give float32."""

def logical_and(input: _Operand, other: _Operand) -> Tensor:
    """Whether both are true; numbers are true if they are not zero."""

def logical_not(input: _TensorLike) -> Tensor:
    """Whether input is false; numbers are true if they are not zero."""

def logical_or(input: _Operand, other: _Operand) -> Tensor:
    """Whether one at least is true; numbers are true if they are not zero."""

def logical_xor(input: _Operand, other: _Operand) -> Tensor:
    """Whether exactly one is true; numbers are true if they are not zero."""

def logsumexp(input: _TensorLike, dim: int | Sequence[int] | None, keepdim: bool = False) -> Any:
    """The logarithm of the sum of the exponentials over axes, without overflow."""

def lt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def masked_fill(input: _TensorLike, mask: _TensorLike, value: _Operand) -> Tensor:
    """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError."""

def masked_select(input: _TensorLike, mask: _TensorLike) -> Any:
    """The elements where a mask, which broadcasts with the input, is true, in one axis."""

def matmul(input: _TensorLike, other: _TensorLike) -> Tensor:
    """The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again."""

@overload
def max(input: _TensorLike, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The largest element along `axis` and its index (int64), the first of equals. An element less than `initial` counts as that, and so does one where `where` is false, which needs `initial`."""

@overload
def max(input: _Operand, other: _TensorLike) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

@overload
def max(input: _TensorLike) -> Any:
    """The largest element of all, or along axes."""

def maximum(input: _Operand, other: _Operand) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

def mean(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

@overload
def median(input: _TensorLike, dim: int, keepdim: bool = False) -> Any:
    """(medians along an axis, the lower of two; their indices as int64). NaN, and the first index of one, if there is one."""

@overload
def median(input: _TensorLike) -> Any:
    """The median of all elements, the lower of two; NaN if there is one."""

def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views."""

@overload
def min(input: _TensorLike, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The smallest element along `axis` and its index (int64), the first of equals. An element greater than `initial` counts as that, and so does one where `where` is false, which needs `initial`."""

@overload
def min(input: _Operand, other: _TensorLike) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

@overload
def min(input: _TensorLike) -> Any:
    """The smallest element of all, or along axes."""

def minimum(input: _Operand, other: _Operand) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

def mm(input: _TensorLike, mat2: _TensorLike) -> Any:
    """The product of two matrices."""

def movedim(input: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def mul(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def multinomial(input: _TensorLike, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Any:
    """Categories, drawn with the probabilities that input's elements have in a row's sum."""

def mv(input: _TensorLike, vec: _TensorLike) -> Any:
    """The product of a matrix and a vector."""

def nan_to_num(input: _TensorLike, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Any:
    """input with other numbers in place of NaN and infinities; integers as they are."""

def nansum(input: _Operand, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Any:
    """The sums over axes of what is not NaN."""

def narrow(input: _TensorLike, dim: int, start: int, length: int) -> Any:
    """The elements from start on along an axis, as many as length. A view."""

def ne(input: _Operand, other: _Operand) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def neg(input: _TensorLike) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def negative(input: _TensorLike) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def nonzero(input: _TensorLike, *, as_tuple: bool = False) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def norm(input: _TensorLike, p: Any = 'fro', dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Any:
    """The norm of all elements along axes as of a vector; with p "nuc" the nuclear norm of matrices."""

def normal(mean: _Operand = 0.0, std: _Operand = 1.0, size: int | Sequence[int] | None = None, generator: Any = None) -> Any:
    """Random numbers of means and deviations, float32."""

def not_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def npu_gelu(input: _TensorLike, *, approximate: str = 'none') -> Tensor:
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""

def ones(size: int | Sequence[int], *, dtype: _DType | None = None) -> Tensor:
    """A tensor of ones, float32 unless dtype says otherwise."""

def ones_like(input: _TensorLike, *, dtype: _DType | None = None) -> Tensor:
    """Ones of input's shape, and its dtype unless another is given."""

def outer(input: _TensorLike, vec2: _TensorLike) -> Any:
    """The products of each element of a vector with each of another, of shape (n, m)."""

def permute(input: _TensorLike, dims: int | Sequence[int]) -> Tensor:
    """Axis i of the result is axis dims[i] of the operand. A view."""

def polar(abs: _TensorLike, angle: _TensorLike) -> Any:
    """The complex numbers of these magnitudes and angles, in radians."""

def pow(input: _Operand, exponent: _Operand) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative."""

def prod(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Tensor:
    """Multiplies the elements over `axis`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def rand(*size: int | Sequence[int], generator: Any = None, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random numbers of [0, 1), float32 unless dtype is another float's."""

def rand_like(input: _TensorLike, *, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given."""

@overload
def randint(low: int, high: int | None = None, size: int | Sequence[int] = (), *, generator: Any = None, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random integers of [low, high), or [0, high) if one bound is given; int64 unless dtype says otherwise."""

@overload
def randint(high: int, size: int | Sequence[int] = (), *, generator: Any = None, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random integers of [low, high), or [0, high) if one bound is given; int64 unless dtype says otherwise."""

def randint_like(input: _TensorLike, low: int, high: int | None = None, *, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random integers of [low, high), or of [0, low) without high, in input's shape, and its dtype unless another is given."""

def randn(*size: int | Sequence[int], generator: Any = None, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random numbers of mean 0 and deviation 1, float32 unless dtype is another float's."""

def randn_like(input: _TensorLike, *, dtype: _DType | None = None, device: Any = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, and its dtype unless another is given."""

def randperm(n: Any, *, generator: Any = None, dtype: _DType = ...) -> Any:
    """The integers 0 .. n - 1 in random order."""

def ravel(input: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def real(input: _TensorLike) -> Any:
    """The real part, a view; of real numbers input itself."""

def reciprocal(input: _TensorLike) -> Tensor:
    """1 / input; integers are computed in float32."""

def remainder(input: _Operand, other: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def repeat_interleave(input: _TensorLike, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Any:
    """Each element repeated along an axis, or without one in row-major order."""

def reshape(input: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

def roll(input: _TensorLike, shifts: int | Sequence[int], dims: int | Sequence[int] | None = None) -> Any:
    """Elements moved along axes; those that pass the end come in at the front."""

def round(input: _TensorLike, *, decimals: int = 0) -> Tensor:
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input."""

def rsqrt(input: _TensorLike) -> Tensor:
    """1 / sqrt(input); infinite at zero, NaN below. Integers give float32."""

def scatter(input: _TensorLike, dim: int, index: _TensorLike, src: _Operand) -> Any:
    """input with src at the positions that index names along an axis; of equal positions the last counts."""

def scatter_add(input: _TensorLike, dim: int, index: _TensorLike, src: _TensorLike) -> Any:
    """input with src added at the positions that index names along an axis, in their order."""

def searchsorted(sorted_sequence: _TensorLike, values: _Operand, *, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: _TensorLike | None = None) -> Any:
    """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all."""

def select(input: _TensorLike, dim: int = 0, index: int = ...) -> Tensor:
    """The element at `index` of an axis, without that axis: input[index] for axis 0. A view."""

def sigmoid(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""

def sign(input: _TensorLike) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def sin(input: _TensorLike) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

def sinc(input: _TensorLike) -> Tensor:
    """sin(pi input) / (pi input), 1 at zero. Integers give float32."""

def sinh(input: _TensorLike) -> Tensor:
    """The hyperbolic sine. Integers give float32."""

@overload
def softmax(input: _TensorLike, dim: int) -> Tensor:
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""

@overload
def softmax(input: _TensorLike, dim: int, *, dtype: _DType | None = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element."""

def sort(input: _TensorLike, *, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int64), of equals the lower index first; NaN is the largest."""

def split(tensor: _TensorLike, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces along an axis: of one size, the last of which may be smaller, or of the given sizes. Views."""

def sqrt(input: _TensorLike) -> Tensor:
    """The square root, correctly rounded; NaN below zero. Integers give float32."""

def square(input: _TensorLike) -> Tensor:
    """input * input. Bool is a TypeError."""

def squeeze(input: _TensorLike, dim: int | Sequence[int] | None = None) -> Tensor:
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""

def stack(tensors: Sequence[_TensorLike], dim: int = 0) -> Tensor:
    """Joins tensors of one shape and dtype along a new axis."""

def std(input: _TensorLike, dim: int | Sequence[int] | None = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The square root of `var`."""

def std_mean(input: _TensorLike, dim: int | Sequence[int] | None = None, *, correction: int = 1, keepdim: bool = False) -> Any:
    """(the standard deviations over axes, the means)."""

@overload
def sub(input: _Operand, other: _Operand) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

@overload
def sub(input: _Operand, other: _Operand, *, alpha: _Operand = 1) -> Any:
    """input - alpha * other, elementwise with broadcasting."""

def sum(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Tensor:
    """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def swapaxes(input: _TensorLike, axis0: int, axis1: int) -> Tensor:
    """Exchanges two axes. A view."""

def swapdims(input: _TensorLike, dim0: int, dim1: int) -> Tensor:
    """Exchanges two axes. A view."""

def t(input: _TensorLike) -> Any:
    """A matrix with its axes exchanged, a view; what has fewer axes itself."""

def take(input: _TensorLike, index: _TensorLike) -> Any:
    """The elements at positions among all, in row-major order."""

def tan(input: _TensorLike) -> Tensor:
    """The tangent of radians. Integers give float32."""

def tanh(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tile(input: _TensorLike, dims: int | Sequence[int]) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def topk(input: _TensorLike, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest elements along `dim`, or the smallest, in order, whether `sorted` or not, and their indices (int64). Of equals the lower index comes first; NaN is larger than all numbers."""

def trace(input: _TensorLike) -> Any:
    """The sum of a matrix's diagonal: int64 of integers and bools, else in its dtype."""

def transpose(input: _TensorLike, dim0: int, dim1: int) -> Any:
    """Two axes exchanged. A view."""

def triangular_solve(b: _TensorLike, A: _TensorLike, upper: bool = True, transpose: bool = False, unitriangular: bool = False) -> Any:
    """(x for which A x = b, or with transpose A^T x = b, of a triangle of A; A)."""

def tril(input: _TensorLike, diagonal: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def triu(input: _TensorLike, diagonal: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def trunc(input: _TensorLike) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def unbind(input: _TensorLike, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views."""

def unflatten(input: _TensorLike, dim: int, sizes: int | Sequence[int]) -> Any:
    """An axis as several. A view."""

def unique(input: _TensorLike, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The distinct elements, or slices along an axis, in ascending order; slices are ordered by their first elements that
    differ. Each NaN is distinct.
    """

def unique_consecutive(input: _TensorLike, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct."""

def unsqueeze(input: _TensorLike, dim: int) -> Tensor:
    """Inserts an axis of size one. A view."""

def var(input: _TensorLike, dim: int | Sequence[int] | None = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def var_mean(input: _TensorLike, dim: int | Sequence[int] | None = None, *, correction: int = 1, keepdim: bool = False) -> Any:
    """(the variances over axes, the means)."""

def vdot(input: _TensorLike, other: _TensorLike) -> Any:
    """The sum of the products of the elements of two vectors, input's conjugated."""

@overload
def where(condition: _Operand, input: _Operand, other: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

@overload
def where(condition: _TensorLike) -> Any:
    """The indices (int64) of the elements that are not 0, in row-major order, a Tensor for each axis."""

def xlogy(input: _Operand, other: _Operand) -> Tensor:
    """input * log(other), and 0 where input is 0 unless other is NaN, elementwise with broadcasting. Integers give float32."""

def zeros(size: int | Sequence[int], *, dtype: _DType | None = None) -> Tensor:
    """A tensor of zeros, float32 unless dtype says otherwise."""

def zeros_like(input: _TensorLike, *, dtype: _DType | None = None) -> Tensor:
    """Zeros of input's shape, and its dtype unless another is given."""

def __getattr__(name: str) -> Any: ...
