"""The windows of an op along the axes of an image: ONNX's strides, dilations, pads and auto_pad, as all ops have them."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

from emberjit._emberjit import Tensor
from emberjit.onnx.table import Ints

Pads = list[tuple[Any, Any]]
PerAxis = tuple[int, ...]
_MOST_PADDING = 1 << 24


class Windows(NamedTuple):
    """Sizes, strides and dilations of windows by axis, and the padding before and after each."""

    kernel: PerAxis
    strides: PerAxis
    dilations: PerAxis
    pads: Pads

    def counts(self, sizes: Any) -> list[Any]:
        """How many windows fit along each axis of an image."""
        spans = [(k - 1) * dilation + 1 for k, dilation in zip(self.kernel, self.dilations)]
        return [(n + a + b - span) // s + 1 for n, (a, b), span, s in zip(sizes, self.pads, spans, self.strides)]

    def rounded_up(self, sizes: Any) -> tuple[list[int], Pads]:
        """For ceil_mode, how many windows there are, and the pads with what the last window reaches beyond."""
        counts, reached = [], []
        for n, k, stride, dilation, (before, after) in zip(sizes, *self):
            span = (k - 1) * dilation + 1
            count = math.ceil((n + before + after - span) / stride) + 1
            if (count - 1) * stride >= n + before:
                count -= 1
            counts.append(count)
            reached.append((before, max(after, (count - 1) * stride + span - n - before)))
        return counts, reached

    def taps(self, x: Tensor, counts: Any) -> list[Tensor]:
        """For each position within a window, in row-major order, its elements in all windows of a padded image."""
        parts = []
        for at in itertools.product(*map(range, self.kernel)):
            key = [slice(None), slice(None)]
            for i, stride, dilation, count in zip(at, self.strides, self.dilations, counts):
                key.append(slice(i * dilation, i * dilation + (count - 1) * stride + 1, stride))
            parts.append(x[tuple(key)])
        return parts


def per_axis(values: Ints, count: int, default: int = 1) -> PerAxis:
    """An attribute that has a number for each axis, or is absent."""
    return tuple(values) if values else (default,) * count


def kernel_of(weight: Tensor, kernel_shape: Ints) -> PerAxis:
    """The sizes of a weight's windows, which 'kernel_shape' may say again.

    Raises:
        ValueError: it says others.
    """
    kernel = tuple(weight.shape[2:])
    if kernel_shape and tuple(kernel_shape) != kernel:
        raise ValueError(f"'kernel_shape' is {tuple(kernel_shape)}, but the weight's shape is {tuple(weight.shape)}")
    return kernel


def windows_of(sizes: Any, kernel: PerAxis, strides: Ints, dilations: Ints, pads: Ints, auto_pad: str = "NOTSET") -> Windows:
    """The windows that a node's attributes say.

    Raises:
        ValueError: an attribute is not of as many axes as the image, or out of range.
    """
    rank = len(kernel)
    strides, dilations = per_axis(strides, rank), per_axis(dilations, rank)
    if not len(sizes) == len(strides) == len(dilations) == rank:
        raise ValueError(f"windows are of {rank} axes, but the image of {len(sizes)}, strides of {len(strides)}")
    if min((*kernel, *strides, *dilations), default=1) < 1:
        raise ValueError(f"kernel {kernel}, strides {strides} and dilations {dilations} must be positive")
    if auto_pad in ("", "NOTSET"):
        flat = per_axis(pads, 2 * rank, 0)
        if len(flat) != 2 * rank or max(map(abs, flat), default=0) > _MOST_PADDING:
            raise ValueError(f"'pads' is {flat} for {rank} axes")
        return Windows(kernel, strides, dilations, list(zip(flat[:rank], flat[rank:])))
    if auto_pad not in ("VALID", "SAME_UPPER", "SAME_LOWER"):
        raise ValueError(f"'auto_pad' is '{auto_pad}'")
    pairs = []
    for n, k, stride, dilation in zip(sizes, kernel, strides, dilations):
        total = 0 if auto_pad == "VALID" else max(0, (-(-n // stride) - 1) * stride + (k - 1) * dilation + 1 - n)
        small = total // 2
        pairs.append((total - small, small) if auto_pad == "SAME_LOWER" else (small, total - small))
    return Windows(kernel, strides, dilations, pairs)
