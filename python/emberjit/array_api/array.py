"""The array object of the standard: a Tensor behind the standard's operators, attributes and indexing.

An Array holds its Tensor and nothing else, and shares its memory; what an operator gives is a new Array over what the
Tensor's op gave. All functions of the package take and make Arrays by `tensor_in` and `Array`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.array_api.dtypes import ALL, COMPLEX_FLOATS, INTEGERS, SCALARS, DType, checked, name_of, promoted, with_scalar
from emberjit.array_api.elements import computed, tensor_of
from emberjit.tensors.functions import check_device

_ops = core.ops

_F = TypeVar("_F", bound=Callable[..., Any])

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
DEVICE = "CPU"


def _operator(name: str, reflected: bool = False) -> Any:
    def method(self: Array, other: Any, /) -> Any:
        return self._with(name, other, reflected)

    return method


_reflected = functools.partial(_operator, reflected=True)


def _in_place(name: str) -> Any:
    def method(self: Array, other: Any, /) -> Any:
        result = self._with(name, other)
        return result if result is NotImplemented else self._assign(name, result)

    return method


def _unary(name: str) -> Any:
    def method(self: Array, /) -> Array:
        return Array(computed(name, self._tensor))

    return method


class Array:
    """An array of the standard over a Tensor, whose memory it shares. asarray() and the other functions make Arrays.

    Args:
        tensor: of one of the standard's dtypes.

    Raises:
        TypeError: it is no Tensor, or of another dtype.
    """

    __array_ufunc__ = None
    _tensor: Tensor

    def __init__(self, tensor: Any, /) -> None:
        if not isinstance(tensor, core.Tensor):
            raise TypeError(f"For 'Array', the operand must be a Tensor, but got {type(tensor).__name__}: use asarray().")
        checked("Array", tensor.dtype)
        self._tensor = tensor

    @property
    def tensor(self) -> Tensor:
        """The Tensor, which shares the Array's memory; gradients flow through it."""
        return self._tensor

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._tensor.dtype

    @property
    def device(self) -> str:
        """ "CPU"."""
        return DEVICE

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return int(self._tensor.ndim)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return tuple(self._tensor.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self._tensor.size)

    @property
    def T(self) -> Array:
        """A matrix transposed.

        Raises:
            ValueError: there are not two axes.
        """
        if self.ndim != 2:
            raise ValueError(f"T is of two axes, but the shape is {self.shape}: use mT, or permute_dims().")
        return Array(self._tensor.T)

    @property
    def mT(self) -> Array:
        """The matrices that the last two axes are, transposed.

        Raises:
            ValueError: there are fewer axes.
        """
        if self.ndim < 2:
            raise ValueError(f"mT is of two axes at least, but the shape is {self.shape}.")
        return Array(_ops.swapaxes(self._tensor, -1, -2))

    def _with(self, name: str, other: Any, reflected: bool = False) -> Any:
        """The elementwise function of this and another operand; NotImplemented for what is no operand."""
        if isinstance(other, Array):
            other = other._tensor
        elif not isinstance(other, SCALARS) or name == "matmul":
            return NotImplemented
        operands = (other, self._tensor) if reflected else (self._tensor, other)
        return Array(computed(name, *operands))

    def _assign(self, name: str, result: Array) -> Array:
        if result.dtype != self.dtype or result.shape != self.shape:
            raise ValueError(
                f"For '{name}' in place, the result of shape {result.shape} and {result.dtype} does not fit into the array "
                f"of {self.shape} and {self.dtype}: write x = {name}(x, other)."
            )
        self._tensor[...] = result._tensor
        return self

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        """The namespace emberjit.array_api.

        Args:
            api_version: the version of the standard that is asked for; None: whichever.

        Raises:
            ValueError: it is of none that is known.
        """
        if api_version is not None and api_version not in VERSIONS:
            raise ValueError(f"'api_version' must be None or one of {VERSIONS}, but got {api_version!r}.")
        return sys.modules[__package__]

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """The array itself: there is one device.

        Raises:
            ValueError: device is not "CPU", or stream is not None: a CPU has no streams.
        """
        check_device("to_device", device)
        if stream is not None:
            raise ValueError(f"For 'to_device', 'stream' must be None: a CPU has no streams, but got {stream!r}.")
        return self

    def __dlpack__(
        self, /, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """A capsule of DLPack over the memory. See Tensor.__dlpack__."""
        return self._tensor.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self, /) -> tuple[int, int]:
        """(1, 0), the CPU's memory."""
        device: tuple[int, int] = self._tensor.__dlpack_device__()
        return device

    def __array__(self, dtype: DType | None = None, copy: bool | None = None) -> Any:
        """A NumPy array over the memory. See Tensor.__array__."""
        return self._tensor.__array__(dtype, copy)

    def _number(self, target: str, refused: tuple[Any, ...] = ()) -> Any:
        if self.ndim:
            raise TypeError(f"{target}() is of an array without axes, but the shape is {self.shape}.")
        if self.dtype in refused:
            raise TypeError(f"{target}() is not of an array of {name_of(self.dtype)}.")
        return self._tensor.item()

    def __bool__(self, /) -> bool:
        """Whether the element of an array without axes is not zero; TypeError of one with axes."""
        return bool(self._number("bool"))

    def __int__(self, /) -> int:
        """The element as an int; TypeError of complex numbers, or with axes."""
        return int(self._number("int", COMPLEX_FLOATS))

    def __float__(self, /) -> float:
        """The element as a float; TypeError of complex numbers, or with axes."""
        return float(self._number("float", COMPLEX_FLOATS))

    def __complex__(self, /) -> complex:
        """The element as a complex; TypeError with axes."""
        return complex(self._number("complex"))

    def __index__(self, /) -> int:
        """The element of an array of integers; TypeError of others, or with axes."""
        return int(self._number("index", tuple(dtype for dtype in ALL if dtype not in INTEGERS)))

    def __iter__(self, /) -> Iterator[Array]:
        """The parts along the first axis; TypeError without axes."""
        if not self.ndim:
            raise TypeError("an array without axes cannot be iterated over.")
        return (self[i] for i in range(self.shape[0]))

    def __repr__(self, /) -> str:
        return f"Array({self._tensor}, dtype={name_of(self.dtype)})"

    def _index(self, key: Any) -> Any:
        """A key as the Tensor takes it. A mask may have axes of size 0 where the array has others: it chooses nothing."""
        if isinstance(key, Array) and key.dtype == core.bool_ and not key.size and key.ndim <= self.ndim:
            shape = self.shape[: key.ndim]
            if all(size in (0, own) for size, own in zip(key.shape, shape)):
                return _ops.zeros(shape, core.bool_)
        return _plain(key)

    def __getitem__(self, key: Any, /) -> Array:
        """The elements at ints, slices, ..., None, arrays of integers, or a mask. See Tensor's indexing.

        Raises:
            IndexError: the key does not fit the shape, or is of something else.
        """
        return Array(self._tensor[self._index(key)])

    def __setitem__(self, key: Any, value: Any, /) -> None:
        """Writes an array or a number where x[key] reads.

        Raises:
            IndexError: as reading.
            TypeError: value's dtype is of a higher kind, or does not fit into the array's otherwise.
            OverflowError: an int is beyond the array's dtype.
            ValueError: value does not broadcast to what is indexed.
        """
        if not isinstance(value, (Array, *SCALARS)):
            raise TypeError(f"x[key] is set to an Array or a number, but got {type(value).__name__}: use asarray().")
        if isinstance(value, Array):
            value = value._tensor
            common = promoted(self.dtype, value.dtype)
        else:
            common = with_scalar(self.dtype, value)
        if common != self.dtype:
            raise TypeError(f"An array of {self.dtype} cannot hold what needs {common}: convert one with astype().")
        self._tensor[self._index(key)] = tensor_of("setitem", value, self.dtype)

    __pos__, __neg__ = _unary("positive"), _unary("negative")
    __abs__, __invert__ = _unary("abs"), _unary("bitwise_invert")
    __eq__, __ne__ = _operator("equal"), _operator("not_equal")
    __lt__, __le__ = _operator("less"), _operator("less_equal")
    __gt__, __ge__ = _operator("greater"), _operator("greater_equal")
    __add__, __radd__, __iadd__ = _operator("add"), _reflected("add"), _in_place("add")
    __sub__, __rsub__, __isub__ = _operator("subtract"), _reflected("subtract"), _in_place("subtract")
    __mul__, __rmul__, __imul__ = _operator("multiply"), _reflected("multiply"), _in_place("multiply")
    __truediv__, __rtruediv__, __itruediv__ = _operator("divide"), _reflected("divide"), _in_place("divide")
    __floordiv__, __rfloordiv__ = _operator("floor_divide"), _reflected("floor_divide")
    __mod__, __rmod__, __imod__ = _operator("remainder"), _reflected("remainder"), _in_place("remainder")
    __pow__, __rpow__, __ipow__ = _operator("pow"), _reflected("pow"), _in_place("pow")
    __matmul__, __rmatmul__, __imatmul__ = _operator("matmul"), _reflected("matmul"), _in_place("matmul")
    __and__, __rand__, __iand__ = _operator("bitwise_and"), _reflected("bitwise_and"), _in_place("bitwise_and")
    __or__, __ror__, __ior__ = _operator("bitwise_or"), _reflected("bitwise_or"), _in_place("bitwise_or")
    __xor__, __rxor__, __ixor__ = _operator("bitwise_xor"), _reflected("bitwise_xor"), _in_place("bitwise_xor")
    __lshift__, __rlshift__ = _operator("bitwise_left_shift"), _reflected("bitwise_left_shift")
    __rshift__, __rrshift__ = _operator("bitwise_right_shift"), _reflected("bitwise_right_shift")
    __ifloordiv__ = _in_place("floor_divide")
    __ilshift__, __irshift__ = _in_place("bitwise_left_shift"), _in_place("bitwise_right_shift")
    __hash__ = None  # type: ignore[assignment]


def _plain(key: Any) -> Any:
    """A key with the Tensors of its Arrays."""
    if isinstance(key, tuple):
        return tuple(_plain(item) for item in key)
    return key._tensor if isinstance(key, Array) else key


def tensor_in(name: str, x: Any) -> Tensor:
    """The Tensor of an operand.

    Raises:
        TypeError: it is no Array.
    """
    if not isinstance(x, Array):
        raise TypeError(f"For '{name}', the operand must be an Array, but got {type(x).__name__}: use asarray().")
    return x._tensor


def operands_in(name: str, *operands: Any) -> list[Any]:
    """The Tensors of operands, and the numbers among them."""
    return [x if isinstance(x, SCALARS) else tensor_in(name, x) for x in operands]


def of_elements(name: str, documentation: str) -> Callable[[Any], Array]:
    """The namespace's elementwise function of one array, by its name."""

    def function(x: Any, /) -> Array:
        return Array(computed(name, tensor_in(name, x)))

    return named(function, name, documentation)


def of_two(name: str, documentation: str) -> Callable[[Any, Any], Array]:
    """The namespace's elementwise function of two operands, by its name."""

    def function(x1: Any, x2: Any, /) -> Array:
        return Array(computed(name, *operands_in(name, x1, x2)))

    return named(function, name, documentation)


def named(function: _F, name: str, documentation: str) -> _F:
    """A function under a name of the standard."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = documentation
    return function
