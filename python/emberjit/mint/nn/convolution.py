"""Convolutions whose parameters are PyTorch's."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import by_axis, check_choice, check_rank
from emberjit.functions.layers.convolution import around, convolved, in_batch
from emberjit.functions.shapes.padding import pad
from emberjit.nn.layers.convolution import BaseConv

_ops = core.ops
_MODES = {"zeros": "constant", "reflect": "reflect", "replicate": "replicate", "circular": "circular"}


class _Conv(BaseConv):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ):
        super().__init__()
        sizes = (tuple(size) if isinstance(size, list) else size for size in (kernel_size, stride, dilation))
        kernel_size, stride, dilation = sizes
        self._make(in_channels, out_channels, kernel_size, stride, "pad", 0, dilation, groups, bias, None, None, dtype)
        self.padding, self.groups = padding, groups
        self.padding_mode = self._checked_mode(padding_mode)
        self.around = around(type(self).__name__, self.axes, self.kernel_size, self.stride, padding, self.dilation)

    def _checked_mode(self, padding_mode: str) -> str:
        check_choice(type(self).__name__, "padding_mode", padding_mode, *_MODES)
        return padding_mode

    def construct(self, input: Any) -> Any:
        check_rank(type(self).__name__, "input", input, self.axes + 1, self.axes + 2)
        return in_batch(self._convolved, input, self.axes)

    def _convolved(self, x: core.Tensor) -> Any:
        pads = self.around
        if self.padding_mode != "zeros":
            sides = (side for i in range(2 * self.axes - 2, -1, -2) for side in pads[i : i + 2])
            x, pads = pad(x, tuple(sides), _MODES[self.padding_mode]), (0,) * len(pads)
        return convolved(self.axes, x, self.weight, self.bias, self.stride, "pad", pads, self.dilation, self.groups)

    def extend_repr(self) -> str:
        return (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"padding={self.padding}, dilation={self.dilation}, groups={self.groups}, bias={self.bias is not None}, "
            f"padding_mode={self.padding_mode}"
        )


class Conv1d(_Conv):
    """Convolution (cross-correlation); weight is of shape (out_channels, in_channels / groups, kernel_size). Parameters
    begin as uniform numbers within 1 / sqrt(fan in).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of one.
        stride: how far the window moves, an int or a tuple of one.
        padding: how much is added on both sides, an int or a tuple of one; or "valid": nothing, or "same": as much as keeps
            the size.
        dilation: the distance of the kernel's elements, an int or a tuple of one.
        groups: into how many groups channels are divided, each of which is convolved by itself.
        bias: whether there is a bias, (out_channels,).
        padding_mode: what is added: "zeros", "reflect", "replicate" or "circular".
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, L) or (C, L).

    Returns:
        A Tensor with the axes of input.

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that groups do not divide, sizes that are not positive, another name of padding or padding_mode,
            or "same" with a stride; when called: a shape does not fit.

    Examples:
        >>> conv = mint.nn.Conv1d(1, 1, kernel_size=3, padding="same", padding_mode="replicate", bias=False)
        >>> _ = conv.weight.set_data(ops.ones_like(conv.weight))
        >>> print(conv(Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[ 4.  6.  9. 11.]]]
    """

    axes = 1


class Conv2d(_Conv):
    """Convolution (cross-correlation); weight is of shape (out_channels, in_channels / groups, kernel height, kernel width).
    Parameters begin as uniform numbers within 1 / sqrt(fan in).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of two.
        stride: how far the window moves, an int or a tuple of two.
        padding: how much is added on both sides, an int or a tuple of two; or "valid": nothing, or "same": as much as keeps
            the size.
        dilation: the distance of the kernel's elements, an int or a tuple of two.
        groups: into how many groups channels are divided, each of which is convolved by itself.
        bias: whether there is a bias, (out_channels,).
        padding_mode: what is added: "zeros", "reflect", "replicate" or "circular".
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, H, W) or (C, H, W).

    Returns:
        A Tensor with the axes of input.

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that groups do not divide, sizes that are not positive, another name of padding or padding_mode,
            or "same" with a stride; when called: a shape does not fit.

    Examples:
        >>> conv = mint.nn.Conv2d(3, 8, kernel_size=3, stride=2, padding=1)
        >>> print(conv(Tensor(np.ones((4, 3, 10, 10)), ms.float32)).shape, conv.weight.shape)
        (4, 8, 5, 5) (8, 3, 3, 3)
    """


class Conv3d(_Conv):
    """Convolution (cross-correlation); weight is of shape (out_channels, in_channels / groups, kernel depth, height, width).
    Parameters begin as uniform numbers within 1 / sqrt(fan in).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of three.
        stride: how far the window moves, an int or a tuple of three.
        padding: how much is added on both sides, an int or a tuple of three; or "valid": nothing, or "same": as much as
            keeps the size.
        dilation: the distance of the kernel's elements, an int or a tuple of three.
        groups: into how many groups channels are divided, each of which is convolved by itself.
        bias: whether there is a bias, (out_channels,).
        padding_mode: what is added: "zeros", "reflect", "replicate" or "circular".
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, D, H, W) or (C, D, H, W).

    Returns:
        A Tensor with the axes of input.

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that groups do not divide, sizes that are not positive, another name of padding or padding_mode,
            or "same" with a stride; when called: a shape does not fit.

    Examples:
        >>> conv = mint.nn.Conv3d(2, 4, kernel_size=(1, 3, 3), groups=2)
        >>> print(conv(Tensor(np.ones((2, 3, 8, 8)), ms.float32)).shape, conv.weight.shape)
        (4, 3, 6, 6) (4, 1, 1, 3, 3)
    """

    axes = 3


class ConvTranspose2d(_Conv):
    """Transposed convolution of images, the gradient of Conv2d by its input; weight is of shape (in_channels, out_channels /
    groups, kernel height, kernel width). Parameters begin as uniform numbers within 1 / sqrt(fan in).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of two.
        stride: how far apart the input's elements are put in the result, an int or a tuple of two.
        padding: what is cut off on each side of the result, an int or a tuple of two.
        output_padding: how much more of the result stays at the end of each axis, an int or a tuple of two.
        groups: into how many groups channels are divided, each of which is convolved by itself.
        bias: whether there is a bias, (out_channels,).
        dilation: the distance of the kernel's elements, an int or a tuple of two.
        padding_mode: "zeros".
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, H, W) or (C, H, W).
        output_size: the height and width of the result, which take the place of output_padding; None: that is taken.

    Returns:
        A Tensor with the axes of input.

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that groups do not divide, sizes that are not positive, another padding_mode; when called: a
            shape does not fit, or no input has this output_size.

    Examples:
        >>> conv = mint.nn.ConvTranspose2d(3, 8, kernel_size=2, stride=2)
        >>> print(conv(Tensor(np.ones((4, 3, 5, 5)), ms.float32)).shape)
        (4, 8, 10, 10)
        >>> print(conv(Tensor(np.ones((4, 3, 5, 5)), ms.float32), output_size=(11, 11)).shape)
        (4, 8, 11, 11)
    """

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ):
        by_axis("ConvTranspose2d", "padding", padding, 2, 0)
        window = kernel_size, stride, padding, dilation
        super().__init__(in_channels, out_channels, *window, groups, bias, padding_mode, dtype)
        self.output_padding = by_axis("ConvTranspose2d", "output_padding", output_padding, 2, 0)

    def _checked_mode(self, padding_mode: str) -> str:
        if padding_mode != "zeros":
            raise ValueError(f"For 'ConvTranspose2d', 'padding_mode' must be 'zeros', but got {padding_mode!r}.")
        return padding_mode

    def construct(self, input: Any, output_size: Any = None) -> Any:
        check_rank("ConvTranspose2d", "input", input, 3, 4)
        extra = self.output_padding if output_size is None else self._extra(input, output_size)
        window = self.stride, by_axis("ConvTranspose2d", "padding", self.padding, 2, 0), extra, self.groups, self.dilation
        return in_batch(lambda x: _ops.conv_transpose2d(x, self.weight, self.bias, *window), input, 2)

    def _extra(self, input: core.Tensor, output_size: Any) -> tuple[int, ...]:
        sizes = by_axis("ConvTranspose2d", "output_size", tuple(output_size)[-2:], 2)
        reach = zip(input.shape[-2:], self.stride, self.kernel_size, self.dilation, self.around[::2], self.around[1::2])
        least = [(n - 1) * step + (k - 1) * d + 1 - first - last for n, step, k, d, first, last in reach]
        extra = tuple(size - low for size, low in zip(sizes, least))
        if not all(0 <= more < max(step, d) for more, step, d in zip(extra, self.stride, self.dilation)):
            raise ValueError(
                f"For 'ConvTranspose2d', 'output_size' must be at least {tuple(least)}, by less than 'stride' or 'dilation' "
                f"more, but got {output_size}."
            )
        return extra
