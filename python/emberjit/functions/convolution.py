"""Convolutions."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
conv1d: ops.conv1d
conv2d: ops.conv2d mint.nn.functional.conv2d(input, weight, bias, stride, padding, dilation, groups, pad_mode := 'pad')
    mint.conv2d(input, weight, bias, stride, padding, dilation, groups, pad_mode := 'pad')
conv3d: ops.conv3d
conv_transpose1d: ops.conv_transpose1d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    mint.nn.functional.conv_transpose1d(input, weight, bias, stride, padding, output_padding, groups, dilation)
conv_transpose2d: ops.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    mint.nn.functional.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
conv_transpose3d: ops.conv_transpose3d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    mint.nn.functional.conv_transpose3d(input, weight, bias, stride, padding, output_padding, groups, dilation)
""",
)


def convolved(
    axes: int, x: Any, weight: Any, bias: Any, stride: Any, pad_mode: str, padding: Any, dilation: Any, group: int
) -> Any:
    """Convolution whose padding is one int, or a tuple of those before and after each axis."""
    if isinstance(padding, tuple) and pad_mode == "pad":
        y = _ops["conv_forward"](x, weight, stride, padding, dilation, group)
        return y if bias is None else y + bias.reshape((-1,) + (1,) * axes)
    amount = max(padding) if isinstance(padding, tuple) else padding
    return _ops[f"conv{axes}d"](x, weight, bias, stride, pad_mode, amount, dilation, group)


def check_format(name: str, data_format: str, wanted: str) -> None:
    """Refuses layouts that only other devices have.

    Raises:
        ValueError: another layout.
    """
    if data_format != wanted:
        raise ValueError(f"For '{name}', 'data_format' must be '{wanted}', but got {data_format!r}.")


def _check(name: str, axes: int, weight: Any, channels: int, kernel_size: Any, mode: int, data_format: str) -> None:
    sizes = tuple(kernel_size) if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * axes
    if tuple(weight.shape[2:]) != sizes or weight.shape[0] != channels:
        raise ValueError(
            f"For '{name}', the weight must begin with {channels} channels and be of size {sizes}, but its shape is "
            f"{tuple(weight.shape)}."
        )
    if mode != 1:
        raise ValueError(f"For '{name}', 'mode' must be 1, but got {mode}.")
    check_format(name, data_format, "NCHW" if axes == 2 else "NCDHW")


@publish(
    "ops.Conv2D(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)(x, weight)",
    in_python=True,
)
def conv2d_primitive(
    x: Tensor,
    weight: Tensor,
    out_channel: int,
    kernel_size: Ints,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """Convolution of images (N, C, H, W). `pad` is one number or four (top, bottom, left, right), for pad_mode "pad".

    Raises:
        ValueError: out_channel and kernel_size are not the weight's, or another mode or data_format.
    """
    _check("Conv2D", 2, weight, out_channel, kernel_size, mode, data_format)
    return convolved(2, x, weight, None, stride, pad_mode, pad, dilation, group)


@publish(
    "ops.Conv3D(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)(x, weight)",
    in_python=True,
)
def conv3d_primitive(
    x: Tensor,
    weight: Tensor,
    out_channel: int,
    kernel_size: Ints,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    data_format: str = "NCDHW",
) -> Any:
    """Convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for pad_mode "pad".

    Raises:
        ValueError: out_channel and kernel_size are not the weight's, or another mode or data_format.
    """
    _check("Conv3D", 3, weight, out_channel, kernel_size, mode, data_format)
    return convolved(3, x, weight, None, stride, pad_mode, pad, dilation, group)


_TRANSPOSED = "(out_channel, kernel_size, pad_mode, pad, pad_list, mode, stride, dilation, group, data_format)"


@publish(
    f"""ops.Conv2DBackpropInput{_TRANSPOSED}(out_backprop, filter, input_sizes)
    ops.Conv2DTranspose{_TRANSPOSED}(out_backprop, filter, input_sizes)""",
    in_python=True,
)
def conv2d_input(
    out_backprop: Tensor,
    filter: Tensor,
    input_sizes: Ints,
    out_channel: int,
    kernel_size: Ints,
    pad_mode: str = "valid",
    pad: Ints = 0,
    pad_list: Ints | None = None,
    mode: int = 1,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".

    Raises:
        ValueError: out_channel and kernel_size are not the filter's, or input_sizes do not fit.
    """
    _check("Conv2DBackpropInput", 2, filter, out_channel, kernel_size, mode, data_format)
    if pad_list is not None:
        raise ValueError(f"For 'Conv2DBackpropInput', 'pad_list' must be None: give 'pad', but got {pad_list!r}.")
    window = stride, pad, 0, group, dilation, pad_mode
    return _ops["conv_transpose2d"](out_backprop, filter, None, *window, tuple(input_sizes)[2:])


@publish(
    """ops.Conv3DTranspose(in_channel, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group,
    output_padding, data_format)(dout, weight)""",
    in_python=True,
)
def conv3d_transpose(
    dout: Tensor,
    weight: Tensor,
    in_channel: int,
    out_channel: int,
    kernel_size: Ints,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    output_padding: Ints = 0,
    data_format: str = "NCDHW",
) -> Any:
    """Transposed convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for
    pad_mode "pad"; output_padding leaves more of the result at the end of each axis.

    Raises:
        ValueError: in_channel and kernel_size are not the weight's, or another mode or data_format.
    """
    _check("Conv3DTranspose", 3, weight, in_channel, kernel_size, mode, data_format)
    if weight.shape[1] * group != out_channel:
        raise ValueError(
            f"For 'Conv3DTranspose', 'out_channel' must be the weight's, {weight.shape[1] * group}, but got {out_channel}."
        )
    return _ops["conv_transpose3d"](dout, weight, None, stride, pad, output_padding, group, dilation, pad_mode)
