# Written by tools/stubs.py from the declarations.
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

_int = int
_float = float
_bool = bool
_complex = complex

class dtype: ...

_DType = dtype

class Number:
    def __getattr__(self, name: str) -> Any: ...

class Instruction:
    name: str
    operand: Any
    positions: Any
    target: _int
    line: _int
    looks_at: _int
    takes: _int
    puts: _int
    into: _bool
    def __init__(self, name: str, operand: Any, target: _int, line: _int, positions: Any) -> None: ...

class Frame:
    code: Any
    instructions: list[Instruction]
    handlers: list[Any]
    filename: str
    namespace: Any
    stack: list[Any]
    region: Any
    handled: Any
    pending: Any
    raised: Any
    callees: Any
    session: Any
    within: Any
    lost: dict[str, _int]
    arrivals: dict[_int, tuple[_int, _int]]
    at: _int
    here: _int
    before: _int
    steps: _int
    line: _int
    floor: _int
    low: _int
    eager: _bool
    called: _bool
    by_graph: _bool
    makes_cells: _bool
    def run(self, limit: _int, enter: _bool) -> Any: ...
    def execute(self, instruction: Instruction) -> Any: ...
    def call_at_line(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any: ...

class Context:
    leaves: Any
    inputs: Any
    made: dict[_int, Any]
    def __init__(self, leaves: Any, inputs: Any) -> None: ...

class Recipe:
    def __init__(self, kind: str, content: Any) -> None: ...
    def complete(self, build: Callable[[Context], Any]) -> None: ...
    def __call__(self, context: Context, /) -> Any: ...

class ResumePoint:
    at: _int
    def __init__(self, at: _int, build: Callable[[Context], Any], changed: frozenset[str]) -> None: ...

class Hiding: ...

class Continuation:
    graph: Any
    hiding: Hiding
    immediate: _bool

class Driver:
    continuations: list[Any]
    wanted: list[frozenset[str]]
    function: Any
    plain_code: Any
    prototype: Frame
    receiver: tuple[Any, ...]
    parameters: tuple[str, ...] | None
    calls: _int
    graph_calls: _int
    whole: _bool
    spent: _bool
    names_tensors: _bool
    def run(self, variables: dict[str, Any]) -> Any: ...

class Callees:
    by_code: dict[tuple[_int, _int], Any]

class Callee:
    graph: Any
    drivers: dict[tuple[_int, ...], Any]
    names: tuple[str, ...]
    frames: _int
    runs: _int
    graph_calls: _int
    broken: _bool
    def run(self, function: Any, /, *values: Any) -> Any: ...

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class Tensor:
    """An n-dimensional array of elements of one dtype, on the CPU. Ops and operators make new ones; views (`x[1:]`, `x.T`,
    `x.reshape(...)`) share the memory of what they view; `x[0] = 1` and methods that end in `_` write in place.
    """
    def __init__(self, input_data: Any = ..., dtype: Any = ..., shape: Any = ..., init: Any = ..., const_arg: Any = ..., device: Any = ..., internal: Any = ...) -> None: ...
    @property
    def H(self) -> Any:
        """A matrix transposed, and conjugated."""

    @property
    def T(self) -> Tensor:
        """The Tensor with its axes reversed, a view of the same memory."""

    def abs(self) -> Tensor:
        """|input|. The least signed integer, which has no opposite, stays itself."""

    def abs_(self) -> Tensor:
        """|input|. The least signed integer, which has no opposite, stays itself.

        It is written into self, which is returned.
        """

    def absolute(self) -> Tensor:
        """|input|. The least signed integer, which has no opposite, stays itself."""

    def acos(self) -> Tensor:
        """The arc cosine in radians; NaN beyond 1. Integers give float32."""

    def acosh(self) -> Tensor:
        """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

    @overload
    def add(self, other: _Operand) -> Tensor:
        """input + other, elementwise with broadcasting; of two bools, their disjunction."""

    @overload
    def add(self, other: _Operand, *, alpha: _Operand = 1) -> Any:
        """input + alpha * other, elementwise with broadcasting."""

    @overload
    def add_(self, other: _Operand) -> Tensor:
        """input + other, elementwise with broadcasting; of two bools, their disjunction.

        It is written into self, which is returned.
        """

    @overload
    def add_(self, other: _Operand, *, alpha: _Operand = 1) -> Tensor:
        """input + alpha * other, elementwise with broadcasting.

        It is written into self, which is returned.
        """

    def addbmm(self, batch1: _TensorLike, batch2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
        """beta * input + alpha * the sum of the products of two batches of matrices, (b, n, k) and (b, k, m)."""

    def addcdiv(self, tensor1: _Operand, tensor2: _Operand, value: _Operand = 1) -> Any:
        """input + value * tensor1 / tensor2, elementwise with broadcasting; quotients of integers are float32."""

    def addcmul(self, tensor1: _Operand, tensor2: _Operand, value: _Operand = 1) -> Any:
        """input + value * tensor1 * tensor2, elementwise with broadcasting."""

    def addmm(self, mat1: _TensorLike, mat2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
        """beta * input + alpha * (mat1 @ mat2)."""

    def addmm_(self, mat1: _TensorLike, mat2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Tensor:
        """beta * input + alpha * (mat1 @ mat2).

        It is written into self, which is returned.
        """

    def addmv(self, mat: _TensorLike, vec: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
        """beta * input + alpha * (mat @ vec), of a matrix (n, m) and a vector (m,); input broadcasts to (n,)."""

    def addr(self, vec1: _TensorLike, vec2: _TensorLike, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
        """beta * input + alpha * the outer product of two vectors, (n,) and (m,); input broadcasts to (n, m)."""

    def adjoint(self) -> Any:
        """Matrices, of the last two axes, transposed and conjugated."""

    def all(self, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False, *, dim: _int | Sequence[_int] | None = ..., keepdims: _bool = ..., keepdim: _bool = ...) -> Tensor:
        """Whether all elements over `axis` are true (not zero)."""

    def allclose(self, other: _Operand, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Any:
        """Whether all of input are near to other as isclose has it, a bool."""

    def amax(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
        """The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

    def amin(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
        """The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

    def aminmax(self, *, axis: _int | None = 0, keepdims: _bool = False) -> Any:
        """(the smallest elements along an axis, the largest); of all elements without one."""

    def angle(self) -> Tensor:
        """The angle of complex numbers in radians, within (-pi, pi]; of real numbers 0, or pi below zero."""

    def any(self, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False, *, dim: _int | Sequence[_int] | None = ..., keepdims: _bool = ..., keepdim: _bool = ...) -> Tensor:
        """Whether any element over `axis` is true (not zero)."""

    def approximate_equal(self, other: _Operand, tolerance: _float = 1e-05) -> Any:
        """Whether |x - y| < tolerance, elementwise with broadcasting."""

    def arccos(self) -> Tensor:
        """The arc cosine in radians; NaN beyond 1. Integers give float32."""

    def arccosh(self) -> Tensor:
        """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

    def arcsin(self) -> Tensor:
        """The arc sine in radians; NaN beyond 1. Integers give float32."""

    def arcsinh(self) -> Tensor:
        """The inverse hyperbolic sine. Integers give float32."""

    def arctan(self) -> Tensor:
        """The arc tangent in radians. Integers give float32."""

    def arctan2(self, other: _Operand) -> Tensor:
        """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

    def arctanh(self) -> Tensor:
        """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

    def argmax(self, dim: _int | None = None, keepdim: _bool = False, *, axis: _int | None = ..., keepdims: _bool = ...) -> Tensor:
        """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

    def argmax_with_value(self, axis: _int = 0, keep_dims: _bool = False) -> tuple[Tensor, Tensor]:
        """The largest element along `axis` and its index (int64), the first of equals. An element less than `initial` counts as that, and so does one where `where` is false, which needs `initial`."""

    def argmin(self, axis: _int | None = None, keepdims: _bool = False, *, dim: _int | None = ..., keepdim: _bool = ...) -> Tensor:
        """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

    def argmin_with_value(self, axis: _int = 0, keep_dims: _bool = False) -> tuple[Tensor, Tensor]:
        """The smallest element along `axis` and its index (int64), the first of equals. An element greater than `initial` counts as that, and so does one where `where` is false, which needs `initial`."""

    def argsort(self, axis: _int = -1, descending: _bool = False, *, stable: _bool = False, dim: _int = ...) -> Any:
        """The indices (int32) of the elements in order along an axis, of equals the lower index first; NaN is the largest."""

    def argwhere(self) -> Any:
        """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

    def asin(self) -> Tensor:
        """The arc sine in radians; NaN beyond 1. Integers give float32."""

    def asinh(self) -> Tensor:
        """The inverse hyperbolic sine. Integers give float32."""

    def asnumpy(self) -> Any:
        """The elements as an array of NumPy's that shares the memory: writes into one are seen in the other. It is a copy where
        elements stand at several indices (`broadcast_to`), and for bfloat16 if ml_dtypes is not installed (then in float32).
        """

    def assign_value(self, value: _TensorLike) -> Any:
        """Lets input hold what value holds, with value's shape and dtype; returns input."""

    def assign_value_cpp(self, value: _TensorLike) -> Any:
        """Lets input hold what value holds, with value's shape and dtype; returns input."""

    def astype(self, dtype: Any, copy: _bool = True) -> Any:
        """Converted to a dtype, which may be given by name ("int32"); of this dtype and with copy=False, itself."""

    def atan(self) -> Tensor:
        """The arc tangent in radians. Integers give float32."""

    def atan2(self, other: _Operand) -> Tensor:
        """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

    def atan2_(self, other: _Operand) -> Tensor:
        """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32.

        It is written into self, which is returned.
        """

    def atanh(self) -> Tensor:
        """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

    def baddbmm(self, batch1: _TensorLike, batch2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
        """beta * input + alpha * (batch1 @ batch2), of two batches of matrices, (b, n, k) and (b, k, m)."""

    def bernoulli(self, *, generator: Any = None) -> Any:
        """1 where a random number of [0, 1) is below input's element, the probability, else 0; in input's dtype."""

    def bernoulli_(self, p: _Operand = 0.5, *, generator: Any = None) -> Tensor:
        """1 with probability p, else 0: whether u < p, where u are those of rand() in input's shape.

        It is written into self, which is returned.
        """

    def bfloat16(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def bincount(self, weights: _TensorLike | None = None, minlength: _int = 0) -> Any:
        """How often each integer from 0 to the largest element is there, as float32, or the sums of their weights."""

    def bitwise_and(self, other: _Operand) -> Tensor:
        """input & other, elementwise with broadcasting. Floats are a TypeError."""

    def bitwise_left_shift(self, other: _Operand) -> Tensor:
        """input * 2^other of integers, elementwise with broadcasting, without the bits that leave the dtype; 0 if other is negative or no less than the number of bits."""

    def bitwise_not(self) -> Tensor:
        """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

    def bitwise_or(self, other: _Operand) -> Tensor:
        """input | other, elementwise with broadcasting. Floats are a TypeError."""

    def bitwise_right_shift(self, other: _Operand) -> Tensor:
        """input / 2^other of integers, rounded down, elementwise with broadcasting; 0 or -1, as the sign is, if other is negative or no less than the number of bits."""

    def bitwise_xor(self, other: _Operand) -> Tensor:
        """input ^ other, elementwise with broadcasting. Floats are a TypeError."""

    def bmm(self, mat2: _TensorLike) -> Tensor:
        """The products of two batches of matrices."""

    def bool(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def broadcast_to(self, *shape: _int | Sequence[_int]) -> Tensor:
        """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""

    def byte(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def cauchy(self, median: _float = 0.0, sigma: _float = 1.0) -> Any:
        """Random numbers of density sigma / (pi * (sigma ** 2 + (x - median) ** 2)) in input's shape, float32."""

    def ceil(self) -> Tensor:
        """Rounds up to an integer, in the dtype of input."""

    def ceil_(self) -> Tensor:
        """Rounds up to an integer, in the dtype of input.

        It is written into self, which is returned.
        """

    def char(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def cholesky(self, upper: _bool = False) -> Any:
        """L with a positive diagonal, for which L L^H is the input, or L^H."""

    def cholesky_inverse(self, upper: _bool = False) -> Any:
        """The inverse of a matrix by its Cholesky factor: of L L^H, or with upper of U^H U."""

    def cholesky_solve(self, input2: _TensorLike, upper: _bool = False) -> Any:
        """The x for which A x = input, of A by its Cholesky factor."""

    def choose(self, choices: Any, mode: str = 'clip') -> Any:
        """Of several Tensors at each position the element of that which a index names; all broadcast."""

    def chunk(self, chunks: _int, axis: _int = 0, *, dim: _int = ...) -> tuple[Any, ...]:
        """At most `chunks` pieces of one size along an axis; the last may be smaller. Views."""

    def clamp(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

    def clamp_(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError.

        It is written into self, which is returned.
        """

    def clip(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

    def clip_(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError.

        It is written into self, which is returned.
        """

    def clone(self, init: Any = 'same', name: str | None = None) -> Any:
        """A copy. Of a Parameter a new Parameter."""

    def col2im(self, output_size: Any, kernel_size: _int | Sequence[_int], dilation: _int | Sequence[_int], padding_value: _int | Sequence[_int], stride: _int | Sequence[_int]) -> Any:
        """The images (N, C, H, W) in which windows are summed, given as (N, C, kernel's size, windows). See fold."""

    def conj(self) -> Tensor:
        """The complex conjugate, re - im * i; of real numbers themselves."""

    @property
    def const_arg(self) -> Any:
        """False: what a graph takes for constant is guarded."""

    def contiguous(self) -> Tensor:
        """A Tensor of the same elements in row-major order without gaps: itself if it is so, else a copy."""

    @staticmethod
    def convert_bytes_to_tensor(data: bytes, shape: Any, dtype: Any) -> Any:
        """A Tensor of bytes such as get_bytes() gave."""

    def copy(self) -> Any:
        """A plain Tensor with memory of its own."""

    def copy_(self, src: _Operand, non_blocking: _bool = False) -> Tensor:
        """value, in the dtype of input.

        It is written into self, which is returned.
        """

    def copysign(self, other: _Operand) -> Tensor:
        """|x| with the sign of other, that of zeros and NaN too, elementwise with broadcasting. Integers give float32."""

    def cos(self) -> Tensor:
        """The cosine of radians of any size. Integers give float32."""

    def cos_(self) -> Tensor:
        """The cosine of radians of any size. Integers give float32.

        It is written into self, which is returned.
        """

    def cosh(self) -> Tensor:
        """The hyperbolic cosine. Integers give float32."""

    def count_nonzero(self, axis: _int | Sequence[_int] | None = (), keep_dims: _bool = False, dtype: _DType = ..., *, dim: _int | Sequence[_int] | None = ...) -> Any:
        """How many elements are not 0, over axes; over all if there are none. NaN is not 0."""

    def cov(self, *, correction: _int = 1, fweights: _TensorLike | None = None, aweights: _TensorLike | None = None) -> Any:
        """The covariance matrix of variables, which are the rows of input and whose samples its columns."""

    def cross(self, other: _TensorLike, dim: _int | None = None) -> Any:
        """The cross products of vectors along an axis of size 3, after broadcasting."""

    def cummax(self, axis: _int) -> tuple[Tensor, Tensor]:
        """The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""

    def cummin(self, axis: _int) -> Any:
        """(the smallest of all elements up to each along an axis, its position, as int32); of equals the last."""

    def cumprod(self, dim: _int, dtype: _DType | None = None) -> Any:
        """The products of all elements up to each along an axis, one after the other."""

    def cumsum(self, axis: _int | None = None, dtype: _DType | None = None, *, dim: _int | None = ...) -> Any:
        """Sums of all elements up to each along an axis, one after the other, in dtype (None: x's, or int32 of smaller integers
        and bools); without axis of all elements in row-major order, of shape (size,).
        """

    @property
    def data(self) -> Any:
        """A Tensor over the same memory, through which no gradient flows. Setting it gives the Tensor another content."""

    def data_ptr(self) -> _int:
        """The address of the first element, which holds as long as the Tensor lives and is not given other data. From then on the
        memory counts as shared: graphs read it anew in each call.
        """

    def data_sync(self, need_wait: _bool = False) -> None:
        """Does nothing: elements are computed when a call returns."""

    def deg2rad(self) -> Any:
        """Degrees in radians. Integers give float32."""

    def delete_(self, non_blocking: _bool = False) -> Tensor:
        """Lets go of the memory; the Tensor is empty then.

        It is written into self, which is returned.
        """

    @property
    def delta_seed(self) -> Any:
        """0: elements are there since the Tensor was made."""

    def det(self) -> Any:
        """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too."""

    @property
    def device(self) -> Any:
        """CPU: where the elements are."""

    def diag(self, diagonal: _int = 0) -> Any:
        """Of one axis the matrix with it as a diagonal, and zeros elsewhere; of a matrix the diagonal, a view."""

    def diagflat(self, offset: _int = 0) -> Any:
        """The matrix with all elements as a diagonal, and zeros elsewhere."""

    def diagonal(self, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, *, dim1: _int = ..., dim2: _int = ...) -> Tensor:
        """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

    def diagonal_scatter(self, src: _TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Any:
        """input with a diagonal replaced."""

    def diff(self, n: _int = 1, axis: _int = -1, prepend: _Operand | None = None, append: _Operand | None = None, *, dim: _int = ...) -> Any:
        """The differences of neighbours along an axis, n times; of bools whether they differ."""

    def digamma(self) -> Tensor:
        """psi(input), the derivative of lgamma: infinite at 0, NaN at integers below. Integers give float32."""

    def dim(self) -> Any:
        """The number of axes of a Tensor, an int."""

    @overload
    def div(self, other: _Operand = ..., *, value: _Operand = ...) -> Tensor:
        """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

    @overload
    def div(self, other: _Operand, *, rounding_mode: str | None = None) -> Any:
        """input / other, elementwise with broadcasting."""

    @overload
    def div_(self, other: _Operand = ..., *, value: _Operand = ...) -> Tensor:
        """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN.

        It is written into self, which is returned.
        """

    @overload
    def div_(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """input / other, elementwise with broadcasting.

        It is written into self, which is returned.
        """

    @overload
    def divide(self, other: _Operand = ..., *, value: _Operand = ...) -> Tensor:
        """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

    @overload
    def divide(self, other: _Operand, *, rounding_mode: str | None = None) -> Any:
        """input / other, elementwise with broadcasting."""

    def dot(self, other: _TensorLike) -> Any:
        """The sum of products over the last axis of input and the last but one of other, or its only one.

        With an operand without axes the product of both.
        """

    def double(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def dsplit(self, indices_or_sections: _int | Sequence[_int]) -> Any:
        """Pieces along axis 2. Views."""

    @property
    def dtype(self) -> _DType:
        """The type of the elements, such as ms.float32."""

    def eigvals(self) -> Any:
        """The eigenvalues of square matrices in no order, which are complex. See eig."""

    def eq(self, other: _Operand) -> Tensor:
        """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

    def equal(self, other: _Operand) -> Tensor:
        """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

    def erf(self) -> Tensor:
        """The error function, within 1.5 ulp. Integers give float32."""

    def erf_(self) -> Tensor:
        """The error function, within 1.5 ulp. Integers give float32.

        It is written into self, which is returned.
        """

    def erfc(self) -> Tensor:
        """1 - erf(input), exact where that is small. Integers give float32."""

    def erfinv(self) -> Tensor:
        """The inverse of erf: infinite at 1, NaN beyond. Integers give float32."""

    def erfinv_(self) -> Tensor:
        """The inverse of erf: infinite at 1, NaN beyond. Integers give float32.

        It is written into self, which is returned.
        """

    def exp(self) -> Tensor:
        """e to the power of input, within 1 ulp. Integers give float32."""

    def exp_(self) -> Tensor:
        """e to the power of input, within 1 ulp. Integers give float32.

        It is written into self, which is returned.
        """

    def expand(self, *size: _int | Sequence[_int]) -> Any:
        """Repeated along axes of size 1, and along new ones in front; -1 keeps a size. A view, which cannot be written."""

    def expand_as(self, other: _TensorLike = ..., *, x: _TensorLike = ...) -> Any:
        """Repeated along axes of size 1 to the shape of other. A view."""

    def expand_dims(self, axis: _int = ..., *, dim: _int = ...) -> Tensor:
        """Inserts an axis of size one. A view."""

    def expm1(self) -> Tensor:
        """exp(input) - 1, also exact near zero. Integers give float32."""

    def expm1_(self) -> Tensor:
        """exp(input) - 1, also exact near zero. Integers give float32.

        It is written into self, which is returned.
        """

    def exponential_(self, lambd: _float = 1.0, *, generator: Any = None) -> Tensor:
        """Random numbers of density lambd * exp(-lambd * x): -log1p(-u) / lambd, where u are those of rand().

        It is written into self, which is returned.
        """

    def fill(self, value: _Operand) -> Tensor:
        """One value in input's shape, and its dtype unless another is given."""

    def fill_(self, value: _Operand, non_blocking: _bool = False) -> Tensor:
        """value, in the dtype of input.

        It is written into self, which is returned.
        """

    def fill_diagonal(self, fill_value: _Operand, wrap: _bool = False) -> Any:
        """input with a number along its main diagonal, which goes on below a tall matrix with `wrap`."""

    def fill_diagonal_(self, fill_value: _Operand, wrap: _bool = False) -> Tensor:
        """input with a number along its main diagonal, which goes on below a tall matrix with `wrap`.

        It is written into self, which is returned.
        """

    def fills(self, value: _Operand) -> Tensor:
        """One value in input's shape, and its dtype unless another is given."""

    @overload
    def flatten(self, order: str = 'C', *, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

    @overload
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

    def flip(self, *dims: _int | Sequence[_int]) -> Tensor:
        """Reverses the order of elements along the given axes."""

    def fliplr(self) -> Any:
        """The second axis in reverse order."""

    def flipud(self) -> Any:
        """The first axis in reverse order."""

    def float(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def float_power(self, other: _Operand) -> Any:
        """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting."""

    def floor(self) -> Tensor:
        """Rounds down to an integer, in the dtype of input."""

    def floor_(self) -> Tensor:
        """Rounds down to an integer, in the dtype of input.

        It is written into self, which is returned.
        """

    def floor_div(self, y: _Operand = ..., *, other: _Operand = ...) -> Tensor:
        """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def floor_divide(self, other: _Operand) -> Tensor:
        """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def floor_divide_(self, other: _Operand) -> Tensor:
        """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.

        It is written into self, which is returned.
        """

    def floor_mod(self, y: _Operand = ..., *, other: _Operand = ...) -> Tensor:
        """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def flush_from_cache(self) -> None:
        """Does nothing: elements are computed, and in memory, when a call returns."""

    def fmax(self, other: _Operand) -> Tensor:
        """The larger of input and other, elementwise with broadcasting; NaN only where both are."""

    def fmin(self, other: _Operand) -> Tensor:
        """The smaller of input and other, elementwise with broadcasting; NaN only where both are."""

    def fmod(self, other: _Operand) -> Tensor:
        """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def fold(self, output_size: Any, kernel_size: _int | Sequence[_int], dilation: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, stride: _int | Sequence[_int] = 1) -> Any:
        """The images (N, C, H, W) in which windows are summed, given as columns (N, C * kernel's size, windows), or without N."""

    def frac(self) -> Any:
        """x less x rounded toward zero: the part with its sign behind the point; of integers zeros."""

    @staticmethod
    def from_dlpack(dlpack: Any, *, copy: _bool | None = None, device: Any = None) -> Any:
        """A Tensor over the memory of another library's tensor, as the Array API standard has it."""

    @staticmethod
    def from_numpy(array: Any) -> Any:
        """A Tensor over the memory of an array of NumPy, without a copy."""

    @overload
    def gather(self, input_indices: _TensorLike, axis: _int, batch_dims: _int = 0) -> Tensor:
        """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

    @overload
    def gather(self, dim: _int, index: _TensorLike) -> Tensor:
        """For each position of `index` the element of x there, with `dim` replaced by the index."""

    def gather_d(self, dim: _int, index: _TensorLike) -> Tensor:
        """For each position of `index` the element of x there, with `dim` replaced by the index."""

    def gather_elements(self, dim: _int, index: _TensorLike) -> Tensor:
        """For each position of `index` the element of x there, with `dim` replaced by the index."""

    def gather_nd(self, indices: _TensorLike) -> Any:
        """The elements, or slices of other axes, that rows of indices name."""

    def gcd(self, other: _Operand) -> Tensor:
        """The greatest common divisor of integers, not negative, elementwise with broadcasting; of 0 and x it is |x|."""

    def ge(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise with broadcasting."""

    def geqrf(self) -> Any:
        """(R on and above the diagonal, with Householder vectors below; their factors tau), as LAPACK packs them. See orgqr.

        Of its results there is no gradient; ops.qr has one.
        """

    def ger(self, vec2: _TensorLike) -> Any:
        """The products of each element of a vector with each of another, of shape (n, m)."""

    def get_bytes(self) -> bytes:
        """The bytes of the elements in row-major order, as they lie in memory (little-endian)."""

    def getitem_index_info(self, index: Any, is_ascend: _bool = False) -> Any:
        """What x[index] reads, as MindSpore tells of what needs no further op: (None, (27,), (x[index],))."""

    def greater(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise with broadcasting."""

    def greater_equal(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise with broadcasting."""

    def gt(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise with broadcasting."""

    def half(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def hardshrink(self, lambd: _float = 0.5) -> Any:
        """input, but 0 within [-lambd, lambd]."""

    @property
    def has_init(self) -> Any:
        """False: elements are there since the Tensor was made."""

    def heaviside(self, values: _Operand) -> Any:
        """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN."""

    def histc(self, bins: _int = 100, min: _float = 0.0, max: _float = 0.0) -> Any:
        """How many elements lie in each of some bins of one width, in the input's dtype. NaN lies in none."""

    def hooks(self) -> Any:
        """The hooks of the Tensor's gradient, a list."""

    def hsplit(self, indices_or_sections: _int | Sequence[_int]) -> Any:
        """Pieces along axis 1, or the only one. Views."""

    def hypot(self, other: _Operand) -> Tensor:
        """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

    def hypot_(self, other: _Operand) -> Tensor:
        """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32.

        It is written into self, which is returned.
        """

    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind, of order 0. Integers give float32."""

    def igamma(self, other: _Operand) -> Tensor:
        """The regularised lower incomplete gamma function P(input, other), elementwise with broadcasting; NaN below zero. Integers give float32."""

    def igammac(self, other: _Operand) -> Tensor:
        """The regularised upper incomplete gamma function Q(input, other) = 1 - P, elementwise with broadcasting; NaN below zero. Integers give float32."""

    def imag(self) -> Any:
        """The imaginary part, a view; of real numbers zeros."""

    def index(self, indices: Sequence[_TensorLike]) -> Any:
        """The elements at indices, a Tensor of integers or bools for each of the first axes, which broadcast."""

    def index_add(self, dim: _int = ..., index: _TensorLike = ..., source: _TensorLike = ..., *, alpha: _Operand = 1, axis: _int = ...) -> Any:
        """input with alpha * source added at positions along an axis, in their order."""

    def index_add_(self, dim: _int, index: _TensorLike, source: _TensorLike, *, alpha: _Operand = 1) -> Tensor:
        """input with alpha * source added at positions along an axis, in their order.

        It is written into self, which is returned.
        """

    def index_copy_(self, dim: _int, index: _TensorLike, source: _TensorLike) -> Tensor:
        """input with source at positions along an axis; of equal positions the last counts.

        It is written into self, which is returned.
        """

    def index_fill(self, axis: _int = ..., index: _TensorLike = ..., value: _Operand = ..., *, dim: _int = ...) -> Any:
        """input with a number at positions along an axis."""

    def index_fill_(self, dim: _int, index: _TensorLike, value: _Operand) -> Tensor:
        """input with a number at positions along an axis.

        It is written into self, which is returned.
        """

    @property
    def index_of_parent_(self) -> Any:
        """None: MindSpore's own, which nothing here sets."""

    def index_put(self, indices: Any, values: _TensorLike, accumulate: _bool = False) -> Any:
        """input with input[indices] = values, or += values in the order of the positions."""

    def index_put_(self, indices: Any, values: _TensorLike, accumulate: _bool = False) -> Tensor:
        """input with input[indices] = values, or += values in the order of the positions.

        It is written into self, which is returned.
        """

    def index_select(self, axis: _int = ..., index: _TensorLike = ..., *, dim: _int = ...) -> Tensor:
        """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

    @property
    def init(self) -> Any:
        """None: elements are there since the Tensor was made."""

    def init_data(self, slice_index: _int | None = None, shape: Any = None, opt_shard_group: str | None = None) -> Any:
        """input itself, whose elements are there since it was made."""

    @property
    def init_finished(self) -> Any:
        """True: elements are there since the Tensor was made."""

    @property
    def init_flag(self) -> Any:
        """False: elements are there since the Tensor was made."""

    def inner(self, other: _TensorLike) -> Any:
        """The sum of products over the last axis of both, of shape input's other axes, then other's.

        With an operand without axes the product of both.
        """

    def inplace_update(self, v: _TensorLike, indices: Any) -> Any:
        """A copy of x, where indices name slices along the first axis: an element becomes the update."""

    def int(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def inv(self) -> Any:
        """1 / x of each element, which is no inverse of matrices; of integers truncated."""

    def inverse(self) -> Any:
        """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve."""

    def invert(self) -> Tensor:
        """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

    def is_complex(self) -> Any:
        """Whether the dtype is complex64 or complex128."""

    def is_contiguous(self) -> _bool:
        """Whether the elements lie in row-major order without gaps. Ops take Tensors of any strides."""

    def is_floating_point(self) -> Any:
        """Whether the dtype is of floating point."""

    def is_init(self) -> Any:
        """False: elements are there since a Tensor was made, in memory of this process."""

    @property
    def is_meta(self) -> Any:
        """False: elements are there."""

    def is_pinned(self) -> Any:
        """False: elements are there since a Tensor was made, in memory of this process."""

    def is_shared(self) -> Any:
        """False: elements are there since a Tensor was made, in memory of this process."""

    def is_signed(self) -> Any:
        """Whether the dtype has negative numbers."""

    def isclose(self, other: _Operand, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Any:
        """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
        alone, NaN to nothing, or with equal_nan to NaN.
        """

    def isfinite(self) -> Tensor:
        """Whether input is neither infinite nor NaN; of integers true."""

    def isinf(self) -> Tensor:
        """Whether input is infinite, of either sign; of integers false."""

    def isnan(self) -> Tensor:
        """Whether input is NaN; of integers false."""

    def isneginf(self) -> Any:
        """Which elements are negative infinity: of integers none."""

    def isposinf(self) -> Any:
        """Which elements are positive infinity: of integers none."""

    def isreal(self) -> Any:
        """Which elements have no imaginary part: for real dtypes all."""

    def item(self, index: Any = None, /) -> Any:
        """One element as a Python number."""

    def itemset(self, *args: Any) -> Any:
        """A copy with another element: itemset(value) of a single one, itemset(index, value)."""

    @property
    def itemsize(self) -> _int:
        """The bytes of one element, an int."""

    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False) -> Any:
        """(the k-th smallest elements along an axis, their indices as int64).

        Of equals the lower index comes first; NaN is the largest.
        """

    def lcm(self, other: _Operand) -> Tensor:
        """The least common multiple of integers, elementwise with broadcasting; 0 where one is 0. It wraps."""

    def ldexp(self, other: _Operand) -> Any:
        """x * 2^other, elementwise with broadcasting. Integers give float32."""

    def le(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise with broadcasting."""

    def lerp(self, end: _Operand, weight: _Operand) -> Any:
        """input + weight * (end - input), elementwise with broadcasting."""

    def less(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise with broadcasting."""

    def less_equal(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise with broadcasting."""

    def lgamma(self) -> Tensor:
        """log |Gamma(input)|; infinite at integers up to 0. Integers give float32."""

    def log(self) -> Tensor:
        """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

    def log10(self) -> Tensor:
        """The logarithm to the base 10; -inf at zero, NaN below. Integers give float32."""

    def log1p(self) -> Tensor:
        """log(1 + input), also exact near zero. Integers give float32."""

    def log1p_(self) -> Tensor:
        """log(1 + input), also exact near zero. Integers give float32.

        It is written into self, which is returned.
        """

    def log2(self) -> Tensor:
        """The logarithm to the base 2; -inf at zero, NaN below. Integers give float32."""

    def log_(self) -> Tensor:
        """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32.

        It is written into self, which is returned.
        """

    def log_matrix_determinant(self) -> Any:
        """(the sign of the determinants, the logarithm of their magnitude), by LU factorisation (LAPACK).

        The sign of a complex number is that divided by its magnitude; of 0 it is 0, and the logarithm -inf.
        """

    def log_normal(self, mean: _float = 1.0, std: _float = 2.0) -> Any:
        """Numbers whose logarithms have a mean and deviation, exp(mean + std * z), in input's shape and dtype."""

    def logaddexp(self, other: _Operand) -> Tensor:
        """log(e^input + e^other) without overflow, elementwise with broadcasting. Integers give float32."""

    def logaddexp2(self, other: _Operand) -> Tensor:
        """The logarithm to the base 2 of 2^input + 2^other, elementwise with broadcasting. Integers give float32."""

    def logcumsumexp(self, axis: _int) -> Any:
        """The logarithms of the sums of the exponentials of all elements up to each along an axis, without overflow."""

    def logdet(self) -> Any:
        """The logarithm of the determinants of matrices: -inf of 0, NaN of what is negative. See slogdet."""

    def logical_and(self, other: _Operand) -> Tensor:
        """Whether both are true; numbers are true if they are not zero."""

    def logical_not(self) -> Tensor:
        """Whether input is false; numbers are true if they are not zero."""

    def logical_or(self, other: _Operand) -> Tensor:
        """Whether one at least is true; numbers are true if they are not zero."""

    def logical_xor(self, other: _Operand) -> Tensor:
        """Whether exactly one is true; numbers are true if they are not zero."""

    def logit(self, eps: _float | None = None) -> Any:
        """log(x / (1 - x)) of input, the inverse of sigmoid; NaN outside of [0, 1]. Integers give float32."""

    def logsumexp(self, dim: _int | Sequence[_int] | None, keepdim: _bool = False) -> Any:
        """The logarithm of the sum of the exponentials over axes, without overflow."""

    def long(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def lstsq(self, A: _TensorLike) -> Any:
        """The x for which |input x - A| is smallest, and of several the shortest, of a matrix of full rank; by QR."""

    def lt(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise with broadcasting."""

    def lu_solve(self, LU_data: _TensorLike, LU_pivots: _TensorLike) -> Any:
        """The x for which A x = b, of A by its LU factors. See lu_unpack."""

    @property
    def mH(self) -> Any:
        """Matrices, of the last two axes, transposed, and conjugated."""

    @property
    def mT(self) -> Any:
        """Matrices, of the last two axes, transposed."""

    def masked_fill(self, mask: _TensorLike, value: _Operand) -> Tensor:
        """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError."""

    def masked_fill_(self, mask: _TensorLike, value: _Operand) -> Tensor:
        """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError.

        It is written into self, which is returned.
        """

    def masked_scatter(self, mask: _TensorLike, source: _TensorLike) -> Any:
        """input with the elements of source, one after the other, where mask is true."""

    def masked_scatter_(self, mask: _TensorLike, source: _TensorLike) -> Tensor:
        """input with the elements of source, one after the other, where mask is true.

        It is written into self, which is returned.
        """

    def masked_select(self, mask: _TensorLike) -> Any:
        """The elements where a mask, which broadcasts with the input, is true, in one axis."""

    def matmul(self, other: _TensorLike = ..., *, tensor2: _TensorLike = ...) -> Tensor:
        """The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again."""

    def matrix_determinant(self) -> Any:
        """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too."""

    def matrix_power(self, n: _int) -> Any:
        """The product of n square matrices, by repeated squaring; of their inverses if n is negative."""

    @overload
    def max(self, *, dim: _int, keepdim: _bool = False) -> Any:
        """(largest elements along an axis, their indices as int64), of equals the first; without an axis (largest of all, 0)."""

    @overload
    def max(self, dim: _int, *, keepdim: _bool) -> Any:
        """(largest elements along an axis, their indices as int64), of equals the first; without an axis (largest of all, 0)."""

    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> Any:
        """What max_with_index gives; in GRAPH_MODE the elements alone, without their indices."""

    @overload
    def max(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, *, initial: _Operand | None = None, where: Any = True, return_indices: _bool = False, keep_dims: _bool = ..., keepdim: _bool = ...) -> Any:
        """The largest element of all, or along axes."""

    def maximum(self, other: _Operand) -> Tensor:
        """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

    def mean(self, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False, *, dtype: _DType | None = None, dim: _int | Sequence[_int] | None = ..., keepdims: _bool = ..., keepdim: _bool = ...) -> Tensor:
        """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

    def median(self, axis: _int = -1, keepdims: _bool = False, *, dim: _int = ..., keepdim: _bool = ...) -> Any:
        """(medians along an axis, the lower of two; their indices as int64). NaN, and the first index of one, if there is one."""

    @overload
    def min(self, *, dim: _int, keepdim: _bool = False) -> Any:
        """(smallest elements along an axis, their indices as int64), of equals the first; without an axis (smallest of all, 0)."""

    @overload
    def min(self, dim: _int, *, keepdim: _bool) -> Any:
        """(smallest elements along an axis, their indices as int64), of equals the first; without an axis (smallest of all, 0)."""

    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> Any:
        """What min_with_index gives; in GRAPH_MODE the elements alone, without their indices."""

    @overload
    def min(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, *, initial: _Operand | None = None, where: Any = True, return_indices: _bool = False, keep_dims: _bool = ..., keepdim: _bool = ...) -> Any:
        """The smallest element of all, or along axes."""

    def minimum(self, other: _Operand) -> Tensor:
        """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

    def mm(self, mat2: _TensorLike) -> Any:
        """The product of two matrices."""

    def move_to(self, to: str, blocking: _bool = True) -> Any:
        """input itself."""

    def moveaxis(self, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Any:
        """Axes at other places; those that are not named keep their order. A view."""

    def movedim(self, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Any:
        """Axes at other places; those that are not named keep their order. A view."""

    def msort(self) -> Any:
        """The elements in ascending order along the first axis; NaN is the largest."""

    def mul(self, other: _Operand) -> Tensor:
        """input * other, elementwise with broadcasting; of two bools, their conjunction."""

    def mul_(self, other: _Operand) -> Tensor:
        """input * other, elementwise with broadcasting; of two bools, their conjunction.

        It is written into self, which is returned.
        """

    def multinomial(self, num_samples: _int, replacement: _bool = True, seed: _int | None = None) -> Any:
        """Categories, drawn with the probabilities that input's elements have in a row's sum."""

    def multiply(self, value: _Operand = ..., *, other: _Operand = ...) -> Tensor:
        """input * other, elementwise with broadcasting; of two bools, their conjunction."""

    def mvlgamma(self, p: _int) -> Any:
        """The logarithm of the multivariate gamma function of dimension p: log Gamma(input - j / 2) summed over j < p, and
        p (p - 1) / 4 log pi. NaN where input is not above (p - 1) / 2. Integers give float32.
        """

    def nan_to_num(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Any:
        """input with other numbers in place of NaN and infinities; integers as they are."""

    def nanmean(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, *, dtype: _DType | None = None) -> Any:
        """The means over axes of what is not NaN."""

    def nanmedian(self, axis: _int = -1, keepdims: _bool = False) -> Any:
        """(medians along an axis of what is not NaN, the lower of two; their indices as int64); NaN where there is nothing else."""

    def nanquantile(self, q: Any, axis: _int | None = None, keepdims: _bool = False) -> Any:
        """The quantiles along an axis, of the two nearest elements in between, of what is not NaN; NaN where there is nothing else."""

    def nansum(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, *, dtype: _DType | None = None) -> Any:
        """The sums over axes of what is not NaN."""

    def narrow(self, axis: _int = ..., start: _int = ..., length: _int = ..., *, dim: _int = ...) -> Any:
        """The elements from start on along an axis, as many as length. A view."""

    @property
    def nbytes(self) -> _int:
        """The bytes of all elements, an int."""

    @property
    def ndim(self) -> _int:
        """The number of axes, an int."""

    def ndimension(self) -> Any:
        """The number of axes of a Tensor, an int."""

    def ne(self, other: _Operand) -> Tensor:
        """Whether input differs from other, elementwise with broadcasting."""

    def neg(self) -> Tensor:
        """-input. Unsigned integers wrap; bool is a TypeError."""

    def neg_(self) -> Tensor:
        """-input. Unsigned integers wrap; bool is a TypeError.

        It is written into self, which is returned.
        """

    def negative(self) -> Tensor:
        """-input. Unsigned integers wrap; bool is a TypeError."""

    def nelement(self) -> Any:
        """The number of elements of a Tensor, an int."""

    def new_empty(self, size: _int | Sequence[_int], *, dtype: _DType | None = None, device: Any = None) -> Any:
        """A Tensor with this one's dtype unless another is given. Its elements are zeros."""

    def new_full(self, size: _int | Sequence[_int], fill_value: _Operand, *, dtype: _DType | None = None) -> Any:
        """A Tensor of one value with this one's dtype unless another is given."""

    def new_ones(self, size: _int | Sequence[_int], dtype: _DType | None = None) -> Any:
        """A Tensor of ones with this one's dtype unless another is given."""

    def new_zeros(self, size: _int | Sequence[_int], dtype: _DType | None = None) -> Any:
        """A Tensor of zeros with this one's dtype unless another is given."""

    def nextafter(self, other: _Operand) -> Tensor:
        """The number next to input on the way to other, elementwise with broadcasting; other itself where they are equal. Both must be float32, or both float64, else a TypeError."""

    def nonzero(self, *, as_tuple: _bool = False) -> Any:
        """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

    @overload
    def norm(self, ord: Any = None, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _DType | None = None) -> Any:
        """The norm of a vector along an axis, or of the matrices that two axes are. See vector_norm and matrix_norm."""

    @overload
    def norm(self, p: Any = 'fro', dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _DType | None = None) -> Any:
        """The norm of all elements along axes as of a vector; with p "nuc" the nuclear norm of matrices."""

    def normal_(self, mean: _float = 0.0, std: _float = 1.0, *, generator: Any = None) -> Tensor:
        """Random numbers of a mean and deviation: mean + z * std, where z are those of randn() in input's shape and dtype.

        It is written into self, which is returned.
        """

    def not_equal(self, other: _Operand) -> Tensor:
        """Whether input differs from other, elementwise with broadcasting."""

    def numel(self) -> Any:
        """The number of elements of a Tensor, an int."""

    def numpy(self) -> Any:
        """The same as `asnumpy()`."""

    def offload(self, file_path: Any = None) -> Any:
        """Refused: elements are in memory."""

    def offload_file_path(self) -> Any:
        """The empty string: elements are in memory."""

    def orgqr(self, input2: _TensorLike) -> Any:
        """The first n columns of the product of the reflections I - tau_i v_i v_i^H: Q of what geqrf gives."""

    def ormqr(self, input2: _TensorLike, input3: _TensorLike, left: _bool = True, transpose: _bool = False) -> Any:
        """The product of the reflections I - tau_i v_i v_i^H and a matrix: Q of what geqrf gives, (..., m, m), times it."""

    def outer(self, vec2: _TensorLike) -> Any:
        """The products of each element of a vector with each of another, of shape (n, m)."""

    @property
    def param_info(self) -> Any:
        """None: how Parameters are split among devices, of which there is one."""

    @property
    def parent_tensor_(self) -> Any:
        """None: MindSpore's own, which nothing here sets."""

    def permute(self, *dims: _int | Sequence[_int], axis: _int | Sequence[_int] = ...) -> Tensor:
        """Axis i of the result is axis dims[i] of the operand. A view."""

    def pin_memory(self) -> Any:
        """Refused: there is no device that pinned memory would be copied to."""

    def positive(self) -> Any:
        """input itself."""

    def pow(self, exponent: _Operand) -> Tensor:
        """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative."""

    def pow_(self, exponent: _Operand) -> Tensor:
        """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative.

        It is written into self, which is returned.
        """

    def prod(self, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False, dtype: _DType | None = None, *, dim: _int | Sequence[_int] | None = ..., keepdims: _bool = ..., keepdim: _bool = ...) -> Tensor:
        """Multiplies the elements over `axis`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

    def ptp(self, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False) -> Any:
        """The largest element less the smallest, of all or along axes; NaN if there is one."""

    def put_(self, index: _TensorLike, source: _TensorLike, accumulate: _bool = False) -> Tensor:
        """input with source at positions among all elements, or added there in their order.

        It is written into self, which is returned.
        """

    def qr(self, some: _bool = True) -> Any:
        """(Q, R), complete without `some`. See ops.qr."""

    def quantile(self, q: Any, axis: _int | None = None, keepdims: _bool = False) -> Any:
        """The quantiles along an axis, of the two nearest elements in between; NaN if there is one."""

    def rad2deg(self) -> Any:
        """Radians in degrees. Integers give float32."""

    def random_(self, from_: _int = 0, to: _int | None = None, *, generator: Any = None) -> Tensor:
        """Random integers of [from_, to), those of randint(); without `to` as far as input's dtype holds all integers.

        It is written into self, which is returned.
        """

    def random_categorical(self, num_sample: _int, seed: _int = 0, dtype: _DType = ...) -> Any:
        """Categories, drawn with the probabilities softmax(logits) of each row."""

    def ravel(self) -> Any:
        """All elements in one axis: a view where they are in order."""

    def real(self) -> Any:
        """The real part, a view; of real numbers input itself."""

    def reciprocal(self) -> Tensor:
        """1 / input; integers are computed in float32."""

    def reciprocal_(self) -> Tensor:
        """1 / input; integers are computed in float32.

        It is written into self, which is returned.
        """

    def register_hook(self, hook: Any) -> Any:
        """Calls hook(gradient) whenever the gradient of this Tensor has been computed; what it returns, if not None, takes the
        gradient's place. The handle that is returned removes the hook.
        """

    def relu_(self) -> Tensor:
        """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0.

        It is written into self, which is returned.
        """

    def remainder(self, other: _Operand = ..., *, divisor: _Operand = ...) -> Tensor:
        """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def remainder_(self, other: _Operand = ..., *, divisor: _Operand = ...) -> Tensor:
        """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.

        It is written into self, which is returned.
        """

    def remove_hook(self, handle: Any) -> None:
        """Removes a hook by what register_hook() gave."""

    def renorm(self, p: _float, axis: _int, maxnorm: _float) -> Any:
        """Each part along an axis whose norm of order p is larger than maxnorm, scaled down to that."""

    @overload
    def repeat(self, *repeats: _int | Sequence[_int]) -> Any:
        """The whole Tensor again and again along each axis; more numbers than axes add axes in front."""

    @overload
    def repeat(self, repeats: _int | Sequence[_int], axis: _int | None) -> Any:
        """Each element again and again along an axis; None: all elements in a single one."""

    def repeat_interleave(self, repeats: Any, dim: _int | None = None, *, output_size: _int | None = None, axis: _int | None = ...) -> Any:
        """Each element repeated along an axis, or without one in row-major order."""

    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Sets whether optimizers train a Parameter; returns input. Of a Tensor that is none nothing changes.

        It is written into self, which is returned.
        """

    def reshape(self, *shape: _int | Sequence[_int]) -> Tensor:
        """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

    def reshape_as(self, other: _TensorLike) -> Any:
        """The same elements under the shape of other."""

    def resize(self, *new_shape: _int | Sequence[_int]) -> Any:
        """The elements in their order under another shape: those that there are too many of are left out, missing ones are 0."""

    def reverse(self, axis: _int | Sequence[_int]) -> Tensor:
        """Reverses the order of elements along the given axes."""

    def reverse_sequence(self, seq_lengths: _TensorLike, seq_dim: _int = 0, batch_dim: _int = 0) -> Any:
        """Of each example the first elements along an axis in reverse order, as many as its length; the others stay."""

    def roll(self, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = None) -> Any:
        """Elements moved along axes; those that pass the end come in at the front."""

    def rot90(self, k: _int, dims: _int | Sequence[_int]) -> Any:
        """Turned by 90 degrees in the plane of two axes, from the first towards the second."""

    def round(self, decimals: _int = 0) -> Tensor:
        """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input."""

    def round_(self, *, decimals: _int = 0) -> Tensor:
        """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input.

        It is written into self, which is returned.
        """

    def rsqrt(self) -> Tensor:
        """1 / sqrt(input); infinite at zero, NaN below. Integers give float32."""

    def rsqrt_(self) -> Tensor:
        """1 / sqrt(input); infinite at zero, NaN below. Integers give float32.

        It is written into self, which is returned.
        """

    @overload
    def scatter(self, dim: _int = ..., index: _TensorLike = ..., src: _Operand = ..., *, axis: _int = ...) -> Any:
        """input with src at the positions that index names along an axis; of equal positions the last counts."""

    @overload
    def scatter(self, dim: _int, index: _TensorLike, src: _Operand, reduce: str) -> Any:
        """input with src put in at the positions that index names along an axis, in their order."""

    @overload
    def scatter_(self, dim: _int, index: _TensorLike, src: _Operand = ..., *, value: _Operand = ...) -> Tensor:
        """input with src at the positions that index names along an axis; of equal positions the last counts.

        It is written into self, which is returned.
        """

    @overload
    def scatter_(self, dim: _int, index: _TensorLike, src: _Operand = ..., *, reduce: str, value: _Operand = ...) -> Tensor:
        """input with src put in at the positions that index names along an axis, in their order.

        It is written into self, which is returned.
        """

    @overload
    def scatter_add(self, indices: _TensorLike, updates: _TensorLike) -> Any:
        """input_x, in which an element that a row of indices names is its sum with the update."""

    @overload
    def scatter_add(self, dim: _int, index: _TensorLike, src: _TensorLike) -> Any:
        """input with src added at the positions that index names along an axis, in their order."""

    def scatter_add_(self, dim: _int, index: _TensorLike, src: _TensorLike) -> Tensor:
        """input with src added at the positions that index names along an axis, in their order.

        It is written into self, which is returned.
        """

    def scatter_div(self, indices: _TensorLike, updates: _TensorLike) -> Any:
        """input_x, in which an element that a row of indices names is its quotient by the update; of integers truncated, and 0 if that is by zero."""

    def scatter_max(self, indices: _TensorLike, updates: _TensorLike) -> Any:
        """input_x, in which an element that a row of indices names is the larger of it and the update."""

    def scatter_min(self, indices: _TensorLike, updates: _TensorLike) -> Any:
        """input_x, in which an element that a row of indices names is the smaller of it and the update."""

    def scatter_mul(self, indices: _TensorLike, updates: _TensorLike) -> Any:
        """input_x, in which an element that a row of indices names is its product with the update."""

    def scatter_sub(self, indices: _TensorLike, updates: _TensorLike) -> Any:
        """input_x, in which an element that a row of indices names is its difference from the update."""

    def searchsorted(self, v: _Operand, side: str = 'left', sorter: _TensorLike | None = None) -> Any:
        """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all."""

    @overload
    def select(self, dim: _int = 0, index: _int = ..., *, axis: _int = ...) -> Tensor:
        """The element at `index` of an axis, without that axis: input[index] for axis 0. A view."""

    @overload
    def select(self, condition: _TensorLike, other: _Operand = ..., *, y: _Operand = ...) -> Any:
        """input where condition is true, other elsewhere, with broadcasting."""

    def select_scatter(self, src: _TensorLike, axis: _int, index: _int) -> Any:
        """input with the slice at an index along an axis replaced."""

    def set_(self, source: Any = None, storage_offset: _int = 0, size: _int | Sequence[_int] | None = None, stride: _int | Sequence[_int] | None = None) -> Tensor:
        """Lets input share the memory of source; returns input.

        It is written into self, which is returned.
        """

    def set_cast_dtype(self, dtype: Any = None) -> None:
        """Does nothing: casts are where the program says."""

    def set_const_arg(self, const_arg: _bool = True) -> Any:
        """input itself: a graph guards on what it takes for constant, and is made anew where that changes."""

    def set_data(self, data: Any, slice_shape: _bool = False) -> Any:
        """Gives a Parameter another value of the same dtype and shape."""

    def set_device_address(self, address: Any = None, shape: Any = None, dtype: Any = None) -> Any:
        """Refused: from_dlpack() and from_numpy() take memory of others."""

    def set_dtype(self, dtype: _DType) -> Any:
        """Converts input, in place, to a dtype, which is returned."""

    def set_init_flag(self, flag: _bool) -> None:
        """Does nothing: elements are there since a Tensor was made."""

    def set_param_info(self, param_info: Any = None) -> Any:
        """Refused: Parameters are not split among devices."""

    def setitem_index_info(self, index: Any, value: Any, is_ascend: _bool = False) -> Any:
        """Sets x[index] = value; tells of it as MindSpore does: ("view", (), (), (27,), (x[index],))."""

    def sgn(self) -> Tensor:
        """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

    @property
    def shape(self) -> tuple[_int, ...]:
        """The sizes of the axes, a tuple of ints. In a captured function they are symbols, which fit other sizes later."""

    def short(self) -> Tensor:
        """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-input)), without overflow. Integers give float32."""

    def sigmoid_(self) -> Tensor:
        """1 / (1 + exp(-input)), without overflow. Integers give float32.

        It is written into self, which is returned.
        """

    def sign(self) -> Tensor:
        """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

    def sign_(self) -> Tensor:
        """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0.

        It is written into self, which is returned.
        """

    def signbit(self) -> Tensor:
        """Whether input is below zero, or -0.0, or a NaN with that sign."""

    def sin(self) -> Tensor:
        """The sine of radians of any size. Integers give float32."""

    def sin_(self) -> Tensor:
        """The sine of radians of any size. Integers give float32.

        It is written into self, which is returned.
        """

    def sinc(self) -> Tensor:
        """sin(pi input) / (pi input), 1 at zero. Integers give float32."""

    def sinh(self) -> Tensor:
        """The hyperbolic sine. Integers give float32."""

    @property
    def size(self) -> _int:
        """The number of elements, an int."""

    def slice_scatter(self, src: _TensorLike, axis: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1) -> Any:
        """input with the slices start:end:step along an axis replaced."""

    def slogdet(self) -> Any:
        """(the sign of the determinants, the logarithm of their magnitude), by LU factorisation (LAPACK).

        The sign of a complex number is that divided by its magnitude; of 0 it is 0, and the logarithm -inf.
        """

    def soft_shrink(self, lambd: _float = 0.5) -> Any:
        """input, by lambd nearer to 0, and 0 within [-lambd, lambd]."""

    @overload
    def softmax(self, axis: _int) -> Tensor:
        """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""

    @overload
    def softmax(self, axis: _int, dtype: _DType | None = None) -> Any:
        """exp(input) over its sum along an axis, computed from input less its largest element."""

    def sort(self, axis: _int = -1, descending: _bool = False, *, stable: _bool = False, dim: _int = ...) -> Any:
        """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest."""

    def split(self, split_size_or_sections: _int | Sequence[_int] = ..., axis: _int = 0, *, split_size: _int | Sequence[_int] = ..., dim: _int = ...) -> tuple[Tensor, ...]:
        """Pieces along an axis: of one size, the last of which may be smaller, or of the given sizes. Views."""

    def sqrt(self) -> Tensor:
        """The square root, correctly rounded; NaN below zero. Integers give float32."""

    def sqrt_(self) -> Tensor:
        """The square root, correctly rounded; NaN below zero. Integers give float32.

        It is written into self, which is returned.
        """

    def square(self) -> Tensor:
        """input * input. Bool is a TypeError."""

    def square_(self) -> Tensor:
        """input * input. Bool is a TypeError.

        It is written into self, which is returned.
        """

    def squeeze(self, axis: _int | Sequence[_int] | None = None, *, dim: _int | Sequence[_int] | None = ...) -> Tensor:
        """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""

    @overload
    def std(self, axis: _int | Sequence[_int] | None = None, ddof: _bool = ..., keepdims: _bool = False) -> Tensor:
        """The square root of `var`."""

    @overload
    def std(self, axis: _int | Sequence[_int] | None = None, ddof: _int = 0, keepdims: _bool = False) -> Tensor:
        """The square root of `var`."""

    @overload
    def std(self, dim: _int | Sequence[_int] | None = None, *, correction: _int = 1, keepdim: _bool = False) -> Tensor:
        """The square root of `var`."""

    def storage(self) -> Any:
        """The memory of the Tensor's elements."""

    def storage_offset(self) -> _int:
        """The number of elements between the beginning of the memory and the first element: above 0 for views alone."""

    def stride(self, dim: _int | None = None) -> Any:
        """Elements from one index to the next, of each axis or of one."""

    @property
    def strides(self) -> tuple[_int, ...]:
        """The bytes from one element to the next along each axis, a tuple of ints, as NumPy counts them."""

    @overload
    def sub(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

    @overload
    def sub(self, other: _Operand = ..., *, alpha: _Operand = 1, y: _Operand = ...) -> Any:
        """input - alpha * other, elementwise with broadcasting."""

    @overload
    def sub_(self, other: _Operand) -> Tensor:
        """input - other, elementwise with broadcasting. Two bool operands are a TypeError.

        It is written into self, which is returned.
        """

    @overload
    def sub_(self, other: _Operand, *, alpha: _Operand = 1) -> Tensor:
        """input - alpha * other, elementwise with broadcasting.

        It is written into self, which is returned.
        """

    @overload
    def subtract(self, other: _Operand) -> Tensor:
        """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

    @overload
    def subtract(self, other: _Operand, *, alpha: _Operand = 1) -> Any:
        """input - alpha * other, elementwise with broadcasting."""

    @overload
    def sum(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _DType | None = None, axis: _int | Sequence[_int] | None = ..., keepdims: _bool = ..., keep_dims: _bool = ...) -> Tensor:
        """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

    @overload
    def sum(self, axis: _int | Sequence[_int] | None = None, dtype: _DType | None = None, keepdims: _bool = False) -> Tensor:
        """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

    @overload
    def sum(self, axis: _int | Sequence[_int] | None = None, dtype: _DType | None = None, keepdims: _bool = False, initial: _Operand | None = ...) -> Any:
        """The sum of all elements, or along axes."""

    def sum_to_size(self, *size: _int | Sequence[_int]) -> Any:
        """Summed to a shape that broadcasts to this one."""

    def svd(self, full_matrices: _bool = False, compute_uv: _bool = True) -> Any:
        """(singular values in descending order, U, V), for which U diag(s) V^H is the input; or the values alone.

        By LAPACK's divide and conquer. The signs of pairs of vectors are LAPACK's. Gradients (Giles 2008) are those of what does
        not depend on them, and infinite where singular values are equal.
        """

    def swapaxes(self, axis0: _int, axis1: _int) -> Tensor:
        """Exchanges two axes. A view."""

    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """Exchanges two axes. A view."""

    @property
    def symbolic_shape(self) -> Any:
        """None: the shape is known."""

    def t(self) -> Any:
        """A matrix with its axes exchanged, a view; what has fewer axes itself."""

    def take(self, indices: Any = ..., axis: _int | None = None, mode: str = 'clip', *, index: Any = ...) -> Any:
        """Slices at positions along an axis, or elements at positions among all."""

    def tan(self) -> Tensor:
        """The tangent of radians. Integers give float32."""

    def tanh(self) -> Tensor:
        """The hyperbolic tangent, within 2 ulp. Integers give float32."""

    def tanh_(self) -> Tensor:
        """The hyperbolic tangent, within 2 ulp. Integers give float32.

        It is written into self, which is returned.
        """

    def tensor_split(self, indices_or_sections: _int | Sequence[_int], axis: _int = 0) -> Any:
        """Pieces along an axis. Views."""

    def tile(self, *dims: _int | Sequence[_int]) -> Tensor:
        """Repeats the tensor dims[i] times along axis i, counted from the last."""

    def to(self, dtype: Any, copy: _bool = True) -> Any:
        """Converted to a dtype, which may be given by name ("int32"); of this dtype and with copy=False, itself."""

    def to_(self, device: Any = 'CPU', non_blocking: _bool = False) -> Tensor:
        """input itself.

        It is written into self, which is returned.
        """

    def to_coo(self) -> Any:
        """The elements of a matrix that are not 0, as a COOTensor with int64 indices."""

    def to_csr(self) -> Any:
        """The elements of a matrix that are not 0, as a CSRTensor with int64 indices."""

    def to_dlpack(tensor: Any) -> Any:
        """A capsule of DLPack over the memory of a Tensor, for another library to take over once; over a copy if elements lie
        backwards, as PyTorch ends the process for those.
        """

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; of a Tensor without axes, the number."""

    def top_k(self, k: _int, sorted: _bool = True) -> Any:
        """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

        NaN is the largest.
        """

    def topk(self, k: _int, dim: _int | None = None, largest: _bool = True, sorted: _bool = True) -> Any:
        """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

        NaN is the largest.
        """

    def trace(self, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, dtype: _DType | None = None) -> Any:
        """The sums of the diagonals of the matrices that two axes are."""

    @overload
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Exchanges two axes. A view."""

    @overload
    def transpose(self, *axes: _int | Sequence[_int] | None) -> Any:
        """Axes in another order; without arguments reversed. A view. Two ints are two axes to exchange."""

    def triangular_solve(self, A: _TensorLike, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False) -> Any:
        """(x for which A x = b, or with transpose A^T x = b, of a triangle of A; A)."""

    def tril(self, diagonal: _int = 0) -> Tensor:
        """The matrices of the last two axes with zeros above the given diagonal."""

    def tril_(self, diagonal: _int = 0) -> Tensor:
        """The matrices of the last two axes with zeros above the given diagonal.

        It is written into self, which is returned.
        """

    def triu(self, diagonal: _int = 0) -> Tensor:
        """The matrices of the last two axes with zeros below the given diagonal."""

    def triu_(self, diagonal: _int = 0) -> Tensor:
        """The matrices of the last two axes with zeros below the given diagonal.

        It is written into self, which is returned.
        """

    def true_divide(self, value: _Operand = ..., *, other: _Operand = ...) -> Tensor:
        """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

    def trunc(self) -> Tensor:
        """Rounds toward zero to an integer, in the dtype of input."""

    def trunc_(self) -> Tensor:
        """Rounds toward zero to an integer, in the dtype of input.

        It is written into self, which is returned.
        """

    def type(self, dtype: Any = None) -> Any:
        """The name of the dtype, such as "Float32"; with `dtype` input converted to that, which may be given by name."""

    def type_as(self, other: _TensorLike) -> Any:
        """Converted to the dtype of another Tensor; of this dtype, itself."""

    def unbind(self, dim: _int = 0, *, axis: _int = ...) -> tuple[Any, ...]:
        """The slices along an axis. Views."""

    def unflatten(self, dim: _int, sizes: _int | Sequence[_int]) -> Any:
        """An axis as several. A view."""

    def unfold(self, kernel_size: _int | Sequence[_int], dilation: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, stride: _int | Sequence[_int] = 1) -> Any:
        """The windows of images (N, C, H, W) or (C, H, W) as columns: (N, C * kernel's size, windows), or without N."""

    def uniform(self, from_: _float = 0.0, to: _float = 1.0, generator: Any = None) -> Any:
        """Random numbers of [from_, to): from_ + u * (to - from_), where u are those of rand() in input's shape and dtype."""

    def uniform_(self, from_: _float = 0.0, to: _float = 1.0, *, generator: Any = None) -> Tensor:
        """Random numbers of [from_, to): from_ + u * (to - from_), where u are those of rand() in input's shape and dtype.

        It is written into self, which is returned.
        """

    def unique(self, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
        """The distinct elements, or slices along an axis, in ascending order; slices are ordered by their first elements that
        differ. Each NaN is distinct.
        """

    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
        """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct."""

    def unique_with_pad(self, pad_num: _Operand) -> Any:
        """(the distinct elements in the order of their first occurrence, filled up to x's size; which each is)."""

    def unsorted_segment_max(self, segment_ids: _TensorLike, num_segments: Any) -> Any:
        """The largest elements of the slices of each segment; the least number of the dtype where there is none."""

    def unsorted_segment_min(self, segment_ids: _TensorLike, num_segments: Any) -> Any:
        """The smallest elements of the slices of each segment; the largest number of the dtype where there is none."""

    def unsorted_segment_prod(self, segment_ids: _TensorLike, num_segments: Any) -> Any:
        """The products of the slices of each segment; 1 where there is none."""

    def unsorted_segment_sum(self, segment_ids: _TensorLike, num_segments: Any) -> Any:
        """The sums of the slices of each segment."""

    def unsqueeze(self, dim: _int = ..., *, axis: _int = ...) -> Tensor:
        """Inserts an axis of size one. A view."""

    def untyped_storage(self) -> Any:
        """The memory of the Tensor's elements."""

    def value(self) -> Any:
        """A plain Tensor with memory of its own."""

    @overload
    def var(self, axis: _int | Sequence[_int] | None = None, ddof: _bool = ..., keepdims: _bool = False) -> Tensor:
        """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

    @overload
    def var(self, axis: _int | Sequence[_int] | None = None, ddof: _int = 0, keepdims: _bool = False) -> Tensor:
        """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

    @overload
    def var(self, dim: _int | Sequence[_int] | None = None, *, correction: _int = 1, keepdim: _bool = False) -> Tensor:
        """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

    def view(self, *shape: _int | Sequence[_int]) -> Tensor:
        """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

    def view_as(self, other: _TensorLike) -> Any:
        """The same elements under the shape of other."""

    @property
    def virtual_flag(self) -> Any:
        """False: MindSpore's own, which nothing here sets."""

    def vsplit(self, indices_or_sections: _int | Sequence[_int]) -> Any:
        """Pieces along axis 0. Views."""

    def wait_pipeline(self) -> None:
        """Does nothing: elements are computed, and in memory, when a call returns."""

    def where(self, condition: _Operand, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

    def xdivy(self, y: _Operand) -> Tensor:
        """x / y, and 0 where x is 0, elementwise with broadcasting. Integers give float32."""

    def xlogy(self, other: _Operand) -> Tensor:
        """input * log(other), and 0 where input is 0 unless other is NaN, elementwise with broadcasting. Integers give float32."""

    def zero_(self) -> Tensor:
        """value, in the dtype of input.

        It is written into self, which is returned.
        """

    def __add__(self, other: Any) -> Tensor: ...
    def __radd__(self, other: Any) -> Tensor: ...
    def __sub__(self, other: Any) -> Tensor: ...
    def __rsub__(self, other: Any) -> Tensor: ...
    def __mul__(self, other: Any) -> Tensor: ...
    def __rmul__(self, other: Any) -> Tensor: ...
    def __truediv__(self, other: Any) -> Tensor: ...
    def __rtruediv__(self, other: Any) -> Tensor: ...
    def __floordiv__(self, other: Any) -> Tensor: ...
    def __rfloordiv__(self, other: Any) -> Tensor: ...
    def __mod__(self, other: Any) -> Tensor: ...
    def __rmod__(self, other: Any) -> Tensor: ...
    def __pow__(self, other: Any) -> Tensor: ...
    def __rpow__(self, other: Any) -> Tensor: ...
    def __matmul__(self, other: Any) -> Tensor: ...
    def __rmatmul__(self, other: Any) -> Tensor: ...
    def __and__(self, other: Any) -> Tensor: ...
    def __rand__(self, other: Any) -> Tensor: ...
    def __or__(self, other: Any) -> Tensor: ...
    def __ror__(self, other: Any) -> Tensor: ...
    def __xor__(self, other: Any) -> Tensor: ...
    def __rxor__(self, other: Any) -> Tensor: ...
    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __lt__(self, other: Any) -> Tensor: ...
    def __le__(self, other: Any) -> Tensor: ...
    def __gt__(self, other: Any) -> Tensor: ...
    def __ge__(self, other: Any) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __getitem__(self, index: Any) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> _int: ...
    def __float__(self) -> _float: ...
    def __len__(self) -> _int: ...
    def __index__(self) -> _int: ...
    def __hash__(self) -> _int: ...
    def __round__(self, ndigits: _int | None = ...) -> Tensor: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __getattr__(self, name: str) -> Any: ...

class Parameter(Tensor):
    """A Tensor that a Cell keeps as an attribute, that optimizers update in place and checkpoints store by its name."""
    def __init__(self, default_input: Any, name: Any = ..., requires_grad: Any = ..., layerwise_parallel: Any = ..., parallel_optimizer: Any = ..., storage_format: Any = ..., device: Any = ...) -> None: ...
    cache_enable: Any
    cache_shape: Any
    comm_fusion: Any
    inited_param: Any
    is_in_parallel: Any
    key: Any
    layerwise_parallel: Any
    name: Any
    parallel_optimizer: Any
    parallel_optimizer_comm_recompute: Any
    requires_grad: Any
    sliced: Any

bfloat16: dtype
bool_: dtype
complex128: dtype
complex64: dtype
float16: dtype
float32: dtype
float64: dtype
float8_e4m3fn: dtype
float8_e5m2: dtype
int16: dtype
int32: dtype
int4: dtype
int64: dtype
int8: dtype
uint16: dtype
uint32: dtype
uint64: dtype
uint8: dtype
class Ops:
    @staticmethod
    def abs(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def acos(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def acosh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def adaptive_avg_pool1d(input: _TensorLike, output_size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def adaptive_avg_pool2d(input: _TensorLike, output_size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def adaptive_avg_pool3d(input: _TensorLike, output_size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def adaptive_avg_pool_backward(gradient: _TensorLike, input_size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def adaptive_avg_pool_forward(input: _TensorLike, output_size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def add(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def all(input: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False) -> Tensor: ...
    @staticmethod
    def all_gather(input: _TensorLike, size: _int = 1, group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def all_gather_v(input: _TensorLike, counts: _int | Sequence[_int], rank: _int = 0, group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def all_reduce(input: _TensorLike, op: str = 'sum', group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def all_reduce_begin(operands: Sequence[_TensorLike], op: str = 'sum', group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def all_reduce_end(ticket: _TensorLike, dtype: _DType, shapes: _int | Sequence[_int]) -> tuple[Tensor, ...]: ...
    @staticmethod
    def all_to_all(input: _TensorLike, send: _int | Sequence[_int], receive: _int | Sequence[_int], group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def amax(input: _TensorLike, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor: ...
    @staticmethod
    def amin(input: _TensorLike, axis: _int | Sequence[_int] | None = None, keepdims: _bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor: ...
    @staticmethod
    def angle(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def any(input: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False) -> Tensor: ...
    @staticmethod
    def arange(start: _int | Sequence[_int] = (0,), end: _int | Sequence[_int] | None = None, step: _int | Sequence[_int] = (1,), dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def arange_float(start: _float, end: _float, step: _float = 1.0, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def argmax(input: _TensorLike, dim: _int | None = None, keepdim: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def argmax_with_value(input: _TensorLike, axis: _int = 0, keep_dims: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def argmin(input: _TensorLike, axis: _int | None = None, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def argmin_with_value(input: _TensorLike, axis: _int = 0, keep_dims: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def asin(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def asinh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def assign(variable: Tensor, value: _Operand) -> Tensor: ...
    @staticmethod
    def assign_add(variable: Tensor, value: _Operand) -> Tensor: ...
    @staticmethod
    def assign_sub(variable: Tensor, value: _Operand) -> Tensor: ...
    @staticmethod
    def atan(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def atan2(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def atanh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def attention(query: _TensorLike, key: _TensorLike, value: _TensorLike, mask: _TensorLike | None = None, scale: _float = 1.0, divide: _bool = False, causal: _bool = False, fill: _float = ...) -> Tensor: ...
    @staticmethod
    def attention_backward(gradient: _TensorLike, query: _TensorLike, key: _TensorLike, value: _TensorLike, mask: _TensorLike | None = None, scale: _float = 1.0, divide: _bool = False, causal: _bool = False, fill: _float = ...) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def avg_pool(x: _TensorLike, kernel_size: _int | Sequence[_int] = (1,), strides: _int | Sequence[_int] = (1,), pad_mode: str = 'valid') -> Tensor: ...
    @staticmethod
    def avg_pool1d(input_x: _TensorLike, kernel_size: _int | Sequence[_int] = (1,), stride: _int | Sequence[_int] = (1,), padding: _int | Sequence[_int] = (0,), ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int = 0, pad_mode: str = 'pad') -> Tensor: ...
    @staticmethod
    def avg_pool2d(input_x: _TensorLike, kernel_size: _int | Sequence[_int] = (1,), stride: _int | Sequence[_int] = (1,), padding: _int | Sequence[_int] = (0,), ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int = 0, pad_mode: str = 'pad') -> Tensor: ...
    @staticmethod
    def avg_pool3d(input_x: _TensorLike, kernel_size: _int | Sequence[_int] = (1,), stride: _int | Sequence[_int] = (1,), padding: _int | Sequence[_int] = (0,), ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int = 0, pad_mode: str = 'pad') -> Tensor: ...
    @staticmethod
    def avg_pool_backward(gradient: _TensorLike, input_size: _int | Sequence[_int], kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int], pad: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int = 0) -> Tensor: ...
    @staticmethod
    def avg_pool_forward(input: _TensorLike, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int], pad: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int = 0) -> Tensor: ...
    @staticmethod
    def barrier(group: str = 'hccl_world_group') -> None: ...
    @staticmethod
    def batch_mat_mul(x: _TensorLike, y: _TensorLike, transpose_a: _bool = False, transpose_b: _bool = False) -> Tensor: ...
    @staticmethod
    def batch_norm(input_x: _TensorLike, running_mean: _TensorLike, running_var: _TensorLike, weight: _TensorLike, bias: _TensorLike, training: _bool = False, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor: ...
    @staticmethod
    def batch_norm_gradient(gradient: _TensorLike, input: _TensorLike, weight: _TensorLike, mean: _TensorLike, variance: _TensorLike, eps: _float = 1e-05) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def batch_norm_training(input: _TensorLike, running_mean: _TensorLike, running_var: _TensorLike, weight: _TensorLike, bias: _TensorLike, momentum: _Operand = 0.9, eps: _float = 1e-05) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def batch_norm_with_statistics(input: _TensorLike, weight: _TensorLike, bias: _TensorLike, eps: _float = 1e-05) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def bernoulli(input: _TensorLike, p: _float = 0.5, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def bessel_i0(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_i0e(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_i1(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_i1e(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_j0(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_j1(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_k0(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_k0e(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_k1(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_k1e(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_y0(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def bessel_y1(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def betainc(a: _TensorLike, b: _TensorLike, x: _TensorLike) -> Tensor: ...
    @staticmethod
    def betainc_elements(a: _TensorLike, b: _TensorLike, x: _TensorLike) -> Tensor: ...
    @staticmethod
    def bias_add(input_x: _TensorLike, bias: _TensorLike, data_format: str = 'NCHW') -> Tensor: ...
    @staticmethod
    def bitwise_and(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def bitwise_or(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def bitwise_xor(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def bmm(input_x: _TensorLike, mat2: _TensorLike) -> Tensor: ...
    @staticmethod
    def broadcast_from(input: _TensorLike, root: _int, rank: _int = 0, group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def broadcast_to(input: _TensorLike, shape: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def cast(input: _TensorLike, dtype: _DType) -> Tensor: ...
    @staticmethod
    def cbrt(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def ceil(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def cholesky_factor(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def clear_float_status(x: _TensorLike) -> Tensor: ...
    @staticmethod
    def clip(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor: ...
    @staticmethod
    def complex(real: _Operand, imag: _Operand) -> Tensor: ...
    @staticmethod
    def concat(tensors: Sequence[_TensorLike], axis: _int = 0) -> Tensor: ...
    @staticmethod
    def conj(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def conv1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: _int | Sequence[_int] = (1,), pad_mode: str = 'valid', padding: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), groups: _int = 1) -> Tensor: ...
    @staticmethod
    def conv2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: _int | Sequence[_int] = (1,), pad_mode: str = 'valid', padding: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), groups: _int = 1) -> Tensor: ...
    @staticmethod
    def conv3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: _int | Sequence[_int] = (1,), pad_mode: str = 'valid', padding: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), groups: _int = 1) -> Tensor: ...
    @staticmethod
    def conv_backward_input(gradient: _TensorLike, weight: _TensorLike, input_size: _int | Sequence[_int], stride: _int | Sequence[_int] = (1,), pad: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), groups: _int = 1) -> Tensor: ...
    @staticmethod
    def conv_backward_weight(input: _TensorLike, gradient: _TensorLike, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] = (1,), pad: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), groups: _int = 1) -> Tensor: ...
    @staticmethod
    def conv_forward(input: _TensorLike, weight: _TensorLike, stride: _int | Sequence[_int] = (1,), pad: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), groups: _int = 1) -> Tensor: ...
    @staticmethod
    def conv_transpose1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: _int | Sequence[_int] = (1,), padding: _int | Sequence[_int] = (0,), output_padding: _int | Sequence[_int] = (0,), groups: _int = 1, dilation: _int | Sequence[_int] = (1,), pad_mode: str = 'pad', output_size: _int | Sequence[_int] | None = None) -> Tensor: ...
    @staticmethod
    def conv_transpose2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: _int | Sequence[_int] = (1,), padding: _int | Sequence[_int] = (0,), output_padding: _int | Sequence[_int] = (0,), groups: _int = 1, dilation: _int | Sequence[_int] = (1,), pad_mode: str = 'pad', output_size: _int | Sequence[_int] | None = None) -> Tensor: ...
    @staticmethod
    def conv_transpose3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: _int | Sequence[_int] = (1,), padding: _int | Sequence[_int] = (0,), output_padding: _int | Sequence[_int] = (0,), groups: _int = 1, dilation: _int | Sequence[_int] = (1,), pad_mode: str = 'pad', output_size: _int | Sequence[_int] | None = None) -> Tensor: ...
    @staticmethod
    def copysign(x: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def cos(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def cosh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: str = 'mean', label_smoothing: _float = 0.0) -> Tensor: ...
    @staticmethod
    def cummax(input: _TensorLike, axis: _int) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def cummin(input: _TensorLike, axis: _int) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def cumprod(x: _TensorLike, axis: _int) -> Tensor: ...
    @staticmethod
    def cumsum(x: _TensorLike, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def dense(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None) -> Tensor: ...
    @staticmethod
    def dequantised_weight(weight: _TensorLike, scale: _TensorLike, offset: _TensorLike | None = None, transpose_weight: _bool = False, bits: _int = 8) -> Tensor: ...
    @staticmethod
    def det(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def diagonal(input: _TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor: ...
    @staticmethod
    def digamma(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def div(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def div_no_nan(x: _Operand, y: _Operand) -> Tensor: ...
    @staticmethod
    def dropout(input: _TensorLike, p: _float = 0.5, training: _bool = True, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def dropout_with_mask(x: _TensorLike, keep_prob: _float = 0.5, seed: _int | None = None) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def eig(input: _TensorLike) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def eigh(input: _TensorLike) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def eigvals(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def eigvalsh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def equal(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def erf(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def erfc(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def erfinv(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def exp(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def exp2(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def expand_dims(input_x: _TensorLike, axis: _int) -> Tensor: ...
    @staticmethod
    def expm1(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def eye(n: _int, m: _int | None = None, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def fft_complex(input: _TensorLike, axis: _int = -1, inverse: _bool = False, norm: str = 'backward') -> Tensor: ...
    @staticmethod
    def fft_half(input: _TensorLike, axis: _int = -1, inverse: _bool = False, norm: str = 'backward', size: _int | Sequence[_int] | None = None) -> Tensor: ...
    @staticmethod
    def fft_real(input: _TensorLike, axis: _int = -1, inverse: _bool = False, norm: str = 'backward') -> Tensor: ...
    @staticmethod
    def flash_attention_score(query: _TensorLike, key: _TensorLike, value: _TensorLike, head_num: _int, real_shift: _TensorLike | None = None, drop_mask: _TensorLike | None = None, padding_mask: _TensorLike | None = None, attn_mask: _TensorLike | None = None, prefix: _int | Sequence[_int] | None = None, actual_seq_qlen: _int | Sequence[_int] | None = None, actual_seq_kvlen: _int | Sequence[_int] | None = None, keep_prob: _float = 1.0, scalar_value: _float = 1.0, pre_tokens: _int = 2147483647, next_tokens: _int = 2147483647, inner_precise: _int = 0, input_layout: str = 'BSH', sparse_mode: _int = 0) -> Tensor: ...
    @staticmethod
    def flat_positions(indices: Sequence[_TensorLike], shape: _int | Sequence[_int], axes: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def flatten(input: _TensorLike, order: str = 'C', start_dim: _int = 1, end_dim: _int = -1) -> Tensor: ...
    @staticmethod
    def flip(input: _TensorLike, dims: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def floor(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def floor_div(x: _Operand, y: _Operand) -> Tensor: ...
    @staticmethod
    def floor_mod(x: _Operand, y: _Operand) -> Tensor: ...
    @staticmethod
    def fma(input: _Operand, factor: _Operand, term: _Operand) -> Tensor: ...
    @staticmethod
    def fmax(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def fmin(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def fmod(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def foreign_call(operands: Sequence[_TensorLike], library: str, symbol: str, signature: str, backward: str = '') -> tuple[Tensor, ...]: ...
    @staticmethod
    def full(size: _int | Sequence[_int], fill_value: _Operand, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def full_like(input: _TensorLike, fill_value: _Operand, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def gather(input_params: _TensorLike, input_indices: _TensorLike, axis: _int, batch_dims: _int = 0) -> Tensor: ...
    @staticmethod
    def gather_add(input: _TensorLike, indices: _TensorLike, updates: _TensorLike, axis: _int, batch_dims: _int = 0) -> Tensor: ...
    @staticmethod
    def gather_axes(input: _TensorLike, indices: Sequence[_TensorLike], axes: _int | Sequence[_int], to: _int = 0) -> Tensor: ...
    @staticmethod
    def gather_d(x: _TensorLike, dim: _int, index: _TensorLike) -> Tensor: ...
    @staticmethod
    def gcd(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def gcd_elements(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def gelu(input: _TensorLike, approximate: str = 'none') -> Tensor: ...
    @staticmethod
    def gelu_tanh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def geqrf(input: _TensorLike) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def get_float_status(x: _TensorLike) -> Tensor: ...
    @staticmethod
    def greater(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def greater_equal(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def gru_layer(input_gates: _TensorLike, weight: _TensorLike, h: _TensorLike, bias: _TensorLike | None = None, lengths: _TensorLike | None = None, reverse: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def gru_layer_backward(gradient: _TensorLike, weight: _TensorLike, states: _TensorLike, activations: _TensorLike, h: _TensorLike, lengths: _TensorLike | None = None, activations_gradient: _TensorLike | None = None, reverse: _bool = False) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def hardsigmoid(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def hardswish(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def hypot(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def identity(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def igamma(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def igamma_elements(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def igamma_slope(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def igammac(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def igammac_elements(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def imag(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def index_add(x: _TensorLike, indices: _TensorLike, y: _TensorLike, axis: _int, use_lock: _bool = True, check_index_bound: _bool = True) -> Tensor: ...
    @staticmethod
    def index_counts(indices: _TensorLike, size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def int_(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def invert(x: _TensorLike) -> Tensor: ...
    @staticmethod
    def isfinite(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def isinf(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def isnan(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def l2_loss(input_x: _TensorLike) -> Tensor: ...
    @staticmethod
    def layer_norm(input: _TensorLike, normalized_shape: _int | Sequence[_int], weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: _float = 1e-05) -> Tensor: ...
    @staticmethod
    def layer_norm_with_statistics(input_x: _TensorLike, gamma: _TensorLike | None = None, beta: _TensorLike | None = None, begin_norm_axis: _int = 1, begin_params_axis: _int = 1, epsilon: _float = 1e-07) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def lcm(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def lcm_elements(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def leaky_relu(input: _TensorLike, alpha: _float = 0.2) -> Tensor: ...
    @staticmethod
    def left_shift(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def less(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def less_equal(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def lgamma(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def linear_recurrence(factor: _TensorLike, term: _TensorLike, axis: _int) -> Tensor: ...
    @staticmethod
    def linear_sum_assignment(cost_matrix: _TensorLike, maximize: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def log(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def log10(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def log1p(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def log2(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def log_softmax(logits: _TensorLike, axis: _int = -1) -> Tensor: ...
    @staticmethod
    def logaddexp(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def logaddexp2(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def logical_and(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def logical_not(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def logical_or(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def logical_xor(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def lstm_layer(input_gates: _TensorLike, weight: _TensorLike, h: _TensorLike, c: _TensorLike, bias: _TensorLike | None = None, lengths: _TensorLike | None = None, reverse: _bool = False) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def lstm_layer_backward(gradient: _TensorLike, weight: _TensorLike, c_gradient: _TensorLike, states: _TensorLike, cells: _TensorLike, activations: _TensorLike, h: _TensorLike, c: _TensorLike, lengths: _TensorLike | None = None, activations_gradient: _TensorLike | None = None, reverse: _bool = False) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def lu_factor(input: _TensorLike) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def lu_permutation(pivots: _TensorLike, size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def masked_fill(input_x: _TensorLike, mask: _TensorLike, value: _Operand) -> Tensor: ...
    @staticmethod
    def mat_mul(input: _TensorLike, mat2: _TensorLike, transpose_a: _bool = False, transpose_b: _bool = False) -> Tensor: ...
    @staticmethod
    def matmul(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def matmul_integer(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def matrix_exp(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def max_pool(x: _TensorLike, kernel_size: _int | Sequence[_int] = (1,), strides: _int | Sequence[_int] = (1,), pad_mode: str = 'valid') -> Tensor: ...
    @staticmethod
    def max_pool1d(x: _TensorLike, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = None, padding: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), ceil_mode: _bool = False, pad_mode: str = 'pad') -> Tensor: ...
    @staticmethod
    def max_pool2d(x: _TensorLike, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = None, padding: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), ceil_mode: _bool = False, pad_mode: str = 'pad') -> Tensor: ...
    @staticmethod
    def max_pool3d(x: _TensorLike, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = None, padding: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), ceil_mode: _bool = False, pad_mode: str = 'pad') -> Tensor: ...
    @staticmethod
    def max_pool_backward(gradient: _TensorLike, indices: _TensorLike, input_size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def max_pool_with_indices(input: _TensorLike, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int], pad: _int | Sequence[_int] = (0,), dilation: _int | Sequence[_int] = (1,), ceil_mode: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def max_with_index(input: _TensorLike, axis: _int, keepdims: _bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def maximum(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def mean(x: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def min_with_index(input: _TensorLike, axis: _int, keepdims: _bool = False, initial: _Operand | None = None, where: _TensorLike | None = None) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def minimum(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def mse_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Tensor: ...
    @staticmethod
    def mul(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def mul_no_nan(x: _Operand, y: _Operand) -> Tensor: ...
    @staticmethod
    def narrow_index(index: _TensorLike) -> Tensor: ...
    @staticmethod
    def neg(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def nextafter(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def nll_loss(inputs: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: _int = -100, reduction: str = 'mean', label_smoothing: _float = 0.0) -> Tensor: ...
    @staticmethod
    def normal(shape: _int | Sequence[_int], mean: _Operand, stddev: _Operand, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def not_equal(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def note_float_status(x: _TensorLike) -> None: ...
    @staticmethod
    def one_hot(indices: _TensorLike, depth: _int, on_value: _Operand | None = None, off_value: _Operand | None = None, axis: _int = -1) -> Tensor: ...
    @staticmethod
    def ones(shape: _int | Sequence[_int], dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def ones_like(input: _TensorLike, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def order_statistic(input: _TensorLike, position: _TensorLike, axis: _int = -1) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def own(input: _TensorLike, number: _int) -> Tensor: ...
    @staticmethod
    def pad(input_x: _TensorLike, padding: _int | Sequence[_int], mode: str = 'constant', value: _float | None = None) -> Tensor: ...
    @staticmethod
    def pick(input: _TensorLike, index: _TensorLike, axis: _int = -1, ignore: _int | None = None) -> Tensor: ...
    @staticmethod
    def pinv(input: _TensorLike, threshold: _TensorLike) -> Tensor: ...
    @staticmethod
    def place(input: _TensorLike, index: _TensorLike, axis: _int, size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def polygamma(n: _Operand, input: _Operand) -> Tensor: ...
    @staticmethod
    def polygamma_elements(n: _TensorLike, input: _TensorLike) -> Tensor: ...
    @staticmethod
    def population_count(input_x: _TensorLike) -> Tensor: ...
    @staticmethod
    def pow(input: _Operand, exponent: _Operand) -> Tensor: ...
    @staticmethod
    def print_(input_x: Sequence[_TensorLike], text: str = '') -> None: ...
    @staticmethod
    def prod(input: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def promoted(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def qr(input: _TensorLike, complete: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def raise_(input: Sequence[_TensorLike], text: str, number: _int = -1) -> None: ...
    @staticmethod
    def rand(size: _int | Sequence[_int], dtype: _DType | None = None, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def randint(low: _int, high: _int, size: _int | Sequence[_int], seed: _int | None = None, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def randn(size: _int | Sequence[_int], dtype: _DType | None = None, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def random_gamma(alpha: _TensorLike, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def random_pair(shape: _int | Sequence[_int], seed: _int | None = None) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def random_poisson(rate: _TensorLike, seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def real(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def receive(shape: _int | Sequence[_int], dtype: _DType, source: _int, tag: _int = 0, group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def reciprocal(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def reduce_max(x: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False) -> Tensor: ...
    @staticmethod
    def reduce_min(x: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False) -> Tensor: ...
    @staticmethod
    def reduce_prod(x: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False) -> Tensor: ...
    @staticmethod
    def reduce_scatter(input: _TensorLike, op: str = 'sum', size: _int = 1, group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def reduce_scatter_v(input: _TensorLike, counts: _int | Sequence[_int], op: str = 'sum', rank: _int = 0, group: str = 'hccl_world_group') -> Tensor: ...
    @staticmethod
    def reduce_sum(x: _TensorLike, axis: _int | Sequence[_int] | None = None, keep_dims: _bool = False) -> Tensor: ...
    @staticmethod
    def relu(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def relu6(x: _TensorLike) -> Tensor: ...
    @staticmethod
    def repeat_interleave(input: _TensorLike, repeats: _int | Sequence[_int], axis: _int | None = None) -> Tensor: ...
    @staticmethod
    def require_(condition: _TensorLike) -> Tensor: ...
    @staticmethod
    def reshape(input: _TensorLike, shape: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def right_shift(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def rnn_relu_layer(input_gates: _TensorLike, weight: _TensorLike, h: _TensorLike, bias: _TensorLike | None = None, lengths: _TensorLike | None = None, reverse: _bool = False) -> Tensor: ...
    @staticmethod
    def rnn_relu_layer_backward(gradient: _TensorLike, weight: _TensorLike, states: _TensorLike, h: _TensorLike, lengths: _TensorLike | None = None, reverse: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def rnn_tanh_layer(input_gates: _TensorLike, weight: _TensorLike, h: _TensorLike, bias: _TensorLike | None = None, lengths: _TensorLike | None = None, reverse: _bool = False) -> Tensor: ...
    @staticmethod
    def rnn_tanh_layer_backward(gradient: _TensorLike, weight: _TensorLike, states: _TensorLike, h: _TensorLike, lengths: _TensorLike | None = None, reverse: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def round(input: _TensorLike, decimals: _int = 0) -> Tensor: ...
    @staticmethod
    def rsqrt(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def scatter_axes(input: _TensorLike, updates: _TensorLike, indices: Sequence[_TensorLike], axes: _int | Sequence[_int], to: _int = 0) -> Tensor: ...
    @staticmethod
    def search_sorted(sequence: _TensorLike, values: _TensorLike, right: _bool = False) -> Tensor: ...
    @staticmethod
    def select(condition: _Operand, input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def select_at(input: _TensorLike, index: _int, axis: _int = 0) -> Tensor: ...
    @staticmethod
    def send(input: _TensorLike, to: _int, tag: _int = 0, group: str = 'hccl_world_group') -> None: ...
    @staticmethod
    def sigmoid(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def sign(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def signbit(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def silu(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def sin(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def sinc(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def sinh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def slice(input_x: _TensorLike, begin: _int | Sequence[_int], size: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def slice_update(input_x: _TensorLike, value: _Operand, begin: _int | Sequence[_int], end: _int | Sequence[_int], strides: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def softmax(input: _TensorLike, axis: _int = -1) -> Tensor: ...
    @staticmethod
    def softmax_cross_entropy_with_logits(logits: _TensorLike, labels: _TensorLike) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def softplus(input: _TensorLike, beta: _float = 1.0, threshold: _float = 20.0) -> Tensor: ...
    @staticmethod
    def solve(a: _TensorLike, b: _TensorLike) -> Tensor: ...
    @staticmethod
    def sort(input: _TensorLike, axis: _int = -1, descending: _bool = False) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def sparse_softmax_cross_entropy_with_logits(logits: _TensorLike, labels: _TensorLike, is_grad: _bool = False) -> Tensor: ...
    @staticmethod
    def split(tensor: _TensorLike, split_size_or_sections: _int | Sequence[_int], axis: _int = 0) -> tuple[Tensor, ...]: ...
    @staticmethod
    def sqrt(x: _TensorLike) -> Tensor: ...
    @staticmethod
    def square(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def squeeze(input: _TensorLike, axis: _int | Sequence[_int] | None = None) -> Tensor: ...
    @staticmethod
    def stack(tensors: Sequence[_TensorLike], axis: _int = 0) -> Tensor: ...
    @staticmethod
    def standard_normal(shape: _int | Sequence[_int], seed: _int | None = None) -> Tensor: ...
    @staticmethod
    def std(input: _TensorLike, axis: _int | Sequence[_int] | None = None, ddof: _int = 0, keepdims: _bool = False) -> Tensor: ...
    @staticmethod
    def stop_gradient(value: _TensorLike) -> Tensor: ...
    @staticmethod
    def strided_slice(input_x: _TensorLike, begin: _int | Sequence[_int], end: _int | Sequence[_int], strides: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def sub(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def sum(input: _TensorLike, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def svd(input: _TensorLike, full_matrices: _bool = False) -> tuple[Tensor, Tensor, Tensor]: ...
    @staticmethod
    def svdvals(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def swapaxes(input: _TensorLike, axis0: _int, axis1: _int) -> Tensor: ...
    @staticmethod
    def tan(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def tanh(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def taylor_polynomial(input: _TensorLike, time: _TensorLike, derivatives: Sequence[_TensorLike]) -> Tensor: ...
    @staticmethod
    def tensor_scatter_elements(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike, axis: _int = 0, reduction: str = 'none') -> Tensor: ...
    @staticmethod
    def tensor_scatter_reduce(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike, axis: _int, reduction: str) -> Tensor: ...
    @staticmethod
    def tile(input: _TensorLike, dims: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def topk(input: _TensorLike, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> tuple[Tensor, Tensor]: ...
    @staticmethod
    def transpose(input: _TensorLike, dims: _int | Sequence[_int]) -> Tensor: ...
    @staticmethod
    def triangular_solve(a: _TensorLike, b: _TensorLike, upper: _bool = False, unit: _bool = False) -> Tensor: ...
    @staticmethod
    def tril(input: _TensorLike, diagonal: _int = 0) -> Tensor: ...
    @staticmethod
    def triu(input: _TensorLike, diagonal: _int = 0) -> Tensor: ...
    @staticmethod
    def true_positions(input: _TensorLike, size: _int, batch_dims: _int = 0) -> Tensor: ...
    @staticmethod
    def trunc(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def uniform(shape: _int | Sequence[_int], minval: _Operand, maxval: _Operand, seed: _int | None = None, dtype: _DType = ...) -> Tensor: ...
    @staticmethod
    def var(input: _TensorLike, axis: _int | Sequence[_int] | None = None, ddof: _int = 0, keepdims: _bool = False) -> Tensor: ...
    @staticmethod
    def view_as_complex(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def view_as_real(input: _TensorLike) -> Tensor: ...
    @staticmethod
    def weight_quant_matmul(x: _TensorLike, weight: _TensorLike, scale: _TensorLike, offset: _TensorLike | None = None, transpose_weight: _bool = False, bits: _int = 8) -> Tensor: ...
    @staticmethod
    def xdivy(x: _Operand, y: _Operand) -> Tensor: ...
    @staticmethod
    def xlogy(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def zeros(size: _int | Sequence[_int], dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def zeros_like(input: _TensorLike, dtype: _DType | None = None) -> Tensor: ...
    @staticmethod
    def zeta(input: _Operand, other: _Operand) -> Tensor: ...
    @staticmethod
    def zeta_elements(input: _TensorLike, other: _TensorLike) -> Tensor: ...
    @staticmethod
    def zeta_slope(input: _TensorLike, other: _TensorLike) -> Tensor: ...

ops: Ops
op_table: dict[str, Any]

def __getattr__(name: str) -> Any: ...
