"""Dtypes: conversion to them, those that others promote to, and of what kind they are."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import named_dtype
from emberjit.functions.creation.arrays import asarray
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.values import tree

_ops = core.ops

publish_ops(
    __name__,
    """
cast: ops.cast ops.Cast()(input, dtype)
    Tensor.float(dtype := float32) Tensor.int(dtype := int32) Tensor.half(dtype := float16)
    Tensor.long(dtype := int64) Tensor.bool(dtype := bool_) Tensor.double(dtype := float64) Tensor.short(dtype := int16)
    Tensor.char(dtype := int8) Tensor.byte(dtype := uint8) Tensor.bfloat16(dtype := bfloat16)
""",
)


@publish(
    "Tensor.astype(dtype, copy) Tensor.to(dtype, copy)",
    numpy="input.astype(dtype)",
    samples="f32(2, 3), int32",
    in_python=True,
)
def converted(input: Tensor, dtype: Any, copy: bool = True) -> Any:
    """Converted to a dtype, which may be given by name ("int32"); of this dtype and with copy=False, itself.

    Args:
        dtype: a dtype, or its name.
        copy: whether what is of this dtype already is copied.
    """
    by_name = core._dtype(dtype) if isinstance(dtype, str) else None
    if not copy and input.dtype == (dtype if by_name is None else by_name):
        return input
    return _ops.cast(input, dtype if by_name is None else by_name)


@publish("ops.type_as Tensor.type_as", numpy="input.astype(other.dtype)", samples="f32(2, 3), i32(1)", in_python=True)
def type_as(input: Tensor, other: Tensor) -> Any:
    """Converted to the dtype of another Tensor; of this dtype, itself."""
    return converted(input, other.dtype, False)


@publish("ops.DType ops.dtype(input_x as x)", numpy="input_x.dtype", samples="f32(2, 3); i64(1)", in_python=True)
def dtype(input_x: Tensor) -> Any:
    """The dtype."""
    return input_x.dtype


@publish(
    "Tensor.is_floating_point ops.is_floating_point",
    numpy="input.dtype.kind == 'f'",
    samples="f32(2); i32(2)",
    in_python=True,
)
def is_floating_point(input: Tensor) -> Any:
    """Whether the dtype is of floating point."""
    return input.dtype in FLOATS


@publish("Tensor.is_signed", numpy="input.dtype.kind in 'ifc'", samples="f32(2); i32(2); b1(2)", in_python=True)
def is_signed(input: Tensor) -> Any:
    """Whether the dtype has negative numbers."""
    return input.dtype not in (core.bool_, core.uint8, core.uint16, core.uint32, core.uint64)


@publish("ops.is_complex Tensor.is_complex", numpy="np.iscomplexobj(input)", samples="f32(2); c64(2)", in_python=True)
def is_complex(input: Tensor) -> Any:
    """Whether the dtype is complex64 or complex128."""
    return input.dtype in COMPLEXES


_SIGNED = (core.int8, core.int16, core.int32, core.int64)


def promoted(a: Any, b: Any) -> Any:
    """The dtype of a result of both. A uint64 and a signed integer, which no integer holds, become float64."""
    if core.uint64 in (a, b) and (a in _SIGNED or b in _SIGNED):
        return core.float64
    return _ops.concat([_ops.zeros((0,), a), _ops.zeros((0,), b)], 0).dtype


@publish(
    "numpy.promote_types",
    numpy="np.promote_types(type1, type2)",
    samples="int32, float64; uint8, int8; bool_, float16; int16, uint16; int8, uint64; complex64, float64; int64, int64",
    in_python=True,
)
def promote_types(type1: Any, type2: Any) -> Any:
    """The dtype of a result of both: of an integer and a float the float's.

    Args:
        type1, type2: dtypes, also by name.

    Raises:
        TypeError: either is no dtype.
    """
    return promoted(named_dtype("promote_types", type1), named_dtype("promote_types", type2))


@publish(
    "numpy.result_type(*arrays_and_dtypes)",
    numpy="np.result_type(*(x if isinstance(x, np.ndarray) else np.dtype(str(x).lower()) for x in arrays_and_dtypes))",
    samples="(f32(2), float64); (b1(2), float32, int8); (f32(2),)",
    in_python=True,
)
def result_type(arrays_and_dtypes: Any) -> Any:
    """The dtype of a result of all.

    Args:
        arrays_and_dtypes: Tensors, data, and dtypes or their names.

    Raises:
        ValueError: there are none.
    """
    kinds = [
        named_dtype("result_type", item) if isinstance(item, (core.dtype, type, str)) else asarray(item).dtype
        for item in arrays_and_dtypes
    ]
    if not kinds:
        raise ValueError("For 'result_type', at least one array or dtype is needed.")
    result = kinds[0]
    for kind in kinds[1:]:
        result = promoted(result, kind)
    return result


@publish(
    "ops.mixed_precision_cast",
    numpy="(x[0].astype(dst_dtype), x[1])",
    samples="float16, (f32(2, 3), i32(2))",
    in_python=True,
)
def mixed_precision_cast(dst_dtype: DType, x: Any) -> Any:
    """x with its floating Tensors in another dtype: those in tuples, lists and dicts too.

    Args:
        dst_dtype: float16, bfloat16, float32 or float64.
        x: a Tensor, or a tuple, list or dict of Tensors.

    Raises:
        TypeError: dst_dtype is another.
    """
    if dst_dtype not in FLOATS:
        raise TypeError(f"For 'mixed_precision_cast', 'dst_dtype' must be of floating numbers, but got {dst_dtype}.")
    return tree.rebuild(
        x, lambda leaf: _ops.cast(leaf, dst_dtype) if isinstance(leaf, core.Tensor) and leaf.dtype in FLOATS else leaf
    )
