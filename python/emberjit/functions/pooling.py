"""Pooling."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.convolution import check_format
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
adaptive_avg_pool1d: ops.adaptive_avg_pool1d mint.nn.functional.adaptive_avg_pool1d
    mint.nn.AdaptiveAvgPool1d(output_size)(input)
avg_pool: ops.AvgPool(kernel_size, strides, pad_mode)(x)
avg_pool1d: ops.avg_pool1d(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad)
avg_pool2d: ops.avg_pool2d(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
avg_pool3d: ops.avg_pool3d(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
max_pool: ops.MaxPool(kernel_size, strides, pad_mode)(x)
max_pool1d: ops.max_pool1d(x, kernel_size, stride, padding, dilation, ceil_mode)
""",
)


@publish(
    """ops.max_pool2d(x, kernel_size, stride, padding, dilation, return_indices, ceil_mode)
    mint.nn.functional.max_pool2d(x as input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
    nn.MaxPool2dExt(kernel_size = 1, stride, padding, dilation, return_indices, ceil_mode)(x as input)
    mint.nn.MaxPool2d(kernel_size, stride, padding, dilation, return_indices, ceil_mode)(x as input)""",
)
def max_pool2d(
    x: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """The largest element of each window of images (N, C, H, W).

    Args:
        kernel_size, stride, padding, dilation: ints or pairs of them; without stride the windows touch.
        return_indices: whether to return (values, indices within each image's plane) instead.
        ceil_mode: whether a last, partial window counts.
    """
    if not return_indices:
        return _ops["max_pool2d"](x, kernel_size, stride, padding, dilation, ceil_mode)
    steps = kernel_size if stride is None else stride
    return _ops["max_pool_with_indices"](x, kernel_size, steps, padding, dilation, ceil_mode)


@publish(
    "ops.max_pool3d(x, kernel_size, stride, padding, dilation, ceil_mode, return_indices)",
)
def max_pool3d(
    x: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W).

    Args:
        kernel_size, stride, padding, dilation: ints or triples of them; without stride the windows touch.
        ceil_mode: whether a last, partial window counts.
        return_indices: whether to return (values, indices within each channel's volume) instead.
    """
    if not return_indices:
        return _ops["max_pool3d"](x, kernel_size, stride, padding, dilation, ceil_mode)
    steps = kernel_size if stride is None else stride
    return _ops["max_pool_with_indices"](x, kernel_size, steps, padding, dilation, ceil_mode)


def adaptive_sizes(name: str, output_size: Any, axes: int) -> tuple[int, ...]:
    """One int for all axes, or a tuple in which None keeps an axis, in the form that the table's ops take.

    Raises:
        TypeError: neither of them.
        ValueError: a tuple of another length, or a negative size.
    """
    sizes = output_size if isinstance(output_size, tuple) else (output_size,) * axes
    if output_size is None or not all(size is None or isinstance(size, int) for size in sizes):
        raise TypeError(f"For '{name}', 'output_size' must be an int or a tuple of ints and None, but got {output_size!r}.")
    if len(sizes) != axes or any(size is not None and size < 0 for size in sizes):
        raise ValueError(f"For '{name}', 'output_size' must be of {axes} sizes, none negative, but got {output_size}.")
    return tuple(-1 if size is None else size for size in sizes)


@publish(
    """ops.adaptive_avg_pool2d ops.adaptive_avg_pool2d_ext mint.nn.functional.adaptive_avg_pool2d
    ops.AdaptiveAvgPool2D(output_size)(input) mint.nn.AdaptiveAvgPool2d(output_size)(input)""",
    in_python=True,
)
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can.

    Args:
        output_size: how many; one int for both, or a tuple of two, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of two.
    """
    return _ops["adaptive_avg_pool2d"](input, adaptive_sizes("adaptive_avg_pool2d", output_size, 2))


@publish(
    """ops.adaptive_avg_pool3d mint.nn.functional.adaptive_avg_pool3d ops.AdaptiveAvgPool3D(output_size)(input)
    mint.nn.AdaptiveAvgPool3d(output_size)(input)""",
    in_python=True,
)
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can.

    Args:
        output_size: how many; one int for all, or a tuple of three, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of three.
    """
    return _ops["adaptive_avg_pool3d"](input, adaptive_sizes("adaptive_avg_pool3d", output_size, 3))


@publish("ops.MaxPool3D(kernel_size, strides, pad_mode, pad_list, ceil_mode, data_format)(x)", in_python=True)
def max_pool3d_primitive(
    x: Tensor,
    kernel_size: Ints = 1,
    strides: Ints = 1,
    pad_mode: str = "VALID",
    pad_list: Ints = 0,
    ceil_mode: bool | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W). `pad_list` is one number, three, or six: before and
    after each axis, for pad_mode "pad"."""
    check_format("MaxPool3D", data_format, "NCDHW")
    return _ops["max_pool3d"](x, kernel_size, strides, pad_list, 1, bool(ceil_mode), pad_mode.lower())


@publish(
    """ops.AvgPool3D(kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override,
    data_format)(input)""",
    in_python=True,
)
def avg_pool3d_primitive(
    input: Tensor,
    kernel_size: Ints = 1,
    strides: Ints = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NCDHW",
) -> Any:
    """The mean of each window of volumes (N, C, D, H, W), whose padding counts unless count_include_pad is False; or its
    sum over divisor_override. `pad` is one number or six: before and after each axis, for pad_mode "pad"."""
    check_format("AvgPool3D", data_format, "NCDHW")
    counted = ceil_mode, count_include_pad, divisor_override
    return _ops["avg_pool3d"](input, kernel_size, strides, pad, *counted, pad_mode.lower())
