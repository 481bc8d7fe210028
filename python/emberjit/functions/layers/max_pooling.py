"""Maxima of windows with the places where they are: adaptive and fractional pooling, and what puts them back."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import by_axis, check_choice, check_floating, check_rank, check_same_shape
from emberjit.functions.layers.pooling import adaptive_sizes
from emberjit.publish.kinds import DType, Ints, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions

_ops = core.ops


def _largest(windows: Tensor, positions: Tensor, return_indices: bool) -> Any:
    """The largest along the last axis, with the positions that are given for all elements where they are asked for."""
    values, at = _ops.max_with_index(windows, -1)
    if not return_indices:
        return values
    indices = _ops.gather_d(_ops.broadcast_to(positions, windows.shape), -1, _ops.expand_dims(at, -1))
    return values, _ops.squeeze(indices, -1)


def positions_of(places: list[Any], sizes: tuple[int, ...]) -> Any:
    """Positions in a channel of the elements of each window; `places` has those along each axis, of shape (..., windows,
    elements)."""
    axes, lead = len(places), places[0].shape[:-2]
    shape = (*lead, *(one.shape[-2] for one in places), math.prod(one.shape[-1] for one in places))
    positions: Any = 0
    for i, one in enumerate(places):
        around = [1] * (2 * axes)
        around[i], around[axes + i] = one.shape[-2:]
        positions = positions * sizes[i] + _ops.reshape(one, (*lead, *around))
    return _ops.reshape(positions, shape)


def _parts(size: int, count: int) -> Any:
    """Positions of `count` windows that divide an axis as evenly as they can; a short one has its last position again."""
    rest, step = size % count, math.gcd(size, count)  # where windows begin advances by step / count, modulo 1
    longest = size // count + (0 if rest == 0 else 1 if rest == step else 2)
    number = _ops.reshape(_ops.arange(count), (-1, 1))
    return _ops.minimum(number * size // count + _ops.arange(longest), -(-(number + 1) * size // count) - 1)


def _adaptive(function: str, axes: int, input: Tensor, output_size: Any, return_indices: bool) -> Any:
    check_rank(function, "input", input, axes + 1, axes + 2)
    output_sizes = adaptive_sizes(function, output_size, axes)
    sizes = tuple(input.shape[-axes:])
    counts = [size if count == -1 else count for size, count in zip(sizes, output_sizes)]
    if 0 in sizes or 0 in counts:
        raise ValueError(f"For '{function}', sizes must be positive, but got {output_size} for an input of {input.shape}.")
    places = [core.call_now(_parts, int(size), int(count)) for size, count in zip(sizes, counts)]
    positions = positions_of(places, sizes)
    flat = _ops.reshape(input, (*input.shape[:-axes], math.prod(sizes)))
    return _largest(_ops.gather(flat, positions, flat.ndim - 1), positions, return_indices)


_WINDOWED = """(lambda parts: np.stack([np.take(x, range(*part), {axis}).max({axis}) for part in parts], {axis}))(
    [(i * x.shape[{axis}] // n, -(-(i + 1) * x.shape[{axis}] // n)) for i in range(n)])"""


def _adaptive_reference(axes: int) -> str:
    text = "input"
    for axis in range(-axes, 0):
        count = f"(lambda n: input.shape[{axis}] if n is None else n)(s[{axis}])"
        text = f"(lambda x, n: {_WINDOWED.format(axis=axis)})({text}, {count})"
    return f"(lambda s: {text})(output_size if isinstance(output_size, tuple) else (output_size,) * {axes})"


def _publish_adaptive(axes: int, spellings: str, samples: str) -> None:
    name = f"adaptive_max_pool{axes}d"

    def pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        return _adaptive(name, axes, input, output_size, return_indices)

    sizes = ("L", "H, W", "D, H, W")[axes - 1]
    pool.__name__ = name
    pool.__doc__ = f"""The largest elements of windows of (N, C, {sizes}) or (C, {sizes}), which divide each axis evenly.

    Args:
        output_size: how many; one int for all axes, or a tuple in which None keeps a size.
        return_indices: whether to return (values, their positions in a channel, as int64) instead.

    Raises:
        TypeError: output_size is neither.
        ValueError: another number of axes, or a size that is not positive.
    """
    publish(spellings, numpy=_adaptive_reference(axes), samples=samples)(pool)


_publish_adaptive(
    1,
    """ops.adaptive_max_pool1d(input, output_size) nn.AdaptiveMaxPool1d(output_size)(input)
    mint.nn.AdaptiveMaxPool1d(output_size, return_indices)(input) mint.nn.functional.adaptive_max_pool1d""",
    "f32(2, 3, 8), 3; f64(2, 7), (4,)",
)
_publish_adaptive(
    2,
    """ops.adaptive_max_pool2d nn.AdaptiveMaxPool2d(output_size, return_indices)(input)
    ops.AdaptiveMaxPool2D(output_size, return_indices := True)(input)
    mint.nn.AdaptiveMaxPool2d(output_size, return_indices)(input) mint.nn.functional.adaptive_max_pool2d""",
    "f32(2, 3, 8, 5), 3; f64(2, 7, 4), (None, 2); i32(1, 4, 4), (1, 7)",
)
_publish_adaptive(
    3,
    """ops.adaptive_max_pool3d nn.AdaptiveMaxPool3d(output_size, return_indices)(input)
    ops.AdaptiveMaxPool3D(return_indices := True)(input as x, output_size)""",
    "f32(1, 2, 5, 4, 3), 2; f64(2, 3, 4, 4), (None, 2, 3)",
)


def _unpooled(
    function: str, axes: int, x: Tensor, indices: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Any:
    check_rank(function, "x", x, axes + 1, axes + 2)
    check_same_shape(function, x=x, indices=indices)
    kernel = by_axis(function, "kernel_size", kernel_size, axes)
    steps = kernel if stride is None else by_axis(function, "stride", stride, axes)
    pads = by_axis(function, "padding", padding, axes, 0)
    lead, counts = tuple(x.shape[:-axes]), x.shape[-axes:]
    sizes = tuple((n - 1) * s - 2 * p + k for n, s, p, k in zip(counts, steps, pads, kernel))
    if output_size is not None:
        target = tuple(output_size)[-axes:]
        if len(output_size) not in (axes, x.ndim) or tuple(output_size)[:-axes] not in ((), lead):
            raise ValueError(f"For '{function}', 'output_size' must be of {axes} sizes, but got {output_size}.")
        if not all(size - step < n < size + step for n, size, step in zip(target, sizes, steps)):
            raise ValueError(f"For '{function}', 'output_size' must be within 'stride' of {sizes}, but got {output_size}.")
        sizes = target
    if min(sizes) < 1:
        raise ValueError(f"For '{function}', the result's sizes must be positive, but they are {sizes}.")
    empty = _ops.zeros((*lead, math.prod(sizes)), x.dtype)
    at, values = (_ops.reshape(one, (*lead, math.prod(counts))) for one in (indices, x))
    return _ops.reshape(_ops.tensor_scatter_elements(empty, at, values, -1), (*lead, *sizes))


def _publish_unpool(axes: int, spellings: str, samples: str) -> None:
    name = f"max_unpool{axes}d"

    def unpool(
        x: Tensor,
        indices: Tensor,
        kernel_size: Ints,
        stride: Ints | None = None,
        padding: Ints = 0,
        output_size: Ints | None = None,
    ) -> Any:
        return _unpooled(name, axes, x, indices, kernel_size, stride, padding, output_size)

    unpool.__name__ = name
    unpool.__doc__ = f"""x at positions of a channel, zeros elsewhere: the inverse of max_pool{axes}d.

    Args:
        x: of shape (N, C, ...) or (C, ...).
        indices: positions in a channel of the result; of x's shape.
        kernel_size, stride, padding: those of the pooling; without stride the windows touch.
        output_size: the sizes of the result, where several have the same pooling.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: shapes or sizes that do not fit.
        IndexError: a position outside of the result.
    """
    reference = f"""(lambda o: (lambda y: (np.put_along_axis(y, indices.reshape(*x.shape[:-{axes}], -1),
    x.reshape(*x.shape[:-{axes}], -1), -1), y)[1])(np.zeros((*x.shape[:-{axes}], np.prod(o)))).reshape(*x.shape[:-{axes}],
    *o))(output_size or [(n - 1) * (stride or kernel_size) - 2 * padding + kernel_size for n in x.shape[-{axes}:]])"""
    publish(spellings, numpy=reference, samples=samples, in_python=True)(unpool)


_publish_unpool(
    1,
    "ops.max_unpool1d nn.MaxUnpool1d(kernel_size, stride, padding)(x, indices, output_size)",
    "f32(2, 3, 4), i64(2, 3, 4) * 0 + (1, 2, 5, 7), 2; f64(1, 3), i64(1, 3) * 0 + (0, 2, 5), 3, 2, 0, (8,)",
)
_publish_unpool(
    2,
    """ops.max_unpool2d nn.MaxUnpool2d(kernel_size, stride, padding)(x, indices, output_size)
    mint.nn.MaxUnpool2d(kernel_size, stride, padding)(x as input, indices, output_size)
    mint.nn.functional.max_unpool2d(x as input, indices, kernel_size, stride, padding, output_size)""",
    """f32(1, 2, 2, 2), i64(1, 2, 2, 2) * 0 + ((0, 3), (9, 14)), 2;
    f64(1, 2, 2), i64(1, 2, 2) * 0 + ((0, 2), (7, 8)), 3, 2, 1;
    f32(1, 2, 1), i64(1, 2, 1) * 0 + ((2,), (13,)), 2, None, 0, (5, 3)""",
)
_publish_unpool(
    3,
    "ops.max_unpool3d nn.MaxUnpool3d(kernel_size, stride, padding)(x, indices, output_size)",
    "f32(1, 1, 1, 2, 2), i64(1, 1, 1, 2, 2) * 0 + ((0, 3), (9, 14)), 2",
)


def _unpool_primitive(
    name: str, axes: int, x: Tensor, argmax: Tensor, ksize: Any, strides: Any, pads: Any, shape: Any
) -> Any:
    steps = ksize if strides == 0 or strides == (0,) * axes else strides
    return _unpooled(name, axes, x, argmax, ksize, steps, pads, shape or None)


@publish(
    "ops.MaxUnpool2D(ksize, strides, pads, output_shape, data_format)(x, argmax)",
    numpy="(lambda y: (np.put_along_axis(y, argmax.reshape(1, 2, 4), x.reshape(1, 2, 4), -1), y)[1])(np.zeros((1, 2, 16))"
    ").reshape(1, 2, 4, 4)",
    samples="f32(1, 2, 2, 2), i64(1, 2, 2, 2) * 0 + ((0, 3), (9, 14)), 2; f32(1, 2, 2, 2), i64(1, 2, 2, 2) * 0 + ((0, 3), "
    "(9, 14)), 2, 2, 0, (1, 2, 4, 4)",
)
def max_unpool2d_primitive(
    x: Tensor,
    argmax: Tensor,
    ksize: Ints,
    strides: Ints = 0,
    pads: Ints = 0,
    output_shape: Ints = (),
    data_format: str = "NCHW",
) -> Any:
    """x at positions of a channel of images (N, C, H, W), zeros elsewhere; strides 0 are ksize."""
    check_choice("MaxUnpool2D", "data_format", data_format, "NCHW")
    return _unpool_primitive("MaxUnpool2D", 2, x, argmax, ksize, strides, pads, output_shape)


@publish(
    "ops.MaxUnpool3D(ksize, strides, pads, output_shape, data_format)(x, argmax)",
    numpy="(lambda y: (np.put_along_axis(y, argmax.reshape(1, 1, 4), x.reshape(1, 1, 4), -1), y)[1])(np.zeros((1, 1, 32))"
    ").reshape(1, 1, 2, 4, 4)",
    samples="f32(1, 1, 1, 2, 2), i64(1, 1, 1, 2, 2) * 0 + ((0, 3), (9, 14)), 2",
)
def max_unpool3d_primitive(
    x: Tensor,
    argmax: Tensor,
    ksize: Ints,
    strides: Ints = 0,
    pads: Ints = 0,
    output_shape: Ints = (),
    data_format: str = "NCDHW",
) -> Any:
    """x at positions of a channel of volumes (N, C, D, H, W), zeros elsewhere; strides 0 are ksize."""
    check_choice("MaxUnpool3D", "data_format", data_format, "NCDHW")
    return _unpool_primitive("MaxUnpool3D", 3, x, argmax, ksize, strides, pads, output_shape)


def _in_image(positions: Tensor, size: int) -> Any:
    """Positions in an image (C, H, W) of those in its planes (N, C, ...), which have a size."""
    return positions + _ops.reshape(_ops.arange(positions.shape[1]) * size, (-1, 1, 1))


def _in_dtype(function: str, pair: tuple[Tensor, Tensor], dtype: DType) -> Any:
    check_choice(function, "argmax_type", dtype, core.int32, core.int64)
    return pair[0], as_positions(pair[1], dtype)


_TAPS = "np.stack([x[..., 0::2, 0::2], x[..., 0::2, 1::2], x[..., 1::2, 0::2], x[..., 1::2, 1::2]], -1)"
_POOLED = f"""(lambda w: (w.max(-1), w.argmax(-1) // 2 * x.shape[-1] + w.argmax(-1) % 2
    + np.arange(0, x.shape[-2], 2)[:, None] * x.shape[-1] + np.arange(0, x.shape[-1], 2)))({_TAPS})"""


@publish(
    "ops.MaxPoolWithArgmax(kernel_size, strides, pad_mode, data_format)(x)",
    numpy=f"(lambda y, at: (y, at + x[0, 0].size * np.arange(x.shape[1])[:, None, None]))(*{_POOLED})",
    samples="f32(2, 3, 4, 6), 2, 2; f64(1, 2, 6, 4), 2, 2, 'same'",
)
def max_pool_with_argmax(
    x: Tensor, kernel_size: Ints = 1, strides: Ints = 1, pad_mode: str = "valid", data_format: str = "NCHW"
) -> Any:
    """(the largest element of each window of images (N, C, H, W), its position in (C, H, W), as int32).

    Args:
        pad_mode: "valid", or "same": as many windows as strides fit into the image.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: x has another number of axes, another pad_mode or data_format.
    """
    name = "MaxPoolWithArgmax"
    check_rank(name, "x", x, 4)
    check_choice(name, "pad_mode", pad_mode.lower(), "valid", "same")
    check_choice(name, "data_format", data_format, "NCHW")
    kernel, steps = by_axis(name, "kernel_size", kernel_size, 2), by_axis(name, "strides", strides, 2)
    pads: list[int] = []
    for size, k, step in zip(x.shape[2:], kernel, steps):
        room = max((-(-size // step) - 1) * step + k - size, 0) if pad_mode.lower() == "same" else 0
        pads += [room // 2, room - room // 2]
    values, positions = _ops.max_pool_with_indices(x, kernel, steps, pads, 1, False)
    return _in_dtype(name, (values, _in_image(positions, math.prod(x.shape[2:]))), core.int32)


@publish(
    "ops.MaxPoolWithArgmaxV2(kernel_size, strides, pads, dilation, ceil_mode, argmax_type)(x)",
    numpy=_POOLED,
    samples="f32(2, 3, 4, 6), 2; f64(1, 2, 6, 4), 2, 2, 0, 1, True, int32",
)
def max_pool_with_argmax_v2(
    x: Tensor,
    kernel_size: Ints,
    strides: Ints | None = None,
    pads: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    argmax_type: DType = core.int64,
) -> Any:
    """(the largest element of each window of images (N, C, H, W), its position in the plane).

    Args:
        strides: without them the windows touch.

    Raises:
        ValueError: x has another number of axes, or argmax_type is neither int32 nor int64.
    """
    check_rank("MaxPoolWithArgmaxV2", "x", x, 4)
    steps = kernel_size if strides is None else strides
    pair = _ops.max_pool_with_indices(x, kernel_size, steps, pads, dilation, ceil_mode)
    return _in_dtype("MaxPoolWithArgmaxV2", pair, argmax_type)


@publish(
    "ops.MaxPool3DWithArgmax(ksize, strides, pads, dilation, ceil_mode, data_format, argmax_type)(x)",
    numpy=_POOLED,
    samples="f32(2, 3, 1, 4, 6), (1, 2, 2), (1, 2, 2), 0",
)
def max_pool3d_with_argmax(
    x: Tensor,
    ksize: Ints,
    strides: Ints,
    pads: Ints,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    argmax_type: DType = core.int64,
) -> Any:
    """(the largest element of each window of volumes (N, C, D, H, W), its position in a channel).

    Raises:
        ValueError: x has another number of axes, argmax_type is neither int32 nor int64, or another data_format.
    """
    check_rank("MaxPool3DWithArgmax", "x", x, 5)
    check_choice("MaxPool3DWithArgmax", "data_format", data_format, "NCDHW")
    pair = _ops.max_pool_with_indices(x, ksize, strides, pads, dilation, ceil_mode)
    return _in_dtype("MaxPool3DWithArgmax", pair, argmax_type)


def _starts(sample: Tensor, size: int, kernel: int, count: int) -> Any:
    """Where windows begin along an axis: at floor((i + u) * a) - floor(u * a), the last one at the end."""
    last = _ops.full((*sample.shape, 1), size - kernel, core.int64)
    if count == 1:
        return last
    u, step = _ops.expand_dims(sample, -1), (size - kernel) / (count - 1)
    steps = _ops.cast(_ops.arange(count - 1), sample.dtype)
    inner = _ops.floor((u + steps) * step) - _ops.floor(u * step)
    return _ops.concat((_ops.cast(inner, core.int64), last), -1)


def _fractional(function: str, x: Tensor, samples: Tensor, kernel: Any, counts: Any, return_indices: bool) -> Any:
    axes = len(kernel)
    lead, sizes = tuple(x.shape[:2]), tuple(x.shape[2:])
    if tuple(samples.shape) != (*lead, axes):
        raise ValueError(f"For '{function}', samples must have shape {(*lead, axes)}, but their shape is {samples.shape}.")
    if any(count + k - 1 > size for count, k, size in zip(counts, kernel, sizes)):
        raise ValueError(f"For '{function}', windows {kernel} and output size {counts} do not fit into sizes {sizes}.")
    places = []
    for i in range(axes):
        starts = _starts(samples[:, :, 1 - i if axes == 2 else i], sizes[i], kernel[i], counts[i])
        places.append(_ops.expand_dims(starts, -1) + _ops.arange(kernel[i]))
    positions = positions_of(places, sizes)
    indices = _ops.reshape(positions, (*lead, math.prod(positions.shape[2:])))
    flat = _ops.gather_d(_ops.reshape(x, (*lead, math.prod(sizes))), 2, indices)
    return _largest(_ops.reshape(flat, positions.shape), positions, return_indices)


def _counts(function: str, axes: int, sizes: Any, output_size: Any, output_ratio: Any) -> tuple[int, ...]:
    if (output_size is None) == (output_ratio is None):
        raise ValueError(
            f"For '{function}', one of 'output_size' and 'output_ratio' must be given, but got {output_size} and "
            f"{output_ratio}."
        )
    if output_size is not None:
        return by_axis(function, "output_size", output_size, axes)
    ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * axes
    if len(ratios) != axes or not all(isinstance(ratio, float) and 0 < ratio < 1 for ratio in ratios):
        raise ValueError(f"For '{function}', 'output_ratio' must be within (0, 1), but got {output_ratio}.")
    return tuple(max(int(size * ratio), 1) for size, ratio in zip(sizes, ratios))


def _publish_fractional(axes: int) -> None:
    name = f"fractional_max_pool{axes}d"
    options = "kernel_size, output_size, output_ratio, return_indices, _random_samples"

    def pool(
        input: Tensor,
        kernel_size: Ints,
        output_size: Ints | None = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Any:
        check_rank(name, "input", input, axes + 1, axes + 2)
        kernel = by_axis(name, "kernel_size", kernel_size, axes)
        counts = _counts(name, axes, input.shape[-axes:], output_size, output_ratio)
        alone = input.ndim == axes + 1
        x = _ops.expand_dims(input, 0) if alone else input
        samples = _random_samples
        if samples is None:
            samples = _ops.rand((*x.shape[:2], axes), core.float32)
        check_floating(name, _random_samples=samples)
        result = _fractional(name, x, samples, kernel, counts, return_indices)
        if not alone:
            return result
        return tuple(_ops.squeeze(one, 0) for one in result) if return_indices else _ops.squeeze(result, 0)

    pool.__name__ = name
    pool.__doc__ = f"""The largest elements of windows whose distances are random, but have a given mean (Graham, 2014).

    Args:
        input: of shape (N, C, ...) or (C, ...), with {axes} sizes.
        kernel_size: of windows.
        output_size: how many windows along each axis.
        output_ratio: instead of it, how many for each element of an axis, within (0, 1).
        return_indices: whether to return (values, their positions in a channel, as int64) instead.
        _random_samples: numbers of [0, 1) for each channel and axis, of shape (N, C, {axes}); they are drawn if None.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: another number of axes, windows that do not fit, or not one of output_size and output_ratio.

    Examples:
        >>> x = ops.arange(16.0).reshape(1, 1, {"1, " * (axes - 2)}4, 4)
        >>> ms.set_seed(1)
        >>> result = ops.{name}(x, kernel_size={2 if axes == 2 else (1, 2, 2)}, output_size={(1, 2, 2)[3 - axes :]})
        >>> print(result.shape, result.max())
        {(1, 1, 1, 2, 2)[3 - axes :]} 15.0
    """
    publish(f"ops.{name} nn.FractionalMaxPool{axes}d({options})(input)", in_python=True)(pool)


_publish_fractional(2)
_publish_fractional(3)


@publish("ops.FractionalMaxPoolWithFixedKsize(ksize, output_shape, data_format)(input_x, random_samples)")
def fractional_max_pool2d_primitive(
    input_x: Tensor, random_samples: Tensor, ksize: Ints, output_shape: Ints, data_format: str = "NCHW"
) -> Any:
    """(the largest elements of windows of images (N, C, H, W), their positions), as fractional_max_pool2d.

    Args:
        input_x: of shape (N, C, H, W).
        random_samples: numbers of [0, 1) for each channel and axis, of shape (N, C, 2).
        ksize: the height and width of windows, or one int for both.
        output_shape: how many windows along each axis.
        data_format: "NCHW".

    Raises:
        ValueError: another number of axes, windows that do not fit, or another data_format.

    Examples:
        >>> x, samples = ops.arange(9.0).reshape(1, 1, 3, 3), Tensor([[[0.5, 0.5]]])
        >>> values, positions = ops.FractionalMaxPoolWithFixedKsize(2, (2, 2))(x, samples)
        >>> print(values)
        [[[[4. 5.]
           [7. 8.]]]]
    """
    name = "FractionalMaxPoolWithFixedKsize"
    check_rank(name, "input_x", input_x, 4)
    check_choice(name, "data_format", data_format, "NCHW")
    sizes = by_axis(name, "ksize", ksize, 2), by_axis(name, "output_shape", output_shape, 2)
    return _fractional(name, input_x, random_samples, *sizes, True)


@publish("ops.FractionalMaxPool3DWithFixedKsize(ksize, output_shape, data_format)(x, random_samples)")
def fractional_max_pool3d_primitive(
    x: Tensor, random_samples: Tensor, ksize: Ints, output_shape: Ints, data_format: str = "NCDHW"
) -> Any:
    """(the largest elements of windows of volumes (N, C, D, H, W), their positions), as fractional_max_pool3d.

    Args:
        x: of shape (N, C, D, H, W).
        random_samples: numbers of [0, 1) for each channel and axis, of shape (N, C, 3).
        ksize: the sizes of windows, or one int for all.
        output_shape: how many windows along each axis.
        data_format: "NCDHW".

    Raises:
        ValueError: another number of axes, windows that do not fit, or another data_format.

    Examples:
        >>> x, samples = ops.arange(8.0).reshape(1, 1, 2, 2, 2), Tensor([[[0.5, 0.5, 0.5]]])
        >>> values, positions = ops.FractionalMaxPool3DWithFixedKsize(2, (1, 1, 1))(x, samples)
        >>> print(values.reshape(-1), positions.reshape(-1))
        [7.] [7]
    """
    name = "FractionalMaxPool3DWithFixedKsize"
    check_rank(name, "x", x, 5)
    check_choice(name, "data_format", data_format, "NCDHW")
    sizes = by_axis(name, "ksize", ksize, 3), by_axis(name, "output_shape", output_shape, 3)
    return _fractional(name, x, random_samples, *sizes, True)
