"""NumPy references of ops that take more than an expression: attention, windows over images, losses, writes into
Parameters.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from recurrent_references import RECURRENT
from special_references import SPECIAL

Pairs = list[tuple[int, int]]


def each(values: Sequence[int], axes: int) -> tuple[int, ...]:
    return tuple(values) * (axes if len(values) == 1 else 1)


def around(values: Sequence[int], axes: int) -> Pairs:
    """Padding before and after each axis, from one number, one for each axis, or all."""
    if len(values) == 2 * axes:
        return list(zip(values[::2], values[1::2]))
    return [(n, n) for n in each(values, axes)]


def same(size: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Padding before and after that gives ceil(size / stride) windows."""
    whole = max(0, (-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size)
    return whole // 2, whole - whole // 2


def padding_of(x: Any, mode: str, kernel: Any, stride: Any, padding: Any = (0,), dilation: Any = (1,)) -> list[int]:
    sizes = x.shape[2:]
    n = len(sizes)
    if mode.lower() == "same":
        pairs = [same(*of) for of in zip(sizes, each(kernel, n), each(stride, n), each(dilation, n))]
    else:
        pairs = around(padding if mode == "pad" else (0,), n)
    return [side for pair in pairs for side in pair]


def windows(x: np.ndarray, kernel: Any, stride: Any, pad: Any, dilation: Any, fill: float, ceil_mode: bool = False) -> Any:
    """(N, C, taps, *outputs): the elements that each tap of each window sees."""
    n = x.ndim - 2
    kernel, stride, dilation, pairs = each(kernel, n), each(stride, n), each(dilation, n), around(pad, n)
    counts = []
    for size, (before, after), k, s, d in zip(x.shape[2:], pairs, kernel, stride, dilation):
        room = size + before + after - (k - 1) * d - 1
        count = room // s + 1
        if ceil_mode and room % s and count * s < size + before:
            count += 1
        counts.append(count)
    room = [(before, after + s * k * d) for (before, after), s, k, d in zip(pairs, stride, kernel, dilation)]
    wide = np.pad(x, [(0, 0), (0, 0), *room], constant_values=fill)
    taps = []
    for tap in np.ndindex(*kernel):
        places = [np.arange(count) * s + i * d for count, s, i, d in zip(counts, stride, tap, dilation)]
        taps.append(wide[np.ix_(np.arange(x.shape[0]), np.arange(x.shape[1]), *places)])
    return np.stack(taps, 2)


def conv_forward(input: Any, weight: Any, stride: Any, pad: Any, dilation: Any, groups: int) -> Any:
    seen = windows(input, weight.shape[2:], stride, pad, dilation, 0)
    flat = weight.reshape(*weight.shape[:2], -1)
    parts = zip(np.split(seen, groups, 1), np.split(flat, groups, 0))
    return np.concatenate([np.einsum("nct...,oct->no...", x, w) for x, w in parts], 1)


def with_bias(y: Any, bias: Any) -> Any:
    return y if bias is None else y + bias.reshape(-1, *[1] * (y.ndim - 2))


def conv(input: Any, weight: Any, bias: Any, stride: Any, pad_mode: str, padding: Any, dilation: Any, groups: int) -> Any:
    pad = padding_of(input, pad_mode, weight.shape[2:], stride, padding, dilation)
    return with_bias(conv_forward(input, weight, stride, pad, dilation, groups), bias)


def conv_transpose(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
    pad_mode: str,
    output_size: Any,
) -> Any:
    """Each element of the input adds the weights to a window of the output, of which a part is then kept."""
    n = input.ndim - 2
    sizes, kernel, stride, dilation = input.shape[2:], weight.shape[2:], each(stride, n), each(dilation, n)
    reads = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    whole = [(size - 1) * s + read for size, s, read in zip(sizes, stride, reads)]
    y = np.zeros((input.shape[0], weight.shape[1] * groups, *whole))
    parts = zip(np.split(input, groups, 1), np.split(weight, groups, 0), np.split(y, groups, 1))
    for x, w, to in parts:
        for tap in np.ndindex(*kernel):
            places = [slice(i * d, i * d + (size - 1) * s + 1, s) for i, d, size, s in zip(tap, dilation, sizes, stride)]
            to[(slice(None), slice(None), *places)] += np.einsum("nc...,co->no...", x, w[(..., *tap)])
    kept, added = [], []
    cuts, extra = around(padding, n), each(output_padding, n)
    for i, (size, s, k, d, read, full) in enumerate(zip(sizes, stride, kernel, dilation, reads, whole)):
        if pad_mode == "pad":
            result = full - sum(cuts[i]) + extra[i]
        else:
            result = size * s + (max(read - s, 0) if pad_mode == "valid" else 0)
        result = output_size[i] if output_size else result
        first = same(result, k, s, d)[0] if pad_mode == "same" else cuts[i][0]
        last = first + result
        kept.append(slice(first, last))
        added.append((0, max(0, last - full)))
    return with_bias(np.pad(y, [(0, 0), (0, 0), *added])[(slice(None), slice(None), *kept)], bias)


def adjoint(forward: Callable[[np.ndarray], np.ndarray], shape: Any, gradient: np.ndarray) -> np.ndarray:
    """The gradient of a linear function by its definition: the sum of cotangents that each element causes."""
    out = np.empty(shape)
    for index in np.ndindex(*shape):
        one = np.zeros(shape)
        one[index] = 1
        out[index] = (forward(one) * gradient).sum()
    return out


def conv_backward_input(
    gradient: Any, weight: Any, input_size: Any, stride: Any, pad: Any, dilation: Any, groups: int
) -> Any:
    shape = (gradient.shape[0], weight.shape[1] * groups, *input_size)
    return adjoint(lambda x: conv_forward(x, weight, stride, pad, dilation, groups), shape, gradient)


def conv_backward_weight(
    input: Any, gradient: Any, kernel_size: Any, stride: Any, pad: Any, dilation: Any, groups: int
) -> Any:
    shape = (gradient.shape[1], input.shape[1] // groups, *kernel_size)
    return adjoint(lambda w: conv_forward(input, w, stride, pad, dilation, groups), shape, gradient)


def max_pool_with_indices(input: Any, kernel_size: Any, stride: Any, pad: Any, dilation: Any, ceil_mode: bool) -> Any:
    places = np.arange(np.prod(input.shape[2:])).reshape(input.shape[2:])
    seen = windows(input, kernel_size, stride, pad, dilation, -np.inf, ceil_mode)
    found = windows(np.broadcast_to(places, input.shape), kernel_size, stride, pad, dilation, -1, ceil_mode)
    best = seen.argmax(2)[:, :, None]
    return np.take_along_axis(seen, best, 2)[:, :, 0], np.take_along_axis(found, best, 2)[:, :, 0]


def max_pool_of(x: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, pad_mode: str) -> Any:
    steps = stride or kernel_size
    pad = padding_of(x, pad_mode, kernel_size, steps, padding, dilation)
    return max_pool_with_indices(x, kernel_size, steps, pad, dilation, ceil_mode)[0]


def max_pool(x: Any, kernel_size: Any, strides: Any, pad_mode: str) -> Any:
    pad = padding_of(x, pad_mode, kernel_size, strides)
    return max_pool_with_indices(x, kernel_size, strides, pad, (1,), False)[0]


def max_pool_backward(gradient: Any, indices: Any, input_size: Any) -> Any:
    out = np.zeros((*gradient.shape[:2], np.prod(input_size)))
    for at in np.ndindex(*gradient.shape):
        out[at[0], at[1], indices[at]] += gradient[at]
    return out.reshape(*gradient.shape[:2], *input_size)


def avg_pool_forward(
    input: Any,
    kernel_size: Any,
    stride: Any,
    pad: Any,
    dilation: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int,
) -> Any:
    def total(values: np.ndarray, room: Any) -> np.ndarray:
        return np.nansum(windows(values, kernel_size, stride, room, dilation, np.nan, ceil_mode), 2)

    counted = np.ones(input.shape)
    if count_include_pad:
        counted = np.pad(counted, [(0, 0), (0, 0), *around(pad, input.ndim - 2)], constant_values=1)
    sums, number = total(input, pad), total(counted, (0,) if count_include_pad else pad)
    return sums / (divisor_override or number[tuple(slice(size) for size in sums.shape)])


def avg_pool_of(
    input_x: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int,
    pad_mode: str,
) -> Any:
    pad = padding_of(input_x, pad_mode, kernel_size, stride, padding)
    return avg_pool_forward(input_x, kernel_size, stride, pad, (1,), ceil_mode, count_include_pad, divisor_override)


def avg_pool(x: Any, kernel_size: Any, strides: Any, pad_mode: str) -> Any:
    pad = padding_of(x, pad_mode, kernel_size, strides)
    return avg_pool_forward(x, kernel_size, strides, pad, (1,), False, False, 0)


def avg_pool_backward(gradient: Any, input_size: Any, **attributes: Any) -> Any:
    shape = (*gradient.shape[:2], *input_size)
    return adjoint(lambda x: avg_pool_forward(x, **attributes), shape, gradient)


def adaptive_avg_pool_forward(input: Any, output_size: Any, axes: int = 0) -> Any:
    """Axis by axis: the mean over a window is the mean of means over its parts along the axes."""
    first = input.ndim - axes if axes else 2
    for axis, count in enumerate(each(output_size, input.ndim - first), first):
        size = input.shape[axis]
        count = size if count == -1 else count
        parts = [np.arange(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
        input = np.stack([np.take(input, part, axis).mean(axis) for part in parts], axis)
    return input


def adaptive_avg_pool_backward(gradient: Any, input_size: Any) -> Any:
    shape = (*gradient.shape[:2], *input_size)
    return adjoint(lambda x: adaptive_avg_pool_forward(x, gradient.shape[2:]), shape, gradient)


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


def attention(query: Any, key: Any, value: Any, mask: Any, scale: float, divide: bool, causal: bool, fill: float) -> Any:
    return probabilities(query, key, mask, scale, divide, causal, fill) @ by_heads(value, query)


def by_heads(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return x if x.ndim == 2 or not x.shape[-3] else x.repeat(query.shape[-3] // x.shape[-3], -3)


def probabilities(query: Any, key: Any, mask: Any, scale: float, divide: bool, causal: bool, fill: float) -> Any:
    scores = query @ by_heads(key, query).swapaxes(-1, -2)
    scores = scores / scale if divide else scores * scale
    if mask is not None:
        scores = np.where(mask, fill, scores) if mask.dtype == bool else scores + mask
    if causal:
        scores = scores + np.triu(np.full(scores.shape[-2:], -np.inf), 1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def attention_backward(gradient: Any, query: Any, key: Any, value: Any, mask: Any, **form: Any) -> tuple[Any, ...]:
    """By the chain rule, a probability at a time: dp_i / ds_j = p_i (i == j) - p_i p_j."""
    p = probabilities(query, key, mask, **form)
    slopes = np.einsum("...i,...ij->...j", gradient @ by_heads(value, query).swapaxes(-1, -2), jacobian(p))
    if mask is not None and mask.dtype == bool:
        slopes = np.where(mask, 0, slopes)
    slopes = slopes / form["scale"] if form["divide"] else slopes * form["scale"]
    return slopes @ by_heads(key, query), slopes.swapaxes(-1, -2) @ query, p.swapaxes(-1, -2) @ gradient


def jacobian(p: np.ndarray) -> np.ndarray:
    return p[..., None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]


def flash_attention_score(
    query: Any, key: Any, value: Any, head_num: int, real_shift: Any, attn_mask: Any, input_layout: str, **others: Any
) -> Any:
    order = {"BSH": "bnsd->bsnd", "SBH": "bnsd->sbnd", "BSND": "bnsd->bsnd", "BNSD": "bnsd->bnsd"}[input_layout]
    depth = query.shape[-1] // head_num if len(input_layout) == 3 else query.shape[-1]

    def heads(x: np.ndarray) -> np.ndarray:
        split = x.reshape(*x.shape[:2], -1, depth) if len(input_layout) == 3 else x
        return np.einsum("->".join(reversed(order.split("->"))), split)

    q, k, v = heads(query), heads(key), heads(value)
    length, keys = q.shape[2], k.shape[2]
    distance, mode = np.arange(keys) - np.arange(length)[:, None], others["sparse_mode"]
    before, after = others["pre_tokens"], others["next_tokens"]
    hidden = np.zeros((length, keys), bool) if attn_mask is None else attn_mask != 0
    if mode in (2, 3):
        hidden = distance > (0 if mode == 2 else keys - length)
    elif mode == 4:
        hidden = (distance > after + keys - length) | (distance < keys - length - before)
    elif mode == 0 and attn_mask is not None:
        hidden = hidden | (distance > after) | (distance < -before)
    shifts = 0 if real_shift is None else real_shift
    mask = np.where(hidden, -np.inf, shifts)
    out = attention(q, k, v, mask, others["scalar_value"], False, False, 0)
    return np.einsum(order, out).reshape(query.shape)


def linear_sum_assignment(cost_matrix: np.ndarray, maximize: bool = False) -> Any:
    """Tries all assignments."""
    if cost_matrix.ndim > 2:
        parts = [linear_sum_assignment(matrix, maximize) for matrix in cost_matrix]
        return tuple(np.stack(found) for found in zip(*parts))
    n, m = cost_matrix.shape
    wide = cost_matrix if n <= m else cost_matrix.T
    sign = -1 if maximize else 1
    rows = np.arange(min(n, m))
    found = min(itertools.permutations(range(max(n, m)), len(rows)), key=lambda to: sign * wide[rows, list(to)].sum())
    columns = np.array(found, np.int64)
    if n <= m:
        return rows, columns
    order = np.argsort(columns)
    return columns[order], rows[order]


def dequantised_weight(
    weight: Any, scale: Any, offset: Any = None, transpose_weight: bool = False, bits: int = 8
) -> np.ndarray:
    """A weight that is quantised in groups, as a matrix (k, n)."""
    if bits == 4:
        weight = np.stack([((weight & 15) ^ 8) - 8, weight >> 4], -1).reshape(len(weight), -1)
    q = (weight.T if transpose_weight else weight).astype(np.float64)
    scale, offset = (0.0 if part is None else np.repeat(part, len(q) // len(part), 0) for part in (scale, offset))
    return np.asarray((q + offset) * scale)


def weight_quant_matmul(x: Any, weight: Any, scale: Any, *more: Any, **named: Any) -> np.ndarray:
    return np.asarray(np.matmul(x, dequantised_weight(weight, scale, *more, **named)))


REFERENCES: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        adaptive_avg_pool_backward,
        adaptive_avg_pool_forward,
        attention,
        attention_backward,
        avg_pool,
        avg_pool_backward,
        avg_pool_forward,
        conv_backward_input,
        conv_backward_weight,
        conv_forward,
        dequantised_weight,
        cross_entropy,
        flash_attention_score,
        max_pool,
        max_pool_backward,
        max_pool_with_indices,
        nll_loss,
    )
}
REFERENCES["weight_quant_matmul"] = weight_quant_matmul
REFERENCES.update(SPECIAL)
REFERENCES.update(RECURRENT)
for _axes in (1, 2, 3):
    REFERENCES[f"conv{_axes}d"] = conv
    REFERENCES[f"conv_transpose{_axes}d"] = conv_transpose
    REFERENCES[f"max_pool{_axes}d"] = max_pool_of
    REFERENCES[f"avg_pool{_axes}d"] = avg_pool_of
    REFERENCES[f"adaptive_avg_pool{_axes}d"] = functools.partial(adaptive_avg_pool_forward, axes=_axes)
REFERENCES["linear_sum_assignment"] = linear_sum_assignment
REFERENCES["assign"] = lambda variable, value: np.broadcast_to(value, variable.shape)
REFERENCES["assign_add"] = lambda variable, value: variable + value
REFERENCES["assign_sub"] = lambda variable, value: variable - value
REFERENCES["foreign_call"] = lambda operands, library, symbol, signature, backward: (getattr(np, symbol)(operands[0]),)


# Ops whose results no expression can give, with the reason.
def lu_factor(a: Any) -> tuple[Any, Any]:
    """L below the diagonal, U above, and the pivots, by Gaussian elimination with the largest pivots."""
    if a.ndim > 2:
        parts = [lu_factor(part) for part in a]
        return np.stack([lu for lu, _ in parts]), np.stack([pivots for _, pivots in parts])
    lu = np.array(a, np.result_type(a, np.float32) if a.dtype.kind in "fc" else np.float64)
    pivots = np.arange(min(lu.shape), dtype=np.int32)
    for k in range(len(pivots)):
        size = np.abs(lu[k:, k].real) + np.abs(lu[k:, k].imag)
        pivots[k] = k + size.argmax()
        lu[[k, pivots[k]]] = lu[[pivots[k], k]]
        lu[k + 1 :, k] /= lu[k, k]
        lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


def lu_permutation(pivots: Any, size: Any) -> Any:
    count = size if isinstance(size, int) else size[0]
    if pivots.ndim > 1:
        return np.stack([lu_permutation(part, count) for part in pivots])
    rows = np.arange(count)
    for i, pivot in enumerate(pivots):
        rows[[i, pivot]] = rows[[pivot, i]]
    return rows


def lu_unpack(lu: Any, pivots: Any) -> tuple[Any, Any, Any]:
    """P, L and U, of pivots from 1."""
    least = min(lu.shape[-2:])
    lower = np.tril(lu[..., :least], -1) + np.eye(lu.shape[-2], least)
    p = np.eye(lu.shape[-2])[lu_permutation(pivots - 1, lu.shape[-2])]
    return np.swapaxes(p, -1, -2), lower, np.triu(lu[..., :least, :])


def lu(a: Any) -> tuple[Any, Any, Any]:
    packed, pivots = lu_factor(a)
    return lu_unpack(packed, pivots + 1)


def triangle(a: Any, upper: bool, unit: bool) -> Any:
    """A triangle of matrices, with a diagonal of 1 if unit."""
    one = np.eye(a.shape[-1])
    part = (np.triu if upper else np.tril)(a)
    return part - part * one + one if unit else part


def reflections(packed: Any, tau: Any) -> Any:
    """The product of the reflections whose vectors stand below the diagonal."""
    one = np.eye(packed.shape[-2])
    out = np.broadcast_to(one, (*packed.shape[:-2], *one.shape))
    for i in range(tau.shape[-1]):
        v = np.tril(packed, -1)[..., i] + one[i]
        out = out - tau[..., i, None, None] * (out @ v[..., None]) * np.conj(v)[..., None, :]
    return out


def matrix_exp(a: Any) -> Any:
    """The Taylor series of a / 2^8 in extended precision, squared again."""
    x = a.astype(np.result_type(a, np.longdouble)) / 256
    out = term = np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(x.dtype)
    for k in range(1, 30):
        term = term @ x / k
        out = out + term
    for _ in range(8):
        out = out @ out
    return out.astype(a.dtype)


REFERENCES["lu_factor"] = lambda input: lu_factor(input)
REFERENCES["lu_permutation"] = lu_permutation
WITHOUT: dict[str, str] = {
    name: "draws random numbers; tests of their distribution are in random_test.cpp and test_distributions.py"
    for name in (
        "bernoulli",
        "dropout",
        "dropout_with_mask",
        "normal",
        "rand",
        "randint",
        "randn",
        "random_gamma",
        "random_pair",
        "random_poisson",
        "standard_normal",
        "uniform",
    )
}
WITHOUT.update({name: "up to phases; see test_linalg.py" for name in ("eig", "eigh", "svd")})
WITHOUT["matrix_exp"] = "rounding errors grow with the norm; see test_linalg.py"
WITHOUT.update({name: "has no result" for name in ("print_", "raise_")})
WITHOUT.update(
    {
        name: "needs other processes; see tests/python/distributed"
        for name in ("all_reduce_begin", "all_reduce_end", "barrier", "receive", "send")
    }
)
WITHOUT.update({f"{verb}_float_status": "is about other results" for verb in ("clear", "get", "note")})

# Ops whose gradient is a TypeError, and those whose complex results have phases that nothing determines.
NO_GRADIENT = ("geqrf",)
FREE_PHASES = ("eig", "eigh", "svd")
