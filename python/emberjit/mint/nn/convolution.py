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
    """Convolution of (N, C, L) or (C, L); weight of shape (out_channels, in_channels / groups, kernel_size).

    Args:
        padding: an int, or "valid": none, or "same": as much as keeps the size.
        groups: into how many parts channels are divided, each of which sees only itself.
        bias: whether there is one.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: of the Parameters.

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that groups do not divide, sizes that are not positive, another name of padding or
            padding_mode, or "same" with a stride.
    """

    axes = 1


class Conv2d(_Conv):
    """Convolution of (N, C, H, W) or (C, H, W); weight of shape (out_channels, in_channels / groups, kh, kw).

    Args and Raises: as Conv1d; sizes are ints or tuples of two.
    """


class Conv3d(_Conv):
    """Convolution of (N, C, D, H, W) or (C, D, H, W); weight of shape (out_channels, in_channels / groups, kd, kh, kw).

    Args and Raises: as Conv1d; sizes are ints or tuples of three.
    """

    axes = 3


class ConvTranspose2d(_Conv):
    """Transposed convolution of (N, C, H, W) or (C, H, W); weight of shape (in_channels, out_channels / groups, kh, kw).

    Args:
        padding: an int or a tuple of two: what is cut off on each side of the result.
        output_padding: how much more of the result stays at the end of each axis.
        padding_mode: "zeros".

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that groups do not divide, sizes that are not positive, another padding_mode; when called:
            output_size that has not this input.
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
