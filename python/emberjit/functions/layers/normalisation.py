"""Normalisation: of batches, layers, groups and channels; of vectors, by their norms."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_number, check_rank, check_shape, check_within
from emberjit.functions.arguments import inexact, working
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
batch_norm: ops.batch_norm
layer_norm: ops.layer_norm mint.nn.functional.layer_norm
""",
)


@publish(
    "ops.LayerNorm(begin_norm_axis, begin_params_axis, epsilon)(input_x, gamma, beta)",
    numpy="""(lambda axes: (lambda m, v: ((input_x - m) / np.sqrt(v + epsilon) * gamma + beta, m, v))(
    input_x.mean(axes, keepdims=True), input_x.var(axes, keepdims=True)))(
    tuple(range(begin_norm_axis % input_x.ndim, input_x.ndim)))""",
    samples="""f32(2, 3, 4), f32(3, 4), f32(3, 4); f64(2, 3, 4), f64(4), f64(4), -1, -1, 1e-5;
    f32(2, 3, 4), f32(4), f32(4), 1, 2; f32(2, 3, 4), f32(3, 4), f32(3, 4), 2, 1""",
)
def layer_norm_primitive(
    input_x: Tensor, gamma: Tensor, beta: Tensor, begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-7
) -> Any:
    """(normalised elements, means, variances): over the axes from one on, then times gamma plus beta.

    Args:
        begin_norm_axis: the first of the axes over which is normalised.
        begin_params_axis: the first of the axes that gamma and beta have.
        epsilon: added to variances.

    Raises:
        ValueError: an axis is out of range, or gamma or beta of another shape.
    """
    first, own = (checked_axis("LayerNorm", input_x, axis) for axis in (begin_norm_axis, begin_params_axis))
    if first == own:
        return _ops.layer_norm_with_statistics(input_x, gamma, beta, first, first, epsilon)
    expected = tuple(input_x.shape[own:])
    for name, parameter in (("gamma", gamma), ("beta", beta)):
        check_shape("LayerNorm", name, parameter, expected)
    y, mean, variance = _ops.layer_norm_with_statistics(input_x, None, None, first, first, epsilon)
    return y * gamma + beta, mean, variance


@publish("ops.BatchNorm(is_training, epsilon, momentum, data_format)(input_x, scale, bias, mean, variance)", in_python=True)
def batch_norm_primitive(
    input_x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    is_training: bool = False,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
    data_format: str = "NCHW",
) -> Any:
    """(result, mean, variance, mean, variance): the batch's own statistics when training, else the given ones, which are
    not updated here.

    Args:
        input_x: of shape (N, C, ...).
        scale, bias: what channels are multiplied with, and what is added, of shape (C,).
        mean, variance: the statistics when not training, of shape (C,).
        is_training: whether to normalise by the batch's own statistics.
        epsilon: is added to variances.
        momentum: is not read: the statistics are not updated.
        data_format: "NCHW".

    Examples:
        >>> x, one, zero = Tensor([[1.0], [3.0]]), Tensor([1.0]), Tensor([0.0])
        >>> result, mean, variance, _, _ = ops.BatchNorm(is_training=True, epsilon=0.0)(x, one, zero, zero, one)
        >>> print(result.reshape(-1), mean, variance)
        [-1.  1.] [2.] [1.]
    """
    check_choice("BatchNorm", "data_format", data_format, "NCHW")
    if is_training:
        result, mean, variance = _ops.batch_norm_with_statistics(input_x, scale, bias, epsilon)
    else:
        result = _ops.batch_norm(input_x, mean, variance, scale, bias, False, momentum, epsilon)
    return result, mean, variance, mean, variance


@publish(
    "mint.nn.functional.batch_norm",
    numpy="""(lambda a, s: (input - (input.mean(a) if training else running_mean).reshape(s)) / np.sqrt((
    input.var(a) if training else running_var).reshape(s) + eps) * (1
    if weight is None else weight.reshape(s)) + (0 if bias is None else bias.reshape(s)))(
    tuple(d for d in range(input.ndim) if d != 1), (-1,) + (1,) * (input.ndim - 2))""",
    samples="""f32(2, 3, 4), f32(3), f32(3) + 3, f32(3), f32(3); f64(4, 2), f64(2), f64(2) + 3;
    f32(2, 3, 4, 2), None, None, f32(3), None, True""",
)
def batch_norm_with_update(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """(input - mean) / sqrt(variance + eps) * weight + bias, channel by channel (Ioffe and Szegedy, 2015).

    Args:
        input: of shape (N, C, ...).
        running_mean, running_var: the statistics of channels, which are used unless training; when training those of the
            batch are, and these become (1 - momentum) times what they were plus momentum times the batch's, whose variance
            is the unbiased one. None: not kept.
        weight: factors of channels, 1 if None.
        bias: terms of channels, 0 if None.

    Raises:
        TypeError: input is not of floating point.
        ValueError: the shapes do not fit, statistics are missing, or one element for each channel when training.
    """
    check_floating("batch_norm", input=input)
    check_rank("batch_norm", "input", input, *range(2, 9))
    channels = (input.shape[1],)
    dtype = next((one.dtype for one in (weight, bias, running_mean) if one is not None), input.dtype)
    scale = _ops.ones(channels, dtype) if weight is None else weight
    shift = _ops.zeros(channels, dtype) if bias is None else bias
    if not training:
        if running_mean is None or running_var is None:
            raise ValueError("For 'batch_norm', 'running_mean' and 'running_var' must not be None unless 'training'.")
        return _ops.batch_norm(input, running_mean, running_var, scale, shift, eps=eps)
    if input.size == channels[0]:
        raise ValueError(
            f"For 'batch_norm', a channel must have more than one element when training, but the shape is {input.shape}."
        )
    if running_mean is None or running_var is None:
        return _ops.batch_norm_with_statistics(input, scale, shift, eps)[0]
    statistics = running_mean, running_var
    result, *after = _ops.batch_norm_training(input, *statistics, scale, shift, 1 - momentum, eps)
    for before, value in zip(statistics, after):
        _ops.assign(before, value)
    return result


def _by_channel(x: Tensor, parameter: Tensor) -> Any:
    return _ops.reshape(parameter, (-1, *[1] * (x.ndim - 2)))


@publish(
    "ops.group_norm mint.nn.functional.group_norm",
    numpy="""(lambda x, s: ((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)).reshape(input.shape)
    * (1 if weight is None else weight.reshape(s)) + (0 if bias is None else bias.reshape(s)))(
    input.reshape(len(input), num_groups, -1), (-1,) + (1,) * (input.ndim - 2))""",
    samples="f32(2, 4, 3, 3), 2; f64(2, 6), 3, f64(6), f64(6); f32(1, 4, 5), 4, f32(4), None, 0.1; f32(3, 2), 1",
)
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Any:
    """(x - mean) / sqrt(variance + eps) * weight + bias with the statistics of groups of channels (Wu and He, 2018).

    Args:
        input: of shape (N, C, ...).
        num_groups: a divisor of C.
        weight: factors of channels.
        bias: terms of channels.

    Raises:
        TypeError: input is not of floating point.
        ValueError: num_groups does not divide the channels, or shapes do not fit.
    """
    check_floating("group_norm", input=input, weight=weight, bias=bias)
    check_rank("group_norm", "input", input, *range(2, 9))
    shape = tuple(input.shape)
    if num_groups < 1 or shape[1] % num_groups:
        raise ValueError(
            f"For 'group_norm', 'num_groups' must divide the number of channels, {shape[1]}, but got {num_groups}."
        )
    for name, parameter in (("weight", weight), ("bias", bias)):
        check_shape("group_norm", name, parameter, shape[1:2])
    size = shape[1] // num_groups * math.prod(shape[2:])
    grouped = _ops.layer_norm(_ops.reshape(input, (shape[0], num_groups, size)), (size,), None, None, eps)
    result = _ops.reshape(grouped, shape)
    result = result if weight is None else result * _by_channel(input, weight)
    return result if bias is None else result + _by_channel(input, bias)


@publish(
    "ops.rms_norm ops.RmsNorm(epsilon)(x, gamma)",
    numpy="""(lambda r: (x * r * gamma, r))(1 / np.sqrt((x.astype(np.result_type(x, np.float32))**2).mean(
    tuple(range(-gamma.ndim, 0)), keepdims=True) + epsilon))""",
    samples="f32(2, 5), f32(5); f64(2, 3, 4), f64(3, 4), 0.1; f16(2, 4), f16(4)",
)
def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> Any:
    """(x * r * gamma, r) with r = 1 / sqrt(mean(x**2) + epsilon) over the last axes (Zhang and Sennrich, 2019).

    Args:
        gamma: of the shape of these axes.

    Raises:
        TypeError: x or gamma is not of floating point.
        ValueError: gamma has not the shape of x's last axes.
    """
    check_floating("rms_norm", x=x, gamma=gamma)
    if not gamma.ndim or tuple(x.shape[-gamma.ndim :]) != tuple(gamma.shape):
        raise ValueError(
            f"For 'rms_norm', 'gamma' must have the shape of the last axes of 'x', {tuple(x.shape)}, but its shape is "
            f"{tuple(gamma.shape)}."
        )
    whole = working(x)
    inverse = _ops.rsqrt(_ops.mean(_ops.square(whole), tuple(range(-gamma.ndim, 0)), True) + epsilon)
    return _ops.cast(whole * inverse * gamma, x.dtype), inverse


@publish(
    "ops.add_rms_norm",
    numpy="(lambda x: (lambda r: (x * r * gamma, r, x))(1 / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon)))(x1 + x2)",
    samples="f32(2, 5), f32(2, 5), f32(5); f64(2, 3, 4), f64(2, 3, 4), f64(4), 0.1",
)
def add_rms_norm(x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> Any:
    """(rms_norm of x1 + x2, the factor that it used, x1 + x2).

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes do not fit.
    """
    total = x1 + x2
    return (*rms_norm(total, gamma, epsilon), total)


@publish(
    "ops.add_layer_norm",
    numpy="""(lambda x: (lambda m, r: ((x - m) * r * gamma + beta, m, r, x))(x.mean(-1, keepdims=True),
    1 / np.sqrt(x.var(-1, keepdims=True) + epsilon)))(x1 + x2)""",
    samples="f32(2, 5), f32(2, 5), f32(5), f32(5); f64(2, 3, 4), f64(2, 3, 4), f64(4), f64(4), 0.1, True",
)
def add_layer_norm(
    x1: Tensor, x2: Tensor, gamma: Tensor, beta: Tensor, epsilon: float = 1e-5, additional_output: bool = False
) -> Any:
    """(layer_norm of x1 + x2 over the axes of gamma, mean, 1 / sqrt(variance + epsilon), x1 + x2).

    Args:
        additional_output: the sum is returned, whether it is asked for or not.

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes do not fit.
    """
    check_floating("add_layer_norm", x1=x1, x2=x2, gamma=gamma, beta=beta)
    total = x1 + x2
    first = total.ndim - gamma.ndim
    result, mean, variance = _ops.layer_norm_with_statistics(total, gamma, beta, first, first, epsilon)
    return result, mean, _ops.rsqrt(variance + epsilon), total


@publish(
    "ops.lrn ops.LRN nn.LRN(depth_radius, bias, alpha, beta, norm_region)(x)",
    numpy="""x / (bias + alpha * np.stack([(x[:, max(0, c - depth_radius):c + depth_radius + 1]**2).sum(1)
    for c in range(x.shape[1])], 1))**beta""",
    samples="f32(2, 7, 2, 3), 2; f64(1, 3, 2, 2); f32(1, 4, 1, 1), 1, 2.0, 0.5, 0.75; f32(1, 3, 1, 1), 0",
)
def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Any:
    """x / (bias + alpha * sum)**beta with the sum of the squares of channels at most depth_radius away.

    Source: A. Krizhevsky et al., "ImageNet classification with deep convolutional neural networks" (2012).

    Args:
        x: of shape (N, C, H, W).
        norm_region: "ACROSS_CHANNELS".

    Raises:
        TypeError: x is not of floating point.
        ValueError: x has another number of axes, depth_radius is negative, or another norm_region.
    """
    check_floating("lrn", x=x)
    check_rank("lrn", "x", x, 4)
    check_choice("lrn", "norm_region", norm_region, "ACROSS_CHANNELS")
    check_within("lrn", "depth_radius", depth_radius, 0)
    n, c, h, w = x.shape
    radius = min(depth_radius, max(c - 1, 0))
    squares = _ops.reshape(_ops.square(x), (n, 1, c, h * w))
    sums = _ops.avg_pool2d(squares, (2 * radius + 1, 1), (1, 1), (radius, 0), False, True, 1)
    return x / (_ops.reshape(sums, x.shape) * alpha + bias) ** beta


def norm_along(x: Tensor, p: float, axes: Any, keepdims: bool) -> Any:
    """(sum of abs(x)**p)**(1 / p) along axes, or the largest for p = inf; its slope at 0 is 0."""
    sizes = _ops.abs(x)
    if p == math.inf:
        return _ops.amax(sizes, axes, keepdims)
    if p == 1:
        return _ops.sum(sizes, axes, keepdims)
    total = _ops.sum(_ops.square(x) if p == 2 else sizes**p, axes, keepdims)
    zero = _ops.equal(total, 0)
    safe = _ops.masked_fill(total, zero, 1)
    return _ops.masked_fill(_ops.sqrt(safe) if p == 2 else safe ** (1 / p), zero, 0)


def _listed(function: str, x: Any) -> list[Any]:
    tensors = list(x) if isinstance(x, (tuple, list)) else [x]
    if not all(isinstance(one, core.Tensor) for one in tensors):
        raise TypeError(f"For '{function}', 'x' must be a Tensor, or a tuple or list of Tensors, but got {x!r}.")
    tensors = [inexact(one) for one in tensors]
    for one in tensors:
        check_floating(function, x=one)
    return tensors


def _total_norm(tensors: list[Any], p: float) -> Any:
    norms = [norm_along(working(one), p, None, False) for one in tensors]
    return norm_along(_ops.stack(norms), p, None, False) if norms else _ops.zeros((), core.float32)


def _scaled(tensors: list[Any], factor: Any) -> list[Any]:
    return [_ops.cast(one * factor, one.dtype) for one in tensors]


@publish(
    "ops.clip_by_norm",
    numpy="""(lambda parts: (lambda n: [v * min(max_norm / (n + 1e-6), 1) for v in parts])(np.linalg.norm(np.concatenate(
    [v.ravel() for v in parts]), norm_type)))(x if isinstance(x, (tuple, list)) else [x])""",
    samples="f32(2, 5), 1; f64(3), 100.0; f64(3), 0.5, 1; f32(3), 0.5, 3.0",
    in_python=True,
)
def clip_by_norm(x: Any, max_norm: Number, norm_type: Number = 2.0, error_if_nonfinite: bool = False) -> Any:
    """x, scaled down where the norm of all its elements is above max_norm (Pascanu et al., 2013).

    Args:
        x: a Tensor, or a tuple or list of Tensors, of which the same is returned.
        norm_type: the norm's exponent, a positive number or inf.
        error_if_nonfinite: whether a norm that is not finite is an error.

    Raises:
        TypeError: x is something else, or complex.
        ValueError: norm_type is not positive.
        RuntimeError: the norm is not finite and error_if_nonfinite.
    """
    tensors = _listed("clip_by_norm", x)
    check_number("clip_by_norm", "norm_type", norm_type, above=0)
    norm = _total_norm(tensors, norm_type)
    if error_if_nonfinite and not _ops.isfinite(norm):
        raise RuntimeError("For 'clip_by_norm', the norm of 'x' is not finite, which 'error_if_nonfinite' refuses.")
    scaled = _scaled(tensors, _ops.minimum(max_norm / (norm + 1e-6), 1))
    return type(x)(scaled) if isinstance(x, (tuple, list)) else scaled[0]


@publish("ops.clip_by_global_norm", in_python=True)
def clip_by_global_norm(x: Any, clip_norm: Number = 1.0, use_norm: Any = None) -> Any:
    """x, scaled down where the norm of all its elements is above clip_norm, a tuple (Pascanu et al., 2013).

    Args:
        x: a tuple or list of Tensors.
        clip_norm: the largest norm, positive.
        use_norm: None.

    Raises:
        TypeError: x is something else, or complex.
        ValueError: clip_norm is not positive, or use_norm is given.

    Examples:
        >>> clipped = ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 1.0)
        >>> print(clipped[0], clipped[1])
        [0.6] [0.8]
    """
    if not isinstance(x, (tuple, list)):
        raise TypeError(f"For 'clip_by_global_norm', 'x' must be a tuple or list of Tensors, but got {type(x).__name__}.")
    if use_norm is not None:
        raise ValueError(f"For 'clip_by_global_norm', 'use_norm' must be None, but got {use_norm!r}.")
    check_within("clip_by_global_norm", "clip_norm", clip_norm, above=0)
    tensors = _listed("clip_by_global_norm", x)
    return tuple(_scaled(tensors, clip_norm / _ops.maximum(_total_norm(tensors, 2), clip_norm)))


@publish(
    "nn.ClipByNorm(axis)(x, clip_norm) ops.ClipByNorm(axis)(x, clip_norm)",
    numpy="x * (clip_norm / np.maximum(np.sqrt((x**2).sum(axis, keepdims=True)), clip_norm))",
    samples="f32(2, 5), 1.5; f64(2, 3), 0.5, 1; f32(3, 4) * 0, 1.0, (0, 1)",
)
def clip_by_norm_along(x: Tensor, clip_norm: Number, axis: Ints | None = None) -> Any:
    """x, scaled down where its norm along axes is above clip_norm.

    Args:
        clip_norm: a positive number or Tensor.
        axis: all if None.

    Raises:
        TypeError: x is not of floating point.
        ValueError: axis is out of range.
    """
    check_floating("ClipByNorm", x=x)
    norm = norm_along(working(x), 2, axis, True)
    return _ops.cast(x * (clip_norm / _ops.maximum(norm, clip_norm)), x.dtype)


def _others(x: Tensor) -> tuple[int, ...]:
    """All axes but that of channels, 1."""
    return tuple(axis for axis in range(x.ndim) if axis != 1)


@publish(
    "mint.batch_norm_stats",
    numpy="""(lambda axes: (input.mean(axes), 1 / np.sqrt(input.var(axes) + eps)))(
    tuple(axis for axis in range(input.ndim) if axis != 1))""",
    samples="f32(2, 3, 4), 0.5; f64(5, 2), 1e-5",
)
def batch_norm_stats(input: Tensor, eps: float) -> Any:
    """(the mean of each channel, 1 / sqrt(its variance + eps)), over all axes but 1."""
    centred = input - _ops.mean(input, _others(input), True)
    variance = _ops.mean(centred * centred, _others(input))
    return _ops.mean(input, _others(input)), _ops.rsqrt(variance + eps)


@publish(
    "mint.batch_norm_elemt",
    numpy="""(lambda c: (input - c(mean)) * c(invstd) * c(weight) + c(bias))(
    lambda v: v.reshape((1, -1) + (1,) * (input.ndim - 2)))""",
    samples="f32(2, 3, 4), f32(3), f32(3), f32(3), f32(3); f64(5, 2), f64(2), f64(2), f64(2), f64(2)",
)
def batch_norm_elements(
    input: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    mean: Tensor | None = None,
    invstd: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    """(input - mean) * invstd * weight + bias, by channels, axis 1. What is None is left out; eps is in invstd already."""
    out = input if mean is None else input - _by_channel(input, mean)
    out = out if invstd is None else out * _by_channel(input, invstd)
    out = out if weight is None else out * _by_channel(input, weight)
    return out if bias is None else out + _by_channel(input, bias)


@publish(
    "mint.batch_norm_gather_stats_with_counts",
    numpy="""(lambda n, m: (m, 1 / np.sqrt((n[:, None] * (1 / invstd**2 - eps + (mean - m) ** 2)).sum(0) / n.sum() + eps)))(
    counts, (counts[:, None] * mean).sum(0) / counts.sum())""",
    samples="f64(2, 3), f64(2, 3), abs(f64(2, 3)) + 1, None, None, 0.1, 1e-5, abs(f64(2)) + 2",
    in_python=True,
)
def batch_norm_gathered(
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    running_mean: Any = None,
    running_var: Any = None,
    momentum: float = 0.1,
    eps: float = 1e-5,
    counts: Any = None,
) -> Any:
    """(mean, 1 / sqrt(variance + eps)) of each channel of a batch, from those of its parts.

    Args:
        input: of the dtype that is computed in; its elements are not read.
        mean, invstd: of the parts (parts, channels).
        running_mean, running_var: Parameters that move to the batch's by `momentum`; of the variance to the unbiased one.
        counts: how many elements of a channel each part has (parts,).
    """
    n = _ops.reshape(_ops.cast(counts, mean.dtype), (-1, 1))
    total = _ops.sum(n)
    middle = _ops.sum(n * mean, 0) / total
    spread = 1 / (invstd * invstd) - eps + (mean - middle) * (mean - middle)
    variance = _ops.sum(n * spread, 0) / total
    if running_mean is not None:
        _ops.assign(running_mean, running_mean * (1 - momentum) + middle * momentum)
    if running_var is not None:
        _ops.assign(running_var, running_var * (1 - momentum) + variance * (total / (total - 1)) * momentum)
    return middle, _ops.rsqrt(variance + eps)
