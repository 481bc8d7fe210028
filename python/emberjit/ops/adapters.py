"""Adapters of primitives whose parameters differ from the op's of the table: each is a function of which the positional
parameters are the operands of a call, and the keyword-only ones the attributes that are given when the primitive is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.ops import composite
from emberjit.primitives.primitive import register_adapters

_ops = core.op_table


def _reduction(name: str) -> Callable[..., Any]:
    op = _ops[name]

    def reduce(x: Any, axis: Any = (), *, keep_dims: bool = False, skip_mode: bool = False) -> Any:
        if skip_mode and (axis is None or (isinstance(axis, (tuple, list)) and not axis)):
            return x
        return op(x, axis, keep_dims)

    reduce.__doc__ = f"{op.__doc__}\nNo axis means all of them; with skip_mode none."
    return reduce


def _truth(name: str) -> Callable[..., Any]:
    op = _ops[name]

    def reduce(x: Any, axis: Any = (), *, keep_dims: bool = False) -> Any:
        return op(x, axis, keep_dims)

    reduce.__doc__ = op.__doc__
    return reduce


def _index_type(name: str, output_type: Any) -> None:
    if output_type not in (core.int32, core.int64):
        raise ValueError(f"For '{name}', 'output_type' must be int32 or int64, but got {output_type}.")


def Argmax(x: Any, *, axis: int = -1, output_type: Any = core.int32) -> Any:
    """The index of the largest element along an axis, the first of equals.

    Raises:
        ValueError: output_type is neither int32 nor int64.
    """
    _index_type("Argmax", output_type)
    return _ops["cast"](_ops["argmax"](x, axis), output_type)


def Argmin(x: Any, *, axis: int = -1, output_type: Any = core.int32) -> Any:
    """The index of the smallest element along an axis, the first of equals.

    Raises:
        ValueError: output_type is neither int32 nor int64.
    """
    _index_type("Argmin", output_type)
    return _ops["cast"](_ops["argmin"](x, axis), output_type)


def convolved(
    axes: int, x: Any, weight: Any, bias: Any, stride: Any, pad_mode: str, padding: Any, dilation: Any, group: int
) -> Any:
    """Convolution whose padding is one int, or a tuple of those before and after each axis."""
    if isinstance(padding, tuple) and pad_mode == "pad":
        y = _ops["conv_forward"](x, weight, stride, padding, dilation, group)
        return y if bias is None else y + bias.reshape((-1,) + (1,) * axes)
    amount = max(padding) if isinstance(padding, tuple) else padding
    return _ops[f"conv{axes}d"](x, weight, bias, stride, pad_mode, amount, dilation, group)


def _check_weight(name: str, axes: int, weight: Any, channels: int, kernel_size: Any) -> None:
    sizes = tuple(kernel_size) if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * axes
    if tuple(weight.shape[2:]) != sizes or weight.shape[0] != channels:
        raise ValueError(
            f"For '{name}', the weight must begin with {channels} channels and be of size {sizes}, but its shape is "
            f"{tuple(weight.shape)}."
        )


def _check_format(name: str, mode: int, data_format: str, wanted: str) -> None:
    if mode != 1 or data_format != wanted:
        raise ValueError(f"For '{name}', 'mode' must be 1 and 'data_format' '{wanted}', but got {mode} and {data_format!r}.")


def Conv2D(
    x: Any,
    weight: Any,
    *,
    out_channel: int,
    kernel_size: Any,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """Convolution of images (N, C, H, W). `pad` is one number or four (top, bottom, left, right), for pad_mode "pad".

    Raises:
        ValueError: out_channel and kernel_size are not the weight's, or another mode or data_format.
    """
    _check_weight("Conv2D", 2, weight, out_channel, kernel_size)
    _check_format("Conv2D", mode, data_format, "NCHW")
    return convolved(2, x, weight, None, stride, pad_mode, pad, dilation, group)


def Conv3D(
    x: Any,
    weight: Any,
    *,
    out_channel: int,
    kernel_size: Any,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: int = 1,
    data_format: str = "NCDHW",
) -> Any:
    """Convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for pad_mode "pad".

    Raises:
        ValueError: out_channel and kernel_size are not the weight's, or another mode or data_format.
    """
    _check_weight("Conv3D", 3, weight, out_channel, kernel_size)
    _check_format("Conv3D", mode, data_format, "NCDHW")
    return convolved(3, x, weight, None, stride, pad_mode, pad, dilation, group)


def Conv2DBackpropInput(
    out_backprop: Any,
    filter: Any,
    input_sizes: Any,
    *,
    out_channel: int,
    kernel_size: Any,
    pad_mode: str = "valid",
    pad: Any = 0,
    pad_list: Any = None,
    mode: int = 1,
    stride: Any = 1,
    dilation: Any = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".

    Raises:
        ValueError: out_channel and kernel_size are not the filter's, or input_sizes do not fit.
    """
    _check_weight("Conv2DBackpropInput", 2, filter, out_channel, kernel_size)
    _check_format("Conv2DBackpropInput", mode, data_format, "NCHW")
    if pad_list is not None:
        raise ValueError(f"For 'Conv2DBackpropInput', 'pad_list' must be None: give 'pad', but got {pad_list!r}.")
    window = stride, pad, 0, group, dilation, pad_mode
    return _ops["conv_transpose2d"](out_backprop, filter, None, *window, tuple(input_sizes)[2:])


def Conv3DTranspose(
    dout: Any,
    weight: Any,
    *,
    in_channel: int,
    out_channel: int,
    kernel_size: Any,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: int = 1,
    output_padding: Any = 0,
    data_format: str = "NCDHW",
) -> Any:
    """Transposed convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for
    pad_mode "pad"; output_padding leaves more of the result at the end of each axis.

    Raises:
        ValueError: in_channel and kernel_size are not the weight's, or another mode or data_format.
    """
    _check_weight("Conv3DTranspose", 3, weight, in_channel, kernel_size)
    _check_format("Conv3DTranspose", mode, data_format, "NCDHW")
    if weight.shape[1] * group != out_channel:
        raise ValueError(
            f"For 'Conv3DTranspose', 'out_channel' must be the weight's, {weight.shape[1] * group}, but got {out_channel}."
        )
    return _ops["conv_transpose3d"](dout, weight, None, stride, pad, output_padding, group, dilation, pad_mode)


def MaxPool3D(
    x: Any,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "VALID",
    pad_list: Any = 0,
    ceil_mode: bool | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W). `pad_list` is one number, three, or six: before and
    after each axis, for pad_mode "pad"."""
    _check_format("MaxPool3D", 1, data_format, "NCDHW")
    return _ops["max_pool3d"](x, kernel_size, strides, pad_list, 1, bool(ceil_mode), pad_mode.lower())


def AvgPool3D(
    input: Any,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NCDHW",
) -> Any:
    """The mean of each window of volumes (N, C, D, H, W), whose padding counts unless count_include_pad is False; or its
    sum over divisor_override. `pad` is one number or six: before and after each axis, for pad_mode "pad"."""
    _check_format("AvgPool3D", 1, data_format, "NCDHW")
    counted = ceil_mode, count_include_pad, divisor_override
    return _ops["avg_pool3d"](input, kernel_size, strides, pad, *counted, pad_mode.lower())


def AdaptiveAvgPool2D(x: Any, *, output_size: Any) -> Any:
    """The means of windows, which divide rows and columns as evenly as they can; None keeps a size."""
    return composite.adaptive_avg_pool2d(x, output_size)


def AdaptiveAvgPool3D(x: Any, *, output_size: Any) -> Any:
    """The means of windows, which divide each axis as evenly as they can; None keeps a size."""
    return composite.adaptive_avg_pool3d(x, output_size)


def BatchNorm(
    input_x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    *,
    is_training: bool = False,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
    data_format: str = "NCHW",
) -> Any:
    """(result, mean, variance, mean, variance): the batch's own statistics when training, else the given ones, which are
    not updated here."""
    _check_format("BatchNorm", 1, data_format, "NCHW")
    if is_training:
        result, mean, variance = _ops["batch_norm_with_statistics"](input_x, scale, bias, epsilon)
    else:
        result = _ops["batch_norm"](input_x, mean, variance, scale, bias, False, momentum, epsilon)
    return result, mean, variance, mean, variance


def Split(input_x: Any, *, axis: int = 0, output_num: int = 1) -> Any:
    """output_num pieces of one size along an axis.

    Raises:
        ValueError: the axis does not divide by output_num.
    """
    size = input_x.shape[axis]
    if output_num < 1 or size % output_num:
        raise ValueError(f"For 'Split', an axis of size {size} can not be split into {output_num} equal pieces.")
    return _ops["split"](input_x, size // output_num, axis)


def Unstack(input_x: Any, *, axis: int = 0, num: Any = None) -> Any:
    """The slices along an axis, `num` of them.

    Raises:
        ValueError: num is given, and not the size of the axis.
    """
    if num is not None and num != input_x.shape[axis]:
        raise ValueError(f"For 'Unstack', 'num' must be the size of axis {axis}, {input_x.shape[axis]}, but got {num}.")
    return tuple(_ops["select_at"](input_x, i, axis) for i in range(input_x.shape[axis]))


def Pad(input_x: Any, *, paddings: Any) -> Any:
    """Zeros before and after each axis, as many as `paddings` names pair by pair."""
    return _ops["pad"](input_x, tuple(n for pair in reversed(paddings) for n in pair))


def PadV3(input_x: Any, paddings: Any, constant_value: Any = None, *, mode: str = "constant") -> Any:
    """Elements before and after axes, pair by pair from the last axis on."""
    value = 0.0 if constant_value is None else float(constant_value)
    return _ops["pad"](input_x, tuple(int(n) for n in paddings), mode, value)


def StridedSlice(
    input_x: Any,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any:
    """The region begin[i]:end[i]:strides[i] of each axis; bit i of a mask changes what entry i means."""
    index: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(begin, end, strides)):
        if ellipsis_mask >> i & 1:
            index.append(...)
        elif new_axis_mask >> i & 1:
            index.append(None)
        elif shrink_axis_mask >> i & 1:
            index.append(start)
        else:
            index.append(slice(None if begin_mask >> i & 1 else start, None if end_mask >> i & 1 else stop, step))
    return input_x[tuple(index)]


def Dropout(x: Any, *, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> Any:
    """(x with elements dropped and the others scaled, 1 where one was kept).

    Raises:
        ValueError: keep_prob outside (0, 1].
    """
    return _ops["dropout_with_mask"](x, keep_prob, _seed(Seed0, Seed1))


def _seed(seed: int, seed2: int) -> int | None:
    return None if seed == 0 and seed2 == 0 else seed << 16 ^ seed2


def UniformReal(shape: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of [0, 1)."""
    return _ops["rand"](shape, None, _seed(seed, seed2))


def UniformInt(shape: Any, minval: Any, maxval: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Random integers of [minval, maxval), int32."""
    return _ops["randint"](int(minval), int(maxval), shape, _seed(seed, seed2), core.int32)


def StandardNormal(shape: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of mean 0 and deviation 1."""
    return _ops["standard_normal"](shape, _seed(seed, seed2))


def DType(input_x: Any) -> Any:
    """The dtype."""
    return input_x.dtype


ADAPTERS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        AdaptiveAvgPool2D,
        AdaptiveAvgPool3D,
        Argmax,
        Argmin,
        AvgPool3D,
        BatchNorm,
        Conv2D,
        Conv2DBackpropInput,
        Conv3D,
        Conv3DTranspose,
        DType,
        Dropout,
        MaxPool3D,
        Pad,
        PadV3,
        Split,
        StandardNormal,
        StridedSlice,
        UniformInt,
        UniformReal,
        Unstack,
    )
}
for _name, _op in (
    ("Sum", "reduce_sum"),
    ("Mean", "mean"),
    ("Max", "reduce_max"),
    ("Min", "reduce_min"),
    ("Prod", "reduce_prod"),
):
    ADAPTERS[f"Reduce{_name}"] = _reduction(_op)
for _name, _function in (
    ("Depend", composite.depend),
    ("Fill", composite.fill),
    ("Rank", composite.rank),
    ("ScalarToTensor", composite.scalar_to_tensor),
    ("Shape", composite.shape),
    ("Size", composite.size),
    ("StopGradient", composite.stop_gradient),
    ("TupleToArray", composite.tuple_to_array),
):
    ADAPTERS[_name] = _function
ADAPTERS["Conv2DTranspose"] = Conv2DBackpropInput
ADAPTERS["ReduceAll"], ADAPTERS["ReduceAny"] = _truth("all"), _truth("any")
register_adapters(ADAPTERS)
