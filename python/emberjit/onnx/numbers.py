"""Arithmetic on what is known when a graph is captured (values.Known): what files do with the sizes of their inputs, node by
node, before they reshape by them. A function here returns None where the op's rule, on Tensors, is to answer."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from emberjit import dtype as dtypes
from emberjit.onnx.shapes import cut
from emberjit.onnx.values import TYPES, Known

_INTS = (dtypes.int32, dtypes.int64)
_FLOATS = (dtypes.float32, dtypes.float64)
KNOWN: dict[str, Callable[..., Any]] = {}


def _enter(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        KNOWN[name] = function
        return function

    return enter


def _pairs(x: Known, y: Known) -> list[tuple[Any, Any]] | None:
    a, b = x.row(), y.row()
    if len(a) != len(b) and 1 not in (len(a), len(b)):
        return None
    n = max(len(a), len(b)) if a and b else 0
    return list(zip(a * n if len(a) == 1 else a, b * n if len(b) == 1 else b))


_LIMITS = {dtypes.int32: 1 << 31, dtypes.int64: 1 << 63}


def _known_of(items: Any, operands: Any, dtype: Any) -> Known | None:
    """Numbers of the rank of the operands; None if one is beyond the dtype."""
    row = tuple(items)
    limit = _LIMITS.get(dtype)
    if limit is not None and not all(-limit <= n <= limit - 1 for n in row):  # one that int64 has not would fix a size
        return None
    return Known(row if any(isinstance(operand.items, tuple) for operand in operands) else row[0], dtype)


def _binary(name: str, function: Callable[[Any, Any], Any], dtype: Any = None, admitted: tuple[Any, ...] = _INTS) -> None:
    @_enter(name)
    def binary(x: Known, y: Known, *, fmod: int = 0, **_: Any) -> Known | None:
        pairs = _pairs(x, y)
        if fmod or x.dtype not in admitted or pairs is None or any(b == 0 for _, b in pairs if name in ("Div", "Mod")):
            return None
        return _known_of([function(a, b) for a, b in pairs], (x, y), dtype or x.dtype)


def _quotient(a: Any, b: Any) -> Any:
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


for _name, _function in {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "Div": _quotient,
    "Mod": operator.mod,
}.items():
    _binary(_name, _function)


def _of_all(name: str, function: Callable[[Any, Any], Any]) -> None:
    """Of one and more operands."""

    @_enter(name)
    def of_all(first: Known, *rest: Known) -> Known | None:
        result: Known | None = first
        for operand in rest:
            pairs = None if result is None or result.dtype not in _INTS else _pairs(result, operand)
            result = (
                None
                if pairs is None or result is None
                else _known_of([function(*pair) for pair in pairs], (result, operand), result.dtype)
            )
        return result


_of_all("Max", max)
_of_all("Min", min)
for _name, _function in {
    **{"Equal": operator.eq, "Greater": operator.gt, "Less": operator.lt},
    **{"GreaterOrEqual": operator.ge, "LessOrEqual": operator.le},
}.items():
    _binary(_name, _function, dtypes.bool_)
for _name, _function in {"And": operator.and_, "Or": operator.or_, "Xor": operator.ne}.items():
    _binary(_name, _function, admitted=(dtypes.bool_,))


def _unary(name: str, function: Callable[[Any], Any], admitted: tuple[Any, ...]) -> None:
    @_enter(name)
    def unary(x: Known, **_: Any) -> Known | None:
        return _known_of(map(function, x.row()), (x,), x.dtype) if x.dtype in admitted else None


_unary("Neg", operator.neg, _INTS)
_unary("Abs", abs, _INTS)
_unary("Not", operator.not_, (dtypes.bool_,))
_unary("Identity", lambda n: n, (*_INTS, *_FLOATS, dtypes.bool_))


@_enter("Where")
def _where(condition: Known, x: Known, y: Known) -> Known | None:
    pairs = _pairs(x, y)
    if x.dtype not in _INTS or pairs is None:
        return None
    both = _pairs(
        condition, Known((0,) * len(pairs) if isinstance(x.items, tuple) or isinstance(y.items, tuple) else 0, x.dtype)
    )
    if both is None or len(both) != len(pairs):
        return None
    return _known_of([a if test else b for (test, _), (a, b) in zip(both, pairs)], (condition, x, y), x.dtype)


@_enter("Cast")
def _cast(x: Known, *, to: int, **_: Any) -> Known | None:
    dtype = TYPES.get(to)
    if x.dtype in _INTS and dtype in _INTS:
        return Known(x.items, dtype) if dtype in (dtypes.int64, x.dtype) else _known_of(x.row(), (x,), dtype)
    if x.dtype in (*_INTS, dtypes.bool_) and dtype in (dtypes.bool_, *_INTS):
        return _known_of([bool(n) if dtype == dtypes.bool_ else int(n) for n in x.row()], (x,), dtype)
    return None


@_enter("Gather")
def _gather(x: Known, at: Known, *, axis: int = 0) -> Known | None:
    n = len(x.row())
    if not isinstance(x.items, tuple) or axis not in (0, -1) or not all(-n <= i < n for i in at.row()):
        return None
    return _known_of([x.items[i] for i in at.row()], (at,), x.dtype)


@_enter("Concat")
def _concat(*parts: Known, axis: int = 1) -> Known | None:
    if axis not in (0, -1) or not all(isinstance(part.items, tuple) for part in parts):
        return None
    return Known(tuple(n for part in parts for n in part.items), parts[0].dtype)


@_enter("Slice")
def _slice(
    x: Known,
    first: Any = None,
    last: Any = None,
    at: Any = None,
    steps: Any = None,
    *,
    starts: Any = None,
    ends: Any = None,
    axes: Any = None,
) -> Known | None:
    first, last = (starts if first is None else first.row()), (ends if last is None else last.row())
    axes = axes if at is None else at.row()
    if not isinstance(x.items, tuple) or len(first) != 1 or (axes is not None and axes[0] not in (0, -1)):
        return None
    step = 1 if steps is None else steps.row()[0]
    items = x.items if step > 0 else x.items[::-1]
    return Known(items[cut(len(items), first[0], last[0], step)], x.dtype)


@_enter("Squeeze")
def _squeeze(x: Known, *_: Any, **__: Any) -> Known | None:
    return Known(x.items[0], x.dtype) if isinstance(x.items, tuple) and len(x.items) == 1 else None


@_enter("Unsqueeze")
def _unsqueeze(x: Known, at: Any = None, *, axes: Any = None) -> Known | None:
    axes = axes if at is None else at.row()
    return Known((x.items,), x.dtype) if not isinstance(x.items, tuple) and len(axes) == 1 else None


@_enter("Reshape")
def _reshape(x: Known, to: Any = None, *, shape: Any = None, **_: Any) -> Known | None:
    to = shape if to is None else to.row()
    if len(to) == 1 and to[0] in (-1, len(x.row())):
        return Known(x.row(), x.dtype)
    return Known(x.row()[0], x.dtype) if not to and len(x.row()) == 1 else None


@_enter("Expand")
def _expand(x: Known, to: Known) -> Known | None:
    (n,) = to.row() if len(to.row()) == 1 else (-1,)
    return Known(x.row() * n, x.dtype) if len(x.row()) == 1 and 1 <= n <= 64 else None


def _reduction(name: str, function: Callable[[Any], Any]) -> None:
    @_enter(name)
    def reduce(x: Known, *_: Any, keepdims: int = 1, noop_with_empty_axes: int = 0, **__: Any) -> Known | None:
        if x.dtype not in _INTS or noop_with_empty_axes or not isinstance(x.items, tuple) or not x.items:
            return None
        number = function(x.items)
        return Known((number,) if keepdims else number, x.dtype)


_reduction("ReduceProd", math.prod)
_reduction("ReduceSum", sum)
_reduction("ReduceMax", max)
_reduction("ReduceMin", min)


@_enter("ConstantOfShape")
def _constant_of_shape(sizes: Known, *, value: Any = None) -> Known | None:
    if len(sizes.row()) != 1 or not isinstance(value, Known) or not 1 <= sizes.row()[0] <= 64:
        return None
    return Known(value.row() * sizes.row()[0], value.dtype)
