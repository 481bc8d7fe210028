"""NumPy references of ops that take more than an expression: windows over images, losses, writes into Parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def pair(values: Sequence[int]) -> tuple[int, int]:
    return (values[0], values[-1])


def same(size: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Padding before and after that gives ceil(size / stride) windows."""
    whole = max(0, (-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size)
    return whole // 2, whole - whole // 2


def padding_of(x: np.ndarray, mode: str, kernel: Any, stride: Any, padding: Any = (0,), dilation: Any = (1,)) -> tuple:
    if mode.lower() == "valid":
        return (0, 0, 0, 0)
    if mode == "pad":
        h, w = pair(padding)
        return (h, h, w, w)
    sizes = zip(x.shape[2:], pair(kernel), pair(stride), pair(dilation))
    return tuple(p for args in sizes for p in same(*args))


def windows(x: np.ndarray, kernel: Any, stride: Any, pad: Any, dilation: Any, fill: float, ceil_mode: bool = False) -> Any:
    """(N, C, KH, KW, OH, OW): the elements that each tap of each window sees."""
    (kh, kw), (sh, sw), (dh, dw) = pair(kernel), pair(stride), pair(dilation)
    counts = []
    for size, before, after, k, s, d in ((x.shape[2], *pad[:2], kh, sh, dh), (x.shape[3], *pad[2:], kw, sw, dw)):
        room = size + before + after - (k - 1) * d - 1
        count = room // s + 1
        if ceil_mode and room % s and count * s < size + before:
            count += 1
        counts.append(count)
    room = [(pad[0], pad[1] + sh * kh * dh), (pad[2], pad[3] + sw * kw * dw)]
    wide = np.pad(x, [(0, 0), (0, 0), *room], constant_values=fill)
    out = np.empty((*x.shape[:2], kh, kw, *counts), x.dtype)
    for i in range(kh):
        for j in range(kw):
            rows, columns = np.arange(counts[0]) * sh + i * dh, np.arange(counts[1]) * sw + j * dw
            out[:, :, i, j] = wide[:, :, rows][:, :, :, columns]
    return out


def conv2d_forward(input: Any, weight: Any, stride: Any, pad: Any, dilation: Any, groups: int) -> Any:
    seen = windows(input, weight.shape[2:], stride, pad, dilation, 0)
    parts = zip(np.split(seen, groups, 1), np.split(weight, groups, 0))
    return np.concatenate([np.einsum("ncijhw,ocij->nohw", x, w) for x, w in parts], 1)


def conv2d(input: Any, weight: Any, bias: Any, stride: Any, pad_mode: str, padding: Any, dilation: Any, groups: int) -> Any:
    pad = padding_of(input, pad_mode, weight.shape[2:], stride, padding, dilation)
    y = conv2d_forward(input, weight, stride, pad, dilation, groups)
    return y if bias is None else y + bias[None, :, None, None]


def adjoint(forward: Callable[[np.ndarray], np.ndarray], shape: Any, gradient: np.ndarray) -> np.ndarray:
    """The gradient of a linear function by its definition: the sum of cotangents that each element causes."""
    out = np.empty(shape)
    for index in np.ndindex(*shape):
        one = np.zeros(shape)
        one[index] = 1
        out[index] = (forward(one) * gradient).sum()
    return out


def conv2d_backward_input(
    gradient: Any, weight: Any, input_size: Any, stride: Any, pad: Any, dilation: Any, groups: int
) -> Any:
    shape = (gradient.shape[0], weight.shape[1] * groups, *input_size)
    return adjoint(lambda x: conv2d_forward(x, weight, stride, pad, dilation, groups), shape, gradient)


def conv2d_backward_weight(
    input: Any, gradient: Any, kernel_size: Any, stride: Any, pad: Any, dilation: Any, groups: int
) -> Any:
    shape = (gradient.shape[1], input.shape[1] // groups, *kernel_size)
    return adjoint(lambda w: conv2d_forward(input, w, stride, pad, dilation, groups), shape, gradient)


def max_pool2d_with_indices(input: Any, kernel_size: Any, stride: Any, pad: Any, dilation: Any, ceil_mode: bool) -> Any:
    plane = np.arange(input.shape[2] * input.shape[3]).reshape(input.shape[2:])
    seen = windows(input, kernel_size, stride, pad, dilation, -np.inf, ceil_mode)
    places = windows(np.broadcast_to(plane, input.shape), kernel_size, stride, pad, dilation, -1, ceil_mode)
    flat = seen.reshape(*seen.shape[:2], -1, *seen.shape[4:])
    best = flat.argmax(2)[:, :, None]
    return np.take_along_axis(flat, best, 2)[:, :, 0], np.take_along_axis(places.reshape(flat.shape), best, 2)[:, :, 0]


def max_pool2d(x: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, pad_mode: str) -> Any:
    steps = stride or kernel_size
    pad = padding_of(x, pad_mode, kernel_size, steps, padding, dilation)
    return max_pool2d_with_indices(x, kernel_size, steps, pad, dilation, ceil_mode)[0]


def max_pool(x: Any, kernel_size: Any, strides: Any, pad_mode: str) -> Any:
    pad = padding_of(x, pad_mode, kernel_size, strides)
    return max_pool2d_with_indices(x, kernel_size, strides, pad, (1,), False)[0]


def max_pool2d_backward(gradient: Any, indices: Any, input_size: Any) -> Any:
    out = np.zeros((*gradient.shape[:2], input_size[0] * input_size[1]))
    for n, c, h, w in np.ndindex(*gradient.shape):
        out[n, c, indices[n, c, h, w]] += gradient[n, c, h, w]
    return out.reshape(*gradient.shape[:2], *input_size)


def avg_pool2d_forward(
    input: Any,
    kernel_size: Any,
    stride: Any,
    pad: Any,
    dilation: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int,
) -> Any:
    def total(values: np.ndarray) -> np.ndarray:
        return np.nansum(windows(values, kernel_size, stride, pad, dilation, np.nan, ceil_mode), (2, 3))

    inside = np.pad(np.ones(input.shape), [(0, 0), (0, 0), tuple(pad[:2]), tuple(pad[2:])], constant_values=1)
    counted = inside if count_include_pad else np.ones(input.shape)
    room = (0, 0, 0, 0) if count_include_pad else pad
    number = np.nansum(windows(counted, kernel_size, stride, room, dilation, np.nan, ceil_mode), (2, 3))
    sums = total(input)
    return sums / (divisor_override or number[:, :, : sums.shape[2], : sums.shape[3]])


def avg_pool2d(
    input_x: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int,
) -> Any:
    pad = padding_of(input_x, "pad", kernel_size, stride, padding)
    return avg_pool2d_forward(input_x, kernel_size, stride, pad, (1,), ceil_mode, count_include_pad, divisor_override)


def avg_pool(x: Any, kernel_size: Any, strides: Any, pad_mode: str) -> Any:
    pad = padding_of(x, pad_mode, kernel_size, strides)
    return avg_pool2d_forward(x, kernel_size, strides, pad, (1,), False, False, 0)


def avg_pool2d_backward(gradient: Any, input_size: Any, **attributes: Any) -> Any:
    shape = (*gradient.shape[:2], *input_size)
    return adjoint(lambda x: avg_pool2d_forward(x, **attributes), shape, gradient)


def reduced(loss: Any, weights: Any, reduction: str) -> Any:
    if reduction == "none":
        return loss
    return loss.sum() / (weights.sum() if reduction == "mean" else 1)


def nll_loss(inputs: Any, target: Any, weight: Any, ignore_index: int, reduction: str, label_smoothing: float) -> Any:
    """For logarithms of probabilities (N, C, ...) and class numbers (N, ...); (C) and () count as one row."""
    scalar = inputs.ndim == 1
    logs, labels = (inputs[None], target[None]) if scalar else (inputs, target)
    logs = np.moveaxis(logs, 1, -1)
    classes = np.ones(logs.shape[-1]) if weight is None else weight
    kept = labels != ignore_index
    safe = np.where(kept, labels, 0)
    weights = np.where(kept, classes[safe], 0)
    picked = -np.take_along_axis(logs, safe[..., None], -1)[..., 0] * weights
    spread = np.where(kept, -(logs * classes).sum(-1), 0)
    loss = (1 - label_smoothing) * picked + label_smoothing / logs.shape[-1] * spread
    out = reduced(loss, weights, reduction)
    return out[0] if scalar and reduction == "none" else out


def cross_entropy(input: Any, target: Any, weight: Any, ignore_index: int, reduction: str, label_smoothing: float) -> Any:
    axis = 0 if input.ndim == 1 else 1
    shifted = input - input.max(axis, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    if target.shape != input.shape:
        return nll_loss(logs, target, weight, ignore_index, reduction, label_smoothing)
    classes = np.ones(input.shape[axis]) if weight is None else weight
    shape = [-1 if d == axis else 1 for d in range(input.ndim)]
    wanted = target * (1 - label_smoothing) + label_smoothing / input.shape[axis]
    loss = -(logs * wanted * classes.reshape(shape)).sum(axis)
    return reduced(loss, np.ones(loss.shape), reduction)


REFERENCES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        avg_pool,
        avg_pool2d,
        avg_pool2d_backward,
        avg_pool2d_forward,
        conv2d,
        conv2d_backward_input,
        conv2d_backward_weight,
        conv2d_forward,
        cross_entropy,
        max_pool,
        max_pool2d,
        max_pool2d_backward,
        max_pool2d_with_indices,
        nll_loss,
    )
}
REFERENCES["assign"] = lambda variable, value: np.broadcast_to(value, variable.shape)
REFERENCES["assign_add"] = lambda variable, value: variable + value
REFERENCES["assign_sub"] = lambda variable, value: variable - value
REFERENCES["foreign_call"] = lambda operands, library, symbol, signature: (getattr(np, symbol)(operands[0]),)

# Ops whose results no expression can give, with the reason.
WITHOUT: dict[str, str] = {
    name: "draws random numbers; tests of their distribution are in tests/ops/random_test.cpp"
    for name in (
        "bernoulli",
        "dropout",
        "dropout_with_mask",
        "normal",
        "rand",
        "randint",
        "randn",
        "random_pair",
        "standard_normal",
        "uniform",
    )
}
WITHOUT["print_"] = "has no result"
WITHOUT.update({f"{verb}_float_status": "is about other results" for verb in ("clear", "get", "note")})
