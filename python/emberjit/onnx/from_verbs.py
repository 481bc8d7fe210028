"""What elementwise ops compute, verb by verb (ops/expr/verbs.h), as nodes of ONNX."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit.onnx.values import NUMBERS, numpy_dtype
from emberjit.onnx.writer import Builder

_INTS = (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64)
Verb = Callable[[Builder, Any, list[str]], str]


def _op(name: str) -> Verb:
    return lambda b, dtype, x: b(name, *x)


def _divided(b: Builder, dtype: Any, x: list[str]) -> str:
    """Of ints floored; ONNX's Div truncates."""
    if dtype not in _INTS:
        return b("Div", *x)
    return b("Div", b("Sub", x[0], b("Mod", *x)), x[1])


def _remainder(b: Builder, dtype: Any, x: list[str]) -> str:
    if dtype in _INTS:
        return b("Mod", *x)
    return b("Sub", x[0], b("Mul", x[1], b("Floor", b("Div", *x))))


def _logic(name: str) -> Verb:
    return lambda b, dtype, x: b(name if dtype == dtypes.bool_ else f"Bitwise{name}", *x)


def _angle(b: Builder, dtype: Any, x: list[str]) -> str:
    """atan(y / x), turned by pi where x is negative, and a quarter where it is zero."""
    up, right = x
    zero = b.constant(0, dtype)
    raised, lowered = b("Less", zero, up), b("Less", up, zero)
    beyond = b("Where", lowered, b.constant(-np.pi, dtype), b.constant(np.pi, dtype))
    angle = b("Add", b("Atan", b("Div", up, right)), b("Where", b("Less", right, zero), beyond, zero))
    quarter = b("Where", raised, b.constant(np.pi / 2, dtype), b("Where", lowered, b.constant(-np.pi / 2, dtype), zero))
    return b("Where", b("Equal", right, zero), quarter, angle)


VERBS: dict[str, Verb] = {
    **{name: _op(name) for name in ("Add", "Sub", "Mul", "Neg", "Abs", "Min", "Max", "Sqrt", "Floor", "Ceil", "Exp", "Log")},
    **{name: _op(name) for name in ("Tanh", "Erf", "Sin", "Cos", "Sigmoid", "Pow")},
    **{name: _logic(name) for name in ("And", "Or", "Xor", "Not")},
    **{"Eq": _op("Equal"), "Lt": _op("Less"), "Le": _op("LessOrEqual"), "Select": _op("Where"), "Rint": _op("Round")},
    "Ne": lambda b, dtype, x: b("Not", b("Equal", *x)),
    "Div": _divided,
    "Rem": _remainder,
    "Fma": lambda b, dtype, x: b("Add", b("Mul", *x[:2]), x[2]),
    "Trunc": lambda b, dtype, x: b("Mul", b("Sign", *x), b("Floor", b("Abs", *x))),
    "Expm1": lambda b, dtype, x: b("Sub", b("Exp", *x), b.constant(1, dtype)),
    "Log1p": lambda b, dtype, x: b("Log", b("Add", b.constant(1, dtype), *x)),
    "Atan2": _angle,
}


def number(bits: int, dtype: Any) -> Any:
    """A constant of its bits, zero-extended."""
    kind = numpy_dtype(dtype)
    return np.frombuffer(struct.pack("<Q", bits)[: kind.itemsize], kind)[0]


def write_expression(b: Builder, verbs: list[Any], returns: int, operands: list[Any]) -> str:
    """The name of what an expression gives.

    Args:
        operands: names, or Python's numbers, which become constants where their type is known.

    Raises:
        NotImplementedError: a verb has no counterpart.
    """
    values: list[Any] = []
    for verb, dtype, at, bits in verbs:
        x = [values[i] for i in at]
        if verb == "Input":
            values.append(operands[bits])
        elif verb == "Const":
            values.append(number(bits, dtype).item())
        elif verb == "Convert":
            values.append(_converted(b, x[0], verbs[at[0]][1], dtype))
        elif verb in VERBS:
            kinds = [dtypes.bool_ if verb == "Select" and i == 0 else verbs[at[-1]][1] for i in range(len(at))]
            names = [operand if isinstance(operand, str) else b.constant(operand, kind) for operand, kind in zip(x, kinds)]
            values.append(VERBS[verb](b, verbs[at[-1]][1], names))
        else:
            raise NotImplementedError(f"the step '{verb}' of it has no counterpart in ONNX")
    result = values[returns]
    return result if isinstance(result, str) else b.constant(result, verbs[returns][1])


def _converted(b: Builder, x: Any, old: Any, new: Any) -> Any:
    if isinstance(x, str):
        return x if old == new else b("Cast", x, to=NUMBERS[new])
    return bool(x) if new == dtypes.bool_ else int(x) if new in _INTS else float(x)
