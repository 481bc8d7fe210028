"""Ops of the op table that are not elementwise as nodes of ONNX: by an op's name, a function of the writer
(graph_writer.Writer), the names of the operands and the op's attributes. What is composed of others and not here is written
as those."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit.onnx.values import NUMBERS

if TYPE_CHECKING:
    from emberjit.onnx.graph_writer import Writer

RULES: dict[str, Callable[..., Any]] = {}


def _of(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(rule: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return enter


def _same(name: str, target: str, **attributes: Any) -> None:
    RULES[name] = lambda w, *x: w.b(target, *x, **attributes)


_ALIKE = (
    "Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Erf Exp Floor Log Neg Reciprocal Sigmoid Sign Sin Sinh Sqrt Tan Tanh"
)
for _name in _ALIKE.split():
    _same(_name, _name)
for _name, _target in {"ReLU": "Relu", "LogicalNot": "Not", "LogicalAnd": "And", "LogicalOr": "Or"}.items():
    _same(_name, _target)


@_of("Round")
def rounded(w: Writer, x: str, *, decimals: int) -> str:
    if decimals:
        raise NotImplementedError("it rounds to decimals")
    return w.b("Round", x)


@_of("Softmax", "LogSoftmax")
def softmax(w: Writer, x: str, *, axis: int) -> str:
    return w.b(w.op, x, axis=axis)


@_of("GeLU")
def gelu(w: Writer, x: str, *, approximate: str) -> str:
    return w.b("Gelu", x, approximate=approximate)


@_of("BatchNorm")
def batch_norm(
    w: Writer, x: str, mean: str, variance: str, weight: str, bias: str, *, training: bool, eps: float, **_: Any
) -> str:
    if training:
        raise NotImplementedError("it is in training mode: call set_train(False) first")
    return w.b("BatchNormalization", x, weight, bias, mean, variance, epsilon=eps)


@_of("LayerNormExt")
def layer_norm(w: Writer, x: str, weight: str, bias: str, *, normalized_shape: Any, eps: float) -> str:
    if not weight:
        weight = w.b.constant([1.0] * 1, w.dtype(0))
        weight = w.b("Expand", weight, w.row(normalized_shape))
    return w.b("LayerNormalization", x, weight, bias, axis=-len(normalized_shape), epsilon=eps)


@_of("LayerNorm")
def layer_norm_with_statistics(
    w: Writer, x: str, weight: str, bias: str, *, begin_norm_axis: int, begin_params_axis: int, epsilon: float
) -> list[str]:
    if not weight or begin_norm_axis != begin_params_axis:
        raise NotImplementedError("it has no 'gamma', or one of other axes than it normalises")
    y, mean, inverse = w.b.results(3, "LayerNormalization", x, weight, bias, axis=begin_norm_axis, epsilon=epsilon)
    return [y, mean, w.b("Reciprocal", w.b("Mul", inverse, inverse))]


def _pads(pad: list[int], rank: int) -> list[int]:
    """Before all axes, then after them."""
    pairs = [pad[0]] * (2 * rank) if len(pad) == 1 else list(pad)
    return pairs[0::2] + pairs[1::2]


def _per_axis(values: list[int], rank: int) -> list[int]:
    return list(values) * rank if len(values) == 1 else list(values)


def _windows(w: Writer, stride: Any, pad: Any, dilation: Any) -> dict[str, list[int]]:
    """The attributes of an op with windows over operand 0."""
    rank, (stride, pad, dilation) = w.rank(0) - 2, map(w.fixed, (stride, pad, dilation))
    return {"strides": _per_axis(stride, rank), "pads": _pads(pad, rank), "dilations": _per_axis(dilation, rank)}


@_of("ConvForward")
def conv(w: Writer, x: str, weight: str, *, stride: Any, pad: Any, dilation: Any, groups: int) -> str:
    return w.b("Conv", x, weight, **_windows(w, stride, pad, dilation), group=groups)


@_of("ConvBackwardInput")
def conv_transpose(
    w: Writer, y: str, weight: str, *, input_size: Any, stride: Any, pad: Any, dilation: Any, groups: int
) -> str:
    rank = w.rank(0) - 2
    stride, dilation = _per_axis(w.fixed(stride), rank), _per_axis(w.fixed(dilation), rank)
    pads, kernel = _pads(w.fixed(pad), rank), w.fixed(w.sizes(1))[2:]
    own, target = w.fixed(w.sizes(0))[2:], w.fixed(input_size)[-rank:]
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    more = [m - ((n - 1) * s + k - a - b) for m, n, s, k, a, b in zip(target, own, stride, spans, pads, pads[rank:])]
    places = {"strides": stride, "pads": pads, "dilations": dilation, "output_padding": more, "group": groups}
    return w.b("ConvTranspose", y, weight, **places)


@_of("MaxPoolWithArgmaxV2")
def max_pool(w: Writer, x: str, *, kernel_size: Any, stride: Any, pad: Any, dilation: Any, ceil_mode: bool) -> list[str]:
    if w.is_read(1):
        raise NotImplementedError("the positions of its elements are of each channel here, and of the whole tensor in ONNX")
    kernel = _per_axis(w.fixed(kernel_size), w.rank(0) - 2)
    return [w.b("MaxPool", x, kernel_shape=kernel, ceil_mode=ceil_mode, **_windows(w, stride, pad, dilation)), ""]


@_of("AvgPoolForward")
def average_pool(
    w: Writer,
    x: str,
    *,
    kernel_size: Any,
    stride: Any,
    pad: Any,
    dilation: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int,
) -> str:
    rank = w.rank(0) - 2
    kernel, stride, pad, dilation = map(w.fixed, (kernel_size, stride, pad, dilation))
    if divisor_override or any(n != 1 for n in dilation):
        raise NotImplementedError("it has a divisor of its own, or a dilation")
    places = {"strides": _per_axis(stride, rank), "pads": _pads(pad, rank), "count_include_pad": count_include_pad}
    return w.b("AveragePool", x, kernel_shape=_per_axis(kernel, rank), ceil_mode=ceil_mode, **places)


@_of("AdaptiveAvgPoolForward")
def adaptive_average_pool(w: Writer, x: str, *, output_size: Any) -> str:
    rank = w.rank(0) - 2
    output = w.fixed(output_size)[-rank:]
    if all(n == 1 for n in output):
        return w.b("GlobalAveragePool", x)
    sizes = w.fixed(w.sizes(0))[2:]
    if any(n % m for n, m in zip(sizes, output)):
        raise NotImplementedError(f"its windows are of different sizes: {output} of {sizes}")
    kernel = [n // m for n, m in zip(sizes, output)]
    return w.b("AveragePool", x, kernel_shape=kernel, strides=kernel)


_same("MatMulExt", "MatMul")


@_of("Concat")
def concat(w: Writer, *x: str, axis: int) -> str:
    return w.b("Concat", *(w.cast(name, i) for i, name in enumerate(x)), axis=axis)


@_of("Reshape")
def reshape(w: Writer, x: str, *, shape: Any) -> str:
    return w.b("Reshape", x, w.row(shape), allowzero=0 in shape)


@_of("Transpose")
def transpose(w: Writer, x: str, *, dims: Any) -> str:
    return w.b("Transpose", x, perm=[axis % w.rank(0) for axis in w.fixed(dims)])


@_of("ExpandDims")
def expand_dims(w: Writer, x: str, *, axis: int) -> str:
    return w.b("Unsqueeze", x, w.b.ints([axis]))


@_of("Squeeze")
def squeeze(w: Writer, x: str, **_: Any) -> str:
    return w.b("Reshape", x, w.row(w.result(0)))


@_of("BroadcastTo")
def broadcast_to(w: Writer, x: str, **_: Any) -> str:
    return w.b("Expand", x, w.row(w.result(0)))


@_of("ReverseV2")
def reverse(w: Writer, x: str, *, dims: Any) -> str:
    at = w.fixed(dims)
    less = w.b.ints([-1] * len(at))
    return w.b("Slice", x, less, w.b.ints([-(1 << 62)] * len(at)), w.b.ints(at), less)


@_of("StridedSlice")
def strided_slice(w: Writer, x: str, *, begin: Any, end: Any, strides: Any) -> str:
    ends = [-(1 << 62) if step < 0 and type(n) is int and n < 0 else n for n, step in zip(end, w.fixed(strides))]
    return w.b("Slice", x, w.row(begin), w.row(ends), w.b.ints(range(len(begin))), w.row(strides))


@_of("SliceUpdate")
def slice_update(w: Writer, x: str, value: str, *, begin: Any, end: Any, strides: Any) -> str:
    shape = w.fixed(w.sizes(0))
    key = [slice(*_bounds(*part)) for part in zip(w.fixed(begin), w.fixed(end), w.fixed(strides))]
    places = np.arange(math.prod(shape)).reshape(shape)[tuple(key)]
    values = w.b("Expand", w.b("Cast", value, to=NUMBERS[w.dtype(0)]), w.b.ints(places.shape))
    flat, at = w.b.ints([-1]), w.b.ints(places.reshape(-1).tolist())
    result = w.b("ScatterElements", w.b("Reshape", x, flat), at, w.b("Reshape", values, flat), axis=0)
    return w.b("Reshape", result, w.b.ints(shape))


def _bounds(start: int, end: int, step: int) -> tuple[int, int | None, int]:
    """Of a Python slice; an end before the first element is None there."""
    return start, (None if step < 0 and end < 0 else end), step


@_of("FlatPositions")
def flat_positions(w: Writer, *indices: str, shape: Any, axes: Any) -> str:
    sizes = [w.row([shape[axis]]) for axis in w.fixed(axes)]
    positions = ""
    for index, size in zip(indices, sizes):
        index = w.b("Cast", index, to=NUMBERS[dtypes.int64])
        index = w.b("Where", w.b("Less", index, w.b.constant(0, dtypes.int64)), w.b("Add", index, size), index)
        positions = index if not positions else w.b("Add", w.b("Mul", positions, size), index)
    return w.b("Reshape", positions, w.row(w.result(0)))


def _same_log(name: str, base: float) -> None:
    RULES[name] = lambda w, x: w.b("Div", w.b("Log", x), w.b.constant(math.log(base), w.result_dtype(0)))


_same_log("Log2", 2)
_same_log("Log10", 10)


@_of("Exp2")
def exp2(w: Writer, x: str) -> str:
    return w.b("Pow", w.b.constant(2, w.result_dtype(0)), x)


_same("Fmod", "Mod", fmod=1)


def _reduced(name: str, target: str) -> None:
    def reduce(w: Writer, x: str, *, axis: Any, keep_dims: bool) -> str:
        axes = w.fixed(axis) if axis else list(range(w.rank(0)))
        if not axes:
            return x
        if name in ("ReduceAll", "ReduceAny"):
            result = w.b(target, w.b("Cast", w.truth(x), to=NUMBERS[dtypes.int32]), w.b.ints(axes), keepdims=keep_dims)
            return w.b("Cast", result, to=NUMBERS[dtypes.bool_])
        return w.b(target, x, w.b.ints(axes), keepdims=keep_dims)

    RULES[name] = reduce


for _name, _target in {
    **{"ReduceSum": "ReduceSum", "ReduceProd": "ReduceProd", "ReduceMax": "ReduceMax", "ReduceMin": "ReduceMin"},
    **{"ReduceAll": "ReduceMin", "ReduceAny": "ReduceMax"},
}.items():
    _reduced(_name, _target)


def _index(name: str, target: str) -> None:
    def index(w: Writer, x: str, **attributes: Any) -> Any:
        axis = attributes.get("dim", attributes.get("axis"))
        keep = next(value for key, value in attributes.items() if key.startswith("keep"))
        if axis is None:
            x, axis, keep = w.b("Reshape", x, w.b.ints([-1])), 0, False
        position = w.b(target, x, axis=axis, keepdims=keep)
        if not name.endswith("WithValue"):
            return w.b("Cast", position, to=NUMBERS[w.result_dtype(0)])
        extreme = w.b("ReduceMax" if target == "ArgMax" else "ReduceMin", x, w.b.ints([axis]), keepdims=keep)
        return [w.b("Cast", position, to=NUMBERS[w.result_dtype(0)]), extreme]

    RULES[name] = index


for _name, _target in {
    **{"ArgMaxExt": "ArgMax", "ArgMinExt": "ArgMin", "ArgMaxWithValue": "ArgMax", "ArgMinWithValue": "ArgMin"}
}.items():
    _index(_name, _target)


@_of("Gather")
def gather(w: Writer, x: str, at: str, *, axis: int, batch_dims: int) -> str:
    if batch_dims:
        raise NotImplementedError("it has 'batch_dims'")
    return w.b("Gather", x, at, axis=axis)


@_of("GatherD")
def gather_elements(w: Writer, x: str, at: str, *, dim: int) -> str:
    return w.b("GatherElements", x, at, axis=dim)


@_of("TensorScatterElements")
def scatter_elements(w: Writer, x: str, at: str, updates: str, *, axis: int, reduction: str) -> str:
    return w.b("ScatterElements", x, at, updates, axis=axis, reduction=reduction)


@_of("CumSum")
def cumsum(w: Writer, x: str, *, axis: int, **_: Any) -> str:
    return w.b("CumSum", w.cast(x, 0), w.b.ints([axis]))


@_of("SortExt")
def sort(w: Writer, x: str, *, axis: int, descending: bool) -> Any:
    count = w.row([w.sizes(0)[axis]])
    return w.b.results(2, "TopK", x, count, axis=axis, largest=descending)


@_of("TopkExt")
def top_k(w: Writer, x: str, *, k: Any, dim: int, largest: bool, sorted: bool) -> Any:
    return w.b.results(2, "TopK", x, w.row([k]), axis=dim, largest=largest, sorted=sorted)


@_of("FillV2")
def full(w: Writer, value: str, **_: Any) -> str:
    number = w.b("Cast", value, to=NUMBERS[w.result_dtype(0)])
    return w.b("Expand", w.b("Reshape", number, w.b.ints([])), w.row(w.result(0)))


@_of("Zeros", "Ones")
def filled(w: Writer, **_: Any) -> str:
    return w.b("Expand", w.b.constant(float(w.op == "Ones"), w.result_dtype(0)), w.row(w.result(0)))


@_of("Triu", "Tril")
def triangle(w: Writer, x: str, *, diagonal: Any) -> str:
    return w.b("Trilu", x, w.b("Reshape", w.row([diagonal]), w.b.ints([])), upper=w.op == "Triu")


@_of("Int")
def to_int(w: Writer, x: str) -> str:
    return w.b("Cast", x, to=NUMBERS[w.result_dtype(0)])


@_of("Erfc")
def erfc(w: Writer, x: str) -> str:
    return w.b("Sub", w.b.constant(1, w.result_dtype(0)), w.b("Erf", x))


@_of("PadV3")
def pad(w: Writer, x: str, *, padding: Any, mode: str, value: float | None) -> str:
    rank = w.rank(0)
    pairs = [(0, 0)] * (rank - len(padding) // 2) + list(zip(padding[0::2], padding[1::2]))[::-1]
    fill = w.b.constant(value or 0, w.dtype(0))
    return w.b("Pad", x, w.row([before for before, _ in pairs] + [after for _, after in pairs]), fill, mode=mode)


@_of("OneHot")
def one_hot(w: Writer, at: str, on: str, off: str, *, depth: Any, axis: int) -> str:
    dtype = w.result_dtype(0)
    off, on = off or w.b.constant(0, dtype), on or w.b.constant(1, dtype)
    pair = w.b("Concat", *(w.b("Reshape", w.b("Cast", x, to=NUMBERS[dtype]), w.b.ints([1])) for x in (off, on)), axis=0)
    codes = w.b("Cast", at, to=NUMBERS[dtypes.int64])
    outside = w.b("Less", codes, w.b.ints([0]))
    return w.b("OneHot", w.b("Where", outside, w.row([depth]), codes), w.row([depth]), pair, axis=axis)
