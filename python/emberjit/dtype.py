"""Element types, by MindSpore's names."""

from __future__ import annotations

import enum
from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import (
    bfloat16,
    bool_,
    complex64,
    complex128,
    dtype,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    int4,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

byte, short, intc, long, intp, int_ = int8, int16, int32, int64, int64, int64
ubyte, ushort, uintc, uintp, uint = uint8, uint16, uint32, uint64, uint64
half, single, double, float_ = float16, float32, float64, float32
cfloat, cdouble = complex64, complex128
qint4x2 = int4
Type = dtype


class Kind:
    """What dtypes are of a kind, or a value that is no number: mindspore.number, mindspore.tensor_type, mindspore.list_.

    Args:
        name: as str() gives it.
        dtypes: those of the kind.
    """

    def __init__(self, name: str, *dtypes: Any):
        self.name = name
        self.dtypes = dtypes

    def __contains__(self, kind: Any) -> bool:
        return kind is self or kind in self.dtypes

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"emberjit.dtype.{self.name}"


class _Family(type):
    """A class whose instances are dtypes."""

    dtypes: tuple[Any, ...]

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, dtype) and instance in cls.dtypes


class Int(metaclass=_Family):
    """The signed dtypes of whole numbers: isinstance(mindspore.int32, mindspore.Int)."""

    dtypes = (int8, int16, int32, int64)


class UInt(metaclass=_Family):
    """The unsigned dtypes of whole numbers."""

    dtypes = (uint8, uint16, uint32, uint64)


class Float(metaclass=_Family):
    """The dtypes of real numbers."""

    dtypes = (float16, bfloat16, float32, float64)


class Complex(metaclass=_Family):
    """The dtypes of complex numbers."""

    dtypes = (complex64, complex128)


class Bool(metaclass=_Family):
    """The dtype of truth."""

    dtypes = (bool_,)


class TensorType(Kind):
    """The type of Tensors, of any dtype or of one.

    Args:
        element: the dtype.
    """

    def __init__(self, element: Any = None):
        super().__init__("Tensor" if element is None else f"Tensor[{element}]")
        self.element = element

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and self.element == other.element

    def __hash__(self) -> int:
        return hash((TensorType, self.element))

    def element_type(self) -> Any:
        """The dtype."""
        return self.element


_BITS = [(f"{kind}{bits}", first + bits) for kind, first in (("INT", -1), ("UINT", 99)) for bits in range(1, 17)]
QuantDtype = enum.IntEnum("QuantDtype", _BITS)  # type: ignore[misc]

int_type, uint_type, float_type, complex_type = Int.dtypes, UInt.dtypes, Float.dtypes, Complex.dtypes
signed_type = (*int_type, *uint_type)
number_type = (*signed_type, *float_type, *complex_type)
all_types = (bool_, *number_type)
number = Kind("Number", *number_type)
string, list_, tuple_, dict_ = Kind("String"), Kind("List"), Kind("Tuple"), Kind("Dictionary")
function, type_none, type_type = Kind("Func"), Kind("None"), Kind("TypeType")
tensor_type = TensorType()

__all__ = [
    "Bool",
    "Complex",
    "Float",
    "Int",
    "Kind",
    "QuantDtype",
    "TensorType",
    "Type",
    "UInt",
    "all_types",
    "bfloat16",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex128",
    "complex64",
    "complex_type",
    "dict_",
    "double",
    "dtype",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float16",
    "float32",
    "float64",
    "float8_e4m3fn",
    "float8_e5m2",
    "float_",
    "float_type",
    "function",
    "get_py_obj_dtype",
    "half",
    "int16",
    "int32",
    "int4",
    "int64",
    "int8",
    "int_",
    "int_type",
    "intc",
    "intp",
    "issubclass_",
    "list_",
    "long",
    "number",
    "number_type",
    "pytype_to_dtype",
    "qint4x2",
    "short",
    "signed_type",
    "single",
    "string",
    "tensor_type",
    "tuple_",
    "type_none",
    "type_size_in_bytes",
    "type_type",
    "ubyte",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uint_type",
    "uintc",
    "uintp",
    "ushort",
]


def pytype_to_dtype(kind: Any) -> Any:
    """The dtype of a Python or NumPy type.

    Raises:
        TypeError: it has none.
    """
    result = core.dtype_of(kind)
    if result is None:
        raise TypeError(f"there is no dtype for {kind!r}")
    return result


def dtype_to_nptype(kind: Any) -> Any:
    """NumPy's type of a dtype; bfloat16 has none.

    Raises:
        TypeError: it has none.
    """
    import numpy as np

    name = str(kind).lower()
    if name == "bfloat16":
        raise TypeError("NumPy has no bfloat16")
    return np.dtype("bool" if name == "bool" else name).type


def dtype_to_pytype(kind: Any) -> type:
    """Python's type of a dtype's elements: bool, int, float or complex.

    Raises:
        TypeError: it is no dtype.
    """
    for family, python in ((Bool, bool), (Int, int), (UInt, int), (Float, float), (Complex, complex)):
        if isinstance(kind, family):
            return python
    raise TypeError(f"there is no Python type of {kind!r}")


def get_py_obj_dtype(obj: Any) -> Any:
    """The dtype or kind of a Python object: of numbers as they become Tensors, of a Tensor tensor_type of its dtype.

    Raises:
        TypeError: it has none.
    """
    if isinstance(obj, core.Tensor):
        return TensorType(obj.dtype)
    kinds = {str: string, list: list_, tuple: tuple_, dict: dict_, type(None): type_none}
    if type(obj) in kinds:
        return kinds[type(obj)]
    numbers = {bool: bool_, int: int64, float: float64, complex: complex128}
    return numbers[type(obj)] if type(obj) in numbers else pytype_to_dtype(type(obj))


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether a dtype is another, or of a Kind."""
    return type_ in dtype if isinstance(dtype, Kind) else bool(type_ == dtype)


def type_size_in_bytes(kind: Any) -> int:
    """Bytes of one element of a dtype.

    Raises:
        TypeError: NumPy has no such dtype.
    """
    import numpy as np

    return 2 if kind == bfloat16 else int(np.dtype(dtype_to_nptype(kind)).itemsize)
