"""What flows between nodes: Tensors, lists of values (sequences), None (an empty option), and two kinds of our own.

`Known` is a value that is known when a graph is captured: a constant of the file, or numbers made of sizes, such as the (n,
8) in which Reshape is given the batch of its input. It becomes a Tensor where a rule wants one.

`Narrow` is a tensor of a type of fewer than eight bits, or of eight bits with a point: its numbers lie in an int8, uint8 or
float32 Tensor, which holds them exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit._emberjit import Tensor
from emberjit.onnx import messages

UNDEFINED, FLOAT, INT64, STRING, BFLOAT16 = 0, 1, 7, 8, 16
TYPES = {  # TensorProto.DataType
    **{1: dtypes.float32, 2: dtypes.uint8, 3: dtypes.int8, 4: dtypes.uint16, 5: dtypes.int16, 6: dtypes.int32},
    **{7: dtypes.int64, 9: dtypes.bool_, 10: dtypes.float16, 11: dtypes.float64, 12: dtypes.uint32, 13: dtypes.uint64},
    **{14: dtypes.complex64, 15: dtypes.complex128, BFLOAT16: dtypes.bfloat16},
}
NUMBERS = {dtype: number for number, dtype in TYPES.items()}
NARROW = {
    **{17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4", 22: "int4"},
    **{23: "float4_e2m1fn", 24: "float8_e8m0fnu", 25: "uint2", 26: "int2"},
}
BITS = {name: 8 if "float8" in name else 2 if name.endswith("2") else 4 for name in NARROW.values()}
_MOST_NUMBERS = 1024  # of a constant that rules may read as numbers


class Known:
    """Numbers that are known when a graph is captured: one, or a row of them.

    Args:
        items: a number, or a tuple of such; sizes may be symbols of a capture.
        dtype: the type as a tensor.
    """

    __slots__ = ("_tensor", "dtype", "items")

    def __init__(self, items: Any, dtype: Any, tensor: Any = None):
        self.items, self.dtype, self._tensor = items, dtype, tensor

    def tensor(self) -> Any:
        """The value as a Tensor."""
        return Tensor(self.items, self.dtype) if self._tensor is None else self._tensor

    def row(self) -> tuple[Any, ...]:
        """The numbers, of which a single one is a row of one."""
        return self.items if isinstance(self.items, tuple) else (self.items,)


class Narrow:
    """A tensor of a narrow type.

    Args:
        values: a Tensor of int8 or uint8 (types of ints), or float32.
        type: the number of its type (NARROW).
    """

    __slots__ = ("type", "values")

    def __init__(self, values: Any, type: int):
        self.values, self.type = values, type


def tensor(value: Any) -> Any:
    """A value as a Tensor, if it is one."""
    return value.tensor() if isinstance(value, Known) else value


def row(value: Any) -> tuple[Any, ...]:
    """A value as numbers. Those of a Tensor are read, which ends a graph."""
    if isinstance(value, Known):
        return value.row()
    return tuple(value.reshape((-1,)).tolist())


def number(value: Any) -> Any:
    """A value of one element as a number."""
    (item,) = row(value)
    return item


def sizes(x: Any) -> tuple[Any, ...]:
    """The shape of a value."""
    if isinstance(x, Known):
        return (len(x.items),) if isinstance(x.items, tuple) else ()
    return tuple((x.values if isinstance(x, Narrow) else x).shape)


def type_of(x: Any) -> int:
    """The number of a tensor's type."""
    return int(x.type) if isinstance(x, Narrow) else NUMBERS[x.dtype]


def constant(array: np.ndarray[Any, Any], type: int | None = None) -> Any:
    """An array as a value that does not change.

    Raises:
        TypeError: there is no Tensor of its dtype.
    """
    if type in NARROW:
        return narrow(array, type)
    result = Tensor(array) if type != BFLOAT16 else bfloat16(array)
    if array.ndim > 1 or array.size > _MOST_NUMBERS or array.dtype.kind not in "biuf" or type == BFLOAT16:
        return result
    items = array.tolist()
    return Known(tuple(items) if array.ndim else items, result.dtype, result)


def bfloat16(array: np.ndarray[Any, Any]) -> Any:
    """A bfloat16 Tensor of an array of its bits."""
    wide = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return Tensor(wide).astype(dtypes.bfloat16)


def narrow(array: np.ndarray[Any, Any], type: int) -> Narrow:
    """A narrow tensor of an array: of codes, one in a byte, or of a dtype of the package ml_dtypes."""
    name = NARROW[type]
    codes = np.ascontiguousarray(array).view(np.uint8).reshape(array.shape) & ((1 << BITS[name]) - 1)
    return Narrow(Tensor(_DECODED[name][codes]), type)


def _float(exponent_bits: int, bias: int, special: str, bits: int = 8) -> Callable[[int], float]:
    """What a code means, a sign, exponent and mantissa. Special values: "" has none, "fn" NaN in all ones, "uz" NaN in -0,
    "ieee" NaN and infinities."""

    def value(code: int) -> float:
        mantissa_bits = bits - 1 - exponent_bits
        sign, exponent = code >> bits - 1, (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
        mantissa = code & ((1 << mantissa_bits) - 1)
        last = exponent == (1 << exponent_bits) - 1
        if special == "uz" and code == 1 << bits - 1:
            return math.nan
        if special == "fn" and last and mantissa == (1 << mantissa_bits) - 1:
            return math.nan
        if special == "ieee" and last:
            return math.nan if mantissa else math.copysign(math.inf, -sign)
        size = math.ldexp(mantissa, 1 - bias - mantissa_bits)
        if exponent:
            size = math.ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits)
        return math.copysign(size, -1 if sign else 1)

    return value


def _decoded() -> dict[str, np.ndarray[Any, Any]]:
    """By the types' names, the values of all codes. Sources: OCP 8-bit floating point specification (OFP8) 1.0; FNUZ: Noune
    et al., 8-bit numerical formats for deep neural networks (2022); float4 and E8M0: OCP microscaling formats 1.0."""
    floats: dict[str, Callable[[int], float]] = {
        "float8_e4m3fn": _float(4, 7, "fn"),
        "float8_e4m3fnuz": _float(4, 8, "uz"),
        "float8_e5m2": _float(5, 15, "ieee"),
        "float8_e5m2fnuz": _float(5, 16, "uz"),
        "float8_e8m0fnu": lambda code: math.nan if code == 255 else math.ldexp(1.0, code - 127),
        "float4_e2m1fn": _float(2, 1, "", 4),
    }
    tables = {name: np.array([value(code) for code in range(1 << BITS[name])], np.float32) for name, value in floats.items()}
    for name in ("uint4", "int4", "uint2", "int2"):
        codes = np.arange(1 << BITS[name])
        half = 1 << BITS[name] - 1
        tables[name] = codes.astype(np.uint8) if name[0] == "u" else ((codes + half) % (2 * half) - half).astype(np.int8)
    return tables


_DECODED = _decoded()


def sizes_of(type: int) -> np.ndarray[Any, Any]:
    """The finite numbers of a narrow floating point type that are not negative, in order."""
    numbers = _DECODED[NARROW[type]]
    return np.unique(numbers[np.isfinite(numbers) & (numbers >= 0)])


def codes(x: Narrow) -> np.ndarray[Any, Any]:
    """The codes of a narrow tensor, one in a byte."""
    table = _DECODED[NARROW[x.type]]
    elements = x.values.asnumpy()
    if table.dtype != np.float32:
        low_bits: np.ndarray[Any, Any] = (elements.astype(np.int16) & (len(table) - 1)).astype(np.uint8)
        return low_bits
    bits = table.view(np.uint32)
    order = np.argsort(bits, kind="stable")
    at = np.searchsorted(bits[order], elements.view(np.uint32)).clip(0, len(table) - 1)
    return np.where(np.isnan(elements), _not_a_number(table), order[at]).astype(np.uint8)


def _not_a_number(table: np.ndarray[Any, Any]) -> int:
    return int(np.flatnonzero(np.isnan(table))[0]) if np.isnan(table).any() else 0


def numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """NumPy's dtype of the same name."""
    return np.dtype(str(dtype).lower().removesuffix("_"))


def declared_shape(info: messages.ValueInfo) -> tuple[Any, ...] | None:
    """The sizes of a graph's input or output: numbers, names, or None; None if they are not said."""
    kind = None if info.type is None else info.type.tensor_type
    if kind is None or kind.shape is None:
        return None
    return tuple(dim.dim_value if dim.dim_value is not None else dim.dim_param for dim in kind.shape.dim)


def within(axis: Any, rank: int) -> int:
    """An axis from 0 on.

    Raises:
        ValueError: there is none such.
    """
    if not -rank <= axis < rank:
        raise ValueError(f"the axis {axis} is none of a tensor of rank {rank}")
    return int(axis % rank)


def declared(info: messages.ValueInfo) -> int:
    """The number of the type of a graph's input or output; UNDEFINED if it is no tensor."""
    kind = None if info.type is None else info.type.tensor_type
    return UNDEFINED if kind is None else kind.elem_type
