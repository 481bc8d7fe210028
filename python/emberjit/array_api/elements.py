"""The standard's elementwise functions on Tensors: which dtypes each takes, and the op that computes it.

Operands are Tensors and Python's numbers; they promote here, so that an op sees Tensors of one dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.array_api.dtypes import (
    ALL,
    BOOL,
    COMPLEX_FLOATS,
    FLOATS,
    INTEGERS,
    NUMERIC,
    REAL,
    REAL_FLOATS,
    SCALARS,
    DType,
    checked,
    promoted_all,
)
from emberjit.tensors.limits import least, most

_ops = core.ops

# name:op, where the op has another name.
_OPS: tuple[tuple[Sequence[Any], str], ...] = (
    (ALL, "equal not_equal"),
    (BOOL, "logical_and logical_not logical_or logical_xor"),
    (BOOL + INTEGERS, "bitwise_and bitwise_invert:invert bitwise_or bitwise_xor"),
    (INTEGERS, "bitwise_left_shift:left_shift bitwise_right_shift:right_shift"),
    (NUMERIC, "abs add conj isfinite isinf isnan multiply:mul negative:neg positive:identity pow real round sign"),
    (NUMERIC, "square subtract:sub matmul"),
    (REAL, "ceil floor floor_divide:floor_div greater greater_equal less less_equal maximum minimum"),
    (REAL, "remainder:floor_mod trunc"),
    (FLOATS, "acos acosh asin asinh atan atanh cos cosh divide:div exp expm1 log log10 log1p log2 reciprocal"),
    (FLOATS, "sin sinh sqrt tan tanh"),
    (REAL_FLOATS, "atan2 copysign hypot logaddexp nextafter signbit"),
    (COMPLEX_FLOATS, "imag"),
)


def _real(x: Tensor) -> Tensor:
    return _ops.real(x) if x.dtype in COMPLEX_FLOATS else _ops.identity(x)


def _sign(x: Tensor) -> Tensor:
    """The op's sign of NaN is 0, the standard's NaN."""
    sign = _ops.sign(x)
    return _ops.select(_ops.isnan(x), x, sign) if x.dtype in REAL_FLOATS else sign


def _round(x: Tensor) -> Tensor:
    if x.dtype not in COMPLEX_FLOATS:
        return _ops.round(x)
    return _ops.complex(_ops.round(_ops.real(x)), _ops.round(_ops.imag(x)))


_OWN: dict[str, Callable[..., Any]] = {"real": _real, "round": _round, "sign": _sign}


def _table() -> Iterator[tuple[str, tuple[Sequence[Any], Callable[..., Any]]]]:
    for allowed, names in _OPS:
        for word in names.split():
            name, _, op = word.partition(":")
            yield name, (allowed, _OWN.get(name) or core.op_table[op or name])


OPERATIONS = dict(_table())


def tensor_of(name: str, operand: Any, dtype: DType) -> Tensor:
    """A Tensor of a dtype, of another dtype's or of a number.

    Raises:
        OverflowError: the number is an int beyond an integer dtype.
    """
    if isinstance(operand, core.Tensor):
        return operand if operand.dtype == dtype else _ops.cast(operand, dtype)
    if dtype in INTEGERS and not least(dtype) <= operand <= most(dtype):
        raise OverflowError(f"For '{name}', {operand} is beyond {dtype}: convert the array to a wider dtype with astype().")
    return core.Tensor(operand, dtype)


def in_one_dtype(name: str, operands: Sequence[Any], allowed: Sequence[Any] = ALL) -> list[Tensor]:
    """Tensors of the dtype to which Tensors and numbers promote.

    Raises:
        TypeError: there is none, or it is not allowed.
        OverflowError: a number is beyond it.
    """
    dtypes = [x.dtype if isinstance(x, core.Tensor) else x for x in operands]
    dtype = dtypes[0]
    if isinstance(dtype, SCALARS) or dtypes.count(dtype) < len(dtypes):
        dtype = promoted_all(name, dtypes)
    checked(name, dtype, allowed)
    return [tensor_of(name, x, dtype) for x in operands]


def computed(name: str, *operands: Any) -> Any:
    """The result of an elementwise function, or matmul, of Tensors and numbers.

    Raises:
        TypeError, OverflowError: as in_one_dtype.
        ValueError: the shapes do not broadcast.
    """
    allowed, op = OPERATIONS[name]
    return op(*in_one_dtype(name, operands, allowed))
