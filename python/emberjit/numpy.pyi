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

def apply_along_axis(func1d: Any, axis: int, arr: _Operand, *args: Any) -> Any:
    """func1d of every line of a Tensor along an axis, in whose place the axes of its results come."""

def apply_over_axes(func: Any, a: _Operand, axes: int | Sequence[int]) -> Any:
    """func(a, axis) for one axis after another; an axis that it leaves out comes back, of size 1."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: dtype | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arctan2(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def argmax(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(a: _TensorLike, axis: int | None = None) -> Tensor:
    """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

def argwhere(a: _TensorLike) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def average(x: _Operand, axis: int | Sequence[int] | None = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted."""

def bincount(x: _Operand, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    """How often each integer from 0 to the largest element is there (int64), or the sums of their weights."""

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

def ceil(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def choose(a: _Operand, choices: Any, mode: str = 'clip') -> Any:
    """Of several Tensors at each position the element of that which a index names; all broadcast."""

def clip(x: _Operand, xmin: _Operand | None = None, xmax: _Operand | None = None, dtype: dtype | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def cos(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def count_nonzero(x: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """How many elements are not 0 (int64), over axes; over all if there are none. NaN is not 0."""

def cumprod(a: _Operand, axis: int | None = None, dtype: dtype | None = None) -> Any:
    """The products of all elements up to each along an axis."""

def cumsum(a: _Operand, axis: int | None = None, dtype: dtype | None = None) -> Any:
    """The sums of all elements up to each along an axis."""

def diag_indices(n: int, ndim: int = 2) -> Any:
    """The indices (int64) of the main diagonal of a Tensor of some axes of size n, a Tensor for each axis."""

def diagonal(a: _TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def diff(a: _Operand, n: int = 1, axis: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

def digitize(x: _Operand, bins: Any, right: bool = False) -> Any:
    """The index (int64) of the bin that each element lies in."""

def divide(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def ediff1d(ary: _Operand, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours among all elements."""

def equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def exp(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def expand_dims(a: _TensorLike, axis: int) -> Tensor:
    """Inserts an axis of size one. A view."""

def expm1(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def fix(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def floor(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_divide(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def full(shape: int | Sequence[int], fill_value: _Operand, dtype: dtype | None = None) -> Tensor:
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own."""

def gradient(f: _Operand, *varargs: Any, axis: int | Sequence[int] | None = None, edge_order: int = 1) -> Any:
    """The slopes along each axis by differences: central ones inside, and one-sided ones at both ends."""

def greater(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def histogram(a: _Operand, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many elements lie in each bin, the edges of the bins). NaN lies in none."""

def histogram2d(x: _Operand, y: _Operand, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many points lie in each cell, the edges along x, those along y)."""

def histogram_bin_edges(a: _Operand, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of the bins of a histogram."""

def histogramdd(sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many points lie in each cell, a list of the edges along each coordinate)."""

def hypot(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

def in1d(ar1: _Operand, ar2: _Operand, invert: bool = False) -> Any:
    """Whether each element is among others."""

def indices(dimensions: int | Sequence[int], dtype: dtype = ..., sparse: bool = False) -> Any:
    """The index along each axis of every element of a shape: stacked; or in a tuple, each of size 1 along the other axes."""

def interp(x: _Operand, xp: _Operand, fp: _Operand, left: _Operand | None = None, right: _Operand | None = None) -> Any:
    """The function that is linear between points, and constant beyond them."""

def intersect1d(ar1: _Operand, ar2: _Operand, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The distinct elements of both, in ascending order."""

def invert(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def isfinite(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isin(element: _Operand, test_elements: _Operand, invert: bool = False) -> Any:
    """Whether each element is among others."""

def isinf(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Whether input is NaN; of integers false."""

def ix_(*args: Any) -> Any:
    """Indices along each of several axes, in shapes that broadcast to all their combinations; bools stand for where they are
    true.
    """

def less(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def log(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log1p(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

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

def nancumsum(a: _Operand, axis: int | None = None, dtype: dtype | None = None) -> Any:
    """The sums, without NaN, of all elements up to each along an axis."""

def nanmax(a: _Operand, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, keepdims: bool = False) -> Any:
    """The largest elements over axes of what is not NaN."""

def nanmean(a: _Operand, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, keepdims: bool = False) -> Any:
    """The means over axes of what is not NaN."""

def nanmin(a: _Operand, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, keepdims: bool = False) -> Any:
    """The smallest elements over axes of what is not NaN."""

def nanstd(a: _Operand, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The standard deviations over axes of what is not NaN; NaN where no more than ddof are left."""

def nansum(a: _Operand, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, keepdims: bool = False) -> Any:
    """The sums over axes of what is not NaN."""

def nanvar(a: _Operand, axis: int | Sequence[int] | None = None, dtype: dtype | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The variances over axes of what is not NaN; NaN where no more than ddof are left."""

def negative(a: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def not_equal(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def ones(shape: int | Sequence[int], dtype: dtype | None = ...) -> Tensor:
    """A tensor of ones, float32 unless dtype says otherwise."""

def piecewise(x: _Operand, condlist: Any, funclist: Any, *args: Any) -> Any:
    """At each position what the function of the last condition that is true gives, or that without a condition, or 0."""

def power(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is taken as 0 where the base is not positive."""

def rand(*size: int | Sequence[int], dtype: dtype | None = None) -> Tensor:
    """Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise."""

def randint(minval: int, maxval: int | None = None, shape: int | Sequence[int] | None = None, dtype: dtype = ...) -> Any:
    """Random integers of [minval, maxval), or of [0, minval) without maxval; one number without shape."""

def randn(*size: int | Sequence[int], dtype: dtype | None = None) -> Tensor:
    """standard_normal, converted to dtype."""

def ravel(x: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def ravel_multi_index(multi_index: Any, dims: int | Sequence[int], mode: str = 'clip', order: str = 'C') -> Any:
    """The numbers (int64) of elements counted in row-major order, given an index along each axis."""

def reciprocal(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """1 / input; integers are computed in float32."""

def remainder(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def reshape(x: _TensorLike, new_shape: int | Sequence[int]) -> Tensor:
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

def searchsorted(a: _TensorLike, v: _Operand, side: str = 'left', sorter: _TensorLike | None = None) -> Any:
    """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all."""

def select(condlist: Any, choicelist: Any, default: _Operand = 0) -> Any:
    """At each position the element of the choice whose condition is the first to be true there, or a default."""

def setdiff1d(ar1: _Operand, ar2: _Operand, assume_unique: bool = False) -> Any:
    """The distinct elements of ar1 that are not in ar2, in ascending order."""

def sign(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def sin(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

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

def take(a: _Operand, indices: Any, axis: int | None = None, mode: str = 'clip') -> Any:
    """Slices at positions along an axis, or elements at positions among all."""

def take_along_axis(arr: _TensorLike, indices: _TensorLike, axis: int | None) -> Any:
    """Elements at positions along an axis, one for each element of indices, which broadcasts along other axes."""

def tanh(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tile(a: _TensorLike, reps: int | Sequence[int]) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def transpose(a: _TensorLike, axes: int | Sequence[int] | None = None) -> Any:
    """Axes in another order; without arguments reversed. A view."""

def trapz(y: _Operand, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """The integral along an axis by the trapezoidal rule."""

def tril(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def tril_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """(the row and the column of each element of a matrix on a diagonal and below it, apart, int64), in row-major order."""

def tril_indices_from(arr: _TensorLike, k: int = 0) -> Any:
    """(the row and the column of each element of a matrix arr on a diagonal and below it, apart, int64), in row-major order."""

def triu(m: _TensorLike, k: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def triu_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """(the row and the column of each element of a matrix on a diagonal and above it, apart, int64), in row-major order."""

def triu_indices_from(arr: _TensorLike, k: int = 0) -> Any:
    """(the row and the column of each element of a matrix arr on a diagonal and above it, apart, int64), in row-major order."""

def true_divide(x1: _Operand, x2: _Operand, dtype: dtype | None = None) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def trunc(x: _TensorLike, dtype: dtype | None = None) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def union1d(ar1: _Operand, ar2: _Operand) -> Any:
    """The distinct elements of either, in ascending order."""

def unique(x: _TensorLike, return_inverse: bool = False) -> Any:
    """The distinct elements in the order of their first occurrence, 1-d. Each NaN is distinct."""

def unravel_index(indices: _Operand, shape: int | Sequence[int], order: str = 'C') -> Any:
    """The index (int64) along each axis of elements that are counted in row-major order; of the nearest if out of range."""

def var(x: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def where(condition: _Operand, x: _Operand, y: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def zeros(shape: int | Sequence[int], dtype: dtype | None = ...) -> Tensor:
    """A tensor of zeros, float32 unless dtype says otherwise."""

def __getattr__(name: str) -> Any: ...
