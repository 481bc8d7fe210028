"""The dtypes of the array API standard: their kinds, to what they promote, and their limits. Of what the standard leaves
undefined this defines one thing: dtypes of different kinds promote to the higher kind, bool, integer, real, complex."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from emberjit.dtype import (
    Type,
    bool_,
    complex64,
    complex128,
    dtype_to_nptype,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    type_size_in_bytes,
    uint8,
    uint16,
    uint32,
    uint64,
)
from emberjit.tensors.limits import least, most

DType = Type
Axes = int | Sequence[int] | None

BOOL = (bool_,)
SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
INTEGERS = SIGNED + UNSIGNED
REAL_FLOATS = (float32, float64)
COMPLEX_FLOATS = (complex64, complex128)
FLOATS = REAL_FLOATS + COMPLEX_FLOATS
REAL = INTEGERS + REAL_FLOATS
NUMERIC = REAL + COMPLEX_FLOATS
ALL = BOOL + NUMERIC

KINDS = {
    "bool": BOOL,
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": INTEGERS,
    "real floating": REAL_FLOATS,
    "complex floating": COMPLEX_FLOATS,
    "numeric": NUMERIC,
}
DEFAULTS: dict[type, DType] = {builtins.bool: bool_, int: int64, float: float32, complex: complex64}
SCALARS = tuple(DEFAULTS)
INDEX = int64

_LEVELS = {dtype: level for level, kind in enumerate((BOOL, INTEGERS, REAL_FLOATS, COMPLEX_FLOATS)) for dtype in kind}


def name_of(dtype: DType) -> str:
    """The standard's name of a dtype."""
    return str(dtype).lower()


def bits_of(dtype: DType) -> int:
    """Bits of one element; of a complex number those of both parts."""
    return 8 * type_size_in_bytes(dtype)


def level_of(dtype: DType) -> int:
    """Of which kind a dtype is: 0 bool, 1 integer, 2 real, 3 complex."""
    return _LEVELS[dtype]


def _promoted_integers(a: DType, b: DType) -> DType:
    if (a in SIGNED) == (b in SIGNED):
        return max(a, b, key=bits_of)
    signed, unsigned = (a, b) if a in SIGNED else (b, a)
    bits = max(bits_of(signed), 2 * bits_of(unsigned))
    if bits > bits_of(int64):
        raise TypeError(f"{name_of(a)} and {name_of(b)} promote to no dtype: convert one with astype().")
    return next(dtype for dtype in SIGNED if bits_of(dtype) == bits)


def promoted(a: DType, b: DType) -> DType:
    """The dtype to which two promote.

    Raises:
        TypeError: uint64 and a signed integer, which no dtype holds both.
    """
    if a == b:
        return a
    low, high = sorted((a, b), key=level_of)
    if level_of(low) != level_of(high):
        return complex128 if low == float64 else high
    return _promoted_integers(a, b) if a in INTEGERS else max(a, b, key=bits_of)


def default_of(scalar: Any) -> DType:
    """The default dtype of a Python number's kind.

    Raises:
        TypeError: it is no number.
    """
    for kind, dtype in DEFAULTS.items():
        if isinstance(scalar, kind):
            return dtype
    raise TypeError(f"a number is needed, but got {scalar!r} of type {type(scalar).__name__}.")


def with_scalar(dtype: DType, scalar: Any) -> DType:
    """The dtype of an array of `dtype` with a Python number, which changes it only to a higher kind."""
    default = default_of(scalar)
    if level_of(default) <= level_of(dtype):
        return dtype
    return promoted(dtype, default)


def promoted_all(name: str, operands: Sequence[Any]) -> DType:
    """The dtype to which dtypes and Python numbers promote.

    Raises:
        TypeError: there is no dtype among them, or none holds all.
    """
    dtypes: list[DType] = [one for one in operands if not isinstance(one, SCALARS)]
    if not dtypes:
        raise TypeError(f"For '{name}', one operand at least must be an array, but got {operands}.")
    result = dtypes[0]
    for dtype in dtypes[1:]:
        result = promoted(result, dtype)
    for scalar in operands:
        result = with_scalar(result, scalar) if isinstance(scalar, SCALARS) else result
    return result


def checked(name: str, dtype: DType, allowed: Sequence[Any] = ALL) -> DType:
    """A dtype that is allowed.

    Raises:
        TypeError: it is another.
    """
    if dtype not in allowed:
        names = ", ".join(map(name_of, allowed))
        raise TypeError(f"For '{name}', the dtype must be one of {names}, but got {dtype}: convert with astype().")
    return dtype


def as_numpy(dtype: DType) -> Any:
    """NumPy's type of a dtype."""
    return dtype_to_nptype(dtype)


def isdtype(dtype: DType, kind: Any) -> bool:
    """Whether a dtype is of a kind.

    Args:
        kind: a dtype, a kind by name ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex
            floating", "numeric"), or a tuple of these.

    Raises:
        ValueError: there is no kind of that name.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"For 'isdtype', 'kind' must be one of {list(KINDS)}, but got {kind!r}.")
        return dtype in KINDS[kind]
    return bool(dtype == kind)


def _dtype_of(type: Any) -> Any:
    return type if type in ALL else getattr(type, "dtype", type)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether a dtype, or an array's, may become another by the rules of promotion.

    Raises:
        TypeError: a dtype is none of the standard's.
    """
    dtypes = [checked("can_cast", one) for one in (_dtype_of(from_), to)]
    try:
        return bool(promoted(*dtypes) == to)
    except TypeError:
        return False


class FInfo(NamedTuple):
    """What finfo tells of a floating-point dtype; of a complex one that of its parts.

    Attributes:
        bits: of one number.
        eps: from 1 to the next larger number.
        max, min: the largest and the least finite number.
        smallest_normal: the least positive number of full precision.
        dtype: the real dtype.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IInfo(NamedTuple):
    """What iinfo tells of an integer dtype.

    Attributes:
        bits: of one number.
        max, min: the largest and the least number.
        dtype: the dtype.
    """

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> FInfo:
    """The limits of a floating-point dtype, or of an array's.

    Raises:
        TypeError: it is none.
    """
    given = checked("finfo", _dtype_of(type), FLOATS)
    dtype = {complex64: float32, complex128: float64}.get(given, given)
    mantissa, exponent = (52, -1022) if dtype == float64 else (23, -126)
    eps, normal = math.ldexp(1.0, -mantissa), math.ldexp(1.0, exponent)
    return FInfo(bits_of(dtype), eps, most(dtype), least(dtype), normal, dtype)


def iinfo(type: Any, /) -> IInfo:
    """The limits of an integer dtype, or of an array's.

    Raises:
        TypeError: it is none.
    """
    dtype = checked("iinfo", _dtype_of(type), INTEGERS)
    return IInfo(bits_of(dtype), most(dtype), least(dtype), dtype)
