"""ONNX's elementwise ops: arithmetic, comparisons, logic, bits, functions and activations."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.mint.nn import functional as F
from emberjit.onnx import values
from emberjit.onnx.table import Number, op

FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def is_float(x: Tensor) -> bool:
    """Whether a Tensor is of floating point."""
    return x.dtype in FLOATS


def _unary(name: str, function: Callable[[Any], Any]) -> None:
    @op(name)
    def unary(x: Tensor) -> Any:
        return function(x)


_UNARY: dict[str, Any] = {
    **{
        "Acos": mint.acos,
        "Acosh": mint.acosh,
        "Asin": mint.asin,
        "Asinh": mint.asinh,
        "Atan": mint.atan,
        "Atanh": mint.atanh,
    },
    **{"Ceil": mint.ceil, "Cos": mint.cos, "Cosh": mint.cosh, "Erf": mint.erf, "Exp": mint.exp, "Floor": mint.floor},
    **{"IsNaN": mint.isnan, "Log": mint.log, "Not": mint.logical_not, "Reciprocal": mint.reciprocal, "Round": mint.round},
    **{"Sigmoid": mint.sigmoid, "Sign": mint.sign, "Sin": mint.sin, "Sinh": mint.sinh, "Sqrt": mint.sqrt, "Tan": mint.tan},
    **{"Tanh": mint.tanh, "Relu": F.relu, "Abs": mint.abs, "Neg": mint.neg, "BitwiseNot": mint.bitwise_not},
    **{"Softsign": lambda x: x / (1 + mint.abs(x)), "Mish": lambda x: x * mint.tanh(F.softplus(x)), "Softplus": F.softplus},
    "HardSwish": lambda x: x * mint.clamp(x / 6 + 0.5, 0, 1),
}
for _name, _function in _UNARY.items():
    _unary(_name, _function)


def _old_broadcast(x: Tensor, y: Tensor, axis: int | None, broadcast: int, opset: int) -> Any:
    """The second operand as op sets before 7 broadcast it: where that is asked for, from an axis of the first one on.

    Raises:
        ValueError: it is not asked for, and the shapes differ.
    """
    if opset < 7 and not broadcast and tuple(x.shape) != tuple(y.shape):
        raise ValueError(f"the shapes {x.shape} and {y.shape} differ")
    if opset >= 7 or axis is None:
        return y
    start = values.within(axis, x.ndim)
    return y.reshape((*y.shape, *(1,) * (x.ndim - start - y.ndim)))


def _binary(name: str, function: Callable[[Any, Any], Any]) -> None:
    @op(name)
    def binary(x: Tensor, y: Tensor, *, axis: int | None = None, broadcast: int = 0, opset: int) -> Any:
        return function(x, _old_broadcast(x, y, axis, broadcast, opset))


def _divided(x: Tensor, y: Tensor) -> Any:
    return mint.div(x, y) if is_float(x) else mint.div(x, y, rounding_mode="trunc").astype(x.dtype)


_BINARY: dict[str, Any] = {
    **{"Add": mint.add, "Sub": mint.sub, "Mul": mint.mul, "Div": _divided, "And": mint.logical_and, "Or": mint.logical_or},
    **{"Xor": mint.logical_xor, "Equal": mint.eq, "Greater": mint.gt, "Less": mint.lt, "GreaterOrEqual": mint.ge},
    **{"LessOrEqual": mint.le, "BitwiseAnd": mint.bitwise_and, "BitwiseOr": mint.bitwise_or, "BitwiseXor": mint.bitwise_xor},
}
for _name, _function in _BINARY.items():
    _binary(_name, _function)


@op("Pow")
def power(x: Tensor, y: Tensor, *, axis: int | None = None, broadcast: int = 0, opset: int) -> Any:
    y = _old_broadcast(x, y, axis, broadcast, opset)
    if x.dtype == y.dtype:
        return mint.pow(x, y)
    wide = dtypes.float64 if dtypes.float64 in (x.dtype, y.dtype) or not is_float(x) else dtypes.float32
    return mint.pow(x.astype(wide), y.astype(wide)).astype(x.dtype)


@op("Mod")
def mod(x: Tensor, y: Tensor, *, fmod: int = 0) -> Any:
    return mint.fmod(x, y) if fmod else mint.remainder(x, y)


@op("BitShift")
def bit_shift(x: Tensor, y: Tensor, *, direction: str) -> Any:
    shifts = {"LEFT": ops.bitwise_left_shift, "RIGHT": ops.bitwise_right_shift}
    if direction not in shifts:
        raise ValueError(f"'direction' is '{direction}'")
    return shifts[direction](x, y)


def _of_all(name: str, function: Callable[[Any, Any], Any]) -> None:
    @op(name)
    def of_all(first: Tensor, *rest: Tensor) -> Any:
        return functools.reduce(function, rest, first)


_of_all("Sum", mint.add)
_of_all("Max", mint.maximum)
_of_all("Min", mint.minimum)


@op("Mean")
def mean(first: Tensor, *rest: Tensor) -> Any:
    return functools.reduce(mint.add, rest, first) / (1 + len(rest))


@op("Where")
def where(condition: Tensor, x: Tensor, y: Tensor) -> Any:
    return mint.where(condition, x, y)


@op("Clip")
def clip(x: Tensor, low: Any = None, high: Any = None, *, min: float | None = None, max: float | None = None) -> Any:
    low, high = (min if low is None else low), (max if high is None else high)
    x = x if low is None else mint.maximum(x, _like(x, low))
    return x if high is None else mint.minimum(x, _like(x, high))


def _like(x: Tensor, value: Any) -> Any:
    return value if isinstance(value, Tensor) else Tensor(value, x.dtype)


@op("IsInf")
def is_inf(x: Tensor, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    result = mint.isinf(x)
    if not detect_negative:
        result = mint.logical_and(result, x > 0)
    return result if detect_positive else mint.logical_and(result, x < 0)


@op("LeakyRelu")
def leaky_relu(x: Tensor, *, alpha: float = 0.01) -> Any:
    return mint.where(x < 0, x * alpha, x)


@op("PRelu")
def prelu(x: Tensor, slope: Tensor, *, opset: int) -> Any:
    if opset < 7 and slope.ndim == 1 and slope.shape[0] > 1:
        slope = slope.reshape((-1, *(1,) * (x.ndim - 2)))
    return mint.where(x < 0, x * slope, x)


@op("Elu")
def elu(x: Tensor, *, alpha: float = 1.0) -> Any:
    return mint.where(x < 0, alpha * mint.expm1(mint.minimum(x, _like(x, 0))), x)


@op("Selu")
def selu(x: Tensor, *, alpha: float = 1.6732632423543772, gamma: float = 1.0507009873554805) -> Any:
    return gamma * elu(x, alpha=alpha)


@op("Celu")
def celu(x: Tensor, *, alpha: float = 1.0) -> Any:
    return mint.where(x < 0, alpha * mint.expm1(mint.minimum(x, _like(x, 0)) / alpha), x)


@op("ThresholdedRelu")
def thresholded_relu(x: Tensor, *, alpha: float = 1.0) -> Any:
    return mint.where(x > alpha, x, mint.zeros_like(x))


@op("HardSigmoid")
def hard_sigmoid(x: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    return mint.clamp(alpha * x + beta, 0, 1)


@op("Shrink")
def shrink(x: Tensor, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    zero = mint.zeros_like(x)
    return mint.where(x < -lambd, x + bias, mint.where(x > lambd, x - bias, zero)).astype(x.dtype)


@op("Gelu")
def gelu(x: Tensor, *, approximate: str = "none") -> Any:
    return F.gelu(x, approximate=approximate)


@op("Swish")
def swish(x: Tensor, *, alpha: float = 1.0) -> Any:
    return x * mint.sigmoid(x if alpha == 1 else alpha * x)


@op("SwiGLU")
def swiglu(gate: Tensor, x: Tensor, *, alpha: float = 1.0) -> Any:
    return swish(gate, alpha=alpha) * x


@op("Trilu")
def trilu(x: Tensor, k: Number = 0, *, upper: int = 1) -> Any:
    return mint.triu(x, k) if upper else mint.tril(x, k)


@op("Det")
def det(x: Tensor) -> Any:
    return ops.det(x)
