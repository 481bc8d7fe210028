"""Windows of images and volumes as elements of their own, the sum of such windows, and channels as pixels."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_instance, check_rank
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops
Windows = list[tuple[Any, Any, Any]]  # the size of the kernel, stride and dilation along each axis


def _places(size: Any, window: tuple[Any, Any, Any]) -> Any:
    """The elements of an axis that each tap of each window reads (taps, windows)."""
    kernel, stride, dilation = window
    count = (size - (kernel - 1) * dilation - 1) // stride + 1
    return _ops.expand_dims(_ops.arange(kernel) * dilation, 1) + _ops.arange(count) * stride


def _check_room(name: str, sizes: tuple[Any, ...], windows: Windows) -> None:
    if any(size < (kernel - 1) * dilation + 1 for size, (kernel, _, dilation) in zip(sizes, windows)):
        raise ValueError(f"For '{name}', a window of {windows} (size, stride, dilation) does not fit into {tuple(sizes)}.")


def unfolded(name: str, x: Tensor, windows: Windows) -> Any:
    """The windows over x's last axes: (*others, *taps, *windows)."""
    axes = len(windows)
    first = x.ndim - axes
    _check_room(name, x.shape[first:], windows)
    for i, window in enumerate(windows):
        x = _ops.gather(x, _places(x.shape[first + 2 * i], window), first + 2 * i)
    return _ops.transpose(x, (*range(first), *range(first, first + 2 * axes, 2), *range(first + 1, first + 2 * axes, 2)))


def _counts(sizes: tuple[Any, ...], windows: Windows) -> list[Any]:
    return [(size - (k - 1) * dilation - 1) // stride + 1 for size, (k, stride, dilation) in zip(sizes, windows)]


def folded(x: Tensor, sizes: tuple[Any, ...], windows: Windows) -> Any:
    """Axes of sizes in whose elements the windows (*others, *taps, *windows) over them are summed."""
    axes = len(windows)
    first = x.ndim - 2 * axes
    x = _ops.transpose(x, (*range(first), *(first + i + half for i in range(axes) for half in (0, axes))))
    for i, size in reversed([*enumerate(sizes)]):
        at = first + 2 * i
        room = _ops.zeros((*x.shape[:at], size, *x.shape[at + 2 :]), x.dtype)
        x = _ops.gather_add(room, _places(size, windows[i]), x, at)
    return x


def _windows(name: str, kernel_size: Any, stride: Any, dilation: Any) -> Windows:
    options = ("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)
    return list(zip(*(ints_of(name, argument, value, 2, 1) for argument, value in options)))


def _columns(name: str, x: Tensor, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    """The windows of images (..., H, W): (..., *taps, *windows)."""
    check_rank(name, "input", x, 3, 4)
    windows = _windows(name, kernel_size, stride, dilation)
    down, across = ints_of(name, "padding", padding, 2, 0)
    return unfolded(name, _ops.pad(x, (across, across, down, down)), windows)


def _image(name: str, x: Tensor, size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any, lead: Any) -> Any:
    """The image of a size in which windows are summed, of x as (*lead, *taps, *windows).

    Raises:
        ValueError: the image has not as many windows as x.
    """
    windows = _windows(name, kernel_size, stride, dilation)
    sizes = ints_of(name, "output_size", size, 2, 1)
    pads = ints_of(name, "padding", padding, 2, 0)
    wide = tuple(n + 2 * pad for n, pad in zip(sizes, pads))
    _check_room(name, wide, windows)
    counts = _counts(wide, windows)
    if math.prod(counts) != x.shape[-1]:
        raise ValueError(
            f"For '{name}', an image of {sizes} has {counts} windows, but the input's shape {tuple(x.shape)} ends with "
            f"{x.shape[-1]}."
        )
    y = folded(x.reshape((*lead, *(window[0] for window in windows), *counts)), wide, windows)
    return y[(..., *(slice(pad, pad + n) for pad, n in zip(pads, sizes)))]


@publish(
    """ops.unfold Tensor.unfold mint.nn.functional.unfold mint.nn.Unfold(kernel_size, dilation, padding, stride)(input)""",
    numpy="pixels.unfold(input, kernel_size, dilation, padding, stride)",
    samples="""f32(2, 3, 4, 5), 2; f32(1, 2, 5, 4), (3, 2), (1, 2), (1, 0), (2, 1); f64(3, 4, 4), 3, 1, 1, 2;
    i32(1, 2, 3, 3), 2; f32(0, 2, 3, 3), (2, 3)""",
)
def unfold(input: Tensor, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1) -> Any:
    """The windows of images (N, C, H, W) or (C, H, W) as columns: (N, C * kernel's size, windows), or without N.

    Args:
        kernel_size, dilation, stride: ints, or pairs of them for rows and columns.
        padding: zeros around the image, as many or (above and below, left and right).

    Raises:
        TypeError: an argument is no int.
        ValueError: an argument is out of range, or no window fits.
    """
    out = _columns("unfold", input, kernel_size, dilation, padding, stride)
    *lead, channels, a, b, rows, columns = out.shape
    return _ops.reshape(out, (*lead, channels * a * b, rows * columns))


@publish(
    "ops.Im2Col(kernel_size as ksizes, stride as strides, dilation as dilations, padding as pads)(x)",
    numpy="(lambda y: y.reshape(*x.shape[:2], -1, y.shape[2]))(pixels.unfold(x, kernel_size, dilation, padding, stride))",
    samples="f32(2, 3, 4, 5), 2; f32(1, 2, 5, 4), (3, 2), (2, 1), (1, 2), (1, 0)",
)
def im2col(x: Tensor, kernel_size: Ints, stride: Ints = 1, dilation: Ints = 1, padding: Ints = 0) -> Any:
    """The windows of images (N, C, H, W): (N, C, kernel's size, windows). See unfold.

    Args:
        kernel_size, stride, dilation: ints, or pairs of them for rows and columns.
        padding: zeros around the image, as many or (above and below, left and right).

    Raises:
        TypeError: an argument is no int.
        ValueError: x has not four axes, an argument is out of range, or no window fits.
    """
    check_rank("Im2Col", "x", x, 4)
    n, c, a, b, rows, columns = (out := _columns("Im2Col", x, kernel_size, dilation, padding, stride)).shape
    return _ops.reshape(out, (n, c, a * b, rows * columns))


@publish(
    """ops.fold Tensor.fold mint.nn.functional.fold
    mint.nn.Fold(output_size, kernel_size, dilation, padding, stride)(input)""",
    numpy="pixels.fold(input, output_size, kernel_size, dilation, padding, stride)",
    samples="""f32(2, 12, 12), (4, 5), 2; f32(1, 12, 15), (5, 4), (3, 2), (1, 1), (1, 1), (2, 1); f64(9, 4), 4, 3, 1, 1, 2;
    i32(1, 4, 4), (3, 3), 2""",
)
def fold(input: Tensor, output_size: Any, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1) -> Any:
    """The images (N, C, H, W) in which windows are summed, given as columns (N, C * kernel's size, windows), or without N.

    Args:
        output_size: (H, W).
        kernel_size, dilation, stride: ints, or pairs of them for rows and columns.
        padding: zeros that were around the image, as many or (above and below, left and right).

    Raises:
        TypeError: an argument is no int.
        ValueError: an argument is out of range, or the image has other windows.
    """
    check_rank("fold", "input", input, 2, 3)
    taps = math.prod(ints_of("fold", "kernel_size", kernel_size, 2, 1))
    if input.shape[-2] % taps:
        raise ValueError(
            f"For 'fold', the last axis but one of 'input' must be divisible by the kernel's size {taps}, but its shape is "
            f"{tuple(input.shape)}."
        )
    lead = (*input.shape[:-2], input.shape[-2] // taps)
    return _image("fold", input, output_size, kernel_size, dilation, padding, stride, lead)


@publish(
    """ops.col2im Tensor.col2im ops.Col2Im(kernel_size, dilation: ints = 1, padding_value as padding: ints = 0,
    stride: ints = 1)
    (input_x as x, output_size)""".replace("\n    (", "("),
    numpy="""pixels.fold(input_x.reshape(len(input_x), -1, input_x.shape[3]), output_size, kernel_size, dilation,
    padding_value, stride)""",
    samples="f32(2, 3, 4, 12), (4, 5), 2, 1, 0, 1; f32(1, 2, 6, 15), (5, 4), (3, 2), (1, 1), (1, 1), (2, 1)",
)
def col2im(input_x: Tensor, output_size: Any, kernel_size: Ints, dilation: Ints, padding_value: Ints, stride: Ints) -> Any:
    """The images (N, C, H, W) in which windows are summed, given as (N, C, kernel's size, windows). See fold.

    Args:
        output_size: (H, W).
        kernel_size, dilation, stride: ints, or pairs of them for rows and columns.
        padding_value: zeros that were around the image, as many or (above and below, left and right).

    Raises:
        TypeError: an argument is no int.
        ValueError: an argument is out of range, or the image has other windows.
    """
    check_rank("col2im", "input_x", input_x, 4)
    taps = math.prod(ints_of("col2im", "kernel_size", kernel_size, 2, 1))
    if input_x.shape[2] != taps:
        raise ValueError(
            f"For 'col2im', the third axis of 'input_x' must be of the kernel's size {taps}, but its shape is "
            f"{tuple(input_x.shape)}."
        )
    lead = input_x.shape[:2]
    return _image("col2im", input_x, output_size, kernel_size, dilation, padding_value, stride, lead)


def _patches(name: str, x: Tensor, kernel: Any, strides: Any, rates: Any, padding: str) -> Any:
    """Windows of (N, C, *sizes) as channels in the order (*taps, C): (N, kernel's size * C, *windows)."""
    count = x.ndim
    check_choice(name, "padding", padding.lower(), "same", "valid")
    options = ("the sizes of windows", kernel), ("strides", strides), ("rates", rates)
    numbers = [ints_of(name, argument, value, count, 1) for argument, value in options]
    if any(items[:2] != (1, 1) for items in numbers):
        raise ValueError(f"For '{name}', sizes, strides and rates must begin with 1, 1, but are {numbers}.")
    windows = list(zip(*(items[2:] for items in numbers)))
    if padding.lower() == "same":
        pads: tuple[Any, ...] = ()
        for size, (k, stride, rate) in zip(x.shape[2:], windows):
            lacking = max((-(-size // stride) - 1) * stride + (k - 1) * rate + 1 - size, 0)
            pads = (lacking // 2, lacking - lacking // 2, *pads)
        x = _ops.pad(x, pads)
    n, c, *sizes = x.shape
    out = unfolded(name, x.reshape((n * c, *sizes)), windows)
    taps, left = math.prod(window[0] for window in windows), out.shape[count - 1 :]
    return _ops.swapaxes(out.reshape((n, c, taps, *left)), 1, 2).reshape((n, taps * c, *left))


@publish(
    "ops.ExtractImagePatches(ksizes, strides, rates, padding)(input_x)",
    numpy="pixels.patches(input_x, ksizes, strides, rates, padding)",
    samples="""f32(2, 3, 4, 5), (1, 1, 2, 3), (1, 1, 1, 2), (1, 1, 1, 1); f32(1, 2, 5, 4), [1, 1, 2, 2], [1, 1, 2, 3],
    [1, 1, 2, 1], 'same'""",
)
def extract_image_patches(input_x: Tensor, ksizes: Ints, strides: Ints, rates: Ints, padding: str = "VALID") -> Any:
    """The windows of images (N, C, H, W) as channels, those of one tap together: (N, kernel's size * C, rows, columns).

    Args:
        ksizes, strides, rates: (1, 1, down, right): windows, the distance of theirs, and that of elements within one.
        padding: "valid": windows lie within the image; "same": there are as many as strides, among zeros.

    Raises:
        TypeError: an argument is no tuple of ints.
        ValueError: an argument is out of range, or no window fits.
    """
    check_rank("ExtractImagePatches", "input_x", input_x, 4)
    return _patches("ExtractImagePatches", input_x, ksizes, strides, rates, padding)


def _down_and_right(argument: str, value: Any) -> tuple[int, ...]:
    check_instance("Unfold", argument, value, (tuple, list))
    if len(value) != 4 or value[0] != 1 or value[3] != 1:
        raise ValueError(f"For 'Unfold', '{argument}' must be (1, down, right, 1), but got {value}.")
    return (1, 1, value[1], value[2])


@publish(
    "nn.Unfold(ksizes, strides, rates, padding)(input_x)",
    numpy="pixels.patches(input_x, *((1, 1, *x[1:3]) for x in (ksizes, strides, rates)), padding)",
    samples="""f32(2, 3, 4, 5), (1, 2, 3, 1), (1, 1, 2, 1), (1, 1, 1, 1); f32(1, 2, 5, 4), [1, 2, 2, 1], [1, 2, 3, 1],
    (1, 2, 1, 1)""",
)
def unfold_patches(input_x: Tensor, ksizes: Any, strides: Any, rates: Any, padding: str = "valid") -> Any:
    """The windows of images as ops.ExtractImagePatches gives them.

    Args:
        ksizes, strides, rates: (1, down, right, 1): windows, the distance of theirs, and that of elements within one.
        padding: "valid": windows lie within the image; "same": there are as many as strides, among zeros.

    Raises:
        TypeError: an argument is no tuple or list of ints.
        ValueError: an argument is out of range, or no window fits.
    """
    options = ("ksizes", ksizes), ("strides", strides), ("rates", rates)
    sizes, steps, gaps = (_down_and_right(*one) for one in options)
    return extract_image_patches(input_x, sizes, steps, gaps, padding)


@publish(
    "ops.ExtractVolumePatches(kernel_size, strides, padding)(input_x)",
    numpy="""pixels.patches(input_x, *(x if isinstance(x, (tuple, list)) else (1, 1, x, x, x) for x in (kernel_size,
    strides)),
    (1,) * 5, padding)""",
    samples="f32(1, 2, 3, 4, 3), (1, 1, 2, 2, 1), (1, 1, 1, 2, 1), 'VALID'; f32(1, 2, 3, 4, 3), 2, 2, 'SAME'",
)
def extract_volume_patches(input_x: Tensor, kernel_size: Ints, strides: Ints, padding: str) -> Any:
    """The windows of volumes (N, C, D, H, W) as channels, those of one tap together: (N, kernel's size * C, *windows).

    Args:
        kernel_size, strides: (1, 1, depth, down, right), or one int for the last three.
        padding: "valid": windows lie within the volume; "same": there are as many as strides, among zeros.

    Raises:
        TypeError: an argument is no int or tuple of ints.
        ValueError: an argument is out of range, or no window fits.
    """
    check_rank("ExtractVolumePatches", "input_x", input_x, 5)
    sizes, steps = (n if isinstance(n, (tuple, list)) else (1, 1, n, n, n) for n in (kernel_size, strides))
    return _patches("ExtractVolumePatches", input_x, sizes, steps, 1, padding)


def _check_factor(name: str, argument: str, input: Tensor, factor: int) -> None:
    if input.ndim < 3:
        raise ValueError(f"For '{name}', 'input' must have at least three axes, but its shape is {tuple(input.shape)}.")
    ints_of(name, argument, factor, 1, 1)


@publish(
    """ops.pixel_shuffle mint.nn.functional.pixel_shuffle nn.PixelShuffle(upscale_factor)(input)
    mint.nn.PixelShuffle(upscale_factor)(input)""",
    numpy="""(lambda r: np.einsum('...cabhw->...chawb', input.reshape(*input.shape[:-3], -1, r, r,
    *input.shape[-2:])).reshape(
    *input.shape[:-3], -1, input.shape[-2] * r, input.shape[-1] * r))(upscale_factor)""",
    samples="f32(2, 8, 2, 3), 2; i32(9, 1, 2), 3; f32(2, 2, 4, 3, 1), 1",
)
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Any:
    """Channels as pixels: (..., C * r * r, H, W) becomes (..., C, H * r, W * r), r being upscale_factor.

    Method: W. Shi et al., Real-time single image and video super-resolution (2016).

    Raises:
        ValueError: input has less than three axes, its channels are not divisible by r * r, or r is not positive.
    """
    _check_factor("pixel_shuffle", "upscale_factor", input, upscale_factor)
    r = upscale_factor
    *lead, channels, height, width = input.shape
    if channels % (r * r):
        raise ValueError(
            f"For 'pixel_shuffle', the channels of 'input' must be divisible by {r * r}, but its shape is "
            f"{tuple(input.shape)}."
        )
    first = len(lead)
    x = _ops.reshape(input, (*lead, channels // (r * r), r, r, height, width))
    x = _ops.transpose(x, (*range(first), *(first + i for i in (0, 3, 1, 4, 2))))
    shuffled = _ops.reshape(x, (*lead, channels // (r * r), height * r, width * r))
    return _ops.identity(shuffled) if r == 1 else shuffled


@publish(
    "ops.pixel_unshuffle nn.PixelUnshuffle(downscale_factor)(input)",
    numpy="""(lambda r, h, w: np.einsum('...chawb->...cabhw', input.reshape(*input.shape[:-2], h, r, w, r)).reshape(
    *input.shape[:-3], -1, h, w))(downscale_factor, input.shape[-2] // downscale_factor, input.shape[-1] //
    downscale_factor)""",
    samples="f32(2, 2, 4, 6), 2; i32(1, 3, 6), 3; f32(2, 2, 4, 3, 1), 1",
)
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Any:
    """Pixels as channels: (..., C, H * r, W * r) becomes (..., C * r * r, H, W), r being downscale_factor. See
    pixel_shuffle.

    Raises:
        ValueError: input has less than three axes, its height or width is not divisible by r, or r is not positive.
    """
    _check_factor("pixel_unshuffle", "downscale_factor", input, downscale_factor)
    r = downscale_factor
    *lead, channels, height, width = input.shape
    if height % r or width % r:
        raise ValueError(
            f"For 'pixel_unshuffle', the height and width of 'input' must be divisible by {r}, but its shape is "
            f"{tuple(input.shape)}."
        )
    first = len(lead)
    x = _ops.reshape(input, (*lead, channels, height // r, r, width // r, r))
    x = _ops.transpose(x, (*range(first), *(first + i for i in (0, 2, 4, 1, 3))))
    return _ops.reshape(x, (*lead, channels * r * r, height // r, width // r))
