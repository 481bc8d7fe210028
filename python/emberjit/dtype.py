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
    """The signed dtypes of whole numbers, for isinstance: int8, int16, int32 and int64.

    Examples:
        >>> isinstance(ms.int32, ms.Int), isinstance(ms.float32, ms.Int)
        (True, False)
    """

    dtypes = (int8, int16, int32, int64)


class UInt(metaclass=_Family):
    """The unsigned dtypes of whole numbers, for isinstance: uint8, uint16, uint32 and uint64.

    Examples:
        >>> isinstance(ms.uint8, ms.UInt), isinstance(ms.int8, ms.UInt)
        (True, False)
    """

    dtypes = (uint8, uint16, uint32, uint64)


class Float(metaclass=_Family):
    """The dtypes of real numbers, for isinstance: float16, bfloat16, float32 and float64.

    Examples:
        >>> isinstance(ms.bfloat16, ms.Float), isinstance(ms.int32, ms.Float)
        (True, False)
    """

    dtypes = (float16, bfloat16, float32, float64)


class Complex(metaclass=_Family):
    """The dtypes of complex numbers, for isinstance: complex64 and complex128.

    Examples:
        >>> isinstance(ms.complex64, ms.Complex), isinstance(ms.float32, ms.Complex)
        (True, False)
    """

    dtypes = (complex64, complex128)


class Bool(metaclass=_Family):
    """The dtype of truth values, for isinstance: bool_.

    Examples:
        >>> isinstance(ms.bool_, ms.Bool), isinstance(ms.int8, ms.Bool)
        (True, False)
    """

    dtypes = (bool_,)


class TensorType(Kind):
    """The type of Tensors, of any dtype or of one.

    Args:
        element: the dtype; None: any.

    Examples:
        >>> kind = ms.get_py_obj_dtype(Tensor([1.0]))
        >>> kind == ms.TensorType(ms.float32)
        True
        >>> print(kind.element_type())
        Float32
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
QuantDtype.__doc__ = """The dtypes of quantised numbers, by name: INT1 to INT16 and UINT1 to UINT16, of as many bits.

Examples:
    >>> print(ms.QuantDtype.INT8.name, ms.QuantDtype["UINT4"].value)
    INT8 103
"""

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
    """The dtype of a type of Python or NumPy.

    Args:
        kind: a type, such as float or np.int16, or a np.dtype.

    Returns:
        a dtype.

    Raises:
        TypeError: kind has none.

    Examples:
        >>> print(ms.pytype_to_dtype(np.int16), ms.pytype_to_dtype(bool))
        Int16 Bool
    """
    result = core.dtype_of(kind)
    if result is None:
        raise TypeError(f"there is no dtype for {kind!r}")
    return result


def dtype_to_nptype(kind: Any) -> Any:
    """NumPy's type of a dtype.

    Args:
        kind: a dtype.

    Returns:
        a type such as np.float32.

    Raises:
        TypeError: NumPy has none, as of bfloat16.

    Examples:
        >>> ms.dtype_to_nptype(ms.int16) is np.int16
        True
    """
    import numpy as np

    name = str(kind).lower()
    if name == "bfloat16":
        raise TypeError("NumPy has no bfloat16")
    return np.dtype("bool" if name == "bool" else name).type


def dtype_to_pytype(kind: Any) -> type:
    """Python's type of a dtype's elements.

    Args:
        kind: a dtype.

    Returns:
        type: bool, int, float or complex.

    Raises:
        TypeError: kind is no dtype.

    Examples:
        >>> ms.dtype_to_pytype(ms.float16)
        <class 'float'>
    """
    for family, python in ((Bool, bool), (Int, int), (UInt, int), (Float, float), (Complex, complex)):
        if isinstance(kind, family):
            return python
    raise TypeError(f"there is no Python type of {kind!r}")


def get_py_obj_dtype(obj: Any) -> Any:
    """The dtype of a Python object: of a number int64, float64, complex128 or bool_, of a Tensor a TensorType, and of a str,
    list, tuple, dict or None the kind that stands for it.

    Args:
        obj: the object.

    Returns:
        a dtype, or a kind.

    Raises:
        TypeError: obj has none.

    Examples:
        >>> print(ms.get_py_obj_dtype(1), ms.get_py_obj_dtype("text"))
        Int64 String
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
