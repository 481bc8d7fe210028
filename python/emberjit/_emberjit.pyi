# Written by tools/stubs.py from the op table.
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_int = int
_float = float
_bool = bool

class dtype: ...

class Number:
    def __getattr__(self, name: str) -> Any: ...

_Operand = Tensor | Number | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class Tensor:
    """Tensor(input_data=None, dtype=None, shape=None)

    An n-dimensional array.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def T(self) -> Any:
        """The Tensor with its axes reversed."""

    def absolute(self) -> Tensor:
        """|input|. The least signed integer, which has no opposite, stays itself."""

    def argmax(self, axis: Any = None, keepdims: _bool = False, *, dim: Any = None, keepdim: _bool = False) -> Any:
        """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

    def argmax_with_value(self, axis: _int = 0, keep_dims: _bool = False) -> Any:
        """(value, index): The index (int64) of the largest element along `axis`, the first of equals, and the element."""

    def argmin(self, axis: Any = None, keepdims: _bool = False, *, dim: Any = None, keepdim: _bool = False) -> Any:
        """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

    def argmin_with_value(self, axis: _int = 0, keep_dims: _bool = False) -> Any:
        """(value, index): The index (int64) of the smallest element along `axis`, the first of equals, and the element."""

    def asnumpy(self, *args: Any, **kwargs: Any) -> Any:
        """asnumpy() -> numpy.ndarray

        Shares memory where the layout allows it.
        """

    def astype(self, dtype: Any, copy: _bool = True) -> Any:
        """Converted to a dtype, which may be given by name ("int32")."""

    def bool(self) -> Any:
        """Converted to bool."""

    def broadcast_to(self, *shape: Any) -> Any:
        """Repeated along axes of size 1."""

    def chunk(self, chunks: Any, axis: Any = 0) -> Any:
        """At most `chunks` pieces of one size along an axis."""

    def clamp(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

    def clone(self, *a: Any, **k: Any) -> Any:
        """A copy; of a Parameter a new one: clone(init, name)."""

    def contiguous(self, *args: Any, **kwargs: Any) -> Any:
        """Itself if contiguous, else a contiguous copy."""

    def copy(self) -> Any:
        """A Tensor with memory of its own."""

    def data_ptr(self, *args: Any, **kwargs: Any) -> Any:
        """The address of the first element."""

    def dim(self) -> Any:
        """The number of axes."""

    @property
    def dtype(self) -> Any:
        """The type of the elements."""

    def eq(self, other: _Operand) -> Tensor:
        """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

    def expand_as(self, other: Any) -> Any:
        """Repeated along axes of size 1 to the shape of other."""

    def fill(self, value: Any) -> Any:
        """A Tensor of this shape and dtype and of one value."""

    def flatten(self, order: str = 'C', *, start_dim: _int = 0, end_dim: _int = -1) -> Any:
        """Axes from start_dim to end_dim as one."""

    def float(self) -> Any:
        """Converted to float32."""

    def floor_divide(self, y: _Operand) -> Tensor:
        """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def ge(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise with broadcasting."""

    def gt(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise with broadcasting."""

    def half(self) -> Any:
        """Converted to float16."""

    def index_select(self, axis: _int, index: Any) -> Any:
        """The slices along an axis that a 1-d integer Tensor names."""

    def int(self) -> Any:
        """Converted to int32."""

    def is_contiguous(self, *args: Any, **kwargs: Any) -> Any:
        """Whether the elements lie in row-major order without gaps."""

    def is_floating_point(self) -> Any:
        """Whether the dtype is of floating point."""

    def item(self, *args: Any, **kwargs: Any) -> Any:
        """item(index=None)

        The one element, or that at index, as a Python number.
        """

    @property
    def itemsize(self) -> Any:
        """Bytes of one element."""

    def le(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise with broadcasting."""

    def long(self) -> Any:
        """Converted to int64."""

    def lt(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise with broadcasting."""

    def masked_fill(self, mask: Any, value: Any) -> Any:
        """value where mask is true, this Tensor's elements elsewhere."""

    def max(self, *args: Any, axis: Any = None, keepdims: _bool = False, initial: Any = None, where: Any = None, return_indices: _bool = False, dim: Any = None, keepdim: _bool = False, keep_dims: _bool | None = None) -> Any:
        """The maximum. max() of all elements, max(axis=..., keepdims=...) along axes; max(dim, keepdim) with an int, and max(axis=..., return_indices=True), give (values, indices)."""

    def mean(self, axis: Any = None, keepdims: _bool = False, *, keep_dims: _bool | None = None, **rest: Any) -> Any:
        """The sum of the elements over `axis` divided by their number (integers truncate)."""

    def min(self, *args: Any, axis: Any = None, keepdims: _bool = False, initial: Any = None, where: Any = None, return_indices: _bool = False, dim: Any = None, keepdim: _bool = False, keep_dims: _bool | None = None) -> Any:
        """The minimum. min() of all elements, min(axis=..., keepdims=...) along axes; min(dim, keepdim) with an int, and min(axis=..., return_indices=True), give (values, indices)."""

    def mm(self, mat2: Any) -> Any:
        """The product of two matrices."""

    @property
    def nbytes(self) -> Any:
        """Bytes of all elements."""

    @property
    def ndim(self) -> Any:
        """The number of axes."""

    def ne(self, other: _Operand) -> Tensor:
        """Whether input differs from other, elementwise with broadcasting."""

    def negative(self) -> Tensor:
        """-input. Unsigned integers wrap; bool is a TypeError."""

    def new_ones(self, size: Any, dtype: Any = None) -> Any:
        """A Tensor of ones with this one's dtype unless another is given."""

    def new_zeros(self, size: Any, dtype: Any = None) -> Any:
        """A Tensor of zeros with this one's dtype unless another is given."""

    def numel(self) -> Any:
        """The number of elements."""

    def numpy(self, *args: Any, **kwargs: Any) -> Any:
        """The same as asnumpy()."""

    def permute(self, *axes: Any) -> Any:
        """Axes in another order."""

    def prod(self, axis: Any = None, keepdims: _bool = False, *, keep_dims: _bool | None = None, **rest: Any) -> Any:
        """Multiplies the elements over `axis`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

    def ravel(self) -> Any:
        """All elements in one axis."""

    def register_hook(tensor: Any, hook: Callable[[Any], Any]) -> Any:
        """Calls hook with the gradient of a Tensor whenever that is computed; what it returns, unless None, replaces it."""

    def remainder(self, y: _Operand) -> Tensor:
        """x - y * floor(x / y), elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

    def reshape(self, *shape: Any) -> Any:
        """The same elements under another shape, of which one size may be -1."""

    def reshape_as(self, other: Any) -> Any:
        """The same elements under the shape of other."""

    def select(self, axis: Any, index: Any) -> Any:
        """The elements at one index of an axis; or, with a bool Tensor or bool first, as where."""

    def set_data(self, data: Any, slice_shape: _bool = False) -> Any:
        """Gives a Parameter another value of the same dtype and shape."""

    @property
    def shape(self) -> Any:
        """The sizes, a tuple of ints."""

    @property
    def size(self) -> Any:
        """The number of elements."""

    def stride(self, dim: _int | None = None) -> Any:
        """Elements from one index to the next, of each axis or of one."""

    @property
    def strides(self) -> Any:
        """Bytes from one element to the next along each axis."""

    def sum(self, axis: Any = None, keepdims: _bool = False, *, keep_dims: _bool | None = None, **rest: Any) -> Any:
        """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

    def swapaxes(self, axis0: _int, axis1: _int) -> Any:
        """Two axes exchanged. An axis beyond the Tensor's is a ValueError."""

    def to(self, dtype: Any, copy: _bool = True) -> Any:
        """Converted to a dtype, which may be given by name ("int32")."""

    def tolist(self, *args: Any, **kwargs: Any) -> Any:
        """tolist() -> list

        The elements as nested lists of Python numbers.
        """

    def transpose(self, *axes: Any) -> Any:
        """Axes in another order; without arguments reversed."""

    def unbind(self, dim: Any = 0) -> Any:
        """The slices along an axis."""

    def unsqueeze(self, dim: Any) -> Any:
        """Inserts an axis of size one."""

    def value(self) -> Any:
        """The Parameter's value as a plain Tensor."""

    def view(self, *shape: Any) -> Any:
        """The same elements under another shape, of which one size may be -1."""

    def view_as(self, other: Any) -> Any:
        """The same elements under the shape of other."""

    def where(self, condition: Any, y: Any) -> Any:
        """Elements of this Tensor where condition is true, of y elsewhere."""

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
    def __iter__(self) -> Iterator[Tensor]: ...
    def __getattr__(self, name: str) -> Any: ...

class Parameter(Tensor):
    """Parameter(default_input, name=None, requires_grad=True)

    A Tensor that ops may write in place.
    """
    name: Any
    requires_grad: Any

bfloat16: dtype
bool_: dtype
float16: dtype
float32: dtype
float64: dtype
int16: dtype
int32: dtype
int64: dtype
int8: dtype
uint16: dtype
uint32: dtype
uint64: dtype
uint8: dtype
op_table: dict[str, Any]

def __getattr__(name: str) -> Any: ...
