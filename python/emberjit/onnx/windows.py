"""The places of windows along the axes of an image: ONNX's strides, dilations, pads and auto_pad, as all ops have them."""

from __future__ import annotations

import itertools
import math
from typing import Any

Pads = list[tuple[Any, Any]]
_MOST_PADDING = 1 << 24


def per_axis(values: Any, count: int, default: int = 1) -> tuple[int, ...]:
    """An attribute that is given for each axis, or absent."""
    return tuple(values) if values else (default,) * count


def kernel_of(weight: Any, kernel_shape: Any) -> tuple[Any, ...]:
    """The sizes of a weight's windows, which 'kernel_shape' may say again.

    Raises:
        ValueError: it says others.
    """
    kernel = tuple(weight.shape[2:])
    if kernel_shape and tuple(kernel_shape) != kernel:
        raise ValueError(f"'kernel_shape' is {tuple(kernel_shape)}, but the weight's shape is {tuple(weight.shape)}")
    return kernel


def padding(sizes: Any, kernel: Any, strides: Any, dilations: Any, pads: Any, auto_pad: str) -> Pads:
    """What is added before and after each axis."""
    rank = len(kernel)
    if not len(sizes) == len(strides) == len(dilations) == rank:
        raise ValueError(f"windows are of {rank} axes, but the image of {len(sizes)}, strides of {len(strides)}")
    if min((*kernel, *strides, *dilations), default=1) < 1:
        raise ValueError(
            f"kernel {tuple(kernel)}, strides {tuple(strides)} and dilations {tuple(dilations)} must be positive"
        )
    if auto_pad in ("", "NOTSET"):
        found = tuple(pads) if pads else (0,) * (2 * rank)
        if len(found) != 2 * rank or max(map(abs, found), default=0) > _MOST_PADDING:
            raise ValueError(f"'pads' is {found} for {rank} axes")
        return list(zip(found[:rank], found[rank:]))
    if auto_pad == "VALID":
        return [(0, 0)] * rank
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        raise ValueError(f"'auto_pad' is '{auto_pad}'")
    made = []
    for n, k, stride, dilation in zip(sizes, kernel, strides, dilations):
        total = max(0, (-(-n // stride) - 1) * stride + (k - 1) * dilation + 1 - n)
        small = total // 2
        made.append((small, total - small) if auto_pad == "SAME_UPPER" else (total - small, small))
    return made


def window_counts(sizes: Any, kernel: Any, strides: Any, dilations: Any, pads: Pads) -> list[Any]:
    """How many windows fit along each axis."""
    spans = [(k - 1) * dilation + 1 for k, dilation in zip(kernel, dilations)]
    return [(n + a + b - span) // stride + 1 for n, (a, b), span, stride in zip(sizes, pads, spans, strides)]


def taps(x: Any, kernel: Any, strides: Any, dilations: Any, counts: Any) -> list[Any]:
    """For each place within a window, in row-major order, what lies there in all windows of an image that is padded."""
    found = []
    for at in itertools.product(*map(range, kernel)):
        key = [slice(None), slice(None)]
        for i, stride, dilation, count in zip(at, strides, dilations, counts):
            key.append(slice(i * dilation, i * dilation + (count - 1) * stride + 1, stride))
        found.append(x[tuple(key)])
    return found


def rounded_up(sizes: Any, kernel: Any, strides: Any, dilations: Any, pads: Pads) -> tuple[list[int], Pads]:
    """For ceil_mode, how many windows there are, and the pads with what the last one reaches beyond."""
    counts, reached = [], []
    for n, k, stride, dilation, (before, after) in zip(sizes, kernel, strides, dilations, pads):
        span = (k - 1) * dilation + 1
        count = math.ceil((n + before + after - span) / stride) + 1
        if (count - 1) * stride >= n + before:
            count -= 1
        counts.append(count)
        reached.append((before, max(after, (count - 1) * stride + span - n - before)))
    return counts, reached
