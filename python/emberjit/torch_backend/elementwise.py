"""ATen's elementwise ops."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import emberjit as ms
from emberjit import mint, ops
from emberjit.mint.nn import functional as F
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.torch_backend.table import RULES, Expected, aten

_OF_RESULT_DTYPE = (
    *("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc"),
    *("exp", "exp2", "expm1", "floor", "log", "log10", "log1p", "log2", "neg", "reciprocal", "round", "rsqrt"),
    *("sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc"),
)
_OF_OWN_DTYPE = ("bitwise_not", "isinf", "isnan", "logical_not")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor")
_LOGICAL = ("logical_and", "logical_or", "logical_xor")
_OTHERS = ("maximum", "minimum", "fmod", "remainder", "atan2")
_ACTIVATIONS = ("relu", "relu6", "silu", "mish", "hardswish", "hardsigmoid", "selu")


def _as_it_is(to: Expected, x: Number) -> Any:
    return x


def _enter(module: ModuleType, names: tuple[str, ...], operand: Callable[[Expected, Any], Any], *overloads: str) -> None:
    """Enters a module's functions for the ops of the same names; `operand` prepares each operand."""
    for name in names:
        rule = functools.partial(_called, getattr(module, name), operand)
        RULES.update((f"aten.{name}.{overload}", rule) for overload in overloads)


def _called(function: Callable[..., Any], operand: Callable[[Expected, Any], Any], to: Expected, *operands: Number) -> Any:
    return function(*(operand(to, x) for x in operands))


_enter(mint, _OF_RESULT_DTYPE, Expected.cast, "default")
_enter(mint, _OF_OWN_DTYPE, _as_it_is, "default")
_enter(F, _ACTIVATIONS, _as_it_is, "default")
_enter(mint, _COMPARISONS, Expected.alike, "Tensor", "Scalar", "default")
_enter(mint, (*_BITWISE, *_OTHERS), Expected.cast, "Tensor", "Scalar", "default")
_enter(mint, _LOGICAL, _as_it_is, "Tensor", "Scalar", "default")


def _scaled(to: Expected, x: Number, alpha: Number) -> Any:
    return to.cast(x) if isinstance(alpha, int) and alpha == 1 else to.cast(x) * alpha


@aten("aten.add.Tensor", "aten.add.Scalar")
def add(to: Expected, x: Number, y: Number, alpha: Number = 1) -> Any:
    return to.cast(x) + _scaled(to, y, alpha)


@aten("aten.sub.Tensor", "aten.sub.Scalar")
def sub(to: Expected, x: Number, y: Number, alpha: Number = 1) -> Any:
    return to.cast(x) - _scaled(to, y, alpha)


@aten("aten.rsub.Tensor", "aten.rsub.Scalar")
def rsub(to: Expected, x: Number, y: Number, alpha: Number = 1) -> Any:
    return sub(to, y, x, alpha)


@aten("aten.mul.Tensor", "aten.mul.Scalar")
def mul(to: Expected, x: Number, y: Number) -> Any:
    return to.cast(x) * to.cast(y)


@aten("aten.div.Tensor", "aten.div.Scalar", "aten.true_divide.Tensor")
def div(to: Expected, x: Number, y: Number) -> Any:
    return to.cast(x) / to.cast(y)


@aten("aten.div.Tensor_mode", "aten.div.Scalar_mode")
def div_mode(to: Expected, x: Number, y: Number, rounding_mode: str | None = None) -> Any:
    x = to.cast(x)
    quotient = mint.div(x, to.cast(y), rounding_mode=rounding_mode)
    if rounding_mode != "floor" or not quotient.is_floating_point() or not isinstance(x, Tensor):
        return quotient
    return mint.where(mint.isinf(x), float("nan"), quotient)


@aten("aten.floor_divide.default")
def floor_divide(to: Expected, x: Tensor, y: Number) -> Any:
    return div_mode(to, x, y, "floor")


@aten("aten.pow.Tensor_Tensor", "aten.pow.Tensor_Scalar", "aten.pow.Scalar")
def power(to: Expected, x: Number, y: Number) -> Any:
    return mint.sqrt(to.cast(x)) if isinstance(y, float) and y == 0.5 else mint.pow(to.cast(x), to.cast(y))


@aten("aten.clamp.default", "aten.clamp.Tensor", "aten.clamp_min.default", "aten.clamp_min.Tensor")
def clamp(to: Expected, x: Tensor, least: Number = None, most: Number = None) -> Any:
    return mint.clamp(to.cast(x), to.cast(least), to.cast(most))


@aten("aten.clamp_max.default", "aten.clamp_max.Tensor")
def clamp_max(to: Expected, x: Tensor, most: Number) -> Any:
    return clamp(to, x, None, most)


@aten("aten.where.self", "aten.where.ScalarOther", "aten.where.ScalarSelf")
def where(to: Expected, condition: Tensor, x: Number, y: Number) -> Any:
    return mint.where(condition, to.cast(x), to.cast(y))


@aten("aten.masked_fill.Scalar", "aten.masked_fill.Tensor")
def masked_fill(to: Expected, x: Tensor, mask: Tensor, value: Number) -> Any:
    return where(to, mask, value, x)


@aten("aten.gelu.default")
def gelu(to: Expected, x: Tensor, approximate: str = "none") -> Any:
    return F.gelu(x, approximate=approximate)


@aten("aten.leaky_relu.default")
def leaky_relu(to: Expected, x: Tensor, negative_slope: float = 0.01) -> Any:
    return F.leaky_relu(x, negative_slope)


@aten("aten.elu.default")
def elu(to: Expected, x: Tensor, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Any:
    return mint.where(x > 0, x, alpha * mint.expm1(x * input_scale)) * scale


@aten("aten.hardtanh.default")
def hardtanh(to: Expected, x: Tensor, least: float = -1, most: float = 1) -> Any:
    return clamp(to, x, least, most)


@aten("aten.softplus.default")
def softplus(to: Expected, x: Tensor, beta: float = 1, threshold: float = 20) -> Any:
    scaled = x * beta
    return mint.where(scaled > threshold, x, mint.log1p(mint.exp(scaled)) / beta)


@aten("aten._to_copy.default")
def to_copy(to: Expected, x: Tensor, **_: Any) -> Any:
    return to.cast(x)


@aten("aten.clone.default", "aten.alias.default", "aten.detach.default", "aten.lift_fresh_copy.default")
@aten("aten.lift_fresh.default", "aten.contiguous.default", "aten.positive.default")
def same(to: Expected, x: Tensor, **_: Any) -> Any:
    return x


@aten("aten.copy.default")
def copy(to: Expected, x: Tensor, source: Tensor, non_blocking: bool = False) -> Any:
    return ops.broadcast_to(to.cast(source), x.shape)


@aten("aten.scalar_tensor.default")
def scalar_tensor(to: Expected, value: Number, **_: Any) -> Any:
    return filled(to, (), value)


@aten("aten.full.default")
def full(to: Expected, size: Ints, value: Number, **_: Any) -> Any:
    return filled(to, tuple(size), value)


@aten("aten.full_like.default")
def full_like(to: Expected, x: Tensor, value: Number, **_: Any) -> Any:
    return filled(to, x.shape, value)


@aten("aten.new_zeros.default", "aten.new_empty.default", "aten.new_empty_strided.default")
def new_zeros(to: Expected, like: Tensor, size: Ints, *_: Any, **__: Any) -> Any:
    return filled(to, tuple(size), 0)


@aten("aten.zeros.default", "aten.empty.memory_format", "aten.zeros_like.default", "aten.empty_like.default")
@aten("aten.empty_strided.default")
def zeros(to: Expected, like: Any, *_: Any, **__: Any) -> Any:
    return filled(to, like.shape if isinstance(like, Tensor) else tuple(like), 0)


@aten("aten.ones.default", "aten.ones_like.default")
def ones(to: Expected, like: Any, **_: Any) -> Any:
    return filled(to, like.shape if isinstance(like, Tensor) else tuple(like), 1)


def filled(to: Expected, size: Ints, value: Number) -> Any:
    """A Tensor whose elements are all one number."""
    if isinstance(value, float) and math.isinf(value) and to.dtype in (ms.float16, ms.bfloat16):
        return mint.full(size, value, dtype=ms.float32).astype(to.dtype)
    return mint.full(size, value, dtype=to.dtype)


@aten("aten.arange.start_step")
def arange(to: Expected, start: Number, end: Number, step: Number = 1, **_: Any) -> Any:
    return mint.arange(start, end, step, dtype=to.dtype)
